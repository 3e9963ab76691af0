package interp

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// An atomicFn computes an atomic operation on the bits of an element: old value, operands → new value. load is
// set if it never writes.
type atomicFn struct {
	apply func(old, x, y uint64) uint64
	load  bool
}

// atomicOp returns the function of an atomic op on elements of kind k, nil if there is none.
func atomicOp(op ssa.Op, rmw ssa.RMW, k ssa.Kind) *atomicFn {
	switch op {
	case ssa.OpAtomicLoad:
		return &atomicFn{load: true}
	case ssa.OpAtomicStore:
		return &atomicFn{apply: func(_, x, _ uint64) uint64 { return x }}
	case ssa.OpAtomicCAS:
		return &atomicFn{apply: func(old, x, y uint64) uint64 {
			if old == x {
				return y
			}
			return old
		}}
	}
	if f := exec.RMWFunc(rmw, k); f != nil {
		return &atomicFn{apply: func(old, x, _ uint64) uint64 { return f(old, x) }}
	}
	return nil
}

// stripes are locks that serialise the atomic operations on halves.
var stripes [64]sync.Mutex

// kAtomic executes an atomic operation, lane by lane. On memory shared by work-groups it is atomic with respect to
// all of them.
func kAtomic[T uint16 | uint32 | uint64](v *view, in *inst) {
	x, m := v.x, in.mem
	f := in.ext.(*atomicFn)
	var arg [2][]T
	for _, s := range v.act {
		addr := v.addresses(m, s)
		for k, u := range in.src {
			arg[k] = at[T](v, u, s)
		}
		var d []T
		if in.d >= 0 {
			d = at[T](v, in.d, s)
		}
		for i, p := range addr {
			lane := int(s.lo) + i
			var a, b uint64
			if arg[0] != nil {
				a = uint64(arg[0][i])
			}
			if arg[1] != nil {
				b = uint64(arg[1][i])
			}
			old := T(0)
			if q, o, off := x.pointer(in, lane, p, m.size, !f.load); q != nil {
				if m.watch {
					x.defined(in, lane, o, off, f)
				}
				old = atomicAt[T](q, o.local || o.private, f, a, b)
				if m.watch {
					x.observeAtomic(v, in, lane, o, off, !f.load && (in.imm == 0 || uint64(old) == a))
				}
			}
			if d != nil {
				d[i] = old
			}
		}
	}
}

// observeAtomic reports an atomic access to the observers. The operations with which it synchronises happen
// before it, and it happens before the operations that its release makes visible.
func (x *worker) observeAtomic(v *view, in *inst, lane int, o *object, off uint64, modifies bool) {
	ordered := x.order != nil && !o.private
	reads := len(in.src) != 1 || in.d >= 0
	if ordered && reads {
		order := in.mem.order
		if in.imm != 0 && !modifies {
			order = in.mem.failure
		}
		x.acquire(in, order, lane, o, off)
	}
	x.modifies = modifies
	x.observe(v, in, lane, o, off)
	if ordered && modifies {
		x.publish(in, lane, o, off, !reads)
	}
}

// defined reports an atomic operation on memory without a value, and marks its result as defined.
func (x *reporter) defined(in *inst, lane int, o *object, off uint64, f *atomicFn) {
	if !o.shadowed {
		return
	}
	size := in.mem.size
	if len(in.src) != 1 || in.d >= 0 { // all except a plain store read the old value
		if !x.initialized(o, lane, off, size) {
			x.report(exec.Uninitialized, in, lane, o, off, size)
		}
	}
	if !f.load {
		x.markInit(o, lane, off, size, true)
	}
}

// atomicAt applies f to the element at q; own is set if no other worker accesses it.
func atomicAt[T uint16 | uint32 | uint64](q unsafe.Pointer, own bool, f *atomicFn, a, b uint64) T {
	size := unsafe.Sizeof(T(0))
	if own {
		p := (*T)(q)
		old := *p
		if !f.load {
			*p = T(f.apply(uint64(old), a, b))
		}
		return old
	}
	if aligned := uintptr(q)%size == 0; size == 2 || !aligned {
		var mu sync.Locker = &exec.Unaligned
		if aligned {
			mu = &stripes[uintptr(q)/size%uintptr(len(stripes))]
		}
		mu.Lock()
		defer mu.Unlock()
		bytes := unsafe.Slice((*byte)(q), size)
		var old T
		copy(unsafe.Slice((*byte)(unsafe.Pointer(&old)), size), bytes)
		if !f.load {
			next := T(f.apply(uint64(old), a, b))
			copy(bytes, unsafe.Slice((*byte)(unsafe.Pointer(&next)), size))
		}
		return old
	}
	if size == 4 {
		p := (*uint32)(q)
		for {
			old := atomic.LoadUint32(p)
			if f.load || atomic.CompareAndSwapUint32(p, old, uint32(f.apply(uint64(old), a, b))) {
				return T(old)
			}
		}
	}
	p := (*uint64)(q)
	for {
		old := atomic.LoadUint64(p)
		if f.load || atomic.CompareAndSwapUint64(p, old, f.apply(old, a, b)) {
			return T(old)
		}
	}
}
