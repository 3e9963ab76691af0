package ssa

import (
	"slices"

	"github.com/purecl/purecl/internal/front/diag"
)

// A Module is a compiled translation unit.
type Module struct {
	Funcs   []*Func
	Globals []*Global
	Source  *diag.Source
}

// Func returns the function of that name or nil.
func (m *Module) Func(name string) *Func {
	for _, f := range m.Funcs {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// A Global is a variable of program scope, or a local variable of a kernel, which has one instance per
// work-group.
type Global struct {
	Name   string
	Kind   Kind // PtrConstant, PtrGlobal or PtrLocal: the kind of its address
	Size   int64
	Align  int64
	Init   []byte  // initial bytes; zeros follow if it is shorter than Size; nil for local memory (uninitialised)
	Relocs []Reloc // pointers inside Init
	Type   string  // its type as spelled, for reports
	Extern bool    // declared here, defined in another module
	Pos    diag.Pos
}

// A Reloc is a pointer to another variable within an initializer.
type Reloc struct {
	Off    int64 // in the initializer
	Target *Global
	Addend int64
}

// A Func is a function: Blocks[0] is the entry and has no predecessors.
type Func struct {
	Name   string
	Params []*Value // OpParam values, in order at the start of the entry block
	Result Type
	Blocks []*Block
	Kernel *Kernel // nil if the function is not a kernel
	Module *Module
	Pos    diag.Pos
	Attrs  FuncAttrs
	Debug  *DebugInfo // nil unless requested

	nextValue, nextBlock int32
	slabs                *Slabs // nil: not allocated yet
}

// Slabs are blocks of memory for the parts of functions.
type Slabs struct {
	values []Value
	bits   []uint64
	blocks []Block
	lists  []*Value // lists of values in blocks
}

// Share makes the function allocate from s, which several functions may use; nil restores its own slabs. At
// most one of the functions that share slabs may grow at a time.
func (f *Func) Share(s *Slabs) { f.slabs = s }

func (f *Func) memory() *Slabs {
	if f.slabs == nil {
		f.slabs = &Slabs{}
	}
	return f.slabs
}

// FuncAttrs is a set of attributes of a function.
type FuncAttrs uint8

// The attributes.
const (
	NoInline FuncAttrs = 1 << iota
	AlwaysInline
)

// A Kernel is the information that launches need about a kernel.
type Kernel struct {
	Args          []KernelArg
	ReqdGroupSize [3]int64 // 0,0,0 if not required
	GroupSizeHint [3]int64
	// ReqdSubGroupSize is one of SubGroupSizes, 0 if not required.
	ReqdSubGroupSize int64
	// FlushSubnormals permits subnormal floats and doubles to be treated as 0 and results to be flushed to 0:
	// -cl-denorms-are-zero.
	FlushSubnormals bool
	VecTypeHint     string
	Attributes      string // the value of CL_KERNEL_ATTRIBUTES
}

// An ArgKind is the way in which a kernel argument is passed.
type ArgKind uint8

// The ways.
const (
	ArgValue    ArgKind = iota // a scalar or vector: the parameter is the value
	ArgStruct                  // a struct, union or array by value: the parameter is a PtrConstant to its bytes
	ArgGlobal                  // a pointer to a buffer
	ArgConstant                // a pointer to a read-only buffer
	ArgLocal                   // a pointer to local memory whose size the launch sets
	ArgImage
	ArgSampler
)

// A KernelArg describes a kernel argument, as clGetKernelArgInfo does.
type KernelArg struct {
	Name      string
	TypeName  string // as written, without qualifiers: "float4*"
	Kind      ArgKind
	Type      Type  // for ArgValue
	Size      int64 // bytes of the value; for a pointer of the pointee (0: incomplete)
	Align     int64 // alignment in bytes of the same
	Access    uint8 // types.Access
	Image     uint8 // for ArgImage: types.ImageKind
	Const     bool
	Volatile  bool
	Restrict  bool
	Pixels    bool  // the bytes of an image, all accesses to which are in bounds (package imagecode)
	ElemKind  Kind  // for a pointer: the pointee's number format, Void if it has none
	ElemLanes uint8 // for a pointer: lanes of the pointee
	// Layout describes the members of a struct or array; for a pointer, of its pointee; "" if unknown. See
	// [ParseLayout].
	Layout string
}

// A Block is a basic block: values in order, the last a terminator.
type Block struct {
	ID     int32
	Name   string // optional
	Unroll int32  // for a loop's header the source's hint: 0 none, -1 fully, 1 not, n by that factor
	Func   *Func
	Values []*Value
	Preds  []*Block // with multiplicity, in the order of phi arguments
	Succs  []*Block

	predbuf, succbuf [2]*Block
}

// Term returns the block's terminator or nil.
func (b *Block) Term() *Value {
	if n := len(b.Values); n > 0 && b.Values[n-1].Op.Has(Terminator) {
		return b.Values[n-1]
	}
	return nil
}

// A Value is an instruction and its result.
type Value struct {
	ID     int32
	Op     Op
	Flags  ValueFlags
	Type   Type
	Aux    int64 // its meaning depends on the op
	Args   []*Value
	argbuf [3]*Value // inline, so that the fields that passes read are within 64 bytes
	Block  *Block
	Pos    diag.Pos
	Bits   []uint64 // OpConst, OpSwitch
	Sym    any      // OpAlloca: *Alloca; OpGlobalAddr: *Global; OpCall: *Func; OpExtern: *Extern
	Lanes  []uint8  // OpShuffle, OpPermute
}

// ValueFlags modify an op.
type ValueFlags uint8

// The flags. Volatile, InBounds, Tested: loads and stores; Contract to NoSignedZero: float ops; Implicit: conversions.
const (
	Volatile     ValueFlags = 1 << iota // must not be merged, moved or removed
	Contract                            // a product and the sum that uses it may become an FMA, also across statements
	Reassoc                             // algebraic identities that change rounding are allowed
	NoNaNInf                            // arguments and results are finite
	NoSignedZero                        // the sign of zero does not matter
	Implicit                            // an implicit conversion of the language
	InBounds                            // in a plan: covered by the OpInside before its block
	Tested                              // in a plan: in bounds in every launch that may use the plan
)

// Approximate says that the program permits a machine's approximation, as native_ and half_ functions do. It is a flag of
// OpDiv and OpSqrt alone, which have no flag Implicit.
const Approximate = Implicit

// An Alloca is a private object.
type Alloca struct {
	Name  string
	Size  int64
	Align int64
	Type  string // its type as spelled
}

// An Extern is a function that a module calls and does not define.
type Extern struct {
	Name    string // the link name; for a builtin its overload's key
	Builtin bool   // defined by the language's library, not by the program
}

// NewFunc adds a function to the module.
func (m *Module) NewFunc(name string, result Type) *Func {
	f := &Func{Name: name, Result: result, Module: m}
	m.Funcs = append(m.Funcs, f)
	return f
}

// NewBlock adds a block to the function.
func (f *Func) NewBlock(name string) *Block {
	s := f.memory()
	if len(s.blocks) == 0 {
		s.blocks = make([]Block, 16)
	}
	b := &s.blocks[0]
	s.blocks = s.blocks[1:]
	b.ID, b.Name, b.Func = f.nextBlock, name, f
	f.nextBlock++
	if f.Blocks == nil {
		f.Blocks = make([]*Block, 0, 16)
	}
	f.Blocks = append(f.Blocks, b)
	return b
}

// Graph makes f a function of n empty blocks without edges, in the memory of an earlier call, and returns the blocks.
func (f *Func) Graph(n int) []*Block {
	f.Blocks = slices.Grow(f.Blocks[:0], n)[:n]
	for i, b := range f.Blocks {
		if b == nil {
			b = new(Block)
			f.Blocks[i] = b
		}
		*b = Block{ID: int32(i), Func: f}
	}
	f.nextBlock = int32(n)
	return f.Blocks
}

// NumValues returns an upper bound of the IDs of the function's values.
func (f *Func) NumValues() int { return int(f.nextValue) }

// NumBlocks returns an upper bound of the IDs of the function's blocks.
func (f *Func) NumBlocks() int { return int(f.nextBlock) }

// NewValue makes a value that is in no block yet.
func (f *Func) NewValue(op Op, t Type, pos diag.Pos, args ...*Value) *Value {
	s := f.memory()
	if len(s.values) == 0 {
		s.values = make([]Value, 64)
	}
	v := &s.values[0]
	s.values = s.values[1:]
	v.ID, v.Op, v.Type, v.Pos = f.nextValue, op, t, pos
	f.nextValue++
	v.SetArgs(args...)
	return v
}

// SetArgs replaces the arguments.
func (v *Value) SetArgs(args ...*Value) {
	switch len(args) {
	case 0:
		v.Args = nil
	case 1:
		v.argbuf[0] = args[0]
		v.Args = v.argbuf[:1]
	case 2:
		v.argbuf[0], v.argbuf[1] = args[0], args[1]
		v.Args = v.argbuf[:2]
	case 3:
		v.argbuf[0], v.argbuf[1], v.argbuf[2] = args[0], args[1], args[2]
		v.Args = v.argbuf[:3]
	default:
		v.Args = append([]*Value(nil), args...)
	}
}

// Append adds v at the end of b.
func (b *Block) Append(v *Value) *Value {
	v.Block = b
	n := len(b.Values)
	if n == cap(b.Values) {
		b.grow()
	}
	b.Values = b.Values[:n+1]
	b.Values[n] = v
	return v
}

// grow makes room in b.Values.
func (b *Block) grow() {
	const slab = 512 // of all but the first lists
	n := len(b.Values)
	room := max(2*n, 8)
	if room > slab/4 {
		b.Values = append(make([]*Value, 0, room), b.Values...)
		return
	}
	s := b.Func.memory()
	if len(s.lists) < room {
		if s.lists == nil {
			s.lists = make([]*Value, slab/4)
		} else {
			s.lists = make([]*Value, slab)
		}
	}
	list := s.lists[:n:room]
	s.lists = s.lists[room:]
	copy(list, b.Values)
	b.Values = list
}

// Link adds the edge from b to to.
func (b *Block) Link(to *Block) {
	if b.Succs == nil {
		b.Succs = b.succbuf[:0]
	}
	if to.Preds == nil {
		to.Preds = to.predbuf[:0]
	}
	b.Succs = append(b.Succs, to)
	to.Preds = append(to.Preds, b)
}

// IsConst reports whether v is a constant.
func (v *Value) IsConst() bool { return v.Op == OpConst }

// ConstElem returns the raw bits of element i of a constant.
func (v *Value) ConstElem(i int) uint64 {
	if len(v.Bits) == 1 {
		return v.Bits[0]
	}
	return v.Bits[i]
}
