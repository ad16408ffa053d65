"""Raschka-like GQA with a cache, sliding softcap, and DeepSeek's latent attention; RoPE in halves."""
import torch
import torch.nn as nn

def compute_rope_params(head_dim, theta_base=10_000, context_length=32, dtype=torch.float32):
    assert head_dim % 2 == 0, "Embedding dimension must be even"
    inv_freq = 1.0 / (theta_base ** (torch.arange(0, head_dim, 2, dtype=dtype)[: (head_dim // 2)].float() / head_dim))
    positions = torch.arange(context_length, dtype=dtype)
    angles = positions.unsqueeze(1) * inv_freq.unsqueeze(0)
    angles = torch.cat([angles, angles], dim=1)
    return torch.cos(angles), torch.sin(angles)

def apply_rope(x, cos, sin, offset=0):
    batch_size, num_heads, seq_len, head_dim = x.shape
    x1 = x[..., : head_dim // 2]
    x2 = x[..., head_dim // 2:]
    cos = cos[offset:offset + seq_len, :].unsqueeze(0).unsqueeze(0)
    sin = sin[offset:offset + seq_len, :].unsqueeze(0).unsqueeze(0)
    rotated = torch.cat((-x2, x1), dim=-1)
    x_rotated = (x * cos) + (rotated * sin)
    return x_rotated.to(dtype=x.dtype)

class KVCache:
    def __init__(self, n_layers):
        self.cache = [None] * n_layers
    def get(self, layer_idx):
        return self.cache[layer_idx]
    def update(self, layer_idx, value):
        self.cache[layer_idx] = value
    def reset(self):
        for i in range(len(self.cache)):
            self.cache[i] = None

class GroupedQueryAttention(nn.Module):
    def __init__(self, d_in, num_heads, num_kv_groups, head_dim=None, qk_norm=False, dtype=None):
        super().__init__()
        assert num_heads % num_kv_groups == 0, "num_heads must be divisible by num_kv_groups"
        self.num_heads = num_heads
        self.num_kv_groups = num_kv_groups
        self.group_size = num_heads // num_kv_groups
        if head_dim is None:
            assert d_in % num_heads == 0
            head_dim = d_in // num_heads
        self.head_dim = head_dim
        self.d_out = num_heads * head_dim
        self.W_query = nn.Linear(d_in, self.d_out, bias=False, dtype=dtype)
        self.W_key = nn.Linear(d_in, num_kv_groups * head_dim, bias=False, dtype=dtype)
        self.W_value = nn.Linear(d_in, num_kv_groups * head_dim, bias=False, dtype=dtype)
        self.out_proj = nn.Linear(self.d_out, d_in, bias=False, dtype=dtype)
        if qk_norm:
            self.q_norm, self.k_norm = nn.LayerNorm(head_dim), nn.LayerNorm(head_dim)
        else:
            self.q_norm = self.k_norm = None
    def forward(self, x, mask, cos, sin, start_pos=0, cache=None, softcap=None):
        b, num_tokens, _ = x.shape
        queries = self.W_query(x).view(b, num_tokens, self.num_heads, self.head_dim).transpose(1, 2)
        keys = self.W_key(x).view(b, num_tokens, self.num_kv_groups, self.head_dim).transpose(1, 2)
        values = self.W_value(x).view(b, num_tokens, self.num_kv_groups, self.head_dim).transpose(1, 2)
        if self.q_norm:
            queries = self.q_norm(queries)
        if self.k_norm:
            keys = self.k_norm(keys)
        queries = apply_rope(queries, cos, sin, offset=start_pos)
        keys = apply_rope(keys, cos, sin, offset=start_pos)
        if cache is not None:
            prev_k, prev_v = cache
            keys = torch.cat([prev_k, keys], dim=2)
            values = torch.cat([prev_v, values], dim=2)
        next_cache = (keys, values)
        keys = keys.repeat_interleave(self.group_size, dim=1)
        values = values.repeat_interleave(self.group_size, dim=1)
        attn_scores = queries @ keys.transpose(2, 3)
        if softcap:
            attn_scores = softcap * torch.tanh(attn_scores / softcap)
        attn_scores = attn_scores.masked_fill(mask, -torch.inf)
        attn_weights = torch.softmax(attn_scores / self.head_dim**0.5, dim=-1)
        assert keys.shape[-1] == self.head_dim
        context = (attn_weights @ values).transpose(1, 2).reshape(b, num_tokens, self.d_out)
        return self.out_proj(context), next_cache

class MultiHeadLatentAttention(nn.Module):
    def __init__(self, d, h, d_c, d_rope):
        super().__init__()
        self.h, self.dh, self.dr = h, d // h, d_rope
        self.W_dkv = nn.Linear(d, d_c, bias=False)
        self.W_uk, self.W_uv = nn.Linear(d_c, d, bias=False), nn.Linear(d_c, d, bias=False)
        self.W_q = nn.Linear(d, h * (self.dh + d_rope), bias=False)
        self.W_kr = nn.Linear(d, d_rope, bias=False)
        self.W_o = nn.Linear(d, d, bias=False)
    def forward(self, x, cos, sin):
        b, n, d = x.shape
        c = self.W_dkv(x)
        k = self.W_uk(c).view(b, n, self.h, self.dh).transpose(1, 2)
        v = self.W_uv(c).view(b, n, self.h, self.dh).transpose(1, 2)
        q, qr = self.W_q(x).view(b, n, self.h, -1).transpose(1, 2).split([self.dh, self.dr], dim=-1)
        kr = apply_rope(self.W_kr(x)[:, None], cos, sin).expand(-1, self.h, -1, -1)
        q, k = torch.cat([q, apply_rope(qr, cos, sin)], -1), torch.cat([k, kr], -1)
        s = q @ k.transpose(-1, -2) / (self.dh + self.dr) ** 0.5
        s = s.masked_fill(~torch.ones(n, n).tril().bool(), float("-inf"))
        return self.W_o((s.softmax(-1) @ v).transpose(1, 2).reshape(b, n, d)), c

torch.manual_seed(123)
cos, sin = compute_rope_params(4)
print(cos[:3], sin[2])
gqa = GroupedQueryAttention(16, 4, 2, qk_norm=True)
x = torch.randn(1, 5, 16)
mask = torch.triu(torch.ones(5, 5, dtype=torch.bool), diagonal=1)
whole, _ = gqa(x, mask, cos, sin)
print(whole)
kv = KVCache(n_layers=1)
steps = []
for t in range(5):
    out, nxt = gqa(x[:, t:t + 1], torch.zeros(1, t + 1, dtype=torch.bool), cos, sin, start_pos=t, cache=kv.get(0))
    kv.update(0, nxt)
    steps.append(out)
print(torch.allclose(torch.cat(steps, 1), whole, atol=1e-6), [tuple(t.shape) for t in kv.get(0)])
print(gqa(x, mask, cos, sin, softcap=5.0)[0][0, -1, :4])
mla = MultiHeadLatentAttention(16, 4, 6, 4)
o, c = mla(x, cos, sin)
print(o[0, :, :3], c.shape)
def memory(n_layers, n_ctx, kv_heads, dh, bytes_=2): return n_layers * n_ctx * kv_heads * dh * 2 * bytes_
for name, n in dict(MHA=32, GQA=8, MQA=1).items():
    print(f"{name}: {memory(32, 8192, n, 128) / 1024**3:.3f} GB")
