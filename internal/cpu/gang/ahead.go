package gang

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Prefetches. A processor has the misses of only a few gathers under way at a time. If the lanes' offsets follow from
// elements side by side in memory, the code reads the elements that a later gang will read there, computes that gang's
// offsets, and asks the machine for what is there.

const (
	aheadLanes = 128 // distance in elements: that many misses are under way
	aheadOps   = 12  // the most instructions that compute the offsets
)

// prefetches finds the roots whose accesses profit, and with Options.Ahead adds prefetches before these, in blocks that
// are executed often.
func (b *builder) prefetches() {
	f := b.f
	far := func(i Inst) bool { return prefetchable(f, &i) }
	if b.o.Large || !slices.ContainsFunc(f.Blocks, func(x *Block) bool { return !x.Cold && slices.ContainsFunc(x.Insts, far) }) {
		return
	}
	defs, counts := make([]*Inst, len(f.Types)), make([]uint8, len(f.Types))
	home := make([]*Block, len(f.Types))
	for x, i := range f.Insts() {
		if x.Cold { // the host performs an access out of bounds
			continue
		}
		defs[i.Dst], home[i.Dst] = i, x
		counts[i.Dst] = min(counts[i.Dst], 1) + 1
	}
	a := &ahead{emitter: b.emitter, def: func(r Reg, in *Block) *Inst {
		if counts[r] != 1 || home[r].Loop != in.Loop {
			return nil
		}
		return defs[r]
	}}
	for _, x := range slices.Clone(f.Blocks) {
		if !x.Cold {
			a.block(x)
		}
	}
	for k, x := range f.Blocks {
		x.ID = k
	}
}

// ahead adds prefetches.
type ahead struct {
	*emitter
	// def returns the only definition of r in blocks that are executed often, or nil if that is not in the innermost loop around a block.
	def func(r Reg, in *Block) *Inst

	seen   []reached
	slice  []*Inst     // what computes the offsets from the loads on, in order
	copies map[Reg]Reg // results in the later gang
}

// A reached identifies what the lanes of an access reach: elements of a root, at offsets with one origin.
type reached struct {
	origin Reg // of the offsets
	root   int32
}

// origin returns the register that an offset is a copy of, with its bits.
func (a *ahead) origin(r Reg, x *Block) Reg {
	for d := a.def(r, x); d != nil && d.Op == OpEach && d.Each == ssa.OpBitcast; d = a.def(r, x) {
		r = d.Args[0]
	}
	return r
}

// prefetchable reports whether an instruction accesses an element of each lane at an offset from memory.
func prefetchable(f *Func, i *Inst) bool {
	switch i.Op {
	case OpLoad, OpStore, OpAtomicAt:
		return (i.Shape == Gather || i.Shape == Rows) && f.Roots[i.Root].Kind == RootParam
	}
	return false
}

// block adds the prefetches for the accesses of a block, each before its access.
func (a *ahead) block(x *Block) {
	for k := 0; k < len(x.Insts); k++ {
		i := x.Insts[k]
		if !prefetchable(a.f, &i) {
			continue
		}
		p := reached{a.origin(i.Args[0], x), i.Root}
		if slices.Contains(a.seen, p) {
			continue
		}
		a.seen = append(a.seen, p)
		a.slice, a.copies = a.slice[:0], map[Reg]Reg{}
		if loads, ok := a.follow(i.Args[0], x); !ok || loads == 0 {
			continue
		}
		if !slices.Contains(a.f.Far, int(i.Root)) {
			a.f.Far = append(a.f.Far, int(i.Root))
		}
		if a.o.Ahead {
			a.f.Forms |= spmd.Ahead
			x, k = a.add(x, k, i), 0
		}
	}
}

// follow collects the instructions that compute r from loads of elements side by side. It returns the number of loads. ok
// means that the others do not depend on the gang.
func (a *ahead) follow(r Reg, x *Block) (loads int, ok bool) {
	if _, ok := a.copies[r]; ok {
		return 0, true
	}
	d := a.def(r, x)
	if d == nil || a.f.Type(r).Class == Scalar {
		return 0, a.f.Type(r).Class == Scalar
	}
	switch d.Op {
	case OpConst, OpSplat:
		return 0, true
	case OpLoad:
		size := int64(a.f.Type(r).Size())
		unit := max(int64(d.Scale), 1)
		if d.Shape != Contiguous || d.Aux != 0 || a.f.Type(r).N != 1 || a.f.Roots[d.Root].Kind == RootPrivate || (aheadLanes*size)%unit != 0 || d.Imm%unit != 0 {
			return 0, false
		}
		loads = 1
	case OpEach:
		for _, arg := range d.Args {
			n, ok := a.follow(arg, x)
			if !ok {
				return 0, false
			}
			loads += n
		}
		if loads == 0 { // the same in each gang
			return 0, true
		}
	default:
		return 0, false
	}
	a.copies[r] = a.f.NewReg(a.f.Types[r])
	a.slice = append(a.slice, d)
	return loads, len(a.slice) <= aheadOps
}

// add adds the prefetch before instruction k of x, and returns the block that continues with that instruction.
func (a *ahead) add(x *Block, k int, i Inst) *Block {
	rest := &Block{Insts: slices.Clone(x.Insts[k:]), Succs: x.Succs, Depth: x.Depth, Loop: x.Loop}
	blocks := []*Block{x}
	x.Insts, x.Succs = x.Insts[:k:k], nil
	emit := func(i Inst) {
		t := blocks[len(blocks)-1]
		t.Insts = append(t.Insts, i)
	}
	for _, d := range a.slice {
		c := *d
		c.Dst, c.Args, c.Mask = a.copies[d.Dst], slices.Clone(d.Args), 0
		if d.Op != OpLoad {
			for n, r := range c.Args {
				if later, ok := a.copies[r]; ok {
					c.Args[n] = later
				}
			}
			emit(c)
			continue
		}
		size := a.f.Type(d.Dst).Size()
		off := a.f.Type(d.Args[0])
		by, at := a.f.NewReg(off), a.f.NewReg(off)
		emit(Inst{Op: OpConst, Dst: by, Imm: (int64(aheadLanes*size) + d.Imm) / max(int64(d.Scale), 1), Pos: i.Pos})
		emit(Inst{Op: OpEach, Each: ssa.OpAdd, Dst: at, Args: []Reg{d.Args[0], by}, Pos: i.Pos})
		emit(Inst{Op: OpCheck, Root: d.Root, Args: []Reg{at}, Scale: d.Scale, Size: int32(size * a.f.Lanes), Pos: i.Pos})
		in := &Block{Depth: x.Depth, Loop: x.Loop}
		blocks[len(blocks)-1].Succs = []*Block{in, rest}
		blocks = append(blocks, in)
		c.Args, c.Imm = []Reg{at}, 0
		emit(c)
	}
	off, ok := a.copies[i.Args[0]]
	if !ok {
		panic("gang: a prefetch of offsets that do not depend on the gang")
	}
	emit(Inst{Op: OpPrefetch, Root: i.Root, Args: []Reg{off}, Scale: i.Scale, Imm: i.Imm, Write: i.Op != OpLoad, Pos: i.Pos})
	emit(Inst{Op: OpJump, Pos: i.Pos})
	blocks[len(blocks)-1].Succs = []*Block{rest}
	at := slices.Index(a.f.Blocks, x) + 1
	a.f.Blocks = slices.Insert(a.f.Blocks, at, append(blocks[1:], rest)...)
	return rest
}
