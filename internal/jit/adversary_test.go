//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/purecl/purecl/internal/launch"
)

// adversary is kernels that reach for memory that is not theirs, each with a buffer of 64
// ints and an int.
const adversary = `
constant int table[4] = {1, 2, 3, 4};
kernel void past(global int* a, int n) { a[get_global_id(0) + n] = 7; }
kernel void before(global int* a, int n) { a[(int)get_global_id(0) - n] = 7; }
kernel void readpast(global int* a, int n) { int i = get_global_id(0); a[i & 63] = a[i + n] + 1; }
kernel void huge(global int* a, int n) { long i = get_global_id(0); a[i + (1L << 61) + n] = 3; }
kernel void huge2(global int* a, int n) { ulong i = get_global_id(0); a[i * 0x8000000000000001UL * n] = 3; }
kernel void wrap(global int* a, int n) { int i = (int)get_global_id(0) + 0x7ffffff0 + n; a[i] = 3; }
kernel void wrap2(global char* a, int n) { uint i = (uint)get_global_id(0) + 0xfffffff8u + n; a[i] = 3; }
kernel void wrap3(global int* a, int n) { int i = (int)get_global_id(0) + 0x7ffffff8 + n; a[(long)i + (long)(-0x7ffffff8 - n)] = 3; }
kernel void wrap4(global int* a, int n) { int i = (int)get_global_id(0) + 0x7ffffff8; (a + (-0x7ffffff8L - (long)n * 0))[i] = 3; }
kernel void scattered(global int* a, int n) { int i = get_global_id(0); a[i * i * n] = i; }
kernel void far(global int* a, int n) { int i = get_global_id(0); a[i * 12345 * n - 99] = i; }
kernel void wild(global int* a, int n) { global int* p = (global int*)((ulong)a + ((ulong)get_global_id(0) << 40) * n); *p = 5; }
kernel void wild2(global int* a, int n) { global int* p = (global int*)(0x123456789abcdefUL * n); *p = 5; }
kernel void null(global int* a, int n) { global int* p = (global int*)(ulong)(n - n); p[get_global_id(0)] = 5; }
kernel void konst(global int* a, int n) { *(global int*)(ulong)(table + (n & 3)) = 5; }
kernel void misaligned(global int* a, int n) { int i = get_global_id(0); *(global int4*)((global char*)a + i * 17 % 61) = (int4)(i, n, i, n); }
kernel void vectors(global int4* a, int n) { a[get_global_id(0) + n] = (int4)(1, 2, 3, 4); }
kernel void vectors3(global int* a, int n) { int i = get_global_id(0); int3 v = vload3(i * n + (1 << 22), a); vstore3((int3)(1, 2, 3) + v, i + n, a); }
kernel void chars(global uchar4* a, int n) { int i = get_global_id(0); a[i + n] = a[n * i].zyxw; }
kernel void longs(global long* a, int n) { int i = get_global_id(0); a[i * n] = i; }
kernel void private_(global int* a, int n) { int t[8]; int i = get_global_id(0); for (int k = 0; k < 8; k++) t[k] = i + k; t[(i * n) & 31] = 3; a[i & 63] = t[n] + t[i & 7]; }
kernel void local_(global int* a, int n) { local int t[16]; int l = get_local_id(0); t[l * n] = l; barrier(CLK_LOCAL_MEM_FENCE); a[get_global_id(0)] = t[(l + n) & 31]; }
kernel void some(global int* a, int n) { int i = get_global_id(0); if (i & 1) a[i * n] = 1; else if (i > 9) a[i + n] = 2; }
kernel void divide(global int* a, int n) { int i = get_global_id(0); a[i] = (i * 100 - 3) / (i % n - 1) + 7 % (n - i) + (int)0x80000000 / (i - 5) + (int)0x80000000 % (n - n - 1); }
kernel void atomics(global int* a, int n) { int i = get_global_id(0); atomic_add(a + i * n, i); }
kernel void guarded(global int* a, int n) { int i = get_global_id(0); if (i > 2 && i < 39) { if (i < 35) a[i + n] = 1; else a[i + n] = 2; } else a[i + n] = 3; }
kernel void striding(global int* a, int n) { for (int i = get_global_id(0); i < 70; i += 64) a[i] += n; }
kernel void uniform_(global int* a, int n) { a[n * 8] = 3; a[32 + (get_global_id(0) & 31)] = a[n * 10]; }
`

// TestAdversary: the same error as the reference executor's, and no byte outside of the
// buffer changes.
func TestAdversary(t *testing.T) {
	m := build(t, adversary)
	const guard = 4096
	for _, f := range m.Funcs {
		if f.Kernel == nil {
			continue
		}
		for _, n := range []int{0, 1, 3, 50, 63, 1 << 20} {
			for _, items := range []uint64{16, 64, 21} {
				one := func(e launch.Executor) (string, []byte) {
					p, err := launch.NewProgram(m, e)
					if err != nil {
						t.Fatal(err)
					}
					k, _ := p.Kernel(f.Name)
					mem := bytes.Repeat([]byte{0xA5}, 256+2*guard)
					_, err = launch.Run(context.Background(), &launch.Launch{Kernel: k, Workers: 1, Range: launch.Range{Global: []uint64{items}, Local: []uint64{items}},
						Args: []launch.Arg{launch.Memory(&launch.Buffer{Data: mem[guard : guard+256 : guard+256]}), launch.Value(i32(n))}})
					s := ""
					if err != nil {
						s = err.Error()
					}
					return s, mem
				}
				werr, want := one(launch.Reference)
				for _, lv := range levels() {
					if _, err := Compile(f, lv); err != nil {
						t.Errorf("%s %s: %v", f.Name, lv.Name, err)
						continue
					}
					gerr, got := one(ForLevel(lv))
					if gerr != werr {
						t.Errorf("%s(%d) of %d on %s: error\n %s, want\n %s", f.Name, n, items, lv.Name, gerr, werr)
					}
					if !bytes.Equal(got, want) {
						t.Errorf("%s(%d) of %d on %s: other results", f.Name, n, items, lv.Name)
					}
				}
			}
		}
	}
}

// TestCancel ends a kernel that never ends; meanwhile the garbage collector runs.
func TestCancel(t *testing.T) {
	m := build(t, `kernel void forever(global int* a) { int i = get_global_id(0); while (a[0] == 0 || i < 1000000) { i ^= 1; } a[i] = 1; }`)
	for _, lv := range levels() {
		if _, err := Compile(m.Func("forever"), lv); err != nil {
			t.Fatal(err)
		}
		p, err := launch.NewProgram(m, ForLevel(lv))
		if err != nil {
			t.Fatal(err)
		}
		k, _ := p.Kernel("forever")
		ctx, cancel := context.WithTimeout(context.Background(), 60*time.Millisecond)
		task := launch.Start(ctx, &launch.Launch{Kernel: k, Args: []launch.Arg{launch.Memory(&launch.Buffer{Data: make([]byte, 64)})}, Range: launch.Range{Global: []uint64{64}}})
		time.Sleep(10 * time.Millisecond)
		runtime.GC()
		if _, err := task.Wait(); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", lv.Name, err)
		}
		cancel()
	}
}
