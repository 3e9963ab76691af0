package spmd

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Vectors of OpenCL C during the symbolic execution of a work-group (evaluate.go). A vector that comes from a local
// array in registers, or is made of scalars, is a symbol for each of its components; operations on it are operations on
// the components.

// vectorOf returns the symbol of a vector with the given components.
func vectorOf(t ssa.Type, parts []*symbol) *symbol { return &symbol{t: t, parts: parts} }

// component returns a component of a vector.
func (s *symbols) component(x *symbol, i int) *symbol {
	t := x.t.Elem()
	switch {
	case x.parts != nil:
		return x.parts[i]
	case x.val.IsConst():
		return s.all(t, x.val.ConstElem(i))
	}
	return ofValue(s.emit(&ssa.Value{Op: ssa.OpExtract, Type: t, Aux: int64(i), Pos: x.val.Pos}, x.val))
}

// components returns the components of a vector, or of a scalar itself.
func (s *symbols) components(x *symbol) []*symbol {
	if x.t.N == 1 {
		return []*symbol{x}
	}
	parts := make([]*symbol, x.t.N)
	for i := range parts {
		parts[i] = s.component(x, i)
	}
	return parts
}

// eachComponent returns the vector whose components do returns for those of two others.
func (s *symbols) eachComponent(x, y *symbol, do func(a, b *symbol) *symbol) *symbol {
	a, b := s.components(x), s.components(y)
	parts := make([]*symbol, len(a))
	for i := range parts {
		parts[i] = do(a[i], b[i])
	}
	return vectorOf(x.t, parts)
}

// repeats reports whether a vector is one scalar in all components.
func (x *symbol) repeats() bool {
	return !slices.ContainsFunc(x.parts, func(p *symbol) bool { return p != x.parts[0] })
}

// joined returns the value of a vector given by its components.
func (s *symbols) joined(x *symbol) *ssa.Value {
	if x.repeats() {
		return s.do(ssa.OpSplat, x.t, s.value(x.parts[0]))
	}
	list := make([]*ssa.Value, len(x.parts))
	for i, p := range x.parts {
		list[i] = s.value(p)
	}
	return s.do(ssa.OpVec, x.t, list...)
}

// byComponent returns the symbol of an operation on vectors, computed component by component, or nil if the vectors are
// better left whole.
func (s *symbols) byComponent(v *ssa.Value, args []*symbol) *symbol {
	split := func(x *symbol) bool { return x.parts != nil && !x.repeats() }
	switch v.Op {
	case ssa.OpVec:
		return vectorOf(v.Type, args)
	case ssa.OpSplat:
		return vectorOf(v.Type, slices.Repeat(args, int(v.Type.N)))
	}
	first := len(args) > 0 && (args[0].parts != nil || args[0].val != nil && args[0].val.IsConst())
	if !slices.ContainsFunc(args, split) && (!first || v.Op != ssa.OpExtract && v.Op != ssa.OpInsert) {
		return nil
	}
	parts := make([]*symbol, v.Type.N)
	switch op := v.Op; {
	case op == ssa.OpExtract:
		return s.component(args[0], int(v.Aux))
	case op == ssa.OpInsert:
		copy(parts, s.components(args[0]))
		parts[v.Aux] = args[1]
	case op == ssa.OpShuffle:
		all := append(s.components(args[0]), s.components(args[1])...)
		for i, k := range v.Lanes {
			if k == ssa.ShuffleUndef {
				parts[i] = s.all(v.Type.Elem(), 0)
			} else {
				parts[i] = all[k]
			}
		}
	case op.Has(ssa.Elementwise), op == ssa.OpSelect, op == ssa.OpBitcast && v.Type.N == args[0].t.N:
		of := &ssa.Value{Op: op, Type: v.Type.Elem(), Flags: v.Flags, Aux: v.Aux, Pos: v.Pos}
		lists := make([][]*symbol, len(args))
		for a, x := range args {
			lists[a] = s.components(x)
		}
		for i := range parts {
			list := make([]*symbol, len(args))
			for a := range list {
				list[a] = lists[a][i%len(lists[a])]
			}
			parts[i] = s.apply(of, list)
		}
	default:
		return nil
	}
	return vectorOf(v.Type, parts)
}
