package spmd

import "github.com/purecl/purecl/internal/ir/ssa"

// A span says what an integer is in all lanes of a gang: first + lane · stride, without
// wrapping within the gang.
type span struct {
	first, stride int64
	ok            bool
}

// Spans finds the integers that follow from the number of the lane alone, in a function
// for gangs of known ids (unfold.go).
type Spans struct {
	lanes int64
	known map[*ssa.Value]span
}

func newSpans(lanes int) *Spans { return &Spans{int64(lanes), map[*ssa.Value]span{}} }

// Of returns the first lane's v, and by how much it grows from lane to lane.
func (s *Spans) Of(v *ssa.Value) (first, stride int64, ok bool) {
	x := s.of(v)
	return x.first, x.stride, x.ok
}

func (s *Spans) of(v *ssa.Value) span {
	if x, ok := s.known[v]; ok {
		return x
	}
	s.known[v] = span{} // of a cycle
	x := s.compute(v)
	s.known[v] = x
	return x
}

func (s *Spans) compute(v *ssa.Value) span {
	if v.Type.N != 1 || !isInt(v.Type.K) {
		return span{}
	}
	switch v.Op {
	case ssa.OpConst:
		return s.fit(v, int64(v.ConstElem(0)), 0)
	case ssa.OpWorkItem:
		if ssa.WorkItemQuery(v.Aux) == ssa.LocalID && v.Args[0].IsConst() && v.Args[0].ConstElem(0) == 0 {
			return s.fit(v, 0, 1)
		}
		return span{}
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpShl, ssa.OpBitcast, ssa.OpCopy:
	case ssa.OpConvert:
		if sat, _ := ssa.ConvParts(v.Aux); sat {
			return span{}
		}
	default:
		return span{}
	}
	a := s.of(v.Args[0])
	if !a.ok {
		return span{}
	}
	if len(v.Args) == 1 {
		return s.fit(v, a.first, a.stride)
	}
	b := s.of(v.Args[1])
	if !b.ok {
		return span{}
	}
	switch v.Op {
	case ssa.OpAdd:
		return s.fit(v, a.first+b.first, a.stride+b.stride)
	case ssa.OpSub:
		return s.fit(v, a.first-b.first, a.stride-b.stride)
	case ssa.OpShl:
		by := b.first & int64(8*v.Type.K.Num().Size()-1)
		if b.stride != 0 || by > 30 {
			return span{}
		}
		b.first = 1 << by
	}
	if a.stride != 0 && b.stride != 0 {
		return span{}
	}
	return s.fit(v, a.first*b.first, a.stride*b.first+a.first*b.stride)
}

// fit returns first + lane · stride as numbers of v's type: where they wrap, all lanes'
// do alike. Numbers are small, so that nothing here overflows.
func (s *Spans) fit(v *ssa.Value, first, stride int64) span {
	const small = 1 << 31
	k := v.Type.K.Num()
	bits := 8 * k.Size()
	if bits < 64 {
		low := int64(0)
		if k.Signed() {
			low = -1 << (bits - 1)
		}
		q := (first - low) >> bits
		if (first+(s.lanes-1)*stride-low)>>bits != q {
			return span{}
		}
		first -= q << bits
	}
	last := first + (s.lanes-1)*stride
	if max(first, last) >= 2*small || min(first, last) < -small || stride > small || stride < -small {
		return span{}
	}
	if bits == 64 && !k.Signed() && min(first, last) < 0 {
		return span{}
	}
	return span{first, stride, true}
}

// decide says whether a condition holds in all lanes, or in none. It is sure that lanes
// differ if the condition is known and neither.
func (s *Spans) decide(c *ssa.Value) (all, none, known bool) {
	if c.Type != ssa.TBool {
		return false, false, false
	}
	switch c.Op {
	case ssa.OpConst:
		return c.ConstElem(0) != 0, c.ConstElem(0) == 0, true
	case ssa.OpNot:
		all, none, known = s.decide(c.Args[0])
		return none, all, known
	case ssa.OpAnd, ssa.OpOr:
		a1, n1, k1 := s.decide(c.Args[0])
		a2, n2, k2 := s.decide(c.Args[1])
		if c.Op == ssa.OpAnd {
			all, none = a1 && a2, n1 || n2
		} else {
			all, none = a1 || a2, n1 && n2
		}
		return all, none, k1 && k2 || all || none
	case ssa.OpLt, ssa.OpLe, ssa.OpEq, ssa.OpNe:
		a, b := s.of(c.Args[0]), s.of(c.Args[1])
		if !a.ok || !b.ok {
			return false, false, false
		}
		first, stride := a.first-b.first, a.stride-b.stride
		last := first + (s.lanes-1)*stride
		low, high := min(first, last), max(first, last)
		switch c.Op {
		case ssa.OpLt:
			return high < 0, low >= 0, true
		case ssa.OpLe:
			return high <= 0, low > 0, true
		}
		all = low == 0 && high == 0
		none = low > 0 || high < 0 || stride != 0 && first%stride != 0
		if c.Op == ssa.OpNe {
			all, none = none, all
		}
		return all, none, true
	}
	return false, false, false
}

// settle makes constants of the conditions that are the same in all lanes and jumps of
// the branches on them, and removes what nobody wants then.
func (s *Spans) settle(f *ssa.Func) {
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if v.Op == ssa.OpConst || v.Type != ssa.TBool {
				continue
			}
			if all, none, _ := s.decide(v); all || none {
				bit := uint64(0)
				if all {
					bit = 1
				}
				v.BecomeConst(f, []uint64{bit})
			}
		}
	}
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if v.Op == ssa.OpSelect && v.Args[0].Type == ssa.TBool && v.Args[0].IsConst() {
				v.BecomeCopy(v.Args[2-v.Args[0].ConstElem(0)])
			}
		}
		if t := b.Term(); t.Op == ssa.OpBranch && t.Args[0].IsConst() {
			b.SetJump(int(1 - t.Args[0].ConstElem(0)))
		}
	}
	f.RemoveUnreachable()
	single(f)
	f.ReplaceCopies()
	sweep(f)
}

// sweep removes the values without effects that nobody uses.
func sweep(f *ssa.Func) {
	uses := f.UseCounts(nil)
	for again := true; again; {
		again = false
		for i := len(f.Blocks) - 1; i >= 0; i-- {
			b := f.Blocks[i]
			kept := b.Values[:0:0]
			for k := len(b.Values) - 1; k >= 0; k-- {
				v := b.Values[k]
				if uses[v.ID] > 0 || !v.Op.Has(ssa.Pure) || v.Op == ssa.OpParam {
					kept = append(kept, v)
					continue
				}
				again = again || v.Op == ssa.OpPhi
				for _, a := range v.Args {
					uses[a.ID]--
					again = again || uses[a.ID] == 0 && a.Block != b
				}
			}
			for l, r := 0, len(kept)-1; l < r; l, r = l+1, r-1 {
				kept[l], kept[r] = kept[r], kept[l]
			}
			b.Values = kept
		}
	}
}
