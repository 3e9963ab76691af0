package gang

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Limits on Parse's input, so that a text cannot demand much memory.
const (
	maxRegs  = 1 << 20
	maxLanes = 128
)

// names of ops, shapes and kinds in the text form.
var (
	opsByName    = map[string]Op{}
	eachByName   = map[string]ssa.Op{}
	shapesByName = map[string]Shape{}
	kindsByName  = map[string]ssa.Kind{}
)

func init() {
	for o := OpInvalid + 1; o < NumOps; o++ {
		opsByName[o.String()] = o
	}
	for o := ssa.OpInvalid + 1; o < ssa.NumOps; o++ {
		eachByName[o.String()] = o
	}
	for s := NoShape + 1; s < NumShapes; s++ {
		shapesByName[s.String()] = s
	}
	for k := ssa.Bool; k < ssa.Void; k++ {
		if isKind(k) {
			kindsByName[k.String()] = k
		}
	}
}

// A parser reads a function's text, line by line.
type parser struct {
	f      *Func
	line   int
	blocks map[int]*Block
	defs   []bool           // by register: its type has been read
	lines  map[textPart]int // also of the first mention of a block ("to") and of a register ("reg")
	cur    *Block
}

// A lineError is the panic value that ends a parse.
type lineError struct{ error }

// Parse reads a function's text and verifies it.
func Parse(text string) (f *Func, err error) {
	p := &parser{blocks: map[int]*Block{}, lines: map[textPart]int{}}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(lineError)
			if !ok {
				panic(r)
			}
			f, err = nil, e.error
		}
	}()
	done := false
	for l := range strings.Lines(text) {
		p.line++
		l, _, _ = strings.Cut(l, ";")
		if l = strings.TrimSpace(l); l == "" {
			continue
		}
		switch {
		case done:
			p.fail("text after the function's end")
		case p.f == nil:
			p.head(l)
		case l == "}":
			p.end()
			done = true
		default:
			p.body(l)
		}
	}
	if !done {
		p.fail("the text ends before the function")
	}
	if err := verify(p.f, p.lines); err != nil {
		return nil, err
	}
	return p.f, nil
}

// mark records the current line for its part of the function, if it is the first one.
func (p *parser) mark(word string, n, k int) {
	if at := (textPart{word, n, k}); p.lines[at] == 0 {
		p.lines[at] = p.line
	}
}

func (p *parser) fail(format string, args ...any) {
	panic(lineError{fmt.Errorf("line %d: %s", p.line, fmt.Sprintf(format, args...))})
}

// head reads the function's first line.
func (p *parser) head(l string) {
	words := strings.Fields(l)
	if len(words) < 4 || words[0] != "gang" || len(words[1]) < 2 || words[1][0] != '@' || words[len(words)-1] != "{" {
		p.fail(`expected "gang @NAME lanes=N {"`)
	}
	p.f = NewFunc(words[1][1:], 0)
	p.mark("", 0, 0)
	for _, w := range words[2 : len(words)-1] {
		if n, ok := strings.CutPrefix(w, "lanes="); ok {
			p.f.Lanes = int(p.number(n, maxLanes))
		} else if n, ok := strings.CutPrefix(w, "forms="); ok {
			p.f.Forms = spmd.Forms(p.number(n, 1<<spmd.NumForms-1))
		} else if n, ok := strings.CutPrefix(w, "rows="); ok {
			p.f.Rows = int(p.number(n, 1<<16))
		} else if k := slices.IndexFunc(p.f.words(), func(x word) bool { return x.name == w }); k >= 0 {
			*p.f.words()[k].set = true
		} else {
			p.fail("unknown word %q", w)
		}
	}
	if n := p.f.Lanes; n < 1 || n&(n-1) != 0 {
		p.fail("lanes must be a power of two up to %d", maxLanes)
	}
}

func (p *parser) number(s string, most int64) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n > most || n < 0 {
		p.fail("expected a number up to %d, found %q", most, s)
	}
	return n
}

// signed reads any 64-bit number.
func (p *parser) signed(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		p.fail("expected a number, found %q", s)
	}
	return n
}

// body reads a line inside the function.
func (p *parser) body(l string) {
	word, rest, _ := strings.Cut(l, " ")
	switch {
	case word == "param" && p.cur == nil:
		p.param(rest)
	case word == "root" && p.cur == nil:
		p.root(rest)
	case word == "firstids" && p.cur == nil:
		for _, w := range strings.Fields(rest) {
			p.f.FirstIDs = append(p.f.FirstIDs, uint64(p.number(w, 1<<32)))
		}
	case word == "sum" && p.cur == nil:
		p.sum(strings.Fields(rest))
	case word == "access" && p.cur == nil:
		num, name, ok := strings.Cut(rest, " ")
		if int(p.number(num, 1<<17)) != len(p.f.Accesses) || !ok {
			p.fail("expected access %d and its name", len(p.f.Accesses))
		}
		p.f.Accesses = append(p.f.Accesses, Access{Name: name})
	case strings.HasSuffix(word, ":") && word[0] == 'b':
		p.block(strings.TrimSuffix(word, ":"), strings.Fields(rest))
	case word == "range":
		p.interval(strings.Fields(rest))
	case p.cur == nil:
		p.fail("an instruction outside of a block")
	default:
		p.inst(l)
	}
}

