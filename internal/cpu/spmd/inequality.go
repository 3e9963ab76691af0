package spmd

import (
	"math"
	"slices"

	integers "github.com/purecl/purecl/internal/ir/interval"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Comparisons with borders, during the symbolic execution of a work-group (evaluate.go). A tile's work-items often load only inside
// of an image: 0 <= left + l and left + l < width, where l is known and the others are the same for the work-group. In the interior
// (interior.go) both are true for all of them, because an inequality holds that does not depend on l: left + 15 < width.
// The version for the interior is executed after a test of the inequalities. A launch's bounds tests (extent.go) rely on them
// there, too.

// maxInequalities bounds the inequalities for the interior.
const maxInequalities = 16

// An inequality says that low + by <= high, without overflow. The values are the same for a work-group; nil is 0.
type inequality struct {
	low, high *ssa.Value
	by        int64
}

// A span is the integers base + low to base + high, which the lanes of a gang have. The base is the same for the work-group; nil is 0.
type span struct {
	base      *ssa.Value
	low, high int64
}

// ordered returns the result of a comparison in the interior, if e.assume is set and it follows from the inequalities, else nil. Without
// e.assume it notes the inequalities from which it would follow.
func (e *evaluation) ordered(v *ssa.Value, args []*symbol) *symbol {
	if k := args[0].t.K; args[0].t.N != 1 || !isInt(k) || k.Num().Size() != 4 {
		return nil
	}
	x, y := e.spanOf(args[0]), e.spanOf(args[1])
	if x == nil || y == nil || x.base == y.base {
		return nil
	}
	strict := int64(0)
	if v.Op == ssa.OpLt {
		strict = 1
	}
	is, ok := inside(x, y, strict)
	if !ok {
		return nil
	}
	if !is {
		x, y, strict = y, x, 1-strict
	}
	list := []inequality{{x.base, y.base, x.high - y.low + strict}}
	// The other bounds of the type follow from these.
	all := integers.Whole(args[0].t.K)
	if x.base != nil && x.low < 0 {
		list = append(list, inequality{nil, x.base, all.Lo - x.low})
	}
	if y.base != nil && y.high > 0 {
		list = append(list, inequality{y.base, nil, y.high - all.Hi})
	}
	for _, q := range list {
		if !e.assume {
			e.note(q)
		} else if !slices.ContainsFunc(e.inequalities, func(o inequality) bool { return o.low == q.low && o.high == q.high && o.by >= q.by }) {
			return nil
		}
	}
	if !e.assume {
		return nil
	}
	bit := uint64(0)
	if is {
		bit = 1
	}
	return e.all(ssa.TBool, bit)
}

// note adds an inequality for the interior.
func (s *symbols) note(q inequality) {
	i := slices.IndexFunc(s.inequalities, func(o inequality) bool { return o.low == q.low && o.high == q.high })
	switch {
	case i >= 0:
		s.inequalities[i].by = max(s.inequalities[i].by, q.by)
	case len(s.inequalities) < maxInequalities:
		s.inequalities = append(s.inequalities, q)
	}
}

// inside returns the result of x + strict <= y in work-groups in the interior: their ids are not next to 0, and what they are
// compared with is a size. ok is false if it is unknown.
func inside(x, y *span, strict int64) (is, ok bool) {
	const next = 1
	switch a, b := ofGroup(x.base), ofGroup(y.base); {
	case a == b:
		return false, false
	case a && y.base != nil:
		return true, true
	case a:
		return false, y.high-strict < next
	case x.base != nil:
		return false, true
	}
	return true, x.high+strict <= next
}

// ofGroup reports whether a value, which follows from scalar arguments and ids of work-groups, depends on the ids.
func ofGroup(v *ssa.Value) bool {
	return v != nil && (v.Op == ssa.OpWorkItem && ssa.WorkItemQuery(v.Aux) == ssa.GroupID || slices.ContainsFunc(v.Args, ofGroup))
}

// spanOf returns the integers of a symbol, or nil.
func (s *symbols) spanOf(x *symbol) *span {
	switch {
	case x.known != nil && x.root == nil:
		low, high := bounds(x)
		return &span{nil, low, high}
	case x.val == nil:
		return nil
	}
	v, by := x.val, int64(int32(x.off))
	if sumOfEarly(v) {
		return &span{v, by, by}
	}
	if v.Op != ssa.OpAdd {
		return nil
	}
	for i, a := range v.Args {
		if low, high, ok := s.laneBounds(a); ok && sumOfEarly(v.Args[1-i]) {
			return &span{v.Args[1-i], low + by, high + by}
		}
	}
	return nil
}

// sumOfEarly reports whether a value is a sum or product of scalar arguments and ids of work-groups. A bound to which values are
// clamped does not count as one: in the interior it is a constant.
func sumOfEarly(v *ssa.Value) bool {
	left := maxAssumedTerm
	return early(v, &left) && summed(v)
}

func summed(v *ssa.Value) bool {
	switch v.Op {
	case ssa.OpConst, ssa.OpParam, ssa.OpWorkItem:
		return true
	case ssa.OpCopy, ssa.OpConvert, ssa.OpBitcast, ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpShl:
		return !slices.ContainsFunc(v.Args, func(a *ssa.Value) bool { return !summed(a) })
	}
	return false
}

// bounds returns the least and the greatest of a symbol's known integers.
func bounds(x *symbol) (low, high int64) {
	low, high = math.MaxInt64, math.MinInt64
	for _, k := range x.known {
		n := signedOf(k, x.t.K.Num())
		low, high = min(low, n), max(high, n)
	}
	return low, high
}

// laneBounds returns bounds of a value with known lanes.
func (s *symbols) laneBounds(v *ssa.Value) (low, high int64, ok bool) {
	if x := s.knowns[v]; x != nil {
		low, high = bounds(x)
		return low, high, true
	}
	for v.Op == ssa.OpConvert || v.Op == ssa.OpBitcast {
		v = v.Args[0]
	}
	lane := v.Op == ssa.OpWorkItem && ssa.WorkItemQuery(v.Aux) == ssa.LocalID && v.Args[0].IsConst() && v.Args[0].ConstElem(0) == 0
	return 0, int64(s.lanes) - 1, lane
}

// moveInequalities moves the values of e's inequalities to a block, for the use of s, which is executed after it. The bounds tests of s rely on the
// inequalities.
func (e *evaluation) moveInequalities(b *ssa.Block, s *evaluation) {
	for _, q := range e.inequalities {
		for _, v := range []*ssa.Value{q.low, q.high} {
			if v != nil {
				moveTo(b, v)
			}
		}
	}
	s.inequalities, s.consts = e.inequalities, e.consts
	for _, v := range b.Values {
		if len(v.Args) <= 3 {
			s.table[keyOf(v, v.Args)] = v
		}
	}
	if s.extents != nil {
		for _, q := range s.inequalities {
			s.extents.restrict(q)
		}
	}
}

// restrict limits the term of a value that depends on the work-group's id to the numbers for which an inequality holds.
func (x *extents) restrict(q inequality) {
	op, v, bound, by := ssa.OpMin, q.low, q.high, -q.by // low <= high - by
	if !ofGroup(v) {
		op, v, bound, by = ssa.OpMax, q.high, q.low, q.by
	}
	if !ofGroup(v) || ofGroup(bound) {
		return
	}
	n := x.term(v, maxTermDepth)
	if n < 0 {
		return
	}
	add := func(t term) int {
		t.regular = true
		x.terms = append(x.terms, t)
		return len(x.terms) - 1
	}
	end := add(term{op: ssa.OpConst, kind: ssa.I64.Num(), bits: uint64(by), same: true})
	if bound != nil {
		k := x.term(bound, maxTermDepth)
		if k < 0 {
			return
		}
		end = add(term{op: ssa.OpAdd, kind: ssa.I64.Num(), args: [3]int{k, end}, same: x.terms[k].same})
	}
	x.number[v] = add(term{op: op, kind: v.Type.K.Num(), args: [3]int{n, end}})
}

// holds appends the test of an inequality to a block.
func (s *symbols) holds(b *ssa.Block, q inequality) *ssa.Value {
	f := b.Func
	wide := func(v *ssa.Value) *ssa.Value {
		if v == nil {
			return s.constant(ssa.TI64, 0)
		}
		return b.Append(f.NewValue(ssa.OpConvert, ssa.TI64, 0, v))
	}
	low := s.constant(ssa.TI64, uint64(q.by))
	if q.low != nil {
		low = b.Append(f.NewValue(ssa.OpAdd, ssa.TI64, 0, wide(q.low), low))
	}
	return b.Append(f.NewValue(ssa.OpLe, ssa.TBool, 0, low, wide(q.high)))
}
