package opt

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/interval"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// narrow computes integers in 16 or 8 bits if the operands come from narrower types and the result fits, or if
// only its low bits are needed: a register then holds two or four times as many lanes. Intervals (ranges.go)
// show what fits; a backward pass computes the low bits that the users of a value need. narrow chooses a value
// if all its operands are constants, extended narrow integers or chosen themselves. It keeps the choice if that
// pays: no user needs the wide value, or the value ends a chain of several chosen ones.
//
// Requires: simplify (consecutive conversions are one). Breaks: simplify, gvn (new conversions), dce.
func narrow(s *state) {
	n := narrower{s: s, f: s.f}
	if !n.sources() {
		return
	}
	n.ranges = findRanges(s)
	n.demand()
	size := s.f.NumValues()
	n.kind, n.banned, n.depth = make([]ssa.Kind, size), make([]bool, size), make([]int32, size)
	for round := 0; ; round++ {
		if n.choose(round == 0); len(n.chosen) == 0 {
			return
		}
		if !n.prune(round == maxNarrowRounds) {
			break
		}
	}
	n.rewrite()
	s.dirty, s.merged = true, false
}

// minChain is the length of a chain of operations from which on the conversion of its result pays.
const minChain = 4

// maxNarrowRounds bounds the revisions of the choice; after the last one, doubtful values are dropped.
const maxNarrowRounds = 4

type narrower struct {
	s      *state
	f      *ssa.Func
	ranges []interval.Interval
	wanted []uint8      // by ID: number of low bits that users need
	kind   []ssa.Kind   // by ID: the kind in which to compute the value, 0 for its own
	banned []bool       // by ID: does not pay
	depth  []int32      // by ID: for a chosen value, the operations since an extended narrow integer, 0 if there is none
	chosen []*ssa.Value // values with a kind, arguments first
	users  []*ssa.Value // values of the first choice, for later revisions
	value  []*ssa.Value
	rw     rewriter
}

// sources reports whether the function has extensions of narrow integers.
func (n *narrower) sources() bool {
	for _, b := range n.f.Blocks {
		for _, v := range b.Values {
			if _, ok := extended(v); ok && v.Type.K.Num().Bits() <= 32 {
				return true
			}
		}
	}
	return false
}

// allBits means every bit of a value of any width.
const allBits = 64

// demand computes the number of low bits of each value that users need.
func (n *narrower) demand() {
	n.wanted = make([]uint8, n.f.NumValues())
	order := n.s.dom().Order
	for _, b := range order { // a phi may precede its arguments
		for _, v := range b.Phis() {
			for _, a := range v.Args {
				n.wanted[a.ID] = allBits
			}
		}
	}
	for i := len(order) - 1; i >= 0; i-- {
		values := order[i].Values
		for k := len(values) - 1; k >= 0; k-- {
			v := values[k]
			for j, a := range v.Args {
				if w := n.looksAt(v, j, a); w > n.wanted[a.ID] {
					n.wanted[a.ID] = w
				}
			}
		}
	}
}

// looksAt returns the number of low bits of a, its argument number j, that v needs.
func (n *narrower) looksAt(v *ssa.Value, j int, a *ssa.Value) uint8 {
	own := n.wanted[v.ID]
	switch v.Op {
	case ssa.OpConvert:
		if sat, _ := ssa.ConvParts(v.Aux); !sat && isInt(v.Type.K) && isInt(a.Type.K) {
			w := min(own, uint8(v.Type.K.Num().Bits()))
			if int(w) <= a.Type.K.Num().Bits() {
				return w
			}
		}
	case ssa.OpBitcast:
		if sameWidth(v, a) {
			return own
		}
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpNeg, ssa.OpOr, ssa.OpXor, ssa.OpNot, ssa.OpCopy, ssa.OpSplat, ssa.OpVec, ssa.OpExtract, ssa.OpInsert, ssa.OpShuffle:
		return own
	case ssa.OpAnd:
		if c := v.Args[1]; c.Op == ssa.OpConst && j == 0 {
			m := uint64(0)
			for _, x := range c.Bits {
				m |= x
			}
			w := uint8(0)
			for ; m != 0; m >>= 1 {
				w++
			}
			return min(own, w)
		}
		return own
	case ssa.OpShl:
		if j == 0 && v.Args[1].Op == ssa.OpConst {
			return own
		}
	case ssa.OpSelect:
		if j > 0 {
			return own
		}
	}
	return allBits
}

func isInt(k ssa.Kind) bool { return !k.IsPtr() && k != ssa.Handle && k != ssa.Void && k.Num().IsInt() }

