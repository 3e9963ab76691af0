// Functions that are exact or built of a few operations, for all types.

//@ fdim float double half
T lib_fdim(T x, T y)
{
	T d = x - y;
	T r = SEL(x > y, d, C(0));
	return SEL(isunordered(x, y), d, r);
}

//@ maxmag float double half
T lib_maxmag(T x, T y)
{
	T ax = fabs(x), ay = fabs(y);
	return SEL(ax > ay, x, SEL(ay > ax, y, fmax(x, y)));
}

//@ minmag float double half
T lib_minmag(T x, T y)
{
	T ax = fabs(x), ay = fabs(y);
	return SEL(ax < ay, x, SEL(ay < ax, y, fmin(x, y)));
}

//@ round float double half
T lib_round(T x)
{
	// trunc(x) is exact, so is the difference: ties go away from zero.
	T t = trunc(x);
	return copysign(t + SEL(fabs(x - t) >= C(0.5f), copysign(C(1), x), C(0)), x);
}

//@ fract float
T lib_fract(T x, SPACE T *iptr)
{
	T f = floor(x);
	T r = fmin(x - f, C(0x1.fffffep-1f));
	*iptr = f;
	r = SEL(x == C(0), x, r);
	r = SEL(isinf(x), copysign(C(0), x), r);
	return SEL(isnan(x), x, r);
}

//@ fract double
T lib_fract(T x, SPACE T *iptr)
{
	T f = floor(x);
	T r = fmin(x - f, C(0x1.fffffffffffffp-1));
	*iptr = f;
	r = SEL(x == C(0), x, r);
	r = SEL(isinf(x), copysign(C(0), x), r);
	return SEL(isnan(x), x, r);
}

//@ fract half
T lib_fract(T x, SPACE T *iptr)
{
	T f = floor(x);
	T r = fmin(x - f, C(0x1.ffcp-1f));
	*iptr = f;
	r = SEL(x == C(0), x, r);
	r = SEL(isinf(x), copysign(C(0), x), r);
	return SEL(isnan(x), x, r);
}

//@ modf float double half
T lib_modf(T x, SPACE T *iptr)
{
	T t = trunc(x);
	*iptr = t;
	return copysign(SEL(isinf(x), C(0), x - t), x);
}

//@ sign float double half
T lib_sign(T x)
{
	T r = SEL(x == C(0), x, copysign(C(1), x));
	return SEL(isnan(x), C(0), r);
}

//@ degrees float
T lib_degrees(T x) { return TO_T(TO_D(x) * CD(0x1.ca5dc1a63c1f8p+5)); }

//@ degrees double
T lib_degrees(T x)
{
	T h = C(0x1.ca5dc1a63c1f8p+5); // 180/pi = h + l
	T r = fma(x, h, x * C(-0x1.1e7ab456405f9p-49));
	return SEL(isfinite(x) & (I)(x != C(0)), r, x * h);
}

//@ radians float
T lib_radians(T x) { return TO_T(TO_D(x) * CD(0x1.1df46a2529d39p-6)); }

//@ radians double
T lib_radians(T x)
{
	T h = C(0x1.1df46a2529d39p-6); // pi/180 = h + l
	return fma(x, h, x * C(0x1.5c1d8becdd291p-62));
}

//@ nextafter float double half
T lib_nextafter(T x, T y)
{
	// Floating-point numbers of one sign are ordered as their bits are.
	I ix = AS_I(x);
	I away = (I)((ix >= (I)(0)) == (I)(x < y));
	I next = ix + select((I)(-1), (I)(1), away);
	T r = AS_T(next);
	T tiny = copysign(AS_T((I)(1)), y);
	r = SEL(x == C(0), tiny, r);
	r = SEL(x == y, y, r);
	return SEL(isunordered(x, y), x + y, r);
}

//@ cross float double half
T lib_cross(T a, T b)
{
#if LANES == 3
	return fma(a.yzx, b.zxy, -(a.zxy * b.yzx));
#else
	return (T)(fma(a.yzx, b.zxy, -(a.zxy * b.yzx)), 0);
#endif
}

//@ bit_reverse int
T lib_bit_reverse(T x)
{
	U u = AS_U(x);
	U m = (U)(-1);
	// Swap halves of ever smaller fields (Warren, Hacker's Delight, 7-1).
	for (int s = WIDTH / 2; s > 0; s >>= 1) {
		m ^= m << (U)(s);
		u = ((u >> (U)(s)) & m) | ((u << (U)(s)) & ~m);
	}
	return AS_T(u);
}

//@ bitfield_mask int
U lib_bitfield_mask(uint count) { return (U)(count >= WIDTH ? (SU)(-1) : (SU)(((SU)1 << count) - 1)); }

// Where a bitfield reaches beyond its number, which is undefined, shifts are modulo the width.

//@ bitfield_insert int
T lib_bitfield_insert(T base, T insert, uint offset, uint count)
{
	U m = lib_bitfield_mask(count) << (U)((SU)(offset & (WIDTH - 1)));
	U u = (AS_U(base) & ~m) | ((AS_U(insert) << (U)((SU)(offset & (WIDTH - 1)))) & m);
	return AS_T(u);
}

//@ bitfield_extract_unsigned int
U lib_bitfield_extract_unsigned(T base, uint offset, uint count)
{
	return (AS_U(base) >> (U)((SU)(offset & (WIDTH - 1)))) & lib_bitfield_mask(count);
}

//@ bitfield_extract_signed int
I lib_bitfield_extract_signed(T base, uint offset, uint count)
{
	if (count == 0)
		return (I)(0);
	U u = AS_U(base) << (U)((SU)(WIDTH - offset - count & (WIDTH - 1)));
	return AS_I(u) >> (I)((SU)(WIDTH - count & (WIDTH - 1)));
}
