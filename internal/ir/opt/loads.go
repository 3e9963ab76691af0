package opt

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// HoistLoads returns a copy of the optimised kernel f in which loads that begin each iteration of a loop and give the
// same value in each stand before the loop, such as the end of a row of a sparse matrix, and these loads; nil if f has none.
// f must have no calls. A load that is not in bounds is executed less often in the copy.
func HoistLoads(f *ssa.Func) (g *ssa.Func, hoisted []*ssa.Value) {
	loops := f.Loops(f.Dominators())
	if loops.Irreducible || !slices.ContainsFunc(loops.All, func(x *ssa.Loop) bool { return len(fixedLoads(loops, x)) > 0 }) {
		return nil, nil
	}
	g = cloneKernel(f)
	s := &state{cfg: &Config{}}
	pass := &Pass{Name: "loads", run: func(s *state) { hoisted = hoistLoads(s) }}
	if s.optimise(g, append([]*Pass{pass}, find([]string{"cfg", "layout"})...)) != nil {
		return nil, nil
	}
	return g, hoisted
}

// cloneKernel returns a copy of f, which has no calls.
func cloneKernel(f *ssa.Func) *ssa.Func {
	g := &ssa.Func{Name: f.Name, Result: f.Result, Kernel: f.Kernel, Module: f.Module, Pos: f.Pos, Attrs: f.Attrs}
	clone := ssa.Cloner{Dst: g}
	g.Params = append([]*ssa.Value(nil), clone.Clone(f, nil)[0].Values[:len(f.Params)]...)
	return g
}

// hoistLoads moves the loads and returns them.
func hoistLoads(s *state) (hoisted []*ssa.Value) {
	t := s.dom()
	loops := s.f.Loops(t)
	h := hoister{s: s, t: t, of: make([]*ssa.Loop, s.f.NumBlocks(), s.f.NumBlocks()+len(loops.All)), before: map[*ssa.Loop]*ssa.Block{}}
	for _, b := range s.f.Blocks {
		h.of[b.ID] = loops.Of(b)
	}
	lists := make([][]*ssa.Value, len(loops.All)) // found before there are new blocks, which belong to no loop
	for i, x := range loops.All {
		lists[i] = fixedLoads(loops, x)
	}
	for i, x := range loops.All {
		list := lists[i]
		if len(list) == 0 {
			continue
		}
		h.preheader(x)
		for _, v := range list {
			h.before[x].InsertBeforeTerm(v)
			v.Block = h.before[x]
		}
		hoisted = append(hoisted, list...)
		head := x.Header
		head.Values = slices.DeleteFunc(head.Values, func(v *ssa.Value) bool { return v.Block != head })
	}
	s.changed()
	return hoisted
}

// fixedLoads returns the loads of x's header that nothing in the loop changes. Control passes them whenever it enters the
// loop, before anything else that could end the work-item.
func fixedLoads(loops *ssa.Loops, x *ssa.Loop) (list []*ssa.Value) {
	var stores []place
	for _, b := range x.Blocks {
		for _, v := range b.Values {
			switch {
			case v.Op == ssa.OpStore:
				stores = append(stores, placeOf(v.Args[0], v.Args[1].Type))
			case v.Op.Has(ssa.SideEffect) && !v.Op.Has(ssa.Terminator), v.Flags&ssa.Volatile != 0:
				return nil
			}
		}
	}
	for _, v := range x.Header.Values {
		if _, access := v.AccessType(); !access {
			continue
		}
		if v.Op != ssa.OpLoad || v.Args[0].Block != nil && loops.Contains(x, v.Args[0].Block) {
			return list
		}
		at := placeOf(v.Args[0], v.Type)
		if slices.ContainsFunc(stores, at.overlaps) {
			return list
		}
		list = append(list, v)
	}
	return list
}
