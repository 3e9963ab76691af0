package kerneltest

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// A flowGenerator generates functions with random control flow. Each block begins with a phi for each variable.
// Some variables are initially uniform, some varying.
type flowGenerator struct {
	*rand.Rand
	m     *ssa.Module
	f     *ssa.Func
	b     ssa.Builder
	vars  []*ssa.Value
	loops []genLoop
	base  *ssa.Value   // address of this work-item's part of the buffer
	table *ssa.Value   // address of a table of 16 numbers that all work-items read
	ids   []*ssa.Value // the global and the local id
	size  int
	wide  bool // generate address arithmetic and narrow indices too
}

type genLoop struct{ next, exit *ssa.Block }

const (
	genVars  = 5
	genDepth = 4
	genAll   = genVars + genDepth // the last are loop counters
)

// FlowBytes is the number of bytes of the first buffer that a work-item of RandomFlow writes, FlowN the kernel's
// third argument, an int.
const (
	FlowBytes = 4 * genAll
	FlowN     = 11
)

// RandomFlow returns a module with a kernel @k of random control flow: structured or arbitrary, reducible or not.
// For each work-item it writes FlowBytes of its first argument, by global id, and reads its second, FlowTable. The
// launch has one dimension.
func RandomFlow(seed uint64, structured bool) *ssa.Module {
	g := newFlow(seed)
	if !structured {
		g.graph()
	} else if g.statements(0) {
		g.finish()
	}
	g.f.RemoveUnreachable()
	if g.IntN(2) == 0 {
		dropPhis(g.f)
	}
	return g.m
}

// RandomLanes is RandomFlow with more arithmetic on ids and counters, in 32 and 64 bits, some of which wraps.
func RandomLanes(seed uint64) *ssa.Module {
	g := newFlow(seed)
	g.wide = true
	if g.statements(0) {
		g.finish()
	}
	g.f.RemoveUnreachable()
	if g.IntN(2) == 0 {
		dropPhis(g.f)
	}
	return g.m
}

// offset returns a number computed from x as offsets are.
func (g *flowGenerator) offset(x *ssa.Value) *ssa.Value {
	type step struct {
		op ssa.Op
		by uint64
	}
	steps := []step{{ssa.OpAdd, 1}, {ssa.OpAdd, 1<<31 - 9}, {ssa.OpSub, 20}, {ssa.OpMul, 3}, {ssa.OpMul, 1 << 29}, {ssa.OpShl, 2}, {ssa.OpShl, 28},
		{ssa.OpXor, 5}, {ssa.OpXor, 16}, {ssa.OpAnd, 63}, {ssa.OpAnd, 1<<32 - 4}, {ssa.OpShr, 2}, {ssa.OpRem, 24}, {ssa.OpDiv, 4}, {ssa.OpOr, 8}, {ssa.OpMax, 0}, {ssa.OpMin, 100}}
	types := []ssa.Type{ssa.TI32, ssa.TU32, ssa.TI64, ssa.TU64}
	if g.IntN(2) == 0 {
		// An index that wraps before its extension.
		x = g.ids[g.IntN(2)]
		if g.IntN(2) == 0 {
			x = g.b.Convert(x, ssa.U32, false, 0)
		}
		x = g.b.Value(ssa.OpAdd, x.Type, x, g.b.Const(x.Type, []uint64{1<<31 - 9, 1<<32 - 5, 1<<32 - 40}[g.IntN(3)]))
		x = g.b.Convert(x, ssa.I64, false, 0)
	}
	for range 1 + g.IntN(5) {
		switch g.IntN(4) {
		case 0:
			x = g.b.Convert(x, types[g.IntN(len(types))].K, false, 0)
		case 1: // with another number
			y := g.pick()
			if y.Type != x.Type {
				y = g.b.Convert(y, x.Type.K, false, 0)
			}
			ops := []ssa.Op{ssa.OpAdd, ssa.OpAdd, ssa.OpSub, ssa.OpXor, ssa.OpMul, ssa.OpMin, ssa.OpAnd, ssa.OpOr, ssa.OpRem}
			x = g.b.Value(ops[g.IntN(len(ops))], x.Type, x, y)
		default:
			s := steps[g.IntN(len(steps))]
			x = g.b.Value(s.op, x.Type, x, g.b.Const(x.Type, s.by))
		}
	}
	return x
}

