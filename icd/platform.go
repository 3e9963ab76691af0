//go:build cgo && linux

package main

// #include "driver.h"
import "C"

import (
	"strings"
	"sync"
	"sync/atomic"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/run/host"
)

// A platformObject is the platform, with its root devices.
type platformObject struct {
	*entry
	host.Platform
	devices []*deviceObject // the default one first; empty if the environment names a device that does not exist
	listed  atomic.Bool     // a program has got devices
}

var thePlatform = sync.OnceValues(func() (*platformObject, error) {
	p := &platformObject{Platform: host.ThePlatform()}
	var err error
	if p.entry, err = newEntry(kindPlatform, p); err != nil {
		return nil, err
	}
	list, err := rootDevices()
	if err != nil {
		return p, nil // rootDevices has logged the error
	}
	for _, d := range list {
		x := &deviceObject{Device: d, platform: p}
		if x.entry, err = newEntry(kindDevice, x); err != nil {
			return p, err
		}
		p.devices = append(p.devices, x)
	}
	return p, nil
})

func clGetPlatformIDs(n uint32, platforms *uintptr, count *uint32) error {
	// CL_INVALID_VALUE: num_entries is 0 and platforms is not NULL, or both are NULL.
	if n == 0 && platforms != nil || platforms == nil && count == nil {
		return opencl.InvalidValue
	}
	p, err := thePlatform()
	if err != nil {
		return err
	}
	put(platforms, p.handle)
	put(count, 1)
	return nil
}

// platformOf returns the platform of a handle; NULL means the only one.
func platformOf(h uintptr) (*platformObject, error) {
	if h == 0 {
		return thePlatform()
	}
	return find[platformObject](h, kindPlatform)
}

func clGetPlatformInfo(platform uintptr, name uint32, a answer) error {
	p, err := platformOf(platform)
	if err != nil {
		return err
	}
	switch name {
	case C.CL_PLATFORM_PROFILE:
		return a.str(p.Profile)
	case C.CL_PLATFORM_VERSION:
		return a.str(p.Version)
	case C.CL_PLATFORM_NUMERIC_VERSION:
		return value(a, opencl.Newest.Numeric())
	case C.CL_PLATFORM_NAME:
		return a.str(p.Name)
	case C.CL_PLATFORM_VENDOR:
		return a.str(p.Vendor)
	case C.CL_PLATFORM_EXTENSIONS:
		return a.str(strings.Join(p.Extensions, " "))
	case C.CL_PLATFORM_EXTENSIONS_WITH_VERSION:
		return values(a, nameVersions(p.Extensions, opencl.CL10))
	case C.CL_PLATFORM_ICD_SUFFIX_KHR:
		return a.str(p.Suffix)
	case C.CL_PLATFORM_HOST_TIMER_RESOLUTION:
		return value(a, p.HostTimerResolution)
	}
	return opencl.InvalidValue
}

func nameVersion(name string, n opencl.Version) (v C.cl_name_version) {
	v.version = C.cl_version(n.Numeric())
	for i := range name {
		v.name[i] = C.char(name[i])
	}
	return v
}

func nameVersions(names []string, n opencl.Version) []C.cl_name_version {
	out := []C.cl_name_version{}
	for _, s := range names {
		out = append(out, nameVersion(s, n))
	}
	return out
}

func clUnloadCompiler() error { return nil }

func clUnloadPlatformCompiler(platform uintptr) error {
	_, err := find[platformObject](platform, kindPlatform)
	return err
}
