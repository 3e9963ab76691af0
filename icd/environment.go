//go:build cgo && linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/purecl/purecl/internal/run/host"
)

// The environment variables of docs/driver.md, read once.

var deviceTypes = map[string]host.DeviceType{"": host.DeviceCPU, "cpu": host.DeviceCPU, "gpu": host.DeviceGPU, "accelerator": host.DeviceAccelerator}

func rootDevice() *host.Device {
	t, ok := deviceTypes[strings.ToLower(os.Getenv("PURECL_DEVICE_TYPE"))]
	if !ok {
		logf("PURECL_DEVICE_TYPE is cpu, gpu or accelerator, not %q", os.Getenv("PURECL_DEVICE_TYPE"))
		t = host.DeviceCPU
	}
	units := 0
	if s := os.Getenv("PURECL_DEVICE_THREADS"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 || n > 1<<12 {
			logf("PURECL_DEVICE_THREADS is a number of threads, not %q", s)
		} else {
			units = n
		}
	}
	return host.NewDevice(t, units).WithFaults(faults())
}

var checkNames = map[string]host.Checks{"": host.CheckNone, "none": host.CheckNone, "memory": host.CheckMemory, "all": host.CheckAll}

var checks = sync.OnceValue(func() host.Checks {
	c, ok := checkNames[strings.ToLower(os.Getenv("PURECL_CHECK"))]
	if !ok {
		logf("PURECL_CHECK is none, memory or all, not %q", os.Getenv("PURECL_CHECK"))
	}
	return c
})

var faultNames = map[string]host.FaultMode{"robust": host.FaultRobust, "strict": host.FaultStrict, "abort": host.FaultStrict}

// faults is what PURECL_FAULT says: robust, unless somebody looks for mistakes by
// PURECL_CHECK.
func faults() host.FaultMode {
	usual := host.FaultRobust
	if checks() != host.CheckNone {
		usual = host.FaultStrict
	}
	s := os.Getenv("PURECL_FAULT")
	if s == "" {
		return usual
	}
	m, ok := faultNames[strings.ToLower(s)]
	if !ok {
		logf("PURECL_FAULT is robust, strict or abort, not %q", s)
		return usual
	}
	return m
}

var logFile = sync.OnceValue(func() *os.File {
	if name := os.Getenv("PURECL_LOG"); name != "" {
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
		if err == nil {
			return f
		}
		fmt.Fprintf(os.Stderr, "purecl: PURECL_LOG: %v\n", err)
	}
	return os.Stderr
})

func logf(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	fmt.Fprintf(logFile(), "purecl: %s\n", strings.TrimRight(s, "\n"))
}

var dumps atomic.Int64

// dumper returns what writes the intermediate code of programs to PURECL_DUMP, a
// directory or "-" for the log; nil without.
func dumper() func(name, ssa string) {
	dir := os.Getenv("PURECL_DUMP")
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
