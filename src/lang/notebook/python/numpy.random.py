"""numpy.random: the legacy stream (MT19937), number for number."""
import _numpy
import math as _math
from _numpy import asarray, array, arange, copy, float64, int64, maximum, exp, sqrt


def seed(seed=None):
    _numpy._seed(seed)


def random_sample(size=None):
    x = _numpy._draw(0, size)
    return float(x) if size is None else x


random = ranf = sample = random_sample


def rand(*shape):
    return random_sample(shape if shape else None)


def standard_normal(size=None):
    x = _numpy._draw(1, size)
    return float(x) if size is None else x


def randn(*shape):
    return standard_normal(shape if shape else None)


def _size(size, *args):
    if size is not None:
        return size
    total = 0
    for x in args:
        total = total + asarray(x)
    return total.shape if total.shape else None


def normal(loc=0.0, scale=1.0, size=None):
    if (asarray(scale) < 0).any():
        raise ValueError("scale < 0")
    return loc + scale * standard_normal(_size(size, loc, scale))


def uniform(low=0.0, high=1.0, size=None):
    return low + (high - low) * random_sample(_size(size, low, high))


def exponential(scale=1.0, size=None):
    x = _numpy._draw(2, size)
    return scale * (float(x) if size is None else x)


def standard_exponential(size=None):
    return exponential(1.0, size)


def randint(low, high=None, size=None, dtype=int):
    if high is None:
        low, high = 0, low
    if dtype not in (int, int64):
        raise NotImplementedError("attn's np.random.randint gives int64; write .astype(...) after it")
    if asarray(low).ndim or asarray(high).ndim:
        raise NotImplementedError("attn's np.random.randint takes single bounds")
    return _numpy._whole(low, high, size)


def random_integers(low, high=None, size=None):
    return randint(1, low + 1, size) if high is None else randint(low, high + 1, size)


def shuffle(x):
    for i in range(len(x) - 1, 0, -1):
        k = _numpy._interval(i)
        if isinstance(x, list):
            x[i], x[k] = x[k], x[i]
        else:
            row = copy(x[i])
            x[i] = x[k]
            x[k] = row


def permutation(x):
    if isinstance(x, (int, _numpy.integer)):
        order = arange(int(x))
        shuffle(order)
        return order
    import numpy
    x = numpy.asarray(x)
    if isinstance(x, numpy.Texts):
        return x[permutation(len(x))]
    if x.ndim == 1:
        x = copy(x)
        shuffle(x)
        return x
    order = arange(x.shape[0])
    shuffle(order)
    return x[order]


class _Legacy:
    """The stream of np.random, as _choice() and _Distributions take one."""

    messages = {"size": "'a' and 'p' must have same size", "negative": "probabilities are not non-negative",
                "sum": "probabilities do not sum to 1", "count": "a must be greater than 0 unless no samples are taken",
                "empty": "'a' cannot be empty unless no samples are taken",
                "replace": "Cannot take a larger sample than population when 'replace=False'"}

    def __init__(self):
        self.random = random_sample

    def wholes(self, n, shape):
        return randint(0, n, shape)

    def without(self, n, count):
        return permutation(n)[:count]

    def nothing(self):
        random_sample()  # the legacy stream draws a number all the same
        return 0

    def gauss(self):
        return standard_normal()

    def exponential(self):
        return standard_exponential()


def _shape_of(size):
    return () if size is None else tuple(size) if isinstance(size, (tuple, list)) else (int(size),)


def _without_by_share(stream, p, count):
    """Places without one twice, drawn by their shares."""
    import numpy
    p, found = copy(p), []
    while len(found) < count:
        x = stream.random((count - len(found),))
        for k in found:
            p[k] = 0
        cdf = numpy.cumsum(p)
        new = numpy.searchsorted(cdf / cdf[-1], x, "right")
        first = numpy.sort(numpy.unique(new, return_index=True)[1])
        found += [int(k) for k in new[first]]
    return array(found, dtype=int)


