package host

import (
	"unsafe"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/image"
)

// An ImageFormat describes the storage of an image's elements (cl_image_format).
type ImageFormat = image.Format

// An ImageDesc describes an image (cl_image_desc). Sizes are in elements, pitches in
// bytes; a pitch of 0 means tightly packed. Fields that the type does not have are ignored.
type ImageDesc struct {
	Type                     opencl.ImageShape
	Width, Height, Depth     int
	ArraySize                int
	RowPitch, SlicePitch     int
	NumMipLevels, NumSamples int     // must be 0
	Buffer                   *Buffer // the memory of an Image1DBuffer or of an Image2D
	Image                    *Image  // the image whose memory an Image2D views with another order
}

// size returns the number of elements along each coordinate.
func (d *ImageDesc) size() [3]int {
	switch d.Type {
	case opencl.Image1DArray:
		return [3]int{d.Width, d.ArraySize, 1}
	case opencl.Image2D:
		return [3]int{d.Width, d.Height, 1}
	case opencl.Image2DArray:
		return [3]int{d.Width, d.Height, d.ArraySize}
	case opencl.Image3D:
		return [3]int{d.Width, d.Height, d.Depth}
	}
	return [3]int{d.Width, 1, 1}
}

// ImageLimits are the largest sizes of images, in elements, and the number of image arguments of a kernel.
type ImageLimits struct {
	MaxWidth2D, MaxHeight2D             int // CL_DEVICE_IMAGE2D_MAX_…, of 1D images too
	MaxWidth3D, MaxHeight3D, MaxDepth3D int
	MaxArraySize, MaxBufferSize         int
	MaxReadArgs, MaxWriteArgs           int
	MaxReadWriteArgs                    int
	MaxSamplers                         int
	PitchAlignment                      int // of a 2D image made from a buffer
	BaseAddressAlignment                int // likewise
}

// ImageLimits returns the device's limits for images and samplers.
func (d *Device) ImageLimits() ImageLimits {
	flat, solid := image.MaxSize(opencl.Image2DArray), image.MaxSize(opencl.Image3D)
	return ImageLimits{MaxWidth2D: flat[0], MaxHeight2D: flat[1], MaxWidth3D: solid[0], MaxHeight3D: solid[1], MaxDepth3D: solid[2],
		MaxArraySize: flat[2], MaxBufferSize: image.MaxSize(opencl.Image1DBuffer)[0], MaxReadArgs: 128, MaxWriteArgs: 64, MaxReadWriteArgs: 64, MaxSamplers: 16,
		PitchAlignment: 1, BaseAddressAlignment: 1}
}

// An Image is a memory object of elements that kernels read and write through their
// format. Kernels work on its memory in place. (OpenCL API, "Image Objects", 5.3.)
type Image struct {
	ctx    *Context
	flags  MemFlags
	desc   ImageDesc
	format ImageFormat
	img    *image.Image
	memory exec.Memory // the memory of img's data; nil for an image that shares another object's
	host   bool        // the memory is the application's (MemUseHostPtr)
	maps   mapTable
	// store manages the copies of the memory on devices with memory of their own; images that share memory
	// share it. It is nil if the context has no such device.
	store *Buffer
}

// NewImage returns an image (clCreateImage). MemUseHostPtr and MemCopyHostPtr require host: rows of elements,
// RowPitch and SlicePitch bytes apart. The errors are those of clCreateImage, checked in its order.
func (c *Context) NewImage(flags MemFlags, format ImageFormat, desc ImageDesc, host []byte) (*Image, error) {
	if err := c.valid(); err != nil {
		return nil, err
	}
	flags, err := imageFlags(flags, &desc)
	if err != nil {
		return nil, err
	}
	if err := checkFormat(format, &desc); err != nil {
		return nil, err
	}
	if err := c.checkDesc(format, &desc, host != nil); err != nil {
		return nil, err
	}
	if err := c.checkSize(&desc); err != nil {
		return nil, err
	}
	// CL_INVALID_HOST_PTR: host_ptr is NULL and a flag wants it, or not NULL and none does.
	if wants := flags&(MemUseHostPtr|MemCopyHostPtr) != 0 && desc.Buffer == nil && desc.Image == nil; wants != (host != nil) {
		return nil, failf(opencl.InvalidHostPtr, "host memory goes together with MemUseHostPtr or MemCopyHostPtr")
	}
	if !format.Supported() || format.Order == opencl.OrderDepth && desc.Type != opencl.Image2D && desc.Type != opencl.Image2DArray {
		return nil, failf(opencl.ImageFormatNotSupported, "no %vs of format %v are supported", desc.Type, format)
	}
	return c.makeImage(flags, format, desc, host)
}

