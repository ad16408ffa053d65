"""Transformer-XL's relative shift, Shaw's relative keys, and music transformer's skew."""
import torch
import torch.nn as nn
import torch.nn.functional as F

def rel_shift(x, zero_triu=False):
    zero_pad = torch.zeros((x.size(0), 1, *x.size()[2:]), device=x.device, dtype=x.dtype)
    x_padded = torch.cat([zero_pad, x], dim=1)
    x_padded = x_padded.view(x.size(1) + 1, x.size(0), *x.size()[2:])
    x = x_padded[1:].view_as(x)
    if zero_triu:
        ones = torch.ones((x.size(0), x.size(1)))
        x = x * torch.tril(ones, x.size(1) - x.size(0))[:, :, None, None]
    return x

print(rel_shift(torch.arange(1., 13.).view(3, 4, 1, 1)).squeeze())

class RelativeGlobalAttention(nn.Module):
    def __init__(self, d_model, num_heads, max_len=16, dropout=0.1):
        super().__init__()
        d_head, remainder = divmod(d_model, num_heads)
        if remainder:
            raise ValueError("incompatible `d_model` and `num_heads`")
        self.max_len, self.d_model, self.num_heads = max_len, d_model, num_heads
        self.key = nn.Linear(d_model, d_model)
        self.value = nn.Linear(d_model, d_model)
        self.query = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)
        self.Er = nn.Parameter(torch.randn(max_len, d_head))
        self.register_buffer("mask", torch.tril(torch.ones(max_len, max_len)).unsqueeze(0).unsqueeze(0))
    def forward(self, x):
        batch_size, seq_len, _ = x.shape
        if seq_len > self.max_len:
            raise ValueError("sequence length exceeds model capacity")
        k_t = self.key(x).reshape(batch_size, seq_len, self.num_heads, -1).permute(0, 2, 3, 1)
        v = self.value(x).reshape(batch_size, seq_len, self.num_heads, -1).transpose(1, 2)
        q = self.query(x).reshape(batch_size, seq_len, self.num_heads, -1).transpose(1, 2)
        start = self.max_len - seq_len
        Er_t = self.Er[start:, :].transpose(0, 1)
        QEr = torch.matmul(q, Er_t)
        Srel = self.skew(QEr)
        QK_t = torch.matmul(q, k_t)
        attn = (QK_t + Srel) / q.size(-1) ** 0.5
        mask = self.mask[:, :, :seq_len, :seq_len]
        attn = attn.masked_fill(mask == 0, float("-inf"))
        attn = F.softmax(attn, dim=-1)
        out = torch.matmul(attn, v).transpose(1, 2)
        return self.dropout(out.reshape(batch_size, seq_len, -1)), attn
    def skew(self, QEr):
        padded = F.pad(QEr, (1, 0))
        batch_size, num_heads, num_rows, num_cols = padded.shape
        reshaped = padded.reshape(batch_size, num_heads, num_cols, num_rows)
        return reshaped[:, :, 1:, :]

class RelativePosition(nn.Module):
    def __init__(self, num_units, max_relative_position):
        super().__init__()
        self.num_units = num_units
        self.max_relative_position = max_relative_position
        self.embeddings_table = nn.Parameter(torch.Tensor(max_relative_position * 2 + 1, num_units))
        nn.init.xavier_uniform_(self.embeddings_table)
    def forward(self, length_q, length_k):
        range_vec_q = torch.arange(length_q)
        range_vec_k = torch.arange(length_k)
        distance_mat = range_vec_k[None, :] - range_vec_q[:, None]
        distance_mat_clipped = torch.clamp(distance_mat, -self.max_relative_position, self.max_relative_position)
        final_mat = torch.LongTensor(distance_mat_clipped + self.max_relative_position)
        return self.embeddings_table[final_mat]

torch.manual_seed(21)
r = RelativeGlobalAttention(8, 2).eval()
out, attn = r(torch.randn(1, 4, 8))
print(out.shape)
print(attn[0, 1])
rp = RelativePosition(3, 2)
E = rp(4, 4)
print(E.shape, E[0])
q = torch.randn(2, 4, 3)
r_q2 = q.permute(1, 0, 2).contiguous().view(4, 2, 3)
attn2 = torch.matmul(r_q2, E.transpose(1, 2)).transpose(0, 1)
print(attn2.contiguous().view(2, 4, 4)[0])
class SegmentRecurrence(nn.Module):
    def __init__(self, d, mem_len):
        super().__init__()
        self.mem_len = mem_len
        self.kv, self.q = nn.Linear(d, 2 * d, bias=False), nn.Linear(d, d, bias=False)
        self.u, self.w = (nn.Parameter(torch.zeros(d).uniform_(-.1, .1)) for _ in range(2))
    def init_mems(self):
        return torch.empty(0)
    def _update_mems(self, h, mems, qlen, mlen):
        with torch.no_grad():
            end_idx = mlen + max(0, qlen)
            beg_idx = max(0, end_idx - self.mem_len)
            return torch.cat([mems, h])[beg_idx:end_idx].detach()
    def forward(self, h, mems):
        cat = torch.cat([mems, h]) if mems.numel() else h
        k, v = self.kv(cat).chunk(2, -1)
        mlen = len(mems)
        s = (self.q(h) + self.u) @ k.T + (self.w * k).sum(-1)
        s.masked_fill_(torch.ones(len(h), len(cat)).triu(1 + mlen).bool(), -1e30)
        new = self._update_mems(h, mems, len(h), mlen)
        return s.softmax(-1) @ v, new
seg = SegmentRecurrence(4, 3)
mems = seg.init_mems()
for chunk in torch.randn(5, 4).split(2):
    y, mems = seg(chunk, mems)
    print(y.shape, mems.shape, f"{y.norm():.5f}")
try:
    RelativeGlobalAttention(9, 2)
except ValueError as e:
    print(repr(e))
