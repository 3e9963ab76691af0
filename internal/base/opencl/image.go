package opencl

import (
	"fmt"
)

// A ChannelOrder is the order of an image's channels, numbered as in OpenCL's headers (and in kernels,
// CLK_R …; OpenCL API, "Image Format Descriptor", 5.3.1.1).
type ChannelOrder uint32

// The channel orders.
const (
	firstOrder ChannelOrder = 0x10B0

	OrderR ChannelOrder = firstOrder + iota - 1
	OrderA
	OrderRG
	OrderRA
	OrderRGB
	OrderRGBA
	OrderBGRA
	OrderARGB
	OrderIntensity
	OrderLuminance
	OrderRx
	OrderRGx
	OrderRGBx
	OrderDepth
	OrderDepthStencil
	OrderSRGB
	OrderSRGBx
	OrderSRGBA
	OrderSBGRA
	OrderABGR

	lastOrder = OrderABGR
)

// A ChannelOrderRow is a row of the table of channel orders.
type ChannelOrderRow struct {
	Name     string  // without CL_ or CLK_
	Channels int     // of an element, ignored ones included
	Since    Version // first version of OpenCL C with its macro
}

// ChannelOrders is the table of channel orders, from the least number on.
var ChannelOrders = [lastOrder - firstOrder + 1]ChannelOrderRow{
	OrderR - firstOrder:            {"R", 1, 0},
	OrderA - firstOrder:            {"A", 1, 0},
	OrderRG - firstOrder:           {"RG", 2, 0},
	OrderRA - firstOrder:           {"RA", 2, 0},
	OrderRGB - firstOrder:          {"RGB", 3, 0},
	OrderRGBA - firstOrder:         {"RGBA", 4, 0},
	OrderBGRA - firstOrder:         {"BGRA", 4, 0},
	OrderARGB - firstOrder:         {"ARGB", 4, 0},
	OrderIntensity - firstOrder:    {"INTENSITY", 1, 0},
	OrderLuminance - firstOrder:    {"LUMINANCE", 1, 0},
	OrderRx - firstOrder:           {"Rx", 2, 0},
	OrderRGx - firstOrder:          {"RGx", 3, 0},
	OrderRGBx - firstOrder:         {"RGBx", 4, 0},
	OrderDepth - firstOrder:        {"DEPTH", 1, 0},
	OrderDepthStencil - firstOrder: {"DEPTH_STENCIL", 2, 0},
	OrderSRGB - firstOrder:         {"sRGB", 3, CL20},
	OrderSRGBx - firstOrder:        {"sRGBx", 4, CL20},
	OrderSRGBA - firstOrder:        {"sRGBA", 4, CL20},
	OrderSBGRA - firstOrder:        {"sBGRA", 4, CL20},
	OrderABGR - firstOrder:         {"ABGR", 4, CL20},
}

// Number returns the index of the order in [ChannelOrders].
func (o ChannelOrder) Number() int { return int(o - firstOrder) }

// Known reports whether o is a channel order of OpenCL.
func (o ChannelOrder) Known() bool { return o >= firstOrder && o <= lastOrder }

// Channels returns the number of channels of an element, ignored ones included.
func (o ChannelOrder) Channels() int { return ChannelOrders[o.Number()].Channels }

// String returns the name in OpenCL's headers, such as "CL_RGBA".
func (o ChannelOrder) String() string {
	if !o.Known() {
		return fmt.Sprintf("channel order %#x", uint32(o))
	}
	return "CL_" + ChannelOrders[o-firstOrder].Name
}

// A ChannelType is the data type of an image's channels, numbered as in OpenCL's headers.
type ChannelType uint32

// The channel data types.
const (
	firstType ChannelType = 0x10D0

	SnormInt8 ChannelType = firstType + iota - 1
	SnormInt16
	UnormInt8
	UnormInt16
	UnormShort565
	UnormShort555
	UnormInt101010
	SignedInt8
	SignedInt16
	SignedInt32
	UnsignedInt8
	UnsignedInt16
	UnsignedInt32
	HalfFloat
	FloatChannel
	UnormInt24
	UnormInt101010x2

	lastType = UnormInt101010x2
)

// A ChannelTypeRow is a row of the table of channel data types.
type ChannelTypeRow struct {
	Name  string  // without CL_ or CLK_
	Size  int     // bytes of a channel; of packed types, of the element
	Since Version // first version of OpenCL C with its macro
}

