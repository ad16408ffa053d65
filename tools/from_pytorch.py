"""Prints docs/from-pytorch.md: attn run tools/from_pytorch.py > docs/from-pytorch.md

attn runs this cell, so that the names are those of the tables that it reads, and each difference is
tried as the page is made. A unit test compares the page with what this prints.
"""
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
import numpy as np


def names(of, wants_class=None):
    found = []
    for name in dir(of):
        if name.startswith("_") or name in ("annotations",):
            continue
        if wants_class is not None and isinstance(getattr(of, name), type) != wants_class:
            continue
        found.append(name)
    return sorted(found)


def paragraph(words, width=118):
    line, lines = "", []
    for word in words:
        piece = f"`{word}`"
        if line and len(line) + 1 + len(piece) > width:
            lines.append(line)
            line = piece
        else:
            line = f"{line} {piece}" if line else piece
    return "\n".join(lines + [line])


def refuses(function):
    try:
        function()
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    raise AssertionError("this no longer refuses: change the page")


print("""# From PyTorch

`attn run FILE.py` and `attn run FILE.ipynb` run PyTorch and numpy as courses write them. This page is made by attn itself
(`tools/from_pytorch.py`): the names are those that it has, and each difference below was tried as the page was made.
The comparison is with PyTorch 1.13 with AVX2 and one thread, and numpy 1.24.

## What is the same
""")
torch.manual_seed(123)
x = torch.rand(3, 2)
assert str(x[0]) == "tensor([0.2961, 0.5166])", x[0]
print("- The draws of `torch.manual_seed`, `np.random.seed` and `np.random.default_rng` are the same numbers, in the same order.")
assert str(torch.tensor([0.2, 0.3, 0.5]).sum()) == "tensor(1.)"
print("- `sum`, `mean` and `softmax` of float32 along the last axis have the same last bit.")
a = np.zeros(2, dtype=np.float32)
torch.from_numpy(a)[0] = 5
assert a[0] == 5
print("- `torch.from_numpy(a)`, `torch.as_tensor(a)` and `x.numpy()` share memory, and views do.")
said = refuses(lambda: torch.ones(2, 3) @ torch.ones(2, 3))
print(f"- Errors say the same: `{said}`.")

print("\n## What differs\n")
assert 1 + torch.finfo(torch.float64).eps > 1
assert (torch.ones(1, dtype=torch.float64) + 1e-9).item() == 1.0
print("- Tensors of float64, float16 and bfloat16 keep their name and are computed in float32, which standard error says once.")
print(f"- Whole numbers of tensors go up to 16777215: `{refuses(lambda: torch.tensor(2 ** 24) * 2)}`.")
print(f"- Whole numbers of Python have 64 bits: `2 ** 100` gives `{refuses(lambda: 2 ** 100)}`.")
print(f"- A cell writes no file: `{refuses(lambda: open('out.txt', 'w'))}`.")
print(f"- A cell runs no code from texts: `{refuses(lambda: eval('1'))}`.")
y = torch.ones(2, requires_grad=True).sum()
y.backward()
print(f"- A second `backward()` needs `retain_graph=True` also where PyTorch keeps nothing: `{refuses(y.backward)[:57]}`.")

for title, words in (("Functions of torch", names(torch, False)),
                     ("Methods and properties of tensors", names(torch.Tensor)),
                     ("Modules of torch.nn", names(nn, True)),
                     ("torch.nn.functional", names(F, False)),
                     ("torch.optim", names(optim, True)),
                     ("torch.optim.lr_scheduler", names(optim.lr_scheduler, True)),
                     ("numpy", names(np)),
                     ("numpy.random", names(np.random)),
                     ("numpy.linalg", names(np.linalg))):
    print(f"\n## {title} ({len(words)})\n")
    print(paragraph(words))
