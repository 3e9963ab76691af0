package codegen

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/purecl/purecl/internal/cpu/asm"
)

// TestTenants gives a machine register to virtual ones with many holes, at times that go
// on, and takes it from some again, beside a list of all tenancies that is searched from
// end to end.
func TestTenants(t *testing.T) {
	p := asm.V(3)
	var s tenants
	conflicts, several := 0, 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 1))
		s.reset()
		spans := [][]span{nil}
		var all []tenancy // without order
		gaps := 1 + r.IntN(40)
		for now := int32(0); now < 3000; now += r.Int32N(4) {
			var cur []span
			from := now
			for range 1 + r.IntN(1+r.IntN(60)) {
				to := from + 1 + r.Int32N(6)
				cur = append(cur, span{from, to})
				from = to + 1 + r.Int32N(int32(6*gaps))
			}
			v := reg(len(spans))
			spans = append(spans, cur)
			var want []reg
			for _, x := range all {
				for _, c := range cur {
					if x.from < c.to && x.to > c.from {
						want = append(want, x.v)
					}
				}
			}
			slices.Sort(want)
			want = slices.Compact(want)
			if free := s.free(p, cur); free != (len(want) == 0) {
				t.Fatalf("seed %d at %d: free is %v with %d tenants", seed, now, free, len(want))
			}
			got := s.conflicts(p, cur, nil)
			slices.Sort(got)
			if got = slices.Compact(got); !slices.Equal(got, want) {
				t.Fatalf("seed %d at %d: the tenants are %v, want %v", seed, now, got, want)
			}
			if len(want) > 0 {
				if conflicts++; len(want) > 1 {
					several++
				}
				if r.IntN(3) > 0 {
					continue
				}
				for _, x := range want {
					s.remove(p, x, spans[x], now)
				}
				all = slices.DeleteFunc(all, func(x tenancy) bool { return slices.Contains(want, x.v) })
			}
			s.add(p, v, cur)
			for _, c := range cur {
				all = append(all, tenancy{c, v})
			}
		}
	}
	if conflicts < 1000 || several < 100 {
		t.Errorf("only %d conflicts, %d with several tenants", conflicts, several)
	}
}

// TestStore extends many lists by turns, in new memory and in memory used again: each keeps
// what was put into it.
func TestStore(t *testing.T) {
	var s store
	for round := range 3 {
		r := rand.New(rand.NewPCG(uint64(round), 2))
		lists := make([][]inst, 50)
		cur := 0
		for n := range 100_000 {
			if r.IntN(20) == 0 {
				cur = r.IntN(len(lists))
			}
			more := 1
			if r.IntN(500) == 0 {
				more = r.IntN(300)
			}
			x := s.extend(lists[cur], more)
			if cap(x)-len(x) < more {
				t.Fatalf("no room for %d more", more)
			}
			for range more {
				x = append(x, inst{reg: reg(cur), imm: int64(n + len(x))})
			}
			lists[cur] = x
			if n%5000 == 0 {
				lists[cur] = nil // another list begins
			}
		}
		for k, list := range lists {
			last := int64(-1)
			for _, i := range list {
				if i.reg != reg(k) || i.imm <= last {
					t.Fatalf("round %d: list %d has %v, which it was not given", round, k, i)
				}
				last = i.imm
			}
		}
		s.reset()
		for _, c := range s.chunks {
			for k := range c {
				if c[k] != (inst{}) {
					t.Fatal("something is left in memory that is free")
				}
			}
		}
	}
}
