import time, sys, os
from contextlib import contextmanager
log = []
@contextmanager
def timed(name):
    start = time.perf_counter()
    log.append(f"begin {name}")
    try:
        yield log
    finally:
        log.append(f"end {name}")
        assert time.perf_counter() - start >= 0
with timed("a") as l, timed("b"):
    l.append("work")
print(log)
def retry(n):
    def deco(f):
        def w(*a, **k):
            for i in range(n):
                try: return f(*a, **k)
                except RuntimeError as e:
                    print(f"try {i + 1}: {e}")
            return None
        return w
    return deco
calls = 0
@retry(3)
def flaky(x, *, y=1):
    global calls
    calls += 1
    if calls < 3: raise RuntimeError(f"boom {calls}")
    return x + y
print(flaky(1, y=5), calls)
