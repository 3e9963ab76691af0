package ssa

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/purecl/purecl/internal/front/diag"
)

// A TextError is an error in the text form.
type TextError struct {
	File      string
	Line, Col int // from 1, in bytes
	Msg       string
}

func (e *TextError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg)
}

// ParseText reads the text form. Positions of the module's values are those in the text, which becomes the only
// file of the module's Source. The module is well formed as text, but not necessarily valid: see VerifyModule.
// An error is a *TextError.
func ParseText(name string, src []byte) (m *Module, err error) {
	source := diag.NewSource()
	file, ok := source.AddFile(name, src, 0)
	if !ok {
		return nil, &TextError{name, 1, 1, "too large"}
	}
	p := &parser{src: src, file: file, m: &Module{Source: source}, name: name,
		room: 4096 + 64*len(src), globals: map[string]*Global{}, funcs: map[string]*Func{}}
	defer func() {
		if e := recover(); e != nil {
			te, ok := e.(*TextError)
			if !ok {
				panic(e)
			}
			m, err = nil, te
		}
	}()
	p.module()
	return p.m, nil
}

// A token is a run of name bytes, a string, or one other byte.
type token struct {
	text string // as written; a string with its quotes
	off  int
}

type parser struct {
	src     []byte
	name    string
	file    *diag.File
	off     int
	tok     token
	nl      bool // a line end precedes tok
	m       *Module
	room    int // how many more value and block numbers the text may use
	globals map[string]*Global
	funcs   map[string]*Func
	later   []func() // actions that need all symbols of the module

	f      *Func
	values []*Value // the function's values by number
	blocks []*Block
	uses   []use
	edges  []edgeUse
	phis   []phiUse
	places []func() // places of variables, read once the function is complete
}

// A use is an argument to be filled in when the function has been read.
type use struct {
	v   *Value
	arg int
	id  int32
	off int
}

type edgeUse struct {
	from *Block
	to   int32
	off  int
}

// A phiUse holds a phi's arguments with their blocks.
type phiUse struct {
	v   *Value
	arg []phiArg
}

type phiArg struct {
	block int32
	arg   int
	off   int
}

func (p *parser) fail(off int, format string, args ...any) {
	line, col := p.file.LineCol(off)
	panic(&TextError{p.name, line, col, fmt.Sprintf(format, args...)})
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '$'
}

// next reads a token. Blanks, commas, comments and line ends separate tokens.
func (p *parser) next() {
	p.nl = false
	for p.off < len(p.src) {
		c := p.src[p.off]
		switch {
		case c == '\n':
			p.nl = true
			p.off++
		case c == ' ' || c == '\t' || c == '\r' || c == ',':
			p.off++
		case c == ';':
			for p.off < len(p.src) && p.src[p.off] != '\n' {
				p.off++
			}
		default:
			p.scan(c)
			return
		}
	}
	p.nl = true
	p.tok = token{"", p.off}
}

func (p *parser) scan(c byte) {
	start := p.off
	p.off++
	switch {
	case c == '"':
		for {
			if p.off >= len(p.src) || p.src[p.off] == '\n' {
				p.fail(start, "unterminated string")
			}
			c := p.src[p.off]
			p.off++
			if c == '\\' && p.off < len(p.src) {
				p.off++
			} else if c == '"' {
				break
			}
		}
	case isNameByte(c) || c == '-' || c == '+':
		number := c >= '0' && c <= '9' || c == '-' || c == '+'
		for p.off < len(p.src) && (isNameByte(p.src[p.off]) || number && p.exponentSign()) {
			p.off++
		}
	}
	p.tok = token{string(p.src[start:p.off]), start}
}

// exponentSign reports whether the byte at off is a sign that belongs to a number such
// as 1e-5 or 0x1p+3: it follows an exponent letter and a digit follows it.
func (p *parser) exponentSign() bool {
	c := p.src[p.off]
	if c != '-' && c != '+' || p.off+1 >= len(p.src) || p.src[p.off+1] < '0' || p.src[p.off+1] > '9' {
		return false
	}
	e := p.src[p.off-1]
	return e == 'e' || e == 'p'
}

func (p *parser) take() token {
	t := p.tok
	p.next()
	return t
}

func (p *parser) got(s string) bool {
	if p.tok.text == s && s != "" {
		p.next()
		return true
	}
	return false
}

