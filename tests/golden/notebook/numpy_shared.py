import torch
import numpy as np
a = np.arange(6.).reshape(2, 3)
t = torch.from_numpy(a)
a[0, 0] = 100
print(t)
t[1] = -1
t.mul_(2)
print(a)
b = np.zeros(4, dtype=np.float32)
u = torch.as_tensor(b)
v = torch.as_tensor(b, dtype=torch.float64)
w = torch.tensor(b)
b += 1.5
b[[0, 1]] = 9
print(u, v, w)
x = torch.ones(2, 3)
n = x.numpy()
x.add_(1)
print(n)
n[0, 1] = 7
n *= 2
print(x, x.sum())
row = x[1].numpy(); col = x[:, 2].numpy(); tt = x.T.numpy()
row[0] = 50; col[:] = -3
print(x); print(tt)
tt[0, 0] = 11
print(x, n)
lin = torch.nn.Linear(2, 2)
wn = lin.weight.detach().numpy()
wn[:] = 1
with torch.no_grad():
    lin.bias.zero_()
print(lin(torch.ones(1, 2)), lin.weight)
lin.weight.data += 1
print(wn)
lin(torch.ones(1, 2)).sum().backward()
print(lin.weight.grad)
i = np.array([1, 2, 3]); ti = torch.from_numpy(i); i[1] = 20; ti[2] = 30; print(ti, i)
s = torch.from_numpy(a[:, ::2]); s.zero_(); print(a)
a[...] = 5; print(s, t)
m = torch.zeros(3, dtype=torch.bool); mn = m.numpy(); mn[1] = True; print(m)
ar = np.asarray(x); ar[0, 0] = 123; print(x[0, 0]); c = np.array(x); c[0, 0] = 1; print(x[0, 0])
t2 = torch.from_numpy(b); t3 = torch.from_numpy(b); t2[3] = 77; print(t3, u)
np.add(b, 1, out=b); print(u)
b.sort(); print(u)
b.fill(2); print(u)
p = np.array(3.5); tp = torch.from_numpy(p); p[...] = 4; print(tp)
k = a.T; k[0] = 8; print(t)
f = x.view(-1).numpy(); f[0] = 0.25; print(x[0, 0])
np.random.seed(0); np.random.shuffle(b); np.fill_diagonal(n, 4); print(x)
np.copyto(b, [1, 2, 3, 4]); print(u)
np.clip(b, 2, 3, out=b); print(u); np.put(b, [0], 99); print(u) 
try: torch.from_numpy([1, 2])
except TypeError as e: print(e)
try: torch.ones(1, requires_grad=True).numpy()
except RuntimeError as e: print(e)
o = np.zeros(3)
print(np.sum([[1., 2, 3], [4, 5, 6]], axis=0, out=o) is o, o, np.exp([0., 1, 2], out=o), np.max([[3, 9], [1, 2]], 1, None, True))
print(np.mean([[1., 2], [3, 4], [5, 6]], axis=1, out=o), np.array([[2., 3]]).sum(1, None, None, True), o.clip(2, 4, out=o), o)
