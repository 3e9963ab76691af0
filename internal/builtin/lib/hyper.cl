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

//@ sinh float
T lib_sinh(T x)
{
	D ax = lib_clamp_exp(TO_D(fabs(x)), 200.0);
	D e = lib_exp_single(ax);
	D z = ax * ax;
	// The Taylor series below 1/2: the next term is 2^-34 of the sum.
	D p = fma(z, fma(z, fma(z, CD(0x1.71de3a556c734p-19), CD(0x1.a01a01a01a01ap-13)), CD(0x1.1111111111111p-7)), CD(0x1.5555555555555p-3));
	return copysign(TO_T(SELD(ax < CD(0.5), fma(ax * z, p, ax), 0.5 * (e - 1.0 / e))), x);
}

//@ cosh float
T lib_cosh(T x)
{
	D e = lib_exp_single(lib_clamp_exp(TO_D(fabs(x)), 200.0));
	return TO_T(0.5 * (e + 1.0 / e));
}

//@ tanh float
T lib_tanh(T x)
{
	D ax = TO_D(fabs(x));
	D e = lib_exp_single(2.0 * SELD(ax > CD(12.0), CD(12.0), ax));
	D z = ax * ax;
	// sinh / cosh by their Taylor series below 1/2.
	D s = fma(z, fma(z, fma(z, CD(0x1.71de3a556c734p-19), CD(0x1.a01a01a01a01ap-13)), CD(0x1.1111111111111p-7)), CD(0x1.5555555555555p-3));
	D c = fma(z, fma(z, fma(z, fma(z, CD(0x1.27e4fb7789f5cp-22), CD(0x1.a01a01a01a01ap-16)), CD(0x1.6c16c16c16c17p-10)), CD(0x1.5555555555555p-5)), CD(0.5));
	L small = (L)(ax < CD(0.5));
	D n = SELD(small, fma(ax * z, s, ax), e - 1.0), d = SELD(small, fma(z, c, CD(1.0)), e + 1.0);
	return copysign(TO_T(n / d), x);
}

//@ exp_single any
// e^x to about 2^-34 for |x| < 700.
D lib_exp_single(D x)
{
	D kd = fma(x, CD(0x1.71547652b82fep+0), CD(0x1.8p52));
	L k = AS_L(kd);
	kd -= 0x1.8p52;
	D r = fma(kd, CD(-0x1.62e42fefa39efp-1), x);
	D p = POLY_exp_f(r);
	return (1.0 + fma(r * r, p, r)) * AS_D((k + 1023) << 52);
}
