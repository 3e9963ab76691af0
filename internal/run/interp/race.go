package interp

import (
	"slices"
	"sync/atomic"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// The race observer watches memory in granules: the largest power of two bytes, up to 4, that divides the size and
// alignment of every access of the kernel. A granule's state is one word:
//
//	lane:16     the lane that touched it in the current epoch, multiLane if there were several
//	epoch:14    the number of barriers that its group had passed then
//	cur:4       the kinds of those accesses: read, write, atomic, peek
//	ever:4      the kinds of the group's accesses in all epochs
//	group:26    number of the work-group plus 1; allGroups if several touched it
//
// Two accesses conflict unless both only read, or both are atomic or peek. Within a group, accesses of different
// lanes in one epoch may conflict; between groups, all accesses. One word is enough to detect whether there is any
// conflict, for any order of groups. It is a filter with two simplifications: only barriers of the group order
// accesses, and an atomic operation whose scope may exclude others counts as a plain write.
//
// A run that has seen a conflict ends, and is repeated twice on one worker, in order: first to mark all granules
// with conflicts (MarkRaces), then with a history of those alone (explain.go), in which happens-before (order.go)
// finds the races.
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
	// marked is the state of a granule with a conflict. A state of allGroups has no lane.
	marked = ^uint64(0)
)

// A conflict is the result of an access.
type conflict uint8

const (
	noConflict conflict = iota
	withinGroup
	betweenGroups
)

// asyncItem is the work-item number of async copies.
const asyncItem = maxGroup

// who returns the bits of a state that identify a work-item.
func who(group uint64, item uint32) uint64 {
	return (group%(allGroups-1)+1)<<groupShift | uint64(item)
}

// did returns the bits of a state that identify a work-item's access and its epoch.
func did(epoch uint32, acc accessKind) uint64 {
	return uint64(acc)<<everShift | uint64(acc)<<curShift | uint64(epoch&epochMask)<<epochShift
}

func compatible(kinds uint64) bool {
	kinds &^= uint64(accPeek)
	return kinds == uint64(accRead) || kinds == uint64(accAtomic) || kinds == 0
}

// next returns a granule's state after the access m, and whether m conflicts with earlier accesses.
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

// A raceMemory holds the states of the memory that work-groups share.
type raceMemory struct {
	shift   uint8
	mode    exec.RaceMode
	states  [][]uint64 // by object number; in a run that explains: indices in the history
	local   []bool     // granules of local memory with conflicts, of any group
	history history
	skipped []string // objects too large to watch
}

func newRaceMemory(objs []object, shift uint8, localSize uint64, limit int64) *raceMemory {
	m := &raceMemory{shift: shift, states: make([][]uint64, len(objs)), local: make([]bool, (localSize+127)>>shift)}
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

// skip stops watching an object.
func (m *raceMemory) skip(o *object) {
	if !slices.Contains(m.skipped, o.desc.Name) {
		m.skipped = append(m.skipped, o.desc.Name)
	}
}

// A raceLocal holds the states of a worker's local memory.
type raceLocal struct {
	states  []uint64
	shared  bool // other workers access the shared states concurrently
	history history
}

func (l *raceLocal) init(r *Run) {
	l.states = make([]uint64, len(r.races.local))
	l.shared = r.workers > 1
}

// begin prepares it for a work-group.
func (l *raceLocal) begin(m *raceMemory) {
	if m.mode != exec.ExplainRaces {
		clear(l.states)
		return
	}
	for i := range l.states {
		l.states[i] = 0
		if m.local[i] {
			l.states[i] = unvisited
		}
	}
	l.history.clear()
}

// A raceObserver watches the accesses to memory that work-items share.
type raceObserver struct {
	orderObserver

	races    raceLocal
	who      []uint64 // by lane: the result of who
	modifies bool     // whether the current atomic operation writes
}

// beginRaces prepares x for a batch.
func (x *raceObserver) beginRaces() {
	if !x.run.watchRaces {
		return
	}
	for i := range x.n {
		x.who[i] = who(x.groups[i], x.items[i])
	}
	x.races.begin(x.run.races)
}

// touch records an access of size bytes by the lane (by all active lanes, if v is the cells' view).
func (x *raceObserver) touch(v *view, in *inst, lane int, o *object, off, size uint64, acc accessKind) {
	if v == &x.cells && x.run.races.mode == exec.ExplainRaces {
		for _, s := range x.cols.act {
			for i := s.lo; i < s.hi; i++ {
				x.touchRun(in, int(i), 1, o, off, size, acc)
			}
		}
		return
	}
	x.touchRun(in, lane, 1, o, off, size, acc)
	if v == &x.cells {
		act := x.cols.act // the first and the last represent all
		if last := int(act[len(act)-1].hi) - 1; last != lane {
			x.touchRun(in, last, 1, o, off, size, acc)
		}
	}
}

// filtered returns the kind of an access for the filter.
func (m *access) filtered(o *object) accessKind {
	if m.kind == accAtomic && m.scope < scopeOf(o) {
		return accWrite
	}
	return m.kind
}

// scopeOf returns the least scope that includes all work-items that may access an object.
func scopeOf(o *object) ssa.Scope {
	if o.local {
		return ssa.ScopeWorkGroup
	}
	return ssa.ScopeDevice
}

// touchRun records the accesses of n consecutive lanes to consecutive granules.
func (x *raceObserver) touchRun(in *inst, lane, n int, o *object, off, size uint64, acc accessKind) {
	shift := x.run.races.shift
	states := x.races.states
	base, shared := o.off, false
	if !o.local {
		states = x.run.races.states[o.number]
		base, shared = 0, x.races.shared
		if states == nil {
			return
		}
	}
	if x.run.races.mode == exec.ExplainRaces {
		for range n {
			for g := (base + off) >> shift; g <= (base+off+size-1)>>shift; g++ {
				if states[g] != 0 {
					x.explain(in, lane, o, off, size, acc, &states[g])
				}
			}
			lane++
			off += size
		}
		return
	}
	if acc == accAtomic {
		acc = in.mem.filtered(o)
	}
	what := did(x.base[relationOf(o)], acc)
	read := acc == accRead
	parties := x.who[lane : lane+n]
	if in.mem.async {
		parties = []uint64{who(x.groups[lane], asyncItem)}
	}
	for _, w := range parties {
		m := w | what
		first := (base + off) >> shift
		part := states[first : (base+off+size-1)>>shift+1]
		for i := range part {
			s := atomic.LoadUint64(&part[i])
			if s == allRead && read || s == m || s == m|multiLane || s == marked {
				continue
			}
			if !x.update(&part[i], s, m, shared) {
				if x.aborted {
					return
				}
				if o.local {
					x.run.races.local[first+uint64(i)] = true
				}
			}
		}
		off += size
	}
}

// update adds the access m to a granule in state s. It returns false for a conflict, which ends the batch or is
// marked.
func (x *raceObserver) update(p *uint64, s, m uint64, shared bool) bool {
	for {
		t, c := next(s, m)
		if c != noConflict {
			x.run.raced.Store(true)
			if x.run.races.mode == exec.FindRaces {
				x.aborted = true
			} else {
				*p = marked
			}
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
