package x86

import (
	"encoding/binary"

	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// Registers with constant elements, which the prologue sets.

// constV returns a constant in all lanes.
func (l *vectors) constV(size int, bits uint64) vec {
	return l.everywhere(l.inPrologue(constKey{kind: keyVector, size: size, bits: bits}, func() reg {
		if bits == 0 {
			return l.rematerialise(l.zero())
		}
		var buf [8]byte
		binary.LittleEndian.PutUint64(buf[:], bits)
		return l.rematerialise(l.vload(vbroadcast[size], l.lv.VL, l.literal(append([]byte(nil), buf[:size]...), size)))
	}), size)
}

// zero returns a new register with zeros.
func (l *vectors) zero() reg {
	op, w := asm.VPXOR, asm.Width(16) // clears all bytes
	if l.lv.EVEX {
		op, w = asm.VPXORD, 64
	}
	return l.rvm(op, w, fixed(asm.V(0)), fixed(asm.V(0)))
}

// ramp returns the constant lane * stride.
func (l *vectors) ramp(size int, stride int64) vec {
	return l.constLanes(size, func(lane int) uint64 { return uint64(int64(lane) * stride) })
}

// constLanes returns a constant in each lane.
func (l *vectors) constLanes(size int, number func(lane int) uint64) vec {
	per := int(l.lv.VL) / size
	return l.each(l.parts(size), func(k int) reg {
		return l.constElements(size, func(i int) uint64 { return number(k*per + i) })
	})
}

// indices returns a register of indices of elements of es bytes.
func (l *vectors) indices(es int, f func(i int) int) reg {
	return l.constElements(es, func(i int) uint64 { return uint64(byte(f(i))) })
}

// elementsWhere returns a register whose elements for which is is true have all bits set, and no others.
func (l *vectors) elementsWhere(es int, is func(i int) bool) reg {
	return l.constElements(es, func(i int) uint64 {
		if is(i) {
			return ^uint64(0)
		}
		return 0
	})
}

// constElements returns a register with constant elements.
func (l *vectors) constElements(es int, element func(i int) uint64) reg {
	b := make([]byte, l.lv.VL+8) // each element overwrites the upper bytes of the one before
	for i := range int(l.lv.VL) / es {
		binary.LittleEndian.PutUint64(b[i*es:], element(i))
	}
	return l.table(l.lv.VL, b[:l.lv.VL])
}

// table returns a register with constant bytes.
func (l *vectors) table(w asm.Width, b []byte) reg {
	return l.inPrologue(constKey{kind: keyTable, size: int(w), text: string(b)}, func() reg { return l.constant(w, b) })
}
