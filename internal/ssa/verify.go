package ssa

import (
	"errors"
	"fmt"

	"github.com/purecl/purecl/internal/numeric"
)

// classes of element kinds that an op's first argument may have.
type class uint8

const (
	clInt class = 1 << iota
	clFloat
	clBool
	clPtr
	clHandle
	clNum = clInt | clFloat
	clAll = clNum | clBool | clPtr | clHandle
)

// operands says which element kinds the elementwise ops and comparisons take.
var operands = [NumOps]class{
	OpPhi: clAll, OpCopy: clAll, OpUndef: clAll, OpSelect: clAll,
	OpAdd: clNum, OpSub: clNum, OpMul: clNum, OpDiv: clNum, OpRem: clNum, OpNeg: clNum,
	OpFMA: clFloat, OpFMS: clFloat, OpFNMA: clFloat, OpDot: clInt, OpAnd: clInt | clBool, OpOr: clInt | clBool, OpXor: clInt | clBool, OpNot: clInt | clBool,
	OpShl: clInt, OpShr: clInt, OpRotl: clInt, OpMin: clNum, OpMax: clNum, OpAbs: clInt,
	OpAddSat: clInt, OpSubSat: clInt, OpMulHi: clInt, OpHAdd: clInt, OpRHAdd: clInt, OpAbsDiff: clInt,
	OpClz: clInt, OpCtz: clInt, OpPopcount: clInt,
	OpSqrt: clFloat, OpFloor: clFloat, OpCeil: clFloat, OpTrunc: clFloat, OpRint: clFloat, OpFabs: clFloat, OpCopySign: clFloat,
	OpEq: clAll, OpNe: clAll, OpLt: clNum | clPtr, OpLe: clNum | clPtr,
}

func (k Kind) class() class {
	switch {
	case k.IsPtr():
		return clPtr
	case k == Handle:
		return clHandle
	case k == Void || k == 0 || k > Void || (k >= Kind(numeric.NumKinds) && k < PtrPrivate):
		return 0
	case k == Bool:
		return clBool
	case k.Num().IsFloat():
		return clFloat
	}
	return clInt
}

// Valid reports whether t is a type that a value may have: void, a scalar, or a vector
// of 2, 3, 4, 8 or 16 numbers or Bools.
func (t Type) Valid() bool {
	if t.K == Void {
		return t.N == 0
	}
	switch t.N {
	case 1:
		return t.K.class() != 0
	case 2, 3, 4, 8, 16:
		return t.K.class()&(clNum|clBool) != 0
	}
	return false
}

func (k Kind) isInt() bool   { return k.class() == clInt }
func (k Kind) isFloat() bool { return k.class() == clFloat }

// VerifyModule verifies every function and the module's variables.
func VerifyModule(m *Module) error {
	names := make(map[string]bool, len(m.Globals)+len(m.Funcs))
	for _, g := range m.Globals {
		if names[g.Name] {
			return fmt.Errorf("global @%s: a second variable of that name", g.Name)
		}
		names[g.Name] = true
		if err := verifyGlobal(g); err != nil {
			return fmt.Errorf("global @%s: %w", g.Name, err)
		}
	}
	clear(names)
	for _, f := range m.Funcs {
		if names[f.Name] {
			return fmt.Errorf("function @%s: a second function of that name", f.Name)
		}
		names[f.Name] = true
		if f.Module != m {
			return fmt.Errorf("function @%s: belongs to another module", f.Name)
		}
		if err := Verify(f); err != nil {
			return err
		}
	}
	return verifySymbols(m)
}

