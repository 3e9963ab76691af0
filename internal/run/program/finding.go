package program

import (
	"fmt"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/run/exec"
)

// A Finding is a mistake of a kernel: the first occurrence at each position and of each kind.
type Finding struct {
	Kind     string // such as "out-of-bounds", for `purecl explain`
	Message  string
	File     string
	Line     int
	Column   int
	GlobalID [3]uint64 // of the work-item
	LocalID  [3]uint64
	GroupID  [3]uint64
	Object   string // name of the buffer or variable, "" if there is none
	Offset   int64  // in the object, in bytes
	Size     int64  // of the access, in bytes
	Count    uint64 // number of occurrences
	Error    bool   // it fails the launch
	Rendered string // the terminal's form, with the source line

	// Diag is the finding for the renderers of package diag; its Source is nil if the program has none.
	Diag diag.Finding
}

// String returns the finding in one line.
func (f *Finding) String() string {
	loc := diag.Location{File: f.File, Line: f.Line, Column: f.Column}.String()
	if loc != "" {
		loc += ": "
	}
	return loc + f.Message
}

// NewFinding converts an observer's finding to its public form. src is the kernel's source, or nil.
func NewFinding(src *diag.Source, f *exec.Finding, mode exec.FaultMode) Finding {
	out := Finding{
		Kind: f.Kind.String(), Message: f.Message(), GlobalID: f.Global, LocalID: f.Local, GroupID: f.Group,
		Object: f.Object, Offset: int64(f.Offset), Size: int64(f.Size), Count: f.Count, Error: f.Fails(src, mode),
	}
	d := &diag.Diagnostic{Severity: diag.Warning, Code: diag.Lookup(out.Kind), Message: out.Message, Span: diag.Span{Pos: f.Pos, End: f.Pos + 1}}
	if out.Error {
		d.Severity = diag.Error
		d.Promoted = d.Code != nil && d.Code.Severity == diag.Warning // by -Werror
	}
	d.Note(diag.Span{}, "by %s%s", f.WorkItem(), times(f.Count))
	if f.OtherPos.IsValid() {
		d.Note(diag.Span{Pos: f.OtherPos, End: f.OtherPos + 1}, "the other access is here")
	}
	for _, p := range f.Places {
		d.Note(diag.Span{Pos: p.Pos, End: p.Pos + 1}, "%s", p.Text)
	}
	out.Diag = diag.Finding{Source: src, Diagnostic: d}
	if src != nil {
		loc := src.Location(f.Pos)
		out.File, out.Line, out.Column = loc.File, loc.Line, loc.Column
		out.Rendered = diag.Style{Codes: true}.One(src, d)
	}
	return out
}

func times(n uint64) string {
	if n < 2 {
		return ""
	}
	return fmt.Sprintf(", the first of %d times", n)
}
