//go:build linux && arm64

package jit_test

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/cpu/jit"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
	"github.com/purecl/purecl/internal/test/gangtest"
)

var everyConversion = flag.Bool("conversions", false, "all conversions between scalar types, not those that take instructions of their own")

// ran runs kernel k with n work-items on copies of buffers. It returns the copies' contents and the executor's
// name.
func ran(t *testing.T, m *ssa.Module, e exec.Executor, n int, buffers ...[]byte) ([]byte, string) {
	t.Helper()
	args, mem := copied(buffers...)
	rep, err := jit.RunRobust(&launch.Launch{Kernel: kernelOf(t, m, e), Args: args, Range: launch.Range{Global: []uint64{uint64(n)}}})
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Join(mem, nil), rep.Stats.Executor
}

// same requires that a kernel runs as machine code, with the reference executor's results bit for bit.
func same(t *testing.T, src string, n int, buffers ...[]byte) {
	t.Helper()
	res, err := compile.Compile(t.Context(), "t.cl", []byte(src), &compile.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	want, _ := ran(t, res.Module, interp.Reference, n, buffers...)
	got, on := ran(t, res.Module, jit.Executor(), n, buffers...)
	if on != jit.ARM64 {
		t.Errorf("%s ran\n%s", on, src)
	}
	for k := range got {
		if got[k] != want[k] {
			t.Errorf("byte %d: %#x, want %#x\n%s", k, got[k], want[k], src)
			return
		}
	}
}

// TestARM64Conversions compares conversions with the reference executor: every mode between types with machine
// code of their own, the default mode between the others.
func TestARM64Conversions(t *testing.T) {
	types := []struct {
		name string
		size int
	}{{"char", 1}, {"uchar", 1}, {"short", 2}, {"ushort", 2}, {"int", 4}, {"uint", 4}, {"long", 8}, {"ulong", 8}, {"half", 2}, {"float", 4}, {"double", 8}}
	isFloat := func(s string) bool { return s == "half" || s == "float" || s == "double" }
	rng := rand.New(rand.NewPCG(1, 2))
	const n = 131
	for _, from := range types {
		data := gangtest.Bytes(rng, n*from.size)
		for k := range n / 2 { // near the limits of integers
			x := math.Ldexp(float64(1-2*(k&1)), rng.IntN(65)) + float64(rng.IntN(5)-2)/2
			if from.name == "float" {
				binary.LittleEndian.PutUint32(data[4*k:], math.Float32bits(float32(x)))
			} else if from.name == "double" {
				binary.LittleEndian.PutUint64(data[8*k:], math.Float64bits(x))
			}
		}
		for _, to := range types {
			modes := []string{""}
			if isFloat(from.name) || isFloat(to.name) || *everyConversion {
				modes = append(modes, "_rte", "_rtz", "_rtp", "_rtn")
			}
			for _, mode := range modes {
				suffixes := []string{mode}
				if !isFloat(to.name) {
					suffixes = append(suffixes, "_sat"+mode)
				}
				for _, suffix := range suffixes {
					src := fmt.Sprintf("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\nkernel void k(global %s *d, global const %s *s) { size_t i = get_global_id(0); d[i] = convert_%s%s(s[i]); }", to.name, from.name, to.name, suffix)
					same(t, src, n, make([]byte, n*to.size), data)
				}
			}
		}
	}
}

// manyValues needs spill slots beyond the range of an instruction's offset.
func manyValues() string {
	var begin, end strings.Builder
	for k := range 28 {
		fmt.Fprintf(&begin, "float16 v%d = vload16(0, s + (i + %d) %% 60); ", k, k)
		fmt.Fprintf(&end, "x = x * 0.5f + v%d; ", 27-k)
	}
	return begin.String() + "float16 x = 0; " + end.String() + "float8 y = x.lo + x.hi; float4 z = y.lo + y.hi; d[i] = z.x + z.y + z.z + z.w;"
}

// TestARM64Kernels runs kernels with each kind of operation that the arm64 back end compiles.
func TestARM64Kernels(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const n = 77
	for _, body := range []string{
		"d[i] = 2.5f * s[i] + d[i];",
		"float x = 0; for (int k = 0; k < 9; k++) x += s[(i + k) % 77] * 0.5f; d[i] = x;",
		"d[i] = s[i] < 1.0f ? sqrt(fabs(s[i])) : floor(s[i]);",
		"if (s[i] > 0) d[i] = s[i]; else if (i & 1) d[i] = -s[i];",
		"int k = 0; float x = s[i]; while (k < 50 && fabs(x) < 100.0f) { x = x * x + 0.3f; k++; } d[i] = k;",
		"vstore4(vload4(i / 4, s).wzyx * 2.0f, i / 4, d);",
		"float3 v = vload3(i / 4, s); d[i] = v.x + v.y * v.z;",
		"d[i] = as_float((as_uint(s[i]) << 3 | as_uint(s[i]) >> 29) * 2654435761u);",
		"d[i] = (float)((int)i * 3 % ((int)(i & 7) - 3)) + (float)((uint)i / (uint)(i & 3));",
		"d[i] = (float)(((long)i - 40) * 1234567891234L / 77) + fma(s[i], 2.0f, 1.0f);",
		"char4 c = (char4)((char)i, 1, 2, (char)-i); c = add_sat(c, (char4)(100)); d[i] = c.x + c.w;",
		"local float l[16]; l[i % 16] = s[i]; d[i] = l[i % 16];",
		"float p[5]; for (int k = 0; k < 5; k++) p[k] = s[(i + k) % 77]; d[i] = p[i % 5];",
		"atomic_add((global int *)d + i / 8, (int)i);",
		"barrier(CLK_GLOBAL_MEM_FENCE); d[i] = s[i ^ 1] + s[76 - i];",
		"local float l[16]; for (int k = 0; k < (int)s[79] % 3 + 2; k++) { l[i % 16] = s[i] + k; barrier(CLK_LOCAL_MEM_FENCE); d[i] = l[15 - i % 16]; barrier(CLK_LOCAL_MEM_FENCE); }",
		"vstore4(convert_float4(convert_uchar4_sat_rte(vload4(i / 4, s))) * (float4)(1, 2, 3, 4), i / 4, d);",
		"vstore3(vload3(i / 4, s) + (float3)(s[0]), i / 4, d);",
		"vstore8(as_float8(convert_int8(convert_long8(as_int8(vload8(i / 8, s))) * (long8)(i, 2, 3, 4, 5, 6, 7, 8) << (long8)(3))), i / 8, d);",
		"short4 h = convert_short4(vload4(i / 4, s)); h = h / (short)3 + h % (short4)(7); vstore4(convert_float4(min(h, (short4)(9)) >> (short4)(1)), i / 4, d);",
		manyValues(),
	} {
		src := "kernel void k(global float *d, global const float *s) { size_t i = get_global_id(0); " + body + " }"
		same(t, src, n, gangtest.Bytes(rng, 4*80), gangtest.Bytes(rng, 4*80))
	}
}
