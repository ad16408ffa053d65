import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.lr_scheduler import StepLR, CosineAnnealingLR, LambdaLR, ExponentialLR
from torch.utils.data import TensorDataset, DataLoader, Dataset

def run(make, steps=4):
    torch.manual_seed(7)
    m = nn.Sequential(nn.Linear(3, 5), nn.Tanh(), nn.Linear(5, 2))
    x, t = torch.randn(8, 3), torch.randint(0, 2, (8,))
    opt = make(m.parameters())
    for i in range(steps):
        opt.zero_grad()
        loss = F.cross_entropy(m(x), t)
        loss.backward()
        opt.step()
        print(f"{loss.item():.6f}", end=" ")
    print()
    print(m[0].bias.detach(), m[0].weight.grad.abs().sum())

run(lambda p: torch.optim.SGD(p, lr=0.5))
run(lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, weight_decay=0.01))
run(lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, nesterov=True))
run(lambda p: torch.optim.Adam(p, lr=0.01))
run(lambda p: torch.optim.Adam(p, lr=0.01, weight_decay=0.1, amsgrad=True))
run(lambda p: torch.optim.AdamW(p, lr=0.01))
run(lambda p: torch.optim.AdamW(p, lr=3e-3, betas=(0.9, 0.95), weight_decay=0.1), 6)
for make in (lambda o: StepLR(o, 2, 0.5), lambda o: CosineAnnealingLR(o, 5), lambda o: ExponentialLR(o, 0.9), lambda o: LambdaLR(o, lambda s: 1 / (s + 1))):
    m = nn.Linear(2, 1)
    o = torch.optim.SGD(m.parameters(), lr=1.0)
    s = make(o)
    for i in range(6):
        o.step(); s.step()
        print(round(s.get_last_lr()[0], 6), end=" ")
    print()
m = nn.Linear(4, 4); (m(torch.ones(2, 4)) ** 2).sum().backward()
print(nn.utils.clip_grad_norm_(m.parameters(), 1.0)); print(m.weight.grad)
ds = TensorDataset(torch.arange(10).float().view(10, 1), torch.arange(10))
for xb, yb in DataLoader(ds, batch_size=4): print(xb.flatten(), yb)
class Pairs(Dataset):
    def __len__(self): return 5
    def __getitem__(self, i): return torch.tensor([i, i + 1]), i * 2
torch.manual_seed(3)
for a, b in DataLoader(Pairs(), batch_size=2, shuffle=True, drop_last=True): print(a, b)
try:
    torch.optim.SGD(m.parameters(), lr=-1)
except ValueError as error:
    print(error)
