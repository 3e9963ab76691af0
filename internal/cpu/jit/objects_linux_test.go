//go:build amd64

package jit

import (
	"bytes"
	"encoding/binary"
	"syscall"
	"testing"

	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
)

// largeSize is the size of an object whose offsets do not fit into 32 bits.
const largeSize = 5<<30 + 20

// A largeMemory is a large mapping of which only the surroundings of a few places are touched.
type largeMemory struct {
	data   []byte
	places []int
}

func newLargeMemory(t *testing.T) *largeMemory {
	t.Helper()
	m, err := syscall.Mmap(-1, 0, largeSize+8192, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Munmap(m) })
	return &largeMemory{m, []int{0, 1 << 29, 1 << 30, 1<<31 - 4096, 1 << 31, 3 << 30, 1<<32 - 4096, 1 << 32, 1<<32 + 1<<29, largeSize - 2048, largeSize}}
}

// around calls f with the touched ranges, including one after the object, which kernels must not touch.
func (m *largeMemory) around(f func(at int, b []byte)) {
	for _, p := range m.places {
		from := max(p-4096, 0)
		f(from, m.data[from:min(p+4096, len(m.data))])
	}
}

func (m *largeMemory) fill() {
	m.around(func(at int, b []byte) {
		for i := range b {
			x := uint32(at+i) * 0x9E3779B1
			b[i] = byte(x>>24 ^ uint32((at+i)>>29))
		}
	})
}

func (m *largeMemory) contents() (all []byte) {
	m.around(func(_ int, b []byte) { all = append(all, b...) })
	return all
}

const objectKernels = `
kernel void side(global int* a, global const long* ix, global int* b, long base) { size_t i = get_global_id(0); b[i] = a[base + i]; a[base + i] = b[i] + 1; }
kernel void bytes(global uchar* a, global const long* ix, global int* b, long base) { int i = get_global_id(0); int k = (int)base + i; b[i] = a[k]; a[k] ^= 77; }
kernel void wraps(global uchar* a, global const long* ix, global int* b, long base) { uint i = get_global_id(0); uint k = (uint)base + i; b[i] = a[k]; a[k] ^= 77; }
kernel void down(global uchar* a, global const long* ix, global int* b, long base) { uint i = get_global_id(0); uint k = (uint)base - i; b[i] = a[k]; a[k] ^= 77; }
kernel void two(global ushort* a, global const long* ix, global int* b, long base) { uint i = get_global_id(0); uint k = (uint)base + 2 * i; b[i] = a[k] + a[k + 1]; a[k + 1] = i; }
kernel void more(global float4* a, global const long* ix, global int* b, long base) { int i = get_global_id(0); int k = (int)base + i; float4 x = a[k]; b[i] = as_int(x.y); a[k] = x.wzyx; }
kernel void three(global float* a, global const long* ix, global int* b, long base) { int i = get_global_id(0); float3 x = vload3(base + i, a); b[i] = as_int(x.z); vstore3(x.zxy, base + i, a); }
kernel void sum(global uchar* a, global const long* ix, global int* b, long base) { uint i = get_global_id(0); uint k = (uint)base + i; global uchar* p = a + (ix[0] & 7); b[i] = p[k]; p[k] ^= 77; }
kernel void sums(global uchar* a, global const long* ix, global int* b, long base) { int i = get_global_id(0), w = 1 << 16; int y = (int)(base >> 16), x = (int)(base & 0xffff); b[i] = a[y * w + x + i] + 256 * a[(long)y * w + x + i]; }
kernel void loop(global uchar* a, global const long* ix, global int* b, long base) { uint i = get_global_id(0); int s = 0; for (uint j = 0; j < 9 + (ix[0] & 1); j++) s = s * 3 + a[(uint)base + j * 16 + i]; b[i] = s; }
kernel void same(global uchar* a, global const long* ix, global int* b, long base) { uint i = get_global_id(0); int s = i; for (uint j = 0; j < 80 + (ix[0] & 1); j++) s = s * 3 + a[(uint)base + j]; b[i] = s; }
kernel void back(global uchar* a, global const long* ix, global int* b, long base) { uint i = get_global_id(0); int s = i; for (int j = 9; j >= 0; j--) s = s * 3 + a[(int)base - j * 4 - (int)i]; b[i] = s; }
kernel void gather(global int* a, global const long* ix, global int* b, long base) { int i = get_global_id(0); b[i] = a[ix[i] / 4]; a[ix[i] / 4] = i; }
kernel void gather1(global uchar* a, global const long* ix, global int* b, long base) { int i = get_global_id(0); b[i] = a[ix[i]]; a[ix[i]] = i; }
kernel void gather2(global ushort* a, global const long* ix, global int* b, long base) { int i = get_global_id(0); b[i] = a[ix[i] / 2]; a[ix[i] / 2] = i; }
kernel void gather8(global ulong* a, global const long* ix, global int* b, long base) { int i = get_global_id(0); b[i] = a[ix[i] / 8] >> 20; if (i & 1) a[ix[i] / 8] = i; }
kernel void gatherV(global uchar4* a, global const long* ix, global int* b, long base) { int i = get_global_id(0); uchar4 x = a[ix[i] / 4]; b[i] = as_int(x.zyxw); if (i % 3) a[ix[i] / 4] = x.yxwz; }
kernel void gatherI(global int* a, global const long* ix, global int* b, long base) { int i = get_global_id(0); int k = (int)(ix[i] / 4); b[i] = a[k]; uint n = (uint)(ix[i] / 4) * 3; b[i] ^= a[n]; }
kernel void atomics(global int* a, global const long* ix, global int* b, long base) { int i = get_global_id(0); b[i] = i & 1 ? atomic_xchg(&a[ix[i] / 4], i) : atomic_sub(&a[ix[i] / 4], i); atomic_xor(&a[ix[i] / 4], 5); }
kernel void counts(global int* a, global const long* ix, global int* b, long base) { int i = get_global_id(0); atomic_inc(&a[base]); atomic_max(&a[base + 9], i); atomic_add(&a[base + (i & 3)], 3); }
kernel void pointers(global int* a, global const long* ix, global int* b, long base) { int i = get_global_id(0); global int* p = ix[i] & 4 ? a + base + i : b + i; p[1] += 3; b[i] ^= *p; }
kernel void copies(global int* a, global const long* ix, global int* b, long base) { int i = get_global_id(0); struct { int x[10]; } s = *(global typeof(s)*)(a + base + 10 * i); b[i] = s.x[i % 10]; }
`

