package image

import (
	"github.com/purecl/purecl/internal/base/opencl"
)

// A Format is the layout of an element: its channels and their type.
type Format struct {
	Order opencl.ChannelOrder
	Type  opencl.ChannelType
}

// A Class is the class of read and write functions that match a format.
type Class uint8

// The classes.
const (
	FloatClass Class = iota // read_imagef, read_imageh
	IntClass                // read_imagei
	UintClass               // read_imageui
)

// A typeSet is a set of types: it has bit t.Number() set if it contains type t.
type typeSet uint32

func set(ts ...opencl.ChannelType) (s typeSet) {
	for _, t := range ts {
		s |= 1 << t.Number()
	}
	return s
}

// A component without a channel has one of these values.
const (
	zero = -1 // the component is 0
	one  = -2 // the component is 1
)

// An orderInfo is a row of the table of orders.
type orderInfo struct {
	at     [4]int8 // the channel that holds each component, or zero or one
	opaque bool    // the border color has alpha 1
	srgb   bool    // red, green and blue are in the sRGB color space
	types  typeSet // the types with which it may be combined
	pad    bool    // it has a channel that is ignored
}

var (
	packed      = set(opencl.UnormShort565, opencl.UnormShort555, opencl.UnormInt101010)
	normOrFloat = set(opencl.SnormInt8, opencl.SnormInt16, opencl.UnormInt8, opencl.UnormInt16, opencl.HalfFloat, opencl.FloatChannel)
	plain       = normOrFloat | set(opencl.SignedInt8, opencl.SignedInt16, opencl.SignedInt32, opencl.UnsignedInt8, opencl.UnsignedInt16, opencl.UnsignedInt32)
	bytes       = set(opencl.SnormInt8, opencl.UnormInt8, opencl.SignedInt8, opencl.UnsignedInt8)
	unorm8      = set(opencl.UnormInt8)
)

// The first values of orders and types, which have row 0.
const (
	firstOrder = opencl.OrderR
	firstType  = opencl.SnormInt8
)

// orders defines the channel orders ("Mapping Image Channels to Color Values", 6.15.15.7; "Determining the Border
// Color or Value", 6.15.15.1.1; the combinations are those of the tables of "Image Format Descriptor").
var orders = [len(opencl.ChannelOrders)]orderInfo{
	opencl.OrderR - firstOrder:         {[4]int8{0, zero, zero, one}, true, false, plain, false},
	opencl.OrderA - firstOrder:         {[4]int8{zero, zero, zero, 0}, false, false, plain, false},
	opencl.OrderRG - firstOrder:        {[4]int8{0, 1, zero, one}, true, false, plain, false},
	opencl.OrderRA - firstOrder:        {[4]int8{0, zero, zero, 1}, false, false, plain, false},
	opencl.OrderRGB - firstOrder:       {[4]int8{0, 1, 2, one}, true, false, packed, false},
	opencl.OrderRGBA - firstOrder:      {[4]int8{0, 1, 2, 3}, false, false, plain | set(opencl.UnormInt101010x2), false},
	opencl.OrderBGRA - firstOrder:      {[4]int8{2, 1, 0, 3}, false, false, bytes, false},
	opencl.OrderARGB - firstOrder:      {[4]int8{1, 2, 3, 0}, false, false, bytes, false},
	opencl.OrderIntensity - firstOrder: {[4]int8{0, 0, 0, 0}, false, false, normOrFloat, false},
	opencl.OrderLuminance - firstOrder: {[4]int8{0, 0, 0, one}, true, false, normOrFloat, false},
	opencl.OrderRx - firstOrder:        {[4]int8{0, zero, zero, one}, false, false, plain, true},
	opencl.OrderRGx - firstOrder:       {[4]int8{0, 1, zero, one}, false, false, plain, true},
	opencl.OrderRGBx - firstOrder:      {[4]int8{0, 1, 2, one}, false, false, plain | packed, true},
	opencl.OrderDepth - firstOrder:     {[4]int8{0, zero, zero, zero}, false, false, set(opencl.UnormInt16, opencl.FloatChannel), false},
	// CL_DEPTH_STENCIL belongs to cl_khr_gl_depth_images alone: no types.
	opencl.OrderDepthStencil - firstOrder: {[4]int8{0, zero, zero, zero}, false, false, 0, false},
	opencl.OrderSRGB - firstOrder:         {[4]int8{0, 1, 2, one}, true, true, unorm8, true},
	opencl.OrderSRGBx - firstOrder:        {[4]int8{0, 1, 2, one}, false, true, unorm8, true},
	opencl.OrderSRGBA - firstOrder:        {[4]int8{0, 1, 2, 3}, false, true, unorm8, false},
	opencl.OrderSBGRA - firstOrder:        {[4]int8{2, 1, 0, 3}, false, true, unorm8, false},
	opencl.OrderABGR - firstOrder:         {[4]int8{3, 2, 1, 0}, false, false, bytes, false},
}

// A typeInfo is a row of the table of channel data types.
type typeInfo struct {
	class Class
	raw   opencl.ChannelType // of a FloatClass type: the integer type of a channel's bits; of a packed type: of the element's bits
	// Packed types: width and lowest bit of red, green, blue and alpha.
	bits, shift [4]uint8
}

