package host

import (
	"encoding/binary"
	"math"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/run/image"
)

// Commands on images. Origins and regions are in elements: (x, y, z); of an array the last coordinate is the number
// of the image. Coordinates that the image does not have are 0 in an origin and 1 in a region.

// inside returns CL_INVALID_VALUE where the region is out of bounds or breaks the rules.
func (m *Image) inside(origin, region [3]int) error {
	for d, n := range m.img.Size {
		if origin[d] < 0 || region[d] < 1 || origin[d] >= n || region[d] > n-origin[d] {
			return failf(opencl.InvalidValue, "the region %v at %v leaves the image of %v elements", region, origin, m.img.Size)
		}
	}
	return nil
}

func (m *Image) hostMay(read, write bool) error {
	if read && m.flags&(MemHostWriteOnly|MemHostNoAccess) != 0 {
		return failf(opencl.InvalidOperation, "the image's flags forbid the host to read it")
	}
	if write && m.flags&(MemHostReadOnly|MemHostNoAccess) != 0 {
		return failf(opencl.InvalidOperation, "the image's flags forbid the host to write it")
	}
	return nil
}

// at returns the image's memory from an element to its end.
func (m *Image) at(origin [3]int) []byte {
	off := 0
	for d, o := range origin {
		off += o * m.img.Pitch[d]
	}
	return m.img.Data[off:]
}

// hostLayout returns the pitches of a region in host memory and its size in bytes. It returns CL_INVALID_VALUE
// where a pitch is too small, or a slice pitch is given for an image without slices.
func (m *Image) hostLayout(region [3]int, row, slice int) (pitch [3]int, total int, err error) {
	elem := m.img.ElementSize()
	bytes := region[0] * elem
	if row == 0 {
		row = bytes
	}
	if row < bytes {
		return pitch, 0, failf(opencl.InvalidValue, "the row pitch %d is less than the region's %d bytes", row, bytes)
	}
	rows := region[1]
	switch m.desc.Type {
	case opencl.Image1D, opencl.Image1DBuffer, opencl.Image2D:
		if slice != 0 {
			return pitch, 0, failf(opencl.InvalidValue, "a %v has no slices: the slice pitch must be 0", m.desc.Type)
		}
	case opencl.Image1DArray:
		rows = 1
	}
	if row > math.MaxInt/4/rows {
		return pitch, 0, failf(opencl.InvalidValue, "the row pitch %d is too large", row)
	}
	if slice == 0 {
		slice = row * rows
	}
	if slice < row*rows || slice > maxElements {
		return pitch, 0, failf(opencl.InvalidValue, "the slice pitch %d must hold %d rows of %d bytes", slice, rows, row)
	}
	pitch = imagePitch(m.desc.Type, elem, row, slice)
	return pitch, bytes + (region[1]-1)*pitch[1] + (region[2]-1)*pitch[2], nil
}

// HostBytes returns the bytes of host memory of a region with the pitches given (0: tightly packed), from its
// first element to the end of its last. Callers with a pointer use it to make a slice.
func (m *Image) HostBytes(region [3]int, rowPitch, slicePitch int) (int, error) {
	if err := m.valid(); err != nil {
		return 0, err
	}
	if err := m.inside([3]int{}, region); err != nil {
		return 0, err
	}
	_, total, err := m.hostLayout(region, rowPitch, slicePitch)
	return total, err
}

// ReadImage copies a region of m to dst, which must stay untouched until the event is
// complete (clEnqueueReadImage). Pitches are those of dst in bytes, 0 for tightly packed.
func (q *Queue) ReadImage(dst []byte, m *Image, origin, region [3]int, rowPitch, slicePitch int, wait ...*Event) (*Event, error) {
	return q.hostImage(CommandReadImage, m, origin, region, dst, rowPitch, slicePitch, wait)
}

// WriteImage copies src to a region of m (clEnqueueWriteImage).
func (q *Queue) WriteImage(m *Image, origin, region [3]int, src []byte, rowPitch, slicePitch int, wait ...*Event) (*Event, error) {
	return q.hostImage(CommandWriteImage, m, origin, region, src, rowPitch, slicePitch, wait)
}

