package gangtest

import (
	"math/rand/v2"
	"slices"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/target"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A generator makes a random function. It appends instructions; what the verifier rejects goes again.
type generator struct {
	*rand.Rand
	f    *gang.Func
	t    *target.Target
	regs [4][]gang.Reg // by class
	zero gang.Reg      // the offset 0
	end  int           // of the output in use
}

// Roots of a random function, and their sizes.
const (
	output = iota
	input
	counters
	scratch
	outputBytes  = 1 << 15
	inputBytes   = 1 << 12
	scratchBytes = 64
)

// kinds are those of elements.
var kinds = []ssa.Kind{ssa.I8, ssa.U8, ssa.I16, ssa.U16, ssa.I32, ssa.U32, ssa.I64, ssa.U64, ssa.F16, ssa.F32, ssa.F64}

// Random returns a random function for a machine, of elementwise operations, moves, predicates, and accesses in bounds of small
// memory in the shapes of the machine, and launches of it.
func Random(seed uint64, lanes int, t *target.Target) (*gang.Func, func() (*Launch, error)) {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 7)), f: gang.NewFunc("random", lanes), t: t}
	g.f.Full = g.IntN(3) > 0
	g.f.Params = []gang.Param{{N: 1, Name: "out"}, {N: 1, Name: "in"}, {N: 1, Name: "counters"}, {N: 4, Name: "n"}}
	g.f.Roots = []gang.Root{{Param: 0}, {Param: 1}, {Param: 2}, {Kind: gang.RootPrivate, Size: scratchBytes, Align: 8, Name: "scratch"}}
	g.f.Accesses = []gang.Access{{Name: "access"}}
	b := g.f.NewBlock()
	b.Insts = []gang.Inst{{Op: gang.OpReturn}}
	g.zero = g.constant(gang.Type{Class: gang.Scalar, K: ssa.I64, N: 1}, 0)
	g.add(gang.Inst{Op: gang.OpClear})
	g.add(gang.Inst{Op: gang.OpActive, Dst: g.reg(gang.Predicate, ssa.Bool, 1)})
	for range 3 + g.IntN(5) {
		g.load(gang.Contiguous)
	}
	for range 5 + g.IntN(40) {
		g.step()
	}
	for _, r := range g.regs[gang.Vector] {
		g.output(r)
	}
	in, n := Bytes(g.Rand, inputBytes), make([]uint64, 4)
	for k := range n {
		n[k] = g.Uint64() >> g.IntN(64) & ParamBits(g.f, 3)
	}
	size := uint64(lanes)
	if !g.f.Full {
		size -= uint64(g.IntN(lanes))
	}
	return g.f, func() (*Launch, error) {
		l := NewLaunch(g.f)
		l.Size[0] = size
		for _, mem := range [][]byte{make([]byte, outputBytes), in, make([]byte, 256)} {
			l.Params = append(l.Params, []uint64{uint64(l.Add(mem, false)) << ssa.ObjectShift})
		}
		l.Params = append(l.Params, n)
		return l, l.bind(nil)
	}
}

// block returns the block under construction.
func (g *generator) block() *gang.Block { return g.f.Blocks[len(g.f.Blocks)-1] }

// reg returns a new register.
func (g *generator) reg(c gang.Class, k ssa.Kind, n uint8) gang.Reg {
	return g.f.NewReg(gang.Type{Class: c, K: k, N: n})
}

// add appends an instruction if the verifier accepts it. Others may then use its result.
func (g *generator) add(i gang.Inst) bool {
	b := g.block()
	b.Insts = slices.Insert(b.Insts, len(b.Insts)-1, i)
	if gang.Verify(g.f) != nil {
		b.Insts = slices.Delete(b.Insts, len(b.Insts)-2, len(b.Insts)-1)
		return false
	}
	if c := g.f.Type(i.Dst).Class; i.Dst != 0 && !slices.Contains(g.regs[c], i.Dst) {
		g.regs[c] = append(g.regs[c], i.Dst)
	}
	return true
}

