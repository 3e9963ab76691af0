package spmd

import (
	"cmp"
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Loads that the rows of a coarsened gang share: the neighbour below an element is the element of the next row. Two
// loads are equal if their addresses are equal as polynomials in 64-bit integers. Constants and signs are taken out of
// 32-bit sums of arguments, on the assumption that the sums do not wrap: a gang leaves if an argument is large.

const (
	mostMonomials = 6       // of an address
	mostTakenOut  = 1 << 24 // constant in a 32-bit sum
	mostWeight    = 16      // sum of the factors of a 32-bit sum's arguments
	assumedBits   = 26      // magnitude of such an argument: mostWeight · 2²⁶ + mostTakenOut is less than 2³¹
	mostShared    = 32      // loads of a kernel that are compared

	// costCross is the cost of a load that neighbours share: nearly all of them cross cache lines.
	costCross = 2 * costNear
)

// A monomial is by times a, or times a product of two factors. A factor is a value of 64 bits, or the extension of
// one of 32 bits.
type monomial struct {
	a, b *ssa.Value // in the order of IDs; b may be nil
	by   int64
}

// A polynomial is an address: an object plus, modulo 2⁶⁴, monomials and a constant. Monomials are sorted.
type polynomial struct {
	root *ssa.Value
	list [mostMonomials]monomial
	n    int
	disp int64
}

// add adds a monomial, and reports whether there is room.
func (p *polynomial) add(a, b *ssa.Value, by int64) bool {
	if b != nil && b.ID < a.ID {
		a, b = b, a
	}
	at, found := slices.BinarySearchFunc(p.list[:p.n], monomial{a: a, b: b}, monomial.compare)
	if found {
		if p.list[at].by += by; p.list[at].by == 0 {
			p.n--
			copy(p.list[at:], p.list[at+1:])
			p.list[p.n] = monomial{}
		}
		return true
	}
	if p.n == mostMonomials || by == 0 {
		return by == 0
	}
	copy(p.list[at+1:], p.list[at:p.n])
	p.list[at] = monomial{a, b, by}
	p.n++
	return true
}

func (m monomial) compare(n monomial) int {
	id := func(v *ssa.Value) int32 {
		if v == nil {
			return -1
		}
		return int32(v.ID)
	}
	return cmp.Or(cmp.Compare(id(m.a), id(n.a)), cmp.Compare(id(m.b), id(n.b)))
}

// A sharing finds the loads that rows share.
type sharing struct {
	c       *coarsening
	row     *ssa.Value // the id of the row
	forms   map[*ssa.Value]polynomial
	assumed []*ssa.Value // arguments of 32 bits that must be small
}

// findShared finds the loads that may be equal to another row's.
func (c *coarsening) findShared() {
	s := &sharing{c: c, forms: map[*ssa.Value]polynomial{}}
	c.shared = s
	var updated any // an object that is written, too
	if len(c.updates) > 0 {
		updated = rootOf(c.updates[0].Args[0])
	}
	for _, b := range c.Order {
		for _, v := range b.Values {
			if isRow(v) && s.row == nil {
				s.row = v
			}
			if v.Op != ssa.OpLoad || !c.apart[v.ID] || c.beside[v] || !c.Varying[v.ID] || updated != nil && rootOf(v.Args[0]) == updated {
				continue
			}
			if p, ok := s.address(v.Args[0]); ok {
				s.forms[v] = p
			}
			if len(s.forms) > mostShared {
				clear(s.forms)
				return
			}
		}
	}
	shared := false
	s.walk(2, func(at, first rowLoad) { shared = shared || at != first })
	if !shared {
		clear(s.forms)
	}
}

// address returns the polynomial of a pointer.
func (s *sharing) address(v *ssa.Value) (p polynomial, ok bool) {
	for range maxMoves {
		switch v.Op {
		case ssa.OpPtrAdd:
			if !s.expand(&p, v.Args[1], nil, 1, maxMoves) {
				return p, false
			}
			v = v.Args[0]
		case ssa.OpPtrCast:
			v = v.Args[0]
		case ssa.OpParam:
			p.root = v
			return p, true
		default:
			return p, false
		}
	}
	return p, false
}

// expand adds by · v, times a factor unless that is nil, with v an integer of 64 bits.
func (s *sharing) expand(p *polynomial, v, times *ssa.Value, by int64, depth int) bool {
	all := func(by int64, args ...*ssa.Value) bool {
		return !slices.ContainsFunc(args, func(a *ssa.Value) bool { return !s.expand(p, a, times, by, depth-1) })
	}
	switch {
	case v.IsConst():
		return s.constant(p, times, by*int64(v.ConstElem(0)))
	case depth == 0 || v.Type.N != 1 || !isInt(v.Type.K):
		return false
	case isRow(v):
		return s.factor(p, s.row, times, by)
	}
	switch v.Op {
	case ssa.OpAdd:
		return all(by, v.Args...)
	case ssa.OpSub:
		return all(by, v.Args[0]) && all(-by, v.Args[1])
	case ssa.OpNeg:
		return all(-by, v.Args[0])
	case ssa.OpCopy, ssa.OpBitcast, ssa.OpConvert:
		from := v.Args[0]
		if sat, _ := ssa.ConvParts(v.Aux); v.Op == ssa.OpConvert && sat || from.Type.N != 1 || !isInt(from.Type.K) {
			break
		}
		if from.Type.Size() == 8 {
			return all(by, from)
		}
		if from.Type.K == ssa.I32 && !s.c.apart[v.ID] {
			if before, q := len(s.assumed), *p; !s.narrow(&q, from, times, by, 1, maxMoves) {
				s.assumed = s.assumed[:before]
			} else {
				*p = q
				return true
			}
		}
	case ssa.OpShl:
		if k := v.Args[1]; k.IsConst() {
			return all(by<<(k.ConstElem(0)&63), v.Args[0])
		}
	case ssa.OpMul:
		a, b := v.Args[0], v.Args[1]
		if b.IsConst() {
			return all(by*int64(b.ConstElem(0)), a)
		}
		if s.c.apart[a.ID] != s.c.apart[b.ID] && times == nil {
			if s.c.apart[b.ID] {
				a, b = b, a
			}
			return s.product(p, a, b, by)
		}
	}
	return !s.c.apart[v.ID] && s.factor(p, v, times, by)
}

// product adds by · a · b, where a differs between rows.
func (s *sharing) product(p *polynomial, a, b *ssa.Value, by int64) bool {
	var q polynomial
	if !s.expand(&q, b, nil, by, maxMoves) {
		return false
	}
	for _, m := range q.list[:q.n] {
		if m.b != nil || !s.expand(p, a, m.a, m.by, maxMoves) {
			return false
		}
	}
	return s.expand(p, a, nil, q.disp, maxMoves)
}

// factor adds by · v, times a factor unless that is nil.
func (s *sharing) factor(p *polynomial, v, times *ssa.Value, by int64) bool {
	return p.add(v, times, by)
}

// constant adds a constant, times a factor unless that is nil.
func (s *sharing) constant(p *polynomial, times *ssa.Value, c int64) bool {
	if times != nil {
		return p.add(times, nil, c)
	}
	p.disp += c
	return true
}

// narrow adds by · the extension of v, an integer of 32 bits computed from arguments. weight is the factor of v
// in the whole sum.
func (s *sharing) narrow(p *polynomial, v, times *ssa.Value, by, weight int64, depth int) bool {
	if depth == 0 || weight > mostWeight || v.Type != ssa.TI32 {
		return false
	}
	if v.IsConst() {
		k := signed(v)
		return k <= mostTakenOut/mostWeight && k >= -mostTakenOut/mostWeight && s.constant(p, times, by*k)
	}
	of := func(i int, by, weight int64) bool { return s.narrow(p, v.Args[i], times, by, weight, depth-1) }
	switch v.Op {
	case ssa.OpParam:
		if !slices.Contains(s.assumed, v) {
			s.assumed = append(s.assumed, v)
		}
		return s.factor(p, v, times, by)
	case ssa.OpCopy:
		return of(0, by, weight)
	case ssa.OpNeg:
		return of(0, -by, weight)
	case ssa.OpAdd:
		return of(0, by, 2*weight) && of(1, by, 2*weight)
	case ssa.OpSub:
		return of(0, by, 2*weight) && of(1, -by, 2*weight)
	case ssa.OpMul:
		if k := v.Args[1]; k.IsConst() && signed(k) > 0 && signed(k) <= mostWeight {
			return of(0, by*signed(k), weight*signed(k))
		}
	}
	return false
}

// at returns the address for a row.
func (s *sharing) at(p polynomial, row int) (q polynomial, ok bool) {
	q = p
	for _, m := range p.list[:p.n] {
		by := m.by * int64(row)
		switch other := m.b; {
		case m.a != s.row && m.b != s.row:
		case m.a == m.b:
			return q, false
		case other == nil:
			q.disp += by
		default:
			if other == s.row {
				other = m.a
			}
			if !q.add(other, nil, by) {
				return q, false
			}
		}
	}
	return q, true
}

// A rowLoad is a load of a row.
type rowLoad struct {
	v   *ssa.Value
	row int
}

// walk visits the loads in n rows, each with the first load of its block that is equal to it.
func (s *sharing) walk(n int, visit func(at, first rowLoad)) {
	type load struct {
		p     polynomial
		t     ssa.Type
		flags ssa.ValueFlags
		aux   int64
	}
	seen := map[load]rowLoad{}
	for _, b := range s.c.Order {
		clear(seen)
		for _, v := range b.Values {
			p, ok := s.forms[v]
			for row := 0; ok && row < n; row++ {
				at := rowLoad{v, row}
				first := at
				if q, ok := s.at(p, row); ok {
					l := load{q, v.Type, v.Flags, v.Aux}
					if x, ok := seen[l]; ok {
						first = x
					} else {
						seen[l] = at
					}
				}
				visit(at, first)
			}
		}
	}
}

// costs adds the costs of the loads to k.
func (s *sharing) costs(k *rowCost, weight func(b *ssa.Block) float64) {
	live := s.c.facts().LiveBytes()
	for i := range k.loads {
		widest := 0
		s.walk(1<<i, func(at, first rowLoad) {
			if at == first {
				size := at.v.Type.Size()
				k.loads[i] += weight(at.v.Block) * costCross * max(float64(size), 1) / 4
				k.liveLoads[i] += size
				widest = max(widest, size)
			}
		})
		// A part of the loads is not yet needed or no longer.
		k.liveLoads[i] = max(k.liveLoads[i]*3/4+widest<<i, live<<i)
	}
	k.liveLoads[0] = 0
}

// share replaces the loads of n rows by those that are equal to them.
func (s *sharing) share(n int) {
	c := s.c
	value := func(p rowLoad) *ssa.Value {
		if p.row == 0 {
			return p.v
		}
		return c.copies[p.v][p.row-1]
	}
	same := map[*ssa.Value]*ssa.Value{}
	s.walk(n, func(at, first rowLoad) {
		if at != first {
			same[value(at)] = value(first)
		}
	})
	if len(same) == 0 {
		return
	}
	for _, b := range c.F.Blocks {
		b.Values = slices.DeleteFunc(b.Values, func(v *ssa.Value) bool { return same[v] != nil })
		for _, v := range b.Values {
			for i, a := range v.Args {
				if x := same[a]; x != nil {
					v.Args[i] = x
				}
			}
		}
	}
	for _, v := range s.assumed {
		c.assume(v)
	}
}

// assume makes the gang leave at its start if the argument v is large.
func (c *coarsening) assume(v *ssa.Value) {
	f := c.F
	b := f.Blocks[0]
	at := len(f.Params)
	add := func(op ssa.Op, t ssa.Type, args ...*ssa.Value) *ssa.Value {
		w := f.NewValue(op, t, v.Pos, args...)
		b.InsertAt(at, w)
		at++
		return w
	}
	half, all := f.InsertEntry(f.NewConst(v.Type, 1<<assumedBits)), f.InsertEntry(f.NewConst(ssa.TU32, 1<<(assumedBits+1)))
	at += 2
	moved := add(ssa.OpConvert, ssa.TU32, add(ssa.OpAdd, v.Type, v, half))
	c.leaveIf(add(ssa.OpLe, ssa.TBool, all, moved), at)
}
