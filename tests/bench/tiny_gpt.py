"""The cell of bench_cells.py: 64 wide, 4 layers, 4 heads, context 32, batches of 8."""
import math
import torch
import torch.nn as nn
from torch.nn import functional as F
torch.manual_seed(1337)
D, L, NH, T, B, V = 64, 4, 4, 32, 8, 27
STEPS = 5000
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(D), nn.LayerNorm(D)
        self.qkv, self.proj = nn.Linear(D, 3 * D), nn.Linear(D, D)
        self.fc, self.out = nn.Linear(D, 4 * D), nn.Linear(4 * D, D)
        self.register_buffer("bias", torch.tril(torch.ones(T, T)).view(1, 1, T, T))
    def forward(self, x):
        b, t, c = x.size()
        q, k, v = self.qkv(self.ln1(x)).split(D, dim=2)
        q, k, v = (u.view(b, t, NH, c // NH).transpose(1, 2) for u in (q, k, v))
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        att = F.softmax(att.masked_fill(self.bias[:, :, :t, :t] == 0, float("-inf")), dim=-1)
        x = x + self.proj((att @ v).transpose(1, 2).contiguous().view(b, t, c))
        return x + self.out(F.gelu(self.fc(self.ln2(x))))
class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(V, D), nn.Embedding(T, D)
        self.h = nn.ModuleList([Block() for _ in range(L)])
        self.ln_f, self.head = nn.LayerNorm(D), nn.Linear(D, V, bias=False)
    def forward(self, idx, targets):
        x = self.wte(idx) + self.wpe(torch.arange(idx.size(1)))
        for b in self.h:
            x = b(x)
        logits = self.head(self.ln_f(x))
        return F.cross_entropy(logits.view(-1, V), targets.view(-1))
text = torch.randint(0, V, (64,)).repeat(40)
m = GPT()
opt = torch.optim.AdamW(m.parameters(), lr=1e-3)
for step in range(STEPS):
    ix = torch.randint(len(text) - T, (B,))
    x = torch.stack([text[i:i + T] for i in ix])
    y = torch.stack([text[i + 1:i + T + 1] for i in ix])
    loss = m(x, y)
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
print(f"{loss.item():.4f}")
