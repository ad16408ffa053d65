"""PyTorch: attention, its gradients by autograd, and GPT-2."""
import functools
import math
import os

import torch

import torch_gpt2
import torch_train
import worker

torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
FUSED = getattr(torch.nn.functional, "scaled_dot_product_attention", None)
NATIVE = getattr(torch.nn.functional, "_scaled_dot_product_attention", None)  # its name in 1.13


def attend(query, key, value, causal):
    if FUSED:
        return FUSED(query, key, value, is_causal=causal)
    if NATIVE:
        return NATIVE(query, key, value, None, 0.0, False, causal)[0]
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if causal:
        hidden = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
        scores = scores.masked_fill(hidden, -math.inf)
    return torch.softmax(scores, dim=-1) @ value


def tensors(request):
    heads, dim = request["heads"], request["d"]
    for stream, length in enumerate((request["q"], request["k"], request["k"], request["q"]), 1):
        yield torch.from_numpy(worker.numbers((1, heads, length, dim), stream))


def forward(request):
    query, key, value, _ = tensors(request)
    causal = bool(request.get("causal"))

    def call():
        with torch.inference_mode():
            return attend(query, key, value, causal)
    return call


def backward(request):
    """The gradients alone: the forward pass was made before, and its weights are kept."""
    *inputs, d_context = tensors(request)
    for tensor in inputs:
        tensor.requires_grad_()
    context = attend(*inputs, bool(request.get("causal")))

    def call():
        return torch.autograd.grad(context, inputs, d_context, retain_graph=True)[1]
    return call


@functools.lru_cache
def model():
    return torch_gpt2.Model(os.environ["ATTN_BENCH_MODEL"])


def model_forward(request):
    gpt2 = model()
    ids = gpt2.some_ids(request["tokens"])

    def call():
        with torch.inference_mode():
            return gpt2.logits(ids)
    return call


def model_next(request):
    """The likeliest next token of a text that grows. It begins anew where it is full."""
    gpt2 = model()
    text = None

    def call():
        nonlocal text
        if text is None or text.length == request["tokens"] + request["more"]:
            text = torch_gpt2.Text(gpt2, gpt2.some_ids(request["tokens"]))
        with torch.inference_mode():
            return text.next()
    call()
    return call


worker.run({"forward": forward, "backward": backward, "model_forward": model_forward, "model_next": model_next,
            "train": torch_train.train})
