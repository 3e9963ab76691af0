//go:build cgo && linux

package main

// #include "driver.h"
import "C"

import (
	"strings"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/run/host"
)

// A deviceObject is a root device, whose reference count never changes, or a sub-device.
type deviceObject struct {
	*entry
	*host.Device
	platform  *platformObject
	parent    *deviceObject
	partition []int // its CL_DEVICE_PARTITION_TYPE
}

func clGetDeviceIDs(platform uintptr, typ uint64, n uint32, devices *uintptr, count *uint32) error {
	p, err := platformOf(platform)
	if err != nil {
		return err
	}
	list, err := p.ofType(typ)
	// CL_INVALID_VALUE: num_entries is 0 and devices is not NULL, or both are NULL.
	if status(err) != C.CL_DEVICE_NOT_FOUND && err != nil {
		return err
	}
	if n == 0 && devices != nil || devices == nil && count == nil {
		return opencl.InvalidValue
	}
	if err != nil {
		put(count, 0)
		return err
	}
	if devices != nil {
		copy(array(devices, n), handlesOf(list))
	}
	put(count, uint32(len(list)))
	return nil
}

// ofType returns the platform's devices of the types.
func (p *platformObject) ofType(typ uint64) (list []*deviceObject, err error) {
	const all = uint64(host.DeviceDefault | host.DeviceCPU | host.DeviceGPU | host.DeviceAccelerator | host.DeviceCustom)
	switch {
	// CL_INVALID_DEVICE_TYPE: device_type is not a valid value.
	case typ != uint64(host.DeviceAll) && (typ == 0 || typ&^all != 0):
		return nil, opencl.InvalidDeviceType
	// CL_DEVICE_NOT_FOUND: no devices matched device_type.
	case len(p.devices) == 0:
		return nil, opencl.DeviceNotFound
	}
	for i, d := range p.devices {
		if typ&uint64(d.Info().Type) != 0 || typ&uint64(host.DeviceDefault) != 0 && i == 0 {
			list = append(list, d)
		}
	}
	if list == nil {
		p.hintType(typ)
		return nil, opencl.DeviceNotFound
	}
	p.listed.Store(true)
	return list, nil
}

func clCreateSubDevices(device uintptr, props *int, n uint32, devices *uintptr, count *uint32) error {
	d, err := find[deviceObject](device, kindDevice)
	if err != nil {
		return err
	}
	// CL_INVALID_VALUE: properties are not valid.
	if props == nil {
		return opencl.InvalidValue
	}
	list := readUntilZero(props)
	var subs []*host.Device
	switch {
	case len(list) == 2 && list[0] == C.CL_DEVICE_PARTITION_EQUALLY:
		subs, err = d.PartitionEqually(list[1])
		list = append(list, 0)
	case len(list) >= 1 && list[0] == C.CL_DEVICE_PARTITION_BY_COUNTS: // ends with BY_COUNTS_LIST_END, 0, and 0
		subs, err = d.Partition(list[1:]...)
		list = append(list, C.CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0)
	default:
		err = opencl.InvalidValue
	}
	if err != nil {
		return err
	}
	// CL_INVALID_VALUE: num_devices is less than the sub-devices.
	if devices != nil && int(n) < len(subs) {
		return opencl.InvalidValue
	}
	put(count, uint32(len(subs)))
	if devices == nil {
		return nil
	}
	out := array(devices, n)
	for i, s := range subs {
		sub := &deviceObject{Device: s, platform: d.platform, parent: d, partition: list}
		if sub.entry, err = newEntry(kindDevice, sub, d.entry); err != nil {
			return err
		}
		out[i] = sub.handle
	}
	return nil
}

// readUntilZero returns the numbers at p before the first zero.
func readUntilZero(p *int) []int {
	n := uint32(1)
	for array(p, n)[n-1] != 0 {
		n++
	}
	return append([]int{}, array(p, n-1)...)
}

func clRetainDevice(device uintptr) error {
	if d, err := find[deviceObject](device, kindDevice); err != nil || d.parent == nil {
		return err
	}
	return retain(device, kindDevice)
}

