package regalloc

import "slices"

// homes maps each virtual register to its home: the offset of a spill slot, or one of the constants.
type homes []int32

const (
	inRegister     = -2
	rematerialised = -1 // recomputed at each use
)

// noHomes returns list number 0 or 1 of homes, cleared: every virtual register keeps a machine register.
func (a *Allocator) noHomes(number int) homes {
	h := slices.Grow(a.homes[number][:0], len(a.regs))[:len(a.regs)]
	a.homes[number] = h
	for v := range h {
		h[v] = inRegister
	}
	return h
}

// of returns the home of a spilled or rematerialised register; ok is false for others.
func (h homes) of(r Reg) (int32, bool) {
	if r <= 0 || int(r) >= len(h) || h[r] == inRegister {
		return 0, false
	}
	return h[r], true
}

// spill moves registers to their homes: some everywhere except within the loops of splits, others in cold blocks.
func (a *Allocator) spill(m Machine, spilled []Reg, splits []split, cooled []coldHome) {
	where, cold := a.noHomes(0), a.noHomes(1)
	for _, v := range spilled {
		where[v] = a.newHome(m, v)
		cold[v] = where[v]
	}
	for k := range cooled {
		x := &cooled[k]
		x.home = a.newHome(m, x.v)
		cold[x.v] = x.home
		spilled = append(spilled, x.v)
	}
	l := &a.flow
	marks := zeroed(a.marks, int(l.endPos()))
	a.marks = marks
	for _, v := range spilled {
		for _, r := range l.refsOf(v) {
			marks[r.pos()] = true
		}
	}
	a.setSplits(splits, where)
	a.rewrite(m, where, cold)
	for _, s := range splits {
		m.DefineBefore(int(s.loop.entry), s.new, s.old, where[s.old])
	}
	a.keepCold(m, cooled)
	a.splits = a.splits[:0]
}

// newHome returns a home for v.
func (a *Allocator) newHome(m Machine, v Reg) int32 {
	x := &a.regs[v]
	switch {
	case x.remat:
		return rematerialised
	case x.split:
		return x.home
	}
	slot := m.Slot(x.class)
	if a.owners == nil {
		a.owners = map[int32]Reg{}
	}
	a.owners[slot] = v
	return slot
}

// rewrite changes the marked instructions for registers with homes. hot is for hot blocks, cold for cold ones.
func (a *Allocator) rewrite(m Machine, hot, cold homes) {
	a.near = zeroed(a.near, len(a.regs))
	r := Rewriter{a: a, hot: hot, cold: cold}
	m.Rewrite(&r)
	a.flow.surveyed = false
}

// A temporary is a register that holds another's value for a few instructions.
type temporary struct {
	r     Reg
	block int32
	at    int32 // index of the last instruction that used it
}

// A Rewriter changes instructions that refer to spilled and rematerialised registers. The machine calls Block
// for each block. Then it calls Marked for each instruction of the block and, if that is true, Change.
type Rewriter struct {
	a         *Allocator
	hot, cold homes
	where     homes // of the current block
	block     int32
	splits    []split // of the current block
	first     int32   // position of its first instruction
	// seen lists the registers that have a temporary in the current instruction.
	seen [maxOperands]struct{ old, new Reg }
	n    int
	o    Operands // of the current instruction
	// If temporaries are joined (share.go): the register that replaces each, and the positions of instructions to remove.
	renamed []Reg
	dropped []bool
}

// maxOperands is the maximum number of an instruction's register operands.
const maxOperands = 8

// Operands lists the register operands of an instruction as pointers, so that they can be replaced. An operand
// that is both read and written is in both lists.
type Operands struct {
	Uses, Defs   [maxOperands]*Reg
	NUses, NDefs int
}

// Use adds an operand that is read.
func (o *Operands) Use(r *Reg) {
	o.Uses[o.NUses] = r
	o.NUses++
}

// Def adds an operand that is written.
func (o *Operands) Def(r *Reg) {
	o.Defs[o.NDefs] = r
	o.NDefs++
}

// defines reports whether v is among the written operands.
func (o *Operands) defines(v Reg) bool {
	for _, p := range o.Defs[:o.NDefs] {
		if *p == v {
			return true
		}
	}
	return false
}

// An Editor edits one instruction of the machine.
type Editor interface {
	// Implicit reports whether the instruction is an implicit definition.
	Implicit() bool
	// Operands adds the instruction's register operands to o.
	Operands(o *Operands)
	// Foldable returns the register that the instruction could read from memory instead, or 0.
	Foldable() Reg
	// FoldSlot replaces that register by the spill slot at an offset. It returns false if it cannot.
	FoldSlot(slot int32) bool
	// FoldRemat replaces that register by the memory operand of the register's definition. It returns false if
	// it cannot.
	FoldRemat() bool
	// Reload inserts a load of t from a slot before the instruction. Rematerialise inserts a copy of v's
	// definition that defines t.
	Reload(t Reg, slot int32)
	Rematerialise(t, v Reg)
	// Save inserts, after the instruction, a store of t to a slot.
	Save(t Reg, slot int32)
}

