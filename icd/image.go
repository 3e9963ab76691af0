//go:build cgo && linux

package main

// #include "driver.h"
import "C"

import (
	"unsafe"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/run/host"
)

func clCreateImage(context uintptr, flags uint64, format, desc, hostPtr unsafe.Pointer) (uintptr, error) {
	return newImage(context, nil, flags, (*C.cl_image_format)(format), (*C.cl_image_desc)(desc), hostPtr)
}

func clCreateImageWithProperties(context uintptr, props *uint64, flags uint64, format, desc, hostPtr unsafe.Pointer) (uintptr, error) {
	raw, err := noProperties(context, props)
	if err != nil {
		return 0, err
	}
	return newImage(context, raw, flags, (*C.cl_image_format)(format), (*C.cl_image_desc)(desc), hostPtr)
}

func clCreateImage2D(context uintptr, flags uint64, format unsafe.Pointer, width, height, row int, hostPtr unsafe.Pointer) (uintptr, error) {
	return oldImage(context, flags, (*C.cl_image_format)(format), C.cl_image_desc{image_type: C.CL_MEM_OBJECT_IMAGE2D,
		image_width: C.size_t(width), image_height: C.size_t(height), image_row_pitch: C.size_t(row)}, hostPtr)
}

func clCreateImage3D(context uintptr, flags uint64, format unsafe.Pointer, width, height, depth, row, slice int, hostPtr unsafe.Pointer) (uintptr, error) {
	if depth == 1 { // CL_INVALID_IMAGE_SIZE, as for a depth of 0
		depth = 0
	}
	return oldImage(context, flags, (*C.cl_image_format)(format), C.cl_image_desc{image_type: C.CL_MEM_OBJECT_IMAGE3D,
		image_width: C.size_t(width), image_height: C.size_t(height), image_depth: C.size_t(depth),
		image_row_pitch: C.size_t(row), image_slice_pitch: C.size_t(slice)}, hostPtr)
}

// oldImage is newImage for functions without a descriptor: wrong pitches are CL_INVALID_IMAGE_SIZE.
func oldImage(context uintptr, flags uint64, format *C.cl_image_format, desc C.cl_image_desc, hostPtr unsafe.Pointer) (uintptr, error) {
	h, err := newImage(context, nil, flags, format, &desc, hostPtr)
	if err != nil && host.StatusOf(err) == opencl.InvalidImageDescriptor {
		err = opencl.InvalidImageSize
	}
	return h, err
}

func newImage(context uintptr, props []uint64, flags uint64, format *C.cl_image_format, desc *C.cl_image_desc, hostPtr unsafe.Pointer) (uintptr, error) {
	c, err := find[contextObject](context, kindContext)
	if err != nil {
		return 0, err
	}
	if err := host.MemFlags(flags).Check(); err != nil {
		return 0, err
	}
	// CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CL_INVALID_IMAGE_DESCRIPTOR: they are NULL.
	if format == nil {
		return 0, opencl.InvalidImageFormatDescriptor
	}
	if desc == nil {
		return 0, opencl.InvalidImageDescriptor
	}
	f := host.ImageFormat{Order: opencl.ChannelOrder(format.image_channel_order), Type: opencl.ChannelType(format.image_channel_data_type)}
	d := host.ImageDesc{Type: opencl.ImageShape(desc.image_type), Width: int(desc.image_width), Height: int(desc.image_height),
		Depth: int(desc.image_depth), ArraySize: int(desc.image_array_size), RowPitch: int(desc.image_row_pitch), SlicePitch: int(desc.image_slice_pitch),
		NumMipLevels: int(desc.num_mip_levels), NumSamples: int(desc.num_samples)}
	m := &memObject{ctx: c, props: props}
	if h := *(*uintptr)(unsafe.Pointer(&desc.anon0)); h != 0 {
		// CL_INVALID_IMAGE_DESCRIPTOR: mem_object is no memory object of a fitting kind.
		if m.parent, err = find[memObject](h, kindMemObject); err != nil {
			return 0, opencl.InvalidImageDescriptor
		}
		d.Buffer, d.Image = m.parent.buf, m.parent.img
	}
	var bytes []byte
	if hostPtr != nil {
		// The size must be checked before the host's memory is read.
		n, err := host.ImageHostSize(f, d)
		if err != nil || n <= 0 {
			n = 1
		}
		bytes = hostBytes(hostPtr, n)
	}
	if m.img, err = c.NewImage(host.MemFlags(flags), f, d, bytes); err != nil {
		return 0, err
	}
	m.host, _ = m.img.UsesHostMemory()
	parent := c.entry
	if m.parent != nil {
		m.host = m.parent.host
		parent = m.parent.entry
	}
	return m.start(parent)
}

func clGetSupportedImageFormats(context uintptr, flags uint64, typ, n uint32, formats unsafe.Pointer, count *uint32) error {
	c, err := find[contextObject](context, kindContext)
	if err != nil {
		return err
	}
	list, err := c.SupportedImageFormats(host.MemFlags(flags), opencl.ImageShape(typ))
	if err != nil {
		return err
	}
	// CL_INVALID_VALUE: num_entries is 0 and image_formats is not NULL.
	if n == 0 && formats != nil {
		return opencl.InvalidValue
	}
	for i, out := range array((*C.cl_image_format)(formats), min(n, uint32(len(list)))) {
		out.image_channel_order, out.image_channel_data_type = C.cl_channel_order(list[i].Order), C.cl_channel_type(list[i].Type)
		array((*C.cl_image_format)(formats), n)[i] = out
	}
	put(count, uint32(len(list)))
	return nil
}

