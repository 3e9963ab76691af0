package purecl

import (
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// TestConvertFunctions: expectations are the examples of the specification and of
// decision record 0002, or follow from the formats.
func TestConvertFunctions(t *testing.T) {
	f := Float4{-5, 254.5, 254.6, 1.2e9}
	nan := float32(math.NaN())
	for _, c := range []struct{ got, want any }{
		{ConvertUchar4SatRte(f), Uchar4{0, 254, 255, 255}},
		{ConvertUshort4SatRte(f), Ushort4{0, 254, 255, 65535}},
		{ConvertUchar4(f), Uchar4{251, 254, 254, 0}}, // 1.2e9 = 0x47868c00
		{ConvertInt4(Uchar4{1, 2, 254, 255}), Int4{1, 2, 254, 255}},
		{ConvertUshort4Sat(Short4{-1, 0, 1, 32767}), Ushort4{0, 0, 1, 32767}},
		{ConvertChar4Sat(Short4{-129, -128, 127, 128}), Char4{-128, -128, 127, 127}},
		{ConvertInt4Sat(Float4{3e9, -3e9, nan, -1.5}), Int4{math.MaxInt32, math.MinInt32, 0, -1}},
		{ConvertInt4(Float4{3e9, -3e9, nan, -1.5}), Int4{math.MinInt32, math.MinInt32, math.MinInt32, -1}},
		{ConvertUint4(Float4{3e9, -3e9, nan, -1.5}), Uint4{3000000000, 1 << 31, 1 << 31, math.MaxUint32}},
		{ConvertInt2Rtp(Double2{1.25, -1.25}), Int2{2, -1}},
		{ConvertInt2Rtn(Double2{1.25, -1.25}), Int2{1, -2}},
		{ConvertInt2Rte(Double2{2.5, 3.5}), Int2{2, 4}},
		{ConvertInt2Rtz(Double2{2.5, -3.5}), Int2{2, -3}},
		{ConvertFloat4Rtp(Int4{1<<24 + 1, -(1<<24 + 1), 7, math.MaxInt32}), Float4{1<<24 + 2, -(1 << 24), 7, 1 << 31}},
		{ConvertFloat4(Int4{1<<24 + 1, 1<<24 + 3}), Float4{1 << 24, 1<<24 + 4}},
		{ConvertFloat3(Half3{0x3c00, 0xc000, 1, 0x7e00}), Float3{1, -2, 0x1p-24, 0}}, // three components, not four
		{ConvertHalf2Rtz(Float2{65519, 1e9}), Half2{0x7bff, 0x7bff}},
		{ConvertHalf2(Float2{65519, 65520}), Half2{0x7bff, 0x7c00}},
		{ConvertUcharSat(float32(300)), uint8(255)}, {ConvertUchar(int32(-1)), uint8(255)},
		{ConvertLongRte(2.5), int64(2)}, {ConvertDouble(Half(0x3555)), 0.333251953125}, {ConvertHalf(1.0), Half(0x3c00)},
		{ConvertUlong(float32(-1)), uint64(math.MaxUint64)}, {ConvertFloatRtn(uint64(math.MaxUint64)), float32(0x1.fffffep63)},
		{ConvertUchar16Sat(SplatInt16(256)), SplatUchar16(255)}, {ConvertDouble8(SplatFloat8(0.5)), SplatDouble8(0.5)},
		{AsInt4(Float4{1, 2, 3, 4}), Int4{0x3f800000, 0x40000000, 0x40400000, 0x40800000}},
		{AsFloat(uint32(0x3f800000)), float32(1)}, {AsUint(AsFloat(uint32(0x7f800001))), uint32(0x7f800001)},
		{AsShort2(int32(0x00020001)), Short2{1, 2}}, {AsShort8(Int4{0x20001, 0x40003, 0x60005, 0x80007}), Short8{1, 2, 3, 4, 5, 6, 7, 8}},
		{AsFloat3(Float4{1, 2, 3, 4}), Float3{1, 2, 3, 4}}, {AsUint3(Float3{1}), Uint3{0x3f800000}},
		{AsUlong(Uchar8{1, 2, 3, 4, 5, 6, 7, 8}), uint64(0x0807060504030201)}, {AsHalf2(uint32(0x3c000001)), Half2{1, 0x3c00}},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%T %v, want %v", c.got, c.got, c.want)
		}
	}
	if n := testing.AllocsPerRun(10, func() {
		sink = ConvertUchar4SatRte(f)
		sinkInt = ConvertIntRtp(1.5)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

var (
	sink    Uchar4
	sinkInt int32
)

// TestConvertNames reads the generated functions and compares each with what its
// name says, by OpenCL C's grammar of names.
func TestConvertNames(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "zconvert.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string][2]string{
		"Char": {"int8", "I8"}, "Uchar": {"uint8", "U8"}, "Short": {"int16", "I16"}, "Ushort": {"uint16", "U16"},
		"Int": {"int32", "I32"}, "Uint": {"uint32", "U32"}, "Long": {"int64", "I64"}, "Ulong": {"uint64", "U64"},
		"Half": {"Half", "F16"}, "Float": {"float32", "F32"}, "Double": {"float64", "F64"},
	}
	grammar := regexp.MustCompile(`^(Convert|As)([A-Z][a-z]+?)(2|3|4|8|16|)(Sat)?(Rte|Rtz|Rtp|Rtn)?$`)
	count := map[string]int{}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		m := grammar.FindStringSubmatch(f.Name.Name)
		if m == nil || kinds[m[2]][0] == "" {
			t.Errorf("%s is no name of a conversion", f.Name.Name)
			continue
		}
		count[m[1]]++
		typ, kind := m[2]+m[3], kinds[m[2]][1]
		if m[3] == "" {
			typ = kinds[m[2]][0]
		}
		var body strings.Builder
		if err := printer.Fprint(&body, fset, f.Body.List[0]); err != nil {
			t.Fatal(err)
		}
		want := "return reinterpret[" + typ + "](x)"
		if m[1] == "Convert" {
			source, n, sat, round := "v, v.kind(), ", m[3], "false", "RoundDefault"
			if n == "" {
				source, n = "x, kindOf[S](), ", "1"
			}
			if m[4] != "" {
				sat = "true"
			}
			if m[5] != "" {
				round = strings.ToUpper(m[5])
			}
			want = "return convert[" + typ + "](" + source + n + ", numeric." + kind + ", " + sat + ", numeric." + round + ")"
		}
		if body.String() != want {
			t.Errorf("%s: %s, want %s", f.Name.Name, body.String(), want)
		}
	}
	// 8 integer types × 10 and 3 floating-point ones × 5 suffixes, 6 widths.
	if count["Convert"] != (8*10+3*5)*6 || count["As"] != 11*6 {
		t.Errorf("%v functions", count)
	}
}

func BenchmarkConvertUchar4SatRte(b *testing.B) {
	f := Float4{-5, 254.5, 254.6, 1.2e9}
	for b.Loop() {
		sink = ConvertUchar4SatRte(f)
	}
}
