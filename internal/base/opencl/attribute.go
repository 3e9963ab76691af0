package opencl

// An Attribute is an attribute of declarations, statements or types, by name without underscores, with its number
// of arguments. __has_attribute is 1 for each; any other attribute is reported as unknown.
type Attribute struct {
	Name string
	// Spec is set if the specification of OpenCL C or of an extension defines the attribute. The others are
	// attributes of GNU C and clang that programs contain.
	Spec     bool
	Min, Max int // arguments
}

// Attributes is the table of attributes (OpenCL C, "Attribute Qualifiers", 6.13).
var Attributes = [...]Attribute{
	{"aligned", true, 0, 1},
	{"endian", true, 0, 1},
	{"intel_reqd_sub_group_size", true, 1, 1},
	{"nosvm", true, 0, 0},
	{"opencl_unroll_hint", true, 0, 1},
	{"packed", true, 0, 0},
	{"reqd_work_group_size", true, 3, 3},
	{"vec_type_hint", true, 1, 1},
	{"work_group_size_hint", true, 3, 3},

	{"address_space", false, 1, 1},
	{"always_inline", false, 0, 0},
	{"annotate", false, 1, 8},
	{"artificial", false, 0, 0},
	{"cold", false, 0, 0},
	{"const", false, 0, 0},
	{"convergent", false, 0, 0},
	{"deprecated", false, 0, 2},
	{"diagnose_if", false, 3, 3},
	{"enable_if", false, 2, 2},
	{"ext_vector_type", false, 1, 1},
	{"fallthrough", false, 0, 0},
	{"flatten", false, 0, 0},
	{"format", false, 3, 3},
	{"gnu_inline", false, 0, 0},
	{"hot", false, 0, 0},
	{"leaf", false, 0, 0},
	{"may_alias", false, 0, 0},
	{"mode", false, 1, 1},
	{"noinline", false, 0, 0},
	{"nonnull", false, 0, 16},
	{"noreturn", false, 0, 0},
	{"nothrow", false, 0, 0},
	{"opencl_constant", false, 0, 0},
	{"opencl_generic", false, 0, 0},
	{"opencl_global", false, 0, 0},
	{"opencl_local", false, 0, 0},
	{"opencl_private", false, 0, 0},
	{"optnone", false, 0, 0},
	{"overloadable", false, 0, 0},
	{"pure", false, 0, 0},
	{"section", false, 1, 1},
	{"transparent_union", false, 0, 0},
	{"unused", false, 0, 0},
	{"used", false, 0, 0},
	{"vector_size", false, 1, 1},
	{"visibility", false, 1, 1},
	{"warn_unused_result", false, 0, 0},
	{"weak", false, 0, 0},
}

// FindAttribute returns the row of a name without underscores, nil if there is none.
func FindAttribute(name string) *Attribute {
	for i := range Attributes {
		if Attributes[i].Name == name {
			return &Attributes[i]
		}
	}
	return nil
}

// CompilerBuiltins are the functions of GNU C and clang for which __has_builtin is 1.
var CompilerBuiltins = [...]string{"__builtin_astype", "__builtin_offsetof",
	"__builtin_huge_val", "__builtin_huge_valf", "__builtin_inf", "__builtin_inff", "__builtin_nan", "__builtin_nanf",
	"__builtin_expect", "__builtin_assume", "__builtin_constant_p"}
