import copy
import io

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import (BatchSampler, ConcatDataset, DataLoader, Dataset, IterableDataset, RandomSampler,
                              SequentialSampler, SubsetRandomSampler, TensorDataset, WeightedRandomSampler)

torch.manual_seed(0)
a, b = nn.Linear(3, 2), nn.Linear(3, 2)
buffer = io.BytesIO()
torch.save({"model": a.state_dict(), "epoch": 3, "loss": (a.weight ** 2).sum()}, buffer)
with torch.no_grad():
    a.weight.zero_()
buffer.seek(0)
checkpoint = torch.load(buffer)
print(b.load_state_dict(checkpoint["model"]), checkpoint["epoch"], checkpoint["loss"].item() > 0, b.weight)
try:
    torch.load(io.BytesIO())
except EOFError as error:
    print(error)
buffer = io.BytesIO(b"abc")
print(buffer.read(2), buffer.read(), buffer.getvalue(), buffer.seek(1), buffer.write(b"XY"), buffer.getvalue(), buffer.tell())


class Squares(Dataset):
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        return i * i


class Stream(IterableDataset):
    def __iter__(self):
        return iter(range(7))


both = ConcatDataset([Squares(3), Squares(4)])
print(len(both), [both[i] for i in range(7)], both[-1], both.cumulative_sizes)
print([batch.tolist() for batch in DataLoader(Stream(), batch_size=3)])
print(list(SequentialSampler(both)), list(BatchSampler(SequentialSampler(both), 3, True)), list(RandomSampler(both)))
print(list(WeightedRandomSampler([0.1, 0.9, 0.4], 5)), list(WeightedRandomSampler([0.1, 0.9, 0.4], 2, replacement=False)))
print([int(i) for i in SubsetRandomSampler([3, 5, 7])])
print([batch.tolist() for batch in DataLoader(both, batch_size=2, sampler=WeightedRandomSampler(torch.ones(7), 4))])
print([batch.tolist() for batch in DataLoader(both, batch_sampler=BatchSampler(RandomSampler(both), 4, False))])
logits = torch.tensor([2.0, 1.0, 0.5], requires_grad=True)
print(F.gumbel_softmax(logits, tau=0.5).detach(), F.gumbel_softmax(logits, hard=True).detach())

grid = np.full((2, 3), ".")
grid[1, 2] = "#"
print("\n".join("".join(row) for row in grid), grid.shape, grid)
print(np.array([[1.5, 2], [0.1, 3]]).astype(str), np.arange(3).astype(str), np.float32([0.1, 2]).astype(str).tolist())
print(np.geomspace(1, 8, 4), np.geomspace(1, 1000, 3, endpoint=False))
