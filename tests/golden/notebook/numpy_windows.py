import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
x = np.arange(12)
w = sliding_window_view(x, 4)
print(w.shape); print(w[:3]); print(w.mean(axis=-1))
img = np.arange(20).reshape(4, 5)
p = sliding_window_view(img, (2, 2))
print(p.shape, p[1, 2])
k = np.array([[1, 0], [0, -1]])
print(np.einsum('ijkl,kl->ij', p, k))
print(np.lib.stride_tricks.sliding_window_view(np.eye(3), 2, axis=1).shape, sliding_window_view(img, 3, axis=-1)[0])
try: sliding_window_view(x, 20)
except ValueError as e: print(e)
