package filetest

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/ir/numeric"
)

// A Type is a scalar or vector type of a run test's argument.
type Type struct {
	Kind  numeric.Kind
	Lanes int // 1, 2, 3, 4, 8, 16
}

// ParseType parses a type's name: int, float4, i32, v4f32.
func ParseType(s string) (Type, bool) {
	lanes := func(n string) int {
		switch n {
		case "":
			return 1
		case "2", "3", "4", "8", "16":
			v, _ := strconv.Atoi(n)
			return v
		}
		return 0
	}
	base := strings.TrimRight(s, "0123456789")
	for _, t := range opencl.PointerSized {
		if s == t.Name {
			return Type{numeric.ParseKind(t.As), 1}, true
		}
	}
	if k := numeric.ParseKind(base); k != numeric.Invalid {
		n := lanes(s[len(base):])
		return Type{k, n}, n > 0
	}
	n := 1
	if strings.HasPrefix(s, "v") {
		rest := strings.TrimLeft(s[1:], "0123456789")
		if n = lanes(s[1 : len(s)-len(rest)]); n < 2 {
			return Type{}, false
		}
		s = rest
	}
	for k := numeric.Bool; k < numeric.NumKinds; k++ {
		if k.String() == s {
			return Type{k, n}, true
		}
	}
	return Type{}, false
}

// Stride returns the bytes between elements of a buffer of t.
func (t Type) Stride() int {
	if t.Lanes == 3 {
		return 4 * t.Kind.Size()
	}
	return t.Lanes * t.Kind.Size()
}

// An element is an expected scalar: raw bits, or a class of values.
type element struct {
	bits  uint64
	class class
}

type class uint8

const (
	exact  class = iota
	anyNaN       // nan
	anyBit       // _
)

// elements parses values of type t: the scalars of each element, without the padding of 3-vectors.
func elements(t Type, s string, limit int) (out []element, err error) {
	p := valueParser{s: s, t: t, limit: limit}
	for p.skip(); p.s != "" && p.err == nil; p.skip() {
		p.item()
	}
	return p.out, p.err
}

type valueParser struct {
	s     string
	t     Type
	out   []element
	limit int // on the number of scalars
	err   error
}

func (p *valueParser) skip() { p.s = strings.TrimLeft(p.s, " \t,") }

func (p *valueParser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
	p.s = ""
}

// word takes everything up to a delimiter.
func (p *valueParser) word() string {
	i := strings.IndexAny(p.s, " \t,()*")
	if i < 0 {
		i = len(p.s)
	}
	w := p.s[:i]
	p.s = p.s[i:]
	return w
}

// item parses n*x or x.
func (p *valueParser) item() {
	times := 1
	save := p.s
	if w := p.word(); strings.HasPrefix(p.s, "*") {
		n, err := strconv.Atoi(w)
		if err != nil || n < 0 || n > p.limit {
			p.fail("%q is no count", w)
			return
		}
		times = n
		p.s = p.s[1:]
	} else {
		p.s = save
	}
	start := len(p.out)
	p.value()
	x := p.out[start:]
	if len(p.out)-start > 0 && len(p.out)+(times-1)*len(x) > p.limit {
		p.fail("more values than fit")
		return
	}
	x = append([]element(nil), x...)
	p.out = p.out[:start]
	for range times {
		p.out = append(p.out, x...)
	}
}

// value parses one element of type t.
func (p *valueParser) value() {
	p.skip()
	if !strings.HasPrefix(p.s, "(") {
		x := p.scalar()
		for range p.t.Lanes {
			p.out = append(p.out, x)
		}
		return
	}
	p.s = p.s[1:]
	start := len(p.out)
	for p.skip(); p.err == nil && !strings.HasPrefix(p.s, ")"); p.skip() {
		if p.s == "" || len(p.out)-start >= p.t.Lanes {
			p.fail("a vector of %d elements expected", p.t.Lanes)
			return
		}
		p.out = append(p.out, p.scalar())
	}
	if p.err != nil {
		return
	}
	p.s = p.s[1:]
	switch n := len(p.out) - start; {
	case n == 1:
		for range p.t.Lanes - 1 {
			p.out = append(p.out, p.out[start])
		}
	case n != p.t.Lanes:
		p.fail("%d elements, not %d", n, p.t.Lanes)
	}
}

func (p *valueParser) scalar() element {
	w := p.word()
	if w == "bits" && strings.HasPrefix(p.s, "(") {
		p.s = p.s[1:]
		b := p.word()
		n, err := strconv.ParseUint(b, 0, p.t.Kind.Size()*8)
		if err != nil || !strings.HasPrefix(p.s, ")") {
			p.fail("bits(%s): no %v", b, p.t.Kind)
			return element{}
		}
		p.s = p.s[1:]
		return element{bits: n}
	}
	if w == "_" {
		return element{class: anyBit}
	}
	if w == "" {
		p.fail("a number expected at %.20q", p.s)
		return element{}
	}
	x, err := number(p.t.Kind, w)
	if err != nil {
		p.fail("%v", err)
	}
	return x
}

