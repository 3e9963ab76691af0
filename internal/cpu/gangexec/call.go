package gangexec

import (
	"math/bits"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// Host calls: text, images, and operations that depend on the launch's objects.

// A hostCall is a host call of the current gang.
type hostCall struct {
	*gang.Call
	w     *worker
	v     *ssa.Value
	first []int // by argument: the index in Args of its first element
}

// Call performs an operation of the kernel.
func (w *worker) Call(c *gang.Call) {
	o := &hostCall{Call: c, w: w, v: w.u.f.Accesses[c.Access].Value}
	n := 0
	for _, a := range o.v.Args {
		o.first = append(o.first, n)
		n += int(a.Type.N)
	}
	if o.v.Op.Has(ssa.SubGroup) {
		o.subGroups()
		return
	}
	for lane, on := range c.Lanes {
		if on && (!w.lost[lane] || o.pure()) {
			o.lane(lane)
		}
	}
}

// bits returns element k of argument i in a lane.
func (o *hostCall) bits(i, k, lane int) uint64 { return o.Args[o.first[i]+k][lane] }

func (o *hostCall) set(k, lane int, x uint64) { o.Result[lane*int(o.v.Type.N)+k] = x }

// pure reports whether the operation only computes values. Pure operations run for stopped lanes too, because
// their loops may depend on the results.
func (o *hostCall) pure() bool {
	return o.v.Op == ssa.OpPtrCast || o.v.Op == ssa.OpAsyncLimit
}

// lane performs the operation for one lane.
func (o *hostCall) lane(lane int) {
	w, v := o.w, o.v
	switch {
	case v.Op == ssa.OpPrintf:
		o.printf(lane)
	case v.Op == ssa.OpPtrCast:
		p := o.bits(0, 0, lane)
		if w.space(p) != v.Type.K {
			p = 0
		}
		o.set(0, lane, p)
	case v.Op == ssa.OpAsyncLimit:
		arg := func(i int) uint64 { return o.bits(i, 0, lane) }
		o.set(0, lane, exec.AsyncLimit(arg(2), w.bytesAfter(arg(0), lane), w.bytesAfter(arg(1), lane), arg(3), arg(4)))
	default:
		o.image(lane)
	}
}

// space returns the address space of the object that a pointer refers to, or 0.
func (w *worker) space(p uint64) ssa.Kind {
	switch o := w.object(p); {
	case o == nil:
		return 0
	case o.private:
		return ssa.PtrPrivate
	}
	return w.x.env.Objects[p>>ssa.ObjectShift].Space
}

// bytesAfter returns the number of bytes from a pointer to the end of its object.
func (w *worker) bytesAfter(p uint64, lane int) uint64 {
	mem, _ := w.bytes(p, lane)
	n := uint64(len(mem))
	return n - min(p&ssa.OffsetMask, n)
}

// printf performs printf for one lane.
func (o *hostCall) printf(lane int) {
	w := o.w
	call := w.x.printfs.Of(o.v, exec.NewPrintfCall)
	str := func(p uint64) (string, bool) {
		mem, _ := w.bytes(p, lane)
		off := p & ssa.OffsetMask
		if off >= uint64(len(mem)) {
			return "", false
		}
		return exec.CString(mem[off:])
	}
	p := o.bits(0, 0, lane)
	format, ok := str(p)
	switch {
	case !ok:
		w.fault(o.v, 1, lane, p)
	case w.x.printer == nil:
		ok = call.Check(format)
	default:
		item := w.x.env.Range.WorkItem(w.item(lane))
		ok = w.text.Print(item.GroupNumber, item.ItemNumber, call, format, func(i, k int) uint64 { return o.bits(1+i, k, lane) }, str)
	}
	r := uint64(0)
	if !ok {
		r = 1<<32 - 1
	}
	o.set(0, lane, r)
}

// image performs an operation on images for one lane.
func (o *hostCall) image(lane int) {
	w, v := o.w, o.v
	n := o.bits(0, 0, lane) >> ssa.ObjectShift
	var obj *exec.Object
	if n < uint64(len(w.x.env.Objects)) && w.x.env.Objects[n].Image != nil {
		obj = &w.x.env.Objects[n]
	}
	if v.Op == ssa.OpImageQuery {
		if obj != nil {
			o.set(0, lane, uint64(exec.QueryImage(v, obj.Image)))
		}
		return
	}
	call := w.x.images.Of(v, exec.NewImageCall)
	var a exec.ImageArgs
	i := 1
	if call.Samples() {
		a.Sampler, i = o.bits(1, 0, lane), 2
	}
	for k := range min(int(v.Args[i].Type.N), len(a.X)) {
		a.X[k] = uint32(o.bits(i, k, lane))
	}
	if i+1 < len(v.Args) {
		for k := range int(v.Args[i+1].Type.N) {
			a.Color[k] = uint32(o.bits(i+1, k, lane))
		}
	}
	if obj == nil {
		o.imageFinding(exec.Finding{Kind: exec.WildPointer, Access: call.Access()}, nil, lane)
		a.Color = [4]uint32{}
	} else if bad, size, note, ok := call.Do(obj.Image, obj.ReadOnly || obj.Space == ssa.PtrConstant, &a, nil); !ok {
		o.imageFinding(exec.Finding{Kind: bad, Access: call.Access(), Size: size, Note: note}, obj, lane)
	}
	if v.Type.K == ssa.Void {
		return
	}
	for k := range int(v.Type.N) {
		o.set(k, lane, uint64(a.Color[k]))
	}
}

// imageFinding adds a finding about an image.
func (o *hostCall) imageFinding(f exec.Finding, obj *exec.Object, lane int) {
	if f.Kind.IsError() && !o.w.stops(lane) {
		return
	}
	if obj != nil {
		f.Of(obj)
		f.Extent = uint64(len(obj.Data))
	}
	o.w.report(o.v, f, o.w.item(lane))
}

// subGroups reports each sub-group of the current gang of which only some work-items have reached a barrier.
func (o *hostCall) subGroups() {
	w := o.w
	size := w.x.c.f.Kernel.SubGroupSize()
	for first := 0; first < w.ctx.Active; first += size {
		here, n := uint64(0), min(w.ctx.Active-first, size)
		for k := range n {
			if o.Lanes[first+k] && !w.lost[first+k] {
				here |= 1 << k
			}
		}
		if here != 0 && here != 1<<n-1 {
			f := exec.Finding{Kind: exec.BarrierDivergence, What: "sub-group", Note: "others are elsewhere"}
			w.report(o.v, f, w.item(first+bits.TrailingZeros64(here)))
		}
	}
}
