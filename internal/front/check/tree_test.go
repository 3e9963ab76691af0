package check

import (
	"fmt"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/front/types"
)

// A verifier checks the invariants of the typed tree in tree.go.
type verifier struct {
	bad  []string
	seen map[*Var]bool
}

func (v *verifier) errorf(format string, args ...any) {
	v.bad = append(v.bad, fmt.Sprintf(format, args...))
}

// verify returns the violated invariants of a program.
func verify(p *Program) []string {
	v := &verifier{seen: map[*Var]bool{}}
	for _, g := range p.Globals {
		v.variable(g)
		if g.Init != nil && g.Kind == GlobalVar {
			v.static(g.Init, g.Name)
		}
	}
	for _, f := range p.Funcs {
		for i, a := range f.Params {
			if a.Type.Type != f.Type.Params[i].Type || a.Type.Space != types.Private {
				v.errorf("%s: parameter %d has type %s", f.Name, i, a.Type)
			}
		}
		if f.Body != nil {
			v.stmt(f.Body, f)
		}
	}
	return v.bad
}

func (v *verifier) variable(x *Var) {
	if v.seen[x] {
		return
	}
	v.seen[x] = true
	if x.Type.Space == types.NoSpace || x.Type.Size() < 0 && !x.Extern || x.Align < 1 {
		v.errorf("variable %s: type %s, alignment %d", x.Name, x.Type, x.Align)
	}
	if x.Init != nil {
		v.value(x.Init, x.Type.Type, "initializer of "+x.Name)
	}
}

// static requires an initializer made of constants and addresses.
func (v *verifier) static(e Expr, name string) {
	switch e := e.(type) {
	case *Const, *StringConst:
	case *InitList:
		for _, it := range e.Items {
			v.static(it.Value, name)
		}
	case *AddrOf:
	case *Decay:
	case *PtrAdd:
		v.static(e.X, name)
		v.static(e.I, name)
	case *Bitcast:
		v.static(e.X, name)
	case *SpaceCast:
		v.static(e.X, name)
	default:
		v.errorf("static initializer of %s has a %T", name, e)
	}
}

// value requires an r-value of type t (nil: any) and checks its parts.
func (v *verifier) value(e Expr, t *types.Type, what string) {
	if e == nil {
		v.errorf("%s: missing", what)
		return
	}
	q := e.Type()
	if _, ok := e.(*InitList); !ok && isLvalue(e) {
		v.errorf("%s: %T is an l-value", what, e)
	}
	if q.Quals != (types.Quals{}) {
		v.errorf("%s: %T has qualified type %s", what, e, q)
	}
	if t != nil && q.Type != t {
		v.errorf("%s: %T has type %s, want %s", what, e, q, t)
	}
	v.expr(e)
}

func (v *verifier) lvalue(e Expr, what string) {
	if !isLvalue(e) {
		v.errorf("%s: %T is no l-value", what, e)
	}
	if e.Type().Space == types.NoSpace {
		v.errorf("%s: %T has no address space", what, e)
	}
	v.expr(e)
}

func (v *verifier) either(e Expr, what string) {
	if isLvalue(e) {
		v.lvalue(e, what)
	} else {
		v.value(e, nil, what)
	}
}

var (
	intType  = types.ScalarType(types.Int)
	longType = types.ScalarType(types.Long)
	boolType = types.ScalarType(types.Bool)
)

