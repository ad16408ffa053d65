import numpy as np
np.random.seed(3)
words = ["the", "cat", "sat", "on", "mat"]
E = {w: np.random.rand(4).round(2) for w in words}
for w, v in E.items(): print(f"{w:>5}: {v}")
def cosine(a, b): return np.dot(a, b) / (np.linalg.norm(a) * np.linalg.norm(b))
sims = np.array([[cosine(E[a], E[b]) for b in words] for a in words])
np.set_printoptions(precision=2); print(sims); print(sims.round(1))
print(np.triu(sims, 1).max(), np.unravel_index(np.argmax(np.triu(sims, 1)), sims.shape))
best = sorted(((sims[i, j], words[i], words[j]) for i in range(5) for j in range(i + 1, 5)), reverse=True)[:2]
print([(round(s, 3), a, b) for s, a, b in best])
X = np.array([E[w] for w in words]); print(X.shape, X.mean(0), X.std(0), np.cov(X.T).shape)
print("min %.2f max %.2f" % (X.min(), X.max()), "{:.3f}".format(X[0, 0]), str(X[0]), repr(X[0]))
print(np.array_equal(X, X.copy()), (X > 0.5).sum(), X[X > 0.9], np.where(X > 0.9)[0])
