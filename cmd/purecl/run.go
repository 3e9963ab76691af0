package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/purecl/purecl"
	"github.com/purecl/purecl/internal/numeric"
)

type runCmd struct {
	File   string   `arg:"" help:"Source file."`
	Kernel string   `short:"k" help:"Kernel to run; needed where the file has several."`
	Global []int    `short:"g" help:"Work-items in each dimension, such as 1024 or 640,480. Default: the size of the first buffer."`
	Local  []int    `short:"l" help:"Work-group size in each dimension."`
	Offset []int    `help:"First global id in each dimension."`
	Arg    []string `short:"a" sep:"none" placeholder:"[NAME=]VALUE" help:"An argument by name or, in order, by position."`
	Out    []string `short:"o" sep:"none" placeholder:"NAME=FILE" help:"Write a buffer to FILE after the run: .npy, .png, or raw."`
	Print  []string `short:"p" sep:"none" placeholder:"NAME" help:"Print a buffer. Default: those that the kernel may write, unless -o is given."`
	Rows   int      `default:"8" help:"Rows to print of each buffer (0: all)."`
	Checks string   `name:"check" enum:"none,memory,all" default:"all" help:"What to watch for: none (bounds only), memory or all."`
	Quiet  bool     `short:"q" help:"No progress bar and no summary."`
	timingFlag
	buildFlags
}

func (*runCmd) Help() string {
	return help(
		"Arguments are numbers, vector literals such as (1,2,3,4), and for buffers",
		"  zeros(N) range(N) rand(N,SEED) fill(N,VALUE)   N elements; N may be WIDTHxHEIGHT",
		"  [1, 2, 3]                                      a list",
		"  FILE.npy  FILE.png|jpg|tiff|bmp  FILE          a file; others than these raw",
		"Local memory is local(BYTES). len(X), width(X) and height(X) are sizes of the",
		"buffer argument X. A buffer left out is zeros of the first buffer's size.",
		"Images are given as buffers are, after their format if it is not rgba8:",
		"  photo.png  r8:photo.png  rgbaf:zeros(64x64)  r32ui:zeros(4x4x4)   r, rg, rgba, …",
		"    with 8, 16 (normalized), s8, s16, f, h, 8i … 32i, 8ui … 32ui; bgra8, srgba8, depthf",
		"Samplers are words such as normalized|repeat|linear: normalized; none, edge, clamp,",
		"repeat or mirror; nearest or linear. Left out: edge|nearest.",
		"",
		"--timings says how long each step took, from the source to the first results.",
		"",
		"Examples:",
		"  purecl run saxpy.cl -a 'zeros(16)' -a 'range(16)' -a 2.5",
		"  purecl run saxpy.cl -a 'zeros(16)' -a 'range(16)' -a 2.5 --check=none --timings",
		"  purecl run blur.cl -a src=photo.jpg -a dst='zeros(640x480)' -o dst=blurred.png",
		"  purecl run half.cl -a in=photo.jpg -a 's=normalized|linear' -a 'out=zeros(320x240)' -g 320,240 -o out=small.png",
		"  purecl run scan.cl -k scan -g 1024 -l 256 -a data=x.npy -a 'tmp=local(1024)'",
	)
}

// An arg is one kernel argument on its way to the launch.
type arg struct {
	info   purecl.ArgInfo
	spec   string
	set    bool
	data   *data // of buffers and images
	val    any
	format purecl.ImageFormat // of images
}

func (c *runCmd) Run(ctx context.Context) error {
	src, err := os.ReadFile(c.File)
	if err != nil {
		return err
	}
	prog, err := purecl.DefaultContext().Build(purecl.Source{Name: c.File, Text: string(src)}, c.buildFlags.text())
	if err != nil {
		return showBuildError(err)
	}
	for _, w := range prog.Warnings() {
		fmt.Fprint(os.Stderr, w.Rendered)
	}
	k, err := c.pickKernel(prog)
	if err != nil {
		return err
	}
	args, err := c.bind(k)
	if err != nil {
		return err
	}
	if c.Global == nil {
		if c.Global = defaultGlobal(args); c.Global == nil {
			return usagef("give the number of work-items with --global: there is no buffer to take it from")
		}
	}
	return c.launch(ctx, k, args)
}

