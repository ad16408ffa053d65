import torch

x = torch.arange(24).reshape(2, 3, 4)
print(x)
print(x[0], x[1, 2], x[1, 2, 3], x[-1, -1, -1])
print(x[:, 0], x[..., -1], x[:, None].shape, x[..., None].shape)
print(x[0, ::2, 1:3], x[:, :, ::3])
print(x[[0, 1], [2, 0]])
print(x[:, [2, 0]].shape, x[:, torch.tensor([[0, 1], [1, 2]])].shape)
print(x[x % 5 == 0])
print(x[:, x[0, :, 0] > 0].shape)
print(x[0][torch.tensor([True, False, True])])
idx = torch.tensor([2, 0, 1])
print(x[0, torch.arange(3), idx])
print(x[0].gather(1, idx[:, None]))
print(torch.index_select(x[0], 1, torch.tensor([3, 0])))
print(torch.masked_select(x[0], x[0] > 6))

y = torch.zeros(3, 4)
y[0] = 1
y[1, 1:3] = torch.tensor([2., 3.])
y[:, -1] = torch.arange(3.)
y[2][0] = 9
y[y == 0] = -1
print(y)
y[[0, 2], [0, 1]] = torch.tensor([50., 60.])
print(y)
y[torch.arange(3), torch.tensor([1, 2, 3])] += 100
print(y)
y[:2] *= 2
print(y)
y[..., 0] = y[..., 1]
print(y)
a = torch.arange(5)
a[1:4] = 0
print(a, len(a), a.tolist())
for row in y:
    print(row, end=' ')
print()
for i, (p, q) in enumerate(torch.tensor([[1, 2], [3, 4]])):
    print(i, p, q, p.item() + q.item())
print(3 in a, 7 in a)
try:
    x[2]
except IndexError as e:
    print(e)
try:
    x[0, 0, 0, 0]
except IndexError as e:
    print(e)
try:
    y[0, [1, 2]] = torch.tensor([1., 2., 3.])
except RuntimeError as e:
    print(e)
try:
    y[torch.tensor([True, False])]
except IndexError as e:
    print(e)
try:
    x[::-1]
except ValueError as e:
    print(e)
try:
    x[0.5]
except (IndexError, TypeError) as e:
    print(type(e).__name__, e)
try:
    y[0] = torch.ones(3)
except RuntimeError as e:
    print(e)
ones = torch.ones(2, 2)
print(ones.scatter_(1, torch.tensor([[1], [0]]), 5.))
print(torch.zeros(2, 3).scatter(1, torch.tensor([[0, 2], [1, 1]]), torch.tensor([[1., 2.], [3., 4.]])))
print(torch.zeros(3).scatter_add(0, torch.tensor([0, 0, 2]), torch.tensor([1., 2., 3.])))
print(torch.zeros(3, 2).index_add(0, torch.tensor([0, 0, 2]), torch.ones(3, 2)))
print(a.nonzero(), (a > 2).nonzero(as_tuple=True))
