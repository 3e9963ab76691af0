package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/purecl/purecl/internal/cpu/jit"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/image"
)

// launchFlags say which kernel to launch with what: of the commands that launch one.
type launchFlags struct {
	File   string   `arg:"" help:"Source file."`
	Kernel string   `short:"k" help:"Kernel to run; needed where the file has several."`
	Global dims     `short:"g" placeholder:"SIZES" help:"Work-items in each dimension, such as 1024 or 640x480. Default: the size of the first buffer."`
	Local  dims     `short:"l" placeholder:"SIZES" help:"Work-group size in each dimension, such as 64 or 8x8."`
	Offset dims     `placeholder:"IDS" help:"First global id in each dimension."`
	Arg    []string `short:"a" sep:"none" placeholder:"[NAME=]VALUE" help:"An argument by name or, in order, by position."`
	deviceFlag
	profile *jit.Profile // collects where the time goes; nil: nothing does
}

// argumentsHelp describes the forms of arguments.
var argumentsHelp = help(
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
)

// An arg is one kernel argument on its way to the launch.
type arg struct {
	info   param
	spec   string
	set    bool
	data   *data        // of buffers and images
	bound  exec.Arg     // of what is no buffer
	format image.Format // of images
}

// prepare builds the file, picks the kernel, reads the arguments and completes the range. It
// returns the diagnostics of the source too, also with [errBuild].
func (c *launchFlags) prepare(build *buildFlags) (*kernel, []*arg, []diag.Finding, error) {
	d, err := c.find()
	if err != nil {
		return nil, nil, nil, err
	}
	if c.profile != nil {
		if d, err = profiled(d, c.profile); err != nil {
			return nil, nil, nil, err
		}
	}
	b, err := buildFile(c.File, build)
	if err != nil {
		if b == nil {
			return nil, nil, nil, err
		}
		return nil, nil, b.diags, err
	}
	k, err := b.kernel(d, c.File, c.Kernel)
	if err != nil {
		return nil, nil, b.diags, err
	}
	c.Kernel = k.fn.Name
	source := b.warnings()
	args, err := c.bind(k)
	if err != nil {
		return nil, nil, source, err
	}
	if len(c.Global) == 0 {
		if c.Global = defaultGlobal(args); len(c.Global) == 0 {
			return nil, nil, source, usagef("give the number of work-items with -g, such as -g 64: the kernel has no buffer to take it from")
		}
	}
	for _, d := range []struct {
		flag string
		dims dims
	}{{"-l", c.Local}, {"--offset", c.Offset}} {
		if n := len(d.dims); n > 0 && n != len(c.Global) {
			return nil, nil, source, usagef("%s %v has %s and -g %v has %d: give as many", d.flag, d.dims, countOf(n, "dimension"), c.Global, len(c.Global))
		}
	}
	return k, args, source, nil
}

// bind assigns the --arg values to the kernel's arguments: buffers first, because
// sizes of them may be arguments too.
func (c *launchFlags) bind(k *kernel) ([]*arg, error) {
	var args []*arg
	for _, info := range k.params() {
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
		if (a.info.isMemory() || a.info.isImage()) && a.set {
			bind := a.bindBuffer
			if a.info.isImage() {
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
func elemOf(info param) elem {
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
	a.data = d
	return nil
}

var sizeRE = regexp.MustCompile(`^(len|width|height)\((\w+)\)$`)

func (a *arg) bindOther(args []*arg, first *data) error {
	switch {
	case a.data != nil:
		return nil
	case a.info.isMemory():
		if first == nil {
			return fmt.Errorf("not given, and there is no other buffer to take its size from: -a '%s=zeros(N)' gives it", a.info.Name)
		}
		d, err := newData(elemOf(a.info), first.Shape...)
		if err != nil {
			return err
		}
		a.data = d
		return nil
	case a.info.isImage():
		return a.imageLike(args, first)
	case a.info.Kind == ssa.ArgSampler:
		return a.bindSampler()
	case !a.set:
		return fmt.Errorf("not given: -a %s=VALUE gives it", a.info.Name)
	case a.info.Kind == ssa.ArgLocal:
		s, ok := strings.CutPrefix(a.spec, "local(")
		n, err := strconv.Atoi(strings.TrimSuffix(s, ")"))
		if !ok || err != nil {
			return fmt.Errorf("expected local(BYTES), not %s", a.spec)
		}
		a.bound = exec.Arg{Kind: exec.LocalArg, Size: int64(n)}
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
				return fmt.Errorf("%s: the buffer is %s and has no width and height: make it as zeros(640x480)", spec, shapeText(of.data.Shape))
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
	a.bound = exec.Arg{Kind: exec.ValueArg, Bytes: b}
	return nil
}

func defaultGlobal(args []*arg) dims {
	for _, a := range args {
		if a.data == nil || !a.set {
			continue
		}
		if s := a.data.Shape; len(s) == 2 {
			return dims{s[1], s[0]}
		}
		return dims{a.data.count()}
	}
	return nil
}