def _choice(stream, a, size, replace, p, axis):
    import numpy
    messages = stream.messages
    is_count = isinstance(a, (int, _numpy.integer))
    rows = None if is_count else numpy.array(a)
    n = int(a) if is_count else rows.shape[axis]
    if n == 0 and size != 0:
        raise ValueError(messages["count" if is_count else "empty"])
    shape = _shape_of(size)
    count = 1
    for k in shape:
        count *= int(k)
    if p is not None:
        p = asarray(p).astype(float)
        if p.size != n:
            raise ValueError(messages["size"])
        if (p < 0).any():
            raise ValueError(messages["negative"])
        if abs(float(p.sum()) - 1) > 1.5e-8:
            raise ValueError(messages["sum"])
    if replace and p is not None:
        cdf = numpy.cumsum(p)
        at = asarray(numpy.searchsorted(cdf / cdf[-1], stream.random(shape or (1,)), "right")).reshape(shape)
    elif replace:
        at = asarray(stream.wholes(n, shape))
    elif count > n:
        raise ValueError(messages["replace"])
    elif p is None:
        at = asarray(stream.without(n, count)).reshape(shape)
    elif int((p > 0).sum()) < count:
        raise ValueError("Fewer non-zero entries in p than size")
    else:
        at = _without_by_share(stream, p, count).reshape(shape)
    if size is None:
        at = at.item()
    return at if is_count else rows[at] if axis == 0 else rows.take(at, axis)


def choice(a, size=None, replace=True, p=None):
    import numpy
    if not isinstance(a, (int, _numpy.integer)) and numpy.ndim(a) != 1:
        raise ValueError("a must be 1-dimensional")
    return _choice(_legacy, a, size, replace, p, 0)


# ---- distributions, of both streams ----

def _each(one, size, dtype, *parameters):
    """An array of one(...) for the parameters, which broadcast; a number where nothing has axes."""
    import numpy
    arrays = [asarray(x) for x in parameters]
    shape = _shape_of(size) if size is not None else _size(None, *arrays) or ()
    flat = [numpy.broadcast_to(x, shape).reshape(-1).tolist() for x in arrays]
    count = 1
    for k in shape:
        count *= int(k)
    found = [one(*[x[i] for x in flat]) for i in range(count)]
    return found[0] if not shape else array(found, dtype=dtype).reshape(shape)


def _gamma(stream, shape):
    if shape == 1:
        return stream.exponential()
    if shape == 0:
        return 0.0
    if shape < 1:
        while True:
            u, v = stream.random(), stream.exponential()
            if u <= 1 - shape:
                x = u ** (1 / shape)
                if x <= v:
                    return x
            else:
                y = -_math.log((1 - u) / shape)
                x = (1 - shape + shape * y) ** (1 / shape)
                if x <= v + y:
                    return x
    b = shape - 1 / 3
    c = 1 / _math.sqrt(9 * b)
    while True:
        v = 0.0
        while v <= 0:
            x = stream.gauss()
            v = 1 + c * x
        v = v * v * v
        u = stream.random()
        if u < 1 - 0.0331 * (x * x) * (x * x) or _math.log(u) < 0.5 * x * x + b * (1 - v + _math.log(v)):
            return b * v


def _beta(stream, a, b):
    if a > 1 or b > 1:
        x = _gamma(stream, a)
        return x / (x + _gamma(stream, b))
    while True:
        x, y = stream.random() ** (1 / a), stream.random() ** (1 / b)
        if 0 < x + y <= 1:
            return x / (x + y)


def _poisson(stream, lam):
    if lam < 0:
        raise ValueError("lam < 0 or lam contains NaNs")
    if lam < 10:
        least, product, k = _math.exp(-lam), 1.0, 0
        while lam > 0:
            product *= stream.random()
            if product <= least:
                break
            k += 1
        return k
    b = 0.931 + 2.53 * _math.sqrt(lam)
    a = -0.059 + 0.02483 * b
    inverse = 1.1239 + 1.1328 / (b - 3.4)
    edge = 0.9277 - 3.6224 / (b - 2)
    while True:
        u = stream.random() - 0.5
        v = stream.random()
        us = 0.5 - abs(u)
        k = int(_math.floor((2 * a / us + b) * u + lam + 0.43))
        if us >= 0.07 and v <= edge:
            return k
        if k < 0 or us < 0.013 and v > us:
            continue
        if (_math.log(v) + _math.log(inverse) - _math.log(a / (us * us) + b)
                <= -lam + k * _math.log(lam) - _math.lgamma(k + 1)):
            return k


