"""Sliding windows: Longformer's chunks, Mistral's rolling buffer, Swin's windows with relative bias."""
import torch
import torch.nn as nn
import torch.nn.functional as F

def sliding_window_causal_mask(n, window):
    i = torch.arange(n)[:, None]
    j = torch.arange(n)
    return (j <= i) & (j > i - window)

m = sliding_window_causal_mask(6, 3)
print(m.int())
print(m.sum(dim=1), m.sum(dim=0).tolist())

def _chunk(hidden_states, window_overlap):
    hidden_states = hidden_states.view(hidden_states.size(0), hidden_states.size(1) // (window_overlap * 2), window_overlap * 2, hidden_states.size(2))
    chunk_size = list(hidden_states.size())
    chunk_size[1] = chunk_size[1] * 2 - 1
    chunk_stride = list(hidden_states.stride())
    chunk_stride[1] = chunk_stride[1] // 2
    return hidden_states.as_strided(size=chunk_size, stride=chunk_stride)

x = torch.arange(16.).view(1, 8, 2)
print(_chunk(x, 2).shape)
print(_chunk(x, 2)[0, 1])

class RollingBuffer:
    def __init__(self, window, d):
        self.k = torch.zeros(window, d)
        self.pos = torch.full((window,), -1)
        self.n = 0
    def append(self, k):
        slot = self.n % len(self.k)
        self.k[slot] = k
        self.pos[slot] = self.n
        self.n += 1
    def ordered(self):
        order = self.pos.argsort()
        order = order[self.pos[order] >= 0]
        return self.k[order], self.pos[order]

buf = RollingBuffer(4, 2)
for t in range(6):
    buf.append(torch.tensor([float(t), 10. * t]))
print(buf.k)
print(*buf.ordered(), sep='\n')

def window_partition(x, window_size):
    B, H, W, C = x.shape
    x = x.view(B, H // window_size, window_size, W // window_size, window_size, C)
    windows = x.permute(0, 1, 3, 2, 4, 5).contiguous().view(-1, window_size, window_size, C)
    return windows

def window_reverse(windows, window_size, H, W):
    B = int(windows.shape[0] / (H * W / window_size / window_size))
    x = windows.view(B, H // window_size, W // window_size, window_size, window_size, -1)
    x = x.permute(0, 1, 3, 2, 4, 5).contiguous().view(B, H, W, -1)
    return x

class WindowAttention(nn.Module):
    def __init__(self, dim, window_size, num_heads, qkv_bias=True):
        super().__init__()
        self.dim, self.window_size, self.num_heads = dim, window_size, num_heads
        self.scale = (dim // num_heads) ** -0.5
        self.relative_position_bias_table = nn.Parameter(torch.zeros((2 * window_size[0] - 1) * (2 * window_size[1] - 1), num_heads))
        coords_h = torch.arange(self.window_size[0])
        coords_w = torch.arange(self.window_size[1])
        coords = torch.stack(torch.meshgrid([coords_h, coords_w], indexing='ij'))
        coords_flatten = torch.flatten(coords, 1)
        relative_coords = coords_flatten[:, :, None] - coords_flatten[:, None, :]
        relative_coords = relative_coords.permute(1, 2, 0).contiguous()
        relative_coords[:, :, 0] += self.window_size[0] - 1
        relative_coords[:, :, 1] += self.window_size[1] - 1
        relative_coords[:, :, 0] *= 2 * self.window_size[1] - 1
        relative_position_index = relative_coords.sum(-1)
        self.register_buffer("relative_position_index", relative_position_index)
        self.qkv = nn.Linear(dim, dim * 3, bias=qkv_bias)
        self.proj = nn.Linear(dim, dim)
        nn.init.trunc_normal_(self.relative_position_bias_table, std=.02)
        self.softmax = nn.Softmax(dim=-1)
    def forward(self, x, mask=None):
        B_, N, C = x.shape
        qkv = self.qkv(x).reshape(B_, N, 3, self.num_heads, C // self.num_heads).permute(2, 0, 3, 1, 4)
        q, k, v = qkv[0], qkv[1], qkv[2]
        q = q * self.scale
        attn = (q @ k.transpose(-2, -1))
        bias = self.relative_position_bias_table[self.relative_position_index.view(-1)].view(N, N, -1)
        attn = attn + bias.permute(2, 0, 1).contiguous().unsqueeze(0)
        if mask is not None:
            nW = mask.shape[0]
            attn = attn.view(B_ // nW, nW, self.num_heads, N, N) + mask.unsqueeze(1).unsqueeze(0)
            attn = attn.view(-1, self.num_heads, N, N)
        attn = self.softmax(attn)
        x = (attn @ v).transpose(1, 2).reshape(B_, N, C)
        return self.proj(x), attn

torch.manual_seed(3)
H = W = 4; ws = 2; shift = 1
img = torch.randn(1, H, W, 8)
img_mask = torch.zeros((1, H, W, 1))
h_slices = (slice(0, -ws), slice(-ws, -shift), slice(-shift, None))
cnt = 0
for h in h_slices:
    for w in h_slices:
        img_mask[:, h, w, :] = cnt
        cnt += 1
print(img_mask.squeeze())
mask_windows = window_partition(img_mask, ws).view(-1, ws * ws)
attn_mask = mask_windows.unsqueeze(1) - mask_windows.unsqueeze(2)
attn_mask = attn_mask.masked_fill(attn_mask != 0, float(-100.0)).masked_fill(attn_mask == 0, float(0.0))
print(attn_mask[3])
shifted = torch.roll(img, shifts=(-shift, -shift), dims=(1, 2))
win = window_partition(shifted, ws).view(-1, ws * ws, 8)
wa = WindowAttention(8, (2, 2), 2)
out, attn = wa(win, attn_mask)
print(wa.relative_position_index)
print(attn[3, 0])
back = torch.roll(window_reverse(out.view(-1, ws, ws, 8), ws, H, W), shifts=(shift, shift), dims=(1, 2))
print(back.shape, back[0, 0, 0])
