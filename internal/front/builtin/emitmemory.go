package builtin

import (
	"github.com/purecl/purecl/internal/ir/ssa"
)

func emitWorkItem(c *Emission) *ssa.Value {
	dim := c.B.Const(ssa.TU32, 0)
	if len(c.Args) > 0 {
		dim = c.Args[0]
	}
	return c.B.Aux(ssa.OpWorkItem, c.Result, c.Call.Row.Aux, dim)
}

// vecAligned is the Aux of vloada and vstorea functions.
const vecAligned = 1

// vectorPlace returns the address p + offset * lanes and its alignment.
func (c *Emission) vectorPlace(offset, p *ssa.Value, elem ssa.Kind, lanes int) (*ssa.Value, int64) {
	b := c.B
	size := int64(elem.Num().Size())
	stride, align := size*int64(lanes), size
	if c.Call.Row.Aux == vecAligned {
		if lanes == 3 {
			stride = size * 4
		}
		align = stride
	}
	off := b.Value(ssa.OpMul, ssa.TI64, b.Convert(offset, ssa.I64, false, 0), b.Const(ssa.TI64, uint64(stride)))
	return b.Value(ssa.OpPtrAdd, p.Type, p, off), align
}

func emitVload(c *Emission) *ssa.Value {
	elem := ssa.Kind(c.Call.Params[1].Elem.Num())
	p, align := c.vectorPlace(c.Args[0], c.Args[1], elem, int(c.Result.N))
	x := c.B.Load(c.Result.With(elem), p, align)
	if elem != c.Result.K {
		return c.B.Convert(x, c.Result.K, false, 0)
	}
	return x
}

func emitVstore(c *Emission) *ssa.Value {
	x := c.Args[0]
	elem := ssa.Kind(c.Call.Params[2].Elem.Num())
	p, align := c.vectorPlace(c.Args[1], c.Args[2], elem, int(x.Type.N))
	if elem != x.Type.K {
		x = c.B.Convert(x, elem, false, c.Call.Row.Round)
	}
	c.B.Store(p, x, align)
	return nil
}

const allFences = ssa.LocalFence | ssa.GlobalFence | ssa.ImageFence

// fenceFlags returns the flags of a barrier or fence: the argument, or all flags if it is not constant; the
// executor then removes flags at run time.
func (c *Emission) fenceFlags(x *ssa.Value) ssa.RMW {
	if x.IsConst() {
		return ssa.RMW(x.Bits[0] & allFences)
	}
	c.B.Value(ssa.OpFenceFlags, ssa.TI64, c.B.Convert(x, ssa.I64, false, 0))
	return allFences
}

func emitBarrier(c *Emission) *ssa.Value {
	scope := ssa.Scope(0)
	if len(c.Args) > 1 {
		if _, scope = c.orderAndScope(0); scope <= ssa.ScopeWorkGroup {
			scope = 0
		}
	}
	c.B.Aux(ssa.OpBarrier, ssa.TVoid, ssa.AtomicAux(c.fenceFlags(c.Args[0]), 0, scope))
	return nil
}

// emitWaitEvents emits a barrier, because the work-items themselves execute async copies. A checking executor also
// examines the events.
func emitWaitEvents(c *Emission) *ssa.Value {
	c.B.Value(ssa.OpAsyncWait, ssa.TI64, c.B.Convert(c.Args[0], ssa.I64, false, 0), c.Args[1])
	c.B.Aux(ssa.OpBarrier, ssa.TVoid, ssa.LocalFence|ssa.GlobalFence|ssa.WaitCopies)
	return nil
}

func emitAsyncCopy(c *Emission) *ssa.Value {
	return c.B.Value(ssa.OpAsyncCopy, c.Result, c.Args...)
}

func emitAsyncEvent(c *Emission) *ssa.Value {
	return c.B.Value(ssa.OpAsyncEvent, c.Result, c.Args...)
}

