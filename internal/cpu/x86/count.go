package x86

import (
	"strings"

	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// Block counters: for a profile, the code counts the executions of each block. The counters are in the context,
// from Options.Counters on.

// count emits the increment of the counter of a block. It preserves all registers and the flags, which the block may need.
func (e *emitter) count(b *mblock) {
	at := ctx(e.counters + 8*int32(b.order))
	e.rm(asm.MOV, 8, asm.RAX, ctx(CtxKept))
	e.rm(asm.MOVL, 8, asm.RAX, at)
	e.rm(asm.LEA, 8, asm.RAX, asm.At(asm.RAX, 1))
	e.rm(asm.MOV, 8, asm.RAX, at)
	e.rm(asm.MOVL, 8, asm.RAX, ctx(CtxKept))
}

// weights are the costs of instructions that are neither moves nor simple operations, in quarters of a cycle: of each, and more for
// so many bytes of a register.
var weights = [asm.NumOps]struct{ once, each, bytes int }{
	asm.DIV: {once: 40}, asm.IDIV: {once: 40}, asm.MFENCE: {once: 130}, asm.CALL: {once: 8}, asm.CALLR: {once: 8}, asm.RET: {once: 8}, asm.JMPR: {once: 8},
	asm.LOCKCMPXCHG: {once: 72}, asm.LOCKXADD: {once: 72}, asm.LOCKADD: {once: 72}, asm.LOCKOR: {once: 72}, asm.LOCKAND: {once: 72}, asm.LOCKXOR: {once: 72},
	asm.VDIVPS: {each: 20, bytes: 32}, asm.VDIVPD: {each: 32, bytes: 32}, asm.VSQRTPS: {each: 24, bytes: 32}, asm.VSQRTPD: {each: 40, bytes: 32},
	asm.VPGATHERDD: {each: 4, bytes: 4}, asm.VPGATHERDQ: {each: 4, bytes: 8},
	asm.VPSCATTERDD: {each: 4, bytes: 4}, asm.VPSCATTERDQ: {each: 4, bytes: 8},
}

// Weight returns the approximate cost of an instruction in quarters of a cycle: its reciprocal throughput on cores
// since 2017 with data in the L1 cache (https://uops.info). Profiles weight block counts by it.
func Weight(i *asm.Inst) int {
	x := &weights[i.Op]
	switch {
	case i.Op == asm.XCHG && i.HasMem:
		return weights[asm.LOCKXADD].once
	case x.bytes > 0:
		return x.each * max(int(i.W)/x.bytes, 1)
	case x.once > 0:
		return x.once
	case i.HasMem || i.W >= 16:
		return 2
	}
	return 1
}

// arithmeticNames maps prefixes of the names of floating-point instructions to operations per element.
var arithmeticNames = []struct {
	prefix string
	each   int
}{{"vadd", 1}, {"vsub", 1}, {"vmul", 1}, {"vdiv", 1}, {"vsqrt", 1}, {"vfmadd", 2}, {"vfmsub", 2}, {"vfnmadd", 2}, {"vfnmsub", 2}}

// Flops returns the number of floating-point operations of an instruction over all its elements, and the size of
// an element in bytes.
func Flops(i *asm.Inst) (n, size int) {
	name := i.Op.String()
	for _, a := range arithmeticNames {
		if strings.HasPrefix(name, a.prefix) {
			size = map[byte]int{'h': 2, 's': 4, 'd': 8}[name[len(name)-1]]
			return a.each * int(i.W) / size, size
		}
	}
	return 0, 0
}
