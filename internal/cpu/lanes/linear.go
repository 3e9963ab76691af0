package lanes

import (
	"cmp"
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// A Linear is a pointer as a linear form: a memory object plus, modulo 2⁶⁴, the sum of terms and a constant.
// Accesses whose forms differ only in the constant have that distance in bytes.
//
// Constants are taken out of 32-bit sums before extension, on the assumption that the sums do not wrap. Narrow
// lists these sums.
type Linear struct {
	Root   *ssa.Value // a parameter or the address of a variable
	Terms  []Term     // sorted, without duplicates
	Disp   int64
	Narrow []Narrow
}

// A Term is By times an integer: a 64-bit one, or the extended sum of up to four 32-bit ones.
type Term struct {
	Parts  Parts
	Signed bool // for 32 bits: sign-extended
	By     int64
}

// Parts are the summands of a term, sorted; unused entries are nil.
type Parts [4]*ssa.Value

// All returns the used entries.
func (p *Parts) All() []*ssa.Value {
	if n := slices.Index(p[:], nil); n >= 0 {
		return p[:n]
	}
	return p[:]
}

// Narrow records an assumption: adding C to the term's integer in 32 bits does not wrap.
type Narrow struct {
	Term // By is 1
	C    int64
}

const (
	maxFactor   = 1 << 29 // of a term
	maxTaken    = 1 << 24 // from a 32-bit sum
	maxSummands = 6
	// maxTakenApart bounds the depth of additions that LinearOf follows.
	maxTakenApart = 12
	maxSteps      = 16 // through 32-bit additions
)

// LinearOf returns the linear form of a pointer that reaches a known object within few steps.
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

// gone reports whether a term has cancelled after a constant was taken out of it. The cancellation is valid
// only if neither sum wrapped, and without the term nothing would test that.
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

// NarrowOf returns the summand o of an address as a term t to whose 32-bit integer c is added, modulo 2³². ok is false
// if o has another form.
func NarrowOf(o *ssa.Value) (t Term, c int64, ok bool) {
	var s Linear
	if s.add(o, 1, maxTakenApart); len(s.Terms) != 1 || s.Terms[0].Wide() {
		return t, 0, false
	}
	t = s.Terms[0]
	switch {
	case len(s.Narrow) == 1:
		c = s.Narrow[0].C
	case len(s.Narrow) > 1:
		return t, 0, false
	}
	return t, c, s.Disp == t.By*c
}

// add adds by · v, with v a 64-bit integer.
func (s *Linear) add(v *ssa.Value, by int64, depth int) {
	if len(s.Terms) > maxSummands {
		return // LinearOf will fail
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
			if f, ok := Factor(v); ok && 0 < f && f <= maxFactor && by*f <= maxFactor && by*f >= -maxFactor {
				s.add(v.Args[0], by*f, depth-1)
				return
			}
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

// Factor returns the constant that a product, or a shift to the left, multiplies its first operand by: of signed integers
// with its sign. ok is false for other values.
func Factor(v *ssa.Value) (by int64, ok bool) {
	if v.Op != ssa.OpMul && v.Op != ssa.OpShl || !v.Args[1].IsConst() {
		return 0, false
	}
	by = int64(v.Args[1].ConstElem(0))
	switch k := v.Type.K.Num(); {
	case v.Op == ssa.OpShl:
		by = 1 << (by & 63)
	case k.Signed():
		by = by << (64 - 8*k.Size()) >> (64 - 8*k.Size())
	}
	return by, true
}

// addNarrow adds by · the extension of v, a 32-bit integer.
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

// parts appends the summands of v to list, up to its capacity, and returns the sum of the small constants among
// them.
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
