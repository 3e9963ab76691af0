package gang

import (
	"iter"
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A Class distinguishes scalars, vectors and predicates.
type Class uint8

// The classes.
const (
	NoClass   Class = iota
	Scalar          // one element
	Vector          // N elements per lane
	Predicate       // N bits per lane
)

const classLetters = "-svp"

// String returns the class's letter in the text form.
func (c Class) String() string { return classLetters[c : c+1] }

// A Type is the type of a register. Predicates have the kind ssa.Bool, vectors never do.
type Type struct {
	Class Class
	K     ssa.Kind
	N     uint8 // elements per lane, side by side; 1 for a scalar
}

// Size returns the bytes of one element.
func (t Type) Size() int { return t.K.Num().Size() }

// elements returns the number of elements of a register in a gang of that many lanes.
func (t Type) elements(lanes int) int {
	if t.Class == Scalar {
		return 1
	}
	return lanes * int(t.N)
}

// A Reg is a register of a function; 0 is none.
type Reg int32

// An Inst is an instruction. The op's row in [Ops] lists the fields that it uses.
type Inst struct {
	Op     Op
	Each   ssa.Op // the elementwise operation of OpEach, OpBranch and OpAtomic
	Shape  Shape
	Write  bool
	Stream bool // a store that may be non-temporal: nothing reads the root, and each lane stores once
	Dst    Reg
	Mask   Reg // predicate of the participating lanes; 0: all
	Args   []Reg
	Root   int32 // number of the root
	Size   int32 // bytes
	Access int32 // number of the access
	Sum    int32 // 1 + the number of the sum
	Gang   int32 // number of the gang that accesses, in a function of a work-group of known size
	Imm    int64
	Aux    int64
	Scale  int32    // bytes to multiply 32-bit offsets of lanes, or a scalar offset, by; 0: the offsets are in bytes
	Cases  []uint64 // OpSwitch's values; the numbers of elements or lanes of OpShuffle and OpPermute; see Spread
	Pos    diag.Pos // position in the source; not in the text
}

// A Block is a sequence of instructions that ends in its only terminator.
type Block struct {
	ID    int
	Insts []Inst
	Succs []*Block
	Depth int       // nesting depth of loops
	Cold  bool      // rarely executed
	Loop  *ssa.Loop // the innermost of the plan's around it; not in the text

	inserts []insert // to be merged into Insts
}

// deleteInsts is slices.DeleteFunc without copies of the instructions that stay in place.
func deleteInsts(list []Inst, del func(i *Inst) bool) []Inst {
	n := 0
	for k := range list {
		if del(&list[k]) {
			continue
		}
		if n != k {
			list[n] = list[k]
		}
		n++
	}
	clear(list[n:])
	return list[:n]
}

// Term returns the terminator.
func (b *Block) Term() *Inst { return &b.Insts[len(b.Insts)-1] }

// InnermostLoop returns the innermost loop that contains b, or nil. b may be nil.
func (b *Block) InnermostLoop() *ssa.Loop {
	if b == nil {
		return nil
	}
	return b.Loop
}

// A Root is a memory object known at build time.
type Root struct {
	Kind      RootKind
	Param     int         // number of the parameter
	WriteOnly bool        // nothing reads the memory, nor orders its stores: see [lanes.Facts.WriteOnly]
	Local     bool        // local memory of a work-group
	Large     bool        // may have MaxObject bytes and more
	Size      int         // bytes of one lane's copy, if private
	Align     int         // of one lane's copy, if private
	Elem      int         // if not 0, lanes' copies may be interleaved by elements of Elem bytes
	Name      string      // a variable's name
	Var       *ssa.Global // not in the text
}

// A Param is a parameter of the kernel.
type Param struct {
	N    int // elements
	Name string
}

// A RootKind is the kind of object that a root is.
type RootKind uint8

// The kinds of roots.
const (
	RootParam   RootKind = iota // the memory behind a pointer parameter
	RootGlobal                  // a variable of the program, or a local variable of a work-group
	RootPrivate                 // a private object, with a copy for each lane
)

var rootNames = [...]string{"param", "global", "private"}

// An Access is an operation of the kernel that can violate bounds, or that the host performs.
type Access struct {
	Value *ssa.Value // the operation; not in the text
	Name  string     // its op's name
}

// A Note describes an access of the kernel, for listings.
type Note struct {
	Value   *ssa.Value
	Pattern lanes.Pattern
	Checked lanes.Where // the place of the bounds check
	Earlier *ssa.Value  // an equal load whose result it has, or nil
}

// A Range is an interval that contains the values of a register in the lanes that execute its definition.
type Range struct{ Lo, Hi int64 }

// A Sum is an atomic operation whose intermediate results are not observed: see [lanes.Reduction]. A machine may
// accumulate the operands and apply them later: in one element, or, if the lanes change elements of their own, in a copy
// of the object, which all such operations on the object share.
type Sum struct {
	Root     int32
	RMW      ssa.RMW
	Kind     ssa.Kind
	Elements bool    // the lanes change elements of their own
	Others   []int32 // roots that must not overlap the memory of Root
}

// A Func is a kernel compiled for gangs of one length.
type Func struct {
	Name     string
	Lanes    int
	Full     bool     // all lanes are work-items
	Groups   bool     // runs once for a work-group and visits its gangs with OpNext; else runs gangs of a row
	Once     bool     // with Groups: the first block is the same for all work-groups and may run only for the first
	Rows     int      // rows of work-items that a gang covers if not 1, else 0
	Waits    bool     // runs once for each gang, and suspends it at barriers
	FirstIDs []uint64 // of a work-group of known size, whose gangs are in sequence or interleaved: by gang, the local id in dimension 0 of lane 0
	Fills    bool     // the work-group writes all of its local memory before it reads any of it
	Types    []Type
	Params   []Param
	Roots    []Root
	Accesses []Access
	Notes    []Note // in order of execution; not in the text
	Sums     []Sum
	Ranges   map[Reg]Range // intervals of integer registers that are operands of conversions and products
	Far      []int         // roots with elements that the lanes access at offsets from memory, which prefetches can bring nearer
	Forms    spmd.Forms    // the special forms of code in the function
	Blocks   []*Block      // Blocks[0] is the entry; in layout order
	mem      *memory       // of Blocks, nil if they are not from Build
}

// NewFunc returns a function without blocks.
func NewFunc(name string, lanes int) *Func {
	return &Func{Name: name, Lanes: lanes, Types: make([]Type, 1)}
}

// NewReg returns a new register.
func (f *Func) NewReg(t Type) Reg {
	f.Types = append(f.Types, t)
	return Reg(len(f.Types) - 1)
}

// NewBlock appends a block.
func (f *Func) NewBlock() *Block {
	b := &Block{ID: len(f.Blocks)}
	f.Blocks = append(f.Blocks, b)
	return b
}

// Insts returns the instructions with their blocks, in order of the layout.
func (f *Func) Insts() iter.Seq2[*Block, *Inst] {
	return func(yield func(*Block, *Inst) bool) {
		for _, b := range f.Blocks {
			for k := range b.Insts {
				if !yield(b, &b.Insts[k]) {
					return
				}
			}
		}
	}
}

// HasLoops reports whether the kernel has loops.
func (f *Func) HasLoops() bool {
	depth := 1 // of the loop over gangs
	if f.Groups {
		depth = 2
	}
	return slices.ContainsFunc(f.Blocks, func(b *Block) bool { return b.Depth > depth })
}

// Type returns a register's type, the zero Type for register 0.
func (f *Func) Type(r Reg) Type { return f.Types[r] }

// Bytes returns the bytes per lane that an access by pointers, or an atomic operation, reads or writes.
func (f *Func) Bytes(i *Inst) int {
	if i.Op == OpCopyPtr || i.Op == OpZeroPtr {
		return int(i.Size)
	}
	r := i.Dst
	if r == 0 {
		r = i.Args[1] // a store, or an atomic operation without a result
	}
	t := f.Type(r)
	return t.Size() * int(t.N)
}
