//go:build cgo && linux && simulated

package main

import (
	"github.com/purecl/purecl/internal/gpu/device"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/test/gputest"
)

// With the tag "simulated" the driver has a GPU that interprets PTX, for tests of hosts without a GPU.
func init() {
	exec.Register("gpu", func() ([]exec.Device, error) { return []exec.Device{device.New(gputest.Sim())}, nil })
}
