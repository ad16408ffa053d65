import torch
torch.manual_seed(0)
for shape in [(3,), (7,), (8,), (33,), (100,), (600,), (5000,), (3, 5), (17, 40), (40, 3), (100, 70), (4, 7, 9), (5, 16, 33), (2, 3, 4, 5), (1, 9), (9, 1), (6, 1, 8)]:
    n = 1
    for k in shape: n *= k
    x = ((torch.arange(n) * 37 % 101).float() / 10 - 4.3).view(shape)
    print(shape, x.sum().item(), x.mean().item())
    for d in range(x.dim()):
        print(d, x.sum(d).flatten()[:5].tolist(), x.mean(d, keepdim=True).flatten()[-3:].tolist())
    if x.dim() > 1:
        print(x.sum((0, -1)).flatten()[:3].tolist(), x.transpose(0, 1).sum(0).flatten()[:3].tolist(), x.transpose(0, -1).sum().item())
    if x.dim() > 2:
        print(x.sum((0, 1), keepdim=True).shape, x.sum((0, 1)).flatten()[:3].tolist(), x.sum((1, 2)).tolist())
    print(x.flip(0).sum().item(), x[..., ::2].sum().item(), x[None].expand(3, *shape).sum().item())
w = (torch.arange(12.) / 7).view(3, 4).requires_grad_()
(w.sum(1).pow(2).sum() + w.mean(0).sum()).backward()
print(w.grad)
torch.manual_seed(0)
for v in torch.randn(50).tolist(): print(v)
