package ssa

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// A moduleMaker makes valid modules from a sequence of bytes: functions of one or several blocks in which every
// op, flag, type, Aux and symbol can occur.
type moduleMaker struct {
	data  []byte
	m     *Module
	seen  map[Op]map[int64]bool // Aux values used, by op
	check Verifier
}

func (k *moduleMaker) byte() int {
	if len(k.data) == 0 {
		return 0
	}
	b := k.data[0]
	k.data = k.data[1:]
	return int(b)
}

func (k *moduleMaker) under(n int) int { return k.byte() % n }

func (k *moduleMaker) name() string {
	names := [...]string{"g", "g(int)", "a b", "0", "x\n\"", ".str", "é", "f.1"}
	return names[k.under(len(names))]
}

func (k *moduleMaker) typ() Type {
	counts := [...]uint8{1, 1, 1, 2, 3, 4, 8, 16}
	t := Type{Kind(k.under(int(Void) + 1)), counts[k.under(len(counts))]}
	if t.K == Void {
		t.N = 0
	}
	return t
}

// aux returns an Aux for the op, usually a valid one.
func (k *moduleMaker) aux(op Op) (aux int64) {
	switch k.under(6) {
	case 0:
		return 0
	case 1:
		return int64(k.byte()) << 8 >> uint(k.under(9))
	}
	for _, f := range auxFields[Ops[op].Aux] {
		switch {
		case f.names != nil:
			aux = f.with(aux, int64(k.under(len(f.names))))
		case f.most == anyNumber:
			aux = f.with(aux, 1<<k.under(8)>>1)
		default:
			aux = f.with(aux, int64(k.under(int(f.most)+1)))
		}
	}
	return aux
}

func (k *moduleMaker) global() {
	g := &Global{Name: fmt.Sprintf("%s.%d", k.name(), len(k.m.Globals)), Kind: PtrPrivate + Kind(k.under(5)), Size: int64(k.byte()), Align: 1 << k.under(6), Extern: k.under(2) == 1}
	if k.under(2) == 1 {
		g.Type = k.name()
	}
	if k.under(2) == 1 {
		g.Init = slices.Clone(k.data[:min(len(k.data), k.under(9))])
		if g.Init == nil {
			g.Init = []byte{}
		}
		for _, t := range k.m.Globals[:min(len(k.m.Globals), k.under(3))] {
			g.Relocs = append(g.Relocs, Reloc{Off: int64(8 * len(g.Relocs)), Target: t, Addend: int64(k.byte()) - 128})
		}
	}
	k.m.Globals = append(k.m.Globals, g)
	if VerifyModule(k.m) != nil {
		k.m.Globals = k.m.Globals[:len(k.m.Globals)-1]
	}
}

func (k *moduleMaker) kernel(f *Func) *Kernel {
	x := &Kernel{}
	for range f.Params {
		a := KernelArg{Name: k.name(), TypeName: k.name(), Kind: ArgKind(k.under(7)), Size: int64(k.byte()), Align: int64(k.byte()), Access: uint8(k.under(4)), Image: uint8(k.under(12)),
			Const: k.under(2) == 1, Volatile: k.under(2) == 1, Restrict: k.under(2) == 1, ElemKind: Void}
		if t := k.typ(); t.Valid() && t != TVoid {
			a.Type = t
		}
		if t := k.typ(); t.Valid() && t != TVoid {
			a.ElemKind, a.ElemLanes = t.K, t.N
		}
		x.Args = append(x.Args, a)
	}
	if k.under(2) == 1 {
		x.ReqdGroupSize, x.GroupSizeHint = [3]int64{1, int64(k.byte()), 2}, [3]int64{int64(k.byte()), 1, 1}
		x.VecTypeHint, x.Attributes = k.name(), k.name()
	}
	return x
}

