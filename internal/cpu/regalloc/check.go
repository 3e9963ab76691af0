package regalloc

import (
	"fmt"
	"slices"
)

// Check proves the result of [Allocator.Allocate]: on every path, each instruction finds the values of the
// virtual registers that it uses in its machine registers and spill slots. It interprets the allocated code
// symbolically: the state maps each location to the register whose value it holds (compare the checker of
// regalloc2). A value that is undefined on a path may be anywhere. Check is for tests: it needs memory
// proportional to blocks times registers.
func (a *Allocator) Check(m Machine) error {
	c := checker{a: a, l: a.survey(m)}
	n := len(c.l.blocks)
	c.several = make([]bool, len(a.regs))
	for v := range a.regs {
		if o := a.regs[v].origin; o != 0 {
			c.several[o] = true
		}
	}
	for _, v := range a.owners { // cold blocks may have other copies
		c.several[v] = true
	}
	c.named = make([]int, n)
	for b, at := 0, 0; b < n; b++ {
		c.named[b] = at
		for _, k := range c.l.arity[c.l.blocks[b].first:c.l.blocks[b].last] {
			at += int(k)
		}
	}
	c.findSlots()
	c.in = make([]*state, n)
	if n == 0 {
		return nil
	}
	c.in[0] = c.newState()
	changed := newBitset(n)
	changed.add(0)
	for again := true; again; {
		again = false
		for b := range int32(n) {
			if !changed.has(b) {
				continue
			}
			changed.remove(b)
			out := c.in[b].clone()
			if err := c.block(int(b), out, false); err != nil {
				return err
			}
			for _, s := range c.l.succsOf(int(b)) {
				if c.join(int(s), out) {
					changed.add(s)
					again = again || s <= b
				}
			}
		}
	}
	for b := range c.in {
		if c.in[b] == nil {
			continue
		}
		if err := c.block(b, c.in[b].clone(), true); err != nil {
			return err
		}
	}
	return nil
}

type checker struct {
	a *Allocator
	l *liveness
	// slots is the index in state.slots of each spill slot that the code uses; saved lists, by register, the indexes
	// of the slots in which some instruction saves it: no other slot can hold it.
	slots map[int32]int32
	saved map[Reg][]int32
	in    []*state // by block; nil: not reached so far
	named []int    // by block: the index of its first reference
	// several marks, by register, the registers with temporaries, which may be in several locations.
	several []bool
}

// A state maps each location to the register whose value it holds, or to 0.
type state struct {
	pregs   [MaxPRegs]Reg
	slots   []Reg  // by the index that checker.slots gives
	defined bitset // by register: it may be defined
}

// A bitset is a set of small numbers.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (s bitset) has(i int32) bool { return s[i>>6]>>(i&63)&1 != 0 }

func (s bitset) add(i int32) { s[i>>6] |= 1 << (i & 63) }

func (s bitset) remove(i int32) { s[i>>6] &^= 1 << (i & 63) }

// union adds the members of t, and reports whether some were new.
func (s bitset) union(t bitset) (more bool) {
	for i, w := range t {
		more = more || w&^s[i] != 0
		s[i] |= w
	}
	return more
}

func (c *checker) newState() *state {
	return &state{slots: make([]Reg, len(c.slots)), defined: newBitset(len(c.a.regs))}
}

func (s *state) clone() *state {
	x := *s
	x.slots, x.defined = slices.Clone(s.slots), slices.Clone(s.defined)
	return &x
}

// findSlots fills slots and saved.
func (c *checker) findSlots() {
	c.slots, c.saved = map[int32]int32{}, map[Reg][]int32{}
	for b := range c.l.blocks {
		c.walk(b, func(_ int32, refs []uint32, of *slotRef) error {
			if of == nil || of.kind == slotRemat {
				return nil
			}
			i, ok := c.slots[of.slot]
			if !ok {
				i = int32(len(c.slots))
				c.slots[of.slot] = i
			}
			if of.kind == slotSave {
				if v := c.a.origin(Reg(refs[0] >> 2)); !slices.Contains(c.saved[v], i) {
					c.saved[v] = append(c.saved[v], i)
				}
			}
			return nil
		})
	}
}

// define gives v a new value in machine register p; no other location holds it.
func (c *checker) define(s *state, p PReg, v Reg) {
	if c.several[v] {
		c.forget(s, v)
	}
	s.pregs[p] = v
	s.defined.add(v)
}

// forget makes v undefined.
func (c *checker) forget(s *state, v Reg) {
	for i := range s.pregs {
		if s.pregs[i] == v {
			s.pregs[i] = 0
		}
	}
	for _, i := range c.saved[v] {
		if s.slots[i] == v {
			s.slots[i] = 0
		}
	}
	s.defined.remove(v)
}

