package x86

import (
	"errors"
	"fmt"
	"slices"

	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A Code is the machine code of a kernel for gangs of one length.
type Code struct {
	Bytes     []byte
	Level     *Level
	Lanes     int // work-items of a gang
	Start     int // offset of a gang's first instruction; offset 0 is the entry
	FrameSize int
	Roots     []gang.Root   // in the order of the context
	Params    [][2]int      // by parameter: offset of its first element in the context, and the number of elements
	CtxSize   int           // bytes of the context in use
	Accesses  []gang.Access // by number of access
	Cost      int           // approximate number of instructions that a gang executes; 0: unknown, because of loops
	Gangs     bool          // the code loops over the gangs of a row
	Groups    bool          // the code loops over work-groups and their gangs
	Listing   *Listing      // if Options.Listing is set
	Size      Size
	Atomics
	Streaming
	Prefetching
	HostCalls
	PrivateMemory
	SeveralRows
}

// Atomics describes the atomic operations that are not executed lane after lane on their objects.
type Atomics struct {
	Sums     []Sum   // operands of atomic operations that workers collect and the launch adds (sums.go)
	Binned   []int32 // accesses that find the lanes with one address first
	InCopies []int32 // accesses to local arrays with copies (localcopies.go)
}

// Streaming describes the stores that may be non-temporal.
type Streaming struct {
	Streams     []int // roots of objects that the kernel writes in whole cache lines and does not read
	StreamBytes int   // bytes that a work-item writes to them
}

// Prefetching describes the accesses that prefetches can make faster.
type Prefetching struct {
	Far []int // roots of objects with elements at offsets from memory
}

// SeveralRows describes gangs of several rows to the launch.
type SeveralRows struct {
	RowsAtOnce int   // rows of the range per gang; the code of a gang of several may end with StatusLeft
	Written    []int // if RowsAtOnce > 1: roots of the objects that the kernel writes
	Updates    bool  // if RowsAtOnce > 1: the kernel reads one of them, so that no work-item may run again
}

// HostCalls describes the operations that the launch performs in Go.
type HostCalls struct {
	Ops  []HostOp
	Area int // offset in the context of the operands and results of operations of the kernel
}

// A HostOp is an operation of the kernel or, without an access, an elementwise operation of all lanes.
type HostOp struct {
	Access *gang.Access
	Pos    diag.Pos
	Each   ssa.Op
	Aux    int64
	Kind   ssa.Kind   // of the result
	Args   []ssa.Kind // kinds of the operands
}

// PrivateMemory is the layout of the private objects in a gang's private memory.
type PrivateMemory struct {
	Privates []PrivateObject // in order
	Private  int             // bytes per work-item
	Stride   int             // distance of lanes in bytes, for objects that are not interleaved
}

// A PrivateObject is the place of a private root within one work-item's memory.
type PrivateObject struct{ Root, Offset int }

// A Size holds the sizes of a kernel before and after selection.
type Size struct {
	Registers int // virtual registers
	Blocks    int
	Insts     int // instructions of the kernel, without stubs
	Cold      int // of these, in rarely executed blocks
}

// Options are the options of code generation.
type Options struct {
	Level *Level
	First int // number of the first access
	Step  int // difference of the numbers of successive accesses
	// NoBounds omits bounds checks, to measure their cost. The code is then unsafe.
	NoBounds bool
	// Streams makes stores of whole cache lines non-temporal.
	Streams bool
	// SlowGathers is for processors whose gathers and scatters take longer than as many accesses of single elements.
	SlowGathers bool
	// Listing requests Code.Listing.
	Listing bool
	// Check verifies the register allocation. It is slow, and meant for tests.
	Check bool
	// Counters is the offset in the context of the execution counts of blocks: 8 bytes each, in the order of
	// ListedInst.Block. It is CtxCounters or CtxMoreCounters; 0: blocks are not counted.
	Counters int
	// Clock measures the stages; nil: a new one.
	Clock *timing.Clock
}

// maxRegisters bounds the virtual registers of a kernel, and thereby the time, memory and size of its code, to
// some 10 MB. The largest public kernels have less than half as many.
const maxRegisters = 1 << 20

// values adds what the code of a whole kernel has: its gang function and the stubs.
type values struct {
	*arithmetic
	f     *gang.Func
	out   *Code
	stubs []*stub
}

// allMask returns the mask of the lanes that have a work-item.
func (l *values) allMask() mask {
	if !l.lv.MaskRegs {
		return l.same(l.constV(4, 0xFFFFFFFF)[0])
	}
	return l.same(l.inPrologue(constKey{kind: keyAll}, func() reg {
		return l.rematerialise(l.kop3(asm.KXNORW, fixed(asm.K(1)), fixed(asm.K(1))))
	}))
}

// leaveRows ends the code of a gang of several rows. The launch executes the gang again, row by row.
func (l *values) leaveRows() { l.emit(inst{kind: kCall, imm: l.stub(stub{kind: sLeave})}) }

// stub returns the number of an equal stub, after adding it if there is none.
func (l *values) stub(s stub) int64 {
	for i, t := range l.stubs {
		if s.label = t.label; *t == s {
			return int64(i)
		}
	}
	l.stubs = append(l.stubs, &s)
	return int64(len(l.stubs) - 1)
}

// A lowerer is the top of the layers that know machine registers only; the layers of a [selector] are above it.
type lowerer struct{ *memory }

var errLanes = errors.New("x86: gangs of a length that the level does not have")

// Generate returns the machine code of a gang function, whose length is Level.Lanes times a power of two, or 1 for
// scalar code. A *gang.Unsupported error names an operation without an instruction sequence.
func Generate(f *gang.Func, o Options) (out *Code, err error) {
	defer gang.Recover(&err)
	if n := f.Lanes / o.Level.Lanes; f.Lanes != 1 && (n < 1 || f.Lanes > MaxLanes || f.Lanes%o.Level.Lanes != 0) {
		return nil, fmt.Errorf("%w: %d", errLanes, f.Lanes)
	}
	if o.Clock == nil {
		o.Clock = new(timing.Clock)
	}
	o.Clock.Begin(timing.Codegen)
	l := newLowerer(f, o)
	l.stubs = []*stub{{kind: sNextGang}, {kind: sGangDone}, {kind: sRecord}, {kind: sPoll}, {kind: sInside, size: f.Lanes}}
	if o.Listing {
		l.listing = &Listing{}
	}
	newSelector(l).run()
	l.out.StreamBytes /= max(len(f.FirstIDs), 1)
	if o.Listing {
		l.listing.Before, l.listing.f, l.listing.params = l.dump(), f, l.out.Params
	}
	o.Clock.Begin(timing.Alloc)
	l.removeDead()
	if err := l.regs.Allocate(l.code); err != nil {
		return nil, &gang.Unsupported{What: err.Error()}
	}
	if o.Check {
		if err := l.regs.Check(l.code); err != nil {
			panic(fmt.Sprintf("register allocation: %v\n%s", err, l.dump()))
		}
	}
	overwriteIndices(l.code)
	if o.Listing {
		l.listing.After, l.out.Listing = l.dump(), l.listing
	}
	o.Clock.Begin(timing.Encode)
	l.out.Bytes, err = l.finish(l.stubs, l.pool, o.Counters)
	l.out.FrameSize, l.out.Start = int(l.frame), l.start
	if f.Groups {
		l.out.CtxSize += int(l.spilled)
	}
	if o.Counters != 0 {
		if l.out.CtxSize > CtxCounters || 8*len(l.blocks) > CtxMoreCounters-CtxCounters {
			return nil, &gang.Unsupported{What: "it is too large to be profiled"}
		}
		l.out.CtxSize = o.Counters + 8*len(l.blocks)
	}
	l.out.Size = l.size()
	if !f.HasLoops() {
		l.out.Cost = l.out.Size.Insts - l.out.Size.Cold
	}
	l.release()
	return l.out, err
}

// newLowerer builds the layers of a lowerer.
func newLowerer(f *gang.Func, o Options) *lowerer {
	n := max(f.Lanes, o.Level.Lanes) // scalar code uses registers of the same width
	c := newCode(o.Level)
	t := &c.work.tables
	b := &builder{code: c, opts: o, lanes: n, n: n, oneItem: f.Lanes == 1, pool: &pool{}, consts: t.consts}
	v := &vectors{builder: b, joined: t.joined, cuts: t.cuts, wider: t.wider, bytes: t.bytes}
	x := &values{arithmetic: &arithmetic{&masks{v}}, f: f}
	x.out = &Code{Level: o.Level, Lanes: f.Lanes, Roots: f.Roots, Accesses: f.Accesses, SeveralRows: SeveralRows{RowsAtOnce: max(f.Rows, 1)}, Prefetching: Prefetching{f.Far}, Gangs: !f.Groups && !f.Waits, Groups: f.Groups}
	a := &addresses{values: x, limits: t.limits}
	return &lowerer{memory: &memory{accesses: &accesses{a}}}
}

// size returns the sizes of the code.
func (l *lowerer) size() Size {
	s := Size{Registers: l.regs.NumRegs(), Blocks: len(l.blocks)}
	for _, b := range l.blocks {
		s.Insts += len(b.insts)
		if b.cold {
			s.Cold += len(b.insts)
		}
	}
	return s
}

// mergeInserts inserts the instructions that insertAt has queued for earlier positions.
func (l *lowerer) mergeInserts() {
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
		l.work.more, b.inserts = more[:0], nil
	}
}

