package syntax

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/purecl/purecl/internal/front/diag"
)

// A ppPredef is a macro that the language defines.
type ppPredef struct {
	name         string // with its parameters where it takes any
	value        string
	since, until Version // inclusive; 0: no bound
	when         ppWhen
}

// A ppWhen is a condition on the options.
type ppWhen uint8

const (
	ppAlways ppWhen = iota
	ppFastMath
	ppVersion // value is the language version
)

// ppPredefined lists every predefined macro by section of the OpenCL C 3.0
// specification. Values follow the tables there; where the specification leaves the
// number open (the CLK_ enumerations) they are those of clang's opencl-c-base.h.
var ppPredefined = slices.Concat(
	// Preprocessor Directives and Macros
	[]ppPredef{
		{name: "__OPENCL_VERSION__", value: "300"},
		{name: "__OPENCL_C_VERSION__", when: ppVersion},
		{name: "CL_VERSION_1_0", value: "100"},
		{name: "CL_VERSION_1_1", value: "110"},
		{name: "CL_VERSION_1_2", value: "120"},
		{name: "CL_VERSION_2_0", value: "200"},
		{name: "CL_VERSION_3_0", value: "300"},
		{name: "__ROUNDING_MODE__", value: "rte", until: CL10},
		{name: "__ENDIAN_LITTLE__", value: "1"},
		{name: "__LITTLE_ENDIAN__", value: "1"},
		{name: "__IMAGE_SUPPORT__", value: "1"},
		{name: "__FAST_RELAXED_MATH__", value: "1", when: ppFastMath},
		{name: "__kernel_exec(X, typen)", value: "__kernel __attribute__((work_group_size_hint(X, 1, 1))) __attribute__((vec_type_hint(typen)))"},
		{name: "kernel_exec(X, typen)", value: "__kernel __attribute__((work_group_size_hint(X, 1, 1))) __attribute__((vec_type_hint(typen)))"},
		{name: "NULL", value: "((void*)0)"},
		{name: "__STDC__", value: "1"}, // C99 6.10.8
		{name: "__STDC_VERSION__", value: "199901L"},
		// clang's macros of the target, for programs that declare size_t themselves.
		{name: "__SIZE_TYPE__", value: "unsigned long"},
		{name: "__PTRDIFF_TYPE__", value: "long"},
		{name: "__INTPTR_TYPE__", value: "long"},
		{name: "__UINTPTR_TYPE__", value: "unsigned long"},
		{name: "__SIZE_MAX__", value: "18446744073709551615UL"},
	},
	// Floating-Point Macros and Pragmas
	[]ppPredef{
		{name: "FLT_DIG", value: "6"},
		{name: "FLT_MANT_DIG", value: "24"},
		{name: "FLT_MAX_10_EXP", value: "+38"},
		{name: "FLT_MAX_EXP", value: "+128"},
		{name: "FLT_MIN_10_EXP", value: "-37"},
		{name: "FLT_MIN_EXP", value: "-125"},
		{name: "FLT_RADIX", value: "2"},
		{name: "FLT_MAX", value: "0x1.fffffep127f"},
		{name: "FLT_MIN", value: "0x1.0p-126f"},
		{name: "FLT_EPSILON", value: "0x1.0p-23f"},
		{name: "FP_ILOGB0", value: "INT_MIN"},
		{name: "FP_ILOGBNAN", value: "INT_MAX"},
		{name: "DBL_DIG", value: "15"},
		{name: "DBL_MANT_DIG", value: "53"},
		{name: "DBL_MAX_10_EXP", value: "+308"},
		{name: "DBL_MAX_EXP", value: "+1024"},
		{name: "DBL_MIN_10_EXP", value: "-307"},
		{name: "DBL_MIN_EXP", value: "-1021"},
		{name: "DBL_RADIX", value: "2"},
		{name: "DBL_MAX", value: "0x1.fffffffffffffp1023"},
		{name: "DBL_MIN", value: "0x1.0p-1022"},
		{name: "DBL_EPSILON", value: "0x1.0p-52"},
		{name: "HALF_DIG", value: "3"},
		{name: "HALF_MANT_DIG", value: "11"},
		{name: "HALF_MAX_10_EXP", value: "+4"},
		{name: "HALF_MAX_EXP", value: "+16"},
		{name: "HALF_MIN_10_EXP", value: "-4"},
		{name: "HALF_MIN_EXP", value: "-13"},
		{name: "HALF_RADIX", value: "2"},
		{name: "HALF_MAX", value: "0x1.ffcp15h"},
		{name: "HALF_MIN", value: "0x1.0p-14h"},
		{name: "HALF_EPSILON", value: "0x1.0p-10h"},
	},
	// Math Functions: constants
	[]ppPredef{
		{name: "MAXFLOAT", value: "0x1.fffffep127f"},
		{name: "HUGE_VALF", value: "as_float(0x7f800000)"},
		{name: "HUGE_VAL", value: "as_double(0x7ff0000000000000L)"},
		{name: "INFINITY", value: "as_float(0x7f800000)"},
		{name: "NAN", value: "as_float(0x7fc00000)"},
	},
	ppMathConstants(),
	// Integer Functions: limits
	[]ppPredef{
		{name: "CHAR_BIT", value: "8"},
		{name: "SCHAR_MAX", value: "127"},
		{name: "SCHAR_MIN", value: "(-127-1)"},
		{name: "CHAR_MAX", value: "SCHAR_MAX"},
		{name: "CHAR_MIN", value: "SCHAR_MIN"},
		{name: "UCHAR_MAX", value: "255"},
		{name: "SHRT_MAX", value: "32767"},
		{name: "SHRT_MIN", value: "(-32767-1)"},
		{name: "USHRT_MAX", value: "65535"},
		{name: "INT_MAX", value: "2147483647"},
		{name: "INT_MIN", value: "(-2147483647-1)"},
		{name: "UINT_MAX", value: "0xffffffffU"},
		{name: "LONG_MAX", value: "0x7fffffffffffffffL"},
		{name: "LONG_MIN", value: "(-0x7fffffffffffffffL-1)"},
		{name: "ULONG_MAX", value: "0xffffffffffffffffUL"},
	},
	// Synchronization Functions; Atomic Functions
	[]ppPredef{
		{name: "CLK_LOCAL_MEM_FENCE", value: "0x01"},
		{name: "CLK_GLOBAL_MEM_FENCE", value: "0x02"},
		{name: "CLK_IMAGE_MEM_FENCE", value: "0x04", since: CL20},
		{name: "ATOMIC_VAR_INIT(x)", value: "(x)", since: CL20},
		{name: "ATOMIC_FLAG_INIT", value: "0", since: CL20},
	},
	// Samplers; Image Query Functions
	[]ppPredef{
		{name: "CLK_ADDRESS_NONE", value: "0"},
		{name: "CLK_ADDRESS_CLAMP_TO_EDGE", value: "2"},
		{name: "CLK_ADDRESS_CLAMP", value: "4"},
		{name: "CLK_ADDRESS_REPEAT", value: "6"},
		{name: "CLK_ADDRESS_MIRRORED_REPEAT", value: "8"},
		{name: "CLK_NORMALIZED_COORDS_FALSE", value: "0"},
		{name: "CLK_NORMALIZED_COORDS_TRUE", value: "1"},
		{name: "CLK_FILTER_NEAREST", value: "0x10"},
		{name: "CLK_FILTER_LINEAR", value: "0x20"},
		{name: "CLK_UNORM_INT_101010_2", value: "0x10E0", since: CL30},
	},
	ppEnumerated(0x10D0, 0, "CLK_SNORM_INT8", "CLK_SNORM_INT16", "CLK_UNORM_INT8", "CLK_UNORM_INT16", "CLK_UNORM_SHORT_565",
		"CLK_UNORM_SHORT_555", "CLK_UNORM_INT_101010", "CLK_SIGNED_INT8", "CLK_SIGNED_INT16", "CLK_SIGNED_INT32",
		"CLK_UNSIGNED_INT8", "CLK_UNSIGNED_INT16", "CLK_UNSIGNED_INT32", "CLK_HALF_FLOAT", "CLK_FLOAT", "CLK_UNORM_INT24"),
	ppEnumerated(0x10B0, 0, "CLK_R", "CLK_A", "CLK_RG", "CLK_RA", "CLK_RGB", "CLK_RGBA", "CLK_BGRA", "CLK_ARGB", "CLK_INTENSITY",
		"CLK_LUMINANCE", "CLK_Rx", "CLK_RGx", "CLK_RGBx", "CLK_DEPTH", "CLK_DEPTH_STENCIL"),
	ppEnumerated(0x10BF, CL20, "CLK_sRGB", "CLK_sRGBx", "CLK_sRGBA", "CLK_sBGRA", "CLK_ABGR"),
	// Extensions: cl_khr_… that this implementation has
	ppFlags(0, "cl_khr_fp64", "cl_khr_fp16", "cl_khr_global_int32_base_atomics", "cl_khr_global_int32_extended_atomics",
		"cl_khr_local_int32_base_atomics", "cl_khr_local_int32_extended_atomics", "cl_khr_int64_base_atomics",
		"cl_khr_int64_extended_atomics", "cl_khr_byte_addressable_store", "cl_khr_3d_image_writes", "cl_khr_depth_images",
		"cl_khr_image2d_from_buffer"),
	ppFlags(CL20, "cl_khr_subgroups", "cl_khr_subgroup_extended_types", "cl_khr_subgroup_non_uniform_vote", "cl_khr_subgroup_ballot",
		"cl_khr_subgroup_non_uniform_arithmetic", "cl_khr_subgroup_shuffle", "cl_khr_subgroup_shuffle_relative",
		"cl_khr_subgroup_clustered_reduce", "cl_khr_subgroup_rotate", "cl_khr_work_group_uniform_arithmetic", "cl_ext_float_atomics", "cl_intel_required_subgroup_size"),
	ppFlags(0, "cl_khr_extended_bit_ops", "cl_khr_integer_dot_product", "__opencl_c_integer_dot_product_input_4x8bit",
		"__opencl_c_integer_dot_product_input_4x8bit_packed", "cl_khr_extended_async_copies", "cl_khr_async_work_group_copy_fence"),
	// Optional features (OpenCL C 3.0, "Features"); clang defines them for 2.0 too,
	// where they are part of the language.
	ppFlags(0, "__opencl_c_int64"),
	ppFlags(CL20, "__opencl_c_generic_address_space", "__opencl_c_work_group_collective_functions",
		"__opencl_c_atomic_order_acq_rel", "__opencl_c_atomic_order_seq_cst", "__opencl_c_atomic_scope_device",
		"__opencl_c_atomic_scope_all_devices", "__opencl_c_read_write_images", "__opencl_c_program_scope_global_variables",
		"__opencl_c_images"),
	ppFlags(CL30, "__opencl_c_fp64", "__opencl_c_3d_image_writes", "__opencl_c_subgroups"),
	// Of cl_ext_float_atomics.
	ppFlags(CL20, "__opencl_c_ext_fp16_global_atomic_load_store", "__opencl_c_ext_fp16_local_atomic_load_store",
		"__opencl_c_ext_fp16_global_atomic_add", "__opencl_c_ext_fp16_local_atomic_add",
		"__opencl_c_ext_fp16_global_atomic_min_max", "__opencl_c_ext_fp16_local_atomic_min_max",
		"__opencl_c_ext_fp32_global_atomic_add", "__opencl_c_ext_fp32_local_atomic_add",
		"__opencl_c_ext_fp32_global_atomic_min_max", "__opencl_c_ext_fp32_local_atomic_min_max",
		"__opencl_c_ext_fp64_global_atomic_add", "__opencl_c_ext_fp64_local_atomic_add",
		"__opencl_c_ext_fp64_global_atomic_min_max", "__opencl_c_ext_fp64_local_atomic_min_max"),
)