func emitAsyncLimit(c *Emission) *ssa.Value {
	return c.B.Value(ssa.OpAsyncLimit, c.Result, c.Args...)
}

func emitCopyFence(c *Emission) *ssa.Value { return emitBarrier(c) }

// orders maps memory_order to ssa.Order: see Constants.
var orders = [6]ssa.Order{ssa.Relaxed, ssa.Acquire, ssa.Acquire, ssa.Release, ssa.AcqRel, ssa.SeqCst}

var scopes = [5]ssa.Scope{ssa.ScopeWorkItem, ssa.ScopeWorkGroup, ssa.ScopeDevice, ssa.ScopeAll, ssa.ScopeSubGroup}

// orderAndScope reads the memory order and scope from argument i on. An argument that is not constant counts as the
// strongest value. A missing one has the default of the functions without _explicit, which is relaxed for the
// functions of OpenCL C 1.x.
func (c *Emission) orderAndScope(i int) (ssa.Order, ssa.Scope) {
	o, s := c.Call.Row.Order, ssa.ScopeDevice
	if i < len(c.Args) {
		o = ssa.SeqCst
		if x := c.Args[i]; x.IsConst() && x.Bits[0] < uint64(len(orders)) {
			o = orders[x.Bits[0]]
		}
		if i++; i < len(c.Args) {
			s = ssa.ScopeAll
			if x := c.Args[i]; x.IsConst() && x.Bits[0] < uint64(len(scopes)) {
				s = scopes[x.Bits[0]]
			}
		}
	}
	return o, s
}

func emitFence(c *Emission) *ssa.Value {
	o, s := c.Call.Row.Order, ssa.ScopeWorkGroup
	if len(c.Args) > 1 {
		o, s = c.orderAndScope(1)
	}
	c.B.Aux(ssa.OpFence, ssa.TVoid, ssa.AtomicAux(c.fenceFlags(c.Args[0]), o, s))
	return nil
}

func emitRMW(c *Emission) *ssa.Value {
	i := 2
	var x *ssa.Value
	if c.Call.Row.One {
		i, x = 1, c.B.Const(c.Result, 1)
	} else {
		x = c.Args[1]
	}
	o, s := c.orderAndScope(i)
	return c.B.Aux(ssa.OpAtomicRMW, c.Result, ssa.AtomicAux(c.Call.Row.RMW, o, s), c.Args[0], x)
}

func emitCmpxchg(c *Emission) *ssa.Value {
	o, s := c.orderAndScope(len(c.Args))
	return c.B.Aux(ssa.OpAtomicCAS, c.Result, ssa.AtomicAux(0, o, s), c.Args...)
}

func emitAtomicInit(c *Emission) *ssa.Value {
	c.B.Store(c.Args[0], c.Args[1], int64(c.Args[1].Type.Size()))
	return nil
}

func emitAtomicStore(c *Emission) *ssa.Value {
	o, s := c.orderAndScope(2)
	c.B.Aux(ssa.OpAtomicStore, ssa.TVoid, ssa.AtomicAux(0, o, s), c.Args[0], c.Args[1])
	return nil
}

func emitAtomicLoad(c *Emission) *ssa.Value {
	o, s := c.orderAndScope(1)
	return c.B.Aux(ssa.OpAtomicLoad, c.Result, ssa.AtomicAux(0, o, s), c.Args[0])
}

// emitCompareExchange compares the bits, as C11 does, so that floats are passed as integers.
func emitCompareExchange(c *Emission) *ssa.Value {
	b, x := c.B, c.Args[2]
	t := x.Type
	u := t.With(unsignedBySize[t.Size()])
	if t.K.Num().IsFloat() {
		x = b.Value(ssa.OpBitcast, u, x)
	} else {
		u = t
	}
	o, s := c.orderAndScope(3)
	failure := o
	if len(c.Args) > 4 { // the scope follows two memory orders
		failure, s = c.orderAndScope(4)
	}
	align := int64(t.Size())
	want := b.Load(u, c.Args[1], align)
	old := b.Aux(ssa.OpAtomicCAS, u, ssa.WithFailure(ssa.AtomicAux(0, o, s), failure), c.Args[0], want, x)
	b.Store(c.Args[1], old, align)
	return b.Value(ssa.OpEq, ssa.TBool, old, want)
}

