package spmd

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Fields of arrays of structures. In a part of a block whose accesses are all in bounds, the loads and stores
// of single elements of a structure are combined: one vector load of the structure, vector arithmetic, and
// masked stores of the written elements. This avoids separating and interleaving lanes. Loads move up to the
// first access and stores down to the last one, so that no other access in between may touch the structures.

// A record is the set of a part's accesses to the elements of one structure.
type record struct {
	kind    ssa.Kind
	size    int64 // distance of the lanes' structures in bytes
	first   neighbour
	at      int64 // offset of first in the structure
	loads   []element
	stores  []element
	written map[int]bool // written elements
	end     int          // index in the block of the last store
}

// An element is an access, with its index in the block and its element's index in the structure.
type element struct {
	v      *ssa.Value
	at, of int
}

const (
	maxFieldDisp = 1 << 20 // greatest distance in bytes from the terms' value to a structure
	maxElements  = 16      // of a structure
)

// field reports whether v accesses an element of a structure that can be treated as a vector, and returns the
// distance of the lanes' structures.
func (g *versions) field(v *ssa.Value) (size int64, ok bool) {
	t, ok := v.AccessType()
	if !ok || g.record == 0 || t.N != 1 || t.K == ssa.Bool || t.K.IsPtr() || v.Flags&ssa.Volatile != 0 {
		return 0, false
	}
	es := int64(t.Size())
	a := g.facts().Address(v.Args[0], false)
	n := a.Stride / es
	if es < 4 || a.Root == nil || !a.Regular() || a.Displaced || a.Stride > int64(g.record) || a.Stride%es != 0 || n < 2 || n > maxElements || n&(n-1) != 0 {
		return 0, false
	}
	return a.Stride, true
}

// fieldsIn returns the accesses of b to structures with several written elements.
func (g *versions) fieldsIn(b *ssa.Block) map[*ssa.Value]bool {
	stores := 0
	found := map[*ssa.Value]bool{}
	for _, v := range b.Values {
		if v.Op != ssa.OpLoad && v.Op != ssa.OpStore || g.record == 0 {
			continue
		}
		if _, ok := g.field(v); ok {
			found[v] = true
			if v.Op == ssa.OpStore {
				stores++
			}
		}
	}
	if stores < 2 {
		return nil
	}
	return found
}

// records returns the structures with several written elements in the part.
func (c *cut) records() (list []*record) {
	values := c.b.Values
	for _, n := range c.list {
		v := values[n.at]
		size, ok := c.g.field(v)
		if !ok || n.at < c.first || n.at >= c.last || n.sum.Disp > maxFieldDisp || n.sum.Disp < -maxFieldDisp {
			continue
		}
		t, _ := v.AccessType()
		at := ((n.sum.Disp % size) + size) % size
		if at%int64(t.Size()) != 0 {
			continue
		}
		i := slices.IndexFunc(list, func(r *record) bool { return r.kind == t.K && r.size == size && r.holds(n.sum) })
		if i < 0 {
			i = len(list)
			list = append(list, &record{kind: t.K, size: size, first: n, at: at, written: map[int]bool{}})
		}
		r := list[i]
		e := element{v, n.at, int(at) / t.Size()}
		if v.Op == ssa.OpLoad {
			r.loads = append(r.loads, e)
			continue
		}
		r.stores, r.end = append(r.stores, e), n.at
		if r.written[e.of] {
			r.size = -1 // written twice
		}
		r.written[e.of] = true
	}
	return slices.DeleteFunc(list, func(r *record) bool { return r.size < 0 || len(r.stores) < 2 || !c.alone(r) })
}

// holds reports whether an access is inside the structure.
func (r *record) holds(s lanes.Linear) bool {
	from := r.first.sum.Disp - r.at
	return s.Root == r.first.sum.Root && slices.Equal(s.Terms, r.first.sum.Terms) && s.Disp >= from && s.Disp < from+r.size
}

