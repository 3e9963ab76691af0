package builtin_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/front/builtin"
	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/front/types"
)

// calls are arguments with the overload that clang 19 selects, from its mangled names: clang-19 -cl-std=CL1.2 -S
// -emit-llvm.
var calls = []struct{ call, want string }{
	{"fmin(f, f)", "fmin(float,float)"},
	{"fmin(f4, f4)", "fmin(float4,float4)"},
	{"fmin(f4, 1.0f)", "fmin(float4,float)"},
	{"fmin(f4, 1.0)", "fmin(float4,float)"},
	{"fmin(f4, 1)", "fmin(float4,float)"},
	{"fmin(f, i)", "fmin(float,float)"},
	{"fmin(d, f)", "ambiguous"},
	{"fmin(i, i)", "ambiguous"},
	{"fmin(f4, i4)", "none"},
	{"fmin(1.0f, f4)", "fmin(float4,float4)"},
	{"pow(f, 2)", "pow(float,float)"},
	{"pow(f4, 2.0f)", "pow(float4,float4)"},
	{"pow(2, 2)", "ambiguous"},
	{"pow(d, f)", "ambiguous"},
	{"sqrt(2)", "ambiguous"},
	{"sqrt(c)", "ambiguous"},
	{"sqrt(2.0)", "sqrt(double)"},
	{"mad(f4, f, f4)", "mad(float4,float4,float4)"},
	{"max(i, i)", "max(int,int)"},
	{"max(i, u)", "ambiguous"},
	{"max(c, c)", "max(char,char)"},
	{"max(c, i)", "ambiguous"},
	{"max(c, s)", "ambiguous"},
	{"max(f, i)", "ambiguous"},
	{"max(i4, 3)", "max(int4,int)"},
	{"max(u4, 3)", "max(uint4,uint)"},
	{"max(i4, u4)", "none"},
	{"max(b, 1)", "max(int,int)"},
	{"clamp(f4, 0.0f, 1.0f)", "clamp(float4,float,float)"},
	{"clamp(f4, 0, 1)", "clamp(float4,float,float)"},
	{"clamp(f4, 0.0f, f4)", "clamp(float4,float4,float4)"},
	{"clamp(i, 0, 255)", "clamp(int,int,int)"},
	{"clamp(u, 0, 255)", "ambiguous"},
	{"mix(f4, f4, 0.5f)", "mix(float4,float4,float)"},
	{"mix(f4, f4, 1)", "mix(float4,float4,float)"},
	{"step(0.5f, f4)", "step(float,float4)"},
	{"smoothstep(0.0f, 1.0f, f4)", "smoothstep(float,float,float4)"},
	{"select(f4, f4, i4)", "select(float4,float4,int4)"},
	{"select(f4, f4, u4)", "select(float4,float4,uint4)"},
	{"select(f, f, i)", "select(float,float,int)"},
	{"select(f, f, 1)", "select(float,float,int)"},
	{"select(c, c, i)", "ambiguous"},
	{"select(d, d, i)", "ambiguous"},
	{"ldexp(f4, 2)", "ldexp(float4,int)"},
	{"ldexp(f4, i4)", "ldexp(float4,int4)"},
	{"ldexp(f, c)", "ldexp(float,int)"},
	{"dot(f4, f4)", "dot(float4,float4)"},
	{"dot(f, f4)", "dot(float4,float4)"},
	{"cross(f3, f3)", "cross(float3,float3)"},
	{"length(f8)", "none"},
	{"vload4(0, gf)", "vload4(ulong,const __global float*)"},
	{"vload4(i, gcf)", "vload4(ulong,const __global float*)"},
	{"vload2(u, lu)", "vload2(ulong,const __local uint*)"},
	{"vload3(0, cf)", "vload3(ulong,const __constant float*)"},
	{"vload4(0, pf)", "vload4(ulong,const __private float*)"},
	{"vload4(gf, 0)", "none"},
	{"vstore4(f4, 0, gf)", "vstore4(float4,ulong,__global float*)"},
	{"vstore4(i4, 0, gf)", "vstore4(int4,ulong,__global int*)"},
	{"vstore4(f, 0, gf)", "vstore4(float4,ulong,__global float*)"},
	{"fract(f, pf)", "fract(float,__private float*)"},
	{"fract(f, gf)", "fract(float,__global float*)"},
	{"frexp(f4, pi4)", "frexp(float4,__private int4*)"},
	{"sincos(f, lf)", "sincos(float,__local float*)"},
	{"atomic_add(gi, 1)", "atomic_add(volatile __global int*,int)"},
	{"atomic_add(gu, 1)", "atomic_add(volatile __global uint*,uint)"},
	{"atomic_add(li, u)", "atomic_add(volatile __local int*,int)"},
	{"atomic_add(pi, 1)", "none"},
	{"atomic_xchg(gf, f)", "atomic_xchg(volatile __global float*,float)"},
	{"atomic_inc(gvi)", "atomic_inc(volatile __global int*)"},
	{"atom_add(gl, 1)", "atom_add(volatile __global long*,long)"},
	{"get_global_id(0)", "get_global_id(uint)"},
	{"get_global_id(f)", "get_global_id(uint)"},
	{"get_global_id()", "none"},
	{"get_global_id(0, 1)", "none"},
	{"barrier(CLK_LOCAL_MEM_FENCE)", "barrier(uint)"},
	{"async_work_group_copy(lf, gf, 4, 0)", "async_work_group_copy(__local float*,const __global float*,ulong,event_t)"},
	{"isequal(f4, f4)", "isequal(float4,float4)"},
	{"any(i4)", "any(int4)"},
	{"any(u4)", "none"},
	{"abs(i)", "abs(int)"},
	{"abs(f)", "ambiguous"},
	{"abs(-1)", "abs(int)"},
	{"rotate(u, 3)", "ambiguous"},
	{"rotate(u, 3u)", "rotate(uint,uint)"},
	{"mul24(i, i)", "mul24(int,int)"},
	{"mul24(s, s)", "mul24(int,int)"},
	{"mul24(get_global_id(0), get_global_id(1))", "ambiguous"},
	{"upsample(s, us)", "upsample(short,ushort)"},
	{"upsample(s, s)", "upsample(short,ushort)"},
	{"native_sin(d)", "native_sin(float)"},
	{"native_sin(1)", "native_sin(float)"},
	{"half_recip(2)", "half_recip(float)"},
	{"shuffle(f4, u4)", "shuffle(float4,uint4)"},
	{"nan(u)", "nan(uint)"},
	{"nan(0)", "ambiguous"},
}

