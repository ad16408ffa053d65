import torch
import torch.nn as nn
torch.manual_seed(3)
for layer in (nn.RNN(4, 3), nn.GRU(4, 3, 2, batch_first=True), nn.LSTM(4, 3, num_layers=2, bidirectional=True, batch_first=True, dropout=0.2), nn.RNN(4, 3, nonlinearity='relu', bias=False)):
    print(layer, [n for n, _ in layer.named_parameters()][:6])
    layer.eval()
    x = torch.randn(2, 5, 4)
    y, h = layer(x)
    print(y.shape, y[0, :2], h[0].shape if isinstance(h, tuple) else h.shape)
    y.sum().backward()
    print(layer.weight_ih_l0.grad[0])
    y2, h2 = layer(x, h)
    print(y2[-1, -1])
for cell in (nn.LSTMCell(3, 4), nn.GRUCell(3, 4), nn.RNNCell(3, 4, bias=False)):
    print(cell)
    s = None
    for t in range(3):
        s = cell(torch.ones(2, 3) * t, s)
    print(s[0][0] if isinstance(s, tuple) else s[0])
one = nn.LSTM(4, 3)
print(one(torch.randn(6, 4))[0].shape)
lazy = nn.Sequential(nn.LazyLinear(6), nn.ReLU(), nn.LazyLinear(2, bias=False))
print(lazy)
print(lazy(torch.randn(1, 3)))
print(lazy, sum(p.numel() for p in lazy.parameters()))
def rates(make, n=12, **kw):
    opt = torch.optim.AdamW([nn.Parameter(torch.zeros(1))], lr=0.1)
    s = make(opt)
    out = []
    for _ in range(n):
        out.append(round(opt.param_groups[0]['lr'], 7)); opt.step(); s.step()
    print(out, opt.param_groups[0]['betas'])
S = torch.optim.lr_scheduler
rates(lambda o: S.OneCycleLR(o, max_lr=1.0, total_steps=12))
rates(lambda o: S.OneCycleLR(o, max_lr=1.0, epochs=3, steps_per_epoch=4, anneal_strategy='linear', three_phase=True, cycle_momentum=False))
rates(lambda o: S.CosineAnnealingWarmRestarts(o, 3, 2))
rates(lambda o: S.PolynomialLR(o, 6, 2.0))
rates(lambda o: S.SequentialLR(o, [S.LinearLR(o, 0.1, total_iters=4), S.CosineAnnealingLR(o, 8)], [4]))
try: nn.GRU(4, 3)(torch.randn(2, 2, 5))
except RuntimeError as e: print(e)
