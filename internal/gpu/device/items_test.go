package device_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"testing"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/gpu/device"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/test/gputest"
)

// A watched is a machine that keeps the blocks of the last grid.
type watched struct {
	device.Machine
	blocks [3]uint32
}

type watchedStream struct {
	device.Stream
	m *watched
}

func (m *watched) NewStream() (device.Stream, error) {
	s, err := m.Machine.NewStream()
	return watchedStream{s, m}, err
}

func (s watchedStream) Launch(c device.Code, g *device.Grid) error {
	s.m.blocks = g.Blocks
	return s.Stream.Launch(c, g)
}

// TestItems runs kernels on ranges so long that threads run several work-items, on shorter ones and on such that do not
// divide. The kernels' results are computed here.
func TestItems(t *testing.T) {
	const src = `
kernel void words(global float *y, global const float *x, float a) { size_t i = get_global_id(0); y[i] = a * x[i] + y[i]; }
kernel void narrow(global uchar *y, global const float *x, float a) { size_t i = get_global_id(0); y[i] = convert_uchar_sat_rte(x[i] * a); }
kernel void wide(global long *y, global const float *x, float a) { size_t i = get_global_id(0); y[i] = (long)(x[i] * a) + i; }
kernel void plane(global int *y, global const float *x, float a) {
	size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0); y[i] = x[i] * a - get_global_id(0);
}
kernel void moved(global float *y, global const float *x, float a) { size_t i = get_global_id(0) - 7; y[i] = x[i] * a + get_global_id(0); }
kernel void vectors(global float4 *y, global const float *x, float a) { size_t i = get_global_id(0); y[i] = (float4)(x[i] * a, 1, 2, 3); }
kernel void pairs(global float2 *y, global const float *x, float a) { size_t i = get_global_id(0); y[i] = (float2)(x[i] * a, 1); }
kernel void branch(global float *y, global const float *x, float a) { size_t i = get_global_id(0); if (x[i] > 50) y[i] = a; }
kernel void local_ids(global float *y, global const float *x, float a) { size_t i = get_global_id(0); y[i] = x[i] * a + get_local_id(0); }
`
	res, err := compile.Compile(context.Background(), "k.cl", []byte(src), nil)
	if err != nil {
		t.Fatal(err)
	}
	m := &watched{Machine: gputest.Sim()}
	dev := device.New(m)
	prog, err := dev.Load(&exec.Module{Module: res.Module})
	if err != nil {
		t.Fatal(err)
	}
	word := func(b []byte, x uint32) []byte { return binary.LittleEndian.AppendUint32(b, x) }
	float := func(b []byte, x float32) []byte { return word(b, math.Float32bits(x)) }
	in := func(i int) float32 { return float32(i % 101) }
	const a = 3
	values := map[string]func(b []byte, i, x int) []byte{ // appends the result of work-item i, whose first id is x
		"words":  func(b []byte, i, x int) []byte { return float(b, a*in(i)) },
		"narrow": func(b []byte, i, x int) []byte { return append(b, byte(min(255, a*in(i)))) },
		"wide":   func(b []byte, i, x int) []byte { return binary.LittleEndian.AppendUint64(b, uint64(a*in(i))+uint64(x)) },
		"plane":  func(b []byte, i, x int) []byte { return word(b, uint32(int32(a*in(i)-float32(x)))) },
		"moved":  func(b []byte, i, x int) []byte { return float(b, a*in(i)+float32(x)) },
		"vectors": func(b []byte, i, x int) []byte {
			return float(float(float(float(b, a*in(i)), 1), 2), 3)
		},
		"pairs": func(b []byte, i, x int) []byte { return float(float(b, a*in(i)), 1) },
		"branch": func(b []byte, i, x int) []byte {
			if in(i) > 50 {
				return float(b, a)
			}
			return word(b, 0)
		},
		"local_ids": func(b []byte, i, x int) []byte { return float(b, a*in(i)+float32(i%8)) },
	}
	for _, c := range []struct {
		kernel        string
		global, local []uint64
		offset        []uint64
		blocks        [3]uint32
	}{
		{"words", []uint64{4096}, []uint64{8}, nil, [3]uint32{128, 1, 1}},
		{"words", []uint64{4064}, []uint64{8}, nil, [3]uint32{508, 1, 1}},
		{"words", []uint64{4104}, []uint64{8}, nil, [3]uint32{513, 1, 1}},
		{"words", []uint64{4128}, []uint64{8}, nil, [3]uint32{129, 1, 1}},
		{"words", []uint64{4127}, []uint64{8}, nil, [3]uint32{516, 1, 1}},
		{"narrow", []uint64{4096}, []uint64{8}, nil, [3]uint32{128, 1, 1}},
		{"wide", []uint64{2048}, []uint64{8}, nil, [3]uint32{128, 1, 1}},
		{"wide", []uint64{2040}, []uint64{8}, nil, [3]uint32{255, 1, 1}},
		{"plane", []uint64{64, 64}, []uint64{8, 2}, nil, [3]uint32{2, 32, 1}},
		{"plane", []uint64{56, 80}, []uint64{8, 2}, nil, [3]uint32{7, 40, 1}},
		{"moved", []uint64{4096}, []uint64{8}, []uint64{7}, [3]uint32{128, 1, 1}},
		{"vectors", []uint64{4096}, []uint64{8}, nil, [3]uint32{512, 1, 1}},
		{"pairs", []uint64{4096}, []uint64{8}, nil, [3]uint32{512, 1, 1}},
		{"branch", []uint64{4096}, []uint64{8}, nil, [3]uint32{512, 1, 1}},
		{"local_ids", []uint64{4096}, []uint64{8}, nil, [3]uint32{512, 1, 1}},
	} {
		items := int(c.global[0])
		if len(c.global) > 1 {
			items *= int(c.global[1])
		}
		var x, want []byte
		for i := range items {
			first := i % int(c.global[0])
			if c.offset != nil {
				first += int(c.offset[0])
			}
			x, want = float(x, in(i)), values[c.kernel](want, i, first)
		}
		if got := itemsRun(t, dev, prog, c.kernel, x, len(want), a, exec.Range{Global: c.global, Local: c.local, Offset: c.offset}); !bytes.Equal(got, want) {
			t.Errorf("%s over %v: got %x, want %x", c.kernel, c.global, got, want)
		}
		if m.blocks != c.blocks {
			t.Errorf("%s over %v: a grid of %v blocks, want %v", c.kernel, c.global, m.blocks, c.blocks)
		}
	}
}

