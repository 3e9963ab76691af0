package spmd

import (
	"maps"
	"math"
	"math/bits"
	"slices"

	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Bounds that a launch tests before it begins, in code that comes from symbolic execution (evaluate.go). The offset of
// an access that all lanes execute often follows from ids, scalar arguments and constants. Interval arithmetic then
// gives the bytes that all work-groups of a launch touch. If they are in bounds, the launch uses code whose accesses
// have no checks, in which equal loads are one, and loads that are the same for all work-groups, from objects that the kernel does not write,
// come before the first of them.

// A Launch answers questions about a launch.
type Launch interface {
	// Param returns the bits of a scalar argument.
	Param(n int) uint64
	// Query returns the least and the greatest answer to a work-item query in a dimension, in the first gang of all
	// work-groups.
	Query(q ssa.WorkItemQuery, dim int) (least, most uint64)
	// Object returns the address and the size of an object, and whether it may be written.
	Object(o Object) (address, bytes uint64, writable bool)
}

// An Object is that of a variable, or of a parameter if Global is nil.
type Object struct {
	Global *ssa.Global
	Param  int
}

// objectOf returns the object of a parameter's or variable's pointer.
func objectOf(v *ssa.Value) Object {
	if g, ok := v.Sym.(*ssa.Global); ok {
		return Object{Global: g}
	}
	return Object{Param: int(v.Aux)}
}

// Extents describes the accesses of a kernel that the launch tests. A nil *Extents has none.
type Extents struct {
	terms   []term
	ranges  []extent
	apart   []Object // of loads that have been hoisted, or have passed stores
	written []Object // of stores
	once    bool     // some loads have been hoisted before all work-groups
	masked  bool     // some accesses are tested for lanes that do not execute them, too
}

// An extent is a range of bytes of an object, relative to an offset.
type extent struct {
	object    Object
	offset    int // index of the term
	low, high int64
	write     bool
}

// A term is an integer, or the offset of a pointer in an object.
type term struct {
	op      ssa.Op
	kind    numeric.Kind // of the result
	pointer bool
	object  Object
	aux     int64
	bits    uint64
	args    [3]int
	same    bool // for all work-groups
	// The distance of the values of neighbouring lanes, if known.
	stride  int64
	regular bool
}

// An interval is a set of integers that contains all values of a term.
type interval struct{ low, high int64 }

// extents builds an Extents.
type extents struct {
	Extents
	number  map[*ssa.Value]int // of the term of a value; -1: none
	seen    map[summand]int    // numbers of summands in the order in which they were met (sums.go)
	unknown bool               // a store is to an unknown object
}

// clone returns a copy.
func (x *extents) clone() *extents {
	y := &extents{Extents: x.Extents, number: maps.Clone(x.number), seen: maps.Clone(x.seen), unknown: x.unknown}
	y.terms, y.ranges = slices.Clone(x.terms), slices.Clone(x.ranges)
	y.apart, y.written = slices.Clone(x.apart), slices.Clone(x.written)
	return y
}

// maxTermDepth bounds the depth of an offset's computation.
const maxTermDepth = 64

// term returns the number of a value's term, or -1 if the launch cannot know it.
func (x *extents) term(v *ssa.Value, depth int) int {
	n, ok := x.number[v]
	if !ok {
		if n = -1; depth > 0 {
			n = x.newTerm(v, depth)
		}
		x.number[v] = n
	}
	return n
}

func (x *extents) newTerm(v *ssa.Value, depth int) int {
	pointer := v.Type.K.IsPtr()
	if v.Type.N != 1 || !pointer && !isInt(v.Type.K) && v.Type.K != ssa.Bool || pointer && v.Type.K != ssa.PtrGlobal && v.Type.K != ssa.PtrConstant {
		return -1
	}
	t := term{op: v.Op, pointer: pointer, aux: v.Aux, same: true, regular: true}
	if !pointer {
		t.kind = v.Type.K.Num()
	}
	switch v.Op {
	case ssa.OpConst:
		t.bits = v.Bits[0]
		if pointer {
			return -1
		}
	case ssa.OpParam, ssa.OpGlobalAddr:
		if pointer {
			t.object = objectOf(v)
		}
	case ssa.OpWorkItem:
		q := ssa.WorkItemQuery(v.Aux)
		if !v.Args[0].IsConst() || v.Args[0].ConstElem(0) > 2 || !slices.Contains(knownQueries, q) {
			return -1
		}
		t.bits = v.Args[0].ConstElem(0)
		t.same = q != ssa.GroupID && q != ssa.GlobalID
		if t.bits == 0 && (q == ssa.LocalID || q == ssa.GlobalID) {
			t.stride = 1
		}
	case ssa.OpCopy, ssa.OpConvert, ssa.OpBitcast, ssa.OpPtrCast, ssa.OpPtrAdd, ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpShl, ssa.OpShr, ssa.OpAnd, ssa.OpOr, ssa.OpXor, ssa.OpDiv, ssa.OpRem, ssa.OpMin, ssa.OpMax,
		ssa.OpEq, ssa.OpNe, ssa.OpLt, ssa.OpLe, ssa.OpNot, ssa.OpSelect:
		if sat, _ := ssa.ConvParts(v.Aux); sat && v.Op == ssa.OpConvert {
			return -1
		}
		for i, a := range v.Args {
			n := x.term(a, depth-1)
			if n < 0 {
				return -1
			}
			t.args[i] = n
			t.same = t.same && x.terms[n].same
		}
		if t.object = x.terms[t.args[0]].object; pointer != x.terms[t.args[0]].pointer {
			return -1
		}
		x.setStride(&t)
	default:
		return -1
	}
	x.terms = append(x.terms, t)
	return len(x.terms) - 1
}

// knownQueries are the queries whose answers a launch knows.
var knownQueries = []ssa.WorkItemQuery{ssa.WorkDim, ssa.GlobalSize, ssa.GlobalID, ssa.LocalSize, ssa.EnqueuedLocalSize, ssa.LocalID, ssa.NumGroups, ssa.GroupID, ssa.GlobalOffset}

// setStride sets the distance of lanes of an operation.
func (x *extents) setStride(t *term) {
	a, b := &x.terms[t.args[0]], &x.terms[t.args[1]]
	switch t.op {
	case ssa.OpCopy, ssa.OpConvert, ssa.OpBitcast, ssa.OpPtrCast:
		t.stride, t.regular = a.stride, a.regular
		return
	}
	t.regular = a.regular && b.regular
	switch t.op {
	case ssa.OpSelect:
		c := &x.terms[t.args[2]]
		t.regular = t.regular && c.regular && a.stride == 0 && b.stride == 0 && c.stride == 0
	case ssa.OpAdd, ssa.OpPtrAdd:
		t.stride = a.stride + b.stride
	case ssa.OpSub:
		t.stride = a.stride - b.stride
	case ssa.OpMul:
		if b.op != ssa.OpConst {
			a, b = b, a
		}
		t.stride = a.stride * signedOf(b.bits, b.kind)
		t.regular = t.regular && (b.op == ssa.OpConst || a.stride == 0 && b.stride == 0)
	case ssa.OpShl:
		t.stride = a.stride << (b.bits & 63)
		t.regular = t.regular && (b.op == ssa.OpConst || a.stride == 0 && b.stride == 0)
	default:
		t.regular = t.regular && a.stride == 0 && b.stride == 0
	}
}

// add adds an access of t at a displacement from an address. It returns the number of the address's term, or -1 if the
// launch cannot test the access.
func (x *extents) add(address *ssa.Value, by uint64, t ssa.Type, write bool) int {
	const most = 1 << 30
	n, d, size := x.term(address, maxTermDepth), int64(by), int64(t.Size())
	if n < 0 || !x.terms[n].pointer || d < -most || d > most {
		return -1
	}
	for i := range x.ranges {
		if r := &x.ranges[i]; r.offset == n && r.write == write {
			r.low, r.high = min(r.low, d), max(r.high, d+size)
			return n
		}
	}
	x.ranges = append(x.ranges, extent{x.terms[n].object, n, d, d + size, write})
	return n
}

// Masked reports whether InBounds is for accesses under masks too, as if all lanes executed them.
func (x *Extents) Masked() bool { return x.masked }

// InBounds reports whether the accesses are in bounds in a launch.
func (x *Extents) InBounds(l Launch) bool {
	var few [64]interval
	at := few[:0]
	for i := range x.terms {
		k, ok := x.terms[i].interval(l, at)
		if !ok {
			return false
		}
		at = append(at, k)
	}
	for _, r := range x.ranges {
		_, size, writable := l.Object(r.object)
		if k := at[r.offset]; k.low+r.low < 0 || k.high+r.high > int64(size) || r.write && !writable {
			return false
		}
	}
	return true
}

// Answers appends to list what InBounds asks of a launch: launches with the same answers have the same result.
func (x *Extents) Answers(l Launch, list []uint64) []uint64 {
	for i := range x.terms {
		switch t := &x.terms[i]; {
		case t.op == ssa.OpParam && !t.pointer:
			list = append(list, l.Param(int(t.aux)))
		case t.op == ssa.OpWorkItem:
			least, most := l.Query(ssa.WorkItemQuery(t.aux), int(t.bits))
			list = append(list, least, most)
		}
	}
	var last Object
	for i, r := range x.ranges {
		if i > 0 && r.object == last {
			continue
		}
		last = r.object
		_, size, writable := l.Object(r.object)
		list = append(list, size<<1)
		if writable {
			list[len(list)-1]++
		}
	}
	return list
}

// Apart reports whether no object of a load that has been moved overlaps one that the kernel writes.
func (x *Extents) Apart(l Launch) bool {
	for _, r := range x.apart {
		a, n, _ := l.Object(r)
		for _, w := range x.written {
			if b, m, _ := l.Object(w); a < b+m && b < a+n {
				return false
			}
		}
	}
	return true
}

// signedOf returns the integer of a kind that has the bits.
func signedOf(b uint64, k numeric.Kind) int64 {
	n := 64 - 8*k.Size()
	if k.Signed() {
		return int64(b<<n) >> n
	}
	return int64(b << n >> n)
}

// interval returns the values of a term, given those of earlier ones. ok is false if they are unknown, or an operation may
// wrap.
func (t *term) interval(l Launch, at []interval) (k interval, ok bool) {
	var a, b, c interval
	if len(at) > 0 {
		a, b, c = at[t.args[0]], at[t.args[1]], at[t.args[2]]
	}
	switch t.op {
	case ssa.OpConst:
		n := signedOf(t.bits, t.kind)
		k = interval{n, n}
	case ssa.OpGlobalAddr:
	case ssa.OpParam:
		if !t.pointer {
			n := signedOf(l.Param(int(t.aux)), t.kind)
			k = interval{n, n}
		}
	case ssa.OpWorkItem:
		low, high := l.Query(ssa.WorkItemQuery(t.aux), int(t.bits))
		k = interval{int64(low), int64(high)}
	case ssa.OpCopy, ssa.OpConvert, ssa.OpBitcast, ssa.OpPtrCast:
		k = a
	case ssa.OpAdd, ssa.OpPtrAdd:
		k = interval{a.low + b.low, a.high + b.high}
	case ssa.OpSub:
		k = interval{a.low - b.high, a.high - b.low}
	case ssa.OpEq, ssa.OpNe, ssa.OpLt, ssa.OpLe, ssa.OpNot:
		k = t.truth(a, b)
	case ssa.OpSelect:
		switch a {
		case interval{1, 1}:
			k = b
		case interval{}:
			k = c
		default:
			k = interval{min(b.low, c.low), max(b.high, c.high)}
		}
	default:
		if k, ok = t.product(a, b); !ok {
			return k, false
		}
	}
	return k, t.fits(k)
}

// truth returns the values of a comparison or a negation.
func (t *term) truth(a, b interval) interval {
	never, always := interval{}, interval{1, 1}
	switch t.op {
	case ssa.OpNot:
		if t.kind == numeric.Bool {
			return interval{1 - a.high, 1 - a.low}
		}
		return interval{-1 - a.high, -1 - a.low}
	case ssa.OpNe:
		never, always = always, never
		fallthrough
	case ssa.OpEq:
		switch {
		case a.high < b.low || b.high < a.low:
			return never
		case a.low == a.high && a == b:
			return always
		}
	case ssa.OpLt, ssa.OpLe:
		least := int64(1) // distance of operands for which the comparison is false
		if t.op == ssa.OpLt {
			least = 0
		}
		switch {
		case a.high-b.low < least:
			return always
		case a.low-b.high >= least:
			return never
		}
	}
	return interval{0, 1}
}

// product returns the values of an operation whose result is not a sum of its arguments.
func (t *term) product(a, b interval) (k interval, ok bool) {
	const most = 1 << 31
	number := b.low == b.high
	switch t.op {
	case ssa.OpMul:
		if max(-a.low, a.high, -b.low, b.high) > most {
			return k, false
		}
		p := []int64{a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high}
		return interval{slices.Min(p), slices.Max(p)}, true
	case ssa.OpShl:
		return interval{a.low << (b.low & 31), a.high << (b.low & 31)}, number && b.low >= 0 && b.low < 31 && max(-a.low, a.high) <= most
	case ssa.OpMin:
		return interval{min(a.low, b.low), min(a.high, b.high)}, true
	case ssa.OpMax:
		return interval{max(a.low, b.low), max(a.high, b.high)}, true
	}
	switch {
	case number && t.op == ssa.OpShr:
		return interval{a.low >> (b.low & 63), a.high >> (b.low & 63)}, b.low >= 0 && b.low < int64(8*t.kind.Size())
	case number && t.op == ssa.OpAnd && b.low == -(b.low&-b.low): // to a multiple of a power of two
		return interval{a.low & b.low, a.high & b.low}, true
	case a.low < 0 || b.low < 0:
		return k, false
	}
	switch t.op {
	case ssa.OpShr:
		return interval{0, a.high}, true
	case ssa.OpAnd:
		if number && b.low&(b.low+1) == 0 && a.high <= b.low {
			return a, true
		}
		return interval{0, min(a.high, b.high)}, true
	case ssa.OpOr, ssa.OpXor:
		return interval{0, 1<<bits.Len64(uint64(a.high|b.high)) - 1}, true
	case ssa.OpDiv:
		return interval{a.low / max(b.high, 1), a.high / max(b.low, 1)}, b.low > 0
	case ssa.OpRem:
		if number && b.low > 0 && a.low/b.low == a.high/b.low {
			return interval{a.low % b.low, a.high % b.low}, true
		}
		return interval{0, min(a.high, b.high-1)}, b.low > 0
	}
	return k, false
}

// fits reports whether a term cannot wrap if its exact values are k.
func (t *term) fits(k interval) bool {
	low, high := int64(-1<<60), int64(1<<60)
	if !t.pointer {
		switch n := 8 * t.kind.Size(); {
		case t.kind.Signed() && n < 64:
			low, high = -1<<(n-1), 1<<(n-1)-1
		case t.kind == numeric.Bool:
			low, high = 0, 1
		case !t.kind.Signed():
			if low = 0; n < 60 {
				high = math.MaxInt64 >> (63 - n)
			}
		}
	}
	return low <= k.low && k.high <= high
}