func (c *runCmd) pickKernel(prog *purecl.Program) (*purecl.Kernel, error) {
	names := prog.KernelNames()
	if c.Kernel == "" {
		if len(names) != 1 {
			return nil, usagef("%s has %d kernels; choose one with -k: %s", c.File, len(names), strings.Join(names, ", "))
		}
		c.Kernel = names[0]
	}
	k, err := prog.Kernel(c.Kernel)
	if err != nil {
		return nil, usagef("%s has no kernel %s; it has %s", c.File, c.Kernel, strings.Join(names, ", "))
	}
	return k, nil
}

// bind assigns the --arg values to the kernel's arguments: buffers first, because
// sizes of them may be arguments too.
func (c *runCmd) bind(k *purecl.Kernel) ([]*arg, error) {
	var args []*arg
	for _, info := range k.Args() {
		args = append(args, &arg{info: info})
	}
	next := 0
	for _, a := range c.Arg {
		name, spec, named := strings.Cut(a, "=")
		var to *arg
		if named {
			if to = find(args, name); to == nil {
				return nil, usagef("kernel %s has no argument %q; it has %s", c.Kernel, name, argNames(args))
			}
		} else {
			for next < len(args) && args[next].set {
				next++
			}
			if next == len(args) {
				return nil, usagef("kernel %s takes %d arguments: %s; there is one too many: %s", c.Kernel, len(args), argNames(args), a)
			}
			to, spec = args[next], a
		}
		if to.set {
			return nil, usagef("argument %s is given twice", to.info.Name)
		}
		to.spec, to.set = spec, true
	}
	var first *data
	for _, a := range args {
		if (a.info.Memory() || a.info.Image()) && a.set {
			bind := a.bindBuffer
			if a.info.Image() {
				bind = a.bindImage
			}
			if err := bind(); err != nil {
				return nil, usagef("argument %s: %v", a.info.Name, err)
			}
			if first == nil {
				first = a.data
			}
		}
	}
	for _, a := range args {
		if err := a.bindOther(args, first); err != nil {
			return nil, usagef("argument %s (%s): %v", a.info.Name, a.info.TypeName, err)
		}
	}
	return args, nil
}

func find(args []*arg, name string) *arg {
	for i, a := range args {
		if a.info.Name == name || strconv.Itoa(i) == name {
			return a
		}
	}
	return nil
}

func argNames(args []*arg) string {
	var names []string
	for _, a := range args {
		names = append(names, a.info.TypeName+" "+a.info.Name)
	}
	return strings.Join(names, ", ")
}

// elemOf returns the element type that a buffer argument points to; a struct is its
// bytes.
func elemOf(info purecl.ArgInfo) elem {
	if info.Elem == numeric.Invalid {
		return elem{numeric.U8, int(max(info.Size, 1)), int(max(info.Size, 1))}
	}
	return elem{info.Elem, info.Lanes, int(info.Size)}
}

func (a *arg) bindBuffer() error {
	d, err := parseData(a.spec, elemOf(a.info))
	if err != nil {
		return err
	}
	a.data, a.val = d, d.Bytes
	return nil
}

var sizeRE = regexp.MustCompile(`^(len|width|height)\((\w+)\)$`)

func (a *arg) bindOther(args []*arg, first *data) error {
	switch {
	case a.data != nil:
		return nil
	case a.info.Memory():
		if first == nil {
			return errors.New("not given, and there is no other buffer to take its size from")
		}
		d, err := newData(elemOf(a.info), first.Shape...)
		if err != nil {
			return err
		}
		a.data, a.val = d, d.Bytes
		return nil
	case a.info.Image():
		return a.imageLike(args, first)
	case a.info.Sampler():
		return a.bindSampler()
	case !a.set:
		return errors.New("not given")
	case a.info.Local():
		s, ok := strings.CutPrefix(a.spec, "local(")
		n, err := strconv.Atoi(strings.TrimSuffix(s, ")"))
		if !ok || err != nil {
			return fmt.Errorf("expected local(BYTES), not %s", a.spec)
		}
		a.val = purecl.LocalMem(n)
		return nil
	}
	spec := a.spec
	if m := sizeRE.FindStringSubmatch(spec); m != nil {
		of := find(args, m[2])
		if of == nil || of.data == nil {
			return fmt.Errorf("%s: there is no buffer argument %s", spec, m[2])
		}
		n := of.data.count()
		if m[1] != "len" {
			if len(of.data.Shape) != 2 {
				return fmt.Errorf("%s: the buffer has no width and height, its shape is %v", spec, of.data.Shape)
			}
			n = of.data.Shape[map[string]int{"height": 0, "width": 1}[m[1]]]
		}
		spec = strconv.Itoa(n)
	}
	if a.info.Elem == numeric.Invalid {
		return errors.New("arguments of this type cannot be given on the command line")
	}
	b, err := value(spec, elemOf(a.info))
	if err != nil {
		return err
	}
	a.val = purecl.RawValue(b)
	return nil
}

