package lanes

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// ByteRanges merge bounds checks: accesses of a block at constant distances are in bounds if the byte range that
// covers them is.

// A ByteRange is the byte range of an object that covers the accesses of a block in all lanes of a gang: [Low,
// High) relative to the terms' value in the first lane.
type ByteRange struct {
	Root      *ssa.Value
	Terms     []Term
	Low, High int64
	Write     bool
	narrow    []NarrowTerm
	alone     bool // test it even without neighbours
}

// A NarrowTerm is a term whose 32-bit sum must not wrap in any lane, even after the addition of values down to
// Least ≤ 0.
type NarrowTerm struct {
	Term
	Least int64
}

// ByteRanges returns the ranges of a block's accesses that have neighbours, in gangs of n lanes, and the
// terms that must not wrap for that. large says that objects of [MaxObject] bytes and more are possible.
func (f *Facts) ByteRanges(block *ssa.Block, n int, large bool) (list []ByteRange, narrow []NarrowTerm) {
	var all []ByteRange
	for _, v := range block.Values {
		if v.Op == ssa.OpLoad || v.Op == ssa.OpStore {
			if s, ok := f.byteRange(v, block, n, large); ok {
				all = append(all, s)
			}
		}
	}
	for i := range all {
		if s, found := spanning(all, i); found && s.Low >= -MaxDisp && s.High <= MaxDisp {
			list = append(list, s)
			narrow = mergeNarrow(narrow, s.narrow)
		}
	}
	return list, narrow
}

// byteRange returns the range of a single access.
func (f *Facts) byteRange(v *ssa.Value, block *ssa.Block, lanes int, large bool) (a ByteRange, ok bool) {
	s, ok := LinearOf(v.Args[0])
	if !ok || s.Root.Block == block || large && f.Large(f.Root(s.Root)) {
		return a, false
	}
	a = ByteRange{Root: f.Root(s.Root), Terms: s.Terms, Write: v.Op == ssa.OpStore, alone: v.Flags&ssa.InBounds != 0}
	stride := int64(0)
	for _, t := range s.Terms {
		k, fits, ok := f.termStride(t, block, lanes)
		if !ok {
			return a, false
		}
		stride += k * t.By
		if t.Wide() {
			continue
		}
		n := NarrowTerm{t, min(0, k*int64(lanes-1))}
		n.By = 1
		down, asks := n.Least, k != 0 && !fits
		for _, x := range s.Narrow {
			if x.Term == n.Term {
				n.Least, asks = min(n.Least, down+x.C), true
			}
		}
		if asks {
			a.narrow = append(a.narrow, n)
		}
	}
	t := v.Type
	if v.Op == ssa.OpStore {
		t = v.Args[1].Type
	}
	a.Low, a.High = span(s.Disp, stride, lanes, t)
	return a, true
}

// spanning merges the ranges with the root and terms of all[i]. found is false if i is not the first of
// them, or is alone and need not be tested.
func spanning(all []ByteRange, i int) (s ByteRange, found bool) {
	s = all[i]
	found = s.alone
	for j := range all {
		a := &all[j]
		if j == i || a.Root != s.Root || !slices.Equal(a.Terms, s.Terms) {
			continue
		}
		if j < i {
			return s, false
		}
		found = true
		s.Low, s.High = min(s.Low, a.Low), max(s.High, a.High)
		s.Write = s.Write || a.Write
		s.narrow = mergeNarrow(s.narrow, a.narrow)
	}
	return s, found
}

// mergeNarrow merges two lists without duplicates.
func mergeNarrow(list, more []NarrowTerm) []NarrowTerm {
	for _, n := range more {
		if i := slices.IndexFunc(list, func(m NarrowTerm) bool { return m.Term == n.Term }); i >= 0 {
			list[i].Least = min(list[i].Least, n.Least)
		} else {
			list = append(slices.Clip(list), n)
		}
	}
	return list
}

// span returns the byte range that accesses of a type cover in all lanes. A vector of 3 counts as 4 elements.
// If lanes are further apart than their elements, the range includes the gaps.
func span(disp, stride int64, lanes int, t ssa.Type) (low, high int64) {
	es, n := int64(size(t.K)), int64(t.N)
	step := es * n
	if n == 3 && stride == 4*es {
		step = 4 * es
	}
	far := stride * int64(lanes-1)
	low, high = disp+min(0, far), disp+max(0, far)+step
	if stride > step {
		if d := ((disp % stride) + stride) % stride; d+step <= stride {
			low = disp - d
		}
		high = low + stride*int64(lanes)
	}
	return low, high
}

// termStride returns the growth of a term's integer per lane before block, if known there. fits reports whether
// the integer is certainly in [0, 2³¹).
func (f *Facts) termStride(t Term, block *ssa.Block, lanes int) (k int64, fits, ok bool) {
	fits = t.Parts[1] == nil
	for _, v := range t.Parts.All() {
		if v.Block == block || !Scalar(v.Type.K) {
			return 0, false, false
		}
		v = f.Source(v)
		x := f.Of(v)
		if !f.varies(v) {
			fits = false
			continue
		}
		if !x.Exact() {
			return 0, false, false
		}
		k += x.Stride
		fits = fits && x.NonNeg31()
	}
	return k, fits, k*int64(lanes) < MaxDisp && k*int64(lanes) > -MaxDisp
}