func (g *generator) constant(t gang.Type, x int64) gang.Reg {
	r := g.f.NewReg(t)
	g.add(gang.Inst{Op: gang.OpConst, Dst: r, Imm: x})
	return r
}

// pick returns a register of a class, of a type if t.K is not 0; 0 if there is none.
func (g *generator) pick(c gang.Class, t gang.Type) gang.Reg {
	list := g.regs[c]
	for range 8 {
		if len(list) == 0 {
			break
		}
		if r := list[len(list)-1-min(g.IntN(len(list)), g.IntN(len(list)))]; t.K == 0 || g.f.Type(r) == t {
			return r
		}
	}
	for _, r := range list {
		if g.f.Type(r) == t {
			return r
		}
	}
	return 0
}

// mask returns a predicate or, half of the time, none.
func (g *generator) mask() gang.Reg {
	if g.IntN(2) == 0 {
		return 0
	}
	return g.pick(gang.Predicate, gang.Type{Class: gang.Predicate, K: ssa.Bool, N: 1})
}

// step appends a random instruction.
func (g *generator) step() {
	switch g.IntN(16) {
	case 0, 1, 2, 3, 4:
		g.each(gang.Vector)
	case 5:
		g.each(gang.Scalar)
	case 6, 7:
		g.compare()
	case 8:
		g.convert()
	case 9, 10:
		g.move()
	case 11:
		g.load([]gang.Shape{gang.Contiguous, gang.Broadcast, gang.Permuted, gang.Uniform}[g.IntN(4)])
	case 12:
		g.gather()
	case 13:
		g.lanes()
	case 14:
		g.private()
	case 15:
		g.atomic()
	}
}

// each appends an elementwise operation.
func (g *generator) each(c gang.Class) {
	a := g.pick(c, gang.Type{})
	if a == 0 {
		return
	}
	t := g.f.Type(a)
	list := append(ssa.Elements(t.K), ssa.OpSelect)
	op := list[g.IntN(len(list))]
	d, args := t, []gang.Reg{a}
	if op == ssa.OpAbs || op == ssa.OpAbsDiff {
		d.K = map[ssa.Kind]ssa.Kind{ssa.I8: ssa.U8, ssa.I16: ssa.U16, ssa.I32: ssa.U32, ssa.I64: ssa.U64}[t.K]
		if d.K == 0 {
			d.K = t.K
		}
	}
	if op == ssa.OpSelect {
		cond := gang.Type{Class: gang.Predicate, K: ssa.Bool, N: 1}
		if c == gang.Scalar {
			cond.Class = gang.Scalar
		} else if g.IntN(2) == 0 {
			cond.N = t.N
		}
		args = []gang.Reg{g.pick(cond.Class, cond), a}
	}
	for len(args) < int(ssa.Ops[op].NArgs) {
		args = append(args, g.pick(c, t))
	}
	if !slices.Contains(args, 0) {
		g.add(gang.Inst{Op: gang.OpEach, Each: op, Dst: g.f.NewReg(d), Args: args, Aux: 0})
	}
}

// compare appends a comparison or an operation on predicates.
func (g *generator) compare() {
	c := []gang.Class{gang.Vector, gang.Vector, gang.Predicate, gang.Scalar}[g.IntN(4)]
	a := g.pick(c, gang.Type{})
	if a == 0 {
		return
	}
	t := g.f.Type(a)
	b := g.pick(c, t)
	d := gang.Type{Class: gang.Predicate, K: ssa.Bool, N: t.N}
	if c == gang.Scalar {
		d.Class = c
	}
	op := []ssa.Op{ssa.OpEq, ssa.OpNe, ssa.OpLt, ssa.OpLe, ssa.OpAnd, ssa.OpOr, ssa.OpXor}[g.IntN(7)]
	if b != 0 {
		g.add(gang.Inst{Op: gang.OpEach, Each: op, Dst: g.f.NewReg(d), Args: []gang.Reg{a, b}})
	}
}

