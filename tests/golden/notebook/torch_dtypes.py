import torch

i, f, b = torch.tensor([1, 2, 3]), torch.tensor([1., 2., 3.]), torch.tensor([True, False, True])
for a in (i, f, b):
    for c in (i, f, b):
        print((a + c).dtype, (a * c).dtype, (a / c).dtype, (a == c).dtype, end='; ')
    print((a + 1).dtype, (a + 1.5).dtype, (a * True).dtype, (a / 2).dtype, (a > 1).dtype)
print(i / 2, i // 2, i % 2, i ** 2, 7 // i, 7 % i, 2 ** i, -i // 2, -i % 2, -7 // torch.tensor(2))
print(f / 0, f // 2, f % 2, -f % 2, f ** 0.5, f ** -1, f // 0.7, torch.tensor(-7.5) % 2, torch.fmod(-f, 2))
print(b + b, b * 2, b & ~b, b | b, b ^ True, ~b, b.sum(), b.float().mean(), b.int(), b.long())
print(i.sum(), i.float().mean(), i.prod(), i.max(), i.cumsum(0), i.float().std(), f.mean(), f.sum().dtype)
print(i & 2, i | 4, i ^ 1, ~i, i << 2, i >> 1)
print(torch.tensor([1.7, -1.7]).int(), torch.tensor([1.7, -1.7]).long(), torch.tensor([0.5, 1.5, 2.5, -0.5]).round())
print(torch.floor(torch.tensor([1.7, -1.7])), torch.ceil(torch.tensor([1.2, -1.2])), torch.trunc(torch.tensor([1.7, -1.7])))
print(torch.tensor(5) + torch.tensor(2.5), torch.tensor([5]) + torch.tensor(2.5), torch.tensor([5.]) + torch.tensor(2))
print(torch.tensor(3) / torch.tensor(2), torch.tensor(3) // torch.tensor(2), torch.true_divide(i, 2), torch.div(i, 2, rounding_mode='floor'))
print(torch.zeros(2).dtype, torch.arange(3).dtype, torch.arange(3.).dtype, torch.arange(0, 1, 0.25), torch.full((2,), 7), torch.full((2,), 7.))
print(torch.tensor([1, 2.5]).dtype, torch.tensor([True, 2]).dtype, torch.tensor([]).dtype, torch.ones(2, dtype=torch.long))
x = torch.tensor([1, 2])
x += 1
print(x)
try:
    x += 0.5
except RuntimeError as e:
    print(e)
try:
    b - b
except RuntimeError as e:
    print(e)
try:
    i.mean()
except RuntimeError as e:
    print(e)
try:
    torch.tensor([1, 0]) // 0
except RuntimeError as e:
    print(e)
try:
    f @ i
except RuntimeError as e:
    print(e)
try:
    ~f
except TypeError as e:
    print(e)
x = torch.tensor([1., 2.])
x += torch.tensor([1, 1])
x[0] = 7
x -= 1
print(x, x.to(torch.int64), x.to('cpu').dtype, x.type(torch.bool), x.type(), i.type(), x.to(i).dtype)
print(torch.tensor(3).item(), type(torch.tensor(3).item()).__name__, torch.tensor(2.5).item(), torch.tensor(True).item())
print(int(torch.tensor(3.7)), float(torch.tensor(2)), bool(torch.tensor(0)), round(torch.tensor(2.567).item(), 2))
print([1, 2, 3][torch.tensor(1)], list(range(torch.tensor(3))), max(torch.tensor([3, 9, 2])), sum(torch.tensor([1., 2.])))
print(torch.finfo(torch.float32).min, torch.finfo(torch.float32).eps, torch.iinfo(torch.int64).max)
try:
    if torch.tensor([1, 2]):
        pass
except RuntimeError as e:
    print(e)
try:
    torch.tensor([1, 2]).item()
except ValueError as e:
    print(e)
try:
    torch.tensor([[1, 2], [3]])
except ValueError as e:
    print(e)
try:
    torch.tensor(['a'])
except ValueError as e:
    print(e)
try:
    torch.tensor([None])
except RuntimeError as e:
    print(e)
try:
    torch.zeros(2) + torch.zeros(3)
except RuntimeError as e:
    print(e)
try:
    torch.zeros(2, 3) @ torch.zeros(2, 3)
except RuntimeError as e:
    print(e)
try:
    torch.zeros(2, 3, 4) @ torch.zeros(2, 3, 4)
except RuntimeError as e:
    print(e)
try:
    torch.zeros(3) @ torch.zeros(2)
except RuntimeError as e:
    print(e)
try:
    torch.zeros(2, 3) @ torch.zeros(2)
except RuntimeError as e:
    print(e)
try:
    torch.cat([torch.zeros(2, 3), torch.zeros(3, 2)])
except RuntimeError as e:
    print(e)
try:
    torch.stack([torch.zeros(2), torch.zeros(3)])
except RuntimeError as e:
    print(e)
try:
    torch.zeros(2, 3).sum(dim=2)
except IndexError as e:
    print(e)
try:
    torch.zeros(2).foo
except AttributeError as e:
    print(e)
try:
    torch.zeros(2) + 'a'
except TypeError as e:
    print(e)
try:
    torch.zeros(2, 3).permute(0, 1, 2)
except RuntimeError as e:
    print(e)
try:
    torch.zeros(3).expand(2, 4)
except RuntimeError as e:
    print(e)
try:
    torch.arange(3).topk(5)
except RuntimeError as e:
    print(e)
try:
    len(torch.tensor(3))
except TypeError as e:
    print(e)
try:
    for _ in torch.tensor(3):
        pass
except TypeError as e:
    print(e)
