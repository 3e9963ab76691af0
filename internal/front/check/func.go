package check

import (
	"strings"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/front/types"
)

// prototype checks the declaration of a function without body.
func (c *declarations) prototype(spec *syntax.DeclSpec, it *syntax.InitDeclarator, ft *syntax.FuncType, info *specInfo, at *attrs) {
	if it.Init != nil {
		c.err(diag.InvalidInitializer, it.Init.Span(), "illegal initializer (only variables can be initialized)")
	}
	if ft.Variadic && it.Decl.Name == "printf" && c.std >= opencl.CL12 {
		return // it is predeclared; programs repeat it for other tools
	}
	at = c.withAttributes(at, ft.Attrs, onFunc)
	var params []paramInfo
	t, ok := c.funcType(ft, info, &params)
	if it.Decl.Name == "" {
		return
	}
	if !ok {
		c.bad(it.Decl)
		return
	}
	if c.fn != nil && spec.Storage == syntax.Static {
		c.err(diag.InvalidStorage, spec.StorageSpan, "function declared in block scope cannot have 'static' storage class")
	}
	c.declareFunc(it.Decl, t, spec, at, params, false)
}

// declareFunc declares a function and merges it with earlier declarations (C99 6.7.5.3p15, 6.9.1). It returns nil
// if it conflicts with one.
func (c *declarations) declareFunc(d *syntax.Declarator, t *types.Type, spec *syntax.DeclSpec, at *attrs, params []paramInfo, define bool) *funcInfo {
	if spec.Storage != syntax.NoStorage && spec.Storage != syntax.Extern && spec.Storage != syntax.Static {
		c.err(diag.InvalidStorage, spec.StorageSpan, "illegal storage class on function")
	}
	sym := c.here(d.Sym)
	if sym == nil && c.fn != nil {
		// A declaration in a block refers to the function of program scope.
		if s := c.lookup(d.Sym); s != nil && s.kind == symFunc {
			sym = s
		}
	}
	if sym != nil && sym.kind != symFunc {
		if sym.kind != symBad {
			c.err(diag.Redefinition, d.NameSpan, "redefinition of '%s' as different kind of symbol", d.Name).Note(sym.span, "previous definition is here")
		}
		return nil
	}
	if sym == nil {
		if c.takesName(d.Name, d.Sym, d.NameSpan, types.QType{}) {
			return nil
		}
		sym = c.slabs.symbol.New()
		*sym = symbol{kind: symFunc, name: d.Name, span: d.NameSpan, fns: c.blockFuncs[d.Sym]}
		c.declare(d.Sym, sym)
	}
	f, ok := c.earlier(sym, d, t, at)
	if !ok {
		return nil
	}
	if f == nil {
		f = c.slabs.fnInfo.New()
		f.Func, f.sym, f.overloadable = c.slabs.fn.New(), sym, at.overloadable
		f.Name, f.Type, f.Span = d.Name, t, d.NameSpan
		sym.fns = append(sym.fns, f)
		c.fns = append(c.fns, f)
	}
	if c.fn != nil {
		if c.blockFuncs == nil {
			c.blockFuncs = map[syntax.Sym][]*funcInfo{}
		}
		c.blockFuncs[d.Sym] = sym.fns
	}
	return c.mergeFunc(f, d, spec, at, params, define)
}

