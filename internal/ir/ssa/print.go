package ssa

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// sparse reports whether the n numbers in use are too few below bound to be kept. The printer then renumbers
// the function densely, so that the parser needs memory proportional to the text only.
func sparse(bound, n int) bool { return bound > 256 && bound > 64*n }

// String returns the module's text form.
func (m *Module) String() string {
	p := printer{}
	p.module(m)
	return string(p.buf)
}

// String returns the function's text form.
func (f *Func) String() string {
	p := printer{}
	p.function(f)
	return string(p.buf)
}

// String returns the value's text form without its comment.
func (v *Value) String() string {
	p := printer{}
	p.value(v)
	return string(p.buf)
}

type printer struct {
	buf   []byte
	vnum  []int32 // by ID, if values are renumbered
	bnum  []int32
	order []int32 // by block ID: position in Blocks
}

func (p *printer) str(s string) { p.buf = append(p.buf, s...) }
func (p *printer) int(n int64)  { p.buf = strconv.AppendInt(p.buf, n, 10) }

func (p *printer) key(k string, n int64) {
	p.str(" " + k + "=")
	p.int(n)
}

func (p *printer) quoted(k, s string) {
	if s != "" {
		p.str(" " + k + "=")
		p.buf = strconv.AppendQuoteToASCII(p.buf, s)
	}
}

// name prints @s, quoted unless it is a plain identifier.
func (p *printer) name(s string) {
	p.str("@")
	for i := range len(s) {
		if !isNameByte(s[i]) || i == 0 && s[i] >= '0' && s[i] <= '9' {
			p.buf = strconv.AppendQuoteToASCII(p.buf, s)
			return
		}
	}
	if s == "" {
		p.str(`""`)
	}
	p.str(s)
}

func (p *printer) module(m *Module) {
	for _, g := range m.Globals {
		p.global(g)
	}
	for i, f := range m.Funcs {
		if i > 0 || len(m.Globals) > 0 {
			p.str("\n")
		}
		p.function(f)
	}
}

func (p *printer) global(g *Global) {
	p.str("global ")
	p.name(g.Name)
	p.str(" " + g.Kind.String())
	p.key("size", g.Size)
	p.key("align", g.Align)
	p.quoted("type", g.Type)
	if g.Extern {
		p.str(" extern")
	}
	if g.Init != nil {
		p.str(" init=")
		const digits = "0123456789abcdef"
		if len(g.Init) == 0 {
			p.str("-")
		}
		for _, c := range g.Init {
			p.buf = append(p.buf, digits[c>>4], digits[c&15])
		}
	}
	for _, r := range g.Relocs {
		p.key("reloc", r.Off)
		p.str(":")
		p.name(r.Target.Name)
		if r.Addend != 0 {
			p.str(fmt.Sprintf("%+d", r.Addend))
		}
	}
	p.str("\n")
}

func (p *printer) function(f *Func) {
	p.number(f)
	if f.Kernel != nil {
		p.str("kernel ")
	} else {
		p.str("func ")
	}
	p.name(f.Name)
	p.str("(")
	for i, v := range f.Params {
		if i > 0 {
			p.str(", ")
		}
		p.ref(v)
		p.str(" " + v.Type.String())
	}
	p.str(")")
	if f.Result.K != Void {
		p.str(" " + f.Result.String())
	}
	for i, n := range attrNames {
		if f.Attrs&(1<<i) != 0 {
			p.str(" " + n)
		}
	}
	p.str(" {\n")
	if f.Kernel != nil {
		p.kernel(f.Kernel)
	}
	p.debug(f)
	for _, b := range f.Blocks {
		p.block(b)
	}
	p.str("}\n")
	p.vnum, p.bnum = nil, nil
}

// attrNames are the function attributes' names by bit.
var attrNames = [...]string{"noinline", "alwaysinline"}

// flagNames are the value flags' names by bit.
var flagNames = [...]string{"volatile", "contract", "reassoc", "finite", "nsz", "implicit"}

// approximate is the name of the flag Approximate.
const approximate = "approximate"

// mayApproximate reports whether op may have the flag Approximate.
func (op Op) mayApproximate() bool { return op == OpDiv || op == OpSqrt }

var argKindNames = [...]string{ArgValue: "value", ArgStruct: "struct", ArgGlobal: "global", ArgConstant: "constant", ArgLocal: "local", ArgImage: "image", ArgSampler: "sampler"}

// String returns the kind's name in the text form.
func (k ArgKind) String() string { return nameAt(argKindNames[:], int64(k)) }

// nameAt returns names[i], or "?" for an invalid i in an unverified function.
func nameAt(names []string, i int64) string {
	if i < 0 || i >= int64(len(names)) {
		return "?"
	}
	return names[i]
}

