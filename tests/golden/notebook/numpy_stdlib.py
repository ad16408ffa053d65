import numpy as np
from dataclasses import dataclass
from typing import Optional, Tuple
from collections import defaultdict, OrderedDict, deque, namedtuple, Counter
import itertools, functools, math, random, time
@dataclass
class Config:
    vocab: int = 10
    d: int = 4
    heads: int = 2
    scale: Optional[float] = None
cfg = Config(d=8); print(cfg)
random.seed(0); print(random.random(), random.randint(1, 10), random.sample(range(10), 3), random.choice('abc'), random.shuffle([1]), random.gauss(0, 1), random.uniform(1, 2))
Point = namedtuple('Point', 'x y'); p = Point(1, 2); print(p, p.x, p._asdict())
d = deque([1, 2], maxlen=2); d.append(3); print(d)
print(Counter("hello").most_common(2), OrderedDict([('a', 1)]), dict(defaultdict(int)))
print(list(itertools.product([1, 2], 'ab')), list(itertools.accumulate([1, 2, 3])), functools.reduce(lambda a, b: a * b, [1, 2, 3]))
print(math.sqrt(2), math.comb(5, 2), math.isclose(0.1 + 0.2, 0.3))
@functools.lru_cache(None)
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(50))
t0 = time.time(); print(time.time() - t0 < 5)
A = np.random.RandomState
x = np.linspace(-3, 3, 7); print(1 / (1 + np.exp(-x)), np.tanh(x), np.maximum(0, x), np.where(x > 0, x, 0.01 * x))
print(np.arange(10).reshape(2, 5).tolist(), np.ones((2, 2), dtype=int).dtype, np.zeros(3, np.float32), np.array([1, 2.5]).dtype)
for name, arr in {'a': np.arange(3), 'b': np.eye(2)}.items(): print(name, arr.shape, arr.sum())
print(np.round(np.random.default_rng if False else 2.5), np.round(-1.55, 1), np.mod(-3, 2), -7 // 2, np.floor_divide(-7, 2), np.array([7, -7]) % 3)
