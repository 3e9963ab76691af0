package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/purecl/purecl/internal/run/argument"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/run/exec"
)

type runCmd struct {
	launchFlags
	Out       []string      `short:"o" sep:"none" placeholder:"NAME=FILE" help:"Write a buffer to FILE after the run: .npy, .png, or raw."`
	Print     []string      `short:"p" sep:"none" placeholder:"NAME" help:"Print a buffer. Default: those that the kernel may write, unless -o, --expect or --plot is given."`
	Rows      int           `default:"8" help:"Rows to print of each buffer (0: all)."`
	Checks    string        `name:"check" placeholder:"LEVEL" help:"What to watch for: none (bounds only: all that GPUs do), memory, all (the default, but none on GPUs and with --profile and --pprof), or pedantic: NaN results, signed overflow and shifts too large too."`
	Fault     string        `placeholder:"MODE" enum:"strict,robust" default:"strict" help:"What becomes of an access outside of its object: strict (the default) stops the work-item and fails the run; robust goes on, reads 0 and drops writes, as the driver does by default, and the finding is a warning."`
	FailOn    string        `placeholder:"SEVERITY" enum:"error,warning" default:"warning" help:"The least severity of findings that makes the exit status 1: warning (the default) or error."`
	Expect    []string      `sep:"none" placeholder:"NAME=VALUE" help:"Compare a buffer with a file or a list after the run."`
	Tolerance float64       `placeholder:"T" help:"Largest difference from the expected elements: T*max(1, |expected|). Default: 0."`
	Want      []string      `placeholder:"CODE" help:"The run must report this finding, such as out-of-bounds, which then does not fail it."`
	Timeout   time.Duration `placeholder:"TIME" help:"Stop the kernel after this time, such as 10s, with exit status 1."`
	Quiet     bool          `short:"q" help:"No progress bar and no summary."`
	profileFlags
	plotFlags
	Trace string `placeholder:"FILE" help:"Write a timeline of the queue's commands and the workers' batches to FILE, for https://ui.perfetto.dev."`
	formFlags
	timingFlag
	buildFlags
}

func (*runCmd) Help() string {
	return help(
		argumentsHelp,
		"",
		buildHelp,
		"",
		"--timings prints the duration of each step, from the source to the first results.",
		"",
		profileHelp,
		"",
		"With --json or --sarif the kernel's printf output goes to standard error.",
		"",
		exitHelp,
		"",
		"Examples:",
		"  purecl run saxpy.cl -a 'zeros(16)' -a 'range(16)' -a 2.5",
		"  purecl run saxpy.cl -a 'zeros(16)' -a 'range(16)' -a 2.5 --check=none --timings",
		"  purecl run saxpy.cl -a y=y.npy -a x=x.npy -a a=2.5 --expect y=golden.npy --tolerance 1e-5",
		"  purecl run blur.cl -a src=photo.jpg -a dst='zeros(640x480)' -o dst=blurred.png",
		"  purecl run half.cl -a in=photo.jpg -a 's=normalized|linear' -a 'out=zeros(320x240)' -g 320x240 -o out=small.png",
		"  purecl run wave.cl -a 'y=zeros(1000)' --plot y=wave.svg",
		"  purecl run scan.cl -k scan -g 1024 -l 256 -a data=x.npy -a 'tmp=local(1024)'",
		"  purecl run scan.cl -k scan -g 1024 -a data=x.npy -cl-std=CL3.0 -DN=16 --sarif > scan.sarif",
	)
}

// A runReport is the output of --json. Times are in nanoseconds.
type runReport struct {
	File        string                `json:"file"`
	Kernel      string                `json:"kernel"`
	Global      []int                 `json:"global"`
	Local       []uint64              `json:"local"`
	Executor    string                `json:"executor"`
	Fallback    string                `json:"fallback,omitempty"` // why the reference executor ran it although no checks require it
	Took        int64                 `json:"took"`
	OK          bool                  `json:"ok"`
	Problem     string                `json:"problem,omitempty"` // why it failed, other than by findings
	Diagnostics []diag.JSONDiagnostic `json:"diagnostics"`       // of the source
	Findings    []jsonFinding         `json:"findings"`
	Expected    []comparison          `json:"expected,omitempty"`
}

