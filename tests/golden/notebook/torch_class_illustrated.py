"""The Illustrated Transformer/GPT-2, with numbers by hand and heads drawn apart."""
import torch
import torch.nn.functional as F
import numpy as np

words = ["Thinking", "Machines"]
torch.manual_seed(0)
x = torch.tensor([[1.0, 0.0, 1.0, 0.0], [0.0, 2.0, 0.0, 2.0]])
W_Q = torch.randint(-1, 3, (4, 3)).float()
W_K = torch.randint(-1, 3, (4, 3)).float()
W_V = torch.randint(-1, 3, (4, 3)).float()
q, k, v = x @ W_Q, x @ W_K, x @ W_V
for w, a, b, c in zip(words, q, k, v):
    print(f"{w:>10}  q={a.tolist()}  k={b.tolist()}  v={c.tolist()}")
score = q[0] @ k.T
print("scores", score, "divided by 8:", score / 8)
sm = F.softmax(score / 8, dim=0)
print("softmax", sm.numpy().round(2))
z1 = sum(w * vec for w, vec in zip(sm, v))
print("z1", z1)
Z = F.softmax(q @ k.T / 3 ** .5, -1) @ v
print(Z)
heads = []
for h in range(8):
    g = torch.Generator().manual_seed(h)
    Wq, Wk, Wv = (torch.randn(4, 3, generator=g) for _ in range(3))
    heads.append(torch.softmax((x @ Wq) @ (x @ Wk).t() / np.sqrt(3), dim=-1) @ (x @ Wv))
concat = torch.cat(heads, dim=1)
print(concat.shape, concat[0, :6])
W_O = torch.randn(24, 4)
print((concat @ W_O).round(decimals=3))
np.set_printoptions(precision=3, suppress=True)
def get_timing_signal(length, channels, min_timescale=1.0, max_timescale=1.0e4):
    position = np.arange(length)
    num_timescales = channels // 2
    log_inc = np.log(float(max_timescale) / float(min_timescale)) / (num_timescales - 1)
    inv = min_timescale * np.exp(np.arange(num_timescales).astype(float) * -log_inc)
    scaled_time = np.expand_dims(position, 1) * np.expand_dims(inv, 0)
    signal = np.concatenate([np.sin(scaled_time), np.cos(scaled_time)], axis=1)
    signal = np.pad(signal, [[0, 0], [0, np.mod(channels, 2)]], 'constant')
    return signal.reshape([1, length, channels])
print(get_timing_signal(4, 6))
class LayerNormalization(torch.nn.Module):
    def __init__(self, parameters_shape, eps=1e-5):
        super().__init__()
        self.parameters_shape = parameters_shape
        self.eps = eps
        self.gamma = torch.nn.Parameter(torch.ones(parameters_shape))
        self.beta = torch.nn.Parameter(torch.zeros(parameters_shape))
    def forward(self, inputs):
        dims = [-(i + 1) for i in range(len(self.parameters_shape))]
        mean = inputs.mean(dim=dims, keepdim=True)
        print(f"Mean ({mean.size()}): \n {mean}:")
        var = ((inputs - mean) ** 2).mean(dim=dims, keepdim=True)
        std = (var + self.eps).sqrt()
        print(f"Standard Deviation ({std.size()}): \n {std}:")
        y = (inputs - mean) / std
        out = self.gamma * y + self.beta
        return out
layer_norm = LayerNormalization([2, 4])
print(layer_norm(x.unsqueeze(0) + Z.mean()))
