package jit

import (
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// Copies of objects in which a worker collects the operands of atomic operations: see x86/copies.go. A worker pays
// for all elements of a copy when it has ended, so that launches have copies only if they change each element several times.

const (
	mostCopied   = 256 << 10 // bytes of the largest object with copies: these stay in a core's second cache
	mostSeveral  = 4 << 10   // bytes of the largest object with several copies: these stay in the first cache
	changesEach  = 4         // least changes of an element by each worker
	copiesMargin = 128       // bytes before a copy, so that it shares no lines with another
)

// copying lists the objects that the workers of a launch copy.
type copying struct {
	copied     []copies
	copiedSize uint64
}

// copies are the copies of an object in a worker's memory.
type copies struct {
	sum     int    // number of the sum
	at      uint64 // offset of the first
	bytes   uint64 // of the object
	stride  uint64 // from copy to copy
	number  int
	neutral uint64 // 8 bytes of neutral elements
}

// findCopies finds the objects that the workers of the launch copy.
func (x *execution) findCopies() {
	x.copied, x.copiedSize = x.copied[:0], 0
	for k := range x.full.Sums {
		s := &x.full.Sums[k]
		if !s.Copied && (x.partial == nil || !x.partial.Sums[k].Copied) || x.entry(s.Root).flags&x86.ObjReadOnly != 0 {
			continue
		}
		from, to := x.span(s.Root)
		n, es := to-from, uint64(s.Kind.Num().Size())
		shares := slices.ContainsFunc(s.Others, func(root int32) bool {
			a, b := x.span(root)
			return a < to && from < b
		})
		if shares || n == 0 || n > mostCopied || from%es != 0 || x.items() < float64(changesEach*n/es)*float64(x.workers) {
			continue
		}
		c := copies{sum: k, at: x.copiedSize + copiesMargin, bytes: n, number: 1, neutral: s.Neutral()}
		if n <= mostSeveral {
			c.number = x86.MaxCopies
		}
		if es == 4 {
			c.neutral |= c.neutral << 32
		}
		c.stride = align(n, 64) + x86.SpareBytes
		x.copiedSize = align(c.at+c.stride*uint64(c.number), 64)
		x.copied = append(x.copied, c)
	}
}

// entry returns the entry of a root's object.
func (x *execution) entry(root int32) (e entry) {
	n := uint64(len(x.objects))
	switch r := &x.full.Roots[root]; r.Kind {
	case gang.RootParam:
		n = x.env.Params[r.Param][0] >> ssa.ObjectShift
	case gang.RootGlobal:
		n = uint64(x.env.Globals[r.Var])
	}
	if n < uint64(len(x.objects)) {
		e = x.objects[n]
	}
	return e
}

// span returns the addresses of a root's object.
func (x *execution) span(root int32) (from, to uint64) {
	e := x.entry(root)
	return e.base, e.base + e.size
}

// beginCopies gives the code the addresses of the worker's copies, all of whose elements are neutral.
func (w *worker) beginCopies() {
	x := w.x
	for i := range x.full.Sums {
		if s := &x.full.Sums[i]; s.Elements {
			*word(w.mem, s.At+x86.SumCopies) = 0
		}
	}
	if w.changed { // its last launch has ended by a panic
		w.neutral, w.changed = w.neutral[:0], false
	}
	if len(x.copied) == 0 {
		return
	}
	if !slices.Equal(w.neutral, x.copied) {
		w.neutral = append(w.neutral[:0], x.copied...)
		for i := range x.copied {
			c := &x.copied[i]
			for at := uint64(0); at < c.stride*uint64(c.number); at += 8 {
				*word(w.copies, int(c.at+at)) = c.neutral
			}
		}
	}
	w.changed = true
	for i := range x.copied {
		c := &x.copied[i]
		at := x.full.Sums[c.sum].At
		*word(w.mem, at+x86.SumSpare) = c.stride - x86.SpareBytes
		for k := range x86.MaxCopies {
			*word(w.mem, at+x86.SumCopies+8*k) = uint64(address(w.copies)) + c.at + c.stride*uint64(k%c.number)
		}
	}
}

// mergeCopies applies the worker's copies to memory.
func (w *worker) mergeCopies() {
	if !w.changed {
		return
	}
	for i := range w.x.copied {
		w.mergeCopy(&w.x.copied[i])
	}
	w.changed = false
}

// mergeCopy applies the copies of an object to it, and makes their elements neutral.
func (w *worker) mergeCopy(c *copies) {
	s := &w.x.full.Sums[c.sum]
	// Use the object's own pointer, because its memory may be in Go's heap.
	data := w.x.env.Objects[*word(w.mem, x86.CtxRoots+x86.RootSize*int(s.Root))>>ssa.ObjectShift].Data
	f, es := exec.RMWFunc(s.RMW, s.Kind), s.Kind.Num().Size()
	both := func(a, b uint64) uint64 { return f(a, b) }
	switch {
	case es == 4 && s.RMW == ssa.RMWAdd:
		const tops = 1<<63 | 1<<31 // added separately, so that no carry reaches the other element
		both = func(a, b uint64) uint64 { return (a&^tops + b&^tops) ^ (a^b)&tops }
	case es == 4:
		both = func(a, b uint64) uint64 {
			return f(a&(1<<32-1), b&(1<<32-1))&(1<<32-1) | f(a>>32, b>>32)<<32
		}
	}
	pairs := uintptr(unsafe.Pointer(&data[0]))%8 == 0 // one exchange changes 8 bytes
	for at := uint64(0); at < align(c.bytes, 8); at += 8 {
		x := c.neutral
		for k := range c.number {
			p := word(w.copies, int(c.at+at+c.stride*uint64(k)))
			if *p != c.neutral {
				x = both(x, *p)
				*p = c.neutral
			}
		}
		if x == c.neutral {
			continue
		}
		if pairs && at+8 <= c.bytes {
			change((*uint64)(unsafe.Pointer(&data[at])), atomic.LoadUint64, atomic.CompareAndSwapUint64, x, both)
			continue
		}
		for k := uint64(0); k < 8 && at+k+uint64(es) <= c.bytes; k += 4 { // elements of 8 bytes are at multiples of 8
			change((*uint32)(unsafe.Pointer(&data[at+k])), atomic.LoadUint32, atomic.CompareAndSwapUint32, uint32(x>>(8*k)), f)
		}
	}
}
