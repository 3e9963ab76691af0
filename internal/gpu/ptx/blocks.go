package ptx

import (
	"fmt"
	"math"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// A block with several accesses is emitted twice, as loops are (loops.go). The values that compute its addresses
// come first. Accesses at constant distances from each other are then compared with their object together. If all
// of them are in bounds, the fast copy runs, which has no checks of them.

// Limits of blocks that have a fast copy.
const (
	minBlockAccesses = 3
	maxBlockSize     = 600 // elements of the block's values
	maxBlockGroups   = 24
	maxDistance      = 1 << 30 // in bytes
)

// A fastBlock is a block with a fast copy.
type fastBlock struct {
	first  map[*ssa.Value]bool // values of the block that are emitted before the comparisons
	groups []*accessGroup
	skips  map[*ssa.Value]bool
	places map[*ssa.Value]groupPlace // of the accesses without checks
}

// A groupPlace is where an access lies: bytes behind the address of the group's first byte.
type groupPlace struct {
	group *accessGroup
	at    int64 // from the group's p
}

// An accessGroup is a set of accesses whose offsets differ by constants.
type accessGroup struct {
	root  *root
	write bool
	p     *ssa.Value // the pointer of the group's first access
	n     *ssa.Value // the 32-bit number in p's offset, nil if it has none
	index *index     // p's offset as an index, nil if it is not one
	// Of an index: the one that is compared, of an element of size bytes, which contains each access.
	checked index
	size    int64
	// Distances from p: leastN and mostN in its number, first and end in bytes, from the first byte accessed to the
	// one after the last.
	leastN, mostN int64
	first, end    int64
	// In the fast copy, addr is the register with the address of the byte at from p.
	addr string
	at   int64
}

// groupKey identifies a group: accesses with equal keys belong to the same one.
type groupKey struct {
	root  *root
	write bool
	terms string // the offset without its constants
}

// An offsetForm is an offset as a sum: terms, plus scale·n for a 32-bit number n if n is not nil, plus bytes.
type offsetForm struct {
	terms  string
	n      *ssa.Value // the number, including its constant
	scale  int64
	number int64 // the constant in n, added in 32 bits
	bytes  int64 // the constant added in 64 bits
}

// offsetOf decomposes the offset of a pointer into a known object.
func offsetOf(p *ssa.Value) (f offsetForm) {
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

// scaled decomposes v into of·scale + plus.
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

// plusConst decomposes a 32-bit value into base + c.
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

// fastBlock returns the fast copy of a block, nil if it should have none.
func (g *versions) fastBlock(b *ssa.Block) *fastBlock {
	if g.opts.Unchecked || g.masks != nil {
		return nil
	}
	x := &fastBlock{first: map[*ssa.Value]bool{}, skips: map[*ssa.Value]bool{}, places: map[*ssa.Value]groupPlace{}}
	size := 0
	for _, v := range b.Values {
		size += int(max(v.Type.N, 1))
		if v.Op.Has(ssa.Convergent) || v.Op == ssa.OpPrintf {
			return nil // the threads of a warp must converge at one instruction
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
func (g *versions) joinGroup(x *fastBlock, groups map[groupKey]*accessGroup, b *ssa.Block, v *ssa.Value) {
	p := v.Args[0]
	r := g.roots[p.ID]
	t, write := v.Type, v.Op == ssa.OpStore
	if write {
		t = v.Args[1].Type
	}
	size := int64(t.Size())
	if r == nil || g.facts.assumed[v] || min(r.align, int64(1)<<min(g.facts.zeros[p.ID], 7)) < granted(v.Aux, t) || g.facts.inBounds(r, p, size, write) {
		return
	}
	f := offsetOf(p)
	key := groupKey{r, write, f.terms}
	i, ok := g.indexOf(p)
	checked, whole := i.element(r, size)
	if lo, _, fits := checked.bounds(); ok && fits && lo > -maxDistance/2 { // the access has an index: its check is one 32-bit comparison
		key.terms += fmt.Sprint(" ", f.bytes-i.disp+checked.disp, " ", whole)
	} else {
		ok = false
	}
	a := groups[key]
	if a == nil {
		needed := map[*ssa.Value]bool{}
		if !early(b, p, needed) {
			return
		}
		for v := range needed {
			x.first[v] = true
		}
		a = &accessGroup{root: r, write: write, p: p, n: f.n, first: math.MaxInt64, end: math.MinInt64}
		if ok {
			a.index, a.checked, a.size = &i, checked, whole
		}
		groups[key] = a
		x.groups = append(x.groups, a)
	}
	of := offsetOf(a.p)
	n := f.number - of.number
	at := n*f.scale + f.bytes - of.bytes
	if at >= maxDistance || at <= -maxDistance {
		return
	}
	a.leastN, a.mostN = min(a.leastN, n), max(a.mostN, n)
	a.first, a.end = min(a.first, at), max(a.end, at+size)
	x.skips[v], x.places[v] = true, groupPlace{a, at}
}

// early reports whether the values that compute p can be hoisted to the start of block b, and adds them to needed.
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

// enterBlock emits the start of a block with a fast copy: the comparisons that choose the copy, and the branch to
// it.
func (g *versions) enterBlock(x *fastBlock, b *ssa.Block) {
	for _, v := range b.Values {
		if x.first[v] {
			g.value(v)
		}
	}
	var all allOf
	need := func(ok string) { all.add(&g.emitter, ok) }
	offsets := make([]string, len(x.groups)) // of the first bytes, of groups without an index
	for i, a := range x.groups {
		if a.index != nil {
			g.needIndex(a, &all)
			continue
		}
		if a.leastN != a.mostN { // n plus each distance must not wrap
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
		offsets[i] = off
	}
	slow := all.branch(&g.emitter)
	for i, a := range x.groups {
		if a.root.space != "global" {
			a.addr, a.at = g.shortAddress(a.root, a.p)
			a.at = -a.at
			continue
		}
		base := g.rootField(a.root, RootBase)
		a.at = a.first
		if a.index != nil {
			a.addr = a.index.address(&g.emitter, a.index.x(), base, a.first)
			continue
		}
		a.addr = g.set(b64, "add.s64", base, offsets[i])
	}
	g.emit("bra %s", fastLabel(b))
	g.mark(slow)
}

// needIndex emits the comparisons of a group's least and greatest number. Limits stay so far below the point where
// numbers wrap that if both ends are in bounds, every number between them is.
func (g *versions) needIndex(a *accessGroup, all *allOf) {
	lo, end, _ := a.checked.bounds()
	limit := g.limitOf(a.root, Limit{Write: a.write, Size: a.size, Scale: a.checked.scale, Disp: a.checked.disp, Lo: lo, End: end - maxDistance})
	n := a.index.x()
	for i, by := range [2]int64{a.leastN, a.mostN} {
		if i == 1 && a.leastN == a.mostN {
			return
		}
		x := n
		if by != lo {
			x = g.set(b32, "add.s32", n, fmt.Sprint(by-lo))
		}
		all.less(x, limit)
	}
}
