package gang

import (
	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// An address is a pointer taken apart: a known object and offsets in it.
type address struct {
	lanes.Address
	root   int   // -1: not known, or private
	stride int64 // of even addresses
	even   bool  // lanes are stride bytes apart, or the access is out of bounds in lane 0
}

// access returns the number of v among the accesses.
func (b *builder) access(v *ssa.Value) int32 {
	v = b.p.Origin(v)
	n, ok := b.ordinal[v]
	if !ok {
		n = int32(len(b.f.Accesses))
		b.ordinal[v] = n
		b.f.Accesses = append(b.f.Accesses, Access{Value: v, Name: v.Op.String()})
	}
	return n
}

// address takes a pointer apart.
func (b *builder) address(p *ssa.Value) address {
	a := address{Address: b.p.Facts.Address(p, false), root: -1}
	a.even, a.stride = a.Even && a.Stride >= 0 && a.Stride <= maxSpan/int64(b.o.Lanes), a.Stride
	switch r := a.Root; {
	case r == nil:
	case r.Op == ssa.OpGlobalAddr:
		a.root = b.roots[r.Sym.(*ssa.Global)]
	default:
		a.root = b.roots[r]
	}
	for _, o := range a.Terms { // a term without a scalar is one that only its vector tells
		x := &b.vals[o.ID]
		a.even = a.even && (!x.varies || x.affine || o.IsConst())
	}
	return a
}

var (
	i64    = Type{Scalar, ssa.I64, 1}
	i64s   = Type{Vector, ssa.I64, 1}
	u8s    = Type{Vector, ssa.U8, 1}
	aBool  = Type{Scalar, ssa.Bool, 1}
	anU8   = Type{Scalar, ssa.U8, 1}
	noMask = Reg(0)
)

// offset returns the first lane's offset, or all lanes'.
func (b *builder) offset(a *address, uniform bool) (r Reg) {
	t := i64
	if !uniform {
		t = i64s
	}
	for _, o := range a.Terms {
		x := b.element(o, 0, uniform)
		if o.Type.K != ssa.I64 {
			x = b.each(ssa.OpBitcast, t, 0, x)
		}
		if o.Type.K.IsPtr() {
			x = b.each(ssa.OpAnd, t, 0, x, b.constant(t, ssa.OffsetMask))
		}
		if r == noMask {
			r = x
		} else {
			r = b.each(ssa.OpAdd, t, 0, r, x)
		}
	}
	switch {
	case r == 0:
		return b.constant(t, uint64(a.Disp))
	case a.Disp != 0:
		return b.each(ssa.OpAdd, t, 0, r, b.constant(t, uint64(a.Disp)))
	}
	return r
}

// apart builds fast where an access is in bounds and slow where it is not; b.cur is then where
// they join.
func (b *builder) apart(branch Inst, slowFirst bool, fast, slow func()) {
	depth, cold := b.cur.Depth, b.cur.Cold
	yes, no, join := &Block{Depth: depth, Cold: cold}, &Block{Depth: depth, Cold: true}, &Block{Depth: depth, Cold: cold}
	if slowFirst {
		b.terminate(branch, no, yes)
	} else {
		b.terminate(branch, yes, no)
	}
	b.place(yes)
	fast()
	b.jump(join)
	b.place(no)
	outer := b.here
	b.here = map[element]Reg{}
	slow()
	b.here = outer
	b.jump(join)
	b.place(join)
}

// memoryKind is the kind of elements as they stand in memory.
func memoryKind(k ssa.Kind) ssa.Kind {
	if k == ssa.Bool {
		return ssa.U8
	}
	return k
}

// step returns the bytes from one of several vectors in memory to the next.
func step(t ssa.Type) int {
	if t.N == 3 {
		return 4 * t.Elem().Size()
	}
	return t.Size()
}

func (b *builder) load(v *ssa.Value) {
	a := b.address(v.Args[0])
	t := v.Type
	k := memoryKind(t.K)
	n, size, m := b.o.Lanes, int32(t.Size()), b.mask(b.src)
	slow := func(d Reg) {
		b.emit(Inst{Op: OpLoadPtr, Dst: d, Args: []Reg{b.vector(v.Args[0], 0)}, Access: b.access(v), Mask: m})
	}
	whole := Type{Vector, k, t.N} // all elements, as they stand in memory
	if !b.p.Varying[v.ID] || a.root >= 0 && a.even && a.stride == 0 {
		b.loadUniform(v, &a, whole, slow)
		return
	}
	d := b.f.NewReg(whole)
	fast := func(shape Shape, off, mask Reg, aux int64) func() {
		return func() {
			b.emit(Inst{Op: OpLoad, Shape: shape, Dst: d, Args: []Reg{off}, Root: int32(a.root), Aux: aux, Mask: mask})
		}
	}
	switch s := int64(step(t)); {
	case a.root < 0:
		slow(d)
	case a.even && a.stride == s && t.N != 3:
		off := b.offset(&a, true)
		b.apart(Inst{Op: OpCheck, Root: int32(a.root), Args: []Reg{off}, Size: size * int32(n)}, false, fast(Contiguous, off, 0, 0), func() { slow(d) })
	case a.even:
		off := b.offset(&a, true)
		span := int32(a.stride)*int32(n-1) + size
		b.apart(Inst{Op: OpCheck, Root: int32(a.root), Args: []Reg{off}, Size: span}, false, fast(Strided, off, 0, a.stride), func() { slow(d) })
	default:
		off := b.offset(&a, false)
		b.apart(b.outside(off, &a, size, false, m), true, fast(Gather, off, m, 0), func() { slow(d) })
	}
	b.split(v, d)
}

// outside returns the branch for whether a lane of m accesses something outside of the root.
func (b *builder) outside(off Reg, a *address, size int32, write bool, m Reg) Inst {
	in := b.inst(Inst{Op: OpInside, Args: []Reg{off}, Root: int32(a.root), Size: size, Write: write, Mask: m}, predicate)
	return Inst{Op: OpAny, Args: []Reg{b.each(ssa.OpNot, predicate, 0, in)}, Mask: m}
}

// split gives v the elements of a vector that has them as they stand in memory.
func (b *builder) split(v *ssa.Value, whole Reg) {
	regs := make([]Reg, v.Type.N)
	for c := range regs {
		regs[c] = whole
		t := b.f.Type(whole)
		if t.N > 1 {
			t.N = 1
			regs[c] = b.inst(Inst{Op: OpPart, Args: []Reg{whole}, Imm: int64(c)}, t)
		}
		if v.Type.K == ssa.Bool {
			regs[c] = b.each(ssa.OpConvert, predicate, 0, regs[c])
		}
	}
	b.set(v, false, regs)
}

// loadUniform builds a load of which all lanes get the same.
func (b *builder) loadUniform(v *ssa.Value, a *address, whole Type, slow func(d Reg)) {
	t := v.Type
	es := t.Elem().Size()
	regs := make([]Reg, t.N)
	for c := range regs {
		regs[c] = b.f.NewReg(Type{Scalar, whole.K, 1})
	}
	first := func() {
		d := b.f.NewReg(whole)
		slow(d)
		for c, r := range regs {
			part := d
			if t.N > 1 {
				part = b.inst(Inst{Op: OpPart, Args: []Reg{d}, Imm: int64(c)}, Type{Vector, whole.K, 1})
			}
			b.emit(Inst{Op: OpFirst, Dst: r, Args: []Reg{part}, Mask: b.mask(b.src)})
		}
	}
	if a.root < 0 || !a.even || a.stride != 0 {
		first()
	} else {
		off := b.offset(a, true)
		b.apart(Inst{Op: OpCheck, Root: int32(a.root), Args: []Reg{off}, Size: int32(t.Size())}, false, func() {
			for c, r := range regs {
				b.emit(Inst{Op: OpLoad, Shape: Uniform, Dst: r, Args: []Reg{off}, Root: int32(a.root), Imm: int64(c * es)})
			}
		}, first)
	}
	if t.K == ssa.Bool {
		for c := range regs {
			regs[c] = b.each(ssa.OpConvert, aBool, 0, regs[c])
		}
	}
	b.set(v, true, regs)
}

// joined returns the elements of a value as they stand in memory.
func (b *builder) joined(v *ssa.Value) Reg {
	regs := make([]Reg, v.Type.N)
	for c := range regs {
		if regs[c] = b.vector(v, c); v.Type.K == ssa.Bool {
			regs[c] = b.each(ssa.OpConvert, u8s, 0, regs[c])
		}
	}
	if len(regs) == 1 {
		return regs[0]
	}
	return b.inst(Inst{Op: OpJoin, Args: regs}, Type{Vector, memoryKind(v.Type.K), v.Type.N})
}

func (b *builder) store(v *ssa.Value) {
	ptr, val := v.Args[0], v.Args[1]
	a := b.address(ptr)
	t := val.Type
	n, size, m := b.o.Lanes, int32(t.Size()), b.mask(b.src)
	slow := func() {
		b.emit(Inst{Op: OpStorePtr, Args: []Reg{b.vector(ptr, 0), b.joined(val)}, Access: b.access(v), Mask: m})
	}
	fast := func(shape Shape, off, value Reg, aux int64) func() {
		return func() {
			b.emit(Inst{Op: OpStore, Shape: shape, Args: []Reg{off, value}, Root: int32(a.root), Aux: aux, Mask: m})
		}
	}
	check := func(off Reg, size int32) Inst {
		return Inst{Op: OpCheck, Root: int32(a.root), Args: []Reg{off}, Size: size, Write: true}
	}
	switch s := int64(step(t)); {
	case a.root < 0:
		slow()
	case a.even && a.stride == 0 && !b.vals[val.ID].varies:
		off := b.offset(&a, true)
		b.apart(check(off, size), false, func() { b.storeUniform(val, &a, off) }, slow)
	case a.even && a.stride == s && t.N != 3:
		off, whole := b.offset(&a, true), b.joined(val)
		b.apart(check(off, size*int32(n)), false, fast(Contiguous, off, whole, 0), slow)
	case a.even && a.stride > 0:
		off, whole := b.offset(&a, true), b.joined(val)
		b.apart(check(off, int32(a.stride)*int32(n-1)+size), false, fast(Strided, off, whole, a.stride), slow)
	default:
		off, whole := b.offset(&a, false), b.joined(val)
		b.apart(b.outside(off, &a, size, true, m), true, fast(Gather, off, whole, 0), slow)
	}
}

// storeUniform builds a store of one value to one address.
func (b *builder) storeUniform(val *ssa.Value, a *address, off Reg) {
	es := val.Type.Elem().Size()
	for c := range int(val.Type.N) {
		r := b.scalar(val, c)
		if val.Type.K == ssa.Bool {
			r = b.each(ssa.OpConvert, anU8, 0, r)
		}
		b.emit(Inst{Op: OpStore, Shape: Uniform, Args: []Reg{off, r}, Root: int32(a.root), Imm: int64(c * es)})
	}
}

// bytes builds the copying and zeroing of blocks of memory.
func (b *builder) bytes(v *ssa.Value) {
	i := Inst{Op: OpZeroPtr, Access: b.access(v), Size: int32(v.Aux), Mask: b.mask(b.src)}
	switch {
	case v.Aux == 0:
		return
	case v.Aux > MaxObject:
		refuse("%v of more than %d bytes", v.Op, MaxObject)
	case v.Op == ssa.OpMemCopy:
		i.Op = OpCopyPtr
	}
	for _, a := range v.Args {
		i.Args = append(i.Args, b.vector(a, 0))
	}
	b.emit(i)
}

// atomic builds an atomic operation: lane after lane.
func (b *builder) atomic(v *ssa.Value) {
	i := Inst{Op: OpAtomic, Each: v.Op, Aux: v.Aux, Access: b.access(v), Mask: b.mask(b.src)}
	for _, a := range v.Args {
		i.Args = append(i.Args, b.vector(a, 0))
	}
	if v.Op == ssa.OpAtomicStore {
		b.emit(i)
		return
	}
	d := b.inst(i, vectorOf(v.Type.K))
	if b.p.Varying[v.ID] {
		b.set(v, false, []Reg{d})
		return
	}
	b.set(v, true, []Reg{b.inst(Inst{Op: OpFirst, Args: []Reg{d}, Mask: b.mask(b.src)}, Type{Scalar, v.Type.K, 1})})
}
