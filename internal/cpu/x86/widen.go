package x86

import (
	"github.com/purecl/purecl/internal/cpu/gang"
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
	sat, mode := conversionOf(aux, dk)
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
		return widening{intToFloatOps[[2]int{4, 8}].of(sk.Signed()), 4, 8}, sk.Signed() || l.lv.Conversions
	}
	return w, false
}

// Loads with conversions: an instruction that widens elements reads them from memory.

// findWants finds the loads whose elements are converted, and how the conversion begins.
func (s *objects) findWants() {
	// By register, whether all definitions are such loads.
	const no, yes = 1, 2
	loads := make([]uint8, len(s.f.Types))
	for _, i := range s.f.Insts() {
		if i.Dst == 0 {
			continue
		}
		switch {
		case i.Op != gang.OpLoadPtr && (i.Op != gang.OpLoad || i.Shape != gang.Contiguous):
			loads[i.Dst] = no
		case loads[i.Dst] == 0:
			loads[i.Dst] = yes
		}
		if i.Op != gang.OpEach || i.Each != ssa.OpConvert {
			continue
		}
		t, from := s.f.Type(i.Dst), s.f.Type(i.Args[0])
		if loads[i.Args[0]] != yes || t.Class != gang.Vector || t.N != from.N || t.N > 1 && !wholeType(t) {
			continue
		}
		if w, ok := s.wideningFor(t.K, from.K, i.Aux); ok {
			s.wants[i.Args[0]] = w
		}
	}
	for r := range s.wants {
		if loads[r] != yes || s.taken[r] != nil && s.defs[r] == 1 {
			delete(s.wants, r)
		}
	}
}

// setLoaded gives a vector its elements side by side in memory, also widened if its conversions begin so. Dead code
// elimination removes what is not used.
func (s *objects) setLoaded(r gang.Reg, q mem) {
	t := s.f.Type(r)
	es, n := t.Size(), int(t.N)
	if a := s.sources[r]; a != 0 {
		s.lea(a, q)
	}
	set := s.defs[r] == 1 || s.separate[r]
	var raw vec
	switch {
	case set:
		raw = s.rawVec(es, n)
	case n > 1:
		raw = s.variable(r).f
	default:
		raw = s.variable(r).v[0]
	}
	delete(s.block.parts, r)
	s.loadRaw(raw, q, es, n)
	if w, ok := s.wants[r]; ok {
		key := widened{raw[0], w.op}
		wide := s.wider[key]
		if wide == nil {
			wide = s.rawVec(w.to, n)
			s.wider[key] = wide
		}
		s.within(s.n*n, func() {
			for _, d := range wide {
				s.emit(inst{op: w.op, w: s.width(w.to), fl: fDefReg, reg: d, m: q})
				q.disp += int32(w.from * s.perPart(w.to))
			}
		})
	}
	if set {
		s.setV(r, raw)
	}
}

// widenLoaded widens a vector's elements in registers as setLoaded does those in memory.
func (s *objects) widenLoaded(r gang.Reg) {
	w, ok := s.wants[r]
	if !ok {
		return
	}
	raw, n := s.inOrder(r), int(s.f.Type(r).N)
	key := widened{raw[0], w.op}
	wide := s.wider[key]
	delete(s.wider, key)
	s.within(s.n*n, func() {
		p := s.widen(w, raw)
		if wide == nil {
			wide = p
		} else {
			s.assign(wide, p)
		}
	})
	s.wider[key] = wide
}
