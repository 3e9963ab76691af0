package spmd

import "github.com/purecl/purecl/internal/ir/ssa"

// closeLoops transforms the function into loop-closed form: uses of a loop's values outside of the loop go
// through phis at the loop's exits, and where paths from several exits join.
func closeLoops(f *ssa.Func, dom *ssa.DomTree, loops *ssa.Loops) {
	if len(loops.All) == 0 {
		return
	}
	c := closing{f: f, dom: dom, loops: loops, number: make([]int32, f.NumValues()+f.NumValues()/4), exit: make([]*ssa.Block, f.NumBlocks())}
	for _, b := range dom.Order {
		for _, v := range b.Values {
			c.note(v)
		}
	}
	for _, l := range loops.All { // inner loops first: a phi for one may be in the loop around it
		c.close(l)
	}
}

// A use is an argument of a value.
type use struct {
	v   *ssa.Value
	arg int
	at  *ssa.Block // the block that needs it: for a phi's argument the predecessor
}

type closing struct {
	f     *ssa.Func
	dom   *ssa.DomTree
	loops *ssa.Loops
	// Few values have uses outside of their loop.
	number []int32 // by value ID: 1 + index in uses, 0 if it has none
	uses   [][]use

	// For the current loop, by block ID: the last block on all paths from the loop to this one that is an
	// exit's target or joins paths from several exits.
	exit []*ssa.Block
}

// note adds v to the uses of its arguments.
func (c *closing) note(v *ssa.Value) {
	for i, a := range v.Args {
		at := v.Block
		if v.Op == ssa.OpPhi {
			at = v.Block.Preds[i]
		}
		// Uses that are in all loops around a stay as they are.
		if a.Block == nil {
			continue
		}
		if l := c.loops.Of(a.Block); l != nil && !c.loops.Contains(l, at) {
			c.add(a, use{v, i, at})
		}
	}
}

func (c *closing) add(a *ssa.Value, u use) {
	for int(a.ID) >= len(c.number) {
		c.number = append(c.number, 0)
	}
	k := &c.number[a.ID]
	if *k == 0 {
		c.uses = append(c.uses, nil)
		*k = int32(len(c.uses))
	}
	c.uses[*k-1] = append(c.uses[*k-1], u)
}

// usesOf returns the uses of v outside of its loop.
func (c *closing) usesOf(v *ssa.Value) []use {
	if int(v.ID) >= len(c.number) || c.number[v.ID] == 0 {
		return nil
	}
	return c.uses[c.number[v.ID]-1]
}

// close makes the phis for the values of a loop.
func (c *closing) close(l *ssa.Loop) {
	var list []*ssa.Value // values used outside
	last := 0
	for _, b := range l.Blocks {
		for _, v := range b.Values {
			if v.Op == ssa.OpConst || v.Op == ssa.OpParam {
				continue
			}
			outside := false
			for _, u := range c.usesOf(v) {
				if !c.loops.Contains(l, u.at) {
					outside = true
					last = max(last, c.dom.Pos(u.at))
				}
			}
			if outside {
				list = append(list, v)
			}
		}
	}
	if len(list) == 0 {
		return
	}
	c.findExits(l, last)
	for _, v := range list {
		c.replace(l, v)
	}
}

// findExits fills exit for the blocks after a loop, up to a position in the order. Control returns to the loop
// only through its header, so that blocks that join paths from its exits are no loop headers.
func (c *closing) findExits(l *ssa.Loop, last int) {
	for _, b := range c.dom.Order[c.dom.Pos(l.Header)+1 : last+1] {
		if c.loops.Contains(l, b) || !c.dom.Dominates(l.Header, b) {
			continue
		}
		var exit *ssa.Block
		for _, p := range b.Preds {
			if c.dom.Pos(p) >= c.dom.Pos(b) {
				continue
			}
			from := b
			if !c.loops.Contains(l, p) {
				from = c.exit[p.ID]
			}
			if exit != nil && exit != from {
				from = b
			}
			exit = from
		}
		c.exit[b.ID] = exit
	}
}

// replace makes the uses of v outside of its loop use phis.
func (c *closing) replace(l *ssa.Loop, v *ssa.Value) {
	made := map[*ssa.Block]*ssa.Value{}
	var reach func(b *ssa.Block) *ssa.Value
	reach = func(b *ssa.Block) *ssa.Value {
		if c.loops.Contains(l, b) {
			return v
		}
		at := c.exit[b.ID]
		if phi := made[at]; phi != nil {
			return phi
		}
		phi := at.InsertAt(0, c.f.NewValue(ssa.OpPhi, v.Type, v.Pos))
		made[at] = phi
		args := make([]*ssa.Value, len(at.Preds))
		for i, p := range at.Preds {
			args[i] = reach(p)
		}
		phi.SetArgs(args...)
		c.note(phi)
		return phi
	}
	old := c.usesOf(v)
	c.number[v.ID] = 0
	for _, u := range old {
		x := v
		if !c.loops.Contains(l, u.at) {
			x = reach(u.at)
			u.v.Args[u.arg] = x
		}
		c.add(x, u)
	}
}
