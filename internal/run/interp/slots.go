package interp

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// eliminate removes the instructions whose results are unused. Vectors are scalarised, so that it also removes work
// on unused elements.
func (d *draft) eliminate() {
	def := make([]*inst, len(d.regs))
	moved := make([][]reg, len(d.regs)) // sources of moves to each phi
	var work []reg
	need := func(r reg) {
		if r != noReg && !d.regs[r].live {
			d.regs[r].live = true
			work = append(work, r)
		}
	}
	needAll := func(in *inst) {
		in.eachSrc(func(r *int32) { need(*r) })
		for _, g := range in.guards {
			g.eachSrc(func(r *int32) { need(*r) })
		}
	}
	for _, b := range d.blocks {
		for _, in := range b.insts {
			in.eachDst(func(r *int32) { def[*r] = in })
			if in.effect {
				needAll(in)
			}
		}
		if b.term.term == termBranch || b.term.term == termSwitch {
			need(b.term.cond)
		}
		for _, e := range b.edges {
			for _, m := range e.moves {
				moved[m.dst] = append(moved[m.dst], m.src)
			}
		}
	}
	source := make([]reg, len(d.regs)) // of a broadcast column: the uniform register
	for i := range source {
		source[i] = noReg
	}
	for r, info := range d.regs {
		if info.bcast != noReg {
			source[info.bcast] = reg(r)
		}
	}
	for len(work) > 0 {
		r := work[len(work)-1]
		work = work[:len(work)-1]
		if source[r] != noReg {
			need(source[r])
		}
		for _, m := range moved[r] {
			need(m)
		}
		if in := def[r]; in != nil && !in.effect {
			needAll(in)
		}
	}
	for _, b := range d.blocks {
		b.insts = slices.DeleteFunc(b.insts, func(in *inst) bool {
			live := in.effect
			in.eachDst(func(r *int32) { live = live || d.regs[*r].live })
			return !live
		})
		for i := range b.edges {
			e := &b.edges[i]
			e.moves = slices.DeleteFunc(e.moves, func(m move) bool { return !d.regs[m.dst].live })
		}
	}
	d.expand()
}

// expand adds guards and broadcasts to the instruction lists.
func (d *draft) expand() {
	spread := func(out []*inst, r reg) []*inst {
		info := d.regs[r]
		if !info.uniform || info.pin >= 0 || info.bcast == noReg || !d.regs[info.bcast].live {
			return out
		}
		return append(out, &inst{run: bcastKernel(info.size), d: info.bcast, a: r, b: noReg, c: noReg})
	}
	phis := make(map[*build][]reg)
	for _, b := range d.flow.Order {
		k := d.start[b.ID]
		for _, v := range b.Values {
			if v.Op != ssa.OpPhi {
				break
			}
			phis[k] = append(append(phis[k], d.comps[v.ID]...), d.taints[v.ID]...)
		}
	}
	for _, b := range d.blocks {
		out := make([]*inst, 0, len(b.insts))
		for _, r := range phis[b] {
			out = spread(out, r)
		}
		for _, in := range b.insts {
			out = append(out, in.guards...)
			out = append(out, in)
			in.eachDst(func(r *int32) { out = spread(out, *r) })
		}
		b.insts = out
	}
}

// eachSrc calls f with each register that in reads.
func (in *inst) eachSrc(f func(r *int32)) {
	for _, r := range []*int32{&in.a, &in.b, &in.c} {
		if *r != noReg {
			f(r)
		}
	}
	for i := range in.src {
		if in.src[i] != noReg {
			f(&in.src[i])
		}
	}
	if m := in.mem; m != nil {
		if m.base != noReg {
			f(&m.base)
		}
		if m.index != noReg {
			f(&m.index)
		}
	}
}

// eachDst calls f with each register that in writes.
func (in *inst) eachDst(f func(r *int32)) {
	if in.d != noReg {
		f(&in.d)
	}
	for i := range in.dst {
		if in.dst[i] != noReg {
			f(&in.dst[i])
		}
	}
}

// A span32 is the half-open range of positions in which a register is live.
type span32 struct{ from, to int32 }

// A slot is a column that registers share.
type slot struct {
	size   uint8
	unit   int32
	end    int32
	ranges []span32
}

