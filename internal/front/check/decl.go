package check

import (
	"strings"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/front/types"
)

// declarations checks declarations of variables, typedefs and functions, and merges those of one entity. It does
// not check the bodies of functions.
type declarations struct {
	declarators
	fns []*funcInfo // all functions of the unit
	// blockFuncs are the functions declared in blocks: a later declaration in another scope refers to the same
	// functions (C99 6.2.2p4).
	blockFuncs map[syntax.Sym][]*funcInfo
}

// varDecl checks a declaration of variables, types or prototypes. In a block it emits the statements of automatic
// variables.
func (c *declarations) varDecl(d *syntax.VarDecl) {
	info := c.declSpec(d.Spec, len(d.Items) == 0)
	if len(d.Items) == 0 {
		c.emptyDecl(d)
		return
	}
	for _, it := range d.Items {
		at := c.withAttributes(info.attrs, it.Decl.Attrs, onVar)
		if ft := funcDeclarator(it.Decl); ft != nil && d.Spec.Storage != syntax.Typedef {
			c.prototype(d.Spec, it, ft, &info, at)
			continue
		}
		q := c.declaratorType(it.Decl.Type, &info, false)
		if at.extVector != 0 && at.extVectorAt != info.attrs.extVectorAt {
			q.Type = c.extVector(q.Type, at)
		}
		if d.Spec.Storage == syntax.Typedef {
			aligned := at.aligned
			if aligned == 0 {
				aligned = info.alignOf(q)
			}
			c.typedef(it, q, aligned, info.sizedIn(q))
			continue
		}
		if q.Kind == types.Func {
			c.declareFunc(it.Decl, q.Type, d.Spec, at, nil, false)
			continue
		}
		if len(at.text) > 0 {
			name, _, _ := strings.Cut(at.text[0], "(")
			c.err(diag.InvalidKernel, it.Decl.Span(), "'%s' attribute only applies to functions", name)
		}
		if info.numbered.IsValid() && info.sameBase(q) && d.Spec.Storage != syntax.Extern {
			if c.fn != nil {
				c.err(diag.MultipleSpaces, it.Decl.NameSpan, "automatic variable qualified with an invalid address space")
			} else {
				c.err(diag.ProgramScopeSpace, it.Decl.NameSpan, "program scope variable must reside in %s address space", c.programSpaces())
			}
			c.bad(it.Decl)
			continue
		}
		if s := c.variable(d.Spec, it, q, max(at.aligned, info.alignOf(q)), at.unused); s != nil {
			c.emit(s)
		}
	}
}

// emptyDecl checks a declaration without declarators, which must declare a tag.
func (c *declarations) emptyDecl(d *syntax.VarDecl) {
	switch b := d.Spec.Base.(type) {
	case *syntax.RecordType:
		if b.Tag != "" || d.Spec.Storage == syntax.Typedef {
			return
		}
	case *syntax.EnumType:
		return
	case nil:
		return
	}
	c.rep.Report(diag.MissingDeclaration, d.Span(), "declaration does not declare anything")
}

// funcDeclarator returns the function type that the declarator gives its name directly, nil if the name is not a
// function.
func funcDeclarator(d *syntax.Declarator) *syntax.FuncType {
	ft, _ := d.Type.(*syntax.FuncType)
	return ft
}

