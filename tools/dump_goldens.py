#!/usr/bin/env python3
"""Writes tests/golden/dumps/: arrays as programs with one planted mistake write them, made by PyTorch.

Each dump is a small .npz (compressed) or .safetensors; expected.tsv says its exit code and words of the
verdict. Run it with PyTorch 1.13: python3 tools/dump_goldens.py
"""
import json
import struct
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

FOLDER = Path(__file__).resolve().parent.parent / "tests/golden/dumps"
NEVER = float("-inf")
rows = []


def numbers(x):
    return x.detach().numpy() if hasattr(x, "detach") else np.asarray(x)


def dump(name, code, words, **arrays):
    """code: attn's exit code; words: of the first line that it prints."""
    np.savez_compressed(FOLDER / f"{name}.npz", **{k: numbers(x) for k, x in arrays.items()})
    rows.append((f"{name}.npz", code, words))


def future(n):
    return torch.triu(torch.ones(n, n), 1).bool()


def softmax(scores):
    return torch.softmax(scores, -1)


def attention():
    q, k, v = torch.randn(2, 3, 5, 4), torch.randn(2, 3, 5, 4), torch.randn(2, 3, 5, 6)
    scores = q @ k.transpose(-2, -1)
    scaled = scores / 2
    given = dict(q=q, k=k, v=v)

    def write(name, code, words, weights, **more):
        dump(name, code, words, **given, **more, weights=weights, context=weights @ v)

    right = softmax(scaled)
    causal = softmax(scaled.masked_fill(future(5), NEVER))
    mask = ~future(5)
    write("attention_right", 0, "right", right, scores=scores)
    write("attention_causal", 0, "right", causal)
    write("attention_mask", 0, "right", causal, mask=mask)
    write("attention_mask_true_hides", 0, "right", causal, mask=~mask)
    write("attention_mask_added", 0, "right", causal, mask=torch.zeros(5, 5).masked_fill(future(5), NEVER))
    write("attention_no_scale", 1, "sqrt(d_k) is left out", softmax(scores))
    write("attention_over_d", 1, "square root", softmax(scores / 4))
    write("attention_dim", 1, "softmax runs over the columns", torch.softmax(scaled, -2))
    write("attention_mask_is_zero", 1, "hidden numbers become 0", softmax(scaled * mask), mask=mask)
    write("attention_mask_after", 1, "after softmax", softmax(scaled) * mask, mask=mask)
    write("attention_mask_off_by_one", 1, "one place off",
          softmax(scaled.masked_fill(torch.triu(torch.ones(5, 5), 2).bool(), NEVER)))
    dump("attention_only_context", 1, "sqrt(d_k) is left out", **given, out=softmax(scores) @ v)
    dump("attention_unnamed", 0, "right", arr_0=v, arr_1=q, arr_2=k, arr_3=right, arr_4=right @ v)
    dump("attention_factor", 1, "context is the first", **given, context=1.37 * (right @ v))
    odd = (right @ v).clone()
    odd[:, 1] *= 1.7
    dump("attention_one_head", 1, "context is the first", **given, weights=right, context=odd)
    dump("attention_heads_moved", 1, "weights is the first", **given, weights=right[:, [1, 0, 2]])
    half = {name: x.half() for name, x in given.items()}
    exact = {name: x.float() for name, x in half.items()}
    dump("attention_half", 0, "right", **half,
         context=(softmax(exact["q"] @ exact["k"].transpose(-2, -1) / 2) @ exact["v"]).half())
    dump("attention_fortran", 0, "right", q=np.asfortranarray(q[0, 0].numpy()), k=k[0, 0].double(), v=v[0, 0],
         context=right[0, 0] @ v[0, 0])


