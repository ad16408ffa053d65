"""minGPT's adder in small, with a lr schedule by hand, accuracy and early stop."""
import math
import torch, torch.nn as nn, torch.nn.functional as F
from torch.utils.data import Dataset, DataLoader, random_split, TensorDataset
torch.manual_seed(0)
pairs = [(a, b) for a in range(6) for b in range(6)]
def enc(a, b): return [a, 10, b, 11, (a + b) // 10, (a + b) % 10]
D = torch.tensor([enc(a, b) for a, b in pairs])
ds = TensorDataset(D[:, :-1], D[:, 1:].clone())
train, test = random_split(ds, [28, 8], generator=torch.Generator().manual_seed(1))
print(len(train), len(test), train.indices[:8])
loader = DataLoader(train, batch_size=7, shuffle=True, drop_last=True)
class Net(nn.Module):
    def __init__(s, V=12, d=16, T=5):
        super().__init__()
        s.e = nn.Embedding(V, d); s.p = nn.Parameter(torch.zeros(T, d))
        s.enc = nn.TransformerEncoderLayer(d, 2, 32, dropout=0., batch_first=True, activation=F.gelu, norm_first=True)
        s.o = nn.Linear(d, V)
        s.register_buffer('m', torch.triu(torch.full((T, T), float('-inf')), 1), persistent=False)
    def forward(s, x): return s.o(s.enc(s.e(x) + s.p, src_mask=s.m))
net = Net()
opt = torch.optim.Adam(net.parameters(), lr=3e-3, betas=(0.9, 0.98))
total = 12 * len(loader)
sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1, (s + 1) / 8) * 0.5 * (1 + math.cos(math.pi * s / total)))
hist = []
for epoch in range(12):
    net.train(); s = 0.
    for x, y in loader:
        loss = F.cross_entropy(net(x)[:, 3:].flatten(0, 1), y[:, 3:].flatten())
        opt.zero_grad(); loss.backward()
        nn.utils.clip_grad_value_(net.parameters(), 0.5)
        opt.step(); sched.step()
        s += loss.item()
    hist.append(s / len(loader))
    if epoch % 3 == 2:
        net.eval()
        with torch.no_grad():
            x, y = zip(*test); x, y = torch.stack(x), torch.stack(y)
            acc = (net(x)[:, 3:].argmax(-1) == y[:, 3:]).all(-1).float().mean()
        print(f"{epoch + 1:3} {hist[-1]:.4f} {acc:.3f} {sched.get_last_lr()[0]:.2e}")
print(all(b < a * 1.2 for a, b in zip(hist, hist[1:])))
