package interp

import "github.com/purecl/purecl/internal/ir/ssa"

// Happens-before is defined by the memory model of OpenCL 2.0 and later (OpenCL, Memory Ordering Rules, 3.3.4, and
// its sections on atomic operations, fences and work-group functions). It has two relations, one for global and one
// for local memory. A work-item has a clock for each. An access carries the clock of its work-item. A release
// publishes the clock with everything that the work-item knows of others' (vector clocks, in the persistent form of
// clocks.go). A barrier gives all work-items of a group a common clock. A kernel without synchronising atomics has
// only barriers, and uses nothing of this file but orderObserver.base.
//
// Two scopes include each other if each covers the other's work-item, by the rule of OpenCL 3.1, which allows them
// to differ.

// A relation is a happens-before relation.
type relation uint8

const (
	globalOrder relation = iota
	localOrder
	numRelations
)

// relationOf returns the relation that orders accesses to an object.
func relationOf(o *object) relation {
	if o.local {
		return localOrder
	}
	return globalOrder
}

// fenceFlag returns the flag of fences that order the relation's memory.
func (r relation) fenceFlag() int64 {
	if r == localOrder {
		return ssa.LocalFence
	}
	return ssa.GlobalFence
}

// A level is the distance of two work-items: the smallest scope that includes both.
type level uint8

const (
	nearSubGroup level = iota
	nearGroup
	nearDevice
	numLevels
)

// within reports whether a scope includes work-items at that level.
func (l level) within(s ssa.Scope) bool {
	return s >= [numLevels]ssa.Scope{ssa.ScopeSubGroup, ssa.ScopeWorkGroup, ssa.ScopeDevice}[l]
}

// A release is the content of an atomic write: the accesses that happen before it in its location's relation and,
// for fences of both kinds of memory, in the other relation.
type release struct{ own, cross knowledge }

func (r *release) join(o *release) {
	r.own.join(o.own)
	r.cross.join(o.cross)
}

// An itemOrder is a work-item's state in a relation.
type itemOrder struct {
	clock uint32
	known knowledge
	// By the level of the other work-item. fence and crossFence: accesses that release fences have published for
	// later atomic writes, in this relation and, for fences of both kinds of memory, through the other relation's
	// locations. The others: accesses that atomic reads have acquired for later acquire fences.
	fence, crossFence     [numLevels]knowledge
	pending, crossPending [numLevels]knowledge
}

// snapshot returns the content of a release by the work-item.
func (i *itemOrder) snapshot(group uint64, item uint32) knowledge {
	k := i.known
	k.items = k.items.put(itemKey(group, item), i.clock)
	return k
}

// A location is an atomic object: the releases with which a read of it synchronises.
type location struct {
	device release
	near   map[nearby]*release         // for readers of a work-group or sub-group
	heads  map[int]*[numLevels]release // by lane: the heads of release sequences that a store by the lane continues
	batch  int64                       // the batch that heads belong to
}

// A nearby is a work-group, or a sub-group of one.
type nearby struct {
	level level
	group uint64
	sub   uint32
}

type locationKey struct {
	object uint32
	offset uint64
}

// maxLocations bounds the atomic objects whose releases are remembered.
const maxLocations = 1 << 20

// An ordering holds the happens-before relations of a run that explains races.
type ordering struct {
	items     [numRelations][]itemOrder // by lane
	locations [numRelations]map[locationKey]*location
	batch     int64
	lost      bool // there were too many atomic objects: any two accesses may be ordered
}

func newOrdering(lanes int) *ordering {
	o := &ordering{}
	for r := range o.items {
		o.items[r] = make([]itemOrder, lanes)
		o.locations[r] = map[locationKey]*location{}
	}
	return o
}

// begin prepares it for a batch.
func (o *ordering) begin() {
	o.batch++
	for r := range o.items {
		clear(o.items[r])
		for i := range o.items[r] {
			o.items[r][i].clock = firstClock
		}
	}
	clear(o.locations[localOrder])
}

// firstClock is the initial clock of work-items; 0 is the part of it that others know.
const firstClock = 1

// An orderObserver follows which accesses of the batch's work-items happen before which. It does not know the accesses.
type orderObserver struct {
	reporter

	base     [numRelations]uint32 // the clock of all work-items after the group's last barrier
	order    *ordering            // of a run that explains races, if other operations than barriers order accesses
	notFlags int64                // flags that the next barrier or fence lacks: see kFenceFlags
}

