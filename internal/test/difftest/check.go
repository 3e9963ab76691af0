package difftest

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/ir/opt"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/image"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
	"github.com/purecl/purecl/internal/test/filetest"
)

// Options configure Check.
type Options struct {
	Executors []exec.Executor // compared with the reference executor
	Disable   map[string]bool // passes to skip
	Checked   bool            // the oracle runs with all checks, and may not find an error
	Wild      bool            // accesses may be out of bounds
	Timeout   time.Duration   // of each launch; 0: a minute
}

// A Report is the result of a comparison.
type Report struct {
	Err      error     // why there is no comparison: the kernel does not compile or is not well-defined
	Problems []Problem // at most one for each executor
	Machine  int       // number of executors that ran machine code
	Reached  Reached   // by all code compiled meanwhile
}

// A Problem is a difference between an executor and the oracle.
type Problem struct{ Executor, Text string }

// Check runs a case on all executors.
func Check(c *filetest.Case, o Options) (r Report) {
	m, err := compileCase(c, compile.Options{NoOpt: true})
	if err != nil {
		r.Err = err
		return r
	}
	if o.Timeout == 0 {
		o.Timeout = time.Minute
	}
	checks := exec.ChecksNone
	switch {
	case o.Checked:
		checks = exec.ChecksAll
	case o.Wild: // dead loads are errors too
		checks = exec.ChecksMemory
	}
	want, err := guarded(m, c, interp.Reference, checks, exec.Robust, o.Timeout)
	if err != nil {
		r.Err = fmt.Errorf("reference executor: %w", err)
		return r
	}
	for _, e := range want.errors {
		left := strings.Contains(e, "returned without reaching it") // before a barrier: the others go on
		if o.Checked && !left && !(o.Wild && strings.Contains(e, ": out of bounds: ")) {
			r.Err = fmt.Errorf("reference executor: %s", e)
			return r
		}
	}
	err = optimise(m, o.Disable)
	if o.Wild && err == nil { // whether dead loads are errors is unspecified
		err = leaveOut(m)
	}
	if err != nil {
		r.Problems = append(r.Problems, Problem{"optimiser", err.Error()})
		return r
	}
	var perhaps []string
	if len(want.errors) > 0 { // the results of such accesses depend on the optimiser
		var all *result
		if want, err = guarded(m, c, interp.Reference, exec.ChecksNone, exec.Robust, o.Timeout); err == nil {
			all, err = guarded(m, c, interp.Reference, exec.ChecksMemory, exec.Robust, o.Timeout)
		}
		if err != nil {
			r.Problems = append(r.Problems, Problem{interp.Reference.Name(), err.Error()})
			return r
		}
		perhaps = all.errors
	}
	made.Store(0)
	defer func() {
		if r.Reached = Reached(made.Load()); len(want.errors) > 0 {
			r.Reached |= Left
		}
	}()
	again := len(want.errors) > 0 && hasImages(c)
	strict := &strictCheck{m: m, c: c, limit: o.Timeout, comparable: !again && len(want.errors) > 0 && slices.Equal(want.errors, perhaps)}
	for _, e := range append([]exec.Executor{interp.Reference}, o.Executors...) {
		got, err := guarded(m, c, e, exec.ChecksNone, exec.Robust, o.Timeout)
		text := ""
		if err != nil {
			text = err.Error()
		} else {
			if again {
				text = unlike(got.errors, append(slices.Clone(want.errors), perhaps...))
			} else {
				text = difference(c, want, got, o.Wild, perhaps)
			}
			if got.executor != interp.Reference.Name() {
				r.Machine++
			}
		}
		if text == "" {
			text = strict.difference(e)
		}
		if text != "" {
			r.Problems = append(r.Problems, Problem{e.Name(), text})
		}
	}
	return r
}

// leaveOut removes dead loads, also those of variables that are never read.
func leaveOut(m *ssa.Module) (err error) {
	dead := Plain()
	for _, p := range []string{"sroa", "mem2reg", "dce"} {
		delete(dead, p)
	}
	for n := -1; err == nil && n != values(m); { // a load may survive the run that removes its users
		n = values(m)
		err = optimise(m, dead)
	}
	return err
}

