package compile

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/purecl/purecl/internal/base/fpenv"
	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/irgen"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/ir/opt"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A Phase is a step of the compilation.
type Phase = timing.Phase

// The phases in order.
const (
	All        = timing.None // as Options.Until: no phase is left out
	Preprocess = timing.Preprocess
	Parse      = timing.Parse
	Check      = timing.Check
	IRGen      = timing.IRGen
	Link       = timing.Link
	Opt        = timing.Opt
)

// Options say how to compile. The zero value is a build without options.
type Options struct {
	Source option.Source  // how the text is read
	Diag   diag.Config    // which warnings are wanted
	Float  ssa.ValueFlags // liberties of floating-point operations
	Opt    opt.Config     // passes, hooks
	NoOpt  bool           // -cl-opt-disable: the SSA stays as irgen and the linker made it
	Until  Phase          // the last phase to run
	Verify bool           // verify the SSA after irgen and each pass
	Debug  bool           // for a debugger: functions have an ssa.DebugInfo, variables memory, and the SSA stays as with NoOpt
	// UniformGroups is -cl-uniform-work-group-size: a launch's work-groups are all full.
	UniformGroups bool
	// FlushSubnormals is -cl-denorms-are-zero.
	FlushSubnormals bool
	SSA             func(*ssa.Module) // called after irgen, before linking and optimisation
	KeepProgram     bool              // Result.Program is wanted
	Partial         bool              // functions and variables may stay undefined
	expression      *expression       // becomes a kernel too, see Evaluate
	// Ignored are build options of other implementations: each gets a warning.
	Ignored []string
}

// A Result is the outcome of a compilation, as far as it came.
type Result struct {
	Source  *diag.Source
	Diags   []*diag.Diagnostic // in order of report, warnings included
	Program *check.Program     // with Options.KeepProgram; not to be used again by irgen
	Module  *ssa.Module
	Took    timing.Times
}

// An InternalError is a mistake of the compiler.
type InternalError struct {
	Phase Phase
	Where string        // what was being worked on
	Loc   diag.Location // in the source, where known
	Cause any
	Stack []byte
}

func (e *InternalError) Error() string {
	s := "internal compiler error in " + e.Phase.String()
	if e.Where != "" {
		s += " (" + e.Where + ")"
	}
	if e.Loc.Line > 0 {
		s += fmt.Sprintf(" at %s:%d:%d", e.Loc.File, e.Loc.Line, e.Loc.Column)
	}
	return fmt.Sprintf("%s: %v", s, e.Cause)
}

// A compilation is the state of one call of Units.
type compilation struct {
	ctx   context.Context
	opts  *Options
	res   *Result
	rep   *diag.Reporter
	phase Phase // the last to begin
	clock timing.Clock

	before []*diag.Diagnostic // reported before rep

	memory *memory // of the unit's tokens and trees
	tokens int     // that it has
}

// errStop ends a compilation that need not go further.
var errStop = errors.New("stop")

// A Unit is one translation unit of a program: what clCompileProgram compiles.
type Unit struct {
	Name    string
	Text    []byte
	Options *Options
}

// Compile compiles one source text. The Result is never nil; with an error it holds
// what was made until then.
func Compile(ctx context.Context, name string, src []byte, opts *Options) (*Result, error) {
	if opts == nil {
		opts = &Options{}
	}
	return Units(ctx, []Unit{{name, src, opts}}, opts)
}

// Units compiles translation units into one module, as clCompileProgram and
// clLinkProgram do; opts says how far to go and how the whole is optimised. The error is
// a *[diag.List] where a unit is wrong or the units do not fit together.
func Units(ctx context.Context, units []Unit, opts *Options) (res *Result, err error) {
	if opts == nil {
		opts = &Options{}
	}
	c := &compilation{ctx: ctx, opts: opts, res: &Result{Source: diag.NewSource()}}
	defer c.recover(&res, &err)
	defer fpenv.Enter().Leave() // constants are folded
	m := merger{partial: opts.Partial, separate: len(units) > 1}
	for i := range units {
		if err := c.unit(&units[i], &m); err != nil {
			return c.res, err
		}
	}
	if opts.Until != All && opts.Until <= IRGen {
		return c.res, nil
	}
	if m.into == nil {
		return c.res, errors.New("no units to link")
	}
	c.report(opts)
	c.res.Module = m.into
	return c.res, c.result(c.back(&m))
}

// unit compiles one translation unit and adds it to m.
func (c *compilation) unit(u *Unit, m *merger) error {
	whole, o := c.opts, *u.Options
	link := whole.Until == All || whole.Until > IRGen
	if link {
		o.Until = IRGen
	}
	c.report(&o)
	err := c.result(c.front(u.Name, u.Text, m.separate))
	if err == nil && link {
		for _, f := range c.res.Module.Funcs {
			if f.Kernel != nil {
				f.Kernel.FlushSubnormals = o.FlushSubnormals || whole.FlushSubnormals
			}
		}
		m.add(c.res.Module, c.res.Program)
	}
	c.release()
	c.opts = whole
	return err
}

// report begins the diagnostics of a compilation with options o.
func (c *compilation) report(o *Options) {
	c.opts, c.rep, c.before = o, diag.NewReporter(c.res.Source, o.Diag), c.res.Diags
}