// function adds a function of one block, or of a diamond.
func (k *moduleMaker) function() {
	f := k.m.NewFunc(fmt.Sprintf("%s.%d", k.name(), len(k.m.Funcs)), TVoid)
	f.Attrs = FuncAttrs(k.under(4))
	b := f.NewBlock("")
	for _, t := range []Type{TBool, TI32, TU32, TI64, TU64, TF32, Vec(F32, 4), Scalar(PtrGlobal), k.typ(), k.typ()} {
		if t.Valid() && t != TVoid && k.under(4) > 0 {
			p := f.NewValue(OpParam, t, 0)
			p.Aux = int64(len(f.Params))
			f.Params = append(f.Params, b.Append(p))
		}
	}
	b.Append(f.NewValue(OpReturn, TVoid, 0))
	if k.under(3) == 1 {
		if f.Kernel = k.kernel(f); k.check.Verify(f) != nil {
			f.Kernel = nil
		}
	}
	for range k.under(32) {
		op := OpConst + Op(k.under(int(NumOps-OpConst)))
		for try := 0; try < 20 && !k.value(f, b, op); try++ {
		}
	}
	if k.under(2) == 1 {
		k.diamond(f, b)
	}
}

// diamond makes b branch to two blocks that join.
func (k *moduleMaker) diamond(f *Func, b *Block) {
	c := f.NewConst(TBool, uint64(k.under(2)))
	b.InsertBeforeTerm(c)
	b.Remove(b.Term())
	left, right, end := f.NewBlock("left"), f.NewBlock(""), f.NewBlock(k.name())
	right.Unroll = int32(k.under(4)) - 1
	if k.under(2) == 1 {
		n := b.Append(f.NewConst(TI32, uint64(k.byte())))
		s := f.NewValue(OpSwitch, TVoid, 0, n)
		s.Bits = []uint64{uint64(k.byte())}
		b.Append(s)
	} else {
		b.Append(f.NewValue(OpBranch, TVoid, 0, c))
	}
	b.Link(left)
	b.Link(right)
	for _, x := range []*Block{left, right} {
		x.Append(f.NewValue(OpJump, TVoid, 0))
		x.Link(end)
	}
	end.Append(f.NewValue(OpPhi, TBool, 0, c, c))
	if k.under(4) == 0 {
		end.Append(f.NewValue(OpUnreachable, TVoid, 0))
	} else {
		end.Append(f.NewValue(OpReturn, TVoid, 0))
	}
}

// value adds a value to b if it is valid.
func (k *moduleMaker) value(f *Func, b *Block, op Op) bool {
	if op.Has(Terminator) || op == OpParam || op == OpPhi {
		return true
	}
	var args []*Value
	n := int(Ops[op].NArgs)
	if n < 0 {
		n = k.under(5)
	}
	var known []*Value
	for _, v := range b.Values {
		if v.Type != TVoid {
			known = append(known, v)
		}
	}
	if len(known) == 0 && n > 0 {
		return true
	}
	takes := Ops[op].Takes
	for i := range n {
		if takes != nil {
			args = append(args, k.taken(f, known, op, takes[i]))
			continue
		}
		a := known[k.under(len(known))]
		if i > 0 && k.under(2) == 0 { // most ops need arguments of one type
			a = ofType(known, args[0].Type, a)
		}
		args = append(args, a)
	}
	if op == OpInsertDyn && args[0].Type.IsVec() { // three types, which random choice rarely finds
		args[1], args[2] = ofType(known, TU64, args[1]), ofType(known, args[0].Type.Elem(), args[2])
	}
	if op == OpAtomicRMW && k.under(2) == 0 { // an address, and an operand of the result's type
		args[0] = ofType(known, Scalar(PtrGlobal), args[0])
	}
	t := k.typ()
	if n == 0 && k.under(2) == 0 {
		t = TVoid
	}
	if n > 0 {
		a := args[0].Type
		t = [...]Type{TVoid, TBool, TI32, a, a, a.With(Bool), a.Elem(), {a.K, uint8(n)}, args[n-1].Type, t}[k.under(10)]
	}
	if gives := Ops[op].Gives; gives != (Type{}) {
		t = gives
	}
	v := f.NewValue(op, t, 0, args...)
	v.Aux, v.Flags = k.aux(op), ValueFlags(1<<k.under(8))&(Implicit<<1-1)
	k.symbol(f, v)
	if t != TVoid && !t.Valid() || !shapeOK(Ops[op].Shape, v) || !k.check.typed(v) {
		return false // as Verify would, but faster
	}
	b.InsertBeforeTerm(v)
	if k.check.Verify(f) != nil {
		b.Remove(v)
		return false
	}
	if k.seen[op] == nil {
		k.seen[op] = map[int64]bool{}
	}
	k.seen[op][v.Aux] = true
	return true
}