// convert appends a conversion or a reinterpretation.
func (g *generator) convert() {
	c := []gang.Class{gang.Vector, gang.Vector, gang.Predicate, gang.Scalar}[g.IntN(4)]
	a := g.pick(c, gang.Type{})
	if a == 0 {
		return
	}
	d := g.f.Type(a)
	d.K = kinds[g.IntN(len(kinds))]
	if c == gang.Predicate {
		d.Class = gang.Vector
	}
	i := gang.Inst{Op: gang.OpEach, Each: ssa.OpConvert, Dst: g.f.NewReg(d), Args: []gang.Reg{a}, Aux: int64(g.IntN(2)*8 + g.IntN(5)*g.IntN(2))}
	if g.IntN(4) == 0 {
		i.Each, i.Aux = ssa.OpBitcast, 0
	}
	g.add(i)
}

// move appends an instruction that moves elements.
func (g *generator) move() {
	a := g.pick(gang.Vector, gang.Type{})
	if a == 0 {
		return
	}
	t := g.f.Type(a)
	one, i := gang.Type{Class: gang.Vector, K: t.K, N: 1}, gang.Inst{Dst: g.f.NewReg(t), Args: []gang.Reg{a}}
	switch g.IntN(8) {
	case 0:
		i.Op = gang.OpCopy
	case 1:
		i.Op, i.Imm, i.Dst = gang.OpPart, int64(g.IntN(int(t.N))), g.f.NewReg(one)
	case 2:
		n := 2 << g.IntN(2)
		i.Op, i.Args, i.Dst = gang.OpJoin, nil, g.reg(gang.Vector, t.K, uint8(n))
		for range n {
			i.Args = append(i.Args, g.pick(gang.Vector, one))
		}
	case 3:
		i.Op, i.Args = gang.OpShuffle, append(i.Args, g.pick(gang.Vector, t))
		for range t.N {
			i.Cases = append(i.Cases, uint64(g.IntN(2*int(t.N))))
		}
	case 4:
		i.Op, i.Args, i.Imm = gang.OpInsert, append(i.Args, g.pick(gang.Vector, one)), int64(g.IntN(int(t.N)))
	case 5:
		i.Op, i.Args = gang.OpPermute, append(i.Args, g.pick(gang.Vector, t))
		i.Cases = g.permutation()
		if !g.t.TwoSources.Has(t.Size()) && !g.t.Permutes.Has(t.Size()) {
			return
		}
	case 6:
		s := g.pick(gang.Scalar, gang.Type{Class: gang.Scalar, K: t.K, N: 1})
		i.Op, i.Args, i.Imm = []gang.Op{gang.OpSplat, gang.OpRamp}[g.IntN(2)], []gang.Reg{s}, g.Int64()>>g.IntN(64)
		if i.Op == gang.OpSplat {
			i.Imm = 0
		} else {
			i.Dst = g.f.NewReg(one)
		}
	case 7:
		i.Op, i.Imm, i.Args = gang.OpConst, g.Int64()>>g.IntN(64), nil
	}
	if !slices.Contains(i.Args, 0) {
		g.add(i)
	}
}

// permutation returns the lanes of two vectors that a permutation has: any, successive ones, or in each group of four lanes the same.
func (g *generator) permutation() (from []uint64) {
	n, form, of := g.f.Lanes, g.IntN(3), [4]int{g.IntN(8), g.IntN(8), g.IntN(8), g.IntN(8)}
	if g.IntN(2) == 0 {
		of[1], of[3] = of[0]&4|of[1]&3, of[2]&4|of[3]&3
	}
	for k := range n {
		lane := g.IntN(2 * n)
		switch form {
		case 1:
			lane = min(of[0]*n/8+k, 2*n-1)
		case 2:
			lane = min(k&^3+of[k%4]%4, n-1) + of[k%4]/4*n
		}
		from = append(from, uint64(lane))
	}
	return from
}