const resolveDecls = `kernel void k(global float *gf, global const float *gcf, local float *lf, local uint *lu, local int *li, global int *gi, global uint *gu,
	global long *gl, volatile global int *gvi, constant float *cf, float f, double d, int i, uint u, char c, short s, ushort us, float3 f3, float4 f4, float8 f8, int4 i4, uint4 u4) {
	float pfv; float *pf = &pfv; int4 pi4v; int4 *pi4 = &pi4v; int piv; int *pi = &piv; bool b = 1;
	`

func TestResolve(t *testing.T) {
	for _, c := range calls {
		src := resolveDecls + c.call + "; }"
		res, err := compile.Compile(context.Background(), "k.cl", []byte(src), &compile.Options{Source: option.Source{Std: opencl.CL12}, KeepProgram: true})
		got := ""
		if err != nil {
			got = err.Error()
			switch {
			case strings.Contains(got, "ambiguous"):
				got = "ambiguous"
			case strings.Contains(got, "no matching function"), strings.Contains(got, "argument"):
				got = "none"
			}
		} else {
			got = chosen(res)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.call, got, c.want)
		}
	}
}

// chosen returns the overload of the call in the kernel's last statement.
func chosen(res *compile.Result) string {
	for _, f := range res.Program.Funcs {
		if f.Kernel == nil {
			continue
		}
		x := f.Body.List[len(f.Body.List)-1].(*check.ExprStmt).X
		if v, ok := x.(*check.ToVoid); ok {
			x = v.X
		}
		if c, ok := x.(*check.BuiltinCall); ok {
			return c.Overload.Key
		}
	}
	return "no call"
}

// TestRefusals checks that an error lists the candidates, the nearest first, with the reason why each does not
// match, and names the extension or version that would add a function.
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ call, want string }{
		{"dot(f4, i4)", "candidate function dot(float4, float4) not viable: no known conversion from 'int4' to 'float4' for argument 2"},
		{"dot(f4, i4)", "more candidates"},
		{"sin(f4, f4)", "(float4, float4)\ncandidate function sin(float4) not viable: requires 1 argument, but 2 were provided"},
		{"fma(f4, f4, f8)", "candidate function fma(float4, float4, float4) not viable: no known conversion from 'float8' to 'float4' for argument 3"},
		{"vload4(0, i)", "for argument 2"},
		{"barrier()", "requires 1 argument, but 0 were provided"},
		{"work_group_reduce_add(1)", "'work_group_reduce_add' requires OpenCL C 2.0"},
		{"clock_read_device()", "'clock_read_device' requires __opencl_c_kernel_clock_scope_device"},
		{"bitfield_insert(u, u, u, u, u)", "candidate function bitfield_insert(uint, uint, uint, uint) not viable: requires 4 arguments, but 5 were provided"},
	} {
		o, err := compile.ParseOptions("-cl-std=CL1.2")
		if err != nil {
			t.Error(err)
			continue
		}
		_, err = compile.Compile(context.Background(), "k.cl", []byte(resolveDecls+c.call+"; }"), o)
		var list *diag.List
		if !errors.As(err, &list) {
			t.Errorf("%s: %v", c.call, err)
			continue
		}
		var text strings.Builder
		for _, d := range list.Diags {
			text.WriteString(d.Message + "\n")
			for _, n := range d.Notes {
				text.WriteString(n.Text + "\n")
			}
		}
		if !strings.Contains(text.String(), c.want) {
			t.Errorf("%s: no %q in\n%s", c.call, c.want, text.String())
		}
	}
	env := &builtin.Env{Std: 120, Types: types.NewContext(), Enabled: func(name string) bool { return name != "cl_khr_subgroup_ballot" }}
	if need := builtin.Requirement(env, "sub_group_ballot"); need != "cl_khr_subgroup_ballot" || builtin.Exists(env, "sub_group_ballot") {
		t.Errorf("sub_group_ballot requires %q", need)
	}
}
