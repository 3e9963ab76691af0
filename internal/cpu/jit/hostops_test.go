//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/run/exec"
)

// hostOps lists by level the operations on elements that need a host call lane by lane, for lack of
// instructions. They are some hundred times slower. The list should shrink.
var hostOps = map[string]string{
	"avx2":   "long%long long/long ulong%ulong ulong/ulong",
	"avx512": "long%long long/long ulong%ulong ulong/ulong",
}

// elementKernels are kernels of one operation each. It returns the source, the operation's name by kernel, and
// the operand type by kernel.
func elementKernels() (src string, names map[string]string, types map[string]numeric.Kind) {
	ints := []string{"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"}
	floats := []string{"half", "float", "double"}
	var out strings.Builder
	out.WriteString("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n")
	kinds := map[string]numeric.Kind{"half": numeric.F16, "float": numeric.F32, "double": numeric.F64}
	for i, ty := range ints {
		kinds[ty] = []numeric.Kind{numeric.I8, numeric.U8, numeric.I16, numeric.U16, numeric.I32, numeric.U32, numeric.I64, numeric.U64}[i]
	}
	names, types = map[string]string{}, map[string]numeric.Kind{}
	add := func(name, from, to, expr string) {
		k := fmt.Sprint("k", len(names))
		names[k] = name
		types[k] = kinds[from]
		fmt.Fprintf(&out, "kernel void %s(global const %s *a, global const %s *b, global %s *c) { int i = get_global_id(0); %s x = a[i], y = b[i]; c[i] = %s; }\n", k, from, from, to, from, expr)
	}
	for _, ty := range ints {
		for _, op := range []string{"+", "-", "*", "/", "%", "&", "<<", ">>"} {
			add(fmt.Sprintf("%s%s%s", ty, op, ty), ty, ty, "x "+op+" y")
		}
		for _, f := range []string{"min", "max", "abs_diff", "hadd", "rhadd", "add_sat", "sub_sat", "mul_hi", "rotate"} {
			add(fmt.Sprintf("%s(%s)", f, ty), ty, ty, f+"(x, y)")
		}
		for _, f := range []string{"abs", "popcount", "clz", "ctz"} {
			add(fmt.Sprintf("%s(%s)", f, ty), ty, ty, f+"(x)")
		}
	}
	for _, ty := range floats {
		for _, op := range []string{"+", "-", "*", "/"} {
			add(fmt.Sprintf("%s%s%s", ty, op, ty), ty, ty, "x "+op+" y")
		}
		for _, f := range []string{"sqrt(x)", "fma(x, y, x)", "fmin(x, y)", "fmax(x, y)", "rint(x)", "floor(x)", "ceil(x)", "trunc(x)", "round(x)", "fabs(x)", "copysign(x, y)",
			"x < y ? x : y", "x < y ? y : x", "x <= y ? x : y", "x > ONE ? x : ONE", "x >= ONE ? ONE : x", "x <= ZERO ? x : ZERO", "fmin(x, ONE)", "fmax(x, ZERO)", "clamp(x, ZERO, y)"} {
			add(fmt.Sprintf("%s of %s", f, ty), ty, ty, strings.NewReplacer("ZERO", "("+ty+")0", "ONE", "("+ty+")1").Replace(f))
		}
	}
	return out.String(), names, types
}

// TestHostOps compares the operations that need host calls, arithmetic and every mode of conversion, with the
// list hostOps.
func TestHostOps(t *testing.T) {
	src, names, _ := elementKernels()
	m := build(t, src)
	listing := func(kernels func(lv *x86.Level, note func(name string))) map[string]string {
		found := map[string]string{}
		for _, lv := range []*x86.Level{x86.AVX2, x86.AVX512} {
			var list []string
			kernels(lv, func(name string) { list = append(list, name) })
			slices.Sort(list)
			found[lv.Name] = strings.Join(slices.Compact(list), " ")
		}
		return found
	}
	found := listing(func(lv *x86.Level, note func(name string)) {
		for k, name := range names {
			c, err := compileKernel(m.Func(k), Options{Panics: true, Level: lv}, nil)
			if err != nil {
				t.Fatal(name, err)
			}
			if len(c.base.Ops) > 0 {
				note(name)
			}
		}
		for _, sk := range convertKinds {
			for _, dk := range convertKinds {
				m, _, _ := conversions(sk, dk, 1, boundaries(sk.Num())[:1])
				c := compiled(t, m.Func("k"), Options{Level: lv})
				for _, v := range c.base.Ops {
					note(fmt.Sprintf("convert %v to %v %d", sk, dk, v.Aux))
				}
			}
		}
	})
	for level, list := range found {
		if list != hostOps[level] {
			t.Errorf("%s: the host computes\n%s\nnot\n%s", level, list, hostOps[level])
		}
	}
}

// TestElementKernels compares the results of those kernels, with operands at which the operations change their
// behaviour.
func TestElementKernels(t *testing.T) {
	src, names, types := elementKernels()
	m := build(t, src)
	var on []exec.Executor
	for _, lv := range levels() {
		on = append(on, New(Options{Panics: true, Level: lv}))
	}
	for k := range names {
		var a, b buf
		size := types[k].Size()
		list := boundaries(types[k])
		pair := func(x, y uint64) {
			a = binary.LittleEndian.AppendUint64(a, x)[:len(a)+size]
			b = binary.LittleEndian.AppendUint64(b, y)[:len(a)]
		}
		for i, x := range list {
			pair(x, list[(i*7+3)%len(list)])
		}
		if types[k].IsFloat() {
			for _, x := range distinct(types[k]) {
				for _, y := range distinct(types[k]) {
					pair(x, y)
				}
			}
		}
		alikeOn(t, on, m, k, []shape{line(uint64(len(a) / size))}, a, b, make(buf, len(a)))
	}
}

// distinct returns numbers of a kind that comparisons tell apart, with zeros, subnormal numbers and NaNs.
func distinct(k numeric.Kind) (list []uint64) {
	for _, x := range []float64{0, math.Copysign(0, -1), 1, -1, 1.5, math.Inf(1), math.Inf(-1), math.NaN()} {
		list = append(list, numeric.ConvertBits(k, false, numeric.RTE, numeric.F64, math.Float64bits(x)))
	}
	return append(list, 1, list[1]|1, list[7]|5)
}
