package x86

// memory generates loads, stores and atomic operations of any object.
type memory struct {
	*privates
	sums []sum // by number of Code.Sums
}

// mostMasked is how many lanes a mask in a general register has.
const mostMasked = 64
