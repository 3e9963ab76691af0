//go:build linux

package bench

// These are for programs that place a case's memory objects themselves, such as bench/gpu.

// Text returns the row's program.
func (r *Row) Text() (string, error) { return r.source() }

// Bytes returns the size of the argument that is a memory object, 0 of another.
func (a *Arg) Bytes() int { return a.bytes }

// Number returns the argument that is a number, an int or a float64; nil of another.
func (a *Arg) Number() any { return a.number }

// Image reports whether the argument is an image.
func (a *Arg) Image() bool { return a.picture != nil }

// Content returns what memory object number i holds at first.
func (a *Arg) Content(i int) []byte {
	b := make([]byte, a.bytes)
	if a.fill != nil {
		a.fill(b, i)
	}
	return b
}

// Compare compares a result, and says how it differs; nil of arguments that are none.
func (a *Arg) Compare(got, want []byte, tolerance float64) error {
	if a.compare == nil {
		return nil
	}
	return a.compare(got, want, tolerance)
}