// verifySymbols checks that the module holds what its code and data refer to.
func verifySymbols(m *Module) error {
	globals := make(map[*Global]bool, len(m.Globals))
	for _, g := range m.Globals {
		globals[g] = true
	}
	for _, g := range m.Globals {
		for _, r := range g.Relocs {
			if !globals[r.Target] {
				return fmt.Errorf("global @%s: points to @%s, which is not in the module", g.Name, r.Target.Name)
			}
		}
	}
	for _, f := range m.Funcs {
		for _, b := range f.Blocks {
			for _, v := range b.Values {
				switch s := v.Sym.(type) {
				case *Global:
					if !globals[s] {
						return fmt.Errorf("function @%s: v%d: @%s is not in the module", f.Name, v.ID, s.Name)
					}
				case *Func:
					if s.Module != m {
						return fmt.Errorf("function @%s: v%d: @%s is not in the module", f.Name, v.ID, s.Name)
					}
				}
			}
		}
	}
	return nil
}

func verifyGlobal(g *Global) error {
	if g.Kind != PtrConstant && g.Kind != PtrGlobal && g.Kind != PtrLocal {
		return fmt.Errorf("lives in %v memory", g.Kind)
	}
	if g.Name == "" || g.Size < 0 || g.Size > int64(OffsetMask) || !isAlign(g.Align) || int64(len(g.Init)) > g.Size {
		return errors.New("bad name, size, alignment or initializer")
	}
	if g.Kind == PtrLocal && (g.Init != nil || len(g.Relocs) > 0) {
		return errors.New("local memory has an initializer")
	}
	end := int64(0)
	for _, r := range g.Relocs {
		if r.Off < end || r.Off+8 > int64(len(g.Init)) || r.Target == nil {
			return errors.New("relocations overlap, are out of order or outside the initializer")
		}
		end = r.Off + 8
	}
	return nil
}

func isAlign(a int64) bool { return a > 0 && a <= 1<<20 && a&(a-1) == 0 }

// Verify checks the invariants that the package's documentation lists. The error says
// where the first violation is.
func Verify(f *Func) error {
	v := verifier{f: f}
	if err := v.run(); err != nil {
		return fmt.Errorf("function @%s: %w", f.Name, err)
	}
	return nil
}

type verifier struct {
	f    *Func
	at   []*Value // by ID: seen in a block
	idx  []int32  // by ID: position in the block
	dom  *DomTree
	seen []int32 // by block ID: scratch
}

func (c *verifier) run() error {
	f := c.f
	if len(f.Blocks) == 0 {
		return errors.New("no blocks")
	}
	if err := c.signature(); err != nil {
		return err
	}
	if err := c.blocks(); err != nil {
		return err
	}
	c.dom = f.Dominators()
	for _, b := range f.Blocks {
		for i, v := range b.Values {
			if err := c.value(b, i, v); err != nil {
				return fmt.Errorf("b%d: v%d (%v): %w", b.ID, v.ID, v.Op, err)
			}
		}
	}
	return nil
}

func (c *verifier) signature() error {
	f := c.f
	if f.Name == "" || !f.Result.Valid() {
		return errors.New("no name or a bad result type")
	}
	for i, p := range f.Params {
		if i >= len(f.Blocks[0].Values) || f.Blocks[0].Values[i] != p || p.Op != OpParam || p.Aux != int64(i) {
			return fmt.Errorf("parameter %d does not stand at place %d of the entry block", i, i)
		}
	}
	k := f.Kernel
	if k == nil {
		return nil
	}
	if f.Result != TVoid || len(k.Args) != len(f.Params) {
		return fmt.Errorf("a kernel with %d arguments, %d parameters and result %v", len(k.Args), len(f.Params), f.Result)
	}
	for i := range k.Args {
		a := &k.Args[i]
		want := map[ArgKind]Type{ArgValue: a.Type, ArgStruct: Scalar(PtrConstant), ArgGlobal: Scalar(PtrGlobal), ArgConstant: Scalar(PtrConstant),
			ArgLocal: Scalar(PtrLocal), ArgImage: Scalar(Handle), ArgSampler: Scalar(Handle)}
		if t, ok := want[a.Kind]; !ok || f.Params[i].Type != t {
			return fmt.Errorf("kernel argument %d is %v, its parameter %v", i, a.Kind, f.Params[i].Type)
		}
		if a.Size < 0 || a.Align < 0 {
			return fmt.Errorf("kernel argument %d has a bad size or alignment", i)
		}
	}
	return nil
}

