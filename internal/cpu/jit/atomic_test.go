//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"math"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// Kernels in which the order of work-items matters only within a row of one work-group, so that gangs run one
// after the other give the reference executor's results.
const atomicKernels = `
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#define OP(name, T, A, op) kernel void name(global const T* a, global T* b, global T* c) { \
  local T s[8]; int l = get_local_id(0); if (l < 8) s[l] = a[l]; barrier(CLK_LOCAL_MEM_FENCE); \
  for (int r = 0; r < 2; r++) { \
    c[l] = op((volatile local A*)&s[(l * 5 + (l >> 2)) & 7], a[l]); barrier(CLK_LOCAL_MEM_FENCE); \
    if (l % 3 != 1) op((volatile local A*)&s[3], a[l]); barrier(CLK_LOCAL_MEM_FENCE); \
    if (l % 5 != 1) c[l + 64] = op((volatile local A*)&s[4], a[l]); barrier(CLK_LOCAL_MEM_FENCE); \
    op((volatile global A*)&b[l & 7], a[l]); if (l & 1) op((volatile global A*)&b[9], a[l]); \
    op((volatile global A*)&b[10], a[l]); c[l + 128] = op((volatile global A*)&b[11], a[l]); c[l + 192] = op((volatile global A*)&b[12 + (l & 3)], a[l]); } \
  if (l < 8) b[l + 20] = s[l]; }
#define ALL(name, T, A) OP(name##add, T, A, ADD) OP(name##sub, T, A, SUB) OP(name##and, T, A, AND) OP(name##or, T, A, OR) OP(name##xor, T, A, XOR) \
  OP(name##min, T, A, MIN) OP(name##max, T, A, MAX) OP(name##xchg, T, A, XCHG)
#define ADD(p, x) atomic_fetch_add_explicit(p, x, memory_order_relaxed)
#define SUB(p, x) atomic_fetch_sub_explicit(p, x, memory_order_relaxed)
#define AND(p, x) atomic_fetch_and_explicit(p, x, memory_order_relaxed)
#define OR(p, x) atomic_fetch_or_explicit(p, x, memory_order_relaxed)
#define XOR(p, x) atomic_fetch_xor_explicit(p, x, memory_order_relaxed)
#define MIN(p, x) atomic_fetch_min_explicit(p, x, memory_order_relaxed)
#define MAX(p, x) atomic_fetch_max_explicit(p, x, memory_order_relaxed)
#define XCHG(p, x) atomic_exchange_explicit(p, x, memory_order_relaxed)
ALL(i, int, atomic_int) ALL(u, uint, atomic_uint) ALL(l, long, atomic_long) ALL(ul, ulong, atomic_ulong)
#define FL(name, T, A) OP(name##add, T, A, ADD) OP(name##sub, T, A, SUB) OP(name##min, T, A, MIN) OP(name##max, T, A, MAX) OP(name##xchg, T, A, XCHG)
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
FL(h, half, atomic_half) FL(f, float, atomic_float) FL(d, double, atomic_double)
#define ROW(name, T, A, op) kernel void name(global const T* a, global T* b, global T* c) { int l = get_local_id(0); \
  for (int k = l; k < 256; k += get_local_size(0)) c[k] = a[k & 63] * (T)77; barrier(CLK_GLOBAL_MEM_FENCE); \
  op((volatile global A*)&c[l], a[l]); op((volatile global A*)&c[l + 1], (T)-5); if (l % 7 != 5) op((volatile global A*)&c[l + 66], a[l]); \
  for (int k = 0; k < 3; k++) if (a[l] & 1 << k) op((volatile global A*)&c[l + 135 + k], a[l] + k); op((volatile global A*)&b[l], (T)1); }
#define ROWS(name, T, A) ROW(name##radd, T, A, ADD) ROW(name##rsub, T, A, SUB) ROW(name##rand, T, A, AND) ROW(name##ror, T, A, OR) ROW(name##rxor, T, A, XOR)
ROWS(i, int, atomic_int) ROWS(u, uint, atomic_uint) ROWS(l, long, atomic_long) ROWS(ul, ulong, atomic_ulong)
#define BIN(name, T, A, op) kernel void name(global const T* a, global T* b, global T* c) { local T s[256]; local T t[80]; int l = get_local_id(0), n = get_local_size(0); \
  global const uchar* bytes = (global const uchar*)a; global const ushort* words = (global const ushort*)a; \
  for (int k = l; k < 256; k += n) { s[k] = a[k & 63]; if (k < 80) t[k] = a[k & 63] + (T)k; } barrier(CLK_LOCAL_MEM_FENCE); \
  for (int k = l; k < 256; k += n) { op((volatile local A*)&s[bytes[k]], (T)3); op((volatile local A*)&s[bytes[k]], a[k & 63]); if (bytes[k] & 4) op((volatile local A*)&s[bytes[k]], a[l]); \
    op((volatile local A*)&t[(words[l + (k & 64)] & 63) + 9], (T)5); if (words[l] & 16) op((volatile local A*)&t[(words[l] & 63) + 7], (T)6); } \
  barrier(CLK_LOCAL_MEM_FENCE); for (int k = l; k < 256; k += n) c[k] = s[k]; if (l < 32) b[l] = t[l] ^ t[l + 33]; }
#define BINS(name, T, A) BIN(name##badd, T, A, ADD) BIN(name##bsub, T, A, SUB) BIN(name##band, T, A, AND) BIN(name##bor, T, A, OR) BIN(name##bxor, T, A, XOR) BIN(name##bmin, T, A, MIN) BIN(name##bmax, T, A, MAX)
BINS(i, int, atomic_int) BINS(ul, ulong, atomic_ulong)
kernel void iflags(global const int* a, global int* b, global int* c) { int l = get_local_id(0); local atomic_flag f[4]; if (l < 4) atomic_flag_clear(&f[l]); barrier(CLK_LOCAL_MEM_FENCE);
  c[l] = atomic_flag_test_and_set(&f[l & 3]); if (l % 3 == 0) b[0] = atomic_flag_test_and_set(&f[1]); }
kernel void icounts(global const int* a, global int* b, global int* c) { int l = get_local_id(0); local int n; if (l == 0) n = 0; barrier(CLK_LOCAL_MEM_FENCE);
  if (a[l] & 1) { atomic_inc(&n); atomic_add(&b[1], 7); atomic_dec(&b[2]); atomic_sub(&b[3], a[0]); } atomic_inc(&b[4]); atomic_inc(&n); barrier(CLK_LOCAL_MEM_FENCE); if (l == 3) b[5] = n;
  if (a[l] & 2) c[atomic_inc(&b[6])] = l; c[l + 64] = atomic_load((volatile global atomic_int*)&b[4]); if (l & 1) atomic_store((volatile global atomic_int*)&b[7 + (l & 3)], l); barrier(CLK_GLOBAL_MEM_FENCE); c[l + 128] = atomic_load((volatile global atomic_int*)&b[l % 9]); }
kernel void icas(global const int* a, global int* b, global int* c) { int l = get_local_id(0); local int s[4]; if (l < 4) s[l] = l; barrier(CLK_LOCAL_MEM_FENCE);
  c[l] = atomic_cmpxchg(&s[a[l] & 3], l & 3, a[l]); if (l & 1) c[l + 64] = atomic_cmpxchg(&b[l & 7], 0, l); atomic_cmpxchg(&s[2], 2, l); atomic_cmpxchg(&b[9], 0, l); barrier(CLK_LOCAL_MEM_FENCE); if (l < 4) b[l + 20] = s[l]; }
kernel void hloads(global const half* a, global half* b, global half* c) { int l = get_local_id(0); local half s[8]; if (l < 8) atomic_store((volatile local atomic_half*)&s[l], a[l]); barrier(CLK_LOCAL_MEM_FENCE);
  c[l] = atomic_load((volatile local atomic_half*)&s[l * 3 & 7]); atomic_store_explicit((volatile global atomic_half*)&b[l & 15], a[l & 15], memory_order_release, memory_scope_device); c[l + 64] = atomic_load((volatile global atomic_half*)&b[l & 15]);
  barrier(CLK_LOCAL_MEM_FENCE); volatile atomic_half *g = l & 1 ? (volatile atomic_half*)&b[16 + (l & 7)] : (volatile atomic_half*)&s[l & 7]; c[l + 128] = atomic_fetch_add(g, a[l]); barrier(CLK_LOCAL_MEM_FENCE); c[l + 192] = s[l & 7]; }
kernel void houtside(global const half* a, global half* b, global half* c) { int l = get_local_id(0); c[l] = atomic_exchange((volatile global atomic_half*)&b[l], a[l]); atomic_fetch_max((volatile global atomic_half*)&b[l * 1000 - 3], a[l]); }
kernel void ibins(global const int* a, global int* b, global int* c) { int l = get_local_id(0); local int s[8], t[8]; local uint u[8]; if (l < 8) { s[l] = l; t[l] = 0; u[l] = 1; } barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&s[a[l] & 7]); atomic_sub(&t[a[l] >> 2 & 7], 5); if (a[l] & 1) atomic_add(&s[l * l & 7], a[0]); barrier(CLK_LOCAL_MEM_FENCE); if (l % 3) c[l] = atomic_add(&t[a[l] & 3], a[1]); c[l + 64] = atomic_dec(&u[l * l & 7]); barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&b[a[l] & 7]); atomic_sub(&b[a[l] >> 3 & 7], 3); if (a[l] & 4) atomic_add(&b[(l >> 2) + (a[l] & 1)], a[2]); for (int k = 0; k < 3; k++) atomic_inc(&b[a[l] >> k & 3]); if (l < 8) { b[l + 20] = s[l]; b[l + 28] = t[l]; b[l + 36] = u[l]; } if (l == 7) atomic_inc(&b[a[l] * 1000000]); }
kernel void lbins(global const long* a, global long* b, global long* c) { int l = get_local_id(0); atom_inc(&b[(int)a[l] & 7]); atom_sub(&b[(int)a[l] >> 3 & 7], 3); if (a[l] & 4) atom_add(&b[(l >> 2) + ((int)a[l] & 1)], a[2]); }
kernel void ioutside(global const int* a, global int* b, global int* c) { int l = get_local_id(0); c[l] = atomic_add(&b[a[l] & 63], 1); atomic_add(&b[a[1] * 1000], 1); c[l + 64] = atomic_xchg(&b[a[1] * 1000], 1); local int s[4]; atomic_inc(&s[(a[l] & 7)]); }
`