func (c *declarations) typedef(it *syntax.InitDeclarator, q types.QType, aligned int64, sized string) {
	d := it.Decl
	if q.Kind == types.Image && q.Access == types.NoAccess {
		q.Type = types.ImageType(q.Image, types.ReadOnly) // the default (6.6)
	}
	if it.Init != nil {
		c.err(diag.InvalidInitializer, it.Init.Span(), "illegal initializer (only variables can be initialized)")
	}
	if old := c.here(d.Sym); old != nil {
		if old.kind != symTypedef || !old.typ.IsInvalid() && !q.IsInvalid() && old.typ != q {
			d := c.err(diag.Redefinition, d.NameSpan, "redefinition of '%s' as different kind of symbol", d.Name)
			if old.kind == symTypedef && d != nil {
				d.Message = "typedef redefinition with different types ('" + q.String() + "' vs '" + old.typ.String() + "')"
			}
			d.Note(old.span, "previous definition is here")
			return
		}
		old.typ = q
		c.info.again(old, d.NameSpan, false)
		return
	}
	if c.takesName(d.Name, d.Sym, d.NameSpan, q) {
		return
	}
	if q.Kind == types.Record && q.Name == "" && q.Rec.Typedef == "" {
		q.Rec.Typedef = d.Name
	}
	s := c.slabs.symbol.New()
	*s = symbol{kind: symTypedef, name: d.Name, span: d.NameSpan, typ: q, aligned: aligned, sized: sized}
	c.declare(d.Sym, s)
}

// badDecl declares the names of a declaration with a syntax error.
func (c *declarations) badDecl(d *syntax.BadDecl) {
	if c.info != nil && d.Rest != nil {
		c.varDecl(d.Rest)
		return
	}
	for _, n := range d.Names {
		c.bad(n)
	}
}

// variable checks the declaration of one variable (C99 6.7; OpenCL C, "Address Space Qualifiers", 6.7); align is
// the alignment that the declaration requests. For an automatic variable it returns its statement.
func (c *declarations) variable(spec *syntax.DeclSpec, it *syntax.InitDeclarator, q types.QType, align int64, unused bool) *VarStmt {
	d := it.Decl
	name, span := d.Name, d.NameSpan
	if spec.Kernel {
		c.err(diag.InvalidKernel, spec.KernelSpan, "'kernel' attribute only applies to functions")
	}
	if spec.Inline {
		c.err(diag.InvalidStorage, spec.Span(), "'inline' can only appear on functions")
	}
	if name == "" {
		return nil
	}
	if c.takesName(name, d.Sym, span, types.QType{}) {
		return nil
	}
	v := c.slabs.variable.New()
	*v = Var{Name: name, Type: q, Span: span, Static: spec.Storage == syntax.Static}
	if c.fn != nil {
		v.Func = c.fn.Func
	}
	ok := !q.IsInvalid() && c.variableType(v) && c.storage(v, spec, it)
	if !ok {
		if it.Init != nil {
			c.initializerAnyway(it.Init)
		}
		c.bad(d)
		return nil
	}
	sym := c.redeclare(v, spec, it)
	if sym == nil {
		s := c.slabs.symbol.New()
		*s = symbol{kind: symVar, name: name, span: span, v: v}
		c.declare(d.Sym, s)
		sym = s
		sym.used = unused
		if v.Kind != AutoVar {
			c.prog.Globals = append(c.prog.Globals, v)
		}
	} else {
		v = sym.v
		c.info.again(sym, span, it.Init != nil)
	}
	v.Align = max(v.Type.Align(), align)
	if it.Init == nil {
		c.mustInit(v, spec)
	} else {
		sym.init = true
		c.initVar(v, it.Init)
	}
	c.completeVar(v, span)
	if sz := v.Type.Size(); sz >= maxVariable {
		c.err(diag.ObjectTooLarge, span, "variable '%s' is too large (%d bytes)", name, sz)
		return nil
	}
	if v.Kind != AutoVar {
		return nil
	}
	s := c.slabs.varStmt.New()
	s.S, s.Var = d.Span(), v
	return s
}

// maxVariable is the exclusive upper bound of a variable's size in bytes.
const maxVariable = 1 << 31

