//go:build linux || darwin || windows

#include "textflag.h"

// func call(ctx, code unsafe.Pointer)
// The machine code has a calling convention of its own, the same on every system: the
// context in R15, nothing on the stack but the return address. It clobbers every
// register but SP and BP, which it saves itself; to Go's assembler functions (ABI0) all
// others are free, and the wrapper around them restores R14 and X15. It needs no
// alignment of the stack, uses less than 200 bytes of it, which the frame below sets
// aside, and calls nothing outside of itself, so that Windows' shadow space and
// callee-saved registers do not matter. It leaves the upper halves of the vector
// registers clean (VZEROUPPER) and the direction flag as it was. It counts on the default
// floating-point environment (package fpenv), which the thread may not have: MXCSR is set and
// restored here where its control bits differ. Machine code has no x87 instructions.
TEXT ·call(SB), NOSPLIT, $256-16
	MOVQ ctx+0(FP), R15
	MOVQ code+8(FP), AX
	STMXCSR mxcsr-8(SP)
	MOVL mxcsr-8(SP), CX
	ANDL $0xffc0, CX
	CMPL CX, $0x1f80
	JNE other
	CALL AX
	RET
other:
	MOVL $0x1f80, standard-16(SP)
	LDMXCSR standard-16(SP)
	CALL AX
	LDMXCSR mxcsr-8(SP)
	RET
