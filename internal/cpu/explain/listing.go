package explain

import (
	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A Listing explains the code to people.
type Listing struct {
	*x86.Listing
	Plan     *spmd.Plan
	Accesses []Access
}

// An Access describes the code of a memory access.
type Access struct {
	Value *ssa.Value
	Shape Shape
	Bytes int   // of one lane
	Step  int64 // bytes between neighbouring lanes, if constant
	Why   []Reason
	// Checked describes the place of the bounds check if it is not at the access.
	Checked string
}

// A Reason is a part of an explanation.
type Reason struct {
	Text string
	Pos  diag.Pos
}

// New makes the listing of code that has one. large is set if objects may be of [gang.MaxObject] bytes and more.
func New(p *spmd.Plan, f *gang.Func, code *x86.Code, large bool) *Listing {
	ls := &Listing{Listing: code.Listing, Plan: p}
	patterns := &lanes.Patterns{Facts: p.Facts, Target: code.Level.Target(), Gang: max(f.Lanes, code.Level.Lanes), Large: large, Alone: f.Lanes == 1}
	for k := range f.Notes {
		n := &f.Notes[k]
		shape := shapeOf(p, n, code)
		v := n.Value
		masked := !f.Full || p.Class[v.Block.ID] != nil
		x := Access{Value: v, Shape: shape, Bytes: accessSize(v), Checked: checkedAt[n.Checked]}
		a := patterns.Access(v, masked)
		if a.Regular() {
			x.Step = a.Stride
		}
		if shape != Uniform && shape != Contiguous && shape != Rows && shape != Again {
			x.Why = explainer{p, p.Facts}.why(v, &a, masked)
		}
		switch {
		case n.Earlier != nil && p.Gang(n.Earlier) != p.Gang(v):
			x.Why = []Reason{{"another gang has loaded the same", n.Earlier.Pos}}
		case n.Earlier != nil:
			x.Why = []Reason{{"an equal load has found it", n.Earlier.Pos}}
		case shape == Scattered && v.Op == ssa.OpAtomicRMW:
			x.Why = []Reason{{Text: "work-items with one address are found first"}}
		}
		ls.Accesses = append(ls.Accesses, x)
	}
	return ls
}

// checkedAt describes the places of bounds checks that are not at the access.
var checkedAt = [...]string{lanes.BeforeBlock: "with its neighbours", lanes.BeforeLoop: "before the loop"}

// A LoopNote summarises a loop's machine code, without inner loops.
type LoopNote struct {
	Loop                       *ssa.Loop // nil: code outside of loops
	Once                       int       // instructions before the loop over gangs
	Insts                      int       // hot instructions
	Cold                       int       // cold instructions
	Spills                     int       // reads and writes of spilled registers
	Remats                     int
	General, Vectors, MaskRegs int // registers in use
	Accesses                   []*Access
	Diverge                    [][]Reason // divergent branches
}

// Loops summarises the code outside of loops and then every loop, outer loops first.
func (ls *Listing) Loops() []*LoopNote {
	notes := map[*ssa.Loop]*LoopNote{nil: {}}
	list := []*LoopNote{notes[nil]}
	for i := len(ls.Plan.Loops.All) - 1; i >= 0; i-- {
		x := ls.Plan.Loops.All[i]
		notes[x] = &LoopNote{Loop: x}
		list = append(list, notes[x])
	}
	used := map[*ssa.Loop]map[asm.Reg]bool{}
	for k := range ls.Insts {
		i := &ls.Insts[k]
		loop := i.From.InnermostLoop()
		n := notes[loop]
		switch {
		case !i.Body:
			continue
		case i.Cold:
			n.Cold++
			continue
		case i.Once:
			n.Once++
			continue
		}
		n.Insts++
		if i.Spill {
			n.Spills++
		}
		if i.Remat {
			n.Remats++
		}
		if used[loop] == nil {
			used[loop] = map[asm.Reg]bool{}
		}
		i.Inst.Regs(func(r asm.Reg) { used[loop][r] = true })
	}
	for x, regs := range used {
		n := notes[x]
		for r := range regs {
			switch {
			case r.IsVec():
				n.Vectors++
			case r.IsMask():
				n.MaskRegs++
			default:
				n.General++
			}
		}
	}
	for k := range ls.Accesses {
		a := &ls.Accesses[k]
		n := notes[ls.Plan.Loops.Of(a.Value.Block)]
		n.Accesses = append(n.Accesses, a)
	}
	for _, b := range ls.Plan.Order {
		if why := ls.Diverges(b); why != nil {
			n := notes[ls.Plan.Loops.Of(b)]
			n.Diverge = append(n.Diverge, why)
		}
	}
	return list
}

// Gathers returns the accesses all of whose versions gather, scatter or run lane by lane, and the number of all
// accesses; versions of an access count once.
func (x *Listing) Gathers() (list []*Access, of int) {
	at := map[*ssa.Value]int{}
	var all []*Access
	for i := range x.Accesses {
		a := &x.Accesses[i]
		v := x.Plan.Origin(a.Value)
		switch k, seen := at[v]; {
		case !seen:
			at[v] = len(all)
			all = append(all, a)
		case all[k].gathers() && !a.gathers():
			all[k] = a
		}
	}
	for _, a := range all {
		if a.gathers() {
			list = append(list, a)
		}
	}
	return list, len(all)
}

func (a *Access) gathers() bool {
	return a.Shape == Scattered || a.Shape == LaneByLane || a.Shape == Copies
}
