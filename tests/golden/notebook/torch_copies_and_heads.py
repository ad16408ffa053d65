import torch, copy
import torch.nn as nn
torch.manual_seed(0)
for bf in (True, False):
    m = nn.MultiheadAttention(4, 2, batch_first=bf); x = torch.randn(2, 3, 4)
    o, w = m(x, x, x); print(o, w)
    o, w = m(x, x, x, need_weights=False); print(o, w)
    o, w = m(x, x, x, average_attn_weights=False); print(w)
    m.eval(); o, w = m(x, x, x); print(o, w)
    with torch.no_grad(): print(m(x, x, x)[0])
p = nn.Parameter(torch.ones(2)); q = copy.copy(p); print(q, type(q).__name__, q is p, q.data_ptr() == p.data_ptr())
q = copy.copy(torch.ones(2)); print(q)
