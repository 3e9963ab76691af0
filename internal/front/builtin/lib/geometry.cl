// Geometric functions: float and half by double, which neither overflows nor underflows.

//@ squares any
// Sum of the squares of the components.
double lib_squares(D x)
{
#if LANES == 1
	return x * x;
#else
	return dot(x, x);
#endif
}

//@ length float
S lib_length(T x) { return (S)sqrt(lib_squares(TO_D(x))); }

//@ distance float
S lib_distance(T x, T y) { return (S)sqrt(lib_squares(TO_D(x) - TO_D(y))); }

//@ fast_length float
S lib_fast_length(T x) { return sqrt(dot(x, x)); }

//@ fast_distance float
S lib_fast_distance(T x, T y)
{
	T d = x - y;
	return sqrt(dot(d, d));
}

//@ fast_normalize float
T lib_fast_normalize(T x)
{
	S s = dot(x, x);
	return s == 0 ? x : x * (T)(1 / sqrt(s));
}

//@ largest any
// The largest magnitude of a component.
double lib_largest(D x)
{
	x = fabs(x);
#if LANES == 1
	return x;
#elif LANES == 2
	return fmax(x.x, x.y);
#elif LANES == 3
	return fmax(fmax(x.x, x.y), x.z);
#else
	return fmax(fmax(x.x, x.y), fmax(x.z, x.w));
#endif
}

//@ unit_scale any
// A power of two that brings the largest component near 1; *inverse its inverse.
double lib_unit_scale(double m, private double *inverse)
{
	long e = as_long(m) >> 52;
	e = clamp(e, 30L, 2016L);
	*inverse = as_double(e << 52);
	return as_double((2046L - e) << 52);
}

//@ length double
S lib_length(T x)
{
	double m = lib_largest(x), up;
	double s = lib_unit_scale(m, &up);
	double r = sqrt(lib_squares(x * (D)(s))) * up;
	return isinf(m) ? INFINITY : r;
}

//@ distance double
S lib_distance(T x, T y) { return length(x - y); }

//@ normalize float
T lib_normalize(T x)
{
	// With an infinite component the finite ones become 0.
	x = isinf(lib_largest(TO_D(x))) ? SEL(isinf(x), copysign(C(1), x), x * 0) : x;
	double q = lib_squares(TO_D(x));
	return q == 0.0 ? x : TO_T(TO_D(x) / (D)(sqrt(q)));
}

//@ normalize double
T lib_normalize(T x)
{
	double m = lib_largest(x), up;
	x = isinf(m) ? SEL(isinf(x), copysign(C(1), x), x * 0) : x;
	double s = lib_unit_scale(isinf(m) ? 1.0 : m, &up);
	x *= (D)(s);
	double q = lib_squares(x);
	return q == 0.0 ? x : x / (D)(sqrt(q));
}
