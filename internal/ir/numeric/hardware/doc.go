// Package hardware converts columns with the processor's own instructions, as an oracle for the tests of package
// numeric. It is for tests only.
//
// It needs AVX-512 F and DQ and F16C ([Available]); elsewhere those tests use only the exact oracles. It converts
// 16 elements at a time. The rounding mode is part of the instruction (embedded rounding or an immediate), so that
// the control register does not change. asm_amd64.s has one loop per instruction and mode, written by macros.
// Results out of range are the instruction's.
package hardware
