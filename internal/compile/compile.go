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
	All        = timing.None // as Options.Until: run all phases
	Preprocess = timing.Preprocess
	Parse      = timing.Parse
	Check      = timing.Check
	IRGen      = timing.IRGen
	Link       = timing.Link
	Opt        = timing.Opt
)

// Options are the options of a compilation. The zero value is a build without options.
type Options struct {
	Source option.Source  // options of the preprocessor and the language
	Diag   diag.Config    // options of warnings
	Float  ssa.ValueFlags // permitted transformations of floating-point operations
	Opt    opt.Config     // passes, hooks
	NoOpt  bool           // -cl-opt-disable: no optimisation
	Until  Phase          // the last phase to run
	Verify bool           // verify the SSA after irgen and each pass
	Debug  bool           // for a debugger: functions have an ssa.DebugInfo, variables have memory, and nothing is optimised
	// UniformGroups is -cl-uniform-work-group-size: all work-groups of a launch have the same size.
	UniformGroups bool
	// FlushSubnormals is -cl-denorms-are-zero.
	FlushSubnormals bool
	SSA             func(*ssa.Module) // called after irgen, before linking and optimisation
	KeepProgram     bool              // set Result.Program
	Partial         bool              // functions and variables may stay undefined
	expression      *expression       // an expression to compile as a kernel, see Evaluate
	// Ignored holds build options of other implementations. Each causes a warning.
	Ignored []string
}

// A Result holds the results of the phases that have run.
type Result struct {
	Source  *diag.Source
	Diags   []*diag.Diagnostic // in the order of the reports, with warnings
	Program *check.Program     // set by Options.KeepProgram; irgen must not use it again
	Module  *ssa.Module
	Took    timing.Times
}

// An InternalError reports a bug of the compiler.
type InternalError struct {
	Phase Phase
	Where string        // the phase and the function
	Loc   diag.Location // position in the source, if known
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
	phase Phase // the current phase
	clock timing.Clock

	before []*diag.Diagnostic // diagnostics of earlier reporters

	memory *memory // holds the unit's tokens and trees
	tokens int     // number of tokens in memory
}

// errStop ends a compilation early without an error.
var errStop = errors.New("stop")

// A Unit is a translation unit of a program, the input of clCompileProgram.
type Unit struct {
	Name    string
	Text    []byte
	Options *Options
}

// Compile compiles a source text. The Result is never nil; after an error it holds the results of the phases
// before.
func Compile(ctx context.Context, name string, src []byte, opts *Options) (*Result, error) {
	if opts == nil {
		opts = &Options{}
	}
	return Units(ctx, []Unit{{name, src, opts}}, opts)
}

// Units compiles translation units and links them into a module, as clCompileProgram and clLinkProgram do.
// Options.Until selects the last phase. The error is a *[diag.List] if a unit has errors or linking fails.
func Units(ctx context.Context, units []Unit, opts *Options) (res *Result, err error) {
	if opts == nil {
		opts = &Options{}
	}
	c := &compilation{ctx: ctx, opts: opts, res: &Result{Source: diag.NewSource()}}
	defer c.recover(&res, &err)
	defer fpenv.Enter().Leave() // constant folding needs the default floating-point environment
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

// report creates the reporter for a unit with options o.
func (c *compilation) report(o *Options) {
	c.opts, c.rep, c.before = o, diag.NewReporter(c.res.Source, o.Diag), c.res.Diags
}

// result adds the diagnostics since the last report to the result. If they include errors, it returns them as the
// error.
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

// front runs the phases of one unit. separate says that other units are linked with it.
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
	readable := !c.rep.Failed() // after an error declarations may be missing
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

// back runs the phases of the linked module.
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

// end ends the current phase. It returns an error if the compilation ends there.
func (c *compilation) end() error {
	c.clock.Begin(timing.None)
	c.res.Took = c.clock.Times
	// After errors of the preprocessor or the parser the next phase still runs, to report its own errors.
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
