package x86

import (
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
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
	i := l.cur.insts[len(l.cur.insts)-1]
	l.setRemat(r, &i)
	return r
}

// constant returns a register with a vector constant.
func (l *builder) constant(w asm.Width, b []byte) reg {
	return l.rematerialise(l.result(cV, inst{op: asm.VMOVUPS, w: w, m: l.literal(b, int(w))}))
}

func (l *builder) offsetMask() reg {
	return l.generalConst(ssa.OffsetMask)
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
