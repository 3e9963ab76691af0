// Exponentials. e^x = 2^k e^r with k = rint(x / ln 2), |r| <= ln2/2, r reduced exactly
// (Cody and Waite, Software Manual for the Elementary Functions, 1980) and k taken from
// the low bits of x / ln 2 + 1.5 * 2^52.

//@ scale any
// x * 2^k rounded once, for 1/4 <= |x| <= 4 and |k| < 2040.
D lib_scale(D x, L k)
{
	L h = k >> 1;
	return x * AS_D((h + 1023) << 52) * AS_D((k - h + 1023) << 52);
}

//@ exp_reduced any
// 2^k e^(z + c), |z| <= 0.36, c below an ulp of z.
D lib_exp_reduced(D z, D c, L k)
{
	D p = POLY_exp_d(z);
	return lib_scale(1.0 + (z + fma(z * z, fma(z, p, CD(0.5)), c)), k);
}

//@ exp_dd any
// e^(x + xlo) for |x| < 1100.
D lib_exp_dd(D x, D xlo)
{
	D kd = fma(x, CD(0x1.71547652b82fep+0), CD(0x1.8p52));
	L k = AS_L(kd) - 0x4338000000000000L;
	kd -= 0x1.8p52;
	D hi = fma(kd, CD(-0x1.62e42fefa3000p-1), x);
	D lo = fma(kd, CD(-0x1.3de6af278ece6p-42), xlo);
	D z = hi + lo;
	return lib_exp_reduced(z, (hi - z) + lo, k);
}

//@ clamp_exp any
// x within +-bound, NaN as it is.
D lib_clamp_exp(D x, double bound)
{
	x = SELD(x > CD(bound), CD(bound), x);
	return SELD(x < CD(-bound), CD(-bound), x);
}

//@ exp double
// The product with 2^k in the exponent's bits, and the rounding error of r left out, where
// the result is normal.
T lib_exp(T x)
{
	D b = fma(x, CD(0x1.71547652b82fep+0), CD(0x1.8p52));
	D n = b - 0x1.8p52;
	D r = fma(n, CD(-0x1.3de6af278ece6p-42), fma(n, CD(-0x1.62e42fefa3000p-1), x));
	D p = POLY_exp_d(r);
	D y = AS_D(AS_L(1.0 + fma(r * r, fma(r, p, CD(0.5)), r)) + (AS_L(b) << 52));
	if (ANY(!(fabs(x) < CD(708.0))))
		y = SELD(fabs(x) < CD(708.0), y, lib_exp_dd(lib_clamp_exp(x, 760.0), CD(0.0)));
	return y;
}

//@ exp2 double
T lib_exp2(T x)
{
	x = lib_clamp_exp(x, 1100.0);
	D kd = x + 0x1.8p52;
	L k = AS_L(kd) - 0x4338000000000000L;
	D r = x - (kd - 0x1.8p52);
	D z = r * 0x1.62e42fefa39efp-1;
	return lib_exp_reduced(z, fma(r, CD(0x1.62e42fefa39efp-1), -z) + r * 0x1.abc9e3b39803fp-56, k);
}

//@ exp10 double
T lib_exp10(T x)
{
	x = lib_clamp_exp(x, 330.0);
	D kd = fma(x, CD(0x1.a934f0979a371p+1), CD(0x1.8p52));
	L k = AS_L(kd) - 0x4338000000000000L;
	kd -= 0x1.8p52;
	// x - k log10(2), then times ln 10, both as a sum of two numbers.
	D a = fma(kd, CD(-0x1.34413509f7000p-2), x);
	D b = kd * -0x1.3fde623e2566bp-43;
	D r = a + b;
	D rl = (a - r) + b;
	D z = r * 0x1.26bb1bbb55516p+1;
	D c = fma(r, CD(0x1.26bb1bbb55516p+1), -z) + fma(r, CD(-0x1.f48ad494ea3e9p-53), rl * 0x1.26bb1bbb55516p+1);
	return lib_exp_reduced(z, c, k);
}

