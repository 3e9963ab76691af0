package x86

import (
	"fmt"
	"slices"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// The registers of a gang function's registers.

// A held value is where a gang register's elements are. A scalar float has a vector register with the number in
// every element.
type held struct {
	g reg   // a scalar integer, pointer or bool
	v []vec // by number of an element of each lane; of a scalar float one register
	f vec   // the elements of all lanes side by side, where a lane has several
	k mask  // a predicate
}

// A selectedBlock is what is known in the gang block under construction.
type selectedBlock struct {
	at      *gang.Block
	n       int                // the number of the instruction under selection
	parts   map[gang.Reg][]vec // of vectors in memory order, taken apart
	private reg
	firstAt mem // where the first lane's elements of the last such load are: see foldLoads
}

// begin begins a block.
func (s *selectedBlock) begin(b *gang.Block) {
	clear(s.parts)
	s.at, s.private = b, 0
}

// operands maps the registers of a gang function to machine registers.
type operands struct {
	*lowerer
	perRegister
	owned map[reg]bool        // registers of gang registers with several definitions
	bools map[gang.Reg][]mask // of predicates of several elements: each element's
	block selectedBlock
	// separate are vectors with several definitions whose elements are in registers of their own.
	separate map[gang.Reg]bool
}

// perRegister has facts of gang registers, by number. Their memory is the workspace's.
type perRegister struct {
	held  []held
	defs  []int32      // instructions that write it
	reads []int32      // and that read it
	at    []int32      // and for which it is the offset of an access at one address or to neighbouring elements
	def   []*gang.Inst // and its only definition
	home  []int32      // and the number of its last definition's block
	moved []bool       // and whether it is copied to a variable
	folds []bool       // and whether another instruction does its only definition's work
	where []place      // and, if it is assigned once, the place behind its definition
}

// reset makes zeroed facts of n registers.
func (p *perRegister) reset(n int) {
	p.held, p.defs, p.reads, p.def, p.home = zeroed(p.held, n), zeroed(p.defs, n), zeroed(p.reads, n), zeroed(p.def, n), zeroed(p.home, n)
	p.moved, p.folds, p.where, p.at = zeroed(p.moved, n), zeroed(p.folds, n), zeroed(p.where, n), zeroed(p.at, n)
}

// newOperands counts the definitions and uses of a function's registers.
func newOperands(l *lowerer) *operands {
	f := l.f
	l.work.operands.reset(len(f.Types))
	s := &operands{lowerer: l, perRegister: l.work.operands, owned: map[reg]bool{}, bools: map[gang.Reg][]mask{}}
	s.block.parts = map[gang.Reg][]vec{}
	for b, i := range f.Insts() {
		s.defs[i.Dst]++
		s.def[i.Dst] = i
		s.home[i.Dst] = int32(b.ID)
		s.reads[i.Mask]++
		if (i.Op == gang.OpLoad || i.Op == gang.OpStore) && (i.Shape == gang.Contiguous || i.Shape == gang.Uniform) {
			s.at[i.Args[0]]++
		}
		for _, a := range i.Args {
			s.reads[a]++
			if a == i.Dst {
				s.defs[a]++ // it has a value before
			}
		}
	}
	for r := range s.def {
		if s.defs[r] != 1 {
			s.def[r] = nil
		}
	}
	for _, i := range f.Insts() {
		switch {
		case i.Dst == 0 || s.defs[i.Dst] == 1:
		case i.Op == gang.OpCopy:
			s.moved[i.Args[0]] = true
		case i.Op == gang.OpEach && i.Each == ssa.OpSelect:
			s.moved[i.Args[1]] = true
		}
	}
	return s
}

// near makes code where a register that is assigned once is known.
func (s *operands) near(r gang.Reg, f func()) {
	if p := s.where[r]; p.block != nil && s.defs[r] == 1 {
		if _, ok := s.bits(r); !ok {
			s.insertAt(p.block, p.at, f)
			return
		}
	}
	s.insertAt(s.pre, -1, f)
}

// isGeneral reports whether a gang register is in a general register.
func isGeneral(t gang.Type) bool { return t.Class == gang.Scalar && !t.K.Num().IsFloat() }

// whole reports whether the elements of a vector are in memory order.
func wholeType(t gang.Type) bool { return t.Class != gang.Scalar && t.N > 1 && t.N&(t.N-1) == 0 }

// bits returns the bits of a constant.
func (s *operands) bits(r gang.Reg) (uint64, bool) {
	if d := s.def[r]; d != nil && d.Op == gang.OpConst {
		return uint64(d.Imm), true
	}
	return 0, false
}

// constant returns the bits of a constant, or those of a constant in all lanes.
func (s *operands) constant(r gang.Reg) (uint64, bool) {
	if d := s.def[r]; d != nil && d.Op == gang.OpSplat {
		return s.bits(d.Args[0])
	}
	return s.bits(r)
}

// small returns a constant that fits an immediate of a scalar operand's size.
func (s *operands) small(r gang.Reg) (int64, bool) {
	x, ok := s.bits(r)
	if !ok {
		return 0, false
	}
	if s.f.Type(r).Size() == 8 {
		return int64(x), int64(x) == int64(int32(x))
	}
	return int64(int32(x)), true
}

// variable returns the registers of a gang register with several definitions.
func (s *operands) variable(r gang.Reg) *held {
	h, t := &s.held[r], s.f.Type(r)
	if h.g != 0 || h.v != nil || h.f != nil || h.k != nil {
		return h
	}
	switch {
	case isGeneral(t):
		h.g = s.g()
	case t.Class == gang.Predicate:
		s.within(s.lanes*int(t.N), func() { h.k = s.newMask() })
	case t.Class == gang.Scalar:
		h.v = []vec{{s.vr()}}
	case wholeType(t) && !s.separate[r]:
		h.f = s.rawVec(t.Size(), int(t.N))
	default:
		for range t.N {
			h.v = append(h.v, s.newVec(t.Size()))
		}
	}
	own := func(list []reg) {
		for _, x := range list {
			s.owned[x] = x != 0
		}
	}
	if h.g != 0 {
		s.owned[h.g] = true
	}
	own(h.f)
	own(h.k)
	for _, list := range h.v {
		own(list)
	}
	return h
}

// of returns the registers of a gang register.
func (s *operands) of(r gang.Reg) *held {
	if s.defs[r] != 1 {
		return s.variable(r)
	}
	return &s.held[r]
}

// shares reports whether a register that is assigned once may not share these: they may be overwritten before its
// value is copied to a variable.
func (s *operands) shares(r gang.Reg, list []reg) bool {
	return s.moved[r] && slices.ContainsFunc(list, func(x reg) bool { return s.owned[x] })
}

// setG gives a scalar in a general register its value.
func (s *operands) setG(r gang.Reg, g reg) {
	if s.defs[r] != 1 {
		if d := s.variable(r).g; d != g {
			s.mov(d, g)
		}
		return
	}
	if s.shares(r, []reg{g}) {
		g = s.copyG(g)
	}
	s.held[r].g = g
}

// assign copies the registers of a vector to a variable's.
func (s *operands) assign(d, p vec) { copyEach(d, p, s.vmov) }

// setV gives a vector of one element, a vector in memory order or a scalar float its value.
func (s *operands) setV(r gang.Reg, p vec) {
	t := s.f.Type(r)
	if t.N > 1 && !wholeType(t) {
		panic(fmt.Sprintf("x86: %d elements in memory order", t.N))
	}
	if s.separate[r] {
		s.setParts(r, s.components(p, t.Size(), int(t.N)))
		return
	}
	if s.defs[r] != 1 {
		h := s.variable(r)
		delete(s.block.parts, r)
		if wholeType(t) {
			s.assign(h.f, p)
		} else {
			s.assign(h.v[0], p)
		}
		return
	}
	p = s.copied(p, s.shares(r, p))
	if wholeType(t) {
		s.held[r].f = p
	} else {
		s.held[r].v = []vec{p}
	}
}

// setParts gives a vector of several elements its elements.
func (s *operands) setParts(r gang.Reg, ps []vec) {
	t := s.f.Type(r)
	switch {
	case len(ps) == 1:
		s.setV(r, ps[0])
	case s.defs[r] == 1:
		if s.moved[r] {
			for c := range ps {
				ps[c] = s.copied(ps[c], s.shares(r, ps[c]))
			}
		}
		s.held[r].v = ps
	case wholeType(t) && !s.separate[r]:
		s.setV(r, s.sideBySide(ps, t.Size()))
	default:
		h := s.variable(r)
		for c := range ps {
			s.assign(h.v[c], ps[c])
		}
	}
}

// setK gives a predicate its value.
func (s *operands) setK(r gang.Reg, m mask) {
	if s.defs[r] != 1 {
		s.copyMask(s.variable(r).k, m)
		return
	}
	s.held[r].k = s.copiedMask(m, s.shares(r, m))
}

// copiedMask returns a mask, in registers of its own if asked for.
func (s *operands) copiedMask(m mask, own bool) mask {
	if !own {
		return m
	}
	d := mask(s.each(len(m), func(int) reg { return s.maskReg() }))
	s.copyMask(d, m)
	return d
}

// scalar returns the general register of a scalar.
func (s *operands) scalar(r gang.Reg) reg {
	if x, ok := s.bits(r); ok {
		return s.generalConst(x)
	}
	g := s.of(r).g
	if g == 0 {
		panic("x86: a scalar without a value")
	}
	return g
}

// floatScalar returns the vector register of a scalar float.
func (s *operands) floatScalar(r gang.Reg) reg {
	if x, ok := s.bits(r); ok {
		return s.constV(s.f.Type(r).Size(), x)[0]
	}
	return s.of(r).v[0][0]
}

// mask returns a predicate, nil of register 0.
func (s *operands) mask(r gang.Reg) mask {
	if r == 0 {
		return nil
	}
	if x, ok := s.bits(r); ok {
		if x != 0 {
			return s.allMask()
		}
		return s.noLanes()
	}
	return s.of(r).k
}

// vector returns the registers of a vector with one element a lane.
func (s *operands) vector(r gang.Reg) vec {
	if x, ok := s.bits(r); ok {
		return s.constV(s.f.Type(r).Size(), x)
	}
	return s.of(r).v[0]
}

// parts returns each element of a vector.
func (s *operands) parts(r gang.Reg) []vec {
	t := s.f.Type(r)
	if x, ok := s.bits(r); ok {
		return slices.Repeat([]vec{s.constV(t.Size(), x)}, int(t.N))
	}
	h := s.of(r)
	if h.v != nil {
		return h.v
	}
	if ps := s.block.parts[r]; ps != nil {
		return ps
	}
	if s.defs[r] == 1 {
		s.near(r, func() { s.within(s.lanes, func() { h.v = s.components(h.f, t.Size(), int(t.N)) }) })
		return h.v
	}
	ps := s.components(h.f, t.Size(), int(t.N))
	s.block.parts[r] = ps
	return ps
}

// partsOfMask returns the predicate of each element of a predicate of several.
func (s *operands) partsOfMask(r gang.Reg) (ks []mask) {
	n := int(s.f.Type(r).N)
	if s.defs[r] != 1 {
		gang.Refuse("a predicate of several elements in a lane")
	}
	if s.bools[r] == nil {
		var k mask
		s.within(s.lanes*n, func() { k = s.mask(r) })
		s.near(r, func() { s.within(s.lanes, func() { s.bools[r] = s.componentMasks(k, n) }) })
	}
	return s.bools[r]
}

// sideBySide returns elements in memory order.
func (s *operands) sideBySide(ps []vec, es int) (f vec) {
	n := s.n
	s.within(n*len(ps), func() { f = s.inMemoryOrder(ps, es, n) })
	return f
}

// inOrder returns a vector's elements in memory order.
func (s *operands) inOrder(r gang.Reg) (f vec) {
	t := s.f.Type(r)
	if t.N == 1 {
		return s.vector(r)
	}
	if x, ok := s.bits(r); ok {
		s.within(s.n*int(t.N), func() { f = s.constV(t.Size(), x) })
		return f
	}
	h := s.of(r)
	if h.f != nil {
		return h.f
	}
	if s.defs[r] != 1 {
		gang.Refuse("%v of %d elements in a lane", t.K, t.N)
	}
	s.near(r, func() { h.f = s.orderedOf(r, h.v) })
	return h.f
}

// copied returns p, in registers of its own if asked for.
func (s *operands) copied(p vec, own bool) vec {
	if !own {
		return p
	}
	return s.eachPart(p, s.copyV)
}

// maskOfBool returns a scalar bool in all lanes.
func (s *operands) maskOfBool(a gang.Reg) mask {
	t := s.copyG(s.scalar(a))
	s.emit(inst{op: asm.NEG, w: 4, fl: fDefRM | fUseReg, rm: t})
	if s.lv.MaskRegs {
		return s.same(s.result(cK, inst{op: asm.KMOVWG, w: 4, rm: t}))
	}
	return s.same(s.broadcast(4, t)[0])
}

// lowElement returns the lowest element of a register.
func (s *operands) lowElement(r reg, size int) reg {
	d := s.low(r, size)
	s.normal(d, size)
	return d
}
