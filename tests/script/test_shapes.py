#!/usr/bin/env python3
"""What attn says of errors by shapes, after Python's own: the line, the axes with their names, and a
change. Each offered change is put into the file, which must then run.

usage: test_shapes.py PROGRAM [TEST...]
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else None
HEAD = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"

ATTENTION = HEAD + """class Attention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.head_dim = d_model // n_heads
        self.q = nn.Linear(d_model, d_model)
        self.k = nn.Linear(d_model, d_model)
        self.v = nn.Linear(d_model, d_model)
        self.out = nn.Linear(d_model, d_model)

    def forward(self, x):
        b, t, c = x.shape
        q = self.q(x).view(b, t, self.n_heads, self.head_dim).transpose(1, 2)
        k = self.k(x).view(b, t, self.n_heads, self.head_dim).transpose(1, 2)
        v = self.v(x).view(b, t, self.n_heads, self.head_dim).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.head_dim ** 0.5
        mask = torch.ones(t, t).tril()
        scores = scores.masked_fill(mask == 0, float("-inf"))
        y = scores.softmax(dim=-1) @ v
        y = y.transpose(1, 2).contiguous().view(b, t, c)
        return self.out(y)

print(Attention(24, 3)(torch.randn(2, 5, 24)).shape)
"""

# What is wrong with ATTENTION: (the right text, the wrong one), the line that fails, what is said
# of the axes, and the change. The numbers of lines and axes were counted by hand.
MISTAKES = {
    "key": (("k.transpose(-2, -1)", "k"), 19,
            ["axis 3 of q of size 8 is head_dim: line 16, ", "axis 2 of k of size 5 is t: line 15, b, t, c = x.shape"],
            "scores = q @ k.transpose(-2, -1) / self.head_dim ** 0.5"),
    "width": (("self.n_heads, self.head_dim)", "self.n_heads, c)"), 16,
              ["axis 2 of self.q(x) of size 24 is d_model", "It can't become 3 x 24"],
              "v = self.v(x).view(b, t, self.n_heads, self.head_dim).transpose(1, 2)"),
    "heads": (("head_dim).transpose(1, 2)", "head_dim)"), 21,
              ["axis 3 of scores of size 3 is n_heads", "axis 1 of mask == 0 of size 5 is t"],
              "k = self.k(x).view(b, t, self.n_heads, self.head_dim).transpose(1, 2)"),
    "contiguous": ((".contiguous()", ""), 23, ["y.transpose(1, 2)  (2, 5, 3, 8)  b, t, n_heads, head_dim"],
                   "y = y.transpose(1, 2).contiguous().view(b, t, c)"),
    "merge": (("y = y.transpose(1, 2).contiguous().view(b, t, c)", "pass"), 24,
              ["axis 3 of y of size 8 is head_dim", "self.out takes a last axis of size 24: line 12, nn.Linear"],
              "return self.out(y.transpose(1, 2).flatten(2))"),
    "mask": (("torch.ones(t, t)", "torch.ones(9, 9)"), 21,
             ["axis 3 of scores of size 5 is t", "axis 1 of mask == 0 has size 9"],
             "scores = scores.masked_fill((mask == 0)[:scores.size(-2), :scores.size(-1)], float(\"-inf\"))"),
    "dim": (("softmax(dim=-1)", "softmax(dim=4)"), 22, ["scores has 4 axes: dim goes from -4 to 3"],
            "y = scores.softmax(dim=-1) @ v"),
    "layer": (("self.out = nn.Linear(d_model", "self.out = nn.Linear(n_heads"), 24,
              ["axis 2 of y of size 24 is c", "self.out takes a last axis of size 3: line 12"],
              "self.out = nn.Linear(d_model, d_model)"),
    "batch": (("randn(2, 5, 24)", "randn(5, 24)"), 15, ["x has 2 axes, and 3 names wait for their sizes"],
              "print(Attention(24, 3)(torch.randn(5, 24).unsqueeze(0)).shape)"),
}

# Whole small files: source, line, said, change.
FILES = {
    "keepdim": ("def norm(x):\n    mean = x.mean(-1)\n    return x - mean\nprint(norm(torch.ones(2, 3, 4)).shape)\n",
                6, ["axis 2 of x has size 4", "axis 1 of mean has size 3"], "mean = x.mean(-1, keepdim=True)"),
    "loss": ("batch, seq, vocab = 2, 3, 7\nlogits = torch.randn(batch, seq, vocab)\n"
             "targets = torch.zeros(batch, seq, dtype=torch.long)\nprint(F.cross_entropy(logits, targets))\n",
             7, ["axis 1 of logits of size 3 is seq"],
             "print(F.cross_entropy(logits.flatten(0, 1), targets.flatten()))"),
    "cat": ("a = torch.ones(2, 3, 4)\nb = torch.ones(2, 5, 4)\nprint(torch.cat([a, b], dim=2).shape)\n", 6,
            ["axis 1 of a has size 3", "axis 1 of b has size 5"], "print(torch.cat([a, b], dim=1).shape)"),
    "norm": ("class N(nn.Module):\n    def __init__(self, d, n):\n        super().__init__()\n"
             "        self.ln = nn.LayerNorm(n)\n    def forward(self, x):\n        return self.ln(x)\n"
             "print(N(6, 2)(torch.ones(3, 6)))\n", 9,
             ["self.ln takes a last axis of", "line 7, nn.LayerNorm(n)"], "self.ln = nn.LayerNorm(d)"),
    "permute": ("x = torch.ones(2, 3, 4, 5)\nprint(x.permute(0, 2, 1).shape)\n", 5, ["x has 4 axes, and 3 are named"],
                "print(x.permute(0, 2, 1, 3).shape)"),
    "groups": ("class G(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
               "        self.heads, self.groups = 4, 2\n    def forward(self, q, k, v):\n        q = q.contiguous()\n"
               "        k = k.contiguous()\n        v = v.contiguous()\n        w = q @ k.transpose(-2, -1)\n"
               "        return w.softmax(-1) @ v\nx = torch.ones(1, 2, 5, 3)\n"
               "print(G()(torch.ones(1, 4, 5, 3), x, x).shape)\n", 12,
               ["axis 1 of q has size 4", "axis 1 of k.transpose(-2, -1) has size 2"],
               "v = v.contiguous().repeat_interleave(self.heads // self.groups, dim=1)"),
    # What the comment says is compared with the tensor.
    "contract": ("def f(x):\n    b, t, d = x.shape\n    y = x.transpose(1, 2)  # (b, t, d)\n    return y @ y\n"
                 "f(torch.ones(2, 3, 4))\n", 7, ["line 6: axis 1 of size 4 is t in the comment, and t is 3"], None),
}


class Shapes(unittest.TestCase):
    def run_file(self, source):
        with tempfile.TemporaryDirectory(prefix="attn-shapes-") as folder:
            (Path(folder) / "mine.py").write_text(source, encoding="utf-8")
            return subprocess.run([PROGRAM, "run", "mine.py"], cwd=folder, text=True, capture_output=True, timeout=60,
                                  env={**os.environ, "LC_ALL": "C.UTF-8"})

    def judge(self, name, source, line, said, change):
        ran = self.run_file(source)
        self.assertEqual(ran.returncode, 1, name)
        self.assertEqual(ran.stdout, "", name)
        trace, mark, explained = ran.stderr.partition("\nattn: ")
        self.assertTrue(mark, (name, ran.stderr))
        self.assertRegex(trace.splitlines()[-1], r"^(Runtime|Index|Value)Error: ", name)
        self.assertTrue(explained.startswith(f"line {line}"), (name, explained))
        for words in said:
            self.assertIn(words, explained, name)
        if change is None:
            return
        self.assertIn(f": {change}\n", explained, name)
        self.assertIn("the code runs to its end", explained, name)
        rows = source.split("\n")
        for number, row in re.findall(r"^    line (\d+): (.*)$", explained, re.M):
            old = rows[int(number) - 1]
            rows[int(number) - 1] = old[:len(old) - len(old.lstrip())] + row
        again = self.run_file("\n".join(rows))
        self.assertEqual(again.returncode, 0, (name, again.stderr))

    def test_mistakes_in_one_module(self):
        self.assertEqual(self.run_file(ATTENTION).stdout, "torch.Size([2, 5, 24])\n")
        for name, ((right, wrong), line, said, change) in MISTAKES.items():
            self.assertIn(right, ATTENTION)
            self.judge(name, ATTENTION.replace(right, wrong), line, said, change)

    def test_small_files(self):
        for name, (source, line, said, change) in FILES.items():
            self.judge(name, HEAD + source, line, said, change)

    def test_other_errors_are_left_alone(self):
        for source in ("raise ValueError('no')\n", "1 / 0\n", "x = torch.ones(2)\nx.nothing\n",
                       "try:\n    torch.ones(2) + torch.ones(3)\nexcept RuntimeError:\n    print('caught')\n",
                       "raise RuntimeError('shape [2] is invalid')\n"):
            ran = self.run_file(HEAD + source)
            self.assertNotIn("attn: line", ran.stderr)

    def test_what_runs_long_is_given_up(self):
        ran = self.run_file(HEAD + "for i in range(10**7):\n    pass\ntorch.ones(2) + torch.ones(3)\n")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("RuntimeError: The size of tensor a (2) must match", ran.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=1)
