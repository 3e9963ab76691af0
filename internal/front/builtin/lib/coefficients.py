#!/usr/bin/env python3
"""Writes poly.cl: the minimax polynomials of the library.

Each is found by the Remez exchange algorithm (E. Remez, 1934; see J.-M. Muller, Elementary
Functions, chapter 3) in 200-bit arithmetic with mpmath, weighted by what an error in it
does to the function's relative error, and rounded coefficient by coefficient.

	python3 coefficients.py > poly.cl
"""
import re
import struct

import mpmath as M
from mpmath import mp, mpf

mp.prec = 240


def remez(f, w, a, b, n):
    """Coefficients of degree n-1 that minimise max |(p(x) - f(x)) w(x)| on [a, b], and that maximum."""
    a, b = mpf(a), mpf(b)
    at = lambda i, m: (a + b) / 2 - (b - a) / 2 * M.cos(M.pi * mpf(i) / m)
    xs = [at(2 * i + 1, 2 * n + 2) for i in range(n + 1)]
    for _ in range(12):
        A, B = M.matrix(n + 1, n + 1), M.matrix(n + 1, 1)
        for i, x in enumerate(xs):
            for j in range(n):
                A[i, j] = x**j
            A[i, n] = (-1) ** i / w(x)
            B[i] = f(x)
        s = M.lu_solve(A, B)
        c = [s[j] for j in range(n)]
        err = lambda x: (M.polyval(c[::-1], x) - f(x)) * w(x)
        runs = []
        m = 12 * (n + 1)
        for x in [at(i, m) for i in range(m + 1)]:
            e = err(x)
            if runs and (runs[-1][1] >= 0) == (e >= 0):
                if abs(e) > abs(runs[-1][1]):
                    runs[-1] = (x, e)
            else:
                runs.append((x, e))
        while len(runs) > n + 1:
            runs.pop(0 if abs(runs[0][1]) < abs(runs[-1][1]) else -1)
        if len(runs) < n + 1:
            break
        xs = [r[0] for r in runs]
        if max(abs(r[1]) for r in runs) < 1.02 * min(abs(r[1]) for r in runs):
            break
    return c, max(abs(err(at(i, 800))) for i in range(801))


def near0(f, series):
    """f, or its limit at 0 from a few Taylor coefficients, where f cancels."""
    return lambda x: M.polyval(series[::-1], x) if abs(x) < mpf(10) ** -20 else f(x)


ln2 = M.log(2)
tiny = mpf(10) ** -12
smax = (M.sqrt(2) - 1) / (M.sqrt(2) + 1)
root = lambda g: lambda z: g(M.sqrt(z))
odd = lambda g, k, s: near0(root(lambda r: (g(r) - k * r) / r**3), s)
atanh2 = lambda s: M.log((1 + s) / (1 - s))

ERFC_K = 4
x_of = lambda t: ERFC_K * (1 + t) / (1 - t)
erfcx = lambda t: M.erfc(x_of(t)) * M.exp(x_of(t) ** 2) * (1 + 2 * x_of(t))
t_of = lambda x: (mpf(x) - ERFC_K) / (mpf(x) + ERFC_K)
stirling = lambda w: (M.loggamma(1 / M.sqrt(w)) - (1 / M.sqrt(w) - mpf(1) / 2) * M.log(1 / M.sqrt(w)) + 1 / M.sqrt(w) - M.log(2 * M.pi) / 2) / M.sqrt(w)

