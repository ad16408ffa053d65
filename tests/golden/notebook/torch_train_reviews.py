"""Text classification: build vocab with Counter, EmbeddingBag-like mean, attention pooling, confusion matrix, f1."""
from collections import Counter
import re, random
import torch, torch.nn as nn, torch.optim as optim
data = [("I loved this wonderful movie", 1), ("What a terrible boring film", 0), ("great acting and great story", 1),
        ("awful plot, bad acting", 0), ("wonderful, simply wonderful", 1), ("I hated every boring minute", 0),
        ("a great film", 1), ("bad bad bad", 0), ("the story was loved by all", 1), ("terrible, awful movie", 0)]
tok = lambda s: re.findall(r"\w+", s.lower())
cnt = Counter(w for s, _ in data for w in tok(s))
print(cnt.most_common(4))
vocab = {'<pad>': 0, '<unk>': 1, **{w: i + 2 for i, (w, c) in enumerate(cnt.most_common()) }}
def collate(batch):
    xs, ys = zip(*batch)
    ids = [torch.tensor([vocab.get(w, 1) for w in tok(s)]) for s in xs]
    padded = nn.utils.rnn.pad_sequence(ids, batch_first=True, padding_value=0)
    return padded, padded != 0, torch.tensor(ys, dtype=torch.float)
class Clf(nn.Module):
    def __init__(self, V, d=8):
        super().__init__()
        self.emb = nn.Embedding(V, d, padding_idx=0)
        self.q = nn.Parameter(torch.randn(d) / d ** .5)
        self.out = nn.Linear(d, 1)
    def forward(self, x, mask):
        e = self.emb(x)
        s = (e @ self.q).masked_fill(~mask, -1e4)
        a = s.softmax(-1)
        return self.out((a.unsqueeze(-1) * e).sum(1)).squeeze(1), a
random.seed(3); torch.manual_seed(3)
m = Clf(len(vocab)); crit = nn.BCEWithLogitsLoss(); opt = optim.SGD(m.parameters(), lr=0.5, momentum=0.9, nesterov=True)
loader = torch.utils.data.DataLoader(data, batch_size=4, shuffle=True, collate_fn=collate)
for ep in range(1, 16):
    running = 0.0
    for x, mask, y in loader:
        opt.zero_grad()
        out, _ = m(x, mask)
        loss = crit(out, y)
        loss.backward()
        opt.step()
        running += loss.item()
    if ep % 5 == 0: print('epoch %d, loss %.4f' % (ep, running / len(loader)))
m.eval()
x, mask, y = collate(data)
with torch.no_grad():
    out, a = m(x, mask)
pred = (torch.sigmoid(out) > .5).long()
conf = torch.zeros(2, 2, dtype=torch.int64)
for t, p in zip(y.long(), pred): conf[t, p] += 1
print(conf)
tp, fp, fn = conf[1, 1].item(), conf[0, 1].item(), conf[1, 0].item()
print(f"precision {tp/(tp+fp):.2f} recall {tp/(tp+fn):.2f}")
w, i = a[0].max(0)
print(tok(data[0][0])[i], f"{w:.3f}")
print(m.emb.weight[0], m.emb.weight.grad[0].abs().sum())