// ChannelTypes is the table of channel data types, from the least number on.
var ChannelTypes = [lastType - firstType + 1]ChannelTypeRow{
	SnormInt8 - firstType:        {"SNORM_INT8", 1, 0},
	SnormInt16 - firstType:       {"SNORM_INT16", 2, 0},
	UnormInt8 - firstType:        {"UNORM_INT8", 1, 0},
	UnormInt16 - firstType:       {"UNORM_INT16", 2, 0},
	UnormShort565 - firstType:    {"UNORM_SHORT_565", 2, 0},
	UnormShort555 - firstType:    {"UNORM_SHORT_555", 2, 0},
	UnormInt101010 - firstType:   {"UNORM_INT_101010", 4, 0},
	SignedInt8 - firstType:       {"SIGNED_INT8", 1, 0},
	SignedInt16 - firstType:      {"SIGNED_INT16", 2, 0},
	SignedInt32 - firstType:      {"SIGNED_INT32", 4, 0},
	UnsignedInt8 - firstType:     {"UNSIGNED_INT8", 1, 0},
	UnsignedInt16 - firstType:    {"UNSIGNED_INT16", 2, 0},
	UnsignedInt32 - firstType:    {"UNSIGNED_INT32", 4, 0},
	HalfFloat - firstType:        {"HALF_FLOAT", 2, 0},
	FloatChannel - firstType:     {"FLOAT", 4, 0},
	UnormInt24 - firstType:       {"UNORM_INT24", 4, 0},
	UnormInt101010x2 - firstType: {"UNORM_INT_101010_2", 4, CL30},
}

// Number returns the index of the type in [ChannelTypes].
func (t ChannelType) Number() int { return int(t - firstType) }

// Known reports whether t is a channel data type of OpenCL.
func (t ChannelType) Known() bool { return t >= firstType && t <= lastType }

// Size returns the bytes of a channel; for a packed type those of the element.
func (t ChannelType) Size() int { return ChannelTypes[t.Number()].Size }

// String returns the name in OpenCL's headers, such as "CL_UNORM_INT8".
func (t ChannelType) String() string {
	if !t.Known() {
		return fmt.Sprintf("channel data type %#x", uint32(t))
	}
	return "CL_" + ChannelTypes[t-firstType].Name
}

// An ImageShape is the dimensionality of an image, numbered as cl_mem_object_type.
type ImageShape uint32

// The shapes.
const (
	Image2D ImageShape = 0x10F1 + iota
	Image3D
	Image2DArray
	Image1D
	Image1DArray
	Image1DBuffer
)

// An ImageShapeRow is a row of the table of image shapes.
type ImageShapeRow struct {
	Name  string // in OpenCL's headers
	Text  string // for messages
	Dims  int    // coordinates of an element of one image
	Array bool   // an additional coordinate selects an image
}

// ImageShapes is the table of image shapes, from Image2D on.
var ImageShapes = [...]ImageShapeRow{
	0:                       {"CL_MEM_OBJECT_IMAGE2D", "2D image", 2, false},
	Image3D - Image2D:       {"CL_MEM_OBJECT_IMAGE3D", "3D image", 3, false},
	Image2DArray - Image2D:  {"CL_MEM_OBJECT_IMAGE2D_ARRAY", "2D image array", 2, true},
	Image1D - Image2D:       {"CL_MEM_OBJECT_IMAGE1D", "1D image", 1, false},
	Image1DArray - Image2D:  {"CL_MEM_OBJECT_IMAGE1D_ARRAY", "1D image array", 1, true},
	Image1DBuffer - Image2D: {"CL_MEM_OBJECT_IMAGE1D_BUFFER", "1D image buffer", 1, false},
}

// Known reports whether s is a shape of OpenCL.
func (s ImageShape) Known() bool { return s >= Image2D && s <= Image1DBuffer }

// row returns the shape's row, a zero one for an unknown shape.
func (s ImageShape) row() ImageShapeRow {
	if !s.Known() {
		return ImageShapeRow{Text: "unknown image type"}
	}
	return ImageShapes[s-Image2D]
}

// String returns the shape's text, such as "2D image array".
func (s ImageShape) String() string { return s.row().Text }

// Dims returns the number of coordinates of an element of one image: 1, 2 or 3.
func (s ImageShape) Dims() int { return s.row().Dims }

// Array reports whether an additional coordinate selects an image of an array.
func (s ImageShape) Array() bool { return s.row().Array }

// An ImageType is an image type of OpenCL C (OpenCL C, "Other Built-in Data Types", 6.3.3).
type ImageType struct {
	Name  string
	Shape ImageShape
	Depth bool   // elements are depth values
	Multi bool   // each element has several samples
	Needs string // required extension
}

const multiSample = "cl_khr_gl_msaa_sharing"

