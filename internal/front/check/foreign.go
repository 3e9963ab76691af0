package check

import (
	"strings"

	"github.com/purecl/purecl/internal/front/diag"
)

// foreignNames are names of CUDA, C and C++ that OpenCL C does not have, with their OpenCL C counterparts.
var foreignNames = map[string]string{
	"threadIdx": "CUDA's threadIdx.x is get_local_id(0), .y is get_local_id(1)",
	"blockIdx":  "CUDA's blockIdx.x is get_group_id(0), .y is get_group_id(1)",
	"blockDim":  "CUDA's blockDim.x is get_local_size(0), .y is get_local_size(1)",
	"gridDim":   "CUDA's gridDim.x is get_num_groups(0), .y is get_num_groups(1)",
	"warpSize":  "CUDA's warp is a sub-group: get_max_sub_group_size(), from OpenCL C 2.0 on",

	"__syncthreads":       "CUDA's __syncthreads() is barrier(CLK_LOCAL_MEM_FENCE)",
	"__syncwarp":          "CUDA's __syncwarp() is sub_group_barrier(CLK_LOCAL_MEM_FENCE), from OpenCL C 2.0 on",
	"__threadfence":       "CUDA's __threadfence() is mem_fence(CLK_GLOBAL_MEM_FENCE)",
	"__threadfence_block": "CUDA's __threadfence_block() is mem_fence(CLK_LOCAL_MEM_FENCE)",
	"__ldg":               "CUDA's __ldg(p) is *p",
	"atomicAdd":           "CUDA's atomicAdd(p, x) is atomic_add(p, x), for int and uint",
	"atomicSub":           "CUDA's atomicSub(p, x) is atomic_sub(p, x), for int and uint",
	"atomicMin":           "CUDA's atomicMin(p, x) is atomic_min(p, x), for int and uint",
	"atomicMax":           "CUDA's atomicMax(p, x) is atomic_max(p, x), for int and uint",
	"atomicAnd":           "CUDA's atomicAnd(p, x) is atomic_and(p, x)",
	"atomicOr":            "CUDA's atomicOr(p, x) is atomic_or(p, x)",
	"atomicXor":           "CUDA's atomicXor(p, x) is atomic_xor(p, x)",
	"atomicExch":          "CUDA's atomicExch(p, x) is atomic_xchg(p, x)",
	"atomicCAS":           "CUDA's atomicCAS(p, old, x) is atomic_cmpxchg(p, old, x)",
	"__popc":              "CUDA's __popc(x) is popcount(x)",
	"__clz":               "CUDA's __clz(x) is clz(x)",
	"__fdividef":          "CUDA's __fdividef(x, y) is native_divide(x, y)",
	"__expf":              "CUDA's __expf(x) is native_exp(x)",
	"__logf":              "CUDA's __logf(x) is native_log(x)",
	"__sinf":              "CUDA's __sinf(x) is native_sin(x)",
	"__cosf":              "CUDA's __cosf(x) is native_cos(x)",
	"__powf":              "CUDA's __powf(x, y) is native_powr(x, y)",
	"__float_as_int":      "CUDA's __float_as_int(x) is as_int(x)",
	"__int_as_float":      "CUDA's __int_as_float(x) is as_float(x)",
	"__float2int_rn":      "CUDA's __float2int_rn(x) is convert_int_rte(x)",
	"__float2half":        "CUDA's __float2half(x) is convert_half(x), with cl_khr_fp16",
	"cudaMalloc":          "memory is allocated by the host program, not by a kernel",

	"malloc":  "a kernel cannot allocate memory: pass a buffer, or declare an array of fixed size",
	"calloc":  "a kernel cannot allocate memory: pass a buffer, or declare an array of fixed size",
	"free":    "a kernel cannot allocate or free memory",
	"memcpy":  "OpenCL C has no memcpy: assign, or copy in a loop",
	"memset":  "OpenCL C has no memset: assign in a loop, or initialize with {0}",
	"assert":  "OpenCL C has no assert; printf is there",
	"rand":    "OpenCL C has no rand: compute random numbers from get_global_id and a seed",
	"nullptr": "C++'s nullptr is NULL",
	"std":     "C++'s namespace std is not there: write max(a, b) for std::max(a, b)",
}

// floatSuffixed are C's functions for float. OpenCL C's functions without the f accept every type.
var floatSuffixed = strings.Fields("acosf asinf atan2f atanf cbrtf ceilf copysignf cosf coshf erff exp2f expf expm1f fabsf floorf fmaf fmaxf fminf fmodf hypotf ldexpf log10f log1pf log2f logf powf remainderf rintf roundf rsqrtf sinf sinhf sqrtf tanf tanhf tgammaf truncf")

// foreignHint returns the OpenCL C counterpart of an unknown name of CUDA, C or C++, "" if it has none.
func foreignHint(name string) string {
	if s := foreignNames[name]; s != "" {
		return s
	}
	if typ, ok := strings.CutPrefix(name, "make_"); ok && isVectorName(typ) {
		return "CUDA's " + name + "(…) is (" + typ + ")(…)"
	}
	for _, f := range floatSuffixed {
		if f == name {
			return "C's " + name + " is " + strings.TrimSuffix(name, "f") + ", which takes float as well as double and vectors"
		}
	}
	return ""
}

// isVectorName reports whether a name denotes a vector type with two to four components.
func isVectorName(s string) bool {
	t := builtinTypes[s]
	return t != nil && t.IsVector() && t.Len <= 4
}

// noteForeign adds the hint to the report of an unknown name.
func noteForeign(d *diag.Diagnostic, name string) bool {
	s := foreignHint(name)
	if s != "" {
		d.Note(diag.Span{}, "%s", s)
	}
	return s != ""
}
