"""numpy.random: the legacy stream (MT19937), number for number."""
import _numpy
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
    x = asarray(x)
    if x.ndim == 1:
        x = copy(x)
        shuffle(x)
        return x
    order = arange(x.shape[0])
    shuffle(order)
    return x[order]


def choice(a, size=None, replace=True, p=None):
    import numpy
    names = None
    if not isinstance(a, (int, _numpy.integer)):
        if isinstance(a, (list, tuple)) and len(a) and isinstance(a[0], str):
            names = list(a)
            a = len(names)
        else:
            a = asarray(a)
            if a.ndim != 1:
                raise ValueError("a must be 1-dimensional")
    n = int(a) if isinstance(a, (int, _numpy.integer)) else a.size
    if n == 0 and size != 0:
        raise ValueError("'a' cannot be empty unless no samples are taken" if names is not None or
                         not isinstance(a, int) else
                         "a must be greater than 0 unless no samples are taken")
    shape = () if size is None else size if isinstance(size, (tuple, list)) else (size,)
    count = 1
    for k in shape:
        count *= int(k)
    if p is not None:
        p = asarray(p).astype(float)
        if p.size != n:
            raise ValueError("'a' and 'p' must have same size")
        if (p < 0).any():
            raise ValueError("probabilities are not non-negative")
        if abs(float(p.sum()) - 1) > 1.5e-8:
            raise ValueError("probabilities do not sum to 1")
    if replace:
        if p is not None:
            cdf = numpy.cumsum(p)
            cdf = cdf / cdf[-1]
            at = numpy.searchsorted(cdf, random_sample(shape if size is not None else (1,)), "right")
            at = at if size is not None else at[0]
        else:
            at = randint(0, n, size if size is None else shape)
    else:
        if count > n:
            raise ValueError("Cannot take a larger sample than population when 'replace=False'")
        if p is None:
            at = permutation(n)[:count].reshape(shape)
        else:
            found = []
            p = copy(p)
            while len(found) < count:
                x = rand(count - len(found))
                for k in found:
                    p[k] = 0
                cdf = numpy.cumsum(p)
                cdf = cdf / cdf[-1]
                new = numpy.searchsorted(cdf, x, "right")
                first = numpy.sort(numpy.unique(new, return_index=True)[1])
                found += [int(k) for k in new[first]]
            at = array(found, dtype=int).reshape(shape)
        if size is None:
            at = at.item()
    if names is not None:
        return names[at] if size is None else [names[k] for k in at.reshape(-1)]
    if isinstance(a, (int, _numpy.integer)):
        return at
    return a[at]


def multinomial(n, pvals, size=None):
    raise NotImplementedError("attn has np.random.choice(k, n, p=...)")


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
                  multinomial):
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
        if isinstance(x, (list, tuple)) and len(x) and isinstance(x[0], str):
            return [x[i] for i in self.permutation(len(x))]
        x = copy(asarray(x))
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

    def choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
        import numpy
        names = None
        if isinstance(a, (list, tuple)) and len(a) and isinstance(a[0], str):
            names, a = list(a), len(a)
        is_count = isinstance(a, (int, _numpy.integer))
        rows = None if is_count else asarray(a)
        n = int(a) if is_count else rows.shape[axis]
        if n == 0:
            raise ValueError("a cannot be empty unless no samples are taken")
        shape = () if size is None else size if isinstance(size, (tuple, list)) else (size,)
        count = 1
        for k in shape:
            count *= int(k)
        if p is not None:
            p = asarray(p).astype(float)
            if p.size != n:
                raise ValueError("a and p must have same size")
            if (p < 0).any():
                raise ValueError("Probabilities are not non-negative")
            if abs(float(p.sum()) - 1) > 1.5e-8:
                raise ValueError("Probabilities do not sum to 1. See Notes section of docstring for more "
                                 "information.")
        if replace and p is not None:
            cdf = numpy.cumsum(p)
            cdf = cdf / cdf[-1]
            at = asarray(numpy.searchsorted(cdf, self.random(shape), "right"))
        elif replace:
            at = asarray(_numpy._pcg_whole(self._state, 0, n - 1, shape))
        else:
            if count > n:
                raise ValueError("Cannot take a larger sample than population when replace is False")
            if p is None:
                at = self._without(n, count, shuffle).reshape(shape)
            else:
                if int((p > 0).sum()) < count:
                    raise ValueError("Fewer non-zero entries in p than size")
                p, found = copy(p), []
                while len(found) < count:
                    x = self.random((count - len(found),))
                    for k in found:
                        p[k] = 0
                    cdf = numpy.cumsum(p)
                    cdf = cdf / cdf[-1]
                    new = numpy.searchsorted(cdf, x, "right")
                    first = numpy.sort(numpy.unique(new, return_index=True)[1])
                    found += [int(k) for k in new[first]]
                at = array(found, dtype=int).reshape(shape)
        if size is None:
            at = at.item()
        if names is not None:
            return names[at] if size is None else [names[k] for k in at.reshape(-1)]
        return at if is_count else rows.take(at, axis)


def default_rng(seed=None):
    if isinstance(seed, Generator):
        return seed
    return Generator(seed if isinstance(seed, PCG64) else PCG64(seed))
