package interp

import (
	"maps"
	"math/rand/v2"
	"testing"
)

// TestClockMap compares maps with Go's.
func TestClockMap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	type pair struct {
		m    *clockMap
		want map[uint64]uint32
	}
	list := []pair{{nil, map[uint64]uint32{}}}
	keys := make([]uint64, 300)
	for i := range keys {
		keys[i] = r.Uint64() >> r.IntN(64)
	}
	keys[0], keys[1], keys[2] = 0, 1<<63, ^uint64(0)
	for range 3000 {
		p := list[r.IntN(len(list))]
		want := maps.Clone(p.want)
		var m *clockMap
		if r.IntN(3) == 0 {
			q := list[r.IntN(len(list))]
			m = p.m.join(q.m)
			for k, c := range q.want {
				want[k] = max(want[k], c)
			}
		} else {
			k, c := keys[r.IntN(len(keys))], 1+r.Uint32N(9)
			m = p.m.put(k, c)
			want[k] = max(want[k], c)
		}
		for _, k := range keys {
			if m.at(k) != want[k] {
				t.Fatalf("clock of %#x is %d, want %d", k, m.at(k), want[k])
			}
		}
		if m.join(p.m) != m || p.m.join(m).join(m) != p.m.join(m) {
			t.Fatal("what adds nothing makes another map")
		}
		if list = append(list, pair{m, want}); len(list) > 60 {
			list = list[1:]
		}
	}
}
