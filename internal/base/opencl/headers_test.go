package opencl

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// headerDir is the folder of the headers of Debian's package opencl-c-headers, which setup.sh installs.
const headerDir = "/usr/include/CL"

// A header is the macros of OpenCL's headers.
type header map[string]string

// readHeaders reads the macros without parameters. The first of several definitions counts: later ones are for
// Windows compilers.
func readHeaders(t *testing.T) header {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(headerDir, "*.h"))
	if len(files) == 0 {
		t.Skipf("no headers in %s: Debian's package opencl-c-headers has them", headerDir)
	}
	define := regexp.MustCompile(`(?m)^#define[ \t]+(\w+)[ \t]+(.*)$`)
	comment := regexp.MustCompile(`/\*.*?\*/|//.*`)
	h := header{}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range define.FindAllStringSubmatch(string(src), -1) {
			if h[m[1]] == "" {
				h[m[1]] = strings.TrimSpace(comment.ReplaceAllString(m[2], ""))
			}
		}
	}
	if len(h) < 500 {
		t.Fatalf("%d macros found in %s: is the expression that finds them right?", len(h), headerDir)
	}
	return h
}

// integer returns the value of an integer macro.
func (h header) integer(t *testing.T, name string) int64 {
	t.Helper()
	text, ok := h[name]
	if !ok {
		t.Errorf("the headers have no %s", name)
		return 0
	}
	n, err := strconv.ParseInt(strings.Trim(text, "()"), 0, 64)
	if err != nil {
		t.Errorf("%s is %q: %v", name, text, err)
	}
	return n
}

func TestStatusCodes(t *testing.T) {
	h := readHeaders(t)
	for s, name := range statusNames {
		if n := h.integer(t, name); n != int64(s) {
			t.Errorf("%s is %d here and %d in the headers", name, s, n)
		}
	}
	for name, text := range h { // a code in the headers' range that the table lacks
		n, err := strconv.Atoi(text)
		if err == nil && strings.HasPrefix(name, "CL_") && n < 0 && n >= int(MaxSizeRestrictionExceeded) && statusNames[Status(n)] == "" {
			t.Errorf("%s = %d is in the headers and not in statusNames", name, n)
		}
	}
}

func TestImages(t *testing.T) {
	h := readHeaders(t)
	same := func(name string, n int64) {
		t.Helper()
		if want := h.integer(t, name); want != n {
			t.Errorf("%s is %#x here and %#x in the headers", name, n, want)
		}
	}
	orders, types := 0, 0
	for o := OrderR; o.Known(); o, orders = o+1, orders+1 {
		same(o.String(), int64(o))
	}
	for c := SnormInt8; c.Known(); c, types = c+1, types+1 {
		same(c.String(), int64(c))
	}
	if orders != len(ChannelOrders) || types != len(ChannelTypes) {
		t.Errorf("%d of %d orders and %d of %d types are known", orders, len(ChannelOrders), types, len(ChannelTypes))
	}
	for i, row := range ImageShapes {
		same(row.Name, int64(Image2D)+int64(i))
	}
	for _, m := range append(AddressingModes[:], FilterModes[:]...) {
		same("CL_"+m.Name, int64(m.Number))
	}
	for name, text := range h {
		n, err := strconv.ParseInt(text, 0, 32)
		switch {
		case err != nil || strings.Count(name, "_") > 4:
		case n >= 0x10B0 && n <= 0x10CF && !ChannelOrder(n).Known(), n >= 0x10D0 && n <= 0x10EF && !ChannelType(n).Known():
			// The headers also have the formats of vendors' extensions for NV21 and packed YUV, which the driver does not offer.
			if !strings.HasPrefix(name, "CL_NV") && !strings.HasPrefix(name, "CL_YUYV") && !strings.HasPrefix(name, "CL_UYVY") && !strings.HasPrefix(name, "CL_YVYU") && !strings.HasPrefix(name, "CL_VYUY") {
				t.Errorf("%s = %#x is in the headers and in no table", name, n)
			}
		}
	}
}

// TestShapes checks that the shapes' rows agree with the names of the types.
func TestShapes(t *testing.T) {
	for _, typ := range ImageTypes {
		s := typ.Shape
		if !s.Known() || !strings.HasPrefix(typ.Name, "image"+strconv.Itoa(s.Dims())+"d") || strings.Contains(typ.Name, "_array") != s.Array() ||
			strings.Contains(typ.Name, "_buffer") != (s == Image1DBuffer) || strings.Contains(typ.Name, "_depth") != typ.Depth || strings.Contains(typ.Name, "_msaa") != typ.Multi ||
			typ.Multi != (typ.Needs != "") || typ.Needs != "" && FindExtension(typ.Needs) == nil {
			t.Errorf("%s: the row is %+v", typ.Name, typ)
		}
	}
}

