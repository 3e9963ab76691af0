package builtin

// A Constant is an enumeration constant that programs see without declaring it.
// Package syntax has the constants that the specification defines as macros.
type Constant struct {
	Name     string
	Type     string // a type name: see TypeNames
	Value    int64
	Requires string
}

// Constants are the predeclared enumeration constants (OpenCL C, "Atomic Functions", 6.15.12).
// The values are those of C11's memory_order in clang, and the numbers that clang gives the scopes.
var Constants = []Constant{
	{"memory_order_relaxed", "memory_order", 0, "2.0"},
	{"memory_order_acquire", "memory_order", 2, "2.0"},
	{"memory_order_release", "memory_order", 3, "2.0"},
	{"memory_order_acq_rel", "memory_order", 4, "2.0"},
	{"memory_order_seq_cst", "memory_order", 5, "2.0"},
	{"memory_scope_work_item", "memory_scope", 0, "2.0"},
	{"memory_scope_work_group", "memory_scope", 1, "2.0"},
	{"memory_scope_device", "memory_scope", 2, "2.0"},
	{"memory_scope_all_svm_devices", "memory_scope", 3, "2.0"},
	{"memory_scope_all_devices", "memory_scope", 3, "3.0"},
	{"memory_scope_sub_group", "memory_scope", 4, "2.0"},
}

// A TypeName is a type name that programs see without declaring it, beside the keywords
// and the vector types. As is the type: one of OpenCL C's scalars, "atomic T" or "opaque".
type TypeName struct {
	Name     string
	As       string
	Requires string
}

// TypeNames are the predeclared type names (OpenCL C, "Built-in Scalar Data Types" 6.3.1,
// "Other Built-in Data Types" 6.3.3, "Atomic Functions" 6.15.12). Sizes are those of a 64-bit device.
var TypeNames = []TypeName{
	{"size_t", "ulong", ""}, {"ptrdiff_t", "long", ""}, {"intptr_t", "long", ""}, {"uintptr_t", "ulong", ""},
	{"cl_mem_fence_flags", "uint", ""},
	{"memory_order", "int", "2.0"}, {"memory_scope", "int", "2.0"},
	{"atomic_int", "atomic int", "2.0"}, {"atomic_uint", "atomic uint", "2.0"},
	{"atomic_long", "atomic long", "2.0 cl_khr_int64_base_atomics cl_khr_int64_extended_atomics"},
	{"atomic_ulong", "atomic ulong", "2.0 cl_khr_int64_base_atomics cl_khr_int64_extended_atomics"},
	{"atomic_float", "atomic float", "2.0"},
	{"atomic_double", "atomic double", "2.0 cl_khr_fp64 cl_khr_int64_base_atomics cl_khr_int64_extended_atomics"},
	{"atomic_half", "atomic half", "2.0 cl_khr_fp16 __opencl_c_ext_fp16_global_atomic_load_store|__opencl_c_ext_fp16_local_atomic_load_store"},
	{"atomic_flag", "atomic int", "2.0"},
	{"atomic_size_t", "atomic ulong", "2.0 cl_khr_int64_base_atomics cl_khr_int64_extended_atomics"},
	{"atomic_ptrdiff_t", "atomic long", "2.0 cl_khr_int64_base_atomics cl_khr_int64_extended_atomics"},
	{"atomic_intptr_t", "atomic long", "2.0 cl_khr_int64_base_atomics cl_khr_int64_extended_atomics"},
	{"atomic_uintptr_t", "atomic ulong", "2.0 cl_khr_int64_base_atomics cl_khr_int64_extended_atomics"},
	{"kernel_enqueue_flags_t", "int", "2.0"}, {"clk_profiling_info", "int", "2.0"},
	{"queue_t", "opaque", "2.0"}, {"clk_event_t", "opaque", "2.0"}, {"ndrange_t", "opaque", "2.0"}, {"reserve_id_t", "opaque", "2.0"},
}

// LookupConstant finds the predeclared constant of that name.
func LookupConstant(env *Env, name string) (Constant, bool) {
	for _, c := range Constants {
		if c.Name == name && env.meets(c.Requires) {
			return c, true
		}
	}
	return Constant{}, false
}

// LookupType finds the predeclared type name.
func LookupType(env *Env, name string) (TypeName, bool) {
	for _, t := range TypeNames {
		if t.Name == name && env.meets(t.Requires) {
			return t, true
		}
	}
	return TypeName{}, false
}
