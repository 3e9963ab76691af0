//go:build linux

package bench

import (
	"embed"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/purecl/purecl/internal/ir/numeric"
)

//go:embed kernels/*.cl
var kernels embed.FS

// A Row is one benchmark: a kernel and the C function that does the same work.
type Row struct {
	Name   string
	Class  *Class
	File   string // of the kernel, in kernels/
	Kernel string
	// Options are the build options, which choose the types where kernels differ in these alone.
	Options string
	// Reference names the C function in reference/.
	Reference string
	// Tolerance is how far floating-point results may differ, relative to the larger of the
	// two and 1; 0 demands equal bits. It is for functions of which the standard gives an
	// accuracy only, and for sums in another order.
	Tolerance float64
	// Full and Small are the problem sizes for timing and for tests; Case makes of one of
	// them the launch.
	Full, Small int
	Case        func(n int) Case
	// Operations is how many floating-point operations a launch of a size has, for rows that compute
	// more than they read and write; nil of others.
	Operations func(n int) int
	Precision  Precision // of these operations
}

// Precision is the type of floating-point operations.
type Precision int

// The types of floating-point operations.
const (
	Float Precision = iota
	Half
	Double
)

// A Case is a launch of a row's kernel.
type Case struct {
	Global, Local []int
	// Units is how much work there is for the C function, in what it counts.
	Units int
	Args  []Arg
	More  []Arg // numbers that only the C function gets
}

// A Class is rows of a kind, with the bars for the quotient of PureCL's time and the
// reference's.
type Class struct {
	Name           string
	Geomean, Worst float64
	// Rest says that the geomean's bar is for all such classes together.
	Rest bool
}

// The classes.
var (
	ConvertCompute = &Class{"convert-compute", 1.2, 2, false}
	ConvertStream  = &Class{"convert-stream", 1.1, 1.3, false}
	Bits           = &Class{"bits", 2, 4, true}
	Swizzle        = &Class{"swizzle", 2, 4, true}
	Saxpy          = &Class{"saxpy", 2, 4, true}
	Stencil        = &Class{"stencil", 2, 4, true}
	Divergent      = &Class{"divergent", 2, 4, true}
	Matmul         = &Class{"matmul", 2, 4, true}
	Local          = &Class{"local", 2, 4, true}
	Atomic         = &Class{"atomic", 2, 4, true}
	Physics        = &Class{"physics", 2, 4, true}
	Math           = &Class{"math", 2, 4, true}
	Hash           = &Class{"hash", 2, 4, true}
	Gather         = &Class{"gather", 2, 4, true}
	Dot            = &Class{"dot", 2, 4, true}
	Images         = &Class{"images", 1.5, 2, false}
	Forms          = &Class{"forms", 1.3, 2, false}
	RowWalks       = &Class{"rows", 2, 4, true}
	Cooperating    = &Class{"cooperating", 2, 4, true}
	Steps          = &Class{"steps", 2, 4, true}
	Long           = &Class{"long", 2, 4, false}

	Classes = []*Class{ConvertCompute, ConvertStream, Bits, Swizzle, Saxpy, Stencil, Divergent, Matmul, Local, Atomic, Physics, Math, Hash, Gather, Dot, Images, Forms, RowWalks, Cooperating, Steps, Long}
)

// Rows returns all rows in order of classes.
func Rows() []*Row {
	var rows []*Row
	for _, list := range [][]*Row{convertRows(), elementRows(), stencilRows(), controlRows(), groupRows(), mathRows(), memoryRows(), imageRows(), formRows(), algorithmRows()} {
		rows = append(rows, list...)
	}
	return append(rows, longRows(rows)...)
}

// longSizes are problem sizes, by row, that keep 16 threads busy for some milliseconds: how
// rows scale that take one thread a millisecond says more about waking threads.
var longSizes = map[string]int{"mandelbrot": 4096, "ray_sphere": 4096, "nbody": 1 << 14, "sha256": 1 << 21, "md5": 1 << 22, "collatz": 1 << 21, "matmul_naive": 1024}

// longRows returns the rows that have a long size, with that.
func longRows(rows []*Row) (long []*Row) {
	for _, r := range rows {
		if n := longSizes[r.Name]; n > 0 {
			x := *r
			x.Name, x.Class, x.Full = r.Name+"_long", Long, n
			long = append(long, &x)
		}
	}
	return long
}

