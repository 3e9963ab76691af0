package arm64

import (
	"fmt"
	"slices"
	"strings"

	"github.com/purecl/purecl/internal/cpu/regalloc"
	"github.com/purecl/purecl/internal/front/diag"
)

type reg = regalloc.Reg

// The classes of registers. Machine registers have the numbers of the encoding; vector registers begin at
// firstV.
const (
	cG regalloc.Class = iota
	cV
	firstV = 32
)

// fixed returns the operand for a machine register that is not allocatable.
func fixed(p int) reg { return reg(-1 - p) }

// The fixed registers.
var (
	rCtx  = fixed(26)
	rZero = fixed(31)
	rTmp  = fixed(16)
	vTmp  = fixed(firstV + 29)
	vTmp2 = fixed(firstV + 30)
)

// registerFile lists the allocatable registers.
var registerFile = func() regalloc.RegisterFile {
	var general, vector []regalloc.PReg
	for n := range 26 {
		if n < 16 || n > 18 {
			general = append(general, regalloc.PReg(n))
		}
	}
	for n := range 29 {
		vector = append(vector, regalloc.PReg(firstV+n))
	}
	return regalloc.RegisterFile{cG: {Regs: general, Reach: 8}, cV: {Regs: vector, Reach: 2}}
}()

// spilled is the way in which an instruction refers to a spill slot.
type spilled uint8

const (
	sNone spilled = iota
	sReload
	sSave
	sRemat
)

// An inst is an instruction before allocation.
type inst struct {
	op         op
	w, t       uint8
	d, n, m, a reg
	imm, imm2  int64
	target     *block
	spill      spilled
	copies     bool // copies n to d
	pos        diag.Pos
}

// A block is a sequence of instructions. Branches may be in the middle; at the end control falls through to the
// next block.
type block struct {
	id    int // in layout order
	insts []inst
	succs []*block
	depth int
	cold  bool
	label int
}

// code is machine code under construction: a [regalloc.Machine].
type code struct {
	regs   regalloc.Allocator
	blocks []*block
	cur    *block
	remat  map[reg]inst
	frame  int32 // offset in the context for the next spill slot
	pos    diag.Pos
}

func newCode(frame int32) *code {
	c := &code{remat: map[reg]inst{}, frame: frame}
	c.regs.Reset(registerFile)
	return c
}

func (c *code) g() reg { return c.regs.NewReg(cG) }
func (c *code) v() reg { return c.regs.NewReg(cV) }

func (c *code) emit(i inst) {
	i.pos = c.pos
	c.cur.insts = append(c.cur.insts, i)
}

// place appends a block and makes it the current one.
func (c *code) place(b *block) {
	b.id = len(c.blocks)
	c.blocks = append(c.blocks, b)
	c.cur = b
}

// goes records an edge from the current block.
func (c *code) goes(to *block) {
	for _, s := range c.cur.succs {
		if s == to {
			return
		}
	}
	c.cur.succs = append(c.cur.succs, to)
}

// branch emits a branch to a block.
func (c *code) branch(i inst, to *block) {
	i.target = to
	c.emit(i)
	c.goes(to)
}

func (c *code) jump(to *block) { c.branch(inst{op: B}, to) }

// uses and defs call f with a pointer to each register that i reads or writes.
func (i *inst) uses(f func(*reg)) {
	k := rows[i.op].cols
	if k&useD != 0 && i.d > 0 {
		f(&i.d)
	}
	if k&useN != 0 && i.n > 0 {
		f(&i.n)
	}
	if k&useM != 0 && i.m > 0 {
		f(&i.m)
	}
	if k&useA != 0 && i.a > 0 {
		f(&i.a)
	}
}

func (i *inst) defs(f func(*reg)) {
	if rows[i.op].cols&defD != 0 && i.d > 0 {
		f(&i.d)
	}
}

// Survey implements [regalloc.Machine].
func (c *code) Survey(s *regalloc.Survey) {
	for _, b := range c.blocks {
		s.Block(b.depth, b.cold)
		for _, t := range b.succs {
			s.Succ(t.id)
		}
		for k := range b.insts {
			i := &b.insts[k]
			i.uses(func(r *reg) { s.Use(*r) })
			i.defs(func(r *reg) {
				if i.op == pImplicit {
					s.ImplicitDef(*r)
				} else {
					s.Def(*r, false)
				}
			})
			switch i.spill {
			case sReload:
				s.Reload(int32(i.imm))
			case sSave:
				s.Save(int32(i.imm))
			case sRemat:
				s.Remat()
			}
			s.Next()
		}
	}
}

// Layout implements [regalloc.Machine].
func (c *code) Layout() { c.layout() }

// Slot implements [regalloc.Machine]: slots are in the context.
func (c *code) Slot(k regalloc.Class) int32 {
	size := int32(8)
	if k == cV {
		size = 16
	}
	c.frame = (c.frame + size - 1) &^ (size - 1)
	c.frame += size
	return c.frame - size
}

// DefineImplicitly implements [regalloc.Machine].
func (c *code) DefineImplicitly(b int, regs []reg) {
	list := make([]inst, len(regs), len(regs)+len(c.blocks[b].insts))
	for k, r := range regs {
		list[k] = inst{op: pImplicit, d: r}
	}
	c.blocks[b].insts = append(list, c.blocks[b].insts...)
}