// param reads a parameter: its number, elements and name.
func (p *parser) param(l string) {
	words := strings.SplitN(l, " ", 3)
	if len(words) != 3 || int(p.number(words[0], 1<<16)) != len(p.f.Params) {
		p.fail("expected param %d, its elements and name", len(p.f.Params))
	}
	p.f.Params = append(p.f.Params, Param{int(p.number(words[1], 16)), p.quoted(words[2])})
}

func (p *parser) quoted(s string) string {
	name, err := strconv.Unquote(s)
	if err != nil {
		p.fail("expected a quoted name, found %s", s)
	}
	return name
}

func (p *parser) root(l string) {
	words := strings.SplitN(l, " ", 3)
	if len(words) != 3 || int(p.number(words[0], 1<<20)) != len(p.f.Roots) {
		p.fail("expected root %d, its kind and what it is", len(p.f.Roots))
	}
	p.mark("root", len(p.f.Roots), 0)
	kind := slices.Index(rootNames[:], words[1])
	if kind < 0 {
		p.fail("unknown kind of root %q", words[1])
	}
	r := Root{Kind: RootKind(kind)}
	for _, w := range r.words() {
		if rest, ok := strings.CutPrefix(words[2], w.name+" "); ok {
			*w.set, words[2] = true, rest
		}
	}
	for _, n := range r.numbers() {
		if rest, ok := strings.CutPrefix(words[2], n.name+"="); ok {
			rest, words[2], _ = strings.Cut(rest, " ")
			*n.of = int(p.number(rest, n.most))
		}
	}
	if r.Kind == RootPrivate {
		var size string
		size, words[2], _ = strings.Cut(words[2], " ")
		r.Size = int(p.number(size, MaxObject))
	}
	if r.Kind == RootParam {
		r.Param = int(p.number(words[2], 1<<16))
	} else {
		r.Name = p.quoted(words[2])
	}
	p.f.Roots = append(p.f.Roots, r)
}

// interval reads a register and its range.
func (p *parser) interval(words []string) {
	if len(words) != 3 {
		p.fail("expected a register, its least and its greatest value")
	}
	if p.f.Ranges == nil {
		p.f.Ranges = map[Reg]Range{}
	}
	r := p.reg(words[0])
	p.mark("range", int(r), 0)
	p.f.Ranges[r] = Range{p.signed(words[1]), p.signed(words[2])}
}

// sum reads a sum: its number, root, operation and kind, the word elements if the lanes change elements of their own, and
// the roots that must not overlap.
func (p *parser) sum(words []string) {
	if len(words) < 4 || int(p.number(words[0], 1<<16)) != len(p.f.Sums) {
		p.fail("expected sum %d, its root, operation and kind", len(p.f.Sums))
	}
	rmw := slices.Index(ssa.RMWNames[:], words[2])
	k, ok := kindsByName[words[3]]
	if rmw < 0 || !ok {
		p.fail("there is no sum %s of %s", words[2], words[3])
	}
	p.mark("sum", len(p.f.Sums), 0)
	x := Sum{Root: int32(p.number(words[1], 1<<20)), RMW: ssa.RMW(rmw), Kind: k}
	others := words[4:]
	if x.Elements = len(others) > 0 && others[0] == "elements"; x.Elements {
		others = others[1:]
	}
	for _, w := range others {
		x.Others = append(x.Others, int32(p.number(w, 1<<20)))
	}
	p.f.Sums = append(p.f.Sums, x)
}

// named returns the block of a name, which may be defined later.
func (p *parser) named(name string) *Block {
	if len(name) < 2 || name[0] != 'b' {
		p.fail("expected a block, found %q", name)
	}
	n := int(p.number(name[1:], 1<<24))
	b := p.blocks[n]
	if b == nil {
		b = &Block{ID: n}
		p.blocks[n] = b
		p.mark("to", n, 0)
	}
	return b
}

func (p *parser) block(name string, words []string) {
	b := p.named(name)
	if b.ID != len(p.f.Blocks) {
		p.fail("expected block b%d", len(p.f.Blocks))
	}
	for _, w := range words {
		if n, ok := strings.CutPrefix(w, "depth="); ok {
			b.Depth = int(p.number(n, 1<<16))
		} else if w == "cold" {
			b.Cold = true
		} else {
			p.fail("unknown word %q", w)
		}
	}
	p.mark("block", b.ID, 0)
	p.f.Blocks = append(p.f.Blocks, b)
	p.cur = b
}

// reg returns the register of a name, which may get its type later.
func (p *parser) reg(name string) Reg {
	class := NoClass
	if len(name) > 1 {
		if k := strings.IndexByte(classLetters, name[0]); k > 0 {
			class = Class(k)
		}
	}
	if class == NoClass {
		p.fail("expected a register, found %q", name)
	}
	n := int(p.number(name[1:], maxRegs))
	if n == 0 {
		p.fail("there is no register 0")
	}
	for len(p.f.Types) <= n {
		p.f.Types = append(p.f.Types, Type{})
	}
	for len(p.defs) <= n {
		p.defs = append(p.defs, false)
	}
	p.mark("reg", n, 0)
	t := &p.f.Types[n]
	if t.Class != NoClass && t.Class != class {
		p.fail("%s is of another class elsewhere", name)
	}
	t.Class = class
	return Reg(n)
}