// source returns the row's program: of the kernel's file what is not another kernel.
// Paragraphs of the files, between empty lines, are kernels or what several have in common.
func (r *Row) source() (string, error) {
	text, err := kernels.ReadFile("kernels/" + r.File)
	if err != nil {
		return "", err
	}
	var parts []string
	for _, p := range strings.Split(string(text), "\n\n") {
		if m := kernelName.FindStringSubmatch(p); m == nil || m[1] == r.Kernel {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, "\n\n"), nil
}

var kernelName = regexp.MustCompile(`(?s)\bkernel\b.*?\bvoid (\w+)\(`)

// size returns the problem size for timing or for tests.
func (r *Row) size(small bool) int {
	if small {
		return r.Small
	}
	return r.Full
}

// An Arg is a kernel argument: a memory object, a number, or local memory.
type Arg struct {
	bytes   int                                             // of a memory object
	fill    func(b []byte, seed int)                        // gives it its first content
	compare func(got, want []byte, tolerance float64) error // of a result; nil: none
	number  any                                             // int, float64
	updated bool                                            // a result that is input too
	picture *picture                                        // of a memory object that is an image; nil: a buffer
}

// number is what memory objects have elements of.
type number interface {
	int8 | uint8 | int16 | uint16 | int32 | uint32 | int64 | uint64 | float32 | float64 | numeric.Half
}

func view[T number](b []byte) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(*new(T))))
}

// in returns an input of n elements; element makes the one with the index i.
func in[T number](n int, element func(r *rand.PCG, i int) T) Arg {
	return Arg{
		bytes: n * int(unsafe.Sizeof(*new(T))),
		fill: func(b []byte, seed int) {
			r := rand.NewPCG(uint64(n), uint64(seed))
			for i, s := 0, view[T](b); i < len(s); i++ {
				s[i] = element(r, i)
			}
		},
	}
}

// out returns a result of n elements, zero at first.
func out[T number](n int) Arg {
	a := in[T](n, nil)
	a.fill = func(b []byte, _ int) { clear(b) }
	a.compare = compare[T]
	return a
}

// inout returns a memory object that is input and result.
func inout[T number](n int, element func(r *rand.PCG, i int) T) Arg {
	a := in(n, element)
	a.compare, a.updated = compare[T], true
	return a
}

// integer and float are arguments by value.
func integer(n int) Arg   { return Arg{number: n} }
func float(x float64) Arg { return Arg{number: x} }

// between makes numbers of [lo, hi).
func between[T number](lo, hi float64) func(*rand.PCG, int) T {
	return func(r *rand.PCG, _ int) T { return T(lo + float64(r.Uint64()>>11)*(hi-lo)/(1<<53)) }
}

// random makes integers of all bits.
func random[T number](r *rand.PCG, _ int) T { return T(r.Uint64()) }

// index makes integers of [0, n).
func index[T number](n int) func(*rand.PCG, int) T {
	return func(r *rand.PCG, _ int) T { return T(r.Uint64() % uint64(n)) }
}

// order writes the case as the C program's orders have it; offsets are the memory objects'.
func (c *Case) order(name string, offsets []int, threads, repeats int) string {
	s := fmt.Sprintf("%s %d %d %d", name, c.Units, threads, repeats)
	for i, a := range slices.Concat(c.Args, c.More) {
		switch x := a.number.(type) {
		case int:
			s += " i" + strconv.Itoa(x)
		case float64:
			s += " f" + strconv.FormatFloat(x, 'g', -1, 64)
		case nil:
			if a.bytes > 0 {
				s += " p" + strconv.Itoa(offsets[i])
			}
		}
	}
	return s
}

// layout places the memory objects: each begins in a huge page of its own, at another
// place in it, so that no two have equal low bits of their addresses. It returns the bytes
// in all.
func (c *Case) layout() (offsets []int, size int) {
	const page, stagger = 2 << 20, 1<<10 + 1<<6
	offsets = make([]int, len(c.Args))
	for i, a := range c.Args {
		if a.bytes > 0 {
			offsets[i] = size + i*stagger
			size = (offsets[i] + a.bytes + page - 1) / page * page
		}
	}
	return offsets, size
}