// blocks checks what does not need dominators.
func (c *verifier) blocks() error {
	f := c.f
	if len(f.Blocks[0].Preds) > 0 {
		return errors.New("the entry block has predecessors")
	}
	inFunc := make([]bool, f.NumBlocks())
	for _, b := range f.Blocks {
		if b.Func != f || b.ID < 0 || int(b.ID) >= len(inFunc) || inFunc[b.ID] {
			return fmt.Errorf("b%d: number taken or out of range, or of another function", b.ID)
		}
		inFunc[b.ID] = true
	}
	c.at = make([]*Value, f.NumValues())
	c.idx = make([]int32, f.NumValues())
	c.seen = make([]int32, f.NumBlocks())
	edges := make([]int32, f.NumBlocks()) // successors not yet matched by a predecessor
	for _, b := range f.Blocks {
		if err := c.block(b); err != nil {
			return fmt.Errorf("b%d: %w", b.ID, err)
		}
		for _, s := range b.Succs {
			if s == nil || s.Func != f || int(s.ID) >= len(inFunc) || !inFunc[s.ID] {
				return fmt.Errorf("b%d: a successor is not in the function", b.ID)
			}
			edges[s.ID]++
		}
	}
	// Each predecessor entry must be an edge, and the numbers must agree.
	for _, b := range f.Blocks {
		if int(edges[b.ID]) != len(b.Preds) {
			return fmt.Errorf("b%d: %d edges lead here, %d predecessors", b.ID, edges[b.ID], len(b.Preds))
		}
	}
	return c.mirrored()
}

// mirrored checks that Preds and Succs agree as multisets; the sums agree already.
func (c *verifier) mirrored() error {
	type edge struct{ from, to int32 }
	wide := map[edge]int32{} // edges of blocks with many successors
	for _, b := range c.f.Blocks {
		if len(b.Succs) > 2 {
			for _, s := range b.Succs {
				wide[edge{b.ID, s.ID}]++
			}
		}
	}
	for _, b := range c.f.Blocks {
		for _, p := range b.Preds {
			if p == nil || p.Func != c.f || p.ID < 0 || int(p.ID) >= len(c.seen) {
				return fmt.Errorf("b%d: a predecessor is not in the function", b.ID)
			}
			c.seen[p.ID]++
		}
		for _, p := range b.Preds {
			n := wide[edge{p.ID, b.ID}]
			if len(p.Succs) <= 2 {
				for _, s := range p.Succs {
					if s == b {
						n++
					}
				}
			}
			if c.seen[p.ID] > n {
				return fmt.Errorf("b%d: b%d precedes it more often than it leads here", b.ID, p.ID)
			}
			if c.seen[p.ID] != 0 && c.seen[p.ID] < n {
				return fmt.Errorf("b%d: b%d precedes it less often than it leads here", b.ID, p.ID)
			}
			c.seen[p.ID] = 0
		}
	}
	return nil
}

func (c *verifier) block(b *Block) error {
	t := b.Term()
	if t == nil {
		return errors.New("no terminator")
	}
	want := 0
	switch t.Op {
	case OpJump:
		want = 1
	case OpBranch:
		want = 2
	case OpSwitch:
		want = len(t.Bits) + 1
	}
	if len(b.Succs) != want {
		return fmt.Errorf("%v with %d successors", t.Op, len(b.Succs))
	}
	phis := true
	for i, v := range b.Values {
		if v == nil {
			return errors.New("nil value")
		}
		if v.ID < 0 || int(v.ID) >= len(c.at) || c.at[v.ID] != nil {
			return fmt.Errorf("v%d: number taken or out of range", v.ID)
		}
		c.at[v.ID], c.idx[v.ID] = v, int32(i)
		if v.Block != b {
			return fmt.Errorf("v%d: its Block is another", v.ID)
		}
		if v.Op == OpInvalid || v.Op >= NumOps {
			return fmt.Errorf("v%d: no such op", v.ID)
		}
		if v.Op.Has(Terminator) != (i == len(b.Values)-1) {
			return fmt.Errorf("v%d: a terminator in the middle", v.ID)
		}
		if v.Op == OpPhi && !phis {
			return fmt.Errorf("v%d: a phi after other values", v.ID)
		}
		phis = phis && v.Op == OpPhi
		entry := b == c.f.Blocks[0]
		if v.Op == OpAlloca && !entry || v.Op == OpParam && !(entry && i < len(c.f.Params)) {
			return fmt.Errorf("v%d: %v outside its place", v.ID, v.Op)
		}
	}
	return nil
}