// inst reads an instruction.
func (p *parser) inst(l string) {
	i := Inst{}
	if dst, rest, ok := strings.Cut(l, " = "); ok {
		name, kind, ok := strings.Cut(dst, ":")
		if !ok {
			p.fail("expected the result's type after %s", dst)
		}
		i.Dst = p.reg(name)
		p.typed(i.Dst, kind)
		l = rest
	}
	l, to, jumps := strings.Cut(l, " -> ")
	name, rest, _ := strings.Cut(l, " ")
	p.op(&i, name)
	if list, ok := strings.CutSuffix(rest, "]"); ok && i.Op.has(fCases) {
		var cases string
		rest, cases, _ = strings.Cut(list, "[")
		for _, w := range strings.Fields(cases) {
			x, err := strconv.ParseUint(w, 10, 64)
			if err != nil {
				p.fail("expected a number, found %q", w)
			}
			i.Cases = append(i.Cases, x)
		}
	}
	for _, w := range strings.Fields(rest) {
		p.operand(&i, w)
	}
	p.mark("inst", p.cur.ID, len(p.cur.Insts))
	p.cur.Insts = append(p.cur.Insts, i)
	if jumps {
		for w := range strings.SplitSeq(to, ",") {
			p.cur.Succs = append(p.cur.Succs, p.named(strings.TrimSpace(w)))
		}
	}
}

// typed gives a register a type.
func (p *parser) typed(r Reg, name string) {
	t := p.f.Types[r]
	t.N = 1
	if k := strings.LastIndexByte(name, 'x'); k > 0 {
		t.N = uint8(p.number(name[k+1:], 16))
		name = name[:k]
	}
	k, ok := kindsByName[name]
	if !ok {
		p.fail("unknown kind %q", name)
	}
	t.K = k
	if p.defs[r] && p.f.Types[r] != t {
		p.fail("%s has the type %s elsewhere", p.f.name(r), p.f.Types[r].typeName())
	}
	p.f.Types[r], p.defs[r] = t, true
}

// op reads an op's name.
func (p *parser) op(i *Inst, name string) {
	if o, ok := opsByName[name]; ok && !o.has(fEach|fShape) {
		i.Op = o
		return
	}
	if o, ok := eachByName[name]; ok {
		i.Op, i.Each = OpEach, o
		return
	}
	first, second, ok := strings.Cut(name, ".")
	o := opsByName[first]
	if o.has(fEach) && o.has(fShape) {
		var shape string
		second, shape, _ = strings.Cut(second, ".")
		if i.Shape = shapesByName[shape]; i.Shape == NoShape {
			p.fail("unknown op %q", name)
		}
	}
	switch {
	case !ok || o == OpInvalid || o == OpEach:
	case o.has(fEach) && eachByName[second] != ssa.OpInvalid:
		i.Op, i.Each = o, eachByName[second]
		return
	case o.has(fShape) && shapesByName[second] != NoShape:
		i.Op, i.Shape = o, shapesByName[second]
		return
	}
	p.fail("unknown op %q", name)
}

// operand reads a register or a field.
func (p *parser) operand(i *Inst, w string) {
	key, value, ok := strings.Cut(w, "=")
	if w == "write" && i.Op.has(fWrite) {
		i.Write = true
		return
	}
	if w == "stream" && i.Op.has(fStream) {
		i.Stream = true
		return
	}
	if !ok {
		i.Args = append(i.Args, p.reg(strings.TrimSuffix(w, ",")))
		return
	}
	numbers := i.numbers()
	k := slices.IndexFunc(numbers[:], func(n numberField) bool { return n.name == key && i.Op.has(n.field) })
	switch {
	case key == "mask" && i.Op.has(fMask):
		i.Mask = p.reg(value)
	case k < 0:
		p.fail("%v has no %s", i.Op, key)
	case numbers[k].small != nil:
		*numbers[k].small = int32(p.number(value, numbers[k].most))
	default:
		*numbers[k].large = p.signed(value)
	}
}

// end checks that every block named in a branch is defined.
func (p *parser) end() {
	for _, n := range slices.Sorted(maps.Keys(p.blocks)) {
		if n >= len(p.f.Blocks) {
			p.line = p.lines[textPart{"to", n, 0}]
			p.fail("there is no block b%d", n)
		}
	}
	for r := 1; r < len(p.f.Types); r++ {
		if p.f.Types[r].Class == NoClass { // a number that is not in use
			p.f.Types[r] = Type{Scalar, ssa.I32, 1}
		} else if r >= len(p.defs) || !p.defs[r] {
			p.line = p.lines[textPart{"reg", r, 0}]
			p.fail("no instruction defines %s", p.f.name(Reg(r)))
		}
	}
}
