import itertools as it
from functools import reduce, lru_cache, wraps, partial
from contextlib import contextmanager
import time
def batches(seq, n):
    b = []
    for x in seq:
        b.append(x)
        if len(b) == n:
            yield b
            b = []
    if b: yield b
print(list(batches(range(7), 3)))
def fib():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b
print(list(it.islice(fib(), 10)), next(x for x in fib() if x > 100))
def averager():
    total = n = 0; avg = None
    while True:
        x = yield avg
        if x is None: return avg
        total += x; n += 1; avg = total / n
g = averager(); next(g); print(g.send(10), g.send(20))
try: g.send(None)
except StopIteration as e: print('done', e.value)
def outer():
    r = yield from inner()
    yield r * 2
def inner():
    yield 1
    return 21
print(list(outer()))
def guarded():
    try:
        yield 'a'
        yield 'b'
    except ValueError as e:
        print('caught', e); yield 'c'
    finally:
        print('cleanup')
g = guarded(); print(next(g), g.throw(ValueError('x'))); g.close()
g2 = guarded(); next(g2); g2.close()
@contextmanager
def timer(name):
    print('enter', name)
    try: yield {'name': name}
    finally: print('exit', name)
with timer('t') as d: print(d)
def retry(times):
    def deco(f):
        @wraps(f)
        def wrapper(*a, **k):
            for i in range(times):
                try: return f(*a, **k)
                except ZeroDivisionError as e: print(f'try {i}: {e!r}')
            raise RuntimeError('gave up') from e if False else RuntimeError('gave up')
        return wrapper
    return deco
@retry(2)
def bad(x): return x / 0
try: bad(1)
except RuntimeError as e: print(e, bad.__name__)
@lru_cache(maxsize=None)
def paths(r, c): return 1 if r == 0 or c == 0 else paths(r - 1, c) + paths(r, c - 1)
print(paths(14, 14), paths.cache_info().hits)
print([*it.accumulate([1, 2, 3])], list(it.chain('ab', [1])), list(it.product([0, 1], repeat=2)), list(it.combinations('abc', 2)), [(k, len(list(g))) for k, g in it.groupby('aabccc')])
print(reduce(lambda a, b: a * b, range(1, 6)), list(zip(*[[1, 2], [3, 4]])), dict(zip('ab', it.count(1))), list(it.zip_longest([1], [2, 3], fillvalue=0)), list(map(partial(pow, 2), [1, 2, 3])))
def countdown(n):
    while n: yield n; n -= 1
first, *rest = countdown(4); print(first, rest, sum(x * x for x in countdown(3)), any(x > 2 for x in rest))
