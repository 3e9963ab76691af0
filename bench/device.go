//go:build linux

package bench

import (
	"github.com/purecl/purecl/internal/run/image"
)

// This file is for players outside the package, and for programs that place a case's memory objects
// themselves, such as bench/gpu.

// Time runs f repeats times and returns what the runs took.
func Time(repeats int, f func() error) (Times, error) { return times(repeats, f) }

// Objects returns the parts of the memory that are the case's memory objects, by argument. Parts of numbers are empty.
func (c *Case) Objects(m *Memory) [][]byte { return c.objects(m) }

// Text returns the row's program.
func (r *Row) Text() (string, error) { return r.source() }

// Bytes returns the size of a memory object, 0 for another argument.
func (a *Arg) Bytes() int { return a.bytes }

// Number returns the value of a number, an int or a float64; nil for another argument.
func (a *Arg) Number() any { return a.number }

// Image returns the format and the size of an argument that is an image; ok is false for other arguments.
// Sizes beyond the image's dimensions are 1.
func (a *Arg) Image() (format image.Format, size [3]int, ok bool) {
	if a.picture == nil {
		return format, size, false
	}
	return a.picture.format, a.picture.size, true
}

// Content returns the initial contents of memory object number i.
func (a *Arg) Content(i int) []byte {
	b := make([]byte, a.bytes)
	if a.fill != nil {
		a.fill(b, i)
	}
	return b
}

// Compare compares a result; its error describes the difference. It returns nil for arguments that are no results.
func (a *Arg) Compare(got, want []byte, tolerance float64) error {
	if a.compare == nil {
		return nil
	}
	return a.compare(got, want, tolerance)
}
