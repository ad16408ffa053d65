import torch, torch.nn as nn, torch.nn.functional as F, math
torch.manual_seed(0)
class Block(nn.Module):
    def __init__(s, d, h):
        super().__init__()
        s.ln1 = nn.LayerNorm(d); s.ln2 = nn.LayerNorm(d)
        s.qkv = nn.Linear(d, 3*d); s.proj = nn.Linear(d, d)
        s.mlp = nn.Sequential(nn.Linear(d, 4*d), nn.GELU(), nn.Linear(4*d, d)); s.h = h
    def forward(s, x):
        B, T, C = x.shape
        q, k, v = s.qkv(s.ln1(x)).split(C, dim=2)
        q, k, v = [t.view(B, T, s.h, C // s.h).transpose(1, 2) for t in (q, k, v)]
        a = (q @ k.transpose(-2, -1)) / math.sqrt(C // s.h)
        a = a.masked_fill(torch.tril(torch.ones(T, T)) == 0, float('-inf')).softmax(-1)
        x = x + s.proj((a @ v).transpose(1, 2).contiguous().view(B, T, C))
        return x + s.mlp(s.ln2(x))
class GPT(nn.Module):
    def __init__(s, V, d=64, L=4, h=4, T=32):
        super().__init__()
        s.wte = nn.Embedding(V, d); s.wpe = nn.Embedding(T, d)
        s.blocks = nn.ModuleList([Block(d, h) for _ in range(L)]); s.lnf = nn.LayerNorm(d); s.head = nn.Linear(d, V, bias=False)
    def forward(s, i, t):
        x = s.wte(i) + s.wpe(torch.arange(i.shape[1]))
        for b in s.blocks: x = b(x)
        l = s.head(s.lnf(x))
        return F.cross_entropy(l.view(-1, l.size(-1)), t.view(-1))
m = GPT(65); opt = torch.optim.AdamW(m.parameters(), lr=1e-3)
data = torch.randint(0, 65, (1000,))

for it in range(60):
    ix = torch.randint(0, 1000 - 33, (4,))
    x = torch.stack([data[i:i+32] for i in ix]); y = torch.stack([data[i+1:i+33] for i in ix])
    loss = m(x, y)
    opt.zero_grad(set_to_none=True); loss.backward(); opt.step()
    if it % 20 == 0: print(it, f"{loss.item():.4f}")
