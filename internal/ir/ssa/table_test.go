package ssa

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// withoutMeaning lists elementwise ops that EvalScalar computes without a Meaning, with the reason.
var withoutMeaning = map[Op]string{
	OpCopy:    "moves bits",
	OpConvert: "has two kinds: numeric.Conversion",
	OpDot:     "has parts of elements: Dot",
	OpPtrAdd:  "works on a pointer's parts",
	OpPtrCast: "asks for the space of an object",
}

// TestOpRows checks facts derived from the op table: names and documentation, disjoint fields of Aux, and a
// meaning of every elementwise op on every supported kind.
func TestOpRows(t *testing.T) {
	names := map[string]Op{}
	for op := OpConst; op < NumOps; op++ {
		info := &Ops[op]
		if info.Name == "" || info.Doc == "" || names[info.Name] != 0 {
			t.Errorf("op %d: name %q, documentation %q", op, info.Name, info.Doc)
		}
		names[info.Name] = op
		used := uint64(0)
		for _, f := range auxFields[info.Aux] {
			bits := (uint64(1)<<f.width - 1) << f.shift
			if used&bits != 0 || f.limit() < 1 || uint64(f.limit()) > bits>>f.shift || f.key == "" && f.names == nil {
				t.Errorf("%v: field %+v", op, f)
			}
			used |= bits
		}
		if info.Aux != AuxNone && len(auxFields[info.Aux]) == 0 || !auxOK(info.Aux, 0) {
			t.Errorf("%v: no fields of Aux", op)
		}
		if (info.Shape == shAny) != (info.Kinds == 0) && op != OpPhi && op != OpUndef {
			t.Errorf("%v must have a shape and kinds, or neither", op)
		}
		if op.Has(SideEffect) && op.Has(Pure) {
			t.Errorf("%v is pure and has side effects", op)
		}
		_, without := withoutMeaning[op]
		if want := op.Has(Elementwise) && !without; want != (info.Kinds != 0 && !without && op != OpPhi && op != OpUndef && op != OpSelect) {
			t.Errorf("%v: elementwise %v, kinds %v", op, op.Has(Elementwise), info.Kinds)
		} else if !want {
			continue
		}
		for k := Kind(1); k < Kind(numeric.NumKinds); k++ {
			if info.Kinds.HasKind(k) && !HasMeaning(op, k) {
				t.Errorf("%v of %v has no meaning", op, k)
			}
			if !info.Kinds.HasKind(k) && HasMeaning(op, k) && k != Bool {
				t.Errorf("%v of %v has a meaning and does not verify", op, k)
			}
		}
	}
}

// TestFlagsOfMeaning: Commutative agrees with the meaning, and Elements lists every op on elements.
func TestFlagsOfMeaning(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	for k := Kind(1); k < Kind(numeric.NumKinds); k++ {
		for _, op := range Elements(k) {
			if Ops[op].NArgs != 2 || k.isFloat() { // NaN results of floats depend on the order of operands
				continue
			}
			commutes := true
			for range 300 {
				a, b := rng.Uint64(), rng.Uint64()
				if rng.IntN(2) == 0 {
					b = a + uint64(rng.IntN(5)) - 2
				}
				mask := ^uint64(0) >> (64 - k.Num().Bits())
				x, _ := EvalScalar(op, k, k, 0, []uint64{a & mask, b & mask})
				y, _ := EvalScalar(op, k, k, 0, []uint64{b & mask, a & mask})
				commutes = commutes && x == y
			}
			if op.Has(Commutative) && !commutes {
				t.Errorf("%v of %v does not commute", op, k)
			}
		}
	}
	for k, want := range map[Kind]Op{I8: OpPopcount, U64: OpRotl, F32: OpFMA, F16: OpSqrt, Bool: OpXor} {
		if !slices.Contains(Elements(k), want) {
			t.Errorf("%v is missing from the elements of %v: %v", want, k, Elements(k))
		}
	}
}
