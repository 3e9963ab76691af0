package syntax

// AttrArgs is how many arguments an attribute takes.
type AttrArgs struct{ Min, Max int }

// Attributes are the attributes, by name without underscores, that are understood or may
// be ignored without harm: for them __has_attribute is 1, any other is reported as unknown.
var Attributes = map[string]AttrArgs{
	"packed": {0, 0}, "aligned": {0, 1}, "endian": {0, 1}, "vec_type_hint": {1, 1},
	"work_group_size_hint": {3, 3}, "reqd_work_group_size": {3, 3}, "nosvm": {0, 0},
	"opencl_unroll_hint": {0, 1}, "always_inline": {0, 0}, "noinline": {0, 0}, "unused": {0, 0}, "used": {0, 0},
	"address_space": {1, 1}, "overloadable": {0, 0}, "const": {0, 0}, "pure": {0, 0}, "convergent": {0, 0}, "deprecated": {0, 2}, "cold": {0, 0}, "hot": {0, 0},
	"ext_vector_type": {1, 1}, "vector_size": {1, 1}, "may_alias": {0, 0}, "nothrow": {0, 0}, "nonnull": {0, 16}, "section": {1, 1},
	"weak": {0, 0}, "visibility": {1, 1}, "flatten": {0, 0}, "noreturn": {0, 0}, "format": {3, 3}, "gnu_inline": {0, 0},
	"intel_reqd_sub_group_size": {1, 1}, "fallthrough": {0, 0}, "optnone": {0, 0}, "warn_unused_result": {0, 0}, "leaf": {0, 0},
	"mode": {1, 1}, "artificial": {0, 0}, "diagnose_if": {3, 3}, "enable_if": {2, 2}, "annotate": {1, 8}, "transparent_union": {0, 0},
	"opencl_global": {0, 0}, "opencl_local": {0, 0}, "opencl_constant": {0, 0}, "opencl_private": {0, 0}, "opencl_generic": {0, 0},
}

// CompilerBuiltins are the functions of the compiler that __has_builtin answers 1 for.
// The parser knows the first two, package check the others.
var CompilerBuiltins = []string{"__builtin_astype", "__builtin_offsetof",
	"__builtin_huge_val", "__builtin_huge_valf", "__builtin_inf", "__builtin_inff", "__builtin_nan", "__builtin_nanf",
	"__builtin_expect", "__builtin_assume", "__builtin_constant_p"}
