package device

import (
	"fmt"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/gpu/ptx"
	"github.com/purecl/purecl/internal/ir/imagecode"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/image"
)

// maxFormats is the greatest number of combinations of formats and samplers for which a kernel keeps code.
const maxFormats = 64

// survey finds the kernel's image functions, once.
func (k *kernel) survey() error {
	k.surveyed.Do(func() {
		f, err := ptx.Inlined(k.f)
		if err != nil {
			k.surveyErr = err
			return
		}
		if k.images = imagecode.New(f); k.images != nil {
			k.formats = map[string]*kernel{}
		}
	})
	return k.surveyErr
}

// forImages replaces the kernel of a call by its copy for the formats, shapes and samplers of the arguments, with
// that copy's parameters. Kernels without images stay.
func (c *call) forImages() error {
	k := c.k
	if err := k.survey(); err != nil || k.images == nil {
		return err
	}
	env := &exec.Env{Params: c.params, Objects: make([]exec.Object, len(c.objects))}
	for i := range c.objects {
		if o := &c.objects[i]; o.image != nil {
			env.Objects[i] = exec.Object{Space: o.kind, Data: o.image.Data, ReadOnly: o.readOnly, Image: o.image}
		}
	}
	x, err := k.format(k.images.AppendKey(nil, env))
	if err != nil {
		return err
	}
	if kept := imagecode.Kept(x.f); len(kept) > 0 {
		return &ptx.Unsupported{Kernel: k.f.Name, Value: kept[0], Reason: c.kept(kept[0])}
	}
	c.k, c.params = x, k.images.AppendParams(c.params, env)
	return nil
}

// kept returns the reason why an image function has no code.
func (c *call) kept(v *ssa.Value) string {
	p := v.Args[0].Source()
	if p.Op != ssa.OpParam {
		return "an image that is no argument of the kernel"
	}
	name := fmt.Sprintf("argument %d (%s)", p.Aux, c.k.f.Kernel.Args[p.Aux].Name)
	o := &c.objects[c.params[p.Aux][0]>>ssa.ObjectShift]
	switch {
	case o.image == nil:
		return name + " is no image"
	case v.Op == ssa.OpImageWrite && o.readOnly:
		return fmt.Sprintf("it writes to %s, a %v that is read-only", name, o.image)
	}
	return fmt.Sprintf("%s is a %v: GPU devices have no code for its format, or for its size or pitch", name, o.image)
}

// format returns the kernel's copy for a key.
func (k *kernel) format(key []byte) (*kernel, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if x := k.formats[string(key)]; x != nil {
		return x, nil
	}
	if len(k.formats) >= maxFormats {
		return nil, fmt.Errorf("kernel %s: more than %d combinations of image formats and samplers on a GPU device", k.f.Name, maxFormats)
	}
	var clock timing.Clock
	clock.Begin(timing.Opt)
	f, err := k.images.Func(key, false)
	clock.Begin(timing.None)
	if err != nil {
		return nil, err
	}
	k.times.Add(&clock.Times)
	x := newKernel(k.m, f)
	x.source = k
	k.formats[string(key)] = x
	return x, nil
}

// typical makes the code for launches with aligned objects and full groups that satisfy the kernel's first precondition, and for images
// of one format. It returns the kernel, or its copy for the format.
func (k *kernel) typical() (*kernel, error) {
	if err := k.survey(); err != nil {
		return nil, err
	}
	if k.images != nil {
		x, err := k.format(k.images.KeyOf(image.Format{Order: opencl.OrderRGBA, Type: opencl.UnormInt8}, 0))
		if err != nil {
			return nil, err
		}
		k = x
	}
	prep, err := k.prepare()
	if err != nil {
		return nil, err
	}
	_, err = k.get(form(min(len(prep.Preconditions), 1)) * assume)
	return k, err
}

// imageObject is the object of an image argument.
func (c *call) imageObject(v *ssa.Value) *object {
	return &c.objects[c.params[v.Args[0].Source().Aux][0]>>ssa.ObjectShift]
}

// outside returns the finding of an access to an element outside of an image.
func (c *call) outside(v *ssa.Value, at [3]int32) *found {
	o, call := c.imageObject(v), exec.NewImageCall(v)
	return &found{Finding: exec.Finding{Pos: v.Pos, Kind: exec.OutOfBounds, Access: call.Access(), Size: uint64(o.image.ElementSize()),
		Object: o.name, What: o.what, Space: o.kind, Extent: o.size, Note: call.Outside(o.image, at)}}
}
