package jit

import (
	"math/bits"
	"unsafe"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/image"
)

// Image functions without code of their own (formats.go) are host calls: one for a whole gang if its work-items
// use one image and one sampler, as they nearly always do, otherwise one per lane.

// image returns the number and the object of an image handle, nil if the handle is invalid.
func (w *worker) image(handle uint64) (uint64, *exec.Object) {
	n := handle >> ssa.ObjectShift
	if n < uint64(w.x.allocaAt) && w.x.env.Objects[n].Image != nil {
		return n, &w.x.env.Objects[n]
	}
	return n, nil
}

// access returns the image access of the operation. Each worker caches it, because it is needed for each gang.
func (o *hostCall) access() *exec.ImageCall {
	c := o.w.images[o.v]
	if c == nil {
		c = exec.NewImageCall(o.v)
		if o.w.images == nil {
			o.w.images = map[*ssa.Value]*exec.ImageCall{}
		}
		o.w.images[o.v] = c
	}
	return c
}

// column returns component k of argument i, which has 32 bits; argument 0 is replaced by the result.
func (o *hostCall) column(i, k int) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(&o.slot(i, k)[0])), o.u.Lanes)
}

// same returns a 64-bit argument that is equal in all active lanes; ok is false if it is not.
func (o *hostCall) same(i int, active uint64) (x uint64, ok bool) {
	all := unsafe.Slice((*uint64)(unsafe.Pointer(&o.slot(i, 0)[0])), o.u.Lanes)
	x = all[bits.TrailingZeros64(active)]
	for a := active; a != 0; a &= a - 1 {
		if all[bits.TrailingZeros64(a)] != x {
			return 0, false
		}
	}
	return x, true
}

// images performs an image operation for the active lanes. It returns false if the lanes must be handled one by
// one.
func (o *hostCall) images(active uint64) bool {
	v := o.v
	if active == 0 || o.u.Lanes > image.MaxCalls {
		return false
	}
	handle, ok := o.same(0, active)
	_, obj := o.w.image(handle)
	if !ok || obj == nil {
		return false
	}
	if v.Op == ssa.OpImageQuery {
		answer := exec.QueryImage(v, obj.Image)
		out := o.column(0, 0)
		for i := range out {
			out[i] = answer
		}
		return true
	}
	sampler, at := uint64(0), 1
	if v.Op == ssa.OpImageSample {
		if sampler, ok = o.same(1, active); !ok {
			return false
		}
		at = 2
	}
	c := &o.w.calls
	c.Active = active
	for k := range min(int(v.Args[at].Type.N), len(c.X)) {
		c.X[k] = o.column(at, k)
	}
	color, n := 0, v.Type.N // the result's columns, at the place of the first arguments
	if at+1 < len(v.Args) {
		color, n = at+1, v.Args[at+1].Type.N
	}
	for k := range int(n) {
		c.Color[k] = o.column(color, k)
	}
	return o.access().DoAll(obj.Image, obj.ReadOnly || obj.Space == ssa.PtrConstant, sampler, c, o.image)
}

// image performs an image operation for one lane.
func (o *hostCall) image(lane int) {
	w, v := o.w, o.v
	n, obj := w.image(o.bits(0, 0, lane))
	if v.Op == ssa.OpImageQuery {
		r := uint32(0)
		if obj != nil {
			r = exec.QueryImage(v, obj.Image)
		}
		o.set(0, lane, uint64(r))
		return
	}
	call := o.access()
	var a exec.ImageArgs
	i := 1
	if v.Op == ssa.OpImageSample {
		a.Sampler = o.bits(1, 0, lane)
		i = 2
	}
	for k := range min(int(v.Args[i].Type.N), 3) {
		a.X[k] = uint32(o.bits(i, k, lane))
	}
	if i+1 < len(v.Args) {
		for k := range int(v.Args[i+1].Type.N) {
			a.Color[k] = uint32(o.bits(i+1, k, lane))
		}
	}
	if obj == nil {
		w.imageFinding(v, call, exec.WildPointer, 0, "", 0, lane)
		a.Color = [4]uint32{}
	} else if bad, size, note, ok := call.Do(obj.Image, obj.ReadOnly || obj.Space == ssa.PtrConstant, &a, nil); !ok {
		w.imageFinding(v, call, bad, n, note, size, lane)
	}
	if v.Type.K == ssa.Void {
		return
	}
	for k := range int(v.Type.N) {
		o.set(k, lane, uint64(a.Color[k]))
	}
}

// imageFinding adds a finding about image object number n, or about none if n is 0.
func (w *worker) imageFinding(v *ssa.Value, call *exec.ImageCall, kind exec.FindingKind, n uint64, note string, size uint64, lane int) {
	if kind.IsError() && !w.faults(lane) {
		return
	}
	f := exec.Finding{Kind: kind, Pos: v.Pos, Count: 1, Access: call.Access(), Size: size, Note: note}
	if n != 0 {
		obj := &w.x.env.Objects[n]
		f.Of(obj)
		f.Extent = uint64(len(obj.Data))
	}
	w.report(v, f, w.globalID(lane))
}
