package opencl

// A TypeName is a predeclared type name, other than keywords, vector types and image types. As is the type: a
// scalar of OpenCL C, "atomic T", "enum" (of the same tag; its enumerators are in Constants), "opaque", or the name
// itself for a type without another name.
type TypeName struct {
	Name  string
	As    string
	Since Version
	Needs string // extensions and features, separated by spaces; alternatives are joined by '|'
}

// Requirements of several types of TypeNames.
const (
	int64Atomics = "cl_khr_int64_base_atomics cl_khr_int64_extended_atomics"
	halfAtomics  = "cl_khr_fp16 __opencl_c_ext_fp16_global_atomic_load_store|__opencl_c_ext_fp16_local_atomic_load_store"
)

// TypeNames are the predeclared type names (OpenCL C, "Built-in Scalar Data Types" 6.3.1, "Other Built-in
// Data Types" 6.3.3, "Atomic Functions" 6.15.12). Sizes are those of a 64-bit device.
var TypeNames = [...]TypeName{
	{"size_t", "ulong", 0, ""},
	{"ptrdiff_t", "long", 0, ""},
	{"intptr_t", "long", 0, ""},
	{"uintptr_t", "ulong", 0, ""},
	{"sampler_t", "sampler_t", 0, ""},
	{"event_t", "event_t", 0, ""},
	{"cl_mem_fence_flags", "uint", 0, ""},
	{"memory_order", "enum", CL20, ""},
	{"memory_scope", "enum", CL20, ""},
	{"atomic_int", "atomic int", CL20, ""},
	{"atomic_uint", "atomic uint", CL20, ""},
	{"atomic_long", "atomic long", CL20, int64Atomics},
	{"atomic_ulong", "atomic ulong", CL20, int64Atomics},
	{"atomic_float", "atomic float", CL20, ""},
	{"atomic_double", "atomic double", CL20, "cl_khr_fp64 " + int64Atomics},
	{"atomic_half", "atomic half", CL20, halfAtomics},
	{"atomic_flag", "atomic int", CL20, ""},
	{"atomic_size_t", "atomic ulong", CL20, int64Atomics},
	{"atomic_ptrdiff_t", "atomic long", CL20, int64Atomics},
	{"atomic_intptr_t", "atomic long", CL20, int64Atomics},
	{"atomic_uintptr_t", "atomic ulong", CL20, int64Atomics},
	{"kernel_enqueue_flags_t", "int", CL20, ""},
	{"clk_profiling_info", "int", CL20, ""},
	{"queue_t", "opaque", CL20, ""},
	{"clk_event_t", "opaque", CL20, ""},
	{"ndrange_t", "opaque", CL20, ""},
	{"reserve_id_t", "opaque", CL20, ""},
}

// PointerSized are the first types of TypeNames, which have the size of the device's addresses.
var PointerSized = TypeNames[:4]

// A MemoryOrder is a memory order of atomic functions, numbered as memory_order in clang's C11 header.
type MemoryOrder uint8

// The memory orders.
const (
	Relaxed MemoryOrder = 0
	Acquire MemoryOrder = 2
	Release MemoryOrder = 3
	AcqRel  MemoryOrder = 4
	SeqCst  MemoryOrder = 5
)

// A MemoryScope is a memory scope of atomic functions and barriers, numbered as memory_scope in clang.
type MemoryScope uint8

// The memory scopes.
const (
	ScopeWorkItem   MemoryScope = 0
	ScopeWorkGroup  MemoryScope = 1
	ScopeDevice     MemoryScope = 2
	ScopeAllDevices MemoryScope = 3
	ScopeSubGroup   MemoryScope = 4
)

// A Constant is a predeclared enumeration constant.
type Constant struct {
	Name  string
	Type  string // a name of TypeNames
	Value int64
	Since Version
}

// Constants are the predeclared enumeration constants (OpenCL C, "Atomic Functions", 6.15.12).
var Constants = [...]Constant{
	{"memory_order_relaxed", "memory_order", int64(Relaxed), CL20},
	{"memory_order_acquire", "memory_order", int64(Acquire), CL20},
	{"memory_order_release", "memory_order", int64(Release), CL20},
	{"memory_order_acq_rel", "memory_order", int64(AcqRel), CL20},
	{"memory_order_seq_cst", "memory_order", int64(SeqCst), CL20},
	{"memory_scope_work_item", "memory_scope", int64(ScopeWorkItem), CL20},
	{"memory_scope_work_group", "memory_scope", int64(ScopeWorkGroup), CL20},
	{"memory_scope_device", "memory_scope", int64(ScopeDevice), CL20},
	{"memory_scope_all_svm_devices", "memory_scope", int64(ScopeAllDevices), CL20},
	{"memory_scope_all_devices", "memory_scope", int64(ScopeAllDevices), CL30},
	{"memory_scope_sub_group", "memory_scope", int64(ScopeSubGroup), CL20},
}
