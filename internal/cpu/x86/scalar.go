package x86

import (
	"math/bits"

	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// exchanges maps a maximum (or minimum) and a signed type to the conditional move.
var exchanges = map[bool]map[bool]asm.Op{false: {false: asm.CMOVB, true: asm.CMOVL}, true: {false: asm.CMOVA, true: asm.CMOVG}}

// timesConst sets d to a times a constant.
func (l *arithmetic) timesConst(d, a reg, x int64, w asm.Width) {
	if x <= 0 || x&(x-1) != 0 {
		l.emit(inst{op: asm.IMULIMM, w: w, fl: fDefReg, reg: d, rm: a, imm: x})
		return
	}
	l.mov(d, a)
	if n := bits.TrailingZeros64(uint64(x)); n > 0 {
		l.opi(asm.SHLIMM, w, d, int64(n))
	}
}
