// Powers and roots: x^y = e^(y ln x) with ln x and the product to more than 2^-62 (the
// method of fdlibm's e_pow.c and of Muller et al., Handbook of Floating-Point Arithmetic,
// chapter 10, with sums of two numbers).

//@ exp_product any
// e^(y ln ax) for ax > 0 and finite, y = y + yl finite.
D lib_exp_product(D ax, D y, D yl)
{
	D l;
	D h = lib_ln_dd(ax, &l);
	D p = y * h;
	D pl = fma(y, h, -p) + fma(y, l, yl * h);
	// Beyond the range the result is 0 or infinity, whatever the low part.
	L big = (L)(fabs(p) > CD(760.0));
	p = SELD(big, copysign(CD(760.0), p), p);
	return lib_exp_dd(p, SELD(big, CD(0.0), pl));
}

//@ pow_limits any
// Magnitude of |x|^y given it for 0 < |x| < infinity.
D lib_pow_limits(D ax, D y, D r)
{
	D up = SELD(y < CD(0.0), CD(0.0), CD(INFINITY)), down = SELD(y < CD(0.0), CD(INFINITY), CD(0.0));
	r = SELD(ax == CD(0.0), down, r);
	r = SELD(ax == CD(INFINITY), up, r);
	D huge = SELD(ax > CD(1.0), up, SELD(ax < CD(1.0), down, CD(1.0)));
	return SELD(fabs(y) == CD(INFINITY), huge, r);
}

//@ pow_ieee any
// C99 pow (F.9.4.4).
D lib_pow_ieee(D x, D y)
{
	D ax = fabs(x);
	L plain = (L)(ax > CD(0.0)) & (L)(ax < CD(INFINITY));
	D yc = SELD(fabs(y) < CD(0x1p100), y, copysign(CD(0x1p100), y));
	D r = lib_pow_limits(ax, y, lib_exp_product(SELD(plain, ax, CD(1.0)), yc, CD(0.0)));
	D half_y = 0.5 * y;
	L integer = (L)(rint(y) == y);
	L odd = integer & (L)(rint(half_y) != half_y) & (L)(fabs(y) < CD(INFINITY));
	L negative = (L)(AS_L(x) < (L)(0));
	r = SELD(negative & odd, -r, r);
	r = SELD((L)(x < CD(0.0)) & (L)(ax < CD(INFINITY)) & (L)(!integer), CD(NAN), r);
	r = SELD((L)(x != x) | (L)(y != y), x + y, r);
	return SELD((L)(y == CD(0.0)) | (L)(x == CD(1.0)), CD(1.0), r);
}

//@ pow double
T lib_pow(T x, T y) { return lib_pow_ieee(x, y); }

//@ pown double
T lib_pown(T x, N y) { return lib_pow_ieee(x, TO_D(y)); }

//@ powr_special any
// What powr has different from pow: section 7.5.1.
D lib_powr_special(D x, D y, D r)
{
	L nan = (L)(x != x) | (L)(y != y) | (L)(x < CD(0.0));
	L zero = (L)(y == CD(0.0)) & ((L)(x == CD(0.0)) | (L)(x == CD(INFINITY)));
	L one = (L)(x == CD(1.0)) & (L)(fabs(y) == CD(INFINITY));
	return SELD(nan | zero | one, CD(NAN), r);
}

//@ powr double
T lib_powr(T x, T y)
{
	D ax = fabs(x);
	L plain = (L)(ax > CD(0.0)) & (L)(ax < CD(INFINITY));
	D yc = SELD(fabs(y) < CD(0x1p100), y, copysign(CD(0x1p100), y));
	D r = lib_pow_limits(ax, y, lib_exp_product(SELD(plain, ax, CD(1.0)), yc, CD(0.0)));
	return lib_powr_special(x, y, SELD(y == CD(0.0), CD(1.0), r));
}

