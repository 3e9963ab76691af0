package x86

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Indices of atomic operations from memory, as in a histogram of bytes: where a vector of narrow unsigned integers is loaded
// only to index local memory, each instruction reads its index from memory. That takes fewer instructions than taking it
// out of a vector register.

// findSources finds such vectors. A general register has the address of their elements.
func (s *selector) findSources() {
	for _, b := range s.f.Blocks {
		for k := range b.Insts {
			i := &b.Insts[k]
			if i.Op != gang.OpAtomicAt || i.Dst != 0 || !s.f.Roots[i.Root].Local {
				continue
			}
			if r, _ := s.narrowIndices(i); r != 0 && s.reads[r] == 1 && s.reads[i.Args[0]] == 1 && s.unchanged(r, b, k) {
				s.sources[r] = s.g()
			}
		}
	}
}

// unchanged reports whether the elements of a vector are in memory, unchanged, at instruction k of block b: they are loaded
// before it in the block, or at the end of the blocks before.
func (s *selector) unchanged(r gang.Reg, b *gang.Block, k int) bool {
	found := int32(0)
	loads := func(b *gang.Block, end int) bool {
		for _, x := range slices.Backward(b.Insts[:end]) {
			switch {
			case x.Dst == r:
				found++
				return x.Op == gang.OpLoadPtr || x.Op == gang.OpLoad && x.Shape == gang.Contiguous && x.Mask == 0 && !s.f.Roots[x.Root].Local
			case !slices.Contains([]gang.Op{gang.OpEach, gang.OpConst, gang.OpSplat, gang.OpRamp, gang.OpCopy, gang.OpFirst, gang.OpJump}, x.Op):
				return false
			}
		}
		return false
	}
	if s.home[r] == int32(b.ID) && s.defs[r] == 1 {
		return loads(b, k)
	}
	for _, x := range b.Insts[:k] {
		if !slices.Contains([]gang.Op{gang.OpEach, gang.OpConst, gang.OpSplat, gang.OpRamp, gang.OpCopy}, x.Op) {
			return false
		}
	}
	for _, p := range s.f.Blocks {
		if slices.Contains(p.Succs, b) && (len(p.Succs) != 1 || !loads(p, len(p.Insts))) {
			return false
		}
	}
	return found == s.defs[r]
}

// narrowIndices returns the vector that an atomic operation's indices are converted from, and its elements' size in bytes. The
// vector is 0 if there is none.
func (s *selector) narrowIndices(i *gang.Inst) (r gang.Reg, size int) {
	d := s.def[i.Args[0]]
	if i.Shape != gang.Gather || i.Mask != 0 || i.Scale == 0 || i.Scale > 8 || d == nil || d.Op != gang.OpEach || d.Each != ssa.OpConvert {
		return 0, 0
	}
	if k := s.f.Type(d.Args[0]).K; k == ssa.U8 || k == ssa.U16 {
		return d.Args[0], k.Num().Size()
	}
	return 0, 0
}
