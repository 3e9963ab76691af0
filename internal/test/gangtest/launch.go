package gangtest

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A Launch is the input of a gang function: arguments, memory and work-items.
type Launch struct {
	Func         *gang.Func
	Dims         int
	Offset, Size [3]uint64 // of the range; of a work-group, whose function visits its gangs, Size is the size
	Params       [][]uint64
	Objects      []Object // by number; number 0 is none. Private roots have the last numbers
	Roots        []int    // by root: number of its object
	Flush        bool
}

// An Object is a memory object of a launch.
type Object struct {
	Data     []byte // of a private one nil
	Size     uint64
	ReadOnly bool
	Root     int    // of a private one
	zone     []byte // Data and bytes around it that nothing may change
}

// zone is the number of bytes before and after an object that must keep their value.
const (
	zone     = 512
	zoneByte = 0xA5
)

// NewLaunch returns a launch without objects and arguments.
func NewLaunch(f *gang.Func) *Launch {
	return &Launch{Func: f, Dims: 1, Size: [3]uint64{1, 1, 1}, Objects: make([]Object, 1)}
}

// Add adds an object with a copy of data and returns its number.
func (l *Launch) Add(data []byte, readOnly bool) int {
	mem := bytes.Repeat([]byte{zoneByte}, len(data)+2*zone)
	copy(mem[zone:], data)
	l.Objects = append(l.Objects, Object{Data: mem[zone : zone+len(data) : zone+len(data)], Size: uint64(len(data)), ReadOnly: readOnly, zone: mem})
	return len(l.Objects) - 1
}

// bind sets the objects of the roots: those that the arguments point to, those of variables by name, and new ones for
// private roots.
func (l *Launch) bind(names map[string]int) error {
	for k := range l.Func.Roots {
		n := 0
		switch r := &l.Func.Roots[k]; r.Kind {
		case gang.RootParam:
			n = int(l.Params[r.Param][0] >> ssa.ObjectShift)
		case gang.RootGlobal:
			n = names[r.Name]
		case gang.RootPrivate:
			n = len(l.Objects)
			l.Objects = append(l.Objects, Object{Size: uint64(r.Size), Root: k})
		}
		if n <= 0 || n >= len(l.Objects) {
			return fmt.Errorf("root %d has no memory", k)
		}
		l.Roots = append(l.Roots, n)
	}
	return nil
}

// private reports whether the object has a copy for each lane.
func (o *Object) private() bool { return o.zone == nil }

// Intact returns an error if bytes beside an object have changed.
func (l *Launch) Intact() error {
	for n := range l.Objects {
		for at, b := range l.Objects[n].zone {
			if off := at - zone; b != zoneByte && (off < 0 || off >= len(l.Objects[n].Data)) {
				return fmt.Errorf("the byte at offset %d of object %d, of %d bytes, has changed", off, n, len(l.Objects[n].Data))
			}
		}
	}
	return nil
}

// A Gang is the part of a launch that one gang executes.
type Gang struct {
	Global, Local [3]uint64 // ids of lane 0
	Active        int       // lanes that are work-items
}

// InGroups reports whether the function is one of a work-group.
func (l *Launch) InGroups() bool { return l.Func.Groups || l.Func.Waits }

// Gangs returns the gangs of the work-group, or the first gang of the row.
func (l *Launch) Gangs() (list []Gang) {
	w := uint64(l.Func.Lanes)
	if !l.InGroups() {
		active := min(w, l.Size[0])
		if l.Func.Full {
			active = w
		}
		return []Gang{{Global: l.Offset, Active: int(active)}}
	}
	for z := range l.Size[2] {
		for y := range l.Size[1] {
			for x := uint64(0); x < l.Size[0]; x += w {
				g := Gang{Global: l.Offset, Local: [3]uint64{x, y, z}, Active: int(min(w, l.Size[0]-x))}
				for d := range g.Local {
					g.Global[d] += g.Local[d]
				}
				list = append(list, g)
			}
		}
	}
	return list
}