func (v *verifier) expr(e Expr) {
	t := e.Type().Type
	if t.IsInvalid() {
		v.errorf("%T has the invalid type", e)
		return
	}
	switch e := e.(type) {
	case *Const:
		if n := len(e.Bits); n != 1 && n != t.Lanes() {
			v.errorf("constant of type %s has %d elements", t, n)
		}
		for _, b := range e.Bits {
			if t.Num() != 0 && truncate(t.Num(), b) != b {
				v.errorf("constant %#x does not fit %s", b, t)
			}
		}
	case *StringConst:
		if t.Len != int64(len(e.Data)) {
			v.errorf("string of type %s has %d bytes", t, len(e.Data))
		}
	case *VarRef:
		v.variable(e.Var)
		if e.Var.Type.Type != t {
			v.errorf("reference of type %s to %s %s", t, e.Var.Type, e.Var.Name)
		}
	case *Deref:
		v.value(e.X, nil, "deref")
		if e.X.Type().Elem != e.T {
			v.errorf("deref of %s is %s", e.X.Type(), e.T)
		}
	case *Member:
		v.either(e.X, "member")
	case *Swizzle:
		v.either(e.X, "swizzle")
		if types.VectorType(e.X.Type().Elem.Type, len(e.Lanes)) != t {
			v.errorf("%d lanes of %s give %s", len(e.Lanes), e.X.Type(), t)
		}
	case *VecIndex:
		v.either(e.X, "vector index")
		v.value(e.I, types.ScalarType(types.ULong), "vector index")
	case *CompoundLit:
		v.variable(e.Var)
	case *Load:
		v.lvalue(e.X, "load")
		if e.X.Type().Type != t {
			v.errorf("load of %s gives %s", e.X.Type(), t)
		}
		if s, ok := e.X.(*Swizzle); ok && hasDuplicates(s.Lanes) {
			v.errorf("load of duplicate lanes")
		}
	case *Decay:
		v.lvalue(e.X, "decay")
	case *AddrOf:
		v.lvalue(e.X, "address")
		if t.Elem.Type != e.X.Type().Type || t.Elem.Space != e.X.Type().Space {
			v.errorf("address of %s is %s", e.X.Type(), t)
		}
	case *PtrAdd:
		v.value(e.X, t, "pointer add")
		v.value(e.I, longType, "pointer add")
	case *PtrDiff:
		v.value(e.X, nil, "pointer difference")
		v.value(e.Y, nil, "pointer difference")
	case *Convert:
		v.value(e.X, nil, "convert")
		from := e.X.Type().Type
		if from.Lanes() != t.Lanes() || from == t || t.Num() == 0 || from.Num() == 0 || from.IsPointer() && t.Kind != types.Bool || t.IsPointer() {
			v.errorf("convert %s to %s", from, t)
		}
	case *Splat:
		v.value(e.X, t.Elem.Type, "splat")
	case *Bitcast:
		v.value(e.X, nil, "bitcast")
		from := e.X.Type().Type
		if from.Size() != t.Size() || from.IsPointer() && t.IsPointer() && from.Elem.Space != t.Elem.Space {
			v.errorf("bitcast %s to %s", from, t)
		}
	case *SpaceCast:
		v.value(e.X, nil, "space cast")
		from := e.X.Type().Elem
		if from.Space == t.Elem.Space || from.Type != t.Elem.Type {
			v.errorf("space cast of %s to %s", from, t)
		}
	case *ToVoid:
		v.value(e.X, nil, "to void")
	case *VectorLit:
		n := 0
		for _, x := range e.Elems {
			v.value(x, nil, "vector literal")
			n += x.Type().Lanes()
			if x.Type().Element() != t.Elem.Type {
				v.errorf("%s in a literal of %s", x.Type(), t)
			}
		}
		if n != t.Lanes() {
			v.errorf("%d components for %s", n, t)
		}
	case *Unary:
		v.value(e.X, t, "unary")
	case *Binary:
		v.value(e.X, t, "binary")
		if e.Op == Shl || e.Op == Shr {
			v.value(e.Y, nil, "shift")
			if y := e.Y.Type(); y.Lanes() != t.Lanes() || y.Element().IsFloating() {
				v.errorf("shift of %s by %s", t, y)
			}
		} else {
			v.value(e.Y, t, "binary")
		}
	case *Compare:
		v.value(e.X, nil, "compare")
		v.value(e.Y, e.X.Type().Type, "compare")
		v.relational(e.X.Type().Type, t)
	case *Logical:
		v.value(e.X, nil, "logical")
		v.value(e.Y, e.X.Type().Type, "logical")
		if !t.IsVector() && e.X.Type().Type != boolType {
			v.errorf("logical on %s", e.X.Type())
		}
		v.relational(e.X.Type().Type, t)
	case *LNot:
		v.value(e.X, nil, "not")
		if !t.IsVector() && e.X.Type().Type != boolType {
			v.errorf("not on %s", e.X.Type())
		}
		v.relational(e.X.Type().Type, t)
	case *Cond:
		v.value(e.C, boolType, "condition")
		if e.X != nil {
			v.value(e.X, t, "condition")
		}
		v.value(e.Y, t, "condition")
	case *VecSelect:
		v.value(e.C, nil, "select")
		v.value(e.X, t, "select")
		v.value(e.Y, t, "select")
		if e.C.Type().Lanes() != t.Lanes() || e.C.Type().Elem.Size() != t.Elem.Size() {
			v.errorf("select of %s by %s", t, e.C.Type())
		}
	case *Comma:
		v.expr(e.X)
		v.value(e.Y, t, "comma")
	case *Assign:
		v.lvalue(e.L, "assign")
		v.value(e.X, e.L.Type().Type, "assign")
		if e.L.Type().Type != t {
			v.errorf("assign to %s gives %s", e.L.Type(), t)
		}
	case *CompoundAssign:
		v.lvalue(e.L, "compound assign")
		v.value(e.Y, nil, "compound assign")
		switch {
		case t.IsPointer():
			v.value(e.Y, longType, "pointer step")
		case e.Op != Shl && e.Op != Shr && e.Y.Type().Type != e.Comp.Type:
			v.errorf("compound assign computes in %s with %s", e.Comp, e.Y.Type())
		}
	case *IncDec:
		v.lvalue(e.L, "increment")
	case *Call:
		if len(e.Args) != len(e.Func.Type.Params) {
			v.errorf("call of %s with %d arguments", e.Func.Name, len(e.Args))
			return
		}
		for i, a := range e.Args {
			v.value(a, e.Func.Type.Params[i].Type, "argument")
		}
	case *BuiltinCall:
		for i, a := range e.Args {
			if i < len(e.Overload.Params) {
				v.value(a, e.Overload.Params[i].Type, e.Overload.Key)
			} else {
				v.value(a, nil, e.Overload.Key)
			}
		}
	case *InitList:
		last := int64(-1)
		for _, it := range e.Items {
			v.value(it.Value, nil, "initializer item")
			if it.Offset < last || it.Offset+it.Value.Type().Size() > t.Size() && !(t.Kind == types.Record && t.Rec.Flexible) {
				v.errorf("item at %d in %s", it.Offset, t)
			}
			last = it.Offset
		}
	case *StmtExpr:
		v.stmt(e.Body, nil)
		if e.Value != nil {
			v.value(e.Value, t, "statement expression")
		}
	default:
		v.errorf("unexpected %T", e)
	}
}

