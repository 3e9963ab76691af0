package launch

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/purecl/purecl/internal/run/exec"
)

// Share calls do(0) … do(n-1) and returns when all calls have returned. At most workers goroutines make the
// calls: the caller's and, if it pays, workers of the pool. each estimates the duration of one call. A panic of do
// on another goroutine reaches the caller as an *InternalError.
func Share(workers int, n int64, each time.Duration, do func(i int64)) {
	if n <= 0 {
		return
	}
	j := jobs.Get().(*job)
	j.n, j.each, j.do = n, each, do
	j.sched.begin(j, max(1, workers), Part{})
	j.sched.stop = &j.stop
	j.sched.run(nanotime())
	if err := j.sched.err; err != nil { // only a panic causes it: see Do
		panic(err)
	}
	j.sched.end()
	j.do = nil
	jobs.Put(j)
}

// A job is an execution without a kernel.
type job struct {
	sched schedule
	stop  atomic.Bool // set by a panic
	n     int64
	each  time.Duration
	do    func(i int64)
}

// jobs is the pool of unused jobs. Pool workers may still read the schedule of one, see [schedule.begin].
var jobs = sync.Pool{New: func() any { return new(job) }}

func (j *job) Batches() int64                              { return j.n }
func (j *job) Most() int64                                 { return 4 }
func (j *job) NewWorker(int) exec.BatchWorker              { return j }
func (j *job) Leave() bool                                 { return false }
func (j *job) Estimate() time.Duration                     { return max(1, j.each*time.Duration(j.n)) }
func (j *job) Took(int64, time.Duration)                   {}
func (j *job) Raced() bool                                 { return false }
func (j *job) Watch(exec.RaceMode, exec.RaceMarks)         {}
func (j *job) Marks() exec.RaceMarks                       { return nil }
func (j *job) Unwatched() []string                         { return nil }
func (j *job) Findings([]exec.BatchWorker) []*exec.Finding { return nil }
func (j *job) End([]exec.BatchWorker)                      {}

// Do makes some of the calls.
func (j *job) Do(from, to int64) error {
	for i := from; i < to; i++ {
		j.do(i)
	}
	return nil
}