// dropPhis replaces each phi whose incoming values are all one value, so that loops use values of enclosing loops
// and the reverse.
func dropPhis(f *ssa.Func) {
	for again := true; again; {
		again = false
		for _, b := range f.Blocks {
			for _, phi := range b.Phis() {
				if x := onlyValue(phi); x != nil {
					phi.BecomeCopy(x)
					again = true
				}
			}
		}
		f.ReplaceCopies()
	}
}

// onlyValue returns the single incoming value of a phi, nil if it has several.
func onlyValue(phi *ssa.Value) (x *ssa.Value) {
	for _, a := range phi.Args {
		a = a.Source()
		if a == phi || a == x {
			continue
		}
		if x != nil {
			return nil
		}
		x = a
	}
	return x
}

// FlowTable returns the table that kernels of RandomFlow read.
func FlowTable() []byte {
	b := make([]byte, 64)
	for i := range uint64(16) {
		binary.LittleEndian.PutUint32(b[4*i:], tableEntry(4*i))
	}
	return b
}

func newFlow(seed uint64) *flowGenerator {
	g := &flowGenerator{Rand: rand.New(rand.NewPCG(seed, 1)), m: &ssa.Module{}}
	g.f = g.m.NewFunc("k", ssa.TVoid)
	g.f.Kernel = &ssa.Kernel{Args: []ssa.KernelArg{
		{Name: "out", TypeName: "int*", Kind: ssa.ArgGlobal, Size: 4, Align: 4, ElemKind: ssa.I32, ElemLanes: 1},
		{Name: "table", TypeName: "int*", Kind: ssa.ArgGlobal, Size: 4, Align: 4, ElemKind: ssa.I32, ElemLanes: 1},
		{Name: "n", TypeName: "int", Kind: ssa.ArgValue, Type: ssa.TI32, Size: 4, Align: 4},
	}}
	g.b = ssa.Builder{F: g.f, B: g.f.NewBlock("")}
	p := g.b.Aux(ssa.OpParam, ssa.Scalar(ssa.PtrGlobal), 0)
	g.table = g.b.Aux(ssa.OpParam, p.Type, 1)
	n := g.b.Aux(ssa.OpParam, ssa.TI32, 2)
	g.f.Params = []*ssa.Value{p, g.table, n}
	dim := g.b.Const(ssa.TU32, 0)
	gid := g.b.Aux(ssa.OpWorkItem, ssa.TU64, int64(ssa.GlobalID), dim)
	lid := g.b.Aux(ssa.OpWorkItem, ssa.TU64, int64(ssa.LocalID), dim)
	g.base = g.b.Value(ssa.OpPtrAdd, p.Type, p, g.b.Value(ssa.OpMul, ssa.TI64, g.b.Value(ssa.OpBitcast, ssa.TI64, gid), g.b.Const(ssa.TI64, 4*genAll)))
	g.vars = []*ssa.Value{g.b.Const(ssa.TI32, 7), n, g.b.Convert(gid, ssa.I32, false, 0), g.b.Convert(lid, ssa.I32, false, 0), g.b.Const(ssa.TI32, 1)}
	g.ids = []*ssa.Value{g.vars[2], g.vars[3]}
	for range genDepth {
		g.vars = append(g.vars, g.b.Const(ssa.TI32, 0))
	}
	if g.IntN(2) == 0 { // work-groups differ
		g.b.Aux(ssa.OpBarrier, ssa.TVoid, ssa.LocalFence)
	}
	return g
}

// block returns a new block with its phis.
func (g *flowGenerator) block() *ssa.Block {
	b := g.f.NewBlock("")
	for range g.vars {
		b.Append(g.f.NewValue(ssa.OpPhi, ssa.TI32, 0))
	}
	return b
}

func (g *flowGenerator) supply(to *ssa.Block) {
	for i, v := range g.vars {
		to.Values[i].SetArgs(append(append([]*ssa.Value(nil), to.Values[i].Args...), v)...)
	}
}

func (g *flowGenerator) jump(to *ssa.Block) {
	g.supply(to)
	g.b.Jump(to)
}

func (g *flowGenerator) branch(c *ssa.Value, x, y *ssa.Block) {
	g.supply(x)
	g.supply(y)
	g.b.Branch(c, x, y)
}

