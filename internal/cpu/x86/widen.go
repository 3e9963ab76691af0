package x86

import (
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A widening is an instruction that extends elements from from bytes to to bytes. If its operand is in memory, no
// load and no separation of elements is needed.
type widening struct {
	op       asm.Op
	from, to int
}

// A widened is the key of a widening of the elements of a register.
type widened struct {
	of reg
	op asm.Op
}

func extension(from, to int, signed bool) widening {
	return widening{vextend[[2]int{from, to}].of(signed), from, to}
}

// wideningFor returns the widening that begins a conversion.
func (l *values) wideningFor(to, from ssa.Kind, aux int64) (w widening, ok bool) {
	if to == ssa.Bool || from == ssa.Bool {
		return w, false
	}
	dk, sk := to.Num(), from.Num()
	ds, ss := dk.Size(), sk.Size()
	sat, mode := ssa.ConvParts(aux)
	if mode == numeric.RoundDefault {
		mode = numeric.RTZ
	}
	switch {
	case dk.IsInt() && sk.IsInt():
		if ds > ss && !(sat && sk.Signed() && !dk.Signed()) {
			return extension(ss, ds, sk.Signed()), true
		}
	case dk == sk:
	case sk == numeric.F16 && (!dk.IsInt() || ds == 8 || !l.lv.HalfMath):
		return widening{asm.VCVTPH2PS, 2, 4}, true
	case sk == numeric.F32 && dk == numeric.F64:
		return widening{asm.VCVTPS2PD, 4, 8}, true
	case sk.IsFloat() && dk.IsInt():
		op, round := toIntBy(ds, ss, true, mode)
		return widening{op, ss, ds}, ds > ss && !sat && round == asm.NoRounding && l.lv.Conversions
	case sk.IsFloat():
	case dk == numeric.F16 && l.lv.HalfMath:
		if ss == 1 {
			return extension(1, 2, sk.Signed()), true
		}
	case sk.IsInt() && ss < 4:
		return extension(ss, 4, sk.Signed()), true
	case sk.IsInt() && ss == 4 && dk == numeric.F64:
		if sk.Signed() {
			return widening{asm.VCVTDQ2PD, 4, 8}, true
		}
		return widening{asm.VCVTUDQ2PD, 4, 8}, l.lv.Conversions
	}
	return w, false
}
