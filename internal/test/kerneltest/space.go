package kerneltest

import "fmt"

// An indexSpace picks the range of the launch and writes the queries by which work-items differ. It knows no names of
// the program.
type indexSpace struct {
	source
	k     *Kernel // the kernel in the making
	items int     // of the range, including those below the offset
	group int     // most work-items of a work-group
}

// launch picks the range of the launch.
func (g *indexSpace) launch() {
	k := g.k
	switch kind := g.IntN(6); {
	case g.style != mixed:
		g.regularLaunch()
	case kind < 2:
		k.Global = []int{1 + g.IntN(20), 1 + g.IntN(5)}
		if g.barriers || g.chance(2) {
			k.Local = []int{oneOf(g, 1, 2, 3, 4, 5, 7, 8, 16), 1 + g.IntN(3)}
		}
	case kind == 2:
		k.Global = []int{1 + g.IntN(9), 1 + g.IntN(4), 1 + g.IntN(3)}
		if g.barriers || g.chance(2) {
			k.Local = []int{1 + g.IntN(8), 1 + g.IntN(3), 1 + g.IntN(2)}
		}
	default:
		k.Global = []int{oneOf(g, 1, 3, 5, 7, 8, 13, 16, 17, 31, 32, 33, 37, 48, 63, 64, 65, 70, 128, 193)}
		if g.barriers || g.chance(2) {
			k.Local = []int{oneOf(g, 1, 2, 3, 5, 7, 8, 11, 13, 16, 17, 24, 32, 64)}
		}
	}
	if g.standard == opencl12 { // OpenCL 1.2 requires that the local size divides the global size
		for d := range k.Local {
			k.Local[d] = min(k.Local[d], k.Global[d])
			k.Global[d] -= k.Global[d] % k.Local[d]
		}
	}
	if g.chance(4) {
		for range k.Global {
			k.Offset = append(k.Offset, g.IntN(6))
		}
	}
	g.items, g.group = 1, 1
	for d, n := range k.Global {
		if k.Local != nil {
			g.group *= k.Local[d]
		} else {
			g.group *= n
		}
		g.items *= g.ids(d)
	}
}

// ids returns the number of global ids in dimension d, including those below the offset.
func (g *indexSpace) ids(d int) int {
	if g.k.Offset == nil {
		return g.k.Global[d]
	}
	return g.k.Global[d] + g.k.Offset[d]
}

// regularLaunch picks the range of a kernel with a style other than mixed.
func (g *indexSpace) regularLaunch() {
	if g.style == cooperative {
		g.cooperativeLaunch()
		return
	}
	if g.style == crossed {
		g.crossedLaunch()
		return
	}
	k := g.k
	k.Global = []int{oneOf(g, 64, 128, 128, 256, 256, 512, 100, 130, 200, 33)}
	if g.style == gridlike && g.chance(2) {
		k.Global = []int{oneOf(g, 7, 16, 20, 32, 33, 64, 80), 1 + g.IntN(7)}
	} else if g.chance(4) {
		k.Global = append(k.Global, 1+g.IntN(3))
	}
	if g.chance(4) {
		k.Local = []int{oneOf(g, 8, 16, 32, 64), 1}[:len(k.Global)]
	}
}

// cooperativeLaunch picks the range of a cooperative kernel: most groups fill whole gangs.
func (g *indexSpace) cooperativeLaunch() {
	k := g.k
	k.Local = []int{oneOf(g, 16, 32, 32, 32, 64, 64, 48, 24)}
	k.Global = []int{k.Local[0] * (1 + g.IntN(3))}
	if g.chance(2) {
		h := oneOf(g, 1, 2, 3, 4)
		k.Local, k.Global = append(k.Local, h), append(k.Global, h*(1+g.IntN(2)))
	}
	if g.chance(3) { // rows shorter than gangs
		k.Local = []int{oneOf(g, 1, 2, 4, 8, 3), oneOf(g, 4, 8, 8, 16, 6)}
		k.Global = []int{k.Local[0] * (1 + g.IntN(3)), k.Local[1] * (1 + g.IntN(2))}
	}
	if g.chance(8) {
		k.Global[0]++
	}
	if g.standard == opencl12 {
		k.Global[0] -= k.Global[0] % k.Local[0]
	}
}

// crossedLaunch picks the range of a kernel of rows and columns: some gangs of columns, or not quite.
func (g *indexSpace) crossedLaunch() {
	k := g.k
	k.Global = []int{oneOf(g, 16, 17, 32, 33, 48, 64, 70, 130), oneOf(g, 4, 5, 8, 9, 12, 16, 19)}
	switch g.IntN(5) {
	case 0:
		k.Local = []int{oneOf(g, 4, 8, 16), oneOf(g, 1, 2, 4)}
	case 1: // lanes may lie along rows
		k.Global[0], k.Global[1] = k.Global[1], k.Global[0]
	}
}

// linear returns the work-item's linear id: it is unique and less than items.
func (g *indexSpace) linear() string {
	id := func(d int) string { return fmt.Sprintf("get_global_id(%d)", d) }
	s, width := id(0), 1
	if g.style == crossed && g.chance(2) { // columns lie side by side
		return fmt.Sprintf("%s * %d + %s", s, g.ids(1), id(1))
	}
	for d := 1; d < len(g.k.Global); d++ {
		width *= g.ids(d - 1)
		s += fmt.Sprintf(" + %d * %s", width, id(d))
	}
	return s
}

// query returns a work-item query as a scalar.
func (g *indexSpace) query() string {
	d := g.IntN(len(g.k.Global))
	if g.standard != opencl12 && g.chance(8) {
		if g.groups && g.chance(2) {
			return "get_local_linear_id()"
		}
		return "get_global_linear_id()"
	}
	if !g.groups {
		return fmt.Sprintf("%s(%d)", oneOf(g, "get_global_id", "get_global_size", "get_global_offset"), d)
	}
	return fmt.Sprintf("%s(%d)", oneOf(g, "get_global_id", "get_local_id", "get_local_id", "get_group_id", "get_local_size", "get_num_groups"), d)
}

// attribute returns the kernel's attribute for the work-group size, if it requires one.
func attribute(k *Kernel) string {
	if !k.required {
		return ""
	}
	size := [3]int{1, 1, 1}
	copy(size[:], k.Local)
	return fmt.Sprintf("__attribute__((reqd_work_group_size(%d, %d, %d))) ", size[0], size[1], size[2])
}
