import torch
import numpy as np
x = torch.arange(6, dtype=torch.float32).reshape(2, 3)
a = x.numpy(); print(a, a.dtype, type(a), repr(a))
print(np.array(x), x.detach().numpy().mean(), x.tolist())
t = torch.from_numpy(np.array([[1, 2], [3, 4]])); print(t, t.dtype)
print(torch.tensor(np.array([1, 2, 3])), torch.tensor(np.array([1.5], dtype=np.float32)), torch.tensor(np.array([1.0, 2.0])))
print(torch.tensor([np.float32(1.5), np.float32(2)]), torch.stack([torch.from_numpy(np.ones(2, dtype=np.float32))]))
print(np.allclose(x.numpy(), np.arange(6).reshape(2, 3)), x.shape, tuple(x.shape))
w = torch.ones(2, requires_grad=True)
try: w.numpy()
except RuntimeError as e: print(e)
print(w.detach().numpy(), torch.softmax(x, -1).numpy().round(3), (x @ x.T).numpy())
print(np.exp(x.numpy()), np.sum(x.numpy(), axis=0), np.array([t.item() for t in x[0]]))
