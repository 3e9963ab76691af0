// Functions on the parts of a number, and exact remainders.

//@ ldexp float
T lib_ldexp(T x, N k)
{
	// Every product is a normal double, so it is rounded once.
	L n = TO_L(min(max(k, (N)(-400)), (N)(400)));
	return TO_T(TO_D(x) * AS_D((n + 1023) << 52));
}

//@ ldexp double
T lib_ldexp(T x, N k)
{
	L n = TO_L(min(max(k, (N)(-2200)), (N)(2200)));
	// x = m 2^e with 1 <= |m| < 2; m 2^(e+k) is rounded once.
	L sub = (L)(fabs(x) < CD(0x1p-1022));
	L b = AS_L(SELD(sub, x * 0x1p54, x));
	L e = ((b >> 52) & 0x7ff) - 1023 - select((L)(0), (L)(54), sub) + n;
	e = min(max(e, (L)(-1100)), (L)(1100));
	L h = e >> 1;
	D m = AS_D((b & ~0x7ff0000000000000L) | 0x3ff0000000000000L);
	D r = m * AS_D((h + 1023) << 52) * AS_D((e - h + 1023) << 52);
	return SEL(isfinite(x) & (I)(x != C(0)), r, x);
}

//@ ldexp_scalar float double
T lib_ldexp_scalar(T x, int k) { return lib_ldexp(x, (N)(k)); }

//@ exponent any
// floor(log2 |x|) for finite x other than 0.
L lib_exponent(D x)
{
	L sub = (L)(fabs(x) < CD(0x1p-1022));
	L b = AS_L(SELD(sub, x * 0x1p54, x));
	return ((b >> 52) & 0x7ff) - 1023 - select((L)(0), (L)(54), sub);
}

//@ frexp double
T lib_frexp(T x, SPACE N *exp)
{
	L sub = (L)(fabs(x) < CD(0x1p-1022));
	D y = SELD(sub, x * 0x1p54, x);
	L b = AS_L(y);
	L plain = (L)(isfinite(x) & (I)(x != C(0)));
	L e = ((b >> 52) & 0x7ff) - 1022 - select((L)(0), (L)(54), sub);
	*exp = TO_N(select((L)(0), e, plain));
	return SELD(plain, AS_D((b & ~0x7ff0000000000000L) | 0x3fe0000000000000L), x);
}

//@ ilogb double
N lib_ilogb(T x)
{
	L e = lib_exponent(x);
	e = select(e, (L)(-0x80000000L), (L)(x == C(0)));
	return TO_N(select(e, (L)(0x7fffffff), (L)(!isfinite(x))));
}

//@ logb double
T lib_logb(T x)
{
	D r = SELD(x == CD(0.0), CD(-INFINITY), TO_D(lib_exponent(x)));
	return SEL(isfinite(x), r, x * x);
}

//@ divide_long any
// |x| / |y| by long division in steps of 11 bits: the remainder as an integer times
// 2^(*e - 1075), and the low bits of the integral quotient. x and y are finite, y is not
// 0. With nearest, the remainder can be up to |y|, else it is below it.
UL lib_divide_long(D x, D y, private L *e, private UL *quotient, private UL *divisor)
{
	L bx = AS_L(fabs(x)), by = AS_L(fabs(y));
	L ex = bx >> 52, ey = by >> 52;
	UL mx = AS_UL(bx & 0xfffffffffffffL), my = AS_UL(by & 0xfffffffffffffL);
	mx |= select((UL)(0x10000000000000UL), (UL)(0), (L)(ex == (L)(0)));
	my |= select((UL)(0x10000000000000UL), (UL)(0), (L)(ey == (L)(0)));
	ex = max(ex, (L)(1));
	ey = max(ey, (L)(1));
	// Where x is just below y, measure y in units of x; far below, x is the remainder.
	L n = ex - ey;
	L below = (L)(n < (L)(0));
	L far = (L)(n < (L)(-1));
	my = select(my, my << 1, below);
	my = select(my, (UL)(1) << 63, far);
	*e = select(ey, ex, below);
	n = max(n, (L)(0));
	UL q = mx / my;
	mx -= q * my;
	while (ANY(n > (L)(0))) {
		L s = min(n, (L)(11));
		mx <<= AS_UL(s);
		UL d = mx / my;
		mx -= d * my;
		q = (q << AS_UL(s)) + d;
		n -= s;
	}
	*quotient = q;
	*divisor = my;
	return mx;
}

