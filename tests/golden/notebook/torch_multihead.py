import math

import torch
import torch.nn.functional as F


class MultiHeadAttention:
    """Without nn: weights drawn here, heads split by view and transpose."""

    def __init__(self, d_in, d_out, context_length, num_heads, dropout=0.0, qkv_bias=False):
        assert d_out % num_heads == 0, "d_out must be divisible by num_heads"
        self.d_out = d_out
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = torch.randn(d_in, d_out) / math.sqrt(d_in)
        self.W_key = torch.randn(d_in, d_out) / math.sqrt(d_in)
        self.W_value = torch.randn(d_in, d_out) / math.sqrt(d_in)
        self.out_proj = torch.eye(d_out)
        self.p = dropout
        self.mask = torch.triu(torch.ones(context_length, context_length), diagonal=1)

    def __call__(self, x, training=False):
        b, num_tokens, d_in = x.shape
        keys = x @ self.W_key  # (b, num_tokens, d_out)
        queries = x @ self.W_query
        values = x @ self.W_value
        keys = keys.view(b, num_tokens, self.num_heads, self.head_dim)
        values = values.view(b, num_tokens, self.num_heads, self.head_dim)
        queries = queries.view(b, num_tokens, self.num_heads, self.head_dim)
        keys = keys.transpose(1, 2)
        queries = queries.transpose(1, 2)
        values = values.transpose(1, 2)
        attn_scores = queries @ keys.transpose(2, 3)
        mask_bool = self.mask.bool()[:num_tokens, :num_tokens]
        attn_scores.masked_fill_(mask_bool, -torch.inf)
        attn_weights = torch.softmax(attn_scores / keys.shape[-1]**0.5, dim=-1)
        attn_weights = F.dropout(attn_weights, self.p, training)
        context_vec = (attn_weights @ values).transpose(1, 2)
        context_vec = context_vec.contiguous().view(b, num_tokens, self.d_out)
        return context_vec @ self.out_proj, attn_weights


torch.manual_seed(123)
batch = torch.stack([torch.rand(6, 3), torch.rand(6, 3)], dim=0)
mha = MultiHeadAttention(3, 4, 6, num_heads=2)
context, weights = mha(batch)
print(context)
print("context_vecs.shape:", context.shape)
print(weights[0, 0])
out, w = mha(batch[:, :3], training=True)
print(out.shape, w.shape)
mha.p = 0.5
print(mha(batch, training=True)[1][1, 1])

# the same by einsum, and by one call
q = torch.einsum('btd,dk->btk', batch, mha.W_query).view(2, 6, 2, 2)
k = torch.einsum('btd,dk->btk', batch, mha.W_key).view(2, 6, 2, 2)
v = torch.einsum('btd,dk->btk', batch, mha.W_value).view(2, 6, 2, 2)
scores = torch.einsum('bqhd,bkhd->bhqk', q, k) / math.sqrt(2)
scores = scores.masked_fill(torch.ones(6, 6).triu(1).bool(), float('-inf'))
probs = scores.softmax(-1)
ctx = torch.einsum('bhqk,bkhd->bqhd', probs, v).reshape(2, 6, 4)
print(torch.allclose(ctx, context, atol=1e-6))

# one projection for all three, in chunks
W = torch.cat([mha.W_query, mha.W_key, mha.W_value], dim=1)
qq, kk, vv = (batch @ W).chunk(3, dim=-1)
print(qq.shape, torch.allclose(qq, batch @ mha.W_query, atol=1e-6))
qkv = (batch @ W).view(2, 6, 3, 2, 2).permute(2, 0, 3, 1, 4)
print(qkv.shape)
q1, k1, v1 = qkv
print(torch.allclose(q1, q.transpose(1, 2), atol=1e-6))
q2, k2, v2 = qkv.unbind(0)
print(torch.equal(v1, v2))
# grouped queries: two heads share a key
shared = torch.randn(1, 1, 5, 4)
print(shared.repeat_interleave(2, dim=1).shape, shared.expand(-1, 2, -1, -1).shape)
print(torch.equal(shared.repeat_interleave(2, dim=1), shared.expand(1, 2, 5, 4)))


def attention(query, key, value, mask=None, dropout=None):
    "Compute 'Scaled Dot Product Attention'"
    d_k = query.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    p_attn = scores.softmax(dim=-1)
    if dropout is not None:
        p_attn = dropout(p_attn)
    return torch.matmul(p_attn, value), p_attn


def subsequent_mask(size):
    "Mask out subsequent positions."
    attn_shape = (1, size, size)
    mask = torch.triu(torch.ones(attn_shape), diagonal=1).type(torch.uint8)
    return mask == 0


print(subsequent_mask(4))
x = torch.arange(24.).view(1, 4, 6) / 10
result, p = attention(x, x, x, subsequent_mask(4))
print(result)
print(p)
bias = torch.tensor([[0., -1., -2.], [0., 0., -1.], [0., 0., 0.]])
print((torch.ones(3, 3) + bias).softmax(-1))
