package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/purecl/purecl/internal/cpu/jit"
	"github.com/purecl/purecl/internal/run/host"
)

type devicesCmd struct {
	JSON bool `name:"json" help:"Write the list as JSON, sizes in bytes."`
}

func (*devicesCmd) Help() string {
	return help(
		"The first device is the default. The code line names what executes kernels: machine code",
		"for a CPU level, or the reference executor.",
	)
}

// A deviceRow is what is said of a device.
type deviceRow struct {
	Name         string `json:"name"`
	Type         string `json:"type"`
	OpenCL       string `json:"opencl"`
	ComputeUnits int    `json:"compute_units"`
	Code         string `json:"code"`
	Memory       uint64 `json:"memory"`
	LocalMemory  uint64 `json:"local_memory"`
	GroupSize    int    `json:"max_work_group_size"`
}

func deviceRows() []deviceRow {
	i := host.DefaultDevice().Info()
	code := "reference executor"
	if lv := jit.Level(); lv != nil {
		code = "machine code for " + lv.Name
	}
	return []deviceRow{{
		Name: "cpu", Type: strings.TrimSpace(i.Name), OpenCL: i.Version, ComputeUnits: i.ComputeUnits, Code: code,
		Memory: i.GlobalMemSize, LocalMemory: i.LocalMemSize, GroupSize: i.MaxWorkGroupSize,
	}}
}

func (c *devicesCmd) Run() error {
	rows := deviceRows()
	if c.JSON {
		e := json.NewEncoder(os.Stdout)
		e.SetIndent("", "  ")
		return e.Encode(rows)
	}
	for _, r := range rows {
		fmt.Printf("%s: %s\n", r.Name, r.Type)
		fmt.Printf("  version        %s\n", r.OpenCL)
		fmt.Printf("  compute units  %d\n", r.ComputeUnits)
		fmt.Printf("  code           %s\n", r.Code)
		fmt.Printf("  memory         %sB global, %sB local\n", quantity(float64(r.Memory)), quantity(float64(r.LocalMemory)))
		fmt.Printf("  work-group     %d work-items at most\n", r.GroupSize)
	}
	return nil
}
