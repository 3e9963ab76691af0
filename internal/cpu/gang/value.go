package gang

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// value builds a value that is neither a phi nor a terminator.
func (b *builder) value(v *ssa.Value) {
	if b.known(v) {
		x := &b.vals[v.ID]
		x.varies = b.p.Varying[v.ID]
		x.affine = x.varies
		return
	}
	switch v.Op {
	case ssa.OpConst:
	case ssa.OpParam:
		b.param(v)
	case ssa.OpGlobalAddr, ssa.OpAlloca:
		b.root(v)
	case ssa.OpObject:
		b.object(v)
	case ssa.OpWorkItem:
		b.workItem(v)
	case ssa.OpVote:
		if !b.votedByBranch(v) {
			b.set(v, true, b.regs(b.vote(b.vector(v.Args[0], 0))))
		}
	case ssa.OpAny:
		b.any(v)
	case ssa.OpEnd:
		b.end(v)
	case ssa.OpInside:
		b.inside(v)
	case ssa.OpGangs:
		b.gangs(v)
	case ssa.OpLoad:
		b.load(v)
	case ssa.OpStore:
		b.store(v)
	case ssa.OpMemCopy, ssa.OpMemZero:
		b.bytes(v)
	case ssa.OpAtomicLoad, ssa.OpAtomicStore, ssa.OpAtomicRMW, ssa.OpAtomicCAS:
		b.atomic(v)
	case ssa.OpLeave:
		b.emit(Inst{Op: OpLeave})
	case ssa.OpFence:
		b.emit(Inst{Op: OpFence, Aux: v.Aux})
	case ssa.OpBarrier:
		b.barrier(v)
	case ssa.OpPrintf:
		b.call(v)
	case ssa.OpImageRead, ssa.OpImageSample, ssa.OpImageWrite, ssa.OpImageQuery, ssa.OpAsyncLimit:
		b.call(v)
	case ssa.OpAsyncEvent, ssa.OpAsyncCopy, ssa.OpAsyncWait, ssa.OpFenceFlags:
		b.forCheckers(v)
	case ssa.OpPermute:
		b.permute(v)
	case ssa.OpRank:
		b.set(v, false, b.regs(b.inst(Inst{Op: OpRank, Args: b.regs(b.vector(v.Args[0], 0))}, vectorOf(ssa.U32))))
	case ssa.OpCount:
		b.set(v, true, b.regs(b.inst(Inst{Op: OpCount, Args: b.regs(b.vector(v.Args[0], 0))}, Type{Scalar, ssa.U32, 1})))
	case ssa.OpSubGroupExchange, ssa.OpSubGroupBallot, ssa.OpSubGroupBarrier:
		b.subGroup(v)
	case ssa.OpSplat, ssa.OpVec, ssa.OpExtract, ssa.OpInsert, ssa.OpShuffle:
		b.rearrange(v)
	default:
		b.elementwise(v)
	}
}

// param builds a parameter. A pointer parameter is the pointer to its root.
func (b *builder) param(v *ssa.Value) {
	x := &b.vals[v.ID]
	for c := range int64(v.Type.N) {
		i := Inst{Op: OpParam, Imm: v.Aux, Aux: c}
		if v.Type.K.IsPtr() {
			i = Inst{Op: OpRoot, Root: int32(b.roots.Number(v))}
		}
		x.s = append(x.s, b.inPrologue(i, Type{Scalar, v.Type.K, 1}))
	}
}

// root builds the address of a variable or of a private object.
func (b *builder) root(v *ssa.Value) {
	b.set(v, true, b.regs(b.inPrologue(Inst{Op: OpRoot, Root: int32(b.roots.Number(v))}, Type{Scalar, v.Type.K, 1})))
}

