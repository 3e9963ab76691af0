package gang

import (
	"fmt"
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/cpu/target"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Options select the form of the function to build.
type Options struct {
	Lanes int  // work-items of a gang, a power of two
	Full  bool // all lanes of each gang are work-items
	Large bool // objects may be of MaxObject bytes and more
	// Waits selects the form that runs each gang by itself also for a kernel without barriers.
	Waits bool
	// Ahead adds prefetches for accesses at offsets from memory.
	Ahead bool
	// OneReturn promises that the work-items of a gang all return at the same place.
	OneReturn bool
	// Target describes the machine's access patterns; nil: it accesses lanes one after the other where it has no
	// instruction.
	Target *target.Target
}

// allNative is the target of machines that access lanes one after the other.
var allNative = &target.Target{LaneByLane: true}

// maxRegisters bounds the registers of a function, and so the time and memory to build it.
const maxRegisters = 1 << 20

// A value locates the elements of an SSA value: in scalars if it is uniform, else in vectors or predicates. An
// affine value has a scalar, the first lane's element; its vector is built on demand.
type value struct {
	s      []Reg // by element
	v      []Reg
	whole  Reg  // the elements of each lane side by side, as in memory
	affine bool // s holds the first lane's element; package lanes knows the stride
	varies bool // lanes may differ
	lazy   bool // its vector is built only where it is used
	phi    bool // a phi whose edges set whole
	block  *Block
	at     int // where in block the value is known
}

// An emitter appends instructions to blocks.
type emitter struct {
	f      *Func
	mem    *memory
	o      Options
	cur    *Block // the block that receives instructions
	pre    *Block // runs once, before the first gang
	consts map[constant]Reg
	ramps  map[ramp]Reg
	pos    diag.Pos
	loop   *ssa.Loop
	number int32 // of the gang whose value is built, in a work-group of known size
}

// values maps SSA values to registers.
type values struct {
	*emitter
	p     *spmd.Plan
	vals  []value
	src   *ssa.Block        // the SSA block under construction
	masks []Reg             // by SSA block: its predicate, for the first block of each mask class
	gang  Reg               // predicate of the lanes that are work-items; 0: all
	here  map[element]Reg   // vectors of the cold code under construction, which is their only user
	spare []map[element]Reg // empty maps
	// agreed has the vectors of N elements made from uniform values.
	agreed map[*ssa.Value]Reg
	parts  map[*ssa.Value][]*ssa.Value // see partsOf
	// elements says of each vector, by ID, that only single elements are used. vectorised are blocks whose vectors
	// are iterations of a loop.
	elements   []bool
	vectorised map[*ssa.Block]bool
	uses       []int32     // by value ID
	joinOnly   []bool      // by value ID, see findJoined
	converted  conversions // nil: not known yet
	voted      []int32     // by value ID: uses in votes
}

// accesses builds memory accesses.
type accesses struct {
	*values
	patterns *lanes.Patterns
	roots    *lanes.Roots
	ordinal  map[*ssa.Value]int32    // numbers of accesses
	copies   map[*ssa.Value]Reg      // of phis, made where they are
	atomics  map[*ssa.Value]int32    // 1 + the number of the sum of an atomic operation
	loaded   map[sameLoad]*ssa.Value // loads of that block since its last store, in a work-group of known size
	regions  regions
	narrow   map[narrowed]Reg // offsets built in that block
	clamped  map[clampedIndex]*clampedLoad
	lanes    map[laneValue]Reg
	once     bool // the block that is executed once for all work-groups is under construction
	bounds
	reductions
}

// A builder makes a function from a plan. It adds control flow, and the operations that are neither values nor
// accesses.
type builder struct {
	*accesses
	start *Block   // the start of a gang in a row
	done  *Block   // the end of a gang
	part  *Block   // the start of a gang in the current part of a work-group
	id    Reg      // global id in dimension 0 of lane 0
	body  []*Block // by SSA block
	test  []*Block
}

// A constant identifies a constant register by its type and bits.
type constant struct {
	t    Type
	bits uint64
}

// A ramp identifies a register with constant elements at equal distances.
type ramp struct {
	first  constant
	stride int64
}

// An element is element c of value v.
type element struct {
	v *ssa.Value
	c int
}

// Build makes the gang function of a plan. It returns an *Unsupported error for an operation without
// instructions.
func Build(p *spmd.Plan, o Options) (f *Func, err error) {
	m := memories.Get().(*memory)
	t := &m.tables
	out := &emitter{f: NewFunc(p.F.Name, o.Lanes), mem: m, o: o, consts: t.consts, ramps: t.ramps}
	out.f.mem = m
	defer func() {
		if err != nil {
			out.f.Release()
			f = nil
		}
	}()
	defer Recover(&err)
	b := &builder{accesses: &accesses{values: &values{emitter: out, p: p, agreed: t.agreed}, narrow: map[narrowed]Reg{}, ordinal: t.ordinal, copies: t.copies}}
	if b.o.Target == nil {
		b.o.Target = allNative
	}
	b.patterns = &lanes.Patterns{Facts: p.Facts, Target: b.o.Target, Gang: o.Lanes, Large: o.Large, Alone: b.alone(), Scalar: b.hasPlace0}
	b.f.Full, b.f.Groups, b.f.Forms = o.Full, p.Gangs, p.Forms
	if !b.o.Target.LaneByLane && o.Lanes > b.o.Target.Masked() {
		b.f.Forms |= spmd.Long
	}
	if p.Rows > 1 {
		b.f.Rows = p.Rows
	}
	if p.Unfolded {
		b.f.FirstIDs = p.FirstIDs()
	}
	b.f.Waits = !p.Gangs && (o.Waits || slices.ContainsFunc(p.Order, func(x *ssa.Block) bool {
		return slices.ContainsFunc(x.Values, func(v *ssa.Value) bool { return v.Op == ssa.OpBarrier })
	}))
	b.run()
	b.finishTests()
	b.f.Fills = p.OverwritesLocals(b.patterns) // patterns need the values
	b.merge()
	removeDead(b.f)
	removeEmpty(b.f)
	b.hoistInvariants()
	b.prefetches()
	if !b.o.Target.LaneByLane {
		b.findRanges()
	}
	b.defineAll()
	return b.f, nil
}

// defineAll initialises to 0 each register that a select merges into before any lane has written it. The prologue, which
// executes first, writes others. In code for work-groups of known size, which has no loop over gangs, the block that merges
// initialises the register: other work-groups jump over it.
func (b *emitter) defineAll() {
	merged := make([]bool, len(b.f.Types))
	for _, i := range b.f.Insts() {
		if i.Dst != 0 && slices.Contains(i.Args, i.Dst) {
			merged[i.Dst] = true
		}
	}
	for k := range b.pre.Insts {
		merged[b.pre.Insts[k].Dst] = false
	}
	if !slices.Contains(merged, true) {
		return
	}
	in := make([]*Block, len(b.f.Types)) // by register: the last block that initialises it
	unwritten(b.f, merged, func(x *Block, k int, r Reg) {
		switch {
		case !merged[r] || in[r] == x:
		case len(b.f.FirstIDs) > 0:
			in[r] = x
			b.insert(x, k, Inst{Op: OpConst, Dst: r, Pos: x.Insts[k].Pos})
		default:
			merged[r] = false
			b.insert(b.pre, 0, Inst{Op: OpConst, Dst: r})
		}
	})
	b.merge()
}

// run builds the blocks in execution order.
func (b *builder) run() {
	n := b.p.F.NumBlocks()
	b.vals = b.mem.values(b.p.F.NumValues())
	b.body, b.test, b.masks = make([]*Block, n), make([]*Block, n), make([]Reg, n)
	b.bounds = bounds{rowsIn: map[*ssa.Value]rowOffset{}, stored: map[extent]bool{}, inBounds: make([][]Reg, n), tails: make([]place, n)}
	b.reductions = reductions{map[*lanes.TestedLoop][]reducedOffset{}, map[*ssa.Block][]Inst{}}
	b.elements, b.vectorised, b.uses = b.p.Facts.UsedByElement(), map[*ssa.Block]bool{}, b.p.F.UseCounts(nil)
	b.findRoots()
	b.findVotes()
	findJoined(b.accesses)
	var once *Block
	if b.p.Once {
		once = b.beforeGroups(b.p.Order[0])
	}
	b.pre, b.start = b.f.NewBlock(), b.f.NewBlock()
	if once != nil {
		b.cur = once
		b.jump(b.pre)
	}
	b.done = b.newBlock(1, false)
	b.start.Depth = 1
	b.cur = b.pre
	row := !b.f.Groups && !b.f.Waits
	if !b.f.Groups {
		b.id = b.inst(Inst{Op: OpQuery, Imm: int64(ssa.GlobalID)}, idType)
	}
	b.cur = b.start
	if row {
		b.emit(Inst{Op: OpBegin, Args: b.regs(b.id)})
	}
	if !b.o.Full {
		b.gang = b.inst(Inst{Op: OpActive}, predicate)
	}
	if !b.f.Groups {
		b.clear()
	}
	for _, x := range b.p.Order {
		depth := 1
		if b.f.Groups {
			depth = 2
		}
		if l := b.p.Loops.Of(x); l != nil {
			depth += l.Depth
		}
		b.body[x.ID] = b.newBlock(depth, b.p.Rare(x))
		if b.p.Test[x.ID] {
			b.test[x.ID] = b.newBlock(depth, b.p.Rare(x))
		}
		if b.p.Class[x.ID] == x {
			b.masks[x.ID] = b.f.NewReg(predicate)
		}
	}
	order := b.p.Order
	if b.p.Once {
		b.jump(b.enter(b.p.Enter(order[0].Succs[0])))
		order = order[1:]
	} else {
		b.jump(b.enter(b.p.Enter(order[0])))
	}
	for _, x := range order {
		b.block(x)
	}
	b.loop = nil
	b.place(b.done)
	if row {
		b.nextInRow()
	}
	b.terminate(Inst{Op: OpReturn})
	b.cur = b.pre
	b.jump(b.start)
}

// beforeGroups builds the block that is executed once for all work-groups. It has its own constants.
func (b *builder) beforeGroups(x *ssa.Block) *Block {
	b.f.Once, b.once = true, true
	b.pre = b.f.NewBlock()
	b.cur, b.src, b.here = b.pre, x, b.localVectors(x)
	b.all(x)
	differs := func(v *ssa.Value) bool {
		q := ssa.WorkItemQuery(v.Aux)
		return v.Op == ssa.OpWorkItem && (q == ssa.GroupID || q == ssa.GlobalID)
	}
	if b.cur != b.pre || slices.ContainsFunc(x.Values, differs) {
		Refuse("checks or ids of work-groups before the first of them")
	}
	b.once = false
	clear(b.consts)
	clear(b.ramps)
	return b.pre
}

var idType = Type{Scalar, ssa.U64, 1}

// nextInRow continues with the next gang of the row. Code emitted after it runs after the last gang.
func (b *builder) nextInRow() {
	step := b.constant(idType, uint64(b.o.Lanes))
	b.emit(Inst{Op: OpEach, Each: ssa.OpAdd, Dst: b.id, Args: b.regs(b.id, step)})
	end, idEnd := b.newBlock(0, false), b.inPrologue(Inst{Op: OpIDEnd}, idType)
	b.terminate(Inst{Op: OpBranch, Each: ssa.OpLt, Args: b.regs(b.id, idEnd)}, b.start, end)
	b.place(end)
}

var predicate = Type{Predicate, ssa.Bool, 1}

// place appends a block and makes it the current one.
func (b *emitter) place(x *Block) {
	x.ID, x.Loop = len(b.f.Blocks), b.loop
	b.f.Blocks = append(b.f.Blocks, x)
	b.cur = x
}

func (b *emitter) emit(i Inst) {
	if len(b.f.Types) > maxRegisters {
		Refuse("more than %d registers", maxRegisters)
	}
	if i.Pos = b.pos; i.Op.has(fGang) {
		if i.Gang = b.number; b.f.Rows != 0 { // a gang of several rows reports nothing
			b.cur.Insts = append(b.mem.insts.Extend(b.cur.Insts, 1), Inst{Op: OpLeave, Pos: b.pos})
			if i.Dst == 0 {
				return
			}
			i = Inst{Op: OpConst, Dst: i.Dst, Pos: b.pos} // control does not come here
		}
	}
	b.cur.Insts = append(b.mem.insts.Extend(b.cur.Insts, 1), i)
}

// inst emits an instruction with a new register for its result.
func (b *emitter) inst(i Inst, t Type) Reg {
	i.Dst = b.f.NewReg(t)
	b.emit(i)
	return i.Dst
}

func (b *emitter) terminate(i Inst, succs ...*Block) {
	b.emit(i)
	b.cur.Succs = succs
}

func (b *emitter) jump(to *Block) { b.terminate(Inst{Op: OpJump}, to) }

// inPrologue adds an instruction at the end of the prologue and returns the new register of its result.
func (b *emitter) inPrologue(i Inst, t Type) Reg {
	i.Dst = b.f.NewReg(t)
	b.insertAt(b.pre, len(b.pre.Insts), i)
	return i.Dst
}

// constant returns a register with the same bits in every element, defined in the prologue.
func (b *emitter) constant(t Type, bits uint64) Reg {
	k := constant{t, cut(bits, t.K)}
	r := b.consts[k]
	if r == 0 {
		r = b.f.NewReg(t)
		b.insertAt(b.pre, 0, Inst{Op: OpConst, Dst: r, Imm: int64(k.bits)})
		b.consts[k] = r
	}
	return r
}

// findRoots numbers the memory objects that are known.
func (b *accesses) findRoots() {
	b.roots = lanes.FindRoots(b.p.F, b.p.Order)
	var writeOnly map[*ssa.Value]bool
	if !b.o.Target.LaneByLane {
		writeOnly = b.p.Facts.WriteOnly()
	}
	for k, p := range b.p.F.Params {
		b.f.Params = append(b.f.Params, Param{int(p.Type.N), paramName(b.p.F, k)})
	}
	for _, v := range b.roots.List {
		r := Root{Kind: RootParam, Param: int(v.Aux), WriteOnly: writeOnly[v], Local: lanes.Local(v), Large: b.patterns.MayBeLarge(v)}
		switch v.Op {
		case ssa.OpGlobalAddr:
			r.Kind, r.Param, r.Var = RootGlobal, 0, v.Sym.(*ssa.Global)
			r.Name = r.Var.Name
		case ssa.OpAlloca:
			a := v.Sym.(*ssa.Alloca)
			if a.Size >= MaxObject {
				Refuse("a private object of more than %d bytes", MaxObject)
			}
			r = Root{Kind: RootPrivate, Name: a.Name, Size: int(a.Size), Align: int(a.Align), Elem: b.patterns.Privates()[v].Elem}
		}
		b.f.Roots = append(b.f.Roots, r)
	}
	if !b.o.Target.LaneByLane {
		b.findSums()
	}
}

func paramName(f *ssa.Func, k int) string {
	if f.Kernel != nil && k < len(f.Kernel.Args) {
		return f.Kernel.Args[k].Name
	}
	return fmt.Sprintf("parameter %d", k)
}

// mask returns the predicate of the lanes that execute a block, 0 for all lanes.
func (b *values) mask(x *ssa.Block) Reg {
	if c := b.p.Class[x.ID]; c != nil {
		return b.masks[c.ID]
	}
	return b.gang
}

// enter returns the block that corresponds to a target of the plan.
func (b *builder) enter(t spmd.Target) *Block {
	if t.Test {
		return b.test[t.Block.ID]
	}
	return b.body[t.Block.ID]
}

// block builds one block of the plan.
func (b *builder) block(x *ssa.Block) {
	b.loop = b.p.Loops.Of(x)
	if t := b.test[x.ID]; t != nil {
		b.place(t)
		if to := b.p.Skip[x.ID]; to != nil {
			b.terminate(Inst{Op: OpAny, Args: b.regs(b.masks[x.ID])}, b.body[x.ID], b.enter(b.p.Enter(to)))
		} else {
			b.jump(b.body[x.ID])
		}
	}
	b.src, b.regions, b.loaded = x, nil, nil
	b.here = b.localVectors(x)
	clear(b.narrow)
	b.place(b.body[x.ID])
	for _, v := range x.Phis() {
		b.phi(v)
		y := &b.vals[v.ID]
		y.block, y.at = b.cur, 0
	}
	b.all(x)
	if t := x.Term(); t.Pos.IsValid() {
		b.pos = t.Pos
	}
	b.terminator(x)
}

// all builds the values of a block, without phis and terminator.
func (b *builder) all(x *ssa.Block) {
	for _, v := range x.Values {
		if v.Op == ssa.OpPhi || v.Op.Has(ssa.Terminator) {
			continue
		}
		if v.Pos.IsValid() {
			b.pos = v.Pos
		}
		if v.Op != ssa.OpLoad && !v.Op.Has(ssa.Pure) {
			b.regions, b.loaded = nil, nil
		}
		b.number = int32(b.p.Gang(v))
		b.value(v)
		y := &b.vals[v.ID]
		y.block, y.at = b.cur, len(b.cur.Insts)
	}
}

// phi allocates the registers of a phi.
func (b *accesses) phi(v *ssa.Value) {
	x := &b.vals[v.ID]
	if x.s != nil || x.v != nil || x.phi {
		return
	}
	x.varies = b.p.Varying[v.ID]
	x.affine = x.varies && b.p.Facts.Of(v).Exact() && lanes.Scalar(v.Type.K)
	if len(v.Block.Preds) == 1 && b.p.Plain(v.Block.Preds[0], v.Block) && b.sharesArg(v) {
		return
	}
	if x.varies && b.wholePhi(v) {
		x.phi, x.whole = true, b.f.NewReg(Type{Vector, v.Type.K, v.Type.N})
		return
	}
	regs := b.newRegs(v.Type.N, typeOf(v.Type.K, !x.varies || x.affine))
	if x.varies && !x.affine {
		x.v = regs
	} else {
		x.s = regs
	}
}

// sharesArg gives a phi, in a block with one predecessor, the registers of its argument: while it is in use these are not
// written, because control can reach a definition of the argument only through the argument's block, and from there only
// through the phi to its uses.
func (b *accesses) sharesArg(v *ssa.Value) bool {
	x, y := &b.vals[v.ID], &b.vals[v.Args[0].ID]
	if a := v.Args[0]; a.IsConst() || b.known(a) || x.varies != y.varies || x.affine != y.affine {
		return false
	}
	switch {
	case !x.varies || x.affine:
		if len(y.s) == 0 || slices.Contains(y.s, 0) {
			return false
		}
		x.s = slices.Clone(y.s)
	case b.wholePhi(v):
		x.phi, x.whole = y.whole != 0, y.whole
		return x.phi
	default:
		if y.whole != 0 || len(y.v) == 0 || slices.Contains(y.v, 0) {
			return false
		}
		x.v = slices.Clone(y.v)
	}
	return true
}

// vectorOf returns the vector type with one element of kind k per lane.
func vectorOf(k ssa.Kind) Type {
	if k == ssa.Bool {
		return predicate
	}
	return Type{Vector, k, 1}
}

// scalar returns the register of element c of a uniform value, or of an affine value's first lane.
func (b *values) scalar(v *ssa.Value, c int) Reg {
	if v.IsConst() {
		return b.constant(Type{Scalar, v.Type.K, 1}, v.ConstElem(c))
	}
	if b.known(v) {
		return b.constant(Type{Scalar, v.Type.K, 1}, uint64(b.p.Facts.Of(v).First))
	}
	x := &b.vals[v.ID]
	if x.s == nil {
		x.s = b.regsOf(int(v.Type.N))
	}
	switch {
	case x.s[c] != 0:
	case x.lazy && !x.varies:
		i := Inst{Op: OpEach, Each: v.Op, Aux: v.Aux, Args: b.argsOf(v, func(a *ssa.Value) Reg { return b.scalar(a, min(c, int(a.Type.N)-1)) })}
		i.Dst = b.f.NewReg(Type{Scalar, v.Type.K, 1})
		x.s[c] = i.Dst
		b.insertLate(x, i)
	default:
		from := b.vectorAtDefinition(v, c)
		x.s[c] = b.f.NewReg(Type{Scalar, v.Type.K, 1})
		b.insertLate(x, Inst{Op: OpFirst, Dst: x.s[c], Args: b.regs(from)})
	}
	return x.s[c]
}

// vector returns the vector or predicate of element c of a value.
func (b *values) vector(v *ssa.Value, c int) Reg {
	t := vectorOf(v.Type.K)
	if v.IsConst() {
		return b.constant(t, v.ConstElem(c))
	}
	x := &b.vals[v.ID]
	if x.v != nil && x.v[c] != 0 {
		return x.v[c]
	}
	key := element{v, c}
	if r := b.here[key]; r != 0 {
		return r
	}
	if b.known(v) {
		return b.knownVector(v)
	}
	scalar := func() Reg {
		if b.cur.Cold && b.here != nil && c == 0 {
			return b.scalarHere(v)
		}
		return b.scalar(v, c)
	}
	var i Inst
	switch {
	case b.cur.Cold && b.here != nil && b.steppingPointer(v):
		i = Inst{Op: OpRamp, Args: b.regs(b.each(v.Op, Type{Scalar, v.Type.K, 1}, 0, b.scalarHere(v.Args[0]), b.scalarHere(v.Args[1]))), Imm: b.p.Facts.Of(v.Args[1]).Stride}
	case x.lazy && x.varies, x.affine && b.p.Facts.Of(v).MayWrap:
		i = Inst{Op: OpEach, Each: v.Op, Aux: v.Aux, Args: b.argsOf(v, func(a *ssa.Value) Reg { return b.vector(a, 0) })}
	case x.whole != 0 && x.varies:
		i = Inst{Op: OpPart, Args: b.regs(x.whole), Imm: int64(c)}
	case x.affine && b.besideVector(v):
		i = Inst{Op: OpEach, Each: v.Op, Args: b.regs(b.vals[v.Args[0].ID].v[0], b.constant(t, v.Args[1].ConstElem(0)))}
	case x.affine:
		i = Inst{Op: OpRamp, Args: b.regs(scalar()), Imm: b.p.Facts.Of(v).Stride}
	default:
		i = Inst{Op: OpSplat, Args: b.regs(scalar())}
	}
	if b.cur.Cold && b.here != nil {
		r := b.inst(i, t)
		b.here[key] = r
		return r
	}
	if x.v == nil {
		x.v = b.regsOf(int(v.Type.N))
	}
	i.Dst = b.f.NewReg(t)
	x.v[c] = i.Dst
	if x.block == nil {
		b.emit(i) // v is being built
	} else {
		b.insertLate(x, i)
	}
	return i.Dst
}

// insertLate inserts an instruction that makes another form of a value behind the value's definition. Forms of values of the
// block that is executed once go to the end of that block or, later, of the block after it: their operands may be there.
func (b *values) insertLate(x *value, i Inst) {
	if b.f.Once && x.block == b.f.Blocks[0] {
		b.insertAt(b.pre, len(b.pre.Insts), i)
		return
	}
	b.insertAt(x.block, x.at, i)
}

// steppingPointer reports whether v is a uniform pointer plus an offset that steps from lane to lane.
func (b *values) steppingPointer(v *ssa.Value) bool {
	if v.Op != ssa.OpPtrAdd || b.o.Target.LaneByLane || b.vals[v.Args[0].ID].varies || v.Args[1].IsConst() {
		return false
	}
	y := &b.vals[v.Args[1].ID]
	return y.varies && y.affine && b.p.Facts.Of(v.Args[1]).Exact()
}

// vectorAtDefinition is vector, but never builds one for the code under construction only.
func (b *values) vectorAtDefinition(v *ssa.Value, c int) Reg {
	here := b.here
	b.here = nil
	r := b.vector(v, c)
	b.here = here
	return r
}

// localVectors returns an empty map for vectors that only x uses if x is rarely executed, else nil.
func (b *values) localVectors(x *ssa.Block) map[element]Reg {
	if b.p.Rare(x) {
		return map[element]Reg{}
	}
	return nil
}

// element returns the register of element c, a scalar if uniform.
func (b *values) element(v *ssa.Value, c int, uniform bool) Reg {
	if uniform {
		return b.scalar(v, c)
	}
	return b.vector(v, c)
}

// typeOf returns the register type of an element of kind k.
func typeOf(k ssa.Kind, uniform bool) Type {
	if uniform {
		return Type{Scalar, k, 1}
	}
	return vectorOf(k)
}

// argsOf returns the registers that of gives the arguments of v.
func (b *emitter) argsOf(v *ssa.Value, of func(a *ssa.Value) Reg) []Reg {
	args := b.regsOf(len(v.Args))
	for k, a := range v.Args {
		args[k] = of(a)
	}
	return args
}

// again emits the operation of v on other scalars, which of gives for its arguments.
func (b *emitter) again(v *ssa.Value, of func(a *ssa.Value) Reg) Reg {
	return b.each(v.Op, Type{Scalar, v.Type.K, 1}, v.Aux, b.argsOf(v, of)...)
}

// each emits an elementwise operation.
func (b *emitter) each(op ssa.Op, t Type, aux int64, args ...Reg) Reg {
	return b.inst(Inst{Op: OpEach, Each: op, Aux: aux, Args: b.mem.regs.Keep(args)}, t)
}

// set gives a value its elements.
func (b *values) set(v *ssa.Value, uniform bool, regs []Reg) {
	x := &b.vals[v.ID]
	if x.varies = !uniform; uniform {
		x.s = regs
	} else {
		x.v = regs
	}
}

// MaxObject is the first object size, in bytes, that needs Options.Large. In smaller objects a 32-bit index
// that wraps between a gang's first and last lane starts out of bounds.
const MaxObject = lanes.MaxObject

// affineResult reports whether the result of v is affine, with a first lane computable from those of its
// arguments.
func (b *values) affineResult(v *ssa.Value) bool {
	x := b.p.Facts.Of(v)
	if x.Shape != lanes.Affine || x.Order != nil || v.Type.N != 1 || !lanes.Scalar(v.Type.K) || v.Type.K == ssa.Bool {
		return false
	}
	return !slices.ContainsFunc(v.Args, func(a *ssa.Value) bool {
		y := &b.vals[a.ID]
		return y.varies && !y.affine && !a.IsConst()
	})
}

// sharesRegister reports whether v is in the register of an operand.
func (b *values) sharesRegister(v *ssa.Value) bool {
	s := b.vals[v.ID].s
	return len(s) == 1 && slices.ContainsFunc(v.Args, func(a *ssa.Value) bool { return slices.Contains(b.vals[a.ID].s, s[0]) })
}

// findRanges records the intervals of the operands of conversions and products.
func (b *values) findRanges() {
	used := make([]bool, len(b.f.Types))
	for _, i := range b.f.Insts() {
		if i.Op == OpEach && (i.Each == ssa.OpConvert || i.Each == ssa.OpMul) {
			for _, a := range i.Args {
				used[a] = true
			}
		}
	}
	b.f.Ranges = map[Reg]Range{}
	for v := range b.p.Facts.Values() {
		f, y := b.p.Facts.Of(v), &b.vals[v.ID]
		if !lanes.IsInt(v.Type.K) || v.IsConst() || !f.Narrowed(v.Type.K) || b.sharesRegister(v) {
			continue
		}
		for _, list := range [][]Reg{y.s, y.v, {y.whole}} {
			for _, r := range list {
				if used[r] {
					b.f.Ranges[r] = Range{f.Lo, f.Hi}
				}
			}
		}
	}
}

// removeDead removes instructions without effects whose results are unused.
func removeDead(f *Func) {
	uses := make([]int32, len(f.Types))
	count := func(i *Inst, n int32) {
		uses[i.Mask] += n
		for _, a := range i.Args {
			uses[a] += n
		}
	}
	for _, i := range f.Insts() {
		count(i, 1)
	}
	for again := true; again; {
		again = false
		for _, b := range slices.Backward(f.Blocks) { // most definitions are in earlier blocks than their uses
			dead := false
			for k := len(b.Insts) - 1; k >= 0; k-- {
				i := &b.Insts[k]
				if i.Dst != 0 && uses[i.Dst] == 0 && i.Op != OpLoadPtr && i.Op != OpAtomic && i.Op != OpAtomicAt && i.Op != OpCall {
					count(i, -1)
					i.Op, dead = OpInvalid, true
				}
			}
			if dead {
				b.Insts = deleteInsts(b.Insts, func(i *Inst) bool { return i.Op == OpInvalid })
				again = true
			}
		}
	}
}
