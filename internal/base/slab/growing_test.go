package slab

import (
	"math/rand/v2"
	"testing"
)

// An inst is what the lists of the tests hold.
type inst struct {
	reg int
	imm int64
}

// TestGrowingKeeps: a Growing reuses zeroed memory, but does not keep what only the largest kernels need.
func TestGrowingKeeps(t *testing.T) {
	var s Growing[inst]
	take := func(lists, long int) {
		for range lists {
			list := s.Extend(nil, long)[:long]
			for i := range list {
				if list[i] != (inst{}) {
					t.Fatal("an instruction is not zero")
				}
				list[i].imm = 1
			}
		}
	}
	for range 2 {
		take(100, 50)
		small := s.n
		s.Reset()
		if len(s.chunks) != small {
			t.Errorf("%d chunks were kept of %d", len(s.chunks), small)
		}
		take(3, 10*maxChunk)
		take(2*keptChunks, maxChunk)
		s.Reset()
		kept := 0
		for _, x := range s.chunks {
			kept += len(x)
		}
		if kept == 0 || kept > keptChunks*maxChunk {
			t.Errorf("%d instructions are kept", kept)
		}
		s = Growing[inst]{}
	}
}

// TestGrowing extends many lists in turn, in new memory and in reused memory: each keeps its contents.
func TestGrowing(t *testing.T) {
	var s Growing[inst]
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
			x := s.Extend(lists[cur], more)
			if cap(x)-len(x) < more {
				t.Fatalf("no room for %d more", more)
			}
			for range more {
				x = append(x, inst{reg: cur, imm: int64(n + len(x))})
			}
			lists[cur] = x
			if n%5000 == 0 {
				lists[cur] = nil // another list begins
			}
		}
		for k, list := range lists {
			last := int64(-1)
			for _, i := range list {
				if i.reg != k || i.imm <= last {
					t.Fatalf("round %d: list %d has %v, which it was not given", round, k, i)
				}
				last = i.imm
			}
		}
		s.Reset()
		for _, c := range s.chunks {
			for k := range c {
				if c[k] != (inst{}) {
					t.Fatal("something is left in memory that is free")
				}
			}
		}
	}
}
