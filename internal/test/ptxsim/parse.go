package ptxsim

import (
	"fmt"
	"strconv"
	"strings"
)

// A Module is a loaded module.
type Module struct {
	m     *Machine
	funcs map[string]*function
}

// A function is an entry or a device function.
type function struct {
	name   string
	code   []inst
	regs   int
	local  int
	params []int // registers
	rets   []int
	index  map[string]int // register numbers by name
	widths []uint8        // widths of registers in bits
	locals map[string]int // offsets of local variables by name
	labels map[string]int
}

// An inst is an instruction.
type inst struct {
	pred int // register number, -1: none
	not  bool
	run  func(t *thread)
	meet func(warp []thread, mask uint32)
	set  func(t *thread, x uint64) // of a barrier with a reduction
	text string
}

type space uint8

const (
	generic space = iota
	globalSpace
	sharedSpace
	localSpace
	paramSpace
)

// Load parses a module.
func (m *Machine) Load(text string) (mod *Module, err error) {
	mod = &Module{m: m, funcs: map[string]*function{}}
	line := 0
	defer func() {
		if t, ok := recover().(trap); ok {
			mod, err = nil, fmt.Errorf("line %d: %s", line, t.msg)
		}
	}()
	type pending struct {
		fn   *function
		text string
		line int
	}
	var todo []pending
	var fn *function
	for i, s := range strings.Split(text, "\n") {
		line = i + 1
		s = strings.TrimSpace(s)
		switch {
		case s == "" || s == "{" || strings.HasPrefix(s, "//"):
		case s == "}":
			fn = nil
		case strings.HasPrefix(s, ".func"), strings.HasPrefix(s, ".visible .entry"):
			fn = header(s)
			mod.funcs[fn.name] = fn
		case strings.HasPrefix(s, ".maxnreg "), strings.HasPrefix(s, ".maxntid "):
		case fn == nil:
			if !strings.HasPrefix(s, ".") {
				fail("%q stands outside of functions", s)
			}
		case strings.HasSuffix(s, ":"):
			name := strings.TrimSuffix(s, ":")
			if _, ok := fn.labels[name]; ok {
				fail("label %s stands twice", name)
			}
			fn.labels[name] = len(fn.code)
		case strings.HasPrefix(s, "."):
			fn.declare(s)
		default:
			todo = append(todo, pending{fn, strings.TrimSuffix(s, ";"), line})
			fn.code = append(fn.code, inst{pred: -1, text: s})
		}
	}
	at := map[*function]int{}
	for _, p := range todo {
		line = p.line
		d := decoder{mod: mod, fn: p.fn}
		p.fn.code[at[p.fn]] = d.decode(p.text)
		at[p.fn]++
	}
	for _, fn := range mod.funcs {
		fn.code = append(fn.code, inst{pred: -1, text: "end", run: func(*thread) { fail("control runs off the end") }})
	}
	return mod, nil
}

// header parses the first line of a function.
func header(s string) *function {
	fn := &function{index: map[string]int{}, locals: map[string]int{}, labels: map[string]int{}}
	if rest, ok := strings.CutPrefix(s, ".visible .entry "); ok {
		fn.name, _, _ = strings.Cut(rest, "(")
		return fn
	}
	rest := strings.TrimSpace(strings.TrimPrefix(s, ".func"))
	params := func(list string) (regs []int) {
		for p := range strings.SplitSeq(list, ",") {
			f := strings.Fields(p)
			if len(f) != 3 || f[0] != ".reg" {
				fail("bad parameter %q", p)
			}
			regs = append(regs, fn.reg(f[2], f[1]))
		}
		return regs
	}
	if strings.HasPrefix(rest, "(") {
		list, after, _ := strings.Cut(rest[1:], ")")
		fn.rets, rest = params(list), strings.TrimSpace(after)
	}
	name, list, _ := strings.Cut(rest, "(")
	fn.name = strings.TrimSpace(name)
	if list = strings.TrimSuffix(list, ")"); list != "" {
		fn.params = params(list)
	}
	return fn
}

