package jit

import (
	"encoding/binary"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// resetSums clears the worker's sums. It disables those whose object overlaps another object that the kernel
// accesses.
func (w *worker) resetSums() {
	x := w.x
	span := func(root int) (from, to uint64) {
		at := x86.CtxRoots + x86.RootSize*root
		from = *word(w.mem, at+x86.RootBase)
		return from, from + *word(w.mem, at+x86.RootLen)
	}
	for i := range x.full.Sums {
		s := &x.full.Sums[i]
		if s.Elements {
			continue
		}
		from, to := span(int(s.Root))
		shares := slices.ContainsFunc(s.Others, func(root int32) bool {
			a, b := span(int(root))
			return a < to && from < b
		})
		w.fillSum(s)
		*word(w.mem, s.At) = 0 // the worker may have served another launch
		if shares {
			*word(w.mem, s.At) = x86.NoSum
		}
	}
}

// fillSum sets the lanes of a sum to the neutral element.
func (w *worker) fillSum(s *x86.Sum) {
	lanes := w.mem[s.At+x86.SumLanes:]
	for i := range int(w.x.w) {
		if s.Kind.Num().Size() == 4 {
			binary.LittleEndian.PutUint32(lanes[4*i:], uint32(s.Neutral()))
		} else {
			binary.LittleEndian.PutUint64(lanes[8*i:], s.Neutral())
		}
	}
}

// flushSums applies the worker's sums to memory.
func (w *worker) flushSums() {
	for i := range w.x.full.Sums {
		s := &w.x.full.Sums[i]
		at := *word(w.mem, s.At)
		if s.Elements || at == 0 || at == x86.NoSum {
			continue
		}
		// Use the object's own pointer, because its memory may be in Go's heap.
		root := x86.CtxRoots + x86.RootSize*int(s.Root)
		n := *word(w.mem, root) >> ssa.ObjectShift
		p := unsafe.Pointer(&w.x.env.Objects[n].Data[at-*word(w.mem, root+x86.RootBase)])
		f := exec.RMWFunc(s.RMW, s.Kind)
		lanes := w.mem[s.At+x86.SumLanes:]
		sum := s.Neutral()
		for k := range int(w.x.w) {
			if s.Kind.Num().Size() == 4 {
				sum = f(sum, uint64(binary.LittleEndian.Uint32(lanes[4*k:])))
			} else {
				sum = f(sum, binary.LittleEndian.Uint64(lanes[8*k:]))
			}
		}
		if s.Kind.Num().Size() == 4 {
			change((*uint32)(p), atomic.LoadUint32, atomic.CompareAndSwapUint32, uint32(sum), f)
		} else {
			change((*uint64)(p), atomic.LoadUint64, atomic.CompareAndSwapUint64, sum, f)
		}
		*word(w.mem, s.At) = 0
		w.fillSum(s)
	}
}

// change applies an operation with operand x to *p.
func change[T uint32 | uint64](p *T, load func(*T) T, cas func(*T, T, T) bool, x T, f func(old, x uint64) uint64) {
	for {
		old := load(p)
		if next := T(f(uint64(old), uint64(x))); next == old || cas(p, old, next) {
			return
		}
	}
}
