// Error and gamma functions.

//@ erf double
T lib_erf(T x)
{
	D ax = fabs(x);
	D z = SELD(ax < CD(1.0), x * x, CD(1.0));
	D r = fma(x * z, POLY_erf_d(z), x * 0x1.20dd750429b6dp+0);
	r = SELD(ax < CD(0x1p-500), x * 0x1.20dd750429b6dp+0, r);
	D far = copysign(1.0 - erfc(fmin(fmax(ax, CD(1.0)), CD(7.0))), x);
	return SEL(isnan(x), x, SELD(ax < CD(1.0), r, far));
}

//@ erfc double
// Above 0.9: e^(-x^2) p((x-4)/(x+4)) / (1 + 2x) (M. M. Shepherd and J. G. Laframboise,
// Chebyshev approximation of (1 + 2x) exp(x^2) erfc x, Math. Comp. 36, 1981).
T lib_erfc(T x)
{
	D ax = fabs(x);
	L mid = (L)(ax < CD(0.9));
	D y = SELD(mid, CD(1.0), fmin(ax, CD(28.0)));
	D t = (y - 4.0) / (y + 4.0);
	D h = y * y;
	D r = lib_exp_dd(-h, -fma(y, y, -h)) * (POLY_erfc_d(t) / fma(y, CD(2.0), CD(1.0)));
	r = SELD(x < CD(0.0), 2.0 - r, r);
	D z = SELD(mid, x * x, CD(0.0));
	D near = 1.0 - fma(x * z, POLY_erf_d(z), x * 0x1.20dd750429b6dp+0);
	return SEL(isnan(x), x, SELD(mid, near, r));
}

//@ erf_near float
// erf x for |x| <= 1, as x * 2/sqrt(pi) + the result.
T lib_erf_near(T x) { return x * POLY_erf_s(x * x); }

//@ erf float
// Above 1 as 1 - 2^(log2 erfc x), the logarithm by a polynomial.
T lib_erf(T x)
{
	T ax = fabs(x);
	T y = fmin(ax, C(4.0f));
	T p = POLY_erfc_s(y);
	T b = p + 0x1.8000fep+23f;
	T r = p - (b - 0x1.8000fep+23f);
	T far = fma(-AS_T(AS_I(b) << 23), fma(r, POLY_exp2_s(r), C(1.0f)), C(1.0f));
	T near = fma(x, C(0x1.20dd76p+0f), lib_erf_near(x));
	return SEL(x == x, copysign(SEL(ax < C(1.0f), near, far), x), x);
}

//@ erfc float
// As for double.
T lib_erfc(T x)
{
	T ax = fabs(x);
	T y = fmin(ax, C(11.0f));
	T g = POLY_erfcx_s((y - 4.0f) / (y + 4.0f)) / fma(y, C(2.0f), C(1.0f));
	// 2^(-y^2 / ln 2) with the product to twice the precision.
	T h = y * y, hl = fma(y, y, -h);
	T p = h * -0x1.715476p+0f;
	T pl = fma(hl, C(-0x1.715476p+0f), fma(h, C(-0x1.4ae0cp-26f), fma(h, C(-0x1.715476p+0f), -p)));
	T b = p + 0x1.8001fcp+23f;
	T r = (p - (b - 0x1.8001fcp+23f)) + pl;
	T far = lib_scale2(fma(r, POLY_exp2_s(r), C(1.0f)) * g, AS_I(b));
	far = SEL(x < C(0.0f), 2.0f - far, far);
	T near = fma(x, C(-0x1.20dd76p+0f), 1.0f - lib_erf_near(x));
	return SEL(x == x, SEL(ax < C(0.5f), near, far), x);
}

