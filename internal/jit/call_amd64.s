//go:build linux

#include "textflag.h"

// func call(ctx, code unsafe.Pointer)
// Machine code clobbers every register but SP and BP, which it saves itself. It uses
// less than 200 bytes of stack.
TEXT ·call(SB), NOSPLIT, $256-16
	MOVQ ctx+0(FP), R15
	MOVQ code+8(FP), AX
	CALL AX
	RET

// func cpuid(eaxArg, ecxArg uint32) (eax, ebx, ecx, edx uint32)
TEXT ·cpuid(SB), NOSPLIT, $0-24
	MOVL eaxArg+0(FP), AX
	MOVL ecxArg+4(FP), CX
	CPUID
	MOVL AX, eax+8(FP)
	MOVL BX, ebx+12(FP)
	MOVL CX, ecx+16(FP)
	MOVL DX, edx+20(FP)
	RET

// func xgetbv() (eax, edx uint32)
TEXT ·xgetbv(SB), NOSPLIT, $0-8
	XORL CX, CX
	XGETBV
	MOVL AX, eax+0(FP)
	MOVL DX, edx+4(FP)
	RET