// TestLimits compares the macros of number formats: CL_FLT_MAX of the headers and FLT_MAX of OpenCL C.
func TestLimits(t *testing.T) {
	h := readHeaders(t)
	compared := 0
	compare := func(name, value, suffix string) {
		text, ok := h["CL_"+name]
		if !ok {
			return
		}
		got, err := number(value)
		want, err2 := number(text)
		if strings.Contains(value, "as_") || strings.Contains(text, "CL_") || name == "HUGE_VAL" || name == "HUGE_VALF" {
			return // functions of bits, other macros
		}
		if err != nil || err2 != nil {
			t.Errorf("%s: %q (%v), in the headers %q (%v)", name, value, err, text, err2)
			return
		}
		if suffix == "f" || strings.HasSuffix(text, "f") {
			got, want = float64(float32(got)), float64(float32(want))
		}
		if got != want {
			t.Errorf("%s is %s = %v here and %s = %v in the headers", name, value, got, text, want)
		}
		compared++
	}
	for _, m := range Macros {
		compare(m.Name, m.Value, "")
	}
	for _, c := range MathConstants {
		compare(c.Name, c.Double, "")
		compare(c.Name+"_F", c.Decimal, "f")
	}
	if compared < 65 {
		t.Errorf("%d macros compared", compared)
	}
}

// TestMathConstants checks that the doubles are the ones nearest to the decimal values.
func TestMathConstants(t *testing.T) {
	for _, c := range MathConstants {
		d, err := strconv.ParseFloat(c.Decimal, 64)
		x, err2 := strconv.ParseFloat(c.Double, 64)
		if err != nil || err2 != nil || d != x {
			t.Errorf("%s: %s is %x and not %s", c.Name, c.Decimal, d, c.Double)
		}
	}
}

// number evaluates a macro's text: a number with a suffix, in parentheses or with a cast, or a difference.
func number(s string) (float64, error) {
	s = regexp.MustCompile(`\(cl_\w+\)`).ReplaceAllString(s, "")
	s = strings.TrimSpace(strings.Trim(strings.TrimSpace(s), "()"))
	if i := strings.LastIndexByte(s, '-'); i > 0 && !strings.ContainsAny(s[i-1:i], "eEpP") {
		a, err := number(s[:i])
		b, err2 := number(s[i+1:])
		if err == nil {
			err = err2
		}
		return a - b, err
	}
	hex := strings.Contains(strings.ToLower(s), "0x")
	s = strings.TrimRight(s, "uULlh")
	if !hex || strings.ContainsAny(s, "pP") {
		return strconv.ParseFloat(strings.TrimRight(s, "fF"), 64)
	}
	neg := strings.HasPrefix(s, "-")
	n, err := strconv.ParseUint(strings.TrimPrefix(s, "-"), 0, 64)
	if neg {
		return -float64(n), err
	}
	return float64(n), err
}

// TestScalars compares sizes and signs with the headers' types, and the order with that of ranks.
func TestScalars(t *testing.T) {
	readHeaders(t)
	src, err := os.ReadFile(filepath.Join(headerDir, "cl_platform.h"))
	if err != nil {
		t.Fatal(err)
	}
	sizes := map[string]int{"int8_t": 1, "uint8_t": 1, "int16_t": 2, "uint16_t": 2, "int32_t": 4, "uint32_t": 4, "int64_t": 8, "uint64_t": 8, "float": 4, "double": 8}
	for s := Char; s < NumScalars; s++ {
		row := Scalars[s]
		m := regexp.MustCompile(`typedef (\w+) +cl_` + row.Name + `\b`).FindSubmatch(src)
		if m == nil {
			t.Errorf("the headers have no cl_%s", row.Name)
			continue
		}
		c := string(m[1])
		if sizes[c] != row.Size || row.Float != (c == "float" || c == "double" || s == Half) || s != Half && row.Signed == strings.HasPrefix(c, "uint") {
			t.Errorf("%s: the row is %+v, cl_%s is %s", row.Name, row, row.Name, c)
		}
		if p := Scalars[s-1]; s > Char && (row.Size < p.Size && !row.Float) {
			t.Errorf("%s stands behind %s", row.Name, p.Name)
		}
	}
}

