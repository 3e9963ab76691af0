// Package pproflabels gives kernels a name in a Go program's own CPU profile. It is imported for its effect:
//
//	import _ "github.com/purecl/purecl/pproflabels"
//
// Samples taken while a kernel runs then have the labels "kernel" and "device" (runtime/pprof), beside those that the
// launch's context has: go tool pprof -tagfocus=kernel=saxpy shows one kernel, -tags how much each has. Machine code has no
// Go functions; a profile counts it for runtime._ExternalCode below them. The command purecl run --pprof shows the lines of a
// kernel.
//
// Package purecl itself does not import runtime/pprof, so that programs that never profile stay small.
package pproflabels

import (
	"context"
	"runtime/pprof"

	"github.com/purecl/purecl/internal/run/exec"
)

func init() { exec.SetLabeller(labeller{}) }

type labeller struct{}

// Label returns ctx with the labels of a kernel's launch.
func (labeller) Label(ctx context.Context, kernel, device string) context.Context {
	return pprof.WithLabels(ctx, pprof.Labels("kernel", kernel, "device", device))
}

// Set gives the goroutine ctx's labels and no others.
func (labeller) Set(ctx context.Context) { pprof.SetGoroutineLabels(ctx) }