// value checks one value: arguments, dominance, types.
func (c *verifier) value(b *Block, i int, v *Value) error {
	info := &Ops[v.Op]
	if info.NArgs >= 0 && len(v.Args) != int(info.NArgs) {
		return fmt.Errorf("%d arguments, not %d", len(v.Args), info.NArgs)
	}
	if !v.Type.Valid() {
		return fmt.Errorf("bad type")
	}
	if v.Op == OpPhi && len(v.Args) != len(b.Preds) {
		return fmt.Errorf("%d arguments for %d predecessors", len(v.Args), len(b.Preds))
	}
	for k, a := range v.Args {
		if a == nil || a.ID < 0 || int(a.ID) >= len(c.at) || c.at[a.ID] != a {
			return fmt.Errorf("argument %d is not in the function", k)
		}
		if a.Type.K == Void {
			return fmt.Errorf("argument %d has no value", k)
		}
		if !c.dominated(b, i, v, k) {
			return fmt.Errorf("v%d does not dominate this use", a.ID)
		}
	}
	if v.Op == OpPhi {
		if err := c.phiEdges(b, v); err != nil {
			return err
		}
	}
	if cl := operands[v.Op]; cl != 0 {
		k := v.Type.K
		if info.Shape == shCmp || v.Op == OpAbs || v.Op == OpAbsDiff {
			k = v.Args[0].Type.K
		}
		if k.class()&cl == 0 {
			return fmt.Errorf("not an operation on %v", k)
		}
	}
	if !shapeOK(info.Shape, v) || !c.typed(v) {
		return fmt.Errorf("wrong types or Aux: %s", describe(v))
	}
	return nil
}

func describe(v *Value) string {
	s := v.Type.String() + " of ("
	for i, a := range v.Args {
		if i > 0 {
			s += ", "
		}
		s += a.Type.String()
	}
	return fmt.Sprintf("%s), aux %d", s, v.Aux)
}

func (c *verifier) dominated(b *Block, i int, v *Value, k int) bool {
	a := v.Args[k]
	if v.Op == OpPhi {
		p := b.Preds[k]
		return !c.dom.Reachable(p) || c.dom.Dominates(a.Block, p)
	}
	if a.Block == b {
		return int(c.idx[a.ID]) < i || !c.dom.Reachable(b)
	}
	return !c.dom.Reachable(b) || c.dom.Dominates(a.Block, b)
}

// phiEdges checks that edges from one block bring one value.
func (c *verifier) phiEdges(b *Block, v *Value) error {
	clear := func() {
		for _, p := range b.Preds {
			c.seen[p.ID] = 0
		}
	}
	defer clear()
	for i, p := range b.Preds {
		if k := c.seen[p.ID]; k != 0 && v.Args[k-1] != v.Args[i] {
			return fmt.Errorf("two values from b%d", p.ID)
		}
		c.seen[p.ID] = int32(i) + 1
	}
	return nil
}

