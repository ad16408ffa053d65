"""Masked-token pretraining (MLM) with 80/10/10 corruption, gradient accumulation, weight tying and EMA."""
import copy
import torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(2024)
V, MASK, D, T = 12, 11, 16, 8
class Enc(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok, self.pos = nn.Embedding(V, D), nn.Embedding(T, D)
        self.attn = nn.MultiheadAttention(D, 4, dropout=0.0, batch_first=True)
        self.n1, self.n2 = nn.LayerNorm(D), nn.LayerNorm(D)
        self.ff = nn.Sequential(nn.Linear(D, 32), nn.GELU(), nn.Linear(32, D))
        self.bias = nn.Parameter(torch.zeros(V))
    def forward(self, x, pad=None):
        h = self.tok(x) + self.pos(torch.arange(x.size(1)))
        h = self.n1(h + self.attn(h, h, h, key_padding_mask=pad, need_weights=False)[0])
        h = self.n2(h + self.ff(h))
        return F.linear(h, self.tok.weight, self.bias)
def mask_tokens(inputs, mlm_probability=0.3):
    labels = inputs.clone()
    probability_matrix = torch.full(labels.shape, mlm_probability)
    masked_indices = torch.bernoulli(probability_matrix).bool()
    labels[~masked_indices] = -100
    indices_replaced = torch.bernoulli(torch.full(labels.shape, 0.8)).bool() & masked_indices
    inputs = inputs.clone()
    inputs[indices_replaced] = MASK
    indices_random = torch.bernoulli(torch.full(labels.shape, 0.5)).bool() & masked_indices & ~indices_replaced
    random_words = torch.randint(V, labels.shape, dtype=torch.long)
    inputs[indices_random] = random_words[indices_random]
    return inputs, labels
model = Enc()
ema = copy.deepcopy(model)
for p in ema.parameters(): p.requires_grad_(False)
opt = torch.optim.RMSprop(model.parameters(), lr=3e-3, alpha=0.9)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=5e-3, total_steps=15)
accum = 2
for step in range(30):
    start = torch.randint(0, 10, (8, 1))
    ids = (start + torch.arange(T)) % 10
    x, y = mask_tokens(ids)
    loss = F.cross_entropy(model(x).transpose(1, 2), y)
    (loss / accum).backward()
    if (step + 1) % accum == 0:
        gn = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step(); opt.zero_grad(); sched.step() if step < 29 else None
        with torch.no_grad():
            for a, b in zip(ema.parameters(), model.parameters()):
                a.mul_(0.9).add_(b, alpha=0.1)
    if step % 6 == 5:
        print(f"{step + 1:>3} loss {loss.item():.3f} grad {gn.item():.3f} lr {sched.get_last_lr()[0]:.5f}")
model.eval()
with torch.no_grad():
    x = torch.tensor([[3, 4, MASK, 6, 7, 8, 9, 0]])
    p = model(x).softmax(-1)[0, 2]
    print(p.topk(3))
    print(ema(x)[0, 2, :4])
    d = sum((a - b).pow(2).sum() for a, b in zip(ema.parameters(), model.parameters())) ** 0.5
    print(f"distance {d:.2f}")
