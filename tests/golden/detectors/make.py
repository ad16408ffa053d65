#!/usr/bin/env python3
"""Scores the stored attention patterns of gpt2/tiny_a by every detector, from the published definitions: make.py
(numpy alone).

ARENA, chapter 1.2: current_attn_detector, prev_attn_detector and first_attn_detector are the means of the diagonal,
of the one below it and of the first column; induction_attn_detector in a text of n tokens that is repeated is the
mean of the diagonal 1 - n. TransformerLens, head_detector.py: the patterns of previous tokens, duplicate tokens and
induction, and the measure "mul", the sum of attention * pattern over the sum of attention. Clark and others 2019,
"What does BERT look at?": attention to signs, and the entropy of attention, here over the log of how many keys a query
may see. What has no published mean of a stripe (patterns that tokens make) takes ARENA's over the rows that have a
place. All in float64.
"""
import pathlib
import unicodedata

import numpy

HERE = pathlib.Path(__file__).resolve().parent
MODEL = HERE.parent / "gpt2" / "tiny_a"
CASES = "b1_t10", "b1_t64", "repeat_b1_t12"
PERIOD = 5
STEMS = ("the a cat dog mat sat ran it was on he she they and but if as at by for from had her his in is not of or "
         "straße Éclair ünder naïve αλφα").split()
SIGNS = [",", ".", "!", "?", "--", "...", "\u2014", "\u00bf", "\u201c", "$", "+=", "\u20ac", "\u2026"]


def words_of(vocab):
    """Words as they are, with a capital and all in capitals, and signs among them."""
    words = list(dict.fromkeys(form for stem in STEMS for form in (stem, stem.capitalize(), stem.upper())
                               if form.lower() == stem.lower()))
    for i, sign in enumerate(SIGNS):
        words.insert(7 * i, sign)
    assert len(words) >= vocab, len(words)
    return words[:vocab]


def is_sign(word):
    return all(unicodedata.category(letter)[0] in "PS" for letter in word)


# ---- patterns of 0 and 1, queries x keys ----

def duplicate(tokens):
    return numpy.tril(numpy.equal.outer(tokens, tokens), -1).astype(float)


def induction(tokens):
    shifted = numpy.roll(duplicate(tokens), 1, axis=1)
    shifted[:, 0] = 0
    return numpy.tril(shifted)


def patterns(tokens, words):
    n = len(tokens)
    names = numpy.array([words[token] for token in tokens])
    signs = numpy.array([is_sign(name) for name in names])
    lower = numpy.array([name.lower() for name in names])
    same = numpy.equal.outer(lower, lower) & ~signs[:, None] & ~signs[None, :]
    return {"previous": numpy.eye(n, k=-1), "current": numpy.eye(n), "first": numpy.eye(n)[:1].repeat(n, axis=0),
            "duplicate": duplicate(tokens), "induction": induction(tokens),
            "same word": numpy.tril(same, -1).astype(float),
            "punctuation": numpy.tril(numpy.ones((n, n)), -1) * signs[None, :]}


# ---- scores of attention, layers x heads x queries x keys ----

def diagonal(attention, offset):
    return numpy.diagonal(attention, offset, axis1=-2, axis2=-1).mean(axis=-1)


def stripe(attention, name, pattern):
    if name in ("previous", "current"):
        return diagonal(attention, 0 if name == "current" else -1)
    if name == "first":
        return attention[..., 0].mean(axis=-1)
    rows = pattern.any(axis=1)
    if not rows.any():
        return numpy.full(attention.shape[:2], numpy.nan)
    return (attention * pattern).sum(axis=-1)[..., rows].mean(axis=-1)


def mul(attention, pattern):
    return (attention * pattern).sum(axis=(-2, -1)) / attention.sum(axis=(-2, -1))


def uniform(attention):
    logs = numpy.log(attention, out=numpy.zeros_like(attention), where=attention > 0)
    entropies = -(attention * logs).sum(axis=-1)[..., 1:]
    return (entropies / numpy.log(numpy.arange(2, attention.shape[-1] + 1))).mean(axis=-1)


def save(folder, name, scores):
    numpy.save(folder / f"{name}.npy", scores.astype("<f4"))


def make(case, words):
    folder = HERE / "tiny_a" / case
    folder.mkdir(parents=True, exist_ok=True)
    tokens = numpy.load(MODEL / case / "input_ids.npy")[0]
    attention = numpy.stack([numpy.load(MODEL / case / f"attn_probs_layer{layer}.npy")[0] for layer in range(2)])
    attention = attention.astype(float)
    found = patterns(tokens, words)
    save(folder, "stripe", numpy.stack([*(stripe(attention, name, p) for name, p in found.items()), uniform(attention)]))
    save(folder, "mul", numpy.stack([*(mul(attention, p) for p in found.values()), uniform(attention)]))
    save(folder, f"induction_{PERIOD}", diagonal(attention, 1 - PERIOD))
    (folder / "attrs.txt").write_text(f"period {PERIOD}\n", encoding="utf-8")


def main():
    words = words_of(97)
    (HERE / "words.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    for case in CASES:
        make(case, words)


main()
