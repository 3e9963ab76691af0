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

//@ log2_pair float
// log2 of a positive finite x as a sum of two numbers, relative error about 2^-36, by
// s = (m - 1) / (m + 1) with its rounding error.
T lib_log2_pair(T x, private T *lo)
{
	T k;
	T m = lib_split_single(x, &k);
	T f = m - 1.0f, d = m + 1.0f;
	T rc = 1.0f / d;
	T s = f * rc;
	T sl = (fma(-s, d, f) - s * (m - (d - 1.0f))) * rc;
	// log m = 2 s + 2/3 s^3 + s^5 p(s^2), the cube with its rounding error too.
	T z = s * s;
	T zl = fma(2.0f * s, sl, fma(s, s, -z));
	T c = z * s;
	T cl = fma(z, s, -c) + fma(z, sl, zl * s);
	T v = c * 0x1.555556p-1f;
	T vl = fma(c, C(0x1.555556p-1f), -v) + fma(c, fma(z, POLY_atanh_s(z), C(-0x1.555556p-26f)), cl * 0x1.555556p-1f);
	T a = 2.0f * s;
	T g = a + v;
	vl += fma(sl, C(2.0f), (a - g) + v);
	T p = g * 0x1.715476p+0f;
	T l = fma(vl, C(0x1.715476p+0f), fma(g, C(0x1.4ae0cp-26f), fma(g, C(0x1.715476p+0f), -p)));
	T t = k + p;
	l += (k - t) + p;
	T h = t + l;
	*lo = (t - h) + l;
	return h;
}

//@ exp2_product float
// ax^(y + yl) for ax > 0 and finite, y finite.
T lib_exp2_product(T ax, T y, T yl)
{
	T l;
	T h = lib_log2_pair(ax, &l);
	T p = y * h;
	l = fma(yl, h, fma(y, l, fma(y, h, -p)));
	T b = p + 0x1.8001fcp+23f;
	T r = (p - (b - 0x1.8001fcp+23f)) + l;
	T e = lib_scale2(fma(r, POLY_exp2_s(r), C(1.0f)), AS_I(b));
	e = SEL(p > C(140.0f), C(INFINITY), e);
	return SEL(p < C(-160.0f), C(0.0f), e);
}

//@ pow_limits_single float
// Magnitude of |x|^y given it for 0 < |x| < infinity.
T lib_pow_limits_single(T ax, T y, T r)
{
	T up = SEL(y < C(0.0f), C(0.0f), C(INFINITY)), down = SEL(y < C(0.0f), C(INFINITY), C(0.0f));
	r = SEL(ax == C(0.0f), down, r);
	r = SEL(ax == C(INFINITY), up, r);
	T huge = SEL(ax > C(1.0f), up, SEL(ax < C(1.0f), down, C(1.0f)));
	return SEL(fabs(y) == C(INFINITY), huge, r);
}

//@ pow_special float
// C99 pow (F.9.4.4) where x is not positive and finite or y not finite, given |x|^y; odd
// says whether y is an odd integer.
T lib_pow_special(T x, T y, I odd, T r)
{
	T ax = fabs(x);
	r = lib_pow_limits_single(ax, y, r);
	r = SEL((I)(AS_I(x) < (I)(0)) & odd, -r, r);
	r = SEL((I)(x < C(0.0f)) & (I)(ax < C(INFINITY)) & (I)(rint(y) != y), C(NAN), r);
	r = SEL((I)(x != x) | (I)(y != y), x + y, r);
	return SEL((I)(y == C(0.0f)) | (I)(x == C(1.0f)), C(1.0f), r);
}

//@ pow float
T lib_pow(T x, T y)
{
	T r = lib_exp2_product(fabs(x), y, C(0.0f));
	if (ANY(!((x > C(0.0f)) & (x < C(INFINITY)) & (fabs(y) < C(INFINITY))))) {
		T half_y = 0.5f * y;
		I odd = (I)(rint(y) == y) & (I)(rint(half_y) != half_y) & (I)(fabs(y) < C(INFINITY));
		r = lib_pow_special(x, y, odd, r);
	}
	return r;
}

//@ pown float
T lib_pown(T x, N n)
{
	// n as a sum of two numbers.
	T y = TO_T(n);
	T yl = TO_T(n & 255) - (y - TO_T(n & ~255));
	T r = lib_exp2_product(fabs(x), y, yl);
	if (ANY(!((x > C(0.0f)) & (x < C(INFINITY)))))
		r = lib_pow_special(x, y, (I)((n & 1) != (N)(0)), r);
	return r;
}

