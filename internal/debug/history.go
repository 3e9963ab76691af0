package debug

import (
	"bytes"
	"slices"

	"github.com/purecl/purecl/internal/run/interp"
)

// A history holds snapshots of a launch. The distance between them grows so that their number stays bounded. Each
// snapshot has the old contents of the pages that changed since the one before.
type history struct {
	step    *interp.Stepper
	limit   int64
	shared  []interp.Shared
	mirror  [][]byte // the shared memory at the last snapshot
	points  []point
	spacing int64
	bytes   int64
	off     bool // the memory limit does not allow any snapshot
}

// A point is a snapshot.
type point struct {
	tick  int64
	state *interp.Snapshot
	undo  []page // changes the shared memory from this snapshot to the one before
	bytes int64
}

// A page is the old contents of a part of shared memory.
type page struct {
	object, off int // index in the shared memory, byte offset
	old         []byte
}

const (
	pageSize     = 4096
	maxPoints    = 64
	firstSpacing = 4096
)

func newHistory(step *interp.Stepper, limit int64) *history {
	if limit == 0 {
		limit = DefaultHistory
	}
	h := &history{step: step, limit: limit, shared: step.SharedMemory(), spacing: firstSpacing}
	for _, m := range h.shared {
		h.bytes += int64(len(m.Data))
	}
	if h.off = h.bytes > limit; h.off {
		return h
	}
	for _, m := range h.shared {
		h.mirror = append(h.mirror, bytes.Clone(m.Data))
	}
	h.take(0)
	return h
}

// record takes a snapshot if the last one is old enough.
func (h *history) record(tick int64, _ *interp.Stepper) {
	if h.off || tick < h.points[len(h.points)-1].tick+h.spacing {
		return
	}
	h.take(tick)
	for len(h.points) > maxPoints || h.bytes > h.limit && len(h.points) > 2 {
		h.thin()
	}
}

// take adds a snapshot.
func (h *history) take(tick int64) {
	p := point{tick: tick, state: h.step.Snapshot()}
	p.bytes = p.state.Size()
	for i, m := range h.shared {
		mirror := h.mirror[i]
		for off := 0; off < len(mirror); off += pageSize {
			end := min(off+pageSize, len(mirror))
			if !bytes.Equal(mirror[off:end], m.Data[off:end]) {
				p.undo = append(p.undo, page{i, off, bytes.Clone(mirror[off:end])})
				p.bytes += int64(end-off) + 48
				copy(mirror[off:end], m.Data[off:end])
			}
		}
	}
	h.bytes += p.bytes
	h.points = append(h.points, p)
}

// thin removes every other snapshot except the first and the last.
func (h *history) thin() {
	h.spacing *= 2
	keep := h.points[:1]
	for i := 1; i < len(h.points); i++ {
		p := h.points[i]
		if i%2 == 1 && i < len(h.points)-1 {
			next := &h.points[i+1] // its undo must now lead to the point before p
			seen := map[[2]int]bool{}
			undo := slices.Clone(p.undo)
			for _, g := range undo {
				seen[[2]int{g.object, g.off}] = true
			}
			for _, g := range next.undo {
				if !seen[[2]int{g.object, g.off}] {
					undo = append(undo, g)
				}
			}
			next.undo = undo
			continue
		}
		keep = append(keep, p)
	}
	clear(h.points[len(keep):])
	h.points = keep
	h.bytes = 0
	for _, m := range h.mirror {
		h.bytes += int64(len(m))
	}
	for i := range h.points {
		p := &h.points[i]
		p.bytes = p.state.Size()
		for _, g := range p.undo {
			p.bytes += int64(len(g.old)) + 48
		}
		h.bytes += p.bytes
	}
}

// before returns the index of the last snapshot at or before a step.
func (h *history) before(tick int64) int {
	i := len(h.points) - 1
	for i > 0 && h.points[i].tick > tick {
		i--
	}
	return i
}

// restore restores snapshot i and removes the later ones. It returns the snapshot's step.
func (h *history) restore(i int) int64 {
	for n := len(h.points) - 1; n > i; n-- {
		for _, g := range h.points[n].undo {
			copy(h.mirror[g.object][g.off:], g.old)
		}
		h.bytes -= h.points[n].bytes
	}
	clear(h.points[i+1:])
	h.points = h.points[:i+1]
	for k, m := range h.shared {
		copy(m.Data, h.mirror[k])
	}
	h.step.Restore(h.points[i].state)
	return h.points[i].tick
}
