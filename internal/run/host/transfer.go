package host

import (
	"slices"
	"sync"
	"unsafe"

	"github.com/purecl/purecl/internal/base/opencl"
)

// A mapping is a region of a memory object that the host has access to.
type mapping struct {
	mem    []byte
	write  bool
	uses   []hostUse
	lo, hi [3]int // bounds: bytes of the whole buffer, or elements of an image
}

func (m *mapping) overlaps(o *mapping) bool {
	for d := range m.lo {
		if m.hi[d] <= o.lo[d] || o.hi[d] <= m.lo[d] {
			return false
		}
	}
	return true
}

// A mapTable holds the mappings of a memory object, from the call that enqueues a mapping to the call that
// enqueues its end, as the specification defines the mapped count. A region may be mapped for reading several
// times.
type mapTable struct {
	mu      sync.Mutex
	open    []*mapping
	writing []*mapping // the mappings for writing, including those of sub-buffers
}

// begin copies the contents to host memory. end marks the bytes that the host has written.
func (m *mapping) begin(*Event) error { return fetchAll(m.uses) }

func (m *mapping) end(*Event) error {
	wroteAll(m.uses)
	return nil
}

func without(list []*mapping, m *mapping) []*mapping {
	if i := slices.Index(list, m); i >= 0 {
		return slices.Delete(list, i, i+1)
	}
	return list
}

func (t *mapTable) add(m *mapping) {
	t.mu.Lock()
	t.open = append(t.open, m)
	t.mu.Unlock()
}

func (t *mapTable) remove(m *mapping) {
	t.mu.Lock()
	t.open = without(t.open, m)
	t.mu.Unlock()
}

// claim records a mapping for writing, unless it overlaps another.
func (t *mapTable) claim(m *mapping) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if slices.ContainsFunc(t.writing, m.overlaps) {
		return false
	}
	t.writing = append(t.writing, m)
	return true
}

func (t *mapTable) yield(m *mapping) {
	t.mu.Lock()
	t.writing = without(t.writing, m)
	t.mu.Unlock()
}

// take removes the oldest mapping of a region and returns it, or nil if there is none.
func (t *mapTable) take(region []byte) *mapping {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, m := range t.open {
		if len(region) > 0 && unsafe.SliceData(m.mem) == unsafe.SliceData(region) {
			t.open = without(t.open, m)
			return m
		}
	}
	return nil
}

func (t *mapTable) count() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.open)
}

// Errors are checked in the order of the specification: objects and contexts, then values, the wait list, and
// accesses that the flags of the objects forbid.

// own checks the objects of a command.
func (q *Queue) own(wait []*Event, objects ...MemObject) error {
	if err := q.valid(); err != nil {
		return err
	}
	for _, m := range objects {
		if m == nil {
			return failf(opencl.InvalidMemObject, "a nil memory object")
		}
		// CL_INVALID_MEM_OBJECT: a memory object is not valid.
		if err := m.valid(); err != nil {
			return err
		}
	}
	// CL_INVALID_CONTEXT: the queue's context and a memory object's or an event's differ.
	for _, m := range objects {
		if m.Context() != q.ctx {
			return failf(opencl.InvalidContext, "a memory object belongs to another context than the queue")
		}
	}
	for i, e := range wait {
		if e != nil && e.ctx != q.ctx {
			return failf(opencl.InvalidContext, "event %d of the wait list belongs to another context", i)
		}
	}
	return nil
}

// region returns the memory of a range.
func (b *Buffer) region(off, size int) ([]byte, error) {
	// CL_INVALID_VALUE: the region is out of bounds.
	if off < 0 || size < 0 || off > len(b.mem) || size > len(b.mem)-off {
		return nil, failf(opencl.InvalidValue, "the region [%d, +%d) leaves the buffer of %d bytes", off, size, len(b.mem))
	}
	return b.mem[off : off+size : off+size], nil
}

func hostMayRead(b *Buffer) error {
	if b.flags&(MemHostWriteOnly|MemHostNoAccess) != 0 {
		return failf(opencl.InvalidOperation, "the buffer's flags forbid the host to read it")
	}
	return nil
}

func hostMayWrite(b *Buffer) error {
	if b.flags&(MemHostReadOnly|MemHostNoAccess) != 0 {
		return failf(opencl.InvalidOperation, "the buffer's flags forbid the host to write it")
	}
	return nil
}

// hostRange returns a range of a buffer that the host reads or writes, if the buffer's flags allow it.
func (q *Queue) hostRange(b *Buffer, off, size int, wait []*Event, may func(*Buffer) error) (mem []byte, err error) {
	if err = q.own(wait, b); err == nil {
		mem, err = b.region(off, size)
	}
	if err == nil {
		err = q.checkWaitList(wait)
	}
	if err == nil {
		err = may(b)
	}
	return mem, err
}

