/* The C side of the benchmarks: what main.c offers to the kernels' references. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

/* An argument as the kernel has it: memory, an integer or a floating-point number. */
union arg {
	void *p;
	int64_t i;
	double f;
};

/* A function does the units lo..hi-1 of the work: the elements, rows or work-groups that
   its row of the table counts. Several threads call it at once. */
typedef void function(const union arg *a, long lo, long hi);

void reference_register(const char *name, function *f, long grain);

/* REFERENCE defines a function and enters it in the table. Threads take grain units at a
   time from a shared counter; with grain 0 each takes some large parts, multiples of 64 units. */
#define REFERENCE(name, grain) \
	static function name; \
	__attribute__((constructor)) static void register_##name(void) { reference_register(#name, name, grain); } \
	static void name(const union arg *a, long lo, long hi)

typedef int8_t i8;
typedef uint8_t u8;
typedef int16_t i16;
typedef uint16_t u16;
typedef int32_t i32;
typedef uint32_t u32;
typedef int64_t i64;
typedef uint64_t u64;

/* gcc does not fuse products and sums here (-ffp-contract=off). Where PureCL does
   (docs/decisions/0001), these functions do, so that results agree bit for bit. */
static inline float fuse(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
static inline double fuse_double(double a, double b, double c) { return __builtin_fma(a, b, c); }

static inline u32 float_bits(float x) { u32 u; memcpy(&u, &x, 4); return u; }
static inline float bits_float(u32 u) { float x; memcpy(&x, &u, 4); return x; }

#endif
