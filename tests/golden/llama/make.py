#!/usr/bin/env python3
"""Makes the models of Llama's architecture whose files say more than those of PyTorch beside them: make.py (numpy
alone).

llama_bias_llama3: biases of attention and of the MLP, Llama 3.1's stretched rotary positions, a head_dim of its own,
one key head for three query heads. llama_linear: positions divided by a factor, with the keys of newer files, where
rope_theta stands in rope_parameters. The formulas are those of transformers, modeling_llama.py and
modeling_rope_utils.py, in float64 on weights of float32.
"""
import json
import pathlib
import struct

import numpy

HERE = pathlib.Path(__file__).resolve().parent
BASE = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_act": "silu", "hidden_size": 12,
        "intermediate_size": 17, "num_hidden_layers": 2, "num_attention_heads": 3, "num_key_value_heads": 1,
        "max_position_embeddings": 128, "rms_norm_eps": 1e-5, "tie_word_embeddings": False, "vocab_size": 29}
MODELS = {
    "llama_bias_llama3": {**BASE, "head_dim": 8, "attention_bias": True, "mlp_bias": True, "rope_theta": 500.0,
                          "rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0,
                                           "high_freq_factor": 4.0, "original_max_position_embeddings": 32}},
    "llama_linear": {**BASE, "num_key_value_heads": 3, "rope_parameters":
                     {"rope_type": "linear", "rope_theta": 300.0, "factor": 3.0}},
}
BATCH, LENGTH = 2, 40


# ---- weights and files ----

def shapes(config):
    d, hidden, vocab = config["hidden_size"], config["intermediate_size"], config["vocab_size"]
    head_dim = config.get("head_dim", d // config["num_attention_heads"])
    queries, keys = config["num_attention_heads"] * head_dim, config["num_key_value_heads"] * head_dim
    yield "model.embed_tokens.weight", (vocab, d)
    for layer in range(config["num_hidden_layers"]):
        at = f"model.layers.{layer}."
        yield at + "input_layernorm.weight", (d,)
        yield at + "post_attention_layernorm.weight", (d,)
        for name, out, width in (("q", queries, d), ("k", keys, d), ("v", keys, d), ("o", d, queries)):
            yield f"{at}self_attn.{name}_proj.weight", (out, width)
            if config.get("attention_bias"):
                yield f"{at}self_attn.{name}_proj.bias", (out,)
        for name, out, width in (("gate", hidden, d), ("up", hidden, d), ("down", d, hidden)):
            yield f"{at}mlp.{name}_proj.weight", (out, width)
            if config.get("mlp_bias"):
                yield f"{at}mlp.{name}_proj.bias", (out,)
    yield "model.norm.weight", (d,)
    yield "lm_head.weight", (vocab, d)


def draw(config, random):
    return {name: (("norm" in name) + random.normal(0, .4, shape)).astype("<f4") for name, shape in shapes(config)}


def write_safetensors(path, weights):
    header, at = {"__metadata__": {"format": "pt"}}, 0
    for name, x in weights.items():
        header[name] = {"dtype": "F32", "shape": list(x.shape), "data_offsets": [at, at + x.nbytes]}
        at += x.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(x.tobytes() for x in weights.values()))


# ---- what they compute ----

def angles(config, head_dim):
    """Of each pair of numbers, between two positions that are neighbours."""
    rope = config.get("rope_parameters") or config["rope_scaling"]
    theta = rope.get("rope_theta", config.get("rope_theta"))
    step = theta ** (-numpy.arange(0, head_dim, 2) / head_dim)
    if rope["rope_type"] == "linear":
        return step / rope["factor"]
    low, high, before = rope["low_freq_factor"], rope["high_freq_factor"], rope["original_max_position_embeddings"]
    wavelength = 2 * numpy.pi / step
    smooth = (before / wavelength - low) / (high - low)
    between = (1 - smooth) * step / rope["factor"] + smooth * step
    return numpy.where(wavelength > before / low, step / rope["factor"],
                       numpy.where(wavelength < before / high, step, between))


def rms_norm(x, weight, eps):
    return weight * x / numpy.sqrt((x * x).mean(-1, keepdims=True) + eps)


def run(config, weights, ids):
    w = {name: x.astype(numpy.float64) for name, x in weights.items()}
    heads, keys, eps = config["num_attention_heads"], config["num_key_value_heads"], config["rms_norm_eps"]
    head_dim = config.get("head_dim", config["hidden_size"] // heads)
    turn = numpy.outer(numpy.arange(ids.shape[1]), angles(config, head_dim))
    cos, sin = numpy.cos(turn), numpy.sin(turn)
    hidden = numpy.triu(numpy.ones((ids.shape[1],) * 2, bool), 1)

    def linear(x, name):
        return x @ w[name + ".weight"].T + w.get(name + ".bias", 0)

    def split(x, n):
        return x.reshape(*x.shape[:2], n, head_dim).swapaxes(1, 2)

    def turned(x):
        left, right = x[..., :head_dim // 2], x[..., head_dim // 2:]
        return numpy.concatenate([left * cos - right * sin, right * cos + left * sin], -1)

    x = w["model.embed_tokens.weight"][ids]
    stages = {"embed": x}
    for layer in range(config["num_hidden_layers"]):
        at = f"model.layers.{layer}."
        normed = rms_norm(x, w[at + "input_layernorm.weight"], eps)
        query, key, value = (split(linear(normed, f"{at}self_attn.{name}_proj"), n)
                             for name, n in (("q", heads), ("k", keys), ("v", keys)))
        query, key = turned(query), turned(key)
        key, value = key.repeat(heads // keys, 1), value.repeat(heads // keys, 1)
        scores = query @ key.swapaxes(2, 3) / numpy.sqrt(head_dim)
        scores[..., hidden] = -numpy.inf
        probs = numpy.exp(scores - scores.max(-1, keepdims=True))
        probs /= probs.sum(-1, keepdims=True)
        context = (probs @ value).swapaxes(1, 2).reshape(*ids.shape, heads * head_dim)
        x = x + linear(context, at + "self_attn.o_proj")
        normed = rms_norm(x, w[at + "post_attention_layernorm.weight"], eps)
        gate = linear(normed, at + "mlp.gate_proj")
        x = x + linear(gate / (1 + numpy.exp(-gate)) * linear(normed, at + "mlp.up_proj"), at + "mlp.down_proj")
        stages.update({f"attn_probs_layer{layer}": probs, f"block{layer}_out": x})
        if layer == 0:
            stages["q_rotated_layer0"] = query
    x = stages["norm_out"] = rms_norm(x, w["model.norm.weight"], eps)
    return {**stages, "logits": linear(x, "lm_head")}


def main():
    for seed, (name, config) in enumerate(MODELS.items()):
        random = numpy.random.default_rng(seed)
        case = HERE / name / f"b{BATCH}_t{LENGTH}"
        case.mkdir(parents=True, exist_ok=True)
        weights = draw(config, random)
        ids = random.integers(0, config["vocab_size"], (BATCH, LENGTH))
        (HERE / name / "config.json").write_text(json.dumps(config, indent=2) + "\n")
        write_safetensors(HERE / name / "model.safetensors", weights)
        (case / "attrs.txt").write_text(f"batch {BATCH}\nseq {LENGTH}\nreference f64\n")
        numpy.save(case / "input_ids.npy", ids)
        for stage, x in run(config, weights, ids).items():
            numpy.save(case / f"{stage}.npy", x.astype("<f4"))


if __name__ == "__main__":
    main()