func defaultGlobal(args []*arg) []int {
	for _, a := range args {
		if a.data == nil || !a.set {
			continue
		}
		if s := a.data.Shape; len(s) == 2 {
			return []int{s[1], s[0]}
		}
		return []int{a.data.count()}
	}
	return nil
}

var checkLevels = map[string]purecl.Checks{"none": purecl.CheckNone, "memory": purecl.CheckMemory, "all": purecl.CheckAll}

func (c *runCmd) launch(ctx context.Context, k *purecl.Kernel, args []*arg) error {
	var values []any
	for _, a := range args {
		values = append(values, a.val)
	}
	opts := purecl.RunOptions{Checks: checkLevels[c.Checks], Stdout: os.Stdout}
	var bar *progressBar
	if !c.Quiet && isTerminal(os.Stderr) {
		bar = &progressBar{w: os.Stderr, start: time.Now()}
		opts.Progress = bar.update
	}
	start := time.Now()
	rep, err := k.RunWith(ctx, opts, purecl.NDRange{Global: c.Global, Local: c.Local, Offset: c.Offset}, values...)
	took := time.Since(start)
	bar.clear()
	if ctx.Err() != nil {
		return &statusError{130, "interrupted"}
	}
	bad := false
	if rep != nil {
		for i := range rep.Findings {
			bad = true
			fmt.Fprint(os.Stderr, rep.Findings[i].Rendered)
		}
	}
	var fault *purecl.FaultError
	if err != nil && !errors.As(err, &fault) {
		return err
	}
	if err := c.results(args); err != nil {
		return err
	}
	if !c.Quiet {
		n := 1
		for _, g := range c.Global {
			n *= g
		}
		fmt.Fprintf(os.Stderr, "%s: %d work-items in %v\n", c.Kernel, n, took.Round(time.Microsecond))
	}
	if c.Timings {
		printTimings(k.Timings())
	}
	if bad || fault != nil {
		return &statusError{exitFindings, ""}
	}
	return nil
}

// results writes and prints the buffers that are wanted.
func (c *runCmd) results(args []*arg) error {
	for _, o := range c.Out {
		name, file, ok := strings.Cut(o, "=")
		a := find(args, name)
		if !ok || a == nil || a.data == nil {
			return usagef("--out wants NAME=FILE with the name of a buffer, not %q", o)
		}
		if err := a.data.write(file); err != nil {
			return err
		}
	}
	for _, name := range c.Print {
		a := find(args, name)
		if a == nil || a.data == nil {
			return usagef("--print: there is no buffer %q", name)
		}
		printTable(os.Stdout, a, c.Rows)
	}
	if len(c.Out) == 0 && len(c.Print) == 0 {
		for _, a := range args {
			if a.data != nil && a.info.Writable() {
				printTable(os.Stdout, a, c.Rows)
			}
		}
	}
	return nil
}

// printTable prints a buffer: a line for each row of a picture, else so many elements
// to a line as fit 80 columns, with the index of the first.
func printTable(w io.Writer, a *arg, rows int) {
	d := a.data
	fmt.Fprintf(w, "%s: %d × %s\n", a.info.Name, d.count(), strings.TrimSuffix(a.info.TypeName, "*"))
	perLine := 0
	var cells []string
	width := 0
	limit := d.count()
	if rows > 0 {
		limit = min(limit, rows*16)
	}
	for i := range limit {
		s := formatElem(d.Elem, d.Bytes[i*d.Elem.Size:])
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
		if rows > 0 && line == rows-1 && i+perLine < d.count() {
			fmt.Fprintf(w, "       … %d more\n", d.count()-i-perLine)
		}
	}
}

// A progressBar shows how much of a long launch is done, from half a second on.
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
	return err == nil && st.Mode()&os.ModeCharDevice != 0
}
