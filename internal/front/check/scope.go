package check

import (
	"github.com/purecl/purecl/internal/front/builtin"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/front/types"
)

// The parser's symbol numbers index names; tags have a separate map. Each name has a stack of its visible
// declarations, innermost first, linked through prev. The declarations of a scope are popped at its end.

// scopes holds what names mean at the current position: the declarations of the open scopes and the function around
// them. It does not know the syntax of declarations: upper layers check a declaration and enter its symbol.
type scopes struct {
	operators
	names     []ident // by syntax.Sym
	tags      map[string]*ident
	decls     []*symbol // of all open scopes, in order
	starts    []int     // for each open scope, the index in decls of its first declaration
	fn        *funcInfo // the function whose body is being checked, nil at program scope
	suggested int       // number of unknown names for which a known one was searched
}

// An ident is the present meaning of a name, as an ordinary identifier or as a tag (C99 6.2.3).
type ident struct {
	sym  *symbol
	lang language    // as a function name without a declaration in the program
	typ  *types.Type // builtin type, if it was looked up
}

type symKind uint8

const (
	symVar symKind = iota
	symFunc
	symTypedef
	symEnumConst
	symTag
	symBad // declared in error: uses are not reported
)

// A symbol is one declaration of a name.
type symbol struct {
	kind  symKind
	used  bool
	init  bool // a variable with an initializer
	level int  // of the scope, 1 is program scope
	name  string
	span  diag.Span
	id    *ident
	prev  *symbol // the symbol that it hides
	v     *Var
	fns   []*funcInfo // more than one if overloadable
	typ   types.QType // for a typedef, tag or enumeration constant
	// aligned is the alignment that a typedef's attribute requests, or 0.
	aligned int64
	sized   string // for a typedef: see specInfo
	value   int64
}

// A funcInfo is a function with what only check knows about it.
type funcInfo struct {
	*Func
	sym          *symbol
	used         bool
	overloadable bool
	lastCaller   *Func
	calls        []diag.Span // position of the first call of each of Calls
	paramSpans   []diag.Span
	paramNames   []string
	body         bodyState
}

// callSpan returns the position of f's first call of g.
func (f *funcInfo) callSpan(g *Func) diag.Span {
	for i, x := range f.Calls {
		if x == g {
			return f.calls[i]
		}
	}
	return f.Span
}

// note adds a note about the declaration of s to d; text is for a declaration in the program.
func (s *symbol) note(d *diag.Diagnostic, text string) {
	if s.span.IsValid() {
		d.Note(s.span, "%s", text)
	} else {
		d.Note(diag.Span{}, "the language declares '%s'", s.name)
	}
}

// push opens a scope.
func (c *scopes) push() { c.starts = append(c.starts, len(c.decls)) }

// level returns the number of open scopes.
func (c *scopes) level() int { return len(c.starts) }

// pop closes the innermost scope.
func (c *scopes) pop() {
	start := c.starts[len(c.starts)-1]
	c.starts = c.starts[:len(c.starts)-1]
	for i := len(c.decls) - 1; i >= start; i-- {
		s := c.decls[i]
		s.id.sym = s.prev
	}
	for _, s := range c.decls[start:] {
		c.warnUnused(s)
	}
	c.decls = c.decls[:start]
}

func (c *scopes) warnUnused(s *symbol) {
	switch {
	case s.used || s.name == "" || s.level == 1 || c.incomplete:
	case s.kind == symVar && s.v.Kind == ParamVar:
		if !s.v.Used {
			c.rep.Report(diag.UnusedParameter, s.span, "unused parameter '%s'", s.name)
		}
	case s.kind == symVar && !s.v.Used:
		if s.v.Assigned {
			c.rep.Report(diag.UnusedButSetVariable, s.span, "variable '%s' set but not used", s.name)
		} else {
			c.rep.Report(diag.UnusedVariable, s.span, "unused variable '%s'", s.name)
		}
	}
}

// lookup returns the visible declaration of an ordinary name, or nil.
func (c *scopes) lookup(name syntax.Sym) *symbol { return c.names[name].sym }

// lookupTag returns the visible declaration of a tag, which may be builtin, or nil.
func (c *scopes) lookupTag(name string) *symbol {
	if id := c.tags[name]; id != nil && id.sym != nil {
		return id.sym
	}
	return languageTag(&c.env, name)
}

// declare adds a symbol other than a tag to the innermost scope.
func (c *scopes) declare(name syntax.Sym, s *symbol) { c.enterScope(&c.names[name], s) }

// declareTag adds a tag to the innermost scope.
func (c *scopes) declareTag(s *symbol) {
	id := c.tags[s.name]
	if id == nil {
		if c.tags == nil {
			c.tags = map[string]*ident{}
		}
		id = &ident{}
		c.tags[s.name] = id
	}
	c.enterScope(id, s)
}

