package host

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/gpu/device"
	"github.com/purecl/purecl/internal/test/gputest"
)

// A mixed is a context of the processor and two simulated GPUs, with a queue for each.
type mixed struct {
	ctx    *Context
	queues []*Queue
}

func newMixed(t *testing.T, props QueueProperties) *mixed {
	m := &mixed{}
	devices := []*Device{DefaultDevice(), NewRemote(device.New(gputest.Sim())), NewRemote(device.New(gputest.Sim()))}
	var err error
	if m.ctx, err = NewContext(nil, devices...); err != nil {
		t.Fatal(err)
	}
	for _, d := range devices {
		q, err := m.ctx.NewQueue(d, props)
		if err != nil {
			t.Fatal(err)
		}
		m.queues = append(m.queues, q)
	}
	return m
}

// done waits for a command.
func done(t *testing.T, q *Queue) func(e *Event, err error) {
	return func(e *Event, err error) {
		t.Helper()
		if err == nil {
			err = q.Await(context.Background(), e)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

const addKernel = `kernel void add(global uchar *a, global const uchar *b, uchar n) {
	size_t i = get_global_id(0);
	a[i] += b[i] + n;
}`

// TestMixed runs random commands on the buffers of a context whose devices have their own memories, and compares
// the contents with those of the same commands on plain memory.
func TestMixed(t *testing.T) {
	const size, part = 1024, 256
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		m := newMixed(t, QueueProperties{})
		prog, err := m.ctx.Build(Source{Text: addKernel}, "")
		if err != nil {
			t.Fatal(err)
		}
		k, err := prog.Kernel("add")
		if err != nil {
			t.Fatal(err)
		}
		var model [2][]byte
		var buffers [2][]*Buffer // the buffer, then its parts
		for i := range model {
			model[i] = make([]byte, size)
			for j := range model[i] {
				model[i][j] = byte(r.Uint32())
			}
			b, err := m.ctx.NewBuffer(MemCopyHostPtr, size, bytes.Clone(model[i]))
			if err != nil {
				t.Fatal(err)
			}
			buffers[i] = append(buffers[i], b)
			for off := 0; off < size; off += part {
				s, err := b.SubBuffer(0, off, part)
				if err != nil {
					t.Fatal(err)
				}
				buffers[i] = append(buffers[i], s)
			}
		}
		pick := func(i int) (*Buffer, []byte) {
			b := buffers[i][r.IntN(len(buffers[i]))]
			_, off := b.Parent()
			return b, model[i][off : off+b.Size()]
		}
		for range 60 {
			q := m.queues[r.IntN(len(m.queues))]
			i := r.IntN(2)
			b, mem := pick(i)
			lo := r.IntN(len(mem))
			n := 1 + r.IntN(len(mem)-lo)
			switch r.IntN(7) {
			case 0:
				src := make([]byte, n)
				for j := range src {
					src[j] = byte(r.Uint32())
				}
				done(t, q)(q.Write(b, lo, src))
				copy(mem[lo:], src)
			case 1:
				dst := make([]byte, n)
				done(t, q)(q.Read(dst, b, lo))
				if !bytes.Equal(dst, mem[lo:lo+n]) {
					t.Fatalf("seed %d: a read differs", seed)
				}
			case 2:
				to, toMem := pick(1 - i)
				n = min(n, len(toMem))
				at := r.IntN(len(toMem) - n + 1)
				done(t, q)(q.Copy(to, at, b, lo, n))
				copy(toMem[at:at+n], mem[lo:lo+n])
			case 3:
				done(t, q)(q.Fill(b, []byte{byte(n)}, lo, n))
				for j := range n {
					mem[lo+j] = byte(n)
				}
			case 4:
				write := r.IntN(2) == 0
				region, e, err := q.Map(b, true, write, lo, n)
				done(t, q)(e, err)
				if !bytes.Equal(region, mem[lo:lo+n]) {
					t.Fatalf("seed %d: a mapped region differs", seed)
				}
				if write {
					region[0] ^= 0x55
					mem[lo] ^= 0x55
				}
				done(t, q)(q.Unmap(b, region))
			case 5:
				src := make([]byte, 64)
				rect := Rect{RowPitch: 16}
				done(t, q)(q.WriteRect(b, rect, src, Rect{}, [3]int{8, 8, 1}))
				for y := range 8 {
					clear(mem[16*y : 16*y+8])
				}
			case 6:
				from, fromMem := pick(1 - i)
				n = min(len(mem), len(fromMem))
				for j, v := range []any{b, from, RawValue{byte(lo)}} {
					if err := k.Set(j, v); err != nil {
						t.Fatal(err)
					}
				}
				done(t, q)(q.NDRange(k, Range(n)))
				for j := range n {
					mem[j] += fromMem[j] + byte(lo)
				}
			}
		}
		for i := range model {
			dst := make([]byte, size)
			q := m.queues[i]
			done(t, q)(q.Read(dst, buffers[i][0], 0))
			if !bytes.Equal(dst, model[i]) {
				t.Errorf("seed %d: buffer %d differs at the end", seed, i)
			}
		}
	}
}

// TestRemoteFault runs a kernel that accesses memory outside its buffer on a GPU. The error names line and buffer,
// another buffer keeps its contents, and events have times.
func TestRemoteFault(t *testing.T) {
	m := newMixed(t, QueueProperties{Profiling: true})
	q := m.queues[1]
	prog, err := m.ctx.Build(Source{Text: "kernel void k(global int *a) {\n  a[get_global_id(0)] = 7;\n}"}, "")
	if err != nil {
		t.Fatal(err)
	}
	k, err := prog.Kernel("k")
	if err != nil {
		t.Fatal(err)
	}
	b, err := m.ctx.NewBuffer(0, 1024, nil)
	if err != nil {
		t.Fatal(err)
	}
	sub, err := b.SubBuffer(0, 256, 256)
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Set(0, sub); err != nil {
		t.Fatal(err)
	}
	e, err := q.NDRangeWith(RunOptions{Faults: FaultStrict}, k, Range(70))
	if err != nil {
		t.Fatal(err)
	}
	var fault *FaultError
	if err = q.Await(context.Background(), e); !errors.As(err, &fault) || len(fault.Findings) != 1 || !strings.Contains(err.Error(), ":2:") || fault.Findings[0].Object != "a" {
		t.Errorf("got %v", err)
	}
	dst := make([]byte, 1024)
	e, err = q.Read(dst, b, 0)
	if err == nil {
		err = e.Wait(context.Background())
	}
	for i, x := range dst {
		if err != nil || x != 0 && (i < 256 || i >= 512) {
			t.Fatalf("byte %d is %d, %v", i, x, err)
		}
	}
	e, err = q.NDRange(k, Range(64))
	if err == nil {
		err = e.Wait(context.Background())
	}
	if err != nil {
		t.Fatal(err)
	}
	if p, err := e.Profile(); err != nil || p.Start < p.Submit || p.End < p.Start || p.Complete < p.End {
		t.Errorf("%+v, %v", p, err)
	}
}

// TestRemoteInfo queries what a GPU device supports: sRGB images, but not partitioning.
func TestRemoteInfo(t *testing.T) {
	d := NewRemote(device.New(gputest.Sim()))
	if _, err := d.PartitionEqually(1); !errors.Is(err, opencl.DevicePartitionFailed) {
		t.Error(err)
	}
	ctx, err := NewContext(nil, d)
	if err != nil {
		t.Fatal(err)
	}
	srgb := ImageFormat{Order: opencl.OrderSRGBA, Type: opencl.UnormInt8}
	if _, err = ctx.NewImage(0, srgb, ImageDesc{Type: opencl.Image2D, Width: 4, Height: 4}, nil); err != nil {
		t.Error(err)
	}
	if list, err := ctx.SupportedImageFormats(0, opencl.Image2D); err != nil || !slices.Contains(list, srgb) {
		t.Errorf("%v, %v", list, err)
	}
	if i := d.Info(); !i.Images || i.Type != DeviceGPU || i.Vendor != "PureCL" || i.Details.Bus == nil || !slices.Contains(i.Extensions, "cl_khr_pci_bus_info") {
		t.Errorf("%+v", i)
	}
}

const pictureKernel = `constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
kernel void blur(read_only image2d_t in, write_only image2d_t out, float by) {
	int2 p = (int2)(get_global_id(0), get_global_id(1));
	write_imagef(out, p, read_imagef(in, s, convert_float2(p) + by).wxyz);
}`

// A gallery is a context with two images, of which the second uses the memory of a buffer.
type gallery struct {
	queues []*Queue
	kernel *Kernel
	images []*Image
	buffer *Buffer
}

const galleryWidth, galleryHeight = 16, 6

func newGallery(t *testing.T, ctx *Context, queues []*Queue) *gallery {
	g := &gallery{queues: queues}
	prog, err := ctx.Build(Source{Text: pictureKernel}, "")
	if err == nil {
		g.kernel, err = prog.Kernel("blur")
	}
	if err == nil {
		g.buffer, err = ctx.NewBuffer(0, 4*galleryWidth*galleryHeight, nil)
	}
	f := ImageFormat{Order: opencl.OrderRGBA, Type: opencl.UnormInt8}
	desc := ImageDesc{Type: opencl.Image2D, Width: galleryWidth, Height: galleryHeight}
	for i := range 2 {
		if i == 1 {
			desc.Buffer, desc.RowPitch = g.buffer, 4*galleryWidth
		}
		var m *Image
		if err == nil {
			m, err = ctx.NewImage(0, f, desc, nil)
		}
		g.images = append(g.images, m)
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// step runs a random command, the same for equal states of the generator, and returns what the host reads of it.
func (g *gallery) step(t *testing.T, r *rand.Rand) (seen []byte) {
	q := g.queues[r.IntN(3)%len(g.queues)]
	i := r.IntN(2)
	m := g.images[i]
	x, y := r.IntN(galleryWidth), r.IntN(galleryHeight)
	origin, region := [3]int{x, y, 0}, [3]int{1 + r.IntN(galleryWidth-x), 1 + r.IntN(galleryHeight-y), 1}
	mem := make([]byte, 4*region[0]*region[1])
	switch r.IntN(6) {
	case 0:
		for k := range mem {
			mem[k] = byte(r.Uint32())
		}
		done(t, q)(q.WriteImage(m, origin, region, mem, 0, 0))
	case 1:
		done(t, q)(q.ReadImage(mem, m, origin, region, 0, 0))
		return mem
	case 2:
		done(t, q)(q.FillImage(m, [4]float32{r.Float32(), 0, 1, 0.5}, origin, region))
	case 3:
		done(t, q)(q.CopyImage(g.images[1-i], origin, m, origin, region))
	case 4:
		mem = make([]byte, g.buffer.Size())
		done(t, q)(q.Read(mem, g.buffer, 0))
		return mem
	case 5:
		for k, v := range []any{m, g.images[1-i], RawValue(binary.LittleEndian.AppendUint32(nil, math.Float32bits(r.Float32()-0.5)))} {
			if err := g.kernel.Set(k, v); err != nil {
				t.Fatal(err)
			}
		}
		done(t, q)(q.NDRange(g.kernel, Range(galleryWidth, galleryHeight)))
	}
	return nil
}

// TestMixedImages runs random commands on images in a context of the processor and two GPUs, and
// compares with the processor alone.
func TestMixedImages(t *testing.T) {
	for seed := range uint64(10) {
		m := newMixed(t, QueueProperties{})
		alone, err := NewContext(nil, DefaultDevice())
		if err != nil {
			t.Fatal(err)
		}
		q, err := alone.NewQueue(DefaultDevice(), QueueProperties{})
		if err != nil {
			t.Fatal(err)
		}
		a, b := newGallery(t, m.ctx, m.queues), newGallery(t, alone, []*Queue{q})
		ra, rb := rand.New(rand.NewPCG(seed, 2)), rand.New(rand.NewPCG(seed, 2))
		for i := range 80 {
			if got, want := a.step(t, ra), b.step(t, rb); !bytes.Equal(got, want) {
				t.Fatalf("seed %d, command %d: %x, want %x", seed, i, got, want)
			}
		}
	}
}
