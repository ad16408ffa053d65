#!/usr/bin/env python3
"""Writes mistake_contexts.h: contexts with a known mistake, for test_verify_mistakes.c.

usage: make_mistake_contexts.py > mistake_contexts.h

Everything is worked out here, in double and in plain loops, so that no number comes from attn.
"""
import math

INF = math.inf


def table(seed, n_rows, n_cols):
    """Numbers between -1.5 and 1.5 with two decimals, from a linear congruence."""
    rows = []
    for _ in range(n_rows):
        row = []
        for _ in range(n_cols):
            seed = (seed * 1103515245 + 12345) % 2**31
            row.append(round((seed >> 8) % 301 / 100 - 1.5, 2))
        rows.append(row)
    return rows


def mm(a, b):
    return [[sum(x * y for x, y in zip(row, col)) for col in zip(*b)] for row in a]


def turn(a):
    return [list(col) for col in zip(*a)]


def times(a, factor):
    return [[x * factor for x in row] for row in a]


def soft(a):
    out = []
    for row in a:
        top = max(row)
        if top == -INF:
            out.append([0.0] * len(row))  # as attn: a query that sees nothing
            continue
        powers = [math.exp(x - top) for x in row]
        out.append([p / sum(powers) for p in powers])
    return out


def put(a, sees, hidden=-INF):
    """The scores where query i sees key j, else `hidden`."""
    return [[x if sees(i, j) else hidden for j, x in enumerate(row)] for i, row in enumerate(a)]


def causal(i, j):
    return j <= i


MASK = [[1, 0, 1, 1], [0, 1, 1, 0], [1, 1, 0, 1], [1, 0, 0, 1]]


def seen(i, j):
    return MASK[i][j] == 1


# ---- one head ----

Q, K, V = table(1, 4, 3), table(2, 4, 3), table(3, 4, 3)
D = len(Q[0])
SCALE = 0.4
S = mm(Q, turn(K))
A = times(S, 1 / math.sqrt(D))

CAUSAL, MASKED, SCALED = ", is_causal=True", ", attn_mask=M", ", scale=0.4"

ONE_HEAD = [
    ("the division by sqrt(d_k) is left out", "", mm(soft(S), V)),
    ("scale is left out", SCALED, mm(soft(S), V)),
    ("the scores are divided by sqrt(d_k), where scale asks for another factor", SCALED, mm(soft(A), V)),
    ("a quotient is used in place of a product", SCALED, mm(soft(times(S, 1 / SCALE)), V)),
    ("the division is by d_k, not by its square root", "", mm(soft(times(S, 1 / D)), V)),
    ("a product is used in place of a quotient", "", mm(soft(times(S, math.sqrt(D))), V)),
    ("softmax runs over the columns, not along each row", "", mm(turn(soft(turn(A))), V)),
    ("the mask is left out", CAUSAL, mm(soft(A), V)),
    ("the mask is left out", MASKED, mm(soft(A), V)),
    ("the mask comes after softmax", CAUSAL, mm(put(soft(A), causal, 0), V)),
    ("the mask comes after softmax", MASKED, mm(put(soft(A), seen, 0), V)),
    ("hidden numbers become 0", CAUSAL, mm(soft(put(A, causal, 0)), V)),
    ("hidden numbers become 0", MASKED, mm(soft(put(A, seen, 0)), V)),
    ("a causal mask is applied, though none is asked for", "", mm(soft(put(A, causal)), V)),
    ("a causal mask is applied, though none is asked for", MASKED,
     mm(soft(put(A, lambda i, j: seen(i, j) and j <= i)), V)),
    ("the mask is one place off", CAUSAL, mm(soft(put(A, lambda i, j: j < i)), V)),
    ("the mask is one place off", CAUSAL, mm(soft(put(A, lambda i, j: j <= i + 1)), V)),
    ("the past is hidden, not the future", CAUSAL, mm(soft(put(A, lambda i, j: j >= i)), V)),
    ("the mask is read the wrong way round", MASKED, mm(soft(put(A, lambda i, j: not seen(i, j))), V)),
    ("softmax is left out", "", mm(A, V)),
    ("the weights are turned round", "", mm(turn(soft(A)), V)),
    ("the two factors of the product are exchanged", "", mm(soft(turn(A)), V)),
    ("key is used in place of value", "", mm(soft(A), K)),
    # two together
    ("the division by sqrt(d_k) is left out; and the mask is left out", CAUSAL, mm(soft(S), V)),
    ("the division by sqrt(d_k) is left out; and the mask comes after softmax", CAUSAL,
     mm(put(soft(S), causal, 0), V)),
    ("the division by sqrt(d_k) is left out; and softmax runs over the columns", "",
     mm(turn(soft(turn(S))), V)),
    ("the division is by d_k, not by its square root; and the weights are turned round", "",
     mm(turn(soft(times(S, 1 / D))), V)),
    ("the division by sqrt(d_k) is left out; and the mask is one place off", CAUSAL,
     mm(soft(put(S, lambda i, j: j <= i + 1)), V)),
    ("the mask is read the wrong way round; and key is used in place of value", MASKED,
     mm(soft(put(A, lambda i, j: not seen(i, j))), K)),
]