// relational checks the result type of an operator on t.
func (v *verifier) relational(t, result *types.Type) {
	want := intType
	if t.IsVector() {
		want = types.VectorType(types.ScalarOf(t.Num().SignedInt()), t.Lanes())
	}
	if result != want {
		v.errorf("relation of %s gives %s", t, result)
	}
}

func (v *verifier) cond(e Expr) {
	if e != nil {
		v.value(e, boolType, "condition")
	}
}

func (v *verifier) stmt(s Stmt, f *Func) {
	switch s := s.(type) {
	case *Block:
		for _, x := range s.List {
			v.stmt(x, f)
		}
	case *VarStmt:
		if s.Var.Kind != AutoVar {
			v.errorf("statement for variable %s", s.Var.Name)
		}
		v.variable(s.Var)
	case *ExprStmt:
		v.value(s.X, nil, "statement")
	case *If:
		v.cond(s.Cond)
		v.stmt(s.Then, f)
		if s.Else != nil {
			v.stmt(s.Else, f)
		}
	case *Loop:
		for _, x := range s.Init {
			v.stmt(x, f)
		}
		v.cond(s.Cond)
		if s.Post != nil {
			v.value(s.Post, nil, "loop step")
		}
		v.stmt(s.Body, f)
	case *Switch:
		v.value(s.X, nil, "switch")
		v.stmt(s.Body, f)
	case *Case:
		v.stmt(s.Body, f)
	case *Label:
		v.stmt(s.Body, f)
	case *Return:
		if s.X != nil && f != nil {
			v.value(s.X, f.Type.Elem.Type, "return")
		}
	case *Goto, *Break, *Continue:
	default:
		v.errorf("unexpected %T", s)
	}
}

