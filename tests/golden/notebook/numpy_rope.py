import numpy as np
def rope(x, base=10000):
    T, d = x.shape
    theta = base ** (-np.arange(0, d, 2) / d)
    ang = np.outer(np.arange(T), theta)
    cos, sin = np.cos(ang), np.sin(ang)
    x1, x2 = x[:, 0::2], x[:, 1::2]
    out = np.empty_like(x)
    out[:, 0::2] = x1 * cos - x2 * sin
    out[:, 1::2] = x1 * sin + x2 * cos
    return out
x = np.arange(24, dtype=float).reshape(4, 6)
y = rope(x); print(y); print(np.allclose(np.linalg.norm(x, axis=1), np.linalg.norm(y, axis=1)))
def sliding(T, w): i = np.arange(T); return (i[:, None] >= i) & (i[:, None] - i < w)
print(sliding(5, 2).astype(int)); print(np.logical_not(sliding(3, 1)))
def softmax(x, t=1.0): z = np.asarray(x) / t; z = np.exp(z - z.max()); return z / z.sum()
for t in (0.5, 1, 2): print(t, softmax([1.0, 2.0, 3.0], t))
logits = np.array([2.0, 1.0, 0.1, -1.0]); k = 2
top = np.argsort(logits)[::-1][:k]; print(top, logits[top])
p = softmax(logits); order = np.argsort(-p); c = np.cumsum(p[order]); print(c, order[c <= 0.95])
idx = np.argpartition(-logits, 2)[:2]
H = -(p * np.log2(p)).sum(); print(H, type(H))
kv = {"k": np.zeros((0, 4)), "v": np.zeros((0, 4))}
for t in range(3):
    kv["k"] = np.concatenate([kv["k"], np.full((1, 4), t)]); print(t, kv["k"].shape)
print(kv["k"]); print(np.isinf(np.array([-np.inf, 0])).any(), np.nanmax([np.nan, 2]), np.float32(1) / 3, np.arange(3) / 2)
