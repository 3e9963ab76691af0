package x86

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// Masks in mask registers: a comparison computes a conjunction or complement that is the only use of its result.

// A comparison describes an instruction that compares the elements of two registers and writes a mask register.
type comparison struct {
	size    int    // of an element
	inverse asm.Op // the instruction whose result is the complement; the same one: with the inverse predicate
}

var comparisons = map[asm.Op]comparison{
	asm.VPCMPD: {4, asm.VPCMPD}, asm.VPCMPUD: {4, asm.VPCMPUD}, asm.VPCMPQ: {8, asm.VPCMPQ}, asm.VPCMPUQ: {8, asm.VPCMPUQ},
	asm.VCMPPSK: {4, asm.VCMPPSK}, asm.VCMPPDK: {8, asm.VCMPPDK},
	asm.VPTESTMD: {4, asm.VPTESTNMD}, asm.VPTESTNMD: {4, asm.VPTESTMD}, asm.VPTESTMQ: {8, asm.VPTESTNMQ}, asm.VPTESTNMQ: {8, asm.VPTESTMQ},
}

// inversePredicate is the bit in which the numbers of opposite predicates differ.
const inversePredicate = 4

// granuleLanes is the number of lanes of the operations on masks (KANDW).
const granuleLanes = 16

// invert makes i, a comparison, compute the complement of its result.
func (i *inst) invert() {
	if inverse := comparisons[i.op].inverse; inverse != i.op {
		i.op = inverse
	} else {
		i.imm ^= inversePredicate
	}
}

// A maskFolder folds instructions on masks into the comparisons of one block.
type maskFolder struct {
	*code
	reads []int32 // by register: how many instructions read it
	since []int32 // by register: 1 + the number of the instruction that last wrote it, counted over all blocks
	first int32   // the number of the block's first instruction
	b     *mblock
	done  bool // an instruction was folded
}

// fold folds instructions on masks into the comparisons that compute these. It updates reads, and reports whether it folded any.
func (f *maskFolder) fold() bool {
	if !f.lv.MaskRegs {
		return false
	}
	f.since = zeroed(f.work.since, f.regs.NumRegs())
	f.work.since = f.since
	for _, b := range f.blocks {
		f.b = b
		for k := range b.insts {
			i := &b.insts[k]
			if i.op == asm.KANDW {
				f.difference(k)
			}
			switch i.op {
			case asm.KNOTW:
				f.join(k, i.rm, 0, true)
			case asm.KANDNW:
				f.join(k, i.v, i.rm, true)
			case asm.KANDW:
				if !f.join(k, i.rm, i.v, false) {
					f.join(k, i.v, i.rm, false)
				}
			}
			for p := i.writes(); p != 0; p &= p - 1 {
				if d := *i.field(p & -p); d > 0 {
					f.since[d] = f.first + int32(k) + 1
				}
			}
		}
		f.first += int32(len(b.insts))
	}
	return f.done
}

// writer returns the index of the instruction that last wrote r, or -1 if that is not in the block.
func (f *maskFolder) writer(r reg) int {
	if r <= 0 || f.since[r] <= f.first {
		return -1
	}
	return int(f.since[r] - 1 - f.first)
}

// only returns the index of the instruction of the block that has computed r, or -1 if another block
// computes r or several instructions read it.
func (f *maskFolder) only(r reg) int {
	if r <= 0 || f.reads[r] != 1 {
		return -1
	}
	return f.writer(r)
}

// canMove reports whether the instruction at may write the result of the later instruction k.
func (f *maskFolder) canMove(at, k int) bool {
	d := f.b.insts[k].reg
	if d <= 0 || k-at > maxDistance {
		return false
	}
	for n := at + 1; n < k; n++ {
		i := &f.b.insts[n]
		if i.names(i.mayRead()|i.writes(), d) {
			return false
		}
	}
	return true
}

// replace lets the comparison at write the result of the instruction k, for the active lanes m, and removes k.
func (f *maskFolder) replace(at, k int, m reg) {
	i, c := &f.b.insts[k], &f.b.insts[at]
	f.reads[i.rm]--
	if i.v > 0 {
		f.reads[i.v]--
	}
	if c.mask == 0 && m != 0 {
		f.reads[m]++
	}
	c.reg, c.mask = i.reg, m
	f.since[i.reg] = f.first + int32(at) + 1
	*i = inst{op: asm.NoOp}
	f.done = true
}

// join folds the instruction k, a & m or with inverted ^a & m, into the comparison that computes a. m is 0 for ^a. It returns
// false if it cannot: a must come from a comparison in the same block, and no other instruction may read it.
func (f *maskFolder) join(k int, a, m reg, inverted bool) bool {
	at := f.only(a)
	if at < 0 || m < 0 || m > 0 && f.writer(m) >= at {
		return false
	}
	c := &f.b.insts[at]
	x, known := comparisons[c.op]
	if n := int(c.w) / max(x.size, 1); !known || n > granuleLanes || inverted && n < granuleLanes || c.mask != 0 && c.mask != m || !f.canMove(at, k) {
		return false
	}
	if inverted {
		c.invert()
	}
	f.replace(at, k, m)
	return true
}

// difference makes the instruction k, ^x & m, and the one that computes ^x one instruction.
func (f *maskFolder) difference(k int) {
	i := &f.b.insts[k]
	for _, r := range [][2]reg{{i.v, i.rm}, {i.rm, i.v}} {
		at := f.only(r[0])
		if at < 0 || f.b.insts[at].op != asm.KNOTW {
			continue
		}
		x := f.b.insts[at].rm
		if f.writer(x) > at {
			continue
		}
		f.b.insts[at] = inst{op: asm.NoOp}
		f.reads[r[0]] = 0
		i.op, i.v, i.rm = asm.KANDNW, x, r[1]
		f.done = true
		return
	}
}

// zeros reports whether r is a register that the prologue sets to zeros.
func (c *code) zeros(r reg) bool {
	z := c.rematOf(r)
	return z != nil && slices.Contains([]asm.Op{asm.VPXOR, asm.VPXORD}, z.op) && z.v == z.rm && !z.m.on
}
