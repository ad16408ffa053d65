import torch
import torch.nn as nn
torch.manual_seed(9)
class CharRNN(nn.Module):
    def __init__(self, n, h=12):
        super().__init__()
        self.emb = nn.Embedding(n, 8)
        self.rnn = nn.GRU(8, h, batch_first=True)
        self.fc = nn.Linear(h, n)
    def forward(self, x, s=None):
        y, s = self.rnn(self.emb(x), s)
        return self.fc(y), s
text = "hello world hello there"
vocab = sorted(set(text))
ix = {c: i for i, c in enumerate(vocab)}
data = torch.tensor([ix[c] for c in text])
x, y = data[:-1].unsqueeze(0), data[1:].unsqueeze(0)
net = CharRNN(len(vocab))
opt = torch.optim.RMSprop(net.parameters(), lr=0.01)
for i in range(60):
    out, _ = net(x)
    loss = nn.functional.cross_entropy(out.transpose(1, 2), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if i % 20 == 0 or i == 59:
        print(i, f"{loss.item():.3f}")
s = None
c = torch.tensor([[ix['h']]])
res = 'h'
for _ in range(10):
    o, s = net(c, s)
    c = o[:, -1:].argmax(-1)
    res += vocab[c.item()]
print(res)
cell = nn.LSTMCell(3, 4)
h, cc = cell(torch.ones(2, 3))
print(h.shape, cc.shape)
