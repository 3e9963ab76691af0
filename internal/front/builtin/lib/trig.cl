// Sine, cosine, tangent. x = n pi/2 + r with |r| <= pi/4, r to twice the precision.

//@ two_over_pi any
constant ulong lib_two_over_pi[21] = {
	0, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
	0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4,
	0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
	0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d};

//@ rem_huge any
// The reduction for 2^30 <= |x| < infinity: M. H. Payne and R. N. Hanek, Radian reduction
// for trigonometric functions, 1983. With x = m 2^p, the bits of 2/pi that give multiples
// of 4 quadrants are left out; the next 192 give the quadrant and 128 bits of fraction.
double lib_rem_huge(double x, private double *lo, private long *q)
{
	ulong b = as_ulong(x) & 0x7fffffffffffffffUL;
	ulong m = (b & 0xfffffffffffffUL) | 0x10000000000000UL;
	uint s = (uint)(b >> 52) - 1075u - 2u + 64u;
	uint w = s >> 6, sh = s & 63u;
	ulong t0 = lib_two_over_pi[w], t1 = lib_two_over_pi[w + 1], t2 = lib_two_over_pi[w + 2], t3 = lib_two_over_pi[w + 3];
	ulong a0 = t0 << sh | t1 >> 1 >> (63u - sh);
	ulong a1 = t1 << sh | t2 >> 1 >> (63u - sh);
	ulong a2 = t2 << sh | t3 >> 1 >> (63u - sh);
	ulong h2 = mul_hi(m, a2), mid = m * a1 + h2;
	ulong top = m * a0 + mul_hi(m, a1) + (ulong)(mid < h2);
	ulong low = m * a2;
	ulong hi = top << 2 | mid >> 62;
	ulong lw = mid << 2 | low >> 62;
	// To the nearest quadrant: a fraction of a half or more is one less.
	long n = (long)((top >> 62) + (hi >> 63));
	ulong neg = 0 - (hi >> 63);
	hi ^= neg;
	lw ^= neg;
	ulong z = clz(hi | 1);
	hi = hi << z | lw >> 1 >> (63u - z);
	lw <<= z;
	double f = (double)(hi >> 11) * 0x1p-53;
	double fl = (double)(hi << 53 | lw >> 11) * 0x1p-117;
	double scale = as_double((1023UL - z) << 52);
	scale = as_double(as_ulong(scale) ^ (as_ulong(x) ^ neg) & 0x8000000000000000UL);
	f *= scale;
	fl *= scale;
	double r = f * 0x1.921fb54442d18p+0;
	double rl = fma(f, 0x1.921fb54442d18p+0, -r) + fma(f, 0x1.1a62633145c07p-54, fl * 0x1.921fb54442d18p+0);
	double h = r + rl;
	*lo = (r - h) + rl;
	*q = x < 0.0 ? -n : n;
	return h;
}

//@ rem_huge_each any
// rem_huge for the components that need it. Infinity and NaN give NaN.
D lib_rem_huge_each(D x, D r, private D *lo, private L *q)
{
	D xs = x, rs = r, ls = *lo;
	L qs = *q;
	for (int i = 0; i < LANES; i++) {
		double xi = ((private double *)&xs)[i];
		if (fabs(xi) >= 0x1p30 && fabs(xi) < INFINITY)
			((private double *)&rs)[i] = lib_rem_huge(xi, (private double *)&ls + i, (private long *)&qs + i);
	}
	*lo = ls;
	*q = qs;
	return SELD(fabs(x) < CD(INFINITY), rs, x - x);
}

//@ rem_pio2 any
// The reduction of x >= 0: r + *lo, and the quadrant modulo 4 in *q plus magic - 1.5 2^52.
// pi/2 in three parts of 53 bits. x - n p1 is exact, since it is a multiple of 2^-53 below 1;
// so is a - r: where a is less than n p2, both have few enough bits for their sum.
D lib_rem_pio2(D x, double magic, private D *lo, private L *q)
{
	D b = fma(x, CD(0x1.45f306dc9c883p-1), CD(magic));
	*q = AS_L(b);
	D n = b - magic;
	D a = fma(n, CD(-0x1.921fb54442d18p+0), x);
	D r = a + n * -0x1.1a62633145c07p-54;
	D l = fma(n, CD(-0x1.1a62633145c07p-54), a - r);
	*lo = fma(n, CD(0x1.f1976b7ed8fbcp-110), l);
	return r;
}

