package opencl

// A Macro is an object-like or function-like macro that OpenCL C defines with a fixed value.
type Macro struct {
	Name  string // with its parameters, if it has any
	Value string
	Since Version
}

// Macros are the macros with fixed values, by section of the OpenCL C specification. Numbers that the specification
// does not define are those of clang's opencl-c-base.h. The macros of image formats and samplers follow from
// [ChannelOrders], [ChannelTypes], [AddressingModes] and [FilterModes], those of extensions from [Extensions].
var Macros = [...]Macro{
	// Floating-Point Macros and Pragmas
	{"FLT_DIG", "6", 0},
	{"FLT_MANT_DIG", "24", 0},
	{"FLT_MAX_10_EXP", "+38", 0},
	{"FLT_MAX_EXP", "+128", 0},
	{"FLT_MIN_10_EXP", "-37", 0},
	{"FLT_MIN_EXP", "-125", 0},
	{"FLT_RADIX", "2", 0},
	{"FLT_MAX", "0x1.fffffep127f", 0},
	{"FLT_MIN", "0x1.0p-126f", 0},
	{"FLT_EPSILON", "0x1.0p-23f", 0},
	{"FP_ILOGB0", "INT_MIN", 0},
	{"FP_ILOGBNAN", "INT_MAX", 0},
	{"DBL_DIG", "15", 0},
	{"DBL_MANT_DIG", "53", 0},
	{"DBL_MAX_10_EXP", "+308", 0},
	{"DBL_MAX_EXP", "+1024", 0},
	{"DBL_MIN_10_EXP", "-307", 0},
	{"DBL_MIN_EXP", "-1021", 0},
	{"DBL_RADIX", "2", 0},
	{"DBL_MAX", "0x1.fffffffffffffp1023", 0},
	{"DBL_MIN", "0x1.0p-1022", 0},
	{"DBL_EPSILON", "0x1.0p-52", 0},
	{"HALF_DIG", "3", 0},
	{"HALF_MANT_DIG", "11", 0},
	{"HALF_MAX_10_EXP", "+4", 0},
	{"HALF_MAX_EXP", "+16", 0},
	{"HALF_MIN_10_EXP", "-4", 0},
	{"HALF_MIN_EXP", "-13", 0},
	{"HALF_RADIX", "2", 0},
	{"HALF_MAX", "0x1.ffcp15h", 0},
	{"HALF_MIN", "0x1.0p-14h", 0},
	{"HALF_EPSILON", "0x1.0p-10h", 0},

	// Math Functions
	{"MAXFLOAT", "0x1.fffffep127f", 0},
	{"HUGE_VALF", "as_float(0x7f800000)", 0},
	{"HUGE_VAL", "as_double(0x7ff0000000000000L)", 0},
	{"INFINITY", "as_float(0x7f800000)", 0},
	{"NAN", "as_float(0x7fc00000)", 0},

	// Integer Functions
	{"CHAR_BIT", "8", 0},
	{"SCHAR_MAX", "127", 0},
	{"SCHAR_MIN", "(-127-1)", 0},
	{"CHAR_MAX", "SCHAR_MAX", 0},
	{"CHAR_MIN", "SCHAR_MIN", 0},
	{"UCHAR_MAX", "255", 0},
	{"SHRT_MAX", "32767", 0},
	{"SHRT_MIN", "(-32767-1)", 0},
	{"USHRT_MAX", "65535", 0},
	{"INT_MAX", "2147483647", 0},
	{"INT_MIN", "(-2147483647-1)", 0},
	{"UINT_MAX", "0xffffffffU", 0},
	{"LONG_MAX", "0x7fffffffffffffffL", 0},
	{"LONG_MIN", "(-0x7fffffffffffffffL-1)", 0},
	{"ULONG_MAX", "0xffffffffffffffffUL", 0},

	// Synchronization Functions, Atomic Functions
	{"CLK_LOCAL_MEM_FENCE", "0x01", 0},
	{"CLK_GLOBAL_MEM_FENCE", "0x02", 0},
	{"CLK_IMAGE_MEM_FENCE", "0x04", CL20},
	{"ATOMIC_VAR_INIT(x)", "(x)", CL20},
	{"ATOMIC_FLAG_INIT", "0", CL20},

	// Samplers
	{"CLK_NORMALIZED_COORDS_FALSE", "0", 0},
	{"CLK_NORMALIZED_COORDS_TRUE", "1", 0},
}

// A MathConstant is a constant with the macros NAME of type double, NAME_F of float and NAME_H of half (OpenCL C,
// "Math Functions", 6.15.2).
type MathConstant struct {
	Name    string
	Decimal string // the value to 36 digits
	Double  string // the double nearest to it
}

// MathConstants is the table of these constants.
var MathConstants = [...]MathConstant{
	{"M_E", "2.71828182845904523536028747135266250", "0x1.5bf0a8b145769p+1"},
	{"M_LOG2E", "1.44269504088896340735992468100189214", "0x1.71547652b82fep+0"},
	{"M_LOG10E", "0.434294481903251827651128918916605082", "0x1.bcb7b1526e50ep-2"},
	{"M_LN2", "0.693147180559945309417232121458176568", "0x1.62e42fefa39efp-1"},
	{"M_LN10", "2.30258509299404568401799145468436421", "0x1.26bb1bbb55516p+1"},
	{"M_PI", "3.14159265358979323846264338327950288", "0x1.921fb54442d18p+1"},
	{"M_PI_2", "1.57079632679489661923132169163975144", "0x1.921fb54442d18p+0"},
	{"M_PI_4", "0.785398163397448309615660845819875721", "0x1.921fb54442d18p-1"},
	{"M_1_PI", "0.318309886183790671537767526745028724", "0x1.45f306dc9c883p-2"},
	{"M_2_PI", "0.636619772367581343075535053490057448", "0x1.45f306dc9c883p-1"},
	{"M_2_SQRTPI", "1.12837916709551257389615890312154517", "0x1.20dd750429b6dp+0"},
	{"M_SQRT2", "1.41421356237309504880168872420969808", "0x1.6a09e667f3bcdp+0"},
	{"M_SQRT1_2", "0.707106781186547524400844362104849039", "0x1.6a09e667f3bcdp-1"},
}

// Fence flags of barriers and fences: CLK_LOCAL_MEM_FENCE and the like.
const (
	LocalFence  = 1 << 0
	GlobalFence = 1 << 1
	ImageFence  = 1 << 2
)
