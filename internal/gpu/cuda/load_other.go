//go:build !linux && !windows

package cuda

import (
	"errors"
	"runtime"
)

func load() (*driver, error) {
	return nil, errors.New("GPU devices need NVIDIA's driver, which " + runtime.GOOS + " does not have")
}

func callAddress(uintptr, []uintptr) uintptr { panic("no driver is loaded") }
