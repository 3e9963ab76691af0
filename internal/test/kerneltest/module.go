package kerneltest

import (
	"math/rand/v2"

	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A moduleGenerator generates random functions without undefined behaviour: all memory accesses are in bounds, all
// loops bounded.
type moduleGenerator struct {
	rng   *rand.Rand
	b     ssa.Builder
	f     *ssa.Func
	m     *ssa.Module
	vals  []*ssa.Value // values that dominate the insertion point
	mem   []memoryOf
	funcs []*ssa.Func // functions that may be called
	left  int         // number of statements still to generate
	table *ssa.Global
}

// A memoryOf is a pointer to a number of accessible bytes.
type memoryOf struct {
	p        *ssa.Value
	size     int
	readonly bool
}

var elemKinds = []ssa.Kind{ssa.I8, ssa.U8, ssa.I16, ssa.U16, ssa.I32, ssa.U32, ssa.I64, ssa.U64, ssa.F16, ssa.F32, ssa.F64}

// ModuleBytes is the number of bytes that a work-item owns in each buffer of a RandomModule kernel.
const ModuleBytes = 64

// RandomModule returns a module with a kernel @k and, if calls is set, functions that it calls. The arguments are
// three buffers, an int, a float, an int4, a long, a double and a uchar. Each work-item writes its own ModuleBytes
// of the first buffer, reads its own of the second, and all read the same ModuleBytes of the third.
func RandomModule(seed uint64, size int, calls bool) *ssa.Module {
	g := &moduleGenerator{rng: rand.New(rand.NewPCG(seed, 7)), m: &ssa.Module{}}
	g.table = &ssa.Global{Name: "table", Kind: ssa.PtrConstant, Size: 32, Align: 16, Init: make([]byte, 24)}
	for i := range g.table.Init {
		g.table.Init[i] = byte(g.rng.Uint32())
	}
	g.m.Globals = append(g.m.Globals, g.table)
	if calls {
		for range g.rng.IntN(3) {
			g.function(size / 4)
		}
	}
	g.kernel(size)
	return g.m
}

// function generates a function that takes an int, a float and the address of ModuleBytes.
func (g *moduleGenerator) function(size int) {
	g.f = g.m.NewFunc("f"+string(rune('0'+len(g.funcs))), ssa.TI32)
	g.b = ssa.Builder{F: g.f, B: g.f.NewBlock("")}
	for i, t := range []ssa.Type{ssa.TI32, ssa.TF32, ssa.Scalar(ssa.PtrGlobal)} {
		g.f.Params = append(g.f.Params, g.b.Aux(ssa.OpParam, t, int64(i)))
	}
	g.vals = append([]*ssa.Value(nil), g.f.Params[:2]...)
	g.mem = []memoryOf{{g.f.Params[2], ModuleBytes, false}}
	g.variables()
	g.left = size
	g.statements(2)
	g.b.Return(g.pick(ssa.TI32))
	g.funcs = append(g.funcs, g.f)
}

// variables emits some private variables and the address of the table.
func (g *moduleGenerator) variables() {
	for range g.rng.IntN(5) {
		size := []int{1, 4, 8, 12, 16, 16, 32, 40}[g.rng.IntN(8)]
		a := g.b.Sym(ssa.OpAlloca, ssa.Scalar(ssa.PtrPrivate), &ssa.Alloca{Name: "x", Size: int64(size), Align: 16})
		g.mem = append(g.mem, memoryOf{a, size, false})
	}
	if g.rng.IntN(2) == 0 {
		t := g.b.Sym(ssa.OpGlobalAddr, ssa.Scalar(ssa.PtrConstant), g.table)
		g.mem = append(g.mem, memoryOf{t, 32, true})
	}
}

func (g *moduleGenerator) kernel(size int) {
	f := g.m.NewFunc("k", ssa.TVoid)
	g.f, g.vals, g.mem = f, nil, nil
	g.b = ssa.Builder{F: f, B: f.NewBlock("")}
	ptr := ssa.Scalar(ssa.PtrGlobal)
	for i, t := range []ssa.Type{ptr, ptr, ptr, ssa.TI32, ssa.TF32, ssa.Vec(ssa.I32, 4), ssa.TI64, ssa.Scalar(ssa.F64), ssa.Scalar(ssa.U8)} {
		p := g.b.Aux(ssa.OpParam, t, int64(i))
		f.Params = append(f.Params, p)
		if !t.K.IsPtr() {
			g.vals = append(g.vals, p)
		}
	}
	f.Kernel = &ssa.Kernel{}
	for i, p := range f.Params {
		a := ssa.KernelArg{Name: string(rune('a' + i)), TypeName: "t", Type: p.Type, Size: int64(p.Type.Size()), Align: 1}
		if p.Type.K.IsPtr() {
			a.Kind = ssa.ArgGlobal
		}
		f.Kernel.Args = append(f.Kernel.Args, a)
	}
	dim := g.b.Const(ssa.TU32, 0)
	gid := g.b.Aux(ssa.OpWorkItem, ssa.TU64, int64(ssa.GlobalID), dim)
	at := g.b.Value(ssa.OpMul, ssa.TI64, g.b.Value(ssa.OpBitcast, ssa.TI64, gid), g.b.Const(ssa.TI64, ModuleBytes))
	g.mem = append(g.mem, memoryOf{g.b.Value(ssa.OpPtrAdd, ptr, f.Params[0], at), ModuleBytes, false},
		memoryOf{g.b.Value(ssa.OpPtrAdd, ptr, f.Params[1], at), ModuleBytes, true}, memoryOf{f.Params[2], ModuleBytes, true})
	g.vals = append(g.vals, g.b.Convert(gid, ssa.I32, false, 0))
	g.variables()
	// Values that differ from lane to lane.
	for range 6 {
		t := g.typ()
		g.vals = append(g.vals, g.b.Load(t, g.b.Value(ssa.OpPtrAdd, ptr, g.mem[1].p, g.b.Const(ssa.TI64, uint64(g.rng.IntN(ModuleBytes-t.Size()+1)))), 1))
	}
	g.left = size
	g.statements(4)
	for range 4 {
		g.store()
	}
	g.b.Return(nil)
}

// statements emits code until the budget of the function or of this nest is used up.
func (g *moduleGenerator) statements(depth int) {
	for n := 3 + g.rng.IntN(12); n > 0 && g.left > 0; n-- {
		g.left--
		scope := len(g.vals)
		switch g.rng.IntN(12) {
		case 0:
			if depth > 0 {
				g.branch(depth - 1)
				g.vals = g.vals[:min(len(g.vals), scope+1)]
			}
		case 1:
			if depth > 0 {
				g.loop(depth - 1)
				g.vals = g.vals[:min(len(g.vals), scope+1)]
			}
		case 2:
			if depth > 0 {
				g.choose(depth - 1)
				g.vals = g.vals[:min(len(g.vals), scope+1)]
			}
		case 3, 4:
			g.store()
		case 5:
			g.vals = append(g.vals, g.load())
		case 6:
			g.moves()
		case 7:
			if len(g.funcs) > 0 {
				f := g.funcs[g.rng.IntN(len(g.funcs))]
				g.vals = append(g.vals, g.b.Sym(ssa.OpCall, f.Result, f, g.pick(ssa.TI32), g.pick(ssa.TF32), g.mem[0].p))
			}
		default:
			g.vals = append(g.vals, g.op())
		}
	}
}

func (g *moduleGenerator) typ() ssa.Type {
	k := elemKinds[g.rng.IntN(len(elemKinds))]
	if g.rng.IntN(3) > 0 {
		return ssa.Scalar(k)
	}
	return ssa.Vec(k, []int{2, 3, 4, 8}[g.rng.IntN(4)])
}

// address returns a pointer to size accessible bytes, nil if there is none.
func (g *moduleGenerator) address(size int, write bool) *ssa.Value {
	for range 8 {
		m := g.mem[g.rng.IntN(len(g.mem))]
		if m.size < size || write && m.readonly {
			continue
		}
		step := 1
		if g.rng.IntN(4) > 0 {
			step = 4
		}
		off := g.rng.IntN((m.size-size)/step+1) * step
		if off == 0 && g.rng.IntN(2) == 0 {
			return m.p
		}
		o := g.b.Const(ssa.TI64, uint64(off))
		if g.rng.IntN(12) == 0 { // an offset that is not constant
			mask := g.b.Const(ssa.TI64, uint64(off))
			o = g.b.Value(ssa.OpAnd, ssa.TI64, g.pick(ssa.TI64), mask)
		}
		return g.b.Value(ssa.OpPtrAdd, m.p.Type, m.p, o)
	}
	return nil
}

func (g *moduleGenerator) store() {
	x := g.any()
	if x.Type.K == ssa.Bool {
		return
	}
	if p := g.address(x.Type.Size(), true); p != nil {
		g.b.Store(p, x, 1)
	}
}

func (g *moduleGenerator) load() *ssa.Value {
	t := g.typ()
	if p := g.address(t.Size(), false); p != nil {
		return g.b.Load(t, p, 1)
	}
	return g.any()
}

// moves emits a copy between different objects, or a memzero.
func (g *moduleGenerator) moves() {
	n := []int{1, 4, 8, 12, 16}[g.rng.IntN(5)]
	to := g.address(n, true)
	from := g.address(n, false)
	if to == nil || from == nil {
		return
	}
	if g.rng.IntN(3) == 0 || root(to) == root(from) {
		z := g.b.Aux(ssa.OpMemZero, ssa.TVoid, int64(n), to)
		if g.rng.IntN(2) == 0 {
			z.Flags = ssa.Implicit
		}
		return
	}
	g.b.Aux(ssa.OpMemCopy, ssa.TVoid, int64(n), to, from)
}

func root(p *ssa.Value) *ssa.Value {
	for p.Op == ssa.OpPtrAdd {
		p = p.Args[0]
	}
	return p
}

func (g *moduleGenerator) any() *ssa.Value {
	if len(g.vals) == 0 || g.rng.IntN(6) == 0 {
		return g.constant(g.typ())
	}
	return g.vals[g.rng.IntN(len(g.vals))]
}

func (g *moduleGenerator) constant(t ssa.Type) *ssa.Value {
	if g.rng.IntN(20) == 0 {
		return g.b.Value(ssa.OpUndef, t)
	}
	bits := make([]uint64, 1)
	if t.IsVec() && g.rng.IntN(2) == 0 {
		bits = make([]uint64, t.N)
	}
	w := t.K.Num().Bits()
	for i := range bits {
		switch g.rng.IntN(4) {
		case 0:
			bits[i] = g.rng.Uint64()
		case 1:
			bits[i] = ^uint64(0)
		case 2:
			bits[i] = uint64(g.rng.IntN(5))
		default:
			bits[i] = numeric.ConvertBits(t.K.Num(), false, 0, numeric.I32, uint64(g.rng.IntN(4)))
		}
		bits[i] = bits[i] << (64 - w) >> (64 - w)
	}
	return g.b.ConstVec(t, bits)
}

// pick returns a value of type t: an existing one, perhaps converted, or a constant.
func (g *moduleGenerator) pick(t ssa.Type) *ssa.Value {
	for range 4 {
		x := g.any()
		switch {
		case x.Type == t:
			return x
		case x.Type.N == t.N && t.K != ssa.Bool && !t.K.IsPtr():
			sat := g.rng.IntN(2) == 0 && t.K.Num().IsInt()
			return g.b.Convert(x, t.K, sat, numeric.Round(g.rng.IntN(int(numeric.NumRounds))))
		case t.N == 1 && x.Type.K == t.K:
			return g.b.Extract(x, g.rng.IntN(int(x.Type.N)))
		case x.Type.N == 1 && x.Type.K == t.K:
			return g.b.Value(ssa.OpSplat, t, x)
		case x.Type.Size() == t.Size() && t.K != ssa.Bool && x.Type.K != ssa.Bool:
			return g.b.Value(ssa.OpBitcast, t, x)
		}
	}
	return g.constant(t)
}

func (g *moduleGenerator) cond() *ssa.Value {
	x := g.any()
	if x.Type.N != 1 {
		x = g.b.Extract(x, 0)
	}
	if x.Type.K == ssa.Bool {
		return x
	}
	return g.b.Value([]ssa.Op{ssa.OpEq, ssa.OpNe, ssa.OpLt, ssa.OpLe}[g.rng.IntN(4)], ssa.TBool, x, g.pick(x.Type))
}

// elementOps are the elementwise ops by the kind of their operands, from the table of ops.
var elementOps = func() (t [ssa.Handle + 1][]ssa.Op) {
	for _, k := range append(elemKinds, ssa.Bool) {
		for _, op := range ssa.Elements(k) {
			if _, no := notGenerated[op]; !no || !k.Num().IsFloat() {
				t[k] = append(t[k], op)
			}
		}
	}
	t[ssa.Bool] = append(t[ssa.Bool], ssa.OpEq, ssa.OpNe)
	return t
}()

// notGenerated lists ops that random modules do not have on floats, with the reason.
var notGenerated = map[ssa.Op]string{ssa.OpRem: "irgen makes fmod a function of the library, and machine code has no instruction for it"}

// op emits a random pure op.
func (g *moduleGenerator) op() *ssa.Value {
	x := g.any()
	t := x.Type
	switch g.rng.IntN(5) {
	case 0:
		return g.compareOrSelect(x)
	case 1:
		return g.vector(x)
	case 2:
		return g.pick(g.typ())
	}
	if t.K.Num().IsInt() && g.rng.IntN(10) == 0 {
		if t.K.Num().Bits() == 32 && g.rng.IntN(2) == 0 {
			return g.b.Aux(ssa.OpDot, t, int64(g.rng.IntN(len(ssa.DotNames))), x, g.pick(t), g.pick(t))
		}
		return g.b.Value(ssa.OpAbsDiff, t.With(ssa.Kind(t.K.Num().Unsigned())), x, g.pick(t))
	}
	ops := elementOps[t.K]
	op := ops[g.rng.IntN(len(ops))]
	args := []*ssa.Value{x}
	for len(args) < int(ssa.Ops[op].NArgs) {
		u := t
		if (op == ssa.OpShl || op == ssa.OpShr || op == ssa.OpRotl) && g.rng.IntN(2) == 0 {
			u = t.With(elemKinds[g.rng.IntN(8)])
		}
		args = append(args, g.pick(u))
	}
	return g.b.Value(op, t, args...)
}

func (g *moduleGenerator) compareOrSelect(x *ssa.Value) *ssa.Value {
	t := x.Type
	if t.K == ssa.Bool {
		u := g.typ()
		u.N = t.N
		return g.b.Value(ssa.OpSelect, u, x, g.pick(u), g.pick(u))
	}
	c := g.b.Value([]ssa.Op{ssa.OpEq, ssa.OpNe, ssa.OpLt, ssa.OpLe}[g.rng.IntN(4)], t.With(ssa.Bool), x, g.pick(t))
	if g.rng.IntN(2) == 0 {
		return c
	}
	k := elemKinds[g.rng.IntN(8)]
	m := g.b.Value(ssa.OpSelect, t.With(k), c, g.b.Const(t.With(k), ^uint64(0)>>(64-k.Num().Bits())), g.b.Const(t.With(k), 0))
	if g.rng.IntN(2) == 0 {
		return m
	}
	return g.b.Value(ssa.OpLt, t.With(ssa.Bool), m, g.b.Const(t.With(k), 0))
}

func (g *moduleGenerator) vector(x *ssa.Value) *ssa.Value {
	t := x.Type
	if !t.IsVec() {
		n := []int{2, 3, 4, 8}[g.rng.IntN(4)]
		if g.rng.IntN(2) == 0 {
			return g.b.Value(ssa.OpSplat, ssa.Vec(t.K, n), x)
		}
		args := []*ssa.Value{x}
		for len(args) < n {
			args = append(args, g.pick(t))
		}
		return g.b.Value(ssa.OpVec, ssa.Vec(t.K, n), args...)
	}
	switch g.rng.IntN(4) {
	case 0:
		return g.b.Extract(x, g.rng.IntN(int(t.N)))
	case 1:
		return g.b.Aux(ssa.OpInsert, t, int64(g.rng.IntN(int(t.N))), x, g.pick(t.Elem()))
	case 2:
		i := g.b.Const(ssa.TU64, uint64(g.rng.IntN(int(t.N)+1)))
		return g.b.Value(ssa.OpExtractDyn, t.Elem(), x, i)
	}
	y := g.pick(t)
	lanes := make([]uint8, []int{2, 3, 4, 8}[g.rng.IntN(4)])
	for i := range lanes {
		if lanes[i] = uint8(g.rng.IntN(2 * int(t.N))); g.rng.IntN(12) == 0 {
			lanes[i] = ssa.ShuffleUndef
		}
	}
	return g.b.Shuffle(x, y, lanes)
}

// inside emits nested statements and returns a value of type t that they compute.
func (g *moduleGenerator) inside(depth int, t ssa.Type) *ssa.Value {
	scope := len(g.vals)
	g.statements(depth)
	x := g.pick(t)
	g.vals = g.vals[:scope]
	return x
}

func (g *moduleGenerator) join(b *ssa.Block, t ssa.Type, args ...*ssa.Value) {
	g.b.B = b
	g.vals = append(g.vals, g.b.Value(ssa.OpPhi, t, args...))
}

func (g *moduleGenerator) branch(depth int) {
	t := g.typ()
	if g.rng.IntN(3) == 0 {
		t = ssa.TBool
	}
	then, els, end := g.f.NewBlock(""), g.f.NewBlock(""), g.f.NewBlock("")
	g.b.Branch(g.cond(), then, els)
	g.b.B = then
	x := g.inside(depth, t)
	g.b.Jump(end)
	g.b.B = els
	y := g.inside(depth, t)
	g.b.Jump(end)
	g.join(end, t, x, y)
}

func (g *moduleGenerator) choose(depth int) {
	t := g.typ()
	end := g.f.NewBlock("")
	x := g.pick(ssa.TI32)
	sw := g.b.Value(ssa.OpSwitch, ssa.TVoid, g.b.Value(ssa.OpAnd, ssa.TI32, x, g.b.Const(ssa.TI32, 3)))
	from := g.b.B
	var cases []*ssa.Block
	for i := range 1 + g.rng.IntN(4) {
		if i > 0 {
			sw.Bits = append(sw.Bits, uint64(i-1))
		}
		var b *ssa.Block
		if i > 1 && g.rng.IntN(3) == 0 {
			b = cases[i-1]
		} else {
			b = g.f.NewBlock("")
		}
		from.Link(b)
		cases = append(cases, b)
	}
	var args []*ssa.Value
	for i, b := range cases {
		if i > 0 && b == cases[i-1] {
			continue
		}
		g.b.B = b
		args = append(args, g.inside(depth, t))
		g.b.Jump(end)
	}
	g.join(end, t, args...)
}

func (g *moduleGenerator) loop(depth int) {
	t := g.typ()
	head, body, end := g.f.NewBlock(""), g.f.NewBlock(""), g.f.NewBlock("")
	zero, init := g.b.Const(ssa.TI32, 0), g.pick(t)
	head.Unroll = int32(g.rng.IntN(3) - 1) // 1 disables unrolling
	g.b.Jump(head)
	g.b.B = head
	i := g.b.Value(ssa.OpPhi, ssa.TI32, zero)
	x := g.b.Value(ssa.OpPhi, t, init)
	n := g.b.Const(ssa.TI32, uint64(g.rng.IntN(4)))
	g.b.Branch(g.b.Value(ssa.OpLt, ssa.TBool, i, n), body, end)
	g.b.B = body
	scope := len(g.vals)
	g.vals = append(g.vals, i, x)
	y := g.inside(depth, t)
	g.vals = g.vals[:scope]
	if g.rng.IntN(3) == 0 { // a second exit
		next := g.f.NewBlock("")
		g.b.Branch(g.cond(), next, end)
		g.b.B = next
	}
	j := g.b.Value(ssa.OpAdd, ssa.TI32, i, g.b.Const(ssa.TI32, 1))
	g.b.Jump(head)
	i.Args = append(i.Args, j)
	x.Args = append(x.Args, y)
	g.b.B = end
	g.vals = append(g.vals, x)
}
