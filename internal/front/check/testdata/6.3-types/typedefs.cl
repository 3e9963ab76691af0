// options: -cl-std=CL1.2
// At program scope a typedef of a type of the language may only say what it already is.
typedef unsigned char uchar;
typedef unsigned long ulong;
typedef unsigned long size_t;
typedef uint size_t /* ERROR redefinition "typedef redefinition with different types ('uint' vs 'ulong')" */;
typedef long ptrdiff_t;
typedef const uint uint /* ERROR redefinition "typedef redefinition with different types ('const uint' vs 'uint')" */;
typedef int event_t /* ERROR redefinition "typedef redefinition with different types ('int' vs 'event_t')" */;
typedef struct { float x, y; } float2 /* ERROR redefinition "vs 'float2'" */;
typedef uchar uchar16 __attribute__((ext_vector_type(16)));
typedef int int3 /* ERROR redefinition "typedef redefinition with different types ('int' vs 'int3')" */;
enum float3 { uchar4 /* ERROR redefinition "redefinition of 'uchar4' as different kind of symbol" */ };
struct uint { int a; };
typedef int atomic_int;
kernel void k(global float2 *p) {
	typedef struct { int a; } float2;
	enum { uchar8 };
	float2 f = { uchar8 };
	p[f.a].y = 1.0f;
}