// types defines the channel data types.
var types = [len(opencl.ChannelTypes)]typeInfo{
	opencl.SnormInt8 - firstType:        {raw: opencl.SignedInt8},
	opencl.SnormInt16 - firstType:       {raw: opencl.SignedInt16},
	opencl.UnormInt8 - firstType:        {raw: opencl.UnsignedInt8},
	opencl.UnormInt16 - firstType:       {raw: opencl.UnsignedInt16},
	opencl.UnormShort565 - firstType:    {raw: opencl.UnsignedInt16, bits: [4]uint8{5, 6, 5}, shift: [4]uint8{11, 5, 0}},
	opencl.UnormShort555 - firstType:    {raw: opencl.UnsignedInt16, bits: [4]uint8{5, 5, 5}, shift: [4]uint8{10, 5, 0}},
	opencl.UnormInt101010 - firstType:   {raw: opencl.UnsignedInt32, bits: [4]uint8{10, 10, 10}, shift: [4]uint8{20, 10, 0}},
	opencl.SignedInt8 - firstType:       {class: IntClass},
	opencl.SignedInt16 - firstType:      {class: IntClass},
	opencl.SignedInt32 - firstType:      {class: IntClass},
	opencl.UnsignedInt8 - firstType:     {class: UintClass},
	opencl.UnsignedInt16 - firstType:    {class: UintClass},
	opencl.UnsignedInt32 - firstType:    {class: UintClass},
	opencl.HalfFloat - firstType:        {raw: opencl.UnsignedInt16},
	opencl.FloatChannel - firstType:     {raw: opencl.UnsignedInt32},
	opencl.UnormInt24 - firstType:       {raw: opencl.UnsignedInt32},
	opencl.UnormInt101010x2 - firstType: {raw: opencl.UnsignedInt32, bits: [4]uint8{10, 10, 10, 2}, shift: [4]uint8{22, 12, 2, 0}},
}

func orderRow(o opencl.ChannelOrder) *orderInfo { return &orders[o.Number()] }
func typeRow(t opencl.ChannelType) *typeInfo    { return &types[t.Number()] }

// A Layout describes the conversion from an element's bytes to a color, for code generators.
type Layout struct {
	// At is the channel of each component of the color, -1 if it has none.
	At [4]int8
	// Alpha is set if the fourth component is one without a channel. Other components without a channel are zero.
	Alpha bool
	// Opaque is set if the border color's fourth component is one. Its others are zero.
	Opaque bool
	// SRGB is set if red, green and blue are in the sRGB color space.
	SRGB bool
	// Holds is the component of each channel, -1 for an ignored one.
	Holds [4]int8
	// Bits and Shift are the width and the lowest bit of each channel of a packed type, zeros for other types.
	Bits, Shift [4]uint8
}

// Layout returns the layout of a supported format.
func (f Format) Layout() Layout {
	o, t := orderRow(f.Order), typeRow(f.Type)
	l := Layout{At: o.at, Alpha: o.at[3] == one, Opaque: o.opaque, SRGB: o.srgb, Holds: o.holds(), Bits: t.bits, Shift: t.shift}
	for k, ch := range l.At {
		if ch < 0 {
			l.At[k] = -1
		}
	}
	return l
}

// Raw returns the format of [Image.Raw].
func (f Format) Raw() Format {
	if t := typeRow(f.Type); t.class == FloatClass {
		if f.packed() {
			f.Order = opencl.OrderR
		}
		f.Type = t.raw
	}
	return f
}

// holds returns the component of each channel: the first if there are several, -1 for an ignored channel.
func (o *orderInfo) holds() [4]int8 {
	h := [4]int8{-1, -1, -1, -1}
	for i := len(o.at) - 1; i >= 0; i-- {
		if k := o.at[i]; k >= 0 {
			h[k] = int8(i)
		}
	}
	return h
}

// String returns the format's name, such as "CL_RGBA, CL_UNORM_INT8".
func (f Format) String() string { return f.Order.String() + ", " + f.Type.String() }

// Supported reports whether images may have this format.
func (f Format) Supported() bool {
	return f.Order.Known() && f.Type.Known() && orderRow(f.Order).types&set(f.Type) != 0
}

// Listed reports whether the format belongs to the list of supported formats. Formats with
// an ignored channel work but are not listed: programs, the conformance tests among
// them, disagree with the specification on the size of their elements.
func (f Format) Listed() bool { return f.Supported() && (!orderRow(f.Order).pad || f.packed()) }

// Formats yields the formats that are listed, in order of channel orders.
func Formats(yield func(Format) bool) {
	for o := range orders {
		for t := range types {
			if f := (Format{firstOrder + opencl.ChannelOrder(o), firstType + opencl.ChannelType(t)}); f.Listed() && !yield(f) {
				return
			}
		}
	}
}

func (f Format) packed() bool { return typeRow(f.Type).bits[0] != 0 }

// Channels returns the number of channels of an element, ignored ones included.
func (f Format) Channels() int { return f.Order.Channels() }

// Size returns the bytes of an element.
func (f Format) Size() int {
	size := f.Type.Size()
	if f.packed() {
		return size
	}
	return size * f.Channels()
}

// ElementSize returns the bytes of an element, 0 for an unsupported format.
func (f Format) ElementSize() int {
	if !f.Supported() {
		return 0
	}
	return f.Size()
}

// Class returns the class of functions that match the format.
func (f Format) Class() Class { return typeRow(f.Type).class }

// Views reports whether an image of format f can share the elements of an image of format g ("Compatible Image
// Channel Orders").
func (f Format) Views(g Format) bool {
	if f.Type != g.Type {
		return false
	}
	linear := map[opencl.ChannelOrder]opencl.ChannelOrder{opencl.OrderSBGRA: opencl.OrderBGRA, opencl.OrderSRGBA: opencl.OrderRGBA, opencl.OrderSRGB: opencl.OrderRGB, opencl.OrderSRGBx: opencl.OrderRGBx}
	return f.Order == g.Order || linear[f.Order] == g.Order || linear[g.Order] == f.Order || f.Order == opencl.OrderDepth && g.Order == opencl.OrderR
}
