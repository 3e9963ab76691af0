package launch

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"testing"
	"time"

	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// A broken executor's workers, findings or code panic.
type broken struct{ where string }

func (b broken) Name() string { return "broken" }
func (b broken) Prepare(*ssa.Func, exec.Checks, *exec.NDRange) (exec.Code, error) {
	return brokenCode{b}, nil
}

type brokenCode struct{ broken }

func (brokenCode) Executor() string     { return "broken" }
func (brokenCode) OrderSensitive() bool { return false }
func (brokenCode) Times() timing.Times  { return timing.Times{} }
func (c brokenCode) NewExecution(*exec.Env, int) (exec.Execution, error) {
	if c.where == "execution" {
		panic("broken execution")
	}
	x := &brokenExecution{where: c.where}
	x.tally = &tally{counts: make([]atomic.Int32, 1000), most: 1}
	return x, nil
}

type brokenExecution struct {
	*tally
	where string
}

func (x *brokenExecution) NewWorker(int) exec.BatchWorker {
	// The first worker is usually the launcher's: only the others panic.
	return &brokenWorker{x, x.workers.Add(1) > 1}
}

func (x *brokenExecution) Findings([]exec.BatchWorker) []*exec.Finding {
	if x.where == "findings" {
		panic("broken findings")
	}
	return nil
}

type brokenWorker struct {
	x      *brokenExecution
	helper bool
}

func (w *brokenWorker) Do(int64, int64) error {
	switch {
	case w.x.where == "launcher", w.x.where == "helper" && w.helper:
		panic(io.ErrUnexpectedEOF)
	case w.x.where == "helper":
		for range 1000 { // until a helper has started
			if w.x.workers.Load() > 1 {
				break
			}
			time.Sleep(time.Millisecond)
		}
	}
	return nil
}

// TestPanicIsError checks that a panic anywhere in a launch becomes the launch's error, with the kernel's name and
// the stack.
func TestPanicIsError(t *testing.T) {
	for _, where := range []string{"launcher", "helper", "execution", "findings"} {
		m, err := ssa.ParseText("t.ssa", []byte(source))
		if err != nil {
			t.Fatal(err)
		}
		p, err := NewProgram(m, broken{where})
		if err != nil {
			t.Fatal(err)
		}
		k, err := p.Kernel("h")
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			_, err = Run(context.Background(), &Launch{Kernel: k, Args: []Arg{Memory(&Buffer{Data: make([]byte, 8)})}, Range: Range{Global: []uint64{64}}, Workers: 4})
			var internal *exec.InternalError
			if !errors.As(err, &internal) || internal.Kernel != "h" || len(internal.Stack) == 0 {
				t.Errorf("%s: %v", where, err)
			}
		}
	}
}

// TestSharePanic checks that a panic in shared work reaches the caller of Share.
func TestSharePanic(t *testing.T) {
	for range 20 {
		func() {
			defer func() {
				if _, ok := recover().(*exec.InternalError); !ok {
					t.Error("no *InternalError")
				}
			}()
			Share(4, 64, time.Millisecond, func(i int64) {
				time.Sleep(100 * time.Microsecond)
				if i == 40 {
					panic("bad piece")
				}
			})
		}()
	}
	n := atomic.Int64{}
	Share(4, 1000, time.Microsecond, func(int64) { n.Add(1) })
	if n.Load() != 1000 {
		t.Errorf("%d calls of 1000 after a panic", n.Load())
	}
}
