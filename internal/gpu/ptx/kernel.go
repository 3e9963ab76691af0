package ptx

import (
	"errors"
	"fmt"
	"math"
	"slices"

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
	// Assume, if not 0, leaves out the bounds checks that Prepared.Preconditions[Assume-1] is about.
	Assume int
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

// MaxPreconditions is the greatest number of preconditions of a kernel.
const MaxPreconditions = 3

// A Prepared is a kernel before the choice of options.
type Prepared struct {
	// Preconditions begin with the one about most accesses.
	Preconditions []*Precondition
	// Items is the number of work-items that a thread may run if the launch satisfies the first precondition.
	Items   int
	f       *ssa.Func
	hoisted *ssa.Func // for launches that satisfy a precondition: f, or f with loads moved before loops
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
	p = &Prepared{f: f, hoisted: f}
	if hoisted, loads := opt.HoistLoads(f); hoisted != nil {
		p.find(hoisted, loads)
	}
	if p.Preconditions == nil {
		p.find(f, nil)
	}
	return p, nil
}

// find finds the preconditions of f, which is p.f with some loads hoisted. It keeps the preconditions that are about all
// hoisted loads.
func (p *Prepared) find(f *ssa.Func, hoisted []*ssa.Value) {
	g := newGenerator(f, Options{})
	g.findFastLoops()
	scopes := []scope{inLoops, unproved, outside}
	if len(g.flow.Loops.All) == 0 {
		scopes = scopes[2:]
	}
	for _, s := range scopes {
		x := preconditionOf(g, s)
		switch {
		case x == nil:
		case s == inLoops && !g.covers(x.accesses):
		case slices.ContainsFunc(hoisted, func(v *ssa.Value) bool { return !x.accesses[v] && !g.provedLoad(v) }):
		case len(p.Preconditions) > 0 && len(x.accesses) == len(p.Preconditions[len(p.Preconditions)-1].accesses):
		default:
			p.Preconditions = append(p.Preconditions, x)
		}
	}
	if len(p.Preconditions) > 0 {
		p.hoisted = f
		p.Items = itemsOf(f, p.Preconditions[0].accesses)
	}
}

// covers reports whether each access is in assumed, is proved to be in bounds, or is proved by a copy of its loop.
func (g *generator) covers(assumed map[*ssa.Value]bool) bool {
	for _, b := range g.flow.Order {
		g.facts.enter(b)
		in := g.fastLoopOf(b)
		for _, v := range b.Values {
			t, write, ok := accessed(v)
			switch {
			case assumed[v] || in != nil && in.skips[v]:
			case !ok && !v.Op.Has(ssa.Reads) && !v.Op.Has(ssa.Writes):
			case !ok && v.Op != ssa.OpBarrier:
				return false
			case ok && !g.proved(v.Args[0], t, write):
				return false
			}
		}
	}
	return true
}

// proved reports whether accesses of type t at p are proved to be in bounds in the current block.
func (g *generator) proved(p *ssa.Value, t ssa.Type, write bool) bool {
	r := g.roots[p.ID]
	return r != nil && g.facts.inBounds(r, p, int64(t.Size()), write)
}

// provedLoad reports whether a load is proved to be in bounds in its block.
func (g *generator) provedLoad(v *ssa.Value) bool {
	g.facts.enter(v.Block)
	return g.proved(v.Args[0], v.Type, false)
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
	f := p.f
	if o.Assume > 0 {
		f = p.hoisted
	}
	g := newGenerator(f, o)
	if o.Assume > 0 {
		g.facts.assumed = p.Preconditions[o.Assume-1].accesses
	}
	g.function()
	if g.k.Items = max(o.Items, 1); g.k.Items > 1 && g.slow.Len() > 0 {
		o.Items, o.Threads = 1, threads
		return p.Compile(o)
	}
	g.k.Text = g.module()
	return g.k, nil
}