func (p *parser) want(s string) {
	if !p.got(s) {
		p.fail(p.tok.off, "expected %q, found %q", s, p.tok.text)
	}
}

func (p *parser) str() string {
	t := p.take()
	s, err := strconv.Unquote(t.text)
	if err != nil || t.text[0] != '"' {
		p.fail(t.off, "expected a string, found %q", t.text)
	}
	return s
}

func (p *parser) int() int64 {
	t := p.take()
	n, err := strconv.ParseInt(t.text, 0, 64)
	if err != nil {
		p.fail(t.off, "expected an integer, found %q", t.text)
	}
	return n
}

func (p *parser) symbol() string {
	p.want("@")
	if p.tok.text != "" && p.tok.text[0] == '"' {
		return p.str()
	}
	t := p.take()
	if t.text == "" || !isNameByte(t.text[0]) {
		p.fail(t.off, "expected a name, found %q", t.text)
	}
	return t.text
}

// number parses "v12" or "b12" (prefix 'v' or 'b').
func (p *parser) number(t token, prefix byte) int32 {
	if len(t.text) < 2 || t.text[0] != prefix || t.text[1] < '0' || t.text[1] > '9' || t.text[1] == '0' && len(t.text) > 2 {
		p.fail(t.off, "expected %cN, found %q", prefix, t.text)
	}
	n, err := strconv.ParseUint(t.text[1:], 10, 31)
	if err != nil {
		p.fail(t.off, "expected %cN, found %q", prefix, t.text)
	}
	return int32(n)
}

func (p *parser) module() {
	p.next()
	for p.tok.text != "" {
		t := p.take()
		switch t.text {
		case "global":
			p.global(t)
		case "func", "kernel":
			p.function(t)
		default:
			p.fail(t.off, `expected "global", "func" or "kernel", found %q`, t.text)
		}
	}
	for _, fn := range p.later {
		fn()
	}
}

func (p *parser) global(at token) {
	g := &Global{Name: p.symbol(), Pos: p.file.Pos(at.off)}
	if p.globals[g.Name] != nil {
		p.fail(at.off, "duplicate global @%s", g.Name)
	}
	p.globals[g.Name] = g
	p.m.Globals = append(p.m.Globals, g)
	g.Kind = p.typ().K
	for !p.nl {
		t := p.take()
		if t.text == "extern" {
			g.Extern = true
			continue
		}
		p.want("=")
		switch t.text {
		case "size":
			g.Size = p.int()
		case "align":
			g.Align = p.int()
		case "type":
			g.Type = p.str()
		case "init":
			h := p.take()
			g.Init = []byte{}
			if h.text != "-" {
				b, err := hex.DecodeString(h.text)
				if err != nil {
					p.fail(h.off, "expected hexadecimal bytes, found %.20q", h.text)
				}
				g.Init = b
			}
		case "reloc":
			p.reloc(g)
		default:
			p.fail(t.off, "unknown property %q", t.text)
		}
	}
}

func (p *parser) reloc(g *Global) {
	r := Reloc{Off: p.int()}
	p.want(":")
	off := p.tok.off
	name := p.symbol()
	if c := p.tok.text; c != "" && !p.nl && (c[0] == '+' || c[0] == '-') {
		r.Addend = p.int()
	}
	i := len(g.Relocs)
	g.Relocs = append(g.Relocs, r)
	p.later = append(p.later, func() {
		if g.Relocs[i].Target = p.globals[name]; g.Relocs[i].Target == nil {
			p.fail(off, "no global @%s", name)
		}
	})
}

func (p *parser) function(at token) {
	f := p.m.NewFunc(p.symbol(), TVoid)
	f.Pos = p.file.Pos(at.off)
	if p.funcs[f.Name] != nil {
		p.fail(at.off, "duplicate function @%s", f.Name)
	}
	p.funcs[f.Name] = f
	p.f, p.values, p.blocks = f, p.values[:0], p.blocks[:0]
	p.uses, p.edges, p.phis, p.places = p.uses[:0], p.edges[:0], p.phis[:0], p.places[:0]
	p.want("(")
	for !p.got(")") {
		t := p.take()
		v := p.f.NewValue(OpParam, p.typ(), p.file.Pos(t.off))
		v.Aux = int64(len(f.Params))
		p.define(v, t)
		f.Params = append(f.Params, v)
	}
	if t, ok := typeOf(p.tok.text); ok {
		f.Result = t
		p.next()
	}
	for !p.got("{") {
		t := p.take()
		i := slices.Index(attrNames[:], t.text)
		if i < 0 {
			p.fail(t.off, "unknown attribute %q", t.text)
		}
		f.Attrs |= 1 << i
	}
	if at.text == "kernel" {
		f.Kernel = &Kernel{}
		p.kernel(f.Kernel)
	}
	p.debug()
	p.body()
	p.finish()
}