def multihead():
    layer = torch.nn.MultiheadAttention(16, 4, batch_first=True)
    x = torch.randn(2, 5, 16)
    out, weights = layer(x, x, x, average_attn_weights=False)
    state = dict(layer.named_parameters())
    dump("multihead_torch", 0, "right", x=x, **state, weights=weights, out=out, n_heads=4)
    dump("multihead_mean_weights", 0, "right", x=x, **state, weights=weights.mean(1), out=out, n_heads=4)
    wq, wk, wv = layer.in_proj_weight.chunk(3)
    wo = layer.out_proj.weight

    def split(y):
        return y.view(2, 5, 4, 4).transpose(1, 2)

    def compute(scale=2.0, join=True, hidden=None):
        scores = split(x @ wq.T) @ split(x @ wk.T).transpose(-2, -1) / scale
        w = softmax(scores if hidden is None else scores.masked_fill(hidden, NEVER))
        mixed = w @ split(x @ wv.T)
        return w, (mixed.transpose(1, 2) if join else mixed).reshape(2, 5, 16) @ wo.T

    given = {"x": x, "q_proj.weight": wq, "k_proj.weight": wk, "v_proj.weight": wv, "out_proj.weight": wo}
    turned = {"x": x, "w_q": wq.T, "w_k": wk.T, "w_v": wv.T, "w_o": wo.T}
    w, out = compute()
    dump("multihead_right", 0, "right", **given, weights=w, out=out)
    dump("multihead_in_out", 0, "right", **turned, weights=w, out=out)
    dump("multihead_only_out", 0, "right", **given, out=compute(hidden=future(5))[1])
    w, out = compute(scale=4.0)
    dump("multihead_d_model", 1, "weights is the first", **given, weights=w, out=out, n_heads=4)
    dump("multihead_not_joined", 1, "by reshape alone", **given, out=compute(join=False)[1], n_heads=4)
    dump("multihead_other_matrix", 1, "w_k is used in place of w_q", **turned, q=x @ wk.T, k=x @ wk.T)


def grouped():
    x = torch.randn(2, 6, 24)
    wq, wk, wv, wo = (torch.randn(n, 24) / 5 for n in (24, 8, 8, 24))
    given = {"hidden_states": x, "q_proj.weight": wq, "k_proj.weight": wk, "v_proj.weight": wv, "o_proj.weight": wo}

    def compute(repeat):
        q = (x @ wq.T).view(2, 6, 6, 4).transpose(1, 2)
        k = repeat((x @ wk.T).view(2, 6, 2, 4).transpose(1, 2))
        v = repeat((x @ wv.T).view(2, 6, 2, 4).transpose(1, 2))
        w = softmax((q @ k.transpose(-2, -1) / 2).masked_fill(future(6), NEVER))
        return dict(attn_weights=w, attn_output=(w @ v).transpose(1, 2).reshape(2, 6, 24) @ wo.T, num_heads=6)

    dump("grouped_right", 0, "right", **given, **compute(lambda y: y.repeat_interleave(3, 1)))
    dump("grouped_repeat", 1, "as a block", **given, **compute(lambda y: y.repeat(1, 3, 1, 1)))


def llama(sign=1):
    x = torch.randn(2, 7, 32)
    wq, wk, wv = (torch.randn(n, 32) / 6 for n in (32, 16, 16))
    angles = torch.arange(7)[:, None] * 500000 ** (-torch.arange(0, 8, 2) / 8.0)
    cos, sin = angles.cos(), sign * angles.sin()

    def turn(y):
        a, b = y[..., :4], y[..., 4:]
        return torch.cat([a * cos - b * sin, a * sin + b * cos], -1)

    q = (x @ wq.T).view(2, 7, 4, 8).transpose(1, 2)
    k = (x @ wk.T).view(2, 7, 2, 8).transpose(1, 2).repeat_interleave(2, 1)
    v = (x @ wv.T).view(2, 7, 2, 8).transpose(1, 2).repeat_interleave(2, 1)
    w = softmax((turn(q) @ turn(k).transpose(-2, -1) / 8**0.5).masked_fill(future(7), NEVER))
    dump("llama_right" if sign > 0 else "llama_turned_back", int(sign < 0),
         "right" if sign > 0 else "the other way round",
         hidden_states=x, **{"q_proj.weight": wq, "k_proj.weight": wk, "v_proj.weight": wv}, rope_theta=500000.0,
         num_heads=4, **({} if sign > 0 else {"q_rot": turn(q)}), attn_weights=w,
         context=(w @ v).transpose(1, 2).reshape(2, 7, 32))


