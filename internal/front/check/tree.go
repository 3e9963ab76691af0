package check

import (
	"github.com/purecl/purecl/internal/front/builtin"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/numeric"
)

// The typed tree is the input of package irgen: every name is resolved, every implicit conversion is a node, every
// constant expression is folded. It is built only for programs without errors.

// A Program is a checked translation unit.
type Program struct {
	Types   *types.Context
	Globals []*Var  // program scope, and static or local variables of functions, in order of declaration
	Funcs   []*Func // defined or used functions, in order of first declaration
	Source  *diag.Source
}

// A VarKind is the kind of a variable's storage.
type VarKind uint8

// The kinds of variables.
const (
	AutoVar   VarKind = iota // private, one instance for each work-item and activation
	ParamVar                 // a function parameter
	GlobalVar                // program scope: constant or (3.0) global; also function-scope static, extern
	LocalVar                 // __local in a kernel: one instance for each work-group
)

// A Var is a variable.
type Var struct {
	Name  string
	Kind  VarKind
	Type  types.QType // qualified; the address space is always set
	Init  Expr        // nil if there is none; of a GlobalVar a constant tree: see IsConstant nodes
	Span  diag.Span   // of its name
	Func  *Func       // the function that declares it, nil at program scope
	Align int64       // alignment in bytes, including attributes
	// Extern is set if this unit declares the variable but does not define it.
	Extern bool
	Static bool // other units cannot refer to it

	AddrTaken, Assigned, Used bool

	Data any // for irgen
}

// A Func is a function.
type Func struct {
	Name string
	// LinkName is unique in the program: Name, with the parameters' types for an overload.
	LinkName string
	Type     *types.Type // Func
	Params   []*Var
	Body     *Block // nil if it is only declared
	Kernel   *KernelAttrs
	Static   bool
	Inline   bool
	Attrs    FuncAttrs
	Span     diag.Span // of its name
	Calls    []*Func   // each callee once, in order of first call
	Labels   []*Label

	Data any // for irgen
}

// FuncAttrs are attributes of functions.
type FuncAttrs struct {
	NoInline, AlwaysInline, Convergent bool
}

// KernelAttrs are the attributes of a kernel.
type KernelAttrs struct {
	ReqdWorkGroupSize [3]int64 // 0,0,0 if absent
	ReqdSubGroupSize  int64    // 0 if absent
	WorkGroupSizeHint [3]int64
	VecTypeHint       string // the type as spelled, "" if absent
	Text              string // all attributes in the form of clGetKernelInfo(CL_KERNEL_ATTRIBUTES)
	// ParamTypes are the parameters' types as written, without qualifiers, for
	// clGetKernelArgInfo(CL_KERNEL_ARG_TYPE_NAME): "float4*".
	ParamTypes []string
}

// An Expr is a typed expression. T is the type of its value or, for an l-value, that of the object with its
// qualifiers and address space.
type Expr interface {
	Type() types.QType
	Span() diag.Span
	expr()
}

// Base is the common part of all expressions.
type Base struct {
	T types.QType
	S diag.Span
}

// Type returns the expression's type.
func (b *Base) Type() types.QType { return b.T }

// Span returns the expression's position.
func (b *Base) Span() diag.Span { return b.S }

func (*Base) expr() {}