// Read copies len(dst) bytes of b from offset off to dst (clEnqueueReadBuffer). The caller must not access dst
// until the event is complete.
func (q *Queue) Read(dst []byte, b *Buffer, off int, wait ...*Event) (*Event, error) {
	src, err := q.hostRange(b, off, len(dst), wait, hostMayRead)
	if err != nil {
		return nil, err
	}
	return q.enqueueFunction(CommandReadBuffer, wait, inQueue, q.reading(dst, b, off, src), b)
}

// Write copies src to b at offset off (clEnqueueWriteBuffer).
func (q *Queue) Write(b *Buffer, off int, src []byte, wait ...*Event) (*Event, error) {
	dst, err := q.hostRange(b, off, len(src), wait, hostMayWrite)
	if err != nil {
		return nil, err
	}
	return q.enqueueFunction(CommandWriteBuffer, wait, inQueue, q.writing(b, off, dst, src), b)
}

// Copy copies size bytes between buffers, or between ranges of one buffer that do not overlap
// (clEnqueueCopyBuffer).
func (q *Queue) Copy(dst *Buffer, dstOff int, src *Buffer, srcOff, size int, wait ...*Event) (*Event, error) {
	if err := q.own(wait, src, dst); err != nil {
		return nil, err
	}
	s, err := src.region(srcOff, size)
	if err != nil {
		return nil, err
	}
	d, err := dst.region(dstOff, size)
	if err == nil {
		err = q.checkWaitList(wait)
	}
	if err != nil {
		return nil, err
	}
	// CL_MEM_COPY_OVERLAP: same buffer, or sub-buffers of one, and the regions overlap.
	if overlap(s, d) {
		return nil, failf(opencl.MemCopyOverlap, "the source and destination regions overlap")
	}
	return q.enqueueFunction(CommandCopyBuffer, wait, inQueue, q.copying(dst, dstOff, d, src, srcOff, s), src, dst)
}

func overlap(a, b []byte) bool {
	pa, pb := uintptr(unsafe.Pointer(unsafe.SliceData(a))), uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return pa < pb+uintptr(len(b)) && pb < pa+uintptr(len(a))
}

// Fill fills size bytes of b from off with repetitions of pattern (clEnqueueFillBuffer). The length of pattern is
// a power of two up to 128 that divides off and size.
func (q *Queue) Fill(b *Buffer, pattern []byte, off, size int, wait ...*Event) (*Event, error) {
	if err := q.own(wait, b); err != nil {
		return nil, err
	}
	dst, err := b.region(off, size)
	if err != nil {
		return nil, err
	}
	n := len(pattern)
	if n == 0 || n > 128 || n&(n-1) != 0 {
		return nil, failf(opencl.InvalidValue, "a fill pattern has 1, 2, 4, … 128 bytes, not %d", n)
	}
	if off%n != 0 || size%n != 0 {
		return nil, failf(opencl.InvalidValue, "offset %d and size %d must be multiples of the pattern's %d bytes", off, size, n)
	}
	p := append([]byte(nil), pattern...)
	return q.enqueueFunction(CommandFillBuffer, wait, inQueue, q.filling(b, off, dst, p), b)
}

// A Rect places a box of bytes in linear memory. Origin is the box's corner as (bytes, rows, slices). Pitches are
// in bytes; a pitch of 0 means tightly packed.
type Rect struct {
	Origin               [3]int
	RowPitch, SlicePitch int
}

// resolve fills in default pitches, and checks that the box is within n bytes (the errors of
// clEnqueueReadBufferRect).
func (r Rect) resolve(region [3]int, n int, what string) (Rect, error) {
	for i := range region {
		if region[i] <= 0 || r.Origin[i] < 0 {
			return r, failf(opencl.InvalidValue, "%s: region %v must be positive and origin %v not negative", what, region, r.Origin)
		}
	}
	if r.RowPitch == 0 {
		r.RowPitch = region[0]
	}
	if r.SlicePitch == 0 {
		if r.RowPitch > 0 && region[1] > int(^uint(0)>>1)/r.RowPitch {
			return r, failf(opencl.InvalidValue, "%s: the region %v is too large", what, region)
		}
		r.SlicePitch = region[1] * r.RowPitch
	}
	if r.RowPitch < region[0] {
		return r, failf(opencl.InvalidValue, "%s: row pitch %d is less than the region's %d bytes", what, r.RowPitch, region[0])
	}
	if r.SlicePitch < region[1]*r.RowPitch || r.SlicePitch%r.RowPitch != 0 {
		return r, failf(opencl.InvalidValue, "%s: slice pitch %d must be a multiple of the row pitch %d and hold %d rows", what, r.SlicePitch, r.RowPitch, region[1])
	}
	end, ok := uint64(0), true
	for _, t := range [...][2]int{{r.Origin[2] + region[2] - 1, r.SlicePitch}, {r.Origin[1] + region[1] - 1, r.RowPitch}, {r.Origin[0] + region[0], 1}} {
		if t[0] < 0 || t[0] > 0 && uint64(t[1]) > (1<<62)/uint64(t[0]) {
			ok = false
			break
		}
		end += uint64(t[0]) * uint64(t[1])
	}
	if !ok || end > uint64(n) {
		return r, failf(opencl.InvalidValue, "%s: the region %v at %v leaves the memory of %d bytes", what, region, r.Origin, n)
	}
	return r, nil
}

