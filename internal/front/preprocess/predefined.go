package preprocess

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/front/token"
)

// A predefinedMacro is a macro that OpenCL C predefines.
type predefinedMacro struct {
	name         string // with its parameters, if it has any
	value        string
	since, until opencl.Version // inclusive; 0: no bound
	when         presence
}

// A presence is a condition on the options.
type presence uint8

const (
	always presence = iota
	withFastMath
	isVersion     // value is the language version
	withExtension // unless -cl-ext disables it
)

const kernelExec = "__kernel __attribute__((work_group_size_hint(X, 1, 1))) __attribute__((vec_type_hint(typen)))"

// targetMacros are the predefined macros outside of package opencl: those whose value or presence depends on the
// options, and those of the target.
var targetMacros = []predefinedMacro{
	// Preprocessor Directives and Macros
	{name: "__OPENCL_C_VERSION__", when: isVersion},
	{name: "__ROUNDING_MODE__", value: opencl.Roundings[opencl.RTE], until: opencl.CL10},
	{name: "__ENDIAN_LITTLE__", value: "1"},
	{name: "__LITTLE_ENDIAN__", value: "1"},
	{name: "__IMAGE_SUPPORT__", value: "1"},
	{name: "__FAST_RELAXED_MATH__", value: "1", when: withFastMath},
	{name: "__kernel_exec(X, typen)", value: kernelExec},
	{name: "kernel_exec(X, typen)", value: kernelExec},
	{name: "NULL", value: "((void*)0)"},
	{name: "__STDC__", value: "1"}, // C99 6.10.8
	{name: "__STDC_VERSION__", value: "199901L"},
	// Macros of clang for programs that declare size_t themselves.
	{name: "__SIZE_TYPE__", value: "unsigned long"},
	{name: "__PTRDIFF_TYPE__", value: "long"},
	{name: "__INTPTR_TYPE__", value: "long"},
	{name: "__UINTPTR_TYPE__", value: "unsigned long"},
	{name: "__SIZE_MAX__", value: "18446744073709551615UL"},
	// Samplers
	{name: "CLK_NORMALIZED_COORDS_FALSE", value: "0"},
}

// predefined returns the table of all predefined macros.
var predefined = sync.OnceValue(func() []predefinedMacro {
	rows := make([]predefinedMacro, 0, 400)
	rows = append(rows, targetMacros...)
	add := func(name, value string, since opencl.Version) {
		rows = append(rows, predefinedMacro{name: name, value: value, since: since})
	}
	number := func(prefix, name string, n uint32, since opencl.Version) {
		add(prefix+name, "0x"+strings.ToUpper(strconv.FormatUint(uint64(n), 16)), since)
	}
	add("__OPENCL_VERSION__", strconv.Itoa(int(opencl.Newest)), 0)
	for _, v := range opencl.Versions {
		add("CL_VERSION_"+strings.ReplaceAll(v.String(), ".", "_"), strconv.Itoa(int(v)), 0)
	}
	for i := range opencl.Macros {
		m := &opencl.Macros[i]
		add(m.Name, m.Value, m.Since)
	}
	for i := range opencl.MathConstants {
		c := &opencl.MathConstants[i]
		add(c.Name, c.Double, 0)
		add(c.Name+"_F", c.Decimal+"f", 0)
		add(c.Name+"_H", c.Decimal+"h", 0)
	}
	number("CLK_", "NORMALIZED_COORDS_TRUE", uint32(opencl.NormalizedCoords), 0)
	for _, m := range slices.Concat(opencl.AddressingModes[:], opencl.FilterModes[:]) {
		number("CLK_", m.Name, uint32(m.Bits), 0)
	}
	for i, o := range opencl.ChannelOrders {
		number("CLK_", o.Name, uint32(opencl.OrderR)+uint32(i), o.Since)
	}
	for i, t := range opencl.ChannelTypes {
		number("CLK_", t.Name, uint32(opencl.SnormInt8)+uint32(i), t.Since)
	}
	for i := range opencl.Extensions {
		if x := &opencl.Extensions[i]; x.Scope == opencl.Language {
			rows = append(rows, predefinedMacro{name: x.Name, value: "1", since: x.Since, when: withExtension})
		}
	}
	return rows
})

