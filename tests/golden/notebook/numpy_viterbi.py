import numpy as np
states = ['N', 'V', 'D']
obs = "the dog runs the cat".split()
vocab = {w: i for i, w in enumerate(dict.fromkeys(obs))}
start = np.array([.3, .1, .6]); trans = np.array([[.2, .7, .1], [.3, .1, .6], [.9, .05, .05]])
emit = np.array([[.05, .4, .15, .4], [.05, .1, .8, .05], [.9, .04, .03, .03]])
assert np.allclose(emit.sum(1), 1)
def viterbi(o):
    n, T = len(states), len(o)
    delta = np.full((T, n), -np.inf); psi = np.zeros((T, n), int)
    delta[0] = np.log(start) + np.log(emit[:, o[0]])
    for t in range(1, T):
        m = delta[t - 1][:, None] + np.log(trans)
        psi[t] = m.argmax(0)
        delta[t] = m.max(0) + np.log(emit[:, o[t]])
    path = [int(delta[-1].argmax())]
    for t in range(T - 1, 0, -1): path.insert(0, int(psi[t, path[0]]))
    return path, delta
path, delta = viterbi([vocab[w] for w in obs])
print([states[i] for i in path]); print(delta)
def forward(o):
    a = start * emit[:, o[0]]; scale = [a.sum()]; a = a / a.sum()
    for x in o[1:]:
        a = (a @ trans) * emit[:, x]; scale.append(a.sum()); a /= scale[-1]
    return np.log(scale).sum()
print(forward([vocab[w] for w in obs]))
def kmeans(X, k, seed=0, iters=10):
    rng = np.random.default_rng(seed)
    c = X[rng.choice(len(X), k, replace=False)]
    for _ in range(iters):
        lab = ((X[:, None] - c[None]) ** 2).sum(-1).argmin(1)
        c = np.stack([X[lab == j].mean(0) for j in range(k)])
    return c, lab
rng = np.random.default_rng(1)
X = np.concatenate([rng.normal(m, .2, (5, 2)) for m in (0, 3)])
c, lab = kmeans(X, 2)
print(c, lab)
def levenshtein(a, b):
    d = np.zeros((len(a) + 1, len(b) + 1), dtype=int)
    d[:, 0] = np.arange(len(a) + 1); d[0] = np.arange(len(b) + 1)
    for i, j in np.ndindex(len(a), len(b)):
        d[i + 1, j + 1] = min(d[i, j + 1] + 1, d[i + 1, j] + 1, d[i, j] + (a[i] != b[j]))
    return d
print(levenshtein("kitten", "sitting"))
q = np.random.RandomState(7).dirichlet([1, 1, 1], size=2); print(q)
print(np.random.RandomState(7).choice(['a', 'b', 'c'], size=5, p=[.1, .2, .7]))
print(np.random.default_rng(3).permutation(6), np.random.default_rng(3).integers(0, 10, 5), np.random.default_rng(3).random(2))
tf = np.array([[2, 0, 1], [0, 1, 1.]]); idf = np.log(tf.shape[0] / (tf > 0).sum(0)); print((tf * idf).round(3), idf)
d = {'Q': np.eye(2), 'K': np.ones((2, 2))}
for name, m in sorted(d.items()): print(f"{name}:\n{m}")
print(np.array([[1.5, np.nan], [np.inf, -2]]), np.nanmean([1, np.nan, 3]), np.isnan(np.nan))
print(np.array([1e10, 1.0]), np.array([123456.789, .001]), np.array([True, False]), np.array([1, 2], dtype=np.int8))
