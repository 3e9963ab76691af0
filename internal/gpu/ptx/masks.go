package ptx

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Sub-group functions in divergent control flow operate on the work-items that execute them together. The hardware
// does not say which these are: threads may part at any branch and need not meet again. The code therefore tracks
// them. A register holds the mask of the lanes that execute a block together. A divergent branch divides the mask by
// ballots; the block where the sides meet again restores it, and waits for all lanes that have not ended.
//
// The branches whose sides contain no sub-group function are left out. A side that returns from the kernel does not
// count for the place where the sides meet.

// subGroups emits sub-group functions, and the masks of the lanes that execute them together.
type subGroups struct {
	memory
	masks *masks // of kernels with sub-group functions in divergent control flow, or nil
}

// masks are the lane masks of a kernel.
type masks struct {
	now   string                   // register of the lanes that execute the block together
	due   string                   // register of the lanes that have not returned from the kernel
	sides map[*ssa.Block][2]string // by block with a tracked branch: registers of the lanes that take its edges; set by its terminator
	joins map[*ssa.Block]*maskJoin // by block where sides meet
	list  []*maskJoin              // of joins, in order
}

// A maskJoin is a block where the sides of branches meet.
type maskJoin struct {
	from  map[*ssa.Block]bool // blocks with the branches, and those of the sides
	saved string              // register of the mask with which work-items have come to these blocks
}

// findMasks sets g.masks if the kernel needs it: a block of ops, which have sub-group functions, is divergent.
func (g *subGroups) findMasks(ops map[*ssa.Block]*ssa.Value) {
	needed := (*ssa.Value)(nil)
	for _, b := range slices.Backward(g.flow.Order) { // an error names the first one
		if v := ops[b]; v != nil && g.divergent[b.ID] {
			needed = v
		}
	}
	if needed == nil {
		return
	}
	if g.flow.Loops.Irreducible {
		g.refuse(needed, "a sub-group function stands in irreducible control flow")
	}
	m := &masks{sides: map[*ssa.Block][2]string{}, joins: map[*ssa.Block]*maskJoin{}}
	g.masks = m
	m.now, m.due = g.reg(b32), g.reg(b32)
	x := newMeetings(g.flow.Order, g.flow.PostDom)
	type split struct {
		at     *ssa.Block
		region map[*ssa.Block]bool
	}
	byJoin := map[*ssa.Block][]split{}
	var order []*ssa.Block
	for _, d := range g.flow.Order {
		if !g.flow.Split[d.ID] {
			continue
		}
		join := x.join(d)
		region := x.region(d, join)
		tracked := false
		for b := range region {
			tracked = tracked || ops[b] != nil
		}
		if !tracked {
			continue
		}
		if d.Term().Op != ssa.OpBranch {
			g.refuse(needed, "a sub-group function stands in a switch that not all work-items of a work-group may take alike")
		}
		if b := x.twice(d, join, ops); b != nil {
			g.refuse(ops[b], inside)
		}
		m.sides[d] = [2]string{}
		if join == nil {
			continue
		}
		if byJoin[join] == nil {
			order = append(order, join)
		}
		byJoin[join] = append(byJoin[join], split{d, region})
	}
	for _, j := range order {
		t := &maskJoin{saved: g.reg(b32), from: map[*ssa.Block]bool{}}
		m.joins[j], m.list = t, append(m.list, t)
		for _, s := range byJoin[j] {
			t.from[s.at] = true
			for b := range s.region {
				t.from[b] = true
			}
		}
		if l := g.flow.Loops.Of(j); l != nil && l.Header == j {
			continue // see meets
		}
		for _, p := range j.Preds { // work-items that come another way have no mask to wait for
			if x.reached(p) && !t.from[p] {
				g.refuse(needed, inside)
			}
		}
	}
}

// inside is the reason why some kernels have no code.
const inside = "a sub-group function stands where paths of divergent work-items meet inside of a condition or a loop"

// A meetings finds where the sides of branches meet, apart from sides that return.
type meetings struct {
	number map[*ssa.Block]int // in order
	order  []*ssa.Block
	succs  [][]int // without the edges to a return
	after  [][]uint64
	full   *ssa.DomTree
	ret    *ssa.Block // a block that only returns, or nil
}

