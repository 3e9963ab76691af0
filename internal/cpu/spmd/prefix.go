package spmd

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Prefix sums of conditions in a work-group of known size. A kernel that numbers the work-items for which a condition holds adds
// 0s and 1s of more and more work-items, in as many steps as the size has bits. After symbolic execution (evaluate.go) these steps
// are permutations and additions. The pass finds, for each lane, the conditions that a value counts. If these are all of the lanes
// before and up to this one, the value is a number for the gang, counted by OpCount, plus an OpRank.

// A bitRange is a range of numbered bits: bit number n*lanes+i is condition n in lane i. An empty range is the zero value.
type bitRange struct{ from, to int32 }

// prefixes finds prefix sums of conditions.
type prefixes struct {
	f     *ssa.Func
	lanes int
	conds []*ssa.Value              // the summands, 0 or 1 in each lane, in the order in which sums begin to use them
	sums  map[*ssa.Value][]bitRange // by value: the bits that each lane counts
	zeros []bitRange
}

// fewSteps is the least number of additions and permutations for each prefix sum. Fewer are not slower than an OpRank.
const fewSteps = 4

// countPrefixes replaces prefix sums of conditions. It reports whether there are any. If sums of other lanes are used too, all steps stay.
func countPrefixes(f *ssa.Func, lanes int) bool {
	p := &prefixes{f: f, lanes: lanes, sums: map[*ssa.Value][]bitRange{}, zeros: make([]bitRange, lanes)}
	steps := 0
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if p.step(v) {
				steps++
			}
		}
	}
	used := p.used()
	if steps == 0 || len(used) == 0 || steps < fewSteps*len(used) {
		return false
	}
	for v := range used {
		if _, ok := p.prefix(v); !ok {
			return false
		}
	}
	p.replace(used)
	sweep(f)
	return true
}

// step notes the bits that v counts if it is an addition or a permutation of such sums.
func (p *prefixes) step(v *ssa.Value) bool {
	if v.Op != ssa.OpAdd && v.Op != ssa.OpPermute || v.Op == ssa.OpPermute && len(v.Lanes) != p.lanes || !word(v.Type) || !p.summand(v.Args[0]) || !p.summand(v.Args[1]) {
		return false
	}
	x, y := p.bits(v.Args[0]), p.bits(v.Args[1])
	z := make([]bitRange, p.lanes)
	for i := range z {
		switch {
		case v.Op == ssa.OpPermute && int(v.Lanes[i]) < p.lanes:
			z[i] = x[v.Lanes[i]]
		case v.Op == ssa.OpPermute:
			z[i] = y[int(v.Lanes[i])-p.lanes]
		case x[i] == bitRange{}:
			z[i] = y[i]
		case y[i] == bitRange{}:
			z[i] = x[i]
		case x[i].to == y[i].from:
			z[i] = bitRange{x[i].from, y[i].to}
		case y[i].to == x[i].from:
			z[i] = bitRange{y[i].from, x[i].to}
		default:
			return false
		}
	}
	p.sums[v] = z
	return true
}

// word reports whether t is an integer of 32 bits, whose sums of bits do not wrap.
func word(t ssa.Type) bool { return t == ssa.TU32 || t == ssa.TI32 }

// summand reports whether bits knows what v counts.
func (p *prefixes) summand(v *ssa.Value) bool {
	return isZero(v) || p.sums[v] != nil || isBit(v)
}

// isBit reports whether v is 0 or 1 by a condition.
func isBit(v *ssa.Value) bool {
	is := func(v *ssa.Value, bits uint64) bool { return v.IsConst() && v.ConstElem(0) == bits }
	switch {
	case !word(v.Type):
		return false
	case v.Op == ssa.OpSelect:
		return v.Args[0].Type == ssa.TBool && is(v.Args[1], 1) && isZero(v.Args[2])
	case v.Op == ssa.OpConvert:
		return v.Args[0].Type == ssa.TBool
	}
	return v.Op == ssa.OpAnd && is(v.Args[1], 1)
}

