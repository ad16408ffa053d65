import math
def softmax(xs):
    m = max(xs)
    es = [math.exp(x - m) for x in xs]
    s = sum(es)
    return [e / s for e in es]
def matmul(a, b):
    return [[sum(x * y for x, y in zip(r, c)) for c in zip(*b)] for r in a]
def transpose(m): return [list(r) for r in zip(*m)]
Q = [[1.0, 0.0, 1.0], [0.0, 2.0, 0.0]]
K = [[1.0, 1.0, 0.0], [0.0, 1.0, 1.0], [1, 0, 1]]
V = [[1, 2], [3, 4], [5, 6]]
scores = matmul(Q, transpose(K))
weights = [softmax([s / math.sqrt(3) for s in r]) for r in scores]
out = matmul(weights, V)
for name, m in (("scores", scores), ("weights", weights), ("out", out)):
    print(name)
    for row in m:
        print("  " + " ".join(f"{v:8.4f}" for v in row))
print(weights)