//@ expm1 double
T lib_expm1(T x)
{
	D y = SELD(x > CD(709.8), CD(709.8), x);
	y = SELD(y < CD(-40.0), CD(-40.0), y);
	D kd = fma(y, CD(0x1.71547652b82fep+0), CD(0x1.8p52));
	L k = AS_L(kd) - 0x4338000000000000L;
	kd -= 0x1.8p52;
	D hi = fma(kd, CD(-0x1.62e42fefa3000p-1), y);
	D lo = kd * -0x1.3de6af278ece6p-42;
	D z = hi + lo;
	D p = POLY_exp_d(z);
	D t = fma(z * z, fma(z, p, CD(0.5)), (hi - z) + lo);
	// 2^k (z + t) + (2^k - 1), halved so that 2^1024 does not arise.
	D s = AS_D((k + 1022) << 52);
	D h = s - 0.5;
	D hl = SELD(s > CD(0.5), (s - h) - 0.5, s - (h + 0.5));
	D a = s * z;
	D sum = h + a;
	D b = sum - h;
	D e = (h - (sum - b)) + (a - b);
	D r = 2.0 * (sum + (e + (hl + s * t)));
	return SELD(fabs(x) < CD(0x1p-54), x, r);
}

// In float, k is taken from the low bits of x / ln 2 + 1.5 * 2^23. Where the result is
// normal it is added to the exponent's bits.

//@ scale2 float
// y * 2^k for k + 254 in the low bits of b, |k| <= 254: rounded once where the product of
// y and 2^(k/2) is normal.
T lib_scale2(T y, I b)
{
	I s = (b >> 1) << 23;
	return y * AS_T(s) * AS_T((b << 23) - s);
}

//@ scale_normal float
// y * 2^k for k in the low bits of b, where y and the product are normal.
T lib_scale_normal(T y, T b) { return AS_T(AS_I(y) + (AS_I(b) << 23)); }

//@ scale_any float
// The same with any result for x from low to high, below 0 and above infinity.
T lib_scale_any(T y, T b, T x, float low, float high)
{
	y = SEL(x > C(high), C(INFINITY), lib_scale2(y, AS_I(b) + 254));
	return SEL(x < C(low), C(0.0f), y);
}

//@ exp float
T lib_exp(T x)
{
	T b = fma(x, C(0x1.715476p+0f), C(0x1.8p+23f));
	T n = b - 0x1.8p+23f;
	T r = fma(n, C(0x1.05c61p-29f), fma(n, C(-0x1.62e43p-1f), x));
	T y = fma(r, POLY_exp_r(r), C(1.0f));
	T e = lib_scale_normal(y, b);
	if (ANY(!(fabs(x) < C(87.0f))))
		e = lib_scale_any(y, b, x, -104.0f, 89.0f);
	return e;
}

//@ exp2 float
T lib_exp2(T x)
{
	T b = x + 0x1.8p+23f;
	T r = x - (b - 0x1.8p+23f);
	T y = fma(r, POLY_exp2_s(r), C(1.0f));
	T e = lib_scale_normal(y, b);
	if (ANY(!(fabs(x) < C(126.0f))))
		e = lib_scale_any(y, b, x, -150.0f, 0x1.fffffep+6f);
	return e;
}

//@ exp10 float
T lib_exp10(T x)
{
	T b = fma(x, C(0x1.a934fp+1f), C(0x1.8p+23f));
	T k = b - 0x1.8p+23f;
	T r = fma(k, C(0x1.ec10cp-27f), fma(k, C(-0x1.344136p-2f), x));
	T y = fma(r, POLY_exp10_s(r), C(1.0f));
	T e = lib_scale_normal(y, b);
	if (ANY(!(fabs(x) < C(37.0f))))
		e = lib_scale_any(y, b, x, -46.0f, 39.0f);
	return e;
}

//@ expm1 float
T lib_expm1(T x)
{
	// 2 (2^(k-1) (e^r - 1) + 2^(k-1) - 1/2)
	T b = fma(x, C(0x1.715476p+0f), C(0x1.8000fcp+23f));
	T k = b - 0x1.8000fcp+23f;
	T r = fma(k, C(0x1.05c61p-29f), fma(k, C(-0x1.62e43p-1f), x));
	T s = AS_T(AS_I(b) << 23);
	T y = 2.0f * fma(s, fma(r * r, POLY_exp_s(r), r), s - 0.5f);
	y = SEL(x > C(89.0f), C(INFINITY), y);
	y = SEL(x < C(-18.0f), C(-1.0f), y);
	return SEL(fabs(x) < C(0x1p-25f), x, y);
}
