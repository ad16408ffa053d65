import torch
import torch.nn.functional as F
for n in (1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 64, 100):
    x = ((torch.arange(3 * n) * 37 % 101).float() / 10 - 4.3).view(3, n)
    w = F.softmax(x, -1)
    for v in w[1].tolist()[:9]: print(v)
    print(w.sum(-1), w.sum())
x = torch.tensor([[1., 2, float('-inf')], [float('-inf')] * 3, [float('nan'), 1, 2], [float('inf'), 1, 2], [-200., 0, 1], [0, -90, -88.]])
print(x.softmax(-1)); print(x.softmax(-1)[5].tolist(), x.softmax(-1)[4].tolist())
