// Logarithms. x = 2^k m with sqrt(1/2) <= m < sqrt(2); log m = log((1+s)/(1-s)) with
// s = (m - 1) / (m + 1) (W. J. Cody; P. T. P. Tang, Table-driven implementation of the
// logarithm function, 1990, gives the error analysis of the sum).

//@ split any
// m and k for a positive normal x.
D lib_split(D x, private L *k)
{
	L i = AS_L(x) - 0x3fe6a09e667f3bcdL;
	*k = i >> 52;
	return AS_D((i & 0xfffffffffffffL) + 0x3fe6a09e667f3bcdL);
}

//@ split_any any
// m and k for any positive x.
D lib_split_any(D x, private L *k)
{
	L n;
	L sub = (L)(x < CD(0x1p-1022));
	D m = lib_split(SELD(sub, x * 0x1p54, x), &n);
	*k = n - select((L)(0), (L)(54), sub);
	return m;
}

//@ log_special any
// r, or the logarithm's value of an argument that is not positive and finite.
D lib_log_special(D x, D r)
{
	r = SELD(x == CD(INFINITY), x, r);
	r = SELD(x == CD(0.0), CD(-INFINITY), r);
	return SELD(x >= CD(0.0), r, CD(NAN));
}

//@ log_sum any
// k ln 2 + log(1 + f) + c.
D lib_log_sum(L k, D f, D c)
{
	D kd = TO_D(k);
	D s = f / (2.0 + f);
	D z = s * s;
	D h = 0.5 * f * f;
	D r = z * POLY_log_d(z);
	return fma(kd, CD(0x1.62e42fefa3000p-1), -((h - (s * (h + r) + fma(kd, CD(0x1.3de6af278ece6p-42), c))) - f));
}

//@ log double
T lib_log(T x)
{
	L k;
	D m = lib_split_any(x, &k);
	return lib_log_special(x, lib_log_sum(k, m - 1.0, CD(0.0)));
}

//@ log1p double
T lib_log1p(T x)
{
	D u = 1.0 + x;
	D b = u - 1.0;
	D c = (1.0 - (u - b)) + (x - b); // 1 + x = u + c
	L k;
	D m = lib_split(u, &k);
	D r = lib_log_special(u, lib_log_sum(k, m - 1.0, c / u));
	return SELD(fabs(x) < CD(0x1p-54), x, r);
}

//@ log_dd any
// log m as a sum of two numbers, relative error about 2^-63; x > 0.
D lib_log_dd(D x, private L *k, private D *lo)
{
	D m = lib_split_any(x, k);
	D f = m - 1.0;
	D d = m + 1.0;
	D b = d - 1.0;
	D dl = (1.0 - (d - b)) + (m - b);
	D rc = 1.0 / d;
	D s = f * rc;
	D sl = (fma(-s, d, f) - s * dl) * rc;
	D z = s * s;
	D zl = fma(s, s, -z) + 2.0 * s * sl;
	D w = z * POLY_log_dd(z);
	D t = 0x1.5555555555555p-1 + w;
	D tl = (0x1.5555555555555p-1 - t) + w + 0x1.5555555555555p-55;
	D u = z * t;
	D ul = fma(z, t, -u) + fma(z, tl, zl * t);
	D v = s * u;
	D vl = fma(s, u, -v) + fma(s, ul, sl * u);
	D a = 2.0 * s;
	D h = a + v;
	*lo = (a - h) + v + (vl + 2.0 * sl);
	return h;
}

//@ ln_dd any
// log x as a sum of two numbers.
D lib_ln_dd(D x, private D *lo)
{
	L k;
	D l;
	D h = lib_log_dd(x, &k, &l);
	D kd = TO_D(k);
	D a = kd * 0x1.62e42fefa3000p-1;
	D s = a + h;
	D t = ((a - s) + h) + fma(kd, CD(0x1.3de6af278ece6p-42), l);
	D r = s + t;
	*lo = (s - r) + t;
	return r;
}

//@ log2 double
T lib_log2(T x)
{
	L k;
	D l;
	D h = lib_log_dd(x, &k, &l);
	D p = h * 0x1.71547652b82fep+0;
	D pl = fma(h, CD(0x1.71547652b82fep+0), -p) + fma(h, CD(0x1.777d0ffda0d24p-56), l * 0x1.71547652b82fep+0);
	D kd = TO_D(k);
	D s = kd + p;
	return lib_log_special(x, s + (((kd - s) + p) + pl));
}

