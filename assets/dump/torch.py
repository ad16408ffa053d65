# Writes what a module computed to dump.npz, for: attn verify dump.npz
# Call keep(...) where the numbers are; the names are free, but plain ones are understood at once:
# x, q_proj.weight, mask, n_heads, scores, weights, out (attention); logits, targets, loss.
import numpy as np
kept = {}

def keep(**tensors):
    for name, x in tensors.items():
        kept[name] = x.detach().cpu().float().numpy() if hasattr(x, "detach") else np.asarray(x)

# in forward():   keep(scores=scores, weights=weights)
# afterwards:
keep(x=x, out=mine(x), n_heads=mine.n_heads)
np.savez("dump.npz", **kept, **{n: p.detach().cpu().float().numpy() for n, p in mine.named_parameters()})
