package x86

import (
	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// prefetch selects a prefetch of each lane's element. A processor ignores a prefetch of an address that is not mapped.
func prefetch(s *selector, i *gang.Inst) {
	op := asm.PREFETCHT0
	if i.Write {
		op = asm.PREFETCHW
	}
	each := s.lanesAt(s.gatherAt(i, false))
	for lane := range s.n {
		s.emit(inst{op: op, m: each(lane)})
	}
}
