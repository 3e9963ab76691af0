package option

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/diag"
)

// A Build is the parsed options string of clBuildProgram, clCompileProgram or clLinkProgram (OpenCL API, "Compiler
// Options" and "Linker Options").
type Build struct {
	Source                  // -cl-std, -D, -U, -I, …
	Diagnostics diag.Config // -w, -W…, -ferror-limit

	DenormsAreZero       bool // -cl-denorms-are-zero
	CorrectDivideSqrt    bool // -cl-fp32-correctly-rounded-divide-sqrt
	OptDisable           bool // -cl-opt-disable, -O0
	StrictAliasing       bool // -cl-strict-aliasing
	UniformWorkGroupSize bool // -cl-uniform-work-group-size
	NoSubgroupIFP        bool // -cl-no-subgroup-ifp
	MadEnable            bool // -cl-mad-enable
	NoSignedZeros        bool // -cl-no-signed-zeros
	UnsafeMath           bool // -cl-unsafe-math-optimizations
	FiniteMathOnly       bool // -cl-finite-math-only
	Debug                bool // -g
	CreateLibrary        bool // -create-library
	EnableLinkOptions    bool // -enable-link-options

	Ignored []string // options of other implementations, which have no effect here

	text string
}

// String returns the options as given, in clBuildProgram's syntax. A nil Build has none.
func (b *Build) String() string {
	if b == nil {
		return ""
	}
	return b.text
}

// An Error is a mistake in an options string.
type Error struct {
	Option string // the offending option
	Offset int    // its byte offset in the string; for a list of arguments, its index
	Reason string
	Hint   string // an option that may have been meant, or ""
}

func (e *Error) Error() string {
	s := fmt.Sprintf("build option '%s' at offset %d: %s", diag.Clip(e.Option), e.Offset, e.Reason)
	if e.Hint != "" {
		s += ", did you mean '" + e.Hint + "'?"
	}
	return s
}

// An optionArg is the way in which an option's argument is written.
type optionArg uint8

const (
	noArg       optionArg = iota
	joinedArg             // -cl-std=CL1.2, -O3
	anyArg                // -Dx or -D x
	separateArg           // -x cl
)

// An optionRow describes one option. The first row whose name matches is used, so that longer names precede their
// prefixes.
type optionRow struct {
	name string
	arg  optionArg
	set  func(o *Build, arg string) error
}

// flag returns the action of an option that sets one field.
func flag(field func(o *Build) *bool) func(*Build, string) error {
	return func(o *Build, _ string) error {
		*field(o) = true
		return nil
	}
}

// ignore is the action of an option that has no effect.
func ignore(*Build, string) error { return nil }

