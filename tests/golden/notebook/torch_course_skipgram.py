import torch
import torch.nn as nn
import torch.optim as optim
from collections import Counter, defaultdict
import random
random.seed(1); torch.manual_seed(1)
corpus = "the quick brown fox jumps over the lazy dog the fox is quick and the dog is lazy".split()
counts = Counter(corpus)
print(counts.most_common(3))
vocab = sorted(counts, key=lambda w: (-counts[w], w))
w2i = {w: i for i, w in enumerate(vocab)}
pairs = []
window = 2
for i, w in enumerate(corpus):
    for j in range(max(0, i - window), min(len(corpus), i + window + 1)):
        if i != j:
            pairs.append((w2i[w], w2i[corpus[j]]))
print(len(pairs), pairs[:5])
freq = torch.tensor([counts[w] for w in vocab], dtype=torch.float) ** 0.75
freq /= freq.sum()
class SkipGram(nn.Module):
    def __init__(self, V, D):
        super().__init__()
        self.inp = nn.Embedding(V, D)
        self.out = nn.Embedding(V, D)
        self.inp.weight.data.uniform_(-0.5 / D, 0.5 / D)
        self.out.weight.data.zero_()
    def forward(self, c, p, n):
        v = self.inp(c)
        pos = (v * self.out(p)).sum(1)
        neg = torch.bmm(self.out(n), v.unsqueeze(2)).squeeze(2)
        return -(torch.nn.functional.logsigmoid(pos) + torch.nn.functional.logsigmoid(-neg).sum(1)).mean()
model = SkipGram(len(vocab), 6)
opt = optim.SparseAdam(model.parameters(), lr=0.05) if False else optim.Adam(model.parameters(), lr=0.05)
for ep in range(4):
    random.shuffle(pairs)
    tot = 0
    for k in range(0, len(pairs), 16):
        b = torch.tensor(pairs[k:k+16])
        neg = torch.multinomial(freq, b.size(0) * 3, replacement=True).view(-1, 3)
        loss = model(b[:, 0], b[:, 1], neg)
        opt.zero_grad(); loss.backward(); opt.step()
        tot += loss.item()
    print(f'{ep}: {tot:.3f}')
E_ = model.inp.weight.detach()
sim = nn.functional.cosine_similarity(E_[w2i['fox']].unsqueeze(0), E_)
best = sim.argsort(descending=True)[:4]
print([(vocab[i], round(sim[i].item(), 2)) for i in best])