def gpt2():
    arrays = {}
    for layer in range(3):
        x = torch.randn(1, 7, 16)
        qkv, out = torch.randn(16, 48) / 4, torch.randn(16, 16) / 4
        qkv_bias, out_bias = torch.randn(48) / 4, torch.randn(16)
        q, k, v = (y.view(1, 7, 4, 4).transpose(1, 2) for y in (x @ qkv + qkv_bias).split(16, -1))
        w = softmax((q @ k.transpose(-2, -1) / 2).masked_fill(future(7), NEVER))
        y = (w @ v).transpose(1, 2).reshape(1, 7, 16) @ out + (0 if layer == 1 else out_bias)
        parts = {"c_attn.weight": qkv, "c_attn.bias": qkv_bias, "c_proj.weight": out, "c_proj.bias": out_bias}
        parts.update(x=x, weights=w, out=y)
        arrays.update({f"h.{layer}.attn.{name}": part for name, part in parts.items()})
    dump("gpt2_layers", 1, "of 3 layers 2 are right, 1 differ", **arrays)
    arrays = {}
    for layer in range(3):
        q, k, v = torch.randn(3, 5, 4), torch.randn(3, 5, 4), torch.randn(3, 5, 4)
        scores = q @ k.transpose(-2, -1) / 2
        w = softmax(scores if layer == 1 else scores.masked_fill(future(5), NEVER))
        arrays.update({f"layers.{layer}.{name}": x for name, x in dict(q=q, k=k, v=v, weights=w, context=w @ v).items()})
    dump("layers_not_causal", 1, "of 3 layers 3 are right", **arrays)


def cache():
    past_k, past_v = torch.randn(2, 4, 9, 8), torch.randn(2, 4, 9, 8)
    q, k, v = (torch.randn(2, 4, 1, 8) for _ in range(3))
    given = dict(q=q, k_cache=past_k, v_cache=past_v, k=k, v=v)

    def compute(keys, values):
        return softmax(q @ keys.transpose(-2, -1) / 8**0.5) @ values

    dump("cache_right", 0, "right", **given, out=compute(torch.cat([past_k, k], 2), torch.cat([past_v, v], 2)))
    dump("cache_without_new", 1, "new key and value are left out", **given, out=compute(past_k, past_v))


def losses():
    logits, targets = torch.randn(2, 6, 11), torch.randint(0, 11, (2, 6))
    given = dict(logits=logits, targets=targets)
    flat, classes = logits.view(-1, 11), targets.view(-1)
    dump("loss_right", 0, "right", **given, loss=F.cross_entropy(flat, classes))
    dump("loss_softmax_twice", 1, "softmax is applied twice", **given,
         loss=F.cross_entropy(torch.softmax(flat, -1), classes))
    dump("loss_shifted", 1, "shifted", **given,
         loss=F.cross_entropy(logits[:, :-1].reshape(-1, 11), targets[:, 1:].reshape(-1)))
    dump("loss_sum", 1, "added up", **given, loss=F.cross_entropy(flat, classes, reduction="sum"))
    some = classes.clone()
    some[[3, 7]] = -100
    dump("loss_ignored", 0, "right", logits=flat, labels=some, loss=F.cross_entropy(flat, some))
    labels = targets.clone()
    labels[0, 4:] = -100
    dump("loss_shifted_labels", 0, "right", logits=logits, labels=labels,
         loss=F.cross_entropy(logits[:, :-1].reshape(-1, 11), labels[:, 1:].reshape(-1)))
    rows_of = [F.cross_entropy(logits[i], labels[i]) for i in range(2)]
    dump("loss_mean_of_means", 1, "mean of the means", logits=logits, labels=labels, loss=sum(rows_of) / 2)
    dump("loss_mean_of_all", 1, "counts the ignored positions", logits=flat, labels=some,
         loss=F.cross_entropy(flat, some, reduction="sum") / 12)