func (c *scopes) enterScope(id *ident, s *symbol) {
	s.level = c.level()
	s.id = id
	s.prev, id.sym = id.sym, s
	c.info.declare(s)
	if s.kind == symVar {
		if s.prev != nil && s.level > 1 && s.prev.kind == symVar && s.prev.level < s.level {
			c.rep.Report(diag.Shadow, s.span, "declaration shadows a %s", shadowed(s.prev)).
				Note(s.prev.span, "previous declaration is here")
		}
	}
	c.decls = append(c.decls, s)
}

func shadowed(s *symbol) string {
	if s.level == 1 {
		return "variable at program scope"
	}
	return "local variable"
}

// here returns the declaration of an ordinary name in the innermost scope, or nil.
func (c *scopes) here(name syntax.Sym) *symbol {
	if s := c.lookup(name); s != nil && s.level == c.level() {
		return s
	}
	return nil
}

// visibleNamed returns the innermost visible declaration of an ordinary name, or nil.
func (c *scopes) visibleNamed(name string) *symbol {
	for i := len(c.decls) - 1; i >= 0; i-- {
		if s := c.decls[i]; s.kind != symTag && s.name == name {
			return s
		}
	}
	return nil
}

// visible appends the visible ordinary names that keep accepts, innermost scope first.
func (c *scopes) visible(keep func(*symbol) bool) (list []string) {
	for i := len(c.decls) - 1; i >= 0; i-- {
		if s := c.decls[i]; s.kind != symTag && s.kind != symBad && s.name != "" && keep(s) {
			list = append(list, s.name)
		}
	}
	return list
}

func (c *scopes) redefinition(name string, at diag.Span, old *symbol) {
	old.note(c.err(diag.Redefinition, at, "redefinition of '%s'", name), "previous definition is here")
}

// bad declares a name after an erroneous declaration, so that its uses are not reported. The name of a builtin type
// keeps its meaning.
func (c *scopes) bad(d *syntax.Declarator) {
	if c.fn == nil {
		if _, ok := languageType(&c.env, c.tc, d.Name); ok {
			return
		}
	}
	if d.Name != "" && c.here(d.Sym) == nil {
		c.declare(d.Sym, &symbol{kind: symBad, name: d.Name, span: d.NameSpan})
	}
}

// takesName reports a declaration at program scope that redeclares a builtin type or enumerator; typedef is the
// type in a typedef, none for other declarations. A typedef may redeclare the same type (C11 6.7 p3).
func (c *scopes) takesName(name string, sym syntax.Sym, span diag.Span, typedef types.QType) bool {
	if c.fn != nil || c.lookup(sym) != nil {
		return false
	}
	if s := c.predeclared(name); s != nil {
		s.note(c.err(diag.Redefinition, span, "redefinition of '%s' as different kind of symbol", name), "")
		return true
	}
	q, ok := languageType(&c.env, c.tc, name)
	if !ok || q == typedef {
		return false
	}
	var d *diag.Diagnostic
	if typedef.Type != nil {
		if typedef.IsInvalid() {
			return false
		}
		d = c.err(diag.Redefinition, span, "typedef redefinition with different types ('%s' vs '%s')", typedef, q)
	} else {
		d = c.err(diag.Redefinition, span, "redefinition of '%s' as different kind of symbol", name)
	}
	d.Note(diag.Span{}, "'%s' is a type of the language", name)
	return true
}

// outermost requires the outermost scope of a kernel, the only scope in a function in which local and constant
// variables may be declared (6.7.2, 6.7.3).
func (c *scopes) outermost(v *Var, space string) bool {
	switch {
	case c.fn.Kernel == nil:
		c.err(diag.LocalScope, v.Span, "non-kernel function variable cannot be declared in %s address space", space)
	case c.level() != c.fn.body.level:
		c.err(diag.LocalScope, v.Span, "variables in the %s address space can only be declared in the outermost scope of a kernel function", space)
	default:
		return true
	}
	return false
}

// maxSuggestions bounds the unknown names for which the nearest known one is searched: each search takes about a
// millisecond.
const maxSuggestions = 100

// undeclared reports an unknown name and suggests the nearest known one.
func (c *scopes) undeclared(name string, at diag.Span, call bool) {
	if c.fn != nil && c.fn.body.noParams {
		return
	}
	d := c.err(diag.UndeclaredIdentifier, at, "use of undeclared identifier '%s'", name)
	if d == nil {
		return
	}
	if need := builtin.Requirement(&c.env, name); need != "" {
		d.Note(diag.Span{}, "'%s' requires %s", name, need)
		return
	}
	if noteForeign(d, name) {
		return
	}
	if c.suggested++; c.suggested > maxSuggestions || c.info != nil {
		return
	}
	list := c.visible(func(s *symbol) bool { return s.kind == symFunc || !call && s.kind != symTypedef })
	best, ok := diag.Nearest(name, append(list, c.builtinNames()...))
	if !ok {
		if best, ok = nearestConversion(name); !ok {
			return
		}
	}
	d.Message += "; did you mean '" + best + "'?"
	d.Replace(at, best)
	if s := c.visibleNamed(best); s != nil && s.span.IsValid() {
		d.Note(s.span, "'%s' declared here", best)
	}
}