func shapeOK(s shape, v *Value) bool {
	t, a := v.Type, v.Args
	switch s {
	case shSame, shUnary:
		for _, x := range a {
			if x.Type != t {
				return false
			}
		}
	case shCmp:
		return a[0].Type == a[1].Type && t == a[0].Type.With(Bool)
	case shShift:
		return a[0].Type == t && a[1].Type.N == t.N && a[1].Type.K.isInt()
	case shSelect:
		c := a[0].Type
		return c.K == Bool && (c.N == 1 || c.N == t.N) && a[1].Type == t && a[2].Type == t
	}
	return true
}

// typed checks the rules of the ops whose shape is shAny.
func (c *verifier) typed(v *Value) bool {
	t, a := v.Type, v.Args
	switch v.Op {
	case OpConst:
		return c.constant(v)
	case OpUndef, OpParam:
		return t.K != Void
	case OpPhi:
		for _, x := range a {
			if x.Type != t {
				return false
			}
		}
	case OpAbs, OpAbsDiff:
		return t == a[0].Type.With(Kind(a[0].Type.K.Num().Unsigned())) && a[0].Type == a[len(a)-1].Type
	case OpConvert:
		sat, r := ConvParts(v.Aux)
		return a[0].Type.N == t.N && t.K.class()&(clNum|clBool) != 0 && a[0].Type.K.class()&(clNum|clBool) != 0 &&
			v.Aux == ConvAux(sat, r) && r < numeric.NumRounds && !(sat && !t.K.isInt())
	case OpDot:
		return t.K.Num().Bits() == 32 && v.Aux >= 0 && v.Aux <= DotShort
	case OpBitcast:
		return t.Size() == a[0].Type.Size() && t.K != Void && (t.K != Bool && a[0].Type.K != Bool || t == a[0].Type)
	case OpSplat, OpVec, OpExtract, OpInsert, OpExtractDyn, OpInsertDyn, OpShuffle:
		return typedVector(v)
	case OpAlloca, OpGlobalAddr, OpPtrAdd, OpPtrCast, OpLoad, OpStore, OpMemCopy, OpMemZero:
		return typedMemory(v)
	case OpAtomicLoad, OpAtomicStore, OpAtomicRMW, OpAtomicCAS, OpFence:
		return typedAtomic(v)
	case OpWorkItem:
		return v.Aux >= 0 && v.Aux < int64(NumQueries) && a[0].Type == TU32 && (t == TU64 || t == TU32)
	case OpAny:
		return t == TBool && a[0].Type.K == Bool
	case OpVote:
		return t == TI32 && a[0].Type == TBool
	case OpGangs:
		return t == TVoid && (v.Aux == GangsBegin || v.Aux == GangsEnd)
	case OpBarrier:
		return t == TVoid && v.Aux >= 0 && v.Aux < 8
	case OpPrintf:
		return t == TI32 && len(a) > 0 && a[0].Type.K.IsPtr()
	case OpCall:
		return typedCall(v)
	case OpExtern, OpRuntime:
		name, ok := v.Sym.(string)
		return ok && name != ""
	case OpJump, OpUnreachable:
		return t == TVoid
	case OpBranch:
		return t == TVoid && a[0].Type == TBool
	case OpSwitch:
		return t == TVoid && a[0].Type.N == 1 && a[0].Type.K.isInt() && bitsFit(v.Bits, a[0].Type.K)
	case OpReturn:
		if c.f.Result == TVoid {
			return t == TVoid && len(a) == 0
		}
		return t == TVoid && len(a) == 1 && a[0].Type == c.f.Result
	}
	return true
}

func (c *verifier) constant(v *Value) bool {
	n := len(v.Bits)
	return v.Type.K != Void && (n == 1 || n == int(v.Type.N)) && bitsFit(v.Bits, v.Type.K)
}

// bitsFit reports whether raw bits are zero-extended from k's width.
func bitsFit(bits []uint64, k Kind) bool {
	w := k.Num().Bits()
	for _, x := range bits {
		if w < 64 && x>>w != 0 {
			return false
		}
	}
	return true
}

