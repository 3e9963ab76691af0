package gputest

import (
	"context"
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/gpu/device"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
	"github.com/purecl/purecl/internal/test/kerneltest"
)

var everyFormat = flag.Bool("formats", false, "TestFormats: every format with every sampler, shape and function")

// TestFormats reads and writes images of all formats, shapes and samplers. The reference executor runs those that
// have no GPU code.
func TestFormats(t *testing.T) {
	modules := map[string]*ssa.Module{}
	for name, src := range kerneltest.FormatSources() {
		res, err := compile.Compile(context.Background(), name, []byte(src), nil)
		if err != nil {
			t.Fatal(err)
		}
		modules[name] = res.Module
	}
	l := &left{why: map[string]int{}}
	e, other := executor(machine(t), l), executor(simWith(&otherNaNs[0]), l)
	r := rand.New(rand.NewPCG(7, 8))
	launches, n := 0, 0
	for c := range kerneltest.FormatCases {
		n++
		if m := modules[c.Source]; m != nil && (*everyFormat || c.Some && (*useCUDA || n%3 == 0)) {
			for _, x := range c.Runs(r) {
				sameFormat(t, m, &x, e, *useCUDA)
				if !*useCUDA { // what depends on the bits of NaNs would differ on a GPU
					sameFormat(t, m, &x, other, true)
				}
				launches++
			}
		}
	}
	t.Logf("%d launches; those that the reference executor ran: %v", launches, l.why)
}

// sameFormat compares a launch on the GPU with one on the reference executor. If nans is set, all NaNs are equal.
func sameFormat(t *testing.T, m *ssa.Module, x *kerneltest.FormatRun, e *device.Executor, nans bool) {
	t.Helper()
	ref, err := launch.NewProgram(m, interp.Reference)
	if err != nil {
		t.Fatal(err)
	}
	p, err := launch.NewProgram(m, e)
	if err != nil {
		t.Fatal(err)
	}
	data, color, text := x.Launch(t, ref)
	gotData, gotColor, gotText := x.Launch(t, p)
	if gotText != text {
		t.Errorf("%s of %v, sampler %#x: findings%s\nwant%s", x.Kernel, x.Image, uint32(x.Sampler), gotText, text)
	}
	if !x.SameImage(gotData, data, nans) {
		t.Errorf("%s of %v: the image differs", x.Kernel, x.Image)
	}
	if text := x.Colors(gotColor, color, nans); text != "" {
		t.Errorf("%s of %v, sampler %#x: %s", x.Kernel, x.Image, uint32(x.Sampler), text)
	}
}
