//go:build cgo && linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/purecl/purecl/internal/base/environment"
	"github.com/purecl/purecl/internal/run/cpu"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/host"
)

// The environment variables of package environment that the driver reads.

var deviceTypes = map[string]host.DeviceType{"": host.DeviceCPU, "cpu": host.DeviceCPU, "gpu": host.DeviceGPU, "accelerator": host.DeviceAccelerator}

// rootDevices returns the devices of package exec, the default one first. PURECL_DEVICE_TYPE sets the type of the
// processor. An error is logged, and the platform then has no device. If PURECL_DEVICE names the processor,
// rootDevices does not search for GPUs, because that takes a while.
func rootDevices() ([]*host.Device, error) {
	for _, p := range environment.Problems(os.Environ()) {
		logf("%s", p)
	}
	if err := environment.Check("PURECL_DEVICE_TYPE"); err != nil {
		return nil, err // an error of the devices above
	}
	first, err := exec.Find("")
	if err != nil {
		logf("%v", err)
		return nil, err
	}
	all := []exec.Named{first}
	if environment.Get("PURECL_DEVICE") == "" || first.Device != exec.Device(cpu.All()) {
		for _, d := range exec.All() {
			if d.ID != first.ID {
				all = append(all, d)
			}
		}
	}
	var list []*host.Device
	for _, d := range all {
		x := host.NewDevice(deviceTypes[environment.Get("PURECL_DEVICE_TYPE")], environment.GetNumber("PURECL_DEVICE_THREADS"))
		if d.Device != exec.Device(cpu.All()) {
			x = host.NewRemote(d.Device)
		}
		list = append(list, x.WithFaults(faults()))
	}
	return list, nil
}

var checkNames = map[string]host.Checks{"": host.CheckNone, "none": host.CheckNone, "memory": host.CheckMemory, "all": host.CheckAll}

var checks = sync.OnceValue(func() host.Checks { return checkNames[environment.Get("PURECL_CHECK")] })

var faultNames = map[string]host.FaultMode{"robust": host.FaultRobust, "strict": host.FaultStrict, "abort": host.FaultStrict}

// faults returns the mode of PURECL_FAULT. The default is robust, or strict if PURECL_CHECK is set.
func faults() host.FaultMode {
	if m, ok := faultNames[environment.Get("PURECL_FAULT")]; ok {
		return m
	}
	if checks() != host.CheckNone {
		return host.FaultStrict
	}
	return host.FaultRobust
}

var aborts = sync.OnceValue(func() bool { return environment.Get("PURECL_FAULT") == "abort" })

var timeout = sync.OnceValue(func() time.Duration { return environment.GetDuration("PURECL_TIMEOUT") })

var dumps atomic.Int64

// dumper returns a function that writes the intermediate code of programs to PURECL_DUMP, a directory or "-" for
// the log. It returns nil if the variable is not set.
func dumper() func(name, ssa string) {
	dir := environment.Get("PURECL_DUMP")
	if dir == "" {
		return nil
	}
	return func(name, ssa string) {
		if dir == "-" {
			logf("intermediate code of %s\n%s", name, ssa)
			return
		}
		file := filepath.Join(dir, fmt.Sprintf("purecl-%d-%d.ssa", os.Getpid(), dumps.Add(1)))
		if err := os.WriteFile(file, []byte(ssa), 0o666); err != nil {
			logf("PURECL_DUMP: %v", err)
		}
	}
}