// gangs begins or ends a part of the kernel that the gangs of a work-group execute one after the other.
func (b *builder) gangs(v *ssa.Value) {
	next := b.newBlock(b.cur.Depth, b.cur.Cold)
	if v.Aux == ssa.GangsEnd {
		b.terminate(Inst{Op: OpNext}, b.part, next)
		b.place(next)
		return
	}
	b.jump(next)
	b.place(next)
	if b.gang != 0 {
		b.emit(Inst{Op: OpActive, Dst: b.gang})
	}
	if b.part == nil { // the allocas are in the first part, which all gangs execute
		b.clear()
	}
	b.part = next
}

// clear zeroes the private objects at the start of a gang. Objects that only keep values need no zeroes: they are written
// before they are read.
func (b *builder) clear() {
	if slices.ContainsFunc(b.roots.List, func(v *ssa.Value) bool {
		a, ok := v.Sym.(*ssa.Alloca)
		return ok && a.Size > 0 && !b.p.Kept[a]
	}) {
		b.emit(Inst{Op: OpClear})
	}
}

// object builds a fact about the known object of a pointer.
func (b *builder) object(v *ssa.Value) {
	root := b.roots.Number(b.p.Facts.Root(v.Args[0]))
	b.set(v, true, b.regs(b.inPrologue(Inst{Op: OpObject, Root: int32(root), Imm: v.Aux}, Type{Scalar, v.Type.K, 1})))
}

// workItem builds a work-item query.
func (b *builder) workItem(v *ssa.Value) {
	dim, q := v.Args[0].ConstElem(0), ssa.WorkItemQuery(v.Aux)
	t := Type{Scalar, v.Type.K, 1}
	x := &b.vals[v.ID]
	switch {
	case b.f.Groups && (q == ssa.GlobalID || q == ssa.LocalID):
		x.s = b.regs(b.inst(Inst{Op: OpQuery, Imm: int64(q), Aux: int64(dim)}, t))
	case q == ssa.GlobalID && dim == 0:
		x.s = b.regs(b.idAs(t, b.inst(Inst{Op: OpCopy, Args: b.regs(b.id)}, idType)))
	case q == ssa.LocalID && dim == 0: // the local id advances with the global id
		local, global := b.query(idType, q, 0), b.query(idType, ssa.GlobalID, 0)
		x.s = b.regs(b.idAs(t, b.each(ssa.OpAdd, idType, 0, local, b.each(ssa.OpSub, idType, 0, b.id, global))))
	default:
		x.s = b.regs(b.query(t, q, int64(min(dim, 2))))
	}
	if dim == 0 && (q == ssa.GlobalID || q == ssa.LocalID) {
		x.varies = b.p.Varying[v.ID] // not in gangs of one work-item
		x.affine = x.varies
	}
}

// idAs converts an id to another integer type.
func (b *emitter) idAs(t Type, id Reg) Reg {
	if t == idType {
		return id
	}
	return b.each(ssa.OpConvert, t, 0, id)
}

// query returns the answer of a work-item query. An id is that of lane 0 of the first gang.
func (b *builder) query(t Type, q ssa.WorkItemQuery, dim int64) Reg {
	return b.inPrologue(Inst{Op: OpQuery, Imm: int64(q), Aux: dim}, t)
}

// vote returns whether all, none or some active lanes of p are set.
func (b *builder) vote(p Reg) Reg {
	return b.inst(Inst{Op: OpVote, Args: b.regs(p), Mask: b.mask(b.src)}, Type{Scalar, ssa.I32, 1})
}

// any builds the OR of a Bool vector's elements, unless a branch tests it.
func (b *builder) any(v *ssa.Value) {
	a := v.Args[0]
	switch {
	case b.testedByBranch(v):
	case b.vals[a.ID].varies && !b.p.Varying[v.ID]:
		p, m := b.anyElement(v)
		vote := b.inst(Inst{Op: OpVote, Args: b.regs(p), Mask: m}, i32)
		b.set(v, true, b.regs(b.each(ssa.OpNe, aBool, 0, vote, b.constant(i32, ssa.VoteNone))))
	default:
		uniform := !b.vals[a.ID].varies
		r := b.element(a, 0, uniform)
		for c := 1; c < int(a.Type.N); c++ {
			r = b.each(ssa.OpOr, typeOf(ssa.Bool, uniform), 0, r, b.element(a, c, uniform))
		}
		b.set(v, uniform, b.regs(r))
	}
}

