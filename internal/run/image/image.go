package image

import (
	"fmt"

	"github.com/purecl/purecl/internal/base/opencl"
)

// An Image is an image in memory.
type Image struct {
	Format Format
	Shape  opencl.ImageShape
	// Size is the number of elements along each coordinate, with the number of an array's images last; 1 for
	// coordinates that the shape lacks.
	Size [3]int
	// Pitch is the distance in bytes between elements along each coordinate.
	Pitch [3]int
	Data  []byte

	info  *orderInfo
	typ   *typeInfo
	srgb  *[256]float32 // of an sRGB order: linear values of the stored ones
	holds [4]int8       // the component of each channel, -1 for an ignored one
	plain bool          // channels are stored separately: see storeChannel
	chans int           // channels of an element, ignored ones included
	size  int           // bytes of a channel, or of a packed element
	elem  int           // bytes of an element
	coord int           // number of coordinates
	raw   *Image        // see Raw; nil for an image of integers
}

// MaxSize returns the greatest size of images of the shape, in elements along each coordinate.
func MaxSize(s opencl.ImageShape) [3]int {
	const flat, solid, images, buffer = 16384, 2048, 2048, 1 << 27
	switch s {
	case opencl.Image1DBuffer:
		return [3]int{buffer, 1, 1}
	case opencl.Image1DArray:
		return [3]int{flat, images, 1}
	case opencl.Image2D:
		return [3]int{flat, flat, 1}
	case opencl.Image2DArray:
		return [3]int{flat, flat, images}
	case opencl.Image3D:
		return [3]int{solid, solid, solid}
	}
	return [3]int{flat, 1, 1}
}

// New returns an image of that format, shape and size over data. row and slice are the distances in bytes between
// rows, and between slices (of a 3D image) or images (of an array). It returns an error if the image would exceed
// data.
func New(f Format, s opencl.ImageShape, size [3]int, row, slice int, data []byte) (*Image, error) {
	if !f.Supported() {
		return nil, fmt.Errorf("images of %v are not supported", f)
	}
	m := &Image{Format: f, Shape: s, Size: size, Data: data, info: orderRow(f.Order), typ: typeRow(f.Type), elem: f.Size(), coord: s.Dims()}
	if s.Array() {
		m.coord++
	}
	m.Pitch = [3]int{m.elem, row, slice}
	if s == opencl.Image1DArray {
		m.Pitch[1], m.Pitch[2] = slice, slice
	}
	end := m.elem
	for d, n := range size {
		if n < 1 || d >= m.coord && n != 1 {
			return nil, fmt.Errorf("a %v of %v elements", s, size)
		}
		p := m.Pitch[d]
		if n > 1 && (p < 0 || p > 0 && n-1 > (1<<62)/p || end > 1<<62) {
			return nil, fmt.Errorf("a %v of %v elements is too large", s, size)
		}
		end += (n - 1) * p
	}
	if end > len(data) {
		return nil, fmt.Errorf("a %v of %v elements takes %d bytes, the memory has %d", s, size, end, len(data))
	}
	m.derive()
	if m.typ.class == FloatClass {
		raw := *m
		raw.Format = f.Raw()
		raw.info, raw.typ = orderRow(raw.Format.Order), typeRow(raw.Format.Type)
		raw.derive()
		m.raw = &raw
	}
	return m, nil
}

// derive sets the fields that follow from info and typ.
func (m *Image) derive() {
	m.chans, m.size = m.Format.Channels(), m.Format.Type.Size()
	m.holds = m.info.holds()
	if m.info.srgb {
		m.srgb = linearized()
	}
	m.plain = !m.Format.packed() && !m.info.srgb
	for _, k := range m.holds[:m.chans] {
		m.plain = m.plain && k >= 0
	}
}

// Raw returns the image with its channels' bits as integers, or m itself if they are integers. Functions that do
// not match the format access this image. A packed element is one channel.
func (m *Image) Raw() *Image {
	if m.raw != nil {
		return m.raw
	}
	return m
}

// Coords returns the number of coordinates of an element, an array's index included.
func (m *Image) Coords() int { return m.coord }

// ElementSize returns the bytes of an element.
func (m *Image) ElementSize() int { return m.elem }

// Offset returns the offset in Data of the element at some coordinates; ok is false if it does not exist.
func (m *Image) Offset(p [3]int32) (off int, ok bool) {
	for d := range m.coord {
		if uint(p[d]) >= uint(m.Size[d]) { // negative ones too
			return 0, false
		}
		off += int(p[d]) * m.Pitch[d]
	}
	return off, true
}

// A Property is a property returned by an image query function.
type Property uint8

// The properties.
const (
	Width Property = iota
	Height
	DepthSize
	ArraySize
	ChannelType
	ChannelOrder
)

// Query returns a property (OpenCL C, "Built-in Image Query Functions").
func (m *Image) Query(p Property) uint32 {
	switch p {
	case Width:
		return uint32(m.Size[0])
	case Height:
		if m.Shape.Dims() >= 2 {
			return uint32(m.Size[1])
		}
	case DepthSize:
		if m.Shape == opencl.Image3D {
			return uint32(m.Size[2])
		}
	case ArraySize:
		if m.Shape.Array() {
			return uint32(m.Size[m.coord-1])
		}
	case ChannelType:
		return uint32(m.Format.Type)
	case ChannelOrder:
		return uint32(m.Format.Order)
	}
	return 0
}

// String describes the image: "2D image of 640x480 elements (CL_RGBA, CL_UNORM_INT8)".
func (m *Image) String() string {
	s := fmt.Sprint(m.Size[0])
	for _, n := range m.Size[1:m.coord] {
		s += fmt.Sprintf("x%d", n)
	}
	return fmt.Sprintf("%v of %s elements (%v)", m.Shape, s, m.Format)
}
