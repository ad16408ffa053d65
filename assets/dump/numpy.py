# Writes arrays to dump.npz, for: attn verify dump.npz
# The names are free, but plain ones are understood at once:
# q, k, v, mask, scores, weights, context (attention); x, w_q, w_k, w_v, w_o, n_heads, out (a layer).
import numpy as np

np.savez("dump.npz", q=q, k=k, v=v, weights=weights, context=context)
