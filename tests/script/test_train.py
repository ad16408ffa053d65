#!/usr/bin/env python3
"""attn train from its outside: a training that is killed goes on with the bits of one that is not, and
what it saves is a folder of GPT-2's that PyTorch computes the same numbers of.

In the environment: ATTN is the program, else build/attn of this checkout.
"""
import json
import os
import random
import shlex
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent.parent
COMMAND = [*shlex.split(os.environ.get("ATTN_RUNNER", "")),
           os.path.abspath(os.environ.get("ATTN", str(CHECKOUT / "build" / "attn")))]
STEPS, KILLS = 60, 20
PLAN = ["previous", "--seed", "3", "--steps", str(STEPS), "--width", "16", "--batch", "4"]
OFTEN = ["--every", "1", "--save-every", "3", "--json"]


class Folder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="attn-train-")
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def train(self, *words):
        done = subprocess.run([*COMMAND, "train", *map(str, words)], capture_output=True, text=True,
                              check=False, timeout=240)
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        return done.stdout


class Killed(Folder):
    """SIGKILL, which leaves no time to save. The moments are drawn from a seed: so many lines, and a
    part of a step or of what is saved after it."""

    def arguments(self, folder):
        if (folder / "training.safetensors").exists():
            return ["--resume", folder, *OFTEN]
        return [*PLAN, "--out", folder, *OFTEN]

    def kill_once(self, folder, moments):
        """Whether it was killed; else it came to its end first."""
        n_lines, seconds = moments.randint(1, 9), moments.uniform(0, 0.01)
        with subprocess.Popen([*COMMAND, "train", *map(str, self.arguments(folder))],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as run:
            for _ in range(n_lines):
                if not run.stdout.readline():
                    break
            time.sleep(seconds)
            run.kill()
            run.stdout.read()
            return run.wait(timeout=60) < 0

    def test_goes_on_with_the_same_bits(self):
        whole, broken = self.folder / "whole", self.folder / "broken"
        self.train(*PLAN, "--out", whole)
        moments, n_kills, n_whole = random.Random(1), 0, 0
        while n_kills < KILLS:
            if self.kill_once(broken, moments):
                n_kills += 1
                continue
            self.compare(whole, broken)
            n_whole += 1
            broken = self.folder / f"broken-{n_whole}"
        if (broken / "training.safetensors").exists():
            self.train("--resume", broken)
            self.compare(whole, broken)
            n_whole += 1
        self.assertGreater(n_whole, 0)

    def compare(self, whole, broken):
        for name in ("model.safetensors", "training.safetensors", "config.json", "tokenizer.json"):
            wanted, got = (whole / name).read_bytes(), (broken / name).read_bytes()
            if name == "training.safetensors":
                wanted, got = numbers_of(wanted), numbers_of(got)
            self.assertEqual(wanted, got, name)


def numbers_of(data):
    """A safetensors file without its header, which says how the training was begun."""
    size, = struct.unpack("<Q", data[:8])
    return data[8 + size:]


# ---- PyTorch ----

TORCH_PYTHON = "/usr/bin/python3"
TORCH_PROGRAM = CHECKOUT / "tests" / "script" / "torch" / "gpt2.py"


def has_torch():
    try:
        return subprocess.run([TORCH_PYTHON, "-c", "import torch"], capture_output=True, check=False,
                              timeout=120).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


class Torch(Folder):
    """The folder is read by a program that knows GPT-2's names and PyTorch, and nothing of attn."""

    @unittest.skipUnless(has_torch(), "there is no PyTorch here (python3-torch)")
    def test_reads_what_was_saved(self):
        text = self.folder / "text"
        text.write_text("the cat sat on the mat, and the dog sat on the cat. " * 40)
        sizes = ["--steps", 5, "--width", 24, "--heads", 3, "--layers", 2]
        for name, source in (("attention-only", ["recall"]),
                             ("with-mlps", ["--text", text, "--vocab", "letters", "--context", 16])):
            folder = self.folder / name
            self.train(*source, *sizes, "--out", folder)
            ids = [2, 0, 1, 0, 1, 1, 9, 4]
            shown = subprocess.run([*COMMAND, "eval", f'm = model("{folder}"); r = m({ids}); '
                                    f'save("{folder}/logits.npy", r.logits)'],
                                   capture_output=True, text=True, check=False, timeout=120)
            self.assertEqual((shown.returncode, shown.stderr), (0, ""))
            done = subprocess.run([TORCH_PYTHON, TORCH_PROGRAM, folder, json.dumps(ids)],
                                  capture_output=True, text=True, check=False, timeout=240)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertLess(float(done.stdout), 2e-6)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
