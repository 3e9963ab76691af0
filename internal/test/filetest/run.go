package filetest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/ir/numeric"
)

// A Case is one run of a kernel, from its header.
type Case struct {
	Path    string
	Line    int // of its "run:" line
	Source  []byte
	Kernel  string // "" if the file has only one
	Global  []int  // sizes, one for each dimension
	Local   []int  // nil: the implementation chooses
	Offset  []int  // nil: zeros
	Options string
	Args    []Arg
	wants   []*want
	errors  []*expectation
	last    int // line number of the last header line of this case
}

// An Arg is one argument of the kernel.
type Arg struct {
	Name    string
	Type    Type
	Buffer  bool   // a buffer of Count elements of Type; else one value
	Count   int    // elements
	Local   int    // bytes of local memory; if greater than 0, there are no type and data
	Data    []byte // contents before the run: elements at Type.Stride
	Image   *Image // of an image, for which Buffer is set too
	Sampler *opencl.Sampler
}

// A want is the expected contents of a buffer, from its beginning.
type want struct {
	arg   string
	elems []element
	ulp   float64
	tol   float64
	rel   float64
	lines []int // line numbers in the file
	words string
}

// maxElements bounds the elements of a header.
const maxElements = 1 << 24

// finds begins a comment at a line of the kernel for which a run must report a finding.
const finds = "// FINDS "

// found parses the expectations at the lines of the kernel, which hold for every case.
func found(src []byte) (list []*expectation, err error) {
	for i, line := range strings.Split(string(src), "\n") {
		for k := strings.Index(line, finds); k >= 0; k = strings.Index(line, finds) {
			text, rest, more := strings.Cut(line[k+len(finds):], finds)
			w, err := parseExpectation("ERROR " + strings.TrimSpace(text))
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
			w.Line, w.atLine = i+1, true
			list = append(list, w)
			if line = ""; more {
				line = finds + rest
			}
		}
	}
	return list, nil
}

// ParseRuns parses a run test. It returns no cases if the file has no "run:" header.
func ParseRuns(path string, src []byte) ([]*Case, error) {
	var cases []*Case
	for i, line := range strings.Split(string(src), "\n") {
		line = strings.TrimSpace(line)
		text, ok := strings.CutPrefix(line, "//")
		if !ok {
			text, ok = strings.CutPrefix(line, ";")
		}
		if !ok {
			if line != "" {
				break
			}
			continue
		}
		key, rest, ok := strings.Cut(strings.TrimSpace(text), ":")
		rest = strings.TrimSpace(rest)
		var err error
		switch {
		case !ok:
		case key == "run":
			var c *Case
			if c, err = parseRun(rest); err == nil {
				c.Path, c.Line, c.Source = path, i+1, src
				cases = append(cases, c)
			}
		case key == "arg" || key == "want" || key == "want-error":
			if len(cases) == 0 {
				err = fmt.Errorf("%s before run", key)
			} else {
				err = cases[len(cases)-1].header(key, rest, i+1)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, i+1, err)
		}
		if len(cases) > 0 && (key == "run" || key == "arg" || key == "want" || key == "want-error") {
			cases[len(cases)-1].last = i + 1
		}
	}
	for _, c := range cases {
		list, err := found(src)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		c.errors = append(c.errors, list...)
	}
	return cases, nil
}

func parseRun(s string) (*Case, error) {
	c := &Case{}
	var options []string
	for _, w := range strings.Fields(s) {
		key, val, _ := strings.Cut(w, "=")
		var err error
		switch key {
		case "kernel":
			c.Kernel = val
		case "global":
			c.Global, err = sizes(val, 0)
		case "local":
			c.Local, err = sizes(val, 1)
		case "offset":
			c.Offset, err = sizes(val, 0)
		default:
			options = append(options, w)
		}
		if err != nil {
			return nil, err
		}
	}
	c.Options = strings.Join(options, " ")
	if c.Global == nil {
		c.Global = []int{1}
	}
	if c.Local != nil && len(c.Local) != len(c.Global) || c.Offset != nil && len(c.Offset) != len(c.Global) {
		return nil, fmt.Errorf("global, local and offset differ in dimensions")
	}
	return c, nil
}

func sizes(s string, least int) (out []int, err error) {
	for w := range strings.SplitSeq(s, ",") {
		n, err := strconv.Atoi(w)
		if err != nil || n < least {
			return nil, fmt.Errorf("%q is no size", w)
		}
		out = append(out, n)
	}
	if len(out) > 3 {
		return nil, fmt.Errorf("%d dimensions", len(out))
	}
	return out, nil
}

// header parses an arg, want or want-error line.
func (c *Case) header(key, s string, line int) error {
	switch key {
	case "arg":
		a, err := parseArg(s)
		if err == nil && c.Arg(a.Name) != nil {
			err = fmt.Errorf("a second argument %s", a.Name)
		}
		c.Args = append(c.Args, a)
		return err
	case "want":
		return c.want(s, line)
	}
	w, err := parseExpectation("ERROR " + s)
	if err == nil {
		w.Line = line
		c.errors = append(c.errors, w)
	}
	return err
}

// Arg returns the argument called name, or nil.
func (c *Case) Arg(name string) *Arg {
	for i := range c.Args {
		if c.Args[i].Name == name {
			return &c.Args[i]
		}
	}
	return nil
}

