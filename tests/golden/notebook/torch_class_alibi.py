"""ALiBi in the manner of the paper's repository and of Press's README."""
import math
import torch
import torch.nn as nn
import torch.nn.functional as F

def get_slopes(n):
    def get_slopes_power_of_2(n):
        start = (2**(-2**-(math.log2(n)-3)))
        ratio = start
        return [start*ratio**i for i in range(n)]
    if math.log2(n).is_integer():
        return get_slopes_power_of_2(n)
    else:
        closest_power_of_2 = 2**math.floor(math.log2(n))
        return get_slopes_power_of_2(closest_power_of_2) + get_slopes(2*closest_power_of_2)[0::2][:n-closest_power_of_2]

print(get_slopes(8))
print([round(s, 5) for s in get_slopes(6)])

class ALiBiAttention(nn.Module):
    def __init__(self, d_model, n_heads, max_len=64, causal=True):
        super().__init__()
        self.n_heads, self.causal = n_heads, causal
        self.d_head = d_model // n_heads
        self.qkv = nn.Linear(d_model, d_model * 3, bias=False)
        self.proj = nn.Linear(d_model, d_model, bias=False)
        slopes = torch.Tensor(get_slopes(n_heads))
        bias = slopes.unsqueeze(1).unsqueeze(1) * torch.arange(max_len).unsqueeze(0).unsqueeze(0).expand(n_heads, -1, -1)
        self.register_buffer('slopes', slopes.view(1, n_heads, 1, 1))
        self.register_buffer('alibi', bias)
    def forward(self, x, return_bias=False):
        b, n, d = x.shape
        qkv = self.qkv(x).reshape(b, n, 3, self.n_heads, self.d_head).permute(2, 0, 3, 1, 4)
        q, k, v = qkv.unbind(0)
        scores = torch.einsum('bhid,bhjd->bhij', q, k) * self.d_head ** -0.5
        pos = torch.arange(n, device=x.device)
        rel = (pos[None, :] - pos[:, None]).abs().neg()
        bias = self.slopes * rel
        scores += bias
        if self.causal:
            i, j = scores.shape[-2:]
            causal_mask = torch.ones((i, j), dtype=torch.bool, device=x.device).triu(j - i + 1)
            scores = scores.masked_fill(causal_mask, -torch.finfo(scores.dtype).max)
        attn = scores.softmax(dim=-1)
        out = torch.einsum('bhij,bhjd->bhid', attn, v).transpose(1, 2).flatten(2)
        if return_bias:
            return self.proj(out), attn, bias
        return self.proj(out)

torch.manual_seed(0)
m = ALiBiAttention(12, 6)
out, attn, bias = m(torch.randn(2, 5, 12), return_bias=True)
print(out[0])
print(attn[1, 3])
print(bias[0, :2])
print(m.alibi[:, :, :4])
print(bias.shape, attn.sum(-1).allclose(torch.ones(2, 6, 5)))
