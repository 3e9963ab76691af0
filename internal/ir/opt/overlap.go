package opt

import "github.com/purecl/purecl/internal/ir/ssa"

// Iterations of a stencil overlap: they load the same elements and compute the same values from them. Copies of the
// loop's body share these values, which the loop computes again and again.

// Limits of unrolling a loop whose iterations overlap.
const (
	maxOverlapping = 1000 // size of all iterations without the shared values
	minLoads       = 4    // of an iteration, of which some may be shared
)

// overlap reports whether unrolling c removes a quarter of the computations or more, because iterations share them.
func (u *unroller) overlap(c *counted) bool {
	if c.n < 2 || c.n > maxTrips || !u.readsOnly(c) {
		return false
	}
	o := overlapping{u: u, c: c, ids: map[expression]int32{}, of: map[*ssa.Value]int32{}, first: map[*ssa.Value]int32{}}
	for o.k = range c.n {
		o.iteration()
		if o.distinct > maxOverlapping {
			return false
		}
	}
	return 4*o.distinct <= 3*o.total
}

// readsOnly reports whether c is one loop without writes that loads several elements.
func (u *unroller) readsOnly(c *counted) bool {
	loads := 0
	for _, b := range c.x.Blocks {
		if u.loops.Of(b) != c.x {
			return false
		}
		for _, v := range b.Values {
			switch {
			case v.Op == ssa.OpLoad && v.Flags&ssa.Volatile == 0:
				loads++
			case v.Op != ssa.OpPhi && v.Op != ssa.OpConst && v.Op != ssa.OpJump && v.Op != ssa.OpBranch && !v.Op.Has(ssa.Pure):
				return false
			}
		}
	}
	return loads >= minLoads
}

// An overlapping numbers the values of a loop iteration by iteration. Equal values have one number, also in different
// iterations.
type overlapping struct {
	u *unroller
	c *counted
	k int // the iteration

	ids   map[expression]int32
	terms []term               // by number
	last  []int                // by number: 1 + the last iteration that computes it
	of    map[*ssa.Value]int32 // in this iteration, or in the one before
	first map[*ssa.Value]int32 // in the first iteration

	total    int // values that change from iteration to iteration, without the shared ones of each iteration
	distinct int // of them, those that no iteration before has computed
}

// An expression is the key of a number. v is nil, or a value that equals only itself, in iteration k.
type expression struct {
	op   ssa.Op
	typ  ssa.Type
	aux  int64
	args [3]int32
	bits uint64 // of a constant
	v    *ssa.Value
	k    int
}

// A term is a constant, or base plus a constant.
type term struct {
	isConst bool
	bits    uint64
	base    int32
}

func (o *overlapping) number(e expression, t term) (n int32, made bool) {
	n, ok := o.ids[e]
	if !ok {
		n = int32(len(o.terms))
		o.ids[e] = n
		o.terms, o.last = append(o.terms, t), append(o.last, 0)
	}
	return n, !ok
}

func (o *overlapping) constant(t ssa.Type, bits uint64) int32 {
	n, _ := o.number(expression{op: ssa.OpConst, typ: t, bits: bits}, term{isConst: true, bits: bits})
	return n
}

// leaf returns the number of a value that equals only itself.
func (o *overlapping) leaf(v *ssa.Value, k int) int32 { return o.opaque(expression{v: v, k: k}) }

// opaque returns the number of an expression that is no constant and no sum with one.
func (o *overlapping) opaque(e expression) int32 {
	n, made := o.number(e, term{})
	if made {
		o.terms[n].base = n
	}
	return n
}

// operand returns the number of an argument.
func (o *overlapping) operand(a *ssa.Value) int32 {
	if n, ok := o.of[a]; ok {
		return n
	}
	if a.Op == ssa.OpConst && !a.Type.IsVec() {
		return o.constant(a.Type, a.Bits[0])
	}
	return o.leaf(a, 0)
}

