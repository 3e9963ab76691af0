//go:build linux

package bench

// formsWidth is the width of the rows' images, or a divisor of it.
const formsWidth = 512

// formRows returns alternative sources of some kernels, in forms.cl: each is compared with the reference of the best
// one.
func formRows() []*Row {
	row := func(name, kernel, reference string, full int, make func(n int) Case) *Row {
		return &Row{Name: name, Class: Forms, File: "forms.cl", Kernel: kernel, Reference: reference, Full: full, Small: smallElements,
			Case: func(n int) Case {
				c := make(n)
				c.Units = n
				return c
			}}
	}
	saxpy := func(name string, global func(n int) []int, more func(n int) []Arg) *Row {
		return row(name, name, "saxpy", nearElements, func(n int) Case {
			args := []Arg{inout(n, between[float32](-100, 100)), in(n, between[float32](-100, 100)), float(0.5)}
			return Case{Global: global(n), Args: append(args, more(n)...)}
		})
	}
	each := func(n int) []int { return []int{n} }
	count := func(n int) []Arg { return []Arg{integer(n)} }
	width := func(int) []Arg { return []Arg{integer(formsWidth)} }
	particles := func(name string) *Row {
		return row(name, name, "particles", nearElements/8, func(n int) Case {
			return Case{Global: []int{n}, Args: []Arg{inout(8*n, between[float32](-100, 100)), float(0.5)}}
		})
	}
	rings := func(name string) *Row {
		return row(name, name, "rings", nearElements, func(n int) Case {
			return Case{Global: []int{formsWidth, n / formsWidth}, Args: []Arg{out[float32](n), floatsIn(n), integer(formsWidth)}}
		})
	}
	small := func(r *Row) *Row {
		r.Small = 64
		return r
	}
	const length = 160 // of rows
	dots := func(name, reference string, args func(n int) []Arg) *Row {
		return small(row(name, name, reference, 1<<11, func(n int) Case {
			return Case{Global: []int{n}, Args: append(args(n), integer(length))}
		}))
	}
	return []*Row{
		saxpy("saxpy_plain", each, func(int) []Arg { return nil }),
		saxpy("saxpy_stride", func(n int) []int { return []int{n / 8} }, count),
		saxpy("saxpy_reverse", each, count),
		saxpy("saxpy_divided", each, width),
		saxpy("saxpy_swapped", func(n int) []int { return []int{n / formsWidth, formsWidth} }, width),
		particles("particles_field"), particles("particles_copy"),
		rings("rings_select"), rings("rings_modulo"), rings("rings_helper"),
		flops(func(n int) int { return 2 * n * n * n }, small(row("matmul_update", "matmul_update", "matmul_update", 512, func(n int) Case {
			return Case{Global: []int{n, n}, Args: []Arg{inout(n*n, between[float32](-1, 1)), floatsIn(n * n), floatsIn(n * n), integer(n), float(0.5)}}
		}))),
		dots("row_dot_unrolled", "row_dot_float", func(n int) []Arg {
			return []Arg{out[float32](n), floatsIn(n * length), floatsIn(n * length)}
		}),
		dots("row_dot_backward", "row_dot_char", func(n int) []Arg {
			return []Arg{out[int32](n), in(n*length, random[int8]), in(n*length, random[int8])}
		}),
	}
}
