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
	// Name returns the executor's name in reports.
	Name() string
	// Prepare prepares a kernel to run with the given checks. It is called once for each kernel and level, and may
	// be slow. first is the range of the launch that needs the kernel, or nil; Prepare may compile in parallel the
	// code that this range needs. The result is valid for all ranges.
	Prepare(f *ssa.Func, checks Checks, first *NDRange) (Code, error)
}

// Code is a kernel prepared by an Executor. It may be shared.
type Code interface {
	// Executor returns the name of the executor that runs the code, which may differ from the one that prepared it.
	Executor() string
	// OrderSensitive reports whether the result may depend on the order of work-groups even without races.
	OrderSensitive() bool
	// Times returns the durations of its compilation so far.
	Times() timing.Times
	// NewExecution prepares a launch for at most workers workers. An error reports that it needs more than the
	// environment's limits allow.
	NewExecution(env *Env, workers int) (Execution, error)
}

// An Execution is a launch: batches of work-items that workers execute in any order.
type Execution interface {
	Batches() int64
	// Most returns the largest chunk that a worker should claim, so that it checks often enough whether to stop.
	Most() int64
	// NewWorker returns the worker of a goroutine. Several goroutines may call it at once, each with a number of its
	// own: small ones, the same in most launches, so that an execution can keep what it has in that processor's cache.
	NewWorker(number int) BatchWorker
	// Estimate returns the expected duration of the launch on one worker, 0 if unknown. Took records that one
	// worker needed a duration for a number of batches.
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
	// Findings merges the findings of workers, of which those may be missing whose Leave has returned false.
	Findings(workers []BatchWorker) []*Finding
	// End releases the workers, with the same exception, and the resources of the execution, which must not be used afterwards.
	End(workers []BatchWorker)
}

// A BatchWorker executes batches.
type BatchWorker interface {
	// Do executes the batches from..to-1 in the kernel's floating-point environment, whatever the thread's is
	// (package fpenv). Its error is a fault of the executor, not of the kernel.
	Do(from, to int64) error
}

// A Leaver is a BatchWorker that knows whether it has something to report.
type Leaver interface {
	BatchWorker
	// Leave ends the worker's part of the execution, on its goroutine. It returns false if the worker has no findings
	// and End need not release it.
	Leave() bool
}