// number parses one number of kind k.
func number(k numeric.Kind, w string) (element, error) {
	bad := fmt.Errorf("%q is no %v", w, k)
	switch {
	case k == numeric.Bool:
		switch w {
		case "true", "1":
			return element{bits: 1}, nil
		case "false", "0":
			return element{}, nil
		}
		return element{}, bad
	case k.IsFloat():
		if w == "nan" {
			return element{bits: defaultNaN(k), class: anyNaN}, nil
		}
		s := w
		if !strings.HasPrefix(strings.TrimLeft(s, "+-"), "0x") && s != "inf" && s != "-inf" {
			s = strings.TrimRight(s, "fFhH")
		}
		size := 64
		if k == numeric.F32 {
			size = 32
		}
		if i := strings.TrimLeft(s, "+-"); strings.HasPrefix(i, "0x") && !strings.ContainsAny(i, "pP") {
			s += "p0"
		}
		x, err := strconv.ParseFloat(s, size)
		if err != nil && !math.IsInf(x, 0) || strings.ContainsAny(s, "_iIN") && s != "inf" && s != "-inf" {
			return element{}, bad
		}
		return element{bits: numeric.ConvertBits(k, false, numeric.RTE, numeric.F64, math.Float64bits(x))}, nil
	case k.Signed():
		x, err := strconv.ParseInt(strings.TrimRight(w, "lL"), 0, k.Bits())
		if err != nil {
			return element{}, bad
		}
		return element{bits: uint64(x) & (^uint64(0) >> (64 - k.Bits()))}, nil
	}
	x, err := strconv.ParseUint(strings.TrimRight(w, "uUlL"), 0, k.Bits())
	if err != nil {
		return element{}, bad
	}
	return element{bits: x}, nil
}

// defaultNaN returns the quiet NaN with a clear sign.
func defaultNaN(k numeric.Kind) uint64 {
	switch k {
	case numeric.F16:
		return 0x7e00
	case numeric.F32:
		return 0x7fc00000
	}
	return 0x7ff8000000000000
}

// put writes scalar i of a column of t into b, get reads it.
func put(b []byte, t Type, i int, bits uint64) {
	var w [8]byte
	binary.LittleEndian.PutUint64(w[:], bits)
	copy(b[t.offset(i):], w[:t.Kind.Size()])
}

func get(b []byte, t Type, i int) uint64 {
	var w [8]byte
	n := t.Kind.Size()
	copy(w[:n], b[t.offset(i):])
	return binary.LittleEndian.Uint64(w[:])
}

// offset returns the byte offset of scalar i in a buffer.
func (t Type) offset(i int) int { return i/t.Lanes*t.Stride() + i%t.Lanes*t.Kind.Size() }

// format prints raw bits so that number reads them back.
func format(k numeric.Kind, bits uint64) string {
	switch {
	case k == numeric.Bool:
		return strconv.FormatBool(bits != 0)
	case k.IsFloat():
		f := math.Float64frombits(numeric.ConvertBits(numeric.F64, false, numeric.RTE, k, bits))
		size := 64
		if k == numeric.F32 {
			size = 32
		}
		switch {
		case math.IsNaN(f) && bits == defaultNaN(k):
			return "nan"
		case math.IsNaN(f):
			return fmt.Sprintf("bits(0x%x)", bits)
		case math.IsInf(f, 0):
			return map[bool]string{true: "inf", false: "-inf"}[f > 0]
		}
		return strconv.FormatFloat(f, 'g', -1, size)
	case k.Signed():
		s := 64 - k.Bits()
		return strconv.FormatInt(int64(bits<<s)>>s, 10)
	}
	return strconv.FormatUint(bits, 10)
}

// formatAll prints a buffer, with equal neighbours as n*x.
func formatAll(t Type, b []byte, count int) string {
	var items []string
	for i := range count {
		var parts []string
		for l := range t.Lanes {
			parts = append(parts, format(t.Kind, get(b, t, i*t.Lanes+l)))
		}
		s := strings.Join(parts, ",")
		if t.Lanes > 1 {
			s = "(" + s + ")"
		}
		items = append(items, s)
	}
	var out []string
	for i := 0; i < len(items); {
		k := i
		for k < len(items) && items[k] == items[i] {
			k++
		}
		if k-i >= 4 {
			out = append(out, fmt.Sprintf("%d*%s", k-i, items[i]))
		} else {
			out = append(out, items[i:k]...)
		}
		i = k
	}
	return strings.Join(out, " ")
}