// result completes the result with the diagnostics since the last report, and makes errors
// among them the error.
func (c *compilation) result(err error) error {
	c.res.Diags = append(c.before[:len(c.before):len(c.before)], c.rep.Diags...)
	if err == errStop {
		err = nil
	}
	if err == nil && c.rep.Failed() {
		err = &diag.List{Source: c.res.Source, Diags: c.res.Diags}
	}
	return err
}

// front is the pipeline of one unit; separate tells that the unit is linked with others.
func (c *compilation) front(name string, src []byte, separate bool) error {
	res, o := c.res, c.opts
	file, ok := res.Source.AddFile(name, src, 0)
	if !ok {
		return fmt.Errorf("%s: the source is too large", name)
	}

	for _, option := range o.Ignored {
		c.rep.Report(diag.IgnoredOption, diag.Span{}, "build option '%s' has no meaning here and is ignored", option)
	}

	c.memory = memories.Get().(*memory)
	c.begin(Preprocess)
	unit := c.memory.tokens.Run(res.Source, file, &o.Source, c.rep)
	c.tokens = len(unit.Tokens)
	readable := !c.rep.Failed() // an error may have taken any declaration away
	if err := c.end(); err != nil {
		return err
	}

	c.begin(Parse)
	tree := c.memory.syntax.Parse(res.Source, unit, &o.Source, c.rep)
	if err := c.end(); err != nil {
		return err
	}
	if !readable {
		return errStop
	}

	c.begin(Check)
	var wanted *irgen.Expression
	if x := o.expression; x != nil {
		var info check.Info
		res.Program = check.Inspect(tree, res.Source, &o.Source, c.rep, &info)
		if !c.rep.Failed() && !x.find(res.Source, &info) {
			return errNowhere
		}
		wanted = x.made
	} else {
		res.Program = c.memory.tree.Check(tree, res.Source, &o.Source, c.rep)
	}
	if err := c.end(); err != nil {
		return err
	}

	c.begin(IRGen)
	res.Module = irgen.Generate(res.Program, irgen.Options{Float: o.Float, Body: library.register, Separate: separate, Debug: o.Debug, Expression: wanted})
	if err := c.verify(res.Module); err != nil {
		return err
	}
	if o.SSA != nil {
		o.SSA(res.Module)
	}
	return c.end()
}

// back is the pipeline of the linked whole.
func (c *compilation) back(m *merger) error {
	c.begin(Link)
	if m.resolve(c.rep) {
		if err := library.link(m.into); err != nil {
			return err
		}
		if err := c.verify(m.into); err != nil {
			return err
		}
	}
	if err := c.end(); err != nil {
		return err
	}

	c.begin(Opt)
	if !c.opts.NoOpt && !c.opts.Debug {
		if err := c.optimise(m.into); err != nil {
			return err
		}
	}
	return c.end()
}

// optimise runs the optimiser.
func (c *compilation) optimise(m *ssa.Module) error {
	err := opt.Run(m, c.optConfig())
	var large *opt.TooLarge
	switch {
	case errors.As(err, &large):
		c.rep.Report(diag.FunctionTooLarge, diag.Span{Pos: large.Pos, End: large.Pos + 1},
			"function '%s' becomes too large with the body of '%s', which waits at a barrier", large.Caller.Name, large.Callee.Name)
		return nil
	case err != nil:
		return c.internal(err)
	}
	return nil
}

// begin starts a phase.
func (c *compilation) begin(p Phase) {
	c.phase = p
	c.clock.Begin(p)
}

// end ends it; an error means that the pipeline ends here.
func (c *compilation) end() error {
	c.clock.Begin(timing.None)
	c.res.Took = c.clock.Times
	// Errors of the preprocessor do not keep the parser from adding its own, nor those the
	// checker.
	if c.phase == c.opts.Until || c.rep.Failed() && c.phase >= Check || c.rep.Full() {
		return errStop
	}
	return c.ctx.Err()
}

func (c *compilation) verify(m *ssa.Module) error {
	if !c.opts.Verify {
		return nil
	}
	if err := ssa.VerifyModule(m); err != nil {
		return c.internal(err)
	}
	return nil
}

// optConfig is the caller's configuration of the optimiser.
func (c *compilation) optConfig() opt.Config {
	cfg := c.opts.Opt
	cfg.Verify = cfg.Verify || c.opts.Verify
	return cfg
}

func (c *compilation) internal(cause any) *InternalError {
	e := &InternalError{Phase: c.phase, Cause: cause}
	switch x := cause.(type) {
	case *irgen.Bug:
		e.Loc = c.res.Source.Location(x.Span.Pos)
	case *opt.Panic:
		e.Where, e.Cause, e.Stack = x.Where, x.Cause, x.Stack
	}
	return e
}

// recover turns a panic of any phase into an error.
func (c *compilation) recover(res **Result, err *error) {
	r := recover()
	if r == nil {
		return
	}
	e := c.internal(r)
	if e.Stack == nil {
		e.Stack = debug.Stack()
	}
	if c.rep != nil {
		c.res.Diags = append(c.before[:len(c.before):len(c.before)], c.rep.Diags...)
	}
	*res, *err = c.res, e
}
