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


def default_rng(seed=None):
    raise NotImplementedError("attn draws as np.random.seed(...) and np.random.randn(...) do, not yet "
                              "as default_rng() does")


class RandomState:
    """A stream of its own would differ from numpy's; this one shares the global stream."""

    def __init__(self, seed=None):
        raise NotImplementedError("attn has one stream: np.random.seed(...) and np.random.randn(...)")
