package exec

// An NDRange is the index space of a launch. Unused dimensions have global and local
// size 1 and offset 0.
type NDRange struct {
	Dims   int
	Offset [3]uint64
	Global [3]uint64
	Local  [3]uint64 // of a full work-group; groups at the upper edges may be smaller
}

// Groups returns the number of work-groups in each dimension.
func (r *NDRange) Groups() (n [3]uint64) {
	for d := range n {
		n[d] = (r.Global[d] + r.Local[d] - 1) / r.Local[d]
	}
	return n
}

// Uniform reports whether all work-groups are full.
func (r *NDRange) Uniform() bool {
	for d := range r.Global {
		if r.Global[d]%r.Local[d] != 0 {
			return false
		}
	}
	return true
}
