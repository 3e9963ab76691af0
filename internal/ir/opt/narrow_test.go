package opt

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// pixelFunction makes a function of a few narrow integers and an i32 that computes as image kernels do: its
// values are extended, combined, and finally truncated or saturated.
func pixelFunction(rng *rand.Rand) *ssa.Module {
	m := &ssa.Module{}
	f := m.NewFunc("f", ssa.Vec(ssa.I32, 8))
	b := ssa.Builder{F: f, B: f.NewBlock("")}
	lanes := 1
	if rng.IntN(3) == 0 {
		lanes = 4
	}
	for i, k := range []ssa.Kind{ssa.U8, ssa.U8, ssa.I8, ssa.U16, ssa.I16, ssa.I32} {
		f.Params = append(f.Params, b.Aux(ssa.OpParam, ssa.Vec(k, lanes), int64(i)))
	}
	vals := map[ssa.Kind][]*ssa.Value{}
	put := func(v *ssa.Value) { vals[v.Type.K] = append(vals[v.Type.K], v) }
	for _, p := range f.Params {
		put(p)
	}
	// Sometimes all of it is in a loop of three iterations that carries a sum.
	var count, sum *ssa.Value
	if rng.IntN(3) == 0 {
		zero := b.Const(ssa.TI32, 0)
		head := f.NewBlock("")
		head.Unroll = 1
		b.Jump(head)
		b.B = head
		count = b.Value(ssa.OpPhi, ssa.TI32, zero)
		sum = b.Value(ssa.OpPhi, ssa.Vec(ssa.I32, lanes), f.Params[5])
		put(sum)
	}
	one := func(k ssa.Kind) *ssa.Value {
		if list := vals[k]; len(list) > 0 && rng.IntN(4) > 0 {
			if rng.IntN(2) == 0 {
				return list[len(list)-1]
			}
			return list[rng.IntN(len(list))]
		}
		c := []uint64{0, 1, 2, 3, 5, 7, 8, 10, 15, 16, 100, 127, 128, 255, 256, 1000, 32767, 32768, 65535, ^uint64(0), ^uint64(127)}[rng.IntN(21)]
		return b.Const(ssa.Vec(k, lanes), c&ones(k))
	}
	narrow := []ssa.Kind{ssa.U8, ssa.U8, ssa.U8, ssa.I8, ssa.U16, ssa.I16}
	wide := []ssa.Kind{ssa.I32, ssa.I32, ssa.I32, ssa.U32, ssa.U16, ssa.I16, ssa.I64}
	ops := []ssa.Op{ssa.OpAdd, ssa.OpAdd, ssa.OpAdd, ssa.OpSub, ssa.OpSub, ssa.OpMul, ssa.OpShr, ssa.OpShr, ssa.OpShl, ssa.OpAnd, ssa.OpOr, ssa.OpXor, ssa.OpMin, ssa.OpMax, ssa.OpDiv, ssa.OpRem, ssa.OpHAdd, ssa.OpRHAdd, ssa.OpMulHi, ssa.OpAddSat, ssa.OpSubSat, ssa.OpRotl}
	for range 4 + rng.IntN(24) {
		k := wide[rng.IntN(len(wide))]
		t := ssa.Vec(k, lanes)
		switch rng.IntN(10) {
		case 0, 1, 2:
			put(b.Convert(one(narrow[rng.IntN(len(narrow))]), k, false, 0))
		case 3:
			put(b.Convert(one(k), narrow[rng.IntN(len(narrow))], rng.IntN(2) == 0, 0))
		case 4:
			x, y := one(k), one(k)
			c := b.Value([]ssa.Op{ssa.OpLt, ssa.OpLe, ssa.OpEq, ssa.OpNe}[rng.IntN(4)], t.With(ssa.Bool), x, y)
			if rng.IntN(2) == 0 {
				x, y = b.Value(ssa.OpSub, t, x, y), b.Value(ssa.OpSub, t, y, x)
			}
			put(b.Value(ssa.OpSelect, t, c, x, y))
		case 5:
			u := ssa.Kind(k.Num().Unsigned())
			x := b.Value(ssa.OpSub, t, one(k), one(k))
			if rng.IntN(2) == 0 {
				put(b.Value(ssa.OpAbs, t.With(u), x))
			} else {
				put(b.Value(ssa.OpAbsDiff, t.With(u), one(k), x))
			}
		case 6:
			put(b.Value([]ssa.Op{ssa.OpNeg, ssa.OpNot, ssa.OpClz, ssa.OpPopcount}[rng.IntN(4)], t, one(k)))
		case 7: // an average
			put(b.Value(ssa.OpShr, t, b.Value(ssa.OpAdd, t, b.Value(ssa.OpAdd, t, one(k), one(k)), b.Const(t, 1)), b.Const(t, 1)))
		default:
			put(b.Value(ops[rng.IntN(len(ops))], t, one(k), one(k)))
		}
	}
	if sum != nil {
		next := b.Value(ssa.OpAdd, ssa.TI32, count, b.Const(ssa.TI32, 1))
		sum.Args = append(sum.Args, b.Value(ssa.OpAdd, sum.Type, one(ssa.I32), one(ssa.I32)))
		count.Args = append(count.Args, next)
		end := f.NewBlock("")
		b.Branch(b.Value(ssa.OpLt, ssa.TBool, next, b.Const(ssa.TI32, 3)), b.B, end)
		b.B = end
	}
	var results []*ssa.Value
	for len(results) < 8 {
		k := append(narrow, ssa.I32)[rng.IntN(len(narrow)+1)]
		x := one(k)
		if lanes > 1 {
			x = b.Extract(x, rng.IntN(lanes))
		}
		if k != ssa.I32 {
			x = b.Convert(x, ssa.I32, false, 0)
		}
		results = append(results, x)
	}
	b.Return(b.Value(ssa.OpVec, f.Result, results...))
	return m
}

// callOften calls f with limits of the types and with random arguments.
func callOften(m *ssa.Module) string {
	rng := rand.New(rand.NewPCG(1, 2))
	out := ""
	for i := range 40 {
		var args [][]uint64
		for _, p := range m.Funcs[0].Params {
			all := ones(p.Type.K)
			bits := make([]uint64, p.Type.N)
			for l := range bits {
				bits[l] = []uint64{0, 1, all, all >> 1, all>>1 + 1, rng.Uint64() & all, rng.Uint64() & all}[(rng.IntN(7)+i)%7]
			}
			args = append(args, bits)
		}
		mach := &machine{globals: map[*ssa.Global]uint64{}}
		out += fmt.Sprintln(mach.call(m.Funcs[0], args))
	}
	return out
}

// TestPixels: patterns, narrowing and division by constants keep every result.
func TestPixels(t *testing.T) {
	for i := range uint64(*seeds) * 4 {
		seed := *firstSeed + i
		m := pixelFunction(rand.New(rand.NewPCG(seed, 11)))
		if err := ssa.VerifyModule(m); err != nil {
			t.Fatalf("seed %d: generator: %v\n%s", seed, err, m)
		}
		want := callOften(m)
		for _, names := range [][]string{{"simplify"}, {"narrow"}, {"divide"}, Pipeline} {
			c := copyOf(t, m)
			if err := RunPasses(c, names, Config{Verify: true}); err != nil {
				t.Fatalf("seed %d, %v: %v", seed, names, err)
			}
			if got := callOften(c); got != want {
				t.Fatalf("seed %d, %v:\nbefore:\n%s\nafter:\n%s", seed, names, m, c)
			}
		}
	}
}
