package gang

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// OpenCL vectors in memory layout: the elements of each lane stay side by side from a load through elementwise
// operations to a store. An operation on a single element extracts it.
//
// Machines that access lanes one after the other have predicates and phis of single elements only. For others,
// comparisons, selects, reinterpretations, swizzles and phis have elements side by side too, if one of their operands
// has and the others are cheap to bring there.

// setWhole gives v a register with its elements side by side.
func (b *values) setWhole(v *ssa.Value, r Reg) {
	x := &b.vals[v.ID]
	x.varies, x.whole = true, r
}

// inMemoryOrder builds a vector operation on elements side by side. It returns false if it operates on single
// elements.
func (b *values) inMemoryOrder(v *ssa.Value) bool {
	t, n := v.Type, v.Type.N
	switch {
	case b.o.Target.LaneByLane:
		if b.uniform(v) || n == 1 || t.K == ssa.Bool || v.Op == ssa.OpSelect || !v.Op.Has(ssa.Elementwise) && v.Op != ssa.OpBitcast || !b.areWhole(v) {
			return false
		}
	case v.Op == ssa.OpBitcast && t.Elem().Size() != v.Args[0].Type.Elem().Size():
		return b.wholeRecast(v)
	case n == 1 || n == 3 || !b.vectorised[v.Block] && (!b.p.Varying[v.ID] || !b.worthWhole(v)):
		return false
	case v.Op == ssa.OpConvert && b.elements[v.ID] && b.p.Varying[v.ID] && v.Args[0].Type.Size() == 4 && t.Elem().Size() >= 4:
		return false // narrow elements are taken out of 32 bits by shifts
	case v.Op == ssa.OpShuffle:
		return b.wholeShuffle(v)
	case v.Op == ssa.OpInsert:
		return b.wholeInsert(v)
	case v.Op == ssa.OpSelect:
		if t.K == ssa.Bool || v.Args[0].Type.N == 1 || !b.areWhole(v) {
			return false
		}
	case !v.Op.Has(ssa.Elementwise) && v.Op != ssa.OpBitcast || !b.areWhole(v):
		return false
	}
	b.wholeOp(v)
	return true
}

// areWhole reports whether all operands of a vector operation have their elements side by side, or can be brought
// there.
func (b *values) areWhole(v *ssa.Value) bool {
	return !slices.ContainsFunc(v.Args, func(a *ssa.Value) bool {
		x := &b.vals[a.ID]
		switch {
		case a.Type.N != v.Type.N:
			return true
		case b.o.Target.LaneByLane:
			return a.Type.K == ssa.Bool || x.varies && x.whole == 0 && !a.IsConst()
		case a.Type.K == ssa.Bool:
			return x.whole == 0
		}
		return !b.canBeWhole(a)
	})
}

// canBeWhole reports whether the target can bring a value's elements side by side: a scalar of each lane is replicated
// by a permutation.
func (b *values) canBeWhole(v *ssa.Value) bool {
	x, es := &b.vals[v.ID], v.Type.Elem().Size()
	return v.Op != ssa.OpSplat || !x.varies || x.whole != 0 || v.Type.Size() <= 8 || b.o.Target.Permutes.Has(es)
}

// worthWhole reports whether an operand has its elements side by side and the others are cheap to bring there.
func (b *values) worthWhole(v *ssa.Value) bool {
	whole := false
	for _, a := range v.Args {
		switch {
		case b.vals[a.ID].whole != 0:
			whole = true
		case a.Type.N == 1: // the scalar of an insertion
		case a.IsConst() || a.Op == ssa.OpSplat || !b.p.Varying[a.ID]:
		default:
			return false
		}
	}
	return whole
}

// wholeOp builds an elementwise operation on elements side by side.
func (b *values) wholeOp(v *ssa.Value) {
	t := Type{Vector, v.Type.K, v.Type.N}
	if v.Type.K == ssa.Bool {
		t.Class = Predicate
	}
	b.setWhole(v, b.each(v.Op, t, v.Aux, b.argsOf(v, b.wholeOf)...))
}

