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

// Weight returns the approximate cost of an instruction in quarters of a cycle: its reciprocal throughput on cores
// since 2017 with data in the L1 cache (https://uops.info). Profiles weight block counts by it.
func Weight(i *asm.Inst) int {
	vectors := int(max(i.W, 16)) / 32 // units of 32 bytes; 0: 16 bytes
	switch i.Op {
	case asm.DIV, asm.IDIV:
		return 40
	case asm.LOCKCMPXCHG, asm.LOCKXADD, asm.LOCKADD, asm.LOCKOR, asm.LOCKAND, asm.LOCKXOR:
		return 72
	case asm.XCHG:
		if i.HasMem {
			return 72
		}
	case asm.MFENCE:
		return 130
	case asm.VDIVPS:
		return 20 * max(vectors, 1)
	case asm.VDIVPD:
		return 32 * max(vectors, 1)
	case asm.VSQRTPS:
		return 24 * max(vectors, 1)
	case asm.VSQRTPD:
		return 40 * max(vectors, 1)
	case asm.VPGATHERDD, asm.VPSCATTERDD:
		return 4 * int(i.W) / 4
	case asm.VPGATHERDQ, asm.VPGATHERQD, asm.VPGATHERQQ, asm.VPSCATTERDQ, asm.VPSCATTERQD, asm.VPSCATTERQQ:
		return 4 * int(i.W) / 8
	case asm.CALL, asm.CALLR, asm.RET, asm.JMPR:
		return 8
	}
	if i.HasMem || i.W >= 16 {
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
	if len(name) < 2 {
		return 0, 0
	}
	suffix := name[len(name)-2:]
	switch suffix[1] {
	case 'h':
		size = 2
	case 's':
		size = 4
	case 'd':
		size = 8
	default:
		return 0, 0
	}
	elements := int(i.W) / size
	switch suffix[0] {
	case 's':
		elements = 1
	case 'p':
	default:
		return 0, 0
	}
	for _, a := range arithmeticNames {
		if strings.HasPrefix(name, a.prefix) {
			return a.each * elements, size
		}
	}
	return 0, 0
}
