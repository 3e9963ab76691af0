package ssa

import (
	"errors"
	"fmt"
	"slices"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// classes holds the class of each kind, 0 for kinds that values cannot have.
var classes = func() (t [256]KindSet) {
	for k := Kind(1); k < Kind(numeric.NumKinds); k++ {
		if t[k] = Ints; k.Num().IsFloat() {
			t[k] = Floats
		}
	}
	for k := PtrPrivate; k.IsPtr(); k++ {
		t[k] = Pointers
	}
	t[Bool], t[Handle] = Bools, Handles
	return t
}()

func (k Kind) class() KindSet { return classes[k] }

// Valid reports whether t is a type that a value may have: void, a scalar, or a vector
// of 2, 3, 4, 8 or 16 numbers or Bools.
func (t Type) Valid() bool {
	const vectors = 1<<2 | 1<<3 | 1<<4 | 1<<8 | 1<<16
	switch {
	case t.N == 1:
		return t.K.class() != 0
	case vectors>>t.N&1 != 0:
		return t.K.class()&(Numbers|Bools) != 0
	}
	return t == TVoid
}

func (k Kind) isInt() bool   { return k.class() == Ints }
func (k Kind) isFloat() bool { return k.class() == Floats }

// VerifyModule verifies every function and the module's variables.
func VerifyModule(m *Module) error { return new(Verifier).module(m) }

func (c *Verifier) module(m *Module) error {
	names := make(map[string]bool, len(m.Globals)+len(m.Funcs))
	for _, g := range m.Globals {
		if names[g.Name] {
			return fmt.Errorf("global @%s: duplicate name", g.Name)
		}
		names[g.Name] = true
		if err := verifyGlobal(g); err != nil {
			return fmt.Errorf("global @%s: %w", g.Name, err)
		}
	}
	clear(names)
	for _, f := range m.Funcs {
		if names[f.Name] {
			return fmt.Errorf("function @%s: duplicate name", f.Name)
		}
		names[f.Name] = true
		if f.Module != m {
			return fmt.Errorf("function @%s: belongs to another module", f.Name)
		}
		if err := c.Verify(f); err != nil {
			return err
		}
	}
	return verifySymbols(m)
}

// verifySymbols checks that the module contains all symbols that its code and data refer to.
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
		return fmt.Errorf("cannot be in %v memory", g.Kind)
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

// Verify checks the invariants that the package's documentation lists. The error has the position of the first
// violation.
func Verify(f *Func) error { return new(Verifier).Verify(f) }

// VerifyPlan is Verify for the function of a plan, which may contain PlanOnly ops.
func VerifyPlan(f *Func) error { return (&Verifier{plans: true}).Verify(f) }

// A Verifier verifies functions, one after another, and reuses its memory. The zero value is ready to use.
type Verifier struct {
	f     *Func
	plans bool     // PlanOnly ops are allowed
	at    []*Value // by ID: seen in a block
	seen  []int32  // by block ID: scratch memory
	dom   DomTree
	graph graph   // the graph of which dom is the tree
	other graph   // memory for the next graph
	start []int32 // see mirrored
	from  []int32
}

// A graph is a function's blocks and edges, to detect changes.
type graph struct {
	blocks []*Block
	succs  []int32 // for each block the number and the IDs of its successors
}

func (g *graph) equal(h *graph) bool {
	return slices.Equal(g.blocks, h.blocks) && slices.Equal(g.succs, h.succs)
}

// Verify checks the invariants that the package's documentation lists. The error has the position of the first
// violation.
func (c *Verifier) Verify(f *Func) error {
	c.f = f
	if err := c.run(); err != nil {
		c.graph.blocks = nil // dom may not be its tree
		return fmt.Errorf("function @%s: %w", f.Name, err)
	}
	return nil
}

func (c *Verifier) run() error {
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
	if !c.graph.equal(&c.other) {
		c.dom.Rebuild(f)
		c.graph, c.other = c.other, c.graph
	}
	return c.values()
}

func (c *Verifier) signature() error {
	f := c.f
	if f.Name == "" || !f.Result.Valid() {
		return errors.New("no name or a bad result type")
	}
	for i, p := range f.Params {
		if i >= len(f.Blocks[0].Values) || f.Blocks[0].Values[i] != p || p.Op != OpParam || p.Aux != int64(i) {
			return fmt.Errorf("parameter %d is not value %d of the entry block", i, i)
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

// blocks checks the control-flow graph and stores it in c.other.
func (c *Verifier) blocks() error {
	f := c.f
	if len(f.Blocks[0].Preds) > 0 {
		return errors.New("the entry block has predecessors")
	}
	c.seen = grow(c.seen, f.NumBlocks())
	inFunc := c.seen
	for _, b := range f.Blocks {
		if b.Func != f || b.ID < 0 || int(b.ID) >= len(inFunc) || inFunc[b.ID] != 0 {
			return fmt.Errorf("b%d: duplicate number, out of range, or in another function", b.ID)
		}
		inFunc[b.ID] = 1
	}
	g := &c.other
	g.blocks, g.succs = append(g.blocks[:0], f.Blocks...), g.succs[:0]
	for _, b := range f.Blocks {
		if err := c.ending(b); err != nil {
			return fmt.Errorf("b%d: %w", b.ID, err)
		}
		g.succs = append(g.succs, int32(len(b.Succs)))
		for _, s := range b.Succs {
			if s == nil || s.Func != f || s.ID < 0 || int(s.ID) >= len(inFunc) || inFunc[s.ID] == 0 {
				return fmt.Errorf("b%d: a successor is not in the function", b.ID)
			}
			g.succs = append(g.succs, s.ID)
		}
		for _, p := range b.Preds {
			if p == nil || p.Func != f || p.ID < 0 || int(p.ID) >= len(inFunc) || inFunc[p.ID] == 0 {
				return fmt.Errorf("b%d: a predecessor is not in the function", b.ID)
			}
		}
	}
	clear(c.seen)
	return c.mirrored()
}

// ending checks the terminator of a block.
func (c *Verifier) ending(b *Block) error {
	if slices.Contains(b.Values, nil) {
		return errors.New("nil value")
	}
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
	return nil
}

// mirrored checks that Preds and Succs agree as multisets.
func (c *Verifier) mirrored() error {
	f := c.f
	// The edges sorted by target block: from[start[id-1]:start[id]].
	c.start = grow(c.start, f.NumBlocks())
	edges := 0
	for _, b := range f.Blocks {
		for _, s := range b.Succs {
			c.start[s.ID]++
			edges++
		}
	}
	for _, b := range f.Blocks {
		if int(c.start[b.ID]) != len(b.Preds) {
			return fmt.Errorf("b%d: %d incoming edges, %d predecessors", b.ID, c.start[b.ID], len(b.Preds))
		}
	}
	sum := int32(0)
	for id, n := range c.start {
		c.start[id] = sum
		sum += n
	}
	c.from = grow(c.from, edges)
	for _, b := range f.Blocks {
		for _, s := range b.Succs {
			c.from[c.start[s.ID]] = b.ID
			c.start[s.ID]++
		}
	}
	for _, b := range f.Blocks {
		end := c.start[b.ID]
		from := c.from[end-int32(len(b.Preds)) : end]
		for _, id := range from {
			c.seen[id]++
		}
		for _, p := range b.Preds {
			c.seen[p.ID]--
		}
		for _, p := range b.Preds {
			if c.seen[p.ID] < 0 {
				return fmt.Errorf("b%d: b%d is a predecessor more often than this block is its successor", b.ID, p.ID)
			}
		}
		for _, id := range from {
			if c.seen[id] > 0 {
				return fmt.Errorf("b%d: b%d is a predecessor less often than this block is its successor", b.ID, id)
			}
		}
	}
	return nil
}

// values checks all values. In reverse post-order, definitions of reachable blocks come before their uses, so
// that one pass checks whether an argument dominates its use; only phis may come before their arguments.
func (c *Verifier) values() error {
	f := c.f
	c.at = grow(c.at, f.NumValues())
	defer clear(c.at) // releases the values
	for _, b := range c.dom.Order {
		for i, v := range b.Values {
			err := c.place(b, i, v)
			if err == nil && v.Op != OpPhi {
				err = c.value(b, v)
			}
			if err != nil {
				return within(b, v, err)
			}
			c.at[v.ID] = v
		}
	}
	if len(c.dom.Order) < len(f.Blocks) {
		if err := c.unreachable(); err != nil {
			return err
		}
	}
	for _, b := range f.Blocks {
		if b.Values[0].Op != OpPhi {
			continue
		}
		again := c.again(b)
		for _, v := range b.Phis() {
			if err := c.phi(b, v, again); err != nil {
				return within(b, v, err)
			}
		}
	}
	return nil
}

func within(b *Block, v *Value, err error) error {
	return fmt.Errorf("b%d: v%d (%v): %w", b.ID, v.ID, v.Op, err)
}

// unreachable checks the values of unreachable blocks, whose order does not matter.
func (c *Verifier) unreachable() error {
	var lost []*Block
	for _, b := range c.f.Blocks {
		if c.dom.Reachable(b) {
			continue
		}
		lost = append(lost, b)
		for i, v := range b.Values {
			if err := c.place(b, i, v); err != nil {
				return within(b, v, err)
			}
			c.at[v.ID] = v
		}
	}
	for _, b := range lost {
		for _, v := range b.Values {
			if v.Op == OpPhi {
				continue
			}
			if err := c.value(b, v); err != nil {
				return within(b, v, err)
			}
		}
	}
	return nil
}

// place checks the position of v, value number i of b.
func (c *Verifier) place(b *Block, i int, v *Value) error {
	if v.Op == OpInvalid || v.Op >= NumOps {
		return errors.New("invalid op")
	}
	if v.ID < 0 || int(v.ID) >= len(c.at) || c.at[v.ID] != nil {
		return errors.New("duplicate number, or out of range")
	}
	if v.Block != b {
		return errors.New("wrong Block field")
	}
	if v.Op.Has(Terminator) != (i == len(b.Values)-1) {
		return errors.New("a terminator before the end of the block")
	}
	switch v.Op {
	case OpPhi:
		if i > 0 && b.Values[i-1].Op != OpPhi {
			return errors.New("a phi after other values")
		}
	case OpAlloca:
		if b != c.f.Blocks[0] {
			return errors.New("misplaced")
		}
	case OpParam:
		if b != c.f.Blocks[0] || i >= len(c.f.Params) {
			return errors.New("misplaced")
		}
	}
	return nil
}

// value checks a value that is not a phi: arguments, dominance, types.
func (c *Verifier) value(b *Block, v *Value) error {
	info := &Ops[v.Op]
	if info.NArgs >= 0 && len(v.Args) != int(info.NArgs) {
		return fmt.Errorf("%d arguments, want %d", len(v.Args), info.NArgs)
	}
	if !v.Type.Valid() {
		return errors.New("bad type")
	}
	if v.Op.Has(PlanOnly) && !c.plans {
		return errors.New("is allowed in plans only")
	}
	for k, a := range v.Args {
		if err := c.argument(k, a); err != nil {
			return err
		}
		if a.Block != b && !c.dom.Dominates(a.Block, b) && c.dom.Reachable(b) {
			return fmt.Errorf("v%d does not dominate this use", a.ID)
		}
	}
	if info.Kinds != 0 {
		k := v.Type.K
		if info.Shape == shCmp || info.Shape == shUnsigned {
			k = v.Args[0].Type.K
		}
		if !info.Kinds.HasKind(k) {
			return fmt.Errorf("undefined on %v", k)
		}
	}
	if !shapeOK(info.Shape, v) || !signatureOK(info, v) || !auxOK(info.Aux, v.Aux) || !c.typed(v) {
		return fmt.Errorf("wrong types or Aux: %s", describe(v))
	}
	return nil
}

// argument checks that an argument is in the function and has a value.
func (c *Verifier) argument(k int, a *Value) error {
	if a == nil || a.ID < 0 || int(a.ID) >= len(c.at) || c.at[a.ID] != a {
		for _, b := range c.f.Blocks {
			if a != nil && slices.Contains(b.Values, a) {
				return fmt.Errorf("v%d does not dominate this use", a.ID)
			}
		}
		return fmt.Errorf("argument %d is not in the function", k)
	}
	if a.Type.K == Void {
		return fmt.Errorf("argument %d has no value", k)
	}
	return nil
}

// phi checks a phi. Several edges from one block must have one value; again lists them.
func (c *Verifier) phi(b *Block, v *Value, again [][2]int) error {
	if !v.Type.Valid() || v.Type.K == Void {
		return errors.New("bad type")
	}
	if len(v.Args) != len(b.Preds) {
		return fmt.Errorf("%d arguments for %d predecessors", len(v.Args), len(b.Preds))
	}
	for k, a := range v.Args {
		if err := c.argument(k, a); err != nil {
			return err
		}
		if a.Type != v.Type {
			return fmt.Errorf("wrong types or Aux: %s", describe(v))
		}
		if p := b.Preds[k]; a.Block != p && !c.dom.Dominates(a.Block, p) && c.dom.Reachable(p) {
			return fmt.Errorf("v%d does not dominate this use", a.ID)
		}
	}
	for _, e := range again {
		if v.Args[e[0]] != v.Args[e[1]] {
			return fmt.Errorf("different values from b%d", b.Preds[e[0]].ID)
		}
	}
	return nil
}

// again returns the edges into b whose source already has an earlier edge into b: the index in Preds of both.
func (c *Verifier) again(b *Block) (list [][2]int) {
	for i, p := range b.Preds {
		if k := c.seen[p.ID]; k != 0 {
			list = append(list, [2]int{int(k) - 1, i})
		}
		c.seen[p.ID] = int32(i) + 1
	}
	for _, p := range b.Preds {
		c.seen[p.ID] = 0
	}
	return list
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

// signatureOK checks the argument and result types that the op's row fixes.
func signatureOK(info *OpInfo, v *Value) bool {
	for i, t := range info.Takes {
		if t != (Type{}) && v.Args[i].Type != t {
			return false
		}
	}
	return info.Gives == (Type{}) || v.Type == info.Gives
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
	case shUnsigned:
		return t == a[0].Type.With(Kind(a[0].Type.K.Num().Unsigned())) && a[0].Type == a[len(a)-1].Type
	case shShift:
		return a[0].Type == t && a[1].Type.N == t.N && a[1].Type.K.isInt()
	case shSelect:
		c := a[0].Type
		return c.K == Bool && (c.N == 1 || c.N == t.N) && a[1].Type == t && a[2].Type == t
	}
	return true
}

// typed checks the rules of the ops whose shape is shAny.
func (c *Verifier) typed(v *Value) bool {
	t, a := v.Type, v.Args
	switch v.Op {
	case OpConst:
		return c.constant(v)
	case OpUndef, OpParam:
		return t.K != Void
	case OpConvert:
		sat, _ := ConvParts(v.Aux)
		return a[0].Type.N == t.N && t.K.class()&(Numbers|Bools) != 0 && a[0].Type.K.class()&(Numbers|Bools) != 0 && !(sat && !t.K.isInt())
	case OpDot:
		return t.K.Num().Bits() == 32
	case OpBitcast:
		return t.Size() == a[0].Type.Size() && t.K != Void && (t.K != Bool && a[0].Type.K != Bool || t == a[0].Type)
	case OpSplat, OpVec, OpExtract, OpInsert, OpExtractDyn, OpInsertDyn, OpShuffle:
		return typedVector(v)
	case OpAlloca, OpGlobalAddr, OpPtrAdd, OpPtrCast, OpLoad, OpStore, OpMemCopy, OpMemZero:
		return typedMemory(v)
	case OpAtomicLoad, OpAtomicStore, OpAtomicRMW, OpAtomicCAS, OpFence:
		return typedAtomic(v)
	case OpWorkItem:
		return a[0].Type == TU32 && (t == TU64 || t == TU32)
	case OpAny:
		return t == TBool && a[0].Type.K == Bool
	case OpPermute:
		return t.N == 1 && a[0].Type == t && a[1].Type == t && t.K.class()&Numbers != 0 && len(v.Lanes) > 0 && !slices.ContainsFunc(v.Lanes, func(l uint8) bool { return int(l) >= 2*len(v.Lanes) })
	case OpRank, OpCount:
		return t == TU32 && a[0].Type == TBool
	case OpVote:
		return t == TI32 && a[0].Type == TBool
	case OpEnd:
		if !a[0].Type.K.Num().IsInt() || a[0].Type.K.IsPtr() || a[0].Type.N != 1 {
			return false
		}
		return v.Aux == EndsOrder && t == TBool || (v.Aux == EndFirst || v.Aux == EndLast) && t == a[0].Type
	case OpInside:
		return t == TBool && a[0].Type == TI64
	case OpObject:
		return a[0].Type.N == 1 && a[0].Type.K.IsPtr()
	case OpGangs, OpBarrier, OpLeave:
		return t == TVoid
	case OpPrintf:
		return t == TI32 && len(a) > 0 && a[0].Type.K.IsPtr()
	case OpCall:
		return typedCall(v)
	case OpExtern:
		x, ok := v.Sym.(*Extern)
		return ok && x.Name != ""
	case OpImageRead, OpImageSample, OpImageWrite:
		return typedImage(v)
	case OpAsyncCopy, OpAsyncLimit:
		return a[0].Type.K.IsPtr() && a[1].Type.K.IsPtr()
	case OpAsyncWait:
		return a[1].Type.K.IsPtr()
	case OpSubGroupExchange:
		return t == a[0].Type
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

func (c *Verifier) constant(v *Value) bool {
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

// typedImage checks an image access, whose color is the result or the written value.
func typedImage(v *Value) bool {
	color, at := v.Type, v.Args[1].Type
	switch v.Op {
	case OpImageWrite:
		color = v.Args[2].Type
	case OpImageSample:
		at = v.Args[2].Type
	}
	if at.K != I32 && !(at.K == F32 && v.Op == OpImageSample) {
		return false
	}
	return (color.N == 1 || color.N == 4) && (color.K == F32 || color.K == F16 || color.K == I32 || color.K == U32)
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
		return a[0].Type.IsVec() && t == a[0].Type.Elem() && v.Aux < int64(a[0].Type.N)
	case OpInsert:
		return t.IsVec() && a[0].Type == t && a[1].Type == t.Elem() && v.Aux < int64(t.N)
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
		return t == TVoid && a[0].Type.K.IsPtr() && a[0].Type.K != PtrConstant && a[1].Type.K.IsPtr()
	}
	return t == TVoid && a[0].Type.K.IsPtr() && a[0].Type.K != PtrConstant
}

func typedAtomic(v *Value) bool {
	t, a := v.Type, v.Args
	if v.Op == OpFence {
		return t == TVoid
	}
	if p := a[0].Type.K; !p.IsPtr() || p == PtrConstant && v.Op != OpAtomicLoad {
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
	rmw, _, _ := AtomicParts(v.Aux)
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
