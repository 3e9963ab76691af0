package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/purecl/purecl/internal/run/host"
)

type versionCmd struct{}

// versionText is the module's version where the binary was built from one.
func versionText() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "development"
}

func (versionCmd) Run() error {
	d := host.DefaultDevice().Info()
	fmt.Printf("purecl %s (%s, %s/%s)\n", versionText(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	fmt.Printf("device: %s, %d compute units\n", strings.TrimSpace(d.Name), d.ComputeUnits)
	return nil
}
