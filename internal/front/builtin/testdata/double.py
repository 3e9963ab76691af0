#!/usr/bin/env python3
"""Reference values of the math functions for double, with mpmath at 1400 bits.

	python3 double.py > double.txt

A line is: function, arguments, result rounded to double, and how far the exact result
lies above that in thousandths of its ulp.
"""
import math
import random

import mpmath as M
from mpmath import mp, mpf

mp.prec = 1400  # the trigonometric functions reduce arguments up to 2^1024
random.seed(7)


def spread(lo, hi, n):
    """n numbers of both signs with exponents from lo to hi."""
    return [math.ldexp(1 + random.random(), random.randint(lo, hi - 1)) * random.choice((1, -1)) for _ in range(n)]


def uniform(a, b, n):
    return [random.uniform(a, b) for _ in range(n)]


near1 = [1 + s * math.ldexp(1 + random.random(), -e) for e in range(1, 40, 3) for s in (1, -1)]
# Worst cases of the reduction by pi/2, and just around multiples of it.
REDUCE = [6381956970095103 * 2.0**797, float.fromhex("0x1.921fb54442d18p+0"), float.fromhex("0x1.921fb54442d18p+1"), float.fromhex("0x1.2d97c7f3321d2p+2"),
          5.319372648326541e255, float.fromhex("0x1.fffffffffffffp+1023"), 2.0**30, 2.0**30 - 0.5, 1e22]
trig = uniform(-7, 7, 25) + spread(-20, 30, 25) + spread(30, 1023, 30) + [k * math.pi / 2 for k in range(1, 12)] + REDUCE
wide = spread(-1022, 1023, 40) + uniform(-3, 3, 20)
unit = uniform(-1, 1, 40) + spread(-60, 0, 20) + [1 - 2.0**-k for k in (2, 10, 30, 53)] + [0.5, -0.5, 0.5 + 2**-53, 0.5 - 2**-54]
positive = [abs(x) for x in wide] + near1
tinyexp = uniform(-745, 709, 40) + spread(-60, 3, 30) + [709.78, -708.5, -744.5]

atan2 = lambda y, x: M.atan2(y, x)
pairs = lambda n, lo, hi: list(zip(spread(lo, hi, n), spread(lo, hi, n)))


def powers(n):
    out = []
    for _ in range(n):
        x = abs(spread(-1022, 1023, 1)[0]) if random.random() < 0.6 else abs(random.choice(near1))
        t = random.uniform(-740, 708)
        y = t / math.log(x)
        if abs(y) < 1e300:
            out.append((x, y))
    return out


gamma_args = uniform(0, 10, 25) + uniform(10, 171, 15) + uniform(-10, 0, 20) + uniform(-170, -10, 15) + [1 + 1e-9, 2 - 1e-9, 0.5, -0.5, 1e-300, 8.5, 8.499999, 1.5, 2.5, 171.6]

FUNCS = [
    ("acos", unit, M.acos), ("acosh", [x for x in positive + [1 + 2.0**-k for k in range(1, 50, 5)] if x >= 1], M.acosh), ("acospi", unit, lambda x: M.acos(x) / M.pi),
    ("asin", unit, M.asin), ("asinh", wide + spread(-30, 30, 20), M.asinh), ("asinpi", unit, lambda x: M.asin(x) / M.pi),
    ("atan", wide + spread(-30, 30, 20), M.atan), ("atanh", unit, M.atanh), ("atanpi", wide + spread(-30, 30, 20), lambda x: M.atan(x) / M.pi),
    ("cbrt", wide, lambda x: M.sign(x) * M.cbrt(abs(x))), ("cos", trig, M.cos), ("cosh", tinyexp, M.cosh), ("cospi", spread(-60, 52, 50) + uniform(-2, 2, 20), lambda x: M.cospi(x)),
    ("erf", spread(-60, 3, 40) + uniform(-3, 3, 20), M.erf), ("erfc", uniform(-6, 27, 50) + spread(-60, 0, 10), M.erfc),
    ("exp", tinyexp, M.exp), ("exp2", [x / 0.7 for x in tinyexp if x > -700], lambda x: mpf(2) ** x), ("exp10", [x / 2.4 for x in tinyexp if x > -700], lambda x: mpf(10) ** x), ("expm1", [x for x in tinyexp if x > -50], M.expm1),
    ("lgamma", [x for x in gamma_args if x > 0] + [1e10, 1e100, 3.5e200, 1.0000001, 1.9999], M.loggamma), ("log", positive, M.log), ("log2", positive, lambda x: M.log(x, 2)), ("log10", positive, M.log10),
    ("log1p", [x for x in wide + unit + near1 if x > -1], M.log1p), ("rsqrt", positive, lambda x: 1 / M.sqrt(x)), ("sin", trig, M.sin), ("sinh", tinyexp, M.sinh),
    ("sinpi", spread(-60, 52, 50) + uniform(-2, 2, 20), lambda x: M.sinpi(x)), ("sqrt", positive, M.sqrt), ("tan", trig, M.tan), ("tanh", spread(-60, 5, 50) + uniform(-3, 3, 20), M.tanh),
    ("tanpi", spread(-60, 50, 50) + uniform(-2, 2, 20), lambda x: M.sinpi(x) / M.cospi(x)), ("tgamma", gamma_args, M.gamma),
    ("degrees", wide, lambda x: x * 180 / M.pi), ("radians", wide, lambda x: x * M.pi / 180),
    ("atan2", pairs(30, -1022, 1023) + pairs(40, -4, 4), atan2), ("atan2pi", pairs(30, -1022, 1023) + pairs(40, -4, 4), lambda y, x: M.atan2(y, x) / M.pi),
    ("hypot", pairs(30, -1022, 1023) + pairs(40, -4, 4), M.hypot), ("pow", powers(80), lambda x, y: x**y), ("powr", powers(40), lambda x, y: x**y),
    ("fmod", pairs(20, -1022, 1023) + pairs(20, -10, 60), lambda x, y: M.sign(x) * M.fmod(abs(x), abs(y))),
    ("pown", [(x * random.choice((1, -1)), float(round(y))) for x, y in powers(80) if 0.5 < abs(y) < 2**31], lambda x, y: x ** int(y)),
    ("rootn", [(x, float(2 * random.randrange(-50, 50) + 1)) for x in spread(-1022, 1023, 60)], lambda x, n: M.sign(x) * M.power(abs(x), 1 / n)),
]


def main():
    for name, args, f in FUNCS:
        for a in args:
            a = a if isinstance(a, tuple) else (a,)
            if name == "fmod":
                mp.prec = 2400
            r = f(*[mpf(v) for v in a])
            if not M.isfinite(r) or abs(r) >= mpf(2) ** 1024 or abs(r) < mpf(2) ** -1022 or isinstance(r, M.mpc):
                continue
            d = float(r)
            ulp = mpf(2) ** (M.frexp(r)[1] - 53)
            print(name, *[v.hex() for v in a], d.hex(), int(M.nint((r - mpf(d)) / ulp * 1000)))


main()
