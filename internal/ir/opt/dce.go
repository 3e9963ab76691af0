package opt

import "github.com/purecl/purecl/internal/ir/ssa"

// dce removes values without observable effect: unused pure values and loads, and stores to variables that are
// never read. Config.KeepAccesses keeps the loads and stores.
func dce(s *state) {
	f := s.f
	d := dead{s: s, live: s.marked(f.NumValues()), work: s.work[:0]}
	if s.mem.allocas {
		s.roots = cleared(s.roots, f.NumValues())
		d.root = s.roots
	}
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if d.root != nil {
				d.root[v.ID] = d.variable(v)
			}
			if v.Op == ssa.OpParam || d.needed(v) {
				d.mark(v)
			}
		}
	}
	d.flush()
	s.work = d.work
	for _, b := range f.Blocks {
		n := 0
		for _, v := range b.Values {
			if d.live[v.ID] {
				b.Values[n] = v
				n++
			}
		}
		clear(b.Values[n:])
		b.Values = b.Values[:n]
	}
}

type dead struct {
	s    *state
	live []bool
	root []*ssa.Value // by ID: the alloca that a pointer points into, nil if unknown
	work []*ssa.Value
	// The stores that are needed only if their variable is, linked by ID.
	first map[*ssa.Value][]*ssa.Value
}

// variable returns the alloca that v points into, or nil.
func (d *dead) variable(v *ssa.Value) *ssa.Value {
	switch v.Op {
	case ssa.OpAlloca:
		return v
	case ssa.OpPtrAdd, ssa.OpCopy:
		return d.root[v.Args[0].ID]
	}
	return nil
}

// needed reports whether v must stay even if it is unused. It records a store to a variable, which is needed
// only if the variable is.
func (d *dead) needed(v *ssa.Value) bool {
	if d.s.pure(v) || v.Op == ssa.OpAlloca {
		return false
	}
	if v.Flags&ssa.Volatile != 0 || d.s.cfg.KeepAccesses {
		return true
	}
	switch v.Op {
	case ssa.OpLoad:
		return false
	case ssa.OpStore, ssa.OpMemZero, ssa.OpMemCopy:
		if d.root == nil {
			return true
		}
		a := d.root[v.Args[0].ID]
		if a == nil || d.live[a.ID] {
			return true
		}
		if d.first == nil {
			d.first = map[*ssa.Value][]*ssa.Value{}
		}
		d.first[a] = append(d.first[a], v)
		return false
	}
	return true
}

func (d *dead) mark(v *ssa.Value) {
	if !d.live[v.ID] {
		d.live[v.ID] = true
		d.work = append(d.work, v)
	}
}

func (d *dead) flush() {
	for len(d.work) > 0 {
		v := d.work[len(d.work)-1]
		d.work = d.work[:len(d.work)-1]
		for _, a := range v.Args {
			d.mark(a)
		}
		if v.Op == ssa.OpAlloca && d.first != nil {
			for _, st := range d.first[v] {
				d.mark(st)
			}
			delete(d.first, v)
		}
	}
}
