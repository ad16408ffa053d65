# Attention from scratch in numpy, digit for digit.
import numpy as np
# scaled dot-product attention from scratch
np.random.seed(42)
class SelfAttention:
    def __init__(self, d_model, d_k):
        self.W_q = np.random.randn(d_model, d_k) * 0.1
        self.W_k = np.random.randn(d_model, d_k) * 0.1
        self.W_v = np.random.randn(d_model, d_k) * 0.1
    def softmax(self, x, axis=-1):
        exp_x = np.exp(x - np.max(x, axis=axis, keepdims=True))
        return exp_x / np.sum(exp_x, axis=axis, keepdims=True)
    def forward(self, X, mask=None):
        Q, K, V = X @ self.W_q, X @ self.W_k, X @ self.W_v
        scores = np.matmul(Q, K.transpose(0, 2, 1)) / np.sqrt(K.shape[-1])
        if mask is not None:
            scores = np.where(mask, scores, -1e9)
        weights = self.softmax(scores)
        return np.matmul(weights, V), weights
X = np.random.randn(2, 5, 16)
att = SelfAttention(16, 8)
mask = np.tril(np.ones((5, 5), dtype=bool))
out, w = att.forward(X, mask)
print(out.shape, w.shape)
print("Weights:\n", w[0])
print(np.round(out[0], 4))
print("rows sum:", w.sum(axis=-1))
def positional_encoding(max_len, d_model):
    pos = np.arange(max_len)[:, np.newaxis]
    i = np.arange(d_model)[np.newaxis, :]
    angle_rates = 1 / np.power(10000, (2 * (i // 2)) / np.float32(d_model))
    angles = pos * angle_rates
    angles[:, 0::2] = np.sin(angles[:, 0::2])
    angles[:, 1::2] = np.cos(angles[:, 1::2])
    return angles[np.newaxis, ...]
pe = positional_encoding(50, 8)
print(pe.shape, pe.dtype); print(pe[0, :3])
def layer_norm(x, eps=1e-5):
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps)
print(layer_norm(X[0, :2]))
def gelu(x): return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x ** 3)))
print(gelu(np.linspace(-2, 2, 5)))
# multihead
B, T, C, H = 2, 5, 16, 4
q = X.reshape(B, T, H, C // H).transpose(0, 2, 1, 3)
s = np.einsum('bhqd,bhkd->bhqk', q, q) / np.sqrt(C // H)
p = np.exp(s - s.max(-1, keepdims=True)); p /= p.sum(-1, keepdims=True)
o = np.einsum('bhqk,bhkd->bhqd', p, q).transpose(0, 2, 1, 3).reshape(B, T, C)
print(o[0, 0], p[0, 0].sum(-1))
# training a tiny net
W = np.random.randn(3, 1); Xs = np.random.randn(20, 3); y = Xs @ np.array([[1.0], [-2], [0.5]])
for step in range(100):
    pred = Xs @ W
    loss = np.mean((pred - y) ** 2)
    grad = 2 * Xs.T @ (pred - y) / len(Xs)
    W -= 0.1 * grad
    if step % 25 == 0: print(f"step {step}: loss {loss:.6f}")
print(W.ravel())
vocab = {w: i for i, w in enumerate("the cat sat".split())}
onehot = np.eye(len(vocab))[[vocab[w] for w in "cat the sat".split()]]
print(onehot, onehot.argmax(1), np.argmax(onehot, axis=-1).tolist())
emb = np.random.uniform(-0.1, 0.1, (10, 4)).astype(np.float32); print(emb[[1, 2]], emb.dtype)
probs = np.array([0.1, 0.2, 0.7]); print(np.random.choice(3, size=5, p=probs), np.random.choice(["a", "b"]), -np.sum(probs * np.log(probs)), np.log(probs))
print(np.dot(q[0, 0, 0], q[0, 0, 1]), np.linalg.norm(q[0, 0, 0]), q[0,0,0] @ q[0,0,1] / (np.linalg.norm(q[0,0,0]) * np.linalg.norm(q[0,0,1])))
