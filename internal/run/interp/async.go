package interp

import (
	"fmt"
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// The observers' view of async copies: the copy of a work-group is executed at once, outside of any work-item.
// Until the group waits for it, it may happen at any time. Its bytes therefore count as accessed again after each
// barrier.

// bytesAfter returns the number of bytes from a pointer to its object's end.
func (x *objects) bytesAfter(p uint64) uint64 {
	o, off := x.object(p>>ssa.ObjectShift), p&ssa.OffsetMask
	return o.size - min(off, o.size)
}

// kAsyncLimit executes OpAsyncLimit.
func kAsyncLimit(v *view, in *inst) {
	x := v.x
	for _, s := range v.act {
		arg := func(i, k int) uint64 { return at[uint64](v, in.src[i], s)[k] }
		d := at[uint64](v, in.d, s)
		for k := range d {
			d[k] = exec.AsyncLimit(arg(2, k), x.bytesAfter(arg(0, k)), x.bytesAfter(arg(1, k)), arg(3, k), arg(4, k))
		}
	}
}

// An asyncCopy is a copy of a work-group that it has not waited for.
type asyncCopy struct {
	in                 *inst
	lane               int // the first work-item of the group
	dst, src           uint64
	row, rows, planes  uint64
	dstRow, srcRow     uint64 // pitches
	dstPlane, srcPlane uint64
	event              uint64
	waited             bool // the next barrier that completes copies completes it
}

// events are the events of a worker's async copies: Handles numbered from eventTag on.
type events struct {
	first, next uint64 // the work-group's first event, and the next free one
	unclear     bool   // only a part of the work-items has reached some copy and has its event
}

// asyncCopies executes a work-group's async copies, and observes whether it waits for them.
type asyncCopies struct {
	divergence

	copies []*asyncCopy // copies that the group has not waited for
	events events       // events of its copies
}

// beginCopies prepares x for a batch.
func (x *asyncCopies) beginCopies() {
	x.copies = x.copies[:0]
	x.events = events{first: x.events.next, next: x.events.next}
}

// eventTag are the high bits of an event, which a program's numbers do not have by accident.
const eventTag = 0x6556 << 48

// issued reports whether an async copy of the work-group has returned the event.
func (e *events) issued(event uint64) bool { return event-eventTag-e.first < e.next-e.first }

var asyncOps = map[ssa.Op]kernel{
	ssa.OpAsyncEvent: kAsyncEvent, ssa.OpAsyncCopy: kAsyncCopy, ssa.OpAsyncWait: kAsyncWait, ssa.OpAsyncLimit: kAsyncLimit,
	ssa.OpFenceFlags: kFenceFlags,
}

// async lowers the operations of async copies, and the flags of fences.
func (l *lowerer) async(v *ssa.Value) {
	if i, ok := ssa.CheckersOnly(v); ok && l.checks() < exec.ChecksMemory { // the work-items copy themselves
		l.comps[v.ID] = l.share(v, l.comps[v.Args[i].ID])
		return
	}
	in := l.newInst(v, asyncOps[v.Op], false)
	if v.Op == ssa.OpAsyncEvent || v.Op == ssa.OpAsyncCopy || v.Op == ssa.OpAsyncWait {
		in.waits = waitsForGroup
	}
	in.effect, in.keep = !v.Op.Has(ssa.Pure), !v.Op.Has(ssa.Pure)
	switch v.Op {
	case ssa.OpAsyncCopy:
		in.mem = &access{base: noReg, index: noReg, note: "async copy", async: true}
		align := uint64(1)
		if row := v.Args[2]; row.IsConst() {
			align = row.ConstElem(0)
		}
		l.granule(align, align)
	case ssa.OpAsyncWait:
		in.mem = &access{base: noReg, index: noReg, note: "load"}
	}
	for _, a := range v.Args {
		l.use(v, a, false)
		in.src = append(in.src, l.vary(l.comps[a.ID][0]))
	}
	in.d = l.newReg(8, false)
	l.comps[v.ID] = []reg{in.d}
	l.emit(in)
}

// kAsyncEvent returns the copy's event to the work-items that start it.
func kAsyncEvent(v *view, in *inst) {
	x := v.x
	fresh := eventTag + x.events.next
	for _, s := range v.act {
		d := at[uint64](v, in.d, s)
		copy(d, at[uint64](v, in.src[0], s))
		for i, e := range d {
			if e == 0 {
				d[i] = fresh
				x.events.next = fresh - eventTag + 1
			}
		}
	}
}

// eventSize is the size of an event_t in memory.
const eventSize = 8

// kAsyncWait marks the copies of the listed events as waited for.
func kAsyncWait(v *view, in *inst) {
	x := v.x
	var first []uint64 // the events of the first work-item
	begun := false
	each(v.act, func(lane int) {
		one := span{int32(lane), int32(lane) + 1}
		n := max(0, int64(at[uint64](v, in.src[0], one)[0]))
		list := x.listed(in, lane, at[uint64](v, in.src[1], one)[0], n)
		if !begun {
			first, begun = list, true
		}
		if !slices.Equal(list, first) && !x.events.unclear {
			x.waitsDiffer(in, lane, first, list)
		}
		at[uint64](v, in.d, one)[0] = uint64(n)
	})
	for _, c := range x.copies {
		c.waited = c.waited || slices.Contains(first, c.event)
	}
}

// listed returns the events at a pointer, and reports invalid ones.
func (x *asyncCopies) listed(in *inst, lane int, p uint64, n int64) (list []uint64) {
	for i := range n {
		m, o, off := x.pointer(in, lane, movePointer(p, uint64(i)*eventSize), eventSize, false)
		if m == nil {
			break
		}
		e := *(*uint64)(m)
		list = append(list, e)
		switch {
		case x.events.issued(e):
		case !x.initialized(o, lane, off, eventSize):
			x.report(exec.Uninitialized, in, lane, o, off, eventSize)
		case !x.events.unclear:
			if f := x.report(exec.AsyncEvent, in, lane, nil, 0, 0); f != nil {
				f.Note = fmt.Sprintf("wait_group_events waits for nothing: event %d of the list is none that an async copy of the work-group has returned", i)
				if e == 0 {
					f.Note = fmt.Sprintf("wait_group_events waits for nothing: event %d of the list is 0", i)
				}
			}
		}
	}
	return list
}

// waitsDiffer reports a work-item whose list of events differs from the first work-item's.
func (x *asyncCopies) waitsDiffer(in *inst, lane int, first, here []uint64) {
	f := x.report(exec.AsyncArguments, in, lane, nil, 0, 0)
	if f == nil {
		return
	}
	f.What = "the events to wait for"
	if len(first) != len(here) {
		f.Note = fmt.Sprintf("the number of events is %d in one, %d here", len(first), len(here))
		return
	}
	for i := range here {
		if here[i] != first[i] {
			f.Note = fmt.Sprintf("event %d of the list is another in one than here", i)
			return
		}
	}
}

// kAsyncCopy executes a work-group's copy as a whole.
func kAsyncCopy(v *view, in *inst) {
	x := v.x
	x.asyncReached(in)
	first := int(v.act[0].lo)
	arg := func(i, lane int) uint64 { return at[uint64](v, in.src[i], span{int32(lane), int32(lane) + 1})[0] }
	different := false
	each(v.act, func(lane int) {
		for i := range in.src {
			if a, b := arg(i, first), arg(i, lane); a != b && !different {
				different = true
				x.asyncDiffers(in, lane, i, a, b)
			}
		}
	})
	c := &asyncCopy{in: in, lane: first, dst: arg(0, first), src: arg(1, first), row: arg(2, first), rows: arg(3, first), planes: arg(4, first),
		dstRow: arg(5, first), srcRow: arg(6, first), dstPlane: arg(7, first), srcPlane: arg(8, first), event: arg(9, first)}
	c.clamp(&x.objects)
	x.copies = append(x.copies, c)
	if x.copy(c); x.run.watchRaces {
		x.touchCopy(c)
	}
	for _, s := range v.act {
		clear(at[uint64](v, in.d, s))
	}
}

// asyncReached reports a copy that only a part of the group's work-items reaches.
func (x *asyncCopies) asyncReached(in *inst) {
	if n := count(x.cols.act); n < x.n && (n < x.live || x.p.Checks >= exec.ChecksAll) {
		x.events.unclear = true
		if f := x.report(exec.BarrierDivergence, in, int(x.cols.act[0].lo), nil, 0, 0); f != nil {
			f.What, f.Note = "async copy", x.arrived(n, nil, "")
			if s := x.parted(x.cols.act); s != nil {
				f.AddPlace(s.pos, "work-items diverge here")
			}
		}
	}
}

// asyncDiffers reports a work-item whose argument i is b, while the first work-item's is a.
func (x *asyncCopies) asyncDiffers(in *inst, lane, i int, a, b uint64) {
	f := x.report(exec.AsyncArguments, in, lane, nil, 0, 0)
	if f == nil {
		return
	}
	name := [...]string{"the destination", "the source", "bytes of an element or line", "the number of elements or lines", "the number of planes",
		"the destination's stride in bytes", "the source's stride in bytes", "the destination's plane in bytes", "the source's plane in bytes", "the event"}[i]
	f.What = "an async copy"
	if i == 9 {
		f.Note = name + " is another in one than here"
		return
	}
	show := func(p uint64) string {
		if i > 1 {
			return fmt.Sprint(p)
		}
		return fmt.Sprintf("%s + %d bytes", x.object(p>>ssa.ObjectShift).desc.Name, int64(p&ssa.OffsetMask))
	}
	f.Note = fmt.Sprintf("%s is %s in one, %s here", name, show(a), show(b))
}

// clamp joins contiguous rows and limits the numbers of rows and planes.
func (c *asyncCopy) clamp(x *objects) {
	if c.row == 0 || c.rows == 0 || c.planes == 0 {
		c.row, c.rows, c.planes = 0, 0, 0
		return
	}
	dst, src := x.bytesAfter(c.dst), x.bytesAfter(c.src)
	c.rows = exec.AsyncLimit(c.rows, dst, src, c.dstRow, c.srcRow)
	c.planes = exec.AsyncLimit(c.planes, dst, src, c.dstPlane, c.srcPlane)
	if c.row == c.dstRow && c.row == c.srcRow && c.row <= ssa.OffsetMask {
		c.row, c.rows = c.row*c.rows, 1
	}
	c.row = min(c.row, max(dst, src)+1)
}

// rowsOf calls f with the pointers of each row until f returns false.
func (c *asyncCopy) rowsOf(f func(dst, src uint64) bool) {
	for z := range c.planes {
		for y := range c.rows {
			if !f(movePointer(c.dst, z*c.dstPlane+y*c.dstRow), movePointer(c.src, z*c.srcPlane+y*c.srcRow)) {
				return
			}
		}
	}
}

// copy executes the copy. It copies the part of each row that is inside of its object.
func (x *asyncCopies) copy(c *asyncCopy) {
	n := 0
	c.rowsOf(func(dst, src uint64) bool {
		x.copyRow(c, dst, src)
		n++
		return n&(1<<12-1) != 0 || !x.poll()
	})
}

func (x *asyncCopies) copyRow(c *asyncCopy, dst, src uint64) {
	from, _, _ := x.pointer(c.in, c.lane, src, c.row, false)
	to, o, off := x.pointer(c.in, c.lane, dst, c.row, true)
	if from == nil || to == nil {
		x.copyInside(c, dst, src)
		return
	}
	copyBytes(to, from, 1, c.row)
	so := x.object(src >> ssa.ObjectShift)
	if so.shadowed && !x.initialized(so, c.lane, src&ssa.OffsetMask, c.row) {
		x.report(exec.Uninitialized, c.in, c.lane, so, src&ssa.OffsetMask, c.row)
	}
	x.markInit(o, c.lane, off, c.row, true)
}

// copyInside copies the part of a row that is inside of both objects, and zeroes the rest of the destination.
func (x *asyncCopies) copyInside(c *asyncCopy, dst, src uint64) {
	to, from := x.inside(dst, c.row, c.lane, true), x.inside(src, c.row, c.lane, false)
	if to.lo == to.hi {
		return
	}
	d := to.bytes()
	clear(d)
	if lo, hi := max(to.lo, from.lo), min(to.hi, from.hi); lo < hi {
		copy(d[lo-to.lo:hi-to.lo], from.bytes()[lo-from.lo:])
	}
	x.markInit(to.o, c.lane, to.off, to.hi-to.lo, true)
}

// touchCopy reports the accesses of a copy to the race observer.
func (x *asyncCopies) touchCopy(c *asyncCopy) {
	n := 0
	c.rowsOf(func(dst, src uint64) bool {
		for i, p := range [2]uint64{src, dst} {
			o := x.object(p >> ssa.ObjectShift)
			if lo, hi := exec.Inside(p&ssa.OffsetMask, c.row, o.size); lo < hi && !o.private {
				x.touchRun(c.in, c.lane, 1, o, (p+lo)&ssa.OffsetMask, hi-lo, [2]accessKind{accRead, accWrite}[i])
			}
		}
		n++
		return n&(1<<12-1) != 0 || !x.poll()
	})
}

// passCopies is called when the group has passed a barrier. It completes the copies that the group has waited for.
func (x *asyncCopies) passCopies(waits bool) {
	if waits {
		x.copies = slices.DeleteFunc(x.copies, func(c *asyncCopy) bool { return c.waited })
	}
	for _, c := range x.copies {
		if x.run.watchRaces {
			x.touchCopy(c)
		}
	}
}

// leftCopies reports the copies that an ended work-group has not waited for.
func (x *asyncCopies) leftCopies() {
	for _, c := range x.copies {
		if f := x.report(exec.AsyncEvent, c.in, c.lane, nil, 0, 0); f != nil {
			f.Note = "the work-group ends without waiting for this async copy"
		}
	}
}
