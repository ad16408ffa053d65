#!/usr/bin/env python3
"""Makes the cases of this folder with PyTorch: OMP_NUM_THREADS=1 python3 make.py (Debian's python3-torch).

A matrix, which decays, and a bias, which does not, take some steps with gradients drawn from a seed.
All is computed in float64 from float32 inputs; what comes out is rounded once.
"""
import pathlib

import numpy
import torch

HERE = pathlib.Path(__file__).resolve().parent
STEPS = 12
ADAMW = {"lr": 1e-3, "beta1": 0.9, "beta2": 0.999, "eps": 1e-8, "weight_decay": 0.01}
SGD = {"lr": 0.1, "momentum": 0, "weight_decay": 0}
CASES = {
    "adamw/defaults": ADAMW,
    "adamw/no_decay": ADAMW | {"weight_decay": 0},
    "adamw/training": ADAMW | {"lr": 3e-3, "beta2": 0.95, "weight_decay": 0.1, "clip": 1.0},
    "adamw/large_eps": ADAMW | {"beta1": 0.0, "eps": 0.1},
    "adamw/clipped_hard": ADAMW | {"beta2": 0.98, "clip": 1e-3},
    "sgd/plain": SGD,
    "sgd/momentum": SGD | {"momentum": 0.9},
    "sgd/decay": SGD | {"momentum": 0.8, "weight_decay": 0.05},
    "sgd/clipped": SGD | {"momentum": 0.9, "clip": 0.5},
}


def optimiser_of(name, attrs, matrix, bias):
    groups = [{"params": [matrix], "weight_decay": attrs["weight_decay"]},
              {"params": [bias], "weight_decay": 0}]
    if name.startswith("sgd"):
        return torch.optim.SGD(groups, lr=attrs["lr"], momentum=attrs["momentum"])
    betas = attrs["beta1"], attrs["beta2"]
    return torch.optim.AdamW(groups, lr=attrs["lr"], betas=betas, eps=attrs["eps"])


def save(folder, name, tensor):
    numpy.save(folder / (name + ".npy"), tensor.detach().numpy().astype("<f4"))


def make(name, attrs, seed):
    folder = HERE / name
    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(seed)
    parameters = {"matrix": torch.randn(7, 9), "bias": torch.randn(37)}
    # Sizes from 1e-4 to 10, and exact zeros, as gradients of unused embeddings are.
    gradients = {key: torch.randn(STEPS, *x.shape) * 10 ** (torch.rand(x.shape) * 5 - 4)
                 for key, x in parameters.items()}
    gradients["bias"][:, :3] = 0
    for key in parameters:
        save(folder, key + "_before", parameters[key])
        save(folder, key + "_gradients", gradients[key])
    trained = {key: x.double().requires_grad_() for key, x in parameters.items()}
    optimiser = optimiser_of(name, attrs, trained["matrix"], trained["bias"])
    norms = []
    for step in range(STEPS):
        for key, x in trained.items():
            x.grad = gradients[key][step].double()
        norms.append(torch.nn.utils.clip_grad_norm_(trained.values(), attrs.get("clip", 1e30)))
        optimiser.step()
    save(folder, "norms", torch.stack(norms))
    for key, x in trained.items():
        save(folder, key, x)
        state = optimiser.state[x]
        for ours, theirs in (("first", "exp_avg"), ("second", "exp_avg_sq"), ("first", "momentum_buffer")):
            if state.get(theirs) is not None:
                save(folder, f"{key}_{ours}", state[theirs])
    lines = [f"{key} {value!r}\n" for key, value in attrs.items()] + ["reference f64\n"]
    (folder / "attrs.txt").write_text("".join(lines))


for seed, (name, attrs) in enumerate(CASES.items()):
    make(name, attrs, seed)