//@ gamma_steps any
// For 0 < x < 8.5 (or x > -1/2): x = 2 + u + j with |u| <= 1/2, and in *product what
// gamma(2 + u) is to be multiplied with, in *below what it is to be divided by.
D lib_gamma_steps(D x, private D *product, private D *below)
{
	D p = CD(1.0), b = CD(1.0), y = x;
	for (int i = 0; i < 7; i++) {
		L more = (L)(y > CD(2.5));
		y = SELD(more, y - 1.0, y);
		p = SELD(more, p * y, p);
	}
	// Below 3/2: gamma(x) = gamma(x + 1) / x, twice below 1/2. u stays exact.
	D u = y - 2.0;
	L one = (L)(x < CD(1.5)), two = (L)(x < CD(0.5));
	b = SELD(one, x, b);
	u = SELD(one, x - 1.0, u);
	b = SELD(two, x * (x + 1.0), b);
	u = SELD(two, x, u);
	*product = p;
	*below = b;
	return u;
}

//@ stirling any
// log(gamma(x)) for x >= 8 as a sum of two numbers: (x - 1/2) ln x - x + ln(2 pi)/2 + ...
D lib_stirling(D x, private D *lo)
{
	D l;
	D h = lib_ln_dd(x, &l);
	D a = x - 0.5;
	D p = a * h;
	D pl = fma(a, h, -p) + a * l + (-0.5 - (a - x)) * h;
	D s = p - x;
	D sl = ((p - s) - x) + pl;
	D c = 0x1.d67f1c864beb5p-1;
	D t = s + c;
	D rc = 1.0 / x;
	D w = rc * rc;
	D b = t - s;
	sl += ((s - (t - b)) + (c - b)) - 0x1.65b5a1b7ff5dfp-55 + rc * POLY_stirling(w);
	D r = t + sl;
	*lo = (t - r) + sl;
	return r;
}

//@ tgamma double
T lib_tgamma(T x)
{
	// Below -1/2: gamma(x) = -pi / (x sin(pi x) gamma(-x)).
	L reflect = (L)(x < CD(-0.5));
	D y = SELD(reflect, -x, x);
	L big = (L)(y > CD(8.5));
	D p, b;
	D u = lib_gamma_steps(SELD(big, CD(2.0), y), &p, &b);
	D near = p / (b * POLY_rgamma(u));
	D l;
	D e = lib_stirling(SELD(big, fmin(y, CD(200.0)), CD(9.0)), &l);
	// 1/gamma where reflected: e^-e, which does not overflow.
	// In two factors, so that it does not underflow either where s is large.
	D far = lib_exp_dd(SELD(reflect, CD(-0.5), CD(0.5)) * e, SELD(reflect, CD(-0.5), CD(0.5)) * l);
	D s = -0x1.921fb54442d18p+1 / (x * sinpi(x));
	D r = SELD(big, SELD(reflect, far * s, far) * far, SELD(reflect, s / near, near));
	r = SELD(x > CD(171.7), CD(INFINITY), r);
	r = SELD(reflect & (L)(x == floor(x)), CD(NAN), r);
	// Below -184.. all values round to 0; their sign alternates.
	L odd = (L)(floor(x) * 0.5 != floor(floor(x) * 0.5));
	r = SELD(reflect & (L)(x < CD(-190.0)) & (L)(x != floor(x)), SELD(odd, CD(-0.0), CD(0.0)), r);
	r = SELD(x == CD(0.0), copysign(CD(INFINITY), x), r);
	return SELD(x != x, x, r);
}

//@ quotient_single float
// (n + nl) / (d + dl), nearly rounded.
T lib_quotient_single(T n, T nl, T d, T dl)
{
	T rc = 1.0f / d;
	T q = n * rc;
	return fma(fma(-q, d, n) + (nl - q * dl), rc, q);
}

//@ rgamma_single float
// 1 / gamma(1 + t) for |t| <= 1/2 as a sum of two numbers.
T lib_rgamma_single(T t, private T *lo)
{
	T q = POLY_rgamma_s(t);
	T r = fma(t, q, C(1.0f));
	*lo = fma(t, q, 1.0f - r);
	return r;
}

