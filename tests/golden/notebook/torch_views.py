import torch

x = torch.zeros(2, 3)
v = x.view(3, 2)
t = x.T
r = x[0]
v[0, 1] = 5
print(x)
t += 1
print(x, v)
r.fill_(7)
print(x, t)
x.mul_(2).add_(1)
print(v, r)
c = x.clone()
c[0, 0] = -1
print(x[0, 0], c[0, 0])
print(x.data_ptr() == v.data_ptr(), x.data_ptr() == c.data_ptr())
d = x.detach()
d.zero_()
print(x)
print(x.T.is_contiguous(), x.T.contiguous().is_contiguous(), x.T.stride(), x.stride())
try:
    x.T.view(6)
except RuntimeError as e:
    print(e)
print(x.T.reshape(6).shape)
try:
    x.view(4, 2)
except RuntimeError as e:
    print(e)
try:
    x.reshape(-1, -1)
except RuntimeError as e:
    print(e)
e = torch.tensor([[1], [2]]).expand(2, 3)
print(e, e.stride())
try:
    e[0, 0] = 5
    print(e)
except RuntimeError as err:
    print(err)
a, b = torch.arange(6).chunk(2)
a += 10
print(a, b)
whole = torch.arange(6)
first, rest = whole.split([2, 4])
rest[0] = 99
print(whole)
for part in whole.view(3, 2).unbind(0):
    part[0] = 0
print(whole)
h = torch.arange(24.).view(1, 4, 6).view(1, 4, 2, 3).transpose(1, 2)
print(h.shape, h.stride(), h.is_contiguous())
back = h.transpose(1, 2).contiguous().view(1, 4, 6)
print(back.equal(torch.arange(24.).view(1, 4, 6)))
sq = torch.ones(1, 3, 1)
print(sq.squeeze().shape, sq.squeeze(0).shape, sq.squeeze(1).shape, sq.squeeze(-1).shape)
print(sq.unsqueeze(0).shape, sq.unsqueeze(-1).shape, sq.flatten().shape, sq.permute(2, 0, 1).shape)
m = torch.arange(9).view(3, 3)
m.t()[0] = 100
print(m)
m.T[1:, 0].mul_(0)
print(m)
z = torch.arange(3)
w = z
w += 1
print(z, w is z)
w = w + 1
print(z, w is z)
u = torch.arange(4.)
u[1:] = u[:-1].clone()
print(u)
diag = torch.eye(3)
diag[0].copy_(torch.tensor([4., 5., 6.]))
print(diag, diag.diagonal(), torch.diag(torch.tensor([1, 2])))
