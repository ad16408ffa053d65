import copy
import torch
import torch.nn as nn
torch.manual_seed(0)
m = nn.Linear(2, 2)
n = copy.deepcopy(m)
with torch.no_grad(): n.weight.add_(1)
print(torch.equal(m.weight, n.weight), n.weight - m.weight, n.weight.requires_grad, type(n.weight).__name__)
enc = nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8), 2)
print(sum(p.numel() for p in enc.parameters()), enc.layers[0].linear1.weight is enc.layers[1].linear1.weight)
x = torch.ones(2, requires_grad=True); y = copy.deepcopy(x); print(y is x, y)
d = {"a": torch.zeros(2), "b": [torch.ones(1)]}
e = copy.deepcopy(d); e["a"] += 1; e["b"][0] += 5; print(d, e)
torch.manual_seed(1)
enc.eval(); print(enc(torch.randn(3, 1, 4)))
print(nn.init.trunc_normal_(torch.empty(2, 3), std=0.02))
p = torch.tensor([0.0, 0.3, 1.0], requires_grad=True)
print(nn.functional.softplus(p, beta=2))
print(nn.LogSoftmax(dim=-1))
