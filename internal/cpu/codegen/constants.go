package codegen

import (
	"encoding/binary"

	"github.com/purecl/purecl/internal/cpu/asm"
)

// Constants: in the pool behind the code, and the registers that hold them.

func (l *lowerer) literal(b []byte, align int) mem {
	return mem{on: true, scale: 1, label: l.pool.add(b, align)}
}

// A constKey names a register that is set before everything else.
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
	keyRamp                   // lane · bits
	keyTable                  // the bytes text
	keyAll                    // the mask of all lanes of a granule
	keyMask                   // a mask register with bits
	keyLookup                 // a part of a table in constant memory
)

// inPrologue makes a register that is set before everything else.
func (l *lowerer) inPrologue(key constKey, f func() reg) reg {
	if r, ok := l.consts[key]; ok {
		return r
	}
	var r reg
	l.insertAt(l.pre, -1, func() { r = f() })
	l.consts[key] = r
	return r
}

// rematerialise marks the last instruction as one that may be repeated.
func (l *lowerer) rematerialise(r reg) reg {
	i := l.cur.insts[len(l.cur.insts)-1]
	l.setRemat(r, &i)
	return r
}

// constV returns a constant in all lanes.
func (l *lowerer) constV(size int, bits uint64) vec {
	return l.everywhere(l.inPrologue(constKey{kind: keyVector, size: size, bits: bits}, func() reg {
		d := l.vr()
		if bits == 0 {
			op, w := asm.VPXOR, asm.Width(16)
			if l.lv.AVX512 {
				op, w = asm.VPXORD, 64
			}
			l.emit(inst{op: op, w: w, fl: fDefReg, reg: d, v: fixed(asm.V(0)), rm: fixed(asm.V(0))})
			return l.rematerialise(d)
		}
		var buf [8]byte
		binary.LittleEndian.PutUint64(buf[:], bits)
		l.emit(inst{op: vbroadcast[size], w: l.lv.VL, fl: fDefReg, reg: d, m: l.literal(append([]byte(nil), buf[:size]...), size)})
		return l.rematerialise(d)
	}), size)
}

// ramp returns the constant lane * stride.
func (l *lowerer) ramp(size int, stride int64) vec {
	p := make(vec, l.parts(size))
	per := int(l.lv.VL) / size
	for k := range p {
		p[k] = l.inPrologue(constKey{kind: keyRamp, size: size, bits: uint64(stride), part: k}, func() reg {
			buf := make([]byte, int(l.lv.VL))
			for i := range per {
				x := uint64(int64(k*per+i) * stride)
				for j := range size {
					buf[i*size+j] = byte(x >> (8 * j))
				}
			}
			return l.constant(l.lv.VL, buf)
		})
	}
	return p
}

// constant loads a vector constant.
func (l *lowerer) constant(w asm.Width, b []byte) reg {
	d := l.vr()
	l.emit(inst{op: asm.VMOVUPS, w: w, fl: fDefReg, reg: d, m: l.literal(b, int(w))})
	return l.rematerialise(d)
}

// table returns a vector constant.
func (l *lowerer) table(w asm.Width, b []byte) reg {
	return l.inPrologue(constKey{kind: keyTable, size: int(w), text: string(b)}, func() reg { return l.constant(w, b) })
}
