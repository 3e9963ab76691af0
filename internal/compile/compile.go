package compile

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/irgen"
	"github.com/purecl/purecl/internal/front/syntax"
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
	Source syntax.Options // how the text is read
	Diag   diag.Config    // which warnings are wanted
	Float  ssa.ValueFlags // liberties of floating-point operations
	Opt    opt.Config     // passes, hooks
	NoOpt  bool           // -cl-opt-disable: the SSA stays as irgen and the linker made it
	Until  Phase          // the last phase to run
	Verify bool           // verify the SSA after irgen and each pass
	// UniformGroups is -cl-uniform-work-group-size: a launch's work-groups are all full.
	UniformGroups bool
	SSA           func(*ssa.Module) // called after irgen, before linking and optimisation
	KeepProgram   bool              // Result.Program is wanted
	// Ignored are build options of other implementations: each gets a warning.
	Ignored []string
}

// A Result is what a compilation made, as far as it came.
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

// A compilation is the state of one Compile.
type compilation struct {
	ctx   context.Context
	opts  *Options
	res   *Result
	rep   *diag.Reporter
	phase Phase // the last to begin
	clock timing.Clock

	memory *memory // of the unit's tokens and trees
	tokens int     // that it has
}

// errStop ends a compilation that need not go further.
var errStop = errors.New("stop")

// Compile compiles one source text. The Result is never nil; with an error it holds
// what was made until then.
func Compile(ctx context.Context, name string, src []byte, opts *Options) (res *Result, err error) {
	if opts == nil {
		opts = &Options{}
	}
	source := diag.NewSource()
	c := &compilation{ctx: ctx, opts: opts, rep: diag.NewReporter(source, opts.Diag), res: &Result{Source: source}}
	defer c.recover(&res, &err)
	err = c.run(name, src)
	c.release()
	c.res.Diags = c.rep.Diags
	if err == errStop {
		err = nil
	}
	if err == nil && c.rep.Failed() {
		err = &diag.List{Source: source, Diags: c.rep.Diags}
	}
	return c.res, err
}

// run is the pipeline.
func (c *compilation) run(name string, src []byte) error {
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
	toks := c.memory.tokens.Preprocess(res.Source, file, &o.Source, c.rep)
	c.tokens = len(toks)
	readable := !c.rep.Failed() // an error may have taken any declaration away
	if err := c.end(); err != nil {
		return err
	}

	c.begin(Parse)
	tree := c.memory.tokens.Parse(res.Source, toks, &o.Source, c.rep)
	if err := c.end(); err != nil {
		return err
	}
	if !readable {
		return errStop
	}

	c.begin(Check)
	res.Program = c.memory.tree.Check(tree, res.Source, &o.Source, c.rep)
	if err := c.end(); err != nil {
		return err
	}

	c.begin(IRGen)
	linked := false
	res.Module = irgen.Generate(res.Program, irgen.Options{Float: o.Float, Body: func(ov *overload) {
		linked = true
		library.register(ov)
	}})
	if err := c.verify(res.Module); err != nil {
		return err
	}
	if o.SSA != nil {
		o.SSA(res.Module)
	}
	if err := c.end(); err != nil {
		return err
	}

	c.release() // for the library's bodies
	c.begin(Link)
	if linked {
		if err := library.link(res.Module); err != nil {
			return err
		}
	}
	if err := c.end(); err != nil {
		return err
	}

	c.begin(Opt)
	if !o.NoOpt {
		if err := c.optimise(res.Module); err != nil {
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
	c.res.Diags = c.rep.Diags
	*res, *err = c.res, e
}
