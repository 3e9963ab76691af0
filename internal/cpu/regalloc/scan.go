package regalloc

import "slices"

// spillWeights estimates the cost of spilling each register.
func (a *Allocator) spillWeights(rs ranges) []float64 {
	l := &a.flow
	l.touches = slices.Grow(l.touches[:0], len(a.regs))[:len(a.regs)]
	w := slices.Grow(a.weights[:0], len(a.regs))[:len(a.regs)]
	a.weights = w
	for v := range w {
		touches := 0.0
		for _, r := range l.refsOf(Reg(v)) {
			if r.kind() != implicitDef {
				touches += l.blocks[r.block()].frequency
			}
		}
		l.touches[v], w[v] = touches, touches
		n := int32(0)
		for _, s := range rs.of(Reg(v)) {
			n += s.to - s.from
		}
		w[v] /= float64(n + 8)
		if a.regs[v].remat {
			w[v] *= 0.4
		}
		if a.regs[v].noSpill {
			w[v] = 1e30
		}
	}
	return w
}

// byStart returns the registers with a live range, sorted by its start and then by number.
func (a *Allocator) byStart(rs ranges) []Reg {
	starts := zeroed(a.starts, 2*int(a.flow.endPos())+2)
	a.starts = starts
	n := 0
	for v := Reg(1); v < Reg(len(a.regs)); v++ {
		if spans := rs.of(v); len(spans) > 0 {
			starts[spans[0].from+1]++
			n++
		}
	}
	for t := 1; t < len(starts); t++ {
		starts[t] += starts[t-1]
	}
	order := slices.Grow(a.order[:0], n)[:n]
	a.order = order
	for v := Reg(1); v < Reg(len(a.regs)); v++ {
		if spans := rs.of(v); len(spans) > 0 {
			order[starts[spans[0].from]] = v
			starts[spans[0].from]++
		}
	}
	return order
}

// scan assigns machine registers and returns the registers to spill, everywhere or in cold blocks. It returns false if
// a register that cannot be spilled gets none.
func (a *Allocator) scan(rs ranges) (spilled, cooled []Reg, ok bool) {
	w := a.spillWeights(rs)
	pregs := slices.Grow(a.pregs[:0], len(a.regs))[:len(a.regs)]
	a.pregs = pregs
	for i := range pregs {
		pregs[i] = NoPReg
	}
	o := &a.occupied
	o.reset()
	for _, v := range a.byStart(rs) {
		cur := rs.of(v)
		x := &a.regs[v]
		var best PReg
		candidates := a.file[x.class].Regs
		if h := x.hint; h > 0 && pregs[h] != NoPReg && a.regs[h].class == x.class && o.free(pregs[h], cur) {
			best = pregs[h]
		} else {
			best = o.firstFree(candidates, cur)
		}
		if best == NoPReg {
			if best = a.cheapest(candidates, cur, w, w[v]); best == NoPReg {
				if x.noSpill {
					return nil, nil, false
				}
				spilled = append(spilled, v)
				continue
			}
			a.conflicts = o.conflicts(best, cur, a.conflicts[:0])
			for _, y := range a.conflicts {
				if pregs[y] != NoPReg {
					if !a.regs[y].cooled && a.flow.touches[y] >= 1 && a.flow.coldAt(cur[0].from) {
						cooled = append(cooled, y)
					} else {
						spilled = append(spilled, y)
					}
					pregs[y] = NoPReg
					o.remove(best, y, rs.of(y), cur[0].from)
				}
			}
		}
		pregs[v] = best
		o.add(best, v, cur)
	}
	return spilled, cooled, true
}

// coldAt reports whether the block at a time is cold.
func (l *liveness) coldAt(time int32) bool {
	k, _ := slices.BinarySearchFunc(l.blocks, time/2, func(b surveyedBlock, pos int32) int { return int(b.last - pos) })
	return l.blocks[min(k, len(l.blocks)-1)].cold
}

// cheapest returns the candidate whose virtual registers during cur are cheapest to spill, if that costs less
// than most. No candidate is free.
func (a *Allocator) cheapest(candidates []PReg, cur []span, w []float64, most float64) PReg {
	o := &a.occupied
	best := NoPReg
	for _, p := range candidates {
		if x := o.occupant(p, cur[0].from); x != 0 && w[x] >= most {
			continue
		}
		a.conflicts = o.conflicts(p, cur, a.conflicts[:0])
		dearest := 0.0
		for _, x := range a.conflicts {
			dearest = max(dearest, w[x])
		}
		if dearest < most {
			best, most = p, dearest
		}
	}
	return best
}
