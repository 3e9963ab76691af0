package builtin

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/types"
)

// Signatures are written as in the specification, "gentypef fmin(gentypef, sgentypef)": a result type, the name,
// parameter types. A type is
//
//	[SPACES] [const] [volatile] [ACCESS] [atomic] WORD [*]
//
// SPACES are the address spaces of a pointer's object, alternatives joined by '|'; "any" is
// private|local|global|generic. WORD is a type name of OpenCL C or one of the words below. A domain word matches
// any type of a set, the same one for all words of a signature; the derived words follow from it.

// A laneSet has bit n set if it contains vectors of n components; bit 1 is the scalar.
type laneSet uint32

const (
	lanesAll  laneSet = 1<<1 | lanesVec
	lanesVec  laneSet = 1<<2 | 1<<3 | 1<<4 | 1<<8 | 1<<16
	lanesGeom laneSet = 1<<1 | 1<<2 | 1<<3 | 1<<4
	lanesEven laneSet = 1<<2 | 1<<4 | 1<<8 | 1<<16
)

// An elemSet has bit k set if it contains the scalar type of kind k.
type elemSet uint32

const (
	elemSigned   elemSet = 1<<types.Char | 1<<types.Short | 1<<types.Int | 1<<types.Long
	elemUnsigned elemSet = 1<<types.UChar | 1<<types.UShort | 1<<types.UInt | 1<<types.ULong
	elemInt              = elemSigned | elemUnsigned
	elemInt32    elemSet = 1<<types.Int | 1<<types.UInt
	elemInt64    elemSet = 1<<types.Long | 1<<types.ULong
	elemNarrow           = elemInt &^ elemInt64
	elemFloat    elemSet = 1<<types.Half | 1<<types.Float | 1<<types.Double
	elemF32      elemSet = 1 << types.Float
	elemF64      elemSet = 1 << types.Double
	elemAll              = elemInt | elemFloat
)

type domain struct {
	elems elemSet
	lanes laneSet
}

// Domain words.
var domains = map[string]domain{
	"gentype":    {elemAll, lanesAll},
	"gentypen":   {elemAll, lanesEven}, // of shuffle
	"gentypef":   {elemFloat, lanesAll},
	"vgentypef":  {elemFloat, lanesVec},
	"gentypef32": {elemF32, lanesAll},
	"gentypei":   {elemInt, lanesAll},
	"vgentypei":  {elemInt, lanesVec},
	"gentypesi":  {elemSigned, lanesAll},
	"gentypei32": {elemInt32, lanesAll},
	"gentypein":  {elemNarrow, lanesAll}, // integers of 8, 16 and 32 bits
	"gentypeg":   {elemFloat, lanesGeom}, // of geometric functions
	"gentypeg32": {elemF32, lanesGeom},
	"gentypex":   {elemFloat, 1<<3 | 1<<4},
	"elem":       {elemAll, 1 << 1},
	"elemi":      {elemInt, 1 << 1},
	"elemc":      {elemInt32 | elemInt64 | elemFloat, 1 << 1}, // of work-group collectives
	"elema":      {elemInt32 | elemInt64 | elemF32 | elemF64, 1 << 1},
	"elemai":     {elemInt32 | elemInt64, 1 << 1},
	"elemaf":     {elemF32 | elemF64, 1 << 1},
}

// Derived words: from the element kind and the number of components of the domain word.
var derived = map[string]func(k types.Kind, n, m uint8) ptype{
	"sgentype": func(k types.Kind, n, m uint8) ptype { return vec(k, 1) },
	// The integer of the same width.
	"igentype": func(k types.Kind, n, m uint8) ptype { return vec(signedOf(k), n) },
	"ugentype": func(k types.Kind, n, m uint8) ptype { return vec(unsignedOf(k), n) },
	// int and uint with the same number of components.
	"intn":  func(k types.Kind, n, m uint8) ptype { return vec(types.Int, n) },
	"uintn": func(k types.Kind, n, m uint8) ptype { return vec(types.UInt, n) },
	// The result of relational functions.
	"relgentype": func(k types.Kind, n, m uint8) ptype {
		if n == 1 {
			return vec(types.Int, 1)
		}
		return vec(signedOf(k), n)
	},
	// The integer of double width.
	"wgentype": func(k types.Kind, n, m uint8) ptype { return vec(k+2, n) },
	// The same element in the second number of components, of shuffle.
	"gentypem": func(k types.Kind, n, m uint8) ptype { return vec(k, m) },
}

