package ptx

import (
	"fmt"
	"math"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Blocks with several accesses are emitted twice, as loops are (loops.go). Values that addresses are computed
// of come first. Then accesses that lie at constant distances from one another are compared with
// their object together, and if all of them are in bounds, the fast copy runs, which has no checks
// of them.

// Limits of blocks that have a fast copy.
const (
	minBlockAccesses = 3
	maxBlockSize     = 600 // elements of its values
	maxBlockGroups   = 24
	maxDistance      = 1 << 30 // in bytes
)

// A fastBlock is a block with a fast copy.
type fastBlock struct {
	first  map[*ssa.Value]bool // values of the block that come before the comparisons
	groups []*accessGroup
	skips  map[*ssa.Value]bool
}

// An accessGroup is accesses whose offsets differ by constants.
type accessGroup struct {
	root  *root
	write bool
	p     *ssa.Value // the pointer of one of them
	n     *ssa.Value // its 32-bit number, nil: none
	index *index     // it as an index, nil: it is none
	size  int64      // bytes of each access of an index
	// Distances from that one: of numbers, and of bytes from the first to behind the last.
	leastN, mostN int64
	first, end    int64
}

// groupKey says which accesses are of one group.
type groupKey struct {
	root  *root
	write bool
	terms string // of the offset, constants apart
}

// An offsetForm is an offset as a sum: of terms, constants, and perhaps a 32-bit number and a constant.
type offsetForm struct {
	terms  string
	n      *ssa.Value // the number, with its constant
	scale  int64
	number int64 // the constant that is added to the number in 32 bits
	bytes  int64 // the constant in 64 bits
}

// offsetOf takes the offset of a pointer into a known object apart.
func (g versions) offsetOf(p *ssa.Value) (f offsetForm) {
	for {
		switch {
		case p.Op == ssa.OpPtrCast || p.Op == ssa.OpCopy:
			p = p.Args[0]
			continue
		case p.Op == ssa.OpPtrAdd && p.Args[1].IsConst() && smallStep(int64(p.Args[1].Bits[0])):
			f.bytes += int64(p.Args[1].Bits[0])
			p = p.Args[0]
			continue
		case p.Op == ssa.OpPtrAdd:
			v, scale, c := scaled(p.Args[1])
			f.bytes += c
			if f.n == nil && unextended(v) != v {
				f.n, f.scale = unextended(v), scale
				base, c := plusConst(f.n)
				f.number = c
				f.terms += fmt.Sprint(base.ID, "*", scale, base.Type.K, " ")
			} else {
				f.terms += fmt.Sprint(v.ID, "*", scale, " ")
			}
			p = p.Args[0]
			continue
		}
		f.terms += fmt.Sprint("+", p.ID)
		return f
	}
}

// scaled takes a product with a constant, and a sum with one, apart.
func scaled(v *ssa.Value) (of *ssa.Value, scale, plus int64) {
	scale = 1
	for {
		switch {
		case v.Op == ssa.OpCopy:
			v = v.Args[0]
		case v.Op == ssa.OpAdd && v.Args[1].IsConst() && smallStep(int64(v.Args[1].Bits[0])) && smallStep(plus):
			plus += int64(v.Args[1].Bits[0]) * scale
			v = v.Args[0]
		case v.Op == ssa.OpMul && v.Args[1].IsConst() && v.Args[1].Bits[0] < maxStepBytes && scale < maxStepBytes:
			scale *= int64(v.Args[1].Bits[0])
			v = v.Args[0]
		case v.Op == ssa.OpShl && v.Args[1].IsConst() && v.Args[1].Bits[0] < 12 && scale < maxStepBytes:
			scale <<= v.Args[1].Bits[0]
			v = v.Args[0]
		default:
			return v, scale, plus
		}
	}
}

// maxStepBytes bounds the factors of scaled.
const maxStepBytes = 1 << 12

// plusConst takes a 32-bit sum with a constant apart.
func plusConst(v *ssa.Value) (base *ssa.Value, c int64) {
	for {
		switch {
		case v.Op == ssa.OpCopy:
			v = v.Args[0]
		case (v.Op == ssa.OpAdd || v.Op == ssa.OpSub) && v.Args[1].IsConst() && smallStep(signedConst(v.Args[1])) && smallStep(c):
			if v.Op == ssa.OpAdd {
				c += signedConst(v.Args[1])
			} else {
				c -= signedConst(v.Args[1])
			}
			v = v.Args[0]
		default:
			return v, c
		}
	}
}

// fastBlock returns what the fast copy of a block is like, nil if it has none.
func (g versions) fastBlock(b *ssa.Block) *fastBlock {
	if !g.o.Blocks {
		return nil
	}
	x := &fastBlock{first: map[*ssa.Value]bool{}, skips: map[*ssa.Value]bool{}}
	size := 0
	for _, v := range b.Values {
		size += int(max(v.Type.N, 1))
		if v.Op.Has(ssa.Convergent) || v.Op == ssa.OpPrintf {
			return nil // threads of a warp meet in one place
		}
	}
	if size > maxBlockSize {
		return nil
	}
	groups := map[groupKey]*accessGroup{}
	g.facts.enter(b)
	for _, v := range b.Values {
		if v.Op == ssa.OpLoad || v.Op == ssa.OpStore {
			g.joinGroup(x, groups, b, v)
		}
	}
	if len(x.skips) < minBlockAccesses || len(x.groups) > min(maxBlockGroups, len(x.skips)) {
		return nil
	}
	return x
}

// joinGroup adds an access to the group of those at constant distances from it.
func (g versions) joinGroup(x *fastBlock, groups map[groupKey]*accessGroup, b *ssa.Block, v *ssa.Value) {
	p := v.Args[0]
	r := g.roots[p.ID]
	t, write := v.Type, v.Op == ssa.OpStore
	if write {
		t = v.Args[1].Type
	}
	size := int64(t.Size())
	if r == nil || min(r.align, int64(1)<<min(g.facts.zeros[p.ID], 7)) < granted(v.Aux, t) || g.facts.inBounds(r, p, size, write) {
		return
	}
	needed := map[*ssa.Value]bool{}
	if !early(b, p, needed) {
		return
	}
	f := g.offsetOf(p)
	key := groupKey{r, write, f.terms}
	i, ok := g.indexOf(p)
	if lo, _, fits := i.bounds(); ok && fits && lo > -maxDistance/2 { // one comparison of 32 bits
		key.terms += fmt.Sprint(" ", f.bytes, " ", size)
	} else {
		ok = false
	}
	a := groups[key]
	if a == nil {
		a = &accessGroup{root: r, write: write, p: p, n: f.n, size: size, first: math.MaxInt64, end: math.MinInt64}
		if ok {
			a.index = &i
		}
		groups[key] = a
		x.groups = append(x.groups, a)
	}
	of := g.offsetOf(a.p)
	n := f.number - of.number
	at := n*f.scale + f.bytes - of.bytes
	if at >= maxDistance || at <= -maxDistance {
		return
	}
	a.leastN, a.mostN = min(a.leastN, n), max(a.mostN, n)
	a.first, a.end = min(a.first, at), max(a.end, at+size)
	x.skips[v] = true
	for v := range needed {
		x.first[v] = true
	}
}

// early reports whether what p is computed of can stand at the beginning of its block, and collects it.
func early(b *ssa.Block, p *ssa.Value, needed map[*ssa.Value]bool) bool {
	if p.Block != b || p.Op == ssa.OpPhi || p.Op == ssa.OpParam || needed[p] {
		return true
	}
	if !p.Op.Has(ssa.Pure) || len(needed) > maxBlockSize {
		return false
	}
	for _, a := range p.Args {
		if !early(b, a, needed) {
			return false
		}
	}
	needed[p] = true
	return true
}

// enterBlock emits the beginning of a block with a fast copy: the comparisons that choose it, and the
// branch to it.
func (g versions) enterBlock(x *fastBlock, b *ssa.Block) {
	for _, v := range b.Values {
		if x.first[v] {
			g.value(v)
		}
	}
	var all allOf
	need := func(ok string) { all.add(g, ok) }
	for _, a := range x.groups {
		if a.index != nil {
			g.needIndex(a, need)
			continue
		}
		if a.leastN != a.mostN { // the numbers must not wrap
			n := g.extended(a.n.Type.K, g.elem(a.n, 0))
			least := int64(0)
			if a.n.Type.K == ssa.I32 {
				least = math.MinInt32
			}
			n = g.set(b64, "add.s64", n, fmt.Sprint(a.leastN-least))
			need(g.set(pred, "setp.lt.u64", n, fmt.Sprint(int64(1)<<32-(a.mostN-a.leastN))))
		}
		limit := g.limitOf(a.root, Limit{Write: a.write, Wide: true, Size: a.end - a.first, Scale: 1})
		off := g.offset(a.p)
		if a.first != 0 {
			off = g.set(b64, "add.s64", off, fmt.Sprint(a.first))
		}
		need(g.set(pred, "setp.lt.u64", off, limit))
	}
	slow := all.branch(g)
	g.emit("bra %s", fastLabel(b))
	g.mark(slow)
}

// needIndex emits the comparisons of the least and the greatest number of a group. Limits end so far
// from where numbers wrap that if both are in bounds all between them are.
func (g versions) needIndex(a *accessGroup, need func(ok string)) {
	lo, end, _ := a.index.bounds()
	limit := g.limitOf(a.root, Limit{Write: a.write, Size: a.size, Scale: a.index.scale, Disp: a.index.disp, Lo: lo, End: end - maxDistance})
	n := a.index.x()
	for i, by := range [2]int64{a.leastN, a.mostN} {
		if i == 1 && a.leastN == a.mostN {
			return
		}
		x := n
		if by != lo {
			x = g.set(b32, "add.s32", n, fmt.Sprint(by-lo))
		}
		need(g.set(pred, "setp.lt.u32", x, limit))
	}
}