//@ tgamma float
// By 1 / gamma(1 + t), |t| <= 1/2, between -1/2 and 5/2; gamma(x) = gamma(x + 1) / x below
// 1/2, (x - 1) gamma(x - 1) from 3/2 on.
T lib_tgamma(T x)
{
	I reflect = (I)(x < C(-0.5f));
	T y = SEL(reflect, -x, x);
	I low = (I)(y < C(0.5f)), high = (I)(y >= C(1.5f));
	T rl, r = lib_rgamma_single(y - SEL(high, C(2.0f), SEL(low, C(0.0f), C(1.0f))), &rl);
	T p = SEL(high, y - 1.0f, C(1.0f));
	T d = SEL(low, y * r, r), dl = SEL(low, fma(y, r, -d) + y * rl, rl);
	T g = SEL(fabs(y) < C(0x1p-100f), 1.0f / y, lib_quotient_single(p, C(0.0f), d, dl));
	I near = (I)(x >= C(-0.5f)) & (I)(x < C(2.5f));
	if (ANY(!near))
		g = SEL(near, g, lib_tgamma_far(x, reflect, p, r, rl));
	return g;
}

//@ tgamma_far float
// gamma(x) for x >= 5/2 by Stirling's series and, where that is to be reflected, below -1/2,
// as pi / (|x| sin(pi x) gamma(|x|)); below 5/2 gamma(|x|) is p / (r + rl).
T lib_tgamma_far(T x, I reflect, T p, T r, T rl)
{
	// log2 gamma(y) = (y - 1/2) log2 y - y log2 e + log2(2 pi)/2 + ...; above 45 it is too large.
	T ax = fabs(x), y = fmin(fmax(ax, C(2.5f)), C(45.0f));
	T l, h = lib_log2_pair(y, &l);
	T a = y - 0.5f;
	T b = a * h, c = y * 0x1.715476p+0f;
	T s = b - c, e = s - b;
	T w = 1.0f / y;
	T sl = ((b - (s - e)) - (c + e)) + ((fma(a, h, -b) + a * l) - (fma(y, C(0x1.715476p+0f), -c) + y * 0x1.4ae0cp-26f)) +
		fma(w, POLY_stirling2_s(w * w), C(-0x1.6ce442p-26f));
	T sign = SEL(reflect, C(-1.0f), C(1.0f)), k = sign * 0x1.53643ap+0f;
	s *= sign;
	sl *= sign;
	T m = (s + k) + sl + 0x1.8p+23f;
	T u = ((s - (m - 0x1.8p+23f)) + k) + sl;
	T v = POLY_exp2_s(u);
	T f = fma(u, v, C(1.0f)), fl = fma(u, v, 1.0f - f);
	I exponent = AS_I(m) + 254;
	T above = SEL(x > C(35.05f), C(INFINITY), lib_scale2(f, exponent));
	// |x| sin(pi t) / pi, with the product y (y - 1) in its place below 5/2.
	I big = (I)(ax >= C(2.5f));
	T t = x - rint(x);
	T g = SEL(big, y, ax * p), gl = SEL(big, C(0.0f), fma(ax, p, -g));
	T d = g * t, z = t * t;
	T dz = fma(d, z * POLY_sinc_s(z), fma(g, t, -d) + gl * t);
	T q = d + dz;
	T below = lib_quotient_single(SEL(big, f, r), SEL(big, fl, rl), q, (d - q) + dz);
	below = SEL(big, lib_scale2(below, exponent), below);
	T half_n = 0.5f * rint(x);
	below = SEL(rint(half_n) != half_n, -below, below);
	below = SEL(t == C(0.0f), C(NAN), below);
	T result = SEL(reflect, below, above);
	return SEL(x == x, result, x);
}