func clReleaseDevice(device uintptr) error {
	if d, err := find[deviceObject](device, kindDevice); err != nil || d.parent == nil {
		return err
	}
	return release(device, kindDevice)
}

func clGetDeviceAndHostTimer(device uintptr, deviceTime, hostTime *uint64) error {
	d, err := find[deviceObject](device, kindDevice)
	if err != nil {
		return err
	}
	if deviceTime == nil || hostTime == nil {
		return opencl.InvalidValue
	}
	t := uint64(d.Timer())
	*deviceTime, *hostTime = t, t
	return nil
}

func clGetHostTimer(device uintptr, hostTime *uint64) error {
	d, err := find[deviceObject](device, kindDevice)
	if err != nil {
		return err
	}
	if hostTime == nil {
		return opencl.InvalidValue
	}
	*hostTime = uint64(d.Timer())
	return nil
}

// fpConfig holds for all number formats. The embedded double profile demands that the other rounding modes are
// named; conversions have them.
const (
	fpCommon = C.CL_FP_DENORM | C.CL_FP_INF_NAN | C.CL_FP_ROUND_TO_NEAREST | C.CL_FP_FMA
	fpSingle = fpCommon | C.CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT
	fpDouble = fpCommon | C.CL_FP_ROUND_TO_ZERO | C.CL_FP_ROUND_TO_INF
)

// A deviceQuery answers one query of a device.
type deviceQuery func(a answer, d *deviceObject, i *host.DeviceInfo) error

// u32, u64, size, yes and str return queries of numbers and strings.
func u32(f func(i *host.DeviceInfo) int) deviceQuery {
	return func(a answer, _ *deviceObject, i *host.DeviceInfo) error { return value(a, uint32(f(i))) }
}

func u64(f func(i *host.DeviceInfo) uint64) deviceQuery {
	return func(a answer, _ *deviceObject, i *host.DeviceInfo) error { return value(a, f(i)) }
}

func size(f func(i *host.DeviceInfo) int) deviceQuery {
	return func(a answer, _ *deviceObject, i *host.DeviceInfo) error { return value(a, f(i)) }
}

func str(f func(i *host.DeviceInfo) string) deviceQuery {
	return func(a answer, _ *deviceObject, i *host.DeviceInfo) error { return a.str(f(i)) }
}

func const32(n uint32) deviceQuery {
	return func(a answer, _ *deviceObject, _ *host.DeviceInfo) error { return value(a, n) }
}

func const64(n uint64) deviceQuery {
	return func(a answer, _ *deviceObject, _ *host.DeviceInfo) error { return value(a, n) }
}

// byMemory returns own for devices with memory of their own, else shared.
func byMemory(own, shared int) deviceQuery {
	return u32(func(i *host.DeviceInfo) int {
		if i.OwnMemory {
			return own
		}
		return shared
	})
}

// lanes returns a vector width in elements of the given size.
func lanes(bytes int) deviceQuery {
	return u32(func(i *host.DeviceInfo) int {
		if i.OwnMemory {
			return 1
		}
		return min(16, i.NativeVectorWidth*4/bytes)
	})
}

// limit and limit32 return queries of image limits.
func limit(f func(l *host.ImageLimits) int) deviceQuery {
	return func(a answer, d *deviceObject, _ *host.DeviceInfo) error {
		l := d.ImageLimits()
		return value(a, f(&l))
	}
}

func limit32(f func(l *host.ImageLimits) int) deviceQuery {
	return func(a answer, d *deviceObject, _ *host.DeviceInfo) error {
		l := d.ImageLimits()
		return value(a, uint32(f(&l)))
	}
}