func (g *flowGenerator) enter(b *ssa.Block) {
	g.b.B = b
	g.vars = append([]*ssa.Value(nil), b.Values[:genAll]...)
}

func (g *flowGenerator) pick() *ssa.Value { return g.vars[g.IntN(genVars)] }

func (g *flowGenerator) konst(n int) *ssa.Value {
	return g.b.Const(ssa.TI32, uint64(uint32(g.IntN(n))))
}

// assign changes a variable.
func (g *flowGenerator) assign() {
	ops := []ssa.Op{ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpXor, ssa.OpAnd, ssa.OpShr, ssa.OpMax}
	x, y := g.pick(), g.pick()
	if g.IntN(3) == 0 {
		y = g.konst(20)
	}
	v := g.b.Value(ops[g.IntN(len(ops))], ssa.TI32, x, y)
	switch g.IntN(8) {
	case 0:
		v = g.b.Value(ssa.OpSelect, ssa.TI32, g.cond(), v, g.pick())
	case 1: // through memory
		at := g.b.Value(ssa.OpPtrAdd, g.base.Type, g.base, g.b.Const(ssa.TI64, uint64(4*g.IntN(genAll))))
		old := g.b.Load(ssa.TI32, at, 4)
		g.b.Store(at, v, 4)
		v = g.b.Value(ssa.OpAdd, ssa.TI32, old, v)
	case 4, 5:
		if g.wide {
			o := g.offset(x)
			at := g.b.Value(ssa.OpAnd, o.Type, o, g.b.Const(o.Type, 15))
			if o.Type.K.Num().Size() == 4 {
				at = g.b.Convert(at, ssa.I64, false, 0)
			} else if o.Type.K == ssa.U64 {
				at = g.b.Value(ssa.OpBitcast, ssa.TI64, at)
			}
			off := g.b.Value(ssa.OpShl, ssa.TI64, at, g.b.Const(ssa.TI64, 2))
			read := g.b.Load(ssa.TI32, g.b.Value(ssa.OpPtrAdd, g.table.Type, g.table, off), 4)
			v = g.b.Value(ssa.OpXor, ssa.TI32, read, g.b.Convert(o, ssa.I32, false, 0))
		}
	case 2, 3: // from an address that may be uniform
		at := g.b.Value(ssa.OpAnd, ssa.TI32, x, g.b.Const(ssa.TI32, 15))
		if g.IntN(2) == 0 {
			at = g.clamped()
		}
		i := g.b.Convert(at, ssa.I64, false, 0)
		off := g.b.Value(ssa.OpMul, ssa.TI64, i, g.b.Const(ssa.TI64, 4))
		v = g.b.Value(ssa.OpXor, ssa.TI32, v, g.b.Load(ssa.TI32, g.b.Value(ssa.OpPtrAdd, g.table.Type, g.table, off), 4))
	}
	g.vars[g.IntN(genVars)] = v
}

// id returns an id of the work-item, or a number near it.
func (g *flowGenerator) id() *ssa.Value {
	x := g.ids[g.IntN(2)]
	if g.IntN(2) == 0 {
		x = g.b.Value([]ssa.Op{ssa.OpAdd, ssa.OpSub}[g.IntN(2)], ssa.TI32, x, g.konst(20))
	}
	return x
}

// clamped returns an index of the table, usually a clamped id.
func (g *flowGenerator) clamped() *ssa.Value {
	zero, most := g.b.Const(ssa.TI32, 0), g.b.Const(ssa.TI32, 15)
	x := g.id()
	low := g.b.Value(ssa.OpMax, ssa.TI32, x, zero)
	if g.IntN(3) == 0 {
		low = g.b.Value(ssa.OpSelect, ssa.TI32, g.b.Value(ssa.OpLt, ssa.TBool, x, zero), zero, x)
	}
	if g.IntN(3) == 0 {
		return g.b.Value(ssa.OpSelect, ssa.TI32, g.b.Value(ssa.OpLe, ssa.TBool, low, most), low, zero)
	}
	return g.b.Value(ssa.OpMin, ssa.TI32, most, low)
}