// bits returns the bits that each lane of a summand counts. A condition gets its number when a sum first uses it.
func (p *prefixes) bits(v *ssa.Value) []bitRange {
	if isZero(v) {
		return p.zeros
	}
	x := p.sums[v]
	if x == nil {
		x = make([]bitRange, p.lanes)
		first := int32(len(p.conds) * p.lanes)
		for i := range x {
			x[i] = bitRange{first + int32(i), first + int32(i) + 1}
		}
		p.conds = append(p.conds, v)
		p.sums[v] = x
	}
	return x
}

// used returns the sums that other code uses.
func (p *prefixes) used() map[*ssa.Value]bool {
	used := map[*ssa.Value]bool{}
	for _, b := range p.f.Blocks {
		for _, v := range b.Values {
			if p.sums[v] != nil && !isBit(v) {
				continue
			}
			for _, a := range v.Args {
				if p.sums[a] != nil && !isBit(a) {
					used[a] = true
				}
			}
		}
	}
	return used
}

// A prefix is what a sum counts: the conditions from first on up to, but not including, end in all lanes, and the ranks of condition
// end if ranked: with the lane's own bit or, if exclusive, without it.
type prefix struct {
	first, end        int
	ranked, exclusive bool
}

// prefix returns what a sum counts. ok is false if it is no prefix sum.
func (p *prefixes) prefix(v *ssa.Value) (x prefix, ok bool) {
	list := p.sums[v]
	last := list[p.lanes-1]
	n := int32(p.lanes)
	if last.from%n != 0 || last == (bitRange{}) {
		return x, false
	}
	x.first, x.end = int(last.from/n), int(last.to/n)
	switch {
	case list[0].to == last.to:
		x.ranked = false
	case last.to%n == 0:
		x.end--
		x.ranked = true
	default:
		x.ranked, x.exclusive = true, true
	}
	for i, r := range list {
		to := last.to
		if x.ranked {
			to = int32(x.end)*n + int32(i) + 1
		}
		if x.exclusive {
			to--
		}
		if want := (bitRange{last.from, to}); r != want && (to > last.from || r != bitRange{}) {
			return x, false
		}
	}
	if !x.ranked {
		return x, last.to%n == 0
	}
	return x, true
}

// A placement computes prefix sums from counts and ranks.
type placement struct {
	*prefixes
	conditions []*ssa.Value
	counted    map[int]bool // the conditions with a count
	dom        *ssa.DomTree
	counts     map[[2]int][]*ssa.Value // by the first condition and the number of conditions: the sum of their counts, in several blocks
	b          *ssa.Block
	pos        *ssa.Value
	values     []*ssa.Value // of b
}

// replace computes sums from counts and ranks, if possible just before their use: few of them are then live.
func (p *prefixes) replace(used map[*ssa.Value]bool) {
	c := &placement{prefixes: p, conditions: p.conditions(), counted: map[int]bool{}, dom: p.f.Dominators(), counts: map[[2]int][]*ssa.Value{}}
	for v := range used {
		x, _ := p.prefix(v)
		for n := x.first; n < x.end; n++ {
			c.counted[n] = true
		}
	}
	before := p.places(used, c.dom)
	repl := make([]*ssa.Value, p.f.NumValues())
	for _, b := range p.f.Blocks {
		c.b, c.values = b, nil
		for _, v := range b.Values {
			for _, a := range before[v] {
				c.pos = a
				repl[a.ID] = c.sum(a)
			}
			c.values = append(c.values, v)
		}
		b.Values = c.values
	}
	p.f.ReplaceAll(repl)
}

