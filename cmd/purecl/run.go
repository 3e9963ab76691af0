package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/purecl/purecl/internal/run/host"
)

type runCmd struct {
	launchFlags
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
		argumentsHelp,
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

func (c *runCmd) Run(ctx context.Context) error {
	k, args, err := c.prepare(c.buildFlags.text())
	if err != nil {
		return err
	}
	return c.launch(ctx, k, args)
}

var checkLevels = map[string]host.Checks{"none": host.CheckNone, "memory": host.CheckMemory, "all": host.CheckAll}

func (c *runCmd) launch(ctx context.Context, k *host.Kernel, args []*arg) error {
	var values []any
	for _, a := range args {
		values = append(values, a.val)
	}
	opts := host.RunOptions{Checks: checkLevels[c.Checks], Stdout: os.Stdout}
	var bar *progressBar
	if !c.Quiet && isTerminal(os.Stderr) {
		bar = &progressBar{w: os.Stderr, start: time.Now()}
		opts.Progress = bar.update
	}
	start := time.Now()
	rep, err := k.RunWith(ctx, opts, host.NDRange{Global: c.Global, Local: c.Local, Offset: c.Offset}, values...)
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
	var fault *host.FaultError
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
