package gputest

import (
	"context"
	"testing"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/run/exec"
)

// programAndQueue compiles a program for a device and makes a queue. Both are closed at the test's end.
func programAndQueue(t *testing.T, dev exec.Device, src string) (exec.Program, exec.Queue) {
	t.Helper()
	opts, err := compile.ParseOptions("-cl-std=CL3.0")
	if err != nil {
		t.Fatal(err)
	}
	res, err := compile.Compile(context.Background(), "k.cl", []byte(src), opts)
	if err != nil {
		t.Fatal(err)
	}
	prog, err := dev.Load(&exec.Module{Module: res.Module})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { prog.Close() })
	q, err := dev.NewQueue()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { q.Close() })
	return prog, q
}

// allocated returns memory of a device until the test's end.
func allocated(t *testing.T, dev exec.Device, n int) exec.Memory {
	t.Helper()
	m, err := dev.Allocate(n)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Free)
	return m
}

// prepare sets a launch's kernel and range.
func prepare(t *testing.T, prog exec.Program, kernel string, l *exec.Launch, r exec.Range) {
	t.Helper()
	var err error
	if l.Kernel, err = prog.Kernel(kernel); err != nil {
		t.Fatal(err)
	}
	if l.Range, err = l.Kernel.Resolve(r); err != nil {
		t.Fatal(err)
	}
}

// launchAndWait launches a kernel and waits for its end.
func launchAndWait(q exec.Queue, l *exec.Launch) error {
	err := q.Launch(context.Background(), l)
	if werr := q.Wait(context.Background()); err == nil {
		err = werr
	}
	return err
}

// launchOn runs a kernel of a source on a device.
func launchOn(t *testing.T, dev exec.Device, src, kernel string, l *exec.Launch, r exec.Range) error {
	t.Helper()
	prog, q := programAndQueue(t, dev, src)
	prepare(t, prog, kernel, l, r)
	return launchAndWait(q, l)
}
