package opencl

// A Scalar is a scalar number type of OpenCL C, in the order of conversion ranks, with the signed type of each rank
// first (OpenCL C, "Built-in Scalar Data Types", 6.3.1).
type Scalar uint8

// The scalar types; 0 means none.
const (
	Bool Scalar = iota + 1
	Char
	UChar
	Short
	UShort
	Int
	UInt
	Long
	ULong
	Half
	Float
	Double
	NumScalars
)

// A ScalarRow is a row of the table of scalar types.
type ScalarRow struct {
	Name          string
	Size          int // bytes
	Signed, Float bool
}

// Scalars is the table of scalar types.
var Scalars = [NumScalars]ScalarRow{
	Bool:   {"bool", 1, false, false},
	Char:   {"char", 1, true, false},
	UChar:  {"uchar", 1, false, false},
	Short:  {"short", 2, true, false},
	UShort: {"ushort", 2, false, false},
	Int:    {"int", 4, true, false},
	UInt:   {"uint", 4, false, false},
	Long:   {"long", 8, true, false},
	ULong:  {"ulong", 8, false, false},
	Half:   {"half", 2, true, true},
	Float:  {"float", 4, true, true},
	Double: {"double", 8, true, true},
}

// String returns the type's name, such as "uchar", or "" for 0.
func (s Scalar) String() string { return Scalars[s].Name }

// VectorLengths are the numbers of components of vectors (OpenCL C, "Built-in Vector Data Types", 6.3.2).
var VectorLengths = [...]int{2, 3, 4, 8, 16}

// VectorSuffixes are the suffixes of vector types' names, by number of components.
var VectorSuffixes = [17]string{2: "2", 3: "3", 4: "4", 8: "8", 16: "16"}

// A Rounding is a rounding mode of explicit conversions and of vstore_half (OpenCL C, "Rounding Modes", 6.4.3.2). 0
// is the function's default.
type Rounding uint8

// The rounding modes.
const (
	RTE Rounding = iota + 1 // to nearest, ties to even
	RTZ                     // toward zero
	RTP                     // toward positive infinity
	RTN                     // toward negative infinity
	NumRoundings
)

// Roundings are the suffixes of the modes in names, without their underscore; "" is the default's.
var Roundings = [NumRoundings]string{RTE: "rte", RTZ: "rtz", RTP: "rtp", RTN: "rtn"}
