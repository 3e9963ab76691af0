package host

import (
	"context"
	"testing"

	"github.com/purecl/purecl/internal/run/program"
)

// TestSubDeviceBuild checks that a sub-device uses the build of its nearest ancestor that has one, until it has its
// own (note of clGetProgramBuildInfo).
func TestSubDeviceBuild(t *testing.T) {
	root := NewDevice(DeviceCPU, 4)
	child := must[[]*Device](t)(root.Partition(2, 2))[0]
	grand := must[[]*Device](t)(child.Partition(1, 1))[0]
	c := must[*Context](t)(NewContext(nil, root, child, grand))
	p := c.NewProgram(Source{Text: `kernel void k(global int *p) { *p = N; }`})
	b := must[*Buffer](t)(c.NewBuffer(0, 4, nil))
	want := func(d *Device, n byte, status BuildStatus, options string) {
		t.Helper()
		s := must[BuildState](t)(p.BuildState(d))
		if s.Status != status || s.Options != options {
			t.Errorf("status %d with %q, want %d with %q", s.Status, s.Options, status, options)
		}
		if status != BuildSuccess {
			return
		}
		if must[[]byte](t)(p.BinaryFor(d)) == nil {
			t.Error("no binary")
		}
		k := must[*Kernel](t)(p.Kernel("k"))
		if err := k.Set(0, b); err != nil {
			t.Fatal(err)
		}
		q := must[*Queue](t)(c.NewQueue(d, QueueProperties{}))
		if _, err := q.NDRange(k, NDRange{Global: []int{1}}); err != nil {
			t.Fatal(err)
		}
		if err := q.Finish(context.Background()); err != nil || b.Bytes()[0] != n {
			t.Errorf("kernel gave %d (%v), want %d", b.Bytes()[0], err, n)
		}
	}
	build := func(options string, d *Device) {
		t.Helper()
		if err := p.Build(options, d); err != nil {
			t.Fatal(err)
		}
	}
	build("-DN=1", grand)
	want(root, 0, BuildNone, "")
	want(child, 0, BuildNone, "")
	want(grand, 1, BuildSuccess, "-DN=1")
	build("-DN=2", root)
	want(child, 2, BuildSuccess, "-DN=2")
	want(grand, 1, BuildSuccess, "-DN=1")
	build("-DN=3", child)
	want(root, 2, BuildSuccess, "-DN=2")
	want(child, 3, BuildSuccess, "-DN=3")

	// An object compiled for the parent is linked for the sub-device.
	o := c.NewProgram(Source{Text: `kernel void k(global int *p) { *p = 7; }`})
	if err := o.Compile("", nil, root); err != nil {
		t.Fatal(err)
	}
	p = must[*Program](t)(c.LinkAsync("", []*Device{grand}, nil, o))
	want(grand, 7, BuildSuccess, "")
}

// TestWatched checks that a program built for launches with checks is compiled once, and that its launches see
// accesses whose values are not used, as in a program that is compiled again at its first launch with checks.
func TestWatched(t *testing.T) {
	for _, watched := range []bool{false, true} {
		src := Source{Text: "kernel void k(global int *a) { int unused = a[100]; a[0] = 1; }", Watched: watched}
		m, err := program.Compile(src, nil)
		if err != nil {
			t.Fatal(err)
		}
		if again := m.Checked != nil; again == watched {
			t.Errorf("watched %v: compiled again %v", watched, again)
		}
		p, err := DefaultContext().Build(src, "")
		if err != nil {
			t.Fatal(err)
		}
		k, err := p.Kernel("k")
		if err != nil {
			t.Fatal(err)
		}
		rep, _ := k.RunWith(t.Context(), RunOptions{Checks: CheckAll}, NDRange{Global: []int{1}}, make([]int32, 4))
		if len(rep.Findings) != 1 || rep.Findings[0].Kind != "out-of-bounds" {
			t.Errorf("watched %v: %v", watched, rep.Findings)
		}
	}
}