// taken returns a random argument for an op whose row fixes the argument types.
func (k *moduleMaker) taken(f *Func, known []*Value, op Op, t Type) *Value {
	if t == (Type{}) {
		t = []Type{TI32, Vec(F32, 4), Vec(I32, 4), Scalar(F32)}[k.under(4)]
		if op.Has(AsyncCopy) {
			t = Scalar(PtrGlobal)
		}
	}
	if a := ofType(known, t, nil); a != nil {
		return a
	}
	return f.InsertEntry(f.NewValue(OpUndef, t, 0))
}

// ofType returns the last of the values that has type t, or other.
func ofType(known []*Value, t Type, other *Value) *Value {
	for _, v := range known {
		if v.Type == t {
			other = v
		}
	}
	return other
}

// symbol sets the other properties that the op needs.
func (k *moduleMaker) symbol(f *Func, v *Value) {
	switch v.Op {
	case OpConst:
		for range []int{1, int(v.Type.N)}[k.under(2)] {
			v.Bits = append(v.Bits, uint64(k.byte())*uint64(k.byte()+1)<<k.under(50))
		}
	case OpShuffle:
		for range v.Type.N {
			v.Lanes = append(v.Lanes, []uint8{0, 1, 2, ShuffleUndef}[k.under(4)])
		}
	case OpPermute:
		for range 4 {
			v.Lanes = append(v.Lanes, uint8(k.under(8)))
		}
	case OpAlloca:
		v.Sym = &Alloca{Name: k.name(), Type: k.name(), Size: int64(k.byte()), Align: 1 << k.under(5)}
	case OpGlobalAddr:
		if n := len(k.m.Globals); n > 0 {
			g := k.m.Globals[k.under(n)]
			v.Sym, v.Type = g, Scalar(g.Kind)
		}
	case OpCall: // of itself, so that the parameters match
		v.Sym, v.Type = f, TVoid
		v.SetArgs(f.Params...)
	case OpExtern:
		v.Sym = &Extern{Name: k.name(), Builtin: k.under(2) == 1}
	}
}

// make makes a module.
func (k *moduleMaker) make(data []byte) *Module {
	k.data, k.m = data, &Module{}
	for range k.under(4) {
		k.global()
	}
	for range 1 + k.under(3) {
		k.function()
	}
	return k.m
}

// difference returns the first difference of two modules, in anything except positions.
func difference(a, b *Module) string {
	if len(a.Globals) != len(b.Globals) || len(a.Funcs) != len(b.Funcs) {
		return "number of globals or functions"
	}
	for i, g := range a.Globals {
		x, y := *g, *b.Globals[i]
		x.Pos, y.Pos, x.Relocs, y.Relocs = 0, 0, nil, nil
		if fmt.Sprintf("%#v", x) != fmt.Sprintf("%#v", y) {
			return fmt.Sprintf("global %#v is %#v", x, y)
		}
		for j, r := range g.Relocs {
			if s := b.Globals[i].Relocs[j]; r.Off != s.Off || r.Addend != s.Addend || r.Target.Name != s.Target.Name {
				return fmt.Sprintf("reloc %v is %v", r, s)
			}
		}
	}
	for i, f := range a.Funcs {
		if d := funcDifference(f, b.Funcs[i]); d != "" {
			return f.Name + ": " + d
		}
	}
	return ""
}