// A jsonFinding is a finding with the first work-item that has it.
type jsonFinding struct {
	diag.JSONDiagnostic
	GlobalID [3]uint64 `json:"globalId"`
	LocalID  [3]uint64 `json:"localId"`
	GroupID  [3]uint64 `json:"groupId"`
	Object   string    `json:"object,omitempty"`
	Offset   int64     `json:"offset"`
	Size     int64     `json:"size"`
	Count    uint64    `json:"count"`
}

func (c *runCmd) Run(ctx context.Context, o *output) error {
	r := &runReport{File: c.File, Findings: []jsonFinding{}}
	source, found, err := c.run(ctx, o, r)
	var st *statusError
	if err != nil && (!errors.As(err, &st) || st.status != exitFindings) || !c.forMachines() {
		return err
	}
	r.OK, r.Diagnostics = err == nil, jsonDiagnostics(source)
	if st != nil {
		r.Problem = st.message
	}
	return errors.Join(c.write(o.out, r, append(source, found...)), err)
}

// run builds and launches. It returns the source's diagnostics and the findings.
func (c *runCmd) run(ctx context.Context, o *output, r *runReport) (source, found []diag.Finding, err error) {
	if c.Tolerance < 0 {
		return nil, nil, usagef("--tolerance %v must not be less than 0", c.Tolerance)
	}
	for _, code := range c.Want {
		if diag.Lookup(code) == nil {
			return nil, nil, usagef("--want %s: there is no such code; `purecl explain` lists all", code)
		}
	}
	if err := c.chooseChecks(); err != nil {
		return nil, nil, err
	}
	if err := c.begin(&c.launchFlags, &c.Checks); err != nil {
		return nil, nil, err
	}
	build := c.buildFlags
	build.watched = c.Checks != "none"
	if c.Checks == "pedantic" { // optimised code differs from the source in undefined cases
		build.plain = true
	}
	k, args, source, err := c.prepare(&build)
	if !c.forMachines() {
		for _, d := range source {
			o.show(d)
		}
	}
	if err != nil {
		return source, nil, err
	}
	if err := c.checkNames(args); err != nil {
		return source, nil, err
	}
	drawings, err := c.plots(args)
	if err != nil {
		return source, nil, err
	}
	expected, err := c.readExpected(args)
	if err != nil {
		return source, nil, err
	}
	found, err = c.launch(ctx, o, r, k, args)
	if err != nil {
		return source, found, err
	}
	if err := c.draw(drawings); err != nil {
		return source, found, err
	}
	return source, found, c.results(o, r, args, expected)
}

// chooseChecks rejects unknown levels of checks. For a device without checks it selects none, and rejects others.
func (c *runCmd) chooseChecks() error {
	if _, ok := checkLevels[c.Checks]; c.Checks != "" && !ok {
		return usagef("--check must be one of \"none\",\"memory\",\"all\",\"pedantic\" but got %q", c.Checks)
	}
	d, err := c.find()
	switch {
	case err != nil:
		return err
	case d.Info().Checks || c.Checks == "none":
	case c.Checks == "":
		c.Checks = "none"
	default:
		return usagef("--check=%s: %s watches for accesses out of bounds only (--check=none); the processor (--device cpu) has all checks", c.Checks, d.ID)
	}
	return nil
}

var checkLevels = map[string]exec.Checks{"none": exec.ChecksNone, "memory": exec.ChecksMemory, "all": exec.ChecksAll, "pedantic": exec.ChecksPedantic}

var faultModes = map[string]exec.FaultMode{"strict": exec.Strict, "robust": exec.Robust}

