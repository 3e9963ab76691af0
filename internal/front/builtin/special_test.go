package builtin_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
)

// specialValues are the results that "Additional Requirements Beyond C99 TC2" (7.5.1) and C99 F.9 prescribe:
// function, arguments, "=", results of the function, then the values that it stores. ±x means both signs,
// throughout the line. tiny is the smallest positive number, below1 the greatest below 1, max the greatest.
const specialValues = `
acos 1 = 0
acos 2 = nan
acosh 1 = 0
acosh inf = inf
acosh 0.5 = nan
acospi 1 = 0
acospi -1 = 1
acospi 0 = 0.5
acospi 1.5 = nan
asin ±0 = ±0
asin -1.5 = nan
asinh ±0 = ±0
asinh ±inf = ±inf
asinpi ±0 = ±0
asinpi ±1 = ±0.5
asinpi ±2 = nan
atan ±0 = ±0
atanpi ±0 = ±0
atanpi ±inf = ±0.5
atanpi ±1 = ±0.25
atan2 ±0 0 = ±0
atan2 ±0 1 = ±0
atan2 ±1 inf = ±0
atan2 nan 1 = nan
atan2 1 nan = nan
atan2pi ±0 -0 = ±1
atan2pi ±0 0 = ±0
atan2pi ±0 -2 = ±1
atan2pi ±0 2 = ±0
atan2pi -2 0 = -0.5
atan2pi -2 -0 = -0.5
atan2pi 2 0 = 0.5
atan2pi 2 -0 = 0.5
atan2pi ±2 -inf = ±1
atan2pi ±2 inf = ±0
atan2pi ±inf 2 = ±0.5
atan2pi ±inf -2 = ±0.5
atan2pi ±inf -inf = ±0.75
atan2pi ±inf inf = ±0.25
atanh ±0 = ±0
atanh ±1 = ±inf
atanh ±1.5 = nan
cbrt ±0 = ±0
cbrt ±inf = ±inf
cbrt ±27 = ±3
cbrt ±8 = ±2
ceil -0.5 = -0
ceil ±0 = ±0
ceil 1.5 = 2
ceil ±inf = ±inf
copysign 1 -0 = -1
copysign -2 nan = 2
cos ±0 = 1
cos ±inf = nan
cosh ±0 = 1
cosh ±inf = inf
cospi ±0 = 1
cospi 0.5 = 0
cospi -0.5 = 0
cospi 1.5 = 0
cospi 1 = -1
cospi ±inf = nan
cospi max = 1
erf ±0 = ±0
erf ±inf = ±1
erfc inf = 0
erfc -inf = 2
erfc 0 = 1
exp ±0 = 1
exp -inf = 0
exp inf = inf
exp2 ±0 = 1
exp2 3 = 8
exp2 -inf = 0
exp2 inf = inf
exp10 -inf = 0
exp10 inf = inf
exp10 0 = 1
expm1 ±0 = ±0
expm1 -inf = -1
expm1 inf = inf
fabs -0 = 0
fabs -inf = inf
fdim 1 nan = nan
fdim nan 1 = nan
fdim inf -inf = inf
fdim 3 1 = 2
fdim 1 3 = 0
floor -0.5 = -1
floor ±0 = ±0
floor ±inf = ±inf
fma inf 0 nan = nan
fma 2 3 4 = 10
fma inf 1 -inf = nan
fmax nan 1 = 1
fmax 1 nan = 1
fmax nan nan = nan
fmin nan 1 = 1
fmin -1 nan = -1
fmod ±0 1 = ±0
fmod ±0 nan = nan
fmod inf 1 = nan
fmod 1 0 = nan
fmod ±1 inf = ±1
fmod ±5.5 2 = ±1.5
fmod ±1 3 = ±1
fract 0 & = 0 0
fract -0 & = -0 -0
fract inf & = 0 inf
fract -inf & = -0 -inf
fract nan & = nan nan
fract -tiny & = below1 -1
fract 2.25 & = 0.25 2
fract -2.25 & = 0.75 -3
frexp ±inf & = ±inf 0
frexp nan & = nan 0
frexp ±0 & = ±0 0
frexp ±3 & = ±0.75 2
frexp ±0.5 & = ±0.5 0
hypot ±inf nan = inf
hypot nan inf = inf
hypot nan 1 = nan
hypot 3 -4 = 5
hypot 0 -0 = 0
ilogb 0 = -2147483648
ilogb inf = 2147483647
ilogb nan = 2147483647
ilogb 0.75 = -1
ilogb 9 = 3
ldexp ±0 i5 = ±0
ldexp ±inf i-5 = ±inf
ldexp nan i1 = nan
ldexp ±1 i4 = ±16
ldexp ±1 i100000 = ±inf
ldexp ±1 i-100000 = ±0
ldexp max i-2147483648 = 0
lgamma 1 = 0
lgamma 2 = 0
lgamma 0 = inf
lgamma -3 = inf
lgamma ±inf = inf
lgamma_r 0 & = inf 0
lgamma_r -0 & = inf 0
lgamma_r -3 & = inf 0
lgamma_r 1 & = 0 1
lgamma_r inf & = inf 1
log ±0 = -inf
log 1 = 0
log -1 = nan
log inf = inf
log2 ±0 = -inf
log2 1 = 0
log2 8 = 3
log2 -1 = nan
log2 inf = inf
log10 ±0 = -inf
log10 1 = 0
log10 1000 = 3
log10 -1 = nan
log10 inf = inf
log1p ±0 = ±0
log1p -1 = -inf
log1p -2 = nan
log1p inf = inf
logb ±0 = -inf
logb ±inf = inf
logb nan = nan
logb ±5 = 2
maxmag -3 2 = -3
maxmag 3 -3 = 3
maxmag nan 1 = 1
minmag -3 2 = 2
minmag 3 -3 = -3
modf ±inf & = ±0 ±inf
modf ±2.25 & = ±0.25 ±2
modf ±0 & = ±0 ±0
modf nan & = nan nan
nextafter 0 -1 = -tiny
nextafter -0 1 = tiny
nextafter 1 0 = below1
nextafter below1 2 = 1
nextafter -1 0 = -below1
nextafter 1 1 = 1
nextafter max inf = inf
nextafter nan 1 = nan
nextafter 1 nan = nan
nextafter 0 -0 = -0
nextafter inf 0 = max
pow ±0 -inf = inf
pow ±0 -3 = ±inf
pow ±0 -2 = inf
pow ±0 3 = ±0
pow ±0 2.5 = 0
pow -1 ±inf = 1
pow 1 nan = 1
pow nan ±0 = 1
pow nan 1 = nan
pow 2 nan = nan
pow -8 0.5 = nan
pow -2 3 = -8
pow -2 2 = 4
pow 0.5 -inf = inf
pow 2 -inf = 0
pow 0.5 inf = 0
pow 2 inf = inf
pow -inf -3 = -0
pow -inf -2 = 0
pow -inf 3 = -inf
pow -inf 2 = inf
pow inf -1 = 0
pow inf 1 = inf
pow -inf inf = inf
pown nan i0 = 1
pown ±0 i0 = 1
pown ±inf i0 = 1
pown ±0 i-3 = ±inf
pown ±0 i-2 = inf
pown ±0 i2 = 0
pown ±0 i3 = ±0
pown -2 i3 = -8
pown 1 i2147483647 = 1
pown -1 i-2147483648 = 1
pown -1 i2147483647 = -1
powr 2 ±0 = 1
powr ±0 -2 = inf
powr ±0 -inf = inf
powr ±0 2 = 0
powr 1 2 = 1
powr -1 2 = nan
powr ±0 ±0 = nan
powr inf ±0 = nan
powr 1 ±inf = nan
powr 2 nan = nan
powr nan 2 = nan
powr nan 0 = nan
remainder ±0 1 = ±0
remainder 1 0 = nan
remainder inf 1 = nan
remainder ±1 inf = ±1
remainder ±5 2 = ±1
remainder ±7 2 = ∓1
remainder ±3 2 = ∓1
remquo inf 1 & = nan 0
remquo 1 0 & = nan 0
remquo nan 1 & = nan 0
remquo 7 2 & = -1 4
remquo -7 2 & = 1 -4
remquo 5 2 & = 1 2
remquo ±1 inf & = ±1 0
remquo 259 2 & = -1 2
rint -0.5 = -0
rint 0.5 = 0
rint 1.5 = 2
rint 2.5 = 2
rint ±inf = ±inf
rootn ±0 i-3 = ±inf
rootn ±0 i-2 = inf
rootn ±0 i2 = 0
rootn ±0 i3 = ±0
rootn -4 i2 = nan
rootn 4 i0 = nan
rootn ±8 i3 = ±2
rootn ±inf i3 = ±inf
rootn inf i-2 = 0
round -0.25 = -0
round ±0.5 = ±1
round ±2.5 = ±3
round ±2.25 = ±2
round below1 = 1
round ±0 = ±0
rsqrt ±0 = ±inf
rsqrt inf = 0
rsqrt -1 = nan
rsqrt 4 = 0.5
sign ±0 = ±0
sign ±3 = ±1
sign nan = 0
sin ±0 = ±0
sin ±inf = nan
sincos ±0 & = ±0 1
sincos inf & = nan nan
sinh ±0 = ±0
sinh ±inf = ±inf
sinpi ±0 = ±0
sinpi ±3 = ±0
sinpi ±2 = ±0
sinpi ±0.5 = ±1
sinpi 1.5 = -1
sinpi ±inf = nan
sqrt ±0 = ±0
sqrt -1 = nan
sqrt 9 = 3
tan ±0 = ±0
tan ±inf = nan
tanh ±0 = ±0
tanh ±inf = ±1
tanpi ±0 = ±0
tanpi ±2 = ±0
tanpi ±1 = ∓0
tanpi 0.5 = inf
tanpi 2.5 = inf
tanpi 1.5 = -inf
tanpi -0.5 = -inf
tanpi -1.5 = inf
tanpi ±inf = nan
tgamma ±0 = ±inf
tgamma -2 = nan
tgamma inf = inf
tgamma -inf = nan
tgamma 5 = 24
tgamma 1 = 1
trunc -0.5 = -0
trunc ±2.75 = ±2
step 1 0.5 = 0
step 0.5 0.5 = 1
mix 1 3 0.5 = 2
smoothstep 0 2 1 = 0.5
smoothstep 0 2 5 = 1
clamp 5 0 1 = 1
clamp -5 0 1 = 0
degrees ±inf = ±inf
radians ±0 = ±0
mad 2 3 1 = 7
isnan nan = 1
isnan inf = 0
isinf ±inf = 1
isinf max = 0
isfinite nan = 0
isfinite ±max = 1
isnormal tiny = 0
isnormal 1 = 1
isnormal inf = 0
isnormal 0 = 0
signbit -0 = 1
signbit 0 = 0
isequal 0 -0 = 1
isequal nan nan = 0
isnotequal nan 1 = 1
isnotequal 1 1 = 0
isgreater 2 1 = 1
isgreater nan 1 = 0
isgreaterequal 1 1 = 1
isless 1 2 = 1
isless 2 1 = 0
islessequal 2 nan = 0
islessgreater 1 2 = 1
islessgreater 2 1 = 1
islessgreater 1 nan = 0
isordered 1 nan = 0
isordered 1 2 = 1
isunordered nan 1 = 1
isunordered 1 1 = 0
`