// Block begins a block.
func (r *Rewriter) Block(b int) {
	x := &r.a.flow.blocks[b]
	if r.block, r.first = int32(b), x.first; r.renamed != nil {
		return
	}
	r.where = r.hot
	if x.cold {
		r.where = r.cold
	}
	r.splits = nil
	if b < len(r.a.splits) {
		r.splits = r.a.splits[b]
	}
}

// Marked reports whether instruction k of the surveyed block may need a change.
func (r *Rewriter) Marked(k int) bool { return r.a.marks[r.first+int32(k)] }

// Change edits instruction k of the surveyed block and reports whether the instruction stays.
func (r *Rewriter) Change(e Editor, k int) bool {
	if r.renamed != nil {
		return r.changeName(e, k)
	}
	o := &r.o
	o.NUses, o.NDefs = 0, 0
	e.Operands(o)
	if !r.concerns(o) {
		return true
	}
	if e.Implicit() {
		return false
	}
	for _, s := range r.splits {
		for _, p := range o.Uses[:o.NUses] {
			if *p == s.old {
				*p = s.new
			}
		}
	}
	// The definition of a value that every use recomputes, or reloads from another's slot, is dead.
	for _, p := range o.Defs[:o.NDefs] {
		if s, ok := r.where.of(*p); ok && (s == rematerialised || r.a.regs[*p].split) {
			return false
		}
	}
	if v := e.Foldable(); v > 0 {
		s, ok := r.where.of(v)
		if ok && s != rematerialised && e.FoldSlot(s) || ok && r.a.regs[v].remat && e.FoldRemat() {
			o.NUses, o.NDefs = 0, 0
			e.Operands(o)
		}
	}
	r.n = 0
	at := int32(k)
	for _, p := range o.Uses[:o.NUses] {
		r.use(e, p, at, o)
	}
	for _, p := range o.Defs[:o.NDefs] {
		r.def(e, p, at)
	}
	return true
}

// concerns reports whether an operand is spilled or rematerialised.
func (r *Rewriter) concerns(o *Operands) bool {
	for _, p := range o.Uses[:o.NUses] {
		if _, ok := r.where.of(*p); ok {
			return true
		}
	}
	for _, p := range o.Defs[:o.NDefs] {
		if _, ok := r.where.of(*p); ok {
			return true
		}
	}
	return false
}

// use replaces a read operand by a temporary: one of a recent instruction, or a new one that is reloaded or
// recomputed.
func (r *Rewriter) use(e Editor, p *Reg, at int32, o *Operands) {
	v := *p
	s, ok := r.where.of(v)
	if !ok {
		return
	}
	near := r.a.near
	t, known := r.temporaryOf(v)
	reach := r.a.file[r.a.regs[v].class].Reach
	if x := near[v]; x.r != 0 && x.block == r.block && !known && at-x.at <= reach && !o.defines(v) {
		*p = x.r
		return
	}
	if !known {
		t = r.newTemporary(v)
		if s == rematerialised {
			e.Rematerialise(t, v)
		} else {
			e.Reload(t, s)
		}
	}
	*p = t
	near[v] = temporary{t, r.block, at}
}

// def replaces a written operand by a temporary, the same as in a use of the register, and saves it.
func (r *Rewriter) def(e Editor, p *Reg, at int32) {
	near := r.a.near
	if old := r.originOf(*p); old != 0 {
		e.Save(*p, r.where[old])
		near[old] = temporary{*p, r.block, at}
	} else if s, ok := r.where.of(*p); ok {
		v := *p
		t, known := r.temporaryOf(v)
		if !known {
			t = r.newTemporary(v)
		}
		near[v] = temporary{t, r.block, at}
		*p = t
		e.Save(t, s)
	}
}

// temporaryOf returns the temporary of v in the current instruction.
func (r *Rewriter) temporaryOf(v Reg) (Reg, bool) {
	for _, s := range r.seen[:r.n] {
		if s.old == v {
			return s.new, true
		}
	}
	return 0, false
}

// originOf returns the register whose temporary is t in the current instruction, or 0.
func (r *Rewriter) originOf(t Reg) Reg {
	for _, s := range r.seen[:r.n] {
		if s.new == t {
			return s.old
		}
	}
	return 0
}

// newTemporary makes a temporary for v.
func (r *Rewriter) newTemporary(v Reg) Reg {
	a := r.a
	t := a.NewReg(a.regs[v].class)
	a.regs[t].noSpill = true
	a.regs[t].origin = a.origin(v)
	r.seen[r.n].old, r.seen[r.n].new = v, t
	r.n++
	return t
}

// origin returns the register whose value v holds: v itself unless v is a temporary.
func (a *Allocator) origin(v Reg) Reg {
	if o := a.regs[v].origin; o != 0 {
		return o
	}
	return v
}
