package check

import (
	"github.com/purecl/purecl/internal/front/builtin"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/front/types"
)

// The parser's symbol numbers index names; tags have a separate map. Each name has a stack of its visible
// declarations, innermost first, linked through prev. The declarations of a scope are popped at its end.

// An ident is the present meaning of a name, as an ordinary identifier or as a tag (C99 6.2.3).
type ident struct {
	sym  *symbol
	lang language    // as a function name without a declaration in the program
	typ  *types.Type // builtin type, if it was looked up
}

// A language is the kind of a builtin function's name.
type language uint8

const (
	notKnown    language = iota
	notDeclared          // none
	isConversion
	isBuiltin
	isFolded // see foldedBuiltins
)

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

// A funcInfo is a function with the checker's own data about it.
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

func (c *checker) push() { c.scopes = append(c.scopes, len(c.decls)) }

func (c *checker) level() int { return len(c.scopes) }

// pop closes the innermost scope.
func (c *checker) pop() {
	start := c.scopes[len(c.scopes)-1]
	c.scopes = c.scopes[:len(c.scopes)-1]
	for i := len(c.decls) - 1; i >= start; i-- {
		s := c.decls[i]
		s.id.sym = s.prev
	}
	for _, s := range c.decls[start:] {
		c.warnUnused(s)
	}
	c.decls = c.decls[:start]
}

func (c *checker) warnUnused(s *symbol) {
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
func (c *checker) lookup(name syntax.Sym) *symbol { return c.names[name].sym }

// lookupTag returns the visible declaration of a tag, which may be builtin, or nil.
func (c *checker) lookupTag(name string) *symbol {
	if id := c.tags[name]; id != nil && id.sym != nil {
		return id.sym
	}
	return languageTag(&c.env, name)
}

// declare adds a symbol other than a tag to the innermost scope.
func (c *checker) declare(name syntax.Sym, s *symbol) { c.enterScope(&c.names[name], s) }

// declareTag adds a tag to the innermost scope.
func (c *checker) declareTag(s *symbol) {
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

func (c *checker) enterScope(id *ident, s *symbol) {
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

// language returns the kind of builtin function with this name.
func (c *checker) language(n *syntax.Name) language {
	id := &c.names[n.Sym]
	if id.lang == notKnown {
		switch {
		case isConversionName(n.Name):
			id.lang = isConversion
		case builtin.Exists(&c.env, n.Name):
			id.lang = isBuiltin
		case foldedBuiltins[n.Name] != nil:
			id.lang = isFolded
		default:
			id.lang = notDeclared
		}
	}
	return id.lang
}

// here returns the declaration of an ordinary name in the innermost scope, or nil.
func (c *checker) here(name syntax.Sym) *symbol {
	if s := c.lookup(name); s != nil && s.level == c.level() {
		return s
	}
	return nil
}

// visibleNamed returns the innermost visible declaration of an ordinary name, or nil.
func (c *checker) visibleNamed(name string) *symbol {
	for i := len(c.decls) - 1; i >= 0; i-- {
		if s := c.decls[i]; s.kind != symTag && s.name == name {
			return s
		}
	}
	return nil
}

// visible appends the visible ordinary names that keep accepts, innermost scope first.
func (c *checker) visible(keep func(*symbol) bool) (list []string) {
	for i := len(c.decls) - 1; i >= 0; i-- {
		if s := c.decls[i]; s.kind != symTag && s.kind != symBad && s.name != "" && keep(s) {
			list = append(list, s.name)
		}
	}
	return list
}
