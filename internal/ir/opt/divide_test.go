package opt

import (
	"math/rand/v2"
	"testing"

	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// TestDivide compares divisions by constants with Go's: all 8-bit divisors and many of 16, 32 and 64 bits, with
// dividends around their multiples and the limits of the type.
func TestDivide(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, k := range []ssa.Kind{ssa.I8, ssa.U8, ssa.I16, ssa.U16, ssa.I32, ssa.U32, ssa.I64} {
		n := k.Num().Bits()
		var divisors []uint64
		for i := range uint64(256) {
			if n > 8 && i >= 80 {
				break
			}
			divisors = append(divisors, i, -i, 1<<(n-1)-i, 1<<(i%uint64(n))+i/64, rng.Uint64()>>(i%64))
		}
		for _, d := range divisors {
			if d &= ones(k); d != 0 && d != ones(k) {
				checkDivisor(t, rng, k, d)
			}
		}
	}
}

func checkDivisor(t *testing.T, rng *rand.Rand, k ssa.Kind, d uint64) {
	t.Helper()
	m := &ssa.Module{}
	typ := ssa.Scalar(k)
	f := m.NewFunc("f", ssa.Vec(k, 2))
	b := ssa.Builder{F: f, B: f.NewBlock("")}
	x := b.Aux(ssa.OpParam, typ, 0)
	f.Params = append(f.Params, x)
	c := b.Const(typ, d)
	b.Return(b.Value(ssa.OpVec, f.Result, b.Value(ssa.OpDiv, typ, x, c), b.Value(ssa.OpRem, typ, x, c)))
	if err := RunPasses(m, []string{"divide", "simplify"}, Config{Verify: true}); err != nil {
		t.Fatal(err)
	}
	all := ones(k)
	tries := []uint64{0, 1, 2, all, all - 1, all >> 1, all>>1 + 1, all>>1 - 1, all>>1 + 2}
	for range 6 {
		q := rng.Uint64() >> rng.IntN(64)
		tries = append(tries, q, d*q, d*q-1, d*q+1, -d*q, 1-d*q, all-d*q)
	}
	for _, a := range tries {
		a &= all
		mach := &machine{globals: map[*ssa.Global]uint64{}}
		got := mach.call(f, [][]uint64{{a}})
		var q, r uint64
		if s := 64 - k.Num().Bits(); k.Num().Signed() {
			x, y := int64(a)<<s>>s, int64(d)<<s>>s
			q, r = uint64(numeric.IntDiv(x, y))&all, uint64(numeric.IntRem(x, y))&all
		} else {
			q, r = a/d, a%d
		}
		if got[0] != q || got[1] != r {
			t.Fatalf("%v %#x / %#x: got %#x, %#x, want %#x, %#x\n%s", k, a, d, got[0], got[1], q, r, m)
		}
	}
}
