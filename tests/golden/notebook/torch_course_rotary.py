import torch
from torch import nn, einsum
import torch.nn.functional as F
from functools import partial

def exists(val):
    return val is not None

def default(val, d):
    return val if exists(val) else d

def l2norm(t):
    return F.normalize(t, dim = -1)

class RMSNorm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.scale = dim ** 0.5
        self.gamma = nn.Parameter(torch.ones(dim))
    def forward(self, x):
        return F.normalize(x, dim = -1) * self.scale * self.gamma

class GEGLU(nn.Module):
    def forward(self, x):
        x, gate = x.chunk(2, dim = -1)
        return x * F.gelu(gate)

def FeedForward(dim, mult = 4, dropout = 0.):
    inner_dim = int(dim * mult * 2 / 3)
    return nn.Sequential(
        RMSNorm(dim),
        nn.Linear(dim, inner_dim * 2),
        GEGLU(),
        nn.Dropout(dropout),
        nn.Linear(inner_dim, dim)
    )

class RotaryEmbedding(nn.Module):
    def __init__(self, dim):
        super().__init__()
        inv_freq = 1.0 / (10000 ** (torch.arange(0, dim, 2).float() / dim))
        self.register_buffer("inv_freq", inv_freq, persistent = False)
    def forward(self, max_seq_len, *, device = None):
        seq = torch.arange(max_seq_len, device = device, dtype = self.inv_freq.dtype)
        freqs = einsum("i , j -> i j", seq, self.inv_freq)
        return torch.cat((freqs, freqs), dim = -1)

def rotate_half(x):
    x1, x2 = x.chunk(2, dim = -1)
    return torch.cat((-x2, x1), dim = -1)

def apply_rotary_pos_emb(pos, t):
    return (t * pos.cos()) + (rotate_half(t) * pos.sin())

class Attention(nn.Module):
    def __init__(self, dim, *, dim_head = 8, heads = 4, causal = True, qk_norm = False):
        super().__init__()
        self.scale = dim_head ** -0.5
        self.heads = heads
        self.causal = causal
        self.qk_norm = qk_norm
        inner_dim = dim_head * heads
        self.norm = RMSNorm(dim)
        self.rotary_emb = RotaryEmbedding(dim_head)
        self.to_q = nn.Linear(dim, inner_dim, bias = False)
        self.to_kv = nn.Linear(dim, dim_head * 2, bias = False)
        self.to_out = nn.Linear(inner_dim, dim, bias = False)
    def forward(self, x, mask = None):
        b, n, _, h, device = *x.shape, self.heads, x.device
        x = self.norm(x)
        q, k, v = (self.to_q(x), *self.to_kv(x).chunk(2, dim = -1))
        q = q.reshape(b, n, h, -1).transpose(1, 2)
        if self.qk_norm:
            q, k = map(l2norm, (q, k))
        pos = self.rotary_emb(n, device = device)
        q, k = map(partial(apply_rotary_pos_emb, pos), (q, k))
        sim = einsum("b h i d, b j d -> b h i j", q, k) * self.scale
        neg = -torch.finfo(sim.dtype).max
        if exists(mask):
            sim = sim.masked_fill(~mask[:, None, None, :], neg)
        if self.causal:
            causal_mask = torch.ones((n, n), dtype = torch.bool, device = device).triu(1)
            sim = sim.masked_fill(causal_mask, neg)
        attn = sim.softmax(dim = -1)
        out = einsum("b h i j, b j d -> b h i d", attn, v)
        out = out.transpose(1, 2).reshape(b, n, -1)
        return self.to_out(out)

class Transformer(nn.Module):
    def __init__(self, *, dim, depth, **kw):
        super().__init__()
        self.layers = nn.ModuleList([])
        for _ in range(depth):
            self.layers.append(nn.ModuleList([Attention(dim, **kw), FeedForward(dim)]))
    def forward(self, x, mask = None):
        for attn, ff in self.layers:
            x = attn(x, mask = mask) + x
            x = ff(x) + x
        return x

torch.manual_seed(42)
t = Transformer(dim = 16, depth = 2, dim_head = 8, heads = 2, qk_norm = True)
x = torch.randn(2, 6, 16)
mask = torch.ones(2, 6).bool()
mask[1, 4:] = False
y = t(x, mask)
print(y)
print(sum(p.numel() for p in t.parameters()), default(None, 'x'))
print(list(t.state_dict().keys())[:6])
y.pow(2).mean().backward()
print(t.layers[0][0].to_kv.weight.grad[:2])
print(t)
