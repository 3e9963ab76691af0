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
	File   string // the kernel's file in kernels/
	Kernel string
	// Options are the build options, which select the types of kernels that differ only in these.
	Options string
	// Reference is the name of the C function in reference/.
	Reference string
	// Library is the name of the C function in library/ that calls OpenBLAS or FFTW; "" if neither does this work.
	Library string
	// Tolerance is the largest allowed difference of floating-point results, relative to the larger of the two and
	// 1; 0 requires equal bits. It is for functions to which the standard gives an accuracy, and for sums in
	// another order.
	Tolerance float64
	// Full and Small are the problem sizes of measurements and of tests. Case returns the launch of a size.
	Full, Small int
	Case        func(n int) Case
	// Operations returns the number of floating-point operations of a launch, for rows that compute more than they
	// access memory; it is nil for others.
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
	// Units is the amount of work for the C function, in its own unit.
	Units int
	Args  []Arg
	More  []Arg // numbers for the C function only
}

// A Class is a set of similar rows, with the bars for the ratio of PureCL's time to the reference's.
type Class struct {
	Name           string
	Geomean, Worst float64
	// Rest is set if the class shares its bar for the geometric mean with all such classes.
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
	Real           = &Class{"real", 2, 4, true}
	Long           = &Class{"long", 2, 4, false}

	Classes = []*Class{ConvertCompute, ConvertStream, Bits, Swizzle, Saxpy, Stencil, Divergent, Matmul, Local, Atomic, Physics, Math, Hash, Gather, Dot, Images, Forms, RowWalks, Cooperating, Steps, Real, Long}
)

// Rows returns all rows in the order of classes.
func Rows() []*Row {
	var rows []*Row
	for _, list := range [][]*Row{convertRows(), elementRows(), stencilRows(), controlRows(), groupRows(), mathRows(), memoryRows(), imageRows(), formRows(), algorithmRows(), realRows(), applicationRows()} {
		rows = append(rows, list...)
	}
	return append(rows, longRows(rows)...)
}

// longSizes are problem sizes, by row, that keep 16 threads busy for some milliseconds. The scaling of a row that
// takes one thread a millisecond measures the time to wake threads.
var longSizes = map[string]int{"mandelbrot": 4096, "ray_sphere": 4096, "nbody": 1 << 14, "sha256": 1 << 21, "md5": 1 << 22, "collatz": 1 << 21, "matmul_naive": 1024}

// longRows returns the rows that have a long size, at that size.
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

// by sets the function in library/ that does a row's work.
func by(library string, r *Row) *Row {
	r.Library = library
	return r
}

// source returns the row's program: the kernel's file without its other kernels. The files consist of paragraphs,
// between empty lines; each is a kernel or shared code.
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

// size returns the problem size for tests if small is set, else for measurements.
func (r *Row) size(small bool) int {
	if small {
		return r.Small
	}
	return r.Full
}

// An Arg is a kernel argument: a memory object, a number, or local memory.
type Arg struct {
	bytes   int                                             // of a memory object
	fill    func(b []byte, seed int)                        // writes the initial contents
	compare func(got, want []byte, tolerance float64) error // compares a result; nil if the argument is none
	number  any                                             // int, float64
	updated bool                                            // a result that is also an input
	picture *picture                                        // image description; nil for a buffer
}

// number is the constraint of elements of memory objects.
type number interface {
	int8 | uint8 | int16 | uint16 | int32 | uint32 | int64 | uint64 | float32 | float64 | numeric.Half
}

func view[T number](b []byte) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(*new(T))))
}

// in returns an input of n elements; element returns the one at index i.
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

// out returns a result of n elements, initially zero.
func out[T number](n int) Arg {
	a := in[T](n, nil)
	a.fill = func(b []byte, _ int) { clear(b) }
	a.compare = compare[T]
	return a
}

// inout returns a memory object that is both input and result.
func inout[T number](n int, element func(r *rand.PCG, i int) T) Arg {
	a := in(n, element)
	a.compare, a.updated = compare[T], true
	return a
}

// integer and float return arguments by value.
func integer(n int) Arg   { return Arg{number: n} }
func float(x float64) Arg { return Arg{number: x} }

// between returns a generator of numbers in [lo, hi).
func between[T number](lo, hi float64) func(*rand.PCG, int) T {
	return func(r *rand.PCG, _ int) T { return T(lo + float64(r.Uint64()>>11)*(hi-lo)/(1<<53)) }
}

// random returns integers of random bits.
func random[T number](r *rand.PCG, _ int) T { return T(r.Uint64()) }

// index returns a generator of integers in [0, n).
func index[T number](n int) func(*rand.PCG, int) T {
	return func(r *rand.PCG, _ int) T { return T(r.Uint64() % uint64(n)) }
}

// order returns the case as an order to the C program. offsets are those of the memory objects.
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

// layout assigns offsets to the memory objects. Each begins in a huge page of its own, at a different offset in it,
// so that no two addresses have equal low bits. size is the total number of bytes.
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
