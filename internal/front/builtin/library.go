package builtin

import (
	_ "embed" // embeds the library
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/purecl/purecl/internal/front/types"
)

// The library is OpenCL C in lib/*.cl, in parts. A part begins with a line
//
//	//@ NAME KIND…
//
// and defines the function lib_NAME, or a macro NAME, for types of the kinds: float, double, half, int (all
// integers) or any. It is written once for all numbers of components, with the words and macros that prelude
// defines. A part is compiled with the parts that it mentions, and nothing else of the library. A half or float
// function without a part is computed in the next wider type and rounded.
//
// The files are strings, which are not copied in memory as those of an embed.FS are.
var (
	//go:embed lib/arc.cl
	libArc string
	//go:embed lib/async.cl
	libAsync string
	//go:embed lib/exact.cl
	libExact string
	//go:embed lib/exp.cl
	libExp string
	//go:embed lib/geometry.cl
	libGeometry string
	//go:embed lib/hyper.cl
	libHyper string
	//go:embed lib/log.cl
	libLog string
	//go:embed lib/native.cl
	libNative string
	//go:embed lib/parts.cl
	libParts string
	//go:embed lib/poly.cl
	libPoly string
	//go:embed lib/power.cl
	libPower string
	//go:embed lib/special.cl
	libSpecial string
	//go:embed lib/subgroup.cl
	libSubgroup string
	//go:embed lib/trig.cl
	libTrig string
	//go:embed lib/workgroup.cl
	libWorkgroup string
)

// libFiles lists the files by name.
var libFiles = [...]struct{ name, text string }{
	{"lib/arc.cl", libArc},
	{"lib/async.cl", libAsync},
	{"lib/exact.cl", libExact},
	{"lib/exp.cl", libExp},
	{"lib/geometry.cl", libGeometry},
	{"lib/hyper.cl", libHyper},
	{"lib/log.cl", libLog},
	{"lib/native.cl", libNative},
	{"lib/parts.cl", libParts},
	{"lib/poly.cl", libPoly},
	{"lib/power.cl", libPower},
	{"lib/special.cl", libSpecial},
	{"lib/subgroup.cl", libSubgroup},
	{"lib/trig.cl", libTrig},
	{"lib/workgroup.cl", libWorkgroup},
}

// A part is one part of the library.
type part struct {
	file string
	line int
	text string
	once sync.Once
	list []string // see uses
}

// uses returns the names of the parts that the part mentions.
func (p *part) uses() []string {
	p.once.Do(func() { p.list = mentions(p.text) })
	return p.list
}

type partKey struct{ name, kind string }

var parts = sync.OnceValue(func() map[partKey]*part {
	m := make(map[partKey]*part, 400)
	for _, f := range libFiles {
		splitParts(m, f.name, f.text)
	}
	return m
})

// splitParts adds the parts of a file to m.
func splitParts(m map[partKey]*part, file, text string) {
	const mark = "//@ "
	var cur *part
	begin := 0
	for line, at := 1, 0; at < len(text); line++ {
		end := at + strings.IndexByte(text[at:], '\n') + 1
		if end == at {
			end = len(text)
		}
		if strings.HasPrefix(text[at:end], mark) {
			if cur != nil {
				cur.text = text[begin:at]
			}
			cur, begin = &part{file: file, line: line + 1}, end
			name, kinds, _ := strings.Cut(text[at+len(mark):end], " ")
			for k := range strings.FieldsSeq(kinds) {
				key := partKey{name, k}
				if m[key] != nil {
					panic(fmt.Sprintf("builtin: %s:%d: %s is there twice", file, line, name))
				}
				m[key] = cur
			}
		}
		at = end
	}
	if cur != nil {
		cur.text = text[begin:]
	}
}

