a = [3, 1, 2]
a.append(4); a.extend([5, 6]); a.insert(0, 0)
print(a, len(a), a.pop(), a.pop(0), a, a.index(2), a.count(1), sorted(a), sorted(a, reverse=True))
a.sort(key=lambda x: -x)
print(a, a[::-1], a[1:3], a[-1], a[:-1], 3 in a, a + [9], a * 2, [0] * 3)
a[1:3] = [10, 20, 30]
print(a)
del a[0]; a[0] = 7; a.reverse(); a.remove(7)
print(a, a.copy() == a, a is a.copy(), [[0] * 2 for _ in range(2)])
b = [1, 2, 3, 4, 5, 6]
b[::2] = [0, 0, 0]
del b[1:3]
print(b, list(range(10))[2:8:3], list(range(5, 0, -2)), range(3), len(range(0, 10, 3)))
d = {"a": 1, "b": 2}
d["c"] = 3
d.update({"d": 4}, e=5)
print(d, d.get("x"), d.get("x", 0), d.pop("a"), d.setdefault("z", []), "b" in d, len(d), list(d))
print(list(d.keys()), list(d.values()), d.items(), {**d, "n": 1}, d | {"q": 1}, dict([("x", 1)]), dict(a=1))
for k, v in d.items():
    print(k, v, end="; ")
print()
del d["b"]
print(d, {k: v for k, v in sorted(d.items(), key=lambda kv: kv[0])}, sum({1: 2, 3: 4}.values()))
s = {3, 1, 2}
s.add(5); s.discard(9); s.remove(3)
print(sorted(s), s & {1, 5}, sorted(s | {8}), s - {1} == {2, 5}, {1} <= {1, 2}, {1, 2} ^ {2, 3}, set(), {1, 1})
t = (1, "a", 2.0)
x, y, z = t
print(t, x, y, z, t[1:], t + (4,), len(t), (1,), (), 1 in t, t.index("a"), (1, 2) < (1, 3), ((1, 2), [3]))
first, *middle, last = range(6)
(p, q), r = [1, 2], 3
print(first, middle, last, p, q, r)
x, y = y, x
print(x, y, [1, 2] == [1, 2], (1, 2) == [1, 2], [1, [2, 3]] == [1, [2, 3]], {1: 2} == {1: 2})
i = j = 5
i += 1; j **= 2; i //= 2; j %= 7
print(i, j, 7 // -2, -7 % 3, 7 % -3, 2 ** 0.5, 10 / 4, 10 // 4, divmod(-7, 2), abs(-3), round(2.567, 2), round(2.5), round(3.5))
print(list(zip([1, 2, 3], "ab")), list(enumerate("ab", 1)), list(map(str, [1, 2])), list(filter(None, [0, 1, 2])))
print(any([0, 1]), all([]), sum([0.1] * 3), min(3, 1, 2), max([1, 5], key=lambda v: -v), max("a", "b"), sum([[1], [2]], []))
print(list(reversed([1, 2])), [*range(3), *"ab"], (*[1], 2), {*[1, 2]}, [x for xs in [[1, 2], [3]] for x in xs])
print([(i, j) for i in range(3) for j in range(i) if (i + j) % 2], {x % 3 for x in range(7)}, [[j for j in range(i)] for i in range(3)])
print(isinstance(1, int), isinstance(True, int), isinstance("a", (int, str)), type(1), type(1.0).__name__, type([]) == list)
print(int(3.9), int(-3.9), float(3), bool([]), bool("a"), str(3), list("ab"), tuple([1]), set([1]), dict())
print(5 & 3, 5 | 3, 5 ^ 3, ~5, 1 << 4, -16 >> 2, True + True, not [], 1 is not None, [] is None, 0x1F, 1_000, 0b11, 0o17)
print(1 < 2 < 3, 1 < 3 < 2, 1 == 1.0, "a" == 1, None == None, 3 != 4, not (1 > 2), 1 and 0 or 5, [] or "empty")
if (n := len(a)) > 2:
    print("walrus", n)
nested = {"a": {"b": [1, 2, {"c": 3}]}}
print(nested["a"]["b"][2]["c"])
nested["a"]["b"][0] += 10
print(nested, [1, 2, 3][-1], "abc"[1], (lambda *a, **k: (a, k))(1, x=2))
from collections import Counter, defaultdict, deque, OrderedDict, namedtuple
c = Counter("mississippi")
print(c.most_common(2), c["s"], c["zz"], Counter(a=1) + Counter(a=2), c)
g = defaultdict(list)
for w in ["apple", "bat", "ant"]:
    g[w[0]].append(w)
print(dict(g), len(g), g["q"])
q = deque([1, 2], maxlen=3)
q.append(3); q.append(4); q.appendleft(0)
print(q, q.popleft(), list(q))
Point = namedtuple("Point", ["x", "y"])
pt = Point(1, y=2)
print(pt, pt.x, pt[1], *pt, pt == (1, 2), pt._replace(x=5))
import itertools, functools
print(list(itertools.product("ab", [1, 2])), list(itertools.combinations([1, 2, 3], 2)), list(itertools.accumulate([1, 2, 3])))
print(list(itertools.islice(itertools.count(5), 3)), list(itertools.chain([1], [2, 3])), functools.reduce(lambda a, b: a * b, [1, 2, 3, 4]))
print(list(itertools.permutations([1, 2, 3], 2)), list(itertools.zip_longest([1], [2, 3], fillvalue=0)))
