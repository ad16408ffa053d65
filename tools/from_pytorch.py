"""Prints docs/from-pytorch.md: attn run tools/from_pytorch.py > docs/from-pytorch.md

attn runs this cell, so that the names are those of the tables that it reads. A unit test compares the
page with what this prints, and runs every line of it: the example of each row, whose last statement
is printed, and each name. tools/notebook_goldens.py page runs what is the same in PyTorch itself.
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


def refuses(of, name):
    """Whether a function is there to say that attn does not have it."""
    function = getattr(of, name)
    if isinstance(function, type) or not callable(function):
        return False
    try:
        function()
    except NotImplementedError:
        return True
    except Exception:
        return False
    return False


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


def written(rows):
    return "\n".join([f"- {sentence}: `{code}` gives `{said}`." for sentence, code, said in rows])


SAME = (
    ("The draws of PyTorch", "torch.manual_seed(123); torch.rand(2)", "tensor([0.2961, 0.5166])"),
    ("The legacy draws of numpy", "np.random.seed(0); np.random.randn(2)", "[1.76405235 0.40015721]"),
    ("Those of numpy's generators", "np.random.default_rng(0).random(2)", "[0.63696169 0.26978671]"),
    ("Those of Python", "import random; random.seed(1); random.random()", "0.13436424411240122"),
    ("The last bit of `sum`, `mean` and `softmax` of float32 along the last axis",
     "torch.tensor([0.2, 0.3, 0.5]).sum()", "tensor(1.)"),
    ("Memory that tensors and arrays share", "a = np.zeros(2); torch.from_numpy(a)[0] = 5; a", "[5. 0.]"),
    ("The same the other way round", "x = torch.zeros(2); x.numpy()[0] = 5; x", "tensor([5., 0.])"),
    ("Memory that views share", "x = torch.zeros(2, 2); x[0] += 1; x.sum()", "tensor(2.)"),
    ("Scalars of numpy beside tensors", "torch.ones(2) / np.sqrt(4)", "tensor([0.5000, 0.5000])"),
    ("Slices of complex tensors", "torch.polar(torch.ones(2), torch.tensor([0., 1.]))[1:]",
     "tensor([0.5403+0.8415j])"),
    ("Floats beyond int64 that a clamp hides", "torch.zeros(1).log().long().clamp(min=-7)", "tensor([-7])"),
    ("Signs of eigenvectors", "np.linalg.eigh(np.array([[2., 1.], [1., 2.]]))[1][0]", "[-0.70710678  0.70710678]"),
    ("Arrays of texts", "np.array(['query', 'key']) == 'key'", "[False  True]"),
    ("Errors", "torch.ones(2, 3) @ torch.ones(2, 3)",
     "RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)"),
)
OTHER = (
    ("Tensors of float64, float16 and bfloat16 keep their name and are computed in float32, which standard error says "
     "once", "(torch.ones(1, dtype=torch.float64) + 1e-9).item()", "1.0"),
    ("Whole numbers of tensors go up to 16777215", "torch.tensor(2 ** 24) * 2",
     "OverflowError: attn keeps whole numbers of tensors up to 16777215 (and int64 from -16777216 to 16777216); compute "
     "with .float() instead"),
    ("Whole numbers of Python have 64 bits", "2 ** 100",
     "OverflowError: whole numbers have 64 bits in attn; compute with float(...) instead"),
    ("A cell writes no file", "open('out.txt', 'w')",
     "PermissionError: open('out.txt', 'w'): a cell writes no file in attn; print the text, or keep it in a name"),
    ("A cell runs no code from texts", "eval('1')",
     "PermissionError: eval() is not here: a cell runs no code from texts"),
    ("A result of `as_strided` is a copy", "x = torch.zeros(2); x.as_strided((1,), (1,))[0] = 1; x",
     "tensor([0., 0.])"),
    ("A pair of singular vectors may have the other sign", "np.linalg.svd(np.ones((2, 2)))[0][:, 0]",
     "[0.70710678 0.70710678]"),
    ("No gradient flows through a decomposition", "torch.linalg.qr(torch.ones(2, 2, requires_grad=True))",
     "NotImplementedError: no gradient flows through torch.linalg.qr() in attn; write x.detach()"),
    ("Eigenvalues of `np.linalg.eig` are real", "np.linalg.eigvals(np.array([[0., 1.], [-1., 0.]]))",
     "NotImplementedError: attn finds real eigenvalues alone, and this matrix has complex ones"),
    ("`torch.jit.script` and `torch.compile` change nothing", "torch.jit.script(len) is len", "True"),
)

print("""# From PyTorch

`attn run FILE.py` and `attn run FILE.ipynb` run PyTorch and numpy as courses write them. This page is made by attn itself
(`tools/from_pytorch.py`): the names are those that it has, and a test runs each example and looks up each name.
The comparison is with PyTorch 1.13 with AVX2 and one thread, and numpy 1.24.

## What is the same
""")
print(written(SAME))
print("\n## What differs\n")
print(written(OTHER))
refused = []
for title, path, of, wants in (("Functions of torch", "torch", torch, False),
                               ("Methods and properties of tensors", "torch.Tensor", torch.Tensor, None),
                               ("Modules of torch.nn", "torch.nn", nn, True),
                               ("torch.nn.functional", "torch.nn.functional", F, False),
                               ("torch.optim", "torch.optim", optim, True),
                               ("torch.optim.lr_scheduler", "torch.optim.lr_scheduler", optim.lr_scheduler, True),
                               ("torch.linalg", "torch.linalg", torch.linalg, False),
                               ("numpy", "numpy", np, None),
                               ("numpy.random", "numpy.random", np.random, None),
                               ("numpy.linalg", "numpy.linalg", np.linalg, None)):
    words = [word for word in names(of, wants) if not refuses(of, word)]
    refused += [f"{path}.{word}" for word in names(of, wants) if word not in words]
    print(f"\n## {title} ({len(words)})\n")
    print(paragraph(words))
print(f"\n## Known by name, and refused with a word on what to write ({len(refused)})\n")
print(paragraph(refused))
