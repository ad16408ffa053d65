import numpy as np
class Layer:
    def parameters(self): return []
class Linear(Layer):
    def __init__(self, n_in, n_out):
        self.W = np.random.randn(n_in, n_out) * np.sqrt(2 / n_in)
        self.b = np.zeros(n_out)
        self.dW, self.db = np.zeros_like(self.W), np.zeros_like(self.b)
    def forward(self, x):
        self.x = x
        return x @ self.W + self.b
    def backward(self, g):
        self.dW[...] = self.x.T @ g
        self.db[...] = g.sum(axis=0)
        return g @ self.W.T
    def parameters(self): return [(self.W, self.dW), (self.b, self.db)]
class ReLU(Layer):
    def forward(self, x):
        self.mask = x > 0
        return np.where(self.mask, x, 0)
    def backward(self, g): return g * self.mask
class MLP:
    def __init__(self, *layers): self.layers = layers
    def forward(self, x):
        for l in self.layers: x = l.forward(x)
        return x
    def backward(self, g):
        for l in reversed(self.layers): g = l.backward(g)
def cross_entropy(logits, y):
    z = logits - logits.max(axis=1, keepdims=True)
    logp = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
    n = len(y)
    loss = -logp[np.arange(n), y].mean()
    g = np.exp(logp); g[np.arange(n), y] -= 1
    return loss, g / n
np.random.seed(0)
X = np.vstack([np.random.randn(50, 2) + [2, 2], np.random.randn(50, 2) - [2, 2]])
y = np.hstack([np.zeros(50), np.ones(50)]).astype(int)
perm = np.random.permutation(len(X)); X, y = X[perm], y[perm]
net = MLP(Linear(2, 8), ReLU(), Linear(8, 2))
for epoch in range(20):
    loss, g = cross_entropy(net.forward(X), y); net.backward(g)
    for l in net.layers:
        for p, d in l.parameters(): p -= 0.5 * d
    if epoch % 5 == 0: print(epoch, round(float(loss), 6), (net.forward(X).argmax(1) == y).mean())
print(net.layers[0].W); print(net.layers[2].b, X.mean(axis=0), y[:10], np.bincount(y))
