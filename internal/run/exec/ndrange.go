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

// Group returns the id of work-group number g, dimension 0 fastest, the global id of its first work-item, and its
// size. groups is the result of Groups.
func (r *NDRange) Group(groups [3]uint64, g uint64) (id, first, size [3]uint64) {
	id = [3]uint64{g % groups[0], g / groups[0] % groups[1], g / groups[0] / groups[1]}
	for d := range 3 {
		size[d] = min(r.Local[d], r.Global[d]-id[d]*r.Local[d])
		first[d] = r.Offset[d] + id[d]*r.Local[d]
	}
	return id, first, size
}

// A WorkItem is the position of a work-item in an index space.
type WorkItem struct {
	Global, Local, Group [3]uint64
	GroupNumber          uint64 // of the work-group, dimension 0 fastest
	ItemNumber           uint64 // in the work-group, dimension 0 fastest
}

// WorkItem returns the work-item with a global id.
func (r *NDRange) WorkItem(global [3]uint64) (w WorkItem) {
	groups, size := r.Groups(), [3]uint64{}
	w.Global = global
	for d := range global {
		at := global[d] - r.Offset[d]
		w.Group[d], w.Local[d] = at/r.Local[d], at%r.Local[d]
		size[d] = min(r.Local[d], r.Global[d]-w.Group[d]*r.Local[d])
	}
	w.GroupNumber = (w.Group[2]*groups[1]+w.Group[1])*groups[0] + w.Group[0]
	w.ItemNumber = (w.Local[2]*size[1]+w.Local[1])*size[0] + w.Local[0]
	return w
}