// The macros whose value the preprocessor computes.
const (
	_ computed = iota
	computedFile
	computedBaseFile
	computedFileName
	computedLine
	computedCounter
	computedDate
	computedTime
	computedTimestamp
	computedIncludeLevel
	computedPragma
	computedHasInclude
	computedHasAttribute
	computedHasBuiltin
	computedHasFeature
	computedHasNothing
)

// computedMacros are the names of these macros.
var computedMacros = []struct {
	name string
	kind computed
}{
	{"__FILE__", computedFile}, {"__BASE_FILE__", computedBaseFile}, {"__FILE_NAME__", computedFileName}, {"__LINE__", computedLine}, {"__COUNTER__", computedCounter},
	{"__DATE__", computedDate}, {"__TIME__", computedTime}, {"__TIMESTAMP__", computedTimestamp}, {"__INCLUDE_LEVEL__", computedIncludeLevel}, {"_Pragma", computedPragma},
	{"__has_include", computedHasInclude}, {"__has_attribute", computedHasAttribute}, {"__has_builtin", computedHasBuiltin},
	{"__has_feature", computedHasFeature}, {"__has_extension", computedHasFeature},
	{"__has_c_attribute", computedHasNothing}, {"__has_declspec_attribute", computedHasNothing}, {"__has_warning", computedHasNothing},
}

// A knownName is a name with a special meaning for the preprocessor.
type knownName struct {
	predef  int16    // row of predefined plus 1, or 0
	builtin computed // a macro whose value the preprocessor computes, or 0
}

// knownNames returns the dictionary of all known names.
var knownNames = sync.OnceValue(func() *token.Dictionary[knownName] {
	d := &token.Dictionary[knownName]{}
	for i, rows := 0, predefined(); i < len(rows); i++ {
		d.Add(rows[i].macroName(), knownName{predef: int16(i + 1)})
	}
	for _, b := range computedMacros {
		d.Add(b.name, knownName{builtin: b.kind})
	}
	return d
})

// macroName returns the name without parameters.
func (r *predefinedMacro) macroName() string {
	name, _, _ := strings.Cut(r.name, "(")
	return name
}

// in returns the macro's replacement list for a program with these options; ok is false if the program does not
// have it.
func (r *predefinedMacro) in(opts *option.Source) (value string, ok bool) {
	std := opts.Std.OrDefault()
	switch {
	case r.since > std, r.until != 0 && r.until < std, r.when == withFastMath && !opts.FastMath, r.when == withExtension && opts.Withdrawn(r.name):
		return "", false
	case r.when == isVersion:
		return strconv.Itoa(int(std)), true
	}
	return r.value, true
}

// materialise defines the predefined macro of symbol sym, if the program has it.
func (p *preprocessor) materialise(sym uint32) {
	y := &p.idents[sym]
	row := &predefined()[y.predef-1]
	y.predef = 0
	value, ok := row.in(p.opts)
	if !ok {
		return
	}
	f, ok := p.source.AddFile("<built-in>", []byte("#define "+row.name+" "+value), 0)
	if !ok {
		return
	}
	line := scanner{src: viewString(f.Src), off: len("#define "), base: f.Pos(0), file: f, rep: p.rep, inLine: true}
	cur := p.cur
	p.cur, p.defining = &line, true
	p.define()
	p.cur, p.defining = cur, false
}

// commandLine returns the -D and -U options as directives.
func commandLine(opts *option.Source) []byte {
	var b []byte
	for _, d := range opts.Defines {
		name, _, _ := strings.Cut(d.Name, "\n")
		if d.Undef {
			b = fmt.Appendf(b, "#undef %s\n", name)
			continue
		}
		value, _, _ := strings.Cut(d.Value, "\n")
		b = fmt.Appendf(b, "#define %s %s\n", name, strings.TrimRight(value, "\r"))
	}
	return b
}