// An allocator assigns slots to the varying registers of a function by linear scan
// over live ranges (M. Poletto and V. Sarkar, "Linear Scan Register Allocation", 1999),
// with holes used where that saves a phi's move.
type allocator struct {
	d      *draft
	dense  []int32 // by register: number among the registers to allocate, or -1
	regs   []reg
	ranges [][]span32 // by dense number, from the last to the first
	hints  [][]int32
	slots  [9][]*slot
	placed []*slot
}

// assign assigns storage to every live register: a cell, or a column relative to the function's base (in
// regInfo.at).
func (d *draft) assign() {
	a := &allocator{d: d, dense: make([]int32, len(d.regs))}
	for r := range d.regs {
		info := &d.regs[r]
		a.dense[r] = -1
		switch {
		case info.fixed:
			info.at = d.columnBytes
			d.columnBytes += int32(info.size)
		case !info.live && !d.written(reg(r)) || info.pin >= 0:
		case info.uniform:
			info.at = d.c.p.cells * 8
			d.c.p.cells++
		default:
			a.dense[r] = int32(len(a.regs))
			a.regs = append(a.regs, reg(r))
		}
	}
	a.live()
	a.scan()
	d.columnBytes += 16 // two scratch columns: one to break cycles of moves, one spare
}

// written reports whether a live instruction writes the dead register r: a vector load with unused elements.
func (d *draft) written(r reg) bool {
	if d.deadDst == nil {
		d.deadDst = map[reg]bool{}
		for _, b := range d.blocks {
			for _, in := range b.insts {
				in.eachDst(func(r *int32) {
					if !d.regs[*r].live {
						d.deadDst[*r] = true
					}
				})
			}
		}
	}
	return d.deadDst[r]
}

// A flowEdge is an edge as stored at its target.
type flowEdge struct{ from, id int32 }

// liveness finds the blocks at whose end each register is live by walking back from its uses, register by register
// (F. Brandner et al., "Computing Liveness Sets for SSA-Form Programs", 2011). Most registers are live in one block
// only and cost nothing.
type liveness struct {
	a     *allocator
	preds [][]flowEdge
	needs [][]int32 // by register: blocks at whose start it is live because of a use
	ends  [][]int32 // by register: blocks at whose end it is used
	def   []int32   // by register: the block with the instruction that writes it, -1 of phis
	moved [][]int32 // by register: edges that move a value to it
	out   [][]int32 // by block: registers live at its end
	whole []span32  // by register: the blocks of a live range approximated without holes; to is 0 if it is exact
	loops []span32  // by block: the innermost enclosing loop, empty if none
	outer []span32  // by header: the loop that encloses its loop
}

// longLife is the number of blocks above which the live range of a register is approximated: from its
// definition to its last use without holes.
const longLife = 64

// extent returns the first and the last block of register d's live range: of its uses, or of the outermost loops
// that contain them and not the definition. This is sound because loops are contiguous in a reducible function's
// order.
func (lv *liveness) extent(d int) span32 {
	first := lv.def[d]
	if first < 0 {
		first = lv.a.d.regs[lv.a.regs[d]].home
	}
	last := first
	for _, uses := range [][]int32{lv.needs[d], lv.ends[d]} {
		for _, u := range uses {
			end := u
			for x := lv.loops[u]; x.to > 0 && x.from > first; x = lv.loopAround(x) {
				end = x.to - 1
			}
			last = max(last, end)
		}
	}
	return span32{first, last + 1}
}

// loopAround returns the loop that contains x.
func (lv *liveness) loopAround(x span32) span32 { return lv.outer[x.from] }

// findLoops fills in loops and outer.
func (lv *liveness) findLoops() {
	d := lv.a.d
	n := len(d.blocks)
	lv.loops, lv.outer = make([]span32, n), make([]span32, n)
	extent := func(x *ssa.Loop) (s span32) {
		if x == nil {
			return s
		}
		s.from = d.start[x.Header.ID].index
		for _, b := range x.Blocks {
			s.to = max(s.to, d.start[b.ID].last+1)
		}
		return s
	}
	memo := map[*ssa.Loop]span32{}
	for _, x := range d.flow.Loops.All {
		memo[x] = extent(x)
	}
	for _, x := range d.flow.Loops.All {
		lv.outer[memo[x].from] = memo[x.Parent]
	}
	for _, b := range d.flow.Order {
		k := d.start[b.ID]
		for i := k.index; i <= k.last; i++ {
			lv.loops[i] = memo[d.flow.Loops.Of(b)]
		}
	}
}

