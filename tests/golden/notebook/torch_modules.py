import torch
import torch.nn as nn
import torch.nn.functional as F
import math

class SelfAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
        super().__init__()
        assert d_out % num_heads == 0, "d_out must be divisible by num_heads"
        self.d_out = d_out
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))
    def forward(self, x):
        b, num_tokens, d_in = x.shape
        keys = self.W_key(x).view(b, num_tokens, self.num_heads, self.head_dim).transpose(1, 2)
        queries = self.W_query(x).view(b, num_tokens, self.num_heads, self.head_dim).transpose(1, 2)
        values = self.W_value(x).view(b, num_tokens, self.num_heads, self.head_dim).transpose(1, 2)
        attn_scores = queries @ keys.transpose(2, 3)
        mask_bool = self.mask.bool()[:num_tokens, :num_tokens]
        attn_scores.masked_fill_(mask_bool, -torch.inf)
        attn_weights = torch.softmax(attn_scores / keys.shape[-1]**0.5, dim=-1)
        attn_weights = self.dropout(attn_weights)
        context_vec = (attn_weights @ values).transpose(1, 2)
        context_vec = context_vec.contiguous().view(b, num_tokens, self.d_out)
        return self.out_proj(context_vec)

torch.manual_seed(123)
inputs = torch.rand(6, 3)
batch = torch.stack((inputs, inputs), dim=0)
mha = SelfAttention(3, 4, 6, 0.1, 2)
print(mha)
out = mha(batch)
print(out.shape); print(out)
mha.eval()
print(mha(batch)[0])
print(sum(p.numel() for p in mha.parameters()))
for n, p in mha.named_parameters(): print(n, tuple(p.shape), p.requires_grad)
sd = mha.state_dict(); print(list(sd.keys()))
ln = nn.LayerNorm(4); print(ln(out))
mlp = nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.Linear(8, 2))
print(mlp); print(mlp(out)[0])
m = nn.MultiheadAttention(4, 2, batch_first=True)
o, w = m(out, out, out); print(o.detach(), w.detach())
emb = nn.Embedding(5, 3); print(emb.weight, emb(torch.tensor([1, 4])))
crit = nn.CrossEntropyLoss(); print(crit(mlp(out)[0], torch.tensor([0,1,0,1,1,0])))
enc = nn.TransformerEncoderLayer(4, 2, 8, batch_first=True); enc.eval(); print(enc(out.detach())[0])
