package ide

import (
	"strings"

	"github.com/purecl/purecl/internal/front/diag"
)

// A Severity is the importance of a diagnostic.
type Severity uint8

// The severities.
const (
	Error Severity = iota + 1
	Warning
	Information
)

// A Diagnostic is an error or warning.
type Diagnostic struct {
	Range
	Severity Severity
	Code     string
	Message  string
	Related  []Related
	Fix      *Edit
	Unused   bool // its subject can be removed
}

// A Related is a secondary position of a diagnostic.
type Related struct {
	Range
	Message string
}

// An Edit replaces a part of a file.
type Edit struct {
	Range
	Text string
}

// Diagnostics returns the errors and warnings in the compiler's order. A diagnostic without a position has the
// beginning of the file; a note without one is part of the message.
func (s *Snapshot) Diagnostics() []Diagnostic {
	var list []Diagnostic
	if s.badOpts != nil {
		list = append(list, *s.badOpts)
	}
	if s.failure != nil {
		list = append(list, Diagnostic{Range: Range{s.Name, 0, 0}, Severity: Error, Code: "internal-error", Message: s.failure.Error()})
	}
	src := s.diagnosed.Source
	for _, d := range s.diagnosed.Diags {
		list = append(list, s.diagnostic(src, d))
	}
	return list
}

func (s *Snapshot) diagnostic(src *diag.Source, d *diag.Diagnostic) Diagnostic {
	out := Diagnostic{Range: rangeOf(src, d.Span), Severity: Error, Message: d.Message}
	if !out.IsValid() {
		out.Range = Range{s.Name, 0, 0}
	}
	if d.Severity == diag.Warning {
		out.Severity = Warning
	}
	if d.Code != nil {
		out.Code = d.Code.Name
		out.Unused = strings.HasPrefix(d.Code.Name, "unused-")
	}
	for _, list := range [...][]diag.Label{d.Labels, d.Notes} {
		for _, l := range list {
			at := rangeOf(src, l.Span)
			if at.IsValid() {
				out.Related = append(out.Related, Related{at, l.Text})
			} else {
				out.Message += "\n" + l.Text
			}
		}
	}
	out.Related = append(out.Related, macroSteps(src, d.Span.Pos)...)
	if d.Fix != nil {
		at := rangeOf(src, d.Fix.Span)
		if x, _ := src.Expansion(d.Fix.Span.Pos); x == nil && at.IsValid() {
			out.Fix = &Edit{at, d.Fix.Text}
		}
	}
	return out
}

// macroSteps returns the positions in macro definitions that produced the text at p, outermost first.
func macroSteps(src *diag.Source, p diag.Pos) (list []Related) {
	for {
		x, spelled := src.Expansion(p)
		if x == nil {
			return list
		}
		if x.Arg {
			p = spelled
			continue
		}
		if at := rangeOf(src, diag.Span{Pos: src.Spelling(spelled), End: src.Spelling(spelled) + 1}); at.IsValid() {
			list = append([]Related{{at, "expanded from macro '" + x.Macro + "'"}}, list...)
		}
		p = x.Call.Pos
	}
}

// Explain returns the registry's description of a diagnostic code as Markdown, "" if there is no such code.
func Explain(code string) string {
	c := diag.Lookup(code)
	if c == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString("**" + c.Name + "** (" + c.Severity.String() + ")\n\n" + c.Doc + "\n")
	if c.Severity == diag.Warning {
		b.WriteString("\n`-W" + c.Name + "` turns it on, `-Wno-" + c.Name + "` off, `-Werror=" + c.Name + "` makes it an error.\n")
	}
	if c.Spec != "" {
		b.WriteString("\nSpecification: " + c.Spec + "\n")
	}
	for _, x := range [...][2]string{{"Wrong", c.Bad}, {"Right", c.Good}} {
		if x[1] != "" {
			b.WriteString("\n" + x[0] + ":\n\n```opencl\n" + strings.TrimRight(x[1], "\n") + "\n```\n")
		}
	}
	return b.String()
}