// l-values: VarRef, Deref, Member (of an l-value), Swizzle (of an l-value, without
// duplicates), VecIndex (of an l-value), CompoundLit, StringConst (an array).
// All others are r-values.
type (
	// A Const is an arithmetic or vector constant: Bits has one element for each
	// component (or a single one: all equal), raw and zero-extended. Also a null
	// pointer or an integer converted to a pointer (one element).
	Const struct {
		Base
		Bits []uint64
	}
	// A StringConst is a string literal: an array of char in constant memory, with its final zero.
	StringConst struct {
		Base
		Data []byte
	}
	// A VarRef names a variable.
	VarRef struct {
		Base
		Var *Var
	}
	// A Deref is the object that the pointer X points to.
	Deref struct {
		Base
		X Expr
	}
	// A Member is field Field of the record X (l-value or r-value).
	Member struct {
		Base
		X     Expr
		Field *types.Field
	}
	// A Swizzle selects components Lanes of the vector X. Lane 3 of a 3-component
	// vector is undefined (from .hi, .odd). Type is scalar for a single lane.
	Swizzle struct {
		Base
		X     Expr
		Lanes []uint8
	}
	// A VecIndex is X[I] of a vector X; I is converted to ulong.
	VecIndex struct {
		Base
		X, I Expr
	}
	// A CompoundLit is an unnamed variable that is initialised where the literal occurs.
	CompoundLit struct {
		Base
		Var *Var // with Init
	}

	// A Load is the value of the l-value X (also of a whole record).
	Load struct {
		Base
		X Expr
	}
	// A Decay is the address of the first element of the array l-value X.
	Decay struct {
		Base
		X Expr
	}
	// An AddrOf is &X.
	AddrOf struct {
		Base
		X Expr
	}
	// A PtrAdd is pointer X moved by I (long, already negated for a subtraction) elements.
	PtrAdd struct {
		Base
		X, I Expr
	}
	// A PtrDiff is (X - Y) in elements, of type ptrdiff_t.
	PtrDiff struct {
		Base
		X, Y Expr
	}

	// A Convert changes the value's element kind: arithmetic to arithmetic (vectors by
	// component), scalar or pointer to bool.
	Convert struct {
		Base
		X        Expr
		Sat      bool
		Round    numeric.Round
		Implicit bool // inserted by the language's rules
	}
	// A Splat makes a vector of the scalar X.
	Splat struct {
		Base
		X Expr
	}
	// A Bitcast is as_type: the same bits in another type of the same size, including
	// from 4 components to 3; also pointer to pointer of the same address space, and
	// pointer to and from integer.
	Bitcast struct {
		Base
		X Expr
	}
	// A SpaceCast converts a pointer to one in another address space (to and from
	// generic).
	SpaceCast struct {
		Base
		X Expr
	}
	// A ToVoid discards X.
	ToVoid struct {
		Base
		X Expr
	}
	// A VectorLit is a vector literal: components of the Elems (scalars and vectors of
	// the element type) in order.
	VectorLit struct {
		Base
		Elems []Expr
	}

	// A Unary is an arithmetic operator on X, whose type is the result's.
	Unary struct {
		Base
		Op UnaryOp
		X  Expr
	}
	// A Binary is an arithmetic operator. X and Y have the result's type; for shifts Y may be any integer type with
	// the same number of components.
	Binary struct {
		Base
		Op   BinaryOp
		X, Y Expr
		// Contract is set if FP_CONTRACT allows fusing here. Constants have already been folded, with each
		// operation rounded.
		Contract bool
	}
	// A Compare is a relational operator on X and Y of one type. Scalars (pointers
	// included) give int 0 or 1, vectors 0 or -1 of the signed type of their width.
	Compare struct {
		Base
		Op   CompareOp
		X, Y Expr
	}
	// A Logical is && or || . Scalars: X and Y are of type bool (converted), Y is evaluated
	// only if needed, result int 0 or 1. Vectors: no short circuit, operands are
	// vectors, the result is 0 or -1 of the signed type of their width.
	Logical struct {
		Base
		Or   bool
		X, Y Expr
	}
	// A LNot is ! : of a scalar (X is bool) int 0 or 1, of a vector X == 0 giving 0 or -1.
	LNot struct {
		Base
		X Expr
	}
	// A Cond is C ? X : Y with a scalar C (bool): only one of X and Y is evaluated.
	// In the GNU form C ?: Y, X is nil and the value is that of C before its
	// conversion to bool (C is then a Convert to bool), converted to T.
	Cond struct {
		Base
		C, X, Y Expr
	}
	// A VecSelect is C ? X : Y with a vector C: by component, on the top bit of C.
	VecSelect struct {
		Base
		C, X, Y Expr
	}
	// A Comma is X, Y.
	Comma struct {
		Base
		X, Y Expr
	}
	// An Assign stores X in the l-value L; its value is the stored one.
	Assign struct {
		Base
		L, X Expr
	}
	// A CompoundAssign is L Op= Y: L's value is converted to Y's side's type Comp, the
	// operator applied, and the result converted back. For pointers Op is Add or Sub
	// and Y a long.
	CompoundAssign struct {
		Base
		Op       BinaryOp
		L, Y     Expr
		Comp     types.QType
		Contract bool
	}
	// An IncDec is ++L, --L, L++ or L--.
	IncDec struct {
		Base
		L         Expr
		Dec, Post bool
	}
	// A Call calls Func.
	Call struct {
		Base
		Func *Func
		Args []Expr
	}
	// A BuiltinCall calls an overload of a builtin function. Args are converted to its parameter types; the
	// additional arguments of variadic functions such as printf follow, promoted.
	BuiltinCall struct {
		Base
		Overload *builtin.Overload
		Args     []Expr
	}
	// An InitList initialises an aggregate. Members without an item are zero. Offsets are bytes from the object's
	// start; items are in ascending order, unnested.
	InitList struct {
		Base
		Items []InitItem
	}
	// A StmtExpr is the GNU ({ … }): its value is that of the last expression
	// statement, Value, or none.
	StmtExpr struct {
		Base
		Body  *Block
		Value Expr
	}
)

