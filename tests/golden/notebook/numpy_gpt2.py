"""A GPT-2 block in picoGPT's manner: numpy only."""
import numpy as np
def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))
def softmax(x):
    exp_x = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return exp_x / np.sum(exp_x, axis=-1, keepdims=True)
def layer_norm(x, g, b, eps: float = 1e-5):
    mean = np.mean(x, axis=-1, keepdims=True)
    variance = np.var(x, axis=-1, keepdims=True)
    return g * (x - mean) / np.sqrt(variance + eps) + b
def linear(x, w, b):
    return x @ w + b
def ffn(x, c_fc, c_proj):
    return linear(gelu(linear(x, **c_fc)), **c_proj)
def attention(q, k, v, mask):
    return softmax(q @ k.T / np.sqrt(q.shape[-1]) + mask) @ v
def mha(x, c_attn, c_proj, n_head):
    x = linear(x, **c_attn)
    qkv = np.split(x, 3, axis=-1)
    qkv_heads = list(map(lambda x: np.split(x, n_head, axis=-1), qkv))
    causal_mask = (1 - np.tri(x.shape[0], dtype=x.dtype)) * -1e10
    out_heads = [attention(q, k, v, causal_mask) for q, k, v in zip(*qkv_heads)]
    x = np.hstack(out_heads)
    return linear(x, **c_proj)
def transformer_block(x, mlp, attn, ln_1, ln_2, n_head):
    x = x + mha(layer_norm(x, **ln_1), **attn, n_head=n_head)
    x = x + ffn(layer_norm(x, **ln_2), **mlp)
    return x
def gpt2(inputs, wte, wpe, blocks, ln_f, n_head):
    x = wte[inputs] + wpe[range(len(inputs))]
    for block in blocks:
        x = transformer_block(x, **block, n_head=n_head)
    return layer_norm(x, **ln_f) @ wte.T
def generate(inputs, params, n_head, n_tokens_to_generate):
    for _ in range(n_tokens_to_generate):
        logits = gpt2(inputs, **params, n_head=n_head)
        next_id = np.argmax(logits[-1])
        inputs.append(int(next_id))
    return inputs[len(inputs) - n_tokens_to_generate:]
rng = np.random.default_rng(0)
D, V, T = 8, 20, 16
def lin(i, o): return {"w": rng.normal(0, 0.3, (i, o)), "b": np.zeros(o)}
def ln(): return dict(g=np.ones(D), b=np.zeros(D))
params = {"wte": rng.standard_normal((V, D)) * .5, "wpe": rng.standard_normal((T, D)) * .1,
          "blocks": [{"mlp": {"c_fc": lin(D, 4 * D), "c_proj": lin(4 * D, D)}, "attn": {"c_attn": lin(D, 3 * D), "c_proj": lin(D, D)}, "ln_1": ln(), "ln_2": ln()} for _ in range(2)],
          "ln_f": ln()}
print(gpt2([1, 2, 3], **params, n_head=2)[-1].round(4))
print(generate([1, 2, 3], params, 2, 6))
def count(p):
    if isinstance(p, dict): return sum(map(count, p.values()))
    if isinstance(p, list): return sum(count(q) for q in p)
    return p.size
print(f"{count(params):,}")
m = (1 - np.tri(4)) * -1e10
print(m)
print(np.tri(3, 4, k=1, dtype=int))
