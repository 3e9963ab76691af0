//go:build linux || darwin || windows

#include "textflag.h"

// func call(ctx, code unsafe.Pointer, env uint32)
// The machine code has a calling convention of its own, the same on every system: the
// context in R15, nothing on the stack but the return address. It clobbers every
// register but SP and BP, which it saves itself; to Go's assembler functions (ABI0) all
// others are free, and the wrapper around them restores R14 and X15. It needs no
// alignment of the stack, uses less than 200 bytes of it, which the frame below sets
// aside, and calls nothing outside of itself, so that Windows' shadow space and
// callee-saved registers do not matter. It leaves the upper halves of the vector
// registers clean (VZEROUPPER) and the direction flag as it was. It counts on the floating-point
// environment whose control bits are env (package fpenv), which the thread may not have: MXCSR is set
// and restored here where they differ. Machine code has no x87 instructions.
TEXT ·call(SB), NOSPLIT, $256-20
	MOVQ ctx+0(FP), R15
	MOVQ code+8(FP), AX
	STMXCSR mxcsr-8(SP)
	MOVL mxcsr-8(SP), CX
	ANDL $0xffc0, CX
	CMPL CX, env+16(FP)
	JNE other
	CALL AX
	RET
other:
	LDMXCSR env+16(FP)
	CALL AX
	LDMXCSR mxcsr-8(SP)
	RET
