package x86

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Copies of local arrays. In a part of a work-group's function, loops may only add to the elements of a local array, as in
// a histogram. Lanes with one element wait for each other's stores. The lanes therefore change the array and copies of it in
// turn. The copies are in the context. They are cleared before the first gang executes the part, and added to the array
// after the last one.

const (
	maxLocalCopied = 1 << 10 // bytes of an array with copies
	fewLocalCopied = 1 << 9  // bytes of an array above which it has one copy, because more take too much of the cache
	localCopyUnit  = 16      // bytes; the size of an array with copies is a multiple of it
)

// A localCopy describes the copies of a local array in a part.
type localCopy struct {
	root, size, es int
	n              int   // copies
	at             int32 // of the first one in the context; they follow each other
}

// A copiedPart is a part with copies: the blocks from first to the one that ends in OpNext.
type copiedPart struct {
	first  *gang.Block
	copies []*localCopy
}

// copiedParts has the copies of the local arrays of a function.
type copiedParts struct {
	list []copiedPart
	of   map[*gang.Inst]*localCopy // by atomic operation
}

// A copyFinder finds the local arrays that have copies.
type copyFinder struct{ *objects }

// layoutLocalCopies finds the local arrays with copies and reserves memory in the context for them.
func (o *objects) layoutLocalCopies() {
	s := copyFinder{o}
	if !s.f.Groups || s.n > maxInline || !s.addsToLocal() {
		return
	}
	from := (s.out.CtxSize + 63) &^ 63
	for _, b := range s.f.Blocks {
		if b.Term().Op != gang.OpNext {
			continue
		}
		p, end := copiedPart{first: b.Succs[0]}, from
		blocks := s.partBlocks(b)
		for root := range s.f.Roots {
			c := s.localCopyOf(root, blocks)
			if c == nil {
				continue
			}
			c.at = int32(end)
			end += c.n * c.size
			p.copies = append(p.copies, c)
		}
		if len(p.copies) > 0 {
			s.localCopies.list = append(s.localCopies.list, p)
			s.out.CtxSize = max(s.out.CtxSize, end)
		}
	}
}

// addsToLocal reports whether the function has an atomic operation on a local array.
func (s *copyFinder) addsToLocal() bool {
	for _, i := range s.f.Insts() {
		if i.Op == gang.OpAtomicAt && s.f.Roots[i.Root].Local {
			return true
		}
	}
	return false
}

// partBlocks returns the blocks of the part that last ends. It returns nil if the function may end within it, or if it has a
// loop around its first block.
func (s *copyFinder) partBlocks(last *gang.Block) []*gang.Block {
	list, inside := []*gang.Block{last.Succs[0]}, make([]bool, len(s.f.Blocks))
	inside[list[0].ID] = true
	for k := 0; k < len(list); k++ {
		b := list[k]
		switch {
		case b == last:
			continue
		case b.Term().Op == gang.OpNext, b.Term().Op == gang.OpReturn:
			return nil
		}
		for _, t := range b.Succs {
			if !inside[t.ID] {
				inside[t.ID] = true
				list = append(list, t)
			}
		}
	}
	for _, b := range s.f.Blocks {
		if b == last || !slices.Contains(b.Succs, list[0]) {
			continue
		}
		if inside[b.ID] || b.Term().Op == gang.OpNext && b.Succs[0] == list[0] {
			return nil
		}
	}
	return list
}

// localCopyOf returns copies of a root in a part, nil if it should have none: if it is no small local array, if no loop
// adds to it, or if the part may access it otherwise.
func (s *copyFinder) localCopyOf(root int, blocks []*gang.Block) *localCopy {
	r := &s.f.Roots[root]
	if len(blocks) == 0 || !r.Local || r.Var == nil || r.Var.Size == 0 || r.Var.Size > maxLocalCopied || r.Var.Size%localCopyUnit != 0 {
		return nil
	}
	c := &localCopy{root: root, size: int(r.Var.Size), n: MaxCopies - 1}
	if c.size > fewLocalCopied {
		c.n = 1
	}
	adds, loops, at := []*gang.Inst(nil), false, map[int32]bool{}
	for _, b := range blocks {
		for k := range b.Insts {
			i := &b.Insts[k]
			if i.Op != gang.OpAtomicAt {
				continue
			}
			at[i.Access] = true
			if int(i.Root) != root {
				continue
			}
			es := s.addition(i)
			if es == 0 || c.es != 0 && c.es != es {
				return nil
			}
			c.es = es
			adds, loops = append(adds, i), loops || b.Depth > blocks[0].Depth
		}
	}
	if !loops || slices.ContainsFunc(blocks, func(b *gang.Block) bool { return s.otherwise(root, at, b) }) {
		return nil
	}
	if s.localCopies.of == nil {
		s.localCopies.of = map[*gang.Inst]*localCopy{}
	}
	for _, i := range adds {
		s.localCopies.of[i] = c
		s.out.InCopies = append(s.out.InCopies, i.Access)
	}
	return c
}