# name, doc, function, weight, interval, number of coefficients
POLYS = [
    ("exp_f", "(e^r - 1 - r) / r^2, |r| <= ln2/2", near0(lambda r: (M.expm1(r) - r) / r**2, [mpf(1) / 2, mpf(1) / 6]), lambda r: r * r + tiny, (-ln2 / 2, ln2 / 2 * 1.0001), 6),
    ("exp_d", "(e^r - 1 - r - r^2/2) / r^3, |r| <= ln2/2", near0(lambda r: (M.expm1(r) - r - r * r / 2) / r**3, [mpf(1) / 6, mpf(1) / 24]), lambda r: abs(r) ** 3 + tiny, (-ln2 / 2, ln2 / 2 * 1.0001), 10),
    ("log_f", "(log((1+s)/(1-s)) - 2s) / s^3 in z = s^2", odd(atanh2, 2, [mpf(2) / 3, mpf(2) / 5]), lambda z: z / 2 + tiny, (0, smax**2 * 1.0001), 4),
    ("log_d", "(log((1+s)/(1-s)) - 2s) / s^3 in z = s^2", odd(atanh2, 2, [mpf(2) / 3, mpf(2) / 5]), lambda z: z / 2 + tiny, (0, smax**2 * 1.0001), 7),
    ("log_dd", "(log((1+s)/(1-s)) - 2s - 2s^3/3) / s^5 in z = s^2", near0(root(lambda s: (atanh2(s) - 2 * s - 2 * s**3 / 3) / s**5), [mpf(2) / 5, mpf(2) / 7]), lambda z: z * z / 2 + tiny**2, (0, smax**2 * 1.0001), 8),
    ("sin_f", "(sin r - r) / r^3 in z = r^2, |r| <= pi/4", odd(M.sin, 1, [-mpf(1) / 6, mpf(1) / 120]), lambda z: z + tiny, (0, (M.pi / 4) ** 2 * 1.001), 4),
    ("cos_f", "(cos r - 1 + r^2/2) / r^4 in z = r^2, |r| <= pi/4", near0(root(lambda r: (M.cos(r) - 1 + r * r / 2) / r**4), [mpf(1) / 24, -mpf(1) / 720]), lambda z: z * z + tiny, (0, (M.pi / 4) ** 2 * 1.001), 3),
    ("sin_d", "(sin r - r) / r^3 in z = r^2, |r| <= pi/4", odd(M.sin, 1, [-mpf(1) / 6, mpf(1) / 120]), lambda z: z + tiny, (0, (M.pi / 4) ** 2 * 1.001), 6),
    ("cos_d", "(cos r - 1 + r^2/2) / r^4 in z = r^2, |r| <= pi/4", near0(root(lambda r: (M.cos(r) - 1 + r * r / 2) / r**4), [mpf(1) / 24, -mpf(1) / 720]), lambda z: z * z + tiny, (0, (M.pi / 4) ** 2 * 1.001), 6),
    ("atan_f", "(atan t - t) / t^3 in z = t^2, |t| <= tan(pi/8)", odd(M.atan, 1, [-mpf(1) / 3, mpf(1) / 5]), lambda z: z + tiny, (0, M.tan(M.pi / 8) ** 2 * 1.001), 6),
    ("atan_d", "(atan t - t) / t^3 in z = t^2, |t| <= tan(pi/8)", odd(M.atan, 1, [-mpf(1) / 3, mpf(1) / 5]), lambda z: z + tiny, (0, M.tan(M.pi / 8) ** 2 * 1.001), 12),
    ("asin_f", "(asin x - x) / x^3 in z = x^2, |x| <= 1/2", odd(M.asin, 1, [mpf(1) / 6, mpf(3) / 40]), lambda z: z + tiny, (0, 0.2501), 6),
    ("asin_d", "(asin x - x) / x^3 in z = x^2, |x| <= 1/2", odd(M.asin, 1, [mpf(1) / 6, mpf(3) / 40]), lambda z: z + tiny, (0, 0.2501), 13),
    ("erf_d", "(erf x / x - 2/sqrt(pi)) / x^2 in z = x^2, |x| <= 1", near0(root(lambda x: (M.erf(x) / x - 2 / M.sqrt(M.pi)) / x**2), [-2 / M.sqrt(M.pi) / 3, M.sqrt(1 / M.pi) / 5]), lambda z: z / 1.1 + tiny, (0, 1), 13),
    ("erfc_d", "erfc(x) e^(x^2) (1 + 2x) in t = (x - 4) / (x + 4), 0.9 <= x <= 28", erfcx, lambda t: 1 / erfcx(t), (t_of(0.9), t_of(28)), 23),
    ("erfc_f", "the same, for x <= 11", erfcx, lambda t: 1 / erfcx(t), (t_of(0.9), t_of(11)), 12),
    ("rgamma", "1 / gamma(2 + u), |u| <= 1/2", lambda u: M.rgamma(2 + u), lambda u: M.gamma(2 + u), (-0.5, 0.5), 16),
    ("lgamma", "log(gamma(2 + u)) / u, |u| <= 1/2", near0(lambda u: M.loggamma(2 + u) / u, [M.digamma(2), M.zeta(2) / 2 - mpf(1) / 2]), lambda u: 1, (-0.5, 0.5), 20),
    ("stirling", "x (log(gamma(x)) - (x - 1/2) log x + x - log(2 pi)/2) in w = 1/x^2, x >= 8", near0(stirling, [mpf(1) / 12, -mpf(1) / 360]), lambda w: 1, (0, mpf(1) / 64), 8),
    ("cbrt", "cube root on [1/2, 1]", M.cbrt, lambda x: 1 / M.cbrt(x), (0.5, 1), 5),
]

