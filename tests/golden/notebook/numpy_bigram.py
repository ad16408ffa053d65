import numpy as np
text = """First Citizen: Before we proceed any further, hear me speak. All: Speak, speak."""
chars = sorted(list(set(text)))
vocab_size = len(chars)
stoi = {ch: i for i, ch in enumerate(chars)}
itos = {i: ch for i, ch in enumerate(chars)}
data = np.array([stoi[c] for c in text], dtype=np.int64)
print(vocab_size, data[:10], data.dtype)
np.random.seed(1337)
def get_batch(block=8, batch=4):
    ix = np.random.randint(0, len(data) - block, (batch,))
    x = np.stack([data[i:i + block] for i in ix])
    y = np.stack([data[i + 1:i + block + 1] for i in ix])
    return x, y
xb, yb = get_batch()
print('inputs:', xb.shape); print(xb); print('targets:'); print(yb)
N = np.zeros((vocab_size, vocab_size), dtype=np.int32)
for a, b in zip(data, data[1:]):
    N[a, b] += 1
P = (N + 1) / (N + 1).sum(1, keepdims=True)
print(N.sum(), P[0].sum(), P.dtype)
log_likelihood = 0.0
for a, b in zip(data, data[1:]):
    log_likelihood += np.log(P[a, b])
print(f'{log_likelihood=}'); print(f'nll {-log_likelihood / (len(data) - 1):.4f}')
ix = 0; out = []
for _ in range(20):
    ix = np.random.choice(vocab_size, p=P[ix])
    out.append(itos[ix])
print(''.join(out))
