"""Performer: FAVOR+ with orthogonal random features, and linear attention beside it."""
import math
import torch
from torch import nn, einsum
from torch.nn import functional as F
from functools import partial

def exists(val):
    return val is not None
def default(val, d):
    return val if exists(val) else d

def orthogonal_matrix_chunk(cols):
    unstructured_block = torch.randn((cols, cols))
    q, r = torch.linalg.qr(unstructured_block, mode='reduced')
    return q.t()

def gaussian_orthogonal_random_matrix(nb_rows, nb_columns, scaling=0):
    nb_full_blocks = int(nb_rows / nb_columns)
    block_list = []
    for _ in range(nb_full_blocks):
        block_list.append(orthogonal_matrix_chunk(nb_columns))
    remaining_rows = nb_rows - nb_full_blocks * nb_columns
    if remaining_rows > 0:
        block_list.append(orthogonal_matrix_chunk(nb_columns)[:remaining_rows])
    final_matrix = torch.cat(block_list)
    if scaling == 0:
        multiplier = torch.randn((nb_rows, nb_columns)).norm(dim=1)
    elif scaling == 1:
        multiplier = math.sqrt((float(nb_columns))) * torch.ones((nb_rows,))
    else:
        raise ValueError(f'Invalid scaling {scaling}')
    return torch.diag(multiplier) @ final_matrix

def softmax_kernel(data, *, projection_matrix, is_query, normalize_data=True, eps=1e-4):
    b, h, *_ = data.shape
    data_normalizer = (data.shape[-1] ** -0.25) if normalize_data else 1.
    ratio = (projection_matrix.shape[0] ** -0.5)
    projection = projection_matrix.expand(b, h, *projection_matrix.shape)
    data_dash = torch.einsum('...id,...jd->...ij', (data_normalizer * data), projection)
    diag_data = data ** 2
    diag_data = torch.sum(diag_data, dim=-1)
    diag_data = (diag_data / 2.0) * (data_normalizer ** 2)
    diag_data = diag_data.unsqueeze(dim=-1)
    if is_query:
        data_dash = ratio * (torch.exp(data_dash - diag_data - torch.amax(data_dash, dim=-1, keepdim=True).detach()) + eps)
    else:
        data_dash = ratio * (torch.exp(data_dash - diag_data - torch.amax(data_dash, dim=(-1, -2), keepdim=True).detach()) + eps)
    return data_dash.type_as(data)

def linear_attention(q, k, v):
    k_cumsum = k.sum(dim=-2)
    D_inv = 1. / torch.einsum('...nd,...d->...n', q, k_cumsum.type_as(q))
    context = torch.einsum('...nd,...ne->...de', k, v)
    return torch.einsum('...de,...nd,...n->...ne', context, q, D_inv)

def causal_linear_attention_noncuda(q, k, v, chunk_size=2, eps=1e-6):
    last_k_cumsum = 0
    last_context_cumsum = 0
    outs = []
    for q, k, v in zip(*map(lambda t: t.chunk(chunk_size, dim=-2), (q, k, v))):
        k_cumsum = last_k_cumsum + k.cumsum(dim=-2)
        D_inv = 1. / torch.einsum('...nd,...nd->...n', q, k_cumsum.type_as(q) + eps)
        context = torch.einsum('...nd,...ne->...nde', k, v)
        context_cumsum = last_context_cumsum + context.cumsum(dim=-3)
        out = torch.einsum('...nde,...nd,...n->...ne', context_cumsum, q, D_inv)
        last_k_cumsum = k_cumsum[:, :, -1:]
        last_context_cumsum = context_cumsum[:, :, -1:]
        outs.append(out)
    return torch.cat(outs, dim=-2)

class FastAttention(nn.Module):
    def __init__(self, dim_heads, nb_features=None, ortho_scaling=0, causal=False):
        super().__init__()
        nb_features = default(nb_features, int(dim_heads * math.log(dim_heads)))
        self.dim_heads, self.nb_features, self.causal = dim_heads, nb_features, causal
        self.create_projection = partial(gaussian_orthogonal_random_matrix, nb_rows=self.nb_features, nb_columns=dim_heads, scaling=ortho_scaling)
        self.register_buffer('projection_matrix', self.create_projection())
    @torch.no_grad()
    def redraw_projection_matrix(self):
        projections = self.create_projection()
        self.projection_matrix.copy_(projections)
        del projections
    def forward(self, q, k, v):
        create_kernel = partial(softmax_kernel, projection_matrix=self.projection_matrix)
        q = create_kernel(q, is_query=True)
        k = create_kernel(k, is_query=False)
        attn_fn = linear_attention if not self.causal else causal_linear_attention_noncuda
        return attn_fn(q, k, v)

torch.manual_seed(2)
q, k, v = torch.randn(3, 1, 2, 6, 4).unbind(0)
att = FastAttention(4, nb_features=64)
fast = att(q, k, v)
exact = torch.softmax(q @ k.transpose(-1, -2) / 2, -1) @ v
print(fast.shape, (fast - exact).abs().mean().item() < 0.3)
P = att.projection_matrix[:4]
print(((P / P.norm(dim=1, keepdim=True)) @ (P / P.norm(dim=1, keepdim=True)).t()).round().abs())
print(fast[0, 0])
c = FastAttention(4, 16, ortho_scaling=1, causal=True)
print(c(q, k, v)[0, 1])
c.redraw_projection_matrix()
print(c.projection_matrix.shape, c.projection_matrix.norm(dim=1)[:3].round())
class LinearAttention(nn.Module):
    def __init__(self, dim, heads=2):
        super().__init__()
        self.heads = heads
        self.to_qkv = nn.Linear(dim, dim * 3, bias=False)
    def forward(self, x):
        b, n, d = x.shape
        q, k, v = (t.reshape(b, n, self.heads, -1) for t in self.to_qkv(x).chunk(3, dim=-1))
        q, k = F.elu(q) + 1, F.elu(k) + 1
        KV = einsum('nshd,nshm->nhmd', k, v)
        Z = 1 / (einsum('nlhd,nhd->nlh', q, k.sum(dim=1)) + 1e-6)
        V = einsum('nlhd,nhmd,nlh->nlhm', q, KV, Z)
        return V.contiguous().view(b, n, -1)
print(LinearAttention(4)(torch.randn(1, 3, 4)))