//@ rem_far any
// Whether a component needs the other reduction, or is infinite or NaN. It stands behind a
// branch with all that follows, so that only results come out of there.
#define lib_rem_far(x) ANY(!((x) < CD(0x1p30)))

//@ sin_kernel any
D lib_sin_kernel(D r, D c, D z) { return r + fma(z * r, POLY_sin_d(z), c); }

//@ cos_kernel any
D lib_cos_kernel(D z) { return fma(z, fma(z, POLY_cos_d(z), CD(-0.5)), CD(1.0)); }

//@ square_sum any
// (r + c)^2
D lib_square_sum(D r, D c) { return fma(r, r, r * (c + c)); }

//@ quadrant any
// The sine of r + q pi/2 given sine and cosine of r, with the sign bit of flip flipped.
D lib_quadrant(D s, D c, L q, L flip)
{
	D r = SELD((q & 1) != (L)(0), c, s);
	return AS_D(AS_L(r) ^ ((q << 62 ^ flip) & (L)(1) << (L)(63)));
}

//@ sine_turned any
// The sine of r + c + q pi/2.
D lib_sine_turned(D r, D c, L q, L flip)
{
	D z = lib_square_sum(r, c);
	return lib_quadrant(lib_sin_kernel(r, c, z), lib_cos_kernel(z), q, flip);
}

//@ sine any
// The sine of x + n pi/2, x >= 0, for magic 1.5 2^52 + n.
D lib_sine(D x, double magic, L flip)
{
	D l;
	L q;
	D r = lib_rem_pio2(x, magic, &l, &q);
	D s = lib_sine_turned(r, l, q, flip);
	if (lib_rem_far(x)) {
		D h = lib_rem_huge_each(x, r, &l, &q);
		q += select((L)(0), AS_L(CD(magic)) & 1, (L)(x >= CD(0x1p30)));
		s = SELD(x < CD(0x1p30), s, lib_sine_turned(h, l, q, flip));
	}
	return s;
}

//@ sin double
T lib_sin(T x) { return lib_sine(fabs(x), 0x1.8p52, AS_L(x)); }

//@ cos double
T lib_cos(T x) { return lib_sine(fabs(x), 0x1.8000000000001p52, (L)(0)); }

//@ sincos double
T lib_sincos(T x, SPACE T *cosval)
{
	D ax = fabs(x), l;
	L q;
	D r = lib_rem_pio2(ax, 0x1.8p52, &l, &q);
	D z = lib_square_sum(r, l);
	D s = lib_sin_kernel(r, l, z), c = lib_cos_kernel(z);
	D sine = lib_quadrant(s, c, q, AS_L(x)), cosine = lib_quadrant(s, c, q + 1, (L)(0));
	if (lib_rem_far(ax)) {
		r = lib_rem_huge_each(ax, r, &l, &q);
		z = lib_square_sum(r, l);
		s = lib_sin_kernel(r, l, z);
		c = lib_cos_kernel(z);
		sine = SELD(ax < CD(0x1p30), sine, lib_quadrant(s, c, q, AS_L(x)));
		cosine = SELD(ax < CD(0x1p30), cosine, lib_quadrant(s, c, q + 1, (L)(0)));
	}
	*cosval = cosine;
	return sine;
}

//@ tan_kernel any
// tan(r + c), or -1/tan(r + c) where q is odd: the quotient of sine and cosine, both as
// a sum of two numbers.
D lib_tan_kernel(D r, D c, L q)
{
	D z = r * r;
	D t = fma(z * r, POLY_sin_d(z), c);
	D s = r + t;
	D sl = (r - s) + t;
	D h = 0.5 * z;
	D w = 1.0 - h;
	D u = ((1.0 - w) - h) + fma(z * z, POLY_cos_d(z), -r * c);
	D k = w + u;
	D kl = (w - k) + u;
	L odd = (L)((q & 1) != (L)(0));
	D n = SELD(odd, -k, s), nl = SELD(odd, -kl, sl);
	D d = SELD(odd, s, k), dl = SELD(odd, sl, kl);
	D rc = 1.0 / d;
	D y = n * rc;
	return fma(fma(-y, d, n) + (nl - y * dl), rc, y);
}