# ---- a layer ----

X = table(4, 3, 4)
W_Q, W_K, W_V, W_O = table(5, 4, 6), table(6, 4, 6), table(7, 4, 6), table(8, 6, 6)
HEADS, HEAD_DIM = 3, 2


def cut(x):
    """Columns that lie together, for each head."""
    return [[row[h * HEAD_DIM:(h + 1) * HEAD_DIM] for row in x] for h in range(HEADS)]


def cut_flat(x):
    """The numbers as they lie in memory, read as (heads, n, head_dim)."""
    flat = iter(v for row in x for v in row)
    return [[[next(flat) for _ in range(HEAD_DIM)] for _ in x] for _ in range(HEADS)]


def join(heads):
    return [sum((head[i] for head in heads), []) for i in range(len(X))]


def join_flat(heads):
    flat = iter(v for head in heads for row in head for v in row)
    return [[next(flat) for _ in range(HEADS * HEAD_DIM)] for _ in X]


def layer(split=cut, merge=join, scale=1 / math.sqrt(HEAD_DIM), sees=lambda i, j: True):
    parts = [split(mm(X, w)) for w in (W_Q, W_K, W_V)]
    return merge([mm(soft(put(times(mm(q, turn(k)), scale), sees)), v) for q, k, v in zip(*parts)])


LAYER = [
    ("W_o is left out", layer()),
    ("there is one head that takes all columns",
     mm(layer(lambda x: [x], lambda heads: heads[0], 1 / math.sqrt(HEADS * HEAD_DIM)), W_O)),
    ("a causal mask is applied, though none is asked for", mm(layer(sees=causal), W_O)),
    ("the division by sqrt(head_dim) is left out", mm(layer(scale=1), W_O)),
    ("d_model is used in place of head_dim", mm(layer(scale=1 / math.sqrt(HEADS * HEAD_DIM)), W_O)),
    ("the axes are split or joined by reshape alone", mm(layer(cut_flat), W_O)),
    ("the axes are split or joined by reshape alone", mm(layer(merge=join_flat), W_O)),
    # two together
    ("the axes are split or joined by reshape alone", mm(layer(cut_flat, join_flat), W_O)),
    ("the division by sqrt(head_dim) is left out; and W_o is left out", layer(scale=1)),
]


def text(rows):
    return "[" + ", ".join("[" + ", ".join(f"{x:.9g}" for x in row) + "]" for row in rows) + "]"


def string(words):
    return '"' + words + '"'


def main():
    print("/* Contexts with a known mistake. Written by make_mistake_contexts.py. */")
    print("/* clang-format off */")
    names = {"Q": Q, "K": K, "V": V, "M": MASK, "X": X, "W_q": W_Q, "W_k": W_K, "W_v": W_V, "W_o": W_O}
    print("static const char mistake_inputs[] =")
    for name, rows in names.items():
        print("    " + string(f"{name} = {text(rows)}{'.bool()' if name == 'M' else ''}\\n"))
    print("    ;\n\nstatic const struct {\n    const char *says, *check, *more, *context;\n} mistakes[] = {")
    for says, more, context in ONE_HEAD:
        print(f"    {{{string(says)}, \"attention Q, K, V\", {string(more)},\n     {string(text(context))}}},")
    for says, context in LAYER:
        print(f"    {{{string(says)}, \"multihead X, W_q, W_k, W_v, W_o, 3, False\", \"\",\n     "
              f"{string(text(context))}}},")
    print("};\n\n/* Nothing is wrong. */\nstatic const struct {\n    const char *check, *more, *context;\n} right[] = {")
    for more, context in (("", mm(soft(A), V)), (CAUSAL, mm(soft(put(A, causal)), V)),
                          (MASKED, mm(soft(put(A, seen)), V)), (SCALED, mm(soft(times(S, SCALE)), V))):
        print(f"    {{\"attention Q, K, V\", {string(more)},\n     {string(text(context))}}},")
    print(f"    {{\"multihead X, W_q, W_k, W_v, W_o, 3, False\", \"\",\n     {string(text(mm(layer(), W_O)))}}},")
    print("};")


main()