// imageFlags checks the flags and completes them from the parent's.
func imageFlags(flags MemFlags, desc *ImageDesc) (MemFlags, error) {
	if err := checkFlags(flags); err != nil {
		return 0, err
	}
	var parent MemFlags
	switch {
	case desc.Buffer != nil:
		parent = desc.Buffer.flags
	case desc.Image != nil:
		parent = desc.Image.flags
	default:
		if flags&memKernelAccess == 0 {
			flags |= MemReadWrite
		}
		return flags, nil
	}
	return inheritFlags(flags, parent)
}

// inheritFlags checks the flags of an object that shares the memory of another.
func inheritFlags(flags, parent MemFlags) (MemFlags, error) {
	switch {
	case flags&memHostPtr != 0:
		return 0, failf(opencl.InvalidValue, "an image made from a memory object takes no host memory flags")
	case parent&MemWriteOnly != 0 && flags&(MemReadWrite|MemReadOnly) != 0,
		parent&MemReadOnly != 0 && flags&(MemReadWrite|MemWriteOnly) != 0:
		return 0, failf(opencl.InvalidValue, "the image's kernel access exceeds that of the object it is made from")
	case parent&MemHostWriteOnly != 0 && flags&MemHostReadOnly != 0,
		parent&MemHostReadOnly != 0 && flags&MemHostWriteOnly != 0,
		parent&MemHostNoAccess != 0 && flags&(MemHostReadOnly|MemHostWriteOnly) != 0:
		return 0, failf(opencl.InvalidValue, "the image's host access exceeds that of the object it is made from")
	}
	if flags&memKernelAccess == 0 {
		flags |= parent & memKernelAccess
	}
	if flags&memHostAccess == 0 {
		flags |= parent & memHostAccess
	}
	return flags | parent&memHostPtr, nil
}

// checkFormat returns CL_INVALID_IMAGE_FORMAT_DESCRIPTOR where the values are not valid, or where the row pitch of
// a 2D image made from a buffer breaks its rules.
func checkFormat(f ImageFormat, desc *ImageDesc) error {
	g := f
	if !g.Order.Known() || !g.Type.Known() {
		return failf(opencl.InvalidImageFormatDescriptor, "%v is no image format", f)
	}
	packed := f.Type >= opencl.UnormShort565 && f.Type <= opencl.UnormInt101010
	if packed && f.Order != opencl.OrderRGB && f.Order != opencl.OrderRGBx || f.Type == opencl.UnormInt101010x2 && f.Order != opencl.OrderRGBA {
		return failf(opencl.InvalidImageFormatDescriptor, "%v does not go together with %v", f.Type, f.Order)
	}
	if elem := f.ElementSize(); elem > 0 && desc.Type == opencl.Image2D && desc.Buffer != nil && desc.RowPitch%elem != 0 {
		return failf(opencl.InvalidImageFormatDescriptor, "the row pitch %d is not a multiple of the element's %d bytes", desc.RowPitch, elem)
	}
	return nil
}

// checkDesc returns CL_INVALID_IMAGE_DESCRIPTOR, or CL_INVALID_MEM_OBJECT for an invalid mem_object.
func (c *Context) checkDesc(f ImageFormat, d *ImageDesc, host bool) error {
	bad := func(format string, args ...any) error { return failf(opencl.InvalidImageDescriptor, format, args...) }
	if !d.Type.Known() {
		return bad("%#x is no image type", uint32(d.Type))
	}
	if d.NumMipLevels != 0 || d.NumSamples != 0 {
		return bad("mip levels and samples are not supported: both numbers must be 0")
	}
	switch {
	case d.Buffer != nil && d.Image != nil, d.Type == opencl.Image1DBuffer && d.Buffer == nil, d.Buffer != nil && d.Type != opencl.Image1DBuffer && d.Type != opencl.Image2D,
		d.Image != nil && d.Type != opencl.Image2D:
		return bad("an image buffer is made from a buffer, a 2D image may be made from a buffer or an image, other images from neither")
	case d.Buffer != nil && d.Buffer.ctx != c, d.Image != nil && d.Image.ctx != c:
		return failf(opencl.InvalidContext, "the memory object belongs to another context")
	}
	elem := f.ElementSize()
	if elem == 0 {
		return nil // a later check refuses the format
	}
	pitches := host || d.Buffer != nil || d.Image != nil
	if !pitches && (d.RowPitch != 0 || d.SlicePitch != 0) {
		return bad("pitches without host memory")
	}
	if d.Width < 0 || d.Width > maxElements || d.Height > maxElements {
		return nil // a later check refuses the size
	}
	if d.RowPitch != 0 && (d.RowPitch < d.Width*elem || d.RowPitch%elem != 0) {
		return bad("the row pitch %d must be a multiple of the element's %d bytes and hold %d elements", d.RowPitch, elem, d.Width)
	}
	row := d.RowPitch
	if row == 0 {
		row = d.Width * elem
	}
	rows := 1
	switch d.Type {
	case opencl.Image1D, opencl.Image1DBuffer, opencl.Image2D:
		d.SlicePitch = 0
	case opencl.Image2DArray, opencl.Image3D:
		rows = d.Height
	}
	if s := d.SlicePitch; s != 0 && (row > 0 && s%row != 0 || row > 0 && s/row < rows) {
		return bad("the slice pitch %d must be a multiple of the row pitch %d and hold %d rows", s, row, rows)
	}
	if m := d.Image; m != nil {
		if !f.Views(m.format) {
			return failf(opencl.InvalidImageFormatDescriptor, "an image of format %v cannot be seen as %v", m.format, f)
		}
		if d.Width != m.desc.Width || d.Height != m.desc.Height || m.desc.Type != opencl.Image2D || d.RowPitch != 0 && d.RowPitch != m.img.Pitch[1] {
			return bad("an image made from an image has its size")
		}
	}
	return nil
}