// places returns the values before which sums are computed: the first use if it dominates the others, the end of the last block that
// dominates all uses, or the sum itself if that is in another loop.
func (p *prefixes) places(used map[*ssa.Value]bool, dom *ssa.DomTree) map[*ssa.Value][]*ssa.Value {
	loops := p.f.Loops(dom)
	at := map[*ssa.Value]*ssa.Value{}
	var order []*ssa.Value
	for _, b := range p.f.Blocks {
		for _, v := range b.Values {
			if p.sums[v] != nil && !isBit(v) {
				continue
			}
			for _, a := range v.Args {
				if !used[a] {
					continue
				}
				x := at[a]
				if x == nil {
					order = append(order, a)
				}
				switch {
				case x == a:
				case v.Op == ssa.OpPhi:
					at[a] = a
				case x == nil:
					at[a] = v
				case !dom.Dominates(x.Block, b):
					d := x.Block
					for !dom.Dominates(d, b) {
						d = dom.Idom(d)
					}
					at[a] = d.Term()
				}
			}
		}
	}
	before := map[*ssa.Value][]*ssa.Value{}
	for _, a := range order {
		x := at[a]
		if loops.Of(x.Block) != loops.Of(a.Block) {
			x = a
		}
		before[x] = append(before[x], a)
	}
	return before
}

// sum returns a prefix sum.
func (c *placement) sum(v *ssa.Value) *ssa.Value {
	x, _ := c.prefix(v)
	r := c.total(x.first, x.end-x.first)
	if x.ranked {
		rank := c.add(ssa.OpRank, ssa.TU32, c.conditions[x.end])
		if c.counted[x.end] {
			c.total(x.end, 1)
		}
		if r != nil {
			rank = c.add(ssa.OpAdd, ssa.TU32, r, rank)
		}
		r = rank
	}
	cast := func(r *ssa.Value) *ssa.Value {
		if r.Type != v.Type {
			r = c.add(ssa.OpBitcast, v.Type, r)
		}
		return r
	}
	if r = cast(r); x.exclusive {
		r = c.add(ssa.OpSub, v.Type, r, cast(c.conds[x.end]))
	}
	return r
}

// total returns the sum of the counts of n conditions from first on, nil for none.
func (c *placement) total(first, n int) *ssa.Value {
	if n == 0 {
		return nil
	}
	key := [2]int{first, n}
	for _, v := range c.counts[key] {
		if c.dom.Dominates(v.Block, c.b) {
			return v
		}
	}
	before := c.total(first, n-1)
	var r *ssa.Value
	if n == 1 {
		r = c.add(ssa.OpCount, ssa.TU32, c.conditions[first])
	} else {
		r = c.add(ssa.OpAdd, ssa.TU32, before, c.total(first+n-1, 1))
	}
	c.counts[key] = append(c.counts[key], r)
	return r
}

// add adds a value to the block.
func (c *placement) add(op ssa.Op, t ssa.Type, args ...*ssa.Value) *ssa.Value {
	v := c.f.NewValue(op, t, c.pos.Pos, args...)
	v.Block = c.b
	c.values = append(c.values, v)
	return v
}

// conditions returns a Bool for each summand. If a summand has no Bool as its operand, the Bool follows the summand: conditions moves the
// code's own conversion there, or adds one.
func (p *prefixes) conditions() []*ssa.Value {
	list, number := make([]*ssa.Value, len(p.conds)), map[*ssa.Value]int{}
	for n, v := range p.conds {
		if list[n] = v.Args[0]; v.Op == ssa.OpAnd {
			list[n], number[v] = nil, n
		}
	}
	for _, b := range p.f.Blocks {
		for _, v := range b.Values {
			if v.Op == ssa.OpConvert && v.Type == ssa.TBool {
				if n, ok := number[v.Args[0]]; ok && list[n] == nil {
					list[n] = v
				}
			}
		}
	}
	for n, v := range p.conds {
		if v.Op != ssa.OpAnd {
			continue
		}
		if x := list[n]; x != nil {
			x.Block.Remove(x)
		} else {
			list[n] = p.f.NewValue(ssa.OpConvert, ssa.TBool, v.Pos, v)
		}
		v.Block.InsertAt(slices.Index(v.Block.Values, v)+1, list[n])
	}
	return list
}
