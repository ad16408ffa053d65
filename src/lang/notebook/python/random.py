"""random: Python's own stream, so that the numbers of a seed come out again."""
from _random import seed as _seed, random, getrandbits, log as _log, sqrt as _sqrt, \
    cos as _cos, sin as _sin, exp as _exp, state as _state, set_state as _set_state

_kept = [None]


def seed(a=None):
    _kept[0] = None
    _seed(a)


def _below(n):
    k = n.bit_length()
    r = getrandbits(k)
    while r >= n:
        r = getrandbits(k)
    return r


def randrange(start, stop=None, step=1):
    if stop is None:
        start, stop = 0, start
    n = len(range(start, stop, step))
    if n <= 0:
        raise ValueError(f"empty range in randrange({start}, {stop})")
    return start + step * _below(n)


def randint(a, b):
    return randrange(a, b + 1)


def choice(seq):
    if not len(seq):
        raise IndexError("Cannot choose from an empty sequence")
    return seq[_below(len(seq))]


def shuffle(x):
    for i in reversed(range(1, len(x))):
        j = _below(i + 1)
        x[i], x[j] = x[j], x[i]


def sample(population, k):
    n = len(population)
    if not 0 <= k <= n:
        raise ValueError("Sample larger than population or is negative")
    result = [None] * k
    setsize = 21
    if k > 5:
        power = 1
        while power < k * 3:
            power *= 4
        setsize += power
    if n <= setsize:
        pool = list(population)
        for i in range(k):
            j = _below(n - i)
            result[i] = pool[j]
            pool[j] = pool[n - i - 1]
    else:
        selected = set()
        for i in range(k):
            j = _below(n)
            while j in selected:
                j = _below(n)
            selected.add(j)
            result[i] = population[j]
    return result


def choices(population, weights=None, *, cum_weights=None, k=1):
    n = len(population)
    if weights is None and cum_weights is None:
        return [population[int(random() * n)] for _ in range(k)]
    if cum_weights is None:
        cum_weights, total = [], 0
        for w in weights:
            total += w
            cum_weights.append(total)
    total = cum_weights[-1] + 0.0
    result = []
    for _ in range(k):
        x, low, high = random() * total, 0, n - 1
        while low < high:
            middle = (low + high) // 2
            if x < cum_weights[middle]:
                high = middle
            else:
                low = middle + 1
        result.append(population[low])
    return result


def uniform(a, b):
    return a + (b - a) * random()


def gauss(mu=0.0, sigma=1.0):
    z = _kept[0]
    _kept[0] = None
    if z is None:
        x2pi = random() * 6.283185307179586
        g2rad = _sqrt(-2.0 * _log(1.0 - random()))
        z = _cos(x2pi) * g2rad
        _kept[0] = _sin(x2pi) * g2rad
    return mu + z * sigma


def normalvariate(mu=0.0, sigma=1.0):
    while True:
        u1 = random()
        u2 = 1.0 - random()
        z = 1.7155277699214135 * (u1 - 0.5) / u2
        if z * z / 4.0 <= -_log(u2):
            break
    return mu + z * sigma


def expovariate(lambd=1.0):
    return -_log(1.0 - random()) / lambd


def triangular(low=0.0, high=1.0, mode=None):
    u = random()
    c = 0.5 if mode is None else (mode - low) / (high - low)
    if u > c:
        u, c = 1.0 - u, 1.0 - c
        low, high = high, low
    return low + (high - low) * _sqrt(u * c)


def gammavariate(alpha, beta):
    if alpha <= 0 or beta <= 0:
        raise ValueError("gammavariate: alpha and beta must be > 0.0")
    if alpha == 1.0:
        return -_log(1.0 - random()) * beta
    if alpha > 1.0:
        ainv = _sqrt(2.0 * alpha - 1.0)
        bbb = alpha - 1.3862943611198906
        ccc = alpha + ainv
        while True:
            u1 = random()
            if not 1e-7 < u1 < 0.9999999:
                continue
            u2 = 1.0 - random()
            v = _log(u1 / (1.0 - u1)) / ainv
            x = alpha * _exp(v)
            z = u1 * u1 * u2
            r = bbb + ccc * v - x
            if r + 2.504077396776274 - 4.5 * z >= 0.0 or r >= _log(z):
                return x * beta
    while True:
        b = (2.718281828459045 + alpha) / 2.718281828459045
        p = b * random()
        x = p ** (1.0 / alpha) if p <= 1.0 else -_log((b - p) / alpha)
        u1 = random()
        if p > 1.0:
            if u1 <= x ** (alpha - 1.0):
                break
        elif u1 <= _exp(-x):
            break
    return x * beta


def betavariate(alpha, beta):
    y = gammavariate(alpha, 1.0)
    return y / (y + gammavariate(beta, 1.0)) if y else 0.0


def lognormvariate(mu=0.0, sigma=1.0):
    return _exp(normalvariate(mu, sigma))


def getstate():
    return 3, tuple(_state()), _kept[0]


def setstate(state):
    _set_state(list(state[1]))
    _kept[0] = state[2]


class Random:
    """A stream of its own: its methods are the functions above, while it stands in for theirs."""

    def __init__(self, x=None):
        before = getstate()
        seed(x)
        self._stream = getstate()
        setstate(before)


def _as_method(function):
    def method(self, *args, **keywords):
        before = getstate()
        setstate(self._stream)
        try:
            return function(*args, **keywords)
        finally:
            self._stream = getstate()
            setstate(before)
    method.__name__ = function.__name__
    return method


for _function in (seed, random, getrandbits, randrange, randint, choice, shuffle, sample, choices, uniform, gauss,
                  normalvariate, expovariate, triangular, gammavariate, betavariate, lognormvariate, getstate, setstate):
    setattr(Random, _function.__name__, _as_method(_function))
SystemRandom = Random