// values returns the number of values of a module.
func values(m *ssa.Module) (n int) {
	for _, f := range m.Funcs {
		for _, b := range f.Blocks {
			n += len(b.Values)
		}
	}
	return n
}

// optimise runs the passes. It returns a panic as an error.
func optimise(m *ssa.Module, disable map[string]bool) (err error) {
	defer caught(&err)
	return opt.Run(m, opt.Config{Disable: disable})
}

func caught(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
	}
}

// SomePasses returns a random set of passes to skip: none, all or some of those that may be skipped.
func SomePasses(rng *rand.Rand) map[string]bool {
	switch how := rng.IntN(8); {
	case how < 4:
		return nil
	case how == 4:
		return Plain()
	}
	list := Plain()
	for _, p := range opt.Passes {
		if rng.IntN(2) == 0 {
			delete(list, p.Name)
		}
	}
	return list
}

// Plain returns all passes except inlining, which machine code needs.
func Plain() map[string]bool {
	list := map[string]bool{}
	for _, p := range opt.Passes {
		list[p.Name] = p.Name != "inline"
	}
	return list
}

// compileCase compiles a case's source with the given options and the case's own.
func compileCase(c *filetest.Case, o compile.Options) (*ssa.Module, error) {
	opts, err := compile.ParseOptions(c.Options)
	if err != nil {
		return nil, err
	}
	opts.Opt, opts.Verify, opts.Debug, opts.NoOpt = o.Opt, o.Verify, o.Debug, o.NoOpt || opts.NoOpt
	res, err := compile.Compile(context.Background(), c.Path, c.Source, opts)
	if err != nil {
		return nil, err
	}
	return res.Module, nil
}

// A result is the result of a launch.
type result struct {
	filetest.Result
	errors   []string // the findings that are errors, with their positions
	faults   []fault  // the findings of errors, for comparison in strict mode
	printed  bytes.Buffer
	executor string
	failed   bool // the launch failed because of the kernel
}

