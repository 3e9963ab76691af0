package opt

import "github.com/purecl/purecl/internal/ir/ssa"

// dot combines sums of products of packed narrow integers into one operation (OpDot). It covers all 4 bytes, or
// both 16-bit parts, of 32 bits of two vectors: machines multiply and add them without extraction. Other
// summands become the accumulator.
//
// Requires: gvn (equal elements are one value). Breaks: simplify, gvn (reinterpretations of the vectors), dce
// (the extracted elements).
func dot(s *state) {
	d := dots{s: s, f: s.f, rw: rewriter{s: s, f: s.f}}
	if !d.any() {
		return
	}
	d.findUsers()
	changed := false
	for _, b := range s.f.Blocks {
		d.rw.begin(b)
		for _, v := range b.Values {
			d.rw.cur = v
			if d.root(v) && d.sum(v) {
				changed = true
			}
			d.rw.keep(v)
		}
		d.rw.end()
	}
	if !changed {
		return
	}
	s.f.ReplaceCopies()
	dce(s)
	d.whole()
	s.dirty, s.merged = true, false
}

type dots struct {
	s    *state
	f    *ssa.Func
	rw   rewriter
	uses []int32
	user []*ssa.Value // by ID: one user of the value
}

// usesOf returns the number of uses of each value.
func usesOf(f *ssa.Func) []int32 {
	uses := make([]int32, f.NumValues())
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			for _, a := range v.Args {
				uses[a.ID]++
			}
		}
	}
	return uses
}

// any reports whether the function has candidates.
func (d *dots) any() bool {
	for _, b := range d.f.Blocks {
		for _, v := range b.Values {
			if v.Op == ssa.OpMul && isInt32(v.Type.K) && d.widened(v.Args[0]) && d.widened(v.Args[1]) {
				return true
			}
		}
	}
	return false
}

// findUsers records the number of uses of each value, and one of its users.
func (d *dots) findUsers() {
	d.uses = usesOf(d.f)
	d.user = make([]*ssa.Value, d.f.NumValues())
	for _, b := range d.f.Blocks {
		for _, v := range b.Values {
			for _, a := range v.Args {
				d.user[a.ID] = v
			}
		}
	}
}

func isInt32(k ssa.Kind) bool { return k == ssa.I32 || k == ssa.U32 }

// widened reports whether v may be an extension of narrow elements.
func (d *dots) widened(v *ssa.Value) bool {
	for v.Op == ssa.OpExtract || v.Op == ssa.OpShuffle {
		v = v.Args[0]
	}
	return v.Op == ssa.OpConvert && isInt(v.Args[0].Type.K) && v.Args[0].Type.K.Num().Bits() <= 16
}

// inner reports whether v is only used by a sum in block b.
func (d *dots) inner(v *ssa.Value, b *ssa.Block) bool {
	return v.Op == ssa.OpAdd && v.Type.N == 1 && v.Block == b && d.uses[v.ID] == 1
}

// root reports whether v is a sum that is not part of another.
func (d *dots) root(v *ssa.Value) bool {
	if v.Op != ssa.OpAdd || v.Type.N != 1 || !isInt32(v.Type.K) || int(v.ID) >= len(d.uses) {
		return false
	}
	u := d.user[v.ID]
	return !(d.inner(v, v.Block) && u.Op == ssa.OpAdd && u.Type == v.Type && u.Block == v.Block)
}

// maxTerms bounds the number of terms of a sum.
const maxTerms = 256

// terms returns the terms of the sum v.
func (d *dots) terms(v *ssa.Value) (terms []element) {
	work := []element{{v.Args[1], 0}, {v.Args[0], 0}}
	for len(work) > 0 {
		e := work[len(work)-1]
		work = work[:len(work)-1]
		x := e.x
		switch {
		case len(work)+len(terms) > maxTerms:
		case d.inner(x, v.Block):
			work = append(work, element{x.Args[1], 0}, element{x.Args[0], 0})
			continue
		case x.Op == ssa.OpExtract && d.uses[x.ID] == 1:
			if y, ok := follow(x.Args[0], int(x.Aux)); ok {
				work = append(work, y)
				continue
			}
		case x.Type.IsVec() && x.Op == ssa.OpAdd:
			a, okA := follow(x.Args[0], e.lane)
			b, okB := follow(x.Args[1], e.lane)
			if okA && okB {
				work = append(work, b, a)
				continue
			}
		}
		terms = append(terms, e)
	}
	return terms
}

// A piece is 32 bits of a vector of narrow integers.
type piece struct {
	v *ssa.Value
	n int // index of the piece in the vector
}

// A pair is two pieces whose parts are multiplied.
type pair struct{ a, b piece }

// partOf returns the piece, and the part of it, that a lane of x extends.
func partOf(e element) (p piece, i int, ok bool) {
	if x, isElement := resolve(e); isElement {
		e = x
	}
	c := e.x
	if c.Op != ssa.OpConvert || !isInt(c.Args[0].Type.K) {
		return p, 0, false
	}
	if sat, _ := ssa.ConvParts(c.Aux); sat {
		return p, 0, false
	}
	src, ok := resolve(element{c.Args[0], e.lane})
	if !ok {
		return p, 0, false // undefined element
	}
	k := src.x.Type.K.Num()
	if k.Bits() > 16 || k.Bits() == 16 && !k.Signed() {
		return p, 0, false
	}
	per := 32 / k.Bits()
	if int(src.x.Type.N)%per != 0 {
		return p, 0, false
	}
	return piece{src.x, src.lane / per}, src.lane % per, true
}