// deviceQueries are the queries of clGetDeviceInfo (OpenCL API, table "List of supported param_names by
// clGetDeviceInfo").
var deviceQueries = map[uint32]deviceQuery{
	C.CL_DEVICE_TYPE: func(a answer, d *deviceObject, i *host.DeviceInfo) error {
		return value(a, uint64(i.Type))
	},
	C.CL_DEVICE_VENDOR_ID:                            u32(func(i *host.DeviceInfo) int { return int(i.VendorID) }),
	C.CL_DEVICE_MAX_COMPUTE_UNITS:                    u32(func(i *host.DeviceInfo) int { return i.ComputeUnits }),
	C.CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS:             const32(3),
	C.CL_DEVICE_MAX_WORK_ITEM_SIZES:                  func(a answer, _ *deviceObject, i *host.DeviceInfo) error { return value(a, i.MaxWorkItemSizes) },
	C.CL_DEVICE_MAX_WORK_GROUP_SIZE:                  size(func(i *host.DeviceInfo) int { return i.MaxWorkGroupSize }),
	C.CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR:          lanes(1),
	C.CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT:         lanes(2),
	C.CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT:           lanes(4),
	C.CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG:          lanes(8),
	C.CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF:          lanes(2),
	C.CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT:         lanes(4),
	C.CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE:        lanes(8),
	C.CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR:             lanes(1),
	C.CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT:            lanes(2),
	C.CL_DEVICE_NATIVE_VECTOR_WIDTH_INT:              lanes(4),
	C.CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG:             lanes(8),
	C.CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF:             lanes(2),
	C.CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT:            lanes(4),
	C.CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE:           lanes(8),
	C.CL_DEVICE_MAX_CLOCK_FREQUENCY:                  u32(func(i *host.DeviceInfo) int { return i.ClockMHz }),
	C.CL_DEVICE_ADDRESS_BITS:                         const32(64),
	C.CL_DEVICE_MAX_MEM_ALLOC_SIZE:                   u64(func(i *host.DeviceInfo) uint64 { return i.MaxMemAllocSize }),
	C.CL_DEVICE_IMAGE_SUPPORT:                        func(a answer, _ *deviceObject, i *host.DeviceInfo) error { return value(a, boolean(i.Images)) },
	C.CL_DEVICE_MAX_READ_IMAGE_ARGS:                  limit32(func(l *host.ImageLimits) int { return l.MaxReadArgs }),
	C.CL_DEVICE_MAX_WRITE_IMAGE_ARGS:                 limit32(func(l *host.ImageLimits) int { return l.MaxWriteArgs }),
	C.CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS:            limit32(func(l *host.ImageLimits) int { return l.MaxReadWriteArgs }),
	C.CL_DEVICE_IL_VERSION:                           str(func(*host.DeviceInfo) string { return "" }),
	C.CL_DEVICE_ILS_WITH_VERSION:                     none,
	C.CL_DEVICE_IMAGE2D_MAX_WIDTH:                    limit(func(l *host.ImageLimits) int { return l.MaxWidth2D }),
	C.CL_DEVICE_IMAGE2D_MAX_HEIGHT:                   limit(func(l *host.ImageLimits) int { return l.MaxHeight2D }),
	C.CL_DEVICE_IMAGE3D_MAX_WIDTH:                    limit(func(l *host.ImageLimits) int { return l.MaxWidth3D }),
	C.CL_DEVICE_IMAGE3D_MAX_HEIGHT:                   limit(func(l *host.ImageLimits) int { return l.MaxHeight3D }),
	C.CL_DEVICE_IMAGE3D_MAX_DEPTH:                    limit(func(l *host.ImageLimits) int { return l.MaxDepth3D }),
	C.CL_DEVICE_IMAGE_MAX_BUFFER_SIZE:                limit(func(l *host.ImageLimits) int { return l.MaxBufferSize }),
	C.CL_DEVICE_IMAGE_MAX_ARRAY_SIZE:                 limit(func(l *host.ImageLimits) int { return l.MaxArraySize }),
	C.CL_DEVICE_MAX_SAMPLERS:                         limit32(func(l *host.ImageLimits) int { return l.MaxSamplers }),
	C.CL_DEVICE_IMAGE_PITCH_ALIGNMENT:                limit32(func(l *host.ImageLimits) int { return l.PitchAlignment }),
	C.CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT:         limit32(func(l *host.ImageLimits) int { return l.BaseAddressAlignment }),
	C.CL_DEVICE_MAX_PIPE_ARGS:                        const32(0),
	C.CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS:         const32(0),
	C.CL_DEVICE_PIPE_MAX_PACKET_SIZE:                 const32(0),
	C.CL_DEVICE_PIPE_SUPPORT:                         const32(0),
	C.CL_DEVICE_MAX_PARAMETER_SIZE:                   size(func(i *host.DeviceInfo) int { return i.MaxParameterSize }),
	C.CL_DEVICE_MEM_BASE_ADDR_ALIGN:                  u32(func(i *host.DeviceInfo) int { return i.MemBaseAddrAlign * 8 }),
	C.CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE:             u32(func(i *host.DeviceInfo) int { return i.MemBaseAddrAlign }),
	C.CL_DEVICE_SINGLE_FP_CONFIG:                     const64(fpSingle),
	C.CL_DEVICE_DOUBLE_FP_CONFIG:                     const64(fpDouble),
	C.CL_DEVICE_HALF_FP_CONFIG:                       const64(fpCommon),
	C.CL_DEVICE_GLOBAL_MEM_CACHE_TYPE:                const32(C.CL_READ_WRITE_CACHE),
	C.CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE:            u32(func(i *host.DeviceInfo) int { return i.CacheLineSize }),
	C.CL_DEVICE_GLOBAL_MEM_CACHE_SIZE:                u64(func(i *host.DeviceInfo) uint64 { return i.Details.Cache }),
	C.CL_DEVICE_GLOBAL_MEM_SIZE:                      u64(func(i *host.DeviceInfo) uint64 { return i.GlobalMemSize }),
	C.CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE:             u64(func(i *host.DeviceInfo) uint64 { return i.MaxConstantSize }),
	C.CL_DEVICE_MAX_CONSTANT_ARGS:                    u32(func(i *host.DeviceInfo) int { return i.MaxConstantArgs }),
	C.CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE:             size(func(i *host.DeviceInfo) int { return i.MaxVariableSize }),
	C.CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE: size(func(i *host.DeviceInfo) int { return i.MaxVariableSize }),
	C.CL_DEVICE_LOCAL_MEM_TYPE:                       byMemory(C.CL_LOCAL, C.CL_GLOBAL),
	C.CL_DEVICE_LOCAL_MEM_SIZE:                       u64(func(i *host.DeviceInfo) uint64 { return i.LocalMemSize }),
	C.CL_DEVICE_ERROR_CORRECTION_SUPPORT:             u32(func(i *host.DeviceInfo) int { return int(boolean(i.Details.ErrorCorrection)) }),
	C.CL_DEVICE_HOST_UNIFIED_MEMORY:                  byMemory(0, 1),
	C.CL_DEVICE_PROFILING_TIMER_RESOLUTION:           size(func(i *host.DeviceInfo) int { return i.TimerResolution }),
	C.CL_DEVICE_ENDIAN_LITTLE:                        const32(1),
	C.CL_DEVICE_AVAILABLE:                            const32(1),
	C.CL_DEVICE_COMPILER_AVAILABLE:                   const32(1),
	C.CL_DEVICE_LINKER_AVAILABLE:                     const32(1),
	C.CL_DEVICE_EXECUTION_CAPABILITIES:               const64(C.CL_EXEC_KERNEL | C.CL_EXEC_NATIVE_KERNEL),
	C.CL_DEVICE_QUEUE_ON_HOST_PROPERTIES:             const64(C.CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | C.CL_QUEUE_PROFILING_ENABLE),
	C.CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES:           const64(0),
	C.CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE:       const32(0),
	C.CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE:             const32(0),
	C.CL_DEVICE_MAX_ON_DEVICE_QUEUES:                 const32(0),
	C.CL_DEVICE_MAX_ON_DEVICE_EVENTS:                 const32(0),
	C.CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES:          const64(0),
	C.CL_DEVICE_BUILT_IN_KERNELS:                     str(func(*host.DeviceInfo) string { return "" }),
	C.CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION:        none,
	C.CL_DEVICE_PLATFORM:                             func(a answer, d *deviceObject, _ *host.DeviceInfo) error { return value(a, d.platform.handle) },
	C.CL_DEVICE_NAME:                                 str(func(i *host.DeviceInfo) string { return i.Name }),
	C.CL_DEVICE_VENDOR:                               str(func(i *host.DeviceInfo) string { return i.Vendor }),
	C.CL_DRIVER_VERSION:                              str(func(i *host.DeviceInfo) string { return i.DriverVersion }),
	C.CL_DEVICE_PROFILE:                              str(func(i *host.DeviceInfo) string { return i.Profile }),
	C.CL_DEVICE_VERSION:                              str(func(i *host.DeviceInfo) string { return i.Version }),
	C.CL_DEVICE_NUMERIC_VERSION:                      const32(opencl.Newest.Numeric()),
	dotProductCapabilities: func(a answer, _ *deviceObject, i *host.DeviceInfo) error {
		bits := uint64(0)
		for n, f := range [...]string{"__opencl_c_integer_dot_product_input_4x8bit_packed", "__opencl_c_integer_dot_product_input_4x8bit"} {
			if i.HasFeature(f) {
				bits |= 1 << n
			}
		}
		return value(a, bits)
	},
	dotProduct8Bit:      func(a answer, _ *deviceObject, _ *host.DeviceInfo) error { return value(a, [6]uint32{}) }, // nothing is accelerated
	dotProduct4x8Packed: func(a answer, _ *deviceObject, _ *host.DeviceInfo) error { return value(a, [6]uint32{}) },
	busInfo: func(a answer, _ *deviceObject, i *host.DeviceInfo) error {
		if i.Details.Bus == nil {
			return opencl.InvalidValue
		}
		return value(a, *i.Details.Bus)
	},
	subGroupSizes: func(a answer, _ *deviceObject, i *host.DeviceInfo) error {
		return values(a, i.SubGroupSizes)
	},
	singleAtomics:                floatAtomics("fp32"),
	doubleAtomics:                floatAtomics("fp64"),
	halfAtomics:                  floatAtomics("fp16"),
	cNumericVersionKHR:           const32(host.CompatibleVersion.Numeric()), // of cl_khr_extended_versioning
	C.CL_DEVICE_OPENCL_C_VERSION: str(func(i *host.DeviceInfo) string { return i.CVersion }),
	C.CL_DEVICE_OPENCL_C_ALL_VERSIONS: func(a answer, _ *deviceObject, i *host.DeviceInfo) error {
		var out []C.cl_name_version
		for _, n := range i.CVersions {
			out = append(out, nameVersion("OpenCL C", n))
		}
		return values(a, out)
	},
	C.CL_DEVICE_OPENCL_C_FEATURES: func(a answer, _ *deviceObject, i *host.DeviceInfo) error {
		return values(a, nameVersions(i.CFeatures, opencl.Newest))
	},
	C.CL_DEVICE_EXTENSIONS: str(func(i *host.DeviceInfo) string { return strings.Join(i.Extensions, " ") }),
	C.CL_DEVICE_EXTENSIONS_WITH_VERSION: func(a answer, _ *deviceObject, i *host.DeviceInfo) error {
		return values(a, nameVersions(i.Extensions, opencl.CL10))
	},
	C.CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED: str(func(i *host.DeviceInfo) string { return i.ConformanceVersion }),
	C.CL_DEVICE_PRINTF_BUFFER_SIZE:                size(func(i *host.DeviceInfo) int { return i.PrintfBufferSize }),
	C.CL_DEVICE_PREFERRED_INTEROP_USER_SYNC:       const32(1),
	C.CL_DEVICE_PARENT_DEVICE: func(a answer, d *deviceObject, _ *host.DeviceInfo) error {
		if d.parent == nil {
			return value(a, uintptr(0))
		}
		return value(a, d.parent.handle)
	},
	C.CL_DEVICE_PARTITION_MAX_SUB_DEVICES: u32(func(i *host.DeviceInfo) int { return i.MaxSubDevices }),
	C.CL_DEVICE_PARTITION_PROPERTIES: func(a answer, _ *deviceObject, i *host.DeviceInfo) error {
		if i.MaxSubDevices <= 1 {
			return value(a, 0)
		}
		return values(a, []int{C.CL_DEVICE_PARTITION_EQUALLY, C.CL_DEVICE_PARTITION_BY_COUNTS})
	},
	C.CL_DEVICE_PARTITION_AFFINITY_DOMAIN: const64(0),
	C.CL_DEVICE_PARTITION_TYPE: func(a answer, d *deviceObject, _ *host.DeviceInfo) error {
		if d.partition == nil {
			return value(a, 0)
		}
		return values(a, d.partition)
	},
	C.CL_DEVICE_REFERENCE_COUNT: func(a answer, d *deviceObject, _ *host.DeviceInfo) error {
		return value(a, uint32(d.refs.Load()))
	},
	C.CL_DEVICE_SVM_CAPABILITIES:                        const64(0),
	C.CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT:     const32(0),
	C.CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT:       const32(0),
	C.CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT:        const32(0),
	C.CL_DEVICE_MAX_NUM_SUB_GROUPS:                      u32(func(i *host.DeviceInfo) int { return i.MaxSubGroups }),
	C.CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS:  const32(0),
	C.CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES:              const64(C.CL_DEVICE_ATOMIC_ORDER_RELAXED | C.CL_DEVICE_ATOMIC_ORDER_ACQ_REL | C.CL_DEVICE_ATOMIC_ORDER_SEQ_CST | C.CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | C.CL_DEVICE_ATOMIC_SCOPE_DEVICE | C.CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES),
	C.CL_DEVICE_ATOMIC_FENCE_CAPABILITIES:               const64(C.CL_DEVICE_ATOMIC_ORDER_RELAXED | C.CL_DEVICE_ATOMIC_ORDER_ACQ_REL | C.CL_DEVICE_ATOMIC_ORDER_SEQ_CST | C.CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM | C.CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | C.CL_DEVICE_ATOMIC_SCOPE_DEVICE | C.CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES),
	C.CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT:          const32(1),
	C.CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT: const32(1),
	C.CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT:           const32(1),
	C.CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:      size(func(i *host.DeviceInfo) int { return i.NativeVectorWidth }),
}

