//go:build cgo && linux

package main

import (
	"slices"
	"testing"

	"github.com/purecl/purecl/internal/gpu/device"
	"github.com/purecl/purecl/internal/run/host"
	"github.com/purecl/purecl/internal/test/gputest"
)

// TestDeviceTypes queries the devices of each type on a platform with a processor and two GPUs. The default device
// is the first one.
func TestDeviceTypes(t *testing.T) {
	cpu, gpu0, gpu1 := &deviceObject{Device: host.DefaultDevice()}, &deviceObject{Device: host.NewRemote(device.New(gputest.Sim()))}, &deviceObject{Device: host.NewRemote(device.New(gputest.Sim()))}
	p := &platformObject{devices: []*deviceObject{cpu, gpu0, gpu1}}
	for _, c := range []struct {
		types host.DeviceType
		want  []*deviceObject
	}{
		{host.DeviceDefault, []*deviceObject{cpu}},
		{host.DeviceCPU, []*deviceObject{cpu}},
		{host.DeviceGPU, []*deviceObject{gpu0, gpu1}},
		{host.DeviceAll, []*deviceObject{cpu, gpu0, gpu1}},
		{host.DeviceDefault | host.DeviceGPU, []*deviceObject{cpu, gpu0, gpu1}},
	} {
		if got, err := p.ofType(uint64(c.types)); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("type %#x: %d devices, %v", uint64(c.types), len(got), err)
		}
	}
	if _, err := p.ofType(uint64(host.DeviceAccelerator)); err == nil {
		t.Error("an accelerator")
	}
}