// survey lays out the context and the private memory.
func (l *lowerer) survey() {
	if len(l.f.Accesses) > MaxAccesses {
		gang.Refuse("too many accesses")
	}
	off := CtxRoots + RootSize*len(l.f.Roots)
	for _, p := range l.f.Params {
		l.out.Params = append(l.out.Params, [2]int{off, p.N})
		off += 8 * p.N
	}
	l.out.CtxSize = off
	l.layoutSums()
	if l.f.Rows > 1 {
		l.findWritten()
	}
	l.layoutPrivate()
	l.layoutHostCalls()
}

// findWritten finds the roots that a gang of several rows writes.
func (l *lowerer) findWritten() {
	read, written := make([]bool, len(l.f.Roots)), make([]bool, len(l.f.Roots))
	for _, i := range l.f.Insts() {
		switch i.Op {
		case gang.OpLoad:
			read[i.Root] = true
		case gang.OpStore:
			written[i.Root] = true
		}
	}
	for i := range l.f.Roots {
		if written[i] {
			l.out.Written = append(l.out.Written, i)
			l.out.Updates = l.out.Updates || read[i]
		}
	}
}

func rootAt(i, off int) mem { return ctxAt(int32(CtxRoots + RootSize*i + off)) }

func size(k ssa.Kind) int { return k.Num().Size() }

var inverse = map[asm.Op]asm.Op{asm.JE: asm.JNE, asm.JNE: asm.JE, asm.JL: asm.JGE, asm.JLE: asm.JG, asm.JB: asm.JAE, asm.JBE: asm.JA,
	asm.JGE: asm.JL, asm.JG: asm.JLE, asm.JAE: asm.JB, asm.JA: asm.JBE}