// alone reports whether the accesses to a structure can be combined: loads moved to the first access, stores to
// the last one.
func (c *cut) alone(r *record) bool {
	r.loads = slices.DeleteFunc(r.loads, func(e element) bool { return e.at > r.end })
	stored := map[int]bool{}
	written := false
	for i := r.first.at; i <= r.end; i++ {
		v := c.b.Values[i]
		switch k := slices.IndexFunc(r.stores, func(e element) bool { return e.at == i }); {
		case k >= 0:
			stored[r.stores[k].of], written = true, true
			continue
		case slices.ContainsFunc(r.loads, func(e element) bool { return e.at == i && stored[e.of] }):
			return false // a load of an element just written
		case slices.ContainsFunc(r.loads, func(e element) bool { return e.at == i }):
			continue
		}
		if !v.Op.Has(ssa.SideEffect) && !v.Op.Has(ssa.Writes) && (!v.Op.Has(ssa.Reads) || !written) {
			continue
		}
		// Another element of the same structure, of another kind.
		n := slices.IndexFunc(c.list, func(n neighbour) bool { return n.at == i })
		t, ok := v.AccessType()
		if n < 0 || !ok || !r.holds(c.list[n].sum) || v.Flags&ssa.Volatile != 0 {
			return false
		}
		es := int64(r.kind.Num().Size())
		from := c.list[n].sum.Disp - (r.first.sum.Disp - r.at)
		end := from + int64(t.Size())
		if end > r.size {
			return false
		}
		for of := range int(r.size / es) {
			touched := r.written[of] || v.Op == ssa.OpStore && slices.ContainsFunc(r.loads, func(e element) bool { return e.of == of })
			if touched && int64(of)*es < end && from < int64(of+1)*es {
				return false
			}
		}
	}
	return true
}

// A packer combines the accesses to one structure in the copy of a part.
type packer struct {
	*versions
	r     *record
	whole *ssa.Value // the loaded structure
	n     int        // number of its elements
	read  map[*ssa.Value]int
	made  []*ssa.Value
}

// pack combines the accesses to a structure in the copy of a part.
func (g *versions) pack(r *record, copyOf func(*ssa.Value) *ssa.Value) {
	f := g.F
	p := &packer{versions: g, r: r, n: int(r.size) / r.kind.Num().Size(), read: map[*ssa.Value]int{}}
	for _, e := range r.loads {
		p.read[copyOf(e.v)] = e.of
	}
	slices.SortFunc(r.stores, func(a, b element) int { return a.of - b.of })
	first, last := copyOf(r.access(r.first.at)), copyOf(r.access(r.end))
	t := ssa.Type{K: r.kind, N: uint8(p.n)}
	ptr := p.ahead(first, ssa.OpPtrAdd, first.Args[0].Type, first.Args[0], f.InsertEntry(f.NewConst(ssa.TI64, uint64(-r.at))))
	p.whole = f.NewValue(ssa.OpLoad, t, first.Pos, ptr)
	p.whole.Aux, p.whole.Flags = int64(r.kind.Num().Size()), ssa.InBounds
	var values []*ssa.Value
	var of []int
	for _, e := range r.stores {
		values, of = append(values, copyOf(e.v).Args[1]), append(of, e.of)
	}
	v := p.vector(values, of, maxMoves)
	if v == nil {
		return
	}
	b := first.Block
	if len(r.loads) > 0 {
		p.follow(p.whole, first)
		b.InsertAt(slices.Index(b.Values, first), p.whole)
	}
	at := slices.Index(b.Values, last)
	for _, x := range p.made {
		b.InsertAt(at, x)
		at++
	}
	p.store(v, ptr, last)
	for _, e := range r.stores {
		copyOf(e.v).Block.Remove(copyOf(e.v))
	}
	for _, e := range r.loads {
		x := copyOf(e.v)
		x.Op, x.Aux, x.Flags = ssa.OpExtract, int64(e.of), 0
		x.SetArgs(p.whole)
	}
	dropUnused(f, []*ssa.Block{b})
}

// access returns the access with an index in the block.
func (r *record) access(at int) *ssa.Value {
	for _, list := range [][]element{r.loads, r.stores} {
		for _, e := range list {
			if e.at == at {
				return e.v
			}
		}
	}
	return nil
}

// ahead inserts a value before another one.
func (p *packer) ahead(of *ssa.Value, op ssa.Op, t ssa.Type, args ...*ssa.Value) *ssa.Value {
	b := of.Block
	return b.InsertAt(slices.Index(b.Values, of), p.F.NewValue(op, t, of.Pos, args...))
}

// follow records that an operation replaces another one.
func (p *Plan) follow(v, of *ssa.Value) {
	for len(p.origin) <= int(v.ID) {
		p.origin = append(p.origin, nil)
	}
	p.origin[v.ID] = p.Origin(of)
	if k := p.Gang(of); k > 0 {
		for len(p.gang) <= int(v.ID) {
			p.gang = append(p.gang, 0)
		}
		p.gang[v.ID] = int32(k) + 1
	}
}