// uniform reports whether all arguments of v are uniform.
func (b *values) uniform(v *ssa.Value) bool {
	for _, a := range v.Args {
		if b.vals[a.ID].varies && !a.IsConst() {
			return false
		}
	}
	return true
}

// rearrange builds the ops that only move elements. Unless their arguments' elements are side by side, they share
// their arguments' registers.
func (b *builder) rearrange(v *ssa.Value) {
	if b.inMemoryOrder(v) {
		return
	}
	uniform := b.uniform(v)
	regs := b.regsOf(int(v.Type.N))
	for c := range regs {
		if a, k := v.ElementSource(c); a != nil {
			regs[c] = b.element(a, k, uniform)
		} else {
			regs[c] = b.constant(typeOf(v.Type.K, uniform), 0)
		}
	}
	b.set(v, uniform, regs)
}

// elementwise builds an operation on each element.
func (b *builder) elementwise(v *ssa.Value) {
	switch {
	case v.Op == ssa.OpBitcast && (v.Type.K == ssa.Bool) != (v.Args[0].Type.K == ssa.Bool):
		Refuse("a reinterpreted Bool")
	case v.Op == ssa.OpBitcast && v.Type.N != v.Args[0].Type.N:
		if !b.inMemoryOrder(v) {
			b.recast(v)
		}
		return
	case v.Op == ssa.OpPtrCast && v.Args[0].Type.K == ssa.PtrGeneric && v.Type.K != ssa.PtrGeneric:
		b.call(v)
		return
	case !v.Op.Has(ssa.Elementwise) && v.Op != ssa.OpBitcast && v.Op != ssa.OpSelect:
		Refuse("the operation %v", v.Op)
	}
	x := &b.vals[v.ID]
	uniform := b.uniform(v)
	if v.Op == ssa.OpPtrAdd || v.Op == ssa.OpPtrCast {
		x.varies, x.lazy = !uniform, true
		return
	}
	// The first and the last lane may decide a condition that only votes use.
	onlyVoted := v.Type.K == ssa.Bool && v.Type.N == 1 && b.voted[v.ID] > 0 && b.voted[v.ID] == b.uses[v.ID]
	x.affine = !uniform && b.affineResult(v)
	if !uniform && (b.wideOffset(v) || onlyVoted || !x.affine && b.joinOnly != nil && b.joinOnly[v.ID]) {
		x.varies, x.lazy = true, true
		return
	}
	if !x.affine && (!uniform || !lanes.Scalar(v.Args[0].Type.K)) && b.inMemoryOrder(v) {
		return
	}
	scalars := uniform || x.affine
	regs := b.regsOf(int(v.Type.N))
	for c := range regs {
		args := b.argsOf(v, func(a *ssa.Value) Reg { return b.element(a, min(c, int(a.Type.N)-1), scalars) })
		if regs[c] = b.sumWithZero(v, args, scalars); regs[c] == 0 {
			regs[c] = b.each(v.Op, typeOf(v.Type.K, scalars), v.Aux, args...)
		}
	}
	b.set(v, scalars, regs)
	x.varies = !uniform
}

// unsigned returns the unsigned integer kind of size bytes.
func unsigned(size int) ssa.Kind { return integer(size, false) }

// integer returns the integer kind of size bytes.
func integer(size int, signed bool) ssa.Kind {
	if signed {
		return map[int]ssa.Kind{1: ssa.I8, 2: ssa.I16, 4: ssa.I32, 8: ssa.I64}[size]
	}
	return map[int]ssa.Kind{1: ssa.U8, 2: ssa.U16, 4: ssa.U32, 8: ssa.U64}[size]
}

