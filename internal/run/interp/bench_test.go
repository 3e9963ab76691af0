package interp_test

import (
	"testing"

	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/launch"
)

// The kernels of the speed tests, as the front end would lower them.

const matmul = `
kernel @k(v0 ptr.global, v1 ptr.global, v2 ptr.global, v3 i32) {
  arg kind=global name="a" typename="float*" size=4 align=4
  arg kind=global name="b" typename="float*" size=4 align=4
  arg kind=global name="c" typename="float*" size=4 align=4
  arg kind=value name="n" typename="int" type=i32 size=4 align=4
b0:
  v4 = const u32 0
  v5 = const u32 1
  v6 = workitem u64 v4 query=global_id
  v7 = workitem u64 v5 query=global_id
  v8 = convert i32 v6
  v9 = convert i32 v7
  v10 = const i32 0
  v11 = const f32 0
  v12 = const i32 1
  v13 = const i64 4
  v14 = mul i32 v9, v3
  jump b1
b1:
  v20 = phi i32 b0:v10 b2:v36
  v21 = phi f32 b0:v11 b2:v35
  v22 = lt bool v20, v3
  branch v22 b2 b3
b2:
  v23 = add i32 v14, v20
  v24 = convert i64 v23
  v25 = mul i64 v24, v13
  v26 = ptradd ptr.global v0, v25
  v27 = load f32 v26 align=4
  v28 = mul i32 v20, v3
  v29 = add i32 v28, v8
  v30 = convert i64 v29
  v31 = mul i64 v30, v13
  v32 = ptradd ptr.global v1, v31
  v33 = load f32 v32 align=4
  v34 = mul f32 v27, v33
  v35 = add f32 v21, v34
  v36 = add i32 v20, v12
  jump b1
b3:
  v40 = add i32 v14, v8
  v41 = convert i64 v40
  v42 = mul i64 v41, v13
  v43 = ptradd ptr.global v2, v42
  store v43, v21 align=4
  return
}
`

const mandelbrot = `
kernel @k(v0 ptr.global, v1 i32) {
  arg kind=global name="out" typename="int*" size=4 align=4
  arg kind=value name="max" typename="int" type=i32 size=4 align=4
b0:
  v4 = const u32 0
  v5 = const u32 1
  v6 = workitem u64 v4 query=global_id
  v7 = workitem u64 v5 query=global_id
  v8 = workitem u64 v4 query=global_size
  v9 = workitem u64 v5 query=global_size
  v10 = convert f32 v6
  v11 = convert f32 v7
  v12 = convert f32 v8
  v13 = convert f32 v9
  v14 = div f32 v10, v12
  v15 = div f32 v11, v13
  v16 = const f32 3
  v17 = const f32 2
  v18 = mul f32 v14, v16
  v19 = sub f32 v18, v17
  v20 = mul f32 v15, v17
  v21 = const f32 1
  v22 = sub f32 v20, v21
  v23 = const f32 0
  v24 = const i32 0
  v25 = const i32 1
  v26 = const f32 4
  jump b1
b1:
  v30 = phi f32 b0:v23 b2:v45
  v31 = phi f32 b0:v23 b2:v43
  v32 = phi i32 b0:v24 b2:v46
  v33 = mul f32 v30, v30
  v34 = mul f32 v31, v31
  v35 = add f32 v33, v34
  v36 = lt bool v35, v26
  v37 = lt bool v32, v1
  v38 = and bool v36, v37
  branch v38 b2 b3
b2:
  v40 = mul f32 v30, v17
  v41 = mul f32 v40, v31
  v43 = add f32 v41, v22
  v44 = sub f32 v33, v34
  v45 = add f32 v44, v19
  v46 = add i32 v32, v25
  jump b1
b3:
  v50 = mul u64 v7, v8
  v51 = add u64 v50, v6
  v52 = const u64 4
  v53 = mul u64 v51, v52
  v54 = bitcast i64 v53
  v55 = ptradd ptr.global v0, v54
  store v55, v32 align=4
  return
}
`