// ppMathConstants makes the rows of the constants M_E … in float, double and half.
// The double values are those of the decimal ones.
func ppMathConstants() (rows []ppPredef) {
	for _, c := range [...]struct{ name, decimal, double string }{
		{"M_E", "2.71828182845904523536028747135266250", "0x1.5bf0a8b145769p+1"},
		{"M_LOG2E", "1.44269504088896340735992468100189214", "0x1.71547652b82fep+0"},
		{"M_LOG10E", "0.434294481903251827651128918916605082", "0x1.bcb7b1526e50ep-2"},
		{"M_LN2", "0.693147180559945309417232121458176568", "0x1.62e42fefa39efp-1"},
		{"M_LN10", "2.30258509299404568401799145468436421", "0x1.26bb1bbb55516p+1"},
		{"M_PI", "3.14159265358979323846264338327950288", "0x1.921fb54442d18p+1"},
		{"M_PI_2", "1.57079632679489661923132169163975144", "0x1.921fb54442d18p+0"},
		{"M_PI_4", "0.785398163397448309615660845819875721", "0x1.921fb54442d18p-1"},
		{"M_1_PI", "0.318309886183790671537767526745028724", "0x1.45f306dc9c883p-2"},
		{"M_2_PI", "0.636619772367581343075535053490057448", "0x1.45f306dc9c883p-1"},
		{"M_2_SQRTPI", "1.12837916709551257389615890312154517", "0x1.20dd750429b6dp+0"},
		{"M_SQRT2", "1.41421356237309504880168872420969808", "0x1.6a09e667f3bcdp+0"},
		{"M_SQRT1_2", "0.707106781186547524400844362104849039", "0x1.6a09e667f3bcdp-1"},
	} {
		rows = append(rows, ppPredef{name: c.name, value: c.double},
			ppPredef{name: c.name + "_F", value: c.decimal + "f"}, ppPredef{name: c.name + "_H", value: c.decimal + "h"})
	}
	return rows
}

