package launch

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/purecl/purecl/internal/run/exec"
)

// A busy is an execution whose batches are steps of a chain of multiplications.
type busy struct {
	tally
	batches  int64
	steps    int // of a batch
	estimate time.Duration
	workers  []busyWorker // by number
}

type busyWorker struct {
	x *busy
	v uint64
	_ [112]byte
}

func (x *busy) Batches() int64                        { return x.batches }
func (x *busy) Most() int64                           { return x.batches }
func (x *busy) Estimate() time.Duration               { return x.estimate }
func (x *busy) NewWorker(number int) exec.BatchWorker { return &x.workers[number] }

func (w *busyWorker) Leave() bool { return false }

func (w *busyWorker) Do(from, to int64) error {
	v := w.v
	for range int(to-from) * w.x.steps {
		v = v*6364136223846793005 + 1442695040888963407
	}
	w.v = v
	return nil
}

// newBusy returns an execution that takes one worker the given time.
func newBusy(alone time.Duration) *busy {
	const steps = 1 << 20 // until the processor runs at its full speed
	x := &busy{batches: 1, steps: steps, workers: make([]busyWorker, 1+max(runtime.NumCPU(), runtime.GOMAXPROCS(0)))}
	for i := range x.workers {
		x.workers[i].x = x
	}
	start := time.Now()
	x.workers[0].Do(0, 1)
	step := float64(time.Since(start)) / steps
	x.batches, x.estimate = 64, alone
	x.steps = int(float64(alone) / step / float64(x.batches))
	return x
}

// BenchmarkLaunch shares work of some microseconds, launch after launch, by the time that it takes one worker and by the
// number of workers.
func BenchmarkLaunch(b *testing.B) {
	for _, us := range []int{1, 5, 10, 20, 50, 100, 200, 1000} {
		for _, workers := range []int{1, 2, 4, 8, 16} {
			b.Run(fmt.Sprintf("%dus/workers=%d", us, workers), func(b *testing.B) {
				x, stop := newBusy(time.Duration(us)*time.Microsecond), new(atomic.Bool)
				var s schedule
				for b.Loop() {
					s.begin(x, workers, Part{})
					s.stop = stop
					s.run(nanotime())
					s.end()
				}
			})
		}
	}
}