var orderNames = [...]string{"relaxed", "acquire", "release", "acqrel", "seqcst"}
var scopeNames = [...]string{"workitem", "subgroup", "workgroup", "device", "all"}

func (p *printer) kernel(k *Kernel) {
	for i := range k.Args {
		p.arg(&k.Args[i])
	}
	triple := func(name string, v [3]int64) {
		if v != [3]int64{} {
			p.str(fmt.Sprintf("  %s %d %d %d\n", name, v[0], v[1], v[2]))
		}
	}
	triple("reqd", k.ReqdGroupSize)
	triple("hint", k.GroupSizeHint)
	if k.ReqdSubGroupSize != 0 {
		p.str(fmt.Sprintf("  subgroup %d\n", k.ReqdSubGroupSize))
	}
	if k.FlushSubnormals {
		p.str("  flush\n")
	}
	if k.VecTypeHint != "" {
		p.str("  vectype " + strconv.QuoteToASCII(k.VecTypeHint) + "\n")
	}
	if k.Attributes != "" {
		p.str("  attributes " + strconv.QuoteToASCII(k.Attributes) + "\n")
	}
}

func (p *printer) arg(a *KernelArg) {
	p.str("  arg kind=" + a.Kind.String())
	p.quoted("name", a.Name)
	p.quoted("typename", a.TypeName)
	if a.Type != (Type{}) {
		p.str(" type=" + a.Type.String())
	}
	p.key("size", a.Size)
	p.key("align", a.Align)
	if a.ElemKind.class() != 0 {
		p.str(" elem=" + Type{a.ElemKind, a.ElemLanes}.String())
	}
	p.quoted("layout", a.Layout)
	if a.Access != 0 {
		p.key("access", int64(a.Access))
	}
	if a.Image != 0 {
		p.key("image", int64(a.Image))
	}
	for _, q := range []struct {
		on   bool
		name string
	}{{a.Const, "const"}, {a.Volatile, "volatile"}, {a.Restrict, "restrict"}, {a.Pixels, "pixels"}} {
		if q.on {
			p.str(" " + q.name)
		}
	}
	p.str("\n")
}

// number chooses the numbers with which f is printed.
func (p *printer) number(f *Func) {
	p.order = f.blockIndex(new(arena))
	bound, count := 0, 0
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if v.Type.K != Void {
				bound = max(bound, int(v.ID)+1)
				count++
			}
		}
	}
	if sparse(bound, count) {
		p.vnum = make([]int32, f.NumValues())
		n := int32(0)
		for _, b := range f.Blocks {
			for _, v := range b.Values {
				if v.Type.K != Void {
					p.vnum[v.ID] = n
					n++
				}
			}
		}
	}
	bound = 0
	for _, b := range f.Blocks {
		bound = max(bound, int(b.ID)+1)
	}
	if sparse(bound, len(f.Blocks)) {
		p.bnum = p.order
	}
}

func (p *printer) ref(v *Value) {
	if v == nil {
		p.str("v?")
		return
	}
	id := v.ID
	if p.vnum != nil {
		id = p.vnum[id]
	}
	p.buf = strconv.AppendInt(append(p.buf, 'v'), int64(id), 10)
}

func (p *printer) blockRef(b *Block) {
	if b == nil {
		p.str("b?")
		return
	}
	id := b.ID
	if p.bnum != nil {
		id = p.bnum[id]
	}
	p.buf = strconv.AppendInt(append(p.buf, 'b'), int64(id), 10)
}

func (p *printer) block(b *Block) {
	p.blockRef(b)
	if b.Name != "" {
		p.str(" ")
		p.buf = strconv.AppendQuoteToASCII(p.buf, b.Name)
	}
	if b.Unroll != 0 {
		p.str(" unroll=")
		p.buf = strconv.AppendInt(p.buf, int64(b.Unroll), 10)
	}
	p.str(":\n")
	for i, v := range b.Values {
		if v.Op == OpParam && b == b.Func.Blocks[0] && i < len(b.Func.Params) {
			continue
		}
		p.str("  ")
		p.value(v)
		p.str("\n")
	}
}

