package spmd

import (
	"math"
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Row loops (rows.go) with independent iterations are vectorised over their iterations: the copy computes
// several iterations as the elements of OpenCL vectors, whose elements are in registers as in memory, so that
// nothing is transposed. Iterations depend on each other only through the phis of the header. Counters are
// harmless, because each iteration's value is known. Reductions are harmless if their order does not matter: on
// integers, and on floating-point values if the build options permit reassociation. Each element of a vector
// accumulates its own iterations, and the results are combined after the copy. [ssa.OpDot] sums products of
// 8-bit and 16-bit integers.

// A vectoriser vectorises the copy of a row loop over its iterations.
type vectoriser struct {
	*rowLoop
	uses       []int32
	reductions map[*ssa.Value]*reduction // by phi
	inChain    map[*ssa.Value]*reduction // by operation
	vectors    map[*ssa.Value]*ssa.Value // by value of the loop
	alike      map[*ssa.Value]bool       // loads that are uniform, of consecutive elements in consecutive iterations
	backwards  bool                      // the elements of vectors are of iterations in descending order
}

// A reduction is a chain of operations of one kind from a phi to its value in the next iteration.
type reduction struct {
	op    ssa.Op // OpAdd for all kinds of sums
	chain []*ssa.Value
	phi   *ssa.Value // the phi of the copy
	n     int        // elements of phi
	dot   int        // iterations per element of phi: 4 or 2 for products in OpDot, else 1
}

// vectorise reports whether the copy can be vectorised, and sets the number of iterations per vector.
func (w *rowLoop) vectorise(piece, size, least int) bool {
	a := &vectoriser{rowLoop: w, uses: w.F.UseCounts(nil), reductions: map[*ssa.Value]*reduction{}, inChain: map[*ssa.Value]*reduction{}, vectors: map[*ssa.Value]*ssa.Value{}, alike: map[*ssa.Value]bool{}}
	for _, by := range w.rows {
		a.backwards = by < 0
	}
	for _, phi := range w.l.Header.Phis() {
		if !a.counts(phi) && !a.reduces(phi) {
			return false
		}
	}
	live := 0 // bytes per lane of the rows and reductions, per iteration
	for _, b := range w.chain {
		for _, v := range b.Values {
			if t, ok := v.AccessType(); ok {
				if !a.access(v) {
					return false
				}
				if w.rows[v] != 0 && v.Op == ssa.OpLoad {
					live += t.Size()
				}
			}
		}
	}
	for _, s := range w.stores {
		if !a.vectorises(s.Args[1], maxMoves) {
			return false
		}
	}
	for _, r := range a.reductions {
		for _, x := range r.chain {
			for _, arg := range x.Args {
				if a.inChain[arg] != r && a.reductions[arg] != r && !a.vectorises(arg, maxMoves) {
					return false
				}
			}
		}
		live += r.chain[0].Type.Size() / r.dot
	}
	// A gang has one lane for each 4 bytes of a register. Spills of a loop that writes rows cost less than short pieces: with
	// a power of two as distance of rows, the cache loses the lines of all of them from one piece to the next.
	if w.rounds = roundsOf(piece, least, live, piece*3/8); len(w.stores) > 0 && w.rounds*least < 2*minPiece {
		w.rounds = roundsOf(piece, least, live, piece)
	}
	if w.rounds*least%minPiece != 0 || size*2 > w.budget || !w.mayStoreLast() || len(w.kept) > 0 {
		w.rounds = 0
		clear(w.kept)
		return false
	}
	w.budget -= size * 2
	w.vec = a
	return true
}

// roundsOf returns the most iterations in one of the copy for pieces of at most piece bytes, elements of at least least bytes, and
// at most most registers for the live bytes of an iteration.
func roundsOf(piece, least, live, most int) int {
	n := min(piece/least, maxRounds)
	for n > 1 && live*n/4 > most {
		n /= 2
	}
	return n
}

// counts reports whether a phi grows by the same constant in each iteration.
func (w *rowLoop) counts(phi *ssa.Value) bool {
	next := phi.Args[1-w.in]
	return (next.Op == ssa.OpAdd && isInt(phi.Type.K) || next.Op == ssa.OpPtrAdd) && phi.Type.N == 1 && next.Args[0] == phi && next.Args[1].IsConst()
}

// adding lists the operations that add to an argument, with that argument's possible indices.
var adding = map[ssa.Op][]int{ssa.OpAdd: {0, 1}, ssa.OpSub: {0}, ssa.OpFMA: {2}, ssa.OpFNMA: {2}, ssa.OpDot: {2}}

// reduces reports whether a phi is a reduction, and records it.
func (a *vectoriser) reduces(phi *ssa.Value) bool {
	k := phi.Type.K
	if phi.Type.N != 1 || k == ssa.Bool || k.IsPtr() || phi.Type.Size() < 4 {
		return false
	}
	last := phi.Args[1-a.in]
	r := &reduction{op: last.Op, dot: 1}
	if adding[r.op] != nil {
		r.op = ssa.OpAdd
	} else if !slices.Contains([]ssa.Op{ssa.OpMul, ssa.OpAnd, ssa.OpOr, ssa.OpXor, ssa.OpMin, ssa.OpMax}, r.op) {
		return false
	}
	if !a.findChain(r, last, phi, maxMoves) {
		return false
	}
	used := 0
	for _, b := range a.l.Blocks {
		for _, v := range b.Values {
			for _, x := range v.Args {
				if x == phi {
					used++
				}
			}
		}
	}
	if used != 1 {
		return false
	}
	a.reductions[phi] = r
	for _, x := range r.chain {
		a.inChain[x] = r
	}
	a.findDot(r)
	return true
}

// findChain collects the operations from phi to v, in that order.
func (a *vectoriser) findChain(r *reduction, v, phi *ssa.Value, depth int) bool {
	if v == phi {
		return true
	}
	if depth == 0 || !a.within(v) || a.uses[v.ID] != 1 || v.Type != phi.Type || v.Type.K.Num().IsFloat() && v.Flags&ssa.Reassoc == 0 {
		return false
	}
	places := []int{0, 1}
	if r.op == ssa.OpAdd {
		places = adding[v.Op]
	} else if v.Op != r.op {
		return false
	}
	for _, i := range places {
		if a.findChain(r, v.Args[i], phi, depth-1) {
			r.chain = append(r.chain, v)
			return true
		}
	}
	return false
}

// findDot checks whether a reduction adds only products of narrow integers in rows.
func (a *vectoriser) findDot(r *reduction) {
	if r.op != ssa.OpAdd || r.chain[0].Type.Size() != 4 || r.chain[0].Type.K.Num().IsFloat() {
		return
	}
	narrow := 0
	for _, x := range r.chain {
		m := a.productIn(x)
		if m == nil {
			return
		}
		for _, arg := range m.Args {
			sat, _ := ssa.ConvParts(arg.Aux)
			if arg.Op != ssa.OpConvert || sat || !a.within(arg) || arg.Args[0].Op != ssa.OpLoad || arg.Args[0].Type.N != 1 {
				return
			}
			k := arg.Args[0].Type.K
			if n := arg.Args[0].Type.Size(); !isInt(k) || n > 2 || narrow != 0 && n != narrow || n == 2 && k != ssa.I16 {
				return
			}
			narrow = arg.Args[0].Type.Size()
		}
	}
	r.dot = 4 / narrow
}

// productIn returns the product that the sum x adds to a reduction, if nothing else uses it; else nil.
func (a *vectoriser) productIn(x *ssa.Value) *ssa.Value {
	for _, m := range x.Args {
		if sat, _ := ssa.ConvParts(m.Aux); (m.Op == ssa.OpConvert && !sat || m.Op == ssa.OpBitcast) && m.Args[0].Type.Size() == 4 && isInt(m.Args[0].Type.K) && a.uses[m.ID] == 1 {
			m = m.Args[0]
		}
		if x.Op == ssa.OpAdd && m.Op == ssa.OpMul && a.uses[m.ID] == 1 && a.within(m) && a.inChain[m] == nil {
			return m
		}
	}
	return nil
}

// within reports whether a value is in the loop.
func (a *vectoriser) within(v *ssa.Value) bool {
	return v.Block != nil && a.Loops.Contains(a.l, v.Block)
}

// access reports whether a load or store is supported: to a row, uniform, or invariant.
func (a *vectoriser) access(v *ssa.Value) bool {
	t, _ := v.AccessType()
	switch {
	case private(v) || t.N != 1 || t.K == ssa.Bool || t.K.IsPtr() || !a.early(v.Args[0], map[*ssa.Value]bool{}):
		return false
	case a.rows[v] != 0:
		return (a.rows[v] < 0) == a.backwards
	case a.same(v.Args[0], maxMoves):
		return v.Op == ssa.OpLoad
	case a.Varying[v.Args[0].ID]:
		return false
	}
	x := a.facts().Address(v.Args[0], false)
	k, ok := a.growth(v.Args[0], len(x.Terms) == 1 && x.Disp <= lanes.MaxDisp && x.Disp >= -lanes.MaxDisp, maxMoves)
	if !ok || k != int64(t.Size()) && k != -int64(t.Size()) || (k < 0) != a.backwards || x.Root == nil {
		return false
	}
	a.alike[v] = true
	return true
}

// same reports whether a value is loop-invariant.
func (a *vectoriser) same(v *ssa.Value, depth int) bool {
	switch {
	case !a.within(v):
		return true
	case depth == 0 || v.Op == ssa.OpPhi || v.Op == ssa.OpStore || v.Op != ssa.OpLoad && !v.Op.Has(ssa.Pure) || v.Op == ssa.OpLoad && (a.rows[v] != 0 || a.alike[v]):
		return false
	}
	return !slices.ContainsFunc(v.Args, func(x *ssa.Value) bool { return !a.same(x, depth-1) })
}

// plain lists the vectorisable operations on uniform values that differ between iterations.
var plain = []ssa.Op{ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpFMA, ssa.OpAnd, ssa.OpOr, ssa.OpXor, ssa.OpShl, ssa.OpShr, ssa.OpConvert}

// vectorises reports whether a value can be computed for several iterations at once.
func (a *vectoriser) vectorises(v *ssa.Value, depth int) bool {
	k := v.Type.K
	switch {
	case a.same(v, depth):
		return v.Type.N == 1 && !k.IsPtr() && k != ssa.Bool
	case depth == 0 || v.Type.N != 1 || k.IsPtr():
		return false
	case v.Op == ssa.OpLoad:
		return a.rows[v] != 0 || a.alike[v]
	case v.Op == ssa.OpPhi:
		return a.reductions[v] == nil && isInt(k)
	case a.inChain[v] != nil, v.Op == ssa.OpDiv && isInt(k), v.Op == ssa.OpRem, v.Op == ssa.OpBitcast && v.Args[0].Type.K.IsPtr():
		return false
	case !v.Op.Has(ssa.Elementwise) && v.Op != ssa.OpSelect && v.Op != ssa.OpBitcast, !a.Varying[v.ID] && !slices.Contains(plain, v.Op):
		return false
	}
	return !slices.ContainsFunc(v.Args, func(x *ssa.Value) bool { return !a.vectorises(x, depth-1) })
}

// add appends a value to a block of the copy.
func (a *vectoriser) add(b *ssa.Block, op ssa.Op, t ssa.Type, args ...*ssa.Value) *ssa.Value {
	return b.Append(a.F.NewValue(op, t, a.l.Header.Term().Pos, args...))
}

func (a *vectoriser) typ(k ssa.Kind) ssa.Type { return ssa.Type{K: k, N: uint8(a.rounds)} }

// constant returns a constant with the same bits in all elements.
func (a *vectoriser) constant(t ssa.Type, bits uint64) *ssa.Value {
	return a.F.InsertEntry(a.F.NewConst(t, bits))
}

// begin makes a reduction's phi at the head of the copy.
func (a *vectoriser) begin(head *ssa.Block, phi *ssa.Value) {
	r := a.reductions[phi]
	r.n = a.rounds / r.dot
	t := ssa.Type{K: phi.Type.K, N: uint8(r.n)}
	start := a.constant(t, identity(r.op, phi.Type.K))
	if r.op == ssa.OpMin || r.op == ssa.OpMax {
		start = a.before.InsertBeforeTerm(a.F.NewValue(ssa.OpSplat, t, phi.Pos, phi.Args[a.in]))
	}
	r.phi = a.add(head, ssa.OpPhi, t, start, start)
}

// identity returns the neutral element of an operation other than a minimum or maximum.
func identity(op ssa.Op, k ssa.Kind) uint64 {
	ones := ^uint64(0) >> (64 - 8*k.Num().Size())
	switch {
	case op == ssa.OpAnd:
		return ones
	case op == ssa.OpMul && k == ssa.F32:
		return uint64(math.Float32bits(1))
	case op == ssa.OpMul && k == ssa.F64:
		return math.Float64bits(1)
	case op == ssa.OpMul:
		return 1
	case k.Num().IsFloat():
		return ones>>1 + 1 // -0
	}
	return 0
}

// round builds the iterations, and adds the back edge's arguments to the phis.
func (a *vectoriser) round() {
	for _, phi := range a.l.Header.Phis() {
		if r := a.reductions[phi]; r != nil {
			last := r.phi
			for _, x := range r.chain {
				last = a.reduce(r, x, last)
			}
			r.phi.Args[1] = last
			continue
		}
		next := phi.Args[1-a.in]
		p := a.copies[0][phi]
		k := next.Args[1]
		p.Args[1] = a.add(a.body, next.Op, phi.Type, p, a.constant(k.Type, uint64(signed(k)*int64(a.rounds))&onesOf(k.Type.K)))
	}
	for _, s := range a.stores {
		x := a.copyValue(s)
		x.SetArgs(a.copyOf(s.Args[0], a.first(s), a.body), a.vector(s.Args[1]))
		a.body.Append(x)
	}
}

// onesOf returns an integer of kind k with all bits set; a pointer counts as its offset.
func onesOf(k ssa.Kind) uint64 { return ^uint64(0) >> (64 - 8*k.Num().Size()) }

// reduce builds an operation of a reduction's chain; last is the preceding operation.
func (a *vectoriser) reduce(r *reduction, x, last *ssa.Value) *ssa.Value {
	if r.dot > 1 {
		m := a.productIn(x)
		parts, aux := make([]*ssa.Value, 2), int64(0)
		for i, arg := range m.Args {
			l := arg.Args[0]
			parts[i] = a.add(a.body, ssa.OpBitcast, last.Type, a.vector(l))
			if l.Type.K == ssa.I8 {
				aux |= []int64{ssa.DotSigned0, ssa.DotSigned1}[i]
			}
		}
		if r.dot == 2 {
			aux = ssa.DotShort
		}
		d := a.add(a.body, ssa.OpDot, last.Type, parts[0], parts[1], last)
		d.Aux = aux
		return d
	}
	args := make([]*ssa.Value, len(x.Args))
	for i, arg := range x.Args {
		if a.reductions[arg] == r || a.inChain[arg] == r {
			args[i] = last
		} else {
			args[i] = a.vector(arg)
		}
	}
	y := a.copyValue(x)
	y.Type = last.Type
	y.SetArgs(args...)
	return a.body.Append(y)
}

// vector returns the vector of a value's elements in the copy's iterations.
func (a *vectoriser) vector(v *ssa.Value) *ssa.Value {
	if x := a.vectors[v]; x != nil {
		return x
	}
	x := a.makeVector(v)
	a.vectors[v] = x
	return x
}

func (a *vectoriser) makeVector(v *ssa.Value) *ssa.Value {
	t := a.typ(v.Type.K)
	switch {
	case v.IsConst():
		return a.constant(t, v.ConstElem(0))
	case !a.within(v):
		return a.before.InsertBeforeTerm(a.F.NewValue(ssa.OpSplat, t, v.Pos, v))
	case a.same(v, maxMoves):
		return a.add(a.body, ssa.OpSplat, t, a.copyOf(v, 0, a.body))
	case v.Op == ssa.OpLoad:
		return a.wides[v]
	case v.Op == ssa.OpPhi:
		k := signed(v.Args[1-a.in].Args[1])
		steps := make([]uint64, a.rounds)
		for i := range steps {
			round := i
			if a.backwards {
				round = a.rounds - 1 - i
			}
			steps[i] = uint64(k*int64(round)) & onesOf(v.Type.K)
		}
		from := a.add(a.body, ssa.OpSplat, t, a.copies[0][v])
		return a.add(a.body, ssa.OpAdd, t, from, a.F.InsertEntry(a.F.NewConstVec(t, steps)))
	}
	args := make([]*ssa.Value, len(v.Args))
	for i, arg := range v.Args {
		args[i] = a.vector(arg)
	}
	x := a.copyValue(v)
	x.Type = t
	x.SetArgs(args...)
	return a.body.Append(x)
}

// end returns a reduction's combined result after the copy.
func (a *vectoriser) end(out *ssa.Block, phi *ssa.Value) *ssa.Value {
	r := a.reductions[phi]
	list := make([]*ssa.Value, r.n)
	for i := range list {
		list[i] = a.add(out, ssa.OpExtract, phi.Type, r.phi)
		list[i].Aux = int64(i)
	}
	for len(list) > 1 {
		half := len(list) / 2
		for i := range half {
			list[i] = a.add(out, r.op, phi.Type, list[i], list[i+half])
		}
		list = list[:half]
	}
	if r.op == ssa.OpMin || r.op == ssa.OpMax {
		return list[0]
	}
	return a.add(out, r.op, phi.Type, phi.Args[a.in], list[0])
}