// guarded is run with a time limit. It returns a panic as an error.
func guarded(m *ssa.Module, c *filetest.Case, e exec.Executor, checks exec.Checks, faults exec.FaultMode, limit time.Duration) (r *result, err error) {
	defer caught(&err)
	if limit == 0 {
		limit = time.Minute
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	return run(ctx, m, c, e, checks, faults)
}

// run launches a case's kernel.
func run(ctx context.Context, m *ssa.Module, c *filetest.Case, e exec.Executor, checks exec.Checks, faults exec.FaultMode) (*result, error) {
	p, err := launch.NewProgram(m, e)
	if err != nil {
		return nil, err
	}
	name := c.Kernel
	for _, f := range m.Funcs {
		if name == "" && f.Kernel != nil {
			name = f.Name
		}
	}
	k, err := p.Kernel(name)
	if err != nil {
		return nil, err
	}
	rng := launch.Range{Global: sizes(c.Global), Local: sizes(c.Local), Offset: sizes(c.Offset), NonUniform: true}
	l := &launch.Launch{Kernel: k, Range: rng, Checks: checks, Ordered: true, Workers: 1, Faults: faults}
	out := &result{Result: filetest.Result{Buffers: map[string][]byte{}}}
	l.Stdout = &out.printed
	var fences []func() bool
	for i := range c.Args {
		a, data, intact, err := argument(&c.Args[i])
		if err != nil {
			return nil, err
		}
		fences = append(fences, intact)
		if data != nil {
			out.Buffers[c.Args[i].Name] = data
		}
		l.Args = append(l.Args, a)
	}
	report, err := launch.Run(ctx, l)
	_, out.failed = err.(*launch.Fault)
	if err != nil && !out.failed {
		return nil, err
	}
	for i, intact := range fences {
		if intact != nil && !intact() {
			return nil, fmt.Errorf("memory beside %s was written to", c.Args[i].Name)
		}
	}
	out.executor = report.Stats.Executor
	for _, f := range report.Findings {
		out.Findings = append(out.Findings, filetest.Finding{Code: f.Kind.String(), Text: f.String(), Line: m.Source.Location(f.Pos).Line})
		if f.Kind.IsError() {
			out.errors = append(out.errors, k.Locate(f)+": "+f.String())
			out.faults = append(out.faults, fault{f.Group, f.Kind, f.Pos})
		}
	}
	return out, nil
}

// argument returns an argument of a launch. data is the memory that the launch may change; intact reports whether
// the memory around a buffer is unchanged.
func argument(a *filetest.Arg) (arg launch.Arg, data []byte, intact func() bool, err error) {
	switch {
	case a.Sampler != nil:
		return launch.Sampler(*a.Sampler), nil, nil, nil
	case a.Local > 0:
		return launch.Local(int64(a.Local)), nil, nil, nil
	}
	data, intact = Fence(a.Data)
	switch {
	case a.Image != nil:
		row, slice := a.Image.Size[0]*a.Image.Format.Size(), 0
		if slice = row * a.Image.Size[1]; a.Image.Shape == opencl.Image1DArray {
			slice = row
		}
		m, err := image.New(a.Image.Format, a.Image.Shape, a.Image.Size, row, slice, data)
		return launch.Picture(&launch.Image{Image: m}), data, intact, err
	case a.Buffer:
		return launch.Memory(&launch.Buffer{Data: data}), data, intact, nil
	}
	return launch.Value(data), nil, nil, nil
}

func sizes(s []int) (out []uint64) {
	for _, n := range s {
		out = append(out, uint64(n))
	}
	return out
}

// hasImages reports whether a case has images. Machine code optimises such a kernel again after it has expanded
// image reads to loads (docs/faults.md). This may remove other accesses, so that a different access to the same
// address is the first to fault. It may also forward a stored value that was dropped, so that an offset computed
// from it differs.
func hasImages(c *filetest.Case) bool {
	return slices.ContainsFunc(c.Args, func(a filetest.Arg) bool { return a.Image != nil })
}

// unlike returns a message about an error of a kind that the reference executor has not reported, "" if there is none. An
// error's text is its position, its kind and the rest. Positions differ: an access may leave its object because its offset
// depends on a stored value that was dropped.
func unlike(got, expected []string) string {
	kind := func(e string) string {
		_, e, _ = strings.Cut(e, ": ")
		e, _, _ = strings.Cut(e, ": ")
		return e
	}
	for _, g := range got {
		if !slices.ContainsFunc(expected, func(e string) bool { return kind(e) == kind(g) }) {
			return fmt.Sprintf("error %q, where the reference executor has none of its kind", g)
		}
	}
	return ""
}

// difference describes how two results differ, "" if they do not. Errors of wild kernels need only be alike.
func difference(c *filetest.Case, want, got *result, wild bool, perhaps []string) string {
	if wild && !Alike(got.errors, want.errors, perhaps) {
		return fmt.Sprintf("errors %q, want %q", got.errors, want.errors)
	}
	for i := range max(len(want.errors), len(got.errors)) {
		if wild {
			break
		}
		w, g := "none", "none"
		if i < len(want.errors) {
			w = want.errors[i]
		}
		if i < len(got.errors) {
			g = got.errors[i]
		}
		if w != g {
			return fmt.Sprintf("error %q, want %q", g, w)
		}
	}
	for _, a := range c.Args {
		w, g := want.Buffers[a.Name], got.Buffers[a.Name]
		if bytes.Equal(w, g) {
			continue
		}
		n := 0
		for w[n] == g[n] {
			n++
		}
		size := max(1, a.Type.Kind.Size())
		k := n - n%size
		return fmt.Sprintf("%s differs at byte %d: got % x, want % x", a.Name, n, g[k:k+size], w[k:k+size])
	}
	w, g := want.printed.Bytes(), got.printed.Bytes()
	if bytes.Equal(w, g) {
		return ""
	}
	n := 0
	for n < min(len(w), len(g)) && w[n] == g[n] {
		n++
	}
	return fmt.Sprintf("printed text differs at byte %d of %d: got %.80q, want %.80q", n, len(w), g[max(0, n-20):], w[max(0, n-20):])
}