// TestVersions compares the versions with the headers' CL_VERSION macros and CL_MAKE_VERSION.
func TestVersions(t *testing.T) {
	h := readHeaders(t)
	for _, v := range Versions {
		name := "CL_VERSION_" + strings.ReplaceAll(v.String(), ".", "_")
		if h[name] == "" {
			t.Errorf("the headers have no %s", name)
		}
		got, ok := ParseVersion(v.String())
		if !ok || got != v || v.OrDefault() != v {
			t.Errorf("%v is read as %v", v, got)
		}
		major, minor := h.integer(t, "CL_VERSION_MAJOR_BITS"), h.integer(t, "CL_VERSION_MINOR_BITS")
		patch := h.integer(t, "CL_VERSION_PATCH_BITS")
		if major+minor+patch != 32 || v.Numeric() != uint32(v/100)<<(minor+patch)|uint32(v/10%10)<<patch {
			t.Errorf("%v: cl_version %#x; %d, %d and %d bits", v, v.Numeric(), major, minor, patch)
		}
	}
	if Version(0).OrDefault() != Default || Versions[len(Versions)-1] != Newest {
		t.Error("the default or the newest version")
	}
}

// TestExtensions checks that extensions of the API are in the headers, and that the names in a row are in the
// table.
func TestExtensions(t *testing.T) {
	h := readHeaders(t)
	for i, x := range Extensions {
		if (x.Scope == Device || x.Scope == Platform) && h[x.Name] == "" {
			t.Errorf("%s is an extension of the API and not in the headers", x.Name)
		}
		if FindExtension(x.Name) != &Extensions[i] {
			t.Errorf("%s stands twice", x.Name)
		}
		if !x.IsFeature() && !NamesExtension(x.Name) {
			t.Errorf("%s is neither a feature nor an extension", x.Name)
		}
		for _, other := range []string{x.Needs, x.Twin} {
			if other != "" && FindExtension(other) == nil {
				t.Errorf("%s names %s, which has no row", x.Name, other)
			}
		}
		if x.In20 && !x.IsFeature() || x.Core != 0 && x.Core < x.Since {
			t.Errorf("%+v", x)
		}
	}
	if FindExtension("cl_khr_unheard_of") != nil {
		t.Error("an unknown extension has a row")
	}
}

// TestNames checks that the requirements of type names are in the table of extensions, and that no name occurs
// twice.
func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, n := range TypeNames {
		if seen[n.Name] {
			t.Errorf("%s stands twice", n.Name)
		}
		seen[n.Name] = true
		for _, w := range strings.FieldsFunc(n.Needs, func(r rune) bool { return r == ' ' || r == '|' }) {
			if FindExtension(w) == nil {
				t.Errorf("%s needs %s, which has no row", n.Name, w)
			}
		}
	}
	for _, c := range Constants {
		if !seen[c.Type] {
			t.Errorf("%s has the type %s, which has no row", c.Name, c.Type)
		}
	}
	for i, a := range Attributes {
		if FindAttribute(a.Name) != &Attributes[i] || a.Min > a.Max {
			t.Errorf("attribute %+v", a)
		}
	}
	for _, m := range Macros {
		if name, _, _ := strings.Cut(m.Name, "("); seen[name] {
			t.Errorf("%s stands twice", m.Name)
		} else {
			seen[name] = true
		}
	}
}

// TestSamplerBits checks that each mode has distinct bits within its mask, and that the conversion from the API's
// numbers can be inverted.
func TestSamplerBits(t *testing.T) {
	seen := map[Sampler]string{}
	check := func(m SamplerMode, b Sampler, ok bool, mask Sampler) {
		if !ok || b != m.Bits || b&^mask != 0 || seen[b] != "" {
			t.Errorf("%s: bits %#x, %v; %#x is %q", m.Name, b, ok, b, seen[b])
		}
		seen[b] = m.Name
	}
	for _, m := range AddressingModes {
		b, ok := AddressingMode(m.Number).Bits()
		check(m, b, ok, SamplerAddressing)
	}
	for _, m := range FilterModes {
		b, ok := FilterMode(m.Number).Bits()
		check(m, b, ok, SamplerFilter)
	}
	if NormalizedCoords&(SamplerAddressing|SamplerFilter) != 0 || SamplerAddressing&SamplerFilter != 0 {
		t.Error("the masks overlap")
	}
	for _, n := range []uint32{0, uint32(AddressNone) - 1, uint32(AddressMirroredRepeat) + 1, math.MaxUint32} {
		if _, ok := AddressingMode(n).Bits(); ok {
			t.Errorf("%#x is no addressing mode", n)
		}
		if _, ok := FilterMode(n).Bits(); ok && n != uint32(FilterLinear) {
			t.Errorf("%#x is no filter mode", n)
		}
	}
}