//@ root_special any
// rootn where |x| is 0 or infinite, and its sign.
D lib_root_special(D x, N n, D r)
{
	D ax = fabs(x);
	L zero_n = (L)(TO_D(n) == CD(0.0));
	D y = TO_D(n);
	r = SELD(ax == CD(0.0), SELD(y < CD(0.0), CD(INFINITY), CD(0.0)), r);
	r = SELD(ax == CD(INFINITY), SELD(y < CD(0.0), CD(0.0), CD(INFINITY)), r);
	L odd = (L)(rint(0.5 * y) != 0.5 * y);
	r = SELD(odd, copysign(r, x), r);
	r = SELD((L)(x < CD(0.0)) & (L)(!odd), CD(NAN), r);
	return SELD(zero_n | (L)(x != x), CD(NAN), r);
}

//@ rootn double
T lib_rootn(T x, N n)
{
	D ax = fabs(x);
	L plain = (L)(ax > CD(0.0)) & (L)(ax < CD(INFINITY));
	D d = SELD(TO_D(n) == CD(0.0), CD(1.0), TO_D(n));
	D y = 1.0 / d;
	D yl = fma(-y, d, CD(1.0)) * y;
	return lib_root_special(x, n, lib_exp_product(SELD(plain, ax, CD(1.0)), y, yl));
}

//@ pow_single any
// e^(y ln ax) for ax > 0, normal and finite, to about 2^-27 where the result is a float.
D lib_pow_single(D ax, D y)
{
	D k;
	D l = lib_log_single(ax, &k);
	return lib_exp_single(lib_clamp_exp(y * fma(k, CD(0x1.62e42fefa39efp-1), l), 200.0));
}

//@ pow_float any
D lib_pow_float(D x, D y)
{
	D ax = fabs(x);
	L plain = (L)(ax > CD(0.0)) & (L)(ax < CD(INFINITY));
	D yc = SELD(fabs(y) < CD(INFINITY), y, CD(1.0));
	D r = lib_pow_limits(ax, y, lib_pow_single(SELD(plain, ax, CD(1.0)), yc));
	D half_y = 0.5 * y;
	L integer = (L)(rint(y) == y);
	L odd = integer & (L)(rint(half_y) != half_y) & (L)(fabs(y) < CD(INFINITY));
	r = SELD((L)(AS_L(x) < (L)(0)) & odd, -r, r);
	r = SELD((L)(x < CD(0.0)) & (L)(ax < CD(INFINITY)) & (L)(!integer), CD(NAN), r);
	r = SELD((L)(x != x) | (L)(y != y), x + y, r);
	return SELD((L)(y == CD(0.0)) | (L)(x == CD(1.0)), CD(1.0), r);
}

//@ pow float
T lib_pow(T x, T y) { return TO_T(lib_pow_float(TO_D(x), TO_D(y))); }

//@ pown float
T lib_pown(T x, N y) { return TO_T(lib_pow_float(TO_D(x), TO_D(y))); }

//@ powr float
T lib_powr(T x, T y)
{
	D xd = TO_D(x), yd = TO_D(y), ax = fabs(xd);
	L plain = (L)(ax > CD(0.0)) & (L)(ax < CD(INFINITY));
	D yc = SELD(fabs(yd) < CD(INFINITY), yd, CD(1.0));
	D r = lib_pow_limits(ax, yd, lib_pow_single(SELD(plain, ax, CD(1.0)), yc));
	return TO_T(lib_powr_special(xd, yd, SELD(yd == CD(0.0), CD(1.0), r)));
}

//@ rootn float
T lib_rootn(T x, N n)
{
	D xd = TO_D(x), ax = fabs(xd);
	L plain = (L)(ax > CD(0.0)) & (L)(ax < CD(INFINITY));
	D d = SELD(TO_D(n) == CD(0.0), CD(1.0), TO_D(n));
	return TO_T(lib_root_special(xd, n, lib_pow_single(SELD(plain, ax, CD(1.0)), 1.0 / d)));
}

