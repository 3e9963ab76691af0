package spmd

import (
	"math/rand/v2"
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

// TestExtents compares the test of a launch with the offsets that a random expression has in all lanes of all
// work-groups: if the test succeeds, all are in bounds.
func TestExtents(t *testing.T) {
	held, sharp := 0, 0
	for seed := range uint64(4000) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		m := &ssa.Module{}
		f := m.NewFunc("f", ssa.TVoid)
		b := f.NewBlock("")
		add := func(op ssa.Op, t ssa.Type, args ...*ssa.Value) *ssa.Value {
			return b.Append(f.NewValue(op, t, 0, args...))
		}
		p := add(ssa.OpParam, ssa.Scalar(ssa.PtrGlobal))
		query := func(q ssa.WorkItemQuery, d uint64) *ssa.Value {
			v := add(ssa.OpWorkItem, ssa.TU64, b.Append(f.NewConst(ssa.TU32, d)))
			v.Aux = int64(q)
			return v
		}
		groups := [2]*ssa.Value{query(ssa.GroupID, 0), query(ssa.GroupID, 1)}
		lane := query(ssa.LocalID, 0)
		n := add(ssa.OpParam, ssa.TI32)
		n.Aux = 1
		list := map[ssa.Type][]*ssa.Value{ssa.TU64: {groups[0], groups[1], lane}, ssa.TI32: {n}}
		types := []ssa.Type{ssa.TI32, ssa.TI32, ssa.TU32, ssa.TU64, ssa.TI64, ssa.Scalar(ssa.I16), ssa.Scalar(ssa.U8)}
		pick := func(t ssa.Type) *ssa.Value {
			switch l := list[t]; {
			case rnd.IntN(3) == 0 || len(l) == 0 && rnd.IntN(4) == 0:
				return b.Append(f.NewConst(t, uint64(rnd.IntN(20))))
			case len(l) == 0:
				from := types[rnd.IntN(len(types))]
				if l = list[from]; len(l) == 0 {
					l = []*ssa.Value{lane}
				}
				return add(ssa.OpConvert, t, l[rnd.IntN(len(l))])
			default:
				return l[rnd.IntN(len(l))]
			}
		}
		ops := []ssa.Op{ssa.OpAdd, ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpMul, ssa.OpShl, ssa.OpShr, ssa.OpAnd, ssa.OpOr, ssa.OpXor, ssa.OpDiv, ssa.OpRem, ssa.OpMin, ssa.OpMax}
		var last *ssa.Value
		for range 1 + rnd.IntN(6) {
			k := types[rnd.IntN(len(types))]
			last = add(ops[rnd.IntN(len(ops))], k, pick(k), pick(k))
			list[k] = append(list[k], last)
		}
		l := &fakeLaunch{[2]uint64{uint64(1 + rnd.IntN(5)), uint64(1 + rnd.IntN(3))}, uint64(uint32(int32(rnd.IntN(12) - 2))), uint64(rnd.IntN(400))}
		x := &extents{number: map[*ssa.Value]int{}}
		if x.add(add(ssa.OpPtrAdd, p.Type, p, add(ssa.OpConvert, ssa.TI64, last)), uint64(rnd.IntN(3)), ssa.TU32, false) < 0 {
			t.Fatalf("seed %d: no test of\n%v", seed, f)
		}
		holds := x.Hold(l)
		inside := true
		for g0 := range l.groups[0] {
			for g1 := range l.groups[1] {
				for i := range uint64(fakeLanes) {
					val := map[*ssa.Value]uint64{groups[0]: g0, groups[1]: g1, lane: i, n: l.param}
					for _, v := range b.Values {
						switch {
						case v.IsConst():
							val[v] = v.Bits[0]
						case len(v.Args) > 0 && v.Op != ssa.OpWorkItem && v.Op != ssa.OpPtrAdd:
							args := make([]uint64, len(v.Args))
							for k, a := range v.Args {
								args[k] = val[a]
							}
							val[v], _ = ssa.EvalScalar(v.Op, v.Type.K, v.Args[0].Type.K, v.Aux, args)
						}
					}
					off := int64(val[b.Values[len(b.Values)-1].Args[1]]) + x.ranges[0].low
					inside = inside && off >= 0 && off+4 <= int64(l.bytes)
				}
			}
		}
		if holds && !inside {
			t.Fatalf("seed %d: an offset is out of bounds\n%v", seed, f)
		}
		if holds {
			held++
		}
		if inside {
			sharp++
		}
	}
	if held < 600 || held < sharp/2 {
		t.Errorf("the test holds %d times of %d", held, sharp)
	}
}