//@ lgamma_abs any
// log |gamma(x)|.
D lib_lgamma_abs(D x)
{
	D y = fabs(x);
	L big = (L)(y > CD(8.5));
	D p, b;
	D u = lib_gamma_steps(SELD(big, CD(2.0), y), &p, &b);
	D q = log(p * b); // one of them is 1
	D near = fma(u, POLY_lgamma(u), SELD(b != CD(1.0), -q, q));
	D l;
	D e = lib_stirling(SELD(big, fmin(y, CD(0x1p1000)), CD(9.0)), &l);
	D r = SELD(big, e, near);
	r = SELD(y > CD(0x1p500), y * (log(y) - 1.0), r);
	// log(pi / |x sin(pi x)|) - lgamma(-x)
	D s = fabs(sinpi(x)) * y;
	D n = log(0x1.921fb54442d18p+1 / s) - r;
	r = SELD(x < CD(0.0), n, r);
	r = SELD((L)(x <= CD(0.0)) & (L)(x == floor(x)), CD(INFINITY), r);
	r = SELD(y < CD(0x1p-60), -log(y), r);
	r = SELD(y == CD(INFINITY), CD(INFINITY), r);
	return SELD(x != x, x, r);
}

//@ lgamma double
T lib_lgamma(T x) { return lib_lgamma_abs(x); }

//@ lgamma_r double
T lib_lgamma_r(T x, SPACE N *signp)
{
	D f = floor(x);
	L odd = (L)(0.5 * f != floor(0.5 * f));
	L negative = (L)(x < CD(0.0)) & odd;
	L pole = (L)(x <= CD(0.0)) & (L)(x == f);
	L sign = select(select((L)(1), (L)(-1), negative), (L)(0), pole);
	*signp = TO_N(sign);
	return lib_lgamma_abs(x);
}

//@ lgamma_single float
// log |gamma(x)|: u v q(v) for x = 1 + u = 2 + v in [1, 3], from there by log gamma(x+1) = log x
// + log gamma(x) down to 0, by Stirling's series upwards, below 0 by reflection.
T lib_lgamma_single(T x)
{
	T a = fabs(x);
	I below = (I)(a < C(1.0f));
	T u = SEL(below, a, a - 1.0f), v = u - 1.0f;
	T near = fma(u * v, POLY_lgamma_s(v), C(0.0f)); // +0 at 1 and 2
	T c = SEL((I)(a >= C(0x1p-40f)) & (I)(a < C(INFINITY)), a, C(1.0f));
	T l = lib_log_positive(c);
	T w = 1.0f / c;
	T far = fma(c - 0.5f, l - 1.0f, fma(w, POLY_stirling_s(w * w), C(0x1.acfe3ap-2f)));
	T r = SEL(a < C(3.0f), SEL(below, near - l, near), far);
	if (ANY(!((x >= C(0x1p-40f)) & (x < C(INFINITY))))) {
		I tiny = (I)(a < C(0x1p-40f));
		r = SEL(tiny, 0x1.62e43p+5f - lib_log_positive(a * 0x1p64f), r); // -log a
		r = SEL(a == C(0.0f), C(INFINITY), r);
		r = SEL(a < C(INFINITY), r, a);
		// log(pi / |x sin(pi x)|) - log gamma(-x)
		T t = fabs(x - rint(x));
		T s = t * POLY_sinpi_s(t * t) * a;
		T m = lib_log_positive(0x1.921fb6p+1f / fmax(s, C(0x1p-100f))) - r;
		m = SEL((I)(t == C(0.0f)) | (I)(a > C(0x1p23f)), C(INFINITY), m);
		r = SEL((I)(x < C(0.0f)) & ~tiny, m, r);
		r = SEL(x == x, r, x);
	}
	return r;
}

//@ lgamma float
T lib_lgamma(T x) { return lib_lgamma_single(x); }

//@ lgamma_r float
T lib_lgamma_r(T x, SPACE N *signp)
{
	T f = floor(x);
	I odd = (I)(0.5f * f != floor(0.5f * f));
	I pole = (I)(x <= C(0.0f)) & (I)(x == f);
	I sign = select((I)(1), (I)(-1), (I)(x < C(0.0f)) & odd);
	*signp = select(sign, (I)(0), pole);
	return lib_lgamma_single(x);
}
