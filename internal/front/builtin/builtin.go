package builtin

//go:generate go run ../../gen/builtins

import (
	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A Row is one builtin function with everything that the project knows about it. Rows are constant data: derived
// data is computed on first use.
type Row struct {
	Name     string
	Sigs     []string // gentype signatures, see signature.go
	Requires string   // required version, extension or feature: see requires.go
	Spec     string   // section of the specification by title and number
	Doc      string   // one line
	Flags    Flags
	Impl     Impl
	Ulp      Ulp // permitted error
	// Emit generates the call for ImplOp rows. c.Args are the arguments, one for each parameter, followed by the
	// variadic ones. The result is nil for a void function.
	Emit func(c *Emission) *ssa.Value
	// Op and Aux are parameters of Emit.
	Op  ssa.Op
	Aux int64
	// Fields of families, which braces in Name set (index.go), and of single functions.
	Round   numeric.Round // of a conversion
	Order   ssa.Order     // of an atomic function or fence without an argument for it
	RMW     ssa.RMW       // of an atomic read-modify-write function
	One     bool          // its operand is 1
	Combine string        // of a collective function: a key of collectives
	Signs   string        // of a dot product of packed integers: 's' or 'u' for each operand
	// Body is the name of the library function for ImplBody rows, if it differs from Name: see library.go.
	Body string
	// Relaxed is the function that replaces this one for floats with -cl-fast-relaxed-math; "": none is faster. Its
	// error is within the specification's table for unsafe math optimizations (7.4).
	Relaxed string
}

// Flags are properties of a builtin.
type Flags uint8

// The flags.
const (
	Variadic     Flags = 1 << iota // printf
	Convergent                     // barriers, work-group functions
	NoSideEffect                   // a call whose result is unused may be removed
	Internal                       // for the library only: programs do not see it
)

// An Impl is the implementation of a builtin.
type Impl uint8

// The implementations.
const (
	ImplNone Impl = iota // no body yet: it becomes an OpExtern; a kernel that calls it compiles but cannot be launched
	ImplOp               // Emit
	ImplBody             // a function in lib/*.cl
)

// Ulp is the permitted error of a math function in units in the last place, by type. 0 means correctly rounded, a
// negative number unbounded, and NaN that the function does not exist for the type.
type Ulp struct{ Float, Double, Half float64 }

// An Overload is a builtin with concrete types.
type Overload struct {
	Row    *Row
	Result types.QType
	Params []types.QType
	// Key is unique among overloads: the name with its parameter types, such as "fmin(float4,float)". It is the
	// function's name in the library's SSA.
	Key string

	proto *proto
}

// Impl returns the implementation of this overload: its row's, unless the library has no body for the type.
func (o *Overload) Impl() Impl {
	if o.Row.Impl == ImplBody && !hasBody(o.proto) {
		return ImplNone
	}
	return o.Row.Impl
}

// An Emission is one call of an ImplOp builtin being generated.
type Emission struct {
	B    *ssa.Builder
	Call *Overload
	Args []*ssa.Value
	// Result is the SSA type of the result.
	Result ssa.Type
}

// A Candidate is an overload that does not match a call, with the reason.
type Candidate struct {
	Overload *Overload
	// Reason is a text such as "no known conversion from 'float4' to 'int4' for argument 2". It is empty for an
	// overload that matches as well as another one: the call is ambiguous.
	Reason string
}

// An Env determines the builtins that a program sees. One Env serves one compilation; it is not safe for concurrent
// use and must not be copied.
type Env struct {
	Std   opencl.Version
	Types *types.Context
	// Enabled reports whether the program has an extension (cl_khr_fp64) or a feature
	// (__opencl_c_generic_address_space). As in clang, pragmas do not matter. The answer must not change.
	Enabled func(name string) bool

	state envState
}