// resolve follows e through extracts and rearrangements of vectors to its source.
func resolve(e element) (element, bool) {
	if e.x.Op == ssa.OpExtract {
		return follow(e.x.Args[0], int(e.x.Aux))
	}
	if e.x.Type.IsVec() {
		return follow(e.x, e.lane)
	}
	return e, true
}

// product returns the pieces, and the index of the part in both, whose product a term is.
func (d *dots) product(e element) (p pair, i int, ok bool) {
	m := e.x
	if m.Op != ssa.OpMul || !m.Type.IsVec() && d.uses[m.ID] != 1 {
		return p, 0, false
	}
	a, i, okA := partOf(element{m.Args[0], e.lane})
	b, j, okB := partOf(element{m.Args[1], e.lane})
	if !okA || !okB || i != j || a.v.Type.K.Num().Bits() != b.v.Type.K.Num().Bits() {
		return p, 0, false
	}
	if a.v.ID > b.v.ID || a.v == b.v && a.n > b.n {
		a, b = b, a
	}
	return pair{a, b}, i, true
}

// A group is the terms that are products of the parts of one pair.
type group struct {
	pair
	terms []int // by part: the index of its term, or -1
}

// full reports whether each part has a term.
func (g *group) full() bool {
	for _, t := range g.terms {
		if t < 0 {
			return false
		}
	}
	return true
}

// groups collects the full groups among terms; taken marks the terms in them.
func (d *dots) groups(terms []element) (list []*group, taken []bool) {
	taken = make([]bool, len(terms))
	open := map[pair]*group{}
	for n, e := range terms {
		p, i, ok := d.product(e)
		if !ok {
			continue
		}
		g := open[p]
		if g == nil || g.terms[i] >= 0 {
			g = &group{p, []int{-1, -1, -1, -1}[:32/p.a.v.Type.K.Num().Bits()]}
			open[p] = g
		}
		if g.terms[i] = n; !g.full() {
			continue
		}
		list = append(list, g)
		delete(open, p)
		for _, t := range g.terms {
			taken[t] = true
		}
	}
	return list, taken
}

// sum replaces products in the sum v and reports whether it did.
func (d *dots) sum(v *ssa.Value) bool {
	terms := d.terms(v)
	list, taken := d.groups(terms)
	if len(list) == 0 {
		return false
	}
	// In a loop, the value of the previous iteration is added last to a chain of several products, so that the
	// chain does not depend on it.
	var acc, last *ssa.Value
	add := func(to **ssa.Value, x *ssa.Value) {
		if *to != nil {
			x = d.rw.value(ssa.OpAdd, v.Type, *to, x)
		}
		*to = x
	}
	for n, e := range terms {
		if taken[n] {
			continue
		}
		x := e.x
		if x.Type.IsVec() {
			x = d.rw.aux(ssa.OpExtract, v.Type, int64(e.lane), x)
		}
		if len(list) > 1 && x.Op == ssa.OpPhi {
			add(&last, x)
		} else {
			add(&acc, x)
		}
	}
	if acc == nil {
		acc = d.rw.constant(v.Type, 0)
	}
	for _, g := range list {
		a, b := d.packed(g.a, v.Type), d.packed(g.b, v.Type)
		acc = d.rw.aux(ssa.OpDot, v.Type, g.aux(), a, b, acc)
	}
	if last != nil {
		return change(v, ssa.OpAdd, last, acc)
	}
	return become(v, acc)
}

// aux returns the Aux of the OpDot for the pair.
func (p *pair) aux() (aux int64) {
	a, b := p.a.v.Type.K.Num(), p.b.v.Type.K.Num()
	if a.Bits() == 16 {
		return ssa.DotShort
	}
	if a.Signed() {
		aux |= ssa.DotSigned0
	}
	if b.Signed() {
		aux |= ssa.DotSigned1
	}
	return aux
}

// packed returns a piece as an integer.
func (d *dots) packed(p piece, t ssa.Type) *ssa.Value {
	n := p.v.Type.Size() / 4
	if n == 1 {
		return d.rw.bitcast(p.v, t)
	}
	return d.rw.aux(ssa.OpExtract, t, int64(p.n), d.rw.bitcast(p.v, ssa.Vec(t.K, int(n))))
}

// whole turns loads of vectors that are only used as integers into loads of integers.
func (d *dots) whole() {
	as := map[*ssa.Value]ssa.Type{} // by load: the type in which all users read it; TVoid if they differ
	for _, b := range d.f.Blocks {
		for _, v := range b.Values {
			for _, a := range v.Args {
				if a.Op != ssa.OpLoad || !a.Type.IsVec() || a.Flags&ssa.Volatile != 0 {
					continue
				}
				t, known := as[a]
				if v.Op != ssa.OpBitcast || known && t != v.Type {
					as[a] = ssa.TVoid
				} else {
					as[a] = v.Type
				}
			}
		}
	}
	for v, t := range as {
		if t != ssa.TVoid {
			v.Type = t
		}
	}
}