func (g *flowGenerator) cond() *ssa.Value {
	if g.IntN(2) == 0 { // a condition on which most lanes agree
		x, y := g.id(), g.konst(50)
		if g.IntN(3) == 0 {
			x, y = y, x
		}
		c := g.b.Value([]ssa.Op{ssa.OpLt, ssa.OpEq, ssa.OpLe, ssa.OpNe}[g.IntN(4)], ssa.TBool, x, y)
		if g.IntN(3) == 0 {
			c = g.b.Value([]ssa.Op{ssa.OpAnd, ssa.OpOr}[g.IntN(2)], ssa.TBool, c, g.cond())
		}
		if g.IntN(6) == 0 {
			c = g.b.Value(ssa.OpNot, ssa.TBool, c)
		}
		return c
	}
	x := g.b.Value(ssa.OpAnd, ssa.TI32, g.pick(), g.konst(8))
	return g.b.Value([]ssa.Op{ssa.OpLt, ssa.OpEq, ssa.OpLe, ssa.OpNe}[g.IntN(4)], ssa.TBool, x, g.konst(8))
}

// statements emits structured code. It returns false if the end is unreachable.
func (g *flowGenerator) statements(depth int) bool {
	for range 1 + g.IntN(4) {
		g.size++
		kind := g.IntN(10)
		switch {
		case kind < 4 || depth == genDepth || g.size > 60:
			g.assign()
		case kind < 7:
			x, y, join := g.block(), g.block(), g.block()
			g.branch(g.cond(), x, y)
			g.enter(x)
			if g.statements(depth + 1) {
				g.jump(join)
			}
			g.enter(y)
			if g.IntN(2) == 0 || g.statements(depth+1) {
				g.jump(join)
			}
			if len(join.Preds) == 0 { // unreachable, but it must be well-formed
				g.enter(join)
				g.b.Return(nil)
				return false
			}
			g.enter(join)
		case kind < 9:
			switch n := g.IntN(7); {
			case n == 0:
				g.sideLoop(depth)
			case n < 5:
				g.loop(depth)
			case !g.doLoop(depth):
				return false
			}
		case len(g.loops) > 0:
			l := g.loops[g.IntN(len(g.loops))]
			if g.IntN(2) == 0 {
				l.next = l.exit
			}
			if g.IntN(4) == 0 {
				g.jump(l.next)
				return false
			}
			rest := g.block()
			g.branch(g.cond(), l.next, rest)
			g.enter(rest)
		default:
			g.assign()
		}
	}
	return true
}

func (g *flowGenerator) loop(depth int) {
	counter := genVars + depth
	g.vars[counter] = g.b.Const(ssa.TI32, 0)
	if g.IntN(4) == 0 {
		g.vars[counter] = g.b.Value(ssa.OpSub, ssa.TI32, g.id(), g.konst(20))
	}
	head, body, exit := g.block(), g.block(), g.block()
	next := head
	step := g.IntN(2) == 0
	if step {
		next = g.block()
	}
	g.jump(head)
	g.enter(head)
	bound := g.konst(5)
	if g.IntN(2) == 0 {
		bound = g.b.Value(ssa.OpAnd, ssa.TI32, g.pick(), g.b.Const(ssa.TI32, 3))
	} else if g.IntN(3) == 0 {
		bound = g.b.Value(ssa.OpMin, ssa.TI32, g.id(), g.konst(8))
	}
	g.branch(g.b.Value(ssa.OpLt, ssa.TBool, g.vars[counter], bound), body, exit)
	g.enter(body)
	g.vars[counter] = g.b.Value(ssa.OpAdd, ssa.TI32, g.vars[counter], g.b.Const(ssa.TI32, 1))
	g.loops = append(g.loops, genLoop{next, exit})
	if g.statements(depth + 1) {
		g.jump(next)
	}
	g.loops = g.loops[:len(g.loops)-1]
	if step {
		g.enter(next)
		if len(next.Preds) == 0 {
			g.b.Return(nil)
		} else {
			g.jump(head)
		}
	}
	g.enter(exit)
}

