import numpy as np
# d2l-like: masked softmax & additive attention
def sequence_mask(X, valid_len, value=0):
    maxlen = X.shape[1]
    mask = np.arange(maxlen, dtype=np.float32)[None, :] < valid_len[:, None]
    X = X.copy()
    X[~mask] = value
    return X
def masked_softmax(X, valid_lens):
    shape = X.shape
    if valid_lens.ndim == 1:
        valid_lens = np.repeat(valid_lens, shape[1])
    else:
        valid_lens = valid_lens.reshape(-1)
    X = sequence_mask(X.reshape(-1, shape[-1]), valid_lens, value=-1e6)
    X = X.reshape(shape)
    e = np.exp(X - X.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
rng = np.random.RandomState
np.random.seed(7)
print(masked_softmax(np.random.uniform(size=(2, 2, 4)), np.array([2, 3])))
print(masked_softmax(np.random.uniform(size=(2, 2, 4)), np.array([[1, 3], [2, 4]])))
queries, keys = np.random.normal(0, 1, (2, 1, 20)), np.ones((2, 10, 2))
values = np.tile(np.arange(40).reshape(1, 10, 4), (2, 1, 1))
W_q, W_k, w_v = np.random.randn(20, 8), np.random.randn(2, 8), np.random.randn(8, 1)
features = np.expand_dims(queries @ W_q, 2) + np.expand_dims(keys @ W_k, 1)
scores = (np.tanh(features) @ w_v).squeeze(-1)
attn = masked_softmax(scores, np.array([2, 6]))
print(attn.shape, attn)
print(attn @ values)
