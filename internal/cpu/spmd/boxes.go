package spmd

import (
	"math"
	"math/bits"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// The test before a nest (nests.go): all its accesses are in bounds, and the objects that it writes overlap no
// other one. An offset that grows by constant amounts with the iterations of both loops is in bounds in all of them
// if it is in the corners of the box of iterations. The offsets of the corners are computed exactly, in
// 64 bits. Numbers of iterations and factors are bounded, so that nothing wraps.

const (
	roundBits  = 24 // of the number of iterations of a loop
	factorBits = 28 // of a uniform factor of a counter
	offsetBits = 60 // of the growth of an offset in all iterations
)

// A box is the test under construction.
type box struct {
	*nest
	block   *ssa.Block              // the block that computes the test
	rounds  map[*counted]*ssa.Value // iterations minus 1
	corner  map[*counted]bool       // the last iteration, not the first
	varying map[*ssa.Value]bool     // of the new values
	factors map[*ssa.Value]bool
	copied  map[*ssa.Value]*ssa.Value // results of invariant
	offsets map[*ssa.Value]exactSum   // results of exact in the corner
	even    []*ssa.Value              // uniform conditions that must hold
	uneven  []*ssa.Value              // conditions that must hold in no lane
	index   *ssa.Value                // of the address: an integer that needs no test
	failed  bool
}

// An exactSum is a result of exact.
type exactSum struct {
	w      *ssa.Value
	growth int
}

func (x *box) isVarying(v *ssa.Value) bool {
	if int(v.ID) < len(x.Varying) {
		return x.Varying[v.ID]
	}
	return x.varying[v]
}

func (x *box) add(op ssa.Op, t ssa.Type, args ...*ssa.Value) *ssa.Value {
	v := x.block.Append(x.F.NewValue(op, t, x.k.Header.Term().Pos, args...))
	for _, a := range args {
		if x.isVarying(a) {
			x.varying[v] = true
		}
	}
	return v
}

func (x *box) number(n int64) *ssa.Value { return x.F.InsertEntry(x.F.NewConst(ssa.TU64, uint64(n))) }

// atMost adds a condition that must hold: 0 ≤ v ≤ high.
func (x *box) atMost(v, high *ssa.Value) {
	if x.isVarying(v) {
		x.uneven = append(x.uneven, x.add(ssa.OpLt, ssa.TBool, high, v))
		return
	}
	x.even = append(x.even, x.add(ssa.OpLe, ssa.TBool, v, high))
}

// test computes the test in x.block.
func (x *box) test() {
	sizes := map[*ssa.Value]*ssa.Value{}
	object := func(root *ssa.Value, aux int64) *ssa.Value {
		v := x.add(ssa.OpObject, ssa.TU64, root)
		v.Aux = aux
		return v
	}
	written := map[*ssa.Value]bool{}
	var roots []*ssa.Value
	for _, v := range x.accesses {
		root := x.facts().Root(v.Args[0])
		if sizes[root] == nil {
			roots = append(roots, root)
			sizes[root] = object(root, ssa.ObjectBytes)
		}
		if v.Op == ssa.OpStore && !written[root] {
			written[root] = true
			x.even = append(x.even, x.add(ssa.OpEq, ssa.TBool, sizes[root], object(root, ssa.ObjectWritable)))
		}
	}
	done := map[*ssa.Value]bool{} // addresses
	for _, v := range x.accesses {
		p := v.Args[0]
		if c := x.cellOf(v); c != nil {
			p = c.ptr
		}
		if t, _ := v.AccessType(); !done[p] {
			done[p] = true
			n, bytes := x.number(int64(t.Size())), sizes[x.facts().Root(p)]
			x.even = append(x.even, x.add(ssa.OpLe, ssa.TBool, n, bytes))
			x.access(p, x.add(ssa.OpSub, ssa.TU64, bytes, n))
		}
	}
	for i, r := range roots {
		for k, s := range roots {
			if written[r] && (k > i || k < i && !written[s]) {
				a, b := object(r, ssa.ObjectAddress), object(s, ssa.ObjectAddress)
				behind := x.add(ssa.OpLe, ssa.TBool, x.add(ssa.OpAdd, ssa.TU64, a, sizes[r]), b)
				ahead := x.add(ssa.OpLe, ssa.TBool, x.add(ssa.OpAdd, ssa.TU64, b, sizes[s]), a)
				x.even = append(x.even, x.add(ssa.OpOr, ssa.TBool, behind, ahead))
			}
		}
	}
}

// access tests the corners of an address.
func (x *box) access(p, most *ssa.Value) {
	x.index = directIndex(p)
	corners := []map[*counted]bool{{}}
	for _, c := range x.loops() {
		if depends := map[*counted]map[*ssa.Value]bool{x.k: x.onK, x.j: x.onJ}[c]; depends[p] {
			for _, e := range corners {
				with := map[*counted]bool{c: true}
				for d := range e {
					with[d] = true
				}
				corners = append(corners, with)
			}
		}
	}
	for _, x.corner = range corners {
		clear(x.offsets)
		if off, _ := x.exact(p); !x.failed {
			x.atMost(off, most)
		}
	}
}

// exact computes an integer, or the offset of a pointer in its object, in the current corner. Its growth in all
// iterations has at most as many bits as the second result says. Values with several uses are computed once.
func (x *box) exact(v *ssa.Value) (w *ssa.Value, growth int) {
	if r, ok := x.offsets[v]; ok {
		return r.w, r.growth
	}
	w, growth = x.compute(v)
	x.offsets[v] = exactSum{w, growth}
	return w, growth
}

func (x *box) compute(v *ssa.Value) (w *ssa.Value, growth int) {
	fail := func() (*ssa.Value, int) {
		x.failed = true
		return x.number(0), 0
	}
	if x.failed || v.Type.N != 1 {
		return fail()
	}
	if !v.Type.K.IsPtr() {
		if v = x.invariant(v); !x.contains(v) {
			return x.long(v), 0
		}
	}
	switch v.Op {
	case ssa.OpParam:
		return x.number(0), 0
	case ssa.OpPhi:
		return x.counter(v)
	case ssa.OpPtrCast, ssa.OpCopy, ssa.OpBitcast:
		if a := v.Args[0].Type; a.N == 1 && a.K.IsPtr() == v.Type.K.IsPtr() && (a.K.IsPtr() || isInt(a.K)) {
			return x.exact(v.Args[0])
		}
	case ssa.OpConvert:
		return x.converted(v)
	case ssa.OpAdd, ssa.OpSub, ssa.OpPtrAdd:
		a, n := x.exact(v.Args[0])
		b, m := x.exact(v.Args[1])
		op := ssa.OpAdd
		if v.Op == ssa.OpSub {
			op = ssa.OpSub
		}
		if n = max(n, m) + 1; n > offsetBits {
			return fail()
		}
		return x.add(op, ssa.TU64, a, b), n
	case ssa.OpShl:
		if c := v.Args[1]; c.IsConst() && c.ConstElem(0) < 16 {
			a, n := x.exact(v.Args[0])
			if n += int(c.ConstElem(0)); n <= offsetBits {
				return x.add(ssa.OpMul, ssa.TU64, a, x.number(1<<c.ConstElem(0))), n
			}
		}
	case ssa.OpMul:
		for i, f := range v.Args {
			if f = x.invariant(f); x.contains(f) || f.Type.Size() < 4 {
				continue
			}
			a, n := x.exact(v.Args[1-i])
			by, grows := x.factor(f)
			if n += grows; n > offsetBits {
				return fail()
			}
			return x.add(ssa.OpMul, ssa.TU64, a, by), n
		}
	}
	return fail()
}

// factor returns an invariant factor of a counter, and its bits. A factor that is not constant must be uniform, small and not
// negative.
func (x *box) factor(f *ssa.Value) (by *ssa.Value, grows int) {
	switch {
	case f.IsConst():
		k := signed(f)
		return x.number(k), bits.Len64(uint64(max(k, -k)))
	case x.isVarying(f):
		x.failed = true
		return x.number(0), 0
	}
	by = x.long(f)
	if !x.factors[f] {
		x.factors[f] = true
		x.atMost(by, x.number(1<<factorBits-1))
	}
	return by, factorBits
}

// directIndex returns the extended index of an address that is the index times a constant in an object, else nil. If
// the offset is in bounds, the index is in [0, 2³¹).
func directIndex(p *ssa.Value) *ssa.Value {
	if p.Op != ssa.OpPtrAdd || p.Args[0].Op != ssa.OpParam {
		return nil
	}
	v := p.Args[1]
	if (v.Op == ssa.OpMul || v.Op == ssa.OpShl) && v.Args[1].IsConst() && v.Args[1].ConstElem(0) < 64 {
		v = v.Args[0]
	}
	return v
}

// counter computes a phi that counts.
func (x *box) counter(phi *ssa.Value) (w *ssa.Value, growth int) {
	for _, c := range x.loops() {
		if phi.Block != c.Header || !c.counts(phi) || phi.Type.Size() < 4 && !phi.Type.K.IsPtr() {
			continue
		}
		w, growth = x.exact(phi.Args[c.in])
		step := signed(phi.Args[1-c.in].Args[1])
		if growth = max(growth, roundBits+bits.Len64(uint64(max(step, -step)))) + 1; growth > offsetBits {
			break
		}
		if x.corner[c] {
			w = x.add(ssa.OpAdd, ssa.TU64, w, x.add(ssa.OpMul, ssa.TU64, x.rounds[c], x.number(step)))
		}
		return w, growth
	}
	x.failed = true
	return x.number(0), 0
}

// converted computes a conversion between integers. An extended one must not have wrapped.
func (x *box) converted(v *ssa.Value) (w *ssa.Value, growth int) {
	from := v.Args[0]
	if sat, _ := ssa.ConvParts(v.Aux); sat || from.Type.N != 1 || !isInt(from.Type.K) || !isInt(v.Type.K) || from.Type.Size() < 4 || v.Type.Size() < 4 {
		x.failed = true
		return x.number(0), 0
	}
	w, growth = x.exact(from)
	fits := v == x.index
	for _, c := range x.loops() {
		fits = fits || from == c.count
	}
	if v.Type.Size() > from.Type.Size() && !fits && !x.failed {
		x.atMost(w, x.number(math.MaxInt32))
	}
	return w, growth
}

// invariant returns the copy before the nest of a value that is the same in all iterations, or v. Values with several
// uses are copied once.
func (x *box) invariant(v *ssa.Value) *ssa.Value {
	if !x.contains(v) || x.onK[v] || x.onJ[v] || v.Op == ssa.OpPhi || !v.Op.Has(ssa.Pure) {
		return v
	}
	if w := x.copied[v]; w != nil {
		return w
	}
	x.copied[v] = v
	args := make([]*ssa.Value, len(v.Args))
	for i, a := range v.Args {
		if args[i] = x.invariant(a); x.contains(args[i]) {
			return v
		}
	}
	w := x.copyValue(v)
	w.SetArgs(args...)
	x.varying[w] = x.Varying[v.ID]
	x.copied[v] = x.block.Append(w)
	return w
}

// long extends an integer to 64 bits.
func (x *box) long(v *ssa.Value) *ssa.Value {
	switch {
	case v.Type.K == ssa.U64:
		return v
	case !isInt(v.Type.K):
		x.failed = true
		return x.number(0)
	case v.IsConst() && v.Type.K.Num().Signed() && v.Type.Size() == 4:
		return x.number(int64(int32(v.ConstElem(0))))
	case v.IsConst() && !v.Type.K.Num().Signed():
		return x.number(int64(v.ConstElem(0)))
	}
	return x.add(ssa.OpConvert, ssa.TU64, v)
}
