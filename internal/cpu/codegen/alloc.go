package codegen

import (
	"cmp"
	"errors"
	"slices"

	"github.com/purecl/purecl/internal/cpu/asm"
)

// allocatable returns the machine registers of a class, in order of preference.
func (lv *Level) allocatable(k class) []asm.Reg {
	switch k {
	case cG:
		return []asm.Reg{asm.RBX, asm.RSI, asm.RDI, asm.R8, asm.R9, asm.R10, asm.R11, asm.RBP, asm.R12, asm.R13}
	case cV:
		n := 16
		if lv.AVX512 {
			n = 32
		}
		out := make([]asm.Reg, n)
		for i := range out {
			out[i] = asm.V(i)
		}
		return out
	}
	if !lv.AVX512 {
		return nil
	}
	out := make([]asm.Reg, 7)
	for i := range out {
		out[i] = asm.K(i + 1)
	}
	return out
}

var errPressure = errors.New("needs too many registers")

// allocate gives every virtual register a machine register. First it is decided what is
// made again where it is used (settle), and where registers begin that are not set on all
// ways (begin). Then comes a linear scan over live ranges with holes (M. Poletto and
// V. Sarkar, "Linear Scan Register Allocation", 1999); where no register is free, the one
// that is cheapest to keep in memory goes there, and the scan is repeated with short-lived
// registers around its uses.
func (c *code) allocate() error {
	c.work.flow.surveyed, c.work.flow.steps = false, 0
	c.sweep()
	c.settle()
	c.layout()
	c.begin()
	rs := c.ranges()
	for range 12 {
		spilled := c.scan(rs)
		if len(spilled) == 0 {
			c.live = rs
			return nil
		}
		if spilled[0] < 0 {
			return errPressure
		}
		c.rewrite(spilled)
		rs = c.ranges()
	}
	return errPressure
}

// weights estimates the cost of keeping each register in memory.
func (c *code) weights(rs ranges) []float64 {
	w := append(c.work.weights[:0], c.work.flow.touches...)
	c.work.weights = w
	for v := range w {
		n := int32(0)
		for _, s := range rs.of(reg(v)) {
			n += s.to - s.from
		}
		w[v] /= float64(n + 8)
		if c.remat[v] != nil {
			w[v] *= 0.4
		}
		if c.noSpill[v] {
			w[v] = 1e30
		}
	}
	return w
}

// frequency estimates how often a block is executed.
func (b *mblock) frequency() float64 {
	if b.cold {
		return 0.01
	}
	return float64(int(1) << (3 * min(b.depth, 6)))
}

// byStart returns the registers that live at all, in order of when they begin to, and then
// of their numbers.
func (c *code) byStart(rs ranges) []reg {
	starts := zeroed(c.work.starts, 2*int(c.work.flow.end)+2)
	c.work.starts = starts
	n := 0
	for v := reg(1); v < reg(len(c.classes)); v++ {
		if spans := rs.of(v); len(spans) > 0 {
			starts[spans[0].from+1]++
			n++
		}
	}
	for t := 1; t < len(starts); t++ {
		starts[t] += starts[t-1]
	}
	order := slices.Grow(c.work.order[:0], n)[:n]
	c.work.order = order
	for v := reg(1); v < reg(len(c.classes)); v++ {
		if spans := rs.of(v); len(spans) > 0 {
			order[starts[spans[0].from]] = v
			starts[spans[0].from]++
		}
	}
	return order
}