// recast builds a reinterpretation as elements of another size, from integer shifts.
func (b *builder) recast(v *ssa.Value) {
	a, uniform := v.Args[0], b.uniform(v)
	ds, ss := v.Type.Elem().Size(), a.Type.Elem().Size()
	wide, narrow := typeOf(unsigned(max(ds, ss)), uniform), typeOf(unsigned(min(ds, ss)), uniform)
	shift := func(op ssa.Op, x Reg, bytes int) Reg {
		if bytes == 0 {
			return x
		}
		return b.each(op, wide, 0, x, b.constant(wide, uint64(8*bytes)))
	}
	from := func(c int) Reg { // element c as an unsigned integer
		x, t := b.element(a, c, uniform), typeOf(unsigned(ss), uniform)
		if a.Type.K == t.K {
			return x
		}
		return b.each(ssa.OpBitcast, t, 0, x)
	}
	regs := b.regsOf(int(v.Type.N))
	for c := range regs {
		r := Reg(0)
		if ds < ss {
			n := ss / ds
			r = b.each(ssa.OpConvert, narrow, 0, shift(ssa.OpShr, from(c/n), ds*(c%n)))
		} else {
			for i := range ds / ss {
				x := shift(ssa.OpShl, b.each(ssa.OpConvert, wide, 0, from(c*(ds/ss)+i)), ss*i)
				if r == 0 {
					r = x
				} else {
					r = b.each(ssa.OpOr, wide, 0, r, x)
				}
			}
		}
		if k := v.Type.K; k != unsigned(ds) {
			r = b.each(ssa.OpBitcast, typeOf(k, uniform), 0, r)
		}
		regs[c] = r
	}
	b.set(v, uniform, regs)
}

// sumWithZero returns x if v is the sum of x and 0 in the first lane, as where a local id of a work-group of known size is added, else 0.
func (b *values) sumWithZero(v *ssa.Value, args []Reg, scalars bool) Reg {
	if v.Op != ssa.OpAdd || !scalars || !b.p.Unfolded || !lanes.IsInt(v.Type.K) {
		return 0
	}
	zero := b.consts[constant{Type{Scalar, v.Type.K, 1}, 0}]
	switch {
	case zero == 0:
	case args[0] == zero:
		return args[1]
	case args[1] == zero:
		return args[0]
	}
	return 0
}

// known reports whether v follows from the lane number alone, because local ids are known. It is built on demand.
func (b *values) known(v *ssa.Value) bool {
	return b.p.Unfolded && v.Type.N == 1 && lanes.IsInt(v.Type.K) && v.Type.K.Num().Size() >= 4 && !v.IsConst() && v.Op != ssa.OpPhi && b.p.Facts.AllLanes(v)
}

// knownVector builds the vector of a known value, once.
func (b *values) knownVector(v *ssa.Value) Reg {
	x, t := b.p.Facts.Of(v), vectorOf(v.Type.K)
	if x.Stride == 0 {
		return b.constant(t, uint64(x.First))
	}
	key := ramp{constant{t, cut(uint64(x.First), t.K)}, x.Stride}
	r := b.ramps[key]
	if r == 0 {
		first := b.constant(Type{Scalar, t.K, 1}, uint64(x.First))
		r = b.inPrologue(Inst{Op: OpRamp, Args: b.regs(first), Imm: x.Stride}, t)
		b.ramps[key] = r
	}
	return r
}

// besideVector reports whether v is the sum of a number and a value whose vector exists.
func (b *values) besideVector(v *ssa.Value) bool {
	if v.Op != ssa.OpAdd || v.Type.N != 1 || !lanes.IsInt(v.Type.K) || v.Type.K.Num().Size() < 4 || !v.Args[1].IsConst() {
		return false
	}
	w := &b.vals[v.Args[0].ID]
	return w.varies && w.v != nil && w.v[0] != 0
}
