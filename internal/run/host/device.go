package host

import (
	"slices"
	"sync"

	"github.com/klauspost/cpuid/v2"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/cpu"
	"github.com/purecl/purecl/internal/run/exec"
)

// A Device runs kernels: the machine's processors, some of them, or a device with memory of its own.
type Device struct {
	parent *Device
	cpu    *cpu.Device // works on the host's memory, whatever kind the device is
	remote *remote     // runs the kernels of a device with memory of its own; else nil
	info   DeviceInfo
	faults FaultMode // of launches that choose no mode
}

// DeviceInfo holds the values of device queries (OpenCL API, "Querying Devices", 4.2). Sizes are in bytes.
type DeviceInfo struct {
	Type DeviceType
	ProductInfo
	SupportInfo
	ComputeInfo
	MemoryInfo
	Images           bool // images and samplers work
	MaxParameterSize int  // of a kernel
	MaxConstantArgs  int  // of a kernel
	PrintfBufferSize int
	TimerResolution  int // nanoseconds
	Details          exec.Details
}

// ProductInfo names the device, its vendor and its driver.
type ProductInfo struct {
	Name          string
	Vendor        string
	VendorID      uint32
	DriverVersion string
}

// SupportInfo holds the versions and the optional parts of the specifications that the device supports.
type SupportInfo struct {
	Profile    string
	Version    string           // of the OpenCL API
	Extensions []string         // sorted
	CVersion   string           // of OpenCL C: the newest that is compatible with all before
	CVersions  []opencl.Version // of OpenCL C that the device reports
	CFeatures  []string         // optional features of OpenCL C 3.0
	// ConformanceVersion is the newest conformance suite that was passed officially; v0000-01-01-00 means none.
	ConformanceVersion string
}

// HasFeature reports whether the device has an optional feature of OpenCL C 3.0.
func (s *SupportInfo) HasFeature(name string) bool { return slices.Contains(s.CFeatures, name) }

// ComputeInfo describes the compute units and the work-groups that run on them.
type ComputeInfo struct {
	ComputeUnits     int
	MaxSubDevices    int // that the device can be partitioned into
	ClockMHz         int
	MaxWorkItemSizes [3]int
	MaxWorkGroupSize int
	// NativeVectorWidth is the number of 32-bit values in a vector register: of work-items that run side by side on a
	// device with OwnMemory, of which each computes with single elements.
	NativeVectorWidth int
	SubGroupSizes     []int // numbers of work-items of a full sub-group that a kernel can require
	MaxSubGroups      int   // of a work-group
}

// computeInfo returns the description of a device that can be partitioned into its compute units.
func computeInfo(i *exec.Info) ComputeInfo {
	return ComputeInfo{
		ComputeUnits: i.ComputeUnits, MaxSubDevices: i.ComputeUnits, ClockMHz: i.ClockMHz,
		MaxWorkItemSizes: i.MaxSizes, MaxWorkGroupSize: i.MaxGroup, NativeVectorWidth: i.Lanes,
		SubGroupSizes: ssa.SubGroupSizes[:], MaxSubGroups: i.MaxGroup / ssa.SubGroupSizes[0],
	}
}

// MemoryInfo holds the sizes of the device's memories.
type MemoryInfo struct {
	OwnMemory        bool // it is not the host's
	GlobalMemSize    uint64
	MaxMemAllocSize  uint64
	LocalMemSize     uint64
	MaxConstantSize  uint64
	MaxVariableSize  int // of a program-scope variable in global memory
	MemBaseAddrAlign int // in bytes
	CacheLineSize    int
}

// memoryInfo returns the sizes of a device's memories. own is MemoryInfo.OwnMemory, line the size of a line of its cache.
func memoryInfo(i *exec.Info, own bool, line int) MemoryInfo {
	return MemoryInfo{
		OwnMemory: own, GlobalMemSize: i.Memory, MaxMemAllocSize: i.MaxAlloc, LocalMemSize: i.LocalMemory,
		MaxConstantSize: i.Constant, MaxVariableSize: 64 << 20, MemBaseAddrAlign: cpu.BaseAlign, CacheLineSize: line,
	}
}

// A DeviceType is a set of kinds of devices, numbered as in OpenCL's headers.
type DeviceType uint64

// The kinds.
const (
	DeviceDefault     DeviceType = 1 << 0
	DeviceCPU         DeviceType = 1 << 1
	DeviceGPU         DeviceType = 1 << 2
	DeviceAccelerator DeviceType = 1 << 3
	DeviceCustom      DeviceType = 1 << 4
	DeviceAll         DeviceType = 0xFFFFFFFF
)

// Version is the version of PureCL.
const Version = cpu.Version

// CompatibleVersion is the newest version of OpenCL C that includes all versions before it.
const CompatibleVersion = opencl.CL12

