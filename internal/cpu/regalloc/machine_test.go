package regalloc

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A testOp is an operation of the test machine.
type testOp uint8

const (
	opConst    testOp = iota // d = imm
	opAdd                    // d = a*3 + b; b may be a slot
	opInc                    // d += a; a may be a slot
	opEarly                  // d = a ^ b<<1, d is written before a and b are read
	opCopy                   // d = a
	opMove                   // d = a, between classes
	opOut                    // appends a to the output
	opBranch                 // to target[0] if a is odd, else to target[1]
	opReload                 // d = slot
	opSave                   // slot = a
	opImplicit               // d is defined without a value
)

// A testInst is an instruction of the test machine.
type testInst struct {
	op      testOp
	d, a, b Reg
	imm     int64
	slot    int32
	folded  bool // b of opAdd, a of opInc is the slot
	remat   bool
}

type testBlock struct {
	insts  []testInst
	target []int // none: the end
	depth  int
	cold   bool
}

// A testMachine is code of the test machine. It has two classes of registers; the second supports only
// constants, copies and moves.
type testMachine struct {
	a      *Allocator
	blocks []*testBlock
	consts map[Reg]testInst // the definitions of rematerialisable registers
	slots  int32
	splits int // calls of DefineBefore
	cooled int // calls of SaveFirst
}

func (i *testInst) uses() []*Reg {
	switch i.op {
	case opAdd, opEarly:
		if i.folded {
			return []*Reg{&i.a}
		}
		return []*Reg{&i.a, &i.b}
	case opInc:
		if i.folded {
			return []*Reg{&i.d}
		}
		return []*Reg{&i.d, &i.a}
	case opCopy, opMove, opOut, opSave:
		return []*Reg{&i.a}
	case opBranch:
		if i.a != 0 {
			return []*Reg{&i.a}
		}
	}
	return nil
}

func (i *testInst) defs() []*Reg {
	switch i.op {
	case opOut, opSave, opBranch:
		return nil
	}
	return []*Reg{&i.d}
}

func (m *testMachine) Survey(s *Survey) {
	for _, b := range m.blocks {
		s.Block(b.depth, b.cold)
		for _, t := range b.target {
			s.Succ(t)
		}
		for k := range b.insts {
			i := &b.insts[k]
			for _, r := range i.uses() {
				s.Use(*r)
			}
			for _, r := range i.defs() {
				if i.op == opImplicit {
					s.ImplicitDef(*r)
				} else {
					s.Def(*r, i.op == opEarly)
				}
			}
			switch {
			case i.remat:
				s.Remat()
			case i.folded:
				s.SlotUse(i.slot)
			case i.op == opReload:
				s.Reload(i.slot)
			case i.op == opSave:
				s.Save(i.slot)
			}
			s.Next()
		}
	}
}

func (m *testMachine) Layout() {}

func (m *testMachine) Slot(k Class) int32 {
	m.slots++
	return 8 * (m.slots - 1)
}

func (m *testMachine) DefineImplicitly(block int, regs []Reg) {
	for _, v := range regs {
		m.blocks[block].insts = slices.Insert(m.blocks[block].insts, 0, testInst{op: opImplicit, d: v})
	}
}

func (m *testMachine) DefineBefore(block int, t, v Reg, slot int32) {
	b := m.blocks[block]
	n := len(b.insts)
	if n > 0 && b.insts[n-1].op == opBranch {
		n--
	}
	e := testEditor{m: m}
	if slot >= 0 {
		e.Reload(t, slot)
	} else {
		e.Rematerialise(t, v)
		m.consts[t] = m.consts[v]
		m.a.SetRemat(t)
	}
	if t != v {
		m.splits++
	}
	b.insts = slices.Insert(b.insts, n, e.before...)
}

func (m *testMachine) SaveFirst(block int, v Reg, slot int32) {
	e := testEditor{m: m}
	e.Save(v, slot)
	m.cooled++
	m.blocks[block].insts = slices.Insert(m.blocks[block].insts, 0, e.after...)
}

func (m *testMachine) Rewrite(r *Rewriter) {
	for bi, b := range m.blocks {
		r.Block(bi)
		var out []testInst
		for k := range b.insts {
			e := &testEditor{m: m, i: b.insts[k]}
			stays := !r.Marked(k) || r.Change(e, k)
			out = append(out, e.before...)
			if stays {
				out = append(out, e.i)
			}
			out = append(out, e.after...)
		}
		b.insts = out
	}
}

type testEditor struct {
	m             *testMachine
	i             testInst
	before, after []testInst
}

func (e *testEditor) Implicit() bool { return e.i.op == opImplicit }

