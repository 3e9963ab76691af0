package opt

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// TestZeros computes random expressions, whose operands are often 0, small or of the other sign: the facts hold, and the results
// have the same bits without products with 0.
func TestZeros(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 7))
	kinds := []ssa.Kind{ssa.F32, ssa.U8, ssa.I8, ssa.I32, ssa.U64, ssa.F32}
	numbers := []float32{0, float32(math.Copysign(0, -1)), 1, -1, 2, -2, 0.5, 1.0 / 255, -2.3e-10, 1e-38, -1e-45, 3e20, -3}
	dropped := 0
	for range 20_000 {
		f := &ssa.Func{Name: "f", Result: ssa.TF32, Kernel: &ssa.Kernel{}}
		b := f.NewBlock("")
		for i, k := range kinds {
			p := b.Append(f.NewValue(ssa.OpParam, ssa.Scalar(k), 0))
			p.Aux = int64(i)
			f.Params = append(f.Params, p)
		}
		floats := []*ssa.Value{f.Params[0]}
		for _, x := range numbers {
			floats = append(floats, b.Append(f.NewConst(ssa.TF32, uint64(math.Float32bits(x)))))
		}
		for _, p := range f.Params[1:5] {
			floats = append(floats, b.Append(f.NewValue(ssa.OpConvert, ssa.TF32, 0, p)))
		}
		any := func() *ssa.Value {
			return floats[min(r.IntN(2*len(floats)), len(floats)-1-r.IntN(min(4, len(floats))))%len(floats)]
		}
		constant := func() *ssa.Value { return floats[1+r.IntN(len(numbers))] }
		for range 1 + r.IntN(8) {
			ops := []ssa.Op{ssa.OpFMA, ssa.OpFMA, ssa.OpFMA, ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpMin, ssa.OpFabs}
			x, y, z := any(), any(), any()
			if r.IntN(2) == 0 {
				y = constant()
			}
			args := []*ssa.Value{x, y, z}
			op := ops[r.IntN(len(ops))]
			switch op {
			case ssa.OpFabs:
				args = args[:1]
			case ssa.OpFMA:
				if r.IntN(4) == 0 {
					args[2] = b.Append(f.NewValue(ssa.OpMul, ssa.TF32, 0, x, constant()))
				}
			default:
				args = args[:2]
			}
			floats = append(floats, b.Append(f.NewValue(op, ssa.TF32, 0, args...)))
		}
		last := floats[len(floats)-1]
		b.Append(f.NewValue(ssa.OpReturn, ssa.TVoid, 0, last))
		s := &state{f: f, cfg: &Config{}}
		z := zeroing{s: s, f: f, ranges: findRanges(s), facts: make([]floatFact, f.NumValues())}
		z.pass()
		params := make([][]uint64, 6)
		results := make([]uint64, len(params))
		for i := range params {
			for _, k := range kinds {
				x := r.Uint64() >> uint(r.IntN(64))
				if k == ssa.F32 {
					x = uint64(math.Float32bits(numbers[r.IntN(len(numbers))]))
				}
				if r.IntN(4) == 0 {
					x = []uint64{0, 1, 0x7f800000, 0xff800000, 0x7fa00001, 1 << 31}[r.IntN(6)]
				}
				params[i] = append(params[i], x&(1<<k.Num().Bits()-1))
			}
			all := evaluated(b, params[i])
			results[i] = all[last.ID]
			for _, v := range b.Values {
				if x := math.Float32frombits(uint32(all[v.ID])); v.Type.K == ssa.F32 && v.Op != ssa.OpParam {
					fact := z.facts[v.ID]
					if fact.plus && all[v.ID] == 1<<31 || fact.finite && !(x >= fact.lo && x <= fact.hi) {
						t.Fatalf("%v: %s is %v (%#x), fact %+v", f, v, x, all[v.ID], fact)
					}
				}
			}
		}
		text := f.String()
		dropZeros(s)
		if f.String() != text {
			dropped++
		}
		for i, want := range results {
			if got := evaluated(b, params[i])[b.Term().Args[0].ID]; got != want {
				t.Fatalf("%s with %#x: %#x, want %#x; now %v", text, params[i], got, want, f)
			}
		}
	}
	if dropped < 1000 {
		t.Errorf("only %d expressions were changed", dropped)
	}
}

// evaluated returns the values of a block by ID.
func evaluated(b *ssa.Block, params []uint64) []uint64 {
	of := make([]uint64, b.Func.NumValues())
	for _, v := range b.Values {
		switch {
		case v.Op == ssa.OpParam:
			of[v.ID] = params[v.Aux]
		case v.Op == ssa.OpConst:
			of[v.ID] = v.Bits[0]
		case v.Op.Has(ssa.Elementwise):
			var args []uint64
			for _, a := range v.Args {
				args = append(args, of[a.ID])
			}
			of[v.ID], _ = ssa.EvalScalar(v.Op, v.Type.K, v.Args[0].Type.K, v.Aux, args)
		}
	}
	return of
}
