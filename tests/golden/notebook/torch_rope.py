import math

import torch


def precompute_freqs_cis(dim, end, theta=10000.0):
    freqs = 1.0 / (theta ** (torch.arange(0, dim, 2)[: (dim // 2)].float() / dim))
    t = torch.arange(end, device=freqs.device)
    freqs = torch.outer(t, freqs).float()
    freqs_cis = torch.polar(torch.ones_like(freqs), freqs)
    return freqs_cis


def reshape_for_broadcast(freqs_cis, x):
    ndim = x.ndim
    assert 0 <= 1 < ndim
    assert freqs_cis.shape == (x.shape[1], x.shape[-1])
    shape = [d if i == 1 or i == ndim - 1 else 1 for i, d in enumerate(x.shape)]
    return freqs_cis.view(*shape)


def apply_rotary_emb(xq, xk, freqs_cis):
    xq_ = torch.view_as_complex(xq.float().reshape(*xq.shape[:-1], -1, 2))
    xk_ = torch.view_as_complex(xk.float().reshape(*xk.shape[:-1], -1, 2))
    freqs_cis = reshape_for_broadcast(freqs_cis, xq_)
    xq_out = torch.view_as_real(xq_ * freqs_cis).flatten(3)
    xk_out = torch.view_as_real(xk_ * freqs_cis).flatten(3)
    return xq_out.type_as(xq), xk_out.type_as(xk)


cis = precompute_freqs_cis(4, 3)
print(cis, cis.shape, cis.dtype)
torch.manual_seed(0)
xq = torch.randn(1, 3, 2, 4)
xk = torch.randn(1, 3, 2, 4)
rq, rk = apply_rotary_emb(xq, xk, cis)
print(rq)
print(rk.shape, torch.allclose(rq.norm(dim=-1), xq.norm(dim=-1)))


def compute_rope_params(head_dim, theta_base=10_000, context_length=4096):
    assert head_dim % 2 == 0, "Embedding dimension must be even"
    inv_freq = 1.0 / (theta_base ** (torch.arange(0, head_dim, 2, dtype=torch.int64).float() / head_dim))
    positions = torch.arange(context_length, dtype=torch.int64).float()
    angles = positions[:, None] * inv_freq[None, :]
    angles = torch.cat([angles, angles], dim=1)
    return torch.cos(angles), torch.sin(angles)


def apply_rope(x, cos, sin):
    batch_size, num_heads, seq_len, head_dim = x.shape
    x1 = x[..., : head_dim // 2]
    x2 = x[..., head_dim // 2:]
    cos = cos[:seq_len, :].unsqueeze(0).unsqueeze(0)
    sin = sin[:seq_len, :].unsqueeze(0).unsqueeze(0)
    rotated = torch.cat((-x2, x1), dim=-1)
    x_rotated = (x * cos) + (rotated * sin)
    return x_rotated.to(dtype=x.dtype)


cos, sin = compute_rope_params(4, context_length=6)
print(cos)
print(sin)
x = torch.arange(16.).view(1, 1, 4, 4)
y = apply_rope(x, cos, sin)
print(y)


def rotate_half(x):
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((-x2, x1), dim=-1)


print(torch.equal(y, x * cos[:4] + rotate_half(x) * sin[:4]))
# interleaved pairs
theta = torch.arange(3.)[:, None] * torch.tensor([1.0, 0.01])
c, s = theta.cos(), theta.sin()
z = torch.randn(2, 3, 4)
even, odd = z[..., 0::2], z[..., 1::2]
out = torch.stack([even * c - odd * s, even * s + odd * c], dim=-1).flatten(-2)
print(out)
ref = torch.view_as_real(torch.view_as_complex(z.view(2, 3, 2, 2)) * torch.polar(torch.ones(3, 2), theta)).flatten(-2)
print(torch.allclose(out, ref, atol=1e-6))

# sinusoids of the first paper
max_len, d_model = 6, 8
pe = torch.zeros(max_len, d_model)
position = torch.arange(0, max_len).unsqueeze(1)
div_term = torch.exp(torch.arange(0, d_model, 2) * -(math.log(10000.0) / d_model))
pe[:, 0::2] = torch.sin(position * div_term)
pe[:, 1::2] = torch.cos(position * div_term)
pe = pe.unsqueeze(0)
print(pe)
# ALiBi and relative positions
slopes = torch.pow(2.0, -torch.arange(1, 5) * 8 / 4)
rel = torch.arange(4)[None, :] - torch.arange(4)[:, None]
print(slopes, rel, (slopes.view(4, 1, 1) * rel)[1])
