package jit

import (
	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// Gangs of several rows (package spmd, coarsen.go) are for launches of many rows with whole gangs. Their code
// is an additional variant. The launch's usual variant executes the remaining rows, the tails of rows, and the
// work-items of gangs that leave because rows diverge or an access is out of bounds.

// coarseItems is the number of work-items from which a launch waits for such code.
const coarseItems = 1 << 19

// mostLeft is the number of gangs of a worker that may leave before the worker stops using such code in the launch.
const mostLeft = 8

// coarseFor returns code for gangs of several rows for a launch, or nil.
func (v *variant) coarseFor(env *exec.Env) *unit {
	c, rg := v.c, &env.Range
	if v.grouped() || c.counts() || rg.Global[1] < 2 || v.lanes > int(rg.Global[0]) {
		return nil
	}
	key := v.key
	key.coarse, key.lanes, key.local = true, 0, [3]uint64{}
	var s *variant
	if c.o.Coarse || rg.Global[0]*rg.Global[1]*rg.Global[2] >= coarseItems {
		s = c.variant(key, rg)
	} else {
		s = c.background(key, items(rg))
	}
	if s == nil || s.err != nil || !sameLayout(v.unit.Code, s.unit.Code) || s.overlaps(env) {
		return nil
	}
	return s.unit
}

// leavesInside reports whether gangs of several rows may leave in the middle of a gang of the usual code, and their
// work-items must not run twice.
func (v *variant) leavesInside(u *unit) bool {
	return u.Updates && u.Lanes%v.lanes != 0
}

// overlaps reports whether an object that the code writes overlaps another one that it accesses.
func (u *unit) overlaps(env *exec.Env) bool {
	for i := range u.Roots {
		from, to := span(env, &u.Roots[i])
		for _, n := range u.Written {
			if a, b := span(env, &u.Roots[n]); n != i && a < to && from < b {
				return true
			}
		}
	}
	return false
}

// span returns the addresses of an object.
func span(env *exec.Env, r *gang.Root) (from, to uintptr) {
	n := uint64(len(env.Objects))
	switch {
	case r.Kind == gang.RootParam && len(env.Params[r.Param]) == 1:
		n = env.Params[r.Param][0] >> ssa.ObjectShift
	case r.Kind == gang.RootGlobal:
		n = uint64(env.Globals[r.Var])
	}
	if n >= uint64(len(env.Objects)) || len(env.Objects[n].Data) == 0 {
		return 0, 0
	}
	from = address(env.Objects[n].Data)
	return from, from + uintptr(len(env.Objects[n].Data))
}

// coarse executes the work-items [first, last) of rows from row on, for as many rows as gangs of several rows can. It
// returns the number of rows executed, which may be 0.
func (w *worker) coarse(row, end, first, last uint64) (uint64, error) {
	x, rg := w.x, &w.x.env.Range
	u := x.coarse
	if u == nil || w.left > mostLeft {
		return 0, nil
	}
	each, lanes, y := uint64(u.RowsAtOnce), uint64(u.Lanes), row%rg.Global[1]
	steps := min(end-row, rg.Global[1]-y) / each
	whole := (last - first) / lanes * lanes
	if steps == 0 || whole == 0 {
		return 0, nil
	}
	id := [3]uint64{rg.Offset[0] + first, rg.Offset[1] + y, rg.Offset[2] + row/rg.Global[1]}
	*word(w.mem, x86.CtxTail) = 0
	w.setRows(u, id, steps, id[0]+whole, lanes)
	if err := w.run(u); err != nil {
		return 0, err
	}
	left := *word(w.mem, x86.CtxStatus) == x86.StatusLeft
	at := *word(w.frame, x86.FrameGlobal) - id[0]
	done := (steps - *word(w.mem, x86.CtxGroups)) * each
	if err := w.plain([3]uint64{id[0] + whole, id[1], id[2]}, done, last-first-whole); err != nil || !left {
		return done, err
	}
	w.left++
	if !u.Updates {
		at -= at % x.w // start at a whole gang of the usual code: repeated work gives the same results
	}
	return done + each, w.plain([3]uint64{id[0] + at, id[1] + done, id[2]}, each, last-first-at)
}

// plain executes n work-items of each of some rows of a plane, from id on, row by row.
func (w *worker) plain(id [3]uint64, rows, n uint64) error {
	for rows > 0 && n > 0 && !w.x.stop.Load() {
		k, err := w.rectangle(id, rows, n)
		if err != nil {
			return err
		}
		id[1], rows = id[1]+k, rows-k
	}
	return nil
}
