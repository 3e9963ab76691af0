#include "textflag.h"

// func get() uint64
TEXT ·get(SB), NOSPLIT, $0-8
	MOVQ $0, ret+0(FP)
	STMXCSR ret+0(FP)
	RET

// func set(uint64)
TEXT ·set(SB), NOSPLIT, $0-8
	LDMXCSR w+0(FP)
	RET