var optionRows = []optionRow{
	// Preprocessor options
	{"-D", anyArg, optionDefine},
	{"-U", anyArg, func(o *Build, arg string) error {
		o.Defines = append(o.Defines, Define{Name: arg, Undef: true})
		return nil
	}},
	{"-I", anyArg, func(o *Build, arg string) error {
		o.IncludeDirs = append(o.IncludeDirs, arg)
		return nil
	}},
	// Math intrinsics options
	{"-cl-single-precision-constant", noArg, flag(func(o *Build) *bool { return &o.SinglePrecision })},
	{"-cl-denorms-are-zero", noArg, flag(func(o *Build) *bool { return &o.DenormsAreZero })},
	{"-cl-fp32-correctly-rounded-divide-sqrt", noArg, flag(func(o *Build) *bool { return &o.CorrectDivideSqrt })},
	// Optimization options
	{"-cl-opt-disable", noArg, flag(func(o *Build) *bool { return &o.OptDisable })},
	{"-cl-strict-aliasing", noArg, flag(func(o *Build) *bool { return &o.StrictAliasing })},
	{"-cl-uniform-work-group-size", noArg, flag(func(o *Build) *bool { return &o.UniformWorkGroupSize })},
	{"-cl-no-subgroup-ifp", noArg, flag(func(o *Build) *bool { return &o.NoSubgroupIFP })},
	{"-cl-mad-enable", noArg, flag(func(o *Build) *bool { return &o.MadEnable })},
	{"-cl-no-signed-zeros", noArg, flag(func(o *Build) *bool { return &o.NoSignedZeros })},
	{"-cl-unsafe-math-optimizations", noArg, optionUnsafeMath},
	{"-cl-finite-math-only", noArg, flag(func(o *Build) *bool { return &o.FiniteMathOnly })},
	{"-cl-fast-relaxed-math", noArg, func(o *Build, _ string) error {
		o.FastMath, o.FiniteMathOnly = true, true
		return optionUnsafeMath(o, "")
	}},
	{"-cl-intel-greater-than-4GB-buffer-required", noArg, optionVendor},
	{"-cl-ext=", joinedArg, optionExtensions},
	// Language version, kernel argument information, debugging
	{"-cl-std=", joinedArg, optionStd},
	{"-cl-kernel-arg-info", noArg, flag(func(o *Build) *bool { return &o.KernelInfo })},
	{"-g", noArg, flag(func(o *Build) *bool { return &o.Debug })},
	{"-O", joinedArg, optionLevel},
	{"-x", separateArg, func(_ *Build, arg string) error {
		if arg != "cl" && arg != "clc" {
			return fmt.Errorf("language '%s' is not supported; PureCL reads OpenCL C source", arg)
		}
		return nil
	}},
	{"-s", separateArg, ignore}, // Intel: the source file, for debuggers
	{"-c", noArg, ignore},
	// Warnings
	{"-w", noArg, flag(func(o *Build) *bool { return &o.Diagnostics.NoWarnings })},
	{"-W", joinedArg, optionWarning},
	{"-ferror-limit=", joinedArg, optionErrorLimit},
	{"-pedantic-errors", noArg, ignore},
	{"-pedantic", noArg, func(o *Build, _ string) error { return optionWarning(o, "pedantic") }},
	// Linker options
	{"-create-library", noArg, flag(func(o *Build) *bool { return &o.CreateLibrary })},
	{"-enable-link-options", noArg, flag(func(o *Build) *bool { return &o.EnableLinkOptions })},
	// Options of other implementations, which programs often pass
	{"-cl-nv-", joinedArg, optionVendor},
	{"-cl-intel-", joinedArg, optionVendor},
	{"-cl-amd-", joinedArg, optionVendor},
	{"-qcom-", joinedArg, optionVendor},
	{"-nv-", joinedArg, optionVendor},
	{"-fbin-", joinedArg, optionVendor},
	{"-fno-bin-", joinedArg, optionVendor},
	{"-save-temps", joinedArg, optionVendor},
	{"-dump-opt-llvm", joinedArg, optionVendor},
	{"-m64", noArg, optionVendor},
	{"-Xclang", separateArg, optionVendor},
	{"-f", joinedArg, optionVendor},
	{"-m", joinedArg, optionVendor},
	{"-target", separateArg, optionVendor},
	{"--target=", joinedArg, optionVendor},
}

// optionVendor is recorded in Ignored; see apply.
func optionVendor(*Build, string) error { return errIgnored }

var errIgnored = errors.New("ignored")

func optionDefine(o *Build, arg string) error {
	name, value, has := strings.Cut(arg, "=")
	if !has {
		value = "1"
	}
	if name == "" {
		return errors.New("macro name missing")
	}
	o.Defines = append(o.Defines, Define{Name: name, Value: value})
	return nil
}

func optionUnsafeMath(o *Build, _ string) error {
	o.UnsafeMath, o.NoSignedZeros, o.MadEnable, o.DenormsAreZero = true, true, true, true
	return nil
}

func optionStd(o *Build, arg string) error {
	upper := strings.ToUpper(arg)
	if upper == "CL" {
		o.Std = opencl.CL10
		return nil
	}
	var all []string
	for _, v := range opencl.Versions {
		if v.Option() == upper {
			o.Std = v
			return nil
		}
		all = append(all, v.Option())
	}
	if strings.HasPrefix(upper, "CLC++") || strings.HasPrefix(upper, "C++") {
		return errors.New("language C++ for OpenCL is not supported")
	}
	last := len(all) - 1
	return fmt.Errorf("unknown version '%s'; %s and %s are supported", arg, strings.Join(all[:last], ", "), all[last])
}

