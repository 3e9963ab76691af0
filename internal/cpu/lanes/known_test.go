package lanes

import (
	"math/rand/v2"
	"testing"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// TestKnown compares Known facts of random integers with their values in each lane, for gangs whose first lane
// has the local id 0.
func TestKnown(t *testing.T) {
	const lanes = 16
	types := []ssa.Type{ssa.Scalar(ssa.U8), ssa.Scalar(ssa.I16), ssa.TI32, ssa.TU32, ssa.TI64, ssa.TU64}
	ops := []ssa.Op{ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpShl, ssa.OpAnd, ssa.OpShr, ssa.OpRem, ssa.OpDiv, ssa.OpConvert, ssa.OpConvert, ssa.OpNot}
	consts := []uint64{0, 1, 2, 3, 7, 15, 16, 31, 100, 255, 256, 1 << 15, 1 << 20, 1<<31 - 3, 1 << 31, 1<<32 - 1, 1<<32 - 16, 1<<63 + 5, ^uint64(0), ^uint64(20)}
	known, decided := 0, 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		f := &ssa.Func{}
		b := f.NewBlock("")
		id := b.Append(f.NewValue(ssa.OpWorkItem, ssa.TU64, 0, b.Append(f.NewConst(ssa.TU32, 0))))
		id.Aux = int64(ssa.LocalID)
		values := map[*ssa.Value][]uint64{id: make([]uint64, lanes)}
		list := []*ssa.Value{id}
		for l := range values[id] {
			values[id][l] = uint64(l)
		}
		add := func(v *ssa.Value) {
			b.Append(v)
			values[v] = make([]uint64, lanes)
			for l := range values[v] {
				var args []uint64
				for _, a := range v.Args {
					args = append(args, values[a][l])
				}
				x, ok := ssa.EvalScalar(v.Op, v.Type.K, v.Args[0].Type.K, v.Aux, args)
				if v.Op >= ssa.OpEq && v.Op <= ssa.OpLe {
					x, ok = ssa.EvalScalar(v.Op, v.Args[0].Type.K, v.Args[0].Type.K, v.Aux, args)
				}
				if !ok {
					t.Fatalf("the test cannot evaluate %v", v)
				}
				values[v][l] = x
			}
			list = append(list, v)
		}
		pick := func(k ssa.Type) *ssa.Value {
			if r.IntN(2) == 0 {
				for range 20 {
					if v := list[r.IntN(len(list))]; v.Type == k {
						return v
					}
				}
			}
			bits := consts[r.IntN(len(consts))]
			if n := 8 * k.K.Num().Size(); n < 64 {
				bits &= 1<<n - 1
			}
			c := b.Append(f.NewConst(k, bits))
			values[c] = make([]uint64, lanes)
			for l := range values[c] {
				values[c][l] = bits
			}
			return c
		}
		for range 12 {
			a := list[r.IntN(len(list))]
			switch op := ops[r.IntN(len(ops))]; {
			case a.Type == ssa.TBool:
			case op == ssa.OpConvert:
				add(f.NewValue(op, types[r.IntN(len(types))], 0, a))
			case op == ssa.OpNot:
				add(f.NewValue([]ssa.Op{ssa.OpEq, ssa.OpNe, ssa.OpLt, ssa.OpLe}[r.IntN(4)], ssa.TBool, 0, a, pick(a.Type)))
			case op == ssa.OpShl:
				c := b.Append(f.NewConst(a.Type, uint64(r.IntN(8))))
				values[c] = make([]uint64, lanes)
				for l := range values[c] {
					values[c][l] = c.Bits[0]
				}
				add(f.NewValue(op, a.Type, 0, a, c))
			default:
				add(f.NewValue(op, a.Type, 0, a, pick(a.Type)))
			}
		}
		varying := make([]bool, f.NumValues())
		for i := range varying {
			varying[i] = true
		}
		s := Analyse(Input{F: f, Order: f.Blocks, Loops: &ssa.Loops{}, Varying: varying, Split: make([]bool, 1), Lanes: lanes})
		for _, v := range list {
			if x := s.Of(v); x.Known {
				known++
				for l, got := range values[v] {
					want := uint64(x.First + int64(l)*x.Stride)
					if n := 8 * v.Type.K.Num().Size(); n < 64 {
						want &= 1<<n - 1
					}
					if got != want {
						t.Fatalf("seed %d: %v is %#x in lane %d, not %#x\n%s", seed, v, got, l, want, f)
					}
				}
			}
			if v.Type != ssa.TBool {
				continue
			}
			all, none, sure := s.Decide(v)
			yes := 0
			for _, x := range values[v] {
				yes += int(x)
			}
			if all && yes != lanes || none && yes != 0 || sure && all != (yes == lanes) || sure && none != (yes == 0) {
				t.Fatalf("seed %d: %v holds in %d lanes: all %v, none %v\n%s", seed, v, yes, all, none, f)
			}
			if sure {
				decided++
			}
		}
	}
	if known < 5000 || decided < 500 {
		t.Errorf("only %d values known and %d conditions", known, decided)
	}
}
