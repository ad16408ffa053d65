#!/usr/bin/env python3
"""GPT-2 by PyTorch, from a folder as Hugging Face's transformers writes it: config.json and
model.safetensors. Knows nothing of attn; needs torch alone.

usage: gpt2.py FOLDER IDS

IDS is a list in JSON. Prints the largest difference of the logits from those in FOLDER/logits.npy, over
the largest of them.

Source: Radford and others 2019; the names of transformers' modeling_gpt2.py.
"""
import json
import math
import struct
import sys
from pathlib import Path

import torch
import torch.nn.functional as F


def read_weights(path):
    data = path.read_bytes()
    size, = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + size])
    weights = {}
    for name, entry in header.items():
        if name == "__metadata__":
            assert entry["format"] == "pt"
            continue
        assert entry["dtype"] == "F32"
        begin, end = entry["data_offsets"]
        numbers = torch.frombuffer(bytearray(data[8 + size + begin:8 + size + end]), dtype=torch.float32)
        weights[name] = numbers.reshape(entry["shape"]).double()
    return weights


def norm(x, weights, name, eps):
    return F.layer_norm(x, x.shape[-1:], weights[name + ".weight"], weights[name + ".bias"], eps)


def product(x, weights, name):
    """Conv1D: the weight is [in, out]."""
    return x @ weights[name + ".weight"] + weights[name + ".bias"]


def attend(x, weights, name, n_heads):
    n, width = x.shape
    q, k, v = (part.view(n, n_heads, -1).transpose(0, 1)
               for part in product(x, weights, name + ".c_attn").split(width, dim=-1))
    scores = q @ k.transpose(-1, -2) / math.sqrt(width // n_heads)
    scores = scores.masked_fill(torch.ones(n, n).triu(1).bool(), -math.inf)
    context = (scores.softmax(dim=-1) @ v).transpose(0, 1).reshape(n, width)
    return product(context, weights, name + ".c_proj")


def gelu_new(x):
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))


def logits(config, weights, ids):
    eps = config["layer_norm_epsilon"]
    assert config["model_type"] == "gpt2" and config["activation_function"] == "gelu_new"
    x = weights["transformer.wte.weight"][ids] + weights["transformer.wpe.weight"][:len(ids)]
    for layer in range(config["n_layer"]):
        name = f"transformer.h.{layer}"
        x = x + attend(norm(x, weights, name + ".ln_1", eps), weights, name + ".attn", config["n_head"])
        if config["n_inner"] != 0:
            hidden = gelu_new(product(norm(x, weights, name + ".ln_2", eps), weights, name + ".mlp.c_fc"))
            x = x + product(hidden, weights, name + ".mlp.c_proj")
    x = norm(x, weights, "transformer.ln_f", eps)
    table = "transformer.wte.weight" if config["tie_word_embeddings"] else "lm_head.weight"
    return x @ weights[table].T


def read_npy(path):
    data = path.read_bytes()
    size, = struct.unpack("<H", data[8:10])
    header = data[10:10 + size].decode()
    assert "'<f4'" in header and "'fortran_order': False" in header
    return torch.frombuffer(bytearray(data[10 + size:]), dtype=torch.float32).double()


def main():
    folder, ids = Path(sys.argv[1]), json.loads(sys.argv[2])
    config = json.loads((folder / "config.json").read_text())
    wanted = logits(config, read_weights(folder / "model.safetensors"), ids).reshape(-1)
    found = read_npy(folder / "logits.npy")
    assert found.shape == wanted.shape, (found.shape, wanted.shape)
    print(float((found - wanted).abs().max() / wanted.abs().max()))


if __name__ == "__main__":
    main()