// Extent returns the least size in bytes of a memory that contains the box.
func (r Rect) Extent(region [3]int) (int, error) {
	r, err := r.resolve(region, int(^uint(0)>>1), "memory")
	return r.at(region[1]-1, region[2]-1) + region[0], err
}

func (r Rect) at(y, z int) int {
	return (r.Origin[2]+z)*r.SlicePitch + (r.Origin[1]+y)*r.RowPitch + r.Origin[0]
}

func (r Rect) pitch() [3]int { return [3]int{1, r.RowPitch, r.SlicePitch} }

func (q *Queue) copyRect(dst []byte, d Rect, src []byte, s Rect, region [3]int) {
	q.dev.cpu.CopyBox(dst[d.at(0, 0):], d.pitch(), src[s.at(0, 0):], s.pitch(), region)
}

// rect enqueues the copy of a box between the memory of b and that of the host.
func (q *Queue) rect(typ CommandType, b *Buffer, may func(*Buffer) error, dst []byte, dr Rect, src []byte, sr Rect, region [3]int, wait []*Event) (*Event, error) {
	d, err := dr.resolve(region, len(dst), "destination")
	if err != nil {
		return nil, err
	}
	s, err := sr.resolve(region, len(src), "source")
	if err == nil {
		err = q.checkWaitList(wait)
	}
	if err == nil {
		err = may(b)
	}
	if err != nil {
		return nil, err
	}
	do := func(*Event) error { q.copyRect(dst, d, src, s, region); return nil }
	return q.enqueue(typ, wait, inQueue, inHostMemory(do, b.whole(typ == CommandWriteBufferRect)), b)
}

// ReadRect copies a box of region = (bytes, rows, slices) from b to host memory
// (clEnqueueReadBufferRect).
func (q *Queue) ReadRect(dst []byte, dr Rect, b *Buffer, br Rect, region [3]int, wait ...*Event) (*Event, error) {
	if err := q.own(wait, b); err != nil {
		return nil, err
	}
	return q.rect(CommandReadBufferRect, b, hostMayRead, dst, dr, b.mem, br, region, wait)
}

// WriteRect copies a box from host memory to b (clEnqueueWriteBufferRect).
func (q *Queue) WriteRect(b *Buffer, br Rect, src []byte, sr Rect, region [3]int, wait ...*Event) (*Event, error) {
	if err := q.own(wait, b); err != nil {
		return nil, err
	}
	return q.rect(CommandWriteBufferRect, b, hostMayWrite, b.mem, br, src, sr, region, wait)
}

// CopyRect copies a box between buffers (clEnqueueCopyBufferRect).
func (q *Queue) CopyRect(dst *Buffer, dr Rect, src *Buffer, sr Rect, region [3]int, wait ...*Event) (*Event, error) {
	if err := q.own(wait, src, dst); err != nil {
		return nil, err
	}
	d, err := dr.resolve(region, len(dst.mem), "destination")
	if err != nil {
		return nil, err
	}
	s, err := sr.resolve(region, len(src.mem), "source")
	if err != nil {
		return nil, err
	}
	if overlap(src.mem, dst.mem) && (src == dst && (s.RowPitch != d.RowPitch || s.SlicePitch != d.SlicePitch)) {
		return nil, failf(opencl.InvalidValue, "within one buffer the source's and destination's pitches must be equal")
	}
	if err := q.checkWaitList(wait); err != nil {
		return nil, err
	}
	if overlap(src.mem, dst.mem) && rectsOverlap(dst, d, src, s, region) {
		return nil, failf(opencl.MemCopyOverlap, "the source and destination regions overlap")
	}
	do := func(*Event) error { q.copyRect(dst.mem, d, src.mem, s, region); return nil }
	return q.enqueue(CommandCopyBufferRect, wait, inQueue, inHostMemory(do, src.whole(false), dst.whole(true)), src, dst)
}