// wholeRecast builds a reinterpretation as elements of another size: in memory layout nothing changes.
func (b *values) wholeRecast(v *ssa.Value) bool {
	a := v.Args[0]
	x := &b.vals[a.ID]
	if v.Type.K == ssa.Bool || a.Type.K == ssa.Bool || v.Type.N == 3 || a.Type.N == 3 || !b.p.Varying[v.ID] && (v.Type.N == 1 || !b.vectorised[v.Block]) || a.Type.N > 1 && x.whole == 0 {
		return false
	}
	r := x.whole
	if a.Type.N == 1 {
		r = b.vector(a, 0)
	}
	d := b.each(ssa.OpBitcast, Type{Vector, v.Type.K, v.Type.N}, 0, r)
	if v.Type.N == 1 {
		b.set(v, false, b.regs(d))
	} else {
		b.setWhole(v, d)
	}
	return true
}

// shuffleBytes is the number of bytes within which each machine shuffles them freely.
const shuffleBytes = 16

// wholeShuffle builds a swizzle of elements side by side if the target permutes them within registers.
func (b *values) wholeShuffle(v *ssa.Value) bool {
	n, es, half := int(v.Type.N), v.Type.Elem().Size(), isHalf(v)
	if half && !b.keepsHalf(v) || !half && (int(v.Args[0].Type.N) != n || int(v.Args[1].Type.N) != n) || v.Type.K == ssa.Bool || slices.Contains(v.Lanes, ssa.ShuffleUndef) {
		return false
	}
	var from [2]bool
	var list []uint64
	for _, k := range v.Lanes {
		from[int(k)/int(v.Args[0].Type.N)] = true
		list = append(list, uint64(k))
	}
	if t := b.o.Target; !half && n*es > shuffleBytes && !(t.Collects.Has(es) && n*es <= 2*t.VectorBytes) && !(t.Permutes.Has(es) && n*es <= t.VectorBytes && from[0] != from[1]) {
		return false
	}
	args := b.regsOf(2)
	for k, a := range v.Args {
		if from[k] {
			if !b.canBeWhole(a) {
				return false
			}
			args[k] = b.wholeOf(a)
		}
	}
	for k := range args { // of an argument without part in it, nothing is to be built
		if !from[k] {
			args[k] = args[1-k]
		}
	}
	b.setWhole(v, b.inst(Inst{Op: OpShuffle, Args: args, Cases: list}, Type{Vector, v.Type.K, v.Type.N}))
	return true
}

// isHalf reports whether a shuffle is the lower or the upper half of its operand.
func isHalf(v *ssa.Value) bool {
	n, from := v.Type.N, v.Lanes[0]
	if v.Args[0] != v.Args[1] || v.Args[0].Type.N != 2*n || from != 0 && from != n {
		return false
	}
	for i, k := range v.Lanes {
		if k != from+uint8(i) {
			return false
		}
	}
	return true
}

// minHalf is the number of bytes from which each machine separates the halves of vectors by few instructions.
const minHalf = 4

// keepsHalf reports whether a half of a vector is built with its elements side by side: those of the vector are, and are not taken one
// by one.
func (b *values) keepsHalf(v *ssa.Value) bool {
	a, size := v.Args[0], v.Type.Size()
	return b.vals[a.ID].whole != 0 && !b.elements[a.ID] && size >= minHalf && b.o.Lanes*size >= b.o.Target.VectorBytes
}

// wholeInsert builds the replacement of one element if the target has masks for it.
func (b *values) wholeInsert(v *ssa.Value) bool {
	into, s, es := v.Args[0], v.Args[1], v.Type.Elem().Size()
	replicated := b.p.Varying[s.ID] && v.Type.Size() > 8
	if v.Type.K == ssa.Bool || b.o.Target.MaskRegs == 0 || v.Type.Size() > b.o.Target.VectorBytes || replicated && !b.o.Target.Permutes.Has(es) || !b.canBeWhole(into) {
		return false
	}
	b.setWhole(v, b.inst(Inst{Op: OpInsert, Args: b.regs(b.wholeOf(into), b.vector(s, 0)), Imm: v.Aux}, Type{Vector, v.Type.K, v.Type.N}))
	return true
}

// wholePhi reports whether a phi has its elements side by side: in a loop's header if its first value and its value
// after an iteration have; elsewhere if those arguments have that are known.
func (b *accesses) wholePhi(v *ssa.Value) bool {
	if b.o.Target.LaneByLane || v.Type.N == 1 || v.Type.N == 3 || v.Type.K == ssa.Bool {
		return false
	}
	p := b.patterns.Loop(v.Block)
	if p == nil || p.Header != v.Block {
		return b.wholeJoin(v)
	}
	if p.Latch == nil {
		return false
	}
	in := v.Args[p.In]
	return (b.vals[in.ID].whole != 0 || in.IsConst()) && b.staysWhole(v.Args[1-p.In], v, maxWholeDepth)
}

