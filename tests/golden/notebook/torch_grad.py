import torch
import torch.nn.functional as F

x = torch.tensor([1., 2., 3.], requires_grad=True)
y = (x ** 2).sum()
y.backward()
print(x.grad, y)
(x * 3).sum().backward()
print(x.grad)
x.grad.zero_()
print(x.grad)
x.grad = None
a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(3.0, requires_grad=True)
c = a * b + b.sin()
c.backward()
print(a.grad, b.grad, c.grad_fn is None, a.is_leaf, c.is_leaf)
try:
    c.backward()
except RuntimeError as e:
    print(e)
d = (a * b).exp()
d.backward(retain_graph=True)
d.backward()
print(a.grad)
try:
    x.backward()
except RuntimeError as e:
    print(e)
try:
    torch.ones(1).backward()
except RuntimeError as e:
    print(e)
try:
    x += 1
except RuntimeError as e:
    print(e)
try:
    x[0] = 5
except RuntimeError as e:
    print(e)
with torch.no_grad():
    x += 1
    z = x * 2
print(x, z, z.requires_grad)
try:
    z.sum().backward()
except RuntimeError as e:
    print(e)


@torch.no_grad()
def evaluate():
    return x * 3


print(evaluate().requires_grad, torch.is_grad_enabled())
w = torch.randn(3, 2, generator=torch.Generator().manual_seed(1)).requires_grad_()
h = x @ w
h.retain_grad()
loss = (h.tanh() ** 2).mean()
loss.backward()
print(w.grad, h.grad, x.grad)
v = torch.arange(4., requires_grad=True)
u = v.clone()
u[1] = 10
u[2:] *= v[0] + 2
u.sum().backward()
print(u, v.grad)
m = torch.ones(2, 2, requires_grad=True)
n = m * 2
n[0] = 0
n.add_(1)
print(n, n.requires_grad)
n.prod().backward()
print(m.grad)
q = torch.randn(2, 3, generator=torch.Generator().manual_seed(2), requires_grad=True)
for f in (lambda t: t.softmax(-1)[:, 0].sum(), lambda t: t.max(), lambda t: t.max(1)[0].sum(),
          lambda t: t.sort(1)[0][:, 0].sum(), lambda t: t.std() + t.var(0).sum(), lambda t: t.cumsum(1).sum(),
          lambda t: F.gelu(t).sum() + F.silu(t).sum(), lambda t: t.norm(), lambda t: torch.logsumexp(t, 1).sum(),
          lambda t: t[:, [0, 0, 2]].sum(), lambda t: t.gather(1, torch.tensor([[0], [2]])).sum(),
          lambda t: torch.cat([t, t * 2]).mean(), lambda t: t.T.reshape(-1)[:4].sum(),
          lambda t: F.layer_norm(t, (3,)).pow(3).sum(), lambda t: t.clamp(-0.5, 0.5).sum(), lambda t: t.abs().sqrt().sum(),
          lambda t: torch.where(t > 0, t, t * 0.1).sum(), lambda t: torch.einsum('ij,kj->', t, t), lambda t: t.prod(),
          lambda t: F.normalize(t, dim=-1)[0].sum(), lambda t: t.masked_fill(t > 0, 0.).sum(), lambda t: t.expand(2, 2, 3).sum(),
          lambda t: F.cross_entropy(t, torch.tensor([0, 2])), lambda t: t.tril().sum(), lambda t: t.log_softmax(0)[0].sum(),
          lambda t: (t / t.sum(1, keepdim=True)).pow(2).sum(), lambda t: t.roll(1, 0)[0].sum(), lambda t: t.flip(0)[0].sum(),
          lambda t: F.mse_loss(t, torch.zeros(2, 3)), lambda t: t.repeat(2, 1).sum(), lambda t: t.median(1).values.sum()):
    q.grad = None
    out = f(q)
    out.backward()
    print(out.detach(), q.grad)
s = torch.tensor(3., requires_grad=True)
(g1,) = torch.autograd.grad(s ** 3, s, create_graph=True)
(g2,) = torch.autograd.grad(g1, s)
print(g1, g2)
e = torch.eye(2, requires_grad=True)
(e @ e).backward(torch.tensor([[1., 2.], [3., 4.]]))
print(e.grad)
e.data -= 0.1 * e.grad
print(e)
print(e.detach().requires_grad, e.data.requires_grad, (e * 1).detach())
t = torch.zeros(3)
t.requires_grad = True
print(t)
i = torch.tensor([1, 2])
try:
    i.requires_grad_()
except RuntimeError as err:
    print(err)