func (q *Queue) hostImage(typ CommandType, m *Image, origin, region [3]int, host []byte, row, slice int, wait []*Event) (*Event, error) {
	if err := q.own(wait, m); err != nil {
		return nil, err
	}
	if err := m.inside(origin, region); err != nil {
		return nil, err
	}
	pitch, total, err := m.hostLayout(region, row, slice)
	if err != nil {
		return nil, err
	}
	if len(host) < total {
		return nil, failf(opencl.InvalidValue, "host memory has %d bytes, the region takes %d", len(host), total)
	}
	if err := q.checkWaitList(wait); err != nil {
		return nil, err
	}
	write := typ == CommandWriteImage
	if err := m.hostMay(!write, write); err != nil {
		return nil, err
	}
	bytes := [3]int{region[0] * m.img.ElementSize(), region[1], region[2]}
	do := func(*Event) error {
		if write {
			q.dev.cpu.CopyBox(m.at(origin), m.img.Pitch, host, pitch, bytes)
		} else {
			q.dev.cpu.CopyBox(host, pitch, m.at(origin), m.img.Pitch, bytes)
		}
		return nil
	}
	return q.enqueue(typ, wait, inQueue, inHostMemory(do, m.whole(write)), m)
}

// CopyImage copies a region between images of one format, or within one where the regions
// do not overlap (clEnqueueCopyImage).
func (q *Queue) CopyImage(dst *Image, dstOrigin [3]int, src *Image, srcOrigin, region [3]int, wait ...*Event) (*Event, error) {
	if err := q.own(wait, src, dst); err != nil {
		return nil, err
	}
	if src.format != dst.format {
		return nil, failf(opencl.ImageFormatMismatch, "the images' formats differ: %v and %v", src.format, dst.format)
	}
	if err := src.inside(srcOrigin, region); err != nil {
		return nil, err
	}
	if err := dst.inside(dstOrigin, region); err != nil {
		return nil, err
	}
	if err := q.checkWaitList(wait); err != nil {
		return nil, err
	}
	if src == dst {
		apart := false
		for d, n := range region {
			apart = apart || srcOrigin[d] >= dstOrigin[d]+n || dstOrigin[d] >= srcOrigin[d]+n
		}
		if !apart {
			return nil, failf(opencl.MemCopyOverlap, "the source and destination regions overlap")
		}
	}
	bytes := [3]int{region[0] * src.img.ElementSize(), region[1], region[2]}
	do := func(*Event) error {
		q.dev.cpu.CopyBox(dst.at(dstOrigin), dst.img.Pitch, src.at(srcOrigin), src.img.Pitch, bytes)
		return nil
	}
	return q.enqueue(CommandCopyImage, wait, inQueue, inHostMemory(do, src.whole(false), dst.whole(true)), src, dst)
}

// CopyImageToBuffer copies a region of m, tightly packed, to b at offset off
// (clEnqueueCopyImageToBuffer).
func (q *Queue) CopyImageToBuffer(b *Buffer, off int, m *Image, origin, region [3]int, wait ...*Event) (*Event, error) {
	return q.imageBuffer(CommandCopyImageToBuffer, b, off, m, origin, region, wait)
}

// CopyBufferToImage copies tightly packed elements of b from offset off on to a region of
// m (clEnqueueCopyBufferToImage).
func (q *Queue) CopyBufferToImage(m *Image, origin, region [3]int, b *Buffer, off int, wait ...*Event) (*Event, error) {
	return q.imageBuffer(CommandCopyBufferToImage, b, off, m, origin, region, wait)
}

func (q *Queue) imageBuffer(typ CommandType, b *Buffer, off int, m *Image, origin, region [3]int, wait []*Event) (*Event, error) {
	if err := q.own(wait, m, b); err != nil {
		return nil, err
	}
	// CL_INVALID_MEM_OBJECT, too, where the image is an image buffer made from the buffer.
	if m.desc.Type == opencl.Image1DBuffer && m.desc.Buffer == b {
		return nil, failf(opencl.InvalidMemObject, "an image buffer and its own buffer")
	}
	if err := m.inside(origin, region); err != nil {
		return nil, err
	}
	pitch, total, err := m.hostLayout(region, 0, 0)
	if err != nil {
		return nil, err
	}
	mem, err := b.region(off, total)
	if err != nil {
		return nil, err
	}
	bytes := [3]int{region[0] * m.img.ElementSize(), region[1], region[2]}
	toImage := typ == CommandCopyBufferToImage
	do := func(*Event) error {
		if toImage {
			q.dev.cpu.CopyBox(m.at(origin), m.img.Pitch, mem, pitch, bytes)
		} else {
			q.dev.cpu.CopyBox(mem, pitch, m.at(origin), m.img.Pitch, bytes)
		}
		return nil
	}
	return q.enqueue(typ, wait, inQueue, inHostMemory(do, m.whole(toImage), b.used(off, total, !toImage)), m, b)
}