// dump formats an expression as a list: (operator:type operands…).
func dump(e Expr) string {
	q := e.Type()
	name := strings.TrimPrefix(fmt.Sprintf("%T", e), "*check.")
	list := func(head string, parts ...Expr) string {
		var b strings.Builder
		fmt.Fprintf(&b, "(%s:%s", head, q.Unqualified())
		for _, p := range parts {
			if p == nil {
				b.WriteString(" _")
				continue
			}
			b.WriteString(" " + dump(p))
		}
		return b.String() + ")"
	}
	ops := [...]string{Add: "+", Sub: "-", Mul: "*", Div: "/", Rem: "%", And: "&", Or: "|", Xor: "^", Shl: "<<", Shr: ">>"}
	cmps := [...]string{Eq: "==", Ne: "!=", Lt: "<", Le: "<=", Gt: ">", Ge: ">="}
	switch e := e.(type) {
	case *Const:
		var b strings.Builder
		for i, x := range e.Bits {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(spellConst(q.Num(), x))
		}
		return b.String() + ":" + q.Unqualified().String()
	case *StringConst:
		return fmt.Sprintf("%q", e.Data)
	case *VarRef:
		return e.Var.Name
	case *Load:
		return "[" + dump(e.X) + "]"
	case *Swizzle:
		return list("swizzle"+fmt.Sprint(e.Lanes), e.X)
	case *Member:
		return list("."+e.Field.Name, e.X)
	case *Binary:
		op := ops[e.Op]
		if e.Contract {
			op += "c"
		}
		return list(op, e.X, e.Y)
	case *Compare:
		return list(cmps[e.Op], e.X, e.Y)
	case *Logical:
		return list(map[bool]string{true: "||", false: "&&"}[e.Or], e.X, e.Y)
	case *LNot:
		return list("!", e.X)
	case *Unary:
		return list(map[UnaryOp]string{Neg: "neg", BitNot: "~"}[e.Op], e.X)
	case *Convert:
		head := "convert"
		if e.Implicit {
			head = "implicit"
		}
		if e.Sat {
			head += "_sat"
		}
		if r := e.Round.String(); r != "" {
			head += "_" + r
		}
		return list(head, e.X)
	case *CompoundAssign:
		return list(ops[e.Op]+"="+e.Comp.String(), e.L, e.Y)
	case *Assign:
		return list("=", e.L, e.X)
	case *IncDec:
		return list(map[bool]string{true: "post", false: "pre"}[e.Post]+map[bool]string{true: "--", false: "++"}[e.Dec], e.L)
	case *Cond:
		return list("?", e.C, e.X, e.Y)
	case *VecSelect:
		return list("select", e.C, e.X, e.Y)
	case *VectorLit:
		return list("vector", e.Elems...)
	case *Call:
		return list("call "+e.Func.Name, e.Args...)
	case *BuiltinCall:
		return list("builtin "+e.Overload.Key, e.Args...)
	case *InitList:
		var b strings.Builder
		fmt.Fprintf(&b, "{%s", q.Unqualified())
		for _, it := range e.Items {
			fmt.Fprintf(&b, " %d=%s", it.Offset, dump(it.Value))
		}
		return b.String() + "}"
	case *CompoundLit:
		return "(literal " + dump(e.Var.Init) + ")"
	}
	return list(strings.ToLower(name), operands(e)...)
}