//@ rebuild any
// m 2^(e - 1075), exact.
D lib_rebuild(D m, L e)
{
	L k = e - 1075;
	L h = k >> 1;
	return m * AS_D((h + 1023) << 52) * AS_D((k - h + 1023) << 52);
}

//@ divide_plain double
// The same where the quotient is below 2^50: a division, whose rounding can only make the
// truncated quotient one too great, and an exact product and difference. *plain says where
// that holds.
D lib_divide_plain(D ax, D ay, private D *quotient, private L *plain)
{
	D q = trunc(ax / ay);
	D r = fma(-q, ay, ax);
	L over = (L)(r < CD(0.0));
	*quotient = SELD(over, q - 1.0, q);
	*plain = (L)((q < CD(0x1p50)) & (ay >= CD(0x1p-900)) & (ay < CD(INFINITY)));
	return SELD(over, r + ay, r);
}

//@ fmod double
T lib_fmod(T x, T y)
{
	D ax = fabs(x), ay = fabs(y), nq;
	L plain;
	D r = lib_divide_plain(ax, ay, &nq, &plain);
	if (ANY(!plain)) {
		L ok = (L)(isfinite(x) & (I)(y != C(0)) & (I)(y == y));
		L e;
		UL q, d;
		L divide = ok & (L)(isfinite(y)) & (L)(!plain);
		UL m = lib_divide_long(SELD(divide, x, CD(0.0)), SELD(divide, y, CD(1.0)), &e, &q, &d);
		D s = SELD(isinf(y), ax, lib_rebuild(TO_D(m), e));
		r = SELD(plain, r, SELD(ok, s, CD(NAN)));
	}
	return copysign(r, x);
}

//@ remainder_parts double
// x - n y with n the integer nearest x / y, even on ties, and low bits of |n|.
D lib_remainder_parts(D x, D y, private UL *quotient)
{
	D ax = fabs(x), ay = fabs(y), nq;
	L plain;
	D r = lib_divide_plain(ax, ay, &nq, &plain);
	UL q = AS_UL(nq + 0x1p52);
	D rest = ay - r;
	L up = (L)(r > rest) | ((L)(r == rest) & (L)((q & (UL)(1)) != (UL)(0)));
	r = SELD(up, -rest, r);
	if (ANY(!plain)) {
		L ok = (L)(ax < CD(INFINITY)) & (L)(y != CD(0.0)) & (L)(y == y);
		L divide = ok & (L)(ay < CD(INFINITY)) & (L)(!plain);
		L e;
		UL p, d;
		UL m = lib_divide_long(SELD(divide, x, CD(0.0)), SELD(divide, y, CD(1.0)), &e, &p, &d);
		UL mrest = d - m;
		L far = (L)(m > mrest) | ((L)(m == mrest) & (L)((p & (UL)(1)) != (UL)(0)));
		D s = SELD(ay == CD(INFINITY), ax, lib_rebuild(SELD(far, -TO_D(mrest), TO_D(m)), e));
		r = SELD(plain, r, SELD(ok, s, CD(NAN)));
		q = select(select((UL)(0), p, divide), q, plain);
		up = select(far & divide, up, plain);
	}
	*quotient = q + select((UL)(0), (UL)(1), up);
	return AS_D(AS_L(r) ^ (AS_L(x) & (L)(1) << (L)(63)));
}