//@ tan double
T lib_tan(T x)
{
	D ax = fabs(x), l;
	L q;
	D r = lib_rem_pio2(ax, 0x1.8p52, &l, &q);
	D t = lib_tan_kernel(r, l, q);
	if (lib_rem_far(ax)) {
		D h = lib_rem_huge_each(ax, r, &l, &q);
		t = SELD(ax < CD(0x1p30), t, lib_tan_kernel(h, l, q));
	}
	return AS_D(AS_L(SELD(ax < CD(0x1p-27), ax, t)) ^ (AS_L(x) & (L)(1) << (L)(63)));
}

//@ rem_half any
// pi x = q pi/2 + r + *lo. n = rint(2 x) and x - n/2 are exact.
D lib_rem_half(D x, private D *lo, private L *q)
{
	// From 2^54 on numbers are even integers; infinity becomes NaN.
	x = SELD(fabs(x) < CD(0x1p54), x, x - x);
	D n = rint(2.0 * x);
	D r = x - 0.5 * n;
	*q = AS_L((n - 4.0 * rint(0.25 * n)) + 0x1.8p52);
	D h = r * 0x1.921fb54442d18p+1;
	*lo = fma(r, CD(0x1.921fb54442d18p+1), -h) + r * 0x1.1a62633145c07p-53;
	return h;
}

//@ sinpi double
T lib_sinpi(T x)
{
	D l;
	L q;
	D r = lib_rem_half(x, &l, &q);
	r = lib_sine_turned(r, l, q, (L)(0));
	return SELD(r == CD(0.0), copysign(CD(0.0), x), r);
}

//@ cospi double
T lib_cospi(T x)
{
	D l;
	L q;
	D r = lib_rem_half(x, &l, &q);
	r = lib_sine_turned(r, l, q + 1, (L)(0));
	return SELD(r == CD(0.0), CD(0.0), r);
}

//@ tanpi double
T lib_tanpi(T x)
{
	D l;
	L q;
	D r = lib_rem_half(x, &l, &q);
	D t = lib_tan_kernel(r, l, q);
	// Poles at n + 1/2 and zeros at n change sign with the parity of n.
	D n = SELD(fabs(x) < CD(0x1p54), floor(x), CD(0.0));
	D even = SELD(0.5 * n == floor(0.5 * n), CD(1.0), CD(-1.0));
	L zero = (L)(r == CD(0.0));
	t = SELD(zero & (L)((q & 1) != (L)(0)), even * INFINITY, t);
	return SELD(zero & (L)((q & 1) == (L)(0)), copysign(CD(0.0), x) * even, t);
}

// In float: the reduction by pi/2 in three parts of 24 bits, as above, below 2^17.