// lanes appends an instruction between lanes.
func (g *generator) lanes() {
	one := gang.Type{Class: gang.Predicate, K: ssa.Bool, N: 1}
	p, a := g.pick(gang.Predicate, one), g.pick(gang.Vector, gang.Type{})
	if p == 0 || a == 0 {
		return
	}
	t := g.f.Type(a)
	i := gang.Inst{Mask: g.mask()}
	switch g.IntN(7) {
	case 5:
		i.Op, i.Mask, i.Dst, i.Args = gang.OpRank, 0, g.reg(gang.Vector, ssa.U32, 1), []gang.Reg{p}
	case 6:
		i.Op, i.Mask, i.Dst, i.Args = gang.OpCount, 0, g.reg(gang.Scalar, ssa.U32, 1), []gang.Reg{p}
	case 0:
		i.Op, i.Dst, i.Args = gang.OpVote, g.reg(gang.Scalar, ssa.I32, 1), []gang.Reg{p}
	case 1:
		i.Op, i.Dst, i.Args = gang.OpFirst, g.reg(gang.Scalar, t.K, 1), []gang.Reg{a}
	case 2:
		i.Op, i.Dst, i.Args, i.Aux = gang.OpBallot, g.reg(gang.Vector, ssa.U32, 1), []gang.Reg{p}, 8<<g.IntN(3)
	case 3:
		i.Op, i.Dst, i.Args, i.Aux = gang.OpExchange, g.f.NewReg(t), []gang.Reg{a, g.pick(gang.Vector, gang.Type{Class: gang.Vector, K: ssa.U32, N: 1})}, 8<<g.IntN(3)
	case 4:
		i.Op, i.Mask, i.Imm, i.Aux, i.Dst = gang.OpParam, 0, 3, int64(g.IntN(4)), g.reg(gang.Scalar, kinds[g.IntN(len(kinds))], 1)
	}
	if !slices.Contains(i.Args, 0) {
		g.add(i)
	}
}

// load appends a load from the input in a shape with a scalar offset.
func (g *generator) load(s gang.Shape) {
	k := kinds[g.IntN(len(kinds))]
	t := gang.Type{Class: gang.Vector, K: k, N: uint8(1 << max(0, g.IntN(5)-2))}
	if s == gang.Uniform {
		t.Class, t.N = gang.Scalar, 1
	}
	i := gang.Inst{Op: gang.OpLoad, Shape: s, Root: input, Dst: g.f.NewReg(t), Args: []gang.Reg{g.zero}}
	size := t.Size() * int(t.N) * g.f.Lanes
	if size > inputBytes {
		return
	}
	i.Imm = int64(g.IntN(inputBytes - size + 1))
	switch {
	case s == gang.Permuted:
		i.Args, i.Mask = append(i.Args, g.pick(gang.Scalar, gang.Type{Class: gang.Scalar, K: ssa.I32, N: 1})), 0
		if i.Args[1] == 0 || t.N > 1 {
			return
		}
	case s == gang.Contiguous && t.N == 1 && g.t.Masks.Has(t.Size()):
		i.Mask = g.mask()
	}
	g.add(i)
}

// index appends the numbers of elements in a root of n bytes, 32 bits each.
func (g *generator) index(n, size int) gang.Reg {
	u32 := gang.Type{Class: gang.Vector, K: ssa.U32, N: 1}
	a := g.pick(gang.Vector, u32)
	if a == 0 {
		return 0
	}
	d := g.f.NewReg(u32)
	g.add(gang.Inst{Op: gang.OpEach, Each: ssa.OpAnd, Dst: d, Args: []gang.Reg{a, g.constant(u32, int64(n/size-1))}})
	return d
}

// gather appends a load or store at each lane's number, or through its pointer.
func (g *generator) gather() {
	k := kinds[g.IntN(len(kinds))]
	t := gang.Type{Class: gang.Vector, K: k, N: 1}
	size := t.Size()
	i := gang.Inst{Op: gang.OpLoad, Shape: gang.Gather, Root: input, Scale: int32(size), Mask: g.mask()}
	switch g.IntN(4) {
	case 0, 1:
		i.Dst, i.Args = g.f.NewReg(t), []gang.Reg{g.index(inputBytes, size)}
	case 2:
		i.Op, i.Root, i.Args = gang.OpStore, counters, []gang.Reg{g.index(256, size), g.pick(gang.Vector, t)}
	case 3:
		g.pointers(t)
		return
	}
	if !slices.Contains(i.Args, 0) {
		g.add(i)
	}
}

