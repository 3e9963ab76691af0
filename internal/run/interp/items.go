package interp

import (
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// batchItems says which work-items the lanes of a batch are, and how many of them are left. The type knows nothing
// of what they compute.
type batchItems struct {
	run     *Run
	p       *Program
	n       int      // lanes in the batch
	live    int      // lanes that have not returned
	group0  uint64   // group of lane 0
	item0   uint64   // its number in group0
	groups  []uint64 // by lane
	items   []uint32 // by lane: number in its group
	batch   int64    // number of batches begun
	aborted bool     // the batch ended early
	gone    []uint32 // by sub-group: lanes that have returned
	masks   []uint32 // by sub-group: scratch
}

// newBatchItems returns the work-items of a worker of r with w lanes.
func newBatchItems(r *Run, w int) batchItems {
	x := batchItems{run: r, p: r.p, groups: make([]uint64, w), items: make([]uint32, w)}
	if r.p.SubGroups {
		n := w>>r.p.subGroupShift + 1
		x.masks, x.gone = make([]uint32, n), make([]uint32, n)
	}
	return x
}

// assign gives the lanes the work-items of batch number b. It returns false if the batch is empty.
func (x *batchItems) assign(b int64) bool {
	r := x.run
	n := uint64(0)
	switch {
	case !x.p.Mixed:
		x.group0, x.item0 = uint64(b), 0
	case r.uneven:
		x.group0, x.item0 = uint64(b)/r.chunks, uint64(b)%r.chunks*uint64(r.lanes)
	default:
		first := uint64(b) * uint64(r.lanes)
		x.group0, x.item0 = first/r.perItem, first%r.perItem
		n = min(uint64(r.lanes), r.nGroups*r.perItem-first)
	}
	if n == 0 {
		size := x.groupSize(x.groupID(x.group0))
		total := size[0] * size[1] * size[2]
		if x.item0 >= total {
			return false
		}
		n = min(uint64(r.lanes), total-x.item0)
	}
	x.n, x.live = int(n), int(n)
	x.aborted = false
	x.batch++
	clear(x.gone)
	g, it := x.group0, uint32(x.item0)
	for i := range x.n {
		x.groups[i], x.items[i] = g, it
		if it++; uint64(it) == r.perItem && !r.uneven {
			g, it = g+1, 0
		}
	}
	return true
}

func (x *batchItems) groupID(g uint64) [3]uint64 {
	n := x.run.groups
	return [3]uint64{g % n[0], g / n[0] % n[1], g / n[0] / n[1]}
}

// groupSize returns the size of a work-group, smaller at the edges of the range.
func (x *batchItems) groupSize(gid [3]uint64) (s [3]uint64) {
	rg := &x.run.env.Range
	for d := range s {
		s[d] = min(rg.Local[d], rg.Global[d]-gid[d]*rg.Local[d])
	}
	return s
}

// localID returns the local id of a work-item of a group.
func (x *batchItems) localID(group uint64, item uint32) [3]uint64 {
	size := x.groupSize(x.groupID(group))
	i := uint64(item)
	return [3]uint64{i % size[0], i / size[0] % size[1], i / size[0] / size[1]}
}

// globalID returns the global id of a work-item of a group.
func (x *batchItems) globalID(group uint64, item uint32) [3]uint64 {
	id, gid := x.localID(group, item), x.groupID(group)
	rg := &x.run.env.Range
	for d := range id {
		id[d] += rg.Offset[d] + gid[d]*rg.Local[d]
	}
	return id
}

// query returns the result of a work-item query for the lane.
func (x *batchItems) query(q ssa.WorkItemQuery, dim uint64, lane int) uint64 {
	rg := &x.run.env.Range
	gid := x.groupID(x.groups[lane])
	size := x.groupSize(gid)
	item := uint64(x.items[lane])
	lid := x.localID(x.groups[lane], x.items[lane])
	switch q {
	case ssa.WorkDim:
		return uint64(rg.Dims)
	case ssa.MaxSubGroupSize:
		return 1 << x.p.subGroupShift
	case ssa.LocalLinearID:
		return item
	case ssa.GlobalLinearID:
		id := uint64(0)
		for d := 2; d >= 0; d-- {
			id = id*rg.Global[d] + gid[d]*rg.Local[d] + lid[d]
		}
		return id
	}
	if dim >= 3 || dim >= uint64(rg.Dims) {
		// "Other values of dimindx": sizes are 1, ids and offsets 0 (Work-Item Functions).
		switch q {
		case ssa.GlobalSize, ssa.LocalSize, ssa.EnqueuedLocalSize, ssa.NumGroups:
			return 1
		}
		return 0
	}
	switch q {
	case ssa.GlobalSize:
		return rg.Global[dim]
	case ssa.GlobalID:
		return rg.Offset[dim] + gid[dim]*rg.Local[dim] + lid[dim]
	case ssa.LocalSize:
		return size[dim]
	case ssa.EnqueuedLocalSize:
		return rg.Local[dim]
	case ssa.LocalID:
		return lid[dim]
	case ssa.NumGroups:
		return x.run.groups[dim]
	case ssa.GroupID:
		return gid[dim]
	case ssa.GlobalOffset:
		return rg.Offset[dim]
	}
	return 0
}

// poll reports whether the run must end.
func (x *batchItems) poll() bool {
	if x.run.stop.Load() || x.run.raced.Load() && x.run.races.mode == exec.FindRaces {
		x.aborted = true
	}
	return x.aborted
}

// subGroups returns the number of sub-groups of the batch.
func (x *batchItems) subGroups() int { return (x.n + 1<<x.p.subGroupShift - 1) >> x.p.subGroupShift }

// active returns the mask of the active lanes of each sub-group.
func (x *batchItems) active(act []span) []uint32 {
	masks, shift := x.masks[:x.subGroups()], x.p.subGroupShift
	clear(masks)
	eachSubGroup(act, shift, func(g int32, part span) { masks[g] |= laneBits(g, shift, part) })
	return masks
}
