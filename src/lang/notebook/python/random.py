"""random: Python's own stream, so that the numbers of a seed come out again."""
from _random import seed as _seed, random, getrandbits, log as _log, sqrt as _sqrt, \
    cos as _cos, sin as _sin, exp as _exp

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
