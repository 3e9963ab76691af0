package exec

import (
	"time"

	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A RaceMode is the treatment of races in a run.
type RaceMode uint8

// The modes.
const (
	FindRaces    RaceMode = iota // the first conflict ends the run
	MarkRaces                    // all conflicts are marked; for one worker
	ExplainRaces                 // races at the marks of another run are reported; for one worker
)

// RaceMarks are the result of an execution that marks races, for the execution that explains them. Each
// executor has its own type for them.
type RaceMarks any

// An Executor runs kernels. The reference executor (package interp) is one, machine code
// (package jit) another.
type Executor interface {
	// Name is the executor's name in reports.
	Name() string
	// Prepare makes a kernel ready to run with the checks given. It is called once for each kernel and level,
	// and may be slow. first is the range of the launch that needs it, or nil. Prepare may compile in parallel
	// the code that first needs; the result is valid for all ranges.
	Prepare(f *ssa.Func, checks Checks, first *NDRange) (Code, error)
}

// Code is a kernel that an Executor has made ready. It may be shared.
type Code interface {
	// Executor is the name of the executor that runs the code: an executor may leave a kernel to another.
	Executor() string
	// OrderSensitive reports whether the result may depend on the order of work-groups
	// even though nothing races.
	OrderSensitive() bool
	// Times is how long it took to make, so far.
	Times() timing.Times
	// NewExecution prepares a launch for at most workers workers. An error reports that it needs more than the
	// environment's limits allow.
	NewExecution(env *Env, workers int) (Execution, error)
}

// An Execution is a launch: batches of work-items that workers execute in any order.
// NewWorker may be called by several of those who work at once.
type Execution interface {
	Batches() int64
	// Most is the largest chunk that a worker should claim, so that it checks now and then whether to stop.
	Most() int64
	NewWorker() BatchWorker
	// Estimate is the expected time of the launch on one worker, 0 if unknown. Took records that one worker
	// needed a time for a number of batches.
	Estimate() time.Duration
	Took(batches int64, d time.Duration)
	// Watch sets the treatment of races before the execution begins; marks are those of an earlier execution,
	// for ExplainRaces. Raced reports whether accesses were seen that may race. Marks ends an execution that
	// marks races.
	Watch(mode RaceMode, marks RaceMarks)
	Raced() bool
	Marks() RaceMarks
	// Unwatched returns the names of memory objects that are too large for the race
	// observer.
	Unwatched() []string
	// Findings merges the findings of all workers.
	Findings(workers []BatchWorker) []*Finding
	// End releases the workers and the resources of the execution. Nothing of it is used afterwards.
	End(workers []BatchWorker)
}

// A BatchWorker executes batches.
type BatchWorker interface {
	// Do executes the batches from the first number to before the second, in the kernel's
	// floating-point environment whatever the thread's is (package fpenv). An error is a fault
	// of the executor, not of the kernel.
	Do(from, to int64) error
}
