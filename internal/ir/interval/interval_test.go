package interval_test

import (
	"math/rand/v2"
	"testing"

	. "github.com/purecl/purecl/internal/ir/interval"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

var intKinds = []ssa.Kind{ssa.I8, ssa.U8, ssa.I16, ssa.U16, ssa.I32, ssa.U32, ssa.I64, ssa.U64}

// number returns an element as a number; ok is false if it does not fit into int64.
func number(k ssa.Kind, x uint64) (n int64, ok bool) {
	if b := 64 - k.Num().Bits(); k.Num().Signed() {
		return int64(x<<b) >> b, true
	}
	return int64(x), int64(x) >= 0
}

// operand returns an element of kind k, and an interval that has it.
func operand(rng *rand.Rand, k ssa.Kind) (uint64, Interval) {
	mask := ^uint64(0) >> (64 - k.Num().Bits())
	x := rng.Uint64() >> rng.IntN(64)
	if rng.IntN(2) == 0 {
		x = -x
	}
	x &= mask
	small := rng.IntN(2) == 0
	if small {
		x %= 16
	}
	n, ok := number(k, x)
	if !ok || rng.IntN(8) == 0 {
		return x, Whole(k)
	}
	if small {
		return x, Of(n-rng.Int64N(3), n+rng.Int64N(3)).Fit(k)
	}
	return x, Of(n-rng.Int64()>>rng.IntN(64)>>1&0xffffffff, n+rng.Int64()>>rng.IntN(64)>>1&0xffffffff).Fit(k)
}

// TestEval: the interval of each operation has its results for random elements in random intervals.
func TestEval(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	narrowed := map[ssa.Op]int{}
	f := &ssa.Func{}
	for op := ssa.OpInvalid + 1; op < ssa.NumOps; op++ {
		info := &ssa.Ops[op]
		if op == ssa.OpPtrAdd || !op.Has(ssa.Elementwise) && op != ssa.OpConvert && op != ssa.OpBitcast || info.NArgs < 1 || info.NArgs > 2 {
			continue
		}
		for range 4000 {
			from := intKinds[rng.IntN(len(intKinds))]
			k, aux := from, int64(0)
			switch op {
			case ssa.OpConvert:
				k, aux = intKinds[rng.IntN(len(intKinds))], ssa.ConvAux(rng.IntN(2) == 0, numeric.RoundDefault)
			case ssa.OpBitcast:
				if from.Num().Signed() {
					k = ssa.Kind(from.Num().Unsigned())
				}
			case ssa.OpAbs, ssa.OpAbsDiff:
				k = ssa.Kind(from.Num().Unsigned())
			case ssa.OpEq, ssa.OpNe, ssa.OpLt, ssa.OpLe:
				k = ssa.Bool
			}
			v := f.NewValue(op, ssa.Scalar(k), 0)
			v.Aux = aux
			bits, of, args := []uint64{}, map[*ssa.Value]Interval{}, []*ssa.Value{}
			for range info.NArgs {
				a := f.NewValue(ssa.OpUndef, ssa.Scalar(from), 0)
				x, r := operand(rng, from)
				bits, of[a], args = append(bits, x), r, append(args, a)
			}
			v.SetArgs(args...)
			got := bits[0]
			if op != ssa.OpBitcast {
				var ok bool
				if got, ok = ssa.EvalScalar(op, k, from, aux, bits); !ok {
					break
				}
			}
			r := Eval(v, func(a *ssa.Value) Interval { return of[a] })
			n, ok := number(k, got)
			if r.Bounded && (!ok || !r.Within(r.Lo, r.Hi) || n < r.Lo || n > r.Hi) {
				t.Fatalf("%v of %v to %v: %v of %v is %d, not in %v", op, from, k, bits, of, n, r)
			}
			if r != r.Fit(k) {
				t.Fatalf("%v: %v does not fit in %v", op, r, k)
			}
			if r.Bounded && r != Whole(k) {
				narrowed[op]++
			}
		}
	}
	for _, op := range []ssa.Op{ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpDiv, ssa.OpRem, ssa.OpMin, ssa.OpMax, ssa.OpAbs, ssa.OpAbsDiff, ssa.OpNeg, ssa.OpNot, ssa.OpAnd, ssa.OpOr,
		ssa.OpXor, ssa.OpShl, ssa.OpShr, ssa.OpAddSat, ssa.OpSubSat, ssa.OpHAdd, ssa.OpRHAdd, ssa.OpClz, ssa.OpCtz, ssa.OpPopcount, ssa.OpConvert, ssa.OpBitcast} {
		if narrowed[op] < 200 {
			t.Errorf("%v: only %d results are bounded", op, narrowed[op])
		}
	}
}

// TestExact: the least intervals of some operations.
func TestExact(t *testing.T) {
	f := &ssa.Func{}
	for _, c := range []struct {
		op   ssa.Op
		k    ssa.Kind
		x, y Interval
		want Interval
	}{
		{ssa.OpAdd, ssa.U8, Of(0, 100), Of(5, 155), Of(5, 255)},
		{ssa.OpAdd, ssa.U8, Of(0, 100), Of(5, 156), Of(0, 255)}, // may wrap
		{ssa.OpAddSat, ssa.U8, Of(200, 255), Of(100, 100), Of(255, 255)},
		{ssa.OpSubSat, ssa.I8, Of(-128, 0), Of(0, 127), Of(-128, 0)},
		{ssa.OpSub, ssa.U64, Of(0, 5), Of(1, 1), Interval{}}, // below 0 it is greater than int64 can express
		{ssa.OpMul, ssa.I32, Of(-3, 4), Of(-5, 6), Of(-20, 24)},
		{ssa.OpDiv, ssa.I32, Of(-7, 9), Of(2, 4), Of(-3, 4)},
		{ssa.OpRem, ssa.I32, Of(-7, 100), Of(8, 8), Of(-7, 7)},
		{ssa.OpRem, ssa.U64, Interval{}, Of(8, 8), Of(0, 7)},
		{ssa.OpAnd, ssa.U64, Interval{}, Of(0, 31), Of(0, 31)},
		{ssa.OpOr, ssa.I32, Of(4, 5), Of(0, 2), Of(4, 7)},
		{ssa.OpShl, ssa.I32, Of(-1, 3), Of(4, 4), Of(-16, 48)},
		{ssa.OpShl, ssa.I32, Of(1, 1), Of(36, 36), Of(16, 16)}, // the count modulo 32
		{ssa.OpShr, ssa.I32, Of(-16, 48), Of(2, 4), Of(-4, 12)},
		{ssa.OpShr, ssa.U64, Interval{}, Of(60, 60), Of(0, 15)},
		{ssa.OpHAdd, ssa.U8, Of(10, 20), Of(30, 41), Of(20, 30)},
		{ssa.OpRHAdd, ssa.U8, Of(10, 20), Of(30, 41), Of(20, 31)},
		{ssa.OpAbsDiff, ssa.U8, Of(10, 20), Of(30, 41), Of(10, 31)},
		{ssa.OpMin, ssa.U64, Interval{}, Of(3, 9), Of(0, 9)},
	} {
		x, y := f.NewValue(ssa.OpUndef, ssa.Scalar(c.k), 0), f.NewValue(ssa.OpUndef, ssa.Scalar(c.k), 0)
		v := f.NewValue(c.op, ssa.Scalar(c.k), 0, x, y)
		got := Eval(v, func(a *ssa.Value) Interval { return map[*ssa.Value]Interval{x: c.x, y: c.y}[a] })
		if got != c.want {
			t.Errorf("%v of %v in %v and %v is in %v, want %v", c.op, c.k, c.x, c.y, got, c.want)
		}
	}
	if r := Of(0, 7).Widened(Of(0, 6), ssa.I16); r != Of(0, 1<<15-1) {
		t.Errorf("widened to %v", r)
	}
	if r := Of(-5, 300).Clamp(ssa.U8); r != Of(0, 255) {
		t.Errorf("clamped to %v", r)
	}
}
