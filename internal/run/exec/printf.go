package exec

import (
	"bytes"
	"math"
	"sync"

	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A PrintfCall is a call of printf. It may be shared.
type PrintfCall struct {
	types []ssa.Type // types of the arguments after the format
	cache map[string][]directive
	mu    sync.Mutex
}

// NewPrintfCall returns the call of v, an OpPrintf.
func NewPrintfCall(v *ssa.Value) *PrintfCall {
	call := &PrintfCall{cache: map[string][]directive{}}
	for _, a := range v.Args[1:] {
		call.types = append(call.types, a.Type)
	}
	return call
}

// Types returns the types of the arguments after the format.
func (c *PrintfCall) Types() []ssa.Type { return c.types }

// Append appends the output of the call for one work-item to buf; it returns false if the format is bad. bits
// returns component k of argument i after the format, str the string at a pointer.
func (c *PrintfCall) Append(buf []byte, format string, bits func(i, k int) uint64, str func(p uint64) (string, bool)) ([]byte, bool) {
	dirs := c.parse(format)
	if dirs == nil {
		return buf, false
	}
	args := make([]printArg, len(c.types))
	for i, t := range c.types {
		args[i].typ = t
		for k := range int(t.N) {
			args[i].bits[k] = bits(i, k)
		}
	}
	return appendFormat(buf, dirs, args, str), true
}

// maxString bounds the strings that printf reads.
const maxString = 1 << 20

// CString returns the C string at the beginning of b; ok is false if it is not terminated.
func CString(b []byte) (string, bool) {
	b = b[:min(len(b), maxString)]
	n := bytes.IndexByte(b, 0)
	if n < 0 {
		return "", false
	}
	return string(b[:n]), true
}

// Check reports whether OpenCL C allows a format with the arguments.
func (c *PrintfCall) Check(format string) bool { return c.parse(format) != nil }

// parse returns the directives of a format, nil if OpenCL C does not allow it.
func (c *PrintfCall) parse(format string) []directive {
	c.mu.Lock()
	defer c.mu.Unlock()
	d, ok := c.cache[format]
	if !ok {
		d = parseFormat(format, c.types)
		c.cache[format] = d
	}
	return d
}

// A printArg is an argument of printf.
type printArg struct {
	typ  ssa.Type
	bits [16]uint64
}

// float returns element i as a float64.
func (a *printArg) float(i int) float64 {
	switch k := a.typ.K.Num(); {
	case k.IsFloat():
		return numeric64(k, a.bits[i])
	case k.Signed():
		return float64(a.signed(i))
	default:
		return float64(a.bits[i])
	}
}

// signed returns element i, sign-extended if its type is signed.
func (a *printArg) signed(i int) int64 {
	k := a.typ.K.Num()
	if k.IsFloat() {
		return int64(a.float(i))
	}
	if k.Signed() {
		sh := 64 - k.Bits()
		return int64(a.bits[i]<<sh) >> sh
	}
	return int64(a.bits[i])
}

func numeric64(k numeric.Kind, bits uint64) float64 {
	if k == numeric.F64 {
		return math.Float64frombits(bits)
	}
	return math.Float64frombits(numeric.ConvertBits(numeric.F64, false, numeric.RTE, k, bits))
}
