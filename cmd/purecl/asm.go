package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/purecl/purecl/internal/run/argument"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/cpu/explain"
	"github.com/purecl/purecl/internal/cpu/jit"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/imagecode"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/image"
)

type asmCmd struct {
	File    string `arg:"" help:"Source file; - is the standard input."`
	Kernel  string `short:"k" help:"Only this kernel."`
	Level   string `placeholder:"LEVEL" help:"CPU level to generate code for, which this machine need not have. Default: this machine's best."`
	Partial bool   `help:"Print the code for gangs with fewer work-items than lanes instead of whole gangs."`
	Rows    bool   `help:"Print the code for gangs of several rows of work-items, if the kernel gains from them."`
	Summary bool   `short:"s" help:"Only the summary: loops, registers, accesses."`
	All     bool   `help:"Show entry, stubs and constants too."`
	Image   string `default:"rgba8" placeholder:"FORMAT" help:"Format of the image arguments, on which the code depends: rgba8, bgra8, rf, rgba32ui, … Default: rgba8."`
	Sampler string `default:"edge|nearest" placeholder:"WORDS" help:"Sampler arguments, on which the code depends. Default: edge|nearest."`
	deviceFlag
	timingFlag
	buildFlags
}

func (*asmCmd) Help() string {
	return help(
		"Prints source lines beside their machine code, and a summary before each kernel. The",
		"summary has for each loop its instructions, registers and spills (accesses to memory for",
		"lack of registers); for each access whether the work-items of a gang access one address",
		"(uniform), neighbouring addresses (contiguous) or others, and why; and the branches in",
		"which work-items may diverge, and why. Equal descriptions are printed once. A load whose",
		"value is already in a register is not listed.",
		"",
		"Levels: "+levelNames(jit.ARM64)+".",
		"",
		"For a GPU (--device gpu) it prints PTX, which needs no GPU, and the driver's machine code",
		"(SASS), which needs a GPU and nvdisasm or cuobjdump of NVIDIA's toolkit.",
		"",
		"Examples:",
		"  purecl asm blur.cl",
		"  purecl asm blur.cl -k blur --level avx2 --summary",
		"  purecl asm blur.cl -D RADIUS=3 --timings",
		"  purecl asm blur.cl --device gpu",
	)
}

// levelNames lists the CPU levels of amd64, and others.
func levelNames(others ...string) string {
	var names []string
	for _, lv := range x86.Levels {
		names = append(names, lv.Name)
	}
	return strings.Join(append(names, others...), ", ")
}

// findLevel returns the level of that name; "" is this machine's best. others are names that are no levels of
// amd64, for error messages.
func findLevel(name string, others ...string) (*x86.Level, error) {
	if name == "" {
		if lv := jit.Level(); lv != nil {
			return lv, nil
		}
		return x86.Levels[len(x86.Levels)-1], nil
	}
	for _, lv := range x86.Levels {
		if lv.Name == name {
			return lv, nil
		}
	}
	return nil, usagef("there is no level %q; there are %s", name, levelNames(others...))
}

