package host

import (
	"fmt"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/run/exec"
)

// Checks says what a launch watches for besides accesses out of bounds, which are
// always caught.
type Checks uint8

// The levels.
const (
	CheckNone     Checks = iota // bounds only
	CheckMemory                 // and uninitialised reads, misaligned accesses, writes to [MemReadOnly] buffers
	CheckAll                    // and data races, implementation-defined results
	CheckPedantic               // and NaN made of numbers, signed overflow, shifts too large; for programs built with -O0
)

// A FaultMode says what a launch does about accesses that are not allowed; docs/faults.md
// has the table.
type FaultMode uint8

// The modes.
const (
	FaultDefault FaultMode = iota // as the device has it
	FaultStrict                   // the work-item stops, the launch fails
	FaultRobust                   // bytes outside of objects read as 0 and are not written; the launch succeeds
)

// inLaunch returns the mode of a launch on d that asks for m.
func (m FaultMode) inLaunch(d *Device) exec.FaultMode {
	if m == FaultDefault {
		m = d.faults
	}
	if m == FaultRobust {
		return exec.Robust
	}
	return exec.Strict
}

// A Finding is something that a kernel did wrong: the first time, for each place and kind.
type Finding struct {
	Kind     string // such as "out-of-bounds": `purecl explain` knows it
	Message  string
	File     string
	Line     int
	Column   int
	GlobalID [3]uint64 // of the work-item
	LocalID  [3]uint64
	GroupID  [3]uint64
	Object   string // name of the buffer or variable, "" where there is none
	Offset   int64  // in the object, in bytes
	Size     int64  // of the access, in bytes
	Count    uint64 // how often it happened
	Error    bool   // the launch fails for it
	Rendered string // as a terminal shows it, with the source line

	// Diag is the finding for the renderers of package diag; its Source is nil where the
	// program has none.
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

// A FaultError is the error of a launch whose kernel did something that it must not.
// Its status is [OutOfResources].
type FaultError struct {
	Kernel   string
	Findings []Finding // those that are errors, in order of work-groups; at least one
}

func (e *FaultError) Error() string {
	s := "purecl: kernel " + e.Kernel + ": "
	if len(e.Findings) == 0 { // not one of ours
		return s + "a fault"
	}
	s += e.Findings[0].String()
	if n := len(e.Findings) - 1; n > 0 {
		s += fmt.Sprintf(" (and %d more)", n)
	}
	return s
}

// Unwrap makes errors.Is find the status.
func (e *FaultError) Unwrap() error { return opencl.OutOfResources }

// finding makes the public form of what an observer found.
func (k *Kernel) finding(f *exec.Finding, mode exec.FaultMode) Finding {
	return NewFinding(k.code.Program.Module.Source, f, mode)
}

// NewFinding makes the public form of what an observer found in a kernel of that source,
// which may be nil.
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
