package regalloc

import "slices"

// A value that loses its register to a value of a cold block keeps it in hot blocks. In cold blocks it has a home: hot
// code saves nothing, a cold block saves the value where control comes from a hot block, and reloads it where control
// goes back.

// A coldHome is the home of a register in cold blocks.
type coldHome struct {
	v         Reg
	home      int32
	ins, outs []int32 // cold blocks that save the value at their start; those that reload it at their end
}

// cool gives registers homes in cold blocks, and returns those that must have a home everywhere instead.
func (a *Allocator) cool(list []Reg) (cooled []coldHome, spilled []Reg) {
	if len(list) == 0 {
		return nil, nil
	}
	a.flow.restart()
	for _, v := range list {
		x := coldHome{v: v}
		a.regs[v].cooled = true
		if a.flow.boundaries(&x, !a.regs[v].remat && !a.regs[v].split) {
			cooled = append(cooled, x)
		} else {
			spilled = append(spilled, v)
		}
	}
	return cooled, spilled
}

// boundaries finds the cold blocks in which x.v comes from a hot block or goes to one. It returns false if a block that
// would save the value also follows a cold block, in which the register has another value.
func (l *liveness) boundaries(x *coldHome, saves bool) bool {
	if _, ok := l.liveOut(x.v, l.refsOf(x.v), 0); !ok {
		return false
	}
	hot := func(b int32) bool { return !l.blocks[b].cold }
	for b := range int32(len(l.blocks)) {
		if hot(b) {
			continue
		}
		if preds := l.preds[l.firstPred[b]:l.firstPred[b+1]]; saves && l.in[b] == x.v && slices.ContainsFunc(preds, hot) {
			if slices.ContainsFunc(preds, func(p int32) bool { return !hot(p) }) {
				return false
			}
			x.ins = append(x.ins, b)
		}
		if slices.ContainsFunc(l.succsOf(int(b)), func(s int32) bool { return hot(s) && l.in[s] == x.v }) {
			x.outs = append(x.outs, b)
		}
	}
	return true
}

// keepCold inserts the saves and reloads of cooled registers.
func (a *Allocator) keepCold(m Machine, cooled []coldHome) {
	for _, x := range cooled {
		for _, b := range x.ins {
			m.SaveFirst(int(b), x.v, x.home)
		}
		for _, b := range x.outs {
			m.DefineBefore(int(b), x.v, x.v, x.home)
		}
	}
}