// parseArg parses "name type[n] = values", "name type value" or "name local n".
func parseArg(s string) (a Arg, err error) {
	name, rest, _ := strings.Cut(s, " ")
	rest = strings.TrimSpace(rest)
	typ, values, _ := strings.Cut(rest, " ")
	a = Arg{Name: name, Count: 1}
	if _, ok := imageShape(typ); ok {
		return parseImage(name, typ, values)
	}
	if typ == "sampler" {
		return parseSampler(name, values)
	}
	if typ == "local" {
		a.Local, err = strconv.Atoi(strings.TrimSpace(values))
		if err != nil || a.Local < 1 {
			err = fmt.Errorf("%q is no size of local memory", values)
		}
		return a, err
	}
	if base, n, ok := strings.Cut(typ, "["); ok {
		a.Buffer = true
		a.Count, err = strconv.Atoi(strings.TrimSuffix(n, "]"))
		if err != nil || a.Count < 0 || a.Count > maxElements || !strings.HasSuffix(n, "]") {
			return a, fmt.Errorf("%q is no buffer type", typ)
		}
		typ = base
	}
	var ok bool
	if a.Type, ok = ParseType(typ); !ok {
		if a.Buffer {
			return a, fmt.Errorf("unknown type %q", typ)
		}
		// Without a type, the form of the number determines it.
		values = rest
		if a.Type = (Type{numeric.I32, 1}); strings.ContainsAny(strings.ToLower(rest), ".pn") || !strings.HasPrefix(rest, "0x") && strings.ContainsAny(rest, "eEfF") {
			a.Type = Type{numeric.F32, 1}
		}
	}
	values = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(values), "="))
	a.Data = make([]byte, a.Count*a.Type.Stride())
	return a, a.fill(values)
}

// fill sets the argument's contents.
func (a *Arg) fill(s string) error {
	t, scalars := a.Type, a.Count*a.Type.Lanes
	word, args, hasArgs := strings.Cut(strings.TrimSuffix(s, ")"), "(")
	var params []element
	switch word {
	case "fill", "range", "rand":
		var err error
		kind := Type{t.Kind, 1}
		if word == "rand" {
			kind.Kind = numeric.U64
		}
		if params, err = elements(kind, args, 4); err != nil || hasArgs && len(params) == 0 {
			return fmt.Errorf("bad arguments of %s: %v", word, err)
		}
	}
	switch word {
	case "zeros":
		return nil
	case "fill":
		if len(params) != 1 {
			return fmt.Errorf("fill of one value expected")
		}
		for i := range scalars {
			put(a.Data, t, i, params[0].bits)
		}
		return nil
	case "range":
		a.ramp(params)
		return nil
	case "rand":
		seed := uint64(1)
		if len(params) > 0 {
			seed = params[0].bits
		}
		r := rand.New(rand.NewPCG(seed, 0))
		for i := range scalars {
			x := r.Uint64()
			if t.Kind.IsFloat() { // in [0, 1)
				f := float64(x>>11) * 0x1p-53
				x = numeric.ConvertBits(t.Kind, false, numeric.RTZ, numeric.F64, math.Float64bits(f))
			}
			put(a.Data, t, i, x&(^uint64(0)>>(64-t.Kind.Bits())))
		}
		return nil
	}
	elems, err := elements(t, s, scalars)
	if err != nil {
		return err
	}
	if !a.Buffer && len(elems) != t.Lanes || len(elems) > scalars {
		return fmt.Errorf("%d values, not %d", len(elems), scalars)
	}
	for i, e := range elems {
		put(a.Data, t, i, e.bits)
	}
	return nil
}

// ramp fills with start, start+step, …, computed in float64 or 64-bit integers.
func (a *Arg) ramp(params []element) {
	t := a.Type
	kind := numeric.I64
	if t.Kind.IsFloat() {
		kind = numeric.F64
	}
	start, step := uint64(0), numeric.ConvertBits(kind, false, 0, numeric.I32, 1)
	if len(params) > 0 {
		start = numeric.ConvertBits(kind, false, 0, t.Kind, params[0].bits)
	}
	if len(params) > 1 {
		step = numeric.ConvertBits(kind, false, 0, t.Kind, params[1].bits)
	}
	for i := range a.Count * t.Lanes {
		var x uint64
		if kind == numeric.F64 {
			x = math.Float64bits(math.Float64frombits(start) + float64(i)*math.Float64frombits(step))
		} else {
			x = start + step*uint64(i)
		}
		put(a.Data, t, i, numeric.ConvertBits(t.Kind, false, numeric.RTE, kind, x))
	}
}

// want parses "name [ulp=|tol=|rel=] values".
func (c *Case) want(s string, line int) error {
	name, rest, _ := strings.Cut(s, " ")
	a := c.Arg(name)
	if a == nil || !a.Buffer {
		return fmt.Errorf("%q is no buffer argument", name)
	}
	var w *want
	for _, x := range c.wants {
		if x.arg == name {
			w = x
		}
	}
	if w == nil {
		w = &want{arg: name}
		c.wants = append(c.wants, w)
	}
	w.lines = append(w.lines, line)
	for rest = strings.TrimSpace(rest); ; rest = strings.TrimSpace(rest) {
		word, after, _ := strings.Cut(rest, " ")
		key, val, ok := strings.Cut(word, "=")
		if !ok {
			break
		}
		x, err := strconv.ParseFloat(val, 64)
		if err != nil || x < 0 {
			return fmt.Errorf("bad tolerance %q", word)
		}
		switch key {
		case "ulp":
			w.ulp = x
		case "tol":
			w.tol = x
		case "rel":
			w.rel = x
		default:
			return fmt.Errorf("unknown tolerance %q", word)
		}
		w.words += word + " "
		rest = after
	}
	limit := a.Count*a.Type.Lanes - len(w.elems)
	elems, err := elements(a.Type, rest, limit)
	if err != nil {
		return err
	}
	if len(elems) > limit {
		return fmt.Errorf("more values than the buffer has")
	}
	w.elems = append(w.elems, elems...)
	return nil
}
