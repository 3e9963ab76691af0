//go:build linux

#include "textflag.h"

// func call(ctx, code unsafe.Pointer, env uint32)
// The machine code takes the context in R0 and returns by R30. It uses no stack, leaves R18, R28
// (the goroutine), R29 and the stack pointer alone, and clobbers every other register, as Go's
// assembler functions (ABI0) may. The floating-point environment whose control bits are env
// (package fpenv) is set and restored where the thread has another one.
TEXT ·call(SB), NOSPLIT, $32-20
	MOVD ctx+0(FP), R0
	MOVD code+8(FP), R1
	MOVWU env+16(FP), R2
	MOVD FPCR, R3
	MOVD R3, fpcr-8(SP)
	CMP R2, R3
	BEQ same
	MOVD R2, FPCR
same:
	BL (R1)
	MOVD fpcr-8(SP), R3
	MOVD R3, FPCR
	RET

// func flush(from, to uintptr)
// makes instructions that were written to memory visible to instruction fetches: the data cache is
// cleaned and the instruction cache invalidated to the point of unification, a line at a time
// (Arm Architecture Reference Manual, "Ordering of cache maintenance"). The lines' sizes are those
// of CTR_EL0.
TEXT ·flush(SB), NOSPLIT, $0-16
	MOVD from+0(FP), R0
	MOVD to+8(FP), R1
	WORD $0xd53b0022 // MRS CTR_EL0, R2
	MOVD $4, R5
	UBFX $16, R2, $4, R3 // DminLine: log2 of words
	LSL R3, R5, R3
	AND $15, R2, R4 // IminLine
	LSL R4, R5, R4
	SUB $1, R3, R6
	BIC R6, R0, R6
data:
	WORD $0xd50b7b26 // DC CVAU, R6
	ADD R3, R6
	CMP R1, R6
	BLO data
	WORD $0xd5033b9f // DSB ISH
	SUB $1, R4, R6
	BIC R6, R0, R6
instructions:
	WORD $0xd50b7526 // IC IVAU, R6
	ADD R4, R6
	CMP R1, R6
	BLO instructions
	WORD $0xd5033b9f // DSB ISH
	WORD $0xd5033fdf // ISB
	RET