//@ powr float
T lib_powr(T x, T y)
{
	T r = lib_exp2_product(fabs(x), y, C(0.0f));
	if (ANY(!((x > C(0.0f)) & (x < C(INFINITY)) & (fabs(y) < C(INFINITY))))) {
		r = lib_pow_limits_single(fabs(x), y, SEL(y == C(0.0f), C(1.0f), r));
		// What powr has different from pow: section 7.5.1.
		I nan = (I)(x != x) | (I)(y != y) | (I)(x < C(0.0f));
		I zero = (I)(y == C(0.0f)) & ((I)(x == C(0.0f)) | (I)(x == C(INFINITY)));
		I one = (I)(x == C(1.0f)) & (I)(fabs(y) == C(INFINITY));
		r = SEL(nan | zero | one, C(NAN), r);
	}
	return r;
}

//@ rootn float
T lib_rootn(T x, N n)
{
	T d = TO_T(n);
	T y = 1.0f / d;
	T r = lib_exp2_product(fabs(x), y, fma(-y, d, C(1.0f)) * y);
	if (ANY(!((I)(x > C(0.0f)) & (I)(x < C(INFINITY)) & (I)(n != (N)(0))))) {
		T ax = fabs(x);
		r = SEL(ax == C(0.0f), SEL(d < C(0.0f), C(INFINITY), C(0.0f)), r);
		r = SEL(ax == C(INFINITY), SEL(d < C(0.0f), C(0.0f), C(INFINITY)), r);
		I odd = (I)((n & 1) != (N)(0));
		r = SEL(odd, copysign(r, x), r);
		r = SEL((I)(x < C(0.0f)) & ~odd, C(NAN), r);
		r = SEL((I)(n == (N)(0)) | (I)(x != x), C(NAN), r);
	}
	return r;
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
// |x| = m 2^(3e), m in [1/2, 4); y = m^(-1/3) by two iterations of Newton's without a
// division, then the root m y^2, corrected by its residual.
T lib_cbrt(T x)
{
	T ax = fabs(x);
	I sub = (I)(ax < C(0x1p-126f));
	I b = AS_I(SEL(sub, ax * 0x1p24f, ax));
	I e = (b >> 23) - 126 + 384;
	I q = (e * 21846) >> 16; // e / 3
	I rem = e - 3 * q;
	T z = AS_T((b & 0x7fffff) | 0x3f000000);
	I one = (I)(rem == (I)(1)), two = (I)(rem == (I)(2));
	T m = z * SEL(one, C(2.0f), SEL(two, C(4.0f), C(1.0f)));
	T y = POLY_rcbrt_s(z) * SEL(one, C(0x1.965feap-1f), SEL(two, C(0x1.428a3p-1f), C(1.0f)));
	y = fma(y * C(0x1.555556p-2f), fma(-m * y, y * y, C(1.0f)), y);
	T c = m * y * y;
	// c - (c^3 - m) / (3 c^2), and 1 / (3 c^2) = y^2 / 3.
	T s = c * c;
	T r = fma(s, c, -m) + fma(c, c, -s) * c;
	T d = fma(-r * C(0x1.555556p-2f), y * y, c);
	d *= AS_T((q - 1 - SEL(sub, (I)(8), (I)(0))) << 23);
	return SEL((I)(ax < C(INFINITY)) & (I)(x != C(0.0f)), copysign(d, x), x);
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
T lib_rsqrt(T x)
{
	T y = 1.0f / sqrt(x);
	T h = x * y;
	T e = fma(-y, h, C(1.0f)) - y * fma(x, y, -h); // 1 - x y^2
	T r = fma(0.5f * y, e, y);
	return SEL((I)(x > C(0.0f)) & (I)(x < C(INFINITY)), r, y);
}

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
	T ax = fabs(x), ay = fabs(y);
	T a = fmax(ax, ay), b = fmin(ax, ay);
	// By a power of two into the range where squares neither overflow nor lose bits.
	I large = (I)(a > C(0x1p60f)), small = (I)(a < C(0x1p-40f));
	T s = SEL(large, C(0x1p-70f), SEL(small, C(0x1p90f), C(1.0f)));
	T u = SEL(large, C(0x1p70f), SEL(small, C(0x1p-90f), C(1.0f)));
	a *= s;
	b *= s;
	T p = a * a;
	T h = fma(b, b, p);
	T l = fma(b, b, p - h) + fma(a, a, -p);
	T r = sqrt(h);
	r = SEL(r > C(0.0f), r + (fma(-r, r, h) + l) * (0.5f / r), r) * u;
	r = SEL(isnan(x) | isnan(y), x + y, r);
	return SEL((I)(ax == C(INFINITY)) | (I)(ay == C(INFINITY)), C(INFINITY), r);
}