// maxWholeDepth is the number of operations that staysWhole follows.
const maxWholeDepth = 12

// wholeJoin reports whether a phi, in a block that all lanes enter from one predecessor, has arguments that have, or
// will have, their elements side by side.
func (b *values) wholeJoin(v *ssa.Value) bool {
	whole := false
	for i, p := range v.Block.Preds {
		if !b.p.Plain(p, v.Block) {
			return false
		}
		a := v.Args[i]
		switch {
		case b.vals[a.ID].whole != 0:
			whole = true
		case !a.IsConst() && !b.staysWhole(a, v, maxWholeDepth):
			return false
		}
	}
	return whole
}

// staysWhole reports whether v has its elements side by side if the phi has.
func (b *values) staysWhole(v, phi *ssa.Value, depth int) bool {
	whole := func(a *ssa.Value) bool { return b.vals[a.ID].whole != 0 }
	switch {
	case v == phi:
		return true
	case v.Op == ssa.OpSelect && v.Args[0].Type.N == v.Type.N:
		return whole(v.Args[1]) || whole(v.Args[2])
	case depth == 0 || v.Type.N == 3 || v.Type.K == ssa.Bool || !v.Op.Has(ssa.Elementwise) && v.Op != ssa.OpBitcast:
		return false
	}
	some := false
	for _, a := range v.Args {
		switch {
		case whole(a):
			some = true
		case a.IsConst() || a.Op == ssa.OpSplat || !b.p.Varying[a.ID]:
		case a.Type.N > 1 && b.staysWhole(a, phi, depth-1):
			some = true
		case a.Op == ssa.OpLoad && (a.Type.N == v.Type.N || v.Op == ssa.OpBitcast && a.Type.N > 1):
			// Most loads of vectors are contiguous.
			some = some || v.Op == ssa.OpBitcast
		default:
			return false
		}
	}
	return some
}

// replicates reports whether a vector at a uniform address is loaded with its elements side by side in all lanes.
func (b *values) replicates(v *ssa.Value) bool {
	return b.vectorised[v.Block] && v.Type.N > 3 && v.Type.Size()%shuffleBytes == 0 && v.Type.K != ssa.Bool && !b.elements[v.ID]
}

// loadAlike builds the load of a vector at a uniform address, replicated in all lanes.
func (b *accesses) loadAlike(v *ssa.Value, w *fastPath, whole Type, slow func(d Reg)) {
	d := b.f.NewReg(whole)
	b.apart(w.checks, func() { b.emit(w.load(d)) }, func() {
		if b.mask(b.src) == 0 { // all lanes load the same
			slow(d)
			return
		}
		some := b.f.NewReg(whole)
		slow(some)
		regs := b.scalars(whole)
		b.firsts(regs, some)
		b.join(regs, []replica{{v, 0, d}})
	})
	b.setWhole(v, d)
}

// wholeOf returns the elements of a value side by side. They are built at its definition if they are not there.
func (b *values) wholeOf(v *ssa.Value) Reg {
	x := &b.vals[v.ID]
	if x.varies && x.whole != 0 {
		return x.whole
	}
	t := Type{Vector, v.Type.K, v.Type.N}
	elements := make([]uint64, v.Type.N)
	if v.IsConst() {
		for c := range elements {
			elements[c] = v.ConstElem(c)
		}
		if !slices.ContainsFunc(elements, func(e uint64) bool { return e != elements[0] }) {
			return b.constant(t, elements[0])
		}
	}
	if r := b.agreed[v]; r != 0 {
		return r
	}
	i := Inst{Op: OpJoin, Dst: b.f.NewReg(t)}
	if !v.IsConst() && len(x.s) > 0 && !slices.ContainsFunc(x.s, func(r Reg) bool { return r != x.s[0] }) {
		i.Op, i.Args = OpSplat, b.regs(x.s[0])
	} else {
		for c := range int(v.Type.N) {
			i.Args = append(i.Args, b.vectorAtDefinition(v, c))
		}
	}
	if v.IsConst() {
		b.insertAt(b.pre, len(b.pre.Insts), i)
	} else {
		b.insertLate(x, i)
	}
	if x.varies && !v.IsConst() {
		x.whole = i.Dst
	} else {
		b.agreed[v] = i.Dst
	}
	return i.Dst
}