// scan gives registers machine registers, as far as there are enough, and returns those
// for which there are not; -1 if it is one that must have one.
func (c *code) scan(rs ranges) (spilled []reg) {
	w := c.weights(rs)
	phys := slices.Grow(c.work.phys[:0], len(c.classes))[:len(c.classes)]
	c.work.phys, c.phys = phys, phys
	for i := range phys {
		phys[i] = asm.NoReg
	}
	var regs [numClasses][]asm.Reg
	for k := range numClasses {
		regs[k] = c.lv.allocatable(k)
	}
	t := &c.work.tenants
	t.reset()
	for _, v := range c.byStart(rs) {
		cur := rs.of(v)
		var best asm.Reg
		among := regs[c.classes[v]]
		if h := c.hints[v]; h > 0 && phys[h] != asm.NoReg && c.classes[h] == c.classes[v] && t.free(phys[h], cur) {
			best = phys[h]
		} else {
			best = t.firstFree(among, cur)
		}
		if best == asm.NoReg {
			if best = c.cheapest(among, cur, w, w[v]); best == asm.NoReg {
				if c.noSpill[v] {
					return []reg{-1}
				}
				spilled = append(spilled, v)
				continue
			}
			c.work.victims = t.conflicts(best, cur, c.work.victims[:0])
			for _, x := range c.work.victims {
				if phys[x] != asm.NoReg {
					spilled = append(spilled, x)
					phys[x] = asm.NoReg
					t.remove(best, x, rs.of(x), cur[0].from)
				}
			}
		}
		phys[v] = best
		t.add(best, v, cur)
	}
	return spilled
}

// cheapest returns the one of these machine registers whose tenants at the times cur are
// the cheapest to keep in memory, if that costs less than most; none is free.
func (c *code) cheapest(among []asm.Reg, cur []span, w []float64, most float64) asm.Reg {
	t := &c.work.tenants
	best := asm.NoReg
	for _, p := range among {
		if x := t.tenant(p, cur[0].from); x != 0 && w[x] >= most {
			continue
		}
		c.work.victims = t.conflicts(p, cur, c.work.victims[:0])
		dearest := 0.0
		for _, x := range c.work.victims {
			dearest = max(dearest, w[x])
		}
		if dearest < most {
			best, most = p, dearest
		}
	}
	return best
}

// slot makes a place in the frame for a register of class k.
func (c *code) slot(k class) int32 {
	size := int32(8)
	if k == cV {
		size = int32(c.lv.VL)
	}
	used, from := &c.frame, int32(0)
	if c.spillBase == rCtx {
		used, from = &c.spilled, c.spillFrom
	}
	*used = (*used + size - 1) &^ (size - 1)
	s := from + *used
	*used += size
	return s
}

// rewrite makes the spilled registers live in memory.
func (c *code) rewrite(spilled []reg) {
	where := c.noHomes(0)
	for _, v := range spilled {
		if c.remat[v] == nil {
			where[v] = c.slot(c.classes[v])
		} else {
			where[v] = remade
		}
	}
	l := &c.work.flow
	marks := zeroed(c.work.marks, int(l.end))
	c.work.marks = marks
	for _, v := range spilled {
		for _, r := range l.refsOf(v) {
			marks[r.inst()] = true
		}
	}
	c.rehome(where, where, marks)
}

// settle says where what can be made again is made: in cold blocks where it is used, so
// that it takes no register from the others, and so elsewhere too unless it is among the
// most used, of which the machine might have registers for all.
func (c *code) settle() {
	marks := zeroed(c.work.marks, int(c.number()))
	c.work.marks = marks
	uses := zeroed(c.work.weights, len(c.classes))
	c.work.weights = uses
	some := false
	var list named
	for _, b := range c.blocks {
		f := b.frequency()
		if b.cold {
			f = 0
		}
		for k := range b.insts {
			i := &b.insts[k]
			for _, v := range i.virtual(i.reads(), &list) {
				if c.remat[v] != nil {
					uses[v] += f
					some = true
					marks[b.first+int32(k)] = true
				}
			}
			for _, v := range i.virtual(i.writes(), &list) {
				if c.remat[v] != nil {
					marks[b.first+int32(k)] = true
				}
			}
		}
	}
	if !some {
		return
	}
	hot, cold := c.noHomes(0), c.noHomes(1)
	var wanted [numClasses][]reg
	for v := reg(1); v < reg(len(uses)); v++ {
		if c.remat[v] == nil {
			continue
		}
		cold[v] = remade
		if uses[v] == 0 {
			hot[v] = remade
		} else {
			wanted[c.classes[v]] = append(wanted[c.classes[v]], v)
		}
	}
	for k, list := range wanted {
		most := len(c.lv.allocatable(class(k)))
		if len(list) <= most {
			continue
		}
		slices.SortStableFunc(list, func(a, b reg) int { return cmp.Compare(uses[b], uses[a]) })
		for _, v := range list[most:] {
			hot[v] = remade
		}
	}
	c.rehome(hot, cold, marks)
}

