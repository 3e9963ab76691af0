package exec

import (
	"math"
	"strconv"
	"strings"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// A directive is literal text followed by a conversion specification of a printf format (OpenCL C, "printf",
// 6.15.14; C99 7.19.6.1).
type directive struct {
	text                            string // text before the conversion
	conv                            byte   // 0: text only
	minus, plus, space, sharp, zero bool
	width, prec                     int // prec is -1 if not given
	vector                          int // elements of a vector conversion, 0 for a scalar one
	length                          string
	arg                             int // index of its argument
}

// maxField bounds widths and precisions.
const maxField = 4096

// parseFormat parses a format for arguments of the given types. It returns nil if the format is invalid: an
// unknown or forbidden conversion (%n), a missing argument, or a vector size that differs from the argument's.
func parseFormat(f string, types []ssa.Type) []directive {
	out := []directive{}
	arg := 0
	text := strings.Builder{}
	for i := 0; i < len(f); {
		if f[i] != '%' {
			text.WriteByte(f[i])
			i++
			continue
		}
		if i+1 < len(f) && f[i+1] == '%' {
			text.WriteByte('%')
			i += 2
			continue
		}
		d := directive{text: text.String(), prec: -1}
		text.Reset()
		n := d.parse(f[i+1:])
		if n < 0 {
			return nil
		}
		i += 1 + n
		if arg >= len(types) || !d.accepts(types[arg]) {
			return nil
		}
		d.arg = arg
		arg++
		out = append(out, d)
	}
	return append(out, directive{text: text.String()})
}

// parse parses a conversion specification after its %. It returns its length, or -1 if it is invalid.
func (d *directive) parse(f string) int {
	i := 0
	for ; i < len(f); i++ {
		switch f[i] {
		case '-':
			d.minus = true
			continue
		case '+':
			d.plus = true
			continue
		case ' ':
			d.space = true
			continue
		case '#':
			d.sharp = true
			continue
		case '0':
			d.zero = true
			continue
		}
		break
	}
	number := func() int {
		n := 0
		for i < len(f) && f[i] >= '0' && f[i] <= '9' {
			if n = n*10 + int(f[i]-'0'); n > maxField {
				n = maxField
			}
			i++
		}
		return n
	}
	d.width = number()
	if i < len(f) && f[i] == '.' {
		i++
		d.prec = number()
	}
	if i < len(f) && f[i] == 'v' {
		i++
		d.vector = number()
		switch d.vector {
		case 2, 3, 4, 8, 16:
		default:
			return -1
		}
	}
	for _, m := range []string{"hh", "hl", "h", "l"} {
		if strings.HasPrefix(f[i:], m) {
			d.length = m
			i += len(m)
			break
		}
	}
	if i >= len(f) || strings.IndexByte("diouxXfFeEgGaAcsp", f[i]) < 0 {
		return -1
	}
	d.conv = f[i]
	return i + 1
}

// accepts reports whether the directive may print a value of type t.
func (d *directive) accepts(t ssa.Type) bool {
	n := max(d.vector, 1)
	if int(t.N) != n || d.length == "hl" && d.vector == 0 {
		return false
	}
	return d.vector == 0 || strings.IndexByte("csp", d.conv) < 0
}

// appendFormat appends the formatted arguments; str reads a string argument.
func appendFormat(b []byte, dirs []directive, args []printArg, str func(uint64) (string, bool)) []byte {
	for i := range dirs {
		d := &dirs[i]
		b = append(b, d.text...)
		if d.conv == 0 {
			continue
		}
		a := &args[d.arg]
		for e := range int(a.typ.N) {
			if e > 0 {
				b = append(b, ',')
			}
			b = d.append(b, a, e, str)
		}
	}
	return b
}

func (d *directive) append(b []byte, a *printArg, e int, str func(uint64) (string, bool)) []byte {
	switch d.conv {
	case 'd', 'i':
		v := d.narrow(a.signed(e))
		mag := uint64(v)
		if v < 0 {
			mag = -mag
		}
		return d.integer(b, v < 0, mag, 10)
	case 'u':
		return d.integer(b, false, d.narrowU(uint64(a.signed(e))), 10)
	case 'o':
		return d.integer(b, false, d.narrowU(uint64(a.signed(e))), 8)
	case 'x', 'X':
		return d.integer(b, false, d.narrowU(uint64(a.signed(e))), 16)
	case 'c':
		return d.pad(b, "", string([]byte{byte(a.bits[e])}), false)
	case 's':
		s, ok := str(a.bits[e])
		if !ok {
			s = "(null)"
		}
		if d.prec >= 0 && len(s) > d.prec {
			s = s[:d.prec]
		}
		return d.pad(b, "", s, false)
	case 'p':
		if a.bits[e] == 0 {
			return d.pad(b, "", "(nil)", false)
		}
		return d.pad(b, "0x", strconv.FormatUint(a.bits[e], 16), false)
	}
	return d.float(b, a.float(e))
}

// bits returns the width of the integer type that the length modifier names.
func (d *directive) bits() int {
	switch d.length {
	case "hh":
		return 8
	case "h":
		return 16
	case "l":
		return 64
	}
	return 32
}

func (d *directive) narrow(v int64) int64 { sh := 64 - d.bits(); return v << sh >> sh }

func (d *directive) narrowU(v uint64) uint64 { sh := 64 - d.bits(); return v << sh >> sh }

func (d *directive) sign(neg bool) string {
	switch {
	case neg:
		return "-"
	case d.plus:
		return "+"
	case d.space:
		return " "
	}
	return ""
}

func (d *directive) integer(b []byte, neg bool, mag uint64, base int) []byte {
	s := strconv.FormatUint(mag, base)
	if mag == 0 && d.prec == 0 {
		s = ""
	}
	if n := d.prec - len(s); n > 0 {
		s = strings.Repeat("0", n) + s
	}
	prefix := ""
	switch d.conv {
	case 'd', 'i':
		prefix = d.sign(neg)
	case 'o':
		if d.sharp && !strings.HasPrefix(s, "0") {
			s = "0" + s
		}
	case 'x', 'X':
		if d.sharp && mag != 0 {
			prefix = "0x"
		}
		if d.conv == 'X' {
			s, prefix = strings.ToUpper(s), strings.ToUpper(prefix)
		}
	}
	return d.pad(b, prefix, s, d.zero && d.prec < 0)
}

// pad appends prefix and s in the field, padded with blanks, or with zeros after the prefix.
func (d *directive) pad(b []byte, prefix, s string, zeros bool) []byte {
	n := d.width - len(prefix) - len(s)
	fill := func(c byte) {
		for ; n > 0; n-- {
			b = append(b, c)
		}
	}
	if !d.minus && !zeros {
		fill(' ')
	}
	b = append(b, prefix...)
	if !d.minus {
		fill('0')
	}
	b = append(b, s...)
	fill(' ')
	return b
}

func (d *directive) float(b []byte, x float64) []byte {
	neg := math.Signbit(x)
	upper := d.conv >= 'A' && d.conv <= 'Z'
	abs := math.Abs(x)
	prefix := d.sign(neg)
	var s string
	special := math.IsInf(x, 0) || x != x
	switch {
	case x != x:
		s = "nan"
	case special:
		s = "inf"
	default:
		switch d.conv | 0x20 {
		case 'f':
			s = d.point(strconv.FormatFloat(abs, 'f', d.precision(), 64))
		case 'e':
			s = d.point(strconv.FormatFloat(abs, 'e', d.precision(), 64))
		case 'g':
			s = d.general(abs)
		case 'a':
			prefix += "0x"
			s = d.hex(abs)
		}
	}
	if upper {
		s, prefix = strings.ToUpper(s), strings.ToUpper(prefix)
	}
	return d.pad(b, prefix, s, d.zero && !special)
}

func (d *directive) precision() int {
	if d.prec < 0 {
		return 6
	}
	return d.prec
}

// point adds the decimal point that # requires if no digit follows.
func (d *directive) point(s string) string {
	if !d.sharp || strings.Contains(s, ".") {
		return s
	}
	if i := strings.IndexAny(s, "ep"); i >= 0 {
		return s[:i] + "." + s[i:]
	}
	return s + "."
}

// general formats %g: the style of %e or %f, depending on the exponent, without trailing zeros unless # is
// given.
func (d *directive) general(x float64) string {
	p := max(d.precision(), 1)
	s := strconv.FormatFloat(x, 'e', p-1, 64)
	exp, _ := strconv.Atoi(s[strings.IndexByte(s, 'e')+1:])
	tail := ""
	if exp >= -4 && exp < p {
		s = strconv.FormatFloat(x, 'f', p-1-exp, 64)
	} else {
		i := strings.IndexByte(s, 'e')
		s, tail = s[:i], s[i:]
	}
	if d.sharp {
		if !strings.Contains(s, ".") {
			s += "."
		}
		return s + tail
	}
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s + tail
}

// hex formats %a without its 0x. C does not define the leading digit of subnormal numbers; it is 1 here.
func (d *directive) hex(x float64) string {
	s := strconv.FormatFloat(x, 'x', d.prec, 64)[2:]
	i := strings.IndexByte(s, 'p')
	exp, _ := strconv.Atoi(s[i+1:])
	return d.point(s[:i]) + "p" + plus(exp) + strconv.Itoa(exp)
}

func plus(exp int) string {
	if exp >= 0 {
		return "+"
	}
	return ""
}