func funcDifference(f, g *Func) string {
	if f.Name != g.Name || f.Result != g.Result || f.Attrs != g.Attrs || len(f.Params) != len(g.Params) || len(f.Blocks) != len(g.Blocks) {
		return "signature"
	}
	if (f.Kernel == nil) != (g.Kernel == nil) || f.Kernel != nil && fmt.Sprintf("%#v", *f.Kernel) != fmt.Sprintf("%#v", *g.Kernel) {
		return fmt.Sprintf("kernel %#v is %#v", f.Kernel, g.Kernel)
	}
	same := map[*Value]*Value{}
	for i, b := range f.Blocks {
		c := g.Blocks[i]
		if b.Name != c.Name || b.Unroll != c.Unroll || len(b.Values) != len(c.Values) {
			return fmt.Sprintf("block %d", i)
		}
		for j, v := range b.Values {
			same[v] = c.Values[j]
		}
		for j, s := range b.Succs {
			if slices.Index(f.Blocks, s) != slices.Index(g.Blocks, c.Succs[j]) {
				return fmt.Sprintf("block %d's successors", i)
			}
		}
	}
	for v, w := range same {
		switch {
		case v.Op != w.Op, v.Type != w.Type, v.Flags != w.Flags, v.Aux != w.Aux, !slices.Equal(v.Bits, w.Bits), !slices.Equal(v.Lanes, w.Lanes), symbolText(v.Sym) != symbolText(w.Sym), len(v.Args) != len(w.Args):
			return fmt.Sprintf("%v (aux %d) is %v (aux %d)", v, v.Aux, w, w.Aux)
		}
		for i, a := range v.Args {
			if same[a] != w.Args[i] {
				return fmt.Sprintf("arguments of %v", v)
			}
		}
	}
	return ""
}

func symbolText(sym any) string {
	switch s := sym.(type) {
	case *Func:
		return s.Name
	case *Global:
		return s.Name
	}
	return fmt.Sprintf("%T%+v", sym, sym)
}

// readBack prints a valid module, parses the text and compares.
func readBack(t *testing.T, m *Module) {
	t.Helper()
	if err := (&Verifier{plans: true}).module(m); err != nil {
		t.Fatal(err)
	}
	text := m.String()
	again, err := ParseText("again", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if d := difference(m, again); d != "" {
		t.Fatalf("%s\n%s", d, text)
	}
}

// FuzzModuleText: every valid module is unchanged by printing and parsing.
func FuzzModuleText(f *testing.F) {
	f.Add([]byte("a module"))
	f.Fuzz(func(t *testing.T, data []byte) {
		k := moduleMaker{seen: map[Op]map[int64]bool{}, check: Verifier{plans: true}}
		readBack(t, k.make(data))
	})
}

// TestModuleText does the same for random modules that contain every op with every named Aux.
func TestModuleText(t *testing.T) {
	k := moduleMaker{seen: map[Op]map[int64]bool{}, check: Verifier{plans: true}}
	rng := rand.NewChaCha8([32]byte{12})
	data := make([]byte, 4096)
	for range 1500 {
		rng.Read(data)
		readBack(t, k.make(data))
	}
	for op := OpConst; op < NumOps; op++ {
		if op.Has(Terminator) || op == OpParam || op == OpPhi { // function and diamond make these
			continue
		}
		if len(k.seen[op]) == 0 {
			t.Errorf("no module contains the op %v", op)
		}
	}
	for op := OpConst; op < NumOps; op++ {
		for i, f := range auxFields[Ops[op].Aux] {
			values := map[int64]bool{}
			for aux := range k.seen[op] {
				values[f.get(aux)] = true
			}
			if n := len(f.names); n > 0 && len(values) < n {
				t.Errorf("%v: field %d of Aux (%q) was seen with %d of its %d names", op, i, f.key, len(values), n)
			}
		}
	}
}
