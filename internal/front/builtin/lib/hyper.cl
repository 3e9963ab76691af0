// Hyperbolic functions and their inverses, by expm1 and log1p (W. Kahan, Branch cuts for
// complex elementary functions, 1987, for the forms that do not cancel).

//@ exp_half any
// e^x / 2 without overflow where the result has none; x < 800.
D lib_exp_half(D x)
{
	D h = x - 0x1.62e42fefa39efp-1;
	return lib_exp_dd(h, ((x - h) - 0x1.62e42fefa39efp-1) - 0x1.abc9e3b39803fp-56);
}

//@ sinh double
T lib_sinh(T x)
{
	D ax = lib_clamp_exp(fabs(x), 760.0);
	D t = expm1(fmin(ax, CD(22.0)));
	D r = SELD(ax < CD(22.0), 0.5 * (t + t / (t + 1.0)), lib_exp_half(ax));
	r = SELD(ax < CD(0x1p-27), ax, r);
	return copysign(SEL(isnan(x), x, r), x);
}

//@ cosh double
T lib_cosh(T x)
{
	D ax = lib_clamp_exp(fabs(x), 760.0);
	D e = lib_exp_half(ax);
	D r = SELD(ax < CD(22.0), e + 0.25 / e, e);
	return r;
}

//@ tanh double
T lib_tanh(T x)
{
	D ax = fabs(x);
	D t = expm1(2.0 * SELD(ax > CD(22.0), CD(22.0), ax));
	D r = SELD(ax < CD(0x1p-27), ax, t / (t + 2.0));
	return copysign(r, x);
}

//@ asinh double
T lib_asinh(T x)
{
	D ax = fabs(x);
	L big = (L)(ax > CD(0x1p28));
	D s = SELD(big, CD(1.0), ax);
	D z = s * s;
	D r = log1p(SELD(big, ax - 1.0, s + z / (1.0 + sqrt(1.0 + z))));
	r = SELD(big, r + 0x1.62e42fefa39efp-1, r);
	return copysign(SELD(ax < CD(0x1p-27), ax, r), x);
}

//@ acosh double
T lib_acosh(T x)
{
	L big = (L)(x > CD(0x1p28));
	D t = SELD(big, CD(1.0), x - 1.0);
	D r = log1p(SELD(big, x - 1.0, t + sqrt(2.0 * t + t * t)));
	r = SELD(big, r + 0x1.62e42fefa39efp-1, r);
	return SEL(x >= C(1.0), r, C(NAN));
}

//@ atanh double
T lib_atanh(T x)
{
	D ax = fabs(x);
	D t = 2.0 * ax;
	D y = SELD(ax < CD(0.5), t + t * ax / (1.0 - ax), t / (1.0 - ax));
	D r = SELD(ax < CD(0x1p-27), ax, 0.5 * log1p(y));
	r = SELD(ax > CD(1.0), CD(NAN), r);
	return copysign(r, x);
}

// In float: with a = |x| = k ln 2 + r, sinh a = (p - q) cosh r + (p + q) sinh r and cosh a =
// (p + q) cosh r + (p - q) sinh r for p = 2^(k-1), q = 2^(-k-1): no division, and
// nothing cancels where k is 0.

//@ hyper float
// sinh a in *sh and cosh a for 0 <= a < 90, times 1/2.
T lib_hyper(T a, private T *sh)
{
	T b = fma(a, C(0x1.715476p+0f), C(0x1.8000fap+23f));
	T k = b - 0x1.8000fap+23f;
	T r = fma(k, C(0x1.05c61p-29f), fma(k, C(-0x1.62e43p-1f), a));
	I i = AS_I(b) << 23;
	T p = AS_T(i), q = AS_T(max((250 << 23) - i, (I)(0)));
	T z = r * r;
	T c = z * POLY_cosh_s(z), s = fma(z * r, POLY_sinh_s(z), r); // cosh r - 1, sinh r
	T m = p - q, n = p + q;
	*sh = m + fma(m, c, n * s);
	return n + fma(n, c, m * s);
}

//@ sinh float
T lib_sinh(T x)
{
	T s;
	T c = lib_hyper(fmin(fabs(x), C(89.6f)), &s);
	return SEL(x == x, copysign(2.0f * s, x), x);
}

