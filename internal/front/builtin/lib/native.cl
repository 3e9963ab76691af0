// Fast forms: native_ with the accuracy stated, half_ within 8192 ulp. The trigonometric
// ones take |x| <= 2^16 (the range of half_cos, half_sin and half_tan, 6.15.2), which
// OpenCL C permits.

//@ native_exp2 float
// To about 2^-21 of the result; below 2^-125 that is 0.
T lib_native_exp2(T x)
{
	x = SEL(x > C(128.0f), C(128.0f), x);
	x = SEL(x < C(-126.0f), C(-126.0f), x);
	T b = x + 0x1.8000fcp+23f;
	T r = x - (b - 0x1.8000fcp+23f);
	return fma(r, POLY_native_exp2(r), C(2.0f)) * AS_T(AS_I(b) << 23);
}

//@ native_exp float
T lib_native_exp(T x) { return lib_native_exp2(x * 0x1.715476p+0f); }

//@ native_exp10 float
T lib_native_exp10(T x) { return lib_native_exp2(x * 0x1.a934fp+1f); }

//@ half_exp2 float
// 2^x, also where that is subnormal.
T lib_half_exp2(T x)
{
	T b = x + 0x1.8001fap+23f;
	T r = x - (b - 0x1.8001fap+23f);
	T y = lib_scale2(fma(r, POLY_native_exp2(r), C(2.0f)), AS_I(b));
	y = SEL(x >= C(128.0f), C(INFINITY), y);
	return SEL(x < C(-150.0f), C(0.0f), y);
}

//@ half_exp float
T lib_half_exp(T x) { return lib_half_exp2(x * 0x1.715476p+0f); }

//@ half_exp10 float
T lib_half_exp10(T x) { return lib_half_exp2(x * 0x1.a934fp+1f); }

//@ native_log_parts float
// f and k with x = (1 + f) 2^k, for a normal x.
T lib_native_log_parts(T x, private T *k)
{
	I i = AS_I(x) - 0x3f3504f3;
	*k = TO_T(i >> 23);
	return AS_T((i & 0x7fffff) + 0x3f3504f3) - 1.0f;
}

//@ native_log2 float
// To 2^-21 or, near 1, 2^-21 of the result; of a subnormal number that of 2^-127.
T lib_native_log2(T x)
{
	T k;
	T f = lib_native_log_parts(x, &k);
	return lib_log_result(x, fma(f, POLY_native_log2(f), k));
}

//@ native_log float
T lib_native_log(T x)
{
	T k;
	T f = lib_native_log_parts(x, &k);
	return lib_log_result(x, fma(f * 0x1.62e43p-1f, POLY_native_log2(f), k * 0x1.62e43p-1f));
}

//@ native_log10 float
T lib_native_log10(T x)
{
	T k;
	T f = lib_native_log_parts(x, &k);
	return lib_log_result(x, fma(f * 0x1.344136p-2f, POLY_native_log2(f), k * 0x1.344136p-2f));
}

//@ half_log2 float
T lib_half_log2(T x)
{
	T k;
	T f = lib_split_single(x, &k) - 1.0f;
	return lib_log_result(x, fma(f, POLY_native_log2(f), k));
}

//@ half_log float
T lib_half_log(T x) { return lib_half_log2(x) * 0x1.62e43p-1f; }

//@ half_log10 float
T lib_half_log10(T x) { return lib_half_log2(x) * 0x1.344136p-2f; }

//@ native_sin_reduced float
// sin r for |r| <= pi/2, its sign changed by bit 0 of n.
T lib_native_sin_reduced(T r, I n)
{
	T z = r * r;
	return AS_T(AS_I(fma(z * r, POLY_native_sin(z), r)) ^ (n << 31));
}

//@ native_sin float
// To about 2^-21.
T lib_native_sin(T x)
{
	T b = fma(x, C(0x1.45f306p-2f), C(0x1.8p23f));
	T n = b - 0x1.8p23f;
	return lib_native_sin_reduced(fma(n, C(0x1.777a5cp-24f), fma(n, C(-0x1.921fb6p+1f), x)), AS_I(b));
}

//@ native_cos float
// cos x = sin(x + pi/2): the multiple of pi is n - 1/2.
T lib_native_cos(T x)
{
	T b = fma(x, C(0x1.45f306p-2f), C(0.5f)) + 0x1.8p23f;
	T n = (b - 0x1.8p23f) - 0.5f;
	return lib_native_sin_reduced(fma(n, C(0x1.777a5cp-24f), fma(n, C(-0x1.921fb6p+1f), x)), AS_I(b));
}

//@ half_in_range float
// The reduced argument r; 0 where |x| > 2^16 may have made it any number, so that results stay
// within the function's range (the Khronos suite wants that). NaN stays.
T lib_half_in_range(T r) { return SEL(fabs(r) > C(1.6f), C(0.0f), r); }

//@ half_sin float
T lib_half_sin(T x)
{
	T b = fma(x, C(0x1.45f306p-2f), C(0x1.8p23f));
	T n = b - 0x1.8p23f;
	T r = fma(n, C(0x1.ee59dap-49f), fma(n, C(0x1.777a5cp-24f), fma(n, C(-0x1.921fb6p+1f), x)));
	return SEL(x == C(0.0f), x, lib_native_sin_reduced(lib_half_in_range(r), AS_I(b)));
}

//@ half_cos float
T lib_half_cos(T x)
{
	T b = fma(x, C(0x1.45f306p-2f), C(0.5f)) + 0x1.8p23f;
	T n = (b - 0x1.8p23f) - 0.5f;
	T r = fma(n, C(0x1.ee59dap-49f), fma(n, C(0x1.777a5cp-24f), fma(n, C(-0x1.921fb6p+1f), x)));
	return lib_native_sin_reduced(lib_half_in_range(r), AS_I(b));
}

//@ native_tan_argument float
// x less the multiple n of pi/2 that is nearest.
T lib_native_tan_argument(T x, private I *n)
{
	T b = fma(x, C(0x1.45f306p-1f), C(0x1.8p23f));
	T m = b - 0x1.8p23f;
	*n = AS_I(b);
	return fma(m, C(0x1.ee59dap-50f), fma(m, C(0x1.777a5cp-25f), fma(m, C(-0x1.921fb6p+0f), x)));
}

//@ native_tan_reduced float
// tan(r + n pi/2) for |r| <= pi/4.
T lib_native_tan_reduced(T r, I n)
{
	T z = r * r;
	T t = fma(z * r, POLY_native_tan(z), r);
	return SEL((n & 1) != (I)(0), -1.0f / t, t);
}

//@ native_tan float
T lib_native_tan(T x)
{
	I n;
	T r = lib_native_tan_argument(x, &n);
	return lib_native_tan_reduced(r, n);
}

//@ half_tan float
T lib_half_tan(T x)
{
	I n;
	T r = lib_native_tan_argument(x, &n);
	return SEL(x == C(0.0f), x, lib_native_tan_reduced(lib_half_in_range(r), n));
}

//@ native_powr float
T lib_native_powr(T x, T y) { return lib_native_exp2(y * lib_native_log2(x)); }

//@ half_powr float
T lib_half_powr(T x, T y)
{
	T p = y * lib_half_log2(x);
	T r = lib_half_exp2(p);
	r = SEL(y == C(0.0f), SEL((x > C(0.0f)) & (x < C(INFINITY)), C(1.0f), C(NAN)), r);
	return SEL((I)(x != x) | (I)(y != y) | (I)(x < C(0.0f)), C(NAN), r);
}
