package host

import (
	"context"
	"errors"
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
)

const faultSource = "kernel void bad(global int *p) { p[get_global_id(0) + 1] = 1; }\nkernel void good(global int *p) { p[get_global_id(0)] = 2; }"

// faultQueue returns a queue of a device with the mode, a kernel that faults and a kernel that does not, on a
// buffer of 4 ints.
func faultQueue(t *testing.T, mode FaultMode, outOfOrder bool) (q *Queue, bad, good *Kernel, b *Buffer) {
	t.Helper()
	d := DefaultDevice().WithFaults(mode)
	c := must[*Context](t)(NewContext(nil, d))
	q = must[*Queue](t)(c.NewQueue(d, QueueProperties{OutOfOrder: outOfOrder}))
	p := c.NewProgram(Source{Text: faultSource})
	if err := p.Build(""); err != nil {
		t.Fatal(err)
	}
	b = must[*Buffer](t)(c.NewBuffer(MemReadWrite, 16, nil))
	bad, good = must[*Kernel](t)(p.Kernel("bad")), must[*Kernel](t)(p.Kernel("good"))
	for _, k := range []*Kernel{bad, good} {
		if err := k.Set(0, b); err != nil {
			t.Fatal(err)
		}
	}
	return q, bad, good, b
}

// Calls that wait for an in-order queue return the fault of an earlier kernel, until the
// next kernel comes.
func TestWaitersGetFault(t *testing.T) {
	q, bad, good, b := faultQueue(t, FaultStrict, false)
	ctx := context.Background()
	dst := make([]byte, 16)
	read := func() error { return q.Await(ctx, must[*Event](t)(q.Read(dst, b, 0))) }
	write := func() error { return q.Await(ctx, must[*Event](t)(q.Write(b, 0, dst))) }
	mapped := func() error {
		mem, e, err := q.Map(b, true, false, 0, 16)
		if err != nil {
			t.Fatal(err)
		}
		err = q.Await(ctx, e)
		must[*Event](t)(q.Unmap(b, mem))
		return err
	}
	wantFault := func(what string, err error) {
		t.Helper()
		if f := (*FaultError)(nil); !errors.As(err, &f) || f.Kernel != "bad" || StatusOf(err) != opencl.OutOfResources {
			t.Errorf("%s: %v, want the fault", what, err)
		}
	}
	if err := q.Finish(ctx); err != nil {
		t.Error(err)
	}
	must[*Event](t)(q.NDRange(bad, Range(4)))
	must[*Event](t)(q.NDRange(good, Range(4))) // no call has returned the fault yet: it stays
	wantFault("read", read())
	wantFault("finish", q.Finish(ctx))
	wantFault("write", write())
	wantFault("map", mapped())
	must[*Event](t)(q.NDRange(good, Range(4)))
	for _, err := range []error{read(), write(), mapped(), q.Finish(ctx)} {
		if err != nil {
			t.Errorf("after the next kernel: %v", err)
		}
	}
}

// Out of order, Await of a command returns the faults of the kernels before the last barrier; Finish waits for all.
func TestWaitersGetFaultOutOfOrder(t *testing.T) {
	q, bad, _, b := faultQueue(t, FaultStrict, true)
	ctx := context.Background()
	dst := make([]byte, 16)
	e := must[*Event](t)(q.NDRange(bad, Range(4)))
	e.Wait(ctx)
	if err := q.Await(ctx, must[*Event](t)(q.Read(dst, b, 0))); err != nil {
		t.Errorf("a read that does not wait for the kernel: %v", err)
	}
	if err := q.Await(ctx, must[*Event](t)(q.Read(dst, b, 0, e))); StatusOf(err) != opencl.ExecStatusErrorForEventsInWaitList {
		t.Errorf("a read that waits for the kernel: %v", err)
	}
	must[*Event](t)(q.Barrier())
	if err := q.Await(ctx, must[*Event](t)(q.Read(dst, b, 0))); StatusOf(err) != opencl.OutOfResources {
		t.Errorf("a read behind a barrier: %v", err)
	}
	if err := q.Finish(ctx); StatusOf(err) != opencl.OutOfResources {
		t.Errorf("finish: %v", err)
	}
}

// In robust mode no call returns an error, and the bytes inside are written.
func TestRobustQueue(t *testing.T) {
	q, bad, good, b := faultQueue(t, FaultRobust, false)
	ctx := context.Background()
	must[*Event](t)(q.NDRange(good, Range(4)))
	e := must[*Event](t)(q.NDRange(bad, Range(4)))
	dst := make([]byte, 16)
	if err := q.Await(ctx, must[*Event](t)(q.Read(dst, b, 0))); err != nil {
		t.Error(err)
	}
	if err := errors.Join(e.Wait(ctx), q.Finish(ctx)); err != nil {
		t.Error(err)
	}
	for i, want := range []byte{2, 1, 1, 1} {
		if dst[4*i] != want {
			t.Errorf("element %d is %d, want %d", i, dst[4*i], want)
		}
	}
	// A launch may choose another mode than the device's.
	e = must[*Event](t)(q.NDRangeWith(RunOptions{Faults: FaultStrict}, bad, Range(4)))
	if err := e.Wait(ctx); StatusOf(err) != opencl.OutOfResources {
		t.Errorf("a strict launch on a robust device: %v", err)
	}
}
