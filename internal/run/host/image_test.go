package host_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/ir/numeric"

	"github.com/purecl/purecl/internal/run/host"
)

func newImage(t *testing.T, f host.ImageFormat, d host.ImageDesc, memory []byte) *host.Image {
	t.Helper()
	flags := host.MemFlags(0)
	if memory != nil {
		flags = host.MemCopyHostPtr
	}
	m, err := host.DefaultContext().NewImage(flags, f, d, memory)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func kernelOf(t *testing.T, src, opts, name string) *host.Kernel {
	t.Helper()
	p, err := host.Compile(src, opts)
	if err != nil {
		t.Fatal(err)
	}
	k, err := p.Kernel(name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestImageShapes moves elements through kernels for every shape: element number n holds
// (n, 2n, 3n, 4n) and is written to the other end of the image.
func TestImageShapes(t *testing.T) {
	const w, h, d = 5, 3, 2
	for _, c := range []struct {
		typ, coord, end, dims string
		desc                  host.ImageDesc
		size                  [3]int
	}{
		{"image1d_t", "x", "W - 1 - x", "get_image_width(in)", host.ImageDesc{Type: opencl.Image1D, Width: w}, [3]int{w, 1, 1}},
		{"image1d_buffer_t", "x", "W - 1 - x", "get_image_width(in)", host.ImageDesc{Type: opencl.Image1DBuffer, Width: w}, [3]int{w, 1, 1}},
		{"image1d_array_t", "(int2)(x, y)", "(int2)(W - 1 - x, H - 1 - y)", "get_image_width(in) + 10 * (int)get_image_array_size(in)",
			host.ImageDesc{Type: opencl.Image1DArray, Width: w, ArraySize: h}, [3]int{w, h, 1}},
		{"image2d_t", "(int2)(x, y)", "(int2)(W - 1 - x, H - 1 - y)", "get_image_width(in) + 10 * get_image_height(in) + (get_image_dim(in).x - W) + (get_image_dim(in).y - H)",
			host.ImageDesc{Type: opencl.Image2D, Width: w, Height: h}, [3]int{w, h, 1}},
		{"image2d_array_t", "(int4)(x, y, z, 77)", "(int4)(W - 1 - x, H - 1 - y, D - 1 - z, 99)", "get_image_dim(in).x + 10 * get_image_dim(in).y + 100 * (int)get_image_array_size(in)",
			host.ImageDesc{Type: opencl.Image2DArray, Width: w, Height: h, ArraySize: d}, [3]int{w, h, d}},
		{"image3d_t", "(int4)(x, y, z, 0)", "(int4)(W - 1 - x, H - 1 - y, D - 1 - z, 0)", "get_image_dim(in).x + 10 * get_image_dim(in).y + 100 * get_image_depth(in) + get_image_dim(in).w",
			host.ImageDesc{Type: opencl.Image3D, Width: w, Height: h, Depth: d}, [3]int{w, h, d}},
	} {
		for _, f := range []struct {
			fn, typ string
			channel opencl.ChannelType
		}{{"f", "float4", opencl.FloatChannel}, {"i", "int4", opencl.SignedInt16}, {"ui", "uint4", opencl.UnsignedInt8}, {"h", "half4", opencl.HalfFloat}} {
			t.Run(c.typ+"/"+f.typ, func(t *testing.T) {
				src := fmt.Sprintf(`#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
					kernel void k(read_only %[1]s in, write_only %[1]s out, global int *info, int W, int H, int D) {
					int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
					%[2]s v = read_image%[3]s(in, %[4]s);
					write_image%[3]s(out, %[5]s, v);
					if (x + y + z) return;
					info[0] = %[6]s; info[1] = get_image_channel_order(out); info[2] = get_image_channel_data_type(out);
				}`, c.typ, f.typ, f.fn, c.coord, c.end, c.dims)
				format := host.ImageFormat{Order: opencl.OrderRGBA, Type: f.channel}
				n := c.size[0] * c.size[1] * c.size[2]
				elem := format.ElementSize()
				data := make([]byte, n*elem)
				for i := range n {
					for k := range 4 {
						v := i * (k + 1)
						p := data[i*elem+k*elem/4:]
						switch f.channel {
						case opencl.FloatChannel:
							binary.LittleEndian.PutUint32(p, math.Float32bits(float32(v)))
						case opencl.HalfFloat:
							binary.LittleEndian.PutUint16(p, uint16(numeric.HalfFromFloat64(float64(v), numeric.RTE)))
						case opencl.SignedInt16:
							binary.LittleEndian.PutUint16(p, uint16(-v))
						default:
							p[0] = byte(v)
						}
					}
				}
				in, out := c.desc, c.desc
				var a, b *host.Image
				if c.desc.Type == opencl.Image1DBuffer {
					buf, err := host.DefaultContext().NewBuffer(host.MemCopyHostPtr, len(data), data)
					if err != nil {
						t.Fatal(err)
					}
					out.Buffer, _ = host.DefaultContext().NewBuffer(0, len(data), nil)
					in.Buffer = buf
					a, b = newImage(t, format, in, nil), newImage(t, format, out, nil)
				} else {
					a, b = newImage(t, format, in, data), newImage(t, format, out, nil)
				}
				info := make([]int32, 3)
				k := kernelOf(t, src, "", "k")
				rep, err := k.RunWith(context.Background(), host.RunOptions{Checks: host.CheckAll}, host.Range(c.size[:]...), a, b, info, w, h, d)
				if err != nil || len(rep.Findings) > 0 {
					t.Fatal(err, rep)
				}
				for i := range n {
					if got, want := b.Bytes()[i*elem:(i+1)*elem], data[(n-1-i)*elem:(n-i)*elem]; !bytes.Equal(got, want) {
						t.Fatalf("element %d: % x, want % x", i, got, want)
					}
				}
				dims := int32(c.size[0])
				switch c.desc.Type {
				case opencl.Image1DArray, opencl.Image2D:
					dims += 10 * h
				case opencl.Image2DArray, opencl.Image3D:
					dims += 10*h + 100*d
				}
				if want := [3]int32{dims, int32(opencl.OrderRGBA), int32(f.channel)}; [3]int32(info) != want {
					t.Errorf("queries gave %v, want %v", info, want)
				}
			})
		}
	}
}

// TestSamplers checks samplers as arguments, at program scope, in a kernel, and passed to functions. The image is
// 0, 1, 2, 3; the expected values are computed by hand from the formulas of "Image Addressing and Filtering".
func TestSamplers(t *testing.T) {
	const src = `
	constant sampler_t linear = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
	const sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
	float f(read_only image1d_t m, sampler_t s, float x) { return read_imagef(m, s, x).x; }
	kernel void k(read_only image1d_t m, sampler_t arg, global float *out) {
		const sampler_t mirror = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_NEAREST;
		out[0] = f(m, linear, 0.5f);               // between 1 and 2
		out[1] = f(m, linear, 0.0f);               // the edge
		out[2] = f(m, linear, 0.3125f);            // u = 1.25: 0.25 of 0, 0.75 of 1
		out[3] = f(m, border, 3.99f);
		out[4] = read_imagef(m, border, 4.0f).x + read_imagef(m, border, 4.0f).w; // CL_R: (0, 0, 0, 1)
		out[5] = f(m, mirror, 1.1f);               // 0.9: element 3
		out[6] = f(m, mirror, -0.3f);              // 0.3: element 1
		out[7] = f(m, arg, 1.3f);                  // repeat: 0.3, element 1
		out[8] = f(m, arg, -0.1f);                 // 0.9
		out[9] = read_imagef(m, border, 2).x;
		out[10] = read_imagef(m, border, -5).w;
		out[11] = f(m, border, 1.5f);
	}`
	data := make([]byte, 16)
	for i := range 4 {
		binary.LittleEndian.PutUint32(data[4*i:], math.Float32bits(float32(i)))
	}
	m := newImage(t, host.ImageFormat{Order: opencl.OrderR, Type: opencl.FloatChannel}, host.ImageDesc{Type: opencl.Image1D, Width: 4}, data)
	s, err := host.DefaultContext().NewSampler(host.SamplerDesc{Normalized: true, Addressing: opencl.AddressRepeat})
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float32, 12)
	if err := kernelOf(t, src, "", "k").Run(context.Background(), host.Range(1), m, s, out); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float32{1.5, 0, 0.75, 3, 1, 3, 1, 1, 3, 2, 1, 1} {
		if math.Abs(float64(out[i]-want)) > 1e-6 {
			t.Errorf("out[%d] = %v, want %v", i, out[i], want)
		}
	}
}

// TestReadWriteImage checks OpenCL C 3.0's read_write images, ordered by a barrier.
func TestReadWriteImage(t *testing.T) {
	k := kernelOf(t, `kernel void k(read_write image2d_t m) {
		int2 p = (int2)(get_global_id(0), 0);
		write_imageui(m, p, (uint4)(p.x * 10));
		atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
		uint4 v = read_imageui(m, p);
		write_imageui(m, p, v + 1);
	}`, "-cl-std=CL3.0", "k")
	m := newImage(t, host.ImageFormat{Order: opencl.OrderR, Type: opencl.UnsignedInt8}, host.ImageDesc{Type: opencl.Image2D, Width: 4, Height: 1}, nil)
	rep, err := k.RunWith(context.Background(), host.RunOptions{Checks: host.CheckAll}, host.Range(4), m)
	if err != nil || len(rep.Findings) > 0 {
		t.Fatal(err, rep)
	}
	if want := []byte{1, 11, 21, 31}; !bytes.Equal(m.Bytes(), want) {
		t.Errorf("got %v, want %v", m.Bytes(), want)
	}
}

// TestDepthImage checks scalar reads and writes of depth images.
func TestDepthImage(t *testing.T) {
	k := kernelOf(t, `kernel void k(read_only image2d_depth_t a, write_only image2d_depth_t b, global float *out) {
		const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
		out[0] = read_imagef(a, s, (float2)(1.0f, 0.5f));
		out[1] = read_imagef(a, s, (float2)(-5.0f, 0.5f));
		write_imagef(b, (int2)(0, 0), read_imagef(a, (int2)(1, 0)));
	}`, "-cl-std=CL3.0", "k")
	f := host.ImageFormat{Order: opencl.OrderDepth, Type: opencl.UnormInt16}
	d := host.ImageDesc{Type: opencl.Image2D, Width: 2, Height: 1}
	a, b := newImage(t, f, d, []byte{0, 0, 0xff, 0xff}), newImage(t, f, d, nil)
	out := make([]float32, 2)
	if err := k.Run(context.Background(), host.Range(1), a, b, out); err != nil {
		t.Fatal(err)
	}
	if out[0] != 0.5 || out[1] != 0 || !bytes.Equal(b.Bytes(), []byte{0xff, 0xff, 0, 0}) {
		t.Errorf("got %v, % x", out, b.Bytes())
	}
}

// TestImageFaults checks that a kernel's mistakes with images are found and change no memory.
func TestImageFaults(t *testing.T) {
	f := host.ImageFormat{Order: opencl.OrderRGBA, Type: opencl.UnormInt8}
	d := host.ImageDesc{Type: opencl.Image2D, Width: 2, Height: 2}
	for _, c := range []struct{ body, kind, want string }{
		{"write_imagef(b, (int2)(2, 1), (float4)(1));", "out-of-bounds", "image write of element (2, 1) of the 2D image of 2x2 elements"},
		{"write_imagef(b, (int2)(0, 0), read_imagef(a, (int2)(-1, 0)));", "out-of-bounds", "image read of element (-1, 0)"},
		{"write_imagef(b, (int2)(0, 0), convert_float4(read_imagei(a, (int2)(0, 0))));", "image-format", "CL_UNORM_INT8"},
		{"write_imageui(b, (int2)(0, 0), (uint4)(1));", "image-format", "image write"},
		{"write_imagef(b, (int2)(0, 0), (float4)(get_global_id(0)));", "race-between-groups", "data race"},
	} {
		k := kernelOf(t, "kernel void k(read_only image2d_t a, write_only image2d_t b) {"+c.body+"}", "", "k")
		a, b := newImage(t, f, d, nil), newImage(t, f, d, nil)
		rep, err := k.RunWith(context.Background(), host.RunOptions{Checks: host.CheckAll}, host.NDRange{Global: []int{2}, Local: []int{1}}, a, b)
		if rep == nil || len(rep.Findings) == 0 || rep.Findings[0].Kind != c.kind || !strings.Contains(rep.Findings[0].Message, c.want) {
			t.Errorf("%s: %v, %+v", c.body, err, rep)
			continue
		}
		if fault := (*host.FaultError)(nil); errors.As(err, &fault) != (c.kind == "out-of-bounds") {
			t.Errorf("%s: error %v", c.body, err)
		}
	}
}

// TestImageArguments checks the status of every unsuitable image or sampler argument.
func TestImageArguments(t *testing.T) {
	k := kernelOf(t, "kernel void k(read_only image2d_t a, write_only image3d_t b, sampler_t s) {}", "-cl-std=CL3.0", "k")
	f := host.ImageFormat{Order: opencl.OrderRGBA, Type: opencl.UnormInt8}
	c := host.DefaultContext()
	image := func(flags host.MemFlags, d host.ImageDesc) *host.Image {
		m, err := c.NewImage(flags, f, d, nil)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	flat := host.ImageDesc{Type: opencl.Image2D, Width: 2, Height: 2}
	solid := host.ImageDesc{Type: opencl.Image3D, Width: 2, Height: 2, Depth: 2}
	other, err := host.NewContext(nil, host.DefaultDevice())
	if err != nil {
		t.Fatal(err)
	}
	foreign, _ := other.NewImage(0, f, flat, nil)
	buf, _ := c.NewBuffer(0, 64, nil)
	sampler, err := c.NewSampler(host.SamplerDesc{})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		i    int
		v    any
		want opencl.Status
	}{
		{0, image(0, flat), opencl.Success}, {0, image(host.MemReadOnly, flat), opencl.Success}, {0, image(host.MemWriteOnly, flat), opencl.InvalidArgValue},
		{1, image(host.MemReadOnly, flat), opencl.InvalidMemObject}, {1, image(host.MemReadOnly, solid), opencl.InvalidArgValue}, {1, image(0, solid), opencl.Success}, {0, image(0, solid), opencl.InvalidMemObject},
		{0, nil, opencl.InvalidMemObject}, {0, buf, opencl.InvalidMemObject}, {0, foreign, opencl.InvalidContext}, {0, 3, opencl.InvalidMemObject},
		{2, 3, opencl.InvalidSampler}, {2, sampler, opencl.Success}, {2, nil, opencl.InvalidSampler},
	} {
		if got := host.StatusOf(k.Set(x.i, x.v)); got != x.want {
			t.Errorf("argument %d, %T: %v, want %v", x.i, x.v, got, x.want)
		}
	}
}

// TestNewImage checks the errors of clCreateImage, in its order.
func TestNewImage(t *testing.T) {
	c := host.DefaultContext()
	f := host.ImageFormat{Order: opencl.OrderRGBA, Type: opencl.UnormInt8}
	flat := func(w, h int) host.ImageDesc { return host.ImageDesc{Type: opencl.Image2D, Width: w, Height: h} }
	with := func(d host.ImageDesc, change func(*host.ImageDesc)) host.ImageDesc { change(&d); return d }
	buf, _ := c.NewBuffer(host.MemReadOnly, 64, nil)
	img, err := c.NewImage(0, f, flat(4, 4), nil)
	if err != nil {
		t.Fatal(err)
	}
	memory := make([]byte, 64)
	for i, x := range []struct {
		flags  host.MemFlags
		f      host.ImageFormat
		d      host.ImageDesc
		memory []byte
		want   opencl.Status
	}{
		{host.MemReadOnly | host.MemWriteOnly, f, flat(0, 0), nil, opencl.InvalidValue},
		{1 << 40, f, flat(4, 4), nil, opencl.InvalidValue},
		{0, host.ImageFormat{}, flat(0, 0), nil, opencl.InvalidImageFormatDescriptor},
		{0, host.ImageFormat{Order: opencl.OrderRGBA, Type: opencl.UnormShort565}, flat(4, 4), nil, opencl.InvalidImageFormatDescriptor},
		{0, f, host.ImageDesc{Type: 7, Width: 4, Height: 4}, nil, opencl.InvalidImageDescriptor},
		{0, f, with(flat(4, 4), func(d *host.ImageDesc) { d.NumMipLevels = 2 }), nil, opencl.InvalidImageDescriptor},
		{0, f, with(flat(4, 4), func(d *host.ImageDesc) { d.RowPitch = 64 }), nil, opencl.InvalidImageDescriptor},
		{host.MemUseHostPtr, f, with(flat(4, 4), func(d *host.ImageDesc) { d.RowPitch = 12 }), memory, opencl.InvalidImageDescriptor},
		{host.MemUseHostPtr, f, with(flat(4, 4), func(d *host.ImageDesc) { d.RowPitch = 18 }), memory, opencl.InvalidImageDescriptor},
		{0, f, host.ImageDesc{Type: opencl.Image1DBuffer, Width: 4}, nil, opencl.InvalidImageDescriptor},
		{0, f, flat(0, 4), nil, opencl.InvalidImageSize},
		{0, f, flat(4, -1), nil, opencl.InvalidImageSize},
		{0, f, flat(1<<20, 4), nil, opencl.InvalidImageSize},
		{0, f, host.ImageDesc{Type: opencl.Image3D, Width: 4, Height: 4}, nil, opencl.InvalidImageSize},
		{0, f, host.ImageDesc{Type: opencl.Image1DBuffer, Width: 17, Buffer: buf}, nil, opencl.InvalidImageSize},
		{host.MemUseHostPtr, f, flat(4, 4), nil, opencl.InvalidHostPtr},
		{0, f, flat(4, 4), memory, opencl.InvalidHostPtr},
		{host.MemCopyHostPtr, f, flat(4, 5), memory, opencl.InvalidHostPtr},
		{0, host.ImageFormat{Order: opencl.OrderRGB, Type: opencl.UnormInt8}, flat(4, 4), nil, opencl.ImageFormatNotSupported},
		{0, host.ImageFormat{Order: opencl.OrderDepth, Type: opencl.FloatChannel}, host.ImageDesc{Type: opencl.Image1D, Width: 4}, nil, opencl.ImageFormatNotSupported},
		{host.MemWriteOnly, f, host.ImageDesc{Type: opencl.Image1DBuffer, Width: 16, Buffer: buf}, nil, opencl.InvalidValue},
		{host.MemUseHostPtr, f, host.ImageDesc{Type: opencl.Image1DBuffer, Width: 16, Buffer: buf}, nil, opencl.InvalidValue},
		{0, f, with(flat(4, 4), func(d *host.ImageDesc) { d.Buffer, d.RowPitch = buf, 17 }), nil, opencl.InvalidImageFormatDescriptor},
		{0, host.ImageFormat{Order: opencl.OrderARGB, Type: opencl.UnormInt8}, with(flat(4, 4), func(d *host.ImageDesc) { d.Image = img }), nil, opencl.InvalidImageFormatDescriptor},
		{0, f, with(flat(4, 3), func(d *host.ImageDesc) { d.Image = img }), nil, opencl.InvalidImageDescriptor},

		{0, f, flat(4, 4), nil, opencl.Success},
		{host.MemUseHostPtr, f, with(flat(3, 4), func(d *host.ImageDesc) { d.RowPitch = 16 }), memory[:60], opencl.Success},
		{0, f, host.ImageDesc{Type: opencl.Image1DBuffer, Width: 16, Buffer: buf}, nil, opencl.Success},
		{0, f, with(flat(3, 4), func(d *host.ImageDesc) { d.Buffer, d.RowPitch = buf, 16 }), nil, opencl.Success},
		{0, host.ImageFormat{Order: opencl.OrderSRGBA, Type: opencl.UnormInt8}, with(flat(4, 4), func(d *host.ImageDesc) { d.Image = img }), nil, opencl.Success},
	} {
		_, err := c.NewImage(x.flags, x.f, x.d, x.memory)
		if got := host.StatusOf(err); got != x.want {
			t.Errorf("case %d, %+v: %v (%v), want %v", i, x.d, got, err, x.want)
		}
	}
}

// TestImageTransfers checks that read, write, copy, fill, map and the copies between images and buffers transfer
// exactly the region.
func TestImageTransfers(t *testing.T) {
	c := host.DefaultContext()
	q, err := c.NewQueue(host.DefaultDevice(), host.QueueProperties{})
	if err != nil {
		t.Fatal(err)
	}
	f := host.ImageFormat{Order: opencl.OrderR, Type: opencl.UnsignedInt8}
	cube := host.ImageDesc{Type: opencl.Image3D, Width: 4, Height: 3, Depth: 2}
	data := make([]byte, 24)
	for i := range data {
		data[i] = byte(i)
	}
	m, n := newImage(t, f, cube, data), newImage(t, f, host.ImageDesc{Type: opencl.Image2DArray, Width: 5, Height: 4, ArraySize: 3}, nil)
	must := func(_ *host.Event, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	want := func(what string, got []byte, vals ...byte) {
		t.Helper()
		if err := q.Finish(context.Background()); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, vals) {
			t.Errorf("%s: got %v, want %v", what, got, vals)
		}
	}
	out := make([]byte, 8)
	must(q.ReadImage(out, m, [3]int{1, 1, 0}, [3]int{2, 2, 2}, 0, 0))
	want("read", out, 5, 6, 9, 10, 17, 18, 21, 22)
	padded := bytes.Repeat([]byte{99}, 13)
	must(q.ReadImage(padded, m, [3]int{1, 1, 0}, [3]int{2, 2, 2}, 3, 7))
	want("read with pitches", padded, 5, 6, 99, 9, 10, 99, 99, 17, 18, 99, 21, 22, 99)
	must(q.WriteImage(m, [3]int{3, 0, 1}, [3]int{1, 2, 1}, []byte{100, 101}, 0, 0))
	must(q.ReadImage(out[:3], m, [3]int{3, 0, 1}, [3]int{1, 3, 1}, 0, 0))
	want("write", out[:3], 100, 101, 23)
	must(q.CopyImage(n, [3]int{1, 2, 1}, m, [3]int{0, 1, 0}, [3]int{3, 2, 2}))
	must(q.ReadImage(out[:5], n, [3]int{0, 2, 1}, [3]int{5, 1, 1}, 0, 0))
	want("copy", out[:5], 0, 4, 5, 6, 0)
	must(q.FillImage(n, [4]uint32{300, 1, 2, 3}, [3]int{0, 0, 2}, [3]int{2, 2, 1}))
	must(q.ReadImage(out[:6], n, [3]int{0, 0, 2}, [3]int{3, 2, 1}, 0, 0))
	want("fill", out[:6], 255, 255, 0, 255, 255, 0)
	b, _ := c.NewBuffer(0, 16, nil)
	must(q.CopyImageToBuffer(b, 2, m, [3]int{2, 0, 0}, [3]int{2, 2, 1}))
	want("image to buffer", b.Bytes()[:8], 0, 0, 2, 3, 6, 7, 0, 0)
	must(q.CopyBufferToImage(m, [3]int{0, 2, 1}, [3]int{3, 1, 1}, b, 3))
	must(q.ReadImage(out[:4], m, [3]int{0, 2, 1}, [3]int{4, 1, 1}, 0, 0))
	want("buffer to image", out[:4], 3, 6, 7, 23)
	mem, row, slice, e, err := q.MapImage(m, true, true, [3]int{1, 1, 0}, [3]int{2, 1, 2})
	must(e, err)
	want("map", []byte{mem[0], mem[1], mem[slice], byte(row), byte(slice), byte(m.MapCount())}, 5, 6, 17, 4, 12, 1)
	must(q.UnmapImage(m, mem))
	want("unmap", nil)
	if m.MapCount() != 0 {
		t.Errorf("%d regions are mapped", m.MapCount())
	}

	for i, x := range []struct {
		err  error
		want opencl.Status
	}{
		{second(q.ReadImage(out, m, [3]int{3, 0, 0}, [3]int{2, 1, 1}, 0, 0)), opencl.InvalidValue},
		{second(q.ReadImage(out, m, [3]int{}, [3]int{2, 0, 1}, 0, 0)), opencl.InvalidValue},
		{second(q.ReadImage(out, m, [3]int{}, [3]int{4, 3, 2}, 0, 0)), opencl.InvalidValue}, // host memory too small
		{second(q.ReadImage(out, m, [3]int{}, [3]int{4, 1, 1}, 3, 0)), opencl.InvalidValue},
		{second(q.ReadImage(out, nil, [3]int{}, [3]int{1, 1, 1}, 0, 0)), opencl.InvalidMemObject},
		{second(q.CopyImage(m, [3]int{}, m, [3]int{1, 0, 0}, [3]int{2, 1, 1})), opencl.MemCopyOverlap},
		{second(q.CopyImage(m, [3]int{}, newImage(t, host.ImageFormat{Order: opencl.OrderR, Type: opencl.SignedInt8}, cube, nil), [3]int{}, [3]int{1, 1, 1})), opencl.ImageFormatMismatch},
		{second(q.FillImage(m, [4]float32{}, [3]int{}, [3]int{1, 1, 1})), opencl.InvalidValue},
		{second(q.UnmapImage(m, mem)), opencl.InvalidValue},
		{second(q.CopyImageToBuffer(b, 15, m, [3]int{}, [3]int{2, 1, 1})), opencl.InvalidValue},
	} {
		if got := host.StatusOf(x.err); got != x.want {
			t.Errorf("error %d: %v (%v), want %v", i, got, x.err, x.want)
		}
	}
}

func second(_ *host.Event, err error) error { return err }

// TestSharedImages checks that an image made from a buffer and a view of an image see each other's writes.
func TestSharedImages(t *testing.T) {
	c := host.DefaultContext()
	buf, _ := c.NewBuffer(0, 32, nil)
	f := host.ImageFormat{Order: opencl.OrderRGBA, Type: opencl.UnormInt8}
	m := newImage(t, f, host.ImageDesc{Type: opencl.Image2D, Width: 3, Height: 2, RowPitch: 16, Buffer: buf}, nil)
	v := newImage(t, host.ImageFormat{Order: opencl.OrderSRGBA, Type: opencl.UnormInt8}, host.ImageDesc{Type: opencl.Image2D, Width: 3, Height: 2, Image: m}, nil)
	k := kernelOf(t, "kernel void k(write_only image2d_t a, float x) { write_imagef(a, (int2)(1, 1), (float4)(x)); }", "", "k")
	if err := k.Run(context.Background(), host.Range(1), v, 0.5); err != nil {
		t.Fatal(err)
	}
	// c_sRGB(0.5) = 1.055 * 0.5^(1/2.4) - 0.055 = 0.7353…, times 255 = 187.5…; alpha is linear: 127.5, to even.
	if want := []byte{188, 188, 188, 128}; !bytes.Equal(buf.Bytes()[20:24], want) {
		t.Errorf("got %v, want %v", buf.Bytes()[20:24], want)
	}
	if d := m.Desc(); d.RowPitch != 16 || d.SlicePitch != 0 || d.Height != 2 || d.Buffer != buf {
		t.Errorf("described as %+v", d)
	}
}

// TestSupportedImageFormats checks that the specification's minimum lists are supported.
func TestSupportedImageFormats(t *testing.T) {
	c := host.DefaultContext()
	have := map[host.ImageFormat]bool{}
	list, err := c.SupportedImageFormats(host.MemReadWrite, opencl.Image2D)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		have[f] = true
	}
	all := []opencl.ChannelType{opencl.UnormInt8, opencl.UnormInt16, opencl.SnormInt8, opencl.SnormInt16, opencl.SignedInt8, opencl.SignedInt16, opencl.SignedInt32,
		opencl.UnsignedInt8, opencl.UnsignedInt16, opencl.UnsignedInt32, opencl.HalfFloat, opencl.FloatChannel}
	for order, types := range map[opencl.ChannelOrder][]opencl.ChannelType{opencl.OrderR: all, opencl.OrderRG: all, opencl.OrderRGBA: all, opencl.OrderBGRA: all[:1], opencl.OrderSRGBA: all[:1],
		opencl.OrderDepth: {opencl.UnormInt16, opencl.FloatChannel}} {
		for _, typ := range types {
			if !have[host.ImageFormat{Order: order, Type: typ}] {
				t.Errorf("no %v, %v", order, typ)
			}
		}
	}
	if _, err := c.SupportedImageFormats(0, 5); !errors.Is(err, opencl.InvalidValue) {
		t.Errorf("bad type: %v", err)
	}
	if _, err := c.SupportedImageFormats(host.MemKernelReadAndWrite, opencl.Image3D); err != nil {
		t.Error(err)
	}
}

// BenchmarkImages measures a work-item that reads and writes one element.
func BenchmarkImages(b *testing.B) {
	const n = 256
	p, err := host.Compile(`
		kernel void near(read_only image2d_t a, write_only image2d_t b) {
			int2 p = (int2)(get_global_id(0), get_global_id(1));
			write_imagef(b, p, read_imagef(a, p));
		}
		kernel void linear(read_only image2d_t a, write_only image2d_t b) {
			const sampler_t s = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
			int2 p = (int2)(get_global_id(0), get_global_id(1));
			write_imagef(b, p, read_imagef(a, s, (convert_float2(p) + 0.3f) / convert_float2(get_image_dim(b))));
		}`, "")
	if err != nil {
		b.Fatal(err)
	}
	rgba8 := host.ImageFormat{Order: opencl.OrderRGBA, Type: opencl.UnormInt8}
	src, err := host.DefaultContext().NewImage(0, rgba8, host.ImageDesc{Type: opencl.Image2D, Width: n, Height: n}, nil)
	if err != nil {
		b.Fatal(err)
	}
	dst, err := host.DefaultContext().NewImage(0, rgba8, host.ImageDesc{Type: opencl.Image2D, Width: n, Height: n}, nil)
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range p.KernelNames() {
		b.Run(name, func(b *testing.B) {
			k, err := p.Kernel(name)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := k.RunWith(context.Background(), host.RunOptions{Workers: 1}, host.Range(n, n), src, dst); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n/n, "ns/work-item")
		})
	}
}

