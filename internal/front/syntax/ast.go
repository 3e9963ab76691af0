package syntax

import (
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/token"
)

// The AST represents the source, unresolved: names are strings, types are type expressions. Package check resolves
// it to its own typed tree.

// A File is a translation unit.
type File struct {
	Decls []Decl
	Syms  int      // 1 + the greatest Sym
	End   diag.Pos // of the end-of-file token

	// Incomplete is set if syntax errors left a BadDecl, a BadStmt or a FuncDecl with Incomplete. Broken is set if
	// more is missing: then the set of declared names and their positions are unknown.
	Incomplete, Broken bool
}

// A Sym is the number of an identifier in its File, the same for the same name; 0 is none.
type Sym uint32

// Node is any node of the AST.
type Node interface{ Span() diag.Span }

type node struct{ S diag.Span }

// Span returns the node's position.
func (n *node) Span() diag.Span { return n.S }

// Decl is an external or block-scope declaration.
type Decl interface {
	Node
	decl()
}

type (
	// A VarDecl is a declaration: specifiers and any number of declarators
	// (C99 6.7). Typedefs, variables, prototypes and bare struct declarations are all this.
	VarDecl struct {
		node
		Spec  *DeclSpec
		Items []*InitDeclarator
	}
	// A FuncDecl is a function definition (C99 6.9.1).
	FuncDecl struct {
		node
		Spec       *DeclSpec
		Decl       *Declarator // Type is a *FuncType
		Body       *Block
		Incomplete bool // a syntax error precedes the body: parameters may be missing
	}
	// A PragmaDecl is an OPENCL pragma at file or block scope:
	// `OPENCL EXTENSION name : behaviour`, `OPENCL FP_CONTRACT ON`, `unroll n`.
	PragmaDecl struct {
		node
		Words []token.Token
	}
	// A StaticAssert is _Static_assert(x, "message").
	StaticAssert struct {
		node
		X   Expr
		Msg *StringLit // nil without message
	}
)

// A BadDecl replaces a declaration with a syntax error. The names that it declares are unknown.
type BadDecl struct {
	node
	Names []*Declarator
	Rest  *VarDecl // the part that was read, for tools that use incomplete trees; may be nil
}

func (*VarDecl) decl()      {}
func (*FuncDecl) decl()     {}
func (*PragmaDecl) decl()   {}
func (*StaticAssert) decl() {}
func (*BadDecl) decl()      {}

// An InitDeclarator is a declarator with an optional initializer.
type InitDeclarator struct {
	Decl *Declarator
	Init Expr // may be an *InitList; nil if there is none
}

// A Declarator is a name with the type that its declarator syntax builds around the
// declaration specifiers: the innermost TypeExpr is always the *DeclSpec.
type Declarator struct {
	node
	Name     string // "" in an abstract declarator
	Sym      Sym    // of Name
	NameSpan diag.Span
	Type     TypeExpr
	Attrs    []*Attr
	Bits     Expr // width of a bit-field, else nil
}

// Storage is a storage-class specifier.
type Storage uint8

// The storage classes.
const (
	NoStorage Storage = iota
	Typedef
	Extern
	Static
	Auto
	Register
)

// Quals is a set of type and address space qualifiers as written.
type Quals uint16

// The qualifiers.
const (
	Const Quals = 1 << iota
	Volatile
	Restrict
	Global
	Local
	Constant
	Private
	Generic
	ReadOnly
	WriteOnly
	ReadWrite
	AddressSpaces = Global | Local | Constant | Private | Generic
	Access        = ReadOnly | WriteOnly | ReadWrite
)

// A QualSet is a set of qualifiers with their positions.
type QualSet struct {
	Quals Quals
	At    []QualAt
}

// A QualAt is one written qualifier.
type QualAt struct {
	Qual Quals
	Span diag.Span
}

// TypeExpr is a type as written.
type TypeExpr interface {
	Node
	typeExpr()
}

type (
	// A DeclSpec is declaration specifiers (C99 6.7): the base type with all that surrounds it.
	DeclSpec struct {
		node
		Storage     Storage
		StorageSpan diag.Span
		Inline      bool
		Kernel      bool // kernel or __kernel
		KernelSpan  diag.Span
		Quals       QualSet
		Base        BaseType // nil where the source gave none (implicit int: an error)
		Attrs       []*Attr
		vector      bool // Base names a vector type
		pipe        bool
	}
	// A PointerType is "* quals".
	PointerType struct {
		node
		Quals QualSet
		Elem  TypeExpr
		Attrs []*Attr
		Block bool // declared with ^ (a block pointer, refused)
	}
	// An ArrayType is "[len]".
	ArrayType struct {
		node
		Quals  QualSet
		Static bool
		Star   bool
		Len    Expr // nil in []
		Elem   TypeExpr
	}
	// A FuncType is "(params)".
	FuncType struct {
		node
		Params   []*Param
		Variadic bool
		NoProto  bool // empty parentheses
		Result   TypeExpr
		Attrs    []*Attr
	}
)