// An InitItem is one initialised part of an aggregate.
type InitItem struct {
	Offset int64
	Field  *types.Field // set for a bit-field
	Value  Expr         // r-value of the part's type
}

// A UnaryOp is an arithmetic unary operator.
type UnaryOp uint8

// The unary operators.
const (
	Neg UnaryOp = iota
	BitNot
)

// A BinaryOp is an arithmetic binary operator.
type BinaryOp uint8

// The binary operators.
const (
	Add BinaryOp = iota
	Sub
	Mul
	Div
	Rem
	And
	Or
	Xor
	Shl
	Shr
)

// A CompareOp is a relational or equality operator.
type CompareOp uint8

// The comparisons.
const (
	Eq CompareOp = iota
	Ne
	Lt
	Le
	Gt
	Ge
)

// A Stmt is a typed statement.
type Stmt interface {
	Span() diag.Span
	stmt()
}

// StmtBase is the common part of all statements.
type StmtBase struct{ S diag.Span }

// Span returns the statement's position.
func (b *StmtBase) Span() diag.Span { return b.S }

func (*StmtBase) stmt() {}

type (
	// A Block is a compound statement.
	Block struct {
		StmtBase
		List []Stmt
	}
	// A VarStmt declares an automatic variable and runs its initializer. Other variables are only in
	// Program.Globals.
	VarStmt struct {
		StmtBase
		Var *Var
	}
	// An ExprStmt evaluates X.
	ExprStmt struct {
		StmtBase
		X Expr
	}
	// An If is if (Cond) Then else Else; Cond is bool, Else may be nil.
	If struct {
		StmtBase
		Cond Expr
		Then Stmt
		Else Stmt
	}
	// A Loop is a for, while or do statement.
	Loop struct {
		StmtBase
		Init   []Stmt
		Cond   Expr // bool; nil means true
		Post   Expr // nil if there is none
		Body   Stmt
		Do     bool // the condition is tested after the body
		Unroll int  // from unroll hints: 0 none, -1 full, 1 not, n factor
	}
	// A Switch jumps to the case among Cases, or Default, or its end. X has the
	// promoted integer type.
	Switch struct {
		StmtBase
		X       Expr
		Body    Stmt
		Cases   []*Case
		Default *Case
	}
	// A Case is a case or default label before the next statement. Lo..Hi are values of
	// the switch's type as raw bits.
	Case struct {
		StmtBase
		Lo, Hi  uint64
		Default bool
		Body    Stmt
		Data    any // for irgen
	}
	// A Label is a named label before Body.
	Label struct {
		StmtBase
		Name string
		Body Stmt
		Used bool
		Data any // for irgen
	}
	// A Goto jumps to Label.
	Goto struct {
		StmtBase
		Label *Label
	}
	// A Break leaves the innermost loop or switch.
	Break struct{ StmtBase }
	// A Continue continues the innermost loop.
	Continue struct{ StmtBase }
	// A Return leaves the function; X may be nil.
	Return struct {
		StmtBase
		X Expr
	}
)