// beginOrder prepares x for a batch.
func (x *orderObserver) beginOrder() {
	x.base = [numRelations]uint32{firstClock, firstClock}
	x.notFlags = 0
	if x.order != nil {
		x.order.begin()
	}
}

// clockOf returns the clock of the lane's accesses in a relation.
func (x *orderObserver) clockOf(r relation, lane int) uint32 {
	if x.order == nil {
		return x.base[r]
	}
	return x.order.items[r][lane].clock
}

// happened reports whether an access of another work-item happens before the lane's current operation.
func (x *orderObserver) happened(r relation, p *party, lane int) bool {
	if p.group == x.groups[lane] && p.clock < x.base[r] {
		return true
	}
	return x.order != nil && (x.order.lost || x.order.items[r][lane].known.covers(p.group, p.item, p.clock))
}

// allFlags are the memory fence flags of programs.
const allFlags = ssa.LocalFence | ssa.GlobalFence | ssa.ImageFence

// kFenceFlags records the flags of the following barrier or fence. If they differ between work-items, only the
// common ones hold.
func kFenceFlags(v *view, in *inst) {
	for _, s := range v.act {
		src := at[uint64](v, in.src[0], s)
		copy(at[uint64](v, in.d, s), src)
		for _, flags := range src {
			v.x.notFlags |= ^int64(flags) & allFlags
		}
	}
}

// takeFlags returns the flags that hold for a barrier or fence.
func (x *orderObserver) takeFlags(flags int64) int64 {
	flags &^= x.notFlags
	x.notFlags = 0
	return flags
}

// passBarrier orders all accesses of the group's work-items before those after it.
func (x *orderObserver) passBarrier(flags int64, scope ssa.Scope) {
	x.fence(ssa.AtomicAux(ssa.RMW(flags), ssa.Release, scope))
	for r := range numRelations {
		if flags&r.fenceFlag() == 0 {
			continue
		}
		if x.order != nil {
			x.together(r, x.cols.act)
		}
		x.base[r]++
	}
	x.fence(ssa.AtomicAux(ssa.RMW(flags), ssa.Acquire, scope))
}

// together merges the knowledge of the group's lanes and gives them a common clock.
func (x *orderObserver) together(r relation, act []span) {
	var all knowledge
	items := x.order.items[r]
	clock := x.base[r]
	each(act, func(lane int) {
		all.join(items[lane].known)
		clock = max(clock, items[lane].clock)
	})
	all.groups = all.groups.put(x.groups[act[0].lo], clock)
	each(act, func(lane int) { items[lane].known, items[lane].clock = all, clock+1 })
	x.base[r] = clock // the end of this epoch is the start of the next
}

// passSubGroupBarriers orders the accesses of the active lanes of each sub-group before
// those after a barrier of sub-groups.
func (x *orderObserver) passSubGroupBarriers(flags int64, act []span) {
	x.fence(ssa.AtomicAux(ssa.RMW(flags), ssa.Release, ssa.ScopeSubGroup))
	for r := range numRelations {
		if flags&r.fenceFlag() == 0 {
			continue
		}
		items := x.order.items[r]
		all := map[int32]*knowledge{}
		eachSubGroup(act, x.p.subGroupShift, func(g int32, part span) {
			k := all[g]
			if k == nil {
				k = new(knowledge)
				all[g] = k
			}
			each([]span{part}, func(lane int) { k.join(items[lane].snapshot(x.groups[lane], x.items[lane])) })
		})
		each(act, func(lane int) {
			items[lane].known = *all[int32(lane>>x.p.subGroupShift)]
			items[lane].clock++
		})
	}
	x.fence(ssa.AtomicAux(ssa.RMW(flags), ssa.Acquire, ssa.ScopeSubGroup))
}

func each(act []span, f func(lane int)) {
	for _, s := range act {
		for i := s.lo; i < s.hi; i++ {
			f(int(i))
		}
	}
}

// fence executes a work-item fence of the active lanes.
func (x *orderObserver) fence(aux int64) {
	if x.order == nil {
		return
	}
	flags, order, scope := ssa.AtomicParts(aux)
	for r := range numRelations {
		if int64(flags)&r.fenceFlag() == 0 {
			continue
		}
		both := int64(flags)&(ssa.LocalFence|ssa.GlobalFence) == ssa.LocalFence|ssa.GlobalFence
		each(x.cols.act, func(lane int) {
			i := &x.order.items[r][lane]
			if order.Acquires() {
				i.acquireFence(scope, both)
			}
			if order.Releases() {
				i.releaseFence(i.snapshot(x.groups[lane], x.items[lane]), scope, both)
			}
		})
	}
}