// vector returns a vector with values as the elements numbered of, and any values in the others. It returns nil
// if that is no elementwise operation on the structure.
func (p *packer) vector(values []*ssa.Value, of []int, depth int) *ssa.Value {
	v := values[0]
	t := ssa.Type{K: v.Type.K, N: uint8(p.n)}
	add := func(op ssa.Op, args ...*ssa.Value) *ssa.Value {
		x := p.F.NewValue(op, t, v.Pos, args...)
		p.made = append(p.made, x)
		return x
	}
	alike := func(f func(*ssa.Value) bool) bool {
		return !slices.ContainsFunc(values, func(x *ssa.Value) bool { return !f(x) })
	}
	switch {
	case v.Type.N != 1 || v.Type.K == ssa.Bool || v.Type.K.IsPtr() || v.Type.K.Num().Size() != p.r.kind.Num().Size():
		return nil
	case alike(func(x *ssa.Value) bool { _, ok := p.read[x]; return ok }):
		lanes := make([]uint8, p.n)
		same := true
		for i := range lanes {
			lanes[i] = uint8(i)
		}
		for i, x := range values {
			lanes[of[i]] = uint8(p.read[x])
			same = same && p.read[x] == of[i]
		}
		if same {
			return p.whole
		}
		x := add(ssa.OpShuffle, p.whole, p.whole)
		x.Lanes = lanes
		return x
	case alike(func(x *ssa.Value) bool { return x.IsConst() }):
		bits := make([]uint64, p.n)
		for i, x := range values {
			bits[of[i]] = x.ConstElem(0)
		}
		return p.F.InsertEntry(p.F.NewConstVec(t, bits))
	case alike(func(x *ssa.Value) bool { return x == v }):
		return add(ssa.OpSplat, v)
	case depth == 0 || !v.Op.Has(ssa.Elementwise) || !v.Op.Has(ssa.Pure) || !cheap(v) || !alike(func(x *ssa.Value) bool {
		return x.Op == v.Op && x.Type == v.Type && x.Aux == v.Aux && len(x.Args) == len(v.Args) && x.Sym == v.Sym
	}):
		return nil
	}
	args := make([]*ssa.Value, len(v.Args))
	for k := range args {
		part := make([]*ssa.Value, len(values))
		for i, x := range values {
			if part[i] = x.Args[k]; part[i].Type != v.Args[k].Type {
				return nil
			}
		}
		if args[k] = p.vector(part, of, depth-1); args[k] == nil {
			return nil
		}
	}
	x := add(v.Op, args...)
	x.Aux, x.Flags = v.Aux, v.Flags
	return x
}

// cheap reports whether an operation may be executed for unused elements: it costs little and cannot fail.
func cheap(v *ssa.Value) bool {
	switch v.Op {
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpNeg, ssa.OpAnd, ssa.OpOr, ssa.OpXor, ssa.OpMin, ssa.OpMax, ssa.OpFMA:
		return true
	case ssa.OpDiv, ssa.OpSqrt:
		return v.Type.K.Num().IsFloat()
	}
	return false
}

// store stores the written elements of v before the last of the original stores.
func (p *packer) store(v, ptr, last *ssa.Value) {
	f := p.F
	es := p.r.kind.Num().Size()
	put := func(from, n int) {
		to, x := ptr, v
		if n < p.n {
			to = p.ahead(last, ssa.OpPtrAdd, ptr.Type, ptr, f.InsertEntry(f.NewConst(ssa.TI64, uint64(from*es))))
			if n == 1 {
				x = p.ahead(last, ssa.OpExtract, ssa.Scalar(v.Type.K), v)
				x.Aux = int64(from)
			} else {
				x = p.ahead(last, ssa.OpShuffle, ssa.Type{K: v.Type.K, N: uint8(n)}, v, v)
				for i := range n {
					x.Lanes = append(x.Lanes, uint8(from+i))
				}
			}
		}
		s := p.ahead(last, ssa.OpStore, ssa.TVoid, to, x)
		s.Aux, s.Flags = int64(es), ssa.InBounds
		p.follow(s, last)
	}
	for from := 0; from < p.n; {
		n := 0
		for from+n < p.n && p.r.written[from+n] {
			n++
		}
		for n > 0 {
			k := 1
			for _, most := range []int{16, 8, 4, 3, 2} {
				if most <= n {
					k = most
					break
				}
			}
			put(from, k)
			from, n = from+k, n-k
		}
		from++
	}
}
