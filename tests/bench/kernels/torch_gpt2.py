"""GPT-2 in PyTorch's operations, as transformers has it (modeling_gpt2.py), on the weights of a folder."""
import json
import math
import struct
from pathlib import Path

import numpy
import torch
from torch.nn import functional


def read_safetensors(path):
    """The F32 tensors of a file, by name."""
    raw = numpy.fromfile(path, dtype=numpy.uint8)
    size = struct.unpack("<Q", raw[:8].tobytes())[0]
    for name, entry in json.loads(raw[8:8 + size].tobytes()).items():
        if name != "__metadata__":
            begin, end = (8 + size + offset for offset in entry["data_offsets"])
            numbers = raw[begin:end].view(numpy.float32) if begin % 4 == 0 else numpy.frombuffer(raw[begin:end].tobytes(), numpy.float32)
            yield name.replace("transformer.", ""), torch.from_numpy(numbers.copy().reshape(entry["shape"]))


class Model:
    def __init__(self, folder):
        self.weights = dict(read_safetensors(Path(folder) / "model.safetensors"))
        config = json.loads((Path(folder) / "config.json").read_text(encoding="utf-8"))
        self.n_layers, self.n_heads, self.eps = config["n_layer"], config["n_head"], config["layer_norm_epsilon"]
        self.vocab, self.width = self.weights["wte.weight"].shape

    def some_ids(self, n):
        """Those of model_worker.c."""
        return (7919 * torch.arange(n) + 11) % self.vocab

    def product(self, x, name):
        return torch.addmm(self.weights[name + ".bias"], x, self.weights[name + ".weight"])

    def norm(self, x, name):
        return functional.layer_norm(x, (self.width,), self.weights[name + ".weight"], self.weights[name + ".bias"],
                                     self.eps)

    def heads(self, x):
        return x.view(len(x), self.n_heads, -1).transpose(0, 1)

    def attention(self, x, layer, cache):
        """cache: the keys and values before x, which join it; or None."""
        query, key, value = map(self.heads, self.product(x, f"h.{layer}.attn.c_attn").split(self.width, dim=1))
        if cache is not None:
            key, value = cache.join(layer, key, value)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if len(x) > 1:
            hidden = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
            scores = scores.masked_fill(hidden, -math.inf)
        context = torch.softmax(scores, dim=-1) @ value
        return self.product(context.transpose(0, 1).reshape(len(x), -1), f"h.{layer}.attn.c_proj")

    def mlp(self, x, layer):
        hidden = functional.gelu(self.product(x, f"h.{layer}.mlp.c_fc"), approximate="tanh")
        return self.product(hidden, f"h.{layer}.mlp.c_proj")

    def stream(self, ids, first=0, cache=None):
        x = self.weights["wte.weight"][ids] + self.weights["wpe.weight"][first:first + len(ids)]
        for layer in range(self.n_layers):
            x = x + self.attention(self.norm(x, f"h.{layer}.ln_1"), layer, cache)
            x = x + self.mlp(self.norm(x, f"h.{layer}.ln_2"), layer)
        return x

    def unembedded(self, x):
        return self.norm(x, "ln_f") @ self.weights["wte.weight"].T

    def logits(self, ids):
        return self.unembedded(self.stream(ids))


class Text:
    """Tokens that grow, with the keys and values of what stands there kept."""

    def __init__(self, model, ids):
        self.model, self.waiting, self.length = model, ids, 0
        self.kept = [(torch.empty(0), torch.empty(0))] * model.n_layers

    def join(self, layer, key, value):
        if self.length:
            before = self.kept[layer]
            key, value = torch.cat((before[0], key), dim=1), torch.cat((before[1], value), dim=1)
        self.kept[layer] = key, value
        return key, value

    def next(self):
        x = self.model.stream(self.waiting, self.length, self)
        self.length += len(self.waiting)
        self.waiting = self.model.unembedded(x[-1:]).argmax(dim=-1)
        return self.waiting
