"""Interpretability: hooks, head ablation, logit lens and attention rollout."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from collections import defaultdict
from typing import Dict, List
from contextlib import contextmanager

class Attn(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.qkv = nn.Linear(d, 3 * d)
        self.o = nn.Linear(d, d)
        self.pattern = nn.Identity()
        self.z = nn.Identity()
    def forward(self, x):
        B, T, D = x.shape
        q, k, v = [t.view(B, T, self.h, D // self.h).transpose(1, 2) for t in self.qkv(x).chunk(3, -1)]
        s = q @ k.mT / (D // self.h) ** 0.5
        s = s + torch.full((T, T), float('-inf')).triu(1)
        a = self.pattern(s.softmax(-1))
        z = self.z(a @ v)
        return self.o(z.transpose(1, 2).flatten(-2))

class Layer(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.ln1, self.attn, self.ln2 = nn.LayerNorm(d), Attn(d, h), nn.LayerNorm(d)
        self.mlp = nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(approximate='tanh'), nn.Linear(4 * d, d))
    def forward(self, x):
        x = x + self.attn(self.ln1(x))
        return x + self.mlp(self.ln2(x))

class Model(nn.Module):
    def __init__(self, V=17, d=12, h=3, n=3, T=8):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(V, d), nn.Embedding(T, d)
        self.layers = nn.ModuleList(Layer(d, h) for _ in range(n))
        self.ln_f = nn.LayerNorm(d)
    def unembed(self, x):
        return self.ln_f(x) @ self.wte.weight.T
    def forward(self, ids):
        x = self.wte(ids) + self.wpe.weight[: ids.shape[-1]]
        for l in self.layers:
            x = l(x)
        return self.unembed(x)

@contextmanager
def hooked(pairs):
    handles = [m.register_forward_hook(f) for m, f in pairs]
    try:
        yield
    finally:
        for h in handles:
            h.remove()

torch.manual_seed(10)
model = Model().eval()
ids = torch.tensor([[3, 1, 4, 1, 5, 9]])
cache: Dict[str, torch.Tensor] = {}
def saver(name):
    def hook(module, inp, out):
        cache[name] = out.detach()
    return hook
with torch.no_grad(), hooked([(m, saver(n)) for n, m in model.named_modules() if n.endswith(('pattern', 'attn.z')) or n.count('.') == 1]):
    base = model(ids)
for n, t in cache.items():
    print(f"{n:<24}{tuple(t.shape)!s:<18}{t.mean():+.4f}")
print("logit lens")
for i in range(3):
    p = model.unembed(cache[f"layers.{i}"])[0, -1].softmax(0)
    top = p.topk(3)
    print(i, [(int(j), round(float(v), 3)) for v, j in zip(top.values, top.indices)])
target = base[0, -1].argmax()
def ablate(head):
    def hook(module, args, output):
        output = output.clone()
        output[:, head] = 0.
        return output
    return hook
table = torch.zeros(3, 3)
with torch.no_grad():
    for l in range(3):
        for h in range(3):
            with hooked([(model.layers[l].attn.z, ablate(h))]):
                table[l, h] = base[0, -1, target] - model(ids)[0, -1, target]
print(table)
print("most important head: layer %d head %d" % divmod(int(table.flatten().argmax()), 3))
rollout = torch.eye(6)
for i in range(3):
    a = cache[f"layers.{i}.attn.pattern"][0].mean(0)
    a = 0.5 * a + 0.5 * torch.eye(6)
    a = a / a.sum(-1, keepdim=True)
    rollout = a @ rollout
print(rollout)
pre = model.layers[1].register_forward_pre_hook(lambda m, args: (args[0] * 0,))
print(model(ids).abs().sum().item() != base.abs().sum().item())
pre.remove()
print(torch.equal(model(ids), base))
x = model.wte(ids).detach().requires_grad_()
y = x + model.wpe.weight[:6]
for l in model.layers: y = l(y)
model.unembed(y)[0, -1, target].backward()
print((x.grad * x).sum(-1))
