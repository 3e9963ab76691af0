package program

import "github.com/purecl/purecl/internal/front/diag"

// A Diagnostic is an error or warning about a program's source.
type Diagnostic struct {
	Severity string // "note", "warning", "error" or "fatal error"
	Code     string // for `purecl explain`, such as "undeclared-identifier"
	Message  string
	File     string // position, with Line and Column; for text of a macro, of its invocation
	Line     int    // from 1
	Column   int    // from 1, in bytes
	Rendered string // the terminal's form, with the source line and notes, without colour

	Diag diag.Finding // for the renderers of package diag
}

// String returns the diagnostic in one line, such as "k.cl:3:7: error: …".
func (d *Diagnostic) String() string {
	place := ""
	if d.File != "" {
		place = diag.Location{File: d.File, Line: d.Line, Column: d.Column}.String() + ": "
	}
	return place + d.Severity + ": " + d.Message
}

func newDiagnostics(src *diag.Source, ds []*diag.Diagnostic) []Diagnostic {
	var out []Diagnostic
	for _, d := range ds {
		loc := src.Location(d.Span.Pos)
		p := Diagnostic{Severity: d.Severity.String(), Message: d.Message, File: loc.File, Line: loc.Line, Column: loc.Column, Rendered: diag.Style{Codes: true}.One(src, d), Diag: diag.Finding{Source: src, Diagnostic: d}}
		if d.Code != nil {
			p.Code = d.Code.Name
		}
		out = append(out, p)
	}
	return out
}
