package kerneltest

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/test/filetest"
)

// A Type is a scalar or vector type of OpenCL C.
type Type struct {
	Kind numeric.Kind
	N    int // components
}

// String returns the type's name.
func (t Type) String() string {
	if t.N <= 1 {
		return t.Kind.CName()
	}
	return fmt.Sprint(t.Kind.CName(), t.N)
}

// size returns the size of a value in memory in bytes.
func (t Type) size() int {
	n := t.N
	if n == 3 {
		n = 4
	}
	return n * t.Kind.Size()
}

func (t Type) elem() Type { return Type{t.Kind, 1} }

func (t Type) with(k numeric.Kind) Type { return Type{k, t.N} }

// An Arg is an argument of a kernel.
type Arg struct {
	Name  string
	Type  string // in the spelling of filetest; uchar for structs
	Elem  int    // bytes of an element
	Value bool   // passed by value; else a buffer
	Local int    // bytes of local memory; else 0
	Data  []byte
	Image *filetest.Image // of an image argument; its elements have the type Type
	whole bool            // must not be shortened: which work-item would fault is unspecified
}

// A Kernel is a random kernel, named k, and a launch of it.
type Kernel struct {
	Seed                  uint64
	Options               string // build options
	Args                  []Arg
	Global, Local, Offset []int // Local is nil where the launch may choose
	Wild                  bool  // some accesses are out of bounds
	Even                  bool  // gangs may usually be wide
	tree                  *node
	required              bool // an attribute requires the work-group size
}

// Source returns the kernel's text.
func (k *Kernel) Source() string { return k.tree.String() }

// Case returns the kernel as a run test without expected results.
func (k *Kernel) Case() *filetest.Case {
	c := &filetest.Case{Path: fmt.Sprintf("seed-%d.cl", k.Seed), Source: []byte(k.Source()), Kernel: "k", Global: k.Global, Local: k.Local, Offset: k.Offset, Options: k.Options}
	for _, a := range k.Args {
		f := filetest.Arg{Name: a.Name, Buffer: !a.Value, Local: a.Local, Data: a.Data, Count: 1, Image: a.Image}
		if a.Local == 0 {
			f.Type, _ = filetest.ParseType(a.Type)
			f.Count = len(a.Data) / a.Elem
		}
		c.Args = append(c.Args, f)
	}
	return c
}

// Header returns the launch as the header of a run test (see package filetest).
func (k *Kernel) Header() string {
	var b strings.Builder
	sizes := func(name string, list []int) {
		if list != nil {
			fmt.Fprintf(&b, " %s=%s", name, strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ","), "[]"))
		}
	}
	b.WriteString("// run: kernel=k")
	sizes("global", k.Global)
	sizes("local", k.Local)
	sizes("offset", k.Offset)
	fmt.Fprintf(&b, " %s\n", k.Options)
	for _, a := range k.Args {
		if a.Local > 0 {
			fmt.Fprintf(&b, "// arg: %s local %d\n", a.Name, a.Local)
			continue
		}
		typ := a.Type
		if m := a.Image; m != nil {
			typ = fmt.Sprintf("%s %s %s %dx%dx%d =", shapeName(m.Shape), strings.TrimPrefix(m.Format.Order.String(), "CL_"), strings.TrimPrefix(m.Format.Type.String(), "CL_"), m.Size[0], m.Size[1], m.Size[2])
		} else if !a.Value {
			typ = fmt.Sprintf("%s[%d] =", a.Type, len(a.Data)/a.Elem)
		}
		fmt.Fprintf(&b, "// arg: %s %s%s\n", a.Name, typ, formatData(a))
	}
	return b.String()
}

// formatData writes an argument's contents as bits, without trailing zeros.
func formatData(a Arg) string {
	t, _ := filetest.ParseType(a.Type)
	size := t.Kind.Size()
	stride := t.Stride() / size
	data := a.Data
	for !a.Value && len(data) > 0 && data[len(data)-1] == 0 {
		data = data[:len(data)-1]
	}
	var b strings.Builder
	for at, i := 0, 0; at < len(data); at, i = at+size, i+1 {
		lane := i % stride
		if lane >= t.Lanes {
			continue
		}
		bits := uint64(0)
		for j := min(size, len(data)-at) - 1; j >= 0; j-- {
			bits = bits<<8 | uint64(data[at+j])
		}
		switch {
		case t.Lanes > 1 && lane == 0:
			b.WriteString(" (")
		case t.Lanes > 1:
			b.WriteString(",")
		default:
			b.WriteString(" ")
		}
		fmt.Fprintf(&b, "bits(%#x)", bits)
		if t.Lanes > 1 && lane == t.Lanes-1 {
			b.WriteString(")")
		}
		if left := i % stride; at+size >= len(data) {
			for left++; left < t.Lanes; left++ {
				b.WriteString(",0")
				if left == t.Lanes-1 {
					b.WriteString(")")
				}
			}
		}
	}
	return b.String()
}

// interesting lists edge cases of integers and floats, by element size.
var interesting = map[int][]uint64{
	1: {0, 1, 0x7f, 0x80, 0xff, 2, 0xfe},
	2: {0, 1, 0x7fff, 0x8000, 0xffff, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0x0001, 0x03ff, 0x7bff, 0x3800, 0x7c01, 0x5640},
	4: {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffc12345, 1, 0x7fffff, 0x7f7fffff, 0x4f000000, 0x4f800000, 0xcf000000, 0x3f000000, 0x40200000, 0x437f0000, 0x477fe000},
	8: {0, 1, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff, 0x3ff0000000000000, 0xbff0000000000000, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0x7ff0000000000001,
		1, 0xfffffffffffff, 0x7fefffffffffffff, 0x41e0000000000000, 0x43e0000000000000, 0xc3e0000000000000, 0x3fe0000000000000, 0x4004000000000000, 0x80000000, 0xffffffff},
}

// randomBits returns the bits of a number of kind k: often a small one or an edge case.
func randomBits(rng *rand.Rand, k numeric.Kind) uint64 {
	size := k.Size()
	mask := ^uint64(0) >> (64 - 8*size)
	switch rng.IntN(8) {
	case 0, 1:
		list := interesting[size]
		return list[rng.IntN(len(list))]
	case 2:
		return rng.Uint64() & mask
	case 3, 4, 5:
		return numeric.ConvertBits(k, false, 0, numeric.I32, uint64(uint32(rng.IntN(200)-60))) & mask
	}
	if k.IsFloat() {
		x := numeric.ConvertBits(numeric.F64, false, 0, numeric.I32, uint64(uint32(rng.IntN(4000000)-2000000)))
		return numeric.ConvertBits(k, false, 0, numeric.F64, x-uint64(rng.IntN(20))<<52) & mask
	}
	return rng.Uint64() & mask >> rng.IntN(8*size)
}

// randomData returns n elements of t.
func randomData(rng *rand.Rand, t Type, n int) []byte {
	b := make([]byte, n*t.size())
	size := t.Kind.Size()
	for at := 0; at < len(b); at += size {
		bits := randomBits(rng, t.Kind)
		for j := range size {
			b[at+j] = byte(bits >> (8 * j))
		}
	}
	return b
}

// RandomData returns n elements of a numeric type, in memory order: often small numbers and edge cases.
func RandomData(rng *rand.Rand, t Type, n int) []byte {
	if t.N == 3 {
		t.N = 4
	}
	return randomData(rng, t, n)
}