func bitsOf(typ string) uint8 {
	if typ == "pred" {
		return 1
	}
	n, err := strconv.Atoi(typ[1:])
	if err != nil {
		fail("unknown type %q", typ)
	}
	return uint8(n)
}

func (fn *function) reg(name, typ string) int {
	n := fn.regs
	if _, ok := fn.index[name]; ok {
		fail("register %s stands twice", name)
	}
	fn.index[name] = n
	fn.widths = append(fn.widths, bitsOf(strings.TrimPrefix(typ, ".")))
	fn.regs++
	return n
}

// declare parses a declaration of registers or of a local variable.
func (fn *function) declare(s string) {
	f := strings.Fields(strings.TrimSuffix(s, ";"))
	switch f[0] {
	case ".reg":
		name, count, many := strings.Cut(f[2], "<")
		if !many {
			fn.reg(name, f[1])
			return
		}
		n, err := strconv.Atoi(strings.TrimSuffix(count, ">"))
		if err != nil {
			fail("bad declaration %q", s)
		}
		for i := range n {
			fn.reg(fmt.Sprint(name, i), f[1])
		}
	case ".local":
		name, count, _ := strings.Cut(f[len(f)-1], "[")
		n, err := strconv.Atoi(strings.TrimSuffix(count, "]"))
		if err != nil {
			fail("bad declaration %q", s)
		}
		fn.local = (fn.local + 15) &^ 15
		fn.locals[name] = fn.local
		fn.local += n
	default:
		fail("unknown declaration %q", s)
	}
}

// A decoder decodes the text of an instruction.
type decoder struct {
	mod  *Module
	fn   *function
	op   []string // the dot-separated parts of the opcode
	args []string
}

// An operand is a value that an instruction reads.
type operand func(t *thread) uint64

func (d *decoder) decode(s string) inst {
	in := inst{pred: -1, text: s}
	if strings.HasPrefix(s, "@") {
		p, rest, _ := strings.Cut(s[1:], " ")
		p, in.not = strings.CutPrefix(p, "!")
		in.pred = d.register(p)
		s = strings.TrimSpace(rest)
	}
	op, rest, _ := strings.Cut(s, " ")
	d.op = strings.Split(op, ".")
	d.args = splitArgs(rest)
	run := d.instruction(&in)
	if run == nil {
		fail("unknown instruction %q", s)
	}
	text := in.text
	in.run = func(t *thread) {
		t.b.text = text
		run(t)
	}
	return in
}

// splitArgs splits operands at commas that are not in brackets.
func splitArgs(s string) (list []string) {
	depth, from := 0, 0
	for i, c := range s {
		switch c {
		case '{', '[', '(':
			depth++
		case '}', ']', ')':
			depth--
		case ',':
			if depth == 0 {
				list = append(list, strings.TrimSpace(s[from:i]))
				from = i + 1
			}
		}
	}
	if s = strings.TrimSpace(s[from:]); s != "" {
		list = append(list, s)
	}
	return list
}

func (d *decoder) register(name string) int {
	n, ok := d.fn.index[name]
	if !ok {
		fail("no register %s", name)
	}
	return n
}

// has reports whether the opcode has a part.
func (d *decoder) has(part string) bool {
	for _, p := range d.op[1:] {
		if p == part {
			return true
		}
	}
	return false
}

func (d *decoder) last() string { return d.op[len(d.op)-1] }