// launch runs the kernel and prints its findings. The error is the launch's, or that of findings that fail it.
func (c *runCmd) launch(ctx context.Context, o *output, r *runReport, k *kernel, args []*arg) ([]diag.Finding, error) {
	opts := launchOptions{checks: checkLevels[c.Checks], faults: faultModes[c.Fault], stdout: o.out}
	if c.forMachines() {
		opts.stdout = o.err
	}
	var bar *progressBar
	if !c.Quiet && o.progress {
		bar = &progressBar{w: o.err, start: time.Now()}
		opts.progress = bar.update
	}
	var steps *timeline
	if c.Trace != "" {
		steps = newTimeline(k.timings())
		opts.trace = steps.add
	}
	limited := ctx
	if c.Timeout > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, c.Timeout)
		defer cancel()
	}
	l, err := k.launcher(opts, c.Global, c.Local, c.Offset, args)
	if err != nil {
		return nil, err
	}
	defer l.close()
	start := time.Now()
	rep, err := l.run(limited)
	took := time.Since(start)
	bar.clear()
	r.Kernel, r.Global, r.Took = k.fn.Name, c.Global, int64(took)
	var found []diag.Finding
	if rep != nil {
		found = c.report(o, r, rep)
	}
	switch {
	case ctx.Err() != nil:
		return found, ctx.Err()
	case limited.Err() != nil && err != nil:
		return found, findingsf("kernel %s was stopped after %v (--timeout)", k.fn.Name, c.Timeout)
	case err != nil:
		return found, err
	}
	if !c.Quiet && !c.forMachines() {
		fmt.Fprintf(o.err, "%s: %d work-items in %v\n", k.fn.Name, c.Global.items(), took.Round(time.Microsecond))
	}
	if steps != nil {
		if err := steps.write(c.Trace, k.fn.Name, k.device.ID); err != nil {
			return found, usagef("--trace: %v", withoutPath(err))
		}
	}
	if c.Timings || c.Profile {
		printTimes(o.err, k.timings())
	}
	if c.profile != nil {
		if err := c.profileFlags.show(o.err, r, c.profile, start, took); err != nil {
			return found, err
		}
	}
	return found, c.judge(found)
}

// report prints a launch's findings and returns them.
func (c *runCmd) report(o *output, r *runReport, rep *launchReport) (found []diag.Finding) {
	r.Local, r.Executor = rep.local[:len(c.Global)], rep.executor
	if c.Checks == "none" {
		r.Fallback = rep.fallback
	}
	if r.Fallback != "" && !c.Quiet {
		fmt.Fprintf(o.err, "purecl: %s\n", slow(r.Kernel, r.Fallback))
	}
	for _, f := range rep.findings {
		found = append(found, f.Diag)
		r.Findings = append(r.Findings, jsonFinding{f.Diag.JSON(f.Diag.Source), f.GlobalID, f.LocalID, f.GroupID, f.Object, f.Offset, f.Size, f.Count})
		if !c.forMachines() {
			o.show(f.Diag)
		}
	}
	return found
}

// slow returns the note that a kernel runs on the reference executor, with the reason.
func slow(kernel, why string) string {
	return fmt.Sprintf("kernel %s runs on the reference executor, there is no machine code: %s", kernel, why)
}

// judge returns an error if the findings fail the run.
func (c *runCmd) judge(found []diag.Finding) error {
	var missing []string
	for _, code := range c.Want {
		if !slices.ContainsFunc(found, func(f diag.Finding) bool { return f.Code.Name == code }) {
			missing = append(missing, code)
		}
	}
	if missing != nil {
		return findingsf("the run was to find %s (--want) and did not", strings.Join(missing, ", "))
	}
	least := diag.Warning
	if c.FailOn == "error" {
		least = diag.Error
	}
	if slices.ContainsFunc(found, func(f diag.Finding) bool { return f.Severity >= least && !slices.Contains(c.Want, f.Code.Name) }) {
		return &statusError{exitFindings, ""}
	}
	return nil
}

// buffer returns the buffer or image argument that a flag names.
func buffer(args []*arg, flag, name string) (*arg, error) {
	a := find(args, name)
	if a != nil && a.Data != nil {
		return a, nil
	}
	var names []string
	for _, a := range args {
		if a.Data != nil {
			names = append(names, a.Info.Name)
		}
	}
	if names == nil {
		return nil, usagef("%s: no buffer named %q; the kernel has none", flag, name)
	}
	return nil, usagef("%s: no buffer named %q; buffers: %s", flag, name, strings.Join(names, ", "))
}

