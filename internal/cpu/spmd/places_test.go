package spmd

import (
	"math/rand/v2"
	"testing"
)

// TestPlaces compares sets of positions with bit sets.
func TestPlaces(t *testing.T) {
	const n = 20
	r := rand.New(rand.NewPCG(1, 2))
	of := func(bits uint32) places {
		var list []int32
		for k := range int32(n) {
			if bits>>k&1 != 0 {
				list = append(list, k)
			}
		}
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		return placesOf(list)
	}
	check := func(what string, s places, want uint32) {
		t.Helper()
		for i, x := range s {
			if x.from >= x.to || i > 0 && x.from <= s[i-1].to {
				t.Fatalf("%s: %v touch", what, s)
			}
		}
		next := int32(-1)
		for k := int32(n); k >= 0; k-- {
			in := want>>k&1 != 0
			if in {
				next = k
			}
			if s.has(k) != in || s.next(k) != next {
				t.Fatalf("%s: %v.next(%d) is %d, not %d", what, s, k, s.next(k), next)
			}
		}
	}
	for range 20000 {
		a, b := r.Uint32N(1<<n), r.Uint32N(1<<n)
		if r.IntN(3) == 0 {
			b &= a
		}
		if r.IntN(3) == 0 {
			a &= r.Uint32() & r.Uint32()
		}
		x, y := of(a), of(b)
		check("list", x, a)
		check("union", x.union(y), a|b)
		check("without", x.without(y), a&^b)
		k := r.Int32N(n)
		for j := range int32(n) {
			if some := x.after(k); j > k && some.has(j) != x.has(j) || some.has(j) && !x.has(j) {
				t.Fatalf("%v after %d is %v", x, k, some)
			}
		}
		if x.contains(y) != (b&^a == 0) {
			t.Fatalf("%v contains %v: %v", x, y, x.contains(y))
		}
	}
}