// Queries that only newer headers, or cl_ext.h, define.
const (
	cNumericVersionKHR     = 0x105F // CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR
	busInfo                = 0x410F // CL_DEVICE_PCI_BUS_INFO_KHR
	singleAtomics          = 0x4231 // CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT
	doubleAtomics          = 0x4232
	halfAtomics            = 0x4233
	dotProductCapabilities = 0x1073 // CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR
	dotProduct8Bit         = 0x1074 // CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR
	dotProduct4x8Packed    = 0x1075 // CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR
)

// floatAtomics returns the capabilities of cl_ext_float_atomics for a format, from its features of OpenCL C. Loads
// and stores of float and double are part of the language.
func floatAtomics(format string) deviceQuery {
	return func(a answer, _ *deviceObject, i *host.DeviceInfo) error {
		bits := uint64(0)
		for s, space := range [...]string{"_global", "_local"} {
			for n, op := range [...]string{"_load_store", "_add", "_min_max"} {
				if n == 0 && format != "fp16" || i.HasFeature("__opencl_c_ext_"+format+space+"_atomic"+op) {
					bits |= 1 << (16*s + n)
				}
			}
		}
		return value(a, bits)
	}
}

// none stores an empty array.
func none(a answer, _ *deviceObject, _ *host.DeviceInfo) error { return a.bytes(nil, 0) }

func clGetDeviceInfo(device uintptr, name uint32, a answer) error {
	d, err := find[deviceObject](device, kindDevice)
	if err != nil {
		return err
	}
	q := deviceQueries[name]
	if q == nil {
		return opencl.InvalidValue
	}
	i := d.Info()
	return q(a, d, &i)
}
