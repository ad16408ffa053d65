import torch
import torch.nn.functional as F

torch.manual_seed(1337)
B, T, C = 2, 4, 3
x = torch.randn(B, T, C)
print(x.shape)

# version 1: loops
xbow = torch.zeros((B, T, C))
for b in range(B):
    for t in range(T):
        xprev = x[b, :t+1]
        xbow[b, t] = torch.mean(xprev, 0)
print(x[0])
print(xbow[0])

# version 2: a triangle
wei = torch.tril(torch.ones(T, T))
wei = wei / wei.sum(1, keepdim=True)
print(wei)
xbow2 = wei @ x
print(torch.allclose(xbow, xbow2))

# version 3: softmax
tril = torch.tril(torch.ones(T, T))
wei = torch.zeros((T, T))
wei = wei.masked_fill(tril == 0, float('-inf'))
print(wei)
wei = F.softmax(wei, dim=-1)
print(wei)
xbow3 = wei @ x
print(torch.allclose(xbow, xbow3))

# a mask of booleans
mask = torch.triu(torch.ones(T, T), diagonal=1).bool()
print(mask)
print(~mask)
print(mask.sum(), mask.sum(dim=-1), mask.any(), mask.all(dim=0))
scores = torch.arange(16.).view(4, 4)
scores.masked_fill_(mask, -torch.inf)
print(scores)
print(torch.softmax(scores / 2, dim=-1))
print(torch.where(mask, torch.tensor(0.), scores))
print(mask & (scores == 0), mask | (scores > 5), mask ^ mask.T)
print(torch.ones(2, 3, dtype=torch.bool).tril())
pad = torch.tensor([[1, 1, 0], [1, 0, 0]])
print(pad.bool()[:, None, None, :].shape)
print((pad != 0).unsqueeze(-2))
row = torch.tensor([float('-inf')] * 3)
print(torch.softmax(row, 0))