// reportedVersions are the versions of OpenCL C that the device reports. OpenCL C 2.0 is not among them, because it
// requires pipes and device-side enqueue.
var reportedVersions = []opencl.Version{opencl.CL10, opencl.CL11, opencl.CL12, opencl.CL30}

// apiVersion is the version of the OpenCL API in CL_DEVICE_VERSION and CL_PLATFORM_VERSION.
var apiVersion = "OpenCL " + opencl.Newest.String() + " PureCL " + Version

// A Platform holds the values of clGetPlatformInfo.
type Platform struct {
	Profile, Version, Name, Vendor, Suffix string
	Extensions                             []string
	HostTimerResolution                    uint64 // nanoseconds
}

// ThePlatform returns the one platform.
func ThePlatform() Platform {
	return Platform{
		Profile: "FULL_PROFILE", Version: apiVersion, Name: "PureCL", Vendor: "PureCL", Suffix: "PURECL",
		Extensions: platformExtensions(), HostTimerResolution: 1,
	}
}

// NewDevice returns the default device with the type given and, unless units is 0, with units compute units. The
// type can be chosen because many programs ignore CPU devices.
func NewDevice(t DeviceType, units int) *Device {
	d := *DefaultDevice()
	d.info.Type = t
	if units > 0 {
		d.cpu, d.info.ComputeUnits, d.info.MaxSubDevices = d.cpu.Some(units), units, units
	}
	return &d
}

// NewRemote returns a device that has memory of its own, such as a GPU.
func NewRemote(x exec.Device) *Device {
	i := x.Info()
	d := *DefaultDevice()
	d.remote = &remote{dev: x}
	d.info.Type = DeviceGPU
	// Not NVIDIA: many programs leave out barriers on its GPUs because 32 work-items run in step there.
	// Work-items of PureCL's kernels part at bounds checks, and come together where OpenCL says so.
	d.info.Name, d.info.Vendor, d.info.DriverVersion = i.Name, "PureCL", i.Driver
	d.info.ComputeInfo, d.info.MemoryInfo = computeInfo(i), memoryInfo(i, true, 128)
	d.info.MaxSubDevices, d.info.Details = 0, exec.Details{}
	d.info.Extensions = deviceExtensions()
	if x, ok := x.(exec.Described); ok {
		d.info.Details = *x.Details()
		d.info.Extensions = append(d.info.Extensions, "cl_khr_pci_bus_info")
		slices.Sort(d.info.Extensions)
	}
	return &d
}

// WithFaults returns the device with another mode for launches that choose none. The default is [FaultStrict].
func (d *Device) WithFaults(m FaultMode) *Device {
	d = or(d)
	e := *d
	e.faults = m
	return &e
}

// Limits of every device, for all kernels.
const (
	// maxSubGroupedGroup is the reported work-group size of kernels that require a sub-group size. Such kernels are
	// written for devices with at most 32 sub-groups of 32 work-items, and rely on that limit. ggml's norms, for
	// example, sum within each sub-group and then let one sub-group add the sums.
	maxSubGroupedGroup = 1024
	maxParameterSize   = 4096
)

// DefaultDevice returns the device of all hardware threads that this process may use.
var DefaultDevice = sync.OnceValue(func() *Device {
	all := cpu.All()
	i := all.Info()
	line := cpuid.CPU.CacheLine
	if line <= 0 {
		line = 64
	}
	return &Device{cpu: all, info: DeviceInfo{
		Type:        DeviceCPU,
		ProductInfo: ProductInfo{Name: i.Name, Vendor: i.Vendor, VendorID: 0x10006, DriverVersion: i.Driver},
		SupportInfo: SupportInfo{
			Profile: "FULL_PROFILE", Version: apiVersion, Extensions: deviceExtensions(),
			CVersion: "OpenCL C " + CompatibleVersion.String() + " PureCL", CVersions: reportedVersions,
			CFeatures: deviceFeatures(), ConformanceVersion: "v0000-01-01-00",
		},
		ComputeInfo: computeInfo(i), MemoryInfo: memoryInfo(i, false, line),
		Images: true, MaxParameterSize: maxParameterSize, MaxConstantArgs: 64, PrintfBufferSize: 1 << 20, TimerResolution: 1,
		Details: exec.Details{Cache: uint64(max(cpuid.CPU.Cache.L3, cpuid.CPU.Cache.L2, 0))},
	}}
})

// deviceExtensions returns the names of the extensions that the device reports, sorted.
func deviceExtensions() (list []string) {
	for i := range opencl.Extensions {
		if x := &opencl.Extensions[i]; x.Scope == opencl.Device || x.Scope == opencl.Language && !x.IsFeature() {
			list = append(list, x.Name)
		}
	}
	slices.Sort(list)
	return list
}

