package compile

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A merger merges the modules of several units, which share a Source.
type merger struct {
	partial  bool // functions and variables may stay undefined
	separate bool // the program has several units
	into     *ssa.Module

	funcs, vars   map[string]*definition // by link name
	funcRefs      []reference[*ssa.Extern]
	varRefs       []reference[*ssa.Global]
	names         map[string]*ssa.Func // functions of into, by name
	globals       map[string]*ssa.Global
	conflicts     []conflict
	sharedFuncs   map[*ssa.Func]bool // functions with external linkage
	sharedGlobals map[*ssa.Global]bool
}

// A symbol is the declaration of a function or variable in a unit.
type symbol struct {
	kind, name, link string // "function" or "variable"; the name in the source; the link name
	typ              types.QType
	span             diag.Span
}

// declaration returns the declaration in OpenCL C.
func (s *symbol) declaration() string { return s.typ.Declaration(s.name) }

// A definition is the definition of a symbol.
type definition struct {
	symbol
	fn *ssa.Func
	g  *ssa.Global
	// inline definitions may be in several units (C99 6.7.4p6).
	inline bool
}

// A reference is a unit's use of a symbol that it does not define.
type reference[T any] struct {
	symbol
	static bool // only this unit can define it
	use    T    // its use in the unit's SSA
}

// A conflict is a second definition of a symbol.
type conflict struct{ first, second *definition }

// add moves the functions and variables of a module into the merged one. It renames internal symbols whose name is
// taken.
func (m *merger) add(mod *ssa.Module, prog *check.Program) {
	if m.into == nil {
		m.into = &ssa.Module{Source: mod.Source}
		m.funcs, m.vars = map[string]*definition{}, map[string]*definition{}
		m.names, m.globals = map[string]*ssa.Func{}, map[string]*ssa.Global{}
		m.sharedFuncs, m.sharedGlobals = map[*ssa.Func]bool{}, map[*ssa.Global]bool{}
	}
	for _, f := range prog.Funcs {
		s := symbol{"function", f.Name, f.LinkName, types.Q(f.Type), f.Span}
		switch x := f.Data.(type) {
		case *ssa.Extern:
			m.funcRefs = append(m.funcRefs, reference[*ssa.Extern]{s, f.Static, x})
		case *ssa.Func:
			if !f.Static {
				m.sharedFuncs[x] = true
				m.define(m.funcs, &definition{symbol: s, fn: x, inline: f.Inline})
			}
		}
	}
	for _, v := range prog.Globals {
		g, ok := v.Data.(*ssa.Global)
		s := symbol{"variable", v.Name, v.Name, v.Type, v.Span}
		switch {
		case !ok:
		case v.Extern:
			m.varRefs = append(m.varRefs, reference[*ssa.Global]{s, v.Static, g})
		case v.Func == nil && v.Name != "" && !v.Static:
			m.sharedGlobals[g] = true
			m.define(m.vars, &definition{symbol: s, g: g})
		}
	}
	for _, f := range mod.Funcs {
		f.Module = m.into
		enter(m.names, f, m.sharedFuncs, func(f *ssa.Func) *string { return &f.Name })
	}
	for _, g := range mod.Globals {
		if !g.Extern {
			enter(m.globals, g, m.sharedGlobals, func(g *ssa.Global) *string { return &g.Name })
		}
	}
	m.into.Funcs = append(m.into.Funcs, mod.Funcs...)
	m.into.Globals = append(m.into.Globals, mod.Globals...)
}

func (m *merger) define(in map[string]*definition, d *definition) {
	old := in[d.link]
	switch {
	case old == nil || old.inline && !d.inline:
		in[d.link] = d
	case !old.inline && !d.inline:
		m.conflicts = append(m.conflicts, conflict{old, d})
	}
}

// enter adds x under its name. If the name is taken, it renames the internal one of the two symbols.
func enter[T comparable](names map[string]T, x T, shared map[T]bool, nameOf func(T) *string) {
	name := nameOf(x)
	old, taken := names[*name]
	if !taken {
		names[*name] = x
		return
	}
	if shared[x] && !shared[old] {
		names[*name] = x
		x, name = old, nameOf(old)
	}
	plain := *name
	for i := 1; taken; i++ {
		*name = fmt.Sprintf("%s.%d", plain, i)
		_, taken = names[*name]
	}
	names[*name] = x
}