// itemsRun runs a kernel with a zero output of size bytes, the input x and the number a. It returns the output.
func itemsRun(t *testing.T, dev exec.Device, prog exec.Program, kernel string, x []byte, size int, a float32, r exec.Range) []byte {
	t.Helper()
	k, err := prog.Kernel(kernel)
	if err != nil {
		t.Fatal(err)
	}
	q, err := dev.NewQueue()
	if err != nil {
		t.Fatal(err)
	}
	out, err := dev.Allocate(size)
	if err != nil {
		t.Fatal(err)
	}
	mem, err := dev.Allocate(len(x))
	if err != nil {
		t.Fatal(err)
	}
	l := &exec.Launch{Kernel: k, Args: []exec.Arg{{Kind: exec.MemoryArg, Memory: out}, {Kind: exec.MemoryArg, Memory: mem}, {Kind: exec.ValueArg, Bytes: binary.LittleEndian.AppendUint32(nil, math.Float32bits(a))}}}
	if l.Range, err = k.Resolve(r); err != nil && r.Global[0]%r.Local[0] != 0 {
		rest := r
		rest.Local = nil
		if l.Range, err = k.Resolve(rest); err == nil {
			l.Range.Local[0] = r.Local[0]
		}
	}
	got := make([]byte, size)
	for _, err := range []error{err, q.Write(mem, x), q.Launch(context.Background(), l), q.Read(got, out), q.Wait(context.Background())} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(l.Report.Findings) > 0 {
		t.Errorf("%s: found %v", kernel, l.Report.Findings[0])
	}
	return got
}
