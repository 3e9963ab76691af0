package x86

import (
	"encoding/binary"

	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// Constants: the pool after the code, and the registers that hold constants.

func (l *builder) literal(b []byte, align int) mem {
	return mem{on: true, scale: 1, label: l.pool.add(b, align)}
}

// A constKey identifies a register that the prologue sets.
type constKey struct {
	kind keyKind
	size int
	bits uint64
	part int
	text string
}

type keyKind uint8

const (
	keyVector  keyKind = iota // a constant in all lanes
	keyGeneral                // a constant in a general register
	keyTable                  // the bytes text
	keyAll                    // the mask of all lanes of a granule
	keyMask                   // a mask register with bits
	keyLookup                 // a part of a lookup table in constant memory
)

// inPrologue returns the register of a key; f defines it in the prologue on first use.
func (l *builder) inPrologue(key constKey, f func() reg) reg {
	if r, ok := l.consts[key]; ok {
		return r
	}
	var r reg
	l.insertAt(l.pre, -1, func() { r = f() })
	l.consts[key] = r
	return r
}

// rematerialise marks r as rematerialisable by the last instruction, and returns r.
func (l *builder) rematerialise(r reg) reg {
	i := l.work.remats.New()
	*i = l.cur.insts[len(l.cur.insts)-1]
	l.setRemat(r, i)
	return r
}

// loadLiteral returns a register with a vector constant.
func (l *builder) loadLiteral(w asm.Width, b []byte) reg {
	return l.rematerialise(l.result(cV, inst{op: asm.VMOVUPS, w: w, m: l.literal(b, int(w))}))
}

// newConst returns a new general register with a constant.
func (l *builder) newConst(x uint64) reg {
	d := l.g()
	l.movi(d, x)
	return d
}

func (l *builder) generalConst(bits uint64) reg {
	return l.inPrologue(constKey{kind: keyGeneral, bits: bits}, func() reg { return l.rematerialise(l.newConst(bits)) })
}

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
	return l.each(l.numParts(size), func(k int) reg {
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
	return l.inPrologue(constKey{kind: keyTable, size: int(w), text: string(b)}, func() reg { return l.loadLiteral(w, b) })
}
