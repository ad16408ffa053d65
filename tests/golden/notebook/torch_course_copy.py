import torch, math, time
import torch.nn as nn
from torch.utils.data import Dataset, DataLoader, TensorDataset, random_split

class CopyTask(Dataset):
    def __init__(self, n, length=5, vocab=7, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.x = torch.randint(1, vocab, (n, length), generator=g)
    def __len__(self):
        return len(self.x)
    def __getitem__(self, i):
        return self.x[i], self.x[i].flip(0)

class Model(nn.Module):
    def __init__(self, vocab, d=16, h=2, layers=1, max_len=16):
        super().__init__()
        self.tok = nn.Embedding(vocab, d)
        self.pos = nn.Embedding(max_len, d)
        layer = nn.TransformerEncoderLayer(d_model=d, nhead=h, dim_feedforward=32, dropout=0.1, batch_first=True)
        self.enc = nn.TransformerEncoder(layer, layers)
        self.out = nn.Linear(d, vocab)
    def forward(self, x):
        t = torch.arange(x.size(1), device=x.device)
        return self.out(self.enc(self.tok(x) + self.pos(t)))

torch.manual_seed(3)
ds = CopyTask(64)
train, val = random_split(ds, [48, 16])
loader = DataLoader(train, batch_size=16, shuffle=True, drop_last=True)
valid = DataLoader(val, batch_size=16)
model = Model(7)
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=9)
loss_fn = nn.CrossEntropyLoss()
for epoch in range(3):
    model.train()
    total, count = 0.0, 0
    for xb, yb in loader:
        opt.zero_grad()
        logits = model(xb)
        loss = loss_fn(logits.reshape(-1, 7), yb.reshape(-1))
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        total += loss.item() * len(xb)
        count += len(xb)
    model.eval()
    with torch.no_grad():
        xv, yv = next(iter(valid))
        acc = (model(xv).argmax(-1) == yv).float().mean().item()
    print(f"epoch {epoch + 1:>2} | loss {total / count:.3f} | val acc {acc:.1%} | lr {sched.get_last_lr()[0]:.2e}")
print(len(loader), len(train), ds[0])
