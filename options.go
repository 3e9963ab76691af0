package purecl

import (
	"io"
	"time"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/program"
)

// Options configure the launches of a kernel ([Kernel.With]) or of a stream ([Device.Stream]). The zero value
// is the default.
type Options struct {
	Mode     Mode
	Checks   Checks
	Stdout   io.Writer               // where printf writes; nil is the standard output
	Progress func(done, total int64) // called repeatedly with the completed part of a launch
	Workers  int                     // largest number of threads of a launch; 0: the device's number of compute units
	Report   func(*Report)           // called after each launch
}

// A Mode decides what a work-item does after a forbidden access. In either mode no access leaves its object.
type Mode uint8

// The modes.
const (
	Strict Mode = iota // the work-item stops, and the launch returns a [FaultError]
	Robust             // loads of bytes beyond an object read 0, stores of them are dropped, and the launch succeeds
)

// Checks select the mistakes that a launch looks for. Accesses out of bounds are always caught. With checks,
// kernels run on the reference executor.
type Checks uint8

// The levels. Each includes the checks of those before.
const (
	CheckNone   Checks = iota // accesses out of bounds only
	CheckMemory               // uninitialised reads and misaligned accesses
	CheckAll                  // data races, implementation-defined results
)

// A Report describes a finished launch.
type Report struct {
	Kernel   string
	Findings []Finding // in order of work-groups
	Local    [3]int    // the work-group size, given or chosen
	Executor string    // the name of the executor that ran it
	Fallback string    // why the slow reference executor ran without checks; else ""
	Start    time.Time
	End      time.Time
}

// A Finding is a mistake of a kernel: its first occurrence for each place and kind.
type Finding struct {
	Kind     string // such as "out-of-bounds", for `purecl explain`
	Message  string
	File     string
	Line     int
	Column   int
	GlobalID [3]uint64 // of the work-item
	LocalID  [3]uint64
	GroupID  [3]uint64
	Object   string // name of the buffer or variable, or ""
	Offset   int64  // in the object, in bytes
	Size     int64  // of the access, in bytes
	Count    uint64 // how often it happened
	Error    bool   // the launch fails because of it
	Rendered string // as a terminal shows it, with the source line
}

// String returns the finding in one line.
func (f Finding) String() string {
	s := diag.Location{File: f.File, Line: f.Line, Column: f.Column}.String()
	if s != "" {
		s += ": "
	}
	return s + f.Message
}

var (
	faultModes  = [...]exec.FaultMode{Strict: exec.Strict, Robust: exec.Robust}
	checkLevels = [...]exec.Checks{CheckNone: exec.ChecksNone, CheckMemory: exec.ChecksMemory, CheckAll: exec.ChecksAll}
)

// newFinding converts an observer's finding to its public form.
func newFinding(m *ssa.Module, f *exec.Finding, mode exec.FaultMode) Finding {
	h := program.NewFinding(m.Source, f, mode)
	return Finding{Kind: h.Kind, Message: h.Message, File: h.File, Line: h.Line, Column: h.Column, GlobalID: h.GlobalID, LocalID: h.LocalID, GroupID: h.GroupID,
		Object: h.Object, Offset: h.Offset, Size: h.Size, Count: h.Count, Error: h.Error, Rendered: h.Rendered}
}