func (p *parser) kernel(k *Kernel) {
	triple := func() (v [3]int64) {
		for i := range v {
			v[i] = p.int()
		}
		return v
	}
	for {
		switch {
		case p.got("arg"):
			k.Args = append(k.Args, p.arg())
		case p.got("reqd"):
			k.ReqdGroupSize = triple()
		case p.got("hint"):
			k.GroupSizeHint = triple()
		case p.got("subgroup"):
			k.ReqdSubGroupSize = p.int()
		case p.got("flush"):
			k.FlushSubnormals = true
		case p.got("vectype"):
			k.VecTypeHint = p.str()
		case p.got("attributes"):
			k.Attributes = p.str()
		default:
			return
		}
	}
}

func (p *parser) arg() (a KernelArg) {
	for !p.nl {
		t := p.take()
		switch t.text {
		case "const":
			a.Const = true
			continue
		case "volatile":
			a.Volatile = true
			continue
		case "restrict":
			a.Restrict = true
			continue
		case "pixels":
			a.Pixels = true
			continue
		}
		p.want("=")
		switch t.text {
		case "kind":
			w := p.take()
			i := slices.Index(argKindNames[:], w.text)
			if i < 0 {
				p.fail(w.off, "unknown argument kind %q", w.text)
			}
			a.Kind = ArgKind(i)
		case "name":
			a.Name = p.str()
		case "typename":
			a.TypeName = p.str()
		case "type":
			a.Type = p.typ()
		case "size":
			a.Size = p.int()
		case "align":
			a.Align = p.int()
		case "elem":
			e := p.typ()
			a.ElemKind, a.ElemLanes = e.K, e.N
		case "layout":
			a.Layout = p.str()
		case "access":
			a.Access = uint8(p.small(255))
		case "image":
			a.Image = uint8(p.small(255))
		default:
			p.fail(t.off, "unknown property %q", t.text)
		}
	}
	if a.ElemKind == 0 {
		a.ElemKind = Void
	}
	return a
}

// small parses a number from 0 to limit.
func (p *parser) small(limit int64) int64 {
	off := p.tok.off
	n := p.int()
	if n < 0 || n > limit {
		p.fail(off, "number out of range")
	}
	return n
}

// spend counts a number against the limit for a text of this size.
func (p *parser) spend(t token) {
	if p.room--; p.room < 0 {
		p.fail(t.off, "numbers too large")
	}
}

// define gives v the number in token t.
func (p *parser) define(v *Value, t token) {
	id := p.number(t, 'v')
	for int(id) >= len(p.values) {
		p.spend(t)
		p.values = append(p.values, nil)
	}
	if p.values[id] != nil {
		p.fail(t.off, "duplicate v%d", id)
	}
	p.values[id] = v
	v.ID = id
}

func (p *parser) body() {
	var b *Block
	for !p.got("}") {
		t := p.tok
		if t.text == "" {
			p.fail(t.off, "expected \"}\" at the end of the function")
		}
		if t.text[0] == 'b' && len(t.text) > 1 && t.text[1] >= '0' && t.text[1] <= '9' {
			b = p.blockHead()
			continue
		}
		if b == nil {
			p.fail(t.off, "expected a block such as b0:")
		}
		p.value(b)
	}
}

func (p *parser) blockHead() *Block {
	t := p.take()
	id := p.number(t, 'b')
	for int(id) >= len(p.blocks) {
		p.spend(t)
		p.blocks = append(p.blocks, nil)
	}
	if p.blocks[id] != nil {
		p.fail(t.off, "duplicate b%d", id)
	}
	b := p.f.NewBlock("")
	b.ID = id
	p.blocks[id] = b
	if len(p.f.Blocks) == 1 {
		for _, v := range p.f.Params {
			b.Append(v)
		}
	}
	if p.tok.text != ":" && p.tok.text != "unroll" {
		b.Name = p.str()
	}
	if p.got("unroll") {
		p.want("=")
		b.Unroll = int32(p.int())
	}
	p.want(":")
	return b
}

