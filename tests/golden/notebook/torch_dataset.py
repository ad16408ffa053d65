import torch, numpy as np
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import Dataset, DataLoader
torch.manual_seed(123)
class GPTDataset(Dataset):
    def __init__(self, ids, max_length, stride):
        self.x = [torch.tensor(ids[i:i + max_length]) for i in range(0, len(ids) - max_length, stride)]
        self.y = [torch.tensor(ids[i + 1:i + max_length + 1]) for i in range(0, len(ids) - max_length, stride)]
    def __len__(self): return len(self.x)
    def __getitem__(self, i): return self.x[i], self.y[i]
dl = DataLoader(GPTDataset(list(range(50)), 4, 4), batch_size=8, shuffle=False)
inputs, targets = next(iter(dl)); print(inputs); print(targets)
emb = nn.Embedding(50, 6); pos = nn.Embedding(4, 6)
x = emb(inputs) + pos(torch.arange(4)); print(x.shape)
class CausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer('mask', torch.triu(torch.ones(context_length, context_length), diagonal=1))
    def forward(self, x):
        b, t, d = x.shape
        k, q, v = self.W_key(x), self.W_query(x), self.W_value(x)
        s = q @ k.transpose(1, 2)
        s.masked_fill_(self.mask.bool()[:t, :t], -torch.inf)
        w = self.dropout(torch.softmax(s / k.shape[-1] ** 0.5, dim=-1))
        return w @ v
ca = CausalAttention(6, 2, 4, 0.0)
with torch.no_grad(): out = ca(x)
print(out.shape); print(out[0]); print(out[0].numpy().shape, np.round(out[0].numpy(), 2))
print(sum(p.numel() for p in ca.parameters()), ca)