var special = map[string]func(t *thread) uint64{
	"%tid.x": func(t *thread) uint64 { return uint64(t.id[0]) }, "%tid.y": func(t *thread) uint64 { return uint64(t.id[1]) }, "%tid.z": func(t *thread) uint64 { return uint64(t.id[2]) },
	"%ntid.x": func(t *thread) uint64 { return uint64(t.b.ntid[0]) }, "%ntid.y": func(t *thread) uint64 { return uint64(t.b.ntid[1]) }, "%ntid.z": func(t *thread) uint64 { return uint64(t.b.ntid[2]) },
	"%ctaid.x": func(t *thread) uint64 { return uint64(t.b.ctaid[0]) }, "%ctaid.y": func(t *thread) uint64 { return uint64(t.b.ctaid[1]) }, "%ctaid.z": func(t *thread) uint64 { return uint64(t.b.ctaid[2]) },
	"%laneid": func(t *thread) uint64 { return uint64(t.lane) },
}

// value returns an operand of an instruction of type typ.
func (d *decoder) value(s, typ string) operand {
	if f := special[s]; f != nil {
		return f
	}
	if n, ok := d.fn.index[s]; ok {
		if w, want := d.fn.widths[n], bitsOf(typ); w < want || w != want && (w == 64 || want == 64 || w == 1) && d.op[0] != "st" {
			fail("register %s of %d bits as %s", s, w, typ)
		}
		return func(t *thread) uint64 { return t.regs[n] }
	}
	if off, ok := d.fn.locals[s]; ok {
		return func(*thread) uint64 { return uint64(off) }
	}
	switch s {
	case "pcl_shared":
		return func(*thread) uint64 { return sharedStart }
	case "block":
		return func(*thread) uint64 { return 0 }
	}
	if typ[0] == 'f' {
		fail("operand %q as %s", s, typ)
	}
	x, err := strconv.ParseInt(s, 0, 64)
	if err != nil {
		u, err := strconv.ParseUint(s, 0, 64)
		if err != nil {
			fail("bad operand %q", s)
		}
		x = int64(u)
	}
	u := uint64(x)
	if w := bitsOf(typ); w < 64 {
		if x < -1<<(w-1) || x >= 1<<w {
			fail("number %s as %s", s, typ)
		}
		u &= 1<<w - 1
	}
	return func(*thread) uint64 { return u }
}

// result returns a function that sets a register.
func (d *decoder) result(s string, bits uint8) func(t *thread, x uint64) {
	n := d.register(s)
	w := d.fn.widths[n]
	if w < bits || w != bits && (w == 64 || w == 1) && d.op[0] != "ld" {
		fail("result of %d bits in register %s of %d", bits, s, w)
	}
	if w == 64 {
		return func(t *thread, x uint64) { t.regs[n] = x }
	}
	mask := uint64(1)<<w - 1
	return func(t *thread, x uint64) { t.regs[n] = x & mask }
}

// address parses an operand "[name+offset]".
func (d *decoder) address(s string) operand {
	s = strings.TrimSuffix(strings.TrimPrefix(s, "["), "]")
	base, off, plus := strings.Cut(s, "+")
	n := int64(0)
	if plus {
		var err error
		if n, err = strconv.ParseInt(off, 10, 32); err != nil {
			fail("bad address %q", s)
		}
	}
	if i, ok := d.fn.index[base]; ok {
		if w := d.fn.widths[i]; w != 64 && w != 32 {
			fail("address in register %s of %d bits", base, w)
		}
	}
	typ := "u64"
	if i, ok := d.fn.index[base]; ok && d.fn.widths[i] == 32 {
		typ = "u32"
	}
	b := d.value(base, typ)
	return func(t *thread) uint64 { return b(t) + uint64(n) }
}

func (d *decoder) space() space {
	switch {
	case d.has("global"):
		return globalSpace
	case d.has("shared"):
		return sharedSpace
	case d.has("local"):
		return localSpace
	case d.has("param"):
		return paramSpace
	}
	return generic
}

// list splits "{a, b}", or returns "a" alone.
func list(s string) []string {
	if strings.HasPrefix(s, "{") {
		return splitArgs(strings.TrimSuffix(s[1:], "}"))
	}
	return []string{s}
}