// IDEnd returns one past the global id of the last lane of the row.
func (l *Launch) IDEnd() uint64 {
	w := uint64(l.Func.Lanes)
	return l.Offset[0] + (l.Size[0]+w-1)/w*w
}

// Queries returns the answers of work-item queries.
func (l *Launch) Queries() (q [ssa.NumQueries][3]uint64) {
	for d := range 3 {
		q[ssa.WorkDim][d] = uint64(l.Dims)
		q[ssa.GlobalOffset][d] = l.Offset[d]
		q[ssa.NumGroups][d], q[ssa.LocalSize][d], q[ssa.EnqueuedLocalSize][d] = 1, l.Size[d], l.Size[d]
		q[ssa.GlobalSize][d] = l.Size[d]
	}
	return q
}

// Inst returns the host call, or the access of large blocks, with an access number.
func (l *Launch) Inst(access int) *gang.Inst {
	for _, b := range l.Func.Blocks {
		for k := range b.Insts {
			switch i := &b.Insts[k]; i.Op {
			case gang.OpCall, gang.OpCopyPtr, gang.OpZeroPtr:
				if int(i.Access) == access {
					return i
				}
			}
		}
	}
	return nil
}

// The kinds of violations.
const (
	BadBounds ViolationKind = iota
	BadWrite
	BadNull
	BadObject
)

// A ViolationKind is the kind of a violation.
type ViolationKind int

// String returns the kind's name in want-error lines.
func (k ViolationKind) String() string { return [...]string{"bounds", "write", "null", "object"}[k] }

// A Violation is the number of violations of one kind by one access, with the one of the first work-item.
type Violation struct {
	Access int
	Kind   ViolationKind
	Count  uint64
	Ptr    uint64
	Global [3]uint64
	order  uint64 // number of the work-item in its work-group
}

// String describes the violations.
func (v *Violation) String() string {
	times := "times"
	if v.Count == 1 {
		times = "time"
	}
	return fmt.Sprintf("access %d: %d %s, first by work-item %d,%d,%d at object %d + %d", v.Access, v.Count, times, v.Global[0], v.Global[1], v.Global[2],
		v.Ptr>>ssa.ObjectShift, int64(v.Ptr<<(64-ssa.ObjectShift))>>(64-ssa.ObjectShift))
}

type violationKey struct {
	access int
	kind   ViolationKind
}

// A Log is what a run has reported.
type Log struct {
	violations map[violationKey]*Violation
	Calls      []string
	Diverged   bool // gangs wait at different barriers
	Left       bool // the function has left its gang
}

// Add adds violations.
func (g *Log) Add(v Violation) {
	key := violationKey{v.Access, v.Kind}
	old := g.violations[key]
	if g.violations == nil {
		g.violations = map[violationKey]*Violation{}
	}
	if old == nil {
		g.violations[key] = &v
		return
	}
	v.Count += old.Count
	if v.order < old.order || v.order == old.order && v.Global[0] < old.Global[0] {
		*old = v
	}
	old.Count = v.Count
}

// sorted returns the violations in the order of accesses.
func (g *Log) sorted() []*Violation {
	return slices.SortedFunc(maps.Values(g.violations), func(a, b *Violation) int {
		return cmp.Or(cmp.Compare(a.Access, b.Access), cmp.Compare(a.Kind, b.Kind))
	})
}

// String returns the log's text.
func (g *Log) String() string {
	var s bytes.Buffer
	for _, v := range g.sorted() {
		fmt.Fprintf(&s, "%v: %v\n", v.Kind, v)
	}
	for _, c := range g.Calls {
		fmt.Fprintln(&s, c)
	}
	if g.Diverged {
		fmt.Fprintln(&s, "diverged")
	}
	if g.Left {
		fmt.Fprintln(&s, "left")
	}
	return s.String()
}
