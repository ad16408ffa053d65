"""PyTorch: a step of training of GPT-2's family. train_worker.c has the same numbers."""
import math

import torch
import torch.nn.functional as F

import worker


def shapes_of(request):
    """The weights in attn's order, each with whether it is a norm's, which is about 1."""
    width, mlp = request["width"], request.get("mlp", 0)
    for _ in range(request["layers"]):
        yield from (((width,), True), ((width,), False), ((width, 3 * width), False), ((3 * width,), False),
                    ((width, width), False), ((width,), False))
        if mlp:
            yield from (((width,), True), ((width,), False), ((width, mlp), False), ((mlp,), False),
                        ((mlp, width), False), ((width,), False))
    yield from (((request["vocab"], width), False), ((request["positions"], width), False), ((width,), True),
                ((width,), False))
    if not request.get("tied"):
        yield (request["vocab"], width), False


def weights_of(request):
    return [torch.from_numpy(worker.numbers(shape, stream) * 0.02 + is_norm).float().requires_grad_()
            for stream, (shape, is_norm) in enumerate(shapes_of(request), 1)]


def tokens_of(request, first):
    i = torch.arange(request["batch"] * request["n"]) + first
    ids = (i * 7919 + i.div(7, rounding_mode="floor") * 104729 + 12345) % request["vocab"]
    return ids.view(request["batch"], request["n"])


def train_attention(x, heads, hidden, weight, bias, weight_out, bias_out):
    batch, n, width = x.shape
    q, k, v = (part.view(batch, n, heads, width // heads).transpose(1, 2)
               for part in torch.addmm(bias, x.view(-1, width), weight).view(batch, n, -1).split(width, dim=-1))
    scores = (q @ k.transpose(-1, -2) / math.sqrt(width // heads)).masked_fill(hidden, -math.inf)
    context = (scores.softmax(dim=-1) @ v).transpose(1, 2).reshape(-1, width)
    return torch.addmm(bias_out, context, weight_out).view(x.shape)


def train_mlp(x, up, up_bias, down, down_bias):
    hidden = torch.addmm(up_bias, x.view(-1, x.shape[-1]), up)
    return torch.addmm(down_bias, F.gelu(hidden, approximate="tanh"), down).view(x.shape)


def train_loss(request, weights, ids, targets, hidden):
    """GPT-2 as nanoGPT writes it."""
    mlp, width = request.get("mlp", 0), request["width"]
    each, norm = 12 if mlp else 6, lambda x, w, b: F.layer_norm(x, (width,), w, b)
    tokens, positions, last_weight, last_bias = weights[each * request["layers"]:][:4]
    x = F.embedding(ids, tokens) + positions[:request["n"]]
    for layer in range(request["layers"]):
        own = weights[each * layer:each * (layer + 1)]
        x = x + train_attention(norm(x, *own[:2]), request["heads"], hidden, *own[2:6])
        if mlp:
            x = x + train_mlp(norm(x, *own[6:8]), *own[8:])
    logits = norm(x, last_weight, last_bias).view(-1, width) @ (tokens if request.get("tied") else weights[-1]).T
    return F.cross_entropy(logits, targets.view(-1))


def train(request):
    """One step of AdamW with the gradients clipped, at a learning rate of 0: all the work, and one loss."""
    weights = weights_of(request)
    ids, targets = tokens_of(request, 0), tokens_of(request, 1)
    hidden = torch.ones(request["n"], request["n"], dtype=torch.bool).triu(1)
    groups = [{"params": [w for w in weights if w.dim() == 2], "weight_decay": 0.01},
              {"params": [w for w in weights if w.dim() == 1], "weight_decay": 0.0}]
    optimiser = torch.optim.AdamW(groups, lr=0.0, betas=(0.9, 0.98), foreach=True)

    def call():
        optimiser.zero_grad(set_to_none=True)
        loss = train_loss(request, weights, ids, targets, hidden)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimiser.step()
        return loss.detach()
    return call
