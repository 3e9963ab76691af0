package image

import "fmt"

// An Order is a channel order, numbered as in OpenCL's headers (and in kernels, CLK_R …).
type Order uint32

// The channel orders (OpenCL API, "Image Format Descriptor").
const (
	R Order = 0x10B0 + iota
	A
	RG
	RA
	RGB
	RGBA
	BGRA
	ARGB
	Intensity
	Luminance
	Rx
	RGx
	RGBx
	Depth
	DepthStencil
	SRGB
	SRGBx
	SRGBA
	SBGRA
	ABGR
	firstOrder = R
	lastOrder  = ABGR
)

// A Type is a channel data type, numbered as in OpenCL's headers.
type Type uint32

// The channel data types.
const (
	SnormInt8 Type = 0x10D0 + iota
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
	Float
	UnormInt24
	UnormInt101010x2
	firstType = SnormInt8
	lastType  = UnormInt101010x2
)

// A Format is how an element is stored: its channels and the type of each.
type Format struct {
	Order Order
	Type  Type
}

// A Class says which of the read and write functions fit a format.
type Class uint8

// The classes.
const (
	FloatClass Class = iota // read_imagef, read_imageh
	IntClass                // read_imagei
	UintClass               // read_imageui
)

// A typeSet has bit t - firstType set where type t belongs to it.
type typeSet uint32

func set(ts ...Type) (s typeSet) {
	for _, t := range ts {
		s |= 1 << (t - firstType)
	}
	return s
}

// An order's channel is a component of the colour, or one of these.
const (
	zero = -1 // of a component that no channel holds: 0
	one  = -2 // likewise: 1
)

// An orderInfo is a row of the table of orders.
type orderInfo struct {
	name     string
	channels int
	at       [4]int8 // the channel that holds each component, or zero or one
	opaque   bool    // the border color has alpha 1
	srgb     bool    // red, green and blue are in the sRGB color space
	types    typeSet // what it combines with
	pad      bool    // has a channel that is ignored
}

var (
	packed      = set(UnormShort565, UnormShort555, UnormInt101010)
	normOrFloat = set(SnormInt8, SnormInt16, UnormInt8, UnormInt16, HalfFloat, Float)
	plain       = normOrFloat | set(SignedInt8, SignedInt16, SignedInt32, UnsignedInt8, UnsignedInt16, UnsignedInt32)
	bytes       = set(SnormInt8, UnormInt8, SignedInt8, UnsignedInt8)
	unorm8      = set(UnormInt8)
)

// orders is the table of channel orders ("Mapping Image Channels to Color Values", 6.15.15.7;
// "Determining the Border Color or Value", 6.15.15.1.1; the combinations are those of the
// tables of "Image Format Descriptor").
var orders = [lastOrder - firstOrder + 1]orderInfo{
	R - firstOrder:         {"CL_R", 1, [4]int8{0, zero, zero, one}, true, false, plain, false},
	A - firstOrder:         {"CL_A", 1, [4]int8{zero, zero, zero, 0}, false, false, plain, false},
	RG - firstOrder:        {"CL_RG", 2, [4]int8{0, 1, zero, one}, true, false, plain, false},
	RA - firstOrder:        {"CL_RA", 2, [4]int8{0, zero, zero, 1}, false, false, plain, false},
	RGB - firstOrder:       {"CL_RGB", 3, [4]int8{0, 1, 2, one}, true, false, packed, false},
	RGBA - firstOrder:      {"CL_RGBA", 4, [4]int8{0, 1, 2, 3}, false, false, plain | set(UnormInt101010x2), false},
	BGRA - firstOrder:      {"CL_BGRA", 4, [4]int8{2, 1, 0, 3}, false, false, bytes, false},
	ARGB - firstOrder:      {"CL_ARGB", 4, [4]int8{1, 2, 3, 0}, false, false, bytes, false},
	Intensity - firstOrder: {"CL_INTENSITY", 1, [4]int8{0, 0, 0, 0}, false, false, normOrFloat, false},
	Luminance - firstOrder: {"CL_LUMINANCE", 1, [4]int8{0, 0, 0, one}, true, false, normOrFloat, false},
	Rx - firstOrder:        {"CL_Rx", 2, [4]int8{0, zero, zero, one}, false, false, plain, true},
	RGx - firstOrder:       {"CL_RGx", 3, [4]int8{0, 1, zero, one}, false, false, plain, true},
	RGBx - firstOrder:      {"CL_RGBx", 4, [4]int8{0, 1, 2, one}, false, false, plain | packed, true},
	Depth - firstOrder:     {"CL_DEPTH", 1, [4]int8{0, zero, zero, zero}, false, false, set(UnormInt16, Float), false},
	// CL_DEPTH_STENCIL belongs to cl_khr_gl_depth_images alone: no types.
	DepthStencil - firstOrder: {"CL_DEPTH_STENCIL", 2, [4]int8{0, zero, zero, zero}, false, false, 0, false},
	SRGB - firstOrder:         {"CL_sRGB", 3, [4]int8{0, 1, 2, one}, true, true, unorm8, true},
	SRGBx - firstOrder:        {"CL_sRGBx", 4, [4]int8{0, 1, 2, one}, false, true, unorm8, true},
	SRGBA - firstOrder:        {"CL_sRGBA", 4, [4]int8{0, 1, 2, 3}, false, true, unorm8, false},
	SBGRA - firstOrder:        {"CL_sBGRA", 4, [4]int8{2, 1, 0, 3}, false, true, unorm8, false},
	ABGR - firstOrder:         {"CL_ABGR", 4, [4]int8{3, 2, 1, 0}, false, false, bytes, false},
}