// maxElements bounds sizes before they are multiplied.
const maxElements = 1 << 40

// checkSize returns CL_INVALID_IMAGE_SIZE where the device does not support the size.
func (c *Context) checkSize(d *ImageDesc) error {
	limit := image.MaxSize(d.Type)
	for i, n := range d.size() {
		if n < 1 || n > limit[i] {
			return failf(opencl.InvalidImageSize, "a %v of %v elements: sizes are from 1 to %v", d.Type, d.size(), limit)
		}
	}
	return nil
}

// layout returns the pitches of rows and slices in bytes, and the bytes from the first
// element to the end of the last.
func (d *ImageDesc) layout(elem int) (row, slice, total int) {
	size := d.size()
	row = d.RowPitch
	if row == 0 {
		row = size[0] * elem
	}
	rows := size[1]
	if d.Type == opencl.Image1DArray {
		rows = 1
	}
	slice = d.SlicePitch
	if slice == 0 {
		slice = row * rows
	}
	last := (size[2]-1)*slice + size[0]*elem
	if d.Type == opencl.Image1DArray {
		return row, slice, last + (size[1]-1)*slice
	}
	return row, slice, last + (size[1]-1)*row
}

// ImageHostSize returns the bytes of host memory of an image with valid format and description under
// MemUseHostPtr or MemCopyHostPtr: from its first element to the end of its last. Callers with a pointer use it
// to make a slice.
func ImageHostSize(format ImageFormat, desc ImageDesc) (int, error) {
	elem := format.ElementSize()
	if elem == 0 {
		return 0, failf(opencl.ImageFormatNotSupported, "no images of format %v are supported", format)
	}
	for _, n := range [...]int{desc.Width, desc.Height, desc.Depth, desc.ArraySize, desc.RowPitch, desc.SlicePitch} {
		if n < 0 || n > maxElements {
			return 0, failf(opencl.InvalidImageSize, "a size or pitch of %d", n)
		}
	}
	for _, n := range desc.size() {
		if n < 1 || n > 1<<27 {
			return 0, failf(opencl.InvalidImageSize, "a %v of %v elements", desc.Type, desc.size())
		}
	}
	_, _, total := desc.layout(elem)
	return total, nil
}

func (c *Context) makeImage(flags MemFlags, format ImageFormat, desc ImageDesc, host []byte) (*Image, error) {
	elem := format.ElementSize()
	row, slice, total := desc.layout(elem)
	m := &Image{ctx: c, flags: flags, desc: desc, format: format}
	var mem []byte
	switch {
	case desc.Image != nil:
		mem, row, m.host = desc.Image.img.Data, desc.Image.img.Pitch[1], desc.Image.host
	case desc.Buffer != nil:
		if total > len(desc.Buffer.mem) {
			return nil, failf(opencl.InvalidImageSize, "the image takes %d bytes, the buffer has %d", total, len(desc.Buffer.mem))
		}
		mem, m.host = desc.Buffer.mem[:total:total], desc.Buffer.host
	case host != nil && len(host) < total:
		return nil, failf(opencl.InvalidHostPtr, "host memory has %d bytes, the image takes %d", len(host), total)
	case flags&MemUseHostPtr != 0:
		mem, m.host = host[:total:total], true
	default:
		packed := desc
		packed.RowPitch, packed.SlicePitch = 0, 0
		hostRow, hostSlice := row, slice
		row, slice, total = packed.layout(elem)
		for _, d := range c.devices {
			if uint64(total) > d.Info().MaxMemAllocSize {
				return nil, failf(opencl.MemObjectAllocationFailure, "%d bytes are more than the device allocates at once (%d)", total, d.Info().MaxMemAllocSize)
			}
		}
		var err error
		if m.memory, err = allocate(c, m, total); err != nil {
			return nil, err
		}
		mem = m.memory.Bytes()
		if host != nil {
			size := desc.size()
			dst, src := imagePitch(desc.Type, elem, row, slice), imagePitch(desc.Type, elem, hostRow, hostSlice)
			c.devices[0].cpu.CopyBox(mem, dst, host, src, [3]int{size[0] * elem, size[1], size[2]})
		}
	}
	var err error
	m.img, err = image.New(format, desc.Type, desc.size(), row, slice, mem)
	if err != nil {
		return nil, failf(opencl.InvalidImageSize, "%v", err)
	}
	switch {
	case !c.remotes:
	case desc.Image != nil:
		m.store = desc.Image.store
	case desc.Buffer != nil:
		m.store = desc.Buffer
	default:
		m.store = &Buffer{ctx: c, flags: flags, mem: mem}
		m.store.share()
	}
	return m, nil
}

