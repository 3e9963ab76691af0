package gang

import (
	"maps"
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/ir/interval"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// access returns the access number of v.
func (b *accesses) access(v *ssa.Value) int32 {
	v = b.p.Origin(v)
	n, ok := b.ordinal[v]
	if !ok {
		n = int32(len(b.f.Accesses))
		b.ordinal[v] = n
		b.f.Accesses = append(b.f.Accesses, Access{Value: v, Name: v.Op.String()})
	}
	return n
}

var (
	i32   = Type{Scalar, ssa.I32, 1}
	i64   = Type{Scalar, ssa.I64, 1}
	i64s  = Type{Vector, ssa.I64, 1}
	u8s   = Type{Vector, ssa.U8, 1}
	aBool = Type{Scalar, ssa.Bool, 1}
	anU8  = Type{Scalar, ssa.U8, 1}
)

// offset returns the offset of the bytes that the gang accesses: a scalar if uniform, else a vector of each
// lane's offset. A scalar counts from the first lane, or from place 0 if the lanes are permuted.
func (b *accesses) offset(a *lanes.Access, uniform bool) Reg {
	r, disp := offsetOf(b, a, uniform, false)
	t := i64
	if !uniform {
		t = i64s
	}
	return b.plus(t, r, disp)
}

// offsetOf returns the offset as the sum of a register, 0 for none, and a constant. tested says that the test before the loop
// covers the access.
func offsetOf(b *accesses, a *lanes.Access, uniform, tested bool) (r Reg, disp int64) {
	t, terms, disp := i64, a.Terms, a.Disp
	if !uniform {
		t = i64s
	} else {
		disp += a.Low
		if a.Order == nil {
			if sum, by, ok := b.reducedSum(a, tested); ok {
				r, terms, disp = sum, nil, disp+by
			}
		}
	}
	return b.sum(t, r, terms, func(o *ssa.Value) Reg {
		if uniform {
			return b.first(o, &a.Address)
		}
		return b.vector(o, 0)
	}), disp
}

// sum returns r plus the sum of terms, whose registers of gives. r may be none.
func (b *emitter) sum(t Type, r Reg, terms []*ssa.Value, of func(o *ssa.Value) Reg) Reg {
	for _, o := range terms {
		r = b.add(t, r, b.asOffset(t, o, of(o)))
	}
	return r
}

// first returns a term of an address in the first lane, or at place 0 if the lanes are permuted.
func (b *values) first(v *ssa.Value, a *lanes.Address) Reg {
	if a.Order != nil {
		return b.place0(v)
	}
	return b.scalar(v, 0)
}

// asOffset returns r, an element of v, as an integer of type t. A pointer is its offset.
func (b *emitter) asOffset(t Type, v *ssa.Value, r Reg) Reg {
	if v.Type.K != t.K {
		r = b.each(ssa.OpBitcast, t, 0, r)
	}
	if v.Type.K.IsPtr() {
		r = b.each(ssa.OpAnd, t, 0, r, b.constant(t, ssa.OffsetMask))
	}
	return r
}

// add returns x + y, or y if x is no register (0) or the constant 0.
func (b *emitter) add(t Type, x, y Reg) Reg {
	if x == 0 || t.Class == Scalar && x == b.consts[constant{t, 0}] {
		return y
	}
	return b.each(ssa.OpAdd, t, 0, x, y)
}

// plus returns r + n, where r may be none.
func (b *emitter) plus(t Type, r Reg, n int64) Reg {
	if r != 0 && n == 0 {
		return r
	}
	return b.add(t, r, b.constant(t, uint64(n)))
}

// A fastPath is the fast path of an access, taken if its checks pass.
type fastPath struct {
	lanes.Access
	root    int
	shape   Shape
	off, by Reg   // arguments of the instruction
	aux     int64 // see the shape
	scale   int32
	mask    Reg   // for shapes whose load needs a predicate
	disp    int64 // bytes to add to off
	checks  []check
	checked lanes.Where
	tested  bool  // the elements of the lanes that execute the access are in bounds in each launch
	first   int64 // the number of first lanes that access memory; 0: all that the mask has
}

// A check is a terminator whose successor number bad is the slow path.
type check struct {
	Inst
	bad int
}

// holds returns the check of a comparison.
func (b *emitter) holds(op ssa.Op, x, y Reg) check {
	return check{Inst{Op: OpBranch, Each: op, Args: b.regs(x, y)}, 1}
}

// between returns the check that an integer of 64 bits is at least low and less than high.
func (b *emitter) between(r Reg, low, high int64) check {
	return b.holds(ssa.OpLt, b.each(ssa.OpBitcast, idType, 0, b.plus(i64, r, -low)), b.constant(idType, uint64(high-low)))
}

// never returns the check that fails.
func (b *emitter) never() check {
	return b.holds(ssa.OpNe, b.constant(aBool, 0), b.constant(aBool, 0))
}

// shapes maps the pattern of an access to the shape of its instruction.
var shapes = [...]Shape{lanes.Broadcast: Broadcast, lanes.Contiguous: Contiguous, lanes.Reversed: Permuted, lanes.Permuted: Permuted, lanes.Strided: Strided,
	lanes.Records: Strided, lanes.Fields: Fields, lanes.Rows: Rows, lanes.Lookup: Lookup, lanes.Gather: Gather, lanes.Runs: Runs, lanes.Pieces: Pieces, lanes.Window: Gather, lanes.Spread: Gather, lanes.Joined: Gather, lanes.Own: Own, lanes.OwnGather: OwnGather}

// fastPath builds the arguments and checks of an access in the pattern chosen by package lanes. Without a shape only
// the slow path remains.
func (b *accesses) fastPath(v *ssa.Value) (w fastPath) {
	w = b.pathOf(v)
	b.f.Notes = append(b.f.Notes, Note{Value: v, Pattern: w.Pattern, Checked: w.checked})
	return w
}

func (b *accesses) pathOf(v *ssa.Value) (w fastPath) {
	w.Access = b.patterns.Access(v, b.mask(b.src) != 0)
	if r, ok := b.rowsIn[v]; ok && (v.Op == ssa.OpLoad || b.mask(b.src) == 0) {
		w.Pattern, w.root, w.shape, w.off, w.scale = lanes.Rows, b.roots.Number(w.Root), Rows, r.idx, r.scale
		if w.Type.Size() < 16 {
			w.Pattern, w.shape = lanes.Gather, Gather
		}
		w.checked = lanes.BeforeBlock
		return w
	}
	w.shape = shapes[w.Pattern]
	if w.tested = v.Flags&ssa.Tested != 0 && w.Root != nil; w.tested && b.once && (w.Order != nil || !b.exact(&w.Access)) {
		w.Pattern, w.shape = lanes.Gather, Gather
	}
	w.tested = w.tested && (w.Order == nil || w.shape == Gather) || b.inImage(&w) // a permuted gang begins at a multiple of its length
	if w.shape == Own && b.alone() {
		w.shape = Broadcast
	}
	switch {
	case w.shape == NoShape:
		return w
	case w.Private != nil:
		w.root = b.roots.Number(w.Private.Alloca)
	default:
		w.root = b.roots.Number(w.Root)
	}
	switch {
	case w.Pattern == lanes.Lookup:
		b.lookup(&w)
		return w
	case w.Pattern == lanes.Window, w.Pattern == lanes.Spread, w.Pattern == lanes.Joined:
		return w
	case w.shape.gathers():
		b.anywhere(&w)
		return w
	case !w.Write && w.structures():
		w.shape = Contiguous
	case w.shape == Strided:
		w.aux = w.Stride
		w.disp = -w.Low
	case w.shape == Permuted:
		w.by = b.places(&w.Access)
	case w.shape == Fields:
		w.aux = (1<<w.Type.N - 1) << w.Element
	}
	w.first = b.firstLanes(v, &w)
	b.span(&w)
	return w
}

// inImage reports whether an access is to an element of an image in each lane of its mask. An access that touches what is between the
// lanes' elements must be one of all lanes.
func (b *accesses) inImage(w *fastPath) bool {
	return b.p.Facts.OfImage(w.Root) && !b.patterns.MayBeLarge(w.Root) && w.Order == nil && (w.shape == Gather || b.mask(b.src) == 0)
}

// span builds the offset and the checks of an access with a regular pattern.
func (b *accesses) span(w *fastPath) {
	if w.Certain {
		w.off = b.offset(&w.Access, true)
		return
	}
	if w.tested && b.exact(&w.Access) {
		a := w.Access
		a.Disp, a.Low = 0, 0
		w.off, w.disp, w.checked = b.offset(&a, true), w.disp+w.Disp+w.Low, lanes.Nowhere
		return
	}
	c := b.patterns.Check(&w.Access, b.src)
	w.checked = c.Where
	switch c.Where {
	case lanes.BeforeBlock:
		b.f.Forms |= spmd.MergedChecks
		w.off, w.disp = b.inBounds[b.src.ID][c.Range], w.disp+c.At
		return
	case lanes.BeforeLoop:
		if b.checkedBefore(w, &c) {
			b.f.Forms |= spmd.Unchecked
			if !b.scaleBefore(w, &c) {
				r, disp := offsetOf(b, &w.Access, true, true)
				w.off, w.disp = r, w.disp+disp
			}
			return
		}
	case lanes.Nowhere:
		w.off = b.constant(i64, uint64(c.At))
		return
	}
	if w.checked = lanes.Here; !b.scale(w) {
		w.off = b.offset(&w.Access, true)
	}
	w.checks = append(b.guards(&w.Access), check{Inst{Op: OpCheck, Root: int32(w.root), Args: b.regs(w.off), Scale: w.scale, Size: int32(w.Bytes), Write: w.Write || updated(b, w)}, 1})
}

// anywhere builds the offsets of a gather or scatter. One check tests whether any active lane is out of bounds.
func (b *accesses) anywhere(w *fastPath) {
	m := b.mask(b.src)
	b.laneOffsets(w)
	w.mask = m
	switch w.Pattern {
	case lanes.Pieces:
		w.aux = int64(w.Piece)
	case lanes.Runs:
		w.checks = []check{{Inst{Op: OpRuns, Args: b.regs(w.off), Scale: w.scale, Root: int32(w.root), Size: int32(w.Type.Size()), Write: w.Write}, 1}}
		return
	}
	switch {
	case w.Certain:
	case w.tested && w.Type.K.Num().Size() >= 4: // smaller elements are gathered with their neighbours
		w.checked = lanes.Nowhere
	default:
		w.checks = []check{b.allInside(w)}
	}
}

// exact reports whether an access with a regular pattern touches no bytes but those between the first and the last of the
// lanes' elements.
func (b *accesses) exact(w *lanes.Access) bool {
	far := w.Stride * int64(b.o.Lanes-1)
	return w.Regular() && w.Low >= min(0, far) && w.Low+w.Bytes <= max(0, far)+int64(w.Type.Size())
}

// guards returns the checks that the lanes are equidistant: no term wraps within the gang, and a permuted gang
// begins at a multiple of its length.
func (b *accesses) guards(a *lanes.Access) (list []check) {
	if a.Order != nil {
		of := b.scalar(a.Order.Of, 0)
		t := b.f.Type(of)
		low := b.each(ssa.OpAnd, t, 0, of, b.constant(t, uint64(b.o.Lanes-1)))
		list = append(list, b.holds(ssa.OpEq, low, b.constant(t, 0)))
	}
	if a.Displaced || b.patterns.MayBeLarge(a.Root) {
		for _, v := range b.patterns.MayHaveWrapped(a) {
			list = append(list, b.lastFits(v))
		}
		return list
	}
	for _, o := range a.Guards {
		// A term within ±MaxDisp wraps in no lane.
		list = append(list, b.between(b.asOffset(i64, o, b.first(o, &a.Address)), -lanes.MaxDisp, lanes.MaxDisp))
	}
	return list
}

// lastFits returns the check that an affine integer of at most 32 bits does not wrap up to the last lane.
func (b *accesses) lastFits(v *ssa.Value) check {
	return fitsUpTo(b, b.scalar(v, 0), v.Type.K, b.p.Facts.Of(v).Stride)
}

// fitsUpTo returns the check that an integer of kind k, which is first in the first lane and grows by stride, does not wrap up
// to the last lane.
func fitsUpTo(b *accesses, first Reg, kind ssa.Kind, stride int64) check {
	w := interval.Whole(kind)
	return b.between(b.plus(i64, b.each(ssa.OpConvert, i64, 0, first), stride*int64(b.o.Lanes-1)), w.Lo, w.Hi+1)
}

// places returns the number that permutes the lanes: lane i accesses place i XOR it.
func (b *accesses) places(a *lanes.Access) Reg {
	last := uint64(b.o.Lanes - 1)
	if a.Order == nil {
		return b.constant(i64, last)
	}
	by := b.unchanged(a.Order.By)
	if a.Stride > 0 {
		return by
	}
	t := b.f.Type(by)
	return b.each(ssa.OpXor, t, 0, by, b.constant(t, last))
}

// unchanged returns a scalar with a uniform value that has only one definition: a copy of a phi.
func (b *accesses) unchanged(v *ssa.Value) Reg {
	r := b.scalar(v, 0)
	if v.Op != ssa.OpPhi {
		return r
	}
	if b.copies[v] == 0 {
		x := &b.vals[v.ID]
		b.copies[v] = b.f.NewReg(b.f.Type(r))
		b.insertAt(x.block, x.at, Inst{Op: OpCopy, Dst: b.copies[v], Args: b.regs(r)})
	}
	return b.copies[v]
}

// hasPlace0 reports whether place0 can compute v.
func (b *values) hasPlace0(v *ssa.Value) bool {
	x := &b.vals[v.ID]
	switch o := b.p.Facts.Of(v).Order; {
	case !x.varies || x.affine || v.IsConst():
		return true
	case o == nil || v.Type.N != 1 || !v.Op.Has(ssa.Elementwise) && v.Op != ssa.OpBitcast:
		return false
	}
	return !slices.ContainsFunc(v.Args, func(a *ssa.Value) bool { return !b.hasPlace0(a) })
}

// place0 returns the value of v at place 0 of its permutation.
func (b *values) place0(v *ssa.Value) Reg {
	x := &b.vals[v.ID]
	if !x.varies || x.affine || v.IsConst() {
		return b.scalar(v, 0)
	}
	r := b.again(v, b.place0)
	if t := b.f.Type(r); v.Op == ssa.OpXor {
		r = b.each(ssa.OpAnd, t, 0, r, b.constant(t, uint64(-b.o.Lanes)))
	}
	return r
}

// apart builds fast for the case that all checks pass, and slow for the rest; both join, and b.cur is the join.
func (b *accesses) apart(checks []check, fast, slow func()) {
	if len(checks) == 0 {
		fast()
		return
	}
	b.either(func(no *Block) {
		for _, c := range checks {
			b.unless(c, no)
		}
		fast()
	}, slow)
}

// either builds fast, and slow at the block that fast goes to where a check fails; both join, and b.cur is the join.
func (b *accesses) either(fast func(no *Block), slow func()) {
	depth, cold := b.cur.Depth, b.cur.Cold
	no, join := b.newBlock(depth, true), b.newBlock(depth, cold)
	outer := b.here
	b.here = maps.Clone(outer)
	fast(no)
	b.jump(join)
	b.place(no)
	here := map[element]Reg{}
	if n := len(b.spare); n > 0 {
		here, b.spare = b.spare[n-1], b.spare[:n-1]
	}
	b.here = here
	slow()
	clear(here)
	b.here, b.spare = outer, append(b.spare, here)
	b.jump(join)
	b.place(join)
}

// memoryKind returns the kind of elements of kind k in memory.
func memoryKind(k ssa.Kind) ssa.Kind {
	if k == ssa.Bool {
		return ssa.U8
	}
	return k
}

func (b *accesses) load(v *ssa.Value) {
	if b.loadedBefore(v) {
		return
	}
	m := b.mask(b.src)
	slow := func(d Reg) {
		b.emit(Inst{Op: OpLoadPtr, Dst: d, Args: b.regs(b.vector(v.Args[0], 0)), Access: b.access(v), Mask: m})
	}
	whole := Type{Vector, memoryKind(v.Type.K), v.Type.N} // all elements, as in memory
	w := b.fastPath(v)
	switch {
	case w.shape == Broadcast && b.replicates(v):
		b.loadAlike(v, &w, whole, slow)
		return
	case w.shape == Broadcast:
		b.loadUniform(v, &w, whole, slow)
		return
	case w.shape == Contiguous && w.structures():
		b.loadStructures(v, &w, whole, slow)
		return
	}
	if w.Pattern == lanes.Window || w.Pattern == lanes.Spread {
		loadSpread(b, v, &w, whole, slow)
		return
	}
	if w.first > 0 {
		w.mask, w.aux = m, w.first
	}
	d := b.f.NewReg(whole)
	hard := func() { b.hard(v, &w, func(second *fastPath) { b.emit(second.load(d)) }, func() { slow(d) }) }
	switch {
	case w.shape == NoShape:
		slow(d)
	case w.Pattern == lanes.Joined:
		if x, c := clampedLoadOf(b, &w); c != nil {
			b.either(func(no *Block) { c.into(b, &w, x, no, d) }, hard)
			break
		}
		b.either(func(no *Block) { (&joinedLoad{b, &w, lanes.Picks{}, no, whole}).into(d) }, hard)
	default:
		b.apart(w.checks, func() { b.emit(w.load(d)) }, hard)
	}
	switch {
	case !b.p.Varying[v.ID]:
		b.setFirsts(v, d)
	case b.o.Target.LaneByLane, w.shape == Contiguous, w.shape == Pieces, w.shape == Rows && !b.elements[v.ID], w.Private != nil && w.Private.Whole:
		b.split(v, d)
	default:
		b.takeApart(v, d)
	}
}

// load returns the load into d.
func (w *fastPath) load(d Reg) Inst {
	return Inst{Op: OpLoad, Shape: w.shape, Dst: d, Args: w.args(), Root: int32(w.root), Aux: w.aux, Imm: w.disp, Scale: w.scale, Mask: w.mask}
}

// hard builds the access v where the checks of w have failed: by access with a second shape that may be in bounds, else by slow.
func (b *accesses) hard(v *ssa.Value, w *fastPath, access func(second *fastPath), slow func()) {
	es := v.Type.Elem().Size()
	m := b.mask(b.src)
	second := *w
	switch {
	case w.Together && w.Pattern == lanes.Contiguous && b.pairs(w):
		second.mask, second.checks = m, w.checks[1:] // the first check is that all lanes are active
	case w.Pattern == lanes.Runs || w.Pattern == lanes.Lookup || w.Pattern == lanes.Window || w.Pattern == lanes.Spread || w.Pattern == lanes.Joined || w.Together:
		second.Pattern, second.shape, second.aux, second.disp = lanes.Gather, Gather, 0, 0
		b.anywhere(&second)
	case !w.Write && w.shape == Contiguous && m != 0 && w.first*int64(es) != w.Bytes && v.Type.N == 1 && v.Type.K != ssa.Bool && b.o.Target.Masks.Has(es) && len(w.Guards) == 0 && !b.patterns.MayBeLarge(w.Root):
		second.mask, second.aux = m, 0
		second.checks = []check{{Inst{Op: OpCheck, Root: int32(w.root), Args: b.regs(w.off), Size: int32(es), Mask: m}, 1}}
	default:
		slow()
		return
	}
	b.apart(second.checks, func() { access(&second) }, slow)
}

// args returns the arguments of an instruction: the offset, the values to store, the permutation.
func (w *fastPath) args(values ...Reg) []Reg {
	args := append([]Reg{w.off}, values...)
	if w.shape == Permuted {
		args = append(args, w.by)
	}
	return args
}

// partOf returns element c of each lane's elements.
func (b *emitter) partOf(whole Reg, c int) Reg {
	t := b.f.Type(whole)
	if t.N == 1 {
		return whole
	}
	t.N = 1
	return b.inst(Inst{Op: OpPart, Args: b.regs(whole), Imm: int64(c)}, t)
}

// split gives v the elements of a vector in memory layout.
func (b *values) split(v *ssa.Value, whole Reg) {
	if v.Type.N > 1 && v.Type.K != ssa.Bool {
		b.setWhole(v, whole)
		return
	}
	b.takeApart(v, whole)
}

// takeApart gives v the single elements of a vector in memory layout.
func (b *values) takeApart(v *ssa.Value, whole Reg) {
	regs := b.regsOf(int(v.Type.N))
	for c := range regs {
		regs[c] = b.partOf(whole, c)
	}
	b.setRead(v, false, regs)
}

// loadUniform builds a load from one address for the whole gang.
func (b *accesses) loadUniform(v *ssa.Value, w *fastPath, whole Type, slow func(d Reg)) {
	t := v.Type
	es := t.Elem().Size()
	regs := b.scalars(whole)
	var replicas []replica
	if w.Private == nil {
		replicas = replicasOf(b, v)
	}
	b.apart(w.checks, func() {
		for c, r := range regs {
			b.emit(Inst{Op: OpLoad, Shape: Uniform, Dst: r, Args: b.regs(w.off), Scale: w.scale, Root: int32(w.root), Imm: w.disp + int64(c*es)})
		}
		for _, x := range replicas {
			b.emit(Inst{Op: OpLoad, Shape: Broadcast, Dst: x.d, Args: b.regs(w.off), Scale: w.scale, Root: int32(w.root), Imm: w.disp + int64(x.at*es)})
		}
	}, func() {
		d := b.f.NewReg(whole)
		slow(d)
		if replicas == nil {
			b.firsts(regs, d)
			return
		}
		list := b.scalars(whole) // only used here, so that the fast path need not load unused ones
		b.firsts(list, d)
		for c, r := range list {
			b.emit(Inst{Op: OpCopy, Dst: regs[c], Args: b.regs(r)})
		}
		b.join(list, replicas)
	})
	b.setRead(v, true, regs)
	for _, x := range replicas {
		b.agreed[x.of] = x.d
	}
}

// scalars returns new registers for one lane's elements of a vector.
func (b *values) scalars(whole Type) []Reg { return b.newRegs(whole.N, Type{Scalar, whole.K, 1}) }

// setRead gives v its elements as they are in memory.
func (b *values) setRead(v *ssa.Value, uniform bool, regs []Reg) {
	if v.Type.K == ssa.Bool {
		for c := range regs {
			regs[c] = b.each(ssa.OpConvert, typeOf(ssa.Bool, uniform), 0, regs[c])
		}
	}
	b.set(v, uniform, regs)
}

// setFirsts gives a uniform v the first active lane's elements of d.
func (b *values) setFirsts(v *ssa.Value, d Reg) {
	regs := b.scalars(b.f.Type(d))
	b.firsts(regs, d)
	b.setRead(v, true, regs)
}

// firsts sets scalars to the first active lane's elements of d.
func (b *values) firsts(regs []Reg, d Reg) {
	for c, r := range regs {
		b.emit(Inst{Op: OpFirst, Dst: r, Args: b.regs(b.partOf(d, c)), Mask: b.mask(b.src)})
	}
}

// joined returns the elements of a value in memory layout.
func (b *values) joined(v *ssa.Value) Reg {
	if x := &b.vals[v.ID]; x.whole != 0 && v.Type.K != ssa.Bool {
		return x.whole
	}
	regs := b.regsOf(int(v.Type.N))
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

func (b *accesses) store(v *ssa.Value) {
	ptr, val := v.Args[0], v.Args[1]
	m := b.mask(b.src)
	joined := Reg(0) // val, if the fast path has it too
	slow := func() {
		p, x := b.vector(ptr, 0), joined
		if x == 0 {
			x = b.joined(val)
		}
		b.emit(Inst{Op: OpStorePtr, Args: b.regs(p, x), Access: b.access(v), Mask: m})
	}
	w := b.fastPath(v)
	switch w.shape {
	case NoShape:
		slow()
	case Broadcast:
		b.apart(w.checks, func() { b.storeUniform(val, &w) }, slow)
	default:
		if w.Pattern == lanes.Joined {
			joined = b.joined(val)
			b.either(func(no *Block) { (&joinedStore{joinedLoad{b, &w, lanes.Picks{}, no, Type{}}, m}).of(joined) }, func() {
				b.hard(v, &w, func(second *fastPath) { b.emit(second.store(joined, second.mask)) }, slow)
			})
			return
		}
		if w.Pattern == lanes.Spread {
			joined = b.joined(val)
			storeSpread(b, &w, joined, slow)
			return
		}
		stored := val
		if w.shape == Fields {
			b.f.Forms |= spmd.Fields
			stored = b.p.Facts.Source(b.p.Facts.Source(val).Args[0])
		}
		whole := b.joined(stored)
		if stored == val {
			joined = whole
		}
		w.aux += w.first
		i := w.store(whole, m)
		i.Stream = b.streams(&w)
		if w.Together {
			i.Mask = 0
			w.checks = append([]check{b.allActive(m)}, w.checks...)
		}
		b.apart(w.checks, func() { b.emit(i) }, func() {
			b.hard(v, &w, func(second *fastPath) { b.emit(second.store(whole, second.mask)) }, slow)
		})
	}
}

// pairs reports whether a store of elements without masked stores has one nevertheless, with several instructions.
func (b *emitter) pairs(w *fastPath) bool { return b.o.Target.Pairs() && w.Type.Size() == 2 }

// allActive returns the check that all lanes are in m.
func (b *emitter) allActive(m Reg) check {
	return check{Inst{Op: OpAny, Args: b.regs(b.each(ssa.OpNot, predicate, 0, m))}, 0}
}

// store returns the store of a vector by the lanes of m.
func (w *fastPath) store(whole, m Reg) Inst {
	return Inst{Op: OpStore, Shape: w.shape, Args: w.args(whole), Root: int32(w.root), Aux: w.aux, Imm: w.disp, Scale: w.scale, Mask: m}
}

// zeroOwn builds the zeroing of a part of a private object whose bounds are known, as they are if it is interleaved. It
// returns false for others, and for copies of a lane's bytes one after the other.
func (b *accesses) zeroOwn(v *ssa.Value) bool {
	a := b.patterns.Access(v, false)
	inside := a.Private != nil && len(a.Terms) == 0 && a.Disp >= 0 && a.Disp+v.Aux <= int64(a.Private.Size)
	if a.Private == nil || a.Private.Elem == 0 && !(b.alone() && inside) {
		return false
	}
	b.emit(Inst{Op: OpZeroOwn, Root: int32(b.roots.Number(a.Private.Alloca)), Imm: a.Disp, Size: int32(v.Aux), Mask: b.mask(b.src)})
	return true
}

// A sameLoad identifies a load of certain bytes of a root.
type sameLoad struct {
	root       *ssa.Value
	at, stride int64
	t          ssa.Type
}

// loadedBefore gives v the result of an equal load of this block since the last store, if that load cannot fail
// either. Interleaved gangs load common data once.
func (b *accesses) loadedBefore(v *ssa.Value) bool {
	if !b.p.Unfolded || v.Flags&ssa.Volatile != 0 {
		return false
	}
	a := b.patterns.Access(v, b.mask(b.src) != 0)
	if a.Pattern != lanes.Broadcast && a.Pattern != lanes.Contiguous {
		return false
	}
	c := b.patterns.Check(&a, b.src)
	if c.Where != lanes.Nowhere {
		return false
	}
	k := sameLoad{a.Root, c.At, a.Stride, v.Type}
	if o := b.loaded[k]; o != nil {
		x, y := &b.vals[v.ID], &b.vals[o.ID]
		x.s, x.v, x.whole, x.varies = slices.Clone(y.s), slices.Clone(y.v), y.whole, y.varies
		b.f.Notes = append(b.f.Notes, Note{Value: v, Pattern: a.Pattern, Earlier: o})
		return true
	}
	if b.loaded == nil {
		b.loaded = map[sameLoad]*ssa.Value{}
	}
	b.loaded[k] = v
	return false
}

// firstLanes returns n if exactly the lanes [0, n) execute v, a contiguous access of single elements, and only their elements are to
// be accessed, else 0. It sets the bytes of w to check.
func (b *accesses) firstLanes(v *ssa.Value, w *fastPath) int64 {
	if w.shape != Contiguous || w.Type.N != 1 || w.Type.K == ssa.Bool || b.gang != 0 || b.o.Target.LaneByLane || w.structures() {
		return 0
	}
	n := int64(b.p.FirstLanes(b.src, b.o.Lanes))
	bytes := n * int64(w.Type.Size())
	switch {
	case n == 0:
	case ends(b, v, w, n):
		w.Bytes = bytes
	case !w.Write && (bytes&(bytes-1) != 0 || bytes < minMove):
		return 0 // of all lanes
	}
	return n
}

// minMove is the least number of bytes that all machines access by one move.
const minMove = 4

// ends reports whether the bounds of an access by the first n lanes must be those of these lanes' elements. These are the last
// of a row of a padded work-group, and memory for the work-items of the row may end there.
func ends(b *accesses, v *ssa.Value, w *fastPath, n int64) bool {
	return b.o.Target.Masks.Has(w.Type.Size()) && !w.Certain && !w.tested && b.p.Ends(v, int(n)) && b.patterns.Check(&w.Access, b.src).Where == lanes.Here
}

// streams reports whether a store may be non-temporal: all lanes write side by side, once for each work-item.
func (b *accesses) streams(w *fastPath) bool {
	return w.shape == Contiguous && b.o.Full && b.mask(b.src) == 0 && b.f.Roots[w.root].WriteOnly && b.p.Loops.Of(b.src) == nil && !b.p.Rare(b.src)
}

// storeUniform builds a store of a uniform value to one address.
func (b *accesses) storeUniform(val *ssa.Value, w *fastPath) {
	es := val.Type.Elem().Size()
	for c := range int(val.Type.N) {
		r := b.scalar(val, c)
		if val.Type.K == ssa.Bool {
			r = b.each(ssa.OpConvert, anU8, 0, r)
		}
		b.emit(Inst{Op: OpStore, Shape: Uniform, Args: b.regs(w.off, r), Scale: w.scale, Root: int32(w.root), Imm: w.disp + int64(c*es)})
	}
}

// bytes builds copies and zeroing of memory.
func (b *accesses) bytes(v *ssa.Value) {
	i := Inst{Op: OpZeroPtr, Access: b.access(v), Size: int32(v.Aux), Mask: b.mask(b.src)}
	switch {
	case v.Aux == 0 || v.Op == ssa.OpMemZero && b.zeroOwn(v):
		return
	case v.Aux > MaxObject:
		Refuse("%v of more than %d bytes", v.Op, MaxObject)
	case v.Op == ssa.OpMemCopy:
		i.Op = OpCopyPtr
	}
	for _, a := range v.Args {
		i.Args = append(i.Args, b.vector(a, 0))
	}
	b.f.Notes = append(b.f.Notes, Note{Value: v})
	b.emit(i)
}
