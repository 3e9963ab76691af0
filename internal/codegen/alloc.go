package codegen

import (
	"cmp"
	"errors"
	"slices"

	"github.com/purecl/purecl/internal/asm"
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
func (c *code) weights(rs [][]span) []float64 {
	w := make([]float64, len(c.classes))
	for _, b := range c.blocks {
		f := b.frequency()
		for k := range b.insts {
			one := func(r *reg) {
				if *r > 0 {
					w[*r] += f
				}
			}
			if b.insts[k].kind != kBegin {
				b.insts[k].uses(one)
				b.insts[k].defs(one)
			}
		}
	}
	for v := range w {
		n := int32(0)
		for _, s := range rs[v] {
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

func (c *code) scan(rs [][]span) (spilled []reg) {
	w := c.weights(rs)
	order := make([]reg, 0, len(rs))
	for v := range rs {
		if v > 0 && len(rs[v]) > 0 {
			order = append(order, reg(v))
		}
	}
	slices.SortFunc(order, func(a, b reg) int {
		if d := rs[a][0].from - rs[b][0].from; d != 0 {
			return int(d)
		}
		return int(a - b)
	})
	c.phys = make([]asm.Reg, len(rs))
	for i := range c.phys {
		c.phys[i] = asm.NoReg
	}
	var regs [numClasses][]asm.Reg
	var used [96]occupancy
	for k := range numClasses {
		regs[k] = c.lv.allocatable(k)
	}
	for _, v := range order {
		cur := rs[v]
		best := asm.NoReg
		if h := c.hints[v]; h > 0 && c.phys[h] != asm.NoReg && c.classes[h] == c.classes[v] && used[c.phys[h]].free(cur) {
			best = c.phys[h]
		}
		if best == asm.NoReg {
			for _, p := range regs[c.classes[v]] {
				if used[p].free(cur) {
					best = p
					break
				}
			}
		}
		if best == asm.NoReg {
			least := w[v]
			for _, p := range regs[c.classes[v]] {
				most := 0.0
				used[p].conflicts(cur, func(x *tenancy) bool {
					most = max(most, w[x.v])
					return most < least
				})
				if most < least {
					least, best = most, p
				}
			}
			if best == asm.NoReg {
				if c.noSpill[v] {
					return []reg{-1}
				}
				spilled = append(spilled, v)
				continue
			}
			from := len(spilled)
			used[best].conflicts(cur, func(x *tenancy) bool {
				if c.phys[x.v] != asm.NoReg {
					spilled = append(spilled, x.v)
					c.phys[x.v] = asm.NoReg
				}
				return true
			})
			for _, x := range spilled[from:] {
				used[best].remove(x, rs[x])
			}
		}
		c.phys[v] = best
		used[best].add(v, cur)
	}
	return spilled
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
	where := c.noHomes()
	for _, v := range spilled {
		if c.remat[v] == nil {
			where[v] = c.slot(c.classes[v])
		} else {
			where[v] = remade
		}
	}
	c.rehome(where, where)
}

// settle says where what can be made again is made: in cold blocks where it is used, so
// that it takes no register from the others, and so elsewhere too unless it is among the
// most used, of which the machine might have registers for all.
func (c *code) settle() {
	uses := make([]float64, len(c.classes))
	any := false
	for _, b := range c.blocks {
		f := b.frequency()
		if b.cold {
			f = 0
		}
		for k := range b.insts {
			b.insts[k].uses(func(r *reg) {
				if *r > 0 && c.remat[*r] != nil {
					uses[*r] += f
					any = true
				}
			})
		}
	}
	if !any {
		return
	}
	hot, cold := c.noHomes(), c.noHomes()
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
	c.rehome(hot, cold)
}

// rehome changes the instructions of hot blocks for registers with homes in the first list,
// and those of cold blocks for registers with homes in the second.
func (c *code) rehome(hot, cold homes) {
	// near holds, by register, what was reloaded or saved a few instructions before.
	type temporary struct {
		r     reg
		block int32
		at    int32
	}
	near := make([]temporary, len(c.classes))
	reach := [numClasses]int32{cG: 8, cV: 2, cK: 2}
	for bi, b := range c.blocks {
		var out []inst // once something has changed
		where := hot
		if b.cold {
			where = cold
		}
		here := func(t reg, k int) temporary { return temporary{t, int32(bi), int32(k)} }
		for k := range b.insts {
			if !where.touch(&b.insts[k]) {
				if out != nil {
					out = append(out, b.insts[k])
				}
				continue
			}
			if out == nil {
				out = append(make([]inst, 0, len(b.insts)+8), b.insts[:k]...)
			}
			if b.insts[k].kind == kBegin {
				continue
			}
			i, from := b.insts[k], len(out)
			var after []inst
			// What makes a register again that lives nowhere is not needed itself.
			gone := false
			i.defs(func(r *reg) {
				if s, ok := where.of(*r); ok && s < 0 {
					gone = true
				}
			})
			if gone {
				continue
			}
			if s, ok := where.of(i.rm); ok && s >= 0 && i.foldable(c.lv) {
				i.rm = 0
				i.m = mem{on: true, base: c.spillBase, scale: 1, disp: s}
				i.fl |= fSpill
			}
			if _, ok := where.of(i.rm); ok && c.remat[i.rm] != nil {
				c.fold(&i)
			}
			var seen [8]struct{ old, new reg }
			n := 0
			short := func(v reg) reg {
				for _, s := range seen[:n] {
					if s.old == v {
						return s.new
					}
				}
				t := c.newReg(c.classes[v])
				c.noSpill[t] = true
				seen[n].old, seen[n].new = v, t
				n++
				return t
			}
			i.uses(func(r *reg) {
				v := *r
				s, ok := where.of(v)
				if !ok {
					return
				}
				known := false
				for _, x := range seen[:n] {
					known = known || x.old == v
				}
				if t := near[v]; t.r != 0 && t.block == int32(bi) && !known && int32(k)-t.at <= reach[c.classes[v]] && !i.defines(v) {
					*r = t.r
					return
				}
				t := short(v)
				*r = t
				near[v] = here(t, k)
				if known {
					return
				}
				if s < 0 {
					again := *c.remat[v]
					again.defs(func(d *reg) { *d = t })
					again.fl |= fRemat
					out = append(out, again)
				} else {
					out = append(out, c.reload(t, s))
				}
			})
			i.defs(func(r *reg) {
				for _, x := range seen[:n] {
					if *r == x.new {
						after = append(after, c.save(x.new, where[x.old]))
						near[x.old] = here(x.new, k)
						return
					}
				}
				if s, ok := where.of(*r); ok {
					t := short(*r)
					near[*r] = here(t, k)
					*r = t
					after = append(after, c.save(t, s))
				}
			})
			out = append(out, i)
			out = append(out, after...)
			for k := from; k < len(out); k++ {
				out[k].pos = i.pos
			}
		}
		if out != nil {
			b.insts = out
		}
	}
}

// homes says where virtual registers live: in the frame at an offset, or as these.
type homes []int32

const (
	inRegister = -2
	remade     = -1 // made again for each use
)

func (c *code) noHomes() homes {
	h := make(homes, len(c.classes))
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

// defines reports whether i writes v.
func (i *inst) defines(v reg) (yes bool) {
	i.defs(func(r *reg) { yes = yes || *r == v })
	return yes
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
