package lanes

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Lanes at constant distances that are not side by side, such as the columns 4 * (l & 7) of the rows l >> 3, touch few vectors. A gang
// loads these and permutes the elements, or permutes the elements and stores parts of the vectors. The distances need to be constant
// only within clusters of lanes: the rows may be anywhere.

// A Cluster is a set of lanes side by side, at constant distances from the first of them.
type Cluster struct {
	First int     // lane
	Apart []int64 // of each lane, in bytes
	At    []int64 // the offsets, from the first lane on, of vectors that contain all elements
	Alike bool    // not vectors, but single elements are at these
	Bytes int64   // from the first lane's element to the end of the last vector of a load, or of the last element
}

// minCluster is the least number of lanes in a cluster.
const minCluster = 4

// spread selects Spread if the lanes form clusters whose elements are in few vectors.
func (x *Patterns) spread(w *Access, masked bool) bool {
	es := size(w.Type.K)
	if x.Alone || !x.Target.MaskedPieces.Has(es) || w.Type.N == 3 || w.Type.K == ssa.Bool || w.Order != nil || x.MayBeLarge(w.Root) || w.Write && (masked || w.Type.N > 1) {
		return false
	}
	list, ok := x.clusters(w)
	if !ok {
		return false
	}
	if _, ok = x.ClusterWraps(w, &list[0]); !ok {
		return false
	}
	vectors := len(list) * len(list[0].At)
	if !w.Write { // and as many permutations for each element
		vectors *= 1 + int(w.Type.N)
	}
	if vectors == 0 || vectors > x.Gang {
		return false
	}
	w.Pattern = Spread
	return true
}

// MaxApart bounds what an integer adds to itself from lane to lane of a cluster.
const MaxApart = 1 << 30

// ClusterWraps returns the integers that must not wrap between the lanes of a cluster, because they are extended and others added
// then: they do not where they are less than MaxApart and at least -MaxApart in the first lane. ok is false if lanes may not have their
// distances even so.
func (f *Facts) ClusterWraps(w *Access, c *Cluster) (list []*ssa.Value, ok bool) {
	if f.steady(&w.Address) {
		return nil, true
	}
	if list, ok = f.extended(w.Terms, maxStepDepth, nil); !ok {
		return nil, false
	}
	for _, v := range list {
		s, ok := (&stepper{Facts: f}).steps(v)
		if !ok {
			return nil, false
		}
		for b := 0; 1<<b < len(c.Apart); b++ {
			if by := s.By[b]; s.Unknown>>b&1 != 0 || by >= maxSpan || by < 0 {
				return nil, false
			}
		}
	}
	return list, true
}

// extended appends the integers of 4 bytes to list that the values extend and that may wrap between lanes. It returns false if others
// may wrap.
func (f *Facts) extended(values []*ssa.Value, depth int, list []*ssa.Value) (_ []*ssa.Value, ok bool) {
	for _, v := range values {
		v = f.Source(v)
		switch x := f.Of(v); {
		case !f.varies(v):
			continue
		case x.Shape == Affine && x.Exact():
			continue
		case x.Shape == Affine, depth == 0:
			return list, false
		}
		switch v.Op {
		case ssa.OpAnd, ssa.OpShr, ssa.OpDiv, ssa.OpRem:
			continue // bits of an id
		case ssa.OpConvert:
			if a := v.Args[0]; size(a.Type.K) < size(v.Type.K) && !f.Of(a).Within(-MaxApart, MaxApart) {
				if size(a.Type.K) != 4 {
					return list, false
				}
				list = append(list, a)
			}
		}
		if list, ok = f.extended(v.Args, depth-1, list); !ok {
			return list, false
		}
	}
	return list, true
}

// Clusters returns the clusters of lanes of an access in the pattern Window or Spread.
func (x *Patterns) Clusters(w *Access) []Cluster {
	if w.Pattern == Window {
		c, _ := x.around(w)
		return []Cluster{c}
	}
	list, _ := x.clusters(w)
	return list
}

// clusters returns clusters of one length.
func (x *Patterns) clusters(w *Access) (list []Cluster, ok bool) {
	s, ok := (&stepper{Facts: x.Facts}).address(&w.Address)
	if !ok {
		return nil, false
	}
	es, bytes, n := int64(size(w.Type.K)), int64(w.Type.Size()), 1
	for b := 0; n < x.Gang && s.Unknown>>b&1 == 0; b++ {
		by := s.By[b]
		// Lanes that store touch different bytes, so that their order does not matter.
		if by < 0 || by%es != 0 || by >= maxSpan || w.Write && by < bytes {
			break
		}
		bytes += by
		n *= 2
	}
	if n < minCluster || n > x.Gang {
		return nil, false
	}
	c := Cluster{}
	c.Apart, _ = s.distances(n)
	c.Bytes = slices.Max(c.Apart) + int64(w.Type.Size())
	c.At = x.vectors(w, &c)
	for ; c.First < x.Gang; c.First += n {
		list = append(list, c)
	}
	return list, true
}

// vectors returns the offsets, from the first lane on, of vectors of as many elements as there are lanes that contain all elements of a
// cluster, and no bytes after the last one. A store needs parts of vectors only, which may begin anywhere. It returns nil if there are
// none.
func (x *Patterns) vectors(w *Access, c *Cluster) (at []int64) {
	es := int64(size(w.Type.K))
	vector := es * int64(x.Gang)
	if !w.Write && c.Bytes < vector {
		return nil
	}
	for next := int64(0); next < c.Bytes; {
		from := int64(-1)
		for _, d := range c.Apart {
			for e := d; e < d+int64(w.Type.Size()); e += es {
				if e >= next && (from < 0 || e < from) {
					from = e
				}
			}
		}
		if !w.Write {
			from = min(from, c.Bytes-vector)
		}
		at = append(at, from)
		next = from + vector
	}
	return at
}
