package codegen

import "testing"

// TestStoreKeeps: memory is used again, zeroed, but not as much as the largest kernels need.
func TestStoreKeeps(t *testing.T) {
	var s store
	take := func(lists, long int) {
		for range lists {
			list := s.extend(nil, long)[:long]
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
		s.reset()
		if len(s.chunks) != small {
			t.Errorf("%d chunks were kept of %d", len(s.chunks), small)
		}
		take(3, 10*maxChunk)
		take(2*keptChunks, maxChunk)
		s.reset()
		kept := 0
		for _, x := range s.chunks {
			kept += len(x)
		}
		if kept == 0 || kept > keptChunks*maxChunk {
			t.Errorf("%d instructions are kept", kept)
		}
		s = store{}
	}
}
