package main

import (
	"github.com/purecl/purecl/internal/run/argument"

	"github.com/purecl/purecl/internal/cpu/jit"
	"github.com/purecl/purecl/internal/front/diag"
)

// launchFlags are the flags of commands that launch a kernel: which kernel, its arguments and the range.
type launchFlags struct {
	File string `arg:"" help:"Source file."`
	launchChoice
}

// launchChoice is launchFlags without the source file.
type launchChoice struct {
	Kernel string   `short:"k" help:"Kernel to run; required if the file has several."`
	Global dims     `short:"g" placeholder:"SIZES" help:"Work-items in each dimension, such as 1024 or 640x480. Default: the size of the first buffer."`
	Local  dims     `short:"l" placeholder:"SIZES" help:"Work-group size in each dimension, such as 64 or 8x8."`
	Offset dims     `placeholder:"IDS" help:"First global id in each dimension."`
	Arg    []string `short:"a" sep:"none" placeholder:"[NAME=]VALUE" help:"An argument by name or, in order, by position."`
	deviceFlag
	profile *jit.Profile // records where the kernel's time goes; nil: no recording
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

// prepare builds the file, selects the kernel, reads the arguments and completes the range. It returns the source's
// diagnostics too, also with [errBuild].
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
			return nil, nil, source, usagef("%s %v has %s and -g %v has %d: give as many", d.flag, d.dims, argument.CountOf(n, "dimension"), c.Global, len(c.Global))
		}
	}
	return k, args, source, nil
}

// bind assigns the --arg values to the kernel's arguments.
func (c *launchFlags) bind(k *kernel) ([]*arg, error) {
	args, err := argument.Bind(c.Kernel, k.params(), c.Arg, files)
	if err != nil {
		return nil, usagef("%v", err)
	}
	return args, nil
}

// defaultGlobal returns the global size if none is given: the size of the first buffer.
func defaultGlobal(args []*arg) dims { return argument.Range(args) }