// TestLargeObjects compares accesses all over an object of more than 4 GiB, and out of its bounds, with the
// reference executor.
func TestLargeObjects(t *testing.T) {
	m := build(t, objectKernels)
	mem := newLargeMemory(t)
	var ix []byte
	for i := range 100 {
		k := mem.places[i*7%len(mem.places)] + i*8 - 400
		switch i {
		case 31:
			k = -8
		case 32:
			k = 1 << 38
		case 33:
			k = -1 << 62
		}
		ix = binary.LittleEndian.AppendUint64(ix, uint64(k))
	}
	execs := widths(0, 1, 2, 4)
	elem := map[string]int{"bytes": 1, "wraps": 1, "down": 1, "two": 2, "more": 16, "three": 12, "sum": 1, "sums": 1, "loop": 1, "same": 1, "back": 1}
	for _, f := range m.Funcs {
		p := map[exec.Executor]*launch.Kernel{}
		for _, e := range append([]exec.Executor{interp.Reference}, execs...) {
			p[e] = kernelOf(t, m, e, f.Name)
		}
		for _, place := range mem.places {
			size := max(elem[f.Name], 1)
			if elem[f.Name] == 0 {
				size = 4
			}
			base := place/size - 40
			run := func(e exec.Executor) (out, contents []byte, executor, text string) {
				mem.fill()
				out = make([]byte, 400)
				args := []launch.Arg{launch.Memory(&launch.Buffer{Data: mem.data[:largeSize:largeSize]}), launch.Memory(&launch.Buffer{Data: bytes.Clone(ix)}), launch.Memory(&launch.Buffer{Data: out}), launch.Value(binary.LittleEndian.AppendUint64(nil, uint64(base)))}
				r, err := RunRobust(&launch.Launch{Kernel: p[e], Args: args, Range: launch.Range{Global: []uint64{100}}, Workers: 1})
				if err != nil {
					text = err.Error()
				}
				if r != nil {
					executor = r.Stats.Executor
				}
				return out, mem.contents(), executor, text
			}
			want, wantMem, _, wantText := run(interp.Reference)
			for _, e := range execs {
				got, gotMem, executor, text := run(e)
				switch {
				case executor == interp.Reference.Name():
					t.Errorf("%s at %#x: %s runs no machine code", f.Name, place, e.Name())
				case text != wantText:
					t.Errorf("%s at %#x: %s: error %q, want %q", f.Name, place, e.Name(), text, wantText)
				case !bytes.Equal(got, want):
					t.Errorf("%s at %#x: %s: results %x, want %x", f.Name, place, e.Name(), got, want)
				case !bytes.Equal(gotMem, wantMem):
					t.Errorf("%s at %#x: %s: the object's contents differ", f.Name, place, e.Name())
				}
			}
		}
	}
}
