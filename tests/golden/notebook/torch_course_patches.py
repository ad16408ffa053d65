import torch
import torch.nn as nn
import torch.nn.functional as F

class PatchEmbed(nn.Module):
    def __init__(self, img_size=8, patch=4, c=3, dim=12):
        super().__init__()
        self.patch = patch
        self.n = (img_size // patch) ** 2
        self.proj = nn.Linear(c * patch * patch, dim)
    def forward(self, x):
        B, C, H, W = x.shape
        p = self.patch
        x = x.unfold(2, p, p).unfold(3, p, p)
        x = x.permute(0, 2, 3, 1, 4, 5).flatten(3).flatten(1, 2)
        return self.proj(x)

class ViT(nn.Module):
    def __init__(self, dim=12, heads=3, layers=2, classes=5):
        super().__init__()
        self.embed = PatchEmbed(dim=dim)
        self.cls = nn.Parameter(torch.zeros(1, 1, dim))
        self.pos = nn.Parameter(torch.randn(1, self.embed.n + 1, dim) * .02)
        enc = nn.TransformerEncoderLayer(dim, heads, dim_feedforward=24, dropout=0.0, activation="gelu", batch_first=True, norm_first=True)
        self.blocks = nn.TransformerEncoder(enc, num_layers=layers)
        self.head = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, classes))
        nn.init.trunc_normal_(self.cls, std=0.02)
    def forward(self, x):
        x = self.embed(x)
        cls = self.cls.expand(x.shape[0], -1, -1)
        x = torch.cat([cls, x], dim=1) + self.pos
        x = self.blocks(x)
        return self.head(x[:, 0])

torch.manual_seed(7)
m = ViT()
imgs = torch.randn(4, 3, 8, 8)
logits = m(imgs)
print(logits)
labels = torch.tensor([0, 3, 1, 4])
loss = F.cross_entropy(logits, labels, label_smoothing=0.1)
loss.backward()
print(f"{loss:.5f}", m.cls.grad.flatten()[:5], m.embed.proj.weight.grad.norm())
pred = logits.argmax(1)
print((pred == labels).float().mean(), pred)
top = logits.softmax(-1).topk(2)
print(top.values, top.indices)
for n, p in m.named_parameters():
    print(n, list(p.shape), p.grad is not None)
