#!/usr/bin/python3
"""Makes the golden data of torch/silu, torch/rmsnorm and torch/cross_entropy, and the large cases of torch/gelu and
torch/layernorm, with PyTorch (README.md says which): computed in float64 from float32 inputs, and rounded once.

usage: make_layers.py FOLDER      FOLDER is tests/golden/torch"""
import pathlib
import sys

import numpy
import torch
from torch.nn import functional


def save(folder, arrays, attributes):
    folder.mkdir(parents=True, exist_ok=True)
    for name, array in arrays.items():
        if isinstance(array, torch.Tensor):
            array = array.detach().numpy()
        if array.dtype == numpy.float64:
            array = array.astype(numpy.float32)
        numpy.save(folder / f"{name}.npy", array)
    lines = "".join(f"{name} {value}\n" for name, value in {**attributes, "reference": "f64"}.items())
    (folder / "attrs.txt").write_text(lines)


def drawn(random, *shape):
    return torch.from_numpy(random.standard_normal(shape).astype(numpy.float32))


def wide(x):
    return x.double().requires_grad_()


def activation(folder, x, dy, names):
    """names: of what PyTorch's function gives in the files, "" or "_erf"."""
    arrays = {"x": x, "dY": dy}
    for ending, function in names.items():
        w = wide(x)
        y = function(w)
        y.backward(dy.double())
        arrays |= {f"Y{ending}": y, f"dx{ending}": w.grad}
    save(folder, arrays, {})


def rms_norm(x, weight, eps):
    y = x / torch.sqrt(x.pow(2).mean(-1, keepdim=True) + eps)
    return y if weight is None else y * weight


def norm(folder, x, weight, bias, dy, eps, function):
    inputs = {"x": wide(x)}
    if weight is not None:
        inputs["weight"] = wide(weight)
    if bias is not None:
        inputs["bias"] = wide(bias)
    y = function(inputs)
    y.backward(dy.double())
    arrays = {name: tensor.detach().float() for name, tensor in inputs.items()}
    arrays |= {f"d{name}": tensor.grad for name, tensor in inputs.items()}
    save(folder, {**arrays, "dY": dy, "Y": y}, {"eps": eps, "affine": int(weight is not None)})


def cross_entropy(folder, scores, target, ignored):
    w = wide(scores)
    target = torch.from_numpy(numpy.asarray(target, dtype=numpy.int64))
    y = functional.cross_entropy(w, target, ignore_index=ignored)
    y.backward()
    rows = functional.cross_entropy(w.detach(), target, ignore_index=ignored, reduction="none")
    total = functional.cross_entropy(w.detach(), target, ignore_index=ignored, reduction="sum")
    save(folder, {"input": scores, "target": target, "Y": y, "Y_none": rows, "Y_sum": total, "dinput": w.grad},
         {"ignore_index": ignored})


def main(folder):
    random = numpy.random.default_rng(14)
    large = (43, 389)  # above the rule by size, and no multiple of what the kernels work in
    grid = torch.linspace(-30, 30, 601).reshape(1, -1)
    silu = {"": functional.silu, "_sigmoid": torch.sigmoid}
    activation(folder / "silu" / "grid", grid, drawn(random, 1, 601), silu)
    activation(folder / "silu" / "large", 3 * drawn(random, *large), drawn(random, *large), silu)
    activation(folder / "gelu" / "large", 3 * drawn(random, *large), drawn(random, *large),
               {"_erf": lambda x: functional.gelu(x),
                "_tanh": lambda x: functional.gelu(x, approximate="tanh")})
    weight, bias = drawn(random, large[1]), drawn(random, large[1])
    norm(folder / "layernorm" / "large", 5 + drawn(random, *large), weight, bias, drawn(random, *large), 1e-5,
         lambda i: functional.layer_norm(i["x"], (large[1],), i["weight"], i["bias"], 1e-5))
    for name, shape, eps, affine in [("random", (2, 3, 17), 1e-6, True), ("plain", (4, 9), 1e-5, False),
                                     ("eps", (3, 8), 0.5, True), ("large", large, 1e-6, True)]:
        weight = drawn(random, shape[-1]) if affine else None
        norm(folder / "rmsnorm" / name, 2 * drawn(random, *shape), weight, None, drawn(random, *shape), eps,
             lambda i: rms_norm(i["x"], i.get("weight"), eps))
    for name, shape, ignored, spread in [("random", (7, 11), -100, 2), ("some_left_out", (9, 5), -100, 2),
                                         ("another_index", (8, 6), 2, 2), ("far_apart", (5, 13), -100, 200),
                                         ("axes", (2, 5, 3, 4), -100, 2), ("large", large, 7, 4)]:
        target = random.integers(0, shape[1], (shape[0], *shape[2:]))
        if name == "some_left_out":
            target[[1, 4, 5]] = -100
        cross_entropy(folder / "cross_entropy" / name, spread * drawn(random, *shape), target, ignored)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
