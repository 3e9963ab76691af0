package regalloc

import (
	"cmp"
	"slices"
)

// chooseRemat decides which rematerialisable values keep a register. In cold blocks none
// does: each use computes the value again, so that it takes no register from hot code.
// Elsewhere the most used values keep one, as many as the class has registers; the others are
// computed again at each use.
func (a *Allocator) chooseRemat(m Machine) {
	l := a.survey(m)
	marks := zeroed(a.marks, int(l.endPos()))
	a.marks = marks
	uses := zeroed(a.weights, len(a.regs))
	a.weights = uses
	coldDef := map[Reg]bool{} // rewriting removes such a definition
	some := false
	for v := Reg(1); v < Reg(len(a.regs)); v++ {
		if !a.regs[v].remat {
			continue
		}
		for _, r := range l.refsOf(v) {
			marks[r.pos()] = true
			b := &l.blocks[r.block()]
			switch {
			case r.kind() != use:
				if b.cold {
					coldDef[v] = true
				}
				continue
			case !b.cold:
				uses[v] += b.frequency
			}
			some = true
		}
	}
	if !some {
		return
	}
	hot, cold := a.noHomes(0), a.noHomes(1)
	wanted := make([][]Reg, len(a.file))
	for v := Reg(1); v < Reg(len(uses)); v++ {
		if !a.regs[v].remat {
			continue
		}
		cold[v] = rematerialised
		if uses[v] == 0 || coldDef[v] {
			hot[v] = rematerialised
		} else {
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
			hot[v] = rematerialised
		}
	}
	a.rewrite(m, hot, cold)
}