func (i *itemOrder) acquireFence(scope ssa.Scope, both bool) {
	for l := range numLevels {
		if l.within(scope) {
			i.known.join(i.pending[l])
			if both {
				i.known.join(i.crossPending[l])
			}
		}
	}
}

func (i *itemOrder) releaseFence(k knowledge, scope ssa.Scope, both bool) {
	for l := range numLevels {
		if l.within(scope) {
			i.fence[l].join(k)
			if both {
				i.crossFence[l].join(k)
			}
		}
	}
	i.clock++
}

// kFence executes a fence.
func kFence(v *view, in *inst) {
	flags, order, scope := ssa.AtomicParts(int64(in.imm))
	v.x.fence(ssa.AtomicAux(ssa.RMW(v.x.takeFlags(int64(flags))), order, scope))
}

// locate returns the location of an atomic access, nil if there are too many.
func (x *orderObserver) locate(r relation, o *object, off uint64) *location {
	all := x.order.locations[r]
	key := locationKey{o.number, off}
	l := all[key]
	if l == nil {
		if len(all) >= maxLocations {
			x.order.lost = true
			x.run.races.skip(o)
			return nil
		}
		l = &location{}
		all[key] = l
	}
	if l.batch != x.order.batch {
		l.batch, l.heads = x.order.batch, nil
		for n := range l.near {
			if n.group < x.group0 { // the group has ended
				delete(l.near, n)
			}
		}
	}
	return l
}

func (x *batchItems) nearby(l level, lane int) nearby {
	n := nearby{level: l, group: x.groups[lane]}
	if l == nearSubGroup {
		n.sub = x.items[lane] >> x.p.subGroupShift
	}
	return n
}

// of returns the releases at a location that are visible to readers at a level of the lane, nil if there are none.
func (l *location) of(x *batchItems, at level, lane int) *release {
	if at == nearDevice {
		return &l.device
	}
	return l.near[x.nearby(at, lane)]
}

// acquire executes the acquire side of an atomic read: the lane learns others' releases.
func (x *orderObserver) acquire(in *inst, order ssa.Order, lane int, o *object, off uint64) {
	r := relationOf(o)
	loc := x.locate(r, o, off)
	if loc == nil {
		return
	}
	i, other := &x.order.items[r][lane], &x.order.items[1-r][lane]
	for l := range numLevels {
		rel := loc.of(&x.batchItems, l, lane)
		if rel == nil {
			continue
		}
		if order.Acquires() && l.within(in.mem.scope) {
			i.known.join(rel.own)
		}
		i.pending[l].join(rel.own)
		other.crossPending[l].join(rel.cross)
	}
}

// publish executes the release side of an atomic write, or continues the release of an earlier fence. whole is set
// if it is not a read-modify-write operation: it then ends the release sequences of other work-items.
func (x *orderObserver) publish(in *inst, lane int, o *object, off uint64, whole bool) {
	r := relationOf(o)
	loc := x.locate(r, o, off)
	if loc == nil {
		return
	}
	i, other := &x.order.items[r][lane], &x.order.items[1-r][lane]
	var mine [numLevels]release
	for l := range numLevels {
		mine[l] = release{own: i.fence[l], cross: other.crossFence[l]}
	}
	if in.mem.order.Releases() {
		k := i.snapshot(x.groups[lane], x.items[lane])
		for l := range numLevels {
			if l.within(in.mem.scope) {
				mine[l].own.join(k)
			}
		}
		i.clock++
	}
	head := loc.heads[lane]
	if head == nil {
		head = new([numLevels]release)
	}
	for l := range head {
		head[l].join(&mine[l])
	}
	if whole {
		*loc = location{batch: loc.batch}
		mine = *head
	}
	if loc.heads == nil {
		loc.heads = map[int]*[numLevels]release{}
	}
	loc.heads[lane] = head
	loc.device.join(&mine[nearDevice])
	for _, l := range []level{nearSubGroup, nearGroup} {
		if mine[l] == (release{}) {
			continue
		}
		n := x.nearby(l, lane)
		if loc.near == nil {
			loc.near = map[nearby]*release{}
		}
		if loc.near[n] == nil {
			loc.near[n] = new(release)
		}
		loc.near[n].join(&mine[l])
	}
}