// pointers appends an access through pointers, some of them out of bounds.
func (g *generator) pointers(t gang.Type) {
	p, v := g.reg(gang.Scalar, ssa.PtrGlobal, 1), g.reg(gang.Vector, ssa.PtrGlobal, 1)
	g.add(gang.Inst{Op: gang.OpRoot, Dst: p, Root: input})
	g.add(gang.Inst{Op: gang.OpRamp, Dst: v, Args: []gang.Reg{p}, Imm: int64(g.IntN(2 * inputBytes / g.f.Lanes))})
	i := gang.Inst{Op: gang.OpLoadPtr, Dst: g.f.NewReg(t), Args: []gang.Reg{v}, Mask: g.mask()}
	if a := g.pick(gang.Vector, t); a != 0 && g.IntN(2) == 0 {
		i.Op, i.Dst, i.Args = gang.OpStorePtr, 0, []gang.Reg{v, a}
	}
	g.add(i)
	g.regs[gang.Scalar] = slices.DeleteFunc(g.regs[gang.Scalar], func(r gang.Reg) bool { return r == p })
	g.regs[gang.Vector] = slices.DeleteFunc(g.regs[gang.Vector], func(r gang.Reg) bool { return r == v })
}

// private appends an access to the private object.
func (g *generator) private() {
	k := kinds[g.IntN(len(kinds))]
	t := gang.Type{Class: gang.Vector, K: k, N: 1}
	i := gang.Inst{Op: gang.OpLoad, Shape: gang.OwnGather, Root: scratch, Dst: g.f.NewReg(t), Mask: g.mask()}
	u := g.index(scratchBytes, 8)
	if u == 0 {
		return
	}
	at, eight := g.reg(gang.Vector, ssa.I64, 1), g.constant(gang.Type{Class: gang.Vector, K: ssa.I64, N: 1}, 8)
	g.add(gang.Inst{Op: gang.OpEach, Each: ssa.OpConvert, Dst: at, Args: []gang.Reg{u}})
	off := g.reg(gang.Vector, ssa.I64, 1)
	g.add(gang.Inst{Op: gang.OpEach, Each: ssa.OpMul, Dst: off, Args: []gang.Reg{at, eight}})
	i.Args = []gang.Reg{off}
	if a := g.pick(gang.Vector, t); a != 0 && g.IntN(2) == 0 {
		i.Op, i.Dst, i.Args = gang.OpStore, 0, []gang.Reg{off, a}
	}
	g.add(i)
}

// atomic appends an atomic operation on the counters.
func (g *generator) atomic() {
	k := []ssa.Kind{ssa.I32, ssa.U32, ssa.I64, ssa.U64}[g.IntN(4)]
	t := gang.Type{Class: gang.Vector, K: k, N: 1}
	a := g.pick(gang.Vector, t)
	i := gang.Inst{Op: gang.OpAtomicAt, Each: ssa.OpAtomicRMW, Shape: gang.Gather, Root: counters, Scale: int32(t.Size()), Aux: int64(g.IntN(int(ssa.NumRMW))), Mask: g.mask()}
	i.Args = []gang.Reg{g.index(256, t.Size()), a}
	if g.IntN(3) == 0 {
		i.Shape, i.Args, i.Scale = gang.Uniform, []gang.Reg{g.zero, a}, 0
	}
	if g.IntN(2) == 0 {
		i.Dst = g.f.NewReg(t)
	}
	if !slices.Contains(i.Args, 0) {
		g.add(i)
	}
}

// output appends a store of a register to memory of its own.
func (g *generator) output(r gang.Reg) {
	t := g.f.Type(r)
	size := t.Size() * int(t.N) * g.f.Lanes
	if g.end+size > outputBytes {
		return
	}
	if g.add(gang.Inst{Op: gang.OpStore, Shape: gang.Contiguous, Root: output, Imm: int64(g.end), Args: []gang.Reg{g.zero, r}}) {
		g.end += size
	}
}