func typedVector(v *Value) bool {
	t, a := v.Type, v.Args
	switch v.Op {
	case OpSplat:
		return t.IsVec() && a[0].Type == t.Elem()
	case OpVec:
		for _, x := range a {
			if x.Type != t.Elem() {
				return false
			}
		}
		return t.IsVec() && len(a) == int(t.N)
	case OpExtract:
		return a[0].Type.IsVec() && t == a[0].Type.Elem() && v.Aux >= 0 && v.Aux < int64(a[0].Type.N)
	case OpInsert:
		return t.IsVec() && a[0].Type == t && a[1].Type == t.Elem() && v.Aux >= 0 && v.Aux < int64(t.N)
	case OpExtractDyn:
		return a[0].Type.IsVec() && t == a[0].Type.Elem() && a[1].Type == TU64
	case OpInsertDyn:
		return t.IsVec() && a[0].Type == t && a[1].Type == TU64 && a[2].Type == t.Elem()
	}
	// OpShuffle: the arguments may have different counts.
	if a[0].Type.K != t.K || a[1].Type.K != t.K || len(v.Lanes) != int(t.N) || !t.IsVec() {
		return false
	}
	for _, l := range v.Lanes {
		if l != ShuffleUndef && l >= a[0].Type.N+a[1].Type.N {
			return false
		}
	}
	return true
}

func typedMemory(v *Value) bool {
	t, a := v.Type, v.Args
	switch v.Op {
	case OpAlloca:
		s, ok := v.Sym.(*Alloca)
		return ok && t == Scalar(PtrPrivate) && s.Size >= 0 && s.Size <= int64(OffsetMask) && isAlign(s.Align)
	case OpGlobalAddr:
		g, ok := v.Sym.(*Global)
		return ok && t == Scalar(g.Kind)
	case OpPtrAdd:
		return t.K.IsPtr() && a[0].Type == t && a[1].Type == TI64
	case OpPtrCast:
		return t.K.IsPtr() && a[0].Type.K.IsPtr() && (t == a[0].Type || t.K == PtrGeneric || a[0].Type.K == PtrGeneric)
	case OpLoad:
		return t.K != Void && a[0].Type.K.IsPtr() && isAlign(v.Aux)
	case OpStore:
		return t == TVoid && a[0].Type.K.IsPtr() && a[0].Type.K != PtrConstant && isAlign(v.Aux)
	case OpMemCopy:
		return t == TVoid && a[0].Type.K.IsPtr() && a[0].Type.K != PtrConstant && a[1].Type.K.IsPtr() && v.Aux >= 0
	}
	return t == TVoid && a[0].Type.K.IsPtr() && a[0].Type.K != PtrConstant && v.Aux >= 0
}

func typedAtomic(v *Value) bool {
	t, a := v.Type, v.Args
	rmw, order, scope := AtomicParts(v.Aux)
	if order > SeqCst || scope > ScopeAll || v.Aux != AtomicAux(rmw, order, scope) {
		return false
	}
	if v.Op == OpFence {
		return t == TVoid && rmw < 8
	}
	if p := a[0].Type.K; !p.IsPtr() || p == PtrConstant && v.Op != OpAtomicLoad || rmw != 0 && v.Op != OpAtomicRMW {
		return false
	}
	if v.Op == OpAtomicStore {
		return t == TVoid && a[1].Type.N == 1
	}
	for _, x := range a[1:] {
		if x.Type != t {
			return false
		}
	}
	if t.N != 1 || v.Op != OpAtomicRMW {
		return t.N == 1
	}
	return rmw < NumRMW && (t.K.isInt() || rmw == RMWXchg || t.K.isFloat() && (rmw == RMWAdd || rmw == RMWSub || rmw == RMWMin || rmw == RMWMax))
}

func typedCall(v *Value) bool {
	f, ok := v.Sym.(*Func)
	if !ok || len(v.Args) != len(f.Params) || v.Type != f.Result {
		return false
	}
	for i, p := range f.Params {
		if v.Args[i].Type != p.Type {
			return false
		}
	}
	return true
}
