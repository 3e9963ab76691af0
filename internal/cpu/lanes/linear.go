package lanes

import (
	"cmp"
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// A Linear is a pointer as a linear form: a memory object and, modulo 2⁶⁴, the sum of terms and
// a constant. Two accesses whose forms differ by the constant are so many bytes apart.
//
// Constants are taken out of sums of 32 bits before they are extended, as if those could
// not wrap: Narrow says which must not.
type Linear struct {
	Root   *ssa.Value // a parameter or the address of a variable
	Terms  []Term     // in order, each only once
	Disp   int64
	Narrow []Narrow
}

// A Term is By times an integer: one of 64 bits, or the sum of up to four of 32 bits,
// extended.
type Term struct {
	Parts  Parts
	Signed bool // of 32 bits: how it is extended
	By     int64
}

// Parts are integers, in order, as many as there are.
type Parts [4]*ssa.Value

// All returns them.
func (p *Parts) All() []*ssa.Value {
	if n := slices.Index(p[:], nil); n >= 0 {
		return p[:n]
	}
	return p[:]
}

// Narrow says that a term's integer and C, added in 32 bits and extended, are taken for
// what its extension and C are.
type Narrow struct {
	Term // By is 1
	C    int64
}

const (
	maxFactor   = 1 << 29 // of a term
	maxTaken    = 1 << 24 // out of a sum of 32 bits
	maxSummands = 6
	// maxTakenApart bounds the additions that LinearOf goes through, one behind the other.
	maxTakenApart = 12
	maxSteps      = 16 // through additions of 32 bits
)

// LinearOf returns the linear form of a pointer that leads to a known object in few steps.
func LinearOf(p *ssa.Value) (s Linear, ok bool) {
	for range maxTakenApart {
		switch p.Op {
		case ssa.OpPtrAdd:
			s.add(p.Args[1], 1, maxTakenApart)
			p = p.Args[0]
		case ssa.OpPtrCast:
			if p.Args[0].Type.K == ssa.PtrGeneric {
				return s, false
			}
			p = p.Args[0]
		case ssa.OpParam, ssa.OpGlobalAddr:
			s.Root = p
			slices.SortStableFunc(s.Terms, Term.compare)
			return s, len(s.Terms) <= maxSummands && s.Disp < maxFactor && s.Disp > -maxFactor && !s.gone()
		default:
			return s, false
		}
	}
	return s, false
}

// gone reports whether terms have cancelled out of which constants were taken: their
// difference is that of the constants only where neither wrapped, and nobody would ask.
func (s *Linear) gone() bool {
	return slices.ContainsFunc(s.Narrow, func(n Narrow) bool {
		return !slices.ContainsFunc(s.Terms, func(t Term) bool { return t.Parts == n.Parts && t.Signed == n.Signed })
	})
}

func (t Term) compare(u Term) int {
	return slices.CompareFunc(t.Parts.All(), u.Parts.All(), compareIDs)
}

func compareIDs(v, w *ssa.Value) int { return cmp.Compare(v.ID, w.ID) }

// Wide reports whether the term's integer has 64 bits.
func (t Term) Wide() bool { return t.Parts[0].Type.K.Num().Size() == 8 }

// add adds by times v, an integer of 64 bits.
func (s *Linear) add(v *ssa.Value, by int64, depth int) {
	if len(s.Terms) > maxSummands {
		return // LinearOf says no
	}
	if v.IsConst() {
		s.Disp += by * int64(v.ConstElem(0))
		return
	}
	if depth > 0 {
		switch v.Op {
		case ssa.OpAdd:
			s.add(v.Args[0], by, depth-1)
			s.add(v.Args[1], by, depth-1)
			return
		case ssa.OpSub:
			s.add(v.Args[0], by, depth-1)
			s.add(v.Args[1], -by, depth-1)
			return
		case ssa.OpNeg:
			s.add(v.Args[0], -by, depth-1)
			return
		case ssa.OpMul, ssa.OpShl:
			if f, ok := factor(v); ok && by*f <= maxFactor && by*f >= -maxFactor {
				s.add(v.Args[0], by*f, depth-1)
				return
			}
		case ssa.OpCopy:
			s.add(v.Args[0], by, depth-1)
			return
		case ssa.OpConvert:
			a := v.Args[0]
			if sat, _ := ssa.ConvParts(v.Aux); sat || !IsInt(a.Type.K) {
				break
			}
			switch a.Type.K.Num().Size() {
			case 8:
				s.add(a, by, depth-1)
				return
			case 4:
				s.addNarrow(a, by)
				return
			}
		}
	}
	s.term(Term{Parts: Parts{v}, By: by})
}

// factor returns what v multiplies its first operand by, if that is a small constant.
func factor(v *ssa.Value) (f int64, ok bool) {
	if !v.Args[1].IsConst() {
		return 0, false
	}
	f = int64(v.Args[1].ConstElem(0))
	if v.Op == ssa.OpShl {
		f = 1 << (f & 63)
	}
	return f, 0 < f && f <= maxFactor
}

// addNarrow adds by times the extension of v, an integer of 32 bits.
func (s *Linear) addNarrow(v *ssa.Value, by int64) {
	t := Term{Signed: v.Type.K.Num().Signed(), By: 1}
	c, ok := parts(v, t.Parts[:0])
	if !ok || t.Parts[0] == nil {
		c, t.Parts = 0, Parts{v}
	}
	slices.SortFunc(t.Parts.All(), compareIDs)
	if c != 0 {
		s.Narrow = append(s.Narrow, Narrow{t, c})
		s.Disp += by * c
	}
	t.By = by
	s.term(t)
}

// parts appends to list, as far as it has room, what v adds up beside small constants, and
// returns their sum.
func parts(v *ssa.Value, list []*ssa.Value) (c int64, ok bool) {
	todo := []*ssa.Value{v}
	for steps := 0; len(todo) > 0; steps++ {
		v, todo = todo[len(todo)-1], todo[:len(todo)-1]
		switch {
		case steps > maxSteps:
			return 0, false
		case v.IsConst():
			c += int64(int32(v.ConstElem(0)))
		case v.Op == ssa.OpAdd:
			todo = append(todo, v.Args...)
		case len(list) == cap(list):
			return 0, false
		default:
			list = append(list, v)
		}
	}
	return c, c <= maxTaken && c >= -maxTaken
}

func (s *Linear) term(t Term) {
	for i := range s.Terms {
		if u := &s.Terms[i]; u.Parts == t.Parts && u.Signed == t.Signed {
			u.By += t.By
			if u.By == 0 {
				s.Terms = slices.Delete(s.Terms, i, i+1)
			}
			return
		}
	}
	s.Terms = append(s.Terms, t)
}
