package opt

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestInFloat compares operations on floats with the same operations on doubles that are rounded to floats, near ends of the
// range and of halves of the last bit too.
func TestInFloat(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	number := func() float32 {
		bits := r.Uint32()
		switch r.IntN(4) {
		case 0:
			bits &= 0x807fffff // subnormal
		case 1:
			bits &^= r.Uint32() & 0x7fffff >> r.IntN(23) // few bits
		case 2:
			bits |= 1<<r.IntN(23) - 1
		}
		return math.Float32frombits(bits)
	}
	for range 1 << 20 {
		a, b := number(), number()
		x, y := float64(a), float64(b)
		for name, both := range map[string][2]float32{
			"+": {a + b, float32(x + y)}, "-": {a - b, float32(x - y)}, "*": {a * b, float32(x * y)}, "/": {a / b, float32(x / y)},
		} {
			if math.Float32bits(both[0]) != math.Float32bits(both[1]) && (both[0] == both[0] || both[1] == both[1]) {
				t.Fatalf("%x %s %x: %x, by doubles %x", a, name, b, both[0], both[1])
			}
		}
	}
}
