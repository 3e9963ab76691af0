// Package asm encodes x86-64 instructions: general ones, AVX2 with FMA and F16C, and AVX-512 (F, BW, DQ, VL, VBMI,
// FP16). It does not know compilers.
//
// Input: an [Inst], an instruction with its operands. Output: bytes appended to an [Assembler], with labels
// resolved. The table in table.go has a row for each instruction, in the terms of the Intel manual (Intel 64 and
// IA-32 Architectures Software Developer's Manual, volume 2). One encoder (encode.go) interprets the table. It
// encodes vector instructions with VEX if possible, which is shorter and runs without AVX-512, else with EVEX.
//
// The encoder does not validate: a combination that the table does not permit panics, because only a bug of the
// code generator makes one. Tests compare every row, in every form, with GNU as.
package asm
