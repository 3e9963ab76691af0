package irgen

import (
	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A part is the part of an object that a place denotes.
type part uint8

const (
	whole   part = iota
	lanes        // components of a vector
	dynamic      // one component whose index is known at run time
	bits         // a bit-field
)

// A place is the location of an l-value, an object in memory at ptr+off or an immutable value, and the part of it
// that the l-value denotes.
type place struct {
	reg      *ssa.Value // the value, or nil:
	ptr      *ssa.Value
	off      int64
	align    int64 // guaranteed alignment of ptr+off
	typ      *types.Type
	volatile bool
	auto     bool // in an automatic variable, at a constant offset
	part     part
	lanes    []uint8
	index    *ssa.Value   // index of a dynamic part: U64, within lanes if there are any
	field    *types.Field // of a bit-field
	limit    int64        // of a bit-field: bytes from its unit to the end of the record
	pos      diag.Pos
}

// lvalue returns the location of the l-value e (or of part of an r-value).
func (g *generator) lvalue(e check.Expr) place {
	switch x := e.(type) {
	case *check.VarRef:
		return g.varPlace(x)
	case *check.Deref:
		ptr := g.value(x.X)
		return place{ptr: ptr, align: x.T.Align(), typ: x.T.Type, volatile: x.T.Volatile, pos: x.S.Pos}
	case *check.Member:
		return g.memberPlace(x)
	case *check.Swizzle:
		return g.swizzlePlace(x)
	case *check.VecIndex:
		return g.indexPlace(x)
	case *check.CompoundLit:
		return g.literalPlace(x)
	case *check.StringConst:
		g.Pos = x.S.Pos
		ptr := g.Sym(ssa.OpGlobalAddr, ssa.Scalar(ssa.PtrConstant), g.str(x))
		return place{ptr: ptr, align: 1, typ: x.T.Type, pos: x.S.Pos}
	}
	v := g.value(e)
	t := e.Type()
	if isRecord(t.Type) {
		return place{ptr: v, align: t.Align(), typ: t.Type, pos: e.Span().Pos}
	}
	return place{reg: v, typ: t.Type, pos: e.Span().Pos}
}

// variable returns the address of an automatic variable.
func (g *generator) variable(v *check.Var) *ssa.Value {
	if v.Data == nil {
		return g.alloca(v)
	}
	return v.Data.(*ssa.Value)
}

func (g *generator) varPlace(x *check.VarRef) place {
	v := x.Var
	p := place{align: v.Align, typ: x.T.Type, volatile: x.T.Volatile, pos: x.S.Pos}
	if p.align == 0 {
		p.align = v.Type.Align()
	}
	if v.Kind == check.GlobalVar || v.Kind == check.LocalVar {
		d := g.global(v)
		g.Pos = x.S.Pos
		p.ptr = g.Sym(ssa.OpGlobalAddr, ssa.Scalar(d.Kind), d)
		return p
	}
	if g.outer != nil && v.Data != nil {
		p.ptr = outerVar(g, v)
		return p
	}
	if r, ok := v.Data.(*regVar); ok {
		p.reg = (*ssa.Value)(r)
		return p
	}
	p.ptr, p.auto = g.variable(v), true
	return p
}

func (g *generator) memberPlace(x *check.Member) place {
	p := g.lvalue(x.X)
	f := x.Field
	size := p.typ.Size()
	p.off += f.Offset
	p.align = alignAt(p.align, f.Offset)
	p.typ, p.pos = x.T.Type, x.S.Pos
	p.volatile = p.volatile || x.T.Volatile
	if f.Bits >= 0 {
		p.part, p.field, p.limit = bits, f, size-f.Offset
	}
	return p
}

// alignAt returns the alignment of the address off bytes after an address of alignment align.
func alignAt(align, off int64) int64 {
	if low := off & -off; low != 0 {
		return min(align, low)
	}
	return align
}

func (g *generator) swizzlePlace(x *check.Swizzle) place {
	p := g.lvalue(x.X)
	p.pos = x.S.Pos
	p.volatile = p.volatile || x.T.Volatile
	switch p.part {
	case whole:
		p.part, p.lanes = lanes, x.Lanes
	case lanes:
		composed := make([]uint8, len(x.Lanes))
		for i, l := range x.Lanes {
			composed[i] = ssa.ShuffleUndef
			if int(l) < len(p.lanes) {
				composed[i] = p.lanes[l]
			}
		}
		p.lanes = composed
	default:
		return place{reg: g.load(&p), typ: x.X.Type().Type, part: lanes, lanes: x.Lanes, pos: p.pos}
	}
	return p
}

func (g *generator) indexPlace(x *check.VecIndex) place {
	p := g.lvalue(x.X)
	p.volatile = p.volatile || x.T.Volatile
	if c, ok := x.I.(*check.Const); ok && c.Bits[0] < uint64(x.X.Type().Lanes()) {
		l := uint8(c.Bits[0])
		if p.part == lanes {
			l = p.lanes[l]
		}
		p.part, p.lanes, p.pos = lanes, []uint8{l}, x.S.Pos
		return p
	}
	i := g.value(x.I)
	g.Pos = x.S.Pos
	if i.Type.K == ssa.I64 {
		i = g.Value(ssa.OpBitcast, ssa.TU64, i)
	} else {
		i = g.convertKind(i, ssa.U64)
	}
	p.part, p.index, p.pos = dynamic, i, x.S.Pos
	return p
}

// literalPlace initialises a compound literal's variable.
func (g *generator) literalPlace(x *check.CompoundLit) place {
	v := x.Var
	g.Pos = x.S.Pos
	if v.Kind == check.GlobalVar {
		d := g.global(v)
		g.initGlobal(v)
		return place{ptr: g.Sym(ssa.OpGlobalAddr, ssa.Scalar(d.Kind), d), align: d.Align, typ: x.T.Type, pos: x.S.Pos}
	}
	a := g.variable(v)
	align := max(v.Align, 1)
	if v.Init != nil {
		g.initialize(a, 0, align, v.Type, v.Init)
	}
	return place{ptr: a, align: align, typ: x.T.Type, auto: true, pos: x.S.Pos}
}

// addr returns the place's address.
func (g *generator) addr(p *place) *ssa.Value {
	ptr := p.ptr
	if ptr == nil {
		// A value without an address: store a copy of it.
		ptr = g.temp(p.typ)
		g.Store(ptr, p.reg, p.typ.Align())
		return ptr
	}
	switch {
	case p.part == lanes:
		return g.offset(ptr, p.off+int64(p.lanes[0])*elemSize(p.typ))
	case p.part == dynamic:
		return g.Value(ssa.OpPtrAdd, ptr.Type, g.offset(ptr, p.off), g.scale(p.index, elemSize(p.typ)))
	}
	return g.offset(ptr, p.off)
}

func elemSize(t *types.Type) int64 { return int64(t.Num().Size()) }

func (g *generator) loadExpr(x *check.Load) *ssa.Value {
	switch x := x.X.(type) { // the most frequent loads, which need no place
	case *check.VarRef:
		if r, ok := x.Var.Data.(*regVar); ok {
			g.Pos = x.S.Pos
			return (*ssa.Value)(r)
		}
	case *check.Deref:
		if t := x.T.Type; inRegister(t) {
			ptr := g.value(x.X)
			g.Pos = x.S.Pos
			v := g.Load(ssaType(t), ptr, t.Align())
			if x.T.Volatile {
				v.Flags |= ssa.Volatile
			}
			return v
		}
	}
	p := g.lvalue(x.X)
	return g.load(&p)
}

// load returns the value at p, for a record its address.
func (g *generator) load(p *place) *ssa.Value {
	g.Pos = p.pos
	switch p.part {
	case lanes:
		return g.loadLanes(p)
	case dynamic:
		v := g.loadWhole(p)
		if p.lanes != nil {
			v = g.pick(v, p.lanes)
		}
		return g.Value(ssa.OpExtractDyn, v.Type.Elem(), v, p.index)
	case bits:
		return g.loadBits(p)
	}
	return g.loadWhole(p)
}

// loadWhole returns the whole object at p.
func (g *generator) loadWhole(p *place) *ssa.Value {
	switch {
	case p.reg != nil:
		return p.reg
	case isRecord(p.typ):
		return g.offset(p.ptr, p.off)
	case p.typ.Kind == types.Atomic:
		return g.atomicLoad(p)
	}
	return g.loadAt(p, 0, ssaType(p.typ), min(p.align, p.typ.Align()))
}

func (g *generator) loadAt(p *place, off int64, t ssa.Type, align int64) *ssa.Value {
	v := g.Load(t, g.offset(p.ptr, p.off+off), align)
	if p.volatile {
		v.Flags |= ssa.Volatile
	}
	return v
}

func (g *generator) storeAt(p *place, off int64, x *ssa.Value, align int64) {
	v := g.Store(g.offset(p.ptr, p.off+off), x, align)
	if p.volatile {
		v.Flags |= ssa.Volatile
	}
}

// loadLanes loads components. If the memory may be shared, it reads only the required components, provided that
// they are contiguous.
func (g *generator) loadLanes(p *place) *ssa.Value {
	if p.reg == nil && !p.auto && runOf(p.lanes) == len(p.lanes) && int(p.lanes[0])+len(p.lanes) <= p.typ.Lanes() {
		size := elemSize(p.typ)
		off := int64(p.lanes[0]) * size
		t := ssa.Vec(ssa.Kind(p.typ.Num()), len(p.lanes))
		return g.loadAt(p, off, t, alignAt(min(p.align, int64(t.Size())&-int64(t.Size())), off))
	}
	return g.pick(g.loadWhole(p), p.lanes)
}

// runOf returns the number of consecutive components at the start of list: 1, 2, 3, 4, 8 or 16.
func runOf(list []uint8) int {
	n := 1
	for n < len(list) && list[n] == list[n-1]+1 {
		n++
	}
	switch {
	case n < 5:
		return n
	case n < 8:
		return 4
	case n < 16:
		return 8
	}
	return 16
}

// pick returns the listed components of the vector v; one past the end is undefined.
func (g *generator) pick(v *ssa.Value, list []uint8) *ssa.Value {
	n := int(v.Type.N)
	if len(list) == 1 {
		if int(list[0]) >= n {
			return g.Value(ssa.OpUndef, v.Type.Elem())
		}
		if n == 1 {
			return v
		}
		return g.Extract(v, int(list[0]))
	}
	same, undef := len(list) == n, false
	for i, l := range list {
		same = same && int(l) == i
		undef = undef || int(l) >= n
	}
	if same {
		return v
	}
	if undef {
		list = append([]uint8(nil), list...)
		for i, l := range list {
			if int(l) >= n {
				list[i] = ssa.ShuffleUndef
			}
		}
	}
	return g.Shuffle(v, v, list)
}

// store stores x at p.
func (g *generator) store(p *place, x *ssa.Value) {
	g.Pos = p.pos
	if p.reg != nil {
		panic(&Bug{diag.Span{Pos: p.pos, End: p.pos}, "irgen: store to a variable that check said is never assigned"})
	}
	switch p.part {
	case lanes:
		g.storeLanes(p, x)
		return
	case dynamic:
		g.storeDynamic(p, x)
		return
	case bits:
		g.storeBits(p, x)
		return
	}
	if p.typ.Kind == types.Atomic {
		g.atomicStore(p, x)
		return
	}
	g.storeAt(p, 0, x, min(p.align, p.typ.Align()))
}

// storeLanes stores components. For an automatic variable it stores the whole vector, so that the variable can
// become a value; otherwise it stores each run of components separately.
func (g *generator) storeLanes(p *place, x *ssa.Value) {
	n := p.typ.Lanes()
	if p.auto {
		g.storeAt(p, 0, g.blend(p, x, n), min(p.align, p.typ.Align()))
		return
	}
	size := elemSize(p.typ)
	for i := 0; i < len(p.lanes); {
		run := runOf(p.lanes[i:])
		first := int(p.lanes[i])
		for first+run > n && run > 1 { // the undefined component of a vector of 3
			run--
		}
		if first < n {
			v := x
			if run < len(p.lanes) {
				v = g.pick(x, iota8[i:i+run])
			}
			off := int64(first) * size
			bytes := int64(v.Type.Size())
			g.storeAt(p, off, v, alignAt(min(p.align, bytes&-bytes), off))
		}
		i += run
	}
}

// blend returns the vector of n components at p, with the components p.lanes replaced by those of x.
func (g *generator) blend(p *place, x *ssa.Value, n int) *ssa.Value {
	if len(p.lanes) == 1 {
		v := g.loadWhole(p)
		if int(p.lanes[0]) >= n {
			return v
		}
		return g.Aux(ssa.OpInsert, v.Type, int64(p.lanes[0]), v, x)
	}
	list := make([]uint8, n) // source of each component of the new vector
	for i := range list {
		list[i] = uint8(i)
	}
	set := 0
	for i, l := range p.lanes {
		if int(l) < n {
			list[l] = uint8(n + i)
			set++
		}
	}
	if set == n { // no old component remains
		for i := range list {
			list[i] -= uint8(n)
		}
		return g.pick(x, list)
	}
	return g.Shuffle(g.loadWhole(p), x, list)
}

func (g *generator) storeDynamic(p *place, x *ssa.Value) {
	switch {
	case p.lanes != nil:
		q := *p
		q.part = lanes
		v := g.loadLanes(&q)
		g.storeLanes(&q, g.Value(ssa.OpInsertDyn, v.Type, v, p.index, x))
	case p.auto:
		v := g.loadWhole(p)
		g.storeAt(p, 0, g.Value(ssa.OpInsertDyn, v.Type, v, p.index, x), min(p.align, p.typ.Align()))
	default:
		v := g.Store(g.addr(p), x, min(p.align, elemSize(p.typ)))
		if p.volatile {
			v.Flags |= ssa.Volatile
		}
	}
}
