#include "textflag.h"

// func get() uint64
TEXT ·get(SB), NOSPLIT, $0-8
	MOVD FPCR, R0
	MOVD R0, ret+0(FP)
	RET

// func set(uint64)
TEXT ·set(SB), NOSPLIT, $0-8
	MOVD w+0(FP), R0
	MOVD R0, FPCR
	RET
