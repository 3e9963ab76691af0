package purecl

import (
	"unsafe"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// convert converts the first n components of v; the functions of zconvert.go are
// calls of it.
func convert[D, S any](v S, src numeric.Kind, n int, dst numeric.Kind, sat bool, r numeric.Round) (d D) {
	c := numeric.Conversion{Dst: dst, Src: src, Sat: sat, Round: r}
	c.Apply(
		unsafe.Slice((*byte)(unsafe.Pointer(&d)), n*dst.Size()),
		unsafe.Slice((*byte)(unsafe.Pointer(&v)), n*src.Size()))
	return d
}

// reinterpret returns the bytes of x as a D, which has as many.
func reinterpret[D, S any](x S) D { return *(*D)(unsafe.Pointer(&x)) }