// FillImage gives every element of a region a color, converted as by a kernel's write (clEnqueueFillImage). The
// color is a [Float4] for formats that are read with read_imagef (also a float32 for depth images), an [Int4] for
// signed and a [Uint4] for unsigned integers, or a [RawValue] of the 16 bytes of one of these.
func (q *Queue) FillImage(m *Image, color any, origin, region [3]int, wait ...*Event) (*Event, error) {
	if err := q.own(wait, m); err != nil {
		return nil, err
	}
	if err := m.inside(origin, region); err != nil {
		return nil, err
	}
	elem, err := m.encode(color)
	if err != nil {
		return nil, err
	}
	n := len(elem)
	do := func(*Event) error {
		mem := m.at(origin)
		row := mem[:region[0]*n]
		for k := copy(row, elem); k < len(row); k *= 2 {
			copy(row[k:], row[:k])
		}
		q.dev.cpu.CopyBox(mem, m.img.Pitch, row, [3]int{n, 0, 0}, [3]int{len(row), region[1], region[2]})
		return nil
	}
	return q.enqueue(CommandFillImage, wait, inQueue, inHostMemory(do, m.whole(true)), m)
}

// encode returns the bytes of an element with the color.
func (m *Image) encode(color any) ([]byte, error) {
	f := m.format
	switch c := color.(type) {
	case RawValue:
		raw := append(RawValue(nil), c...)
		if len(raw) == 4 && m.format.Order == opencl.OrderDepth {
			raw = append(raw, make([]byte, 12)...)
		}
		if len(raw) != 16 {
			return nil, failf(opencl.InvalidValue, "a color has 16 bytes, not %d", len(raw))
		}
		var bits [4]uint32
		for i := range bits {
			bits[i] = binary.LittleEndian.Uint32(raw[4*i:])
		}
		if f.Class() != image.FloatClass {
			return image.EncodeInt(f, bits), nil
		}
		var x [4]float32
		for i := range x {
			x[i] = math.Float32frombits(bits[i])
		}
		return image.Encode(f, x), nil
	case [4]float32:
		if f.Class() == image.FloatClass {
			return image.Encode(f, c), nil
		}
	case float32:
		if m.format.Order == opencl.OrderDepth {
			return image.Encode(f, [4]float32{c}), nil
		}
	case [4]int32:
		if f.Class() == image.IntClass {
			var bits [4]uint32
			for i := range bits {
				bits[i] = uint32(c[i])
			}
			return image.EncodeInt(f, bits), nil
		}
	case [4]uint32:
		if f.Class() == image.UintClass {
			return image.EncodeInt(f, c), nil
		}
	}
	return nil, failf(opencl.InvalidValue, "a %T is no color of an image of format %v: Float4, Int4 or Uint4, as the format has", color, m.format)
}

// MapImage gives the host access to a region of m (clEnqueueMapImage). The slice is the image's own memory from
// the region's first element to the end of its last, with rows rowPitch and slices slicePitch bytes apart
// (slicePitch is 0 for 1D and 2D images). It is valid from the completion of the event until
// [Queue.UnmapImage].
func (q *Queue) MapImage(m *Image, read, write bool, origin, region [3]int, wait ...*Event) (mem []byte, rowPitch, slicePitch int, e *Event, err error) {
	if err = q.own(wait, m); err == nil {
		err = m.inside(origin, region)
	}
	if err == nil {
		err = q.checkWaitList(wait)
	}
	if err == nil {
		err = m.hostMay(read, write)
	}
	if err != nil {
		return nil, 0, 0, nil, err
	}
	n := region[0] * m.img.ElementSize()
	for d := 1; d < 3; d++ {
		n += (region[d] - 1) * m.img.Pitch[d]
	}
	mem = m.at(origin)[:n:n]
	desc := m.Desc()
	o := &mapping{mem: mem, write: write, uses: m.whole(write), lo: origin}
	for d := range region {
		o.hi[d] = origin[d] + region[d]
	}
	e, err = q.mapped(CommandMapImage, &m.maps, &m.maps, o, wait)
	return mem, desc.RowPitch, desc.SlicePitch, e, err
}

// UnmapImage ends the host's access to a mapped region (clEnqueueUnmapMemObject).
func (q *Queue) UnmapImage(m *Image, region []byte, wait ...*Event) (*Event, error) {
	if m == nil {
		return nil, q.own(wait, m)
	}
	return q.unmap(m, &m.maps, &m.maps, region, wait)
}

// MigrateImages is [Queue.Migrate] for images.
func (q *Queue) MigrateImages(images []*Image, wait ...*Event) (*Event, error) {
	objects := make([]MemObject, len(images))
	for i, m := range images {
		objects[i] = m
	}
	return q.MigrateAll(objects, wait...)
}
