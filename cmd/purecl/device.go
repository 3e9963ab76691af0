package main

import "github.com/purecl/purecl/internal/run/exec"

// deviceFlag chooses the device of a command that runs kernels.
type deviceFlag struct {
	Device string `placeholder:"NAME" help:"Device, such as cpu or gpu:1; purecl devices lists them. Default: what PURECL_DEVICE names, else cpu."`
}

// find returns the device. Its error is a usage error.
func (f *deviceFlag) find() (exec.Named, error) {
	d, err := exec.Find(f.Device)
	if err != nil {
		return d, usagef("%v", err)
	}
	return d, nil
}
