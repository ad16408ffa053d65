"""Regression with an LSTM then attention pooling; ReduceLROnPlateau; state saved in memory and loaded."""
import copy, math
import numpy as np
import torch
from torch import nn
np.random.seed(0); torch.manual_seed(0)
t = np.linspace(0, 20, 200)
series = np.sin(t) + 0.1 * np.random.randn(200)
W = 10
X = np.array([series[i:i + W] for i in range(len(series) - W)])
y = series[W:]
X = torch.tensor(X, dtype=torch.float32).unsqueeze(-1)
y = torch.from_numpy(y).float().unsqueeze(1)
print(X.shape, y.shape, X.mean().item(), y.std())
class AttnPool(nn.Module):
    def __init__(self, h=8):
        super().__init__()
        self.rnn = nn.LSTM(1, h, batch_first=True)
        self.score = nn.Linear(h, 1)
        self.fc = nn.Linear(h, 1)
    def forward(self, x):
        o, (hn, cn) = self.rnn(x)
        a = torch.softmax(self.score(o).squeeze(-1), 1)
        return self.fc(torch.einsum('bt,bth->bh', a, o)), a
m = AttnPool()
opt = torch.optim.Adam(m.parameters(), lr=0.02, weight_decay=1e-4)
sch = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, mode='min', factor=0.5, patience=2)
best, best_state = float('inf'), None
idx = np.arange(len(X)); cut = 150
for ep in range(15):
    np.random.shuffle(idx[:cut])
    tot = 0
    for b in np.array_split(idx[:cut], 5):
        b = torch.as_tensor(b)
        p, _ = m(X[b])
        loss = nn.MSELoss()(p, y[b])
        opt.zero_grad(); loss.backward(); opt.step()
        tot += loss.item() * len(b)
    with torch.no_grad():
        v = nn.functional.mse_loss(m(X[cut:])[0], y[cut:]).item()
    sch.step(v)
    if v < best:
        best, best_state = v, copy.deepcopy(m.state_dict())
    if ep % 5 == 4:
        print(f"epoch {ep+1} train {tot/cut:.4f} val {v:.4f} best {best:.4f} lr {opt.param_groups[0]['lr']}")
m.load_state_dict(best_state)
p, a = m(X[-1:])
print(round(p.item(), 4), a.detach().numpy().round(3))