func (p *printer) value(v *Value) {
	if v.Type.K != Void {
		p.ref(v)
		p.str(" = ")
	}
	p.str(v.Op.String())
	for i := range auxFields[Ops[v.Op].Aux] {
		if f := &auxFields[Ops[v.Op].Aux][i]; f.key == "" {
			if name := nameAt(f.names, f.get(v.Aux)); name != "" {
				p.str("." + name)
			}
		}
	}
	if x, ok := v.Sym.(*Extern); ok && x.Builtin {
		p.str(".builtin")
	}
	for i, n := range flagNames {
		if v.Flags&(1<<i) != 0 {
			if 1<<i == Approximate && v.Op.mayApproximate() {
				n = approximate
			}
			p.str("." + n)
		}
	}
	if v.Type.K != Void {
		p.str(" " + v.Type.String())
	}
	switch s := v.Sym.(type) {
	case *Func:
		p.str(" ")
		p.name(s.Name)
	case *Global:
		p.str(" ")
		p.name(s.Name)
	case *Extern:
		p.str(" ")
		p.buf = strconv.AppendQuoteToASCII(p.buf, s.Name)
	}
	if v.Op == OpPhi {
		p.phi(v)
	} else {
		for i, a := range v.Args {
			if i > 0 {
				p.str(",")
			}
			p.str(" ")
			p.ref(a)
		}
	}
	p.rest(v)
}

// phi prints the arguments in the layout order of their predecessors.
func (p *printer) phi(v *Value) {
	if v.Block == nil || len(v.Block.Preds) != len(v.Args) {
		for _, a := range v.Args {
			p.str(" ?:")
			p.ref(a)
		}
		return
	}
	preds := v.Block.Preds
	at := make([]int, len(preds))
	for i := range at {
		at[i] = i
	}
	if p.order != nil {
		slices.SortStableFunc(at, func(i, j int) int { return int(p.order[preds[i].ID] - p.order[preds[j].ID]) })
	}
	for _, i := range at {
		p.str(" ")
		p.blockRef(preds[i])
		p.str(":")
		p.ref(v.Args[i])
	}
}

// rest prints the part after the arguments.
func (p *printer) rest(v *Value) {
	for i := range auxFields[Ops[v.Op].Aux] {
		f := &auxFields[Ops[v.Op].Aux][i]
		switch x := f.get(v.Aux); {
		case f.key == "" || f.optional && x == 0:
		case f.names != nil:
			p.str(" " + f.key + "=" + nameAt(f.names, x))
		default:
			p.key(f.key, x)
		}
	}
	switch v.Op {
	case OpConst:
		p.constant(v)
	case OpShuffle, OpPermute:
		p.str(" lanes=")
		for i, l := range v.Lanes {
			if i > 0 {
				p.str(":")
			}
			if l == ShuffleUndef {
				p.str("u")
			} else {
				p.int(int64(l))
			}
		}
	case OpAlloca:
		if s, ok := v.Sym.(*Alloca); ok {
			p.key("size", s.Size)
			p.key("align", s.Align)
			p.quoted("name", s.Name)
			p.quoted("type", s.Type)
		}
	case OpJump, OpBranch, OpSwitch:
		if v.Block == nil {
			return
		}
		for i, s := range v.Block.Succs {
			p.str(" ")
			if v.Op == OpSwitch && i > 0 && i <= len(v.Bits) {
				p.number1(v.Bits[i-1], v.Args[0].Type.K)
				p.str(":")
			}
			p.blockRef(s)
		}
	}
}

func (p *printer) constant(v *Value) {
	p.str(" ")
	if len(v.Bits) == 1 {
		p.number1(v.Bits[0], v.Type.K)
		return
	}
	for i, x := range v.Bits {
		p.str([...]string{"(", " "}[min(i, 1)])
		p.number1(x, v.Type.K)
	}
	p.str(")")
}

// number1 prints raw bits of kind k so that they parse to the same bits.
func (p *printer) number1(x uint64, k Kind) {
	n := k.Num()
	switch {
	case k == Bool:
		p.str([...]string{"false", "true"}[x&1])
	case k.IsPtr() || k == Handle:
		p.str("0x" + strconv.FormatUint(x, 16))
	case n.IsFloat():
		p.float(x, n)
	case n.Signed():
		s := 64 - n.Bits()
		p.int(int64(x<<s) >> s)
	default:
		p.buf = strconv.AppendUint(p.buf, x, 10)
	}
}

func (p *printer) float(x uint64, n numeric.Kind) {
	size := 64
	var f float64
	switch n {
	case numeric.F16:
		f = numeric.Half(x).Float64()
	case numeric.F32:
		f, size = float64(math.Float32frombits(uint32(x))), 32
	default:
		f = math.Float64frombits(x)
	}
	switch {
	case math.IsNaN(f):
		p.str("nan(0x" + strconv.FormatUint(x, 16) + ")")
	case math.IsInf(f, 0):
		p.str(map[bool]string{false: "inf", true: "-inf"}[f < 0])
	default:
		s := strconv.FormatFloat(f, 'g', -1, size)
		if len(s) > 12 {
			s = strconv.FormatFloat(f, 'x', -1, size)
		}
		p.str(s)
	}
}
