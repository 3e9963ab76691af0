package builtin

import "github.com/purecl/purecl/internal/ir/ssa"

// The image functions are calls of runtime functions: what a read does depends on the
// format of the image, which is known when the kernel is launched. See package image.

func emitImageRead(c *Emission) *ssa.Value {
	return c.B.Sym(ssa.OpRuntime, c.Result, ssa.RuntimeImageRead, c.Args...)
}

func emitImageSample(c *Emission) *ssa.Value {
	return c.B.Sym(ssa.OpRuntime, c.Result, ssa.RuntimeImageSample, c.Args...)
}

func emitImageWrite(c *Emission) *ssa.Value {
	c.B.Sym(ssa.OpRuntime, ssa.TVoid, ssa.RuntimeImageWrite, c.Args...)
	return nil
}

var imageQueries = map[string]string{
	"get_image_width":             ssa.RuntimeImageWidth,
	"get_image_height":            ssa.RuntimeImageHeight,
	"get_image_depth":             ssa.RuntimeImageDepth,
	"get_image_array_size":        ssa.RuntimeImageArraySize,
	"get_image_channel_data_type": ssa.RuntimeImageChannelType,
	"get_image_channel_order":     ssa.RuntimeImageChannelOrder,
}

func emitImageQuery(c *Emission) *ssa.Value {
	v := c.B.Sym(ssa.OpRuntime, ssa.TI32, imageQueries[c.Call.Row.Name], c.Args[0])
	if c.Result != ssa.TI32 { // size_t
		v = c.B.Convert(v, c.Result.K, false, 0)
	}
	return v
}

// emitImageDim: width and height; of a 3D image depth and 0 too.
func emitImageDim(c *Emission) *ssa.Value {
	get := func(name string) *ssa.Value { return c.B.Sym(ssa.OpRuntime, ssa.TI32, name, c.Args[0]) }
	args := []*ssa.Value{get(ssa.RuntimeImageWidth), get(ssa.RuntimeImageHeight)}
	if c.Result.N == 4 {
		args = append(args, get(ssa.RuntimeImageDepth), c.B.Const(ssa.TI32, 0))
	}
	return c.B.Value(ssa.OpVec, c.Result, args...)
}
