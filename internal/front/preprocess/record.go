package preprocess

import (
	"strings"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/front/token"
)

// A Record holds facts about a translation unit for tools that display a source file.
type Record struct {
	Macros   []*Macro // defined by the files and options, in order
	Uses     []MacroUse
	Includes []Include
	Skipped  []diag.Span // groups of conditionals that are not compiled

	known map[*macro]*Macro
}

// A Macro is a macro definition.
type Macro struct {
	Name   string
	Params []string  // nil for an object-like macro
	Text   string    // the replacement list
	Span   diag.Span // of the name in its #define; none for a predefined macro
}

// String returns the definition without "#define".
func (m *Macro) String() string {
	s := m.Name
	if m.Params != nil {
		s += "(" + strings.Join(m.Params, ", ") + ")"
	}
	return strings.TrimSpace(s + " " + m.Text)
}

// A MacroUse is a use of a macro's name: an invocation, #ifdef and the like.
type MacroUse struct {
	Macro *Macro
	Span  diag.Span
}

// An Include is an #include directive.
type Include struct {
	Span  diag.Span // of the header's name
	Name  string    // as written, without quotes
	Found string    // the name of the file; "" if it was not found
}

// macroOf returns the record of a definition.
func (r *Record) macroOf(m *macro) *Macro {
	if known := r.known[m]; known != nil {
		return known
	}
	n := &Macro{Name: m.name}
	if at := m.defName(); at.IsValid() {
		n.Span = at
	}
	if m.funcLike {
		n.Params = append([]string{}, m.params...)
	}
	var b strings.Builder
	for i := range m.body {
		if i > 0 && m.body[i].Flags&token.SpaceBefore != 0 {
			b.WriteByte(' ')
		}
		b.WriteString(m.body[i].Text)
	}
	n.Text = b.String()
	if r.known == nil {
		r.known = map[*macro]*Macro{}
	}
	r.known[m] = n
	return n
}

func (r *Record) define(m *macro) {
	if r != nil {
		r.Macros = append(r.Macros, r.macroOf(m))
	}
}

func (r *Record) use(m *macro, at diag.Span) {
	if r != nil && m != nil {
		r.Uses = append(r.Uses, MacroUse{r.macroOf(m), at})
	}
}

func (r *Record) include(at diag.Span, name, found string) {
	if r != nil {
		r.Includes = append(r.Includes, Include{at, name, found})
	}
}

func (r *Record) skip(from, to diag.Pos) {
	if r != nil && from < to {
		r.Skipped = append(r.Skipped, diag.Span{Pos: from, End: to})
	}
}

// lineOf returns the start of the line that contains a position; for the end of the text, that end.
func (s *scanner) lineOf(p diag.Pos) diag.Pos {
	i := int(p - s.base)
	if i >= len(s.src) {
		return p
	}
	for i > 0 && s.src[i-1] != '\n' && s.src[i-1] != '\r' {
		i--
	}
	return s.base + diag.Pos(i)
}

// Directives returns the names of the directives.
func Directives() []string { return directiveNames }

// Predefined calls f for each predefined macro of a program with these options: its name and its definition without
// "#define".
func Predefined(opts *option.Source, f func(name, definition string)) {
	rows := predefined()
	for i := range rows {
		if value, ok := rows[i].in(opts); ok {
			f(rows[i].macroName(), strings.TrimSpace(rows[i].name+" "+value))
		}
	}
	for _, m := range computedMacros {
		f(m.name, m.name)
	}
}