func (*DeclSpec) typeExpr()    {}
func (*PointerType) typeExpr() {}
func (*ArrayType) typeExpr()   {}
func (*FuncType) typeExpr()    {}

// A Param is a parameter declaration.
type Param struct {
	node
	Spec *DeclSpec
	Decl *Declarator
}

// A TypeName is a type in a cast, sizeof, … (C99 6.7.6).
type TypeName struct {
	node
	Spec *DeclSpec
	Decl *Declarator // abstract
}

// BaseType is the type specifier of a DeclSpec.
type BaseType interface {
	Node
	baseType()
}

type (
	// A BasicType is a sequence of keywords in any order, such as unsigned long int; vector and other builtin type
	// names (float4, image2d_t, size_t) are a NamedType. The parser has checked the combination and normalised
	// alternative spellings (_Bool is bool, __signed__ is signed). A BadType replaces a missing or unknown type,
	// which was reported.
	BadType   struct{ node }
	BasicType struct {
		node
		Words []string
	}
	// A NamedType is a typedef name or a built-in type name.
	NamedType struct {
		node
		Name string
		Sym  Sym
	}
	// A RecordType is a struct or union specifier.
	RecordType struct {
		node
		Union   bool
		Tag     string
		TagSpan diag.Span
		Fields  []Decl // *VarDecl or *StaticAssert, in order; nil without body
		HasBody bool
		Attrs   []*Attr
	}
	// An EnumType is an enum specifier.
	EnumType struct {
		node
		Tag     string
		TagSpan diag.Span
		Items   []*Enumerator
		HasBody bool
		Attrs   []*Attr
	}
	// A TypeofType is typeof(expr) or typeof(type).
	TypeofType struct {
		node
		X    Expr
		Type *TypeName
	}
)

func (*BasicType) baseType()  {}
func (*BadType) baseType()    {}
func (*NamedType) baseType()  {}
func (*RecordType) baseType() {}
func (*EnumType) baseType()   {}
func (*TypeofType) baseType() {}

// An Enumerator is one constant of an enum.
type Enumerator struct {
	node
	Name  string
	Sym   Sym
	Value Expr // nil where implicit
	Attrs []*Attr
}

// An Attr is one attribute of an __attribute__((…)).
type Attr struct {
	node
	Name string // without surrounding underscores
	Args []AttrArg
}

// An AttrArg is an expression or a type (vec_type_hint(float4)).
type AttrArg struct {
	X    Expr
	Type *TypeName
}

// Expr is an expression.
type Expr interface {
	Node
	expr()
}

type (
	// A BadExpr replaces an expression with a reported syntax error. X is an operand that was read, for tools
	// that use incomplete trees; it may be nil.
	BadExpr struct {
		node
		X Expr
	}
	// A Name is an identifier in an expression.
	Name struct {
		node
		Name string
		Sym  Sym
	}
	// A NumberLit is an integer or floating constant as spelled; check evaluates it.
	NumberLit struct {
		node
		Text string
	}
	// A CharConst is a character constant as spelled.
	CharConst struct {
		node
		Text string
	}
	// A StringLit is adjacent string literals, as spelled with their quotes.
	StringLit struct {
		node
		Parts []token.Token
	}
	// A Paren is (X).
	Paren struct {
		node
		X Expr
	}
	// A Unary is a prefix operator: + - ~ ! * & ++ --.
	Unary struct {
		node
		Op token.Kind
		X  Expr
	}
	// A Postfix is X++ or X--.
	Postfix struct {
		node
		Op token.Kind
		X  Expr
	}
	// A Binary is X Op Y, the comma operator included.
	Binary struct {
		node
		Op     token.Kind
		OpSpan diag.Span
		X, Y   Expr
	}
	// An AssignExpr is X Op Y with Op = or op=.
	AssignExpr struct {
		node
		Op     token.Kind
		OpSpan diag.Span
		X, Y   Expr
	}
	// A Cond is C ? X : Y. X is nil in the GNU form C ?: Y.
	Cond struct {
		node
		C, X, Y Expr
		Quest   diag.Pos
	}
	// A Call is Fun(Args).
	Call struct {
		node
		Fun  Expr
		Args []Expr
		// Lparen and Rparen are the positions of the parentheses.
		Lparen, Rparen diag.Pos
	}
	// An Index is X[I].
	Index struct {
		node
		X, I Expr
	}
	// A Member is X.Name or X->Name; also a component selection.
	Member struct {
		node
		X        Expr
		Arrow    bool
		Name     string
		NameSpan diag.Span
	}
	// A Cast is (Type)X. If Type is a vector type and X a Paren, it is a vector literal, whose arguments are the
	// comma-separated operands inside the Paren. Postfix operators apply to a vector literal as a whole:
	// (float4)(a).x selects from the literal, (float)(a).x casts a component (as in clang 19).
	Cast struct {
		node
		Type *TypeName
		X    Expr
		// VectorLit is set if the parser knows that this is a vector literal: the type is a vector type's name or a
		// typedef of one. It may be false for a literal whose type only check can determine, such as (typeof(v))(1,
		// 2).
		VectorLit bool
	}
	// A CompoundLit is (Type){…}.
	CompoundLit struct {
		node
		Type *TypeName
		Init *InitList
	}
	// An InitList is a brace-enclosed initializer.
	InitList struct {
		node
		Items []InitItem
	}
	// A TypeOp is sizeof, alignof (_Alignof, __alignof__) or vec_step of a type or expression.
	TypeOp struct {
		node
		Op   string // "sizeof", "alignof", "vec_step"
		Type *TypeName
		X    Expr
	}
	// An Offsetof is __builtin_offsetof(Type, path).
	Offsetof struct {
		node
		Type *TypeName
		Path Expr // Member/Index chain whose root is a Name
	}
	// A StmtExpr is the GNU ({ … }).
	StmtExpr struct {
		node
		Body *Block
	}
	// A BuiltinAsType is __builtin_astype(X, Type).
	BuiltinAsType struct {
		node
		X    Expr
		Type *TypeName
	}
)

