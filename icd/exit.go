//go:build cgo && linux

package main

// #include "driver.h"
import "C"

import (
	"sync"
	"sync/atomic"

	"github.com/purecl/purecl/internal/gpu/device"
)

// The driver of a GPU waits for its kernels when the process exits, also for endless ones. Functions of atexit run in
// the opposite order of their registration. The one that stops the kernels is therefore registered behind the first
// launch, when the GPU's driver has registered its own.

var stopAtExit = sync.OnceFunc(func() { C.purecl_stop_at_exit() })

// stopAtExit is called after a launch was enqueued.
func (q *queueObject) stopAtExit() {
	if q.ownMemory {
		stopAtExit()
	}
}

// goStopDevices stops the kernels of all GPUs.
//
//export goStopDevices
func goStopDevices() {
	exiting.Store(true)
	device.StopAll()
}

// exiting is set when the process exits: launches that end because of that are no errors of the host's.
var exiting atomic.Bool