// TestAtomics compares atomic operations, with the results of each lane.
func TestAtomics(t *testing.T) {
	m := build(t, atomicKernels)
	for f := range kernelsOf(m) {
		elem := 4
		if f.Name[0] == 'l' || f.Name[0] == 'd' || f.Name[:2] == "ul" {
			elem = 8
		} else if f.Name[0] == 'h' {
			elem = 2
		}
		a := buf{}
		for i := range 64 {
			x := uint64(i*i*2654435761) ^ uint64(i)<<33
			switch {
			case f.Name[0] == 'h':
				x = uint64([]uint16{0x3e00, 0x8000, 0, 0xf800, 0x7e01, 0x4700, 0x7c00, uint16(i)}[i*3%8])
			case f.Name[0] == 'f':
				x = uint64(math.Float32bits([]float32{1.5, float32(math.Copysign(0, -1)), 0, -3e9, float32(math.NaN()), 7, float32(math.Inf(1)), float32(i)}[i*3%8]))
			case f.Name[0] == 'd':
				x = math.Float64bits([]float64{1.5, math.Copysign(0, -1), 0, -3e9, math.NaN(), 7, math.Inf(1), float64(i)}[i*3%8])
			}
			for k := range elem {
				a = append(a, byte(x>>(8*k)))
			}
		}
		alike(t, m, f.Name, []shape{line(1), line(13), line(64)}, a, make(buf, 32*elem), make(buf, 256*elem))
	}
}