// live computes the live ranges.
func (a *allocator) live() {
	n := len(a.regs)
	lv := &liveness{a: a, preds: make([][]flowEdge, len(a.d.blocks)), needs: make([][]int32, n), ends: make([][]int32, n),
		def: make([]int32, n), moved: make([][]int32, n), out: make([][]int32, len(a.d.blocks))}
	for i := range lv.def {
		lv.def[i] = -1
	}
	edges := lv.collect()
	lv.whole = make([]span32, n)
	lv.findLoops()
	lv.explore(edges)
	a.measure(lv.out, lv.whole)
}

// collect collects uses and definitions. It returns the number of edges.
func (lv *liveness) collect() (edges int32) {
	dense := lv.a.dense
	for _, b := range lv.a.d.blocks {
		end := func(r reg) {
			if d := dense[r]; d >= 0 {
				lv.ends[d] = append(lv.ends[d], b.index)
			}
		}
		for _, x := range b.insts {
			x.eachSrc(func(r *int32) {
				d := dense[*r]
				if d < 0 || lv.def[d] == b.index {
					return
				}
				if k := len(lv.needs[d]); k == 0 || lv.needs[d][k-1] != b.index {
					lv.needs[d] = append(lv.needs[d], b.index)
				}
			})
			x.eachDst(func(r *int32) {
				if d := dense[*r]; d >= 0 {
					lv.def[d] = b.index
				}
			})
		}
		for i := range b.edges {
			e := &b.edges[i]
			lv.preds[e.to.index] = append(lv.preds[e.to.index], flowEdge{b.index, edges})
			for _, m := range e.moves {
				end(m.src)
				if d := dense[m.dst]; d >= 0 {
					lv.moved[d] = append(lv.moved[d], edges)
				}
			}
			edges++
		}
		if b.term.term == termBranch || b.term.term == termSwitch {
			end(b.term.cond)
		}
	}
	return edges
}

// explore walks back from the uses of every register.
func (lv *liveness) explore(edges int32) {
	blocks := int32(len(lv.preds))
	stamps := make([]int32, 2*blocks+edges) // the register that was last found live at each block's start and end, and on each edge
	atStart, atEnd, set := stamps[:blocks], stamps[blocks:2*blocks], stamps[2*blocks:]
	var work []int32
	for d := range lv.needs {
		if x := lv.extent(d); x.to-x.from > longLife && !lv.a.d.fn.irreducible {
			lv.whole[d] = x
			continue
		}
		mark := int32(d) + 1
		for _, e := range lv.moved[d] {
			set[e] = mark
		}
		start := func(b int32) {
			if atStart[b] != mark {
				atStart[b] = mark
				work = append(work, b)
			}
		}
		end := func(b int32) {
			if atEnd[b] != mark {
				atEnd[b] = mark
				lv.out[b] = append(lv.out[b], int32(d))
				if lv.def[d] != b {
					start(b)
				}
			}
		}
		for _, b := range lv.ends[d] {
			end(b)
		}
		for _, b := range lv.needs[d] {
			start(b)
		}
		for len(work) > 0 {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			for _, p := range lv.preds[b] {
				if set[p.id] != mark {
					end(p.from)
				}
			}
		}
	}
}

