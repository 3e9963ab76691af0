package arm64

import (
	"encoding/binary"
	"errors"
	"fmt"
	"unsafe"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A Frame is the context in which one worker runs a function's code, with the host's state for it.
type Frame struct {
	c     *Code
	mem   []byte
	ctx   *gang.Context
	regs  [][]uint64 // operands of a host call, by gang register
	begun uint64     // the last gang announced to the host
}

// FrameSize returns the bytes of memory of a frame.
func (c *Code) FrameSize() int { return c.ctxSize }

// NewFrame makes a frame in mem, which must be outside of Go's heap, of FrameSize bytes, aligned to 16.
func (c *Code) NewFrame(mem []byte) *Frame {
	f := &Frame{c: c, mem: mem, regs: make([][]uint64, len(c.f.Types))}
	for t := range uint8(4) {
		for lane := range 16 {
			f.putElement(iotaAt(t)+lane<<t, 1<<t, uint64(lane))
		}
	}
	return f
}

// Pointer returns the code's argument.
func (f *Frame) Pointer() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(f.mem)) }

func (f *Frame) put(at int, x uint64) { binary.LittleEndian.PutUint64(f.mem[at:], x) }

func (f *Frame) get(at int) uint64 { return binary.LittleEndian.Uint64(f.mem[at:]) }

func (f *Frame) putElement(at, size int, x uint64) { numeric.Store(f.mem[at:], size, x) }

func (f *Frame) element(at, size int) uint64 { return numeric.Load(f.mem[at:], size) }

// Begin prepares the frame for the gangs of a context. The context must not change until they have ended.
func (f *Frame) Begin(ctx *gang.Context) {
	f.ctx, f.begun = ctx, ^uint64(0)
	f.put(ctxResume, 0)
	f.put(ctxIDEnd, ctx.IDEnd)
	for q := range ctx.Queries {
		f.putQuery(ssa.WorkItemQuery(q), &ctx.Queries[q])
	}
	for n, r := range ctx.Roots {
		at := ctxRoots + rootSize*n
		size := r.Size
		f.put(at+rootPointer, r.Pointer)
		f.put(at+rootLen, size)
		if !r.Writable {
			size = 0
		}
		f.put(at+rootWrites, size)
	}
	f.putGang()
	for key, at := range f.c.params {
		f.put(at, ctx.Params[key[0]][key[1]])
	}
	f.watch()
}

// putGang copies the context's current gang to the frame.
func (f *Frame) putGang() {
	ctx := f.ctx
	for lane := range Lanes {
		f.mem[ctxActive+lane] = 0
		if lane < ctx.Active {
			f.mem[ctxActive+lane] = 0xff
		}
	}
	f.putQuery(ssa.GlobalID, &ctx.Global)
	f.putQuery(ssa.LocalID, &ctx.Local)
	for n := range ctx.Roots {
		f.put(ctxRoots+rootSize*n+rootBase, uint64(uintptr(unsafe.Pointer(unsafe.SliceData(ctx.Roots[n].Data)))))
	}
}

func (f *Frame) putQuery(q ssa.WorkItemQuery, from *[3]uint64) {
	for d, x := range from {
		f.put(ctxQueries+8*(3*int(q)+d), x)
	}
}

func (f *Frame) watch() {
	f.put(ctxStop, uint64(uintptr(unsafe.Pointer(f.ctx.Host.Watched()))))
}

// Serve performs the host call for which the code has returned. It reports whether the code must be entered
// again, or the barrier at which the gang waits.
func (f *Frame) Serve() (again bool, barrier *gang.Inst, err error) {
	if f.get(ctxStatus) == statusDone {
		return false, nil, nil
	}
	n := f.get(ctxHost)
	if n >= uint64(len(f.c.Hosts)) {
		return false, nil, errors.New("internal error: machine code requested an unknown host call")
	}
	host := f.ctx.Host
	if g := f.get(ctxGlobal); g != f.begun && !f.c.f.Groups && !f.c.f.Waits {
		f.begun = g
		host.Begin(g)
	}
	again = true
	switch h := &f.c.Hosts[n]; {
	case h.Poll:
		again = host.Poll()
	case h.Next:
		next := uint64(0)
		if host.Next() {
			next = 1
		}
		f.put(ctxArgs+resultArg*argSize, next)
		f.putGang()
	case h.Inst.Op == gang.OpBarrier:
		barrier = h.Inst
	default:
		err = f.execute(h.Inst)
	}
	f.watch()
	return again && err == nil, barrier, err
}

// execute performs an instruction whose operands are in the context.
func (f *Frame) execute(i *gang.Inst) error {
	for k, a := range i.Args {
		at, _ := argAt(i, k)
		f.take(a, at)
	}
	if i.Mask != 0 {
		f.take(i.Mask, ctxArgs+maskArg*argSize)
	}
	d := f.elements(i.Dst)
	if err := f.c.f.Execute(f.ctx, i, f.regs); err != nil {
		return fmt.Errorf("internal error: %s: %w", f.c.f.Inst(i), err)
	}
	if i.Dst == 0 {
		return nil
	}
	t, at := f.c.f.Type(i.Dst), ctxArgs+resultArg*argSize
	switch {
	case t.Class == gang.Predicate:
		for k, x := range d {
			f.mem[at+k] = byte(-x)
		}
	case isGeneral(t):
		f.put(at, d[0])
	case t.Class == gang.Scalar: // replicated in every element
		for off := 0; off < 16; off += t.Size() {
			f.putElement(at+off, t.Size(), d[0])
		}
	default:
		for k, x := range d {
			f.putElement(at+k*t.Size(), t.Size(), x)
		}
	}
	return nil
}

// elements returns the buffer for a register's elements.
func (f *Frame) elements(r gang.Reg) []uint64 {
	if r != 0 && f.regs[r] == nil {
		f.regs[r] = make([]uint64, f.c.f.Elements(r))
	}
	return f.regs[r]
}

// take reads a register's elements from the context.
func (f *Frame) take(r gang.Reg, at int) {
	t, d := f.c.f.Type(r), f.elements(r)
	for k := range d {
		if t.Class == gang.Predicate {
			d[k] = uint64(f.mem[at+k] & 1)
		} else {
			d[k] = f.element(at+k*t.Size(), t.Size())
		}
	}
}
