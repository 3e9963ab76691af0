package ptx

import (
	"errors"
	"fmt"
	"math"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/opt"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Entry is the name of a module's entry function.
const Entry = "kernel"

// A Kernel is a kernel's PTX, with the facts that a launch needs.
type Kernel struct {
	Func *ssa.Func // with all calls inlined
	Text string
	// Args are the offsets of the kernel's parameters in the parameter block. A memory object has a root there, a
	// value its bytes, a sampler 8 bytes.
	Args    []int
	Globals []GlobalRoot // variables that the code accesses
	Limits  []Limit      // limits of accesses, which the launch computes
	// Block is the size of the parameter block in bytes.
	Block    int
	Accesses []*ssa.Value // the accesses that records of findings refer to, by index
	Printfs  []*ssa.Value
	Allocas  []Alloca // private objects, whose object numbers follow all others in this order
	Private  int64    // bytes of private memory for each work-item
	// Linear is set if a block must be one row of threads, from whose index each work-item computes its local id.
	// Sub-groups are then consecutive also at the range's edges.
	Linear bool
	// Items is the number of work-items that a thread runs: a block runs that many consecutive work-groups of dimension 0.
	Items     int
	UsesLocal bool
	// Compares is set if barriers compare where work-items wait, in the first SharedReserved bytes of shared
	// memory.
	Compares bool
}

// A GlobalRoot is a variable with the offset of its root in the parameter block.
type GlobalRoot struct {
	Global *ssa.Global
	Offset int
}

// An Alloca is a private object with its offset in a work-item's private memory.
type Alloca struct {
	*ssa.Alloca
	Offset int64
}

// A Limit is a number that accesses to a root are compared with. It depends on the object's size alone, so that
// each launch computes it once.
type Limit struct {
	Offset int  // of the limit in the parameter block
	Root   int  // offset of the object's root in the parameter block
	Write  bool // the bound is RootWrites, else RootLen
	Wide   bool // the limit has 8 bytes and is the first offset out of bounds; else it has 4 and is the count of numbers in bounds, from Lo on
	Size   int64
	Scale  int64 // an access at number x begins at byte Scale·x + Disp of the object
	Disp   int64
	Lo     int64
	End    int64 // exclusive upper bound of the limit: above it the 32-bit comparison would wrap
}

// Value returns the limit for an object of n bytes: 0 if no number from Lo to End is in bounds.
func (l *Limit) Value(n int64) uint64 {
	if l.Wide {
		return uint64(max(0, n-l.Size+1))
	}
	room := n - l.Size - l.Disp // of the last number in bounds, for its scale
	last := room / l.Scale
	if room < 0 {
		last = (room - l.Scale + 1) / l.Scale // rounded down
	}
	return uint64(max(0, min(last-l.Lo+1, l.End-l.Lo, math.MaxUint32))) // accesses beyond End take the slow path, which checks them exactly
}

// Options select the form of the code.
type Options struct {
	Target string // the module's ".target"; "" means sm_70
	// Unaligned is set if objects may begin at any address. Otherwise each begins at a multiple of 16.
	Unaligned bool
	// Uneven is set if some work-groups are not full.
	Uneven bool
	// Row is set if only work-groups of dimension 0 are not full.
	Row bool
	// Assume leaves out the bounds checks that a precondition is about.
	Assume Assumption
	// Items is the number of work-items that a thread should run, at most Prepared.Items; 0 is 1.
	Items int
	// Threads, if not 0, is a number of work-items that a work-group must be able to have.
	Threads int
	// Unchecked leaves out the bounds checks of accesses to known objects, to measure what they cost. Nothing
	// but bench/gpu sets it.
	Unchecked bool
	// Lines maps positions to source lines. If it is not nil, the text has .loc directives.
	Lines func(diag.Pos) diag.Location
}

// An Assumption says which precondition of a kernel a launch satisfies.
type Assumption uint8

const (
	AssumeNone  Assumption = iota
	AssumeOuter            // Prepared.Outer
	AssumeAll              // Prepared.All
)

// An Unsupported error names a construct of a kernel for which this package has no code.
type Unsupported struct {
	Kernel string
	Value  *ssa.Value // the construct, or nil
	Reason string
}

func (e *Unsupported) Error() string {
	return fmt.Sprintf("kernel %s cannot run on this GPU device: %s", e.Kernel, e.Reason)
}

// errTooLarge is the error for kernels whose calls cannot all be inlined.
var errTooLarge = errors.New("its calls cannot all be inlined")

// Compile compiles a kernel, which must be verified, to PTX. Its error is an *Unsupported.
func Compile(f *ssa.Func, o Options) (*Kernel, error) {
	p, err := Prepare(f)
	if err != nil {
		return nil, err
	}
	return p.Compile(o)
}

// A Prepared is a kernel before the choice of options.
type Prepared struct {
	// Outer is the precondition of accesses outside of loops and of atomic ones, All that of accesses in loops too. They are
	// nil if they are about no accesses, All also if it is about none in loops.
	Outer, All *Precondition
	Items      int // work-items that a thread may run if the launch satisfies Outer
	f          *ssa.Func
	assumed    [AssumeAll + 1]map[*ssa.Value]bool // the accesses that a precondition is about
}

// Prepare prepares a verified kernel for compilation. Its error is an *Unsupported.
func Prepare(f *ssa.Func) (p *Prepared, err error) {
	defer refused(&err)
	if f, err = Inlined(f); err != nil {
		return nil, err
	}
	// Every access stays: an access outside of its object has the results that the reference executor's has.
	if steps := opt.UnrollSteps(f, opt.Config{KeepAccesses: true}); steps != nil {
		f = steps
	}
	if hoisted := opt.HoistLoads(f); hoisted != nil {
		f = hoisted
	}
	p = &Prepared{f: f}
	g := newGenerator(f, Options{})
	g.findFastLoops()
	p.Outer, p.assumed[AssumeOuter] = preconditionOf(g, false)
	p.Items = itemsOf(f, p.assumed[AssumeOuter])
	if len(g.flow.Loops.All) > 0 {
		p.All, p.assumed[AssumeAll] = preconditionOf(g, true)
		if len(p.assumed[AssumeAll]) == len(p.assumed[AssumeOuter]) {
			p.All = nil
		}
	}
	return p, nil
}

// refused recovers from the panic of subject.refuse.
func refused(err *error) {
	switch r := recover().(type) {
	case nil:
	case *Unsupported:
		*err = r
	default:
		panic(r)
	}
}

// Inlined returns f with all calls inlined: f itself if it has none. Its error is an *Unsupported.
func Inlined(f *ssa.Func) (*ssa.Func, error) {
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if v.Op == ssa.OpCall {
				flat := opt.Flat(f)
				if flat == nil {
					return nil, &Unsupported{f.Name, nil, errTooLarge.Error()}
				}
				return flat, nil
			}
		}
	}
	return f, nil
}

// maxThreads is the greatest number of threads of a block on all GPUs.
const maxThreads = 1024

// Compile generates the code. Its error is an *Unsupported.
func (p *Prepared) Compile(o Options) (k *Kernel, err error) {
	defer refused(&err)
	if o.Target == "" {
		o.Target = "sm_70"
	}
	threads := o.Threads
	if o.Items > 1 { // no fewer threads than otherwise
		o.Threads = maxThreads
	}
	g := newGenerator(p.f, o)
	g.facts.assumed = p.assumed[o.Assume]
	g.function()
	if g.k.Items = max(o.Items, 1); g.k.Items > 1 && g.slow.Len() > 0 {
		o.Items, o.Threads = 1, threads
		return p.Compile(o)
	}
	g.k.Text = g.module()
	return g.k, nil
}
