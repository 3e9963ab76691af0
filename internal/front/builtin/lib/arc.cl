// Inverse trigonometric functions.

//@ atan_ratio any
// atan(n / d) for 0 <= n <= d as a sum of two numbers: above tan(pi/8) as
// pi/4 + atan((n - d) / (n + d)).
D lib_atan_ratio(D n, D d, private D *lo)
{
	L big = (L)(n > d * 0.41421356237309503);
	D sub = SELD(big, d, CD(0.0)), add = SELD(big, n, CD(0.0));
	D a = n - sub;
	D b = n - a;
	D al = (n - (a + b)) + (b - sub);
	D e = d + add;
	D el = (d - e) + add;
	D rc = 1.0 / e;
	D t = a * rc;
	D tl = (fma(-t, e, a) + (al - t * el)) * rc;
	D z = t * t;
	D p = fma(z * t, POLY_atan_d(z), tl - tl * z);
	D base = SELD(big, CD(0x1.921fb54442d18p-1), CD(0.0));
	D h = base + t;
	*lo = ((base - h) + t) + (p + SELD(big, CD(0x1.1a62633145c07p-55), CD(0.0)));
	return h;
}

//@ over_pi any
// (h + l) / pi.
D lib_over_pi(D h, D l)
{
	D s = h + l;
	l = (h - s) + l;
	D p = s * 0x1.45f306dc9c883p-2;
	return p + (fma(s, CD(0x1.45f306dc9c883p-2), -p) + fma(s, CD(-0x1.6b01ec5417056p-56), l * 0x1.45f306dc9c883p-2));
}

//@ atan_dd any
// atan |x| as a sum of two numbers.
D lib_atan_dd(D x, private D *lo)
{
	D ax = fmin(fabs(x), CD(0x1p100));
	L inv = (L)(ax > CD(1.0));
	D l;
	D h = lib_atan_ratio(SELD(inv, CD(1.0), ax), SELD(inv, ax, CD(1.0)), &l);
	D c = SELD(inv, CD(0x1.921fb54442d18p+0), CD(0.0));
	D g = SELD(inv, -h, h);
	D s = c + g;
	*lo = ((c - s) + g) + SELD(inv, 0x1.1a62633145c07p-54 - l, l);
	return s;
}

//@ atan double
T lib_atan(T x)
{
	D l;
	D h = lib_atan_dd(x, &l);
	return SEL(isnan(x), x, copysign(h + l, x));
}

//@ atanpi double
T lib_atanpi(T x)
{
	D l;
	D h = lib_atan_dd(x, &l);
	return SEL(isnan(x), x, copysign(lib_over_pi(h, l), x));
}

//@ atan2_parts any
// atan2(y, x) is the sign of y times (c pi/2 +- (h + l)); returns h, negated where it is
// subtracted, and c = 0, 1 or 2.
D lib_atan2_parts(D y, D x, private D *lo, private D *c)
{
	D ay = fabs(y), ax = fabs(x);
	L swap = (L)(ay > ax);
	D n = SELD(swap, ax, ay), d = SELD(swap, ay, ax);
	// Keep 1/d and 1/(n + d) in range; infinities and zeros become a plain ratio.
	D scale = SELD(d > CD(0x1p900), CD(0x1p-200), SELD(d < CD(0x1p-900), CD(0x1p200), CD(1.0)));
	L inf = (L)(d == CD(INFINITY));
	n = SELD(inf, SELD(n == CD(INFINITY), CD(1.0), CD(0.0)), n * scale);
	d = SELD(inf | (L)(d == CD(0.0)), CD(1.0), d * scale);
	D l;
	D h = lib_atan_ratio(n, d, &l);
	L left = (L)(AS_L(x) < (L)(0));
	*c = SELD(swap, CD(1.0), SELD(left, CD(2.0), CD(0.0)));
	D sign = SELD((L)(swap != left), CD(-1.0), CD(1.0));
	*lo = l * sign;
	return h * sign;
}

//@ atan2 double
T lib_atan2(T y, T x)
{
	D l, c;
	D h = lib_atan2_parts(y, x, &l, &c);
	D b = c * 0x1.921fb54442d18p+0;
	D s = b + h;
	l = ((b - s) + h) + fma(c, CD(0x1.1a62633145c07p-54), l);
	return SEL(isunordered(x, y), x + y, copysign(s + l, y));
}

//@ atan2pi double
T lib_atan2pi(T y, T x)
{
	D l, c;
	D h = lib_atan2_parts(y, x, &l, &c);
	return SEL(isunordered(x, y), x + y, copysign(fma(c, CD(0.5), lib_over_pi(h, l)), y));
}