func (e *testEditor) Operands(o *Operands) {
	for _, r := range e.i.uses() {
		o.Use(r)
	}
	for _, r := range e.i.defs() {
		o.Def(r)
	}
}

func (e *testEditor) Foldable() Reg {
	switch {
	case e.i.folded:
	case e.i.op == opAdd && e.i.b != e.i.a:
		return e.i.b
	case e.i.op == opInc && e.i.a != e.i.d:
		return e.i.a
	}
	return 0
}

func (e *testEditor) FoldSlot(slot int32) bool {
	e.i.folded, e.i.slot = true, slot
	if e.i.op == opAdd {
		e.i.b = 0
	} else {
		e.i.a = 0
	}
	return true
}

func (e *testEditor) FoldRemat() bool { return false }

func (e *testEditor) Reload(t Reg, slot int32) {
	e.before = append(e.before, testInst{op: opReload, d: t, slot: slot})
}

func (e *testEditor) Rematerialise(t, v Reg) {
	i := e.m.consts[v]
	i.d, i.remat = t, true
	e.before = append(e.before, i)
}

func (e *testEditor) Save(t Reg, slot int32) {
	e.after = append(e.after, testInst{op: opSave, a: t, slot: slot})
}

// run interprets the code and returns its output. at maps a register to its storage: itself before allocation,
// its machine register afterwards.
func (m *testMachine) run(storage int, at func(Reg) int, most int) []int64 {
	regs := make([]int64, storage)
	slots := make([]int64, m.slots)
	var out []int64
	for b, steps := 0, 0; len(out) < most && steps < 100*most; steps++ {
		x := m.blocks[b]
		next := -1
		if len(x.target) > 0 {
			next = x.target[0]
		}
		for k := range x.insts {
			i := &x.insts[k]
			get := func(r Reg) int64 { return regs[at(r)] }
			second := func(r Reg) int64 {
				if i.folded {
					return slots[i.slot/8]
				}
				return get(r)
			}
			switch i.op {
			case opConst:
				regs[at(i.d)] = i.imm
			case opAdd:
				regs[at(i.d)] = get(i.a)*3 + second(i.b)
			case opInc:
				regs[at(i.d)] = get(i.d) + second(i.a)
			case opEarly:
				x := get(i.a) ^ get(i.b)<<1
				regs[at(i.d)] = -77
				if at(i.d) == at(i.a) || at(i.d) == at(i.b) {
					x = -78
				}
				regs[at(i.d)] = x
			case opCopy, opMove:
				regs[at(i.d)] = get(i.a)
			case opOut:
				out = append(out, get(i.a))
			case opBranch:
				if i.a != 0 && get(i.a)&1 == 0 {
					next = x.target[1]
				}
			case opReload:
				regs[at(i.d)] = slots[i.slot/8]
			case opSave:
				slots[i.slot/8] = get(i.a)
			}
		}
		if next < 0 {
			break
		}
		b = next
	}
	return out
}

// String lists the code.
func (m *testMachine) String() string {
	var s strings.Builder
	for n, b := range m.blocks {
		fmt.Fprintf(&s, "b%d: depth %d cold %v -> %v\n", n, b.depth, b.cold, b.target)
		for k := range b.insts {
			i := &b.insts[k]
			fmt.Fprintf(&s, "\t%d d=%d/%d a=%d/%d b=%d/%d imm %d slot %d folded %v remat %v\n", i.op, i.d, m.a.PReg(i.d), i.a, m.a.PReg(i.a), i.b, m.a.PReg(i.b), i.imm, i.slot, i.folded, i.remat)
		}
	}
	return s.String()
}

// A generator makes random code. Every value is defined at its uses; a value defined under a flag is used under
// the same flag.
type generator struct {
	*testMachine
	r     *rand.Rand
	cur   *testBlock
	depth int   // loops around the current block
	nest  int   // nesting of statements
	live  []Reg // of class 0: defined on all paths to here
	flags []Reg // of class 1
	left  int   // instructions to make
}

// newProgram makes a random program.
func newProgram(a *Allocator, seed uint64, size int) *testMachine {
	g := &generator{testMachine: &testMachine{a: a, consts: map[Reg]testInst{}}, r: rand.New(rand.NewPCG(seed, 7)), left: size}
	g.begin(false)
	for range 2 + g.r.IntN(8) {
		g.constant()
	}
	for g.left > 0 {
		g.statement()
	}
	for _, v := range g.live {
		g.emit(testInst{op: opOut, a: v})
	}
	return g.testMachine
}

func (g *generator) begin(cold bool) int {
	g.cur = &testBlock{depth: g.depth, cold: cold}
	g.blocks = append(g.blocks, g.cur)
	return len(g.blocks) - 1
}