// ppEnumerated makes rows with consecutive values.
func ppEnumerated(first int, since Version, names ...string) (rows []ppPredef) {
	for i, n := range names {
		rows = append(rows, ppPredef{name: n, value: fmt.Sprintf("0x%X", first+i), since: since})
	}
	return rows
}

// ppFlags makes rows with the value 1.
func ppFlags(since Version, names ...string) (rows []ppPredef) {
	for _, n := range names {
		rows = append(rows, ppPredef{name: n, value: "1", since: since})
	}
	return rows
}

// The macros whose value the preprocessor computes.
const (
	_ ppSymKind = iota
	ppFileMacro
	ppBaseFile
	ppFileName
	ppLine
	ppCounter
	ppDate
	ppTime
	ppTimestamp
	ppIncludeLevel
	ppPragmaOp
	ppHasInclude
	ppHasAttribute
	ppHasBuiltin
	ppHasFeature
	ppHasNothing
)

// ppBuiltins are those macros.
var ppBuiltins = []struct {
	name string
	kind ppSymKind
}{
	{"__FILE__", ppFileMacro}, {"__BASE_FILE__", ppBaseFile}, {"__FILE_NAME__", ppFileName}, {"__LINE__", ppLine}, {"__COUNTER__", ppCounter},
	{"__DATE__", ppDate}, {"__TIME__", ppTime}, {"__TIMESTAMP__", ppTimestamp}, {"__INCLUDE_LEVEL__", ppIncludeLevel}, {"_Pragma", ppPragmaOp},
	{"__has_include", ppHasInclude}, {"__has_attribute", ppHasAttribute}, {"__has_builtin", ppHasBuiltin},
	{"__has_feature", ppHasFeature}, {"__has_extension", ppHasFeature},
	{"__has_c_attribute", ppHasNothing}, {"__has_declspec_attribute", ppHasNothing}, {"__has_warning", ppHasNothing},
}

