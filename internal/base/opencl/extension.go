package opencl

import (
	"strings"
)

// An Extension is an extension of OpenCL (cl_khr_…) or an optional feature of OpenCL C 3.0
// (__opencl_c_…).
type Extension struct {
	Name  string // name of its macro
	Scope Scope
	Since Version // the first version of OpenCL C that has it, if Scope is Language
	Core  Version // from this version on the language includes it, and a pragma for it has no effect; 0: never
	// In20 reports whether OpenCL C 2.0 includes the feature, with or without its macro.
	In20 bool
	// Needs is a feature that this one requires. Twin is the feature or extension that exists exactly if this one
	// does (OpenCL C 3.0, "Features", 6.2.1).
	Needs, Twin string
}

// A Scope is the part of this implementation that has an extension.
type Scope uint8

// The scopes. An extension of the language is one of the device too.
const (
	Absent   Scope = iota // the front end declares its functions; a kernel that calls one compiles, and its launch fails with the function's name
	Language              // OpenCL C has the macro, the device reports the name
	Device                // an extension of the API: the device reports the name
	Platform              // an extension of the API that only the platform reports
)

// IsFeature reports whether the row is an optional feature of OpenCL C 3.0.
func (x *Extension) IsFeature() bool { return IsFeature(x.Name) }

// IsFeature reports whether a name has the form of a feature's macro.
func IsFeature(name string) bool { return strings.HasPrefix(name, "__opencl_c_") }

// In reports whether this implementation has the extension in version v of OpenCL C.
func (x *Extension) In(v Version) bool { return x.Scope == Language && x.Since <= v }