// TestLocalBins: a histogram in local memory has an instruction for each work-item, without a search for equal indices. An
// index of a byte into 256 elements needs no check, and each instruction's index is read from memory.
func TestLocalBins(t *testing.T) {
	m := build(t, `kernel void bins(global const uchar* a, global uint* b) { local uint s[256]; uint l = get_local_id(0); s[l & 255] = 0; barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&s[a[get_global_id(0)]]); barrier(CLK_LOCAL_MEM_FENCE); b[l & 255] = s[l & 255]; }`)
	for _, lv := range []*x86.Level{x86.AVX2, x86.AVX512, x86.AVX512VBMI} {
		c := listed(t, m.Func("bins"), lv, WholeGangs)
		adds, reads := 0, 0
		for _, i := range c.Listing.Insts {
			switch i.Inst.Op {
			case asm.ADDST:
				adds++
			case asm.MOVZX8:
				if i.Inst.HasMem && i.Body && !i.Cold {
					reads++
				}
			case asm.VPCONFLICTD:
				t.Errorf("%s: %s", lv.Name, i.Text)
			}
			if strings.Contains(i.Text, "call rmw") {
				t.Errorf("%s: the atomic operation has a check", lv.Name)
			}
		}
		if adds != c.Lanes || reads != c.Lanes {
			t.Errorf("%s: %d additions and %d indices for %d work-items", lv.Name, adds, reads, c.Lanes)
		}
	}
	execs := executorsOf(Options{})
	a := make(buf, 150) // shorter than the range: the other indices are 0
	for i := range a {
		a[i] = byte(i * i)
	}
	alikeOn(t, execs, m, "bins", []shape{line(64), line(128), line(150), line(256)}, a, make(buf, 1024))
}
