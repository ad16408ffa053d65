import torch
from torch import nn, Tensor
from typing import Optional
import torch.nn.functional as F

class CrossAttention(nn.Module):
    """Perceiver-like cross attention with relative position bias and key padding."""
    num_buckets: int = 8

    def __init__(self, dim: int, ctx_dim: Optional[int] = None, heads: int = 2, max_rel: int = 4) -> None:
        super().__init__()
        ctx_dim = ctx_dim or dim
        self.h, self.d = heads, dim // heads
        self.q = nn.Linear(dim, dim, bias=False)
        self.kv = nn.Linear(ctx_dim, 2 * dim, bias=False)
        self.out = nn.Linear(dim, dim)
        self.rel = nn.Embedding(2 * max_rel + 1, heads)
        self.max_rel = max_rel

    def bias(self, n: int, m: int) -> Tensor:
        i = torch.arange(n)[:, None]
        j = torch.arange(m)[None]
        rel = (j - i).clamp(-self.max_rel, self.max_rel) + self.max_rel
        return self.rel(rel).permute(2, 0, 1)

    def forward(self, x: Tensor, ctx: Tensor, pad: Optional[Tensor] = None, *, need_weights: bool = False):
        B, N, _ = x.shape
        M = ctx.shape[1]
        q = self.q(x).unflatten(-1, (self.h, self.d)).transpose(1, 2)
        k, v = self.kv(ctx).view(B, M, 2, self.h, self.d).permute(2, 0, 3, 1, 4).unbind(0)
        a = q @ k.mT * self.d ** -.5 + self.bias(N, M)
        if pad is not None:
            a = a.masked_fill(pad[:, None, None], float("-inf"))
        a = a.softmax(-1)
        y = (a @ v).transpose(1, 2).flatten(2)
        y = self.out(y)
        return (y, a) if need_weights else y

class ALiBi:
    @staticmethod
    def slopes(n):
        def p2(n):
            start = 2 ** (-2 ** -(torch.tensor(n).log2().item() - 3))
            return [start * start ** i for i in range(n)]
        if (n & (n - 1)) == 0:
            return p2(n)
        c = 1 << (n.bit_length() - 1)
        return p2(c) + p2(2 * c)[0::2][: n - c]

torch.manual_seed(11)
ca = CrossAttention(8, 6)
x, ctx = torch.randn(2, 3, 8), torch.randn(2, 5, 6)
pad = torch.tensor([[0, 0, 0, 1, 1], [0, 0, 0, 0, 1]], dtype=torch.bool)
y, a = ca(x, ctx, pad, need_weights=True)
print(y, a, sep="\n")
print(a.sum(-1).allclose(torch.ones(())))
print(ca.bias(2, 3).shape, ca.bias(2, 3).stride())
y.sum().backward()
print(ca.rel.weight.grad)
print(ALiBi.slopes(8), ALiBi.slopes(6))
dist = torch.arange(4).view(1, -1) - torch.arange(4).view(-1, 1)
alibi = torch.tensor(ALiBi.slopes(4)).view(-1, 1, 1) * -dist.abs()
print(alibi)
mha = nn.MultiheadAttention(8, 2, kdim=6, vdim=6, batch_first=True)
o, w = mha(x, ctx, ctx, key_padding_mask=pad, average_attn_weights=False)
print(o, w.shape, w[1, 0])
tgt = nn.Transformer.generate_square_subsequent_mask(4)
print(tgt)
print(repr(ca), ca.num_buckets, ca.training)
