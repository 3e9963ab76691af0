package exec

import (
	"time"

	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A RaceMode says what a run does about races.
type RaceMode uint8

// The modes.
const (
	FindRaces    RaceMode = iota // the first conflict ends the run
	MarkRaces                    // all conflicts are marked; for one worker
	ExplainRaces                 // races at the marks of another run are reported; for one worker
)

// RaceMarks are what an execution that marks races hands to the one that explains them. Their
// type is the executor's own.
type RaceMarks any

// An Executor runs kernels. The reference executor (package interp) is one, machine code
// (package jit) another.
type Executor interface {
	// Name is what a report calls it.
	Name() string
	// Prepare makes a kernel ready to run with the checks given. It is called once for
	// each kernel and level and may be slow. first is the range of the launch that needs
	// it, or nil: what that range takes may be made side by side, the code is good for all.
	Prepare(f *ssa.Func, checks Checks, first *NDRange) (Code, error)
}

// Code is a kernel that an Executor has made ready. It may be shared.
type Code interface {
	// Executor is the name of what runs it: an executor may leave a kernel to another.
	Executor() string
	// OrderSensitive reports whether the result may depend on the order of work-groups
	// even though nothing races.
	OrderSensitive() bool
	// Times is how long it took to make, so far.
	Times() timing.Times
	// NewExecution prepares a launch for so many workers; an error says that it needs
	// more than the environment's limits allow.
	NewExecution(env *Env, workers int) (Execution, error)
}

// An Execution is a launch: batches of work-items that workers execute in any order.
// NewWorker may be called by several of those who work at once.
type Execution interface {
	Batches() int64
	// Most is how many batches a worker should take at once at most, so that it asks now
	// and then whether it is to go on.
	Most() int64
	NewWorker() BatchWorker
	// Estimate is how long the launch would take one worker, 0 where nothing is known, and
	// Took says how long so many batches took one.
	Estimate() time.Duration
	Took(batches int64, d time.Duration)
	// Watch says what the execution does about races, before it begins; marks are those of
	// another one, for ExplainRaces. Raced reports whether accesses were seen that may
	// race, Marks ends an execution that marked them.
	Watch(mode RaceMode, marks RaceMarks)
	Raced() bool
	Marks() RaceMarks
	// Unwatched returns the names of memory objects that are too large for the race
	// observer.
	Unwatched() []string
	// Findings merges what the workers found.
	Findings(workers []BatchWorker) []*Finding
	// End lets go of the workers and of what the execution has; none of it is used after.
	End(workers []BatchWorker)
}

// A BatchWorker executes batches.
type BatchWorker interface {
	// Do executes the batches from the first number to before the second, in the kernel's
	// floating-point environment whatever the thread's is (package fpenv). An error is a fault
	// of the executor, not of the kernel.
	Do(from, to int64) error
}
