//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"bytes"
	"testing"

	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/launch"
)

const streamKernels = `
kernel void copy(global float *out, global const float *in) { size_t i = get_global_id(0); out[i] = in[i]; }
kernel void widen(global int4 *out, global const char4 *in) { size_t i = get_global_id(0); out[i] = convert_int4(in[i]); }
kernel void two(global ushort *a, global int *b, int n) { size_t i = get_global_id(0); a[i] = i; b[i] = n + i; }
kernel void rewrite(global float *a) { size_t i = get_global_id(0); a[i] = a[i] * 2; }
kernel void again(global float *a, int n) { size_t i = get_global_id(0); for (int k = n; k > 0; k >>= 1) a[i] = k; }
kernel void some(global float *a, global const float *b) { size_t i = get_global_id(0); if (b[i] > 0) a[i] = 1; }
kernel void fence(global float *a, global const float *b) { size_t i = get_global_id(0); a[i] = b[i]; mem_fence(CLK_GLOBAL_MEM_FENCE); }
kernel void either(global float *a, global float *b, global float *c, int n) { size_t i = get_global_id(0); global float *p = n ? a : b; c[i] = p[i & 7]; }
kernel void scatter(global float *a, global const int *b) { size_t i = get_global_id(0); a[b[i]] = i; }
`

// TestStreamBytes checks which stores may be non-temporal.
func TestStreamBytes(t *testing.T) {
	m := build(t, streamKernels)
	want := map[string]int{"copy": 4, "widen": 16, "two": 6, "rewrite": 0, "again": 0, "some": 0, "fence": 0, "either": 0, "scatter": 0}
	fence := []byte{0x0f, 0xae, 0xf8}
	for _, lv := range levels() {
		for name, bytesEach := range want {
			for _, streams := range []bool{false, true} {
				c := compiled(t, m.Func(name), Options{Level: lv, Lanes: 4 * lv.Lanes, Streams: streams})
				if c.base.StreamBytes != bytesEach {
					t.Errorf("%s, %s: %d bytes, want %d", name, lv.Name, c.base.StreamBytes, bytesEach)
				}
				if has, want := bytes.Contains(c.base.Bytes, fence), streams && bytesEach > 0; has != want {
					t.Errorf("%s, %s, %v: the code ends with a fence: %t, want %t", name, lv.Name, streams, has, want)
				}
			}
		}
	}
}

// TestStreams writes more than the caches hold, to memory at the start of a cache line and elsewhere, and
// compares all of it.
func TestStreams(t *testing.T) {
	m := build(t, streamKernels)
	const n = streamFrom/4 + 5
	in := filled(4*n, func(i int) byte { return byte(i * 7 >> 3) })
	for _, lv := range levels() {
		for _, by := range []int{0, 4} {
			got, msg := run(t, m, "copy", New(Options{Panics: true, Level: lv}), []uint64{n}, []uint64{64}, []any{shifted{make(buf, 4*n), by}, in})
			if msg != "" || !bytes.Equal(got[0], in) {
				t.Errorf("%s, %d bytes behind a line's beginning: %s, or not what was read", lv.Name, by, msg)
			}
		}
	}
}

// watched records the code that an executor makes.
type watched struct {
	exec.Executor
	code *Code
}

func (w *watched) Prepare(f *ssa.Func, checks exec.Checks, first *exec.NDRange) (exec.Code, error) {
	c, err := w.Executor.Prepare(f, checks, first)
	w.code, _ = c.(*Code)
	return c, err
}

// TestStreamForm checks which launches use non-temporal stores.
func TestStreamForm(t *testing.T) {
	m := build(t, streamKernels)
	for _, lv := range levels() {
		for _, test := range []struct {
			items uint64
			alias bool
			want  bool
		}{{streamFrom / 4, false, true}, {streamFrom/4 - 64, false, false}, {streamFrom / 4, true, false}} {
			exec := &watched{Executor: New(Options{Panics: true, Level: lv})}
			k := kernelOf(t, m, exec, "copy")
			out := &launch.Buffer{Data: make([]byte, 4*test.items)}
			in := out
			if !test.alias {
				in = &launch.Buffer{Data: make([]byte, 4*test.items)}
			}
			_, err := RunRobust(&launch.Launch{Kernel: k, Args: []launch.Arg{launch.Memory(out), launch.Memory(in)}, Range: launch.Range{Global: []uint64{test.items}, NonUniform: true}, Workers: 2})
			if err != nil {
				t.Fatal(err)
			}
			key := exec.code.base.memoryKey()
			key.streams = true
			if got := exec.code.variants[key] != nil; got != test.want {
				t.Errorf("%s: %+v: %t", lv.Name, test, got)
			}
		}
	}
}

// TestNarrowUpdates checks which launches use accesses of 32 bytes on a processor that updates memory faster so, and
// compares what they write.
func TestNarrowUpdates(t *testing.T) {
	m := build(t, streamKernels+`
kernel void add4(global float4 *y, global const float4 *x) { size_t i = get_global_id(0); y[i] = x[i] + y[i]; }
kernel void reversed(global float *a, int n) { size_t i = get_global_id(0); a[n - i] = a[n - i] * 2; }`)
	x86Levels := levels()
	lv := x86Levels[len(x86Levels)-1]
	if !lv.EVEX {
		return // no wider accesses
	}
	for _, test := range []struct {
		name  string
		items int
		args  []any // beside the object that is written
		elem  int
		want  bool
	}{
		{"rewrite", updateFrom / 8, nil, 4, true},
		{"rewrite", updateFrom/8 - 64, nil, 4, false},
		{"add4", updateFrom / 48, []any{filled(updateFrom/3, func(i int) byte { return byte(i & 63) })}, 16, false},
		{"add4", updateFrom/48 + 1, []any{filled(updateFrom/3+64, func(i int) byte { return byte(i & 63) })}, 16, true},
		{"copy", updateFrom / 8, []any{make(buf, updateFrom/2)}, 4, false},
		{"reversed", updateFrom / 8, []any{i32(updateFrom/8 - 1)}, 4, false},
	} {
		out := filled(test.items*test.elem, func(i int) byte { return byte(i >> 3 & 63) })
		e := &watched{Executor: New(Options{Panics: true, Level: lv, Narrow: true})}
		args := append([]any{out}, test.args...)
		got, msg := run(t, m, test.name, e, []uint64{uint64(test.items)}, []uint64{64}, args)
		if msg != "" {
			t.Fatalf("%s: %s", test.name, msg)
		}
		key := e.code.base.key
		key.level = x86.AVX2
		if used := e.code.variants[key] != nil; used != test.want {
			t.Errorf("%s, %d work-items: narrow accesses %t, want %t", test.name, test.items, used, test.want)
		}
		if want, _ := run(t, m, test.name, New(Options{Panics: true, Level: x86.AVX2}), []uint64{uint64(test.items)}, []uint64{64}, args); !bytes.Equal(got[0], want[0]) {
			t.Errorf("%s: not what other code writes", test.name)
		}
	}
}
