package x86

import (
	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// Small tables in constant memory. If an index cannot exceed a small number, the table is loaded into registers
// once for all gangs, and permutes select the lanes' elements. The constant address space does not change while a
// kernel runs.

// A lookup is a load from a table.
type lookup struct {
	root, es int
	from     int64 // offset of the table in the root
	entries  int
}

var vpermi2 = bySize{1: asm.VPERMI2B, 2: asm.VPERMI2W, 4: asm.VPERMI2D}

// pickFrom returns the elements of a table in registers that a register of indices selects.
func (l *accesses) pickFrom(table vec, x reg, es int) reg {
	w := l.lv.VL
	if len(table) == 1 {
		op, _ := l.permutation(es)
		return l.rvm(op, w, x, table[0])
	}
	two := func(a, b reg) reg { return l.overwrite(vpermi2[es], w, x, a, b, 0) }
	low := two(table[0], table[1])
	if len(table) == 2 {
		return low
	}
	// For bytes the top bit of the index selects the half.
	high := two(table[2], table[3])
	return l.blend(1, w, low, high, l.krvm(asm.VPMOVB2M, w, 0, x, 0))
}

// tableOf returns the one, two or four registers with a table. Their content is undefined if the object ends
// before the table does.
func (l *accesses) tableOf(t lookup) vec {
	vl := int(l.lv.VL)
	key := func(part int) constKey {
		return constKey{kind: keyLookup, size: t.es<<16 | t.root, bits: uint64(t.from), part: part<<16 | t.entries}
	}
	lim := l.limit(t.root, t.es*t.entries, false)
	base := l.inPrologue(key(-1), func() reg {
		d := l.fetch(8, rootAt(t.root, RootBase))
		if t.from != 0 {
			l.opi(asm.ADDIMM, 8, d, t.from)
		}
		l.lea(rAX, ctxAt(CtxVals)) // bytes that can be read
		l.cmpi(8, lim, t.from)
		l.op2(asm.CMOVBE, 8, d, rAX)
		return d
	})
	n := (t.es*t.entries + vl - 1) / vl
	if n == 3 {
		n = 4
	}
	return l.each(n, func(i int) reg {
		left := min(max(t.entries-i*vl/t.es, 0), vl/t.es)
		k := reg(0)
		if left < vl/t.es {
			k = l.constMask(ones(64) >> (64 - left))
		}
		return l.inPrologue(key(i), func() reg {
			return l.result(cV, inst{op: vmerge[t.es], w: l.lv.VL, m: at(base, int32(i*vl)), mask: k, zero: k != 0})
		})
	})
}