// A temporary is a register that holds what another is for a while.
type temporary struct {
	r     reg
	block int32
	at    int32
}

// reach is how many instructions later a temporary is still used, by class.
var reach = [numClasses]int32{cG: 8, cV: 2, cK: 2}

// A rehoming changes the instructions of a block for registers that live elsewhere.
type rehoming struct {
	*code
	where homes
	block int32
	// near holds, by register, what was reloaded or saved a few instructions before.
	near []temporary
	// seen are the registers of the current instruction that have new ones for it.
	seen [8]struct{ old, new reg }
	n    int
	more []insertion
}

// rehome changes the instructions of hot blocks for registers with homes in the first list,
// and those of cold blocks for registers with homes in the second. Those that name such
// registers are marked, by position.
func (c *code) rehome(hot, cold homes, marks []bool) {
	c.work.near = zeroed(c.work.near, len(c.classes))
	h := rehoming{code: c, near: c.work.near, more: c.work.more}
	for bi, b := range c.blocks {
		h.block, h.where = int32(bi), hot
		if b.cold {
			h.where = cold
		}
		n := 0 // instructions that stay
		for k := range b.insts {
			if n != k {
				b.insts[n] = b.insts[k]
			}
			i := &b.insts[n]
			if !marks[b.first+int32(k)] || !h.where.touch(i) || h.change(i, n, int32(k)) {
				n++
			}
		}
		if n != len(b.insts) {
			clear(b.insts[n:])
			b.insts = b.insts[:n]
		}
		c.insert(b, h.more)
		clear(h.more)
		h.more = h.more[:0]
	}
	c.work.more = h.more
	c.work.flow.surveyed = false
}

// change changes an instruction, the n-th of those that stay and the k-th of all, and
// reports whether it stays.
func (h *rehoming) change(i *inst, n int, k int32) bool {
	if i.kind == kBegin {
		return false
	}
	where := h.where
	// What makes a register again that lives nowhere is not needed itself.
	for p := i.writes(); p != 0; p &= p - 1 {
		if s, ok := where.of(*i.field(p & -p)); ok && s < 0 {
			return false
		}
	}
	if s, ok := where.of(i.rm); ok && s >= 0 && i.foldable(h.lv) {
		i.rm = 0
		i.m = mem{on: true, base: h.spillBase, scale: 1, disp: s}
		i.fl |= fSpill
	}
	if _, ok := where.of(i.rm); ok && h.remat[i.rm] != nil {
		h.fold(i)
	}
	h.n = 0
	writes := i.writes()
	for p := i.reads(); p != 0; p &= p - 1 {
		r := i.field(p & -p)
		v := *r
		s, ok := where.of(v)
		if !ok {
			continue
		}
		t, known := h.of(v)
		if x := h.near[v]; x.r != 0 && x.block == h.block && !known && k-x.at <= reach[h.classes[v]] && !i.names(writes, v) {
			*r = x.r
			continue
		}
		if !known {
			t = h.short(v)
			h.insert(n, i, h.get(t, v, s))
		}
		*r = t
		h.near[v] = temporary{t, h.block, k}
	}
	for p := writes; p != 0; p &= p - 1 {
		r := i.field(p & -p)
		if old := h.old(*r); old != 0 {
			h.insert(n+1, i, h.save(*r, where[old]))
			h.near[old] = temporary{*r, h.block, k}
		} else if s, ok := where.of(*r); ok {
			t, known := h.of(*r)
			if !known {
				t = h.short(*r)
			}
			h.near[*r] = temporary{t, h.block, k}
			*r = t
			h.insert(n+1, i, h.save(t, s))
		}
	}
	return true
}

// insert puts an instruction for i before the n-th one.
func (h *rehoming) insert(n int, i *inst, x inst) {
	x.pos = i.pos
	h.more = append(h.more, insertion{n, x})
}

// of returns the register that stands for v in the current instruction.
func (h *rehoming) of(v reg) (reg, bool) {
	for _, s := range h.seen[:h.n] {
		if s.old == v {
			return s.new, true
		}
	}
	return 0, false
}

