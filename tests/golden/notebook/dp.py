def edit(a, b):
    m, n = len(a), len(b)
    d = [[0] * (n + 1) for _ in range(m + 1)]
    for i in range(m + 1): d[i][0] = i
    for j in range(n + 1): d[0][j] = j
    for i in range(1, m + 1):
        for j in range(1, n + 1):
            d[i][j] = min(d[i-1][j] + 1, d[i][j-1] + 1, d[i-1][j-1] + (a[i-1] != b[j-1]))
    return d[-1][-1]
print(edit("kitten", "sitting"), edit("", "abc"))
from functools import cache
@cache
def ways(n, coins=(1, 5, 10, 25)):
    if n == 0: return 1
    if n < 0 or not coins: return 0
    return ways(n - coins[-1], coins) + ways(n, coins[:-1])
print(ways(100))
def qsort(xs): return xs if len(xs) < 2 else qsort([x for x in xs[1:] if x < xs[0]]) + [xs[0]] + qsort([x for x in xs[1:] if x >= xs[0]])
print(qsort([3, 6, 1, 8, 2, 9, 2]))
grid = """
..#
#.#
...
""".strip().splitlines()
from collections import deque
q, seen = deque([((0, 0), 0)]), {(0, 0)}
while q:
    (r, c), dist = q.popleft()
    if (r, c) == (2, 2):
        print("dist", dist); break
    for dr, dc in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        p = r + dr, c + dc
        if 0 <= p[0] < 3 and 0 <= p[1] < 3 and grid[p[0]][p[1]] != "#" and p not in seen:
            seen.add(p); q.append((p, dist + 1))
else:
    print("no path")