// deviceFeatures returns the names of the optional features of OpenCL C that the device has.
func deviceFeatures() (list []string) {
	for i := range opencl.Extensions {
		if x := &opencl.Extensions[i]; x.In(opencl.Newest) && x.IsFeature() {
			list = append(list, x.Name)
		}
	}
	return list
}

// platformExtensions returns the names of the extensions that the platform reports.
func platformExtensions() (list []string) {
	for i := range opencl.Extensions {
		if x := &opencl.Extensions[i]; x.Scope == opencl.Platform {
			list = append(list, x.Name)
		}
	}
	return append(list, deviceExtensions()...)
}

// Info returns the device's properties.
func (d *Device) Info() DeviceInfo { d = or(d); return d.info }

// Parent returns the device that a sub-device was partitioned from, or nil.
func (d *Device) Parent() *Device { d = or(d); return d.parent }

// Timer returns the device's clock in nanoseconds, the clock of [Event.Profile]
// (clGetHostTimer).
func (d *Device) Timer() int64 { return now() }

// Partition divides the device into sub-devices of the given numbers of compute units
// (clCreateSubDevices by counts).
func (d *Device) Partition(counts ...int) ([]*Device, error) {
	if err := d.valid(); err != nil {
		return nil, err
	}
	// CL_DEVICE_PARTITION_FAILED: the device cannot be partitioned.
	if d.remote != nil {
		return nil, failf(opencl.DevicePartitionFailed, "%s cannot be partitioned", d.info.Name)
	}
	total := 0
	for _, n := range counts {
		if n <= 0 || n > d.info.ComputeUnits {
			return nil, failf(opencl.InvalidDevicePartitionCount, "a sub-device of %d compute units of a device of %d", n, d.info.ComputeUnits)
		}
		total += n
	}
	if len(counts) == 0 || total > d.info.ComputeUnits {
		return nil, failf(opencl.InvalidDevicePartitionCount, "%d compute units in %d sub-devices of a device of %d", total, len(counts), d.info.ComputeUnits)
	}
	subs := make([]*Device, len(counts))
	for i, n := range counts {
		sub := *d
		sub.parent, sub.cpu, sub.info.ComputeUnits, sub.info.MaxSubDevices = d, d.cpu.Some(n), n, n
		subs[i] = &sub
	}
	return subs, nil
}

// PartitionEqually divides the device into as many sub-devices of n compute units as it
// has (clCreateSubDevices, CL_DEVICE_PARTITION_EQUALLY).
func (d *Device) PartitionEqually(n int) ([]*Device, error) {
	if err := d.valid(); err != nil {
		return nil, err
	}
	// CL_DEVICE_PARTITION_FAILED: the device could not be partitioned further.
	if n <= 0 {
		return nil, failf(opencl.InvalidValue, "sub-devices of %d compute units", n)
	}
	// CL_INVALID_DEVICE_PARTITION_COUNT: more compute units than the device has.
	if n > d.info.ComputeUnits {
		return nil, failf(opencl.InvalidDevicePartitionCount, "sub-devices of %d compute units of a device of %d", n, d.info.ComputeUnits)
	}
	if n == d.info.ComputeUnits {
		return nil, failf(opencl.DevicePartitionFailed, "sub-devices of %d compute units of a device of %d", n, d.info.ComputeUnits)
	}
	counts := make([]int, d.info.ComputeUnits/n)
	for i := range counts {
		counts[i] = n
	}
	return d.Partition(counts...)
}

// SubGroupSize returns the number of work-items of a full sub-group of the kernel: its intel_reqd_sub_group_size,
// or the device's choice. required reports which it is.
func (k *Kernel) SubGroupSize() (size int, required bool) {
	k = k.or()
	info := k.code.fn.Kernel
	return info.SubGroupSize(), info.ReqdSubGroupSize != 0
}

// SubGroups returns the number of sub-groups of a work-group of that local size.
func (k *Kernel) SubGroups(local []int) int {
	k = k.or()
	n := 1
	for _, l := range local {
		n *= l
	}
	size, _ := k.SubGroupSize()
	return (n + size - 1) / size
}

// MaxSubGroups returns the number of sub-groups that a work-group of the kernel can have on the device.
func (k *Kernel) MaxSubGroups(d *Device) int {
	k = k.or()
	return k.SubGroups([]int{k.Resources(d).WorkGroupSize})
}

// LocalForSubGroups returns a local size with which the kernel's work-groups have n sub-groups on the device,
// zeros if none has.
func (k *Kernel) LocalForSubGroups(d *Device, n int) [3]int {
	k = k.or()
	size, _ := k.SubGroupSize()
	if n < 1 || n > k.Resources(d).WorkGroupSize/size {
		return [3]int{}
	}
	return [3]int{n * size, 1, 1}
}