// variableType checks that the type is allowed for variables.
func (c *declarations) variableType(v *Var) bool {
	q := v.Type
	elem := q.Type
	for elem.Kind == types.Array {
		elem = elem.Elem.Type
	}
	switch {
	case q.IsVoid():
		c.err(diag.IncompleteType, v.Span, "variable has incomplete type 'void'")
	case elem.Kind == types.Image:
		c.err(diag.ImageVariable, v.Span, "type '%s' can only be used as a function parameter in OpenCL", q)
	case elem.Kind == types.Placeholder && elem.Name == "reserve_id_t":
		c.err(diag.UnsupportedPipes, v.Span, "pipes are not supported")
	case elem.Kind == types.Half && !c.enabled("cl_khr_fp16"):
		return c.halfAllowed(v.Span, "declaring variable of type '%s' is not allowed")
	default:
		return true
	}
	return false
}

// storage determines the variable's storage.
func (c *declarations) storage(v *Var, spec *syntax.DeclSpec, it *syntax.InitDeclarator) bool {
	if spec.Storage == syntax.Extern {
		v.Extern = it.Init == nil
	}
	if c.fn == nil {
		return c.programScope(v, spec)
	}
	q := &v.Type
	static, extern := spec.Storage == syntax.Static, spec.Storage == syntax.Extern
	if static && (c.std < opencl.CL20 || !c.programVars()) {
		c.err(diag.StaticVariable, v.Span, "variables in function scope cannot be declared static")
		return false
	}
	if q.Kind == types.Sampler {
		// A sampler is a constant in any scope (6.15.15.1).
		if q.Space == types.Local || q.Space == types.Global {
			c.err(diag.InvalidDeclarator, v.Span, "sampler type cannot be used with the __local and __global address space qualifiers")
			return false
		}
		v.Kind = AutoVar
		if q.Space == types.Constant {
			v.Kind = GlobalVar
		} else {
			q.Space = types.Private
		}
		return true
	}
	if extern || static {
		fits := q.Space == types.NoSpace && c.programVars() || q.Space == types.Constant || q.Space == types.Global && c.programVars()
		if !fits {
			what := "extern"
			if static {
				what = "static local"
			}
			c.err(diag.ProgramScopeSpace, v.Span, "%s variable must reside in %s address space", what, c.programSpaces())
			return false
		}
	}
	switch q.Space {
	case types.NoSpace, types.Private:
		if static || extern {
			v.Kind, q.Space = GlobalVar, types.Global
			return true
		}
		q.Space = types.Private
		v.Kind = AutoVar
	case types.Constant:
		v.Kind = GlobalVar
		return extern || static || c.outermost(v, "constant")
	case types.Local:
		return c.localVar(v, it)
	case types.Global:
		if !static && !extern {
			c.err(diag.GlobalInFunction, v.Span, "function scope variable cannot be declared in global address space")
			return false
		}
		v.Kind = GlobalVar
	case types.Generic:
		c.err(diag.GenericVariable, v.Span, "variable cannot be declared in the generic address space")
		return false
	}
	return true
}

// localVar checks a variable in the local address space (6.7.2).
func (c *declarations) localVar(v *Var, it *syntax.InitDeclarator) bool {
	v.Kind = LocalVar
	if !c.outermost(v, "local") {
		return false
	}
	if it.Init != nil {
		c.err(diag.LocalInitializer, v.Span, "'__local' variable cannot have an initializer")
		return false
	}
	return true
}