// expandBuiltin replaces t by the value of the macro m. Like expand, it reports whether the next tokens to be read
// replace the invocation.
func (p *preprocessor) expandBuiltin(t *token.Token, m *macro) bool {
	kind, text := token.Number, ""
	loc := func() diag.Location { return p.source.Location(p.callEnd(t.Pos)) }
	now := func() time.Time {
		if p.now.IsZero() {
			if p.now = p.opts.Now; p.now.IsZero() {
				p.now = time.Now()
			}
		}
		return p.now
	}
	switch m.builtin {
	case computedFile, computedFileName, computedBaseFile:
		name := loc().File
		if m.builtin == computedFileName {
			name = path.Base(name)
		} else if m.builtin == computedBaseFile {
			name = p.files[0].file.Name
		}
		kind, text = token.StrLit, `"`+strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(name)+`"`
	case computedLine:
		text = strconv.Itoa(loc().Line)
	case computedCounter:
		text = strconv.Itoa(p.counter)
		p.counter++
	case computedDate:
		kind, text = token.StrLit, now().Format(`"Jan _2 2006"`)
	case computedTime:
		kind, text = token.StrLit, now().Format(`"15:04:05"`)
	case computedTimestamp:
		kind, text = token.StrLit, now().Format(`"Mon Jan _2 15:04:05 2006"`)
	case computedIncludeLevel:
		text = strconv.Itoa(len(p.files) - 1)
	case computedPragma:
		return !p.pragmaOperator(t)
	default:
		is, end, ok := p.hasOperator(t, m)
		if !ok {
			return true
		}
		text = strconv.Itoa(int(truth(is)))
		if end > t.Pos {
			t.Len = uint32(end - t.Pos)
		}
	}
	if !p.spend(1, t.Span()) || !p.spendBytes(len(text), t.Span()) {
		return true
	}
	body := p.newBody()
	*body = diag.Body{Macro: m.name, Starts: []uint32{0}, Spell: []diag.Pos{t.Pos}}
	*t = token.Token{Kind: kind, Flags: t.Flags &^ token.NoExpand, Pos: p.addExpansion(body, t.Span(), uint32(len(text))), Len: uint32(len(text)), Text: text}
	return false
}

// callEnd returns the last position of the outermost macro invocation that contains pos: __LINE__ refers to it.
func (p *preprocessor) callEnd(pos diag.Pos) diag.Pos {
	for {
		x, _ := p.source.Expansion(pos)
		if x == nil {
			return pos
		}
		pos = x.Call.End - 1
	}
}

// hasOperator evaluates __has_include and its siblings; t is the operator's name.
func (p *preprocessor) hasOperator(t *token.Token, m *macro) (is bool, end diag.Pos, ok bool) {
	if m.builtin == computedHasInclude && !p.cur.inLine {
		p.rep.Report(diag.HasOperator, t.Span(), "'%s' must be used within a preprocessing directive", m.name)
		return false, 0, false
	}
	var x token.Token
	if !p.lparen() {
		p.rep.Report(diag.HasOperator, t.Span(), "missing '(' after '%s'", m.name)
		return false, 0, false
	}
	if m.builtin == computedHasInclude {
		file, at, angled, ok := p.headerName()
		if !ok {
			return false, 0, false
		}
		_, _, err := p.find(file, angled)
		is, x.Pos, x.Len = err == nil && file != "", at.Pos, uint32(at.End-at.Pos)
		p.next(&x)
	} else {
		p.next(&x)
		name := strings.TrimSuffix(strings.TrimPrefix(x.Text, "__"), "__")
		switch m.builtin {
		case computedHasAttribute:
			is = opencl.FindAttribute(name) != nil
		case computedHasBuiltin:
			is = slices.Contains(opencl.CompilerBuiltins[:], x.Text)
		case computedHasFeature:
			is = name == "ext_vector_type" || name == "attribute_ext_vector_type"
		}
		for depth := 0; x.Kind != token.EOF && (x.Kind != token.RParen || depth > 0); p.next(&x) {
			switch x.Kind {
			case token.LParen:
				depth++
			case token.RParen:
				depth--
			}
		}
	}
	if x.Kind != token.RParen {
		p.rep.Report(diag.HasOperator, x.Span(), "missing ')' after '%s'", m.name)
		return false, 0, false
	}
	return is, x.Pos + 1, true
}