// mentions lists the parts that a text names: lib_NAME and POLY_NAME.
func mentions(text string) []string {
	var out []string
	for _, prefix := range [...]string{"lib_", "POLY_"} {
		for rest := text; ; {
			i := strings.Index(rest, prefix)
			if i < 0 {
				break
			}
			boundary := i == 0 || !isWord(rest[i-1])
			rest = rest[i:]
			n := 0
			for n < len(rest) && isWord(rest[n]) {
				n++
			}
			name := strings.TrimPrefix(rest[:n], "lib_")
			if boundary && !containsString(out, name) {
				out = append(out, name)
			}
			rest = rest[n:]
		}
	}
	return out
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func containsString(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// find returns the part with that name for an element kind.
func find(name string, k types.Kind) *part {
	m := parts()
	if k != types.Void {
		if p := m[partKey{name, types.ScalarType(k).Name}]; p != nil {
			return p
		}
		if k >= types.Char && k <= types.ULong {
			if p := m[partKey{name, "int"}]; p != nil {
				return p
			}
		}
	}
	return m[partKey{name, "any"}]
}

func (r *Row) body() string {
	if r.Body != "" {
		return r.Body
	}
	return r.Name
}

// bodyKind returns the kind of the library's part for an overload: its own, or the next wider one; Invalid if there
// is none.
func bodyKind(p *proto) types.Kind {
	k := p.domain.kind
	for {
		if find(p.row.body(), k) != nil {
			return k
		}
		if k != types.Half && k != types.Float {
			return types.Invalid
		}
		k++
	}
}

func hasBody(p *proto) bool { return bodyKind(p) != types.Invalid }

// Source returns the name of the function and the OpenCL C text of an overload whose Impl is ImplBody: a
// function with the overload's parameters. It must be compiled as OpenCL C 3.0 with every extension and
// feature, without the program's macros and options.
func Source(o *Overload) (entry, text string) {
	p := o.proto
	name := p.row.body()
	var body strings.Builder
	entry = "lib_" + name
	if k := bodyKind(p); k != p.domain.kind {
		throughWider(&body, p, entry, k)
	} else {
		writePart(&body, name, k, map[*part]bool{})
	}
	all := definitions{text: body.String(), words: map[string]string{}}
	prelude(&all, p)
	all.macros.WriteString(all.text)
	return entry, all.substitute(all.macros.String())
}

// writePart writes a part after the parts that it mentions.
func writePart(b *strings.Builder, name string, k types.Kind, done map[*part]bool) {
	p := find(name, k)
	if p == nil {
		panic("builtin: the library has no " + name)
	}
	if done[p] {
		return
	}
	done[p] = true
	for _, u := range p.uses() {
		if q := find(u, k); q != p {
			writePart(b, u, k, done)
		}
	}
	fmt.Fprintf(b, "#line %d \"%s\"\n%s\n", p.line, p.file, p.text)
}

// prelude defines what bodies are written with, for a domain type of n components:
//
//	T S        the type and its scalar            I U   integers of the same width
//	N          int components                     D L UL double, long, ulong components
//	AS_x TO_x  as_ and convert_ to type x
//	C(x)       the constant x as T: a cast        CD(x) as D
//	SEL(c,a,b) a where the comparison c holds, else b, by component; SELD for type D
//	ANY(c)     whether the comparison c holds for a component of this work-item, or perhaps of
//	           another one: what is done then must change nothing where it does not hold
//	COMBINE(a,b) IDENTITY  of a work-group or sub-group function
//	SPACE SRC  address spaces of the first and the second pointer parameter
//	SU CELL    unsigned scalar as wide as S; T with the padding of a 3-component vector
//	LANES      number of components; WIDTH bits of one
func prelude(b *definitions, p *proto) {
	b.macros.WriteString("#pragma OPENCL FP_CONTRACT OFF\n")
	k, n := p.domain.kind, int(p.domain.lanes)
	if k == types.Half {
		b.macros.WriteString("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n")
	}
	spaces := 0
	for _, x := range p.params {
		if x.ptr {
			if spaces == 0 && x.space == types.Global {
				b.word("DST_GLOBAL", "1")
			} else if spaces == 0 {
				b.word("DST_GLOBAL", "0")
			}
			b.word([...]string{"SPACE", "SRC"}[min(spaces, 1)], x.space.String())
			spaces++
		}
	}
	if p.row.Combine != "" {
		collectivePrelude(b, p)
	}
	if k == types.Void {
		b.word("S", "int") // for predicates
		return
	}
	suffix := ""
	if n > 1 {
		suffix = strconv.Itoa(n)
	}
	scalar := func(k types.Kind) string { return types.ScalarType(k).Name }
	b.word("S", scalar(k))
	b.word("SU", scalar(unsignedOf(k)))
	b.word("CELL", scalar(k)+strings.Replace(suffix, "3", "4", 1))
	b.word("LANES", strconv.Itoa(n))
	b.word("WIDTH", strconv.Itoa(8*int(types.ScalarType(k).Size())))
	for _, t := range [...]struct {
		name string
		k    types.Kind
	}{{"T", k}, {"I", signedOf(k)}, {"U", unsignedOf(k)}, {"N", types.Int}, {"D", types.Double}, {"L", types.Long}, {"UL", types.ULong}} {
		typ := scalar(t.k) + suffix
		b.word(t.name, typ)
		b.word("AS_"+t.name, "as_"+typ)
		b.word("TO_"+t.name, "convert_"+typ)
	}
	b.word("C", "("+scalar(k)+suffix+")")
	b.word("CD", "(double"+suffix+")")
	b.define("SEL(c, a, b)", "select((b), (a), (I)(c))")
	b.define("SELD(c, a, b)", "select((b), (a), (L)(c))")
	b.define("ANY(c)", "__any_lane(c)")
}

// definitions are the words and macros used by a text. Words are replaced here, because the preprocessor would take
// longer.
type definitions struct {
	text   string
	words  map[string]string
	macros strings.Builder
}

// word defines the replacement of a word of texts and macros.
func (b *definitions) word(name, text string) { b.words[name] = text }

// define defines a macro.
func (b *definitions) define(name, text string) {
	if word, _, _ := strings.Cut(name, "("); strings.Contains(b.text, word) {
		b.macros.WriteString("#define " + name + " " + text + "\n")
	}
}

// substitute replaces the words, which are all in capitals.
func (b *definitions) substitute(text string) string {
	var out strings.Builder
	out.Grow(len(text) + len(text)/2)
	done := 0
	for i := 0; i < len(text); i++ {
		if !isWord(text[i]) {
			continue
		}
		begin := i
		for i < len(text) && isWord(text[i]) {
			i++
		}
		if c := text[begin]; c < 'A' || c > 'Z' {
			continue
		}
		if w, ok := b.words[text[begin:i]]; ok {
			out.WriteString(text[done:begin])
			out.WriteString(w)
			done = i
		}
	}
	out.WriteString(text[done:])
	return out.String()
}

// throughWider writes a function in terms of the one for a wider type. Every finite value is a normal number there,
// and the second rounding adds at most 2^-12 ulp to the error for half, 2^-28 for float; exact results stay exact.
func throughWider(b *strings.Builder, p *proto, entry string, wide types.Kind) {
	n := ""
	if p.domain.lanes > 1 {
		n = strconv.Itoa(int(p.domain.lanes))
	}
	narrow, w := p.domain.kind, types.ScalarType(wide).Name
	var params, args, before, after []string
	for i, x := range p.params {
		v := "x" + strconv.Itoa(i)
		t := x.object().Name
		switch {
		case x.ptr && x.kind == narrow:
			params = append(params, fmt.Sprintf("%s %s *%s", x.space, t, v))
			before = append(before, fmt.Sprintf("\t%s%s y%d;\n", w, n, i))
			args = append(args, fmt.Sprintf("&y%d", i))
			after = append(after, fmt.Sprintf("\t*%s = convert_%s(y%d);\n", v, t, i))
		case x.ptr:
			params = append(params, fmt.Sprintf("%s %s *%s", x.space, t, v))
			args = append(args, v)
		case x.kind == narrow:
			params = append(params, t+" "+v)
			args = append(args, "convert_"+w+n+"("+v+")")
		default:
			params = append(params, t+" "+v)
			args = append(args, v)
		}
	}
	call := p.row.Name + "(" + strings.Join(args, ", ") + ")"
	result := p.result.object().Name
	if p.result.kind == narrow {
		call = "convert_" + result + "(" + call + ")"
	}
	fmt.Fprintf(b, "%s %s(%s)\n{\n%s\t%s r = %s;\n%s\treturn r;\n}\n", result, entry, strings.Join(params, ", "),
		strings.Join(before, ""), result, call, strings.Join(after, ""))
}