def _binomial_by_steps(stream, n, p):
    q = 1 - p
    least = _math.exp(n * _math.log(q))
    bound = int(min(n, n * p + 10 * _math.sqrt(n * p * q + 1)))
    k, share, u = 0, least, stream.random()
    while u > share:
        k += 1
        if k > bound:
            k, share, u = 0, least, stream.random()
        else:
            u -= share
            share = (n - k + 1) * p * share / (k * q)
    return k


def _stirling(x):
    square = x * x
    return (13680 - (462 - (132 - (99 - 140 / square) / square) / square) / square) / x / 166320


def _binomial_by_shapes(stream, n, r):
    """Kachitvichyanukul and Schmeiser 1988, algorithm BTPE."""
    q = 1 - r
    spread, fm = n * r * q, n * r + r
    m = int(_math.floor(fm))
    p1 = _math.floor(2.195 * _math.sqrt(spread) - 4.6 * q) + 0.5
    xm = m + 0.5
    xl, xr = xm - p1, xm + p1
    c = 0.134 + 20.5 / (15.3 + m)
    a = (fm - xl) / (fm - xl * r)
    left = a * (1 + a / 2)
    a = (xr - fm) / (xr * q)
    right = a * (1 + a / 2)
    p2 = p1 * (1 + 2 * c)
    p3 = p2 + c / left
    p4 = p3 + c / right
    while True:
        u, v = stream.random() * p4, stream.random()
        if u <= p1:
            return int(_math.floor(xm - p1 * v + u))
        if u <= p2:
            x = xl + (u - p1) / c
            v = v * c + 1 - abs(m - x + 0.5) / p1
            if v > 1:
                continue
            y = int(_math.floor(x))
        elif v == 0:
            continue
        elif u <= p3:
            y = int(_math.floor(xl + _math.log(v) / left))
            if y < 0:
                continue
            v = v * (u - p2) * left
        else:
            y = int(_math.floor(xr - _math.log(v) / right))
            if y > n:
                continue
            v = v * (u - p3) * right
        k = abs(y - m)
        if k <= 20 or k >= spread / 2 - 1:
            s, f = r / q, 1.0
            for i in range(m + 1, y + 1):
                f *= s * (n + 1) / i - s
            for i in range(y + 1, m + 1):
                f /= s * (n + 1) / i - s
            if v <= f:
                return y
            continue
        rho = k / spread * ((k * (k / 3 + 0.625) + 0.16666666666666666) / spread + 0.5)
        t, log = -k * k / (2 * spread), _math.log(v)
        if log < t - rho:
            return y
        if log > t + rho:
            continue
        x1, f1, z, w = y + 1, m + 1, n + 1 - m, n - y + 1
        if log <= (xm * _math.log(f1 / x1) + (n - m + 0.5) * _math.log(z / w) + (y - m) * _math.log(w * r / (x1 * q))
                   + _stirling(f1) + _stirling(z) + _stirling(x1) + _stirling(w)):
            return y


def _binomial(stream, n, p):
    n = int(n)
    if n < 0:
        raise ValueError("n < 0")
    if not 0 <= p <= 1:
        raise ValueError("p < 0, p > 1 or p is NaN")
    if n == 0 or p == 0:
        return stream.nothing()
    less = p if p <= 0.5 else 1 - p
    k = (_binomial_by_steps if less * n <= 30 else _binomial_by_shapes)(stream, n, less)
    return k if p <= 0.5 else n - k


def _multinomial(stream, n, pvals, size):
    import numpy
    shares = asarray(pvals).astype(float).tolist()
    if sum(shares[:-1]) > 1 + 1e-12:
        raise ValueError("sum(pvals[:-1]) > 1.0")

    def one():
        counts, left, rest = [0] * len(shares), int(n), 1.0
        for i, share in enumerate(shares[:-1]):
            counts[i] = _binomial(stream, left, share / rest)
            left -= counts[i]
            if left <= 0:
                break
            rest -= share
        counts[-1] += left if left > 0 else 0
        return counts
    shape = _shape_of(size)
    count = 1
    for k in shape:
        count *= int(k)
    return array([one() for _ in range(count)], dtype=int).reshape(shape + (len(shares),))