// ImageTypes are the image types.
var ImageTypes = [...]ImageType{
	{Name: "image1d_t", Shape: Image1D},
	{Name: "image1d_array_t", Shape: Image1DArray},
	{Name: "image1d_buffer_t", Shape: Image1DBuffer},
	{Name: "image2d_t", Shape: Image2D},
	{Name: "image2d_array_t", Shape: Image2DArray},
	{Name: "image2d_depth_t", Shape: Image2D, Depth: true},
	{Name: "image2d_array_depth_t", Shape: Image2DArray, Depth: true},
	{Name: "image2d_msaa_t", Shape: Image2D, Multi: true, Needs: multiSample},
	{Name: "image2d_array_msaa_t", Shape: Image2DArray, Multi: true, Needs: multiSample},
	{Name: "image2d_msaa_depth_t", Shape: Image2D, Depth: true, Multi: true, Needs: multiSample},
	{Name: "image2d_array_msaa_depth_t", Shape: Image2DArray, Depth: true, Multi: true, Needs: multiSample},
	{Name: "image3d_t", Shape: Image3D},
}

// An AddressingMode determines the element for coordinates outside of the image, numbered as in OpenCL's headers
// (OpenCL API, "Sampler Objects", 5.7).
type AddressingMode uint32

// The addressing modes.
const (
	AddressNone           AddressingMode = 0x1130 + iota // such coordinates are undefined
	AddressClampToEdge                                   // the nearest element
	AddressClamp                                         // the border color
	AddressRepeat                                        // the image repeats; for normalized coordinates
	AddressMirroredRepeat                                // the image repeats, every second time mirrored
)

// A FilterMode determines the color between an image's elements, numbered as in OpenCL's headers.
type FilterMode uint32

// The filter modes.
const (
	FilterNearest FilterMode = 0x1140 + iota // the element that contains the coordinate
	FilterLinear                             // the weighted mean of the nearest 2, 4 or 8 elements
)

// A Sampler is a sampler's bit-field, as in kernels: a bit for normalized coordinates, an addressing mode and a
// filter mode (OpenCL C, "Samplers", 6.15.15.1).
type Sampler uint32

// The bits of samplers. The specification does not define the numbers; these are clang's.
const (
	NormalizedCoords      Sampler = 1
	SamplerNone           Sampler = 0
	SamplerClampToEdge    Sampler = 2
	SamplerClamp          Sampler = 4
	SamplerRepeat         Sampler = 6
	SamplerMirroredRepeat Sampler = 8
	SamplerAddressing     Sampler = 0xE // the bits of the addressing mode
	SamplerNearest        Sampler = 0x10
	SamplerLinear         Sampler = 0x20
	SamplerFilter         Sampler = 0x30 // the bits of the filter mode
)

// Normalized reports whether coordinates are from 0 to 1.
func (s Sampler) Normalized() bool { return s&NormalizedCoords != 0 }

// Addressing returns the bits of the addressing mode.
func (s Sampler) Addressing() Sampler { return s & SamplerAddressing }

// Linear reports whether the filter mode is linear.
func (s Sampler) Linear() bool { return s&SamplerFilter == SamplerLinear }

// A SamplerMode is an addressing mode or a filter mode: its name without CL_ or CLK_, its number in the API
// and its bits in kernels.
type SamplerMode struct {
	Name   string
	Number uint32
	Bits   Sampler
}

// AddressingModes is the table of addressing modes, in order of the API's numbers.
var AddressingModes = [...]SamplerMode{
	{"ADDRESS_NONE", uint32(AddressNone), SamplerNone},
	{"ADDRESS_CLAMP_TO_EDGE", uint32(AddressClampToEdge), SamplerClampToEdge},
	{"ADDRESS_CLAMP", uint32(AddressClamp), SamplerClamp},
	{"ADDRESS_REPEAT", uint32(AddressRepeat), SamplerRepeat},
	{"ADDRESS_MIRRORED_REPEAT", uint32(AddressMirroredRepeat), SamplerMirroredRepeat},
}

// FilterModes is the table of filter modes, in order of the API's numbers.
var FilterModes = [...]SamplerMode{
	{"FILTER_NEAREST", uint32(FilterNearest), SamplerNearest},
	{"FILTER_LINEAR", uint32(FilterLinear), SamplerLinear},
}

// Bits returns the mode's bits in kernels; ok is false for an unknown mode.
func (m AddressingMode) Bits() (b Sampler, ok bool) {
	if m < AddressNone || m > AddressMirroredRepeat {
		return 0, false
	}
	return AddressingModes[m-AddressNone].Bits, true
}

// Bits returns the mode's bits in kernels; ok is false for an unknown mode.
func (m FilterMode) Bits() (b Sampler, ok bool) {
	if m < FilterNearest || m > FilterLinear {
		return 0, false
	}
	return FilterModes[m-FilterNearest].Bits, true
}