// TestRawImages checks that functions of another kind than the format read and write the channels' bits.
func TestRawImages(t *testing.T) {
	const n = 80 // a multiple of the work-items in a gang, and a remainder
	sources := map[string]string{}
	for _, f := range []string{"f", "i", "ui"} {
		as := map[string]string{"f": "as_uint4(%s)", "i": "as_uint4(%s)", "ui": "%s"}[f]
		sources["read"+f] = "kernel void k(read_only image1d_t a, global uint4 *o) { int i = get_global_id(0); o[i] = " + fmt.Sprintf(as, "read_image"+f+"(a, i)") + "; }"
		sources["sample"+f] = "constant sampler_t s = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR; kernel void k(read_only image1d_t a, global uint4 *o) { int i = get_global_id(0); o[i] = " + fmt.Sprintf(as, "read_image"+f+"(a, s, i + 0.5f)") + "; }"
		typ := map[string]string{"f": "as_float4(v)", "i": "as_int4(v)", "ui": "v"}[f]
		sources["write"+f] = "kernel void k(write_only image1d_t a, global uint4 *o) { int i = get_global_id(0); uint4 v = o[i]; write_image" + f + "(a, i, " + typ + "); }"
	}
	for _, c := range []struct {
		format host.ImageFormat
		fits   string
		size   int // bytes of a channel
		signed bool
	}{
		{host.ImageFormat{Order: opencl.OrderRGBA, Type: opencl.FloatChannel}, "f", 4, false},
		{host.ImageFormat{Order: opencl.OrderRGBA, Type: opencl.HalfFloat}, "f", 2, false},
		{host.ImageFormat{Order: opencl.OrderRGBA, Type: opencl.UnormInt8}, "f", 1, false},
		{host.ImageFormat{Order: opencl.OrderSRGBA, Type: opencl.UnormInt8}, "f", 1, false},
		{host.ImageFormat{Order: opencl.OrderRGBA, Type: opencl.SnormInt8}, "f", 1, true},
		{host.ImageFormat{Order: opencl.OrderRGBA, Type: opencl.SnormInt16}, "f", 2, true},
		{host.ImageFormat{Order: opencl.OrderRGBA, Type: opencl.UnormInt16}, "f", 2, false},
		{host.ImageFormat{Order: opencl.OrderRGBA, Type: opencl.SignedInt8}, "i", 1, true},
		{host.ImageFormat{Order: opencl.OrderRGBA, Type: opencl.SignedInt32}, "i", 4, true},
		{host.ImageFormat{Order: opencl.OrderRGBA, Type: opencl.UnsignedInt16}, "ui", 2, false},
		{host.ImageFormat{Order: opencl.OrderRGBA, Type: opencl.UnsignedInt32}, "ui", 4, false},
	} {
		data, want := make([]byte, n*4*c.size), make([]uint32, 4*n)
		for i := range want {
			x := uint32(i) * 2654435761
			for b := range c.size {
				data[i*c.size+b] = byte(x >> (8 * b))
			}
			shift := 32 - 8*c.size
			want[i] = x << shift >> shift
			if c.signed {
				want[i] = uint32(int32(x<<shift) >> shift)
			}
		}
		for name, source := range sources {
			if strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(name, "read"), "sample"), "write") == c.fits {
				continue
			}
			k := kernelOf(t, source, "-cl-std=CL3.0", "k")
			for _, checks := range []host.Checks{host.CheckNone, host.CheckMemory} {
				img, err := host.DefaultContext().NewImage(host.MemCopyHostPtr, c.format, host.ImageDesc{Type: opencl.Image1D, Width: n}, data)
				if err != nil {
					t.Fatal(err)
				}
				out := make([]uint32, 4*n)
				write := strings.HasPrefix(name, "write")
				if write {
					clear(img.Bytes())
					copy(out, want)
				}
				rep, err := k.RunWith(context.Background(), host.RunOptions{Checks: checks}, host.Range(n), img, out)
				if err != nil || len(rep.Findings) > 0 {
					t.Fatalf("%s of %v: %v, %v", name, c.format, err, rep)
				}
				if write && !bytes.Equal(img.Bytes(), data) || !slices.Equal(out, want) {
					t.Errorf("%s of %v with checks %v: got %x…, want %x…", name, c.format, checks, out[:8], want[:8])
				}
			}
		}
	}
}