func emitFlag(c *Emission) *ssa.Value {
	o, s := c.orderAndScope(1)
	aux := ssa.AtomicAux(ssa.RMWXchg, o, s)
	if c.Call.Row.Op == ssa.OpAtomicStore {
		c.B.Aux(ssa.OpAtomicStore, ssa.TVoid, aux, c.Args[0], c.B.Const(ssa.TI32, 0))
		return nil
	}
	old := c.B.Aux(ssa.OpAtomicRMW, ssa.TI32, aux, c.Args[0], c.B.Const(ssa.TI32, 1))
	return c.B.Value(ssa.OpNe, ssa.TBool, old, c.B.Const(ssa.TI32, 0))
}

// emitToSpace tests whether a pointer is in an address space. The flag Implicit marks a null result as valid.
func emitToSpace(c *Emission) *ssa.Value {
	return c.ask(c.Result)
}

func (c *Emission) ask(space ssa.Type) *ssa.Value {
	p := c.B.Value(ssa.OpPtrCast, space, c.Args[0])
	p.Flags |= ssa.Implicit
	return p
}

// emitGetFence returns the local flag for local memory and the global one for all other memory.
func emitGetFence(c *Emission) *ssa.Value {
	b := c.B
	p := c.ask(ssa.Scalar(ssa.PtrLocal))
	isLocal := b.Value(ssa.OpNe, ssa.TBool, b.Value(ssa.OpBitcast, ssa.TU64, p), b.Const(ssa.TU64, 0))
	return b.Value(ssa.OpSelect, ssa.TU32, isLocal, b.Const(ssa.TU32, ssa.LocalFence), b.Const(ssa.TU32, ssa.GlobalFence))
}

// emitShuffle selects components by the low bits of each mask element.
func emitShuffle(c *Emission) *ssa.Value {
	b, x := c.B, c.Args[0]
	y, mask := x, c.Args[len(c.Args)-1]
	lanes := int(x.Type.N)
	if len(c.Args) == 3 {
		y, lanes = c.Args[1], 2*lanes
	}
	if mask.IsConst() {
		idx := make([]uint8, c.Result.N)
		for i := range idx {
			idx[i] = uint8(mask.ConstElem(i)) & uint8(lanes-1)
		}
		return b.Shuffle(x, y, idx)
	}
	if y != x && lanes <= 16 {
		idx := make([]uint8, lanes)
		for i := range idx {
			idx[i] = uint8(i)
		}
		x = b.Shuffle(x, y, idx)
	}
	elems := make([]*ssa.Value, c.Result.N)
	for i := range elems {
		j := b.Convert(b.Extract(mask, i), ssa.U64, false, 0)
		at := b.Value(ssa.OpAnd, ssa.TU64, j, b.Const(ssa.TU64, uint64(min(lanes, int(x.Type.N))-1)))
		elems[i] = b.Value(ssa.OpExtractDyn, x.Type.Elem(), x, at)
		if n := uint64(x.Type.N); lanes > int(n) { // two vectors of 16
			high := b.Value(ssa.OpExtractDyn, x.Type.Elem(), y, at)
			first := b.Value(ssa.OpEq, ssa.TBool, b.Value(ssa.OpAnd, ssa.TU64, j, b.Const(ssa.TU64, n)), b.Const(ssa.TU64, 0))
			elems[i] = b.Value(ssa.OpSelect, x.Type.Elem(), first, elems[i], high)
		}
	}
	return b.Value(ssa.OpVec, c.Result, elems...)
}

func emitPrintf(c *Emission) *ssa.Value { return c.B.Value(ssa.OpPrintf, ssa.TI32, c.Args...) }