// ops by name.
var opByName = func() map[string]Op {
	m := map[string]Op{}
	for o := OpConst; o < NumOps; o++ {
		m[o.String()] = o
	}
	return m
}()

// value parses one value and appends it to b.
func (p *parser) value(b *Block) {
	first := p.take()
	opTok, typed := first, false
	if p.got("=") {
		opTok, typed = p.take(), true
	}
	word, suffix, _ := strings.Cut(opTok.text, ".")
	op, ok := opByName[word]
	if !ok {
		p.fail(opTok.off, "unknown op %q", word)
	}
	v := p.f.NewValue(op, TVoid, p.file.Pos(first.off))
	b.Append(v)
	if op == OpExtern {
		v.Sym = &Extern{}
	}
	if v.ID = -1; typed {
		p.define(v, first)
	}
	if suffix != "" {
		for s := range strings.SplitSeq(suffix, ".") {
			p.suffix(v, s, opTok.off)
		}
	}
	if typed {
		off := p.tok.off
		if v.Type = p.typ(); v.Type == TVoid {
			p.fail(off, "a void value must not have a number")
		}
	}
	p.operands(b, v)
}

func (p *parser) suffix(v *Value, s string, off int) {
	if i := slices.Index(flagNames[:], s); i >= 0 {
		v.Flags |= 1 << i
		return
	}
	if s == approximate && v.Op.mayApproximate() {
		v.Flags |= Approximate
		return
	}
	if v.Op == OpExtern && s == "builtin" {
		v.Sym.(*Extern).Builtin = true
		return
	}
	for i := range auxFields[Ops[v.Op].Aux] {
		f := &auxFields[Ops[v.Op].Aux][i]
		if x := slices.Index(f.names, s); f.key == "" && x >= 0 {
			v.Aux = f.with(v.Aux, int64(x))
			return
		}
	}
	p.fail(off, "unknown suffix %q of %v", s, v.Op)
}

// operands parses everything after the type.
func (p *parser) operands(b *Block, v *Value) {
	switch v.Op {
	case OpConst:
		p.constant(v)
		return
	case OpAlloca:
		v.Sym = &Alloca{}
	}
	if p.tok.text == "@" && !p.nl {
		p.symbolRef(v)
	} else if p.tok.text != "" && p.tok.text[0] == '"' && !p.nl {
		if x, ok := v.Sym.(*Extern); ok {
			x.Name = p.str()
		} else {
			p.fail(p.tok.off, "%v must not have a name", v.Op)
		}
	}
	if v.Op == OpPhi {
		p.phis = append(p.phis, phiUse{v: v})
	}
	for !p.nl && p.tok.text != "}" {
		t := p.take()
		switch {
		case t.text[0] == 'v' && p.tok.text != "=":
			p.use(v, t)
		case p.tok.text == "=" && !p.nl:
			p.next()
			p.property(v, t)
		case p.tok.text == ":" && !p.nl && v.Op == OpPhi:
			p.next()
			u := &p.phis[len(p.phis)-1]
			u.arg = append(u.arg, phiArg{p.number(t, 'b'), len(v.Args), t.off})
			p.use(v, p.take())
		case p.tok.text == ":" && !p.nl && v.Op == OpSwitch:
			p.next()
			p.later = append(p.later, p.caseValue(v, t))
			v.Bits = append(v.Bits, 0)
			p.edge(b, p.take())
		case t.text[0] == 'b' && (v.Op == OpJump || v.Op == OpBranch || v.Op == OpSwitch):
			p.edge(b, t)
		default:
			p.fail(t.off, "unexpected %q", t.text)
		}
	}
}

// caseValue sets a case's bits once the type of the switch's argument is known.
func (p *parser) caseValue(v *Value, t token) func() {
	i := len(v.Bits)
	return func() {
		if len(v.Args) == 0 {
			p.fail(t.off, "a switch without argument")
		}
		v.Bits[i] = p.bits(t, v.Args[0].Type.K)
	}
}