// Extensions is the table of extensions and features. The order is that in which a device lists features.
var Extensions = [...]Extension{
	{Name: "cl_khr_fp64", Scope: Language, Core: CL12, Twin: "__opencl_c_fp64"},
	{Name: "cl_khr_fp16", Scope: Language},
	{Name: "cl_khr_global_int32_base_atomics", Scope: Language, Core: CL11},
	{Name: "cl_khr_global_int32_extended_atomics", Scope: Language, Core: CL11},
	{Name: "cl_khr_local_int32_base_atomics", Scope: Language, Core: CL11},
	{Name: "cl_khr_local_int32_extended_atomics", Scope: Language, Core: CL11},
	{Name: "cl_khr_int64_base_atomics", Scope: Language},
	{Name: "cl_khr_int64_extended_atomics", Scope: Language},
	{Name: "cl_khr_byte_addressable_store", Scope: Language, Core: CL11},
	{Name: "cl_khr_3d_image_writes", Scope: Language, Core: CL20, Twin: "__opencl_c_3d_image_writes"},
	{Name: "cl_khr_depth_images", Scope: Language},
	{Name: "cl_khr_image2d_from_buffer", Scope: Language},
	{Name: "cl_khr_subgroups", Scope: Language, Since: CL20},
	{Name: "cl_khr_subgroup_extended_types", Scope: Language, Since: CL20},
	{Name: "cl_khr_subgroup_non_uniform_vote", Scope: Language, Since: CL20},
	{Name: "cl_khr_subgroup_ballot", Scope: Language, Since: CL20},
	{Name: "cl_khr_subgroup_non_uniform_arithmetic", Scope: Language, Since: CL20},
	{Name: "cl_khr_subgroup_shuffle", Scope: Language, Since: CL20},
	{Name: "cl_khr_subgroup_shuffle_relative", Scope: Language, Since: CL20},
	{Name: "cl_khr_subgroup_clustered_reduce", Scope: Language, Since: CL20},
	{Name: "cl_khr_subgroup_rotate", Scope: Language, Since: CL20},
	{Name: "cl_khr_work_group_uniform_arithmetic", Scope: Language, Since: CL20},
	{Name: "cl_ext_float_atomics", Scope: Language, Since: CL20},
	{Name: "cl_intel_required_subgroup_size", Scope: Language, Since: CL20},
	{Name: "cl_khr_extended_bit_ops", Scope: Language},
	{Name: "cl_khr_integer_dot_product", Scope: Language},
	{Name: "__opencl_c_integer_dot_product_input_4x8bit", Scope: Language},
	{Name: "__opencl_c_integer_dot_product_input_4x8bit_packed", Scope: Language},
	{Name: "cl_khr_extended_async_copies", Scope: Language},
	{Name: "cl_khr_async_work_group_copy_fence", Scope: Language},

	// Optional features of 3.0. OpenCL C 2.0 includes them; clang defines some of the macros in 2.0 too.
	{Name: "__opencl_c_int64", Scope: Language, In20: true},
	{Name: "__opencl_c_generic_address_space", Scope: Language, Since: CL20, In20: true},
	{Name: "__opencl_c_work_group_collective_functions", Scope: Language, Since: CL20, In20: true},
	{Name: "__opencl_c_atomic_order_acq_rel", Scope: Language, Since: CL20, In20: true},
	{Name: "__opencl_c_atomic_order_seq_cst", Scope: Language, Since: CL20, In20: true},
	{Name: "__opencl_c_atomic_scope_device", Scope: Language, Since: CL20, In20: true},
	{Name: "__opencl_c_atomic_scope_all_devices", Scope: Language, Since: CL20, In20: true},
	{Name: "__opencl_c_read_write_images", Scope: Language, Since: CL20, In20: true, Needs: "__opencl_c_images"},
	{Name: "__opencl_c_program_scope_global_variables", Scope: Language, Since: CL20, In20: true},
	{Name: "__opencl_c_images", Scope: Language, Since: CL20, In20: true},
	{Name: "__opencl_c_fp64", Scope: Language, Since: CL30, In20: true},
	{Name: "__opencl_c_3d_image_writes", Scope: Language, Since: CL30, In20: true, Needs: "__opencl_c_images"},
	{Name: "__opencl_c_subgroups", Scope: Language, Since: CL30, In20: true},
	{Name: "__opencl_c_pipes", In20: true},
	{Name: "__opencl_c_device_enqueue", In20: true},

	// Features of cl_ext_float_atomics.
	{Name: "__opencl_c_ext_fp16_global_atomic_load_store", Scope: Language, Since: CL20},
	{Name: "__opencl_c_ext_fp16_local_atomic_load_store", Scope: Language, Since: CL20},
	{Name: "__opencl_c_ext_fp16_global_atomic_add", Scope: Language, Since: CL20},
	{Name: "__opencl_c_ext_fp16_local_atomic_add", Scope: Language, Since: CL20},
	{Name: "__opencl_c_ext_fp16_global_atomic_min_max", Scope: Language, Since: CL20},
	{Name: "__opencl_c_ext_fp16_local_atomic_min_max", Scope: Language, Since: CL20},
	{Name: "__opencl_c_ext_fp32_global_atomic_add", Scope: Language, Since: CL20},
	{Name: "__opencl_c_ext_fp32_local_atomic_add", Scope: Language, Since: CL20},
	{Name: "__opencl_c_ext_fp32_global_atomic_min_max", Scope: Language, Since: CL20},
	{Name: "__opencl_c_ext_fp32_local_atomic_min_max", Scope: Language, Since: CL20},
	{Name: "__opencl_c_ext_fp64_global_atomic_add", Scope: Language, Since: CL20},
	{Name: "__opencl_c_ext_fp64_local_atomic_add", Scope: Language, Since: CL20},
	{Name: "__opencl_c_ext_fp64_global_atomic_min_max", Scope: Language, Since: CL20},
	{Name: "__opencl_c_ext_fp64_local_atomic_min_max", Scope: Language, Since: CL20},

	// Extensions of the API.
	{Name: "cl_khr_extended_versioning", Scope: Device},
	{Name: "cl_khr_create_command_queue", Scope: Device},
	{Name: "cl_khr_icd", Scope: Platform},

	// Extensions that the front end knows but the device does not report: see Absent.
	{Name: "cl_khr_gl_msaa_sharing"},
	{Name: "cl_khr_mipmap_image"},
	{Name: "cl_khr_mipmap_image_writes"},
	{Name: "cl_khr_kernel_clock"},
	{Name: "__opencl_c_kernel_clock_scope_device"},
	{Name: "__opencl_c_kernel_clock_scope_work_group"},
	{Name: "__opencl_c_kernel_clock_scope_sub_group"},
}

// extensionIndex has the row number + 1 of each name.
var extensionIndex = func() map[string]int {
	m := make(map[string]int, len(Extensions))
	for i := range Extensions {
		m[Extensions[i].Name] = i + 1
	}
	return m
}()

// FindExtension returns the row of a name, nil if there is none.
func FindExtension(name string) *Extension {
	if i := extensionIndex[name]; i > 0 {
		return &Extensions[i-1]
	}
	return nil
}

// vendors are the prefixes of extensions' names.
var vendors = [...]string{"cl_khr_", "cl_amd_", "cl_nv_", "cl_intel_", "cl_arm_", "cl_ext_", "cl_clang_", "cl_qcom_"}

// NamesExtension reports whether a name has the form of an extension of Khronos or a vendor, implemented here or
// not.
func NamesExtension(name string) bool {
	for _, v := range vendors {
		if strings.HasPrefix(name, v) {
			return true
		}
	}
	return false
}
