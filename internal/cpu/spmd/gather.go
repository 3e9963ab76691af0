package spmd

import (
	"math/bits"
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Permutations of lanes (symbol.go). A permutation of permutations is one permutation. With more than two values it is a
// tree: as in a transpose by a butterfly, values are merged in pairs, and the results in pairs again. A merged
// value has the same lanes of each source, one source after the other. It has more lanes than its result needs: the neighbours
// of these, so that other results of the same sources share the value.

// A source is a lane of a value.
type source struct {
	v    *ssa.Value // nil: 0
	lane uint8
}

// gather returns a value whose lanes are lanes of others; only those in need matter. It looks through permutations if that takes no
// more values: the permutations may then be unused.
func (s *symbols) gather(t ssa.Type, from []source, need uint64) *ssa.Value {
	used, number := s.number(from, need)
	through := make([]source, len(from))
	for i, x := range from {
		through[i] = s.through(x)
	}
	if u, n := s.number(through, need); len(u) <= max(len(used), 1) {
		from, used, number = through, u, n
	}
	if len(used) == 0 {
		return s.constant(t, 0)
	}
	for k, u := range used {
		switch {
		case u == nil:
			used[k] = s.constant(t, 0)
		case u.Type != t:
			used[k] = s.do(ssa.OpBitcast, t, u)
		}
	}
	if len(used) > 2 {
		if r := s.inPlace(t, used, from, number); r != nil {
			return r
		}
		if r := s.tree(t, used, from, number); r != nil {
			return r
		}
		if group, rest, ok := s.moves(from, number); ok && rest != 0 {
			order := make([]uint8, s.lanes)
			for i := range order {
				if order[i] = uint8(i); rest>>i&1 != 0 {
					order[i] += uint8(s.lanes)
				}
			}
			return s.permuted(t, s.gather(t, slices.Clone(from), group), s.gather(t, slices.Clone(from), rest), order)
		}
	}
	r, n := used[0], uint8(len(from))
	for k := min(1, len(used)-1); k < len(used); k++ {
		order := make([]uint8, n)
		for i := range order {
			switch order[i] = uint8(i); {
			case number[i] == k && k > 0:
				order[i] = n + from[i].lane
			case number[i] == 0 && k <= 1:
				order[i] = from[i].lane
			}
		}
		if len(used) == 2 {
			continued(order, number)
		}
		r = s.permuted(t, r, used[k], order)
	}
	return r
}

// continued lets the lanes of an order of two sources that do not matter, whose numbers are negative, continue the others if these are
// successive lanes of the sources.
func continued(order []uint8, number []int) {
	first := slices.IndexFunc(number, func(n int) bool { return n >= 0 })
	by := int(order[first]) - first
	for i, n := range number {
		if n >= 0 && int(order[i]) != i+by {
			return
		}
	}
	for i, n := range number {
		if k := i + by; n < 0 && 0 <= k && k < 2*len(order) {
			order[i] = uint8(k)
		}
	}
}

// number returns the values that sources in need are lanes of, and for each source the index of its value, or -1.
func (s *symbols) number(from []source, need uint64) (used []*ssa.Value, number []int) {
	number = make([]int, len(from))
	for i := range from {
		x := &from[i]
		if number[i] = -1; need>>i&1 == 0 {
			continue
		}
		if x.v == nil || x.v.Op == ssa.OpConst {
			x.lane = uint8(i)
		}
		if number[i] = slices.Index(used, x.v); number[i] < 0 {
			number[i] = len(used)
			used = append(used, x.v)
		}
	}
	return used, number
}

// through returns where a lane of a permutation is from.
func (s *symbols) through(x source) source {
	for x.v != nil && x.v.Op == ssa.OpPermute {
		k := int(x.v.Lanes[x.lane])
		x = source{x.v.Args[k/s.lanes], uint8(k % s.lanes)}
	}
	return x
}

// permuted returns an OpPermute, or its first argument if no lane moves.
func (s *symbols) permuted(t ssa.Type, a, b *ssa.Value, order []uint8) *ssa.Value {
	same := true
	for i, k := range order {
		same = same && int(k) == i
	}
	if same || a.Op == ssa.OpConst && a == b {
		return a
	}
	return s.emit(&ssa.Value{Op: ssa.OpPermute, Type: t, Lanes: order}, a, b)
}

// moves returns the lanes of an order that move by one distance, by which most do, and the rest, which a tree of merged values can
// permute. ok is false if there are no such parts.
func (s *symbols) moves(from []source, number []int) (group, rest uint64, ok bool) {
	var each [128]uint64 // by distance: the lanes that move by it
	most := 0
	for i, n := range number {
		if n >= 0 {
			by := int(from[i].lane) - i + 64
			if each[by] |= 1 << i; bits.OnesCount64(each[by]) > bits.OnesCount64(each[most]) {
				most = by
			}
			rest |= 1 << i
		}
	}
	group = each[most]
	if rest &^= group; rest == 0 {
		return group, 0, true
	}
	used, of := s.number(slices.Clone(from), rest)
	if len(used) <= 2 {
		return group, rest, bits.OnesCount64(group) > 2
	}
	_, _, ok = s.halves(len(used), from, of)
	return group, rest, ok && bits.OnesCount64(group) > 2
}

// inPlace returns the value whose lane i is the lane from[i] of used[number[i]]. It returns nil if lanes must move by different
// distances, or if the value takes more permutations than used has values. It merges the sources of neighbouring lanes first, then
// those of groups of 4 lanes, and so on. The diagonals of a matrix share most of the merged values.
func (s *symbols) inPlace(t ssa.Type, used []*ssa.Value, from []source, number []int) *ssa.Value {
	of := make([]*ssa.Value, s.lanes)
	first := slices.IndexFunc(number, func(n int) bool { return n >= 0 })
	by := int(from[first].lane) - first
	for i, n := range number {
		if n >= 0 {
			if int(from[i].lane) != i+by {
				return nil
			}
			of[i+by] = used[n]
		}
	}
	left := len(used) - 1
	planned := map[consKey]*ssa.Value{}
	r := s.halvesInPlace(of, func(a, b *ssa.Value, order []uint8) *ssa.Value {
		key := keyOf(&ssa.Value{Op: ssa.OpPermute, Type: t, Lanes: order}, []*ssa.Value{a, b})
		v := s.table[key]
		if v == nil {
			v = planned[key]
		}
		if v == nil {
			left--
			v = &ssa.Value{ID: int32(-len(planned) - 2)}
			planned[key] = v
		}
		return v
	})
	if left < 0 || r == nil {
		return nil
	}
	v := s.halvesInPlace(of, func(a, b *ssa.Value, order []uint8) *ssa.Value { return s.permuted(t, a, b, order) })
	order := make([]uint8, s.lanes)
	for i := range order {
		order[i] = uint8((i + by) & (s.lanes - 1))
	}
	return s.permuted(t, v, v, order)
}

// halvesInPlace merges the values of lanes; merge takes lanes of a and lanes of b.
func (s *symbols) halvesInPlace(of []*ssa.Value, merge func(a, b *ssa.Value, order []uint8) *ssa.Value) *ssa.Value {
	of = slices.Clone(of)
	for bit := 1; bit < s.lanes; bit *= 2 {
		order := make([]uint8, s.lanes)
		for i := range order {
			if order[i] = uint8(i); i&bit != 0 {
				order[i] += uint8(s.lanes)
			}
		}
		for i := 0; i < s.lanes; i += 2 * bit {
			switch a, b := of[i], of[i+bit]; {
			case a == nil:
				of[i] = b
			case b != nil && a != b:
				of[i] = merge(a, b, order)
			}
		}
	}
	return of[0]
}

// A merged value has the same lanes of each of its sources, one source after the other, in order.
type merged struct {
	v     *ssa.Value
	lanes laneSet
}

// A laneSet is the set of lanes whose numbers are base but for the bits in free.
type laneSet struct{ base, free int }

func (m *merged) size() int { return 1 << bits.OnesCount(uint(m.lanes.free)) }

// laneOf returns the lane of m with a lane of its source number j.
func (s *symbols) laneOf(m *merged, j, lane int) uint8 {
	if s.interleave {
		return uint8(m.lanes.index(lane)*(s.lanes/m.size()) + j)
	}
	return uint8(j*m.size() + m.lanes.index(lane))
}

// index returns the number of lanes of the set before a lane.
func (l laneSet) index(lane int) (n int) {
	for i, k := l.free, 0; i != 0; i, k = i&(i-1), k+1 {
		n |= lane >> bits.TrailingZeros(uint(i)) & 1 << k
	}
	return n
}

// at returns lane number n of the set.
func (l laneSet) at(n int) int {
	lane := l.base
	for i, k := l.free, 0; i != 0; i, k = i&(i-1), k+1 {
		lane |= n >> k & 1 << bits.TrailingZeros(uint(i))
	}
	return lane
}

// widened returns a set of size lanes, a power of two, that contains l. The bits of lane numbers that become free are the lowest ones;
// if s interleaves, the highest bit comes before these.
func (s *symbols) widened(l laneSet, size int) laneSet {
	if s.interleave && bits.OnesCount(uint(l.free)) < bits.Len(uint(size))-1 {
		l.free |= s.lanes / 2
	}
	for 1<<bits.OnesCount(uint(l.free)) < size {
		l.free |= l.free + 1
	}
	l.base &^= l.free
	return l
}

// halves returns the number of sources of the first of the two values that a tree of n sources permutes, and the lanes of
// each that it needs. ok is false if these are too many for a merged value.
func (s *symbols) halves(n int, from []source, number []int) (half int, lanes [2]laneSet, ok bool) {
	half = 1 << (bits.Len(uint(n-1)) - 1)
	if n > s.lanes {
		return half, lanes, false
	}
	for k, n := range [2]int{half, n - half} {
		x := laneSet{base: -1}
		for i, src := range from {
			switch {
			case number[i] < 0 || number[i]/half != k:
			case x.base < 0:
				x.base = int(src.lane)
			default:
				x.free |= x.base ^ int(src.lane)
			}
		}
		size := s.lanesOf(n)
		if lanes[k] = s.widened(x, size); 1<<bits.OnesCount(uint(lanes[k].free)) > size {
			return half, lanes, false
		}
	}
	return half, lanes, true
}

// tree returns the value whose lane i is the lane from[i] of used[number[i]], or nil if a merged value would need too many
// lanes of its sources. The order of lanes with negative numbers is arbitrary.
func (s *symbols) tree(t ssa.Type, used []*ssa.Value, from []source, number []int) *ssa.Value {
	half, lanes, ok := s.halves(len(used), from, number)
	if !ok {
		return nil
	}
	a, b := s.merge(t, used[:half], lanes[0]), s.merge(t, used[half:], lanes[1])
	order := make([]uint8, s.lanes)
	for i := range order {
		switch n := number[i]; {
		case n < 0:
			order[i] = uint8(i)
		case n < half:
			order[i] = s.laneOf(&a, n, int(from[i].lane))
		default:
			order[i] = uint8(s.lanes) + s.laneOf(&b, n-half, int(from[i].lane))
		}
	}
	return s.permuted(t, a.v, b.v, order)
}

// lanesOf returns the number of lanes of each of n sources of a merged value.
func (s *symbols) lanesOf(n int) int { return s.lanes >> bits.Len(uint(n-1)) }

// merge returns the value with a set of lanes of each source.
func (s *symbols) merge(t ssa.Type, list []*ssa.Value, lanes laneSet) merged {
	n := len(list)
	m := merged{lanes: lanes}
	if n == 1 {
		m.v = list[0]
		return m
	}
	half := 1 << (bits.Len(uint(n-1)) - 1)
	// The values of the halves have at least twice as many lanes of each source.
	a := s.merge(t, list[:half], s.widened(lanes, s.lanesOf(half)))
	b := s.merge(t, list[half:], s.widened(lanes, s.lanesOf(n-half)))
	order := make([]uint8, s.lanes)
	for i := range order {
		order[i] = uint8(i)
	}
	for j := range n {
		for k := range m.size() {
			if lane := lanes.at(k); j < half {
				order[s.laneOf(&m, j, lane)] = s.laneOf(&a, j, lane)
			} else {
				order[s.laneOf(&m, j, lane)] = uint8(s.lanes) + s.laneOf(&b, j-half, lane)
			}
		}
	}
	m.v = s.permuted(t, a.v, b.v, order)
	return m
}
