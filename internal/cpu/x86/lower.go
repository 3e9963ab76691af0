package x86

import (
	"fmt"
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A Code is a kernel's machine code for gangs.
type Code struct {
	Bytes     []byte
	Level     *Level
	Lanes     int // work-items of a gang
	Start     int // offset of a gang's first instruction; offset 0 is the entry
	FrameSize int
	Roots     []Root       // in order of their place in the context
	Params    [][2]int     // by parameter: offset in the context of its first element, and their number
	CtxSize   int          // bytes of the context that are used
	Sums      []Sum        // atomic operations that the launch finishes
	Accesses  []*ssa.Value // by number of access
	Cost      int          // about how many instructions a gang executes; 0: it has loops
	Gangs     bool         // the code goes through the gangs of a row itself
	Groups    bool         // the code goes through the gangs of work-groups and the groups itself
	Listing   *Listing     // where Options.Listing asks for it
	Size      Size
	Streaming
	HostCalls
	PrivateMemory
	SeveralRows
	Has
}

// Has lists properties of a kernel's code, for tests and listings.
type Has struct {
	Forms  spmd.Forms // of its plan
	Shapes uint16     // bit s: an access has the Shape s
}

// Streaming is what a kernel's code writes that may go around the caches.
type Streaming struct {
	Streams     []int // roots of objects that are written, and not read, in whole lines
	StreamBytes int   // that a work-item writes so
}

// SeveralRows has the facts that the launch needs about gangs of several rows.
type SeveralRows struct {
	RowsAtOnce int   // rows of the range that a gang does; of more than one it may leave with StatusLeft
	Written    []int // of such gangs: the roots that the kernel writes
}

// HostCalls are the operations of which a kernel's code leaves the work to the launch.
type HostCalls struct {
	Ops  []*ssa.Value
	Area int // offset in the context of what operations done in Go are about
}

// PrivateMemory is how private objects lie in the private memory of a gang.
type PrivateMemory struct {
	Allocas []*ssa.Value // the objects, in order
	Offsets []int        // of the objects in the memory of a work-item
	Elems   []int        // bytes of their elements where there are rows (private.go), else 0
	Private int          // bytes of a work-item
	Stride  int          // bytes from a lane's objects that are not in rows to the next lane's
}

// A Size is of what code is made, and how much it is.
type Size struct {
	Values    int // of the kernel, as gangs run it
	Registers int // virtual ones
	Blocks    int
	Insts     int // instructions of the kernel, without stubs
	Cold      int // of those, in parts that are run seldom
}

// A Root is a memory object that is known when the code is made.
type Root struct {
	Param  int         // number of the parameter, or -1
	Global *ssa.Global // or nil
	Alloca int         // number of the private object, or -1
}

// Options say what code is wanted.
type Options struct {
	Level *Level
	// Lanes is the number of work-items of a gang: Level.Lanes, or 2, 4 or more times that. 1 makes scalar code of a plan
	// in which all values are uniform (spmd.Options.Scalar).
	Lanes int
	Full  bool // all lanes of the gang are work-items
	Rows  bool // go through the gangs of a row: no barriers
	First int  // number of the first access
	Step  int  // from one access to the next
	// OneReturn says that no work-item returns before others of its gang.
	OneReturn bool
	// NoBounds leaves out bounds checks, to measure what they cost. Machine code is not
	// safe then.
	NoBounds bool
	// Large says that objects may be of MaxObject bytes and more, up to MaxLarge.
	Large bool
	// Streams says that stores of whole lines go around the caches.
	Streams bool
	// Listing says that Code.Listing is wanted.
	Listing bool
	// Check proves the register allocation, for tests: it is slow.
	Check bool
	// Counters is the offset in the context of the numbers of times that blocks run, 8 bytes each in order of
	// ListedInst.Block: CtxCounters or CtxMoreCounters. 0: blocks are not counted.
	Counters int
}

// An Unsupported error names an operation without an instruction sequence.
type Unsupported struct{ What string }

func (e *Unsupported) Error() string { return e.What }

// maxRegisters bounds the code, and the time and memory that it takes to make: it is some
// 10 MB. The largest public kernel that was seen has less than half as many.
const maxRegisters = 1 << 20

func refuse(format string, args ...any) {
	panic(&Unsupported{fmt.Sprintf(format, args...)})
}

// A value is where an SSA value's elements are.
type value struct {
	g      []reg // in general registers: of uniform ones, and the first lane's of affine ones
	v      []vec
	k      []mask // of Bools
	block  *mblock
	at     int   // where in block the value is known
	home   class // of a phi: where edges put its value
	f      vec   // the elements of all components in memory order: one lane's after the other's
	fk     mask  // the same of a Bool
	flat   bool  // of a phi: edges put its value in f
	lazy   bool  // computed where it is needed only
	offset reg   // of a pointer: its offset
}

// A lowerer makes a kernel's code: control flow, and what is none of the layers' below.
type lowerer struct {
	*memory
	test  []*mblock // by SSA block: where control comes that may have no lanes
	done  *mblock   // behind the kernel's last block
	gid   reg       // the first lane's global id, where the code goes through the gangs of a row
	voted []int32   // by value: uses in votes
}

// Generate makes machine code. An *Unsupported error names an operation without an instruction sequence.
func Generate(p *spmd.Plan, o Options) (out *Code, err error) {
	defer func() {
		if r := recover(); r != nil {
			u, ok := r.(*Unsupported)
			if !ok {
				panic(r)
			}
			out, err = nil, u
		}
	}()
	l := newLowerer(p, o)
	l.stubs = []*stub{{kind: sNextGang}, {kind: sGangDone}, {kind: sRecord}, {kind: sPoll}, {kind: sInside, size: o.Lanes}}
	if o.Lanes > o.Level.Masked() {
		l.out.Forms |= spmd.Long
	}
	if o.Listing {
		l.listing = &Listing{Plan: p}
	}
	l.run()
	if o.Listing {
		l.listing.Before, l.listing.roots, l.listing.params = l.dump(), l.out.Roots, l.out.Params
	}
	if err := l.allocate(); err != nil {
		return nil, &Unsupported{err.Error()}
	}
	if o.Check {
		if err := l.regs.Check(l.code); err != nil {
			panic(fmt.Sprintf("register allocation: %v\n%s", err, l.dump()))
		}
	}
	if o.Listing {
		l.listing.After, l.out.Listing = l.dump(), l.listing
	}
	l.out.Bytes, err = l.finish(l.stubs, l.pool, o.Counters)
	l.out.FrameSize, l.out.Start = int(l.frame), l.start
	if l.plan.Gangs {
		l.out.CtxSize += int(l.spilled)
	}
	if o.Counters != 0 {
		if l.out.CtxSize > CtxCounters || 8*len(l.blocks) > CtxMoreCounters-CtxCounters {
			return nil, &Unsupported{"it is too large to be profiled"}
		}
		l.out.CtxSize = o.Counters + 8*len(l.blocks)
	}
	l.out.Size = l.size()
	if len(p.Loops.All) == 0 {
		l.out.Cost = l.out.Size.Insts - l.out.Size.Cold
	}
	l.release()
	return l.out, err
}

// newLowerer makes the layers of a lowerer.
func newLowerer(p *spmd.Plan, o Options) *lowerer {
	items := o.Lanes
	o.Lanes = max(items, o.Level.Lanes) // registers of scalar code are as wide as others
	b := &builder{code: newCode(o.Level), opts: o, n: o.Lanes, scalar: items == 1, pool: &pool{}, consts: map[constKey]reg{}}
	v := &vectors{builder: b, joined: map[reg]joint{}, cuts: map[reg]cut{}, wider: map[widened]vec{}}
	x := &values{arithmetic: &arithmetic{&masks{v}}, plan: p, facts: p.Facts, vectorised: map[*ssa.Block]bool{}}
	x.out = &Code{Level: o.Level, Lanes: items, SeveralRows: SeveralRows{RowsAtOnce: p.Rows}, Gangs: o.Rows, Has: Has{Forms: p.Forms}}
	a := &addresses{values: x, limits: map[rootKey]reg{}, ordinal: map[*ssa.Value]int{}, loops: map[*lanes.TestedLoop]*loop{}, insides: map[*ssa.Value]*insideTest{}, inBounds: map[*ssa.Block][]checkedRange{}}
	a.patterns = &lanes.Patterns{Facts: p.Facts, Target: o.Level.Target(), Gang: o.Lanes, Large: o.Large}
	s := &regular{accesses: &accesses{addresses: a}, flips: map[flipKey]reg{}}
	return &lowerer{memory: &memory{privates: &privates{pieces: &pieces{s}}}}
}

// size measures the code.
func (l *lowerer) size() Size {
	s := Size{Values: l.plan.F.CountValues(), Registers: l.regs.NumRegs(), Blocks: len(l.blocks)}
	for _, b := range l.blocks {
		s.Insts += len(b.insts)
		if b.cold {
			s.Cold += len(b.insts)
		}
	}
	return s
}

func (l *lowerer) run() {
	f := l.plan.F
	n := f.NumBlocks()
	l.vals = make([]value, f.NumValues())
	l.uses, l.voted = f.UseCounts(nil), make([]int32, f.NumValues())
	l.body, l.test, l.blockMasks = make([]*mblock, n), make([]*mblock, n), make([]mask, n)
	l.tails, l.latches = make([]place, n), make([][]func(), n)
	l.survey()
	l.wants()
	l.findSplit()
	l.pre = l.newBlock(0)
	l.place(l.pre)
	l.done = l.newBlock(0)
	depthBase := 0
	first := l.newBlock(1)
	if l.opts.Rows {
		depthBase = 1
	}
	l.out.Groups = l.plan.Gangs
	if l.plan.Gangs {
		depthBase = 2
		l.spillBase = rCtx
	}
	for _, b := range l.plan.Order {
		d := depthBase
		if x := l.plan.Loops.Of(b); x != nil {
			d += x.Depth
		}
		l.body[b.ID] = l.newBlock(d)
		if l.plan.Test[b.ID] {
			l.test[b.ID] = l.newBlock(d)
		}
		if l.plan.Class[b.ID] == b {
			l.blockMasks[b.ID] = l.newMask()
		}
	}
	if l.opts.Rows {
		l.gid = l.g()
		l.ld(l.gid, 8, frameAt(FrameGlobal))
	}
	if !l.opts.Full && !l.plan.Gangs {
		l.gang = l.gangMask()
	}
	l.lastPre = len(l.pre.insts)
	if l.opts.Rows {
		first.align = true
		l.place(first)
		l.st(frameAt(FrameGlobal), 8, l.gid)
	}
	if l.plan.Gangs {
		l.beginGroups(first)
	}
	for _, b := range l.plan.Order {
		l.lowerBlock(b)
	}
	l.loop = nil
	l.place(l.done)
	if l.opts.Rows {
		l.opi(asm.ADDIMM, 8, l.gid, int64(l.out.Lanes))
		m := ctxAt(CtxIDEnd)
		m.on = true
		l.emit(inst{op: asm.CMP, w: 8, fl: fUseReg, reg: l.gid, m: m})
		l.jcc(asm.JNE, first)
		l.keepSums()
		l.emit(inst{kind: kGoto, imm: l.stub(stub{kind: sRow, whole: l.opts.Full, rows: l.plan.Rows})})
	} else if l.plan.Gangs {
		l.endGroups(first)
	} else {
		l.emit(inst{kind: kGoto, imm: stubGangDone})
	}
	l.merge()
}

// merge puts the code that was made later for places already passed where it belongs.
func (l *lowerer) merge() {
	for _, b := range l.blocks {
		if len(b.inserts) == 0 {
			continue
		}
		slices.SortStableFunc(b.inserts, func(x, y insert) int { return x.at - y.at })
		more := l.work.more[:0]
		for _, x := range b.inserts {
			for k := range x.insts {
				more = append(more, insertion{x.at, x.insts[k]})
			}
		}
		l.insert(b, more)
		clear(more)
		l.work.more, b.inserts = more[:0], nil
	}
}

// survey finds what the whole kernel needs: roots, private objects, parameters.
func (l *lowerer) survey() {
	l.findRoots()
	for _, b := range l.plan.Order {
		for _, v := range b.Values {
			if v.Op == ssa.OpVote {
				l.voted[v.Args[0].ID]++
			}
		}
	}
	off := CtxRoots + RootSize*len(l.out.Roots)
	for _, p := range l.plan.F.Params {
		l.out.Params = append(l.out.Params, [2]int{off, int(p.Type.N)})
		off += 8 * int(p.Type.N)
	}
	l.out.CtxSize = off
	l.findSums()
	l.written = l.facts.WriteOnly()
	for i, v := range l.roots.List {
		if l.plan.Rows > 1 && l.written[v] {
			l.out.Written = append(l.out.Written, i)
		}
	}
	l.layoutPrivate()
	l.layoutOutside()
}

func rootAt(i, off int) mem { return ctxAt(int32(CtxRoots + RootSize*i + off)) }

func (l *lowerer) lowerBlock(b *ssa.Block) {
	l.regions, l.loaded, l.lain = nil, nil, nil
	l.block, l.loop = b, l.plan.Loops.Of(b)
	p := l.plan
	from := len(l.blocks)
	l.here = map[elementOf]vec{}
	if t := l.test[b.ID]; t != nil {
		l.place(t)
		l.testMask(l.blockMasks[b.ID])
		// Without lanes: on to where others wait.
		if to := p.Skip[b.ID]; to != nil {
			l.jcc(asm.JE, l.enter(p.Enter(to)))
		}
	}
	l.place(l.body[b.ID])
	if x := p.Loops.Of(b); x != nil && x.Header == b && !p.Divergent[b.ID] {
		l.body[b.ID].align = true
	}
	for _, v := range b.Values {
		if v.Op == ssa.OpPhi {
			l.phi(v)
		}
	}
	for _, v := range b.Phis() {
		x := &l.vals[v.ID]
		x.block, x.at = l.cur, len(l.cur.insts)
	}
	for _, v := range b.Values {
		if v.Op == ssa.OpPhi || v.Op.Has(ssa.Terminator) {
			continue
		}
		if l.regs.NumRegs() > maxRegisters {
			refuse("more than %d registers before they are allotted", maxRegisters)
		}
		l.from(v)
		if v.Op != ssa.OpLoad && !v.Op.Has(ssa.Pure) {
			l.regions, l.loaded = nil, nil
		}
		l.lowerValue(v)
		x := &l.vals[v.ID]
		if x.block == nil {
			x.block, x.at = l.cur, len(l.cur.insts)
		}
	}
	l.from(b.Term())
	l.tails[b.ID] = place{l.cur, len(l.cur.insts)}
	for _, f := range l.latches[b.ID] {
		f()
	}
	l.terminator(b)
	if p.Rare(b) {
		for _, x := range l.blocks[from:] {
			x.cold = true
		}
	}
}

// from says that the code to come is for v.
func (l *lowerer) from(v *ssa.Value) {
	if v.Pos.IsValid() {
		l.pos = v.Pos
	}
}

// enter returns the block where control goes on.
func (l *lowerer) enter(t spmd.Target) *mblock {
	if t.Test {
		return l.test[t.Block.ID]
	}
	return l.body[t.Block.ID]
}

func inGeneral(k ssa.Kind) bool { return lanes.Scalar(k) }

func size(k ssa.Kind) int { return k.Num().Size() }

var inverse = map[asm.Op]asm.Op{asm.JE: asm.JNE, asm.JNE: asm.JE, asm.JL: asm.JGE, asm.JLE: asm.JG, asm.JB: asm.JAE, asm.JBE: asm.JA,
	asm.JGE: asm.JL, asm.JG: asm.JLE, asm.JAE: asm.JB, asm.JA: asm.JBE}