//@ asin_dd any
// asin x as a sum of two numbers; above 1/2 as pi/2 - 2 asin(sqrt((1 - x)/2)).
// With acos, pi/2 - asin x, or 2 asin(sqrt(...)) directly for x > 1/2.
D lib_asin_dd(D x, int acos, private D *lo)
{
	D ax = fabs(x);
	L big = (L)(ax > CD(0.5));
	D z = SELD(big, 0.5 - 0.5 * ax, x * x);
	D s = SELD(big, sqrt(z), ax);
	D sl = SELD(big & (L)(s > CD(0.0)), fma(-s, s, z) / (2.0 * s), CD(0.0));
	D t = fma(s * z, POLY_asin_d(z), sl);
	// asin |x| = c + f (s + t)
	D c = SELD(big, CD(0x1.921fb54442d18p+0), CD(0.0));
	D cl = SELD(big, CD(0x1.1a62633145c07p-54), CD(0.0));
	D f = SELD(big, CD(-2.0), CD(1.0));
	if (acos) {
		// pi/2 - asin x: for x > 1/2 the two pi/2 cancel.
		L neg = (L)(x < CD(0.0));
		f = SELD(neg, f, -f);
		c = SELD(big, SELD(neg, CD(0x1.921fb54442d18p+1), CD(0.0)), CD(0x1.921fb54442d18p+0));
		cl = SELD(big, SELD(neg, CD(0x1.1a62633145c07p-53), CD(0.0)), CD(0x1.1a62633145c07p-54));
	}
	s *= f;
	t = fma(f, t, cl);
	D h = c + s;
	*lo = ((c - h) + s) + t;
	return h;
}

//@ asin double
T lib_asin(T x)
{
	D l;
	D h = lib_asin_dd(x, 0, &l);
	return copysign(h + l, x);
}

//@ asinpi double
T lib_asinpi(T x)
{
	D l;
	D h = lib_asin_dd(x, 0, &l);
	return copysign(lib_over_pi(h, l), x);
}

//@ acos double
T lib_acos(T x)
{
	D l;
	D h = lib_asin_dd(x, 1, &l);
	return h + l;
}

//@ acospi double
T lib_acospi(T x)
{
	D l;
	D h = lib_asin_dd(x, 1, &l);
	return lib_over_pi(h, l);
}

//@ atan_unit float
// atan(t + tl) for 0 <= t <= 1 as t + *lo.
T lib_atan_unit(T t, T tl, private T *lo)
{
	T z = t * t, c = t * z;
	T p = POLY_atan_s(z);
	// With the rounding error of c, and tl times the derivative 1 / (1 + z), nearly.
	*lo = fma(c, p, fma(fma(t, z, -c), p, tl * fma(z, C(-0.5f), C(1.0f))));
	return t;
}

//@ atan float
T lib_atan(T x)
{
	T ax = fabs(x);
	I inv = (I)(ax > C(1.0f));
	T i = 1.0f / ax;
	T l;
	T t = lib_atan_unit(SEL(inv, i, ax), SEL(inv, fma(-i, ax, C(1.0f)) * i, C(0.0f)), &l);
	T s = 0x1.921fb6p+0f - t; // pi/2 - (t + l)
	T far = s + (((0x1.921fb6p+0f - s) - t) + (-0x1.777a5cp-25f - l));
	return copysign(SEL(inv, SEL(ax > C(0x1p30f), C(0x1.921fb6p+0f), far), t + l), x);
}

//@ atan2_quadrant float
// atan2(y, x) is the sign of y times (c pi/2 +- (h + l)); returns h, negated where it is
// subtracted, and c = 0, 1 or 2.
T lib_atan2_quadrant(T y, T x, private T *lo, private T *c)
{
	T ay = fabs(y), ax = fabs(x);
	I swap = (I)(ay > ax);
	T n = SEL(swap, ax, ay), d = SEL(swap, ay, ax);
	// Keep 1/d in range; infinities and zeros become a plain ratio.
	T scale = SEL(d > C(0x1p120f), C(0x1p-20f), SEL(d < C(0x1p-100f), C(0x1p40f), C(1.0f)));
	I inf = (I)(d == C(INFINITY));
	n = SEL(inf, SEL(n == C(INFINITY), C(1.0f), C(0.0f)), n * scale);
	d = SEL(inf | (I)(d == C(0.0f)), C(1.0f), d * scale);
	T rc = 1.0f / d;
	T t = n * rc;
	T l;
	T h = lib_atan_unit(t, fma(-t, d, n) * rc, &l);
	I left = (I)(AS_I(x) < (I)(0));
	*c = SEL(swap, C(1.0f), SEL(left, C(2.0f), C(0.0f)));
	I minus = swap ^ left;
	*lo = SEL(minus, -l, l);
	return SEL(minus, -h, h);
}

