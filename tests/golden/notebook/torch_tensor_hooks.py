import torch
import torch.nn as nn

w = torch.tensor([1.0, -2.0, 3.0], requires_grad=True)
handle = w.register_hook(lambda g: g.clamp(-1, 1))
(w * torch.tensor([0.5, 5.0, -7.0])).sum().backward()
print(w.grad)
handle.remove()
w.grad = None
(w * 3).sum().backward()
print(w.grad)

seen = []
x = torch.tensor([1.0, 2.0], requires_grad=True)
h = x * 2
y = h ** 2
h.register_hook(lambda g: seen.append(("h", g)))
y.register_hook(lambda g: seen.append(("y", g)))
x.register_hook(lambda g: seen.append(("x", g)))
y.sum().backward()
print(seen, x.grad, h.is_leaf, y.grad_fn is not None)

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
sizes = {}
for name, parameter in net.named_parameters():
    parameter.register_hook(lambda g, name=name: sizes.__setitem__(name, round(g.norm().item(), 4)))
net(torch.ones(2, 3)).mean().backward()
print(sorted(sizes.items()))
for parameter in net.parameters():
    parameter.register_hook(lambda g: g * 0)
net.zero_grad()
net(torch.ones(2, 3)).mean().backward()
print([parameter.grad.abs().sum().item() for parameter in net.parameters()])
try:
    torch.ones(2).register_hook(print)
except RuntimeError as error:
    print(error)
kept = (x * 3)
kept.register_hook(lambda g: None)
kept.retain_grad()
kept.sum().backward()
print(kept.grad)
