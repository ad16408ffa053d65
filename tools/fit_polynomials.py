#!/usr/bin/env python3
"""Works out the coefficients of the polynomials in src/libattn/kernel/vector_math_internal.h, and prints them.

usage: fit_polynomials.py [NAME...]

Each polynomial has the least largest error that float32 coefficients allow, nearly: a minimax fit on
a grid (Remez' exchange), whose coefficients are rounded and then moved by single steps of float32 as
long as the largest error falls. The error that is kept small is of the function that the polynomial is part of, relative to that function or absolute.

Source: Muller 2016, "Elementary Functions", sections 3.6 and 4.4.
"""
import math
import struct
import sys
from fractions import Fraction

GRID = 1500


def to_float32(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def solve(rows, right):
    """The solution of a square system, exactly."""
    n = len(rows)
    m = [[Fraction(x) for x in row] + [Fraction(y)] for row, y in zip(rows, right)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(m[r][i]))
        m[i], m[pivot] = m[pivot], m[i]
        for r in range(i + 1, n):
            factor = m[r][i] / m[i][i]
            if factor:
                m[r] = [a - factor * b for a, b in zip(m[r], m[i])]
    x = [Fraction(0)] * n
    for i in reversed(range(n)):
        x[i] = (m[i][n] - sum(m[i][j] * x[j] for j in range(i + 1, n))) / m[i][i]
    return [float(v) for v in x]


def extremes(errors, n):
    """Where the errors are largest between their changes of sign: n places, signs in turns."""
    places = [0]
    for i in range(1, len(errors)):
        if (errors[i] > 0) != (errors[places[-1]] > 0):
            places.append(i)
        elif abs(errors[i]) > abs(errors[places[-1]]):
            places[-1] = i
    while len(places) > n:
        least = min(range(len(places)), key=lambda k: abs(errors[places[k]]))
        if 0 < least < len(places) - 1:  # its neighbours have one sign: the larger of them stays
            smaller = min(least - 1, least + 1, key=lambda k: abs(errors[places[k]]))
            del places[min(least, smaller):max(least, smaller) + 1]
        else:
            del places[least]
    return places


def minimax(xs, targets, weights, degree):
    """Coefficients, from the lowest power on, so that the largest weight * |target - p(x)| is least."""
    n = degree + 2
    at = [round((1 - math.cos(math.pi * i / (n - 1))) / 2 * (len(xs) - 1)) for i in range(n)]
    best = math.inf, None
    for _ in range(30):
        rows = [[xs[a] ** p for p in range(degree + 1)] + [(-1) ** k / weights[a]] for k, a in enumerate(at)]
        coefficients = solve(rows, [targets[a] for a in at])[:-1]
        errors = [w * (t - sum(c * x ** p for p, c in enumerate(coefficients)))
                  for x, t, w in zip(xs, targets, weights)]
        best = min(best, (max(map(abs, errors)), coefficients))
        places = extremes(errors, n)
        if len(places) < n or places == at:
            break
        at = places
    return best[1]


def neighbours(x):
    """The float32 numbers beside x."""
    bits = struct.unpack("i", struct.pack("f", x))[0]
    return [struct.unpack("f", struct.pack("i", bits + step))[0] for step in (-1, 1)]


def fit(low, high, degree, target, weight):
    """(largest error, float32 coefficients from the lowest power on)."""
    xs = [(low + high) / 2 - (high - low) / 2 * math.cos(math.pi * (i + 0.5) / GRID) for i in range(GRID)]
    targets, weights = [target(x) for x in xs], [weight(x) for x in xs]
    kept = [to_float32(c) for c in minimax(xs, targets, weights, degree)]
    errors = [w * (t - sum(c * x ** p for p, c in enumerate(kept))) for x, t, w in zip(xs, targets, weights)]
    improved = True
    while improved:
        improved = False
        for power, candidate in [(p, c) for p in range(degree + 1) for c in neighbours(kept[p])]:
            step = candidate - kept[power]
            changed = [e - w * step * x ** power for x, w, e in zip(xs, weights, errors)]
            if max(map(abs, changed)) < max(map(abs, errors)):
                kept[power], errors, improved = candidate, changed, True
    return max(map(abs, errors)), kept


def root(f):
    """A function of t = x^2 from one of x."""
    return lambda t: f(math.sqrt(t))


def tail(u):
    """(t + 3) e^(t^2/2) times the share of a normal distribution above t, where u = (t - 1) / (t + 3)."""
    t = (1 + 3 * u) / (1 - u)
    return (t + 3) / 2 * math.erfc(t / math.sqrt(2)) * math.exp(t * t / 2)


def tanh_share(r):
    """How much of the relative error of tanh(x), x = r or, below 0, r + ln(2) / 2, is an error of p(r)."""
    e = math.expm1(2 * r) if r > 0 else 2 * math.exp(2 * r) - 1
    return r ** 2 * (1 if r > 0 else 2) * 4 / (e * (e + 2))


TAIL_END = 15
# name: what is fitted, low, high, degree, target, weight
FITS = {
    "exp2": ("2^x = 1 + x p(x)", -0.5, 0.5, 5,
             lambda x: math.expm1(x * math.log(2)) / x, lambda x: abs(x) / 2 ** x),
    "exp": ("e^x = 1 + x + x^2 p(x)", -0.3466, 0.3466, 4,
            lambda x: (math.expm1(x) - x) / x ** 2, lambda x: x ** 2 / math.exp(x)),
    "log": ("log(1 + x) = x - x^2/2 + x^3 p(x)", math.sqrt(0.5) - 1, math.sqrt(2) - 1, 8,
            lambda x: (math.log1p(x) - x + x * x / 2) / x ** 3, lambda x: abs(x ** 3 / math.log1p(x))),
    "tanh": ("(e^2x - 1) / 2 = x + x^2 p(x), for tanh", -0.1733, 0.1733, 4,
             lambda x: (math.expm1(2 * x) / 2 - x) / x ** 2, tanh_share),
    "erf_near": ("erf(x) = x + x p(x^2)", 1e-4, 0.93 ** 2, 6,
                 root(lambda x: math.erf(x) / x - 1), root(lambda x: x / math.erf(x))),
    "erf_far": ("erf(x) = 1 - 2^p(x)", 0.92, 3.95, 6,
                lambda x: math.log2(math.erfc(x)), lambda x: math.erfc(x) * math.log(2)),
    "tail": ("(t + 3) e^(t^2/2) times the normal distribution above t = p(u), u = (t - 1) / (t + 3)",
             -1 / 3, (TAIL_END - 1) / (TAIL_END + 3), 9, tail, lambda u: 1 / tail(u)),
}


def main():
    for name in sys.argv[1:] or FITS:
        formula, *problem = FITS[name]
        error, coefficients = fit(*problem)
        print(f"{name}: {formula}; on [{problem[0]:.5g}, {problem[1]:.5g}]; largest error 2^{math.log2(error):.2f}")
        for power in reversed(range(len(coefficients))):
            print(f"    {coefficients[power]:.9g} x^{power}")


if __name__ == "__main__":
    main()