// macroName is the name alone.
func (r *ppPredef) macroName() string {
	name, _, _ := strings.Cut(r.name, "(")
	return name
}

// materialise defines the predefined macro of symbol sym, if the options want it.
func (p *preprocessor) materialise(sym uint32) {
	y := &p.syms.list[sym]
	row := &ppPredefined[y.predef-1]
	y.predef = 0
	std := p.opts.Std
	if std == 0 {
		std = CL12
	}
	value := row.value
	switch {
	case row.since > std, row.until != 0 && row.until < std, row.when == ppFastMath && !p.opts.FastMath, features()[row.name] != nil && p.opts.Withdrawn(row.name):
		return
	case row.when == ppVersion:
		value = strconv.Itoa(int(std))
	}
	f, ok := p.source.AddFile("<built-in>", []byte("#define "+row.name+" "+value), 0)
	if !ok {
		return
	}
	line := ppScanner{src: ppString(f.Src), off: len("#define "), base: f.Pos(0), file: f, rep: p.rep, inLine: true}
	cur := p.cur
	p.cur, p.defining = &line, true
	p.define()
	p.cur, p.defining = cur, false
}

// ppCommandLine returns the -D and -U options as directives.
func ppCommandLine(opts *Options) []byte {
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

// expandBuiltin makes t the value of the macro m. As expand, it reports whether the
// invocation is replaced by what is read next.
func (p *preprocessor) expandBuiltin(t *Token, m *ppMacro) bool {
	kind, text := Number, ""
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
	case ppFileMacro, ppFileName, ppBaseFile:
		name := loc().File
		if m.builtin == ppFileName {
			name = path.Base(name)
		} else if m.builtin == ppBaseFile {
			name = p.files[0].file.Name
		}
		kind, text = StrLit, `"`+strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(name)+`"`
	case ppLine:
		text = strconv.Itoa(loc().Line)
	case ppCounter:
		text = strconv.Itoa(p.counter)
		p.counter++
	case ppDate:
		kind, text = StrLit, now().Format(`"Jan _2 2006"`)
	case ppTime:
		kind, text = StrLit, now().Format(`"15:04:05"`)
	case ppTimestamp:
		kind, text = StrLit, now().Format(`"Mon Jan _2 15:04:05 2006"`)
	case ppIncludeLevel:
		text = strconv.Itoa(len(p.files) - 1)
	case ppPragmaOp:
		return !p.pragmaOperator(t)
	default:
		is, end, ok := p.hasOperator(t, m)
		if !ok {
			return true
		}
		text = strconv.Itoa(int(ppBool(is)))
		if end > t.Pos {
			t.Len = uint32(end - t.Pos)
		}
	}
	if !p.spend(1, t.Span()) || !p.spendBytes(len(text), t.Span()) {
		return true
	}
	body := p.newBody()
	*body = diag.Body{Macro: m.name, Starts: []uint32{0}, Spell: []diag.Pos{t.Pos}}
	*t = Token{Kind: kind, Flags: t.Flags &^ NoExpand, Pos: p.addExpansion(body, t.Span(), uint32(len(text))), Len: uint32(len(text)), Text: text}
	return false
}