//@ remainder double
T lib_remainder(T x, T y)
{
	UL q;
	return lib_remainder_parts(x, y, &q);
}

//@ remquo double
T lib_remquo(T x, T y, SPACE N *quo)
{
	UL q;
	D r = lib_remainder_parts(x, y, &q);
	L n = AS_L(q & (UL)(0x7f));
	*quo = TO_N(select(n, -n, (L)((AS_L(x) ^ AS_L(y)) < (L)(0))));
	return r;
}

//@ divide_far float
// |x| mod |y| where the quotient may be great, in double: multiples of y 2^e are taken
// off that leave a remainder 2^40 times smaller, then of y. e is at least 8: the quotient's
// low bits are those of the last step. NaN where the remainder is none.
T lib_divide_far(T ax, T ay, private I *quotient)
{
	D x = TO_D(ax), y = TO_D(ay);
	L ok = (L)(x < CD(INFINITY)) & (L)(y > CD(0.0));
	L divide = ok & (L)(y < CD(INFINITY));
	D r = SELD(divide, x, CD(0.0)), d = SELD(divide, y, CD(1.0));
	while (ANY(r >= d * 0x1p50)) {
		L e = (AS_L(r) >> 52) - (AS_L(d) >> 52) - 41;
		D s = SELD(e > (L)(7), d * AS_D((e + 1023) << 52), CD(INFINITY));
		D q = SELD(e > (L)(7), trunc(r / s), CD(0.0));
		D n = fma(-q, s, r);
		r = SELD(e > (L)(7), SELD(n < CD(0.0), n + s, n), r);
	}
	D q = trunc(r / d);
	r = fma(-q, d, r);
	L over = (L)(r < CD(0.0));
	q = SELD(over, q - 1.0, q);
	*quotient = TO_I(AS_L(q + 0x1p52) & 0x7fffffff);
	r = SELD(over, r + d, r);
	return TO_T(SELD(divide, r, SELD(ok, x, CD(NAN))));
}

//@ divide_single float
// |x| mod |y| and the low bits of the integral quotient; a
// division where it is below 2^21, as for double.
T lib_divide_single(T ax, T ay, private I *quotient)
{
	T q = trunc(ax / ay);
	T r = fma(-q, ay, ax);
	I over = (I)(r < C(0.0f));
	q = SEL(over, q - 1.0f, q);
	r = SEL(over, r + ay, r);
	I n = AS_I(q + 0x1p23f);
	I far = (I)(!((q < C(0x1p21f)) & (ay >= C(0x1p-100f)) & (ay < C(INFINITY))));
	if (ANY(far)) {
		I m;
		T s = lib_divide_far(ax, ay, &m);
		r = SEL(far, s, r);
		n = select(n, m, far);
	}
	*quotient = n;
	return r;
}

//@ fmod float
T lib_fmod(T x, T y)
{
	I q;
	return copysign(lib_divide_single(fabs(x), fabs(y), &q), x);
}

//@ remainder_single float
T lib_remainder_single(T x, T y, private I *quotient)
{
	T ay = fabs(y);
	I q;
	T r = lib_divide_single(fabs(x), ay, &q);
	T rest = ay - r;
	I up = (I)(r > rest) | ((I)(r == rest) & (I)((q & 1) != (I)(0)));
	*quotient = q + select((I)(0), (I)(1), up);
	return AS_T(AS_I(SEL(up, -rest, r)) ^ (AS_I(x) & (I)(0x80000000)));
}

//@ remainder float
T lib_remainder(T x, T y)
{
	I q;
	return lib_remainder_single(x, y, &q);
}

//@ remquo float
T lib_remquo(T x, T y, SPACE N *quo)
{
	I q;
	T r = lib_remainder_single(x, y, &q);
	q &= 0x7f;
	*quo = select(q, -q, (I)((AS_I(x) ^ AS_I(y)) < (I)(0)));
	return r;
}
