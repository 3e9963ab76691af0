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

//@ fmod double
T lib_fmod(T x, T y)
{
	L ok = (L)(isfinite(x) & (I)(y != C(0)) & (I)(y == y));
	L e;
	UL q, d;
	L divide = ok & (L)(isfinite(y));
	UL m = lib_divide_long(SELD(divide, x, CD(0.0)), SELD(divide, y, CD(1.0)), &e, &q, &d);
	D r = copysign(lib_rebuild(TO_D(m), e), x);
	r = SELD(isinf(y), x, r);
	return SELD(ok, r, CD(NAN));
}

//@ remainder_parts any
// x - n y with n the integer nearest x / y, even on ties, and low bits of |n|.
D lib_remainder_parts(D x, D y, private UL *quotient)
{
	L ok = (L)(fabs(x) < CD(INFINITY)) & (L)(y != CD(0.0)) & (L)(y == y);
	L divide = ok & (L)(fabs(y) < CD(INFINITY));
	L e;
	UL q, d;
	UL m = lib_divide_long(SELD(divide, x, CD(0.0)), SELD(divide, y, CD(1.0)), &e, &q, &d);
	UL rest = d - m;
	L up = (L)(m > rest) | ((L)(m == rest) & (L)((q & (UL)(1)) != (UL)(0)));
	D r = lib_rebuild(SELD(up, -TO_D(rest), TO_D(m)), e);
	*quotient = select((UL)(0), q + select((UL)(0), (UL)(1), up), divide);
	r = AS_D(AS_L(r) ^ (AS_L(x) & (L)(1) << 63));
	r = SELD(fabs(y) == CD(INFINITY), x, r);
	return SELD(ok, r, CD(NAN));
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