// TestTree compares the typed trees of expressions with trees written by hand from the rules of the specification.
func TestTree(t *testing.T) {
	const prelude = "typedef struct { int a; float4 v; int arr[4]; } rec;\nfloat call(float x);\n" +
		"kernel void k(global int *p, global rec *r, char c, uchar uc, short s, int i, uint u, long l, float f, double d, " +
		"int4 i4, uint4 u4, float4 f4, float3 f3, char4 c4, double4 d4, float8 f8) {\n  bool b = true; float arr[4]; rec q; local int loc[8]; "
	for _, x := range []struct{ src, want string }{
		// Usual arithmetic conversions (C99 6.3.1.8).
		{"c + s", "(+:int (implicit:int [c]) (implicit:int [s]))"},
		{"i + u", "(+:uint (implicit:uint [i]) [u])"},
		{"u + l", "(+:long (implicit:long [u]) [l])"},
		{"i * f", "(*c:float (implicit:float [i]) [f])"},
		{"f / d", "(/c:double (implicit:double [f]) [d])"},
		{"b + b", "(+:int (implicit:int [b]) (implicit:int [b]))"},
		{"-c", "(neg:int (implicit:int [c]))"},
		{"~uc", "(~:int (implicit:int [uc]))"},
		{"!f", "(!:int (implicit:bool [f]))"},
		{"c << l", "(<<:int (implicit:int [c]) [l])"},
		{"i < u", "(<:int (implicit:uint [i]) [u])"},
		{"i && f", "(&&:int (implicit:bool [i]) (implicit:bool [f]))"},
		{"i ? c : u", "(?:uint (implicit:bool [i]) (implicit:uint [c]) [u])"},
		{"i ?: u", "(?:uint (implicit:bool [i]) _ [u])"},
		// Scalar widening (OpenCL C 6.4.6).
		{"f4 + f", "(+c:float4 [f4] (splat:float4 [f]))"},
		{"f4 + i", "(+c:float4 [f4] (splat:float4 (implicit:float [i])))"},
		{"c4 + c", "(+:char4 [c4] (splat:char4 [c]))"},
		{"2 * i4", "(*:int4 2:int4 [i4])"},
		{"i4 < 0", "(<:int4 [i4] 0:int4)"},
		{"d4 == d4", "(==:long4 [d4] [d4])"},
		{"f4 && i", "(&&:int4 [f4] (splat:float4 (implicit:float [i])))"},
		{"!c4", "(!:char4 [c4])"},
		{"i4 << 1", "(<<:int4 [i4] 1:int4)"},
		{"c4 << i", "(<<:char4 [c4] (splat:int4 [i]))"},
		{"i4 ? f4 : 1", "(select:float4 [i4] [f4] 1:float4)"},
		{"i ? f4 : 1.0f", "(?:float4 (implicit:bool [i]) [f4] 1:float4)"},
		// Vector literals and components.
		{"(float4)(f, f4.yz, 1)", "(vector:float4 [f] [(swizzle[1 2]:float2 f4)] 1:float)"},
		{"(float4)(i)", "(splat:float4 (implicit:float [i]))"},
		{"(int4)(1, 2, 3, 4).wzyx", "4,3,2,1:int4"},
		{"f4.wzyx.xy", "[(swizzle[3 2]:float2 f4)]"},
		{"f4.xxyy", "(swizzle[0 0 1 1]:float4 [f4])"},
		{"f4.hi.lo", "[(swizzle[2]:float f4)]"},
		{"f3.hi", "[(swizzle[2 3]:float2 f3)]"},
		{"f8.s7A.x", ""},
		{"f8.odd.s3", "[(swizzle[7]:float f8)]"},
		{"(f4 + f4).xy", "(swizzle[0 1]:float2 (+c:float4 [f4] [f4]))"},
		{"f4[2]", "[(swizzle[2]:float f4)]"},
		{"f4[i]", "[(vecindex:float f4 (implicit:ulong [i]))]"},
		{"f4.xy = f4.zw", "(=:float2 (swizzle[0 1]:float2 f4) [(swizzle[2 3]:float2 f4)])"},
		{"r->v.x += i", "(+=float:float (swizzle[0]:float (.v:float4 (deref:rec [r]))) (implicit:float [i]))"},
		// Assignments and pointers.
		{"c += 1", "(+=int:char c 1:int)"},
		{"f *= d", "(*=double:float f [d])"},
		{"u <<= l", "(<<=uint:uint u [l])"},
		{"c = i", "(=:char c (implicit:char [i]))"},
		{"f4 = 1", "(=:float4 f4 1:float4)"},
		{"p[i]", "[(deref:int (ptradd:__global int * [p] (implicit:long [i])))]"},
		{"*p++", "[(deref:int (post++:__global int * p))]"},
		{"&p[1]", "(ptradd:__global int * [p] 1:long)"},
		{"p - i", "(ptradd:__global int * [p] (neg:long (implicit:long [i])))"},
		{"&p[2] - p", "(ptrdiff:long (ptradd:__global int * [p] 2:long) [p])"},
		{"p == 0", "(==:int [p] 0:__global int *)"},
		{"arr[1]", "[(deref:float (ptradd:__private float * (decay:__private float * arr) 1:long))]"},
		{"&arr[0] == arr", "(==:int (ptradd:__private float * (decay:__private float * arr) 0:long) (decay:__private float * arr))"},
		{"r->arr[i]", "[(deref:int (ptradd:__global int * (decay:__global int * (.arr:int[4] (deref:rec [r]))) (implicit:long [i])))]"},
		{"loc[1]", "[(deref:int (ptradd:__local int * (decay:__local int * loc) 1:long))]"},
		{"q = *r", "(=:rec q [(deref:rec [r])])"},
		{"(long)p", "(bitcast:long [p])"},
		{"(global float *)p", "(bitcast:__global float * [p])"},
		{"i, f", "(comma:float (tovoid:void [i]) [f])"},
		{"i++", "(post++:int i)"},
		{"--f4.x", "(pre--:float (swizzle[0]:float f4))"},
		// Conversions.
		{"(int)f", "(convert:int [f])"},
		{"convert_uchar4_sat_rte(f4)", "(convert_sat_rte:uchar4 [f4])"},
		{"convert_int4(i4)", "[i4]"},
		{"as_int4(f4)", "(bitcast:int4 [f4])"},
		{"as_float3(f4)", "(bitcast:float3 [f4])"},
		{"call(i)", "(call call:float (implicit:float [i]))"},
		{"fmax(f4, 1)", "(builtin fmax(float4,float):float4 [f4] 1:float)"},
		{"sqrt(f)", "(builtin sqrt(float):float [f])"},
		// Constants are folded.
		{"1 + 2 * 3 - 4 / 3", "6:int"},
		{"-7 / 2", "-3:int"},
		{"-7 % 2", "-1:int"},
		{"-7 >> 1", "-4:int"},
		{"1u - 2", "4294967295:uint"},
		{"(uchar)257", "1:uchar"},
		{"(char)200", "-56:char"},
		{"1 << 31", "-2147483648:int"},
		{"0.1f + 0.2f", "0.3:float"},
		{"1.0 / 3", "0.3333333333333333:double"},
		{"(float)(1 << 24) + 1", "1.6777216E+07:float"},
		{"(float)0x1000001", "1.6777216E+07:float"},
		{"1 > 2 || 3 && !0", "1:int"},
		{"2 ? 3u : 4", "3:uint"},
		{"sizeof(rec) + sizeof q.v.xyz", "64:ulong"},
		{"(int4)(1, 2, 3, 4) * 2 == (int4)(2, 4, 5, 8)", "-1,-1,0,-1:int4"},
		{"as_int(1.0f)", "1065353216:int"},
		{"as_float3((int4)(0x3f800000, 0, 0x40000000, 1))", "1,0,2:float3"},
		{"as_ushort2(0x12345678)", "22136,4660:ushort2"},
		{"convert_uchar4_sat_rte((float4)(-5.0f, 254.5f, 254.6f, 1.2e9f))", "0,254,255,255:uchar4"},
		{"convert_int_rtp(1.25f) + convert_int_rtn(-1.25f)", "0:int"},
		{"convert_float_rtp(0x1000001)", "1.6777218E+07:float"},
		{"0x1.8p1f", "3:float"},
		{"'a' + '\\n'", "107:int"},
		{"\"ab\" \"c\"", ""},
	} {
		src := prelude + "(void)(" + x.src + "); }"
		prog, rep := compile(t, "tree.cl", []byte(src), "-w")
		if prog == nil {
			if x.want != "" {
				t.Errorf("%s: %s", x.src, rep.Diags[0].Message)
			}
			continue
		}
		for _, b := range verify(prog) {
			t.Errorf("%s: %s", x.src, b)
		}
		f := prog.Funcs[len(prog.Funcs)-1]
		e := f.Body.List[len(f.Body.List)-1].(*ExprStmt).X.(*ToVoid).X
		if got := dump(e); x.want != "" && got != x.want {
			t.Errorf("%s:\n got %s\nwant %s", x.src, got, x.want)
		}
	}
}

