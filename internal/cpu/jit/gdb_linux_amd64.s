#include "textflag.h"

// __jit_debug_descriptor: version 1, nothing to do, an empty list.
DATA __jit_debug_descriptor+0(SB)/8, $1
GLOBL __jit_debug_descriptor(SB), NOPTR|DUPOK, $24

// The debugger's breakpoint goes here.
TEXT __jit_debug_register_code(SB), NOSPLIT|DUPOK, $0-0
	RET

// func gdbDescribe() *gdbDescriptor
TEXT ·gdbDescribe(SB), NOSPLIT, $0-8
	LEAQ __jit_debug_descriptor(SB), AX
	MOVQ AX, ret+0(FP)
	RET

// func gdbNotify()
TEXT ·gdbNotify(SB), NOSPLIT, $0-0
	CALL __jit_debug_register_code(SB)
	RET