func (c *asmCmd) Run(ctx context.Context) error {
	dev, forGPU, err := c.gpu()
	if err != nil {
		return err
	}
	forARM64 := c.Level == jit.ARM64 || c.Level == "" && jit.Executor().Name() == jit.ARM64
	var lv *x86.Level
	if !forARM64 && !forGPU {
		if lv, err = findLevel(c.Level, jit.ARM64); err != nil {
			return err
		}
	}
	opts, err := c.buildFlags.compileOptions()
	if err != nil {
		return err
	}
	res, err := compileFile(ctx, c.File, opts)
	if err != nil {
		return err
	}
	kernels, err := pickKernels(res.Module, c.File, c.Kernel)
	if err != nil {
		return err
	}
	if _, _, err := c.imageFlags(); err != nil {
		return err
	}
	out := bufio.NewWriter(os.Stdout)
	times, failed := res.Took, false
	for _, f := range kernels {
		var err error
		switch {
		case forGPU:
			if err = c.listGPU(out, dev, res.Source, f); err != nil {
				err = fmt.Errorf("%s: %w", res.Source.Location(f.Pos), err)
			}
		case forARM64:
			if err = c.listARM64(out, res.Source, f); err != nil {
				err = noCode(res.Source, f, err)
			}
		default:
			err = c.listAMD64(out, lv, res.Source, f, &times)
		}
		if err != nil {
			out.Flush()
			fmt.Fprintln(os.Stderr, "purecl: "+err.Error())
			failed = true
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if c.Timings {
		printTimes(os.Stderr, &times)
	}
	if failed {
		return &statusError{exitFindings, ""}
	}
	return nil
}

// listAMD64 prints a kernel's machine code for a CPU level, and adds the compile times to times.
func (c *asmCmd) listAMD64(w io.Writer, lv *x86.Level, src *diag.Source, f *ssa.Func, times *timing.Times) error {
	f, err := c.withImages(f)
	if err != nil {
		return err
	}
	gangs := jit.WholeGangs
	switch {
	case c.Partial:
		gangs = jit.PartialGangs
	case c.Rows:
		gangs = jit.CoarseGangs
	}
	code, took, err := jit.List(f, lv, gangs)
	times.Add(&took)
	if err != nil && c.Rows {
		return fmt.Errorf("%s: kernel %s has no code for several rows at once: %w; leave out --rows for the code of one", src.Location(f.Pos), f.Name, err)
	}
	if err != nil {
		return noCode(src, f, err)
	}
	l := lister{w: w, src: src, code: code, f: f, all: c.All}
	l.summary()
	if !c.Summary {
		l.listing()
	}
	return nil
}

// imageFlags returns the format and the sampler of the flags.
func (c *asmCmd) imageFlags() (image.Format, opencl.Sampler, error) {
	f, _, ok := argument.ImageFormat(c.Image)
	if !ok {
		return f, 0, usagef("%q is no image format; rgba8, r8, rgbaf and r32ui are", c.Image)
	}
	s, err := argument.ParseSampler(c.Sampler)
	if err != nil {
		return f, 0, usagef("%v", err)
	}
	return f, s, nil
}

// withImages returns the copy of a kernel for launches with the images and samplers of the flags, or f itself if it
// has none.
func (c *asmCmd) withImages(f *ssa.Func) (*ssa.Func, error) {
	format, sampler, err := c.imageFlags()
	if err != nil {
		return nil, err
	}
	k := imagecode.New(f)
	if k == nil {
		return f, nil
	}
	return k.Func(k.KeyOf(format, sampler), false)
}

// noCode returns the error for a kernel that only the reference executor can run, with the reason.
func noCode(src *diag.Source, f *ssa.Func, err error) error {
	why := err.Error()
	if bug, ok := err.(*exec.InternalError); ok {
		why = bug.Report()
	}
	return fmt.Errorf("%s: %s", src.Location(f.Pos), slow(f.Name, why))
}

// compileFile compiles a file and prints its diagnostics.
func compileFile(ctx context.Context, name string, opts *compile.Options) (*compile.Result, error) {
	src, err := readSource(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	res, err := compile.Compile(ctx, name, src, opts)
	if werr := (diag.Style{Codes: true, Color: isTerminal(os.Stderr)}).Write(os.Stderr, res.Source, res.Diags); werr != nil {
		return nil, werr
	}
	if _, ok := err.(*diag.List); ok {
		err = &statusError{exitFindings, ""}
	}
	return res, err
}

// pickKernels returns the kernel of that name, or all kernels if name is "".
func pickKernels(m *ssa.Module, file, name string) ([]*ssa.Func, error) {
	var names []string
	var all []*ssa.Func
	for _, f := range m.Funcs {
		if f.Kernel != nil {
			names, all = append(names, f.Name), append(all, f)
		}
		if f.Kernel != nil && f.Name == name {
			return []*ssa.Func{f}, nil
		}
	}
	if len(all) == 0 {
		return nil, usagef("%s has no kernels", file)
	}
	if name != "" {
		return nil, usagef("%s has no kernel %s; it has %s", file, name, strings.Join(names, ", "))
	}
	return all, nil
}

// A lister prints a kernel's machine code.
type lister struct {
	w    io.Writer
	src  *diag.Source
	code *jit.Listed
	f    *ssa.Func
	all  bool
}

func (l *lister) printf(format string, args ...any) { fmt.Fprintf(l.w, format, args...) }

// place returns a position as text, "" if there is none.
func (l *lister) place(p diag.Pos) string { return l.src.Location(p).String() }

// summary prints the kernel's properties.
func (l *lister) summary() {
	c := l.code
	body := 0
	for _, i := range c.Listing.Insts {
		if i.Body {
			body++
		}
	}
	l.printf("kernel %s (%s): %s\n", l.f.Name, l.place(l.f.Pos), c.Level.Name)
	l.printf("  %d work-items in a gang, %d instructions, %d bytes with stubs and constants\n", c.Lanes, body, len(c.Bytes))
	l.printf("  frame of a gang: %d bytes; private memory of a work-item: %d bytes\n", c.FrameSize, c.Private)
	if c.Gangs {
		l.printf("  one gang follows the other in the code; work-groups cannot be told apart\n")
	}
	for _, v := range imagecode.Kept(l.f) {
		what := "image query"
		if call := exec.NewImageCall(v); call != nil {
			what = call.Access()
		}
		l.printf("  %s: %s by a call of Go: there is no code for the image's format, or the image or sampler is no argument\n", l.place(v.Pos), what)
	}
	if s := l.gathers(); s != "" {
		l.printf("  %s", strings.ReplaceAll(s, "\n  ", "\n    "))
	}
	for _, n := range c.Listing.Loops() {
		if n.Loop == nil {
			l.printf("outside of loops:")
			if n.Once > 0 {
				l.printf(" %d instructions once,", n.Once)
			}
		} else {
			l.printf("loop at %s, depth %d:", l.loopPlace(n.Loop), n.Loop.Depth)
		}
		l.printf(" %d instructions, %d more for failing checks and other rare cases\n", n.Insts, n.Cold)
		l.printf("  registers: %d vector, %d general, %d mask; spills: %d, repeated instead: %d\n", n.Vectors, n.General, n.MaskRegs, n.Spills, n.Remats)
		var notes []string
		for _, a := range n.Accesses {
			notes = append(notes, l.access(a))
		}
		for _, why := range n.Diverge {
			notes = append(notes, l.reasons("  ", why))
		}
		l.once(notes)
	}
}

// gathers describes the first gather if most accesses gather, "" if they do not.
func (l *lister) gathers() string {
	list, of := l.code.Listing.Gathers()
	if 2*len(list) <= of {
		return ""
	}
	a := list[0]
	why := fmt.Sprintf("%s: the first: %v of %d bytes", l.place(a.Value.Pos), a.Value.Op, a.Bytes)
	for _, r := range a.Why {
		why += ", " + r.Text
	}
	return fmt.Sprintf("%d of %d accesses to memory gather or go lane by lane, several times slower than side by side\n  %s\n", len(list), of, why)
}

// once prints equal texts once, at the first one's position, with their number at the end of its first line.
// Unrolled loops and interleaved gangs have many equal texts.
func (l *lister) once(texts []string) {
	copies := map[string]int{}
	for _, s := range texts {
		copies[s]++
	}
	for _, s := range texts {
		n := copies[s]
		copies[s] = 0
		switch {
		case n == 1:
			l.printf("%s", s)
		case n > 1:
			line, rest, _ := strings.Cut(s, "\n")
			l.printf("%s, %d times\n%s", line, n, rest)
		}
	}
}

// access describes an access to memory, in lines.
func (l *lister) access(a *explain.Access) string {
	step := ""
	if a.Shape == explain.Strided {
		step = fmt.Sprintf(", step %d", a.Step)
	}
	checked := ""
	if a.Checked != "" {
		checked = ", checked " + a.Checked
	}
	return fmt.Sprintf("  %s: %v of %d bytes, %v%s%s\n", l.place(a.Value.Pos), a.Value.Op, a.Bytes, a.Shape, step, checked) + l.reasons("    ", a.Why)
}

// reasons returns the reasons as lines, each indented further than the one before.
func (l *lister) reasons(indent string, why []explain.Reason) string {
	var lines strings.Builder
	for i, r := range why {
		if i > 0 {
			indent += "  "
		}
		at := ""
		if r.Pos.IsValid() {
			at = l.place(r.Pos) + ": "
		}
		fmt.Fprintf(&lines, "%s%s%s\n", indent, at, r.Text)
	}
	return lines.String()
}

// loopPlace returns the source position of a loop: the position of its first value that has one and is no phi.
func (l *lister) loopPlace(x *ssa.Loop) string {
	for _, b := range x.Blocks {
		for _, v := range b.Values {
			if v.Pos.IsValid() && v.Op != ssa.OpPhi {
				return l.place(v.Pos)
			}
		}
	}
	return "?"
}

// listing prints the instructions in order, each group under its source line.
func (l *lister) listing() {
	targets := map[string]bool{} // names that instructions refer to
	for k := range l.code.Listing.Insts {
		text := l.code.Listing.Insts[k].Text
		targets[text[strings.LastIndexByte(text, ' ')+1:]] = true
	}
	names := map[int][]string{}
	for _, n := range l.code.Listing.Names {
		if l.all || targets[n.Name] {
			names[n.Offset] = append(names[n.Offset], n.Name)
		}
	}
	var last string
	cold := false
	for k := range l.code.Listing.Insts {
		i := &l.code.Listing.Insts[k]
		if !i.Body && !l.all {
			continue
		}
		if i.Body && i.Cold && !cold {
			cold = true
			l.printf("\n; failing checks and other rare cases\n")
		}
		for _, n := range names[i.Offset] {
			l.printf("%s:\n", n)
		}
		if i.Body && i.Pos.IsValid() {
			loc := l.src.Location(i.Pos)
			if at := fmt.Sprintf("%s:%d", loc.File, loc.Line); at != last {
				last = at
				l.printf("\n%s  %s\n", at, l.line(i.Pos))
			}
		} else {
			last = ""
		}
		note := i.Note
		switch {
		case i.Spill:
			note = "spill"
		case i.Remat:
			note = "again: " + note
		}
		if note != "" {
			note = "; " + strings.TrimSuffix(note, ": ")
		}
		l.printf("%s\n", strings.TrimRight(fmt.Sprintf("%8x  %-48s %s", i.Offset, i.Text, note), " "))
	}
	if l.all {
		l.constants()
	}
	l.printf("\n")
}

// constants prints the data after the code.
func (l *lister) constants() {
	names := l.code.Listing.Names
	for k, n := range names {
		if !strings.HasPrefix(n.Name, "const.") {
			continue
		}
		end := len(l.code.Bytes)
		if k+1 < len(names) {
			end = names[k+1].Offset
		}
		l.printf("%s:\n%8x  % x\n", n.Name, n.Offset, l.code.Bytes[n.Offset:end])
	}
}

// line returns the source line at a position.
func (l *lister) line(p diag.Pos) string { return sourceText(l.src, p) }

func sourceText(src *diag.Source, p diag.Pos) string {
	f, off := src.File(src.Outermost(p))
	if f == nil {
		return ""
	}
	n, _ := f.LineCol(off)
	return strings.ReplaceAll(strings.TrimRight(string(f.Line(n)), "\r\n"), "\t", "  ")
}