func newMeetings(order []*ssa.Block, full *ssa.DomTree) *meetings {
	x := &meetings{number: map[*ssa.Block]int{}, order: order, full: full, succs: make([][]int, len(order))}
	exit := -1 // the exit that counts: the last
	for i, b := range order {
		x.number[b] = i
		if len(b.Succs) == 0 {
			exit = i
		}
	}
	last := -1 // the predecessor of a block that only returns whose edge counts
	if exit >= 0 && len(order[exit].Values) == 1 {
		x.ret = order[exit]
		for _, p := range x.ret.Preds {
			if n, ok := x.number[p]; ok {
				last = max(last, n)
			}
		}
	}
	for i, b := range order {
		for _, s := range b.Succs {
			if n := x.number[s]; n != exit || x.ret == nil || i == last {
				x.succs[i] = append(x.succs[i], n)
			}
		}
	}
	x.postDominators(exit)
	return x
}

// postDominators computes for each block the set of blocks through which all its paths to the exit lead. The set of
// a block without such a path stays nil.
func (x *meetings) postDominators(exit int) {
	n := len(x.order)
	x.after = make([][]uint64, n)
	words := (n + 63) / 64
	for changed := exit >= 0; changed; {
		changed = false
		for i := n - 1; i >= 0; i-- {
			var set []uint64
			for _, s := range x.succs[i] {
				switch {
				case x.after[s] == nil:
				case set == nil:
					set = append(set, x.after[s]...)
				default:
					for w := range set {
						set[w] &= x.after[s][w]
					}
				}
			}
			if set == nil && i == exit {
				set = make([]uint64, words)
			}
			if set == nil {
				continue
			}
			set[i/64] |= 1 << (i % 64)
			if x.after[i] == nil || size(set) < size(x.after[i]) {
				x.after[i], changed = set, true
			}
		}
	}
}

func size(set []uint64) (n int) {
	for _, w := range set {
		n += bits.OnesCount64(w)
	}
	return n
}

// reached reports whether control can reach b.
func (x *meetings) reached(b *ssa.Block) bool {
	_, ok := x.number[b]
	return ok
}

// join returns the block where the sides of d's branch meet, nil if they do not.
func (x *meetings) join(d *ssa.Block) *ssa.Block {
	i := x.number[d]
	var join *ssa.Block
	if x.after[i] == nil { // d leads to a return only
		join = x.full.Idom(d)
	} else {
		most := 0
		for k, b := range x.order {
			if k != i && x.after[i][k/64]>>(k%64)&1 != 0 && size(x.after[k]) > most {
				join, most = b, size(x.after[k])
			}
		}
	}
	if join == x.ret {
		return nil
	}
	return join
}

// region returns the blocks between d's branch and its join.
func (x *meetings) region(d, join *ssa.Block) map[*ssa.Block]bool {
	region := map[*ssa.Block]bool{}
	for _, s := range d.Succs {
		x.reach(s, join, region)
	}
	return region
}

// reach adds b and the blocks that it leads to before join to region.
func (x *meetings) reach(b, join *ssa.Block, region map[*ssa.Block]bool) {
	if b == join || b == x.ret || region[b] {
		return
	}
	region[b] = true
	for _, s := range b.Succs {
		x.reach(s, join, region)
	}
}

// twice returns a block of ops that both sides of d's branch lead to before their join, or nil. The sides' work-items
// would have to execute it together, but they do not wait for each other there.
func (x *meetings) twice(d, join *ssa.Block, ops map[*ssa.Block]*ssa.Value) *ssa.Block {
	yes, no := map[*ssa.Block]bool{}, map[*ssa.Block]bool{}
	x.reach(d.Succs[0], join, yes)
	x.reach(d.Succs[1], join, no)
	for _, b := range x.order {
		if yes[b] && no[b] && ops[b] != nil {
			return b
		}
	}
	return nil
}

// yes returns a predicate that is true.
func (g *subGroups) yes() string {
	return g.once("yes", func() string { return g.set(pred, "setp.eq.u32", g.thread(), g.thread()) })
}

// lanes returns the register of the lanes that execute the block together.
func (g *subGroups) lanes() string {
	if g.masks != nil {
		return g.masks.now
	}
	return g.members()
}

