// Package hardware converts columns with the processor's own instructions, as an
// oracle that the tests of package numeric compare with. It is for tests only.
//
// It needs AVX-512 F and DQ and F16C ([Available]); elsewhere those tests have the
// exact oracles alone. Columns are converted 16 elements at a time; the rounding
// mode is the instruction's own (embedded rounding or an immediate), so that the
// control register stays untouched. asm_amd64.s holds one loop per instruction and
// mode, written by macros. The results out of range are the instruction's.
package hardware
