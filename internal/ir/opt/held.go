package opt

import "github.com/purecl/purecl/internal/ir/ssa"

// held eliminates redundant loads and stores within blocks: loads whose value an earlier load or store has left
// at the address, and stores of values that memory already contains. If a structure is read whole, changed in
// some fields and written whole, only these fields are written. Unlike gvn, it treats accesses to different
// fields of a structure, and to different variables, as independent.
//
// Requires: gvn (equal addresses are one value). Breaks: dce.
func held(s *state) {
	if s.cfg.KeepAccesses {
		return
	}
	h := holder{rw: rewriter{s: s, f: s.f}}
	for _, b := range s.dom().Order {
		h.known = h.known[:0]
		removed := false
		for _, v := range b.Values {
			removed = h.visit(v) || removed
		}
		if removed {
			h.rw.begin(b)
			for _, v := range b.Values {
				if v.Op != ssa.OpStore || !h.drop[v] {
					h.rw.keep(v)
				}
			}
			h.rw.end()
		}
	}
	if h.copies {
		s.f.ReplaceCopies()
		s.dirty, s.merged = true, false
	}
}

// A content is a value known to be in memory at a place.
type content struct {
	place
	value *ssa.Value
}

// A place is a range of memory: size bytes at offset off from the pointer base.
type place struct {
	base     *ssa.Value
	off      int64
	size     int64
	variable any // that base points into; nil: unknown
}

// maxContents bounds the contents known at a time.
const maxContents = 64

type holder struct {
	rw     rewriter
	known  []content
	drop   map[*ssa.Value]bool // stores to remove
	copies bool                // a load became a copy
}

// visit updates the known contents after v, and reports whether v is a redundant store.
func (h *holder) visit(v *ssa.Value) (remove bool) {
	switch {
	case v.Op == ssa.OpLoad:
		if v.Flags&ssa.Volatile != 0 {
			h.known = h.known[:0]
			return false
		}
		p := placeOf(v.Args[0], v.Type)
		for _, c := range h.known {
			if c.place == p && c.value.Type == v.Type {
				v.BecomeCopy(c.value.Source())
				h.copies = true
				return false
			}
		}
		h.learn(content{p, v})
	case v.Op == ssa.OpStore:
		if v.Flags&ssa.Volatile != 0 {
			h.known = h.known[:0]
			return false
		}
		x := v.Args[1].Source()
		p := placeOf(v.Args[0], x.Type)
		for _, c := range h.known {
			if c.place == p && c.value.Source() == x && x.Op == ssa.OpLoad {
				if h.drop == nil {
					h.drop = map[*ssa.Value]bool{}
				}
				h.drop[v] = true
				return true
			}
		}
		h.forget(p)
		h.learn(content{p, x})
	case v.Op.Has(ssa.Writes), v.Op == ssa.OpFence, v.Op == ssa.OpAtomicLoad:
		h.known = h.known[:0]
	}
	return false
}

func (h *holder) learn(c content) {
	if len(h.known) == maxContents {
		copy(h.known, h.known[1:])
		h.known = h.known[:maxContents-1]
	}
	h.known = append(h.known, c)
}

// forget removes the contents that a write to p may change.
func (h *holder) forget(p place) {
	n := 0
	for _, c := range h.known {
		if !c.overlaps(p) {
			h.known[n] = c
			n++
		}
	}
	h.known = h.known[:n]
}

func placeOf(p *ssa.Value, t ssa.Type) place {
	q := place{base: p.Source(), size: int64(t.Size())}
	if b := q.base; b.Op == ssa.OpPtrAdd {
		if c, ok := splatConst(b.Args[1]); ok {
			q.base, q.off = b.Args[0].Source(), int64(c)
		}
	}
	q.variable = variableOf(q.base)
	return q
}

// maxPointerSteps bounds the operations that variableOf follows.
const maxPointerSteps = 8

// variableOf returns the variable that a pointer points into, or past, nil if it is not known.
func variableOf(p *ssa.Value) any {
	for range maxPointerSteps {
		switch p.Op {
		case ssa.OpPtrAdd, ssa.OpPtrCast, ssa.OpCopy:
			p = p.Args[0]
		case ssa.OpAlloca, ssa.OpGlobalAddr:
			return p.Sym
		default:
			return nil
		}
	}
	return nil
}

// overlaps reports whether two places may overlap.
func (p place) overlaps(q place) bool {
	if p.base == q.base {
		return p.off < q.off+q.size && q.off < p.off+p.size
	}
	if p.variable != nil && q.variable != nil && p.variable != q.variable {
		return false
	}
	a, b := p.base.Type.K, q.base.Type.K
	return a == b || a == ssa.PtrGeneric || b == ssa.PtrGeneric
}
