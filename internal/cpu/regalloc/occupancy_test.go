package regalloc

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestOccupancy assigns and removes random live ranges with holes, in order of time, and compares with a linear
// search of all intervals.
func TestOccupancy(t *testing.T) {
	p := PReg(3)
	var s occupancy
	conflicts, several := 0, 0
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 1))
		s.reset()
		spans := [][]span{nil}
		var all []interval // unordered
		gaps := 1 + r.IntN(40)
		for now := int32(0); now < 3000; now += r.Int32N(4) {
			var cur []span
			from := now
			for range 1 + r.IntN(1+r.IntN(60)) {
				to := from + 1 + r.Int32N(6)
				cur = append(cur, span{from, to})
				from = to + 1 + r.Int32N(int32(6*gaps))
			}
			v := Reg(len(spans))
			spans = append(spans, cur)
			var want []Reg
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
				t.Fatalf("seed %d at %d: free is %v with %d conflicts", seed, now, free, len(want))
			}
			got := s.conflicts(p, cur, nil)
			slices.Sort(got)
			if got = slices.Compact(got); !slices.Equal(got, want) {
				t.Fatalf("seed %d at %d: the conflicts are %v, want %v", seed, now, got, want)
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
				all = slices.DeleteFunc(all, func(x interval) bool { return slices.Contains(want, x.v) })
			}
			s.add(p, v, cur)
			for _, c := range cur {
				all = append(all, interval{c, v})
			}
		}
	}
	if conflicts < 1000 || several < 100 {
		t.Errorf("only %d conflicts, %d with several registers", conflicts, several)
	}
}