// A typeInfo is a row of the table of channel data types.
type typeInfo struct {
	name  string
	size  int // bytes of a channel; of packed types, of the element
	class Class
	raw   Type // of FloatClass types: the integers that a channel's bits are; of packed ones, the element's
	// Packed types: width and lowest bit of red, green, blue and alpha.
	bits, shift [4]uint8
}

var types = [lastType - firstType + 1]typeInfo{
	SnormInt8 - firstType:        {name: "CL_SNORM_INT8", size: 1, raw: SignedInt8},
	SnormInt16 - firstType:       {name: "CL_SNORM_INT16", size: 2, raw: SignedInt16},
	UnormInt8 - firstType:        {name: "CL_UNORM_INT8", size: 1, raw: UnsignedInt8},
	UnormInt16 - firstType:       {name: "CL_UNORM_INT16", size: 2, raw: UnsignedInt16},
	UnormShort565 - firstType:    {name: "CL_UNORM_SHORT_565", size: 2, raw: UnsignedInt16, bits: [4]uint8{5, 6, 5}, shift: [4]uint8{11, 5, 0}},
	UnormShort555 - firstType:    {name: "CL_UNORM_SHORT_555", size: 2, raw: UnsignedInt16, bits: [4]uint8{5, 5, 5}, shift: [4]uint8{10, 5, 0}},
	UnormInt101010 - firstType:   {name: "CL_UNORM_INT_101010", size: 4, raw: UnsignedInt32, bits: [4]uint8{10, 10, 10}, shift: [4]uint8{20, 10, 0}},
	SignedInt8 - firstType:       {name: "CL_SIGNED_INT8", size: 1, class: IntClass},
	SignedInt16 - firstType:      {name: "CL_SIGNED_INT16", size: 2, class: IntClass},
	SignedInt32 - firstType:      {name: "CL_SIGNED_INT32", size: 4, class: IntClass},
	UnsignedInt8 - firstType:     {name: "CL_UNSIGNED_INT8", size: 1, class: UintClass},
	UnsignedInt16 - firstType:    {name: "CL_UNSIGNED_INT16", size: 2, class: UintClass},
	UnsignedInt32 - firstType:    {name: "CL_UNSIGNED_INT32", size: 4, class: UintClass},
	HalfFloat - firstType:        {name: "CL_HALF_FLOAT", size: 2, raw: UnsignedInt16},
	Float - firstType:            {name: "CL_FLOAT", size: 4, raw: UnsignedInt32},
	UnormInt24 - firstType:       {name: "CL_UNORM_INT24", size: 4, raw: UnsignedInt32},
	UnormInt101010x2 - firstType: {name: "CL_UNORM_INT_101010_2", size: 4, raw: UnsignedInt32, bits: [4]uint8{10, 10, 10, 2}, shift: [4]uint8{22, 12, 2, 0}},
}

// Known reports whether o is a channel order of OpenCL.
func (o Order) Known() bool { return o >= firstOrder && o <= lastOrder }

// Known reports whether t is a channel data type of OpenCL.
func (t Type) Known() bool { return t >= firstType && t <= lastType }

func (o Order) info() *orderInfo { return &orders[o-firstOrder] }
func (t Type) info() *typeInfo   { return &types[t-firstType] }

// String returns the name in OpenCL's headers.
func (o Order) String() string {
	if !o.Known() {
		return fmt.Sprintf("channel order %#x", uint32(o))
	}
	return o.info().name
}

// String returns the name in OpenCL's headers.
func (t Type) String() string {
	if !t.Known() {
		return fmt.Sprintf("channel data type %#x", uint32(t))
	}
	return t.info().name
}

// String returns such as "CL_RGBA, CL_UNORM_INT8".
func (f Format) String() string { return f.Order.String() + ", " + f.Type.String() }

// Supported reports whether there are images of this format.
func (f Format) Supported() bool {
	return f.Order.Known() && f.Type.Known() && f.Order.info().types&set(f.Type) != 0
}

// Listed reports whether the format belongs to the list of supported formats. Formats with
// an ignored channel work but are not listed: programs, the conformance tests among
// them, disagree with the specification on the size of their elements.
func (f Format) Listed() bool { return f.Supported() && (!f.Order.info().pad || f.packed()) }

// Formats yields the formats that are listed, in order of channel orders.
func Formats(yield func(Format) bool) {
	for o := firstOrder; o <= lastOrder; o++ {
		for t := firstType; t <= lastType; t++ {
			if f := (Format{o, t}); f.Listed() && !yield(f) {
				return
			}
		}
	}
}

func (f Format) packed() bool { return f.Type.info().bits[0] != 0 }

// Channels returns the number of channels of an element, ignored ones included.
func (f Format) Channels() int { return f.Order.info().channels }

// Size returns the bytes of an element.
func (f Format) Size() int {
	t := f.Type.info()
	if t.bits[0] != 0 {
		return t.size
	}
	return t.size * f.Order.info().channels
}

// Class says which functions read and write the format.
func (f Format) Class() Class { return f.Type.info().class }

// Views reports whether an image of format f can be made from one of format g that
// shares its elements ("Compatible Image Channel Orders").
func (f Format) Views(g Format) bool {
	if f.Type != g.Type {
		return false
	}
	linear := map[Order]Order{SBGRA: BGRA, SRGBA: RGBA, SRGB: RGB, SRGBx: RGBx}
	return f.Order == g.Order || linear[f.Order] == g.Order || linear[g.Order] == f.Order || f.Order == Depth && g.Order == R
}