// sobel is the 3×3 gradient on floats, without borders.
const sobel = `
kernel @k(v0 ptr.global, v1 ptr.global, v2 i32, v3 i32) {
  arg kind=global name="in" typename="float*" size=4 align=4
  arg kind=global name="out" typename="float*" size=4 align=4
  arg kind=value name="w" typename="int" type=i32 size=4 align=4
  arg kind=value name="h" typename="int" type=i32 size=4 align=4
b0:
  v4 = const u32 0
  v5 = const u32 1
  v6 = workitem u64 v4 query=global_id
  v7 = workitem u64 v5 query=global_id
  v8 = convert i32 v6
  v9 = convert i32 v7
  v10 = const i32 1
  v11 = sub i32 v2, v10
  v12 = sub i32 v3, v10
  v13 = le bool v10, v8
  v14 = lt bool v8, v11
  v15 = le bool v10, v9
  v16 = lt bool v9, v12
  v17 = and bool v13, v14
  v18 = and bool v15, v16
  v19 = and bool v17, v18
  branch v19 b1 b2
b1:
  v20 = mul i32 v9, v2
  v21 = add i32 v20, v8
  v22 = sub i32 v21, v2
  v23 = add i32 v21, v2
  v24 = sub i32 v22, v10
  v25 = add i32 v22, v10
  v26 = sub i32 v21, v10
  v27 = add i32 v21, v10
  v28 = sub i32 v23, v10
  v29 = add i32 v23, v10
  v30 = const i64 4
  v31 = convert i64 v24
  v32 = mul i64 v31, v30
  v33 = ptradd ptr.global v0, v32
  v34 = load f32 v33 align=4
  v35 = convert i64 v22
  v36 = mul i64 v35, v30
  v37 = ptradd ptr.global v0, v36
  v38 = load f32 v37 align=4
  v39 = convert i64 v25
  v40 = mul i64 v39, v30
  v41 = ptradd ptr.global v0, v40
  v42 = load f32 v41 align=4
  v43 = convert i64 v26
  v44 = mul i64 v43, v30
  v45 = ptradd ptr.global v0, v44
  v46 = load f32 v45 align=4
  v47 = convert i64 v27
  v48 = mul i64 v47, v30
  v49 = ptradd ptr.global v0, v48
  v50 = load f32 v49 align=4
  v51 = convert i64 v28
  v52 = mul i64 v51, v30
  v53 = ptradd ptr.global v0, v52
  v54 = load f32 v53 align=4
  v55 = convert i64 v23
  v56 = mul i64 v55, v30
  v57 = ptradd ptr.global v0, v56
  v58 = load f32 v57 align=4
  v59 = convert i64 v29
  v60 = mul i64 v59, v30
  v61 = ptradd ptr.global v0, v60
  v62 = load f32 v61 align=4
  v63 = const f32 2
  v64 = mul f32 v46, v63
  v65 = mul f32 v50, v63
  v66 = mul f32 v38, v63
  v67 = mul f32 v58, v63
  v68 = add f32 v42, v65
  v69 = add f32 v68, v62
  v70 = sub f32 v69, v34
  v71 = sub f32 v70, v64
  v72 = sub f32 v71, v54
  v73 = add f32 v54, v67
  v74 = add f32 v73, v62
  v75 = sub f32 v74, v34
  v76 = sub f32 v75, v66
  v77 = sub f32 v76, v42
  v78 = mul f32 v72, v72
  v79 = mul f32 v77, v77
  v80 = add f32 v78, v79
  v81 = sqrt f32 v80
  v82 = convert i64 v21
  v83 = mul i64 v82, v30
  v84 = ptradd ptr.global v1, v83
  store v84, v81 align=4
  jump b2
b2:
  return
}
`

// bench measures a launch with about ops operations of work-items.
func bench(b *testing.B, text string, ops float64, l launch.Launch) {
	p := load(b, text)
	for _, c := range []struct {
		name   string
		checks exec.Checks
	}{{"none", exec.ChecksNone}, {"all", exec.ChecksAll}} {
		b.Run(c.name, func(b *testing.B) {
			l := l
			l.Checks = c.checks
			for b.Loop() {
				r, err := run(b, p, l)
				clean(b, r, err)
			}
			b.ReportMetric(ops*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mops/s")
		})
	}
}

func BenchmarkSaxpy(b *testing.B) {
	const n = 1 << 20
	x, y := make([]float32, n), make([]float32, n)
	bench(b, saxpy, 9*n, launch.Launch{Args: []launch.Arg{buf(y), buf(x), val(float32(2))}, Range: launch.Range{Global: u64(n)}})
}

func BenchmarkMatmul(b *testing.B) {
	const n = 256
	m := func() launch.Arg { return buf(make([]float32, n*n)) }
	bench(b, matmul, 15*n*n*n, launch.Launch{Args: []launch.Arg{m(), m(), m(), val(int32(n))}, Range: launch.Range{Global: u64(n, n), Local: u64(16, 16)}})
}

func BenchmarkMandelbrot(b *testing.B) {
	const n = 512
	out := make([]int32, n*n)
	p := load(b, mandelbrot)
	l := launch.Launch{Args: []launch.Arg{buf(out), val(int32(256))}, Range: launch.Range{Global: u64(n, n), Local: u64(16, 16)}}
	if _, err := run(b, p, l); err != nil {
		b.Fatal(err)
	}
	iter := 0.0
	for _, x := range out {
		iter += float64(x)
	}
	bench(b, mandelbrot, 13*iter, l)
}

func BenchmarkSobel(b *testing.B) {
	const n = 1024
	m := func() launch.Arg { return buf(make([]float32, n*n)) }
	bench(b, sobel, 70*n*n, launch.Launch{Args: []launch.Arg{m(), m(), val(int32(n)), val(int32(n))}, Range: launch.Range{Global: u64(n, n), Local: u64(16, 16)}})
}
