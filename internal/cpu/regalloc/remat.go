package regalloc

import (
	"cmp"
	"slices"
)

// chooseRemat chooses the rematerialisable values that keep a register. In cold blocks none does, so that none
// takes a register from hot code. Elsewhere the most used values keep one, up to the number of registers of the
// class. All others are recomputed at each use.
func (a *Allocator) chooseRemat(m Machine) {
	l := a.survey(m)
	marks := zeroed(a.marks, int(l.endPos()))
	a.marks = marks
	uses := zeroed(a.weights, len(a.regs))
	a.weights = uses
	hot, cold := a.noHomes(0), a.noHomes(1)
	change := false
	for v := Reg(1); v < Reg(len(a.regs)); v++ {
		if !a.regs[v].remat {
			continue
		}
		for _, r := range l.refsOf(v) {
			marks[r.pos()] = true
			b := &l.blocks[r.block()]
			switch {
			case b.cold && r.kind() != use: // rewriting removes this definition
				hot[v] = rematerialised
			case b.cold:
				change = true
			case r.kind() == use:
				uses[v] += b.frequency
			}
		}
	}
	wanted := make([][]Reg, len(a.file))
	for v := Reg(1); v < Reg(len(uses)); v++ {
		if !a.regs[v].remat {
			continue
		}
		cold[v] = rematerialised
		switch {
		case hot[v] == rematerialised:
			change = true
		case uses[v] == 0:
			hot[v], change = rematerialised, true
		default:
			k := a.regs[v].class
			wanted[k] = append(wanted[k], v)
		}
	}
	for k, list := range wanted {
		most := len(a.file[k].Regs)
		if len(list) <= most {
			continue
		}
		slices.SortStableFunc(list, func(x, y Reg) int { return cmp.Compare(uses[y], uses[x]) })
		for _, v := range list[most:] {
			hot[v], change = rematerialised, true
		}
	}
	if change {
		a.rewrite(m, hot, cold)
	}
}
