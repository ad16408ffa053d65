import torch
import torch.nn as nn
import math
class LoRALinear(nn.Module):
    def __init__(self, base: nn.Linear, r=2, alpha=4):
        super().__init__()
        self.base = base
        for p in self.base.parameters():
            p.requires_grad_(False)
        self.A = nn.Parameter(torch.empty(r, base.in_features))
        self.B = nn.Parameter(torch.zeros(base.out_features, r))
        nn.init.kaiming_uniform_(self.A, a=math.sqrt(5))
        self.scaling = alpha / r
    def forward(self, x):
        return self.base(x) + (x @ self.A.T @ self.B.T) * self.scaling
    @torch.no_grad()
    def merge(self):
        self.base.weight += self.B @ self.A * self.scaling
        return self.base
def replace_linear(model, **kw):
    for name, module in model.named_children():
        if isinstance(module, nn.Linear):
            setattr(model, name, LoRALinear(module, **kw))
        else:
            replace_linear(module, **kw)
torch.manual_seed(123)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Sequential(nn.Linear(8, 8), nn.GELU()), nn.Linear(8, 3))
x = torch.randn(10, 4)
t = torch.randint(3, (10,))
before = model(x)
replace_linear(model, r=2)
assert torch.equal(before, model(x))
trainable = [n for n, p in model.named_parameters() if p.requires_grad]
print(trainable)
total = sum(p.numel() for p in model.parameters())
tr = sum(p.numel() for p in model.parameters() if p.requires_grad)
print(f"Trainable: {tr:,} / {total:,} ({100 * tr / total:.2f}%)")
opt = torch.optim.AdamW(filter(lambda p: p.requires_grad, model.parameters()), lr=5e-2)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=5e-2, total_steps=20) if hasattr(torch.optim.lr_scheduler, 'OneCycleLR') else None
for i in range(20):
    loss = nn.CrossEntropyLoss()(model(x), t)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if sched: sched.step()
    if i % 5 == 0: print(i, round(loss.item(), 4), "%.5f" % opt.param_groups[0]['lr'])
m = model[0]
y1 = m(x)
y2 = m.merge()(x)
print((y1 - y2).abs().max() < 1e-5)
print(model)
hooks = []
h = model[1].register_forward_hook(lambda mod, inp, out: hooks.append((type(mod).__name__, tuple(out.shape))))
model(x); h.remove(); model(x)
print(hooks)