func (p *parser) symbolRef(v *Value) {
	off := p.tok.off
	name := p.symbol()
	p.later = append(p.later, func() {
		if g := p.globals[name]; g != nil && v.Op == OpGlobalAddr {
			v.Sym = g
		} else if f := p.funcs[name]; f != nil && v.Op == OpCall {
			v.Sym = f
		} else {
			p.fail(off, "no @%s for this %v", name, v.Op)
		}
	})
}

func (p *parser) use(v *Value, t token) {
	p.uses = append(p.uses, use{v, len(v.Args), p.number(t, 'v'), t.off})
	if len(v.Args) < len(v.argbuf) && len(v.Args) == 0 {
		v.Args = v.argbuf[:0]
	}
	v.Args = append(v.Args, nil)
}

func (p *parser) edge(b *Block, t token) {
	p.edges = append(p.edges, edgeUse{b, p.number(t, 'b'), t.off})
}

// enum parses one of the names.
func (p *parser) enum(names []string) int64 {
	t := p.take()
	i := slices.Index(names, t.text)
	if i < 0 {
		p.fail(t.off, "expected one of %v, found %q", names, t.text)
	}
	return int64(i)
}

// property parses the value of key=….
func (p *parser) property(v *Value, key token) {
	a, _ := v.Sym.(*Alloca)
	for i := range auxFields[Ops[v.Op].Aux] {
		f := &auxFields[Ops[v.Op].Aux][i]
		switch {
		case f.key != key.text:
		case f.names != nil:
			v.Aux = f.with(v.Aux, p.enum(f.names))
			return
		default:
			off := p.tok.off
			x := p.int()
			if x < 0 || x > f.limit() {
				p.fail(off, "%d is not a valid %s: want 0 to %d", x, f.key, f.limit())
			}
			v.Aux = f.with(v.Aux, x)
			return
		}
	}
	switch key.text {
	case "lanes":
		if v.Op != OpShuffle && v.Op != OpPermute {
			p.fail(key.off, "%v has no property %q", v.Op, key.text)
		}
		p.lanes(v)
	case "align", "size", "name", "type":
		if a == nil {
			p.fail(key.off, "%v has no property %q", v.Op, key.text)
		}
		switch key.text {
		case "align":
			a.Align = p.int()
			return
		case "size":
			a.Size = p.int()
			return
		}
		if s := p.str(); key.text == "name" {
			a.Name = s
		} else {
			a.Type = s
		}
	default:
		p.fail(key.off, "unknown property %q", key.text)
	}
}

// finish resolves the function's numbers.
func (p *parser) finish() {
	f := p.f
	f.nextValue, f.nextBlock = int32(len(p.values)), int32(len(p.blocks))
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if v.ID < 0 {
				v.ID = f.nextValue
				f.nextValue++
			}
		}
	}
	for _, u := range p.uses {
		if int(u.id) >= len(p.values) || p.values[u.id] == nil {
			p.fail(u.off, "no v%d", u.id)
		}
		u.v.Args[u.arg] = p.values[u.id]
	}
	for _, set := range p.places {
		set()
	}
	for _, e := range p.edges {
		e.from.Link(p.block(e.to, e.off))
	}
	for _, u := range p.phis {
		p.orderPhi(u)
	}
}

func (p *parser) block(id int32, off int) *Block {
	if int(id) >= len(p.blocks) || p.blocks[id] == nil {
		p.fail(off, "no b%d", id)
	}
	return p.blocks[id]
}

// orderPhi puts a phi's arguments into the order of its block's predecessors.
func (p *parser) orderPhi(u phiUse) {
	preds := u.v.Block.Preds
	off := int(u.v.Pos - p.file.Pos(0))
	if len(u.arg) != len(preds) || len(u.v.Args) != len(preds) {
		p.fail(off, "%d arguments for %d predecessors", len(u.v.Args), len(preds))
	}
	// Both sides sorted by block, stably.
	at := make([]int, len(preds))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(i, j int) int { return int(preds[i].ID - preds[j].ID) })
	slices.SortStableFunc(u.arg, func(x, y phiArg) int { return int(x.block - y.block) })
	args := make([]*Value, len(preds))
	for i, a := range u.arg {
		if preds[at[i]].ID != a.block {
			p.fail(a.off, "b%d is not a predecessor once for each argument", a.block)
		}
		args[at[i]] = u.v.Args[a.arg]
	}
	u.v.SetArgs(args...)
}
