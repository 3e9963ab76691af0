package argument

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// formatBits formats a number so that parsing it gives the same bits, in the shortest decimal form. A NaN other
// than the default one is written as `bits`.
func formatBits(k numeric.Kind, bits uint64) string {
	switch k {
	case numeric.F64:
		return float(math.Float64frombits(bits), 64)
	case numeric.F32:
		return float(float64(math.Float32frombits(uint32(bits))), 32)
	case numeric.F16:
		return half(bits)
	case numeric.Bool:
		return strconv.FormatBool(bits != 0)
	}
	if k.Signed() {
		shift := 64 - k.Bits()
		return strconv.FormatInt(int64(bits<<shift)>>shift, 10)
	}
	return strconv.FormatUint(bits, 10)
}

func float(f float64, bitSize int) string {
	switch {
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case f != f:
		return "nan"
	}
	s := strconv.FormatFloat(f, 'g', -1, bitSize)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

// half formats a half by the shortest decimal number that rounds to it.
func half(bits uint64) string {
	exact := math.Float64frombits(numeric.ConvertBits(numeric.F64, false, numeric.RTE, numeric.F16, bits))
	for prec := 1; prec <= 5; prec++ {
		s := strconv.FormatFloat(exact, 'g', prec, 64)
		if f, err := strconv.ParseFloat(s, 64); err == nil && numeric.ConvertBits(numeric.F16, false, numeric.RTE, numeric.F64, math.Float64bits(f)) == bits {
			return float(f, 64)
		}
	}
	return float(exact, 64)
}

// FormatElem formats one element of a buffer: a number, or a vector in parentheses.
func FormatElem(e Elem, b []byte) string {
	if e.Lanes == 1 {
		return formatBits(e.Kind, Bits(b, e.Kind))
	}
	parts := make([]string, e.Lanes)
	for i := range parts {
		parts[i] = formatBits(e.Kind, Bits(b[i*e.Kind.Size():], e.Kind))
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// FormatHex formats the raw bits of one element, most significant digit first in each component.
func FormatHex(e Elem, b []byte) string {
	parts := make([]string, e.Lanes)
	for i := range parts {
		parts[i] = fmt.Sprintf("0x%0*x", 2*e.Kind.Size(), Bits(b[i*e.Kind.Size():], e.Kind))
	}
	if e.Lanes == 1 {
		return parts[0]
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// Float returns the number with the given bits in a number format.
func Float(k numeric.Kind, bits uint64) float64 {
	if k == numeric.F64 {
		return math.Float64frombits(bits)
	}
	return math.Float64frombits(numeric.ConvertBits(numeric.F64, false, numeric.RTE, k, bits))
}