// imagePitch returns the bytes from one element to the next along each coordinate.
func imagePitch(t opencl.ImageShape, elem, row, slice int) [3]int {
	if t == opencl.Image1DArray {
		return [3]int{elem, slice, slice}
	}
	return [3]int{elem, row, slice}
}

// SupportedImageFormats returns the formats of images of shape t (clGetSupportedImageFormats). flags are
// MemReadOnly, MemWriteOnly, MemReadWrite or MemKernelReadAndWrite: the lists are the same.
func (c *Context) SupportedImageFormats(flags MemFlags, t opencl.ImageShape) ([]ImageFormat, error) {
	if err := checkFlags(flags &^ MemKernelReadAndWrite); err != nil {
		return nil, err
	}
	if !t.Known() {
		return nil, failf(opencl.InvalidValue, "%#x is no image type", uint32(t))
	}
	var list []ImageFormat
	for f := range image.Formats {
		if f.Order != opencl.OrderDepth || t == opencl.Image2D || t == opencl.Image2DArray {
			list = append(list, f)
		}
	}
	return list, nil
}

// MemKernelReadAndWrite asks [Context.SupportedImageFormats] for formats that one kernel may
// both read and write.
const MemKernelReadAndWrite MemFlags = 1 << 12

// Context returns the image's context.
func (m *Image) Context() *Context { m = m.or(); return m.ctx }

// Flags returns the image's flags.
func (m *Image) Flags() MemFlags { m = m.or(); return m.flags }

// Format returns how an element is stored.
func (m *Image) Format() ImageFormat { m = m.or(); return m.format }

// Desc returns the image's description (clGetImageInfo). Sizes that its type does not have are 0; SlicePitch is
// 0 for 1D and 2D images.
func (m *Image) Desc() ImageDesc {
	m = m.or()
	d := ImageDesc{Type: m.desc.Type, Width: m.desc.Width, RowPitch: m.img.Pitch[1], Buffer: m.desc.Buffer, Image: m.desc.Image}
	switch d.Type {
	case opencl.Image1DArray:
		d.ArraySize, d.SlicePitch = m.desc.ArraySize, m.img.Pitch[1]
		d.RowPitch, _, _ = m.desc.layout(m.img.ElementSize())
		d.RowPitch = min(d.RowPitch, d.SlicePitch)
	case opencl.Image2D:
		d.Height = m.desc.Height
	case opencl.Image2DArray:
		d.Height, d.ArraySize, d.SlicePitch = m.desc.Height, m.desc.ArraySize, m.img.Pitch[2]
	case opencl.Image3D:
		d.Height, d.Depth, d.SlicePitch = m.desc.Height, m.desc.Depth, m.img.Pitch[2]
	}
	return d
}

// ElementSize returns the bytes of an element.
func (m *Image) ElementSize() int { m = m.or(); return m.img.ElementSize() }

// Size returns the bytes of the image's memory.
func (m *Image) Size() int { m = m.or(); return len(m.img.Data) }

// Bytes returns the image's memory: rows of elements with the pitches of [Image.Desc]. The caller must order
// its accesses with the commands that use the image.
func (m *Image) Bytes() []byte { m = m.or(); return m.img.Data }

// MapCount returns how many regions of the image are mapped.
func (m *Image) MapCount() int { m = m.or(); return m.maps.count() }

// UsesHostMemory reports whether the image's memory is the application's, and where it
// begins (CL_MEM_HOST_PTR).
func (m *Image) UsesHostMemory() (unsafe.Pointer, bool) {
	m = m.or()
	if !m.host {
		return nil, false
	}
	return unsafe.Pointer(unsafe.SliceData(m.img.Data)), true
}
