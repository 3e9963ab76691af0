package jit

import (
	"sync"

	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// Tiles in local memory. Local memory is zero at the start of a work-group, unless each work-group writes it whole before
// its first barrier (package spmd, tiles.go).

// minCleared is the least number of bytes that a launch would clear for which the question is asked.
const minCleared = 1 << 18

// maxTileSizes bounds the sizes of work-groups whose answers are kept.
const maxTileSizes = 16

// tileSizes has the answers by size of work-groups.
type tileSizes struct {
	mu    sync.Mutex
	asked bool
	tiles *spmd.Tiles
	sizes map[[3]uint64]bool
}

// written reports whether work-groups of the size write all local memory before they read it. In strict mode a work-item
// stops at an access out of bounds, and may not write its part.
func (t *tileSizes) written(f *ssa.Func, size [3]uint64, strict bool) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.asked {
		t.asked, t.tiles, t.sizes = true, spmd.TilesOf(f), map[[3]uint64]bool{}
	}
	if t.tiles == nil || strict && t.tiles.Faults {
		return false
	}
	ok, known := t.sizes[size]
	if !known && len(t.sizes) < maxTileSizes {
		ok = t.tiles.Written(size)
		t.sizes[size] = ok
	}
	return ok
}

// findTiles sets filled. The source of a kernel for image formats has no accesses to images that may be out of bounds.
func (x *execution) findTiles() {
	x.filled = false
	tests := x.c.o.Collapse || x.c.o.Unfold // run few work-groups
	if !x.c.Groups || x.localSize == 0 || x.nGroups*x.localSize < minCleared && !tests || !x.asked.Uniform() {
		return
	}
	r := x.asked
	size := [3]uint64{1, 1, 1}
	copy(size[:r.Dims], r.Local[:r.Dims])
	x.filled = x.c.tiles.written(x.c.source, size, x.env.Faults == exec.Strict)
}
