package spmd

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// A fakeLaunch has two dimensions, and one object of a given size.
type fakeLaunch struct {
	groups [2]uint64
	param  uint64
	bytes  uint64
}

const fakeLanes = 8

func (l *fakeLaunch) Param(int) uint64 { return l.param }

func (l *fakeLaunch) Query(q ssa.WorkItemQuery, d int) (least, most uint64) {
	switch q {
	case ssa.GroupID:
		return 0, l.groups[d] - 1
	case ssa.LocalID:
		return 0, fakeLanes - 1
	}
	panic("another query")
}

func (l *fakeLaunch) Object(Object) (address, bytes uint64, writable bool) {
	return 0, l.bytes, false
}

// An offsetCase is a random offset from a pointer.
type offsetCase struct {
	rnd     *rand.Rand
	f       *ssa.Func
	b       *ssa.Block
	groups  [2]*ssa.Value
	lane, n *ssa.Value
	list    map[ssa.Type][]*ssa.Value
	pointer *ssa.Value
}

var (
	offsetTypes = []ssa.Type{ssa.TI32, ssa.TI32, ssa.TU32, ssa.TU64, ssa.TI64, ssa.Scalar(ssa.I16), ssa.Scalar(ssa.U8)}
	offsetOps   = []ssa.Op{ssa.OpAdd, ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpMul, ssa.OpShl, ssa.OpShr, ssa.OpAnd, ssa.OpOr, ssa.OpXor, ssa.OpDiv, ssa.OpRem, ssa.OpMin, ssa.OpMax}
	comparisons = []ssa.Op{ssa.OpEq, ssa.OpNe, ssa.OpLt, ssa.OpLe}
)

func newOffsetCase(seed uint64) *offsetCase {
	c := &offsetCase{rnd: rand.New(rand.NewPCG(seed, 1)), f: (&ssa.Module{}).NewFunc("f", ssa.TVoid)}
	c.b = c.f.NewBlock("")
	p := c.add(ssa.OpParam, ssa.Scalar(ssa.PtrGlobal))
	query := func(q ssa.WorkItemQuery, d uint64) *ssa.Value {
		v := c.add(ssa.OpWorkItem, ssa.TU64, c.b.Append(c.f.NewConst(ssa.TU32, d)))
		v.Aux = int64(q)
		return v
	}
	c.groups = [2]*ssa.Value{query(ssa.GroupID, 0), query(ssa.GroupID, 1)}
	c.lane = query(ssa.LocalID, 0)
	c.n = c.add(ssa.OpParam, ssa.TI32)
	c.n.Aux = 1
	c.list = map[ssa.Type][]*ssa.Value{ssa.TU64: {c.groups[0], c.groups[1], c.lane}, ssa.TI32: {c.n}}
	var last *ssa.Value
	for range 1 + c.rnd.IntN(6) {
		k := offsetTypes[c.rnd.IntN(len(offsetTypes))]
		switch c.rnd.IntN(8) {
		case 0, 1:
			last = c.add(ssa.OpSelect, k, c.condition(k), c.pick(k), c.pick(k))
		case 2: // numbers of rows or columns from a constant on
			last = c.add(ssa.OpMul, k, c.add(ssa.OpAdd, k, c.pick(k), c.pick(k)), c.add(ssa.OpAdd, k, c.pick(k), c.pick(k)))
		default:
			last = c.add(offsetOps[c.rnd.IntN(len(offsetOps))], k, c.pick(k), c.pick(k))
		}
		c.list[k] = append(c.list[k], last)
	}
	c.pointer = c.add(ssa.OpPtrAdd, p.Type, p, c.add(ssa.OpConvert, ssa.TI64, last))
	return c
}

func (c *offsetCase) add(op ssa.Op, t ssa.Type, args ...*ssa.Value) *ssa.Value {
	return c.b.Append(c.f.NewValue(op, t, 0, args...))
}

