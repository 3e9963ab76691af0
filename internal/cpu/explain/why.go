package explain

import (
	"fmt"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// accessSize returns the bytes that a lane reads or writes.
func accessSize(v *ssa.Value) int {
	switch v.Op {
	case ssa.OpStore, ssa.OpAtomicStore:
		return v.Args[1].Type.Size()
	case ssa.OpMemCopy, ssa.OpMemZero:
		return int(v.Aux)
	}
	return v.Type.Size()
}

// An explainer finds the reasons for the shapes of accesses.
type explainer struct {
	plan  *spmd.Plan
	facts *lanes.Facts
}

// why explains why an access is neither uniform nor contiguous.
func (x explainer) why(v *ssa.Value, a *lanes.Access, masked bool) (why []Reason) {
	say := func(at *ssa.Value, format string, args ...any) {
		r := Reason{Text: fmt.Sprintf(format, args...)}
		if at != nil {
			r.Pos = at.Pos
		}
		why = append(why, r)
	}
	switch v.Op {
	case ssa.OpAtomicLoad, ssa.OpAtomicStore, ssa.OpAtomicRMW, ssa.OpAtomicCAS:
		say(nil, "atomic operations are done one work-item after the other")
		return why
	case ssa.OpMemCopy, ssa.OpMemZero:
		say(nil, "blocks of memory are moved one work-item after the other")
		return why
	}
	if a.Root == nil {
		p := a.Ptr
		for p.Op == ssa.OpPtrAdd || p.Op == ssa.OpPtrCast {
			p = p.Args[0]
		}
		switch p.Op {
		case ssa.OpAlloca:
			say(p, "private array %s: every work-item has its own", p.Sym.(*ssa.Alloca).Name)
		case ssa.OpLoad:
			say(p, "the object is not known: the pointer is loaded from memory")
		case ssa.OpPhi, ssa.OpSelect:
			say(p, "the object is not known: the pointer is one of several")
		case ssa.OpParam, ssa.OpGlobalAddr:
			say(p, "the constant part of the offset is too large")
		default:
			say(p, "the object is not known: the pointer comes from %v", p.Op)
		}
	}
	if a.Order != nil {
		say(a.Order.Of, "an exclusive or with a number that is the same for all changes the order of work-items")
		return why
	}
	for _, o := range a.Terms {
		if !x.plan.Varying[o.ID] || x.facts.Of(o).Exact() {
			continue
		}
		if f := x.facts.Of(o); f.Shape == lanes.Affine && f.Order == nil {
			say(o, "a part of the offset is narrower than a pointer and may wrap")
			continue
		}
		c, text := x.uneven(o)
		say(c, "the offset of neighbouring work-items has no constant step: %s", text)
	}
	size := int64(accessSize(v))
	switch {
	case !a.Regular():
	case a.Stride == 0:
		say(v, "one address for all, but not one value")
	case a.Stride != size:
		say(nil, "neighbouring work-items are %d bytes apart, each takes %d", a.Stride, size)
	case masked:
		say(nil, "not all work-items get here, and there is no masked instruction for this size")
	}
	if len(why) == 0 {
		t := v.Type
		if v.Op == ssa.OpStore {
			t = v.Args[1].Type
		}
		say(nil, "there is no code for %v side by side", t)
	}
	return why
}

// uneven finds the operation that makes a value lose its constant step between lanes.
func (x explainer) uneven(v *ssa.Value) (*ssa.Value, string) {
	seen := map[*ssa.Value]bool{}
	for {
		seen[v] = true
		switch v.Op {
		case ssa.OpLoad:
			return v, "it is loaded from memory"
		case ssa.OpPhi:
			return v, "it depends on the path that a work-item has taken"
		case ssa.OpAtomicLoad, ssa.OpAtomicRMW, ssa.OpAtomicCAS:
			return v, "it is the result of an atomic operation"
		}
		var next *ssa.Value
		for _, a := range v.Args {
			if x.plan.Varying[a.ID] && (x.facts.Of(a).Shape != lanes.Affine || x.facts.Of(a).Order != nil) && !seen[a] {
				next = a
			}
		}
		if next == nil {
			return v, fmt.Sprintf("it goes through %v", v.Op)
		}
		v = next
	}
}

// Diverges explains why lanes may diverge at the end of block b.
func (ls *Listing) Diverges(b *ssa.Block) []Reason {
	if !ls.Plan.Split[b.ID] {
		return nil
	}
	why := []Reason{{"work-items may take different paths here", b.Term().Pos}}
	// The list begins with the nearest cause that is sufficient by itself.
	seen := map[*ssa.Value]bool{}
	for work := []*ssa.Value{b.Term().Args[0]}; len(work) > 0; work = work[1:] {
		v, text := work[0], ""
		switch v.Op {
		case ssa.OpWorkItem:
			text = "get_" + ssa.QueryNames[v.Aux]
		case ssa.OpLoad:
			text = "a value loaded from memory"
		case ssa.OpAtomicLoad, ssa.OpAtomicRMW, ssa.OpAtomicCAS:
			text = "the result of an atomic operation"
		}
		if text != "" {
			return append(why, Reason{"the condition depends on " + text, v.Pos})
		}
		for _, a := range v.Args {
			if ls.Plan.Varying[a.ID] && !seen[a] {
				seen[a] = true
				work = append(work, a)
			}
		}
	}
	return append(why, Reason{"the condition depends on the paths that work-items have taken before", 0})
}