// rectsOverlap reports whether any rows of the two boxes overlap in memory. Rows of equal pitch overlap only if
// they are near each other, so each source row is compared only with the destination rows around its address.
func rectsOverlap(dst *Buffer, d Rect, src *Buffer, s Rect, region [3]int) bool {
	base := dst.origin - src.origin
	for z := range region[2] {
		for y := range region[1] {
			lo := s.at(y, z) - base // dst's coordinates of the source row
			for dz := range region[2] {
				first := (lo - region[0] - d.at(0, dz)) / d.RowPitch
				for dy := max(first, 0); dy < region[1]; dy++ {
					at := d.at(dy, dz)
					if at >= lo+region[0] {
						break
					}
					if lo < at+region[0] {
						return true
					}
				}
			}
		}
	}
	return false
}

// Map maps a region of b: the returned slice is the buffer's own memory. It is valid from the completion of the
// event until [Queue.Unmap] (clEnqueueMapBuffer).
func (q *Queue) Map(b *Buffer, read, write bool, off, size int, wait ...*Event) ([]byte, *Event, error) {
	if err := q.own(wait, b); err != nil {
		return nil, nil, err
	}
	mem, err := b.region(off, size)
	if err == nil && size == 0 {
		err = failf(opencl.InvalidValue, "an empty region cannot be mapped")
	}
	if err == nil {
		err = q.checkWaitList(wait)
	}
	if err == nil && read {
		err = hostMayRead(b)
	}
	if err == nil && write {
		err = hostMayWrite(b)
	}
	if err != nil {
		return nil, nil, err
	}
	used := b.used(off, size, write)
	off += b.origin
	m := &mapping{mem: mem, write: write, uses: used, lo: [3]int{off, 0, 0}, hi: [3]int{off + size, 1, 1}}
	e, err := q.mapped(CommandMapBuffer, &b.maps, b.writers(), m, wait)
	return mem, e, err
}

// writers returns the list of the regions mapped for writing: of the buffer, its parent, and the parent's other
// sub-buffers.
func (b *Buffer) writers() *mapTable {
	if b.parent != nil {
		return &b.parent.maps
	}
	return &b.maps
}

// mapped enqueues the mapping of a region.
func (q *Queue) mapped(typ CommandType, maps, writers *mapTable, m *mapping, wait []*Event) (*Event, error) {
	// CL_INVALID_OPERATION: mapping would lead to overlapping regions being mapped for writing.
	if m.write && !writers.claim(m) {
		return nil, failf(opencl.InvalidOperation, "the region overlaps one that is mapped for writing")
	}
	maps.add(m)
	e, err := q.enqueue(typ, wait, inQueue, m.begin)
	if err != nil {
		maps.remove(m)
		writers.yield(m)
	}
	return e, err
}

// Unmap ends the host's access to a mapped region (clEnqueueUnmapMemObject).
func (q *Queue) Unmap(b *Buffer, region []byte, wait ...*Event) (*Event, error) {
	if b == nil {
		return nil, q.own(wait, b)
	}
	return q.unmap(b, &b.maps, b.writers(), region, wait)
}

func (q *Queue) unmap(o MemObject, maps, writers *mapTable, region []byte, wait []*Event) (*Event, error) {
	// CL_INVALID_VALUE: mapped_ptr is not a pointer that mapping returned for the object.
	m := maps.take(region)
	if m == nil {
		return nil, failf(opencl.InvalidValue, "the memory is no mapped region of the object")
	}
	err := q.checkWaitList(wait)
	if err == nil {
		err = q.own(wait, o)
	}
	var e *Event
	if err == nil {
		e, err = q.enqueue(CommandUnmapMemObject, wait, inQueue, m.end)
	}
	if err != nil {
		maps.add(m)
		return nil, err
	}
	writers.yield(m)
	return e, nil
}

// Migrate declares where the buffers will be used next (clEnqueueMigrateMemObjects). Data moves only when a command
// uses it.
func (q *Queue) Migrate(buffers []*Buffer, wait ...*Event) (*Event, error) {
	objects := make([]MemObject, len(buffers))
	for i, b := range buffers {
		objects[i] = b
	}
	return q.MigrateAll(objects, wait...)
}

// A MemObject is a [*Buffer] or an [*Image].
type MemObject interface {
	Context() *Context
	Flags() MemFlags
	Size() int
	valid() error
}

// MigrateAll is [Queue.Migrate] for buffers and images.
func (q *Queue) MigrateAll(objects []MemObject, wait ...*Event) (*Event, error) {
	if len(objects) == 0 {
		return nil, failf(opencl.InvalidValue, "no memory objects to migrate")
	}
	if err := q.own(wait, objects...); err != nil {
		return nil, err
	}
	return q.enqueueFunction(CommandMigrateMemObjects, wait, inQueue, noWork())
}