// programScope checks the address space of a variable at program scope (6.7.1, 6.7.3).
func (c *declarations) programScope(v *Var, spec *syntax.DeclSpec) bool {
	v.Kind = GlobalVar
	q := &v.Type
	if spec.Storage == syntax.Auto || spec.Storage == syntax.Register {
		c.err(diag.InvalidStorage, spec.StorageSpan, "illegal storage class on file-scoped variable")
		return false
	}
	if q.Kind == types.Sampler {
		if q.Space != types.NoSpace && q.Space != types.Constant {
			c.err(diag.ProgramScopeSpace, v.Span, "program scope variable must reside in constant address space")
			return false
		}
		if !q.Const && q.Space == types.NoSpace {
			c.err(diag.ProgramScopeSpace, v.Span, "global sampler requires a const or constant address space qualifier")
			return false
		}
		q.Space = types.Constant
		return true
	}
	if q.Kind == types.Event {
		c.err(diag.InvalidDeclarator, v.Span, "the event_t type cannot be used to declare a program scope variable")
		return false
	}
	switch q.Space {
	case types.Constant:
		return true
	case types.NoSpace:
		if c.programVars() {
			q.Space = types.Global
			return true
		}
	case types.Global:
		if c.programVars() {
			return true
		}
	}
	what := "program scope"
	if spec.Storage == syntax.Extern {
		what = "extern"
	}
	c.err(diag.ProgramScopeSpace, v.Span, "%s variable must reside in %s address space", what, c.programSpaces())
	return false
}

// redeclare merges a declaration with an earlier one of the same variable; it returns nil if there is none.
func (c *declarations) redeclare(v *Var, spec *syntax.DeclSpec, it *syntax.InitDeclarator) *symbol {
	old := c.here(it.Decl.Sym)
	if old == nil {
		return nil
	}
	if old.kind == symBad {
		return nil
	}
	if old.kind != symVar {
		c.err(diag.Redefinition, v.Span, "redefinition of '%s' as different kind of symbol", v.Name).Note(old.span, "previous definition is here")
		return nil
	}
	linked := spec.Storage == syntax.Extern || c.fn == nil && (old.v.Extern || !old.init || it.Init == nil)
	if !linked {
		c.redefinition(v.Name, v.Span, old)
		return nil
	}
	a, b := old.v.Type, v.Type
	if a != b {
		same := a.Quals == b.Quals && a.Kind == types.Array && b.Kind == types.Array && a.Elem == b.Elem && (a.Len < 0 || b.Len < 0)
		if !same {
			c.err(diag.ConflictingTypes, v.Span, "redeclaration of '%s' with a different type: '%s' vs '%s'", v.Name, b, a).
				Note(old.span, "previous declaration is here")
			return nil
		}
		if a.Len < 0 {
			old.v.Type = b
		}
	}
	if old.init && it.Init != nil {
		c.redefinition(v.Name, v.Span, old)
		return nil
	}
	old.v.Extern = old.v.Extern && v.Extern
	if it.Init != nil {
		old.span, old.v.Span = v.Span, v.Span
	}
	return old
}

// mustInit reports a constant without an initializer (6.7.3).
func (c *declarations) mustInit(v *Var, spec *syntax.DeclSpec) {
	if v.Type.Space == types.Constant && spec.Storage != syntax.Extern {
		c.err(diag.ConstantUninitialized, v.Span, "variable in constant address space must be initialized")
	}
}

// completeVar reports an incomplete type once the initializer is known.
func (c *declarations) completeVar(v *Var, at diag.Span) {
	if v.Type.IsInvalid() || v.Extern {
		return
	}
	if v.Type.Kind == types.Array && v.Type.Len < 0 {
		if c.fn == nil && v.Init == nil && v.Type.Space == types.Global {
			v.Type.Type = c.tc.ArrayOf(v.Type.Elem, 1) // tentative: one element (C99 6.9.2p5)
			return
		}
		c.err(diag.IncompleteType, at, "definition of variable with array type needs an explicit size or an initializer")
		v.Type = types.Q(types.InvalidType) // uses are not reported
		return
	}
	if v.Type.Size() < 0 {
		d := c.err(diag.IncompleteType, at, "variable has incomplete type '%s'", v.Type.Unqualified())
		if t := v.Type.Type; t.Kind == types.Record && t.Name != "" {
			if s := c.lookupTag(t.Name); s != nil && s.typ.Type == t {
				d.Note(s.span, "forward declaration of '%s'", t)
			}
		}
		v.Type = types.Q(types.InvalidType)
	}
}
