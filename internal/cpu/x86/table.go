package x86

import (
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A kinds is a set of kinds of elements.
type kinds uint8

const (
	ofSigned   kinds = 1 << iota // integers
	ofUnsigned                   // integers
	ofFloats                     // also halfs
	ofIntegers = ofSigned | ofUnsigned
)

// integers returns the set of the integers with or without a sign.
func integers(signed bool) kinds {
	if signed {
		return ofSigned
	}
	return ofUnsigned
}

// A bySize maps the size of an element in bytes to an instruction.
type bySize [9]asm.Op

// A pair has an instruction for signed integers and one for unsigned integers.
type pair [2]asm.Op

// of returns the instruction for signed or unsigned integers.
func (p pair) of(signed bool) asm.Op {
	if signed {
		return p[0]
	}
	return p[1]
}

// A selection is a row of the selection table: the instructions of an operation on one or two vectors.
type selection struct {
	of   kinds
	ops  bySize
	has  func(*Features) bool // the feature that the instructions need; nil: none
	imm  int64                // immediate of unary instructions
	more bool                 // the instructions have an immediate
}

var (
	quads     = func(f *Features) bool { return f.Quads }
	halfMath  = func(f *Features) bool { return f.HalfMath }
	zeros     = func(f *Features) bool { return f.LeadingZeros }
	rotates   = func(f *Features) bool { return f.Rotates }
	bitCounts = func(f *Features) bool { return f.BitCounts }
	estimates = func(f *Features) bool { return f.EVEX }

	vadd   = bySize{1: asm.VPADDB, 2: asm.VPADDW, 4: asm.VPADDD, 8: asm.VPADDQ}
	vsub   = bySize{1: asm.VPSUBB, 2: asm.VPSUBW, 4: asm.VPSUBD, 8: asm.VPSUBQ}
	vshl   = bySize{2: asm.VPSLLW, 4: asm.VPSLLD, 8: asm.VPSLLQ}
	vshlv  = bySize{2: asm.VPSLLVW, 4: asm.VPSLLVD, 8: asm.VPSLLVQ}
	vperm2 = bySize{1: asm.VPERMT2B, 2: asm.VPERMT2W, 4: asm.VPERMT2D, 8: asm.VPERMT2Q}
	vround = bySize{2: asm.VRNDSCALEPH, 4: asm.VROUNDPS, 8: asm.VROUNDPD}
)

// Right shifts of signed and unsigned integers by an immediate, and by a count per element.
var (
	shiftsRight   = map[bool]bySize{false: {2: asm.VPSRLW, 4: asm.VPSRLD, 8: asm.VPSRLQ}, true: {2: asm.VPSRAW, 4: asm.VPSRAD, 8: asm.VPSRAQ}}
	shiftsRightBy = map[bool]bySize{false: {2: asm.VPSRLVW, 4: asm.VPSRLVD, 8: asm.VPSRLVQ}, true: {2: asm.VPSRAVW, 4: asm.VPSRAVD, 8: asm.VPSRAVQ}}
)

// shiftBy returns the shifts by a count per element.
func shiftBy(op ssa.Op, signed bool) bySize {
	if op == ssa.OpShr {
		return shiftsRightBy[signed]
	}
	return vshlv
}

// selections is the selection table, by operation. The first row applies whose kinds and sizes match and whose
// feature the level has.
var selections = [ssa.NumOps][]selection{
	ssa.OpAdd: {{of: ofIntegers, ops: vadd}, {of: ofFloats, ops: bySize{4: asm.VADDPS, 8: asm.VADDPD}}, {of: ofFloats, ops: bySize{2: asm.VADDPH}, has: halfMath}},
	ssa.OpSub: {{of: ofIntegers, ops: vsub}, {of: ofFloats, ops: bySize{4: asm.VSUBPS, 8: asm.VSUBPD}}, {of: ofFloats, ops: bySize{2: asm.VSUBPH}, has: halfMath}},
	ssa.OpMul: {{of: ofIntegers, ops: bySize{2: asm.VPMULLW, 4: asm.VPMULLD}}, {of: ofIntegers, ops: bySize{8: asm.VPMULLQ}, has: quads},
		{of: ofFloats, ops: bySize{4: asm.VMULPS, 8: asm.VMULPD}}, {of: ofFloats, ops: bySize{2: asm.VMULPH}, has: halfMath}},
	ssa.OpDiv:           {{of: ofFloats, ops: bySize{4: asm.VDIVPS, 8: asm.VDIVPD}}, {of: ofFloats, ops: bySize{2: asm.VDIVPH}, has: halfMath}},
	ssa.OpSqrt:          {{of: ofFloats, ops: bySize{4: asm.VSQRTPS, 8: asm.VSQRTPD}}, {of: ofFloats, ops: bySize{2: asm.VSQRTPH}, has: halfMath}},
	ssa.OpRecipEstimate: {{of: ofFloats, ops: bySize{4: asm.VRCP14PS}, has: estimates}},
	ssa.OpRsqrtEstimate: {{of: ofFloats, ops: bySize{4: asm.VRSQRT14PS}, has: estimates}},
	ssa.OpRint:          rounding(8),
	ssa.OpFloor:         rounding(9),
	ssa.OpCeil:          rounding(10),
	ssa.OpTrunc:         rounding(11),
	ssa.OpAnd:           {{of: ofIntegers, ops: everySize(asm.VPAND)}},
	ssa.OpOr:            {{of: ofIntegers, ops: everySize(asm.VPOR)}},
	ssa.OpXor:           {{of: ofIntegers, ops: everySize(asm.VPXOR)}},
	ssa.OpMin: {{of: ofSigned, ops: bySize{1: asm.VPMINSB, 2: asm.VPMINSW, 4: asm.VPMINSD}}, {of: ofSigned, ops: bySize{8: asm.VPMINSQ}, has: quads},
		{of: ofUnsigned, ops: bySize{1: asm.VPMINUB, 2: asm.VPMINUW, 4: asm.VPMINUD}}, {of: ofUnsigned, ops: bySize{8: asm.VPMINUQ}, has: quads}},
	ssa.OpMax: {{of: ofSigned, ops: bySize{1: asm.VPMAXSB, 2: asm.VPMAXSW, 4: asm.VPMAXSD}}, {of: ofSigned, ops: bySize{8: asm.VPMAXSQ}, has: quads},
		{of: ofUnsigned, ops: bySize{1: asm.VPMAXUB, 2: asm.VPMAXUW, 4: asm.VPMAXUD}}, {of: ofUnsigned, ops: bySize{8: asm.VPMAXUQ}, has: quads}},
	ssa.OpAbs:      {{of: ofSigned, ops: bySize{1: asm.VPABSB, 2: asm.VPABSW, 4: asm.VPABSD}}, {of: ofSigned, ops: bySize{8: asm.VPABSQ}, has: quads}},
	ssa.OpRHAdd:    {{of: ofUnsigned, ops: bySize{1: asm.VPAVGB, 2: asm.VPAVGW}}},
	ssa.OpAddSat:   {{of: ofSigned, ops: bySize{1: asm.VPADDSB, 2: asm.VPADDSW}}, {of: ofUnsigned, ops: bySize{1: asm.VPADDUSB, 2: asm.VPADDUSW}}},
	ssa.OpSubSat:   {{of: ofSigned, ops: bySize{1: asm.VPSUBSB, 2: asm.VPSUBSW}}, {of: ofUnsigned, ops: bySize{1: asm.VPSUBUSB, 2: asm.VPSUBUSW}}},
	ssa.OpMulHi:    {{of: ofSigned, ops: bySize{2: asm.VPMULHW}}, {of: ofUnsigned, ops: bySize{2: asm.VPMULHUW}}},
	ssa.OpPopcount: {{of: ofIntegers, ops: bySize{1: asm.VPOPCNTB, 2: asm.VPOPCNTW, 4: asm.VPOPCNTD, 8: asm.VPOPCNTQ}, has: bitCounts}},
	ssa.OpClz:      {{of: ofIntegers, ops: bySize{4: asm.VPLZCNTD, 8: asm.VPLZCNTQ}, has: zeros}},
	ssa.OpRotl:     {{of: ofIntegers, ops: bySize{4: asm.VPROLVD, 8: asm.VPROLVQ}, has: rotates}},
}

// rounding returns the rows of an operation that rounds to integral values. imm is the rounding mode.
func rounding(imm int64) []selection {
	wide, half := vround, vround
	wide[2], half[4], half[8] = 0, 0, 0
	return []selection{{of: ofFloats, ops: wide, imm: imm, more: true}, {of: ofFloats, ops: half, imm: imm, more: true, has: halfMath}}
}

// everySize returns a bySize with one instruction for all sizes.
func everySize(op asm.Op) bySize { return bySize{1: op, 2: op, 4: op, 8: op} }

// selected returns the row of an operation for a kind and size of elements, nil if none applies.
func (lv *Level) selected(op ssa.Op, of kinds, size int) *selection {
	list := selections[op]
	for k := range list {
		if s := &list[k]; s.of&of != 0 && s.ops[size] != asm.NoOp && (s.has == nil || s.has(&lv.Features)) {
			return s
		}
	}
	return nil
}

// native returns the result of an operation by the instruction of its row, nil if no row applies. b is nil for
// unary operations.
func (l *vectors) native(op ssa.Op, of kinds, size int, a, b vec) vec {
	s := l.lv.selected(op, of, size)
	switch {
	case s == nil:
		return nil
	case b != nil:
		return l.each2(size, s.ops[size], a, b)
	case s.more:
		return l.eachI(size, s.ops[size], a, s.imm)
	}
	return l.each1(size, s.ops[size], a)
}