func vec(k types.Kind, n uint8) ptype { return ptype{kind: k, lanes: n} }

func signedOf(k types.Kind) types.Kind {
	switch k {
	case types.Half:
		return types.Short
	case types.Float:
		return types.Int
	case types.Double:
		return types.Long
	}
	return k - (k-types.Char)%2
}

func unsignedOf(k types.Kind) types.Kind { return signedOf(k) + 1 }

// A ptype is a parameter or result type of an overload, independent of a
// types.Context. It is comparable.
type ptype struct {
	kind   types.Kind // kind of the element; Void, Image, Sampler, Event
	lanes  uint8
	ptr    bool // a pointer to the type
	atomic bool
	cnst   bool
	vol    bool
	space  types.AddressSpace
	image  types.ImageKind
	access types.Access
}

// A proto is an overload without types of a Context.
type proto struct {
	row    *Row
	result ptype
	params []ptype
	needs  needs
	domain ptype // type of the domain word, with its number of components
	shared atomic.Pointer[Overload]
	ctxt   bool // its types depend on a Context
}

// needs are requirements of an overload's types.
type needs uint8

const (
	needDouble needs = 1 << iota
	needHalf
	needGeneric
)

// A group is all overloads of one name, of one or more rows.
type group struct {
	name   string
	rows   []*Row
	once   sync.Once
	protos []*proto
}

func (g *group) overloads() []*proto {
	g.once.Do(func() {
		var x expansion
		if len(g.rows) > 1 {
			x.seen = map[paramsKey]bool{}
		}
		for _, r := range g.rows {
			for _, s := range r.Sigs {
				x.expand(r, s)
			}
		}
		g.protos = x.out
	})
	return g.protos
}

// An expansion collects the overloads of a name. It is optimised for speed: a name such as select has hundreds, of
// which a program uses one.
type expansion struct {
	out    []*proto
	seen   map[paramsKey]bool // where rows overlap
	protos []proto            // unused memory
	params []ptype
}

// A paramsKey is the parameter list of an overload; overlapping rows have short lists.
type paramsKey [4]ptype

// A term is a parsed type of a signature.
type term struct {
	word   string
	spaces []types.AddressSpace
	access []types.Access // alternatives
	base   ptype          // all but the address space; kind and lanes if the word is a plain type
	ptr    bool
}

var spaceWords = map[string]types.AddressSpace{"private": types.Private, "local": types.Local, "global": types.Global, "constant": types.Constant, "generic": types.Generic}

var accessWords = map[string]types.Access{"read_only": types.ReadOnly, "write_only": types.WriteOnly, "read_write": types.ReadWrite}

// plainTypes are the type words that are no vectors of a scalar.
var plainTypes = map[string]ptype{
	"void": vec(types.Void, 1), "sampler_t": vec(types.Sampler, 1), "event_t": vec(types.Event, 1),
	"size_t": vec(types.ULong, 1), "ptrdiff_t": vec(types.Long, 1), "cl_mem_fence_flags": vec(types.UInt, 1),
	"memory_order": vec(types.Int, 1), "memory_scope": vec(types.Int, 1),
}