// iteration numbers the values of iteration k and counts them.
func (o *overlapping) iteration() {
	head := o.c.x.Header
	phis := head.Phis()
	next := make([]int32, len(phis))
	m := simulation{u: o.u, c: o.c}
	for i, phi := range phis {
		from := m.next(phi)
		if o.k == 0 {
			from = m.init(phi)
		}
		if from == nil {
			next[i] = o.leaf(phi, o.k)
		} else {
			next[i] = o.operand(from)
		}
	}
	for i, phi := range phis {
		o.of[phi] = next[i]
	}
	for _, b := range o.c.x.Blocks {
		for _, v := range b.Values {
			if v.Op == ssa.OpJump || v.Op == ssa.OpBranch || v.Op == ssa.OpPhi && b == head {
				continue
			}
			n, made := o.value(v)
			o.of[v] = n
			o.count(v, n, made)
		}
	}
}

// count counts v, whose number is n; made says that the number is new.
func (o *overlapping) count(v *ssa.Value, n int32, made bool) {
	if made {
		o.distinct++
	}
	unchanged := o.k > 0 && o.first[v] == n
	if o.k == 0 {
		o.first[v] = n
	}
	if o.terms[n].isConst || unchanged || o.last[n] == o.k+1 {
		return
	}
	o.last[n] = o.k + 1
	o.total++
}

// value returns the number of v; made says that no iteration before has computed it, and that it is no constant.
func (o *overlapping) value(v *ssa.Value) (n int32, made bool) {
	before := len(o.terms)
	n = o.expression(v)
	return n, int(n) >= before && !o.terms[n].isConst
}

func (o *overlapping) expression(v *ssa.Value) int32 {
	switch {
	case v.Op == ssa.OpConst:
		return o.operand(v)
	case v.Op == ssa.OpPhi || v.Op == ssa.OpUndef || len(v.Args) > 3:
		return o.leaf(v, o.k)
	case len(v.Args) == 0 || v.Sym != nil:
		return o.leaf(v, 0)
	}
	e := expression{op: v.Op, typ: v.Type, aux: v.Aux}
	if v.Lanes != nil {
		e.v = v
	}
	e.args = [3]int32{-1, -1, -1}
	var bits [3]uint64
	known := !v.Type.IsVec() && v.Op != ssa.OpLoad
	for i, a := range v.Args {
		e.args[i] = o.operand(a)
		t := o.terms[e.args[i]]
		bits[i] = t.bits
		known = known && t.isConst && !a.Type.IsVec()
	}
	if known && v.Op.Has(ssa.Elementwise) {
		if x, ok := ssa.EvalScalar(v.Op, v.Type.K, v.Args[0].Type.K, v.Aux, bits[:len(v.Args)]); ok {
			return o.constant(v.Type, x)
		}
	}
	if v.Op.Has(ssa.Commutative) && e.args[0] > e.args[1] {
		e.args[0], e.args[1] = e.args[1], e.args[0]
	}
	if v.Op == ssa.OpAdd && !v.Type.IsVec() && isInt(v.Type.K) {
		return o.sum(v, e)
	}
	return o.opaque(e)
}

// sum returns the number of a sum of two integers. Constants are added up, as simplify does.
func (o *overlapping) sum(v *ssa.Value, e expression) int32 {
	a, b := o.terms[e.args[0]], o.terms[e.args[1]]
	if a.isConst {
		a, b = b, a
		e.args[0], e.args[1] = e.args[1], e.args[0]
	}
	if !b.isConst {
		return o.opaque(e)
	}
	bits := a.bits + b.bits
	if size := 8 * v.Type.K.Num().Size(); size < 64 {
		bits &= 1<<size - 1
	}
	if bits == 0 {
		return a.base
	}
	n, _ := o.number(expression{op: ssa.OpAdd, typ: v.Type, args: [3]int32{a.base, -1, -1}, bits: bits}, term{bits: bits, base: a.base})
	return n
}