// A floatFormat is a type in which the special values are tested.
type floatFormat struct {
	name              string
	tiny, below1, max float64
}

var floatFormats = []floatFormat{
	{"float", 0x1p-149, 0x1.fffffep-1, math.MaxFloat32},
	{"double", 0x1p-1074, 0x1.fffffffffffffp-1, math.MaxFloat64},
	{"half", 0x1p-24, 0x1.ffcp-1, 65504},
}

func (f floatFormat) value(word string) float64 {
	neg := strings.HasPrefix(word, "-")
	v := 0.0
	switch word = strings.TrimPrefix(strings.TrimPrefix(word, "-"), "i"); word {
	case "nf":
		v = math.Inf(1)
	case "tiny":
		v = f.tiny
	case "below1":
		v = f.below1
	case "max":
		v = f.max
	default:
		neg = neg != strings.HasPrefix(word, "-") // for an integer, as in i-2
		x, err := strconv.ParseFloat(strings.TrimPrefix(word, "-"), 64)
		if err != nil {
			panic(err)
		}
		v = x
	}
	if neg {
		return -v
	}
	return v
}

// expandSigns doubles lines with ±.
func expandSigns(text string) (lines []string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
		case strings.Contains(line, "±"):
			lines = append(lines, strings.NewReplacer("±", "", "∓", "-").Replace(line), strings.NewReplacer("±", "-", "∓", "").Replace(line))
		default:
			lines = append(lines, line)
		}
	}
	return lines
}