// old returns the register for which t stands, or 0.
func (h *rehoming) old(t reg) reg {
	for _, s := range h.seen[:h.n] {
		if s.new == t {
			return s.old
		}
	}
	return 0
}

// short makes a register that stands for v in the current instruction.
func (h *rehoming) short(v reg) reg {
	t := h.newReg(h.classes[v])
	h.noSpill[t] = true
	h.seen[h.n].old, h.seen[h.n].new = v, t
	h.n++
	return t
}

// get gets v, whose home is s, into t.
func (h *rehoming) get(t, v reg, s int32) inst {
	if s >= 0 {
		return h.reload(t, s)
	}
	again := *h.remat[v]
	again.retarget(t)
	again.fl |= fRemat
	return again
}

// homes says where virtual registers live: in the frame at an offset, or as these.
type homes []int32

const (
	inRegister = -2
	remade     = -1 // made again for each use
)

// noHomes returns a list of homes, of which there are two, where all are in registers.
func (c *code) noHomes(number int) homes {
	h := slices.Grow(c.work.homes[number][:0], len(c.classes))[:len(c.classes)]
	c.work.homes[number] = h
	for v := range h {
		h[v] = inRegister
	}
	return h
}

// of returns the home of a register that is in no machine register.
func (h homes) of(r reg) (int32, bool) {
	if r <= 0 || int(r) >= len(h) || h[r] == inRegister {
		return 0, false
	}
	return h[r], true
}

// touch reports whether i names such a register.
func (h homes) touch(i *inst) bool {
	for _, r := range [...]reg{i.reg, i.v, i.rm, i.mask, i.immReg, i.m.base, i.m.index} {
		if _, ok := h.of(r); ok {
			return true
		}
	}
	return false
}

// fold makes rm, a register that can be made again from memory, a memory operand, if i can
// have one like that.
func (c *code) fold(i *inst) {
	again := c.remat[i.rm]
	if !again.m.on || again.mask != 0 || c.classes[i.rm] != cV || !i.foldable(c.lv) {
		return
	}
	size := moves[i.op]
	switch {
	case size != 0 && again.w == i.w && (i.mask == 0 || again.op == vbroadcast[size]):
		i.op = again.op
		i.fl &^= fCopy
	case again.op == asm.VMOVUPS && again.w >= i.w:
	case c.lv.AVX512 && again.op == vbroadcast[evex(i.op).BroadcastSize()]:
		i.bcst = true
	default:
		return
	}
	i.rm, i.m = 0, again.m
	i.fl |= fRemat
}

// moves has the sizes of the elements that moves between vector registers copy.
var moves = map[asm.Op]int{asm.VMOVAPS: 4, asm.VMOVDQU8: 1, asm.VMOVDQU16: 2, asm.VMOVDQU32: 4, asm.VMOVDQU64: 8}

func (c *code) reload(t reg, s int32) inst {
	m := at(c.spillBase, s)
	m.on = true
	switch c.classes[t] {
	case cV:
		return inst{op: asm.VMOVUPS, w: c.lv.VL, fl: fDefReg | fSpill, reg: t, m: m}
	case cK:
		return inst{op: asm.KMOVQLD, w: 8, fl: fDefReg | fSpill, reg: t, m: m}
	}
	return inst{op: asm.MOVL, w: 8, fl: fDefReg | fSpill, reg: t, m: m}
}

func (c *code) save(t reg, s int32) inst {
	m := at(c.spillBase, s)
	m.on = true
	switch c.classes[t] {
	case cV:
		return inst{op: asm.VMOVUPSST, w: c.lv.VL, fl: fUseReg | fSpill, reg: t, m: m}
	case cK:
		return inst{op: asm.KMOVQST, w: 8, fl: fUseReg | fSpill, reg: t, m: m}
	}
	return inst{op: asm.MOV, w: 8, fl: fUseReg | fSpill, reg: t, m: m}
}

// foldable reports whether rm may be a memory operand instead.
func (i *inst) foldable(lv *Level) bool {
	if i.kind != kNormal || i.m.on || i.round != asm.NoRounding || i.fl&fDefRM != 0 || i.fl&fEarly != 0 || i.reg == i.rm || i.v == i.rm {
		return false
	}
	return i.op.MemoryOperand()
}
