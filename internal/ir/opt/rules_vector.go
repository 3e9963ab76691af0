package opt

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// maxChain bounds the inserts and shuffles to follow in search of an element.
const maxChain = 24

// vectors simplifies the ops that move elements.
func (z *simplifier) vectors(v *ssa.Value) bool {
	switch v.Op {
	case ssa.OpVec:
		return z.vec(v)
	case ssa.OpExtract:
		return z.extract(v)
	case ssa.OpInsert:
		return z.insert(v)
	case ssa.OpShuffle:
		return z.shuffle(v)
	case ssa.OpSplat:
		if x := v.Args[0]; x.Op == ssa.OpExtract {
			lanes := slices.Repeat([]uint8{uint8(x.Aux)}, int(v.Type.N))
			change(v, ssa.OpShuffle, x.Args[0], x.Args[0])
			v.Lanes = lanes
			return true
		}
	case ssa.OpExtractDyn:
		if i, ok := splatConst(v.Args[1]); ok && i < uint64(v.Args[0].Type.N) {
			change(v, ssa.OpExtract, v.Args[0])
			v.Aux = int64(i)
			return true
		}
	case ssa.OpInsertDyn:
		if i, ok := splatConst(v.Args[1]); ok && i < uint64(v.Type.N) {
			change(v, ssa.OpInsert, v.Args[0], v.Args[2])
			v.Aux = int64(i)
			return true
		}
	}
	return false
}

// An element is the source of a vector's lane: the scalar x, or lane number lane of the vector x.
type element struct {
	x    *ssa.Value
	lane int
}

// follow traces lane of x through inserts, shuffles, splats and vecs. ok is false for an undefined lane of a
// shuffle.
func follow(x *ssa.Value, lane int) (e element, ok bool) {
	for range maxChain {
		switch x.Op {
		case ssa.OpVec:
			return element{x.Args[lane], 0}, true
		case ssa.OpSplat:
			return element{x.Args[0], 0}, true
		case ssa.OpCopy:
			x = x.Args[0]
		case ssa.OpInsert:
			if int(x.Aux) == lane {
				return element{x.Args[1], 0}, true
			}
			x = x.Args[0]
		case ssa.OpShuffle:
			l := x.Lanes[lane]
			if l == ssa.ShuffleUndef {
				return e, false
			}
			n := int(x.Args[0].Type.N)
			if lane = int(l); lane < n {
				x = x.Args[0]
			} else {
				x, lane = x.Args[1], lane-n
			}
			if !x.Type.IsVec() {
				return element{x, 0}, true
			}
		default:
			return element{x, lane}, true
		}
	}
	return element{x, lane}, true
}

func (z *simplifier) extract(v *ssa.Value) bool {
	x := v.Args[0]
	if x.Op == ssa.OpUndef {
		v.Pos = x.Pos
		return change(v, ssa.OpUndef)
	}
	e, ok := follow(x, int(v.Aux))
	if !ok || e.x == x {
		return z.extractMask(v, x)
	}
	if !e.x.Type.IsVec() {
		return become(v, e.x)
	}
	v.SetArgs(e.x)
	v.Aux = int64(e.lane)
	return true
}

// extractMask makes v, an element of a selection between two constants, a selection itself: what combines such elements, as any
// and all do, becomes a combination of Bools.
func (z *simplifier) extractMask(v, x *ssa.Value) bool {
	m, c1, c2, ok := maskOf(x)
	if !ok || x.Op != ssa.OpSelect || !m.Type.IsVec() {
		return false
	}
	m = z.r.aux(ssa.OpExtract, m.Type.Elem(), v.Aux, m)
	return change(v, ssa.OpSelect, m, z.r.constant(v.Type, c1), z.r.constant(v.Type, c2))
}

func (z *simplifier) insert(v *ssa.Value) bool {
	x, y := v.Args[0], v.Args[1]
	if y.Op == ssa.OpExtract && y.Args[0] == x && y.Aux == v.Aux {
		return become(v, x)
	}
	if x.Op == ssa.OpInsert && x.Aux == v.Aux {
		v.Args[0] = x.Args[0]
		return true
	}
	// Replace a chain that sets all elements by one OpVec.
	n := int(v.Type.N)
	if x.Op != ssa.OpInsert && x.Op != ssa.OpVec && x.Op != ssa.OpSplat {
		return false
	}
	args := make([]*ssa.Value, n)
	args[v.Aux] = y
	left := n - 1
	for range maxChain {
		switch {
		case left == 0:
			return change(v, ssa.OpVec, args...)
		case x.Op == ssa.OpInsert:
			if args[x.Aux] == nil {
				args[x.Aux] = x.Args[1]
				left--
			}
			x = x.Args[0]
		case x.Op == ssa.OpVec || x.Op == ssa.OpSplat:
			for i := range args {
				if args[i] == nil {
					args[i] = x.Args[min(i, len(x.Args)-1)]
					left--
				}
			}
		default:
			return false
		}
	}
	return false
}

