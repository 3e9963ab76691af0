package ptx

import (
	"errors"
	"fmt"
	"math"
	"math/bits"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/opt"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Entry is the name of a module's entry.
const Entry = "kernel"

// A Kernel is a kernel as PTX, and what a launch must know of it.
type Kernel struct {
	Func *ssa.Func // without calls
	Text string
	// Args are the places of the kernel's parameters in the parameter block: of a root, of a
	// value as it lies in memory, or of a sampler's 8 bytes.
	Args    []int
	Globals []GlobalRoot // variables that the code names
	Limits  []Limit      // of accesses: the launch computes them
	// Block is the size of the parameter block.
	Block    int
	Accesses []*ssa.Value // what records of findings are about
	Printfs  []*ssa.Value
	Allocas  []Alloca // private objects: the numbers behind all others, in this order
	Private  int64    // bytes of private memory of a work-item
	// Linear says that a block is one row of threads, of which each finds its local id by its
	// number: sub-groups are consecutive then at the range's edges too.
	Linear    bool
	UsesLocal bool
	// Compares says that barriers compare where work-items wait, in shared memory's first
	// SharedReserved bytes.
	Compares bool
}

// A GlobalRoot is a variable whose root stands at an offset of the parameter block.
type GlobalRoot struct {
	Global *ssa.Global
	Offset int
}

// An Alloca is a private object at an offset of a work-item's private memory.
type Alloca struct {
	*ssa.Alloca
	Offset int64
}

// A Limit is a number that accesses to a root are compared with. It depends on the object's size
// alone, so that the launch computes it once for all work-items.
type Limit struct {
	Offset int  // in the parameter block
	Root   int  // of the object, in the parameter block
	Write  bool // of RootWrites, else of RootLen
	Wide   bool // 8 bytes: the first offset out of bounds; else 4: numbers in bounds, from Lo on
	Size   int64
	Scale  int64 // an access at number x is Scale·x + Disp bytes from the object's beginning
	Disp   int64
	Lo     int64
	End    int64 // numbers in the code are less: the comparison takes a greater one for a small one
}

// Value returns the number for an object of n bytes.
func (l *Limit) Value(n int64) uint64 {
	if l.Wide {
		return uint64(max(0, n-l.Size+1))
	}
	last := (n - l.Size - l.Disp) >> bits.TrailingZeros64(uint64(l.Scale))
	return uint64(min(max(0, last-l.Lo+1), l.End-l.Lo, math.MaxUint32)) // what is beyond is for the slow path to see
}

// Options say what code is like.
type Options struct {
	Target string // ".target" of the module; "": sm_70
	// Unaligned says that objects may begin at any address. Else each begins at a multiple
	// of 16.
	Unaligned bool
	// Uneven says that not all work-groups are full.
	Uneven bool
	// Blocks gives blocks with several accesses fast copies. Launches do without: with them a kernel of
	// some 5,600 had another result on an H200 than in the simulator (TestRandom, seed 4001026), and why
	// is not known.
	Blocks bool
	// Lines tells where positions are. Where it is set, .loc directives in the text name the
	// source lines of instructions.
	Lines func(diag.Pos) diag.Location
}

// An Unsupported error says what of a kernel this package has no code for.
type Unsupported struct {
	Kernel string
	Value  *ssa.Value // where, or nil
	Reason string
}

func (e *Unsupported) Error() string {
	return fmt.Sprintf("kernel %s cannot run on this GPU device: %s", e.Kernel, e.Reason)
}

// errTooLarge is the reason for kernels whose calls cannot be inlined.
var errTooLarge = errors.New("its calls cannot all be inlined")

// Compile makes PTX of a kernel, a verified function. An error is an *Unsupported.
func Compile(f *ssa.Func, o Options) (k *Kernel, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Unsupported:
			k, err = nil, r
		default:
			panic(r)
		}
	}()
	if f, err = Inlined(f); err != nil {
		return nil, err
	}
	return compile(f, o), nil
}

// Inlined returns a function without calls: f itself where it has none. An error is an
// *Unsupported.
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

func compile(f *ssa.Func, o Options) *Kernel {
	if o.Target == "" {
		o.Target = "sm_70"
	}
	g := newGenerator(f, o)
	g.function()
	g.k.Text = g.module()
	return g.k
}
