package x86

import (
	"fmt"
	"slices"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A Code is the machine code of a kernel for gangs of one length.
type Code struct {
	Bytes     []byte
	Level     *Level
	Lanes     int // work-items of a gang
	Start     int // offset of a gang's first instruction; offset 0 is the entry
	FrameSize int
	Roots     []Root       // in the order of the context
	Params    [][2]int     // by parameter: offset of its first element in the context, and the number of elements
	CtxSize   int          // bytes of the context in use
	Sums      []Sum        // atomic operations that the launch completes (sums.go)
	Accesses  []*ssa.Value // by number of access
	Cost      int          // approximate number of instructions that a gang executes; 0: unknown, because of loops
	Gangs     bool         // the code loops over the gangs of a row
	Groups    bool         // the code loops over work-groups and their gangs
	Listing   *Listing     // if Options.Listing is set
	Size      Size
	Streaming
	HostCalls
	PrivateMemory
	SeveralRows
	Has
}

// Has lists properties of a kernel's code, for tests and listings.
type Has struct {
	Forms  spmd.Forms // of the plan
	Shapes uint16     // bit s: an access has the Shape s
}

// Streaming describes the stores that may be non-temporal.
type Streaming struct {
	Streams     []int // roots of objects that the kernel writes in whole cache lines and does not read
	StreamBytes int   // bytes that a work-item writes to them
}

// SeveralRows describes gangs of several rows to the launch.
type SeveralRows struct {
	RowsAtOnce int   // rows of the range per gang; the code of a gang of several may end with StatusLeft
	Written    []int // if RowsAtOnce > 1: roots of the objects that the kernel writes
}

// HostCalls describes the operations that the launch performs in Go.
type HostCalls struct {
	Ops  []*ssa.Value
	Area int // offset in the context of the operands and results of host calls
}

// PrivateMemory is the layout of the private objects in a gang's private memory.
type PrivateMemory struct {
	Allocas []*ssa.Value // the objects, in order
	Offsets []int        // of the objects, within one work-item
	Elems   []int        // by object: bytes of its elements if it is interleaved (private.go), else 0
	Private int          // bytes per work-item
	Stride  int          // distance of lanes in bytes, for objects that are not interleaved
}

// A Size holds the sizes of a kernel before and after selection.
type Size struct {
	Values    int // SSA values of the plan
	Registers int // virtual registers
	Blocks    int
	Insts     int // instructions of the kernel, without stubs
	Cold      int // of these, in rarely executed blocks
}

// A Root is a memory object that is known at compile time.
type Root struct {
	Param  int         // number of the parameter, or -1
	Global *ssa.Global // or nil
	Alloca int         // index in Code.Allocas, or -1
}

// Options are the options of code generation.
type Options struct {
	Level *Level
	// Lanes is the number of work-items per gang: Level.Lanes times a power of two. 1 selects scalar code; all
	// values of the plan are then uniform (spmd.Options.Scalar).
	Lanes int
	Full  bool // every lane has a work-item
	Rows  bool // loop over the gangs of a row; the plan has no barriers
	First int  // number of the first access
	Step  int  // difference of the numbers of successive accesses
	// OneReturn asserts that all work-items of a gang return at the same time.
	OneReturn bool
	// NoBounds omits bounds checks, to measure their cost. The code is then unsafe.
	NoBounds bool
	// Large permits objects of MaxObject to MaxLarge bytes.
	Large bool
	// Streams makes stores of whole cache lines non-temporal.
	Streams bool
	// Listing requests Code.Listing.
	Listing bool
	// Check verifies the register allocation. It is slow, and meant for tests.
	Check bool
	// Counters is the offset in the context of the execution counts of blocks: 8 bytes each, in the order of
	// ListedInst.Block. It is CtxCounters or CtxMoreCounters; 0: blocks are not counted.
	Counters int
}

// An Unsupported error names an operation without an instruction sequence.
type Unsupported struct{ What string }

func (e *Unsupported) Error() string { return e.What }

// maxRegisters bounds the virtual registers of a kernel, and thereby the time, memory and size of its code, to
// some 10 MB. The largest public kernels have less than half as many.
const maxRegisters = 1 << 20

func refuse(format string, args ...any) {
	panic(&Unsupported{fmt.Sprintf(format, args...)})
}

// A lowerer is the top of the layers that know machine registers only; the layers of a [selector] are above it.
type lowerer struct {
	*memory
	fills bool // the work-group writes all of its local memory before it reads any of it
}

// Generate returns the machine code of a plan. An *Unsupported error names an operation without an instruction
// sequence.
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
	f, err := gang.Build(p, gang.Options{Lanes: l.out.Lanes, Full: o.Full, Large: o.Large, Waits: !o.Rows, OneReturn: o.OneReturn, Target: o.Level.Target()})
	if err != nil {
		l.release()
		return nil, &Unsupported{err.Error()}
	}
	newSelector(l, f).run()
	f.Release()
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

// newLowerer builds the layers of a lowerer.
func newLowerer(p *spmd.Plan, o Options) *lowerer {
	items := o.Lanes
	o.Lanes = max(items, o.Level.Lanes) // scalar code uses registers of the same width
	b := &builder{code: newCode(o.Level), opts: o, n: o.Lanes, scalar: items == 1, pool: &pool{}, consts: map[constKey]reg{}}
	v := &vectors{builder: b, joined: map[reg]joint{}, cuts: map[reg]cut{}, wider: map[widened]vec{}}
	x := &values{arithmetic: &arithmetic{&masks{v}}, plan: p, facts: p.Facts}
	x.out = &Code{Level: o.Level, Lanes: items, SeveralRows: SeveralRows{RowsAtOnce: p.Rows}, Gangs: o.Rows, Has: Has{Forms: p.Forms}}
	a := &addresses{values: x, limits: map[rootKey]reg{}, ordinal: map[*ssa.Value]int{}}
	a.patterns = &lanes.Patterns{Facts: p.Facts, Target: o.Level.Target(), Gang: o.Lanes, Large: o.Large, Alone: b.scalar}
	s := &regular{accesses: &accesses{addresses: a}, flips: map[flipKey]reg{}}
	return &lowerer{memory: &memory{privates: &privates{pieces: &pieces{s}}}}
}

// size returns the sizes of the code.
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

// merge inserts the instructions that insertAt has queued for earlier positions.
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

// survey finds the roots, private objects and parameters of the kernel, and lays out the context.
func (l *lowerer) survey() {
	l.findRoots()
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
	l.layoutHostCalls()
}

func rootAt(i, off int) mem { return ctxAt(int32(CtxRoots + RootSize*i + off)) }

func size(k ssa.Kind) int { return k.Num().Size() }

var inverse = map[asm.Op]asm.Op{asm.JE: asm.JNE, asm.JNE: asm.JE, asm.JL: asm.JGE, asm.JLE: asm.JG, asm.JB: asm.JAE, asm.JBE: asm.JA,
	asm.JGE: asm.JL, asm.JG: asm.JLE, asm.JAE: asm.JB, asm.JA: asm.JBE}