// vec recognises splats, and vectors of elements of other vectors, or of one vector and constants.
func (z *simplifier) vec(v *ssa.Value) bool {
	same := true
	for _, a := range v.Args {
		same = same && a == v.Args[0]
	}
	if same {
		return change(v, ssa.OpSplat, v.Args[0])
	}
	var src [2]*ssa.Value
	lanes := make([]uint8, len(v.Args))
	var bits []uint64
	converted := conversionOf(v.Args)
	for i, a := range v.Args {
		switch {
		case a.IsConst():
			if bits == nil {
				bits = make([]uint64, len(v.Args))
			}
			bits[i], lanes[i] = a.ConstElem(0), uint8(i)+v.Type.N
			continue
		case converted != nil:
			a = a.Args[0]
		case a.Op != ssa.OpExtract:
			return false
		}
		switch x := a.Args[0]; {
		case src[0] == nil || src[0] == x:
			src[0] = x
			lanes[i] = uint8(a.Aux)
		case src[1] == nil || src[1] == x:
			src[1] = x
			lanes[i] = uint8(a.Aux) + src[0].Type.N
		default:
			return false
		}
	}
	if (bits != nil || converted != nil) && (src[1] != nil || src[0].Type.N != v.Type.N) {
		return false
	}
	if converted != nil {
		src[0] = z.r.aux(ssa.OpConvert, v.Type, converted.Aux, src[0])
	}
	switch {
	case bits != nil:
		src[1] = z.r.constant(v.Type, 0)
		src[1].SetBits(z.f, bits)
	case src[1] == nil:
		src[1] = src[0]
	}
	change(v, ssa.OpShuffle, src[0], src[1])
	v.Lanes = lanes
	return true
}

// conversionOf returns one of the scalars if all of them, except constants, are elements of vectors converted
// in the same way.
func conversionOf(xs []*ssa.Value) (first *ssa.Value) {
	for _, x := range xs {
		switch {
		case x.IsConst():
			continue
		case x.Op != ssa.OpConvert || x.Args[0].Op != ssa.OpExtract || x.Type.K == ssa.Bool || x.Args[0].Type.K == ssa.Bool:
			return nil
		case first == nil:
			first = x
		case x.Aux != first.Aux || x.Args[0].Type != first.Args[0].Type:
			return nil
		}
	}
	return first
}

// shuffle simplifies a shuffle that moves nothing, one element, scalars, or elements of at most two earlier
// vectors.
func (z *simplifier) shuffle(v *ssa.Value) bool {
	x, y := v.Args[0], v.Args[1]
	elems := make([]element, len(v.Lanes))
	allScalar, known := true, true
	for i, l := range v.Lanes {
		if l == ssa.ShuffleUndef {
			allScalar = false
			continue
		}
		e, ok := follow(v, i)
		known = known && ok
		if ok {
			elems[i] = e
			allScalar = allScalar && !e.x.Type.IsVec()
		}
	}
	if allScalar && known {
		args := make([]*ssa.Value, len(elems))
		for i, e := range elems {
			args[i] = e.x
		}
		return change(v, ssa.OpVec, args...)
	}
	return z.compose(v, x, y, elems)
}

// compose makes the shuffle take its elements from at most two vectors.
func (z *simplifier) compose(v, x, y *ssa.Value, elems []element) bool {
	var src [2]*ssa.Value
	lanes := make([]uint8, len(elems))
	for i, e := range elems {
		lanes[i] = ssa.ShuffleUndef
		if e.x == nil {
			continue
		}
		switch {
		case !e.x.Type.IsVec():
			return z.tidy(v, x, y)
		case src[0] == nil || src[0] == e.x:
			src[0] = e.x
			lanes[i] = uint8(e.lane)
		case src[1] == nil || src[1] == e.x:
			src[1] = e.x
			lanes[i] = uint8(e.lane) + src[0].Type.N
		default:
			return z.tidy(v, x, y)
		}
	}
	if src[0] == nil {
		return false // all undefined
	}
	if src[1] == nil {
		src[1] = src[0]
		if src[0].Type == v.Type && identity(lanes) {
			return become(v, src[0])
		}
	}
	if src[0] == x && src[1] == y && slices.Equal(lanes, v.Lanes) {
		return false
	}
	change(v, ssa.OpShuffle, src[0], src[1])
	v.Lanes = lanes
	return true
}

// tidy makes a shuffle that uses only one argument name it twice.
func (z *simplifier) tidy(v, x, y *ssa.Value) bool {
	n := x.Type.N
	first, second := false, false
	for _, l := range v.Lanes {
		first = first || l < n
		second = second || l >= n && l != ssa.ShuffleUndef
	}
	switch {
	case x == y || first == second:
		return false
	case first:
		v.Args[1] = x
		return true
	}
	lanes := slices.Clone(v.Lanes)
	for i, l := range lanes {
		if l != ssa.ShuffleUndef {
			lanes[i] = l - n
		}
	}
	v.Args[0], v.Lanes = y, lanes
	return true
}

func identity(lanes []uint8) bool {
	for i, l := range lanes {
		if int(l) != i {
			return false
		}
	}
	return true
}

// bitcasts simplifies reinterpretations.
func (z *simplifier) bitcasts(v *ssa.Value) bool {
	x := v.Args[0]
	if x.Type == v.Type {
		return become(v, x)
	}
	if x.Op == ssa.OpBitcast {
		v.SetArgs(x.Args[0])
		return true
	}
	if x.Op == ssa.OpSplat && x.Type.N == v.Type.N && x.Type.K.Num().Size() == v.Type.K.Num().Size() {
		c := z.r.value(ssa.OpBitcast, v.Type.Elem(), x.Args[0])
		return change(v, ssa.OpSplat, c)
	}
	return false
}