func parseTerm(s string) (t term) {
	s, t.ptr = strings.CutSuffix(s, "*")
	for _, w := range strings.Fields(s) {
		switch {
		case w == "const":
			t.base.cnst = true
		case w == "volatile":
			t.base.vol = true
		case w == "atomic":
			t.base.atomic = true
		case accessWords[w] != 0:
			t.base.access = accessWords[w]
		case strings.HasPrefix(w, "read_") || strings.HasPrefix(w, "write_"):
			for a := range strings.SplitSeq(w, "|") {
				t.access = append(t.access, accessWords[a])
			}
		case w == "any" || strings.Contains(w, "|") || spaceWords[w] != 0:
			for a := range strings.SplitSeq(strings.Replace(w, "any", "private|local|global|generic", 1), "|") {
				t.spaces = append(t.spaces, spaceWords[a])
			}
		default:
			t.word = w
		}
	}
	if _, ok := domainOf(t.word); ok || derived[t.word] != nil {
		return t
	}
	p, ok := plainType(t.word)
	if !ok {
		panic("builtin: unknown type " + s)
	}
	t.base.kind, t.base.lanes, t.base.image = p.kind, p.lanes, p.image
	return t
}

// lanesOf returns the number of components of a type with the suffix in its name, 0 if there is none.
func lanesOf(suffix string) uint8 {
	if suffix == "" {
		return 1
	}
	return uint8(max(0, slices.Index(opencl.VectorSuffixes[:], suffix)))
}

func plainType(w string) (ptype, bool) {
	if p, ok := plainTypes[w]; ok {
		return p, true
	}
	for i := range opencl.ImageTypes {
		if opencl.ImageTypes[i].Name == w {
			return ptype{kind: types.Image, image: types.ImageKind(i)}, true
		}
	}
	name := strings.TrimRight(w, "0123456789")
	n := lanesOf(w[len(name):])
	if n == 0 {
		return ptype{}, false
	}
	for k := types.Bool; k <= types.Double; k++ {
		if types.ScalarType(k).Name == name {
			return vec(k, n), true
		}
	}
	return ptype{}, false
}

// expand adds the overloads of a signature.
func (e *expansion) expand(r *Row, sig string) {
	head, tail, ok := strings.Cut(sig, "(")
	i := strings.LastIndexByte(head, ' ')
	if !ok || i < 0 || !strings.HasSuffix(tail, ")") || head[i+1:] != r.Name {
		panic("builtin: bad signature " + sig)
	}
	terms := []term{parseTerm(head[:i])}
	for p := range strings.SplitSeq(strings.TrimSuffix(tail, ")"), ",") {
		p = strings.TrimSpace(p)
		if p != "" && p != "void" && p != "..." {
			terms = append(terms, parseTerm(p))
		}
	}
	dom, second := domain{1 << types.Void, 1 << 1}, laneSet(1)
	var choices []choice // of the terms with alternative address spaces or access qualifiers
	for _, t := range terms {
		if d, ok := domainOf(t.word); ok {
			dom = d
		}
		if t.word == "gentypem" {
			second = lanesEven
		}
		if n := max(len(t.spaces), len(t.access)); n > 1 && !slices.ContainsFunc(choices, func(c choice) bool { return slices.Equal(c.spaces, t.spaces) }) {
			choices = append(choices, choice{t.spaces, n, 0})
		}
	}
	for k := types.Void; k <= types.Double; k++ {
		for l := dom.lanes; dom.elems>>k&1 != 0 && l != 0; l &= l - 1 {
			for m := second; m != 0; m &= m - 1 {
				for more := true; more; more = next(choices) {
					e.add(e.instantiate(r, terms, k, uint8(bits.TrailingZeros32(uint32(l))), uint8(bits.TrailingZeros32(uint32(m))), choices))
				}
			}
		}
	}
}

func (e *expansion) add(p *proto) {
	if e.seen != nil && len(p.params) <= len(paramsKey{}) {
		var k paramsKey
		copy(k[:], p.params)
		if e.seen[k] {
			return
		}
		e.seen[k] = true
	}
	e.out = append(e.out, p)
}

// A choice is the index of an alternative, among n; terms with the same alternatives share it.
type choice struct {
	spaces []types.AddressSpace
	n, i   int
}

// next steps to the next combination of choices and reports whether there was one.
func next(cs []choice) bool {
	for j := range cs {
		if cs[j].i++; cs[j].i < cs[j].n {
			return true
		}
		cs[j].i = 0
	}
	return false
}

