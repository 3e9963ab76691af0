package compile

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A Unit is one translation unit of a program: what clCompileProgram compiles.
type Unit struct {
	Name    string
	Text    []byte
	Options *Options
}

// A LinkError says why units do not make a program.
type LinkError struct{ Problems []string }

func (e *LinkError) Error() string { return strings.Join(e.Problems, "\n") }

// Units compiles translation units into one module, as clCompileProgram and
// clLinkProgram do. opts says how the whole is optimised; partial means that functions
// may stay undefined. The error is a *[diag.List] where a unit is wrong and a
// *[LinkError] where they do not fit together.
func Units(ctx context.Context, units []Unit, partial bool, opts *Options) (res *Result, err error) {
	if opts == nil {
		opts = &Options{}
	}
	c := &compilation{ctx: ctx, opts: opts, res: &Result{Source: diag.NewSource()}}
	defer c.recover(&res, &err)
	c.rep = diag.NewReporter(c.res.Source, opts.Diag)
	m := merger{funcs: map[string]*ssa.Func{}, globals: map[string]*ssa.Global{}, static: map[*ssa.Func]bool{}}
	var diags []*diag.Diagnostic
	for _, u := range units {
		o := *u.Options
		o.Until = IRGen
		c.opts, c.rep = &o, diag.NewReporter(c.res.Source, o.Diag)
		err := c.run(u.Name, u.Text)
		diags = append(diags, c.rep.Diags...)
		c.res.Diags = diags
		if failed := err != nil && err != errStop || c.rep.Failed(); !failed {
			m.add(c.res.Module, c.res.Program)
		}
		c.release()
		if err != nil && err != errStop {
			return c.res, err
		}
		if c.rep.Failed() {
			return c.res, &diag.List{Source: c.res.Source, Diags: diags}
		}
	}
	c.opts, c.rep = opts, diag.NewReporter(c.res.Source, opts.Diag)
	c.res.Module = m.into
	err = c.link(&m, partial)
	c.res.Diags = append(diags, c.rep.Diags...)
	if err == nil && c.rep.Failed() {
		err = &diag.List{Source: c.res.Source, Diags: c.res.Diags}
	}
	return c.res, err
}

// link is the second half of the pipeline, for a merged module.
func (c *compilation) link(m *merger, partial bool) error {
	c.begin(Link)
	m.resolve()
	if m.into == nil {
		return errors.New("no units to link")
	}
	if err := library.link(m.into); err != nil {
		return err
	}
	if !partial {
		m.undefined()
	}
	if len(m.problems) > 0 {
		sort.Strings(m.problems)
		return &LinkError{m.problems}
	}
	if err := c.verify(m.into); err != nil {
		return err
	}
	if err := c.end(); err != nil && err != errStop {
		return err
	}
	c.begin(Opt)
	if !c.opts.NoOpt {
		if err := c.optimise(m.into); err != nil {
			return err
		}
	}
	if err := c.end(); err != nil && err != errStop {
		return err
	}
	return nil
}

// A merger makes one module of several that share their Source.
type merger struct {
	into     *ssa.Module
	funcs    map[string]*ssa.Func // by name
	globals  map[string]*ssa.Global
	static   map[*ssa.Func]bool
	problems []string
}

// add moves a module's functions and variables. Names with internal linkage make way
// for others.
func (m *merger) add(mod *ssa.Module, prog *check.Program) {
	if m.into == nil {
		m.into = &ssa.Module{Source: mod.Source}
	}
	for _, f := range prog.Funcs {
		if sf, ok := f.Data.(*ssa.Func); ok && f.Static {
			m.static[sf] = true
		}
	}
	for _, f := range mod.Funcs {
		f.Module = m.into
		if old := m.funcs[f.Name]; old != nil {
			if m.static[old] && !m.static[f] {
				m.funcs[f.Name] = f
				old.Name = m.unused(old.Name)
				m.funcs[old.Name] = old
			} else {
				if !m.static[f] && !m.static[old] {
					m.problems = append(m.problems, fmt.Sprintf("multiple definitions of function '%s'", f.Name))
				}
				f.Name = m.unused(f.Name)
				m.funcs[f.Name] = f
			}
		} else {
			m.funcs[f.Name] = f
		}
		m.into.Funcs = append(m.into.Funcs, f)
	}
	for _, g := range mod.Globals {
		old := m.globals[g.Name]
		switch {
		case old == nil:
			m.globals[g.Name] = g
		case g.Extern: // resolved later, by name
		case old.Extern:
			m.globals[g.Name] = g
		case strings.ContainsAny(g.Name, ".") || g.Kind == ssa.PtrLocal: // of a function, or unnamed
			name := g.Name
			for i := 0; m.globals[g.Name] != nil; i++ {
				g.Name = fmt.Sprintf("%s.%d", name, i)
			}
			m.globals[g.Name] = g
		default:
			m.problems = append(m.problems, fmt.Sprintf("multiple definitions of variable '%s'", g.Name))
		}
		m.into.Globals = append(m.into.Globals, g)
	}
}

func (m *merger) unused(name string) string {
	for i := 1; ; i++ {
		if n := fmt.Sprintf("%s.%d", name, i); m.funcs[n] == nil {
			return n
		}
	}
}

// resolve binds references to variables and functions of other units.
func (m *merger) resolve() {
	if m.into == nil {
		return
	}
	definition := func(g *ssa.Global) *ssa.Global {
		if d := m.globals[g.Name]; g.Extern && d != nil && !d.Extern {
			if d.Kind != g.Kind || d.Size != g.Size && g.Size != 0 {
				m.problems = append(m.problems, fmt.Sprintf("declarations of variable '%s' differ in type", g.Name))
				return g
			}
			return d
		}
		return g
	}
	for _, f := range m.into.Funcs {
		for _, b := range f.Blocks {
			for _, v := range b.Values {
				if g, ok := v.Sym.(*ssa.Global); ok {
					v.Sym = definition(g)
				}
			}
		}
	}
	keep := m.into.Globals[:0]
	for _, g := range m.into.Globals {
		for i := range g.Relocs {
			g.Relocs[i].Target = definition(g.Relocs[i].Target)
		}
		if definition(g) == g {
			keep = append(keep, g)
		}
	}
	m.into.Globals = keep
	l := ssa.Linker{M: m.into, Lookup: func(name string) *ssa.Func {
		if f := m.funcs[name]; f != nil && !m.static[f] {
			return f
		}
		return nil
	}}
	if err := l.Link(); err != nil {
		m.problems = append(m.problems, err.Error())
	}
}

// undefined reports functions and variables of the program that no unit defines.
// Builtin functions have their parameter types in the name.
func (m *merger) undefined() {
	seen := map[string]bool{}
	missing := func(kind, name string) {
		if s := fmt.Sprintf("undefined %s '%s'", kind, name); !seen[s] {
			seen[s] = true
			m.problems = append(m.problems, s)
		}
	}
	for _, f := range m.into.Funcs {
		for _, b := range f.Blocks {
			for _, v := range b.Values {
				switch sym := v.Sym.(type) {
				case string:
					if v.Op == ssa.OpExtern && !strings.Contains(sym, "(") {
						missing("function", sym)
					}
				case *ssa.Global:
					if sym.Extern {
						missing("variable", sym.Name)
					}
				}
			}
		}
	}
}
