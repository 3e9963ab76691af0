package gang

import (
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A Class says how many elements a register has.
type Class uint8

// The classes.
const (
	NoClass   Class = iota
	Scalar          // one element
	Vector          // N elements for each lane
	Predicate       // N bits for each lane
)

const classLetters = "-svp"

// String returns the class's letter in the text form.
func (c Class) String() string { return classLetters[c : c+1] }

// A Type is the type of a register. Predicates have the kind ssa.Bool, vectors never do.
type Type struct {
	Class Class
	K     ssa.Kind
	N     uint8 // elements of a lane, one after the other; 1 of a scalar
}

// Size returns the bytes of one element.
func (t Type) Size() int { return t.K.Num().Size() }

// elements returns how many elements a register has in a gang of so many lanes.
func (t Type) elements(lanes int) int {
	if t.Class == Scalar {
		return 1
	}
	return lanes * int(t.N)
}

// A Reg is a register of a function; 0 is none.
type Reg int32

// An Inst is an instruction. The op's row in [Ops] says which fields count.
type Inst struct {
	Op     Op
	Each   ssa.Op // of OpEach, OpBranch and OpAtomic: the operation on each element
	Shape  Shape
	Write  bool
	Dst    Reg
	Mask   Reg // predicate of the lanes that take part; 0: all
	Args   []Reg
	Root   int32 // number of the root
	Size   int32 // bytes
	Access int32 // number of the access
	Imm    int64
	Aux    int64
	Cases  []uint64 // of OpSwitch
	Pos    diag.Pos // in the source; not in the text
}

// A Block is a sequence of instructions that the last, a terminator, ends.
type Block struct {
	ID    int
	Insts []Inst
	Succs []*Block
	Depth int  // loops around it
	Cold  bool // rarely executed
}

// Term returns the terminator.
func (b *Block) Term() *Inst { return &b.Insts[len(b.Insts)-1] }

// A Root is a memory object that is known when code is made.
type Root struct {
	Kind  RootKind
	Param int         // number of the parameter
	Size  int         // of a private object: bytes of one lane's copy
	Name  string      // of a variable
	Var   *ssa.Global // not in the text
	Local *ssa.Value  // the alloca; not in the text
}

// A RootKind says what a root is.
type RootKind uint8

// The kinds of roots.
const (
	RootParam   RootKind = iota // what a pointer parameter points to
	RootGlobal                  // a variable of the program, or a local one of a work-group
	RootPrivate                 // a private object: each lane has a copy
)

var rootNames = [...]string{"param", "global", "private"}

// An Access is an operation of the kernel that may violate bounds, or that the host does.
type Access struct {
	Value *ssa.Value // what does it; not in the text
	Name  string     // its op
}

// A Func is a kernel for gangs of one length.
type Func struct {
	Name     string
	Lanes    int
	Full     bool // all lanes are work-items
	Groups   bool // runs once for a work-group, from gang to gang by OpNext; else for gangs side by side in a row
	Waits    bool // runs once for each gang, with barriers at which gangs wait for each other
	Types    []Type
	Roots    []Root
	Accesses []Access
	Blocks   []*Block // Blocks[0] is where the function begins; in order of layout
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

// Type returns a register's type, the zero Type of none.
func (f *Func) Type(r Reg) Type { return f.Types[r] }

// Bytes returns how many bytes of memory a lane accesses with an instruction that has an
// access number.
func (f *Func) Bytes(i *Inst) int {
	t := Type{}
	switch i.Op {
	case OpCopyPtr, OpZeroPtr:
		return int(i.Size)
	case OpStorePtr:
		t = f.Type(i.Args[1])
	case OpAtomic:
		if i.Dst == 0 {
			t = f.Type(i.Args[1])
			break
		}
		fallthrough
	default:
		t = f.Type(i.Dst)
	}
	return t.Size() * int(t.N)
}
