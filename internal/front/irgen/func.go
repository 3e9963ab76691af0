package irgen

import (
	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A funcBuilder builds the code of the current function: its blocks, the memory of its variables, and constants. It
// knows nothing of the language's operators.
type funcBuilder struct {
	unit
	ssa.Builder

	allocas []*ssa.Value
	order   []*ssa.Block   // blocks in the order of their begin
	dead    bool           // an unreachable block was begun
	consts  [64]*ssa.Value // recent constants, found again within their block
}

// A regVar is a variable without memory: its value never changes. check.Var.Data is a regVar, the address of
// private memory (an *ssa.Value) or an *ssa.Global.
type regVar ssa.Value

// open begins the entry block of sf; the function begins at pos.
func (fb *funcBuilder) open(sf *ssa.Func, pos diag.Pos) {
	fb.F, fb.Pos = sf, pos
	fb.allocas, fb.order, fb.dead = fb.allocas[:0], fb.order[:0], false
	fb.begin(sf.NewBlock("entry"))
	for _, p := range sf.Params {
		fb.B.Append(p)
	}
}

// implicitReturn emits the end of a body without a return statement.
func (fb *funcBuilder) implicitReturn() {
	if fb.F.Result == ssa.TVoid {
		fb.Return(nil)
		return
	}
	fb.Return(fb.Value(ssa.OpUndef, fb.F.Result))
}

// leave completes the function: it moves allocas to the entry block, and sorts blocks in the order of the source.
func (fb *funcBuilder) leave() {
	f := fb.F
	entry := fb.order[0]
	if len(fb.allocas) > 0 {
		n := len(f.Params)
		values := make([]*ssa.Value, 0, len(entry.Values)+len(fb.allocas))
		values = append(values, entry.Values[:n]...)
		values = append(values, fb.allocas...)
		entry.Values = append(values, entry.Values[n:]...)
		for _, a := range fb.allocas {
			a.Block = entry
		}
	}
	f.Blocks = append(f.Blocks[:0], fb.order...) // it has all blocks: the list only shrinks
	for i, b := range f.Blocks {
		b.ID = int32(i)
	}
	if fb.dead {
		f.RemoveUnreachable()
	}
}

// newBlock returns a block, which begin adds to the function.
func (fb *funcBuilder) newBlock(name string) *ssa.Block { return fb.F.NewBlock(name) }

// begin continues in b. If b is unreachable, the following code is dead.
func (fb *funcBuilder) begin(b *ssa.Block) {
	fb.B = nil
	if len(b.Preds) == 0 && len(fb.order) > 0 {
		return
	}
	fb.place(b)
}

// place continues in b; edges to b may be added later.
func (fb *funcBuilder) place(b *ssa.Block) {
	if len(b.Preds) == 0 && len(fb.order) > 0 {
		fb.dead = true
	}
	fb.B = b
	fb.order = append(fb.order, b)
}

// fallInto jumps to b from the current block, if there is one, and continues there.
func (fb *funcBuilder) fallInto(b *ssa.Block) {
	fb.jump(b)
	fb.begin(b)
}

// jump ends the block, if there is one.
func (fb *funcBuilder) jump(to *ssa.Block) {
	if fb.B != nil {
		fb.Jump(to)
	}
}

// alloca creates the variable's memory.
func (fb *funcBuilder) alloca(v *check.Var) *ssa.Value {
	a := fb.newAlloca(v.Name, v.Type.Type, v.Align, v.Span.Pos)
	v.Data = a
	return a
}

// temp creates unnamed private memory for a value of type t.
func (fb *funcBuilder) temp(t *types.Type) *ssa.Value { return fb.newAlloca("", t, t.Align(), fb.Pos) }

func (fb *funcBuilder) newAlloca(name string, t *types.Type, align int64, pos diag.Pos) *ssa.Value {
	v := fb.F.NewValue(ssa.OpAlloca, ssa.Scalar(ssa.PtrPrivate), pos)
	v.Sym = &ssa.Alloca{Name: name, Size: t.Size(), Align: max(align, 1), Type: fb.spelling(t)}
	fb.allocas = append(fb.allocas, v)
	return v
}

// constant returns a constant whose elements all have the given raw bits. It may be an earlier constant of the
// block.
func (fb *funcBuilder) constant(t ssa.Type, bits uint64) *ssa.Value {
	c := &fb.consts[(uint8(bits)*5+uint8(t.K)*3+t.N)%uint8(len(fb.consts))]
	if v := *c; v != nil && v.Block == fb.B && v.Type == t && v.Bits[0] == bits {
		return v
	}
	v := fb.F.NewConst(t, bits)
	v.Pos = fb.Pos
	*c = v
	return fb.B.Append(v)
}

func (fb *funcBuilder) memCopy(dst, src *ssa.Value, n int64, volatile bool) {
	v := fb.Aux(ssa.OpMemCopy, ssa.TVoid, n, dst, src)
	if volatile {
		v.Flags |= ssa.Volatile
	}
}

// unreachable begins an unreachable block, for the rest of an expression whose evaluation does not return.
func (fb *funcBuilder) unreachable() {
	if fb.B == nil {
		fb.place(fb.newBlock("dead"))
	}
}

// variable returns the address of an automatic variable.
func (fb *funcBuilder) variable(v *check.Var) *ssa.Value {
	if v.Data == nil {
		return fb.alloca(v)
	}
	return v.Data.(*ssa.Value)
}