def _dirichlet(stream, alpha, size):
    alpha = asarray(alpha).astype(float).tolist()

    def one():
        x = [_gamma(stream, a) for a in alpha]
        share = 1 / sum(x)
        return [y * share for y in x]
    shape = _shape_of(size)
    count = 1
    for k in shape:
        count *= int(k)
    return array([one() for _ in range(count)]).reshape(shape + (len(alpha),))


def binomial(n, p, size=None):
    return _each(lambda n, p: _binomial(_legacy, n, p), size, int, n, p)


def poisson(lam=1.0, size=None):
    return _each(lambda lam: _poisson(_legacy, lam), size, int, lam)


def gamma(shape, scale=1.0, size=None):
    return _each(lambda k, scale: scale * _gamma(_legacy, k), size, float, shape, scale)


def standard_gamma(shape, size=None):
    return gamma(shape, 1.0, size)


def beta(a, b, size=None):
    return _each(lambda a, b: _beta(_legacy, a, b), size, float, a, b)


def multinomial(n, pvals, size=None):
    return _multinomial(_legacy, n, pvals, size)


def dirichlet(alpha, size=None):
    return _dirichlet(_legacy, alpha, size)


def multivariate_normal(mean, cov, size=None, check_valid="warn", tol=1e-8):
    raise NotImplementedError("attn has not numpy's signs here; write mean + np.random.randn(n, len(mean)) @ "
                              "np.linalg.cholesky(cov).T")


_legacy = _Legacy()


class RandomState:
    """A stream of its own: its methods are the functions above, while it stands in for np.random's."""

    def __init__(self, seed=None):
        self._stream = _numpy._stream()
        self.seed(seed)


def _as_method(function):
    def method(self, *args, **keywords):
        _numpy._swap(self._stream)
        try:
            return function(*args, **keywords)
        finally:
            _numpy._swap(self._stream)
    method.__name__ = function.__name__
    return method


for _function in (seed, random_sample, random, rand, standard_normal, randn, normal, uniform, exponential,
                  standard_exponential, randint, random_integers, shuffle, permutation, choice,
                  multinomial, binomial, poisson, gamma, standard_gamma, beta, dirichlet, multivariate_normal):
    setattr(RandomState, _function.__name__, _as_method(_function))
RandomState.random = RandomState.random_sample


def _words(seed):
    if seed is None:
        return None
    if isinstance(seed, (list, tuple)) or hasattr(seed, "tolist") and getattr(seed, "ndim", 0):
        return [word for one in list(seed) for word in _words(one)]
    seed = int(seed)
    if seed < 0:
        raise ValueError("expected non-negative integer")
    words = [seed & 0xffffffff]
    while seed >= 0x100000000:
        seed >>= 32
        words.append(seed & 0xffffffff)
    return words


class SeedSequence:
    def __init__(self, entropy=None):
        self.entropy = entropy


class PCG64:
    def __init__(self, seed=None):
        self._state = _numpy._pcg(_words(seed.entropy if isinstance(seed, SeedSequence) else seed))