// callEnd returns the last position of the outermost macro invocation that pos stems
// from: __LINE__ counts there.
func (p *preprocessor) callEnd(pos diag.Pos) diag.Pos {
	for {
		x, _ := p.source.Expansion(pos)
		if x == nil {
			return pos
		}
		pos = x.Call.End - 1
	}
}

// hasOperator evaluates __has_include and its like, whose name is t.
func (p *preprocessor) hasOperator(t *Token, m *ppMacro) (is bool, end diag.Pos, ok bool) {
	if m.builtin == ppHasInclude && !p.cur.inLine {
		p.rep.Report(diag.HasOperator, t.Span(), "'%s' must be used within a preprocessing directive", m.name)
		return false, 0, false
	}
	var x Token
	if !p.lparen() {
		p.rep.Report(diag.HasOperator, t.Span(), "missing '(' after '%s'", m.name)
		return false, 0, false
	}
	if m.builtin == ppHasInclude {
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
		case ppHasAttribute:
			_, is = Attributes[name]
		case ppHasBuiltin:
			is = slices.Contains(CompilerBuiltins, x.Text)
		case ppHasFeature:
			is = name == "ext_vector_type" || name == "attribute_ext_vector_type"
		}
		for depth := 0; x.Kind != EOF && (x.Kind != RParen || depth > 0); p.next(&x) {
			switch x.Kind {
			case LParen:
				depth++
			case RParen:
				depth--
			}
		}
	}
	if x.Kind != RParen {
		p.rep.Report(diag.HasOperator, x.Span(), "missing ')' after '%s'", m.name)
		return false, 0, false
	}
	return is, x.Pos + 1, true
}
