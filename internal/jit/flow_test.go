//go:build amd64 && (linux || darwin || windows)

package jit_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/purecl/purecl/internal/codegen"
	"github.com/purecl/purecl/internal/jit"
	"github.com/purecl/purecl/internal/launch"
	"github.com/purecl/purecl/internal/spmd"
	"github.com/purecl/purecl/internal/ssa"
)

// A generator makes random functions in which every block begins with a phi for each
// variable. Some variables begin uniform, some varying.
type generator struct {
	*rand.Rand
	m     *ssa.Module
	f     *ssa.Func
	b     ssa.Builder
	vars  []*ssa.Value
	loops []genLoop
	base  *ssa.Value   // address of this work-item's part of the buffer
	table *ssa.Value   // of 16 numbers that all read
	ids   []*ssa.Value // the global and the local id
	size  int
}

type genLoop struct{ next, exit *ssa.Block }

const (
	genVars  = 5
	genDepth = 4
	genAll   = genVars + genDepth // the last are loop counters
)

func newGenerator(seed uint64) *generator {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 1)), m: &ssa.Module{}}
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
	if g.IntN(2) == 0 { // work-groups apart
		g.b.Aux(ssa.OpBarrier, ssa.TVoid, ssa.LocalFence)
	}
	return g
}

// block makes a block with phis.
func (g *generator) block() *ssa.Block {
	b := g.f.NewBlock("")
	for range g.vars {
		b.Append(g.f.NewValue(ssa.OpPhi, ssa.TI32, 0))
	}
	return b
}

func (g *generator) supply(to *ssa.Block) {
	for i, v := range g.vars {
		to.Values[i].SetArgs(append(append([]*ssa.Value(nil), to.Values[i].Args...), v)...)
	}
}

func (g *generator) jump(to *ssa.Block) {
	g.supply(to)
	g.b.Jump(to)
}

func (g *generator) branch(c *ssa.Value, x, y *ssa.Block) {
	g.supply(x)
	g.supply(y)
	g.b.Branch(c, x, y)
}

func (g *generator) enter(b *ssa.Block) {
	g.b.B = b
	g.vars = append([]*ssa.Value(nil), b.Values[:genAll]...)
}

func (g *generator) pick() *ssa.Value { return g.vars[g.IntN(genVars)] }

func (g *generator) konst(n int) *ssa.Value {
	return g.b.Const(ssa.TI32, uint64(uint32(g.IntN(n))))
}

// assign changes a variable.
func (g *generator) assign() {
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
	case 2, 3: // from a place that may be the same for all
		i := g.b.Convert(g.b.Value(ssa.OpAnd, ssa.TI32, x, g.b.Const(ssa.TI32, 15)), ssa.I64, false, 0)
		off := g.b.Value(ssa.OpMul, ssa.TI64, i, g.b.Const(ssa.TI64, 4))
		v = g.b.Value(ssa.OpXor, ssa.TI32, v, g.b.Load(ssa.TI32, g.b.Value(ssa.OpPtrAdd, g.table.Type, g.table, off), 4))
	}
	g.vars[g.IntN(genVars)] = v
}

// id returns an id of the work-item, or a number near it.
func (g *generator) id() *ssa.Value {
	x := g.ids[g.IntN(2)]
	if g.IntN(2) == 0 {
		x = g.b.Value([]ssa.Op{ssa.OpAdd, ssa.OpSub}[g.IntN(2)], ssa.TI32, x, g.konst(20))
	}
	return x
}