// join merges the state at the end of a predecessor into that at a block's start, and
// reports whether that changed it.
func (c *checker) join(b int, out *state) bool {
	in := c.in[b]
	if in == nil {
		c.in[b] = out.clone()
		return true
	}
	changed := false
	// A location holds v after the join if in each predecessor it holds v or v is undefined.
	merge := func(x *Reg, y Reg) {
		if *x == y {
			return
		}
		v := Reg(0)
		switch {
		case *x != 0 && !out.defined.has(*x):
			v = *x
		case y != 0 && !in.defined.has(y):
			v = y
		}
		if *x != v {
			*x = v
			changed = true
		}
	}
	for i := range in.pregs {
		merge(&in.pregs[i], out.pregs[i])
	}
	for i := range in.slots {
		merge(&in.slots[i], out.slots[i])
	}
	return in.defined.union(out.defined) || changed
}

// block interprets a block; with report it returns the first use of a wrong value.
func (c *checker) block(b int, s *state, report bool) error {
	if b < len(c.a.implicit) {
		for _, v := range c.a.implicit[b] {
			c.forget(s, v)
		}
	}
	return c.walk(b, func(pos int32, refs []uint32, of *slotRef) error { return c.inst(b, pos, refs, of, s, report) })
}

// walk calls f for each instruction of a block with its references and, if it has one, its use of a slot.
func (c *checker) walk(b int, f func(pos int32, refs []uint32, of *slotRef) error) error {
	l := c.l
	x := &l.blocks[b]
	named := c.named[b]
	slot, _ := slices.BinarySearchFunc(l.slots, x.first, func(r slotRef, pos int32) int { return int(r.pos - pos) })
	for pos := x.first; pos < x.last; pos++ {
		refs := l.named[named : named+int(l.arity[pos])]
		named += len(refs)
		var of *slotRef
		if slot < len(l.slots) && l.slots[slot].pos == pos {
			of = &l.slots[slot]
			slot++
		}
		if err := f(pos, refs, of); err != nil {
			return err
		}
	}
	return nil
}

// inst interprets an instruction.
func (c *checker) inst(b int, pos int32, refs []uint32, of *slotRef, s *state, report bool) error {
	if err := c.distinct(b, pos, refs); report && err != nil {
		return err
	}
	for _, r := range refs {
		if kind(r&3) != use {
			continue
		}
		v := Reg(r >> 2)
		p := c.a.pregs[v]
		if p == NoPReg {
			return fmt.Errorf("block %d, position %d uses v%d, which has no register", b, pos, v)
		}
		if root := c.a.origin(v); report && s.pregs[p] != root && s.defined.has(root) {
			return fmt.Errorf("block %d, position %d uses v%d in register %d, which holds v%d", b, pos, root, p, s.pregs[p])
		}
	}
	if of != nil && of.kind == slotUse {
		held, owner := s.slots[c.slots[of.slot]], c.a.owners[of.slot]
		if report && held != owner && s.defined.has(owner) {
			return fmt.Errorf("block %d, position %d uses v%d in slot %d, which holds v%d", b, pos, owner, of.slot, held)
		}
	}
	if of != nil && of.kind == slotSave {
		root := c.a.origin(Reg(refs[0] >> 2))
		s.slots[c.slots[of.slot]] = root
		return nil
	}
	for _, r := range refs {
		k := kind(r & 3)
		v := Reg(r >> 2)
		if k == use {
			continue
		}
		root := c.a.origin(v)
		p := c.a.pregs[v]
		if p == NoPReg {
			return fmt.Errorf("block %d, position %d defines v%d, which has no register", b, pos, v)
		}
		switch {
		case k == implicitDef:
			c.define(s, p, root)
			s.defined.remove(root)
		case of != nil && of.kind == slotRemat:
			s.pregs[p] = root
			s.defined.add(root)
		case of != nil && of.kind == slotReload:
			held := s.slots[c.slots[of.slot]]
			if report && held != root && s.defined.has(root) {
				return fmt.Errorf("block %d, position %d reloads v%d from slot %d, which holds v%d", b, pos, root, of.slot, held)
			}
			s.pregs[p] = root
		default:
			c.define(s, p, root)
		}
	}
	return nil
}

// distinct returns an error if two registers of an instruction that must differ share a machine register: two
// definitions, or an early definition and a use.
func (c *checker) distinct(b int, pos int32, refs []uint32) error {
	for i, x := range refs {
		for _, y := range refs[:i] {
			u, v := Reg(x>>2), Reg(y>>2)
			if u == v || c.a.pregs[u] != c.a.pregs[v] {
				continue
			}
			kx, ky := kind(x&3), kind(y&3)
			if kx == use && ky == use && c.a.origin(u) != c.a.origin(v) || kx != use && ky != use || kx == earlyDef || ky == earlyDef {
				return fmt.Errorf("block %d, position %d: v%d and v%d share register %d", b, pos, u, v, c.a.pregs[u])
			}
		}
	}
	return nil
}