//@ log10 double
T lib_log10(T x)
{
	L k;
	D l;
	D h = lib_log_dd(x, &k, &l);
	D p = h * 0x1.bcb7b1526e50ep-2;
	D pl = fma(h, CD(0x1.bcb7b1526e50ep-2), -p) + fma(h, CD(0x1.95355baaafad3p-57), l * 0x1.bcb7b1526e50ep-2);
	D kd = TO_D(k);
	D a = kd * 0x1.34413509f7000p-2;
	D s = a + p;
	return lib_log_special(x, s + (((a - s) + p) + fma(kd, CD(0x1.3fde623e2566bp-43), pl)));
}

// In float the polynomial is in f = m - 1, and the sum with k ln 2 and its rounding error
// are kept.

//@ split_single float
// m and k for a positive x.
T lib_split_single(T x, private T *k)
{
	I sub = (I)(x < C(0x1p-126f));
	x = SEL(sub, x * 0x1p23f, x);
	I i = AS_I(x) - 0x3f3504f3;
	*k = TO_T(i >> 23) - SEL(sub, C(23.0f), C(0.0f));
	return AS_T((i & 0x7fffff) + 0x3f3504f3);
}

//@ log_result float
// r, or the logarithm's value of an argument that is not positive and finite.
T lib_log_result(T x, T r)
{
	r = SEL(x > C(0.0f), r, SEL(x == C(0.0f), C(-INFINITY), C(NAN)));
	return SEL(x < C(INFINITY), r, x);
}

//@ log_sum_single float
// k ln 2 + log(1 + f).
T lib_log_sum_single(T k, T f)
{
	T a = k * 0x1.62e4p-1f; // exact
	T s = a + f;
	return s + (((a - s) + f) + fma(f * f, POLY_log_s(f), k * 0x1.7f7d1cp-20f));
}

//@ split_normal float
// The same for a normal x.
T lib_split_normal(T x, private T *k)
{
	I i = AS_I(x) - 0x3f3504f3;
	*k = TO_T(i >> 23);
	return AS_T((i & 0x7fffff) + 0x3f3504f3);
}

//@ log_positive float
// log x of a normal, positive, finite x.
T lib_log_positive(T x)
{
	T k, m = lib_split_normal(x, &k);
	return lib_log_sum_single(k, m - 1.0f);
}

//@ log float
T lib_log(T x)
{
	T r = lib_log_positive(x);
	if (lib_log_special(x)) {
		T k;
		T f = lib_split_single(x, &k) - 1.0f;
		r = lib_log_result(x, lib_log_sum_single(k, f));
	}
	return r;
}

//@ log_special float
// Whether a component is not normal, positive and finite.
#define lib_log_special(x) ANY(AS_U(x) - (U)(0x800000) >= (U)(0x7f000000))

//@ log2_sum_single float
// k + log2(1 + f).
T lib_log2_sum_single(T k, T f)
{
	T p = f * 0x1.715476p+0f;
	T l = fma(f * f, POLY_log2_s(f), fma(f, C(0x1.4ae0cp-26f), fma(f, C(0x1.715476p+0f), -p)));
	T s = k + p;
	return s + (((k - s) + p) + l);
}

//@ log2 float
T lib_log2(T x)
{
	T k, m = lib_split_normal(x, &k);
	T r = lib_log2_sum_single(k, m - 1.0f);
	if (lib_log_special(x)) {
		m = lib_split_single(x, &k);
		r = lib_log_result(x, lib_log2_sum_single(k, m - 1.0f));
	}
	return r;
}

//@ log10_sum_single float
// k log10(2) + log10(1 + f).
T lib_log10_sum_single(T k, T f)
{
	T p = f * 0x1.bcb7b2p-2f;
	T l = fma(f, C(-0x1.5b235ep-27f), fma(f, C(0x1.bcb7b2p-2f), -p));
	l = fma(f * f, POLY_log10_s(f), fma(k, C(0x1.3509f8p-18f), l));
	T a = k * 0x1.344p-2f; // exact
	T s = a + p;
	return s + (((a - s) + p) + l);
}

//@ log10 float
T lib_log10(T x)
{
	T k, m = lib_split_normal(x, &k);
	T r = lib_log10_sum_single(k, m - 1.0f);
	if (lib_log_special(x)) {
		m = lib_split_single(x, &k);
		r = lib_log_result(x, lib_log10_sum_single(k, m - 1.0f));
	}
	return r;
}

//@ log1p float
T lib_log1p(T x)
{
	T u = 1.0f + x;
	T b = u - 1.0f;
	T c = SEL(x > C(1.0f), 1.0f - (u - x), x - b); // 1 + x = u + c
	I i = AS_I(u) - 0x3f3504f3;
	I k = i >> 23;
	T m = AS_T((i & 0x7fffff) + 0x3f3504f3);
	T f = fma(c, AS_T(max(127 - k, (I)(0)) << 23), m - 1.0f);
	T r = lib_log_result(u, lib_log_sum_single(TO_T(k), f));
	return SEL(fabs(x) < C(0x1p-25f), x, r);
}
