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

//@ atan_single any
// atan(n / d) for 0 <= n <= d to about 2^-35.
D lib_atan_single(D n, D d)
{
	L big = (L)(n > d * 0.41421356237309503);
	D t = SELD(big, n - d, n) / SELD(big, n + d, d);
	D z = t * t;
	return SELD(big, CD(0x1.921fb54442d18p-1), CD(0.0)) + fma(z * t, POLY_atan_f(z), t);
}

//@ atan float
T lib_atan(T x)
{
	D ax = TO_D(fabs(x));
	L inv = (L)(ax > CD(1.0));
	D inf = SELD(ax == CD(INFINITY), CD(0x1p300), ax);
	D r = lib_atan_single(SELD(inv, CD(1.0), ax), SELD(inv, inf, CD(1.0)));
	return copysign(TO_T(SELD(inv, 0x1.921fb54442d18p+0 - r, r)), x);
}

//@ atan2 float
T lib_atan2(T y, T x)
{
	D ay = TO_D(fabs(y)), ax = TO_D(fabs(x));
	L swap = (L)(ay > ax);
	D n = SELD(swap, ax, ay), d = SELD(swap, ay, ax);
	L inf = (L)(d == CD(INFINITY));
	n = SELD(inf, SELD(n == d, CD(1.0), CD(0.0)), n);
	d = SELD(inf | (L)(d == CD(0.0)), CD(1.0), d);
	D r = lib_atan_single(n, d);
	r = SELD(swap, 0x1.921fb54442d18p+0 - r, r);
	r = SELD(AS_L(TO_D(x)) < (L)(0), 0x1.921fb54442d18p+1 - r, r);
	return SEL(isunordered(x, y), x + y, copysign(TO_T(r), y));
}

//@ asin_single any
// asin |x| for |x| <= 1/2, or asin(sqrt((1 - |x|)/2)).
D lib_asin_single(D ax, L big)
{
	D z = SELD(big, 0.5 - 0.5 * ax, ax * ax);
	D s = SELD(big, sqrt(z), ax);
	return fma(s * z, POLY_asin_f(z), s);
}

//@ asin float
T lib_asin(T x)
{
	D ax = TO_D(fabs(x));
	L big = (L)(ax > CD(0.5));
	D r = lib_asin_single(ax, big);
	return copysign(TO_T(SELD(big, fma(r, CD(-2.0), CD(0x1.921fb54442d18p+0)), r)), x);
}

//@ acos float
T lib_acos(T x)
{
	D y = TO_D(x), ax = fabs(y);
	L big = (L)(ax > CD(0.5));
	D r = copysign(lib_asin_single(ax, big), y);
	D far = SELD(y < CD(0.0), fma(r, CD(2.0), CD(0x1.921fb54442d18p+1)), 2.0 * r);
	return TO_T(SELD(big, far, 0x1.921fb54442d18p+0 - r));
}