// choose chooses, arguments first, the kind in which each value is computed. After the first call it only
// revisits the values chosen then: bans make them fewer.
func (n *narrower) choose(first bool) {
	if first {
		for _, b := range n.s.dom().Order {
			for _, v := range b.Values {
				n.consider(v)
			}
		}
		return
	}
	old := n.chosen
	n.chosen = old[:0]
	for _, v := range old {
		n.kind[v.ID] = 0
	}
	for _, v := range old {
		if !n.banned[v.ID] {
			n.consider(v)
		}
	}
}

func (n *narrower) consider(v *ssa.Value) {
	if k := n.kindFor(v); k != 0 {
		n.kind[v.ID] = k
		n.depth[v.ID] = n.chain(v)
		n.chosen = append(n.chosen, v)
	}
}

// chain returns the number of chosen operations up to v since extended narrow integers.
func (n *narrower) chain(v *ssa.Value) (depth int32) {
	for _, a := range v.Args {
		switch b, ok := extended(a); {
		case n.kind[a.ID] != 0 && n.depth[a.ID] > 0:
			depth = max(depth, n.depth[a.ID]+1)
		case ok && b.Op != ssa.OpConst:
			depth = max(depth, 1)
		}
	}
	return depth
}

// kindFor returns the kind in which v can be computed, 0 if only its own is possible. For a comparison it is
// the kind of the operands.
func (n *narrower) kindFor(v *ssa.Value) ssa.Kind {
	t := v.Type
	if isCompare(v.Op) {
		t = v.Args[0].Type
	}
	if len(v.Args) == 0 || !isInt(t.K) || t.K.Num().Bits() > 32 {
		return 0
	}
	for _, bits := range [2]int{8, 16} {
		if bits >= t.K.Num().Bits() {
			break
		}
		if k := n.inBits(v, bits); k != 0 {
			return k
		}
	}
	return 0
}

func isCompare(op ssa.Op) bool {
	return op == ssa.OpEq || op == ssa.OpNe || op == ssa.OpLt || op == ssa.OpLe
}

// kinds returns the unsigned and the signed kind of that many bits.
func kinds(bits int) (unsigned, signed ssa.Kind) {
	if bits == 8 {
		return ssa.U8, ssa.I8
	}
	return ssa.U16, ssa.I16
}

// inBits returns the kind of that many bits in which v can be computed, or 0.
func (n *narrower) inBits(v *ssa.Value, bits int) ssa.Kind {
	unsigned, signed := kinds(bits)
	r := n.ranges[v.ID]
	args := v.Args
	switch v.Op {
	case ssa.OpAdd, ssa.OpSub, ssa.OpNeg, ssa.OpAnd, ssa.OpOr, ssa.OpXor, ssa.OpNot, ssa.OpMul, ssa.OpShl, ssa.OpSelect, ssa.OpSplat, ssa.OpExtract, ssa.OpVec:
		// The low bits of the result depend only on the low bits of the operands.
		if bits == 8 && (v.Op == ssa.OpMul || v.Op == ssa.OpShl) {
			return 0 // machines have no such instructions
		}
		if v.Op == ssa.OpShl {
			if c, ok := splatConst(args[1]); !ok || c >= uint64(bits) {
				return 0
			}
			args = args[:1]
		}
		if v.Op == ssa.OpSelect {
			args = args[1:]
		}
		k := unsigned
		switch {
		case r.FitsIn(unsigned):
		case r.FitsIn(signed):
			k = signed
		case int(n.wanted[v.ID]) <= bits:
		default:
			return 0
		}
		if v.Op == ssa.OpSelect && args[0].Op == ssa.OpConst && args[1].Op == ssa.OpConst {
			return k
		}
		if !n.available(args, bits) {
			return 0
		}
		return k
	case ssa.OpShr, ssa.OpDiv, ssa.OpRem:
		// Machines have no 8-bit operation; the second operand must be a constant that fits.
		c, ok := splatConst(args[1])
		if bits == 8 || !ok || c >= uint64(bits) && v.Op == ssa.OpShr || v.Op != ssa.OpShr && (c == 0 || c >= 1<<(bits-1)) {
			return 0
		}
		args = args[:1]
	case ssa.OpMin, ssa.OpMax, ssa.OpAbs, ssa.OpAbsDiff, ssa.OpEq, ssa.OpNe, ssa.OpLt, ssa.OpLe:
	case ssa.OpHAdd, ssa.OpRHAdd:
	default:
		return 0
	}
	// The values of the operands decide: one kind must hold all of them.
	k := unsigned
	for _, a := range args {
		if !n.ranges[a.ID].FitsIn(k) {
			k = signed
		}
	}
	if slices.ContainsFunc(args, func(a *ssa.Value) bool { return !n.ranges[a.ID].FitsIn(k) }) || !n.available(args, bits) {
		return 0
	}
	return k
}

