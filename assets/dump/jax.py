# Writes arrays to dump.npz, for: attn verify dump.npz
# The names are free, but plain ones are understood at once:
# q, k, v, mask, scores, weights, context (attention); x, w_q, w_k, w_v, w_o, n_heads, out (a layer).
import numpy as np

arrays = dict(x=x, out=out, n_heads=n_heads)
np.savez("dump.npz", **{name: np.asarray(a, np.float32) for name, a in arrays.items()})
# The parameters of flax: from flax.traverse_util import flatten_dict
# arrays.update({".".join(path): p for path, p in flatten_dict(params).items()})
