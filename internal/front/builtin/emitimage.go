package builtin

import "github.com/purecl/purecl/internal/ir/ssa"

// The effect of an image read depends on the image's format, which is unknown until the kernel is launched: see
// package image.

func emitImageRead(c *Emission) *ssa.Value {
	return c.B.Value(ssa.OpImageRead, c.Result, c.Args...)
}

func emitImageSample(c *Emission) *ssa.Value {
	return c.B.Value(ssa.OpImageSample, c.Result, c.Args...)
}

func emitImageWrite(c *Emission) *ssa.Value {
	c.B.Value(ssa.OpImageWrite, ssa.TVoid, c.Args...)
	return nil
}

var imageQueries = map[string]int64{
	"get_image_width":             ssa.ImageWidth,
	"get_image_height":            ssa.ImageHeight,
	"get_image_depth":             ssa.ImageDepth,
	"get_image_array_size":        ssa.ImageArraySize,
	"get_image_channel_data_type": ssa.ImageChannelType,
	"get_image_channel_order":     ssa.ImageChannelOrder,
}

func emitImageQuery(c *Emission) *ssa.Value {
	v := c.B.Aux(ssa.OpImageQuery, ssa.TI32, imageQueries[c.Call.Row.Name], c.Args[0])
	if c.Result != ssa.TI32 { // size_t
		v = c.B.Convert(v, c.Result.K, false, 0)
	}
	return v
}

// emitImageDim computes width and height, for a 3D image also depth and 0.
func emitImageDim(c *Emission) *ssa.Value {
	get := func(query int64) *ssa.Value { return c.B.Aux(ssa.OpImageQuery, ssa.TI32, query, c.Args[0]) }
	args := []*ssa.Value{get(ssa.ImageWidth), get(ssa.ImageHeight)}
	if c.Result.N == 4 {
		args = append(args, get(ssa.ImageDepth), c.B.Const(ssa.TI32, 0))
	}
	return c.B.Value(ssa.OpVec, c.Result, args...)
}
