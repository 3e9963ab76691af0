package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/purecl/purecl/internal/base/environment"
	"github.com/purecl/purecl/internal/cpu/jit"
	"github.com/purecl/purecl/internal/run/cpu"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/host"
)

type devicesCmd struct {
	JSON bool `name:"json" help:"Write the list as JSON, sizes in bytes."`
	deviceFlag
}

func (*devicesCmd) Help() string {
	return help(
		"The default device is the one that PURECL_DEVICE names, else the first, the processor.",
		"--device and PURECL_DEVICE accept the listed names. The code line is the kind of code",
		"that runs kernels: machine code for a CPU level, or the reference executor. The OpenCL",
		"line has the OpenCL version that the driver for C programs reports, and the type of the",
		"device, which PURECL_DEVICE_TYPE changes.",
	)
}

// A deviceRow describes a device.
type deviceRow struct {
	Name         string `json:"name"`
	Default      bool   `json:"default"`
	Type         string `json:"type"`
	OpenCL       string `json:"opencl,omitempty"` // version of the driver's device
	OpenCLType   string `json:"opencl_type,omitempty"`
	ComputeUnits int    `json:"compute_units"`
	Code         string `json:"code,omitempty"`
	Memory       uint64 `json:"memory"`
	LocalMemory  uint64 `json:"local_memory"`
	GroupSize    int    `json:"max_work_group_size"`
}

// rows describes all devices, or the device of --device. It returns an error if PURECL_DEVICE or --device names
// none of them.
func (c *devicesCmd) rows() ([]deviceRow, error) {
	first, err := exec.Find("")
	if err != nil {
		return nil, usagef("%v", err)
	}
	list := exec.All()
	if c.Device != "" {
		d, err := c.find()
		if err != nil {
			return nil, err
		}
		list = []exec.Named{d}
	}
	var rows []deviceRow
	for _, d := range list {
		i := d.Info()
		r := deviceRow{Name: d.ID, Default: d.ID == first.ID, Type: strings.TrimSpace(i.Name), ComputeUnits: i.ComputeUnits,
			Memory: i.Memory, LocalMemory: i.LocalMemory, GroupSize: i.MaxGroup}
		if d.Device == exec.Device(cpu.All()) {
			r.describeProcessor()
		}
		rows = append(rows, r)
	}
	return rows, nil
}

func (r *deviceRow) describeProcessor() {
	r.Code = "reference executor"
	if lv := jit.Level(); lv != nil {
		r.Code = "machine code for " + lv.Name
	} else if jit.Executor().Name() == jit.ARM64 {
		r.Code = "machine code for " + jit.ARM64
	}
	r.OpenCL = host.DefaultDevice().Info().Version
	if r.OpenCLType = environment.Get("PURECL_DEVICE_TYPE"); r.OpenCLType == "" {
		r.OpenCLType = "cpu"
	}
}

func (c *devicesCmd) Run(o *output) error {
	rows, err := c.rows()
	if err != nil {
		return err
	}
	if c.JSON {
		e := json.NewEncoder(o.out)
		e.SetIndent("", "  ")
		return e.Encode(rows)
	}
	defer func() {
		if c.Device != "" {
			return
		}
		for _, kind := range exec.Kinds() {
			if list, err := exec.Devices(kind); len(list) == 0 && err != nil {
				fmt.Fprintf(o.out, "%s: none: %v\n", kind, err)
			}
		}
	}()
	for _, r := range rows {
		mark := ""
		if r.Default {
			mark = " (default)"
		}
		fmt.Fprintf(o.out, "%s: %s%s\n", r.Name, r.Type, mark)
		if r.OpenCL != "" {
			fmt.Fprintf(o.out, "  OpenCL         %s, type %s\n", strings.TrimPrefix(r.OpenCL, "OpenCL "), r.OpenCLType)
		}
		fmt.Fprintf(o.out, "  compute units  %d\n", r.ComputeUnits)
		if r.Code != "" {
			fmt.Fprintf(o.out, "  code           %s\n", r.Code)
		}
		fmt.Fprintf(o.out, "  memory         %sB global, %sB local\n", quantity(float64(r.Memory)), quantity(float64(r.LocalMemory)))
		fmt.Fprintf(o.out, "  work-group     %d work-items at most\n", r.GroupSize)
	}
	return nil
}