func (g *generator) emit(i testInst) {
	g.cur.insts = append(g.cur.insts, i)
	g.left--
}

func (g *generator) pick() Reg { return g.live[g.r.IntN(len(g.live))] }

// constant defines a register, which can usually be rematerialised.
func (g *generator) constant() {
	v := g.a.NewReg(0)
	i := testInst{op: opConst, d: v, imm: g.r.Int64N(1000)}
	g.emit(i)
	if g.r.IntN(3) > 0 {
		g.consts[v] = i
		g.a.SetRemat(v)
	}
	g.live = append(g.live, v)
}

// variable returns a register that may be written: a new one, or one that was not a
// rematerialisable constant.
func (g *generator) variable() Reg {
	v := g.pick()
	if _, ok := g.consts[v]; ok {
		return 0
	}
	return v
}

func (g *generator) statement() {
	switch g.r.IntN(14) {
	case 0:
		g.constant()
	case 1:
		g.emit(testInst{op: opOut, a: g.pick()})
	case 2:
		if d := g.variable(); d != 0 {
			g.emit(testInst{op: opInc, d: d, a: g.pick()})
		}
	case 3:
		a, b := g.pick(), g.pick()
		d := g.a.NewReg(0)
		g.emit(testInst{op: opEarly, d: d, a: a, b: b})
		g.live = append(g.live, d)
	case 4:
		a, d := g.pick(), g.a.NewReg(0)
		g.emit(testInst{op: opCopy, d: d, a: a})
		g.a.Hint(d, a)
		g.live = append(g.live, d)
	case 5:
		f := g.a.NewReg(1)
		g.emit(testInst{op: opMove, d: f, a: g.pick()})
		g.flags = append(g.flags, f)
	case 6:
		if len(g.flags) > 0 {
			d := g.a.NewReg(0)
			g.emit(testInst{op: opMove, d: d, a: g.flags[g.r.IntN(len(g.flags))]})
			g.live = append(g.live, d)
		}
	case 7, 8:
		if g.nest < 4 {
			g.conditional()
		}
	case 9:
		if g.nest < 4 {
			g.loop()
		}
	default:
		a, b := g.pick(), g.pick()
		d := g.variable()
		if d == 0 || g.r.IntN(2) == 0 {
			d = g.a.NewReg(0)
		}
		g.emit(testInst{op: opAdd, d: d, a: a, b: b})
		if !slices.Contains(g.live, d) {
			g.live = append(g.live, d)
		}
	}
}

// body makes statements and returns their new registers, which are valid only inside.
func (g *generator) body() (inner []Reg) {
	known, flags := len(g.live), len(g.flags)
	g.nest++
	defer func() { g.nest-- }()
	for range 1 + g.r.IntN(6) {
		g.statement()
	}
	inner = slices.Clone(g.live[known:])
	g.live, g.flags = g.live[:known], g.flags[:flags]
	return inner
}

// conditional makes "if flag { … }". It may later make another one with the same flag that uses a value of the
// first.
func (g *generator) conditional() {
	flag := g.a.NewReg(0)
	g.emit(testInst{op: opCopy, d: flag, a: g.pick()})
	inner := g.guarded(flag, nil)
	for range g.r.IntN(4) {
		g.statement()
	}
	if len(inner) > 0 && g.r.IntN(2) == 0 {
		g.guarded(flag, inner)
	}
}

func (g *generator) guarded(flag Reg, extra []Reg) []Reg {
	from := g.cur
	from.insts = append(from.insts, testInst{op: opBranch, a: flag})
	then := g.begin(g.r.IntN(4) == 0)
	for _, v := range extra {
		g.emit(testInst{op: opOut, a: v})
	}
	inner := g.body()
	end := g.cur
	after := g.begin(from.cold)
	from.target = []int{then, after}
	end.target = []int{after}
	return inner
}

// loop makes a loop of a few iterations.
func (g *generator) loop() {
	count, one := g.a.NewReg(0), g.a.NewReg(0)
	g.emit(testInst{op: opConst, d: count, imm: int64(2 * g.r.IntN(3))})
	g.emit(testInst{op: opConst, d: one, imm: -1})
	from := g.cur
	g.depth++
	head := g.begin(false)
	from.target = []int{head}
	g.body()
	// The loop continues while count is odd. count starts even and falls by one before the test, so that the
	// body runs twice unless it changes count.
	g.emit(testInst{op: opInc, d: count, a: one})
	g.emit(testInst{op: opBranch, a: count})
	end := g.cur
	g.depth--
	after := g.begin(false)
	end.target = []int{head, after}
}