// alive returns the lanes of lanes that have not ended.
func (g *subGroups) alive() string {
	return g.set(b32, "vote.sync.ballot.b32", g.yes(), g.lanes())
}

// startMasks emits the masks at the start of the kernel.
func (g *subGroups) startMasks() {
	if m := g.masks; m != nil {
		g.emit("mov.b32 %s, %s", m.now, g.members())
		g.emit("mov.b32 %s, %s", m.due, g.members())
		g.saveMasks(nil, g.flow.Order[0])
	}
}

// saveMasks emits the saves of masks for the edge from b to block to. b is nil for the start of the kernel.
func (g *subGroups) saveMasks(b, to *ssa.Block) {
	for _, t := range g.masks.list {
		if t.from[to] && !t.from[b] {
			g.emit("mov.b32 %s, %s", t.saved, g.masks.now)
		}
	}
}

// A header of a loop is two places where sides meet: those of branches before the loop meet when they enter it, those
// of branches in the loop at each round.

// meets reports whether sides of a branch meet at the loop header j: of a branch outside of the loop, and of one inside.
func (g *subGroups) meets(j *ssa.Block) (outside, inside bool) {
	if g.masks == nil || g.masks.joins[j] == nil {
		return false, false
	}
	l := g.flow.Loops.Of(j)
	for b := range g.masks.joins[j].from {
		in := l != nil && l.Header == j && g.flow.Loops.Contains(l, b)
		outside, inside = outside || !in, inside || in
	}
	return outside, inside
}

// meet emits the wait for the work-items of a mask. The others have returned.
func (g *subGroups) meet() {
	m := g.masks
	here := g.alive()
	gone := g.set(b32, "and.b32", m.now, g.set(b32, "not.b32", here))
	g.emit("and.b32 %s, %s, %s", m.due, m.due, g.set(b32, "not.b32", gone))
	g.emit("mov.b32 %s, %s", m.now, here)
}

// splitMasks emits the masks of the sides of b's branch with condition c, if it is tracked.
func (g *subGroups) splitMasks(b *ssa.Block, c string) {
	if g.masks == nil {
		return
	}
	m := g.masks
	if _, ok := m.sides[b]; ok {
		yes := g.set(b32, "vote.sync.ballot.b32", c, m.now)
		no := g.set(b32, "and.b32", m.now, g.set(b32, "not.b32", yes))
		m.sides[b] = [2]string{yes, no}
	}
}

// maskedEdge reports whether the i-th edge of b changes masks.
func (g *subGroups) maskedEdge(b *ssa.Block, i int) bool {
	m := g.masks
	if m == nil {
		return false
	}
	to := b.Succs[i]
	_, side := m.sides[b]
	saves := slices.ContainsFunc(m.list, func(t *maskJoin) bool { return t.from[to] && !t.from[b] })
	return side || saves || m.joins[to] != nil && m.joins[to].from[b]
}

// passMasks emits the changes of masks of the i-th edge of b.
func (g *subGroups) passMasks(b *ssa.Block, i int) {
	if !g.maskedEdge(b, i) {
		return
	}
	m, to := g.masks, b.Succs[i]
	if side, ok := m.sides[b]; ok {
		g.emit("mov.b32 %s, %s", m.now, side[i])
	}
	if t := m.joins[to]; t != nil && t.from[b] {
		g.emit("mov.b32 %s, %s", m.now, t.saved)
	}
	g.saveMasks(b, to)
}

// subGroupBarrier emits a barrier of a sub-group. If lanes that have not returned do not execute it, its first
// work-item records a finding.
func (g *subGroups) subGroupBarrier(v *ssa.Value) {
	g.emit("bar.warp.sync %s", g.lanes())
	if g.masks == nil {
		return
	}
	apart, on := g.label("S"), g.label("R")
	here := g.alive()
	missing := g.set(b32, "and.b32", g.masks.due, g.set(b32, "not.b32", g.masks.now))
	lowest := g.set(b32, "and.b32", here, g.set(b32, "sub.s32", "0", here))
	mine := g.set(b32, "shl.b32", "1", g.set(b32, "mov.u32", "%laneid"))
	first := g.set(pred, "setp.eq.u32", mine, lowest)
	g.emit("@%s bra %s", g.set(pred, "and.pred", first, g.set(pred, "setp.ne.u32", missing, "0")), apart)
	g.mark(on)
	g.at(&g.slow, func() {
		g.mark(apart)
		g.callRecord(v, BadBarrier, "0", "0")
		g.emit("bra %s", on)
	})
}

