from itertools import islice, takewhile, count
def primes():
    found = []
    for n in count(2):
        if all(n % p for p in takewhile(lambda p: p * p <= n, found)):
            found.append(n)
            yield n
print(list(islice(primes(), 12)))
def flatten(x):
    for i in x:
        if isinstance(i, (list, tuple)): yield from flatten(i)
        else: yield i
print(list(flatten([1, [2, (3, [4])], 5])))
def running():
    total = n = 0
    avg = None
    while True:
        x = yield avg
        total += x; n += 1
        avg = total / n
r = running(); next(r)
print([r.send(v) for v in (10, 20, 60)])
def window(xs, k):
    for i in range(len(xs) - k + 1): yield xs[i:i + k]
for x, y in window(list(range(5)), 2): print(x, y, end=",")
print()
g = (i ** 2 for i in range(5))
print(next(g), sum(g), list(g), next(g, None))
print(dict(zip("abc", range(3))), {**{"a": 1}, "b": 2}, [a + b for a, b in zip("ab", "cd")])
print(sum(1 for _ in filter(str.isupper, "AbC")), list(map(len, ["a", "bb"])), max(map(abs, [-3, 2])))