//@ cosh float
T lib_cosh(T x)
{
	T s;
	T c = lib_hyper(fmin(fabs(x), C(89.6f)), &s);
	return SEL(x == x, 2.0f * c, x);
}

//@ tanh float
// A polynomial, above 5/8 1 - 2 / (e^2a + 1).
T lib_tanh(T x)
{
	T a = fabs(x), y = fmin(a, C(9.1f));
	T b = fma(y, C(0x1.715476p+1f), C(0x1.8p+23f));
	T n = b - 0x1.8p+23f;
	T r = fma(n, C(0x1.05c61p-29f), fma(n, C(-0x1.62e43p-1f), y + y));
	T e = lib_scale_normal(fma(r, POLY_exp_r(r), C(1.0f)), b);
	T far = 1.0f - 2.0f / (e + 1.0f);
	T z = a * a;
	T near = fma(a * z, POLY_tanh_s(z), a);
	return SEL(x == x, copysign(SEL(a < C(0.625f), near, far), x), x);
}

//@ log1p_sum float
// log(1 + x + xl) for x >= 0, xl below an ulp of x.
T lib_log1p_sum(T x, T xl)
{
	T u = 1.0f + x;
	T c = SEL(x > C(1.0f), 1.0f - (u - x), x - (u - 1.0f)) + xl; // 1 + x + xl = u + c
	I i = AS_I(u) - 0x3f3504f3;
	I k = i >> 23;
	T m = AS_T((i & 0x7fffff) + 0x3f3504f3);
	T s = AS_T(max(127 - k, (I)(0)) << 23);
	T f = fma(c, s, m - 1.0f);
	T fl = fma(c, s, (m - 1.0f) - f);
	T a = TO_T(k) * 0x1.62e4p-1f;
	T t = a + f;
	// fl / (1 + f), nearly.
	return t + (((a - t) + f) + fma(f * f, POLY_log_s(f), fma(TO_T(k), C(0x1.7f7d1cp-20f), fma(-f, fl, fl))));
}

//@ asinh float
T lib_asinh(T x)
{
	T ax = fabs(x);
	I big = (I)(ax > C(0x1p30f));
	// log1p(a + a^2 / (1 + sqrt(1 + a^2))).
	T a = SEL(big, C(1.0f), ax);
	T z = a * a;
	T q = z / (1.0f + sqrt(1.0f + z));
	T h = fmax(a, q), l = fmin(a, q);
	T t = h + l;
	T tl = l - (t - h);
	T r = lib_log1p_sum(SEL(big, ax, t), SEL(big, C(0.0f), tl));
	r = SEL(big, r + 0x1.62e43p-1f, r);
	r = SEL(ax < C(INFINITY), r, ax);
	return copysign(SEL(ax < C(0x1p-13f), ax, r), x);
}

//@ acosh float
T lib_acosh(T x)
{
	I big = (I)(x > C(0x1p30f));
	// log1p(t + sqrt(2 t + t^2)), t = x - 1.
	T t = SEL(big, C(1.0f), x - 1.0f);
	T q = fma(t, t, 2.0f * t);
	T s = sqrt(q);
	T sl = SEL(s > C(0.0f), fma(-s, s, q) * 0.5f / s, C(0.0f));
	T u = s + t;
	T ul = (t - (u - s)) + sl;
	T r = lib_log1p_sum(SEL(big, x, u), SEL(big, C(0.0f), ul));
	r = SEL(big, r + 0x1.62e43p-1f, r);
	r = SEL(x < C(INFINITY), r, x);
	return SEL(x >= C(1.0f), r, C(NAN));
}

//@ atanh float
T lib_atanh(T x)
{
	// log1p(2 a / (1 - a)) / 2.
	T ax = fabs(x);
	T d = 1.0f - ax;
	T dl = (1.0f - d) - ax;
	T n = 2.0f * ax;
	T q = n / d;
	T ql = (fma(-q, d, n) - q * dl) / d;
	T r = 0.5f * lib_log1p_sum(q, ql);
	r = SEL(ax < C(0x1p-12f), ax, r);
	r = SEL(ax == C(1.0f), C(INFINITY), r);
	return copysign(SEL(ax > C(1.0f), C(NAN), r), x);
}