// reachable returns whether work-item number from of the sub-group executes the block, and the lane of that work-item. If it does
// not, the lane is the running work-item's.
func (g *subGroups) reachable(from string) (there, lane string) {
	first, _ := g.subGroup()
	self := g.set(b32, "mov.u32", "%laneid")
	at := g.set(b32, "add.u32", from, first)
	in := g.set(b32, "and.b32", g.set(b32, "shr.u32", g.alive(), at), "1")
	size := fmt.Sprint(g.f.Kernel.SubGroupSize())
	there = g.set(pred, "and.pred", g.set(pred, "setp.lt.u32", from, size), g.set(pred, "setp.ne.u32", in, "0"))
	return there, g.set(b32, "selp.b32", at, self, there)
}

// subGroupOp emits an operation of a sub-group.
func (g *subGroups) subGroupOp(v *ssa.Value) {
	switch v.Op {
	case ssa.OpSubGroupExchange:
		g.exchange(v)
	case ssa.OpSubGroupBallot:
		g.put(v, g.ballot(g.set(pred, "setp.ne.s32", g.arg(v, 0, 0), "0")))
	case ssa.OpSubGroupBarrier:
		g.subGroupBarrier(v)
	}
}

// subGroup returns the warp lane of the sub-group's first work-item, and the number of its work-items.
func (g *subGroups) subGroup() (first, count string) {
	size := g.f.Kernel.SubGroupSize()
	first = g.once("subfirst", func() string {
		return g.set(b32, "and.b32", g.set(b32, "mov.u32", "%laneid"), fmt.Sprint(32-size))
	})
	count = g.once("subcount", func() string {
		start := g.set(b32, "and.b32", g.thread(), fmt.Sprint(-size))
		return g.set(b32, "min.u32", g.set(b32, "sub.u32", g.items(), start), fmt.Sprint(size))
	})
	return first, count
}

// members returns the lane mask of the sub-group.
func (g *subGroups) members() string {
	first, count := g.subGroup()
	return g.once("members", func() string {
		ones := g.set(b32, "shr.u32", "0xffffffff", g.set(b32, "sub.u32", "32", count))
		return g.set(b32, "shl.b32", ones, first)
	})
}

func (g *subGroups) ballot(p string) string {
	first, _ := g.subGroup()
	all := g.set(b32, "vote.sync.ballot.b32", p, g.lanes())
	return g.set(b32, "shr.u32", all, first)
}

// exchange emits a sub-group exchange: reading from a work-item that does not exist gives 0.
func (g *subGroups) exchange(v *ssa.Value) {
	first, count := g.subGroup()
	from := g.arg(v, 1, 0)
	there := g.set(pred, "setp.lt.u32", from, count)
	lane := ""
	if g.masks != nil {
		there, lane = g.reachable(from)
	} else {
		lane = g.set(b32, "add.u32", g.set(b32, "selp.b32", from, "0", there), first)
	}
	shuffle := func(x string) string {
		y := g.set(b32, "shfl.sync.idx.b32", x, lane, "31", g.lanes())
		return g.set(b32, "selp.b32", y, "0", there)
	}
	k := v.Type.K
	g.each(v, func(i int) string {
		x := g.arg(v, 0, i)
		switch {
		case k == ssa.Bool:
			return g.set(pred, "setp.ne.u32", shuffle(g.set(b32, "selp.b32", "1", "0", x)), "0")
		case wide(k):
			lo := shuffle(g.set(b32, "cvt.u32.u64", x))
			hi := shuffle(g.set(b32, "cvt.u32.u64", g.set(b64, "shr.u64", x, "32")))
			return g.join([]string{lo, hi}, 4, 8)
		}
		return g.fromBits(k, shuffle(g.set(b32, "mov.b32", g.toBits(k, x))))
	})
}
