package exec

import (
	"fmt"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// BarrierNote describes a diverged work-group: the numbers of work-items that have arrived at a barrier, that
// wait at another one, and that have returned.
func BarrierNote(arrived, all, waiting, returned int) string {
	s := fmt.Sprintf("%d of %d work-items arrive", arrived, all)
	for _, part := range []struct {
		n    int
		what string
	}{{waiting, "at another barrier"}, {returned, "returned without reaching it"}, {all - arrived - waiting - returned, "elsewhere"}} {
		if part.n > 0 {
			s += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	return s
}

// A FindingKind is the kind of a finding.
type FindingKind uint8

// The kinds. Each is a code of package diag.
const (
	OutOfBounds       FindingKind = iota // an access past the end of its object
	NullPointer                          // an access through a null pointer
	WildPointer                          // an access through bits that are no object's
	ConstantWrite                        // a write to constant or read-only memory
	BarrierDivergence                    // a barrier that part of a work-group does not reach
	Misaligned                           // an access whose address does not have its type's alignment
	Uninitialized                        // a use of an undefined value
	RaceInGroup                          // two work-items of a group access the same bytes, unordered, one of them writing
	RaceBetweenGroups                    // the same between work-items of different groups
	DivideByZero                         // an integer division by zero
	DivideOverflow                       // the least integer divided by -1
	ConvertOutOfRange                    // a conversion to an integer type that cannot hold the value, without saturation
	IndexOutOfRange                      // an element of a vector that does not exist
	BadPointerCast                       // a cast of a generic pointer to an address space that its object is not in
	ImageFormat                          // an image function whose type does not match the image's format
	AsyncArguments                       // an async copy, or a wait for copies, whose arguments differ between work-items of the group
	AsyncEvent                           // a wait for an invalid event, or a copy that is never waited for
	NaNResult                            // a NaN result of operands that are not NaN
	SignedOverflow                       // a result that its signed type cannot represent
	ShiftTooLarge                        // a shift by at least the width of the type
	numFindingKinds
)

// kindCodes are the codes of the kinds.
var kindCodes = [numFindingKinds]*diag.Code{
	OutOfBounds: diag.Lookup("out-of-bounds"), NullPointer: diag.Lookup("null-pointer"), WildPointer: diag.Lookup("wild-pointer"),
	ConstantWrite: diag.Lookup("constant-write"), BarrierDivergence: diag.Lookup("barrier-divergence"), Misaligned: diag.Lookup("misaligned"),
	Uninitialized: diag.Lookup("uninitialized"), RaceInGroup: diag.Lookup("race-in-group"), RaceBetweenGroups: diag.Lookup("race-between-groups"),
	DivideByZero: diag.Lookup("division-by-zero"), DivideOverflow: diag.Lookup("divide-overflow"), ConvertOutOfRange: diag.Lookup("convert-out-of-range"),
	IndexOutOfRange: diag.Lookup("index-out-of-range"), BadPointerCast: diag.Lookup("bad-pointer-cast"), ImageFormat: diag.Lookup("image-format"),
	AsyncArguments: diag.Lookup("async-arguments"), AsyncEvent: diag.Lookup("async-event"), NaNResult: diag.Lookup("nan-result"), SignedOverflow: diag.Lookup("signed-overflow"),
	ShiftTooLarge: diag.Lookup("shift-too-large"),
}

// Code returns the kind's diagnostic code.
func (k FindingKind) Code() *diag.Code { return kindCodes[k] }

// String returns the code's name, such as "out-of-bounds".
func (k FindingKind) String() string { return kindCodes[k].Name }

// IsError reports whether a launch with such a finding fails at any level of checks: its code
// is an error.
func (k FindingKind) IsError() bool { return kindCodes[k].Severity >= diag.Error }

// Severity returns the severity of the finding after the build options and pragmas of the program; wanted is
// false if they switch it off.
func (f *Finding) Severity(src *diag.Source) (sev diag.Severity, wanted bool) {
	return src.Finding(f.Kind.Code(), f.Pos)
}

// Fails reports whether the finding fails a launch in the mode: because of its kind, or because the program's
// options make it an error (-Werror).
func (f *Finding) Fails(src *diag.Source, mode FaultMode) bool {
	if mode.Fails(f.Kind) {
		return true
	}
	sev, _ := f.Severity(src)
	return !f.Kind.IsError() && sev >= diag.Error
}

// A Finding is a report of an observer: its first occurrence at one place of the source, in order of
// work-groups and work-items, and the number of occurrences there.
type Finding struct {
	Kind   FindingKind
	Pos    diag.Pos
	Access string // "load", "store", …; "" if it is not about memory
	Count  uint64 // number of occurrences; for races, of accesses that conflict with an earlier one

	// The work-item.
	Global, Local, Group [3]uint64
	// The accessed memory.
	Object string // name of the object, "" if unknown
	What   string // kind of the object, such as "argument 1"
	Space  ssa.Kind
	Offset uint64 // in bytes
	Size   uint64 // of the access
	Extent uint64 // size of the object

	Places []Place // related positions

	// The other party of a race, or the other barrier.
	OtherPos    diag.Pos
	OtherAccess string
	OtherGlobal [3]uint64
	ByGroup     bool   // the other party is an async copy of the work-group
	Between     bool   // a RaceInGroup that also occurs between groups
	Note        string // additional text, or ""
}

// A Place is a position in the source and a note about it.
type Place struct {
	Pos  diag.Pos
	Text string
}

// AddPlace adds a related place, unless its position is unknown.
func (f *Finding) AddPlace(pos diag.Pos, text string) {
	if pos.IsValid() {
		f.Places = append(f.Places, Place{pos, text})
	}
}

var spaceNames = map[ssa.Kind]string{ssa.PtrGlobal: "global", ssa.PtrConstant: "constant", ssa.PtrLocal: "local", ssa.PtrPrivate: "private", ssa.PtrGeneric: "generic"}

// place describes the accessed memory: "global memory object out (argument 2), 64 bytes".
func (f *Finding) place() string {
	s := spaceNames[f.Space] + " memory"
	if f.Object != "" {
		s += " of " + f.Object
		if f.What != "" {
			s += " (" + f.What + ")"
		}
	}
	return s
}

// Message describes the finding, without its position and work-item.
func (f *Finding) Message() string {
	acc := f.Access
	if acc == "" {
		acc = "access"
	}
	bytes := fmt.Sprintf("%d bytes", f.Size)
	if f.Size == 1 {
		bytes = "1 byte"
	}
	at := fmt.Sprintf("%s of %s at offset %d", acc, bytes, int64(f.Offset))
	switch f.Kind {
	case OutOfBounds:
		if f.Note != "" {
			return fmt.Sprintf("out of bounds: %s of %s %s (%s)", acc, f.Note, f.Object, f.What)
		}
		return fmt.Sprintf("out of bounds: %s, outside the %d bytes of the %s", at, f.Extent, f.place())
	case NullPointer:
		return fmt.Sprintf("null pointer: %s of %s through a null pointer plus %d", acc, bytes, int64(f.Offset))
	case WildPointer:
		return fmt.Sprintf("wild pointer: %s of %s through a pointer to no object", acc, bytes)
	case ConstantWrite:
		return fmt.Sprintf("write to read-only memory: %s, in the %s", at, f.place())
	case BarrierDivergence:
		switch f.What {
		case "async copy":
			return "barrier divergence: not all work-items of the group reach this async copy: " + f.Note
		case "sub-group":
			return "barrier divergence: not all work-items of the sub-group reach this function: " + f.Note
		}
		return "barrier divergence: not all work-items of the group reach this barrier: " + f.Note
	case AsyncArguments:
		return "the work-items of a group disagree about " + f.What + ": " + f.Note
	case AsyncEvent:
		return f.Note
	case Misaligned:
		return fmt.Sprintf("misaligned: %s, in the %s", at, f.place())
	case Uninitialized:
		switch {
		case f.Note != "":
			return "use of an uninitialized value: " + f.Note
		case f.Size > 0:
			return fmt.Sprintf("use of an uninitialized value: %s, in the %s", at, f.place())
		}
		return "use of an uninitialized value"
	case RaceInGroup:
		where := "within a work-group"
		if f.Between {
			where += " and between work-groups"
		}
		return fmt.Sprintf("data race %s: %s, in the %s%s", where, at, f.place(), f.against())
	case RaceBetweenGroups:
		return fmt.Sprintf("data race between work-groups: %s, in the %s%s", at, f.place(), f.against())
	case DivideByZero:
		return "integer division by zero (the result is 0)"
	case DivideOverflow:
		return "integer overflow in a division of the least integer by -1 (the result is the least integer, the remainder 0)"
	case ConvertOutOfRange:
		return "conversion of " + f.Note + ", which the type cannot hold, without _sat: the result is implementation-defined"
	case IndexOutOfRange:
		return fmt.Sprintf("vector element that does not exist: number %d of %d", int64(f.Offset), f.Extent)
	case NaNResult:
		return "a NaN made of operands that are numbers or infinities"
	case SignedOverflow:
		return "signed overflow: the type cannot hold the result, which wraps"
	case ShiftTooLarge:
		return "shift by as many bits as the type has, or more: the count is taken modulo that number"
	case BadPointerCast:
		return "generic pointer cast to an address space that its object is not in (the result is null)"
	case ImageFormat:
		return fmt.Sprintf("%s of %s (%s), whose format %s is of another kind: read_imagef and write_imagef fit normalized and floating-point formats, those ending in i signed, in ui unsigned integers (the channels' bits are read and written)", acc, f.Object, f.What, f.Note)
	}
	return f.Kind.String()
}

func (f *Finding) against() string {
	if f.OtherAccess == "" {
		return ""
	}
	if f.ByGroup {
		return fmt.Sprintf(", against the %s that the work-group has not waited for", f.OtherAccess)
	}
	s := fmt.Sprintf(", against the %s by work-item (%d,%d,%d)", f.OtherAccess, f.OtherGlobal[0], f.OtherGlobal[1], f.OtherGlobal[2])
	if f.Note != "" {
		s += ": " + f.Note
	}
	return s
}

// WorkItem names the work-item: "work-item (5,0,0), local (1,0,0) in group (1,0,0)".
func (f *Finding) WorkItem() string {
	t := func(v [3]uint64) string { return fmt.Sprintf("(%d,%d,%d)", v[0], v[1], v[2]) }
	return "work-item " + t(f.Global) + ", local " + t(f.Local) + " in group " + t(f.Group)
}

// String returns the message, the work-item, and the count if it is more than one.
func (f *Finding) String() string {
	s := f.Message() + " [" + f.WorkItem() + "]"
	if f.Count > 1 {
		s += fmt.Sprintf(" (%d times)", f.Count)
	}
	return s
}