// available reports whether the operands are available in that many bits without computation: as constants, as
// narrow integers, or because they are chosen. At least one must not be constant.
func (n *narrower) available(args []*ssa.Value, bits int) bool {
	any := false
	for _, a := range args {
		if a.Op == ssa.OpConst {
			continue
		}
		any = true
		if n.kind[a.ID] != 0 && !isCompare(a.Op) {
			continue
		}
		if _, ok := extended(a); !ok || a.Args[0].Type.K.Num().Bits() > bits {
			return false
		}
	}
	return any
}

// prune removes choices that do not pay or, if all is set, every doubtful one, and reports whether that changes
// the choice.
func (n *narrower) prune(all bool) (changed bool) {
	if n.users == nil {
		n.users = []*ssa.Value{}
		for _, b := range n.f.Blocks {
			for _, v := range b.Values {
				if slices.ContainsFunc(v.Args, func(a *ssa.Value) bool { return n.kind[a.ID] != 0 }) {
					n.users = append(n.users, v)
				}
			}
		}
	}
	wide := n.s.marked(n.f.NumValues()) // some user needs the wide value
	for _, v := range n.users {
		if n.kind[v.ID] != 0 && v.Op != ssa.OpSelect {
			continue
		}
		for j, a := range v.Args {
			if n.kind[a.ID] != 0 && !(n.kind[v.ID] != 0 && j > 0) && !truncates(v) {
				wide[a.ID] = true
			}
		}
	}
	for _, v := range n.chosen {
		if !isCompare(v.Op) && wide[v.ID] && (all || n.depth[v.ID] < minChain) {
			n.banned[v.ID], changed = true, true
		}
	}
	return changed
}

// truncates reports whether v is a conversion to an integer kind that can also convert a narrow operand.
func truncates(v *ssa.Value) bool {
	return v.Op == ssa.OpConvert && isInt(v.Type.K) && v.Type.K.Num().Bits() < v.Args[0].Type.K.Num().Bits()
}

// rewrite computes the chosen values in their kinds.
func (n *narrower) rewrite() {
	n.value = make([]*ssa.Value, n.f.NumValues())
	n.rw = rewriter{s: n.s, f: n.f}
	for _, b := range n.s.dom().Order {
		n.rw.begin(b)
		for _, v := range b.Values {
			n.rw.cur = v
			if k := n.kind[v.ID]; k != 0 {
				n.compute(v, k)
			}
			n.rw.keep(v)
		}
		n.rw.end()
	}
}

// compute inserts the operation in kind k before v and makes v its conversion. A comparison gets narrow
// operands.
func (n *narrower) compute(v *ssa.Value, k ssa.Kind) {
	var buf [4]*ssa.Value
	args := buf[:0]
	for j, a := range v.Args {
		switch {
		case v.Op == ssa.OpSelect && j == 0:
			args = append(args, a)
		default:
			args = append(args, n.operand(a, k))
		}
	}
	if isCompare(v.Op) {
		v.SetArgs(args...)
		return
	}
	u, _ := kinds(k.Num().Bits())
	result := k
	if v.Op == ssa.OpAbs || v.Op == ssa.OpAbsDiff {
		result = u
	}
	if v.Op == ssa.OpAbs && k == u { // nothing to do
		n.value[v.ID] = args[0]
	} else {
		x := n.rw.aux(v.Op, v.Type.With(result), v.Aux, args...)
		n.value[v.ID] = x
	}
	change(v, ssa.OpConvert, n.value[v.ID])
	v.Flags = 0
}

// operand returns x converted to kind k.
func (n *narrower) operand(x *ssa.Value, k ssa.Kind) *ssa.Value {
	t := x.Type.With(k)
	if x.Op == ssa.OpConst {
		bits := make([]uint64, len(x.Bits))
		for i, b := range x.Bits {
			bits[i] = b & ones(k)
		}
		return n.rw.keep(n.f.NewConstVec(t, bits))
	}
	y := n.value[x.ID]
	if y == nil {
		y = x.Args[0] // the source of an extension
	}
	switch {
	case y.Type == t:
		return y
	case y.Type.K.Num().Bits() > k.Num().Bits():
		return n.rw.value(ssa.OpConvert, t, y)
	}
	// Extend with the operand's own signedness, so that all its uses share the extension.
	u, own := kinds(k.Num().Bits())
	if !y.Type.K.Num().Signed() {
		own = u
	}
	if y.Type.K != own {
		y = n.rw.value(ssa.OpConvert, x.Type.With(own), y)
	}
	if own != k {
		y = n.rw.value(ssa.OpBitcast, t, y)
	}
	return y
}