fmid = 1 / M.sqrt(mpf(2))
atan_s = odd(M.atan, 1, [-mpf(1) / 3, mpf(1) / 5])



def log_of(base, name, log):
    """log(1+f) to a base, without the linear term."""
    f = near0(lambda f: (M.log1p(f) - f) / f**2 / base, [-1 / (2 * base), 1 / (3 * base)])
    return name, "(%s(1+f) - f %s e) / f^2, sqrt(1/2) <= 1+f <= sqrt(2)" % (log, log), f, lambda f: f * base, (fmid - 1, M.sqrt(2) - 1), 9


# The same for float arithmetic, with float coefficients.
SINGLE = [
    ("exp_s", "(e^r - 1 - r) / r^2, |r| <= ln2/2", near0(lambda r: (M.expm1(r) - r) / r**2, [mpf(1) / 2, mpf(1) / 6]), lambda r: r * r, (-ln2 / 2, ln2 / 2 * 1.001), 5),
    ("exp2_s", "(2^r - 1) / r, |r| <= 1/2", near0(lambda r: M.expm1(r * ln2) / r, [ln2, ln2**2 / 2]), lambda r: r, (-0.501, 0.501), 6),
    ("exp10_s", "(10^r - 1) / r, |r| <= log10(2)/2", near0(lambda r: M.expm1(r * M.log(10)) / r, [M.log(10), M.log(10) ** 2 / 2]), lambda r: r, (-0.1506, 0.1506), 6),
    log_of(1, "log_s", "log"),
    log_of(ln2, "log2_s", "log2"),
    log_of(M.log(10), "log10_s", "log10"),
    ("atanh_s", "(log((1+s)/(1-s)) - 2s - 2s^3/3) / s^5 in z = s^2", near0(root(lambda s: (atanh2(s) - 2 * s - 2 * s**3 / 3) / s**5), [mpf(2) / 5, mpf(2) / 7]), lambda z: z * z / 2, (0, smax**2 * 1.0001), 3),
    ("sin_s", "(sin r - r) / r^3 in z = r^2, |r| <= pi/4", odd(M.sin, 1, [-mpf(1) / 6, mpf(1) / 120]), lambda z: z, (0, (M.pi / 4) ** 2 * 1.02), 3),
    ("cos_s", "(cos r - 1 + r^2/2) / r^4 in z = r^2, |r| <= pi/4", near0(root(lambda r: (M.cos(r) - 1 + r * r / 2) / r**4), [mpf(1) / 24, -mpf(1) / 720]), lambda z: z * z, (0, (M.pi / 4) ** 2 * 1.02), 3),
    ("tan_s", "(tan r - r) / r^3 in z = r^2, |r| <= pi/4", odd(M.tan, 1, [mpf(1) / 3, mpf(2) / 15]), lambda z: z, (0, (M.pi / 4) ** 2 * 1.02), 7),
    ("atan_s", "(atan t - t) / t^3 in z = t^2, |t| <= 1", atan_s, lambda z: z, (0, 1), 9),
    ("asin_s", "(asin x - x) / x^3 in z = x^2, |x| <= 1/2", odd(M.asin, 1, [mpf(1) / 6, mpf(3) / 40]), lambda z: z, (0, 0.2501), 5),
    ("sinh_s", "(sinh r - r) / r^3 in z = r^2, |r| <= ln2/2", odd(M.sinh, 1, [mpf(1) / 6, mpf(1) / 120]), lambda z: z, (0, (ln2 / 2 * 1.001) ** 2), 3),
    ("cosh_s", "(cosh r - 1) / r^2 in z = r^2, |r| <= ln2/2", near0(root(lambda r: (M.cosh(r) - 1) / r**2), [mpf(1) / 2, mpf(1) / 24]), lambda z: z, (0, (ln2 / 2 * 1.001) ** 2), 3),
    ("erf_s", "erf x / x - 0x1.20dd76p+0 in z = x^2, |x| <= 1", near0(root(lambda x: M.erf(x) / x - float.fromhex("0x1.20dd76p+0")), [2 / M.sqrt(M.pi) - float.fromhex("0x1.20dd76p+0"), -2 / M.sqrt(M.pi) / 3]), lambda z: 1, (0, 1), 8),
    ("erfc_s", "log2(erfc x), 1 <= x <= 4", lambda x: M.log(M.erfc(x), 2), lambda x: M.erfc(x), (1, 4), 8),
    ("erfcx_s", "erfc(x) e^(x^2) (1 + 2x) in t = (x - 4) / (x + 4), 0.5 <= x <= 11", erfcx, lambda t: 1 / erfcx(t), (t_of(0.5), t_of(11)), 13),
    ("native_exp2", "(2^(r+1) - 2) / r, |r| <= 1/2", near0(lambda r: 2 * M.expm1(r * ln2) / r, [2 * ln2, ln2**2]), lambda r: r / 2, (-0.501, 0.501), 5),
    ("native_log2", "log2(1+f) / f, sqrt(1/2) <= 1+f <= sqrt(2)", near0(lambda f: M.log(1 + f, 2) / f, [1 / ln2, -1 / (2 * ln2)]), lambda f: ln2, (fmid - 1, M.sqrt(2) - 1), 8),
    ("native_sin", "(sin r - r) / r^3 in z = r^2, |r| <= pi/2", odd(M.sin, 1, [-mpf(1) / 6, mpf(1) / 120]), lambda z: z, (0, (M.pi / 2) ** 2 * 1.01), 4),
    ("native_tan", "(tan r - r) / r^3 in z = r^2, |r| <= pi/4", odd(M.tan, 1, [mpf(1) / 3, mpf(2) / 15]), lambda z: z, (0, (M.pi / 4) ** 2 * 1.02), 5),
    ("lgamma_s", "log(gamma(2 + v)) / (v (v + 1)), |v| <= 1", lambda v: M.loggamma(2 + v) / (v * (v + 1)), lambda v: 1, (-1, 1), 13),
    ("stirling_s", "x (log(gamma(x)) - (x - 1/2) log x + x - log(2 pi)/2) in w = 1/x^2, x >= 3", near0(stirling, [mpf(1) / 12, -mpf(1) / 360]), lambda w: M.sqrt(w) + tiny, (0, mpf(1) / 9), 4),
    ("sinpi_s", "sin(pi t) / t in z = t^2, |t| <= 1/2", near0(root(lambda t: M.sin(M.pi * t) / t), [M.pi, -(M.pi**3) / 6]), lambda z: 1 / M.pi, (0, 0.25), 6),
    ("rcbrt_s", "x^(-1/3) on [1/2, 1]", lambda x: 1 / M.cbrt(x), lambda x: M.cbrt(x), (0.5, 1), 4),
]