// measure converts liveness at block ends to live ranges.
func (a *allocator) measure(out [][]int32, whole []span32) {
	blocks, n := a.d.blocks, len(a.regs)
	a.hints = make([][]int32, n)
	// Ranges, last first. Instruction k of all has positions 2k (reads, and results that may share storage with
	// them) and 2k+1.
	total := int32(0)
	for _, b := range blocks {
		total += int32(len(b.insts)) + 2
	}
	a.ranges = make([][]span32, n)
	add := func(d, from, to int32) {
		rs := a.ranges[d]
		if k := len(rs) - 1; k >= 0 && rs[k].from <= to {
			rs[k].from = min(rs[k].from, from)
			rs[k].to = max(rs[k].to, to)
			return
		}
		a.ranges[d] = append(rs, span32{from, to})
	}
	starts := make([]int32, len(blocks)+1)
	starts[len(blocks)] = 2 * total
	pos := total
	for i := len(blocks) - 1; i >= 0; i-- {
		b := blocks[i]
		end := 2 * pos
		pos -= int32(len(b.insts)) + 2
		start := 2 * pos
		starts[i] = start
		for _, d := range out[i] {
			add(d, start, end)
		}
		for k := len(b.insts) - 1; k >= 0; k-- {
			x := b.insts[k]
			at := start + 2*int32(k+1)
			x.eachDst(func(r *int32) {
				d := a.dense[*r]
				if d < 0 || whole[d].to > 0 {
					return
				}
				rs := a.ranges[d]
				if j := len(rs) - 1; j >= 0 && rs[j].from <= at && rs[j].to > at {
					rs[j].from = at
				} else {
					add(d, at, at+2) // it is never read
				}
			})
			x.eachSrc(func(r *int32) {
				if d := a.dense[*r]; d >= 0 && whole[d].to == 0 {
					to := at
					if x.keep {
						to = at + 1
					}
					add(d, start, to)
				}
			})
		}
		for _, e := range b.edges {
			for _, m := range e.moves {
				d, s := a.dense[m.dst], a.dense[m.src]
				if d >= 0 && s >= 0 {
					a.hints[d] = append(a.hints[d], s)
					a.hints[s] = append(a.hints[s], d)
				}
			}
		}
	}
	for d, x := range whole {
		if x.to > 0 {
			a.ranges[d] = []span32{{starts[x.from], starts[x.to]}}
		}
	}
}

// scan allocates storage to the registers in order of the starts of their live ranges.
func (a *allocator) scan() {
	order := make([]int32, len(a.regs))
	for i := range order {
		order[i] = int32(i)
		slices.Reverse(a.ranges[i])
	}
	slices.SortFunc(order, func(x, y int32) int {
		fx, fy := int32(1<<30), int32(1<<30)
		if len(a.ranges[x]) > 0 {
			fx = a.ranges[x][0].from
		}
		if len(a.ranges[y]) > 0 {
			fy = a.ranges[y][0].from
		}
		if fx != fy {
			return int(fx - fy)
		}
		return int(x - y)
	})
	a.placed = make([]*slot, len(a.regs))
	for _, d := range order {
		s := a.place(d)
		a.placed[d] = s
		s.add(a.ranges[d])
		a.d.regs[a.regs[d]].at = s.unit
	}
}

func (a *allocator) place(d int32) *slot {
	size := a.d.regs[a.regs[d]].size
	rs := a.ranges[d]
	for _, h := range a.hints[d] {
		if s := a.placed[h]; s != nil && s.size == size && s.fits(rs) {
			return s
		}
	}
	if len(rs) > 0 {
		list := a.slots[size]
		for i := len(list) - 1; i >= 0; i-- {
			if list[i].end <= rs[0].from {
				return list[i]
			}
		}
	}
	s := &slot{size: size, unit: a.d.columnBytes}
	a.d.columnBytes += int32(size)
	a.slots[size] = append(a.slots[size], s)
	return s
}

// fits reports whether rs overlaps no range in the slot.
func (s *slot) fits(rs []span32) bool {
	if len(rs) == 0 {
		return true
	}
	i, _ := slices.BinarySearchFunc(s.ranges, rs[0].from, func(r span32, at int32) int {
		if r.to <= at {
			return -1
		}
		return 1
	})
	for _, r := range rs {
		for i < len(s.ranges) && s.ranges[i].to <= r.from {
			i++
		}
		if i < len(s.ranges) && s.ranges[i].from < r.to {
			return false
		}
	}
	return true
}

