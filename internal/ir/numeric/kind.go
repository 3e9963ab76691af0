package numeric

import (
	"github.com/purecl/purecl/internal/base/opencl"
)

// A Kind is a scalar number format of OpenCL C.
type Kind uint8

// The scalar kinds. Bool is one bit; the integers are two's complement; the
// floating-point kinds are the IEEE 754 binary16, binary32 and binary64 formats.
const (
	Invalid  = Kind(0)
	Bool     = Kind(opencl.Bool)
	I8       = Kind(opencl.Char)
	U8       = Kind(opencl.UChar)
	I16      = Kind(opencl.Short)
	U16      = Kind(opencl.UShort)
	I32      = Kind(opencl.Int)
	U32      = Kind(opencl.UInt)
	I64      = Kind(opencl.Long)
	U64      = Kind(opencl.ULong)
	F16      = Kind(opencl.Half)
	F32      = Kind(opencl.Float)
	F64      = Kind(opencl.Double)
	NumKinds = Kind(opencl.NumScalars)
)

type kindInfo struct {
	name   string
	size   uint8 // bytes in memory
	bits   uint8 // significant bits of the format
	signed bool
	float  bool
}

var kinds = [NumKinds]kindInfo{
	Invalid: {name: "invalid"},
	Bool:    {"bool", 1, 1, false, false},
	I8:      {"i8", 1, 8, true, false},
	U8:      {"u8", 1, 8, false, false},
	I16:     {"i16", 2, 16, true, false},
	U16:     {"u16", 2, 16, false, false},
	I32:     {"i32", 4, 32, true, false},
	U32:     {"u32", 4, 32, false, false},
	I64:     {"i64", 8, 64, true, false},
	U64:     {"u64", 8, 64, false, false},
	F16:     {"f16", 2, 16, true, true},
	F32:     {"f32", 4, 32, true, true},
	F64:     {"f64", 8, 64, true, true},
}

// String returns the kind's name in the SSA text form, such as "u16".
func (k Kind) String() string { return kinds[k].name }

// CName returns the kind's name in OpenCL C, such as "ushort", "" for Invalid.
func (k Kind) CName() string { return opencl.Scalar(k).String() }

// ParseKind returns the kind of a scalar type of OpenCL C, Invalid for another name.
func ParseKind(name string) Kind {
	for k := Bool; k < NumKinds; k++ {
		if k.CName() == name {
			return k
		}
	}
	return Invalid
}

// Size returns the size in bytes of a value of kind k in memory.
func (k Kind) Size() int { return int(kinds[k].size) }

// Bits returns the width of the format in bits.
func (k Kind) Bits() int { return int(kinds[k].bits) }

// Signed reports whether k has negative values.
func (k Kind) Signed() bool { return kinds[k].signed }

// IsFloat reports whether k is a floating-point format.
func (k Kind) IsFloat() bool { return kinds[k].float }

// IsInt reports whether k is an integer format other than Bool.
func (k Kind) IsInt() bool { return k >= I8 && k <= U64 }

// Unsigned returns the unsigned integer kind of the same size; for Bool it returns Bool.
func (k Kind) Unsigned() Kind {
	switch k.Size() {
	case 1:
		if k == Bool {
			return Bool
		}
		return U8
	case 2:
		return U16
	case 4:
		return U32
	case 8:
		return U64
	}
	return Invalid
}

// SignedInt returns the signed integer kind of the same size.
func (k Kind) SignedInt() Kind {
	if u := k.Unsigned(); u != Bool && u != Invalid {
		return u - 1
	}
	return Invalid
}

// A Round is a rounding mode of a conversion (OpenCL C, "Rounding Modes", 6.4.3.2).
type Round uint8

// The rounding modes. RoundDefault is toward zero for a conversion to an integer
// and to nearest even for one to a floating-point format.
const (
	RoundDefault = Round(0)
	RTE          = Round(opencl.RTE) // to nearest, ties to even
	RTZ          = Round(opencl.RTZ) // toward zero
	RTP          = Round(opencl.RTP) // toward positive infinity
	RTN          = Round(opencl.RTN) // toward negative infinity
	NumRounds    = Round(opencl.NumRoundings)
)

// String returns the suffix of the mode in a conversion's name without its
// underscore, "" for RoundDefault.
func (r Round) String() string { return opencl.Roundings[r] }

// Suffix returns the suffix with its underscore, such as "_rte".
func (r Round) Suffix() string {
	if r == RoundDefault {
		return ""
	}
	return "_" + r.String()
}

// ParseRound returns the mode of a suffix without its underscore, such as "rte".
func ParseRound(s string) (Round, bool) {
	for r := RTE; r < NumRounds; r++ {
		if r.String() == s {
			return r, true
		}
	}
	return 0, false
}