// addition returns the size of the elements to which an atomic operation adds or subtracts integers without use of the
// result; 0 if it may do more. Sums at other addresses than multiples of their size depend on the order of the additions.
func (s *copyFinder) addition(i *gang.Inst) int {
	if i.Each != ssa.OpAtomicRMW || i.Dst != 0 {
		return 0
	}
	t := s.f.Type(i.Args[1])
	rmw, _, _ := ssa.AtomicParts(i.Aux)
	if rmw != ssa.RMWAdd && rmw != ssa.RMWSub || t.N != 1 || t.K.Num().IsFloat() {
		return 0
	}
	es := t.Size()
	if i.Shape != gang.Gather || i.Scale == 0 || int(i.Scale)%es != 0 || i.Imm%int64(es) != 0 {
		return 0
	}
	return es
}

// otherwise reports whether block b may access a local root other than by its additions. at has the atomic operations whose
// objects are known.
func (s *copyFinder) otherwise(root int, at map[int32]bool, b *gang.Block) bool {
	for k := range b.Insts {
		i := &b.Insts[k]
		switch i.Op {
		case gang.OpLoad, gang.OpStore:
			if int(i.Root) == root {
				return true
			}
		case gang.OpAtomic:
			if s.mayAccess(root, i) && !at[i.Access] {
				return true
			}
		case gang.OpLoadPtr, gang.OpStorePtr, gang.OpCopyPtr, gang.OpZeroPtr:
			if s.mayAccess(root, i) {
				return true
			}
		case gang.OpCall, gang.OpBarrier, gang.OpLeave:
			return true
		}
	}
	return false
}

// mayAccess reports whether i may access a local root through a pointer.
func (s *copyFinder) mayAccess(root int, i *gang.Inst) bool {
	return slices.ContainsFunc(i.Args, func(r gang.Reg) bool {
		k := s.f.Type(r).K
		at := s.pointsInto(r)
		return (k == ssa.PtrLocal || k == ssa.PtrGeneric) && (at < 0 || at == root)
	})
}

// pointsInto returns the root of a pointer, -1 if it is not known.
func (s *copyFinder) pointsInto(r gang.Reg) int {
	for {
		d := s.def[r]
		switch {
		case d == nil:
			return -1
		case d.Op == gang.OpRoot:
			return int(d.Root)
		case d.Op == gang.OpCopy, d.Op == gang.OpSplat, d.Op == gang.OpRamp, d.Op == gang.OpFirst, d.Op == gang.OpEach && d.Each == ssa.OpPtrAdd:
			r = d.Args[0]
		default:
			return -1
		}
	}
}

// places returns the memory that lanes change in turn, for the atomic operation i on an object at base: the object, and its
// copies if it has any.
func (s *selector) places(i *gang.Inst, base reg) []mem {
	list := []mem{at(base, 0)}
	if c := s.localCopies.of[i]; c != nil {
		for k := range c.n {
			list = append(list, ctxAt(c.at+int32(k*c.size)+int32(i.Imm)))
		}
	}
	return list
}

// copiesFrom returns the copies of the part that begins at b.
func (s *selector) copiesFrom(b *gang.Block) []*localCopy {
	for _, p := range s.localCopies.list {
		if p.first == b {
			return p.copies
		}
	}
	return nil
}

// clearCopies clears the copies of the part that begins at b, where control enters it.
func (s *selector) clearCopies(b *gang.Block) {
	for _, c := range s.copiesFrom(b) {
		s.clear(ctxAt(c.at), c.n*c.size)
	}
}

// clearBetween puts a block before each successor of b that begins a part with copies; the block clears the copies. The
// returned function emits the blocks.
func (s *selector) clearBetween(b *gang.Block, to []*mblock) (emit func()) {
	type edge struct {
		block *mblock
		part  *gang.Block
	}
	var edges []edge
	for k, t := range b.Succs {
		if len(s.copiesFrom(t)) > 0 {
			to[k] = s.newBlock(s.cur.depth)
			edges = append(edges, edge{to[k], t})
		}
	}
	return func() {
		for _, e := range edges {
			s.aside(e.block, func() {
				s.clearCopies(e.part)
				s.jump(s.to[e.part.ID])
			})
		}
	}
}

// addCopies adds the copies of the part that begins at b to the arrays, at its end.
func (s *selector) addCopies(b *gang.Block) {
	for _, c := range s.copiesFrom(b) {
		s.addCopy(c)
	}
}

// addCopy adds copies to their array.
func (s *selector) addCopy(c *localCopy) {
	w := int(s.lv.VL)
	for c.size%w != 0 {
		w /= 2
	}
	wide, op, base := asm.Width(w), vadd[c.es], s.rootBaseReg(c.root)
	add := func(array mem, q mem) {
		sum := s.vload(asm.VMOVUPS, wide, array)
		for range c.n {
			sum = s.rvm(op, wide, sum, s.vload(asm.VMOVUPS, wide, q))
			q.disp += int32(c.size)
		}
		s.vstore(asm.VMOVUPSST, wide, array, sum, 0)
	}
	if c.size <= 4*w {
		for off := 0; off < c.size; off += w {
			add(at(base, int32(off)), ctxAt(c.at+int32(off)))
		}
		return
	}
	off := s.g()
	s.movi(off, 0)
	loop := s.newBlock(s.cur.depth + 1)
	loop.cold = s.cur.cold
	s.place(loop)
	array, q := at(base, 0), ctxAt(c.at)
	array.index, array.scale, q.index, q.scale = off, 1, off, 1
	add(array, q)
	s.opi(asm.ADDIMM, 8, off, int64(w))
	s.cmpi(8, off, int64(c.size))
	s.jcc(asm.JB, loop)
}
