package opt

import (
	"math/rand/v2"
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// gvn replaces a pure value by an equal one that dominates it. It replaces a load by an earlier load from, or
// store to, the same address if nothing in between may have written there. It moves constants, addresses of
// variables and work-item queries to the entry block, so that equal ones are merged.
//
// Two floating-point operations are equal only with their arguments in the same order, because the order
// decides which NaN a sum of two NaNs is. gvn never merges an OpUndef: its position identifies the variable.
// Config.KeepAccesses keeps all loads.
//
// Requires: cfg, simplify, mem2reg. Breaks: dce.
func gvn(s *state) {
	if s.merged {
		return
	}
	s.merged = true
	g := numbering{s: s, f: s.f}
	g.hoist()
	n := 16
	for n < 2*s.f.CountValues() {
		n *= 2
	}
	s.table = cleared(s.table, n)
	g.table, g.entries = s.table, s.avail[:0]
	g.run()
	s.avail = g.entries
	if g.merged {
		s.f.ResolvePhis() // run has updated the uses that a definition dominates
		s.dirty = true
	}
}

// available is an entry of the hash table: an expression in scope, linked to others in its slot.
type available struct {
	v    *ssa.Value // the value of the expression
	key  *ssa.Value // the expression; a store represents the load of the stored value
	hash uint32
	mem  int32 // memory version, for loads
	next int32
	slot int32
}

type numbering struct {
	s       *state
	f       *ssa.Func
	table   []int32 // by hash: index of the entry + 1
	entries []available
	// Memory versions by pointer kind; a write increments the version of its kind and of the kinds that may
	// alias it.
	mem     memory
	version int32
	atEnd   []memory // by block ID
	merged  bool
}

// memory is the versions of the address spaces from PtrPrivate to PtrGeneric.
type memory [ssa.PtrGeneric - ssa.PtrPrivate + 1]int32

// hoist moves constants, addresses and queries to the entry block.
func (g *numbering) hoist() {
	e := g.f.Blocks[0]
	var moved, addrs []*ssa.Value
	for _, b := range g.f.Blocks {
		n := 0
		for _, v := range b.Values {
			switch {
			case v.Op == ssa.OpConst:
				moved = append(moved, v)
			case v.Op == ssa.OpGlobalAddr || v.Op == ssa.OpWorkItem && v.Args[0].Op == ssa.OpConst:
				addrs = append(addrs, v)
			default:
				b.Values[n] = v
				n++
			}
		}
		clear(b.Values[n:])
		b.Values = b.Values[:n]
	}
	moved = append(moved, addrs...)
	for _, v := range moved {
		v.Block = e
	}
	e.Values = slices.Insert(e.Values, len(g.f.Params), moved...)
}

func (g *numbering) run() {
	t := g.s.dom()
	g.atEnd = make([]memory, g.f.NumBlocks())
	type frame struct {
		b    *ssa.Block
		mark int
	}
	var stack []frame
	for _, b := range t.Preorder() {
		for len(stack) > 0 && !t.Dominates(stack[len(stack)-1].b, b) {
			g.leave(stack[len(stack)-1].mark)
			stack = stack[:len(stack)-1]
		}
		stack = append(stack, frame{b, len(g.entries)})
		if len(b.Preds) == 1 {
			g.mem = g.atEnd[b.Preds[0].ID]
		} else {
			g.clobberAll()
		}
		n := 0
		for _, v := range b.Values {
			if g.value(v); v.Op != ssa.OpCopy {
				b.Values[n] = v
				n++
			}
		}
		clear(b.Values[n:])
		b.Values = b.Values[:n]
		g.atEnd[b.ID] = g.mem
	}
}

// leave removes the entries made since mark.
func (g *numbering) leave(mark int) {
	for i := len(g.entries) - 1; i >= mark; i-- {
		g.table[g.entries[i].slot] = g.entries[i].next
	}
	g.entries = g.entries[:mark]
}

func (g *numbering) clobberAll() {
	g.version++
	for i := range g.mem {
		if ssa.Kind(i)+ssa.PtrPrivate != ssa.PtrConstant {
			g.mem[i] = g.version
		}
	}
}

// clobber records a write through a pointer of kind k.
func (g *numbering) clobber(k ssa.Kind) {
	if k == ssa.PtrGeneric {
		g.clobberAll()
		return
	}
	g.version++
	g.mem[k-ssa.PtrPrivate] = g.version
	g.mem[ssa.PtrGeneric-ssa.PtrPrivate] = g.version
}

func (g *numbering) value(v *ssa.Value) {
	for i, a := range v.Args {
		if a.Op == ssa.OpCopy {
			v.Args[i] = a.Source()
		}
	}
	switch {
	case v.Op == ssa.OpUndef || v.Op == ssa.OpParam || v.Op == ssa.OpCopy:
	case g.s.pure(v):
		g.number(v, v, 0)
	case v.Op == ssa.OpLoad:
		k := v.Args[0].Type.K
		if v.Flags&ssa.Volatile != 0 || g.s.cfg.KeepAccesses {
			g.clobber(k)
			return
		}
		g.number(v, v, g.mem[k-ssa.PtrPrivate])
	case v.Op == ssa.OpStore:
		k := v.Args[0].Type.K
		g.clobber(k)
		if v.Flags&ssa.Volatile == 0 && !g.s.cfg.KeepAccesses {
			g.number(v, v.Args[1], g.mem[k-ssa.PtrPrivate])
		}
	case v.Op == ssa.OpMemCopy || v.Op == ssa.OpMemZero:
		g.clobber(v.Args[0].Type.K)
	case v.Op.Has(ssa.Writes) || v.Op == ssa.OpFence || v.Op == ssa.OpAtomicLoad:
		g.clobberAll()
	}
}

// number looks up the expression key, which v computes. It replaces key by an earlier equal one, or enters it
// with the value result. For a store, the expression is the load of the stored value.
func (g *numbering) number(key, result *ssa.Value, mem int32) {
	h := hash(key, mem)
	slot := h & uint32(len(g.table)-1)
	if key.Op != ssa.OpStore {
		for e := g.table[slot]; e != 0; e = g.entries[e-1].next {
			x := &g.entries[e-1]
			if x.hash == h && x.mem == mem && equal(x.key, key) {
				key.BecomeCopy(x.v)
				g.merged = true
				return
			}
		}
	}
	g.entries = append(g.entries, available{result, key, h, mem, g.table[slot], int32(slot)})
	g.table[slot] = int32(len(g.entries))
}

// swaps reports whether v's two arguments may be exchanged.
func swaps(v *ssa.Value) bool {
	if !v.Op.Has(ssa.Commutative) || len(v.Args) != 2 {
		return false
	}
	return v.Op == ssa.OpEq || v.Op == ssa.OpNe || !v.Type.K.Num().IsFloat()
}

// loadType returns the type of memory that a load or store accesses.
func loadType(v *ssa.Value) ssa.Type {
	if v.Op == ssa.OpStore {
		return v.Args[1].Type
	}
	return v.Type
}

// hashInit starts each hash with a random value per process, so that no input can be constructed whose values
// all collide.
var hashInit = rand.Uint32()

// hash returns the FNV-1a hash, by words, of the fields that equal compares.
func hash(v *ssa.Value, mem int32) uint32 {
	h := hashInit
	mix := func(x uint32) { h = (h ^ x) * 16777619; h ^= h >> 15 }
	if v.Op == ssa.OpLoad || v.Op == ssa.OpStore {
		t := loadType(v)
		mix(uint32(ssa.OpLoad) | uint32(t.K)<<8 | uint32(t.N)<<16)
		mix(uint32(v.Args[0].ID))
		mix(uint32(mem))
		return h
	}
	mix(uint32(v.Op) | uint32(v.Type.K)<<8 | uint32(v.Type.N)<<16 | uint32(v.Flags)<<24)
	mix(uint32(v.Aux))
	mix(uint32(v.Aux >> 32))
	if swaps(v) {
		a, b := uint32(v.Args[0].ID), uint32(v.Args[1].ID)
		mix(min(a, b))
		mix(max(a, b))
	} else {
		for _, a := range v.Args {
			mix(uint32(a.ID))
		}
	}
	for _, x := range v.Bits {
		mix(uint32(x))
		mix(uint32(x >> 32))
	}
	for _, l := range v.Lanes {
		mix(uint32(l))
	}
	if g, ok := v.Sym.(*ssa.Global); ok {
		for i := range len(g.Name) {
			mix(uint32(g.Name[i]))
		}
	}
	if v.Op == ssa.OpPhi {
		mix(uint32(v.Block.ID))
	}
	return h
}

// equal reports whether two expressions have the same value wherever both are available.
func equal(x, y *ssa.Value) bool {
	load := func(v *ssa.Value) bool { return v.Op == ssa.OpLoad || v.Op == ssa.OpStore }
	if load(x) || load(y) {
		return load(x) && load(y) && loadType(x) == loadType(y) && x.Args[0] == y.Args[0]
	}
	if x.Op != y.Op || x.Type != y.Type || x.Aux != y.Aux || x.Flags != y.Flags || x.Sym != y.Sym || len(x.Args) != len(y.Args) ||
		x.Op == ssa.OpPhi && x.Block != y.Block {
		return false
	}
	if !slices.Equal(x.Bits, y.Bits) || !slices.Equal(x.Lanes, y.Lanes) {
		return false
	}
	return slices.Equal(x.Args, y.Args) || swaps(x) && x.Args[0] == y.Args[1] && x.Args[1] == y.Args[0]
}
