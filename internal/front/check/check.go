package check

import (
	"slices"

	"github.com/purecl/purecl/internal/front/builtin"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/front/types"
)

// A checker checks one translation unit: its declarations in order, with the bodies of functions. At the end it
// checks the rules on the whole unit, such as that no function is recursive.
type checker struct {
	declarations
}

// Check checks the file and returns its typed tree, nil if it has errors. It checks a file with syntax errors only
// if enough of it remains (syntax.File.Broken).
func Check(file *syntax.File, src *diag.Source, opts *option.Source, rep *diag.Reporter) *Program {
	return new(Memory).Check(file, src, opts, rep)
}

// Check is the function Check with a tree that is valid until m is Reset.
func (m *Memory) Check(file *syntax.File, src *diag.Source, opts *option.Source, rep *diag.Reporter) *Program {
	return m.check(file, src, opts, rep, nil)
}

func (m *Memory) check(file *syntax.File, src *diag.Source, opts *option.Source, rep *diag.Reporter, info *Info) *Program {
	if opts == nil {
		opts = &option.Source{}
	}
	c := m.checker(file, src, opts, rep, info)
	if file.Broken && info == nil {
		return nil
	}
	c.push()
	for _, d := range file.Decls {
		if rep.Full() {
			return nil
		}
		c.declaration(d)
	}
	info.finish(&c.scopes)
	c.finish()
	if rep.Failed() {
		return nil
	}
	return c.prog
}

// checker returns a checker of the file, with the memory of m for names and nodes.
func (m *Memory) checker(file *syntax.File, src *diag.Source, opts *option.Source, rep *diag.Reporter, info *Info) *checker {
	m.names = slices.Grow(m.names[:0], file.Syms)[:file.Syms]
	clear(m.names)
	c := &checker{}
	c.unit = unit{src: src, rep: rep, opts: opts, tc: types.NewContext(), std: opts.Std.OrDefault(), incomplete: file.Incomplete, info: info}
	c.prog = &Program{Types: c.tc, Source: src}
	c.generic = c.hasFeature("__opencl_c_generic_address_space")
	c.env = builtin.Env{Std: c.std, Types: c.tc, Enabled: c.builtinExtension}
	c.contract = true
	c.slabs, c.names = &m.slabs, m.names
	c.outer = c
	return c
}

// declaration checks a declaration (C99 6.7, 6.9).
func (c *checker) declaration(d syntax.Decl) {
	switch d := d.(type) {
	case *syntax.VarDecl:
		c.varDecl(d)
	case *syntax.FuncDecl:
		c.funcDecl(d)
	case *syntax.PragmaDecl:
		c.pragma(d)
	case *syntax.StaticAssert:
		c.staticAssert(d)
	case *syntax.BadDecl:
		c.badDecl(d)
	}
}

// finish makes the checks that need the whole unit.
func (c *checker) finish() {
	var taken map[string]bool
	for _, f := range c.fns {
		if f.LinkName = f.Name; f.overloadable {
			if taken == nil {
				taken = map[string]bool{}
			}
			f.LinkName = linkName(f, taken)
		}
		if f.Body == nil && f.used && !c.incomplete {
			c.rep.Report(diag.UndefinedFunction, f.Span, "function '%s' is used but not defined in this program", f.Name)
		}
		if f.Static && !f.used && !c.incomplete && f.Body != nil && !f.Inline && f.Kernel == nil {
			c.rep.Report(diag.UnusedFunction, f.Span, "unused function '%s'", f.Name)
		}
		if f.Body != nil || f.used {
			c.prog.Funcs = append(c.prog.Funcs, f.Func)
		}
	}
	c.recursion()
	for _, s := range c.decls {
		if s.kind == symVar && !s.v.Used && s.v.Kind == GlobalVar && s.v.Static && !c.incomplete {
			c.rep.Report(diag.UnusedVariable, s.span, "unused variable '%s'", s.name)
		}
	}
}

// linkName returns an overloaded function's name for other translation units: its own with the parameters' types. taken
// are the names of the unit's other overloaded functions, which matter because all unnamed types are spelled alike.
func linkName(f *funcInfo, taken map[string]bool) string {
	name := f.Name + "(" + typeList(f.Type.Params) + ")"
	for taken[name] {
		name += "."
	}
	taken[name] = true
	return name
}

// recursion reports cycles in the call graph (OpenCL C, "Restrictions", 6.11 i:
// recursion is not supported).
func (c *checker) recursion() {
	const active, done = 1, 2
	state := map[*Func]int{} // of functions with calls
	type frame struct {
		f    *Func
		next int
	}
	for _, root := range c.fns {
		if len(root.Calls) == 0 || state[root.Func] != 0 {
			continue
		}
		stack := []frame{{root.Func, 0}}
		state[root.Func] = active
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if top.next == len(top.f.Calls) {
				state[top.f] = done
				stack = stack[:len(stack)-1]
				continue
			}
			callee := top.f.Calls[top.next]
			top.next++
			if len(callee.Calls) == 0 {
				continue
			}
			switch state[callee] {
			case 0:
				state[callee] = active
				stack = append(stack, frame{callee, 0})
			case active:
				i := len(stack) - 1
				for stack[i].f != callee {
					i--
				}
				d := c.rep.Report(diag.Recursion, callee.Span, "recursion is not supported in OpenCL: function '%s' calls itself", callee.Name)
				for k := i; k < len(stack); k++ {
					if skip := len(stack) - 1 - k; k-i == maxCycleNotes && skip > 0 {
						d.Note(diag.Span{}, "%d calls are not shown", skip)
						k += skip
					}
					f, g := stack[k].f, callee
					if k+1 < len(stack) {
						g = stack[k+1].f
					}
					at := slices.IndexFunc(c.fns, func(x *funcInfo) bool { return x.Func == f })
					d.Note(c.fns[at].callSpan(g), "'%s' calls '%s' here", f.Name, g.Name)
				}
			}
		}
	}
}

// maxCycleNotes bounds the calls of a cycle in a report of recursion.
const maxCycleNotes = 8