func (s *slot) add(rs []span32) {
	if len(rs) == 0 {
		return
	}
	behind := s.end <= rs[0].from
	s.end = max(s.end, rs[len(rs)-1].to)
	s.ranges = append(s.ranges, rs...)
	if behind {
		return
	}
	slices.SortFunc(s.ranges, func(x, y span32) int { return int(x.from - y.from) })
	n := 0
	for _, r := range s.ranges {
		if n > 0 && s.ranges[n-1].to >= r.from {
			s.ranges[n-1].to = max(s.ranges[n-1].to, r.to)
			continue
		}
		s.ranges[n] = r
		n++
	}
	s.ranges = s.ranges[:n]
}

// place returns the storage of register r: an offset in the cells or a column unit.
func (d *draft) place(r reg) int32 {
	info := &d.regs[r]
	if info.pin >= 0 {
		if info.uniform {
			return d.c.pins[info.pin].cell
		}
		return d.c.pins[info.pin].col
	}
	if info.uniform {
		return info.at
	}
	return d.fn.base + info.at
}

// finalize creates the function's final form, with storage instead of registers.
func (d *draft) finalize() {
	d.fn.blocks = make([]block, len(d.blocks))
	for i, r := range d.fn.params {
		d.fn.params[i] = d.place(r)
	}
	for i, r := range d.fn.results {
		d.fn.results[i] = d.place(r)
	}
	total := 0
	for _, b := range d.blocks {
		total += len(b.insts)
	}
	insts := make([]inst, 0, total)
	for i, b := range d.blocks {
		out := &d.fn.blocks[i]
		*out = b.term
		if out.term == termBranch || out.term == termSwitch {
			out.cond = d.place(b.term.cond)
		}
		start := len(insts)
		for _, in := range b.insts {
			in.eachSrc(func(r *int32) { *r = d.place(*r) })
			in.eachDst(func(r *int32) { *r = d.place(*r) })
			if m := in.mem; m != nil {
				m.ready(in)
			}
			if c, ok := in.ext.(*callTo); ok {
				c.fn = d.c.fns[c.target].fn
			}
			insts = append(insts, *in)
		}
		out.insts = insts[start:len(insts):len(insts)]
		for _, e := range b.edges {
			out.succs = append(out.succs, edge{to: e.to.index, back: e.to.index <= b.index, moves: d.sequence(e.moves)})
		}
	}
}

// A transfer is a move between storage units.
type transfer struct {
	dst, src       int32
	dstUni, srcUni bool
	size           uint8
}

func (t transfer) reads(place int32, uniform bool) bool { return t.src == place && t.srcUni == uniform }

// sequence converts the parallel moves of an edge to sequential ones. It breaks a cycle with a scratch column or
// cell.
func (d *draft) sequence(moves []move) []inst {
	var todo []transfer
	for _, m := range moves {
		t := transfer{d.place(m.dst), d.place(m.src), d.regs[m.dst].uniform, d.regs[m.src].uniform, d.regs[m.dst].size}
		if t.dst != t.src || t.dstUni != t.srcUni {
			todo = append(todo, t)
		}
	}
	var out []inst
	put := func(t transfer) {
		out = append(out, inst{run: moveKernel(t.size, t.dstUni, t.srcUni), uniform: t.dstUni, d: t.dst, a: t.src, b: noReg, c: noReg})
	}
	for len(todo) > 0 {
		progress := false
		for i := 0; i < len(todo); {
			t := todo[i]
			blocked := false
			for j, u := range todo {
				if j != i && u.reads(t.dst, t.dstUni) {
					blocked = true
					break
				}
			}
			if blocked {
				i++
				continue
			}
			put(t)
			todo[i] = todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			progress = true
		}
		if progress || len(todo) == 0 {
			continue
		}
		t := todo[0]
		scratch := transfer{dst: d.fn.base + d.columnBytes - 8, src: t.dst, dstUni: t.dstUni, srcUni: t.dstUni, size: t.size}
		if t.dstUni {
			scratch.dst = d.c.scratchCell()
		}
		put(scratch)
		for j := range todo {
			if todo[j].reads(t.dst, t.dstUni) {
				todo[j].src = scratch.dst
			}
		}
	}
	return out
}

// scratchCell returns the cell that breaks cycles of uniform moves.
func (c *compiler) scratchCell() int32 {
	if c.scratch == 0 {
		c.p.cells++
		c.scratch = c.p.cells * 8
	}
	return c.scratch - 8
}