//@ reduce_huge float
// The reduction for 2^17 <= |x| < infinity, as for double: 32-bit words, 62 bits of fraction. Infinity and
// NaN give NaN.
T lib_reduce_huge(T x, private T *lo, private I *q)
{
	U b = AS_U(x) & (U)(0x7fffffff);
	U m = (b & (U)(0x7fffff)) | (U)(0x800000);
	U s = (b >> (U)(23)) - (U)(120);
	U w = s >> (U)(5), up = s & (U)(31), down = (U)(31) - up;
	// Words w to w+3 of 2/pi, after one of zeros: by selection, not from a table in memory.
	I one = (I)((w & (U)(1)) != (U)(0)), two = (I)((w & (U)(2)) != (U)(0)), four = (I)(w == (U)(4));
	U u0 = select((U)(0), (U)(0x4e441529), two), u1 = select((U)(0xa2f9836e), (U)(0xfc2757d1), two);
	U u2 = select((U)(0x4e441529), (U)(0xf534ddc0), two), u3 = select((U)(0xfc2757d1), (U)(0xdb629599), two);
	U u4 = select((U)(0xf534ddc0), (U)(0x3c439041), two);
	U t0 = select(select(u0, u1, one), (U)(0xf534ddc0), four), t1 = select(select(u1, u2, one), (U)(0xdb629599), four);
	U t2 = select(select(u2, u3, one), (U)(0x3c439041), four), t3 = select(select(u3, u4, one), (U)(0xfe5163ab), four);
	U a1 = t1 << up | t2 >> (U)(1) >> down, a2 = t2 << up | t3 >> (U)(1) >> down;
	U h2 = mul_hi(m, a2), mid = m * a1 + h2, low = m * a2;
	U top = m * (t0 << up | t1 >> (U)(1) >> down) + mul_hi(m, a1) + select((U)(0), (U)(1), (I)(mid < h2));
	U hi = top << (U)(2) | mid >> (U)(30), lw = mid << (U)(2) | low >> (U)(30);
	// To the nearest quadrant: a fraction of a half or more is one less.
	I n = AS_I((top >> (U)(30)) + (hi >> (U)(31)));
	U neg = (U)(0) - (hi >> (U)(31));
	hi ^= neg;
	lw ^= neg;
	U z = clz(hi | (U)(1));
	hi = hi << z | lw >> (U)(1) >> ((U)(31) - z);
	lw <<= z;
	T f = TO_T(AS_I(hi >> (U)(8))) * 0x1p-24f, fl = TO_T(AS_I((hi << (U)(24) | lw >> (U)(8)) >> (U)(8))) * 0x1p-48f;
	T scale = AS_T((((U)(127) - z) << (U)(23)) ^ ((AS_U(x) ^ neg) & (U)(0x80000000)));
	f *= scale;
	fl *= scale;
	T h = f * 0x1.921fb6p+0f;
	T l = fma(f, C(0x1.921fb6p+0f), -h) + fma(f, C(-0x1.777a5cp-25f), fl * 0x1.921fb6p+0f);
	T r = h + l;
	*lo = (h - r) + l;
	*q = select(n, -n, (I)(x < C(0.0f)));
	return SEL(fabs(x) < C(INFINITY), r, x - x);
}

//@ reduce float
// The reduction of 0 <= x < 2^17: r + *lo, and the quadrant in the low bits of *q plus
// magic - 1.5 2^23.
T lib_reduce(T x, float magic, private T *lo, private I *q)
{
	T b = fma(x, C(0x1.45f306p-1f), C(magic));
	*q = AS_I(b);
	T n = b - magic;
	T a = fma(n, C(-0x1.921fb6p+0f), x);
	T r = a + n * 0x1.777a5cp-25f;
	T l = fma(n, C(0x1.777a5cp-25f), a - r);
	*lo = fma(n, C(0x1.ee59dap-50f), l);
	return r;
}

//@ sin_reduced float
T lib_sin_reduced(T r, T l, T z) { return r + fma(z * r, POLY_sin_s(z), l); }

//@ cos_reduced float
T lib_cos_reduced(T z) { return fma(z, fma(z, POLY_cos_s(z), C(-0.5f)), C(1.0f)); }

//@ square_single float
// (r + l)^2
T lib_square_single(T r, T l) { return fma(r, r, r * (l + l)); }

//@ turn float
// The sine of r + q pi/2 given sine and cosine of r, with the sign bit of flip flipped.
T lib_turn(T s, T c, I q, I flip)
{
	return AS_T(AS_I(SEL((q & 1) != (I)(0), c, s)) ^ ((q << 30 ^ flip) & (I)(0x80000000)));
}

//@ turned float
// The sine of r + l + q pi/2.
T lib_turned(T r, T l, I q, I flip)
{
	T z = lib_square_single(r, l);
	return lib_turn(lib_sin_reduced(r, l, z), lib_cos_reduced(z), q, flip);
}

//@ huge float
// Whether a component needs the other reduction, or is infinite or NaN. It stands behind a
// branch with all that follows, so that only results come out of there.
#define lib_huge(x) ANY(!((x) < C(0x1p17f)))

//@ sine float
// The sine of x + n pi/2, x >= 0, for magic 1.5 2^23 + n.
T lib_sine(T x, float magic, I flip)
{
	T l;
	I q;
	T r = lib_reduce(x, magic, &l, &q);
	T s = lib_turned(r, l, q, flip);
	if (lib_huge(x)) {
		r = lib_reduce_huge(x, &l, &q);
		s = SEL(x < C(0x1p17f), s, lib_turned(r, l, q + (AS_I(C(magic)) & 1), flip));
	}
	return s;
}

//@ sin float
T lib_sin(T x) { return lib_sine(fabs(x), 0x1.8p23f, AS_I(x)); }

