package exec

import (
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// TestFormat compares conversions with the C library's (testdata/printf.py).
func TestFormat(t *testing.T) {
	table, err := os.ReadFile("testdata/printf.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		var arg printArg
		if f[0] == "i" {
			n, err := strconv.Atoi(f[2])
			if err != nil {
				t.Fatal(err)
			}
			arg = printArg{typ: ssa.TI32, bits: [16]uint64{uint64(uint32(n))}}
		} else {
			x, err := strconv.ParseFloat(f[2], 64)
			if err != nil {
				t.Fatal(err)
			}
			arg = printArg{typ: ssa.Scalar(ssa.F64), bits: [16]uint64{math.Float64bits(x)}}
		}
		dirs := parseFormat(f[1], []ssa.Type{arg.typ})
		if got := string(appendFormat(nil, dirs, []printArg{arg}, nil)); got != f[3] {
			t.Errorf("%s of %s: got %q, want %q", f[1], f[2], got, f[3])
		}
	}
}

// TestFormatVectors follows the examples and rules of OpenCL C, "printf".
func TestFormatVectors(t *testing.T) {
	f32 := func(xs ...float32) printArg {
		a := printArg{typ: ssa.Vec(ssa.F32, len(xs))}
		for i, x := range xs {
			a.bits[i] = uint64(math.Float32bits(x))
		}
		return a
	}
	uc := printArg{typ: ssa.Vec(ssa.U8, 4), bits: [16]uint64{0xFA, 0xFB, 0xFC, 0xFD}}
	ch := printArg{typ: ssa.Vec(ssa.I8, 2), bits: [16]uint64{0xFF, 5}}
	long := printArg{typ: ssa.Vec(ssa.I64, 2), bits: [16]uint64{1 << 40, ^uint64(0)}}
	half := printArg{typ: ssa.Scalar(ssa.F16), bits: [16]uint64{0x3e00}}
	str := printArg{typ: ssa.Scalar(ssa.PtrConstant), bits: [16]uint64{77}}
	for _, c := range []struct {
		format, want string
		args         []printArg
	}{
		{"f4 = %2.2v4hlf\n", "f4 = 1.00,2.00,3.00,4.00\n", []printArg{f32(1, 2, 3, 4)}},
		{"uc = %#v4hhx\n", "uc = 0xfa,0xfb,0xfc,0xfd\n", []printArg{uc}},
		{"%v2hhd|%5v2hhd", "-1,5|   -1,    5", []printArg{ch, ch}},
		{"%v2ld %%", "1099511627776,-1 %", []printArg{long}},
		{"%f", "1.500000", []printArg{half}},
		{"[%5s|%-5s|%.2s]", "[  abc|abc  |ab]", []printArg{str, str, str}},
		{"%n", "", nil},
		{"%d", "", nil},
		{"%v3d", "", []printArg{uc}},
		{"%d", "", []printArg{uc}},
		{"%hld", "", []printArg{half}},
		{"%", "", nil},
		{"%y", "", []printArg{half}},
	} {
		var types []ssa.Type
		for _, a := range c.args {
			types = append(types, a.typ)
		}
		dirs := parseFormat(c.format, types)
		if (dirs == nil) != (c.want == "") {
			t.Errorf("%q: accepted is %v", c.format, dirs != nil)
			continue
		}
		if got := string(appendFormat(nil, dirs, c.args, func(uint64) (string, bool) { return "abc", true })); dirs != nil && got != c.want {
			t.Errorf("%q: got %q, want %q", c.format, got, c.want)
		}
	}
}

func FuzzFormat(f *testing.F) {
	f.Add("%-+ #08.3v4hlf %d", uint64(5))
	f.Fuzz(func(t *testing.T, format string, bits uint64) {
		args := []printArg{{typ: ssa.TI32, bits: [16]uint64{bits}}, {typ: ssa.Scalar(ssa.F64), bits: [16]uint64{bits}}}
		if dirs := parseFormat(format, []ssa.Type{args[0].typ, args[1].typ}); dirs != nil {
			appendFormat(nil, dirs, args, func(uint64) (string, bool) { return "x", true })
		}
	})
}