func clGetImageInfo(image uintptr, name uint32, a answer) error {
	m, err := find[memObject](image, kindMemObject)
	if err != nil {
		return err
	}
	if m.img == nil {
		return opencl.InvalidMemObject
	}
	d := m.img.Desc()
	switch name {
	case C.CL_IMAGE_FORMAT:
		f := m.img.Format()
		return value(a, C.cl_image_format{C.cl_channel_order(f.Order), C.cl_channel_type(f.Type)})
	case C.CL_IMAGE_ELEMENT_SIZE:
		return value(a, m.img.ElementSize())
	case C.CL_IMAGE_ROW_PITCH:
		return value(a, d.RowPitch)
	case C.CL_IMAGE_SLICE_PITCH:
		return value(a, d.SlicePitch)
	case C.CL_IMAGE_WIDTH:
		return value(a, d.Width)
	case C.CL_IMAGE_HEIGHT:
		return value(a, d.Height)
	case C.CL_IMAGE_DEPTH:
		return value(a, d.Depth)
	case C.CL_IMAGE_ARRAY_SIZE:
		return value(a, d.ArraySize)
	case C.CL_IMAGE_BUFFER:
		if m.parent == nil || m.parent.buf == nil {
			return value(a, uintptr(0))
		}
		return value(a, m.parent.handle)
	case C.CL_IMAGE_NUM_MIP_LEVELS:
		return value(a, uint32(d.NumMipLevels))
	case C.CL_IMAGE_NUM_SAMPLES:
		return value(a, uint32(d.NumSamples))
	}
	return opencl.InvalidValue
}

// hostImage returns the host memory of a region, or nil where the pointer is NULL or the region wrong.
func hostImage(m *memObject, region [3]int, row, slice int, p unsafe.Pointer) []byte {
	n, err := m.img.HostBytes(region, row, slice)
	if err != nil {
		return nil
	}
	return hostBytes(p, n)
}

func clEnqueueReadImage(queue, image uintptr, blocking uint32, origin, region *int, row, slice int, p unsafe.Pointer, w waitList) error {
	q, m, wait, err := operands(queue, w, image, imageMem)
	if err != nil {
		return err
	}
	r := triple(region)
	e, err := q.ReadImage(hostImage(m, r, row, slice, p), m.img, triple(origin), r, row, slice, wait...)
	return w.finish(q, blocking, e, err)
}

func clEnqueueWriteImage(queue, image uintptr, blocking uint32, origin, region *int, row, slice int, p unsafe.Pointer, w waitList) error {
	q, m, wait, err := operands(queue, w, image, imageMem)
	if err != nil {
		return err
	}
	r := triple(region)
	e, err := q.WriteImage(m.img, triple(origin), r, hostImage(m, r, row, slice, p), row, slice, wait...)
	return w.finish(q, blocking, e, err)
}

func clEnqueueCopyImage(queue, src, dst uintptr, srcOrigin, dstOrigin, region *int, w waitList) error {
	q, s, d, wait, err := operands2(queue, w, src, imageMem, dst, imageMem)
	if err != nil {
		return err
	}
	e, err := q.CopyImage(d.img, triple(dstOrigin), s.img, triple(srcOrigin), triple(region), wait...)
	return w.done(q, e, err)
}

func clEnqueueCopyImageToBuffer(queue, src, dst uintptr, origin, region *int, offset int, w waitList) error {
	q, s, d, wait, err := operands2(queue, w, src, imageMem, dst, bufferMem)
	if err != nil {
		return err
	}
	e, err := q.CopyImageToBuffer(d.buf, offset, s.img, triple(origin), triple(region), wait...)
	return w.done(q, e, err)
}

func clEnqueueCopyBufferToImage(queue, src, dst uintptr, offset int, origin, region *int, w waitList) error {
	q, s, d, wait, err := operands2(queue, w, src, bufferMem, dst, imageMem)
	if err != nil {
		return err
	}
	e, err := q.CopyBufferToImage(d.img, triple(origin), triple(region), s.buf, offset, wait...)
	return w.done(q, e, err)
}

func clEnqueueFillImage(queue, image uintptr, color unsafe.Pointer, origin, region *int, w waitList) error {
	q, m, wait, err := operands(queue, w, image, imageMem)
	if err != nil {
		return err
	}
	n := 16
	if m.img.Format().Order == opencl.OrderDepth { // a single float
		n = 4
	}
	e, err := q.FillImage(m.img, host.RawValue(hostBytes(color, n)), triple(origin), triple(region), wait...)
	return w.done(q, e, err)
}

func clEnqueueMapImage(queue, image uintptr, blocking uint32, flags uint64, origin, region, rowPitch, slicePitch *int, w waitList) (unsafe.Pointer, error) {
	q, m, wait, err := operands(queue, w, image, imageMem)
	if err != nil {
		return nil, err
	}
	o := triple(origin)
	// CL_INVALID_VALUE: values in map_flags are not valid, or image_row_pitch is NULL, or
	// image_slice_pitch of an image that has slices.
	slices := m.img.Desc().SlicePitch != 0
	if !validMapFlags(flags) || rowPitch == nil || slicePitch == nil && slices {
		o = triple(nil)
	}
	mem, row, slice, e, err := q.MapImage(m.img, flags&C.CL_MAP_READ != 0, flags&^C.CL_MAP_READ != 0, o, triple(region), wait...)
	if err == nil {
		put(rowPitch, row)
		put(slicePitch, slice)
	}
	return m.given(q, blocking, mem, w, e, err)
}
