package spmd

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// A copier copies blocks within a function.
type copier struct {
	*versions
	values map[*ssa.Value]*ssa.Value
	blocks map[*ssa.Block]*ssa.Block
	list   []*ssa.Block // the copied blocks
}

// copyBlocks copies blocks without their edges and terminators. Phis get their arguments from edge.
func (g *versions) copyBlocks(list []*ssa.Block) *copier {
	size := 0
	for _, b := range list {
		size += len(b.Values)
	}
	c := &copier{g, make(map[*ssa.Value]*ssa.Value, size), make(map[*ssa.Block]*ssa.Block, len(list)), list}
	for _, b := range list {
		nb := g.F.NewBlock(b.Name)
		c.blocks[b] = nb
		for _, v := range b.Values {
			if !v.Op.Has(ssa.Terminator) {
				c.values[v] = nb.Append(g.copyValue(v))
			}
		}
	}
	for _, b := range list {
		for _, v := range b.Values {
			if w := c.values[v]; w != nil && v.Op != ssa.OpPhi {
				c.setArgs(w, v)
			}
		}
	}
	return c
}

// copyValue returns a copy that is in no block and has no arguments.
func (g *versions) copyValue(v *ssa.Value) *ssa.Value {
	w := g.F.NewValue(v.Op, v.Type, v.Pos)
	w.Flags, w.Aux, w.Bits, w.Lanes, w.Sym = v.Flags, v.Aux, v.Bits, v.Lanes, v.Sym
	for len(g.origin) <= int(w.ID) {
		g.origin = append(g.origin, nil)
	}
	g.origin[w.ID] = g.Origin(v)
	if k := g.Gang(v); k > 0 {
		for len(g.gang) <= int(w.ID) {
			g.gang = append(g.gang, 0)
		}
		g.gang[w.ID] = int32(k) + 1
	}
	return w
}

func (c *copier) setArgs(w, v *ssa.Value) {
	w.SetArgs(v.Args...)
	for i, a := range w.Args {
		w.Args[i] = c.value(a)
	}
}

// value returns the copy of v, or v if its block was not copied.
func (c *copier) value(v *ssa.Value) *ssa.Value {
	if w := c.values[v]; w != nil {
		return w
	}
	return v
}

// end adds a copy of b's terminator to the copy of b.
func (c *copier) end(b *ssa.Block) {
	t := b.Term()
	w := c.blocks[b].Append(c.copyValue(t))
	c.setArgs(w, t)
}

// edge adds an edge from the block nb to s, or to the copy of s, equivalent to the edge from b to s.
func (c *copier) edge(nb, b, s *ssa.Block) {
	to := s
	if x := c.blocks[s]; x != nil {
		to = x
	}
	at := slices.Index(s.Preds, b)
	for i, v := range s.Phis() {
		phi := to.Values[i]
		phi.Args = append(slices.Clip(phi.Args), c.value(v.Args[at]))
	}
	nb.Link(to)
}

// finish adds the terminator and the edges of b to the copy of b.
func (c *copier) finish(b *ssa.Block) {
	c.end(b)
	for _, s := range b.Succs {
		c.edge(c.blocks[b], b, s)
	}
}

// repair inserts phis for values that have copies, where uses are reached by both the value and its copy.
func (c *copier) repair() {
	f := c.F
	dom := f.Dominators()
	type use struct {
		v   *ssa.Value
		arg int
		at  *ssa.Block
	}
	copied := make([]bool, f.NumValues())
	for v := range c.values {
		copied[v.ID] = true
	}
	uses := map[*ssa.Value][]use{}
	for _, b := range f.Blocks {
		if !dom.Reachable(b) {
			continue
		}
		for _, v := range b.Values {
			for i, a := range v.Args {
				if !copied[a.ID] {
					continue
				}
				at := b
				if v.Op == ssa.OpPhi {
					at = b.Preds[i]
				}
				if dom.Reachable(at) && !dom.Dominates(a.Block, at) {
					uses[a] = append(uses[a], use{v, i, at})
				}
			}
		}
	}
	var made []*ssa.Value
	for _, b := range c.list {
		for _, v := range b.Values {
			if len(uses[v]) == 0 {
				continue
			}
			w := c.values[v]
			r := reach{f: f, v: v, at: map[*ssa.Block]*ssa.Value{v.Block: v, w.Block: w}}
			for _, u := range uses[v] {
				u.v.Args[u.arg] = r.value(u.at)
			}
			made = append(made, r.made...)
		}
	}
	dropTrivial(f, made)
}

// dropTrivial removes phis whose arguments are all the same value.
func dropTrivial(f *ssa.Func, phis []*ssa.Value) {
	if len(phis) == 0 {
		return
	}
	repl := make([]*ssa.Value, f.NumValues())
	source := func(v *ssa.Value) *ssa.Value {
		for repl[v.ID] != nil {
			v = repl[v.ID]
		}
		return v
	}
	found := false
	for changed := true; changed; {
		changed = false
		for _, phi := range phis {
			if repl[phi.ID] != nil {
				continue
			}
			var one *ssa.Value
			several := false
			for _, a := range phi.Args {
				if a = source(a); a != phi && a != one {
					several = several || one != nil
					one = a
				}
			}
			if one != nil && !several {
				repl[phi.ID] = one
				changed, found = true, true
			}
		}
	}
	if !found {
		return
	}
	f.ReplaceAll(repl)
	for _, phi := range phis {
		if repl[phi.ID] != nil {
			phi.Block.Remove(phi)
		}
	}
}