def norms():
    x, weight, bias = torch.randn(2, 5, 16), torch.randn(16), torch.randn(16)
    given = dict(x=x, weight=weight, bias=bias)
    centred = x - x.mean(-1, keepdim=True)
    dump("norm_right", 0, "right", **given, out=F.layer_norm(x, (16,), weight, bias))
    dump("norm_unbiased", 1, "divided by d - 1", **given,
         out=centred / (x.var(-1, keepdim=True) + 1e-5).sqrt() * weight + bias)
    dump("norm_over_positions", 1, "over the positions", x=x, out=F.layer_norm(x.transpose(1, 2), (5,)).transpose(1, 2))
    dump("norm_rms_right", 0, "right", x=x, weight=weight,
         out=x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * weight)


def ropes():
    x = torch.randn(2, 4, 6, 8)
    angles = torch.arange(6)[:, None] * 10000 ** (-torch.arange(0, 8, 2) / 8.0)
    cos, sin = angles.cos(), angles.sin()
    halves, pairs = (x[..., :4], x[..., 4:]), (x[..., ::2], x[..., 1::2])

    def turn(a, b):
        return a * cos - b * sin, a * sin + b * cos

    dump("rope_halves", 0, "right", x=x, out=torch.cat(turn(*halves), -1))
    dump("rope_pairs", 0, "right", x=x, out=torch.stack(turn(*pairs), -1).flatten(-2))
    dump("rope_mixed", 1, "written as two halves", x=x, out=torch.cat(turn(*pairs), -1))


def steps():
    p = torch.randn(4, 3, requires_grad=True)
    before = p.detach().clone()
    optimizer = torch.optim.AdamW([p], lr=0.01)
    (p**3).sum().backward()
    grad = p.grad.clone()
    optimizer.step()
    given = dict(p=before, grad=grad)
    dump("adamw_right", 0, "right", **given, lr=0.01, weight_decay=0.01, p_new=p)
    state = optimizer.state[p]
    dump("adamw_state_after", 0, "right", w_before=before, g=grad, w_after=p, m=state["exp_avg"], v=state["exp_avg_sq"],
         t=1, lr=0.01, weight_decay=0.01, beta1=0.9, beta2=0.999, eps=1e-8)
    dump("adam_uncorrected", 1, "both bias corrections", **given, lr=0.01,
         p_new=before - 0.01 * 0.1 * grad / ((0.001 * grad**2).sqrt() + 1e-8))
    dump("sgd_right", 0, "right", **given, lr=0.1, p_new=before - 0.1 * grad)
    dump("sgd_up", 1, "goes up the gradient", **given, lr=0.1, p_new=before + 0.1 * grad)


def safetensors(name, code, words, **arrays):
    """The format by hand: a header in JSON, and the numbers."""
    header, data = {}, b""
    for key, x in arrays.items():
        part = numbers(x).astype("<f4").tobytes()
        header[key] = {"dtype": "F32", "shape": list(x.shape), "data_offsets": [len(data), len(data) + len(part)]}
        data += part
    text = json.dumps(header).encode()
    (FOLDER / f"{name}.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data)
    rows.append((f"{name}.safetensors", code, words))


def others():
    q, k, v = torch.randn(5, 8), torch.randn(7, 8), torch.randn(7, 6)
    safetensors("attention_tensors", 1, "sqrt(d_k) is left out", query=q, key=k, value=v, context=softmax(q @ k.T) @ v)
    weights = softmax(q @ k.T / 8**0.5)
    dump("attention_and_a_text", 0, "right", q=q, k=k, v=v, weights=weights, who=np.array("me"), seed=np.array(2**40 + 1))
    dump("nothing", 3, "could not be judged", a=torch.randn(3, 3))


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    for make in (attention, multihead, grouped, llama, lambda: llama(-1), gpt2, cache, losses, norms, ropes, steps, others):
        torch.manual_seed(0)
        make()
    lines = ["# file, exit code, words of the first line; tools/dump_goldens.py wrote them with PyTorch "
             f"{torch.__version__.split('+')[0]}"]
    lines += ["\t".join(map(str, row)) for row in sorted(rows)]
    (FOLDER / "expected.tsv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
