"""Mixture of experts, gated attention units, cosine-similarity attention, LoRA and adapters."""
import math
import torch
from torch import nn
import torch.nn.functional as F
from typing import Optional, NamedTuple

class RouterOutput(NamedTuple):
    weights: torch.Tensor
    indices: torch.Tensor
    aux_loss: torch.Tensor

class TopKRouter(nn.Module):
    def __init__(self, d, n_experts, k):
        super().__init__()
        self.k, self.n = k, n_experts
        self.gate = nn.Linear(d, n_experts, bias=False)
    def forward(self, x) -> RouterOutput:
        logits = self.gate(x)
        probs = F.softmax(logits, dim=1, dtype=torch.float)
        w, idx = torch.topk(probs, self.k, dim=-1)
        w = w / w.sum(dim=-1, keepdim=True)
        frac = F.one_hot(idx[:, 0], self.n).float().mean(0)
        aux = self.n * torch.dot(frac, probs.mean(0))
        return RouterOutput(w.to(x.dtype), idx, aux)

class SparseMoE(nn.Module):
    def __init__(self, d=8, n=4, k=2):
        super().__init__()
        self.router = TopKRouter(d, n, k)
        self.experts = nn.ModuleList([nn.Sequential(nn.Linear(d, 2 * d, bias=False), nn.SiLU(), nn.Linear(2 * d, d, bias=False)) for _ in range(n)])
    def forward(self, x):
        b, t, d = x.shape
        x = x.view(-1, d)
        weights, indices, aux = self.router(x)
        out = torch.zeros_like(x)
        expert_mask = F.one_hot(indices, num_classes=len(self.experts)).permute(2, 1, 0)
        for e, layer in enumerate(self.experts):
            idx, top_x = torch.where(expert_mask[e])
            if top_x.shape[0] == 0:
                continue
            cur = layer(x[None, top_x].reshape(-1, d)) * weights[top_x, idx, None]
            out.index_add_(0, top_x, cur.to(x.dtype))
        return out.view(b, t, d), aux

class LoRALayer(nn.Module):
    def __init__(self, in_dim, out_dim, rank, alpha):
        super().__init__()
        self.A = nn.Parameter(torch.empty(in_dim, rank))
        nn.init.kaiming_uniform_(self.A, a=math.sqrt(5))
        self.B = nn.Parameter(torch.zeros(rank, out_dim))
        self.alpha = alpha
    def forward(self, x):
        return self.alpha * (x @ self.A @ self.B)

class LinearWithLoRA(nn.Module):
    def __init__(self, linear, rank, alpha):
        super().__init__()
        self.linear = linear
        self.lora = LoRALayer(linear.in_features, linear.out_features, rank, alpha)
    def forward(self, x):
        return self.linear(x) + self.lora(x)

def replace_linear_with_lora(model, rank, alpha):
    for name, module in model.named_children():
        if isinstance(module, nn.Linear):
            setattr(model, name, LinearWithLoRA(module, rank, alpha))
        else:
            replace_linear_with_lora(module, rank, alpha)

class CosineAttention(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.logit_scale = nn.Parameter(torch.log(10 * torch.ones((h, 1, 1))), requires_grad=True)
        self.qkv = nn.Linear(d, 3 * d, bias=False)
        self.q_bias = nn.Parameter(torch.zeros(d))
        self.v_bias = nn.Parameter(torch.zeros(d))
    def forward(self, x):
        B, N, C = x.shape
        bias = torch.cat((self.q_bias, torch.zeros_like(self.v_bias, requires_grad=False), self.v_bias))
        qkv = F.linear(input=x, weight=self.qkv.weight, bias=bias).reshape(B, N, 3, self.h, -1).permute(2, 0, 3, 1, 4)
        q, k, v = qkv[0], qkv[1], qkv[2]
        attn = F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).transpose(-2, -1)
        scale = torch.clamp(self.logit_scale, max=torch.log(torch.tensor(1. / 0.01))).exp()
        return ((attn * scale).softmax(-1) @ v).transpose(1, 2).reshape(B, N, C)

class GAU(nn.Module):
    def __init__(self, dim, s=4, expansion=2):
        super().__init__()
        self.e = int(dim * expansion)
        self.uv = nn.Linear(dim, 2 * self.e + s)
        self.gamma = nn.Parameter(torch.randn(2, s) * 0.02)
        self.beta = nn.Parameter(torch.zeros(2, s))
        self.o = nn.Linear(self.e, dim)
        self.s = s
    def forward(self, x):
        n = x.shape[1]
        u, v, base = torch.split(F.silu(self.uv(x)), [self.e, self.e, self.s], dim=-1)
        base = torch.einsum('...r,hr->...hr', base, self.gamma) + self.beta
        q, k = torch.unbind(base, dim=-2)
        kernel = torch.square(F.relu(torch.einsum('bnd,bmd->bnm', q / n, k)))
        return self.o(u * torch.einsum('bnm,bme->bne', kernel, v)) + x

torch.manual_seed(4)
moe = SparseMoE()
x = torch.randn(2, 5, 8)
y, aux = moe(x)
print(y[0, :2], aux)
r = moe.router(x.view(-1, 8))
print(r._fields, r.indices)
print(torch.bincount(r.indices.flatten(), minlength=4))
net = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Sequential(nn.Linear(8, 4)))
before = net(x)
for p in net.parameters():
    p.requires_grad = False
replace_linear_with_lora(net, rank=2, alpha=4)
print(torch.equal(before, net(x)), sum(p.numel() for p in net.parameters() if p.requires_grad), sum(p.numel() for p in net.parameters()))
print(net)
opt = torch.optim.AdamW([p for p in net.parameters() if p.requires_grad], lr=1e-2)
for step in range(3):
    opt.zero_grad()
    loss = net(x).pow(2).mean()
    loss.backward()
    opt.step()
    print(step, f"{loss.item():.6f}")
print(CosineAttention(8, 2)(x)[0, 0])
print(GAU(8)(x)[1, :2])
with torch.no_grad():
    merged = net[0].linear.weight + 4 * (net[0].lora.A @ net[0].lora.B).T
    print(F.linear(x, merged, net[0].linear.bias).allclose(net[0](x), atol=1e-6))