// checkNames checks -o and -p before the kernel runs.
func (c *runCmd) checkNames(args []*arg) error {
	for _, o := range c.Out {
		name, file, ok := strings.Cut(o, "=")
		if !ok || file == "" {
			return usagef("-o %s: expected NAME=FILE, the name of a buffer and a file, such as -o %s=out.npy", o, someBuffer(args))
		}
		if _, err := buffer(args, "-o "+o, name); err != nil {
			return err
		}
	}
	for _, name := range c.Print {
		if _, err := buffer(args, "-p "+name, name); err != nil {
			return err
		}
	}
	return nil
}

// someBuffer returns the name of a buffer that the kernel writes, for examples.
func someBuffer(args []*arg) string {
	for _, a := range args {
		if a.Data != nil && a.Info.Writable() {
			return a.Info.Name
		}
	}
	return "y"
}

// results writes, prints and compares the requested buffers.
func (c *runCmd) results(o *output, r *runReport, args []*arg, expected []expectation) error {
	for _, text := range c.Out {
		name, file, _ := strings.Cut(text, "=")
		if err := writeData(find(args, name).Data, file); err != nil {
			return usagef("-o %s: %v", text, withoutPath(err))
		}
	}
	if !c.forMachines() {
		for _, name := range c.Print {
			printTable(o.out, find(args, name), c.Rows)
		}
		if len(c.Out)+len(c.Print)+len(c.Expect)+len(c.Plot) == 0 {
			for _, a := range args {
				if a.Data != nil && a.Info.Writable() {
					printTable(o.out, a, c.Rows)
				}
			}
		}
	}
	var wrong []string
	for _, e := range expected {
		cmp := e.compare(c.Tolerance)
		r.Expected = append(r.Expected, cmp)
		if cmp.Problem != "" {
			wrong = append(wrong, cmp.Problem)
		}
	}
	if wrong != nil {
		return findingsf("%s", strings.Join(wrong, "\npurecl: "))
	}
	return nil
}

// printTable prints a buffer: a line for each row of a picture, else as many elements in a line as fit 80 columns,
// with the index of the first.
func printTable(w io.Writer, a *arg, rows int) {
	d := a.Data
	fmt.Fprintf(w, "%s: %d × %s\n", a.Info.Name, d.Count(), strings.TrimSuffix(a.Info.TypeName, "*"))
	perLine := 0
	var cells []string
	width := 0
	limit := d.Count()
	if rows > 0 {
		limit = min(limit, rows*16)
	}
	for i := range limit {
		s := argument.FormatElem(d.Elem, d.Bytes[i*d.Elem.Size:])
		cells = append(cells, s)
		width = max(width, len(s))
	}
	if perLine = max(1, min(16, 70/(width+1))); len(d.Shape) == 2 && d.Shape[1] < perLine {
		perLine = max(1, d.Shape[1])
	}
	for i, line := 0, 0; i < len(cells) && (rows <= 0 || line < rows); i, line = i+perLine, line+1 {
		fmt.Fprintf(w, "%8d", i)
		for _, s := range cells[i:min(i+perLine, len(cells))] {
			fmt.Fprintf(w, " %*s", width, s)
		}
		fmt.Fprintln(w)
		if rows > 0 && line == rows-1 && i+perLine < d.Count() {
			fmt.Fprintf(w, "       … %d more\n", d.Count()-i-perLine)
		}
	}
}

// A progressBar shows the progress of a launch that takes longer than half a second.
type progressBar struct {
	w     io.Writer
	start time.Time
	last  time.Time
	shown bool
}

func (p *progressBar) update(done, total int64) {
	now := time.Now()
	if now.Sub(p.start) < 500*time.Millisecond || now.Sub(p.last) < 100*time.Millisecond || total == 0 {
		return
	}
	p.last, p.shown = now, true
	const cells = 40
	n := int(done * cells / total)
	fmt.Fprintf(p.w, "\r[%s%s] %3d%%  %v ", strings.Repeat("#", n), strings.Repeat(".", cells-n), done*100/total, now.Sub(p.start).Round(time.Second))
}

func (p *progressBar) clear() {
	if p != nil && p.shown {
		fmt.Fprintf(p.w, "\r%s\r", strings.Repeat(" ", 60))
	}
}

func isTerminal(f *os.File) bool {
	st, err := f.Stat()
	if err != nil || st.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull) // it is a character device too
	return err != nil || !os.SameFile(st, null)
}