// TestSpecialValues tests every line as scalars and as vectors of 2, in every format.
func TestSpecialValues(t *testing.T) {
	lines := expandSigns(specialValues)
	for _, f := range floatFormats {
		for _, lanes := range []string{"", "2"} {
			var src strings.Builder
			src.WriteString("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\nkernel void k(global double *out, global const double *in) {\n")
			in, out := make([]float64, 3*len(lines)), make([]float64, 2*len(lines))
			for i, line := range lines {
				f.call(&src, lanes, line, i, in[3*i:])
			}
			src.WriteString("}\n")
			build(t, src.String()).run(t, 1, 0, raw(out), raw(in))
			for i, line := range lines {
				_, wants, _ := strings.Cut(line, " = ")
				for j, w := range strings.Fields(wants) {
					got, want := out[2*i+j], f.value(w)
					if name, _, _ := strings.Cut(line, " "); lanes != "" && strings.HasPrefix(name, "is") || lanes != "" && name == "signbit" {
						want = 0 - want // true is -1
					}
					if want != want && got != got || got == want && math.Signbit(got) == math.Signbit(want) {
						continue
					}
					t.Errorf("%s%s %s: result %d is %v", f.name, lanes, line, j, got)
				}
			}
		}
	}
}

// call writes the call of line n, whose arguments are put into in, and stores its results as double.
func (f floatFormat) call(b *strings.Builder, lanes, line string, n int, in []float64) {
	head, _, _ := strings.Cut(line, " = ")
	words := strings.Fields(head)
	var args []string
	stored := ""
	for i, w := range words[1:] {
		typ := f.name
		switch {
		case w == "&":
			stored = f.name
			if words[0] == "frexp" || words[0] == "remquo" || words[0] == "lgamma_r" {
				stored = "int"
			}
			args = append(args, "&q")
			continue
		case w[0] == 'i' && w != "inf":
			typ = "int"
		}
		in[i] = f.value(w)
		args = append(args, fmt.Sprintf("(%s%s)((%s)in[%d])", typ, lanes, typ, 3*n+i))
	}
	first := ""
	if lanes != "" {
		first = ".x"
	}
	b.WriteString("\t{ ")
	if stored != "" {
		fmt.Fprintf(b, "%s%s q; ", stored, lanes)
	}
	fmt.Fprintf(b, "out[%d] = %s(%s)%s;", 2*n, words[0], strings.Join(args, ", "), first)
	if stored != "" {
		fmt.Fprintf(b, " out[%d] = q%s;", 2*n+1, first)
	}
	b.WriteString(" }\n")
}
