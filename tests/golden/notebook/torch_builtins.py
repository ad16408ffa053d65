# Functions of Python on tensors and arrays
import numpy as np
import torch

t, one = torch.tensor([1.5, -2.5]), torch.tensor(2.5)
print(abs(t), abs(one), float(one), int(one), len(t))
print("%s|%.1f|%d|%5.2f" % (one, one, one, torch.tensor([1.25])), "%.3f" % one, "%s" % t, "%d" % (torch.tensor(3),))
print("%d/%d = %.2f%% correct" % (torch.tensor(3), 4, 100 * torch.tensor(0.75).mean()))
a = np.array([1.5, -2.5])
print(abs(a), "%d|%s|%.2f" % (np.int64(3), np.float64(0.5), np.float32(0.25)), "%.1f" % np.array(1.25), "%s" % a)
print(round(np.float64(2.5)), round(np.float64(2.567), 2), round(np.float32(3.5)), type(round(np.float64(7.2))).__name__, round(np.int64(7)))
print((0.25).__round__(1), (2.5).__round__(), (7).__round__(), 12345 .__round__(-2))
for wrong in (lambda: round(a), lambda: "%d" % t, lambda: "%d" % "a"):
    try:
        print(wrong())
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)