func optionLevel(o *Build, arg string) error {
	switch arg {
	case "0":
		o.OptDisable = true
	case "", "1", "2", "3", "s", "z", "fast": // there is only one level
		o.OptDisable = false
	default:
		return errors.New("invalid optimization level; there are -O0, -O1, -O2 and -O3")
	}
	return nil
}

func optionErrorLimit(o *Build, arg string) error {
	n, err := strconv.Atoi(arg)
	if err != nil || n < 0 {
		return errors.New("not a number")
	}
	if o.Diagnostics.MaxErrors = n; n == 0 {
		o.Diagnostics.MaxErrors = -1 // no limit, as in clang
	}
	return nil
}

// optionExtensions parses the list of -cl-ext: names with + (or nothing) to enable an extension of the device, and
// with - to disable it.
func optionExtensions(o *Build, arg string) error {
	for word := range strings.SplitSeq(arg, ",") {
		name, off := strings.CutPrefix(word, "-")
		if !off {
			name = strings.TrimPrefix(word, "+")
		}
		if name == "" {
			return fmt.Errorf("'%s' names no extension", word)
		}
		if name != "all" && !off && !deviceHas(name) {
			o.Ignored = append(o.Ignored, "-cl-ext=+"+name)
			continue
		}
		o.Extensions = append(o.Extensions, Extension{name, !off})
	}
	return nil
}

// deviceHas reports whether the device has the extension or feature in some version of OpenCL C.
func deviceHas(name string) bool {
	x := opencl.FindExtension(name)
	return x != nil && x.Scope == opencl.Language
}

// optionWarning parses the text after -W. Unknown names are accepted as in every compiler, because programs pass
// them.
func optionWarning(o *Build, arg string) error {
	set := func(m *map[string]bool, name string, on bool) {
		if *m == nil {
			*m = map[string]bool{}
		}
		(*m)[name] = on
	}
	cfg := &o.Diagnostics
	name, off := strings.CutPrefix(arg, "no-")
	switch {
	case arg == "error":
		cfg.Werror = true
	case arg == "no-error":
		cfg.Werror = false
	case strings.HasPrefix(name, "error="):
		code := strings.TrimPrefix(name, "error=")
		set(&cfg.ErrorOf, code, !off)
		if !off {
			set(&cfg.Enable, code, true)
		}
	case strings.HasPrefix(arg, "f,") || strings.HasPrefix(arg, "l,") || strings.HasPrefix(arg, "a,") || strings.HasPrefix(arg, "p,"):
		return errIgnored // for another tool
	default:
		set(&cfg.Enable, name, !off)
	}
	return nil
}

// An optionWord is a word of an options string.
type optionWord struct {
	text   string
	offset int
}

// Parse parses the options string of clBuildProgram. Words are separated by white space; double and single quotes
// keep it, anywhere in a word. A backslash escapes a quote, a backslash or white space; other backslashes are
// literal, because paths contain them. Errors are *OptionError.
func Parse(s string) (*Build, error) {
	words, err := splitOptions(s)
	if err != nil {
		return nil, err
	}
	return parseOptionWords(words, s)
}

// ParseArgs is Parse for a command line: args are options as separate words, and texts are options strings, which
// follow them. Offsets in errors are indices of args, then offsets in the texts.
func ParseArgs(args []string, texts ...string) (*Build, error) {
	words := make([]optionWord, len(args))
	parts := make([]string, len(args))
	for i, a := range args {
		words[i], parts[i] = optionWord{a, i}, quote(a)
	}
	for _, s := range texts {
		list, err := splitOptions(s)
		if err != nil {
			return nil, err
		}
		words, parts = append(words, list...), append(parts, s)
	}
	return parseOptionWords(words, strings.Join(parts, " "))
}

