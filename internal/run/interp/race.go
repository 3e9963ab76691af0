package interp

import (
	"sync/atomic"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// The race observer. Memory is watched in granules: the largest power of two bytes, up
// to 4, that divides the size and alignment of every access of the kernel. A granule's
// state is one word:
//
//	lane:16     who touched it in the current epoch, multiLane if several did
//	epoch:14    the number of barriers that its group had passed then
//	cur:4       what they did: read, write, atomic, peek
//	ever:4      what the group has done with it in all epochs
//	group:26    number of the work-group plus 1; allGroups if several touched it
//
// Two accesses conflict unless both only read, or both are atomic or peek. Within a group those
// of different lanes in one epoch may conflict, between groups all. One word is enough
// to see whether there is any conflict, whatever the order in which groups run; what it
// cannot tell is who all the parties are. A run that has seen a race is therefore
// repeated on one worker, in order, with a history of each granule (Run.Explain).
// Where barriers of sub-groups order accesses, a sub-group stands for a lane.
const (
	epochShift = 16
	curShift   = 30
	everShift  = 34
	groupShift = 38
	kindMask   = 1<<4 - 1
	epochMask  = 1<<14 - 1
	multiLane  = 1<<16 - 1
	allGroups  = 1<<26 - 1
	allRead    = uint64(allGroups)<<groupShift | uint64(accRead)<<everShift
)

// A conflict is the outcome of an access.
type conflict uint8

const (
	noConflict conflict = iota
	withinGroup
	betweenGroups
)

// who returns the part of a state that names a work-item.
func who(group uint64, item uint32) uint64 {
	return (group%(allGroups-1)+1)<<groupShift | uint64(item)
}

// did returns the part of a state that says what a work-item did, and when.
func did(epoch uint32, acc accessKind) uint64 {
	return uint64(acc)<<everShift | uint64(acc)<<curShift | uint64(epoch&epochMask)<<epochShift
}

func compatible(kinds uint64) bool {
	kinds &^= uint64(accPeek)
	return kinds == uint64(accRead) || kinds == uint64(accAtomic) || kinds == 0
}

// next returns a granule's state after the access m, and whether that conflicts with
// what came before.
func next(s, m uint64) (uint64, conflict) {
	acc := m >> curShift & kindMask
	ever := s >> everShift & kindMask
	switch {
	case s == 0:
		return m, noConflict
	case s>>groupShift != m>>groupShift:
		if !compatible(ever | acc) {
			return m, betweenGroups
		}
		return uint64(allGroups)<<groupShift | (ever|acc)<<everShift, noConflict
	case s>>epochShift&epochMask != m>>epochShift&epochMask:
		return m | ever<<everShift, noConflict
	}
	cur := s >> curShift & kindMask
	flags := acc<<curShift | acc<<everShift
	switch {
	case s&multiLane == m&multiLane:
		return s | flags, noConflict
	case compatible(cur | acc):
		return s | flags | multiLane, noConflict
	}
	return m | ever<<everShift, withinGroup
}

// A raceMemory is the states of the memory that work-groups share.
type raceMemory struct {
	shift   uint8
	states  [][]uint64 // by object number
	history map[uint64]*history
	skipped []string // objects too large to watch
}

func newRaceMemory(objs []object, shift uint8, limit int64) *raceMemory {
	m := &raceMemory{shift: shift, states: make([][]uint64, len(objs))}
	for i := range objs {
		o := &objs[i]
		if o.local || o.private || o.readOnly || o.size == 0 {
			continue
		}
		n := (o.size + 1<<shift - 1) >> shift
		if int64(n*8) > limit {
			m.skipped = append(m.skipped, o.desc.Name)
			continue
		}
		limit -= int64(n * 8)
		m.states[i] = make([]uint64, n)
	}
	return m
}

// A raceLocal is the states of a worker's local memory.
type raceLocal struct {
	states []uint64
	shared bool // other workers touch the shared states at the same time
}

func (l *raceLocal) init(r *Run) {
	l.states = make([]uint64, (r.localSize+127)>>r.races.shift)
	l.shared = r.workers > 1
}

func (l *raceLocal) clearLocal() { clear(l.states) }

// touch notes an access of size bytes by the lane (by all active lanes, if v is the
// cells' view).
func (x *worker) touch(v *view, in *inst, lane int, o *object, off, size uint64, acc accessKind) {
	if v == &x.cells && x.run.explain {
		for _, s := range x.cols.act {
			for i := s.lo; i < s.hi; i++ {
				x.touchRun(in, int(i), 1, o, off, size, acc)
			}
		}
		return
	}
	x.touchRun(in, lane, 1, o, off, size, acc)
	if v == &x.cells {
		act := x.cols.act // the first and the last stand for all
		if last := int(act[len(act)-1].hi) - 1; last != lane {
			x.touchRun(in, last, 1, o, off, size, acc)
		}
	}
}

// touchRun notes the accesses of n neighbouring lanes to neighbouring places.
func (x *worker) touchRun(in *inst, lane, n int, o *object, off, size uint64, acc accessKind) {
	shift := x.run.races.shift
	states, epoch := x.races.states, x.localEpoch
	base, shared := o.off, false
	if !o.local {
		states, epoch = x.run.races.states[o.number], x.globalEpoch
		base, shared = 0, x.races.shared
		if states == nil {
			return
		}
	}
	what := did(epoch, acc)
	if x.run.explain {
		for range n {
			for g := (base + off) >> shift; g <= (base+off+size-1)>>shift; g++ {
				x.explain(in, lane, o, off, size, acc, epoch, g)
			}
			lane++
			off += size
		}
		return
	}
	read := acc == accRead
	for _, w := range x.who[lane : lane+n] {
		m := w | what
		first := (base + off) >> shift
		part := states[first : (base+off+size-1)>>shift+1]
		for i := range part {
			s := atomic.LoadUint64(&part[i])
			if s == allRead && read || s == m || s == m|multiLane {
				continue
			}
			if !x.update(&part[i], s, m, shared) {
				return
			}
		}
		off += size
	}
}

// update gives a granule in state s the access m. It returns false where that is a race,
// which ends the batch.
func (x *worker) update(p *uint64, s, m uint64, shared bool) bool {
	for {
		t, c := next(s, m)
		if c != noConflict {
			x.run.raced.Store(true)
			x.aborted = true
			return false
		}
		if s == t {
			return true
		}
		if !shared {
			*p = t
			return true
		}
		if atomic.CompareAndSwapUint64(p, s, t) {
			return true
		}
		s = atomic.LoadUint64(p)
	}
}

// A history is who accessed the granules of a page last.
type history [256]granule

// A granule's accesses of each kind: the last one, the last of another work-item than
// that, and the last of another work-group. Where there is a conflict in the sense of
// next, one of these is its other party.
type granule struct{ reads, writes, atomics, peeks [3]party }

// A party is one side of a race.
type party struct {
	in    *inst
	group uint64
	item  uint32
	unit  uint32 // the item, or the sub-group where that is one party
	epoch uint32
}

func (p *party) same(q *party) bool { return p.group == q.group && p.unit == q.unit }

func note(list *[3]party, p party) {
	if last := list[0]; last.in != nil && !last.same(&p) {
		list[1] = last
		if last.group != p.group {
			list[2] = last
		}
	}
	list[0] = p
}

// explain is the form of touchRun that remembers who did what, for one granule. It
// tells the conflicts from the history alone.
func (x *worker) explain(in *inst, lane int, o *object, off, size uint64, acc accessKind, epoch uint32, g uint64) {
	mem := x.run.races
	key := uint64(o.number)<<ssa.ObjectShift | g>>8
	if o.local {
		key |= x.groups[lane] << 20 // local memory of another group is other memory
	}
	page := mem.history[key]
	if page == nil {
		page = new(history)
		mem.history[key] = page
	}
	h := &page[g&255]
	self := party{in: in, group: x.groups[lane], item: x.items[lane], unit: x.items[lane] >> x.run.partyShift, epoch: epoch}
	var against []*[3]party
	var list *[3]party
	switch acc {
	case accRead:
		against, list = []*[3]party{&h.writes, &h.atomics}, &h.reads
	case accWrite:
		against, list = []*[3]party{&h.writes, &h.atomics, &h.reads, &h.peeks}, &h.writes
	case accPeek:
		against, list = []*[3]party{&h.writes}, &h.peeks
	default:
		against, list = []*[3]party{&h.writes, &h.reads}, &h.atomics
	}
	if other := self.conflict(against, true); other != nil {
		x.race(RaceInGroup, in, lane, o, off, size, acc, other)
	}
	if other := self.conflict(against, false); other != nil {
		x.race(RaceBetweenGroups, in, lane, o, off, size, acc, other)
	}
	note(list, self)
}

// conflict finds a party that p races with, in its group or outside.
func (p *party) conflict(against []*[3]party, inGroup bool) *party {
	for _, list := range against {
		for i := range list {
			q := &list[i]
			if q.in == nil || (q.group == p.group) != inGroup {
				continue
			}
			if !inGroup || q.epoch == p.epoch && q.unit != p.unit {
				return q
			}
		}
	}
	return nil
}

// race reports a race.
func (x *worker) race(kind FindingKind, in *inst, lane int, o *object, off, size uint64, acc accessKind, other *party) {
	key := findingKey{kind: kind, pos: in.pos, object: o.number, other: other.in.pos}
	if in.pos == diag.Pos(0) {
		key.inst = in.id
	}
	f := x.record(key, in, 1, lane, o, off, size)
	if f == nil {
		return
	}
	f.Access, f.OtherAccess = in.raceName(acc), other.in.raceName(accRead|accWrite)
	f.OtherGlobal = x.globalID(other.group, other.item)
}

// raceName says what an instruction does to memory.
func (in *inst) raceName(acc accessKind) string {
	name := in.mem.note
	if name == "memcopy" && acc == accRead {
		return "load of a copy"
	}
	return name
}