func (g *generator) cond() *ssa.Value {
	if g.IntN(2) == 0 { // as lanes mostly agree on
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

// statements makes structured code; false if the end is not reached.
func (g *generator) statements(depth int) bool {
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
			if len(join.Preds) == 0 { // unreachable, but it must be complete
				g.enter(join)
				g.b.Return(nil)
				return false
			}
			g.enter(join)
		case kind < 9:
			g.loop(depth)
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

func (g *generator) loop(depth int) {
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

// finish stores the variables.
func (g *generator) finish() {
	for i, v := range g.vars {
		at := g.b.Value(ssa.OpPtrAdd, g.base.Type, g.base, g.b.Const(ssa.TI64, uint64(4*i)))
		g.b.Store(at, v, 4)
	}
	g.b.Return(nil)
}

// graph makes random control flow, reducible or not, in which a counter bounds the
// number of steps.
func (g *generator) graph() {
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

// tableEntry is the number at an offset in the table.
func tableEntry(off uint64) uint32 { return uint32(off/4*off/4*5 - 7) }

// evaluate runs f for one work-item, one value after the other, as the oracle.
// Votes are as of a gang of one, but every third says that other lanes do not agree: a
// plan must do the same then.
func evaluate(f *ssa.Func, mem []byte, n int32, gid, lid uint64) error {
	votes := 0
	val := make([]uint64, f.NumValues())
	b, from := f.Blocks[0], (*ssa.Block)(nil)
	for steps := 0; ; steps++ {
		if steps > 1e6 {
			return fmt.Errorf("does not end")
		}
		phis := map[*ssa.Value]uint64{}
		for _, v := range b.Values {
			arg := func(i int) uint64 { return val[v.Args[i].ID] }
			switch v.Op {
			case ssa.OpPhi:
				for i, p := range b.Preds {
					if p == from {
						phis[v] = val[v.Args[i].ID]
						break
					}
				}
				continue
			}
			for p, x := range phis {
				val[p.ID] = x
			}
			clear(phis)
			switch v.Op {
			case ssa.OpConst:
				val[v.ID] = v.Bits[0]
			case ssa.OpParam:
				val[v.ID] = []uint64{0, 1 << 40, uint64(uint32(n))}[v.Aux]
			case ssa.OpWorkItem:
				val[v.ID] = gid
				if ssa.WorkItemQuery(v.Aux) == ssa.LocalID {
					val[v.ID] = lid
				}
			case ssa.OpBitcast:
				val[v.ID] = arg(0)
			case ssa.OpVote:
				val[v.ID] = arg(0) // VoteNone or VoteAll
				if votes++; (votes+int(gid))%3 == 0 {
					val[v.ID] = ssa.VoteSome
				}
			case ssa.OpPtrAdd:
				val[v.ID] = arg(0) + arg(1)
			case ssa.OpLoad:
				if at := arg(0); at < 1<<40 {
					val[v.ID] = uint64(binary.LittleEndian.Uint32(mem[at:]))
				} else {
					val[v.ID] = uint64(tableEntry(at - 1<<40))
				}
			case ssa.OpStore:
				binary.LittleEndian.PutUint32(mem[arg(0):], uint32(arg(1)))
			case ssa.OpSelect:
				val[v.ID] = arg(2)
				if arg(0) != 0 {
					val[v.ID] = arg(1)
				}
			case ssa.OpJump:
				from, b = b, b.Succs[0]
			case ssa.OpBranch:
				k := 1
				if arg(0) != 0 {
					k = 0
				}
				from, b = b, b.Succs[k]
			case ssa.OpSwitch:
				k := 0
				for i, c := range v.Bits {
					if c == arg(0) {
						k = i + 1
					}
				}
				from, b = b, b.Succs[k]
			case ssa.OpReturn:
				return nil
			case ssa.OpBarrier:
			default:
				var args [3]uint64
				for i := range v.Args {
					args[i] = arg(i)
				}
				x, ok := ssa.EvalScalar(v.Op, v.Type.K, v.Args[0].Type.K, v.Aux, args[:len(v.Args)])
				if !ok {
					return fmt.Errorf("cannot evaluate %s", v.Op)
				}
				val[v.ID] = x
			}
		}
	}
}

// checkFlow compares machine code with the oracle on one random function.
func checkFlow(t *testing.T, seed uint64, structured bool) (made int) {
	g := newGenerator(seed)
	if structured {
		if g.statements(0) {
			g.finish()
		}
	} else {
		g.graph()
	}
	g.f.RemoveUnreachable()
	if err := ssa.Verify(g.f); err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	const items, local = 48, 16
	want := make([]byte, items*4*genAll)
	for i := range uint64(items) {
		if err := evaluate(g.f, want, 11, i, i%local); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if p, err := spmd.Prepare(g.f, spmd.Options{RowUniform: true, GroupUniform: true, Versions: true}); err == nil {
		if err := ssa.Verify(p.F); err != nil {
			t.Fatalf("seed %d: plan: %v\n%s\n%s", seed, err, g.f, p.F)
		}
		got := make([]byte, len(want))
		for i := range uint64(items) {
			if err := evaluate(p.F, got, 11, i, i%local); err != nil {
				t.Fatalf("seed %d: plan: %v", seed, err)
			}
		}
		if string(got) != string(want) {
			t.Fatalf("seed %d structured %v: the plan is another program\n%s\n%s", seed, structured, g.f, p.F)
		}
	}
	table := make([]byte, 64)
	for i := range 16 {
		binary.LittleEndian.PutUint32(table[4*i:], tableEntry(uint64(4*i)))
	}
	for _, lv := range codegen.Levels {
		if _, err := jit.Compile(g.f, lv); err != nil {
			continue
		}
		made++
		p, err := launch.NewProgram(g.m, jit.ForLevel(lv))
		if err != nil {
			t.Fatal(err)
		}
		k, _ := p.Kernel("k")
		got := make([]byte, len(want))
		_, err = launch.Run(context.Background(), &launch.Launch{Kernel: k, Args: []launch.Arg{launch.Memory(&launch.Buffer{Data: got}), launch.Memory(&launch.Buffer{Data: table}), launch.Value([]byte{11, 0, 0, 0})},
			Range: launch.Range{Global: []uint64{items}, Local: []uint64{local}}})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if string(got) != string(want) {
			for i := range items {
				for k := range genAll {
					at := 4 * (i*genAll + k)
					if x, y := binary.LittleEndian.Uint32(got[at:]), binary.LittleEndian.Uint32(want[at:]); x != y {
						t.Fatalf("seed %d structured %v %s: work-item %d variable %d: got %d, want %d\n%s", seed, structured, lv.Name, i, k, int32(x), int32(y), g.f)
					}
				}
			}
		}
	}
	return made
}

// TestRandomFlow compares random control flow with a plain evaluation of the function.
func TestRandomFlow(t *testing.T) {
	if jit.Level() != codegen.AVX512 {
		t.Skip("needs AVX-512")
	}
	first, n := 0, 60
	if s := os.Getenv("JIT_SEEDS"); s != "" {
		fmt.Sscanf(s, "%d,%d", &first, &n)
	}
	made := 0
	for i := range n {
		made += checkFlow(t, uint64(first+i), true)
		made += checkFlow(t, uint64(first+i), false)
	}
	t.Logf("%d functions, %d times machine code", 2*n, made)
}