// An InitItem is one initializer with its designators.
type InitItem struct {
	Desig []Designator
	Value Expr
}

// A Designator is .Name, [Index] or the GNU range [Index ... Hi].
type Designator struct {
	Span  diag.Span
	Name  string
	Index Expr
	Hi    Expr // nil unless a range
}

func (*BadExpr) expr()       {}
func (*Name) expr()          {}
func (*NumberLit) expr()     {}
func (*CharConst) expr()     {}
func (*StringLit) expr()     {}
func (*Paren) expr()         {}
func (*Unary) expr()         {}
func (*Postfix) expr()       {}
func (*Binary) expr()        {}
func (*AssignExpr) expr()    {}
func (*Cond) expr()          {}
func (*Call) expr()          {}
func (*Index) expr()         {}
func (*Member) expr()        {}
func (*Cast) expr()          {}
func (*CompoundLit) expr()   {}
func (*InitList) expr()      {}
func (*TypeOp) expr()        {}
func (*Offsetof) expr()      {}
func (*StmtExpr) expr()      {}
func (*BuiltinAsType) expr() {}

// Stmt is a statement.
type Stmt interface {
	Node
	stmt()
}

type (
	// A Block is { … }.
	Block struct {
		node
		List   []Stmt
		Rbrace diag.Pos
	}
	// A DeclStmt is a declaration as a statement.
	DeclStmt struct {
		node
		Decl Decl
	}
	// An ExprStmt is "X;".
	ExprStmt struct {
		node
		X Expr
	}
	// An Empty is ";".
	Empty struct{ node }
	// A BadStmt replaces a statement with a syntax error. Rest is the part that was read, for tools that use
	// incomplete trees; it may be nil.
	BadStmt struct {
		node
		Rest Stmt
	}
	// An If is if (Cond) Then else Else.
	If struct {
		node
		Cond Expr
		Then Stmt
		Else Stmt
	}
	// A While is while (Cond) Body.
	While struct {
		node
		Cond  Expr
		Body  Stmt
		Attrs []*Attr
	}
	// A Do is do Body while (Cond);
	Do struct {
		node
		Body  Stmt
		Cond  Expr
		Attrs []*Attr
	}
	// A For is for (Init; Cond; Post) Body.
	For struct {
		node
		Init  Stmt // nil, *ExprStmt or *DeclStmt
		Cond  Expr
		Post  Expr
		Body  Stmt
		Attrs []*Attr // opencl_unroll_hint, or from #pragma unroll
	}
	// A Switch is switch (X) Body.
	Switch struct {
		node
		X    Expr
		Body Stmt
	}
	// A Case is case Lo: or the GNU case Lo ... Hi:, or default: (Lo nil), before Body.
	Case struct {
		node
		Lo, Hi Expr
		Body   Stmt
	}
	// A Label is Name: Body.
	Label struct {
		node
		Name     string
		NameSpan diag.Span
		Body     Stmt
	}
	// An Attributed is Attrs Body, where Body is not a loop: loops keep their own attributes.
	Attributed struct {
		node
		Attrs []*Attr
		Body  Stmt
	}
	// A Goto is goto Name;
	Goto struct {
		node
		Name     string
		NameSpan diag.Span
	}
	// A Break is break;
	Break struct{ node }
	// A Continue is continue;
	Continue struct{ node }
	// A Return is return X;
	Return struct {
		node
		X Expr
	}
)

func (*Block) stmt()      {}
func (*DeclStmt) stmt()   {}
func (*ExprStmt) stmt()   {}
func (*Empty) stmt()      {}
func (*BadStmt) stmt()    {}
func (*If) stmt()         {}
func (*While) stmt()      {}
func (*Do) stmt()         {}
func (*For) stmt()        {}
func (*Switch) stmt()     {}
func (*Case) stmt()       {}
func (*Label) stmt()      {}
func (*Attributed) stmt() {}
func (*Goto) stmt()       {}
func (*Break) stmt()      {}
func (*Continue) stmt()   {}
func (*Return) stmt()     {}
