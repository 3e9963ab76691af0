package gangexec

import (
	"encoding/binary"
	"sync/atomic"
	"unsafe"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// Access performs an access through lanes' pointers and reports violations. Bytes out of bounds read as 0 and
// are not written.
func (w *worker) Access(r *gang.Request) {
	if k := int(r.Inst.Gang); k != 0 { // of a work-group of known size
		w.enter(k)
		defer w.enter(0)
	}
	for lane, on := range r.Lanes {
		if !on {
			continue
		}
		data := r.Data[lane*r.Size:][:r.Size]
		switch r.Inst.Op {
		case gang.OpLoadPtr:
			w.read(r, lane, r.Ptr[lane], data)
		case gang.OpStorePtr:
			w.write(r, lane, r.Ptr[lane], data)
		case gang.OpCopyPtr:
			w.read(r, lane, r.From[lane], data)
		case gang.OpZeroPtr:
			clear(data)
			w.write(r, lane, r.Ptr[lane], data)
		case gang.OpAtomic, gang.OpAtomicAt:
			w.atomic(r, lane, data)
		}
	}
	if r.Inst.Op != gang.OpCopyPtr {
		return
	}
	for lane, on := range r.Lanes {
		if on {
			w.write(r, lane, r.Ptr[lane], r.Data[lane*r.Size:][:r.Size])
		}
	}
}

// access returns the operation of a request.
func (w *worker) access(r *gang.Request) *ssa.Value { return w.u.f.Accesses[r.Access].Value }

// object returns the object that a pointer refers to, or nil.
func (w *worker) object(p uint64) *object {
	n := p >> ssa.ObjectShift
	first := uint64(len(w.x.objects))
	switch {
	case n == 0:
		return nil
	case n < first:
		return &w.x.objects[n]
	case n-first < uint64(len(w.u.privates)):
		return &w.u.privates[n-first]
	}
	return nil
}

// bytes returns the object that a pointer refers to and its memory, or nil.
func (w *worker) bytes(p uint64, lane int) ([]byte, *object) {
	o := w.object(p)
	switch {
	case o == nil:
		return nil, nil
	case o.private:
		return w.copies(o)[uint64(lane)*o.size:][:o.size], o
	case o.local:
		return w.local[o.at:][:o.size], o
	}
	return o.data, o
}

// copies returns all lanes' copies of a private object of the current gang.
func (w *worker) copies(o *object) []byte {
	at := (uint64(w.gang)*w.u.private + o.at) * w.x.w
	return w.private[at:][:o.size*w.x.w]
}

func (w *worker) read(r *gang.Request, lane int, p uint64, d []byte) {
	mem, _ := w.bytes(p, lane)
	off := p & ssa.OffsetMask
	if n := uint64(len(mem)); off <= n && n-off >= uint64(len(d)) {
		copy(d, mem[off:])
		return
	}
	w.fault(w.access(r), uint64(r.Size), lane, p)
	clear(d)
	if lo, hi := exec.Inside(off, uint64(len(d)), uint64(len(mem))); lo < hi {
		copy(d[lo:hi], mem[(off+lo)&ssa.OffsetMask:])
	}
}

func (w *worker) write(r *gang.Request, lane int, p uint64, d []byte) {
	mem, o := w.bytes(p, lane)
	off := p & ssa.OffsetMask
	n := uint64(len(mem))
	inside := off <= n && n-off >= uint64(len(d))
	readOnly := o != nil && o.readOnly
	if inside && !readOnly {
		copy(mem[off:], d)
		return
	}
	w.fault(w.access(r), uint64(r.Size), lane, p)
	if lo, hi := exec.Inside(off, uint64(len(d)), n); lo < hi && !readOnly {
		copy(mem[(off+lo)&ssa.OffsetMask:], d[lo:hi])
	}
}

// atomic performs an atomic operation. d holds the operand, and then the old value.
func (w *worker) atomic(r *gang.Request, lane int, d []byte) {
	p := r.Ptr[lane]
	mem, o := w.bytes(p, lane)
	off, n := p&ssa.OffsetMask, uint64(len(mem))
	writes := r.Inst.Each != ssa.OpAtomicLoad
	if o == nil || off > n || n-off < uint64(len(d)) || writes && o.readOnly {
		w.fault(w.access(r), uint64(r.Size), lane, p)
		clear(d)
		return
	}
	x, expected := element(d), uint64(0)
	if r.Expected != nil {
		expected = element(r.Expected[lane*r.Size:][:r.Size])
	}
	apply := func(uint64) uint64 { return x }
	switch r.Inst.Each {
	case ssa.OpAtomicLoad:
		apply = nil
	case ssa.OpAtomicCAS:
		apply = func(old uint64) uint64 {
			if old == expected {
				return x
			}
			return old
		}
	case ssa.OpAtomicRMW:
		rmw, _, _ := ssa.AtomicParts(r.Inst.Aux)
		f := exec.RMWFunc(rmw, w.access(r).Type.K)
		apply = func(old uint64) uint64 { return f(old, x) }
	}
	setElement(d, update(mem[off:][:len(d)], apply))
}

func element(b []byte) uint64 {
	if len(b) == 4 {
		return uint64(binary.LittleEndian.Uint32(b))
	}
	return binary.LittleEndian.Uint64(b)
}

func setElement(b []byte, x uint64) {
	if len(b) == 4 {
		binary.LittleEndian.PutUint32(b, uint32(x))
		return
	}
	binary.LittleEndian.PutUint64(b, x)
}

// update applies f to an element of memory atomically and returns the old value. If f is nil, it only reads.
func update(mem []byte, f func(uint64) uint64) (old uint64) {
	at := unsafe.Pointer(unsafe.SliceData(mem))
	if uintptr(at)%uintptr(len(mem)) != 0 {
		exec.Unaligned.Lock()
		defer exec.Unaligned.Unlock()
		if old = element(mem); f != nil {
			setElement(mem, f(old))
		}
		return old
	}
	for {
		done := false
		if len(mem) == 4 {
			p := (*uint32)(at)
			old = uint64(atomic.LoadUint32(p))
			done = f == nil || atomic.CompareAndSwapUint32(p, uint32(old), uint32(f(old)))
		} else {
			p := (*uint64)(at)
			old = atomic.LoadUint64(p)
			done = f == nil || atomic.CompareAndSwapUint64(p, old, f(old))
		}
		if done {
			return old
		}
	}
}