def single(x):
    return mpf(struct.unpack("f", struct.pack("f", x))[0])


def fit_single(f, w, a, b, n):
    """Float coefficients, each found by least squares at Chebyshev's points with those before it fixed, and the largest error."""
    a, b, m = mpf(a), mpf(b), 10 * n
    xs = [(a + b) / 2 - (b - a) / 2 * M.cos(M.pi * (mpf(i) + mpf(1) / 2) / m) for i in range(m)]
    ws, fs = [w(x) for x in xs], [f(x) for x in xs]
    c = []
    while len(c) < n:
        k = len(c)
        A = M.matrix(m, n - k)
        B = M.matrix(m, 1)
        for i, x in enumerate(xs):
            B[i] = (fs[i] - (M.polyval(c[::-1], x) if c else 0)) * ws[i]
            for j in range(k, n):
                A[i, j - k] = x**j * ws[i]
        c.append(single(M.qr_solve(A, B)[0][0]))
    return c, max(abs((M.polyval(c[::-1], x) - fx) * wx) for x, fx, wx in zip(xs, fs, ws))


def spell(literal, name, doc, c, e):
    text = literal % c[-1]
    for x in c[-2::-1]:
        text = "fma(%s, z, \\\n\t%s)" % (text, literal % x)
    print("\n//@ POLY_%s any\n// %s; error 2^%.1f\n#define POLY_%s(z) %s" % (name, doc, M.log(e, 2), name, text))


def main():
    print("// Minimax polynomials. Generated by coefficients.py; do not edit.")
    for name, doc, f, w, (a, b), n in POLYS:
        c, e = remez(f, w, a, b, n)
        spell("CD(%s)", name, doc, [float(x).hex() for x in c], e)
    for name, doc, f, w, (a, b), n in SINGLE:
        c, e = fit_single(f, w, a, b, n)
        spell("C(%sf)", name, doc, [re.sub("0+p", "p", float(x).hex()).replace(".p", "p") for x in c], e)


if __name__ == "__main__":
    main()
