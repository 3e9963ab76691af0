//go:build cgo && linux

package main

// #include "driver.h"
import "C"

import (
	"os"
	"sync"
	"time"

	"github.com/purecl/purecl/internal/base/environment"
	"github.com/purecl/purecl/internal/cpu/jit"
	"github.com/purecl/purecl/internal/run/profile"
)

// kernelTimes collects the times of kernels for PURECL_PROFILE.
var kernelTimes struct {
	jit.Profile
	since time.Time
}

// profiled returns kernelTimes, or nil without PURECL_PROFILE.
var profiled = sync.OnceValue(func() *jit.Profile {
	if environment.Get("PURECL_PROFILE") == "" {
		return nil
	}
	C.purecl_profiling = 1
	kernelTimes.since = time.Now()
	return &kernelTimes.Profile
})

// goWriteProfile writes the profile when the process exits.
//
//export goWriteProfile
func goWriteProfile() {
	kernels := kernelTimes.Kernels()
	if len(kernels) == 0 {
		logf("PURECL_PROFILE: no kernel has run as machine code")
	}
	f, err := os.Create(environment.Get("PURECL_PROFILE"))
	if err == nil {
		err = profile.WritePProf(f, kernels, kernelTimes.since, time.Since(kernelTimes.since))
		if err2 := f.Close(); err == nil {
			err = err2
		}
	}
	if err != nil {
		logf("PURECL_PROFILE: %v", err)
	}
}
