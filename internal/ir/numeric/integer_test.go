package numeric

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

func bigInt[T Int](a T) *big.Int {
	if isSigned[T]() {
		return big.NewInt(int64(a))
	}
	return new(big.Int).SetUint64(uint64(a))
}

// wrap returns the T with v's low bits; clamp returns the T nearest to v.
func wrap[T Int](v *big.Int) T {
	mod := new(big.Int).Lsh(big.NewInt(1), width[T]())
	return T(new(big.Int).Mod(v, mod).Uint64())
}

func clamp[T Int](v *big.Int) T {
	if v.Cmp(bigInt(MinOf[T]())) < 0 {
		return MinOf[T]()
	}
	if v.Cmp(bigInt(MaxOf[T]())) > 0 {
		return MaxOf[T]()
	}
	return wrap[T](v)
}

// bitString returns a's bits, the lowest first.
func bitString[T Int](a T) (s []uint) {
	v := new(big.Int).Mod(bigInt(a), new(big.Int).Lsh(big.NewInt(1), width[T]()))
	for i := uint(0); i < width[T](); i++ {
		s = append(s, v.Bit(int(i)))
	}
	return s
}

func checkInts[T Int](t *testing.T, a, b, c T) {
	t.Helper()
	A, B, C := bigInt(a), bigInt(b), bigInt(c)
	do := func(f func(z, x, y *big.Int) *big.Int, x, y *big.Int) *big.Int { return f(new(big.Int), x, y) }
	add, sub, mul := (*big.Int).Add, (*big.Int).Sub, (*big.Int).Mul
	w := width[T]()
	sum, product := do(add, A, B), do(mul, A, B)
	n := uint(new(big.Int).And(B, big.NewInt(int64(w-1))).Uint64())
	one := big.NewInt(1)
	shifted := func(v *big.Int, n uint) *big.Int { return new(big.Int).Rsh(v, n) } // floor
	quo, rem := new(big.Int), new(big.Int)
	if b != 0 {
		quo.QuoRem(A, B, rem)
	}
	var rotated, zeros, trailing, ones T
	s := bitString(a)
	for i, bit := range s {
		rotated |= T(bit) << ((uint(i) + n) % w)
		ones += T(bit)
		if bit != 0 {
			zeros = 0
		} else {
			zeros++
		}
	}
	for trailing < T(w) && s[trailing] == 0 {
		trailing++
	}
	for _, op := range []struct {
		name      string
		got, want T
	}{
		{"add_sat", AddSat(a, b), clamp[T](sum)},
		{"sub_sat", SubSat(a, b), clamp[T](do(sub, A, B))},
		{"mul_hi", MulHi(a, b), wrap[T](shifted(product, w))},
		{"mad_hi", MadHi(a, b, c), wrap[T](do(add, shifted(product, w), C))},
		{"mad_sat", MadSat(a, b, c), clamp[T](do(add, product, C))},
		{"hadd", Hadd(a, b), wrap[T](shifted(sum, 1))},
		{"rhadd", Rhadd(a, b), wrap[T](shifted(do(add, sum, one), 1))},
		{"abs", Abs(a), wrap[T](new(big.Int).Abs(A))},
		{"abs_diff", AbsDiff(a, b), wrap[T](new(big.Int).Abs(do(sub, A, B)))},
		{"rotate", Rotate(a, b), rotated},
		{"clz", Clz(a), zeros},
		{"ctz", Ctz(a), trailing},
		{"popcount", Popcount(a), ones},
		{"shl", Shl(a, b), wrap[T](new(big.Int).Lsh(A, n))},
		{"shr", Shr(a, b), wrap[T](shifted(A, n))},
		{"div", IntDiv(a, b), wrap[T](quo)},
		{"rem", IntRem(a, b), wrap[T](rem)},
	} {
		if op.got != op.want {
			t.Fatalf("%T: %s(%d, %d, %d) = %d, want %d", a, op.name, a, b, c, op.got, op.want)
		}
	}
	if want := b != 0 && wrap[T](quo) == clamp[T](quo); DivIsDefined(a, b) != want {
		t.Fatalf("%T: %d / %d defined: %v", a, a, b, !want)
	}
}

func testInts[T Int](t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	edges := []T{MinOf[T](), MinOf[T]() + 1, ^T(0), 0, 1, 2, MaxOf[T]() / 2, MaxOf[T]() - 1, MaxOf[T](), T(width[T]()) - 1, T(width[T]()), T(width[T]()) + 1}
	for _, a := range edges {
		for _, b := range edges {
			for _, c := range edges {
				checkInts(t, a, b, c)
			}
		}
	}
	random := func() T { return T(rng.Uint64()) >> rng.UintN(width[T]()) }
	for range 10000 {
		checkInts(t, random(), random(), random())
	}
}

func TestIntegerOps(t *testing.T) {
	t.Run("8 bits", func(t *testing.T) {
		for i := range 1 << 16 {
			checkInts(t, int8(i), int8(i>>8), int8(i*151>>4))
			checkInts(t, uint8(i), uint8(i>>8), uint8(i*151>>4))
		}
	})
	t.Run("i16", testInts[int16])
	t.Run("u16", testInts[uint16])
	t.Run("i32", testInts[int32])
	t.Run("u32", testInts[uint32])
	t.Run("i64", testInts[int64])
	t.Run("u64", testInts[uint64])
}