// resolve binds references to the definitions of other units, and reports mismatches. It returns false after an
// error.
func (m *merger) resolve(rep *diag.Reporter) bool {
	for _, c := range m.conflicts {
		rep.Report(diag.MultipleDefinition, c.second.span, "a second definition of %s '%s'", c.second.kind, c.second.name).
			Note(c.first.span, "the first definition is here")
	}
	funcs, globals := map[*ssa.Extern]*ssa.Func{}, map[*ssa.Global]*ssa.Global{}
	at := m.uses()
	for i := range m.funcRefs {
		r := &m.funcRefs[i]
		if d := m.find(rep, &r.symbol, r.static, m.funcs, at[r.use]); d != nil {
			funcs[r.use] = d.fn
		}
	}
	for i := range m.varRefs {
		r := &m.varRefs[i]
		if !r.use.Extern { // a definition follows in the unit
			continue
		}
		if d := m.find(rep, &r.symbol, r.static, m.vars, at[r.use]); d != nil {
			globals[r.use] = d.g
		}
	}
	if rep.Failed() {
		return false
	}
	m.bind(funcs, globals)
	return true
}

// uses returns the position of the first use of each function and variable that no unit defines.
func (m *merger) uses() map[any]diag.Pos {
	if len(m.funcRefs)+len(m.varRefs) == 0 {
		return nil
	}
	at := map[any]diag.Pos{}
	note := func(sym any, pos diag.Pos) {
		if _, seen := at[sym]; !seen {
			at[sym] = pos
		}
	}
	for _, f := range m.into.Funcs {
		for _, b := range f.Blocks {
			for _, v := range b.Values {
				switch x := v.Sym.(type) {
				case *ssa.Extern:
					note(x, v.Pos)
				case *ssa.Global:
					if x.Extern {
						note(x, v.Pos)
					}
				}
			}
		}
	}
	for _, g := range m.into.Globals {
		for _, r := range g.Relocs {
			if r.Target.Extern {
				note(r.Target, g.Pos)
			}
		}
	}
	return at
}

// maxOverloads bounds the overloads in the report of an undefined function.
const maxOverloads = 4

// find returns the definition of a used symbol, nil for unused ones. It reports a definition of another type and,
// unless the module is partial, a missing definition.
func (m *merger) find(rep *diag.Reporter, s *symbol, static bool, in map[string]*definition, use diag.Pos) *definition {
	d := in[s.link]
	if static {
		d = nil
	}
	switch {
	case !use.IsValid():
		return nil
	case d == nil && !m.partial:
		m.undefined(rep, s, in, use)
		return nil
	case d != nil && !new(types.Comparison).Same(s.typ, d.typ):
		rep.Report(diag.ConflictingTypes, s.span, "%s '%s' is declared with type '%s' and defined with type '%s'", s.kind, s.name, s.typ, d.typ).
			Note(d.span, "the definition is here")
		return nil
	}
	return d
}

// undefined reports a symbol without definition.
func (m *merger) undefined(rep *diag.Reporter, s *symbol, in map[string]*definition, use diag.Pos) {
	e := rep.Report(diag.UndefinedSymbol, diag.Span{Pos: use, End: use + 1}, "undefined %s '%s'", s.kind, s.name).
		Note(s.span, "'%s' is declared here and defined nowhere", s.declaration())
	var others []*definition
	for _, d := range in {
		if d.name == s.name {
			others = append(others, d)
		}
	}
	slices.SortFunc(others, func(a, b *definition) int { return cmp.Compare(a.span.Pos, b.span.Pos) })
	for _, d := range others[:min(len(others), maxOverloads)] {
		e.Note(d.span, "another overload, '%s', is defined here", d.declaration())
	}
}

// bind replaces references.
func (m *merger) bind(funcs map[*ssa.Extern]*ssa.Func, globals map[*ssa.Global]*ssa.Global) {
	if len(m.funcRefs)+len(m.varRefs) == 0 {
		return
	}
	for _, f := range m.into.Funcs {
		for _, b := range f.Blocks {
			for _, v := range b.Values {
				switch x := v.Sym.(type) {
				case *ssa.Extern:
					if d := funcs[x]; d != nil {
						v.Op, v.Sym = ssa.OpCall, d
					}
				case *ssa.Global:
					if d := globals[x]; d != nil {
						v.Sym = d
					}
				}
			}
		}
	}
	keep := m.into.Globals[:0]
	for _, g := range m.into.Globals {
		for i := range g.Relocs {
			if d := globals[g.Relocs[i].Target]; d != nil {
				g.Relocs[i].Target = d
			}
		}
		if !g.Extern || m.partial && globals[g] == nil {
			keep = append(keep, g)
		}
	}
	m.into.Globals = keep
}