//@ cos float
T lib_cos(T x) { return lib_sine(fabs(x), 0x1.800002p23f, (I)(0)); }

//@ sincos float
T lib_sincos(T x, SPACE T *cosval)
{
	T ax = fabs(x), l;
	I q;
	T r = lib_reduce(ax, 0x1.8p23f, &l, &q);
	T z = lib_square_single(r, l);
	T s = lib_sin_reduced(r, l, z), c = lib_cos_reduced(z);
	T sine = lib_turn(s, c, q, AS_I(x)), cosine = lib_turn(s, c, q + 1, (I)(0));
	if (lib_huge(ax)) {
		r = lib_reduce_huge(ax, &l, &q);
		z = lib_square_single(r, l);
		s = lib_sin_reduced(r, l, z);
		c = lib_cos_reduced(z);
		sine = SEL(ax < C(0x1p17f), sine, lib_turn(s, c, q, AS_I(x)));
		cosine = SEL(ax < C(0x1p17f), cosine, lib_turn(s, c, q + 1, (I)(0)));
	}
	*cosval = cosine;
	return sine;
}

//@ tan_reduced float
// tan(r + l), or -1/tan(r + l) where q is odd.
T lib_tan_reduced(T r, T l, I q)
{
	T z = r * r, c = z * r;
	T cl = fma(fma(r, r, -z), r, fma(z, r, -c)); // c + cl = r^3
	T p = POLY_tan_s(z);
	T t = fma(c, p, fma(cl, p, fma(l * z, C(1.5f), l))); // (1 + tan(r)^2) l, nearly
	T h = r + t;
	T y = -1.0f / h;
	T e = fma(h, y, C(1.0f)) + ((r - h) + t) * y;
	return SEL((q & 1) != (I)(0), fma(y, e, y), h);
}

//@ tan float
T lib_tan(T x)
{
	T ax = fabs(x), l;
	I q;
	T r = lib_reduce(ax, 0x1.8p23f, &l, &q);
	T t = lib_tan_reduced(r, l, q);
	if (lib_huge(ax)) {
		r = lib_reduce_huge(ax, &l, &q);
		t = SEL(ax < C(0x1p17f), t, lib_tan_reduced(r, l, q));
	}
	return AS_T(AS_I(t) ^ (AS_I(x) & (I)(0x80000000)));
}

//@ reduce_pi float
// pi x = q pi/2 + r + *lo. n = rint(2 x) and x - n/2 are exact.
T lib_reduce_pi(T x, private T *lo, private I *q)
{
	// From 2^25 on numbers are even integers; infinity becomes NaN.
	x = SEL(fabs(x) < C(0x1p25f), x, x - x);
	T n = rint(2.0f * x);
	T r = fma(n, C(-0.5f), x);
	*q = AS_I((n - 4.0f * rint(0.25f * n)) + 0x1.8p23f);
	T h = r * 0x1.921fb6p+1f;
	*lo = fma(r, C(0x1.921fb6p+1f), -h) + r * -0x1.777a5cp-24f;
	return h;
}

//@ sinpi float
T lib_sinpi(T x)
{
	T l;
	I q;
	T r = lib_reduce_pi(x, &l, &q);
	T s = lib_turned(r, l, q, (I)(0));
	return SEL(s == C(0.0f), copysign(C(0.0f), x), s);
}

//@ cospi float
T lib_cospi(T x)
{
	T l;
	I q;
	T r = lib_reduce_pi(x, &l, &q);
	T c = lib_turned(r, l, q + 1, (I)(0));
	return SEL(c == C(0.0f), C(0.0f), c);
}

//@ tanpi float
T lib_tanpi(T x)
{
	T l;
	I q;
	T r = lib_reduce_pi(x, &l, &q);
	T t = lib_tan_reduced(r, l, q);
	// Poles at n + 1/2 and zeros at n change sign with the parity of n.
	T n = SEL(fabs(x) < C(0x1p25f), floor(x), C(0.0f));
	T even = SEL(0.5f * n == floor(0.5f * n), C(1.0f), C(-1.0f));
	T limit = SEL((q & 1) != (I)(0), even * INFINITY, copysign(C(0.0f), x) * even);
	return SEL(r == C(0.0f), limit, t);
}