// pick returns a value of a type: an earlier one, a small integer, or the mask that rounds down to a multiple of 4.
func (c *offsetCase) pick(t ssa.Type) *ssa.Value {
	switch l := c.list[t]; {
	case c.rnd.IntN(30) == 0:
		return c.b.Append(c.f.NewConst(t, ^uint64(3)&sizeMask(t.K)))
	case c.rnd.IntN(3) == 0 || len(l) == 0 && c.rnd.IntN(4) == 0:
		return c.b.Append(c.f.NewConst(t, uint64(c.rnd.IntN(20))))
	case len(l) == 0:
		from := offsetTypes[c.rnd.IntN(len(offsetTypes))]
		if l = c.list[from]; len(l) == 0 {
			l = []*ssa.Value{c.lane}
		}
		return c.add(ssa.OpConvert, t, l[c.rnd.IntN(len(l))])
	default:
		return l[c.rnd.IntN(len(l))]
	}
}

func (c *offsetCase) condition(t ssa.Type) *ssa.Value {
	is := c.add(comparisons[c.rnd.IntN(len(comparisons))], ssa.TBool, c.pick(t), c.pick(t))
	if c.rnd.IntN(4) == 0 {
		is = c.add(ssa.OpNot, ssa.TBool, is)
	}
	return is
}

// offsets returns the offsets of pointers, for a lane in which val has ids and parameters.
func (c *offsetCase) offsets(val map[*ssa.Value]uint64, pointers ...*ssa.Value) (list []int64) {
	for _, v := range c.b.Values {
		args := make([]uint64, len(v.Args))
		for k, a := range v.Args {
			args[k] = val[a]
		}
		switch {
		case v.IsConst():
			val[v] = v.Bits[0]
		case v.Op == ssa.OpSelect:
			val[v] = args[2-args[0]]
		case v.Op == ssa.OpBitcast:
			val[v] = args[0]
		case v.Op == ssa.OpPtrAdd:
			val[v] = args[0] + args[1]
		case len(v.Args) > 0 && v.Op != ssa.OpWorkItem:
			val[v], _ = ssa.EvalScalar(v.Op, v.Type.K, v.Args[0].Type.K, v.Aux, args)
		}
	}
	for _, p := range pointers {
		list = append(list, int64(val[p]))
	}
	return list
}

// TestExtents compares the test of a launch with the offsets that a random expression has in all lanes of all
// work-groups: if the test succeeds, all are in bounds, and equal to the sums that replace them.
func TestExtents(t *testing.T) {
	held, sharp, sums := 0, 0, 0
	for seed := range uint64(6000) {
		c := newOffsetCase(seed)
		l := &fakeLaunch{[2]uint64{uint64(1 + c.rnd.IntN(5)), uint64(1 + c.rnd.IntN(3))}, uint64(uint32(int32(c.rnd.IntN(12) - 2))), uint64(c.rnd.IntN(400))}
		x := &extents{number: map[*ssa.Value]int{}, seen: map[summand]int{}}
		by := c.rnd.IntN(3)
		number := x.add(c.pointer, uint64(by), ssa.TU32, false)
		if number < 0 {
			t.Fatalf("seed %d: no test of\n%v", seed, c.f)
		}
		holds := x.InBounds(l) && x.Apart(l)
		x.terms[number].regular = true
		e := &evaluation{symbols: symbols{f: c.f, cur: c.b, table: map[consKey]*ssa.Value{}, consts: map[consKey]*ssa.Value{}}, extents: x}
		sum := e.summed(&symbol{t: c.pointer.Type, val: c.pointer, off: uint64(by)})
		inside := true
		for g0 := range l.groups[0] {
			for g1 := range l.groups[1] {
				for i := range uint64(fakeLanes) {
					at := c.offsets(map[*ssa.Value]uint64{c.groups[0]: g0, c.groups[1]: g1, c.lane: i, c.n: l.param}, c.pointer, sum)
					off := at[0] + int64(by)
					inside = inside && off >= 0 && off+4 <= int64(l.bytes)
					if holds && at[1] != off {
						t.Fatalf("seed %d: the sum is %d, the offset %d\n%v", seed, at[1], off, c.f)
					}
				}
			}
		}
		if holds && !inside {
			t.Fatalf("seed %d: an offset is out of bounds\n%v", seed, c.f)
		}
		if holds {
			held++
			if sum != c.pointer && !slices.Contains(sum.Args, c.pointer) {
				sums++
			}
		}
		if inside {
			sharp++
		}
	}
	if held < 1000 || held < sharp/2 || sums < held/2 {
		t.Errorf("the test holds %d times of %d, with %d sums", held, sharp, sums)
	}
}