// TestInitTree checks the flattening of initializers.
func TestInitTree(t *testing.T) {
	const prelude = "struct s { char c; int i[2]; struct { float x, y; } p; float4 v; };\n"
	for _, x := range []struct{ decl, want string }{
		{"constant int a[] = { 1, 2, [4] = 5, 6 };", "{int[6] 0=1:int 4=2:int 16=5:int 20=6:int}"},
		{"constant int a[2][3] = { 1, 2, 3, 4 };", "{int[2][3] 0=1:int 4=2:int 8=3:int 12=4:int}"},
		{"constant int a[2][3] = { { 1 }, { 2, 3 } };", "{int[2][3] 0=1:int 12=2:int 16=3:int}"},
		{"constant struct s a = { 'x', 1, 2, 3, 4, 5 };", "{struct s 0=120:char 4=1:int 8=2:int 12=3:float 16=4:float 32=5:float4}"},
		{"constant struct s a = { .p.y = 1, .c = 2, 3 };", "{struct s 0=2:char 4=3:int 16=1:float}"},
		{"constant struct s a[2] = { [1].i[1] = 7 };", "{struct s[2] 56=7:int}"},
		{"constant struct s a = { .v = (float4)(1, 2, 3, 4) };", "{struct s 32=1,2,3,4:float4}"},
		{"constant char a[] = \"ab\";", "{char[3] 0=97:char 1=98:char}"},
		{"constant char a[2][4] = { \"ab\", { \"c\" } };", "{char[2][4] 0=97:char 1=98:char 4=99:char}"},
		{"constant int a[2] = { 1, [0] = 2 };", "{int[2] 0=2:int}"},
		{"constant float4 a = { 1, (float2)(2, 3), 4 };", "1,2,3,4:float4"},
		{"constant union { int i; float f; } a = { .f = 1 };", "{union (anonymous) 0=1:float}"},
		{"constant float a = 3;", "3:float"},
		{"constant int b = 4; constant int *constant a = &b + 1;", "(ptradd:__constant int * (addrof:__constant int * b) 1:long)"},
		{"constant int b[2] = { 1 }; constant int *constant a[2] = { b, &b[1] };", "{__constant int *[2] 0=(decay:__constant int * b) 8=(ptradd:__constant int * (decay:__constant int * b) 1:long)}"},
	} {
		prog, rep := compile(t, "init.cl", []byte(prelude+x.decl), "-w")
		if prog == nil {
			t.Errorf("%s: %s", x.decl, rep.Diags[0].Message)
			continue
		}
		for _, b := range verify(prog) {
			t.Errorf("%s: %s", x.decl, b)
		}
		v := prog.Globals[len(prog.Globals)-1]
		got := dump(v.Init)
		got = strings.ReplaceAll(got, "const ", "")
		if got != x.want {
			t.Errorf("%s:\n got %s\nwant %s", x.decl, got, x.want)
		}
	}
}