// domainOf returns the domain of a domain word, which may end in a number of lanes.
func domainOf(w string) (domain, bool) {
	if d, ok := domains[w]; ok {
		return d, true
	}
	if name := strings.TrimRight(w, "0123456789"); name != w {
		if d, ok := domains[name]; ok {
			n, err := strconv.Atoi(w[len(name):])
			return domain{d.elems, 1 << n}, err == nil
		}
	}
	return domain{}, false
}

// instantiate adds the overload for one choice of the domain's type, of the second number of components, and of the
// alternatives.
func (e *expansion) instantiate(r *Row, terms []term, k types.Kind, n, m uint8, choices []choice) *proto {
	if len(e.protos) == 0 {
		e.protos, e.params = make([]proto, 32), make([]ptype, 32*(len(terms)-1))
	}
	p := &e.protos[0]
	e.protos = e.protos[1:]
	np := len(terms) - 1
	if len(e.params) < np {
		e.params = make([]ptype, 32*np)
	}
	p.row, p.domain, p.params = r, vec(k, n), e.params[:0:np]
	e.params = e.params[np:]
	for i, t := range terms {
		x := t.base
		if d := derived[t.word]; d != nil {
			y := d(k, n, m)
			x.kind, x.lanes = y.kind, y.lanes
		} else if _, ok := domainOf(t.word); ok {
			x.kind, x.lanes = k, n
		}
		x.ptr = t.ptr
		if len(t.spaces) == 1 {
			x.space = t.spaces[0]
		}
		for _, c := range choices {
			if len(t.spaces) > 1 && slices.Equal(c.spaces, t.spaces) {
				x.space = t.spaces[c.i]
			} else if len(t.access) > 1 && c.spaces == nil {
				x.access = t.access[c.i]
			}
		}
		if x.space == types.Generic {
			p.needs |= needGeneric
		}
		if !x.ptr || x.atomic {
			switch x.kind {
			case types.Half:
				p.needs |= needHalf
			case types.Double:
				p.needs |= needDouble
			}
		}
		p.ctxt = p.ctxt || x.ptr || x.atomic
		if i == 0 {
			p.result = x
		} else {
			p.params = append(p.params, x)
		}
	}
	return p
}

// key returns Overload.Key.
func (p *proto) key() string {
	var b strings.Builder
	b.WriteString(p.row.Name)
	b.WriteByte('(')
	for i, x := range p.params {
		if i > 0 {
			b.WriteByte(',')
		}
		x.spell(&b)
	}
	b.WriteByte(')')
	return b.String()
}

func (x ptype) spell(b *strings.Builder) {
	if x.cnst {
		b.WriteString("const ")
	}
	if x.vol {
		b.WriteString("volatile ")
	}
	if x.ptr {
		b.WriteString(x.space.String() + " ")
	}
	t := x.object()
	if x.atomic {
		b.WriteString("atomic_")
	}
	b.WriteString(t.String())
	if x.ptr {
		b.WriteByte('*')
	}
}

// object returns the type without pointer and atomic.
func (x ptype) object() *types.Type {
	switch x.kind {
	case types.Void:
		return types.VoidType
	case types.Sampler:
		return types.SamplerType
	case types.Event:
		return types.EventType
	case types.Image:
		return types.ImageType(x.image, x.access)
	}
	return types.VectorType(types.ScalarType(x.kind), int(x.lanes))
}

// in returns the type in c.
func (x ptype) in(c *types.Context) types.QType {
	t := x.object()
	if x.atomic {
		t = c.AtomicOf(t)
	}
	if !x.ptr {
		return types.Q(t)
	}
	return types.Q(c.PointerTo(types.QType{Type: t, Quals: types.Quals{Const: x.cnst, Volatile: x.vol, Space: x.space}}))
}

// String returns the signature in OpenCL C.
func (o *Overload) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s(", o.Result, o.Row.Name)
	for i, p := range o.Params {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(p.String())
	}
	if o.Row.Flags&Variadic != 0 {
		b.WriteString(", ...")
	}
	b.WriteByte(')')
	return b.String()
}