// sideLoop emits a loop whose exit test is in one side of a branch: every work-item passes that side, but not in each
// iteration.
func (g *flowGenerator) sideLoop(depth int) {
	counter := genVars + depth
	g.vars[counter] = g.b.Const(ssa.TI32, 0)
	head, side, stay, next, exit := g.block(), g.block(), g.block(), g.block(), g.block()
	done := func() *ssa.Value { // at the latest after some iterations
		most := g.b.Const(ssa.TI32, uint64(2+g.IntN(5)))
		return g.b.Value(ssa.OpOr, ssa.TBool, g.cond(), g.b.Value(ssa.OpLe, ssa.TBool, most, g.vars[counter]))
	}
	g.jump(head)
	g.enter(head)
	g.vars[counter] = g.b.Value(ssa.OpAdd, ssa.TI32, g.vars[counter], g.b.Const(ssa.TI32, 1))
	g.loops = append(g.loops, genLoop{next, exit})
	g.branch(done(), side, next)
	g.enter(side)
	g.branch(done(), exit, stay)
	g.enter(stay)
	if g.statements(depth + 1) {
		g.jump(next)
	}
	g.loops[len(g.loops)-1].next = head
	g.enter(next)
	if g.statements(depth + 1) {
		g.jump(head)
	}
	g.loops = g.loops[:len(g.loops)-1]
	g.enter(exit)
}

// doLoop emits a loop whose exit test is at its latch, from which control may continue with the enclosing loop. It
// returns false if the end is unreachable.
func (g *flowGenerator) doLoop(depth int) bool {
	counter := genVars + depth
	g.vars[counter] = g.b.Const(ssa.TI32, 0)
	head, latch := g.block(), g.block()
	var exit, after *ssa.Block
	if n := len(g.loops); n > 0 && g.IntN(2) == 0 {
		exit = g.loops[n-1].next
	} else {
		after = g.block()
		exit = after
	}
	g.jump(head)
	g.enter(head)
	g.vars[counter] = g.b.Value(ssa.OpAdd, ssa.TI32, g.vars[counter], g.b.Const(ssa.TI32, 1))
	g.loops = append(g.loops, genLoop{latch, exit})
	if g.statements(depth + 1) {
		g.jump(latch)
	}
	g.loops = g.loops[:len(g.loops)-1]
	g.enter(latch)
	if len(latch.Preds) == 0 {
		g.b.Return(nil)
	} else {
		bound := g.b.Value(ssa.OpAnd, ssa.TI32, g.pick(), g.b.Const(ssa.TI32, 3))
		g.branch(g.b.Value(ssa.OpLt, ssa.TBool, g.vars[counter], bound), head, exit)
	}
	if after == nil {
		return false
	}
	g.enter(after)
	if len(after.Preds) == 0 {
		g.b.Return(nil)
		return false
	}
	return true
}

// finish stores the variables.
func (g *flowGenerator) finish() {
	for i, v := range g.vars {
		at := g.b.Value(ssa.OpPtrAdd, g.base.Type, g.base, g.b.Const(ssa.TI64, uint64(4*i)))
		g.b.Store(at, v, 4)
	}
	g.b.Return(nil)
}

// graph emits random control flow, reducible or not; a counter bounds the number of steps.
func (g *flowGenerator) graph() {
	const fuel = genVars
	n := 3 + g.IntN(7)
	blocks := make([]*ssa.Block, n)
	for i := range blocks {
		blocks[i] = g.block()
	}
	exit := g.block()
	g.jump(blocks[0])
	for i, b := range blocks {
		g.enter(b)
		for range g.IntN(4) {
			g.assign()
		}
		g.vars[fuel] = g.b.Value(ssa.OpAdd, ssa.TI32, g.vars[fuel], g.b.Const(ssa.TI32, 1))
		on := g.block()
		g.branch(g.b.Value(ssa.OpLt, ssa.TBool, g.vars[fuel], g.b.Const(ssa.TI32, 30)), on, exit)
		g.enter(on)
		target := func() *ssa.Block {
			if g.IntN(3) > 0 {
				return blocks[min(n-1, i+1+g.IntN(3))]
			}
			return blocks[g.IntN(n)]
		}
		switch g.IntN(5) {
		case 0:
			g.jump(target())
		case 1:
			v := g.b.Value(ssa.OpSwitch, ssa.TVoid, g.b.Value(ssa.OpAnd, ssa.TI32, g.pick(), g.b.Const(ssa.TI32, 3)))
			v.Bits = []uint64{1, 2}
			for range 3 {
				to := target()
				g.supply(to)
				g.b.B.Link(to)
			}
			g.b.B = nil
		case 2:
			g.branch(g.cond(), target(), exit)
		default:
			g.branch(g.cond(), target(), target())
		}
	}
	g.enter(exit)
	g.finish()
}

// tableEntry returns the number at a byte offset of the table.
func tableEntry(off uint64) uint32 { return uint32(off/4*off/4*5 - 7) }