// quote returns a word in the syntax of an options string.
func quote(w string) string {
	if w != "" && !strings.ContainsAny(w, " \t\n\r\v\f\x00\"'\\") {
		return w
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(w) + `"`
}

func splitOptions(s string) (words []optionWord, err error) {
	var b []byte
	in, start := false, 0
	var quote byte
	open := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		space := c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f' || c == 0
		if space && quote == 0 {
			if in {
				words = append(words, optionWord{string(b), start})
				b, in = b[:0], false
			}
			continue
		}
		if !in {
			in, start = true, i
		}
		switch {
		case c == '\\' && quote != '\'' && i+1 < len(s) && strings.IndexByte("\\\"' \t", s[i+1]) >= 0:
			i++
			b = append(b, s[i])
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, open = c, i
		default:
			b = append(b, c)
		}
	}
	if quote != 0 {
		return nil, &Error{Option: s[start:], Offset: start, Reason: fmt.Sprintf("the quote at offset %d is not closed", open)}
	}
	if in {
		words = append(words, optionWord{string(b), start})
	}
	return words, nil
}

func parseOptionWords(words []optionWord, text string) (*Build, error) {
	o := &Build{text: text}
	for i := 0; i < len(words); i++ {
		w := words[i]
		row := optionRowOf(w.text)
		if row == nil {
			e := &Error{Option: w.text, Offset: w.offset, Reason: "unknown option"}
			if !strings.HasPrefix(w.text, "-") {
				e.Reason = "not an option; options begin with '-'"
			} else {
				e.Hint = Nearest(w.text)
			}
			return nil, e
		}
		arg := w.text[len(row.name):]
		if row.arg == separateArg || row.arg == anyArg && arg == "" {
			if i++; i == len(words) {
				return nil, &Error{Option: w.text, Offset: w.offset, Reason: "its argument is missing"}
			}
			arg = words[i].text
		}
		switch err := row.set(o, arg); {
		case errors.Is(err, errIgnored):
			o.Ignored = append(o.Ignored, w.text)
		case err != nil:
			return nil, &Error{Option: w.text, Offset: w.offset, Reason: err.Error()}
		}
	}
	if o.EnableLinkOptions && !o.CreateLibrary {
		k := slices.IndexFunc(words, func(w optionWord) bool { return w.text == "-enable-link-options" })
		return nil, &Error{Option: "-enable-link-options", Offset: words[k].offset, Reason: "needs -create-library"}
	}
	if why := o.inconsistency(); why != "" {
		k := max(0, slices.IndexFunc(words, func(w optionWord) bool {
			return strings.HasPrefix(w.text, "-cl-ext=") || strings.Contains(w.text, "__opencl_c_")
		}))
		return nil, &Error{Option: words[k].text, Offset: words[k].offset, Reason: why}
	}
	return o, nil
}

// optionRowOf returns the row that describes the option word, or nil.
func optionRowOf(word string) *optionRow {
	for i := range optionRows {
		row := &optionRows[i]
		if word == row.name && row.arg != joinedArg || strings.HasPrefix(word, row.name) && (row.arg == joinedArg || row.arg == anyArg) {
			return row
		}
	}
	return nil
}

// IsOption reports whether [ParseArgs] accepts a word as an option, and whether the next word is its argument.
func IsOption(word string) (separate, ok bool) {
	row := optionRowOf(word)
	if row == nil {
		return false, false
	}
	return row.arg == separateArg || row.arg == anyArg && word == row.name, true
}

// IsLong reports whether a word is an option whose name has more than one letter,
// such as -cl-std=CL3.0 or -pedantic.
func IsLong(word string) bool {
	row := optionRowOf(word)
	return row != nil && len(row.name) > 2
}

// Nearest returns the most likely option for a misspelled word, or "".
func Nearest(word string) string {
	names := make([]string, 0, len(optionRows))
	for i := range optionRows {
		names = append(names, optionRows[i].name)
	}
	name, value, has := strings.Cut(word, "=")
	if has {
		if best, ok := diag.Nearest(name+"=", names); ok {
			return best + value
		}
	}
	best, _ := diag.Nearest(word, names)
	return best
}