//@ cbrt_start any
// |x| = m 2^(3e), m in [1/2, 4); returns m and a cube root of it to 2^-16, and 2^e.
// x is normal and positive.
D lib_cbrt_start(D x, private D *m, private D *scale)
{
	L b = AS_L(x);
	L e = (b >> 52) - 1022 + 3072;
	L q = (e * 21846) >> 16; // e / 3
	L rem = e - 3 * q;
	D z = AS_D((b & 0xfffffffffffffL) | 0x3fe0000000000000L);
	D y = POLY_cbrt(z);
	L one = (L)(rem == (L)(1)), two = (L)(rem == (L)(2));
	*m = z * SELD(one, CD(2.0), SELD(two, CD(4.0), CD(1.0)));
	*scale = AS_D((q - 1024 + 1023) << 52);
	return y * SELD(one, CD(0x1.428a2f98d728bp+0), SELD(two, CD(0x1.965fea53d6e3dp+0), CD(1.0)));
}

//@ cbrt double
T lib_cbrt(T x)
{
	D ax = fabs(x);
	L sub = (L)(ax < CD(0x1p-1022));
	D m, scale;
	D y = lib_cbrt_start(SELD(sub, ax * 0x1p54, ax), &m, &scale);
	// Halley's iteration: 2^-16 to 2^-47; then Newton's with the residual to twice the precision.
	D c = y * y * y;
	y -= y * (c - m) / (2.0 * c + m);
	D s = y * y;
	D sl = fma(y, y, -s);
	D t = s * y;
	D tl = fma(s, y, -t) + sl * y;
	y = y + ((m - t) - tl) / (3.0 * s);
	y *= SELD(sub, scale * 0x1p-18, scale);
	return SEL(isfinite(x) & (I)(x != C(0)), copysign(y, x), x);
}

//@ cbrt float
T lib_cbrt(T x)
{
	D m, scale;
	D y = lib_cbrt_start(TO_D(fabs(x)), &m, &scale);
	D c = y * y * y;
	y -= y * (c - m) / (2.0 * c + m);
	return SEL(isfinite(x) & (I)(x != C(0)), copysign(TO_T(y * scale), x), x);
}

//@ rsqrt double
T lib_rsqrt(T x)
{
	D y = 1.0 / sqrt(x);
	D h = x * y;
	D e = fma(-y, h, CD(1.0)) - y * fma(x, y, -h); // 1 - x y^2
	D r = fma(0.5 * y, e, y);
	return SELD((L)(x > CD(0.0)) & (L)(x < CD(INFINITY)), r, y);
}

//@ rsqrt float
T lib_rsqrt(T x) { return TO_T(1.0 / sqrt(TO_D(x))); }

//@ hypot double
T lib_hypot(T x, T y)
{
	D a = fmax(fabs(x), fabs(y)), b = fmin(fabs(x), fabs(y));
	D s = SELD(a > CD(0x1p500), CD(0x1p-600), SELD(a < CD(0x1p-400), CD(0x1p600), CD(1.0)));
	D u = SELD(a > CD(0x1p500), CD(0x1p600), SELD(a < CD(0x1p-400), CD(0x1p-600), CD(1.0)));
	a *= s;
	b *= s;
	D p = a * a, q = b * b;
	D h = p + q;
	D l = ((p - h) + q) + (fma(a, a, -p) + fma(b, b, -q));
	D r = sqrt(h);
	r = SELD(a == CD(0.0), a, r + (fma(-r, r, h) + l) / (2.0 * r)) * u;
	r = SEL(isnan(x) | isnan(y), x + y, r);
	return SEL(isinf(x) | isinf(y), C(INFINITY), r);
}

//@ hypot float
T lib_hypot(T x, T y)
{
	D a = TO_D(x), b = TO_D(y);
	return SEL(isinf(x) | isinf(y), C(INFINITY), TO_T(sqrt(fma(a, a, b * b))));
}

//@ log_single any
// log x = k ln 2 + result, to about 2^-36; x > 0 and normal.
D lib_log_single(D x, private D *kd)
{
	L k;
	D f = lib_split(x, &k) - 1.0;
	D s = f / (2.0 + f);
	D z = s * s;
	*kd = TO_D(k);
	return fma(s * z, POLY_log_f(z), 2.0 * s);
}