//@ atan2 float
T lib_atan2(T y, T x)
{
	T l, c;
	T h = lib_atan2_quadrant(y, x, &l, &c);
	T b = c * 0x1.921fb6p+0f;
	T s = b + h;
	T r = s + (((b - s) + h) + fma(c, C(-0x1.777a5cp-25f), l));
	return SEL((I)(x != x) | (I)(y != y), x + y, copysign(r, y));
}

//@ over_pi_single float
// c + (h + l) / pi.
T lib_over_pi_single(T c, T h, T l)
{
	T p = h * 0x1.45f306p-2f;
	T pl = fma(l, C(0x1.45f306p-2f), fma(h, C(0x1.b9391p-27f), fma(h, C(0x1.45f306p-2f), -p)));
	T s = c + p;
	return s + (((c - s) + p) + pl);
}

//@ atanpi float
T lib_atanpi(T x)
{
	T l, c;
	T h = lib_atan2_quadrant(x, C(1.0f), &l, &c);
	return SEL(x == x, copysign(lib_over_pi_single(0.5f * c, h, l), x), x);
}

//@ atan2pi float
T lib_atan2pi(T y, T x)
{
	T l, c;
	T h = lib_atan2_quadrant(y, x, &l, &c);
	T r = lib_over_pi_single(0.5f * c, h, l);
	return SEL((I)(x != x) | (I)(y != y), x + y, copysign(r, y));
}

//@ asin_reduced float
// asin |x| for |x| <= 1/2, or asin(sqrt((1 - |x|)/2)), as a sum of two numbers.
T lib_asin_reduced(T ax, I big, private T *lo)
{
	T z = SEL(big, fma(ax, C(-0.5f), C(0.5f)), ax * ax);
	T r = sqrt(z);
	T s = SEL(big, r, ax);
	T sl = SEL(big & (I)(r > C(0.0f)), fma(-r, r, z) * 0.5f / r, C(0.0f));
	*lo = fma(s * z, POLY_asin_s(z), sl);
	return s;
}

//@ asin_parts float
// asin |x| as a sum of two numbers.
T lib_asin_parts(T ax, private T *lo)
{
	I big = (I)(ax > C(0.5f));
	T l;
	T h = lib_asin_reduced(ax, big, &l);
	T a = -2.0f * h;
	T s = 0x1.921fb6p+0f + a;
	*lo = SEL(big, ((0x1.921fb6p+0f - s) + a) + fma(l, C(-2.0f), C(-0x1.777a5cp-25f)), l);
	return SEL(big, s, h);
}

//@ acos_parts float
// acos x as a sum of two numbers.
T lib_acos_parts(T x, private T *lo)
{
	T ax = fabs(x);
	I big = (I)(ax > C(0.5f)), neg = (I)(x < C(0.0f));
	T l;
	T h = lib_asin_reduced(ax, big, &l);
	// c + f (h + l): 2 asin for x > 1/2, pi - 2 asin for x < -1/2, else pi/2 - asin x.
	T f = SEL(big, C(2.0f), C(1.0f));
	f = SEL((I)(big == neg), -f, f);
	T c = SEL(big, SEL(neg, C(0x1.921fb6p+1f), C(0.0f)), C(0x1.921fb6p+0f));
	T a = f * h;
	T s = c + a;
	*lo = ((c - s) + a) + fma(f, l, c * -0x1.ddcf98p-26f);
	return s;
}

//@ asin float
T lib_asin(T x)
{
	T l;
	T h = lib_asin_parts(fabs(x), &l);
	return copysign(h + l, x);
}

//@ asinpi float
T lib_asinpi(T x)
{
	T l;
	T h = lib_asin_parts(fabs(x), &l);
	return copysign(lib_over_pi_single(C(0.0f), h, l), x);
}

//@ acos float
T lib_acos(T x)
{
	T l;
	T h = lib_acos_parts(x, &l);
	return h + l;
}

//@ acospi float
T lib_acospi(T x)
{
	T l;
	T h = lib_acos_parts(x, &l);
	return lib_over_pi_single(C(0.0f), h, l);
}