class Generator:
    def __init__(self, bit_generator):
        self.bit_generator = bit_generator
        self._state = bit_generator._state

    def __repr__(self):
        return "Generator(PCG64)"

    def random(self, size=None, dtype=float64, out=None):
        x = _numpy._pcg_draw(self._state, 2 if dtype == _numpy.float32 else 0, size)
        return float(x) if size is None else x

    def standard_normal(self, size=None, dtype=float64, out=None):
        if dtype not in (float64, float, "float64", "d"):
            raise NotImplementedError("attn draws normal numbers as float64; write .astype(np.float32) "
                                      "after it, whose numbers differ from numpy's float32 draws")
        x = _numpy._pcg_draw(self._state, 1, size)
        return float(x) if size is None else x

    def normal(self, loc=0.0, scale=1.0, size=None):
        if (asarray(scale) < 0).any():
            raise ValueError("scale < 0")
        return loc + scale * self.standard_normal(_size(size, loc, scale))

    def uniform(self, low=0.0, high=1.0, size=None):
        return low + (high - low) * self.random(_size(size, low, high))

    def integers(self, low, high=None, size=None, dtype=int64, endpoint=False):
        if high is None:
            low, high = 0, low
        if dtype not in (int64, int, "int64", _numpy.int32, "int32"):
            raise NotImplementedError("attn's rng.integers draws int64 and int32; write .astype(...) "
                                      "after it, whose numbers differ from numpy's")
        if asarray(low).ndim or asarray(high).ndim:
            raise NotImplementedError("attn's rng.integers takes single bounds")
        most = int(high) - (0 if endpoint else 1)
        if most < low:
            raise ValueError("low > high" if endpoint else "low >= high")
        x = _numpy._pcg_whole(self._state, int(low), most, size)
        return int64(x) if size is None else x if dtype in (int64, int, "int64") else x.astype(dtype)

    def _interval(self, most):
        return _numpy._pcg_whole(self._state, 0, most)

    def shuffle(self, x, axis=0):
        if axis != 0:
            raise NotImplementedError("attn's rng.shuffle shuffles the first axis")
        for i in range(len(x) - 1, 0, -1):
            k = _numpy._pcg_masked(self._state, i)
            if isinstance(x, list):
                x[i], x[k] = x[k], x[i]
            elif i != k:
                row = copy(x[k])
                x[k] = x[i]
                x[i] = row

    def permutation(self, x, axis=0):
        if axis != 0:
            raise NotImplementedError("attn's rng.permutation permutes the first axis")
        if isinstance(x, (int, _numpy.integer)):
            order = arange(int(x))
            self.shuffle(order)
            return order
        import numpy
        x = numpy.asarray(x)
        if isinstance(x, numpy.Texts):
            return x[self.permutation(len(x))]
        x = copy(x)
        if x.ndim == 1:
            self.shuffle(x)
            return x
        order = arange(x.shape[0])
        self.shuffle(order)
        return x[order]

    permuted = permutation

    def _without(self, n, count, shuffle):
        if n > 10000 and count > n // (50 if shuffle else 20):
            at = arange(n)
            for i in range(n - 1, max(n - count, 1) - 1, -1):
                k = self._interval(i)
                at[i], at[k] = at[k].item(), at[i].item()
            return at[n - count:]
        seen, at = set(), []
        for j in range(n - count, n):
            k = self._interval(j)
            k = j if k in seen else k
            seen.add(k)
            at.append(k)
        if shuffle:
            for i in range(count - 1, 0, -1):
                k = self._interval(i)
                at[i], at[k] = at[k], at[i]
        return array(at, dtype=int)

    messages = {"size": "a and p must have same size", "negative": "Probabilities are not non-negative",
                "sum": "Probabilities do not sum to 1. See Notes section of docstring for more information.",
                "count": "a must be a positive integer unless no samples are taken",
                "empty": "a cannot be empty unless no samples are taken",
                "replace": "Cannot take a larger sample than population when replace is False"}

    def nothing(self):
        return 0

    def wholes(self, n, shape):
        return _numpy._pcg_whole(self._state, 0, n - 1, shape)

    def choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
        self.without = lambda n, count: self._without(n, count, shuffle)
        return _choice(self, a, size, replace, p, axis)

    def binomial(self, n, p, size=None):
        return _each(lambda n, p: _binomial(self, n, p), size, int, n, p)

    def poisson(self, lam=1.0, size=None):
        return _each(lambda lam: _poisson(self, lam), size, int, lam)

    def multinomial(self, n, pvals, size=None):
        return _multinomial(self, n, pvals, size)

    def exponential(self, scale=1.0, size=None):
        raise NotImplementedError("attn's generators draw no exponential numbers; write "
                                  "np.random.RandomState(seed).exponential(...), whose numbers differ")

    gamma = beta = dirichlet = standard_exponential = exponential


def default_rng(seed=None):
    if isinstance(seed, Generator):
        return seed
    return Generator(seed if isinstance(seed, PCG64) else PCG64(seed))