// earlier returns the function of the symbol that a declaration with type t redeclares, nil if it declares another
// overload. It reports conflicting declarations; ok is false then.
func (c *declarations) earlier(sym *symbol, d *syntax.Declarator, t *types.Type, at *attrs) (f *funcInfo, ok bool) {
	var unmarked *funcInfo
	for _, f := range sym.fns {
		if !f.overloadable {
			unmarked = f
		}
		switch {
		case f.Type != t:
		case f.overloadable && !at.overloadable:
			c.err(diag.ConflictingTypes, d.NameSpan, "redeclaration of '%s' must have the 'overloadable' attribute", d.Name).
				Note(f.Span, "previous overload of function is here")
			return nil, false
		case !f.overloadable && at.overloadable:
			c.err(diag.ConflictingTypes, d.NameSpan, "redeclaration of '%s' must not have the 'overloadable' attribute", d.Name).
				Note(f.Span, "previous unmarked overload of function is here")
			return nil, false
		default:
			return f, true
		}
	}
	switch {
	case unmarked == nil || at.overloadable:
	case len(sym.fns) == 1:
		c.err(diag.ConflictingTypes, d.NameSpan, "conflicting types for '%s'", d.Name).Note(unmarked.Span, "previous declaration is here")
		return nil, false
	default:
		c.err(diag.ConflictingTypes, d.NameSpan, "at most one overload for a given name may lack the 'overloadable' attribute").
			Note(unmarked.Span, "previous unmarked overload of function is here")
		return nil, false
	}
	for _, f := range sym.fns {
		if sameParams(f.Type, t) {
			c.err(diag.ConflictingTypes, d.NameSpan, "functions that differ only in their return type cannot be overloaded").
				Note(f.Span, "previous declaration is here")
			return nil, false
		}
	}
	return nil, true
}

// overloaded reports whether calls of the name select among overloads.
func (s *symbol) overloaded() bool { return len(s.fns) > 1 || s.fns[0].overloadable }

func sameParams(a, b *types.Type) bool {
	if len(a.Params) != len(b.Params) {
		return false
	}
	for i := range a.Params {
		if a.Params[i] != b.Params[i] {
			return false
		}
	}
	return true
}

// mergeFunc adds the properties of a declaration to the function.
func (c *declarations) mergeFunc(f *funcInfo, d *syntax.Declarator, spec *syntax.DeclSpec, at *attrs, params []paramInfo, define bool) *funcInfo {
	if define && (f.Body != nil || f.body.open) {
		c.redefinition(d.Name, d.NameSpan, &symbol{span: f.Span})
		return nil
	}
	f.Static = f.Static || spec.Storage == syntax.Static
	f.Inline = f.Inline || spec.Inline
	f.Attrs.NoInline = f.Attrs.NoInline || at.noInline
	f.Attrs.AlwaysInline = f.Attrs.AlwaysInline || at.alwaysInline
	f.Attrs.Convergent = f.Attrs.Convergent || at.convergent
	f.sym.used = f.sym.used || at.unused
	f.used = f.used || at.unused
	if define {
		f.Span, f.sym.span = d.NameSpan, d.NameSpan
	}
	if f.paramNames == nil || define {
		f.paramNames, f.paramSpans = make([]string, len(params)), make([]diag.Span, len(params))
		for i := range params {
			f.paramNames[i], f.paramSpans[i] = params[i].name, params[i].span
		}
	}
	c.info.function(f, d.NameSpan, define)
	if spec.Kernel {
		c.kernel(f, spec, at, params)
	} else if len(at.text) > 0 && f.Kernel == nil {
		name, _, _ := strings.Cut(at.text[0], "(")
		c.err(diag.InvalidKernel, d.NameSpan, "attribute '%s' can only be applied to an OpenCL kernel function", name)
	}
	return f
}

func (c *declarations) declareParam(f *funcInfo, p *paramInfo) {
	q := p.q
	q.Space = types.Private
	if !q.IsInvalid() && q.Size() < 0 {
		c.err(diag.IncompleteType, p.span, "variable has incomplete type '%s'", q.Unqualified())
		q = types.Q(types.InvalidType)
	}
	v := c.slabs.variable.New()
	*v = Var{Name: p.name, Kind: ParamVar, Type: q, Span: p.span, Func: f.Func, Align: max(q.Align(), p.attrs.aligned)}
	f.Params = append(f.Params, v)
	if p.name == "" {
		return
	}
	if q.IsInvalid() {
		c.bad(p.decl.Decl)
		return
	}
	if old := c.here(p.decl.Decl.Sym); old != nil {
		c.err(diag.Redefinition, p.span, "redefinition of parameter '%s'", p.name).Note(old.span, "previous declaration is here")
		return
	}
	s := c.slabs.symbol.New()
	*s = symbol{kind: symVar, name: p.name, span: p.span, v: v, used: p.attrs.unused}
	c.declare(p.decl.Decl.Sym, s)
}