// DefineBefore implements [regalloc.Machine].
func (c *code) DefineBefore(block int, t, v reg, slot int32) {
	b := c.blocks[block]
	n := len(b.insts)
	for n > 0 && b.insts[n-1].target != nil {
		n--
	}
	e := editor{c: c}
	if n > 0 {
		e.i.pos = b.insts[n-1].pos
	}
	if slot >= 0 {
		e.Reload(t, slot)
	} else {
		e.Rematerialise(t, v)
		c.remat[t] = c.remat[v]
		c.regs.SetRemat(t)
	}
	b.insts = slices.Insert(b.insts, n, e.before...)
}

// SaveFirst implements [regalloc.Machine].
func (c *code) SaveFirst(block int, v reg, slot int32) {
	b := c.blocks[block]
	e := editor{c: c}
	if len(b.insts) > 0 {
		e.i.pos = b.insts[0].pos
	}
	e.Save(v, slot)
	b.insts = slices.Insert(b.insts, 0, e.after...)
}

// Rewrite implements [regalloc.Machine].
func (c *code) Rewrite(r *regalloc.Rewriter) {
	for n, b := range c.blocks {
		r.Block(n)
		out := make([]inst, 0, len(b.insts))
		for k := range b.insts {
			if !r.Marked(k) {
				out = append(out, b.insts[k])
				continue
			}
			e := editor{c: c, i: b.insts[k]}
			stays := r.Change(&e, k)
			out = append(out, e.before...)
			if stays {
				out = append(out, e.i)
			}
			out = append(out, e.after...)
		}
		b.insts = out
	}
}

// An editor edits one instruction: it is a [regalloc.Editor].
type editor struct {
	c             *code
	i             inst
	before, after []inst
}

func (e *editor) Implicit() bool { return e.i.op == pImplicit }

func (e *editor) Operands(o *regalloc.Operands) {
	e.i.uses(o.Use)
	e.i.defs(o.Def)
}

// Instructions have no memory operands.
func (e *editor) Foldable() reg       { return 0 }
func (e *editor) FoldSlot(int32) bool { return false }
func (e *editor) FoldRemat() bool     { return false }

func (e *editor) Reload(t reg, slot int32) {
	o := LDRX
	if e.c.regs.Class(t) == cV {
		o = LDRQ
	}
	e.before = append(e.before, inst{op: o, d: t, n: rCtx, imm: int64(slot), spill: sReload, pos: e.i.pos})
}

func (e *editor) Save(t reg, slot int32) {
	o := STRX
	if e.c.regs.Class(t) == cV {
		o = STRQ
	}
	e.after = append(e.after, inst{op: o, d: t, n: rCtx, imm: int64(slot), spill: sSave, pos: e.i.pos})
}

func (e *editor) Rematerialise(t, v reg) {
	i := e.c.remat[v]
	i.d, i.spill, i.pos = t, sRemat, e.i.pos
	e.before = append(e.before, i)
}

// repeatable marks d as rematerialisable by the last instruction, and returns d.
func (c *code) repeatable(d reg) reg {
	c.remat[d] = c.cur.insts[len(c.cur.insts)-1]
	c.regs.SetRemat(d)
	return d
}

// machine returns an instruction with its allocated registers.
func (c *code) machine(i *inst) machineInst {
	number := func(r reg) uint8 {
		p := -1 - int(r)
		if r > 0 {
			p = int(c.regs.PReg(r))
		}
		if r == 0 {
			return 0
		}
		return uint8(p % firstV)
	}
	m := machineInst{op: i.op, w: i.w, t: i.t, d: number(i.d), n: number(i.n), m: number(i.m), a: number(i.a), imm: i.imm, imm2: i.imm2}
	if i.target != nil {
		m.label = i.target.label
	}
	return m
}

// removeDead removes instructions whose only effect is a register that nothing reads.
func (c *code) removeDead() {
	used := make([]bool, c.regs.NumRegs())
	for again := true; again; {
		again = false
		clear(used)
		for _, b := range c.blocks {
			for k := range b.insts {
				b.insts[k].uses(func(r *reg) { used[*r] = true })
			}
		}
		for _, b := range c.blocks {
			out := b.insts[:0]
			for _, i := range b.insts {
				if rows[i.op].cols&defD != 0 && i.d > 0 && !used[i.d] {
					again = true
					continue
				}
				out = append(out, i)
			}
			b.insts = out
		}
	}
}

// dump lists the code, for test failures.
func (c *code) dump() string {
	var s strings.Builder
	name := func(r reg) string {
		switch {
		case r == 0:
			return "-"
		case r < 0:
			return fmt.Sprintf("!%d", -1-r)
		}
		if p := c.regs.PReg(r); p != regalloc.NoPReg {
			return fmt.Sprintf("r%d=%d", r, p)
		}
		return fmt.Sprintf("r%d", r)
	}
	for _, b := range c.blocks {
		fmt.Fprintf(&s, "block %d:\n", b.id)
		for _, i := range b.insts {
			fmt.Fprintf(&s, "  %s d=%s n=%s m=%s a=%s t=%d w=%d #%d #%d", rows[i.op].name, name(i.d), name(i.n), name(i.m), name(i.a), i.t, i.w, i.imm, i.imm2)
			if i.target != nil {
				fmt.Fprintf(&s, " -> %d", i.target.id)
			}
			s.WriteByte('\n')
		}
	}
	return s.String()
}
