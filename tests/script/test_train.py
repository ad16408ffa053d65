#!/usr/bin/env python3
"""attn train from its outside: a training that is killed goes on with the bits of one that is not, and
what it saves is a folder of GPT-2's that PyTorch computes the same numbers of.

In the environment: ATTN is the program, else build/attn of this checkout.
"""
import json
import os
import random
import shlex
import signal
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
        self.assertEqual([path.name for path in broken.iterdir() if path.name.startswith(".")], [])
        for name in ("model.safetensors", "training.safetensors", "config.json", "tokenizer.json"):
            wanted, got = (whole / name).read_bytes(), (broken / name).read_bytes()
            if name == "training.safetensors":
                wanted, got = numbers_of(wanted), numbers_of(got)
            self.assertEqual(wanted, got, name)


def numbers_of(data):
    """A safetensors file without its header, which says how the training was begun."""
    size, = struct.unpack("<Q", data[:8])
    return data[8 + size:]


class Ended(Folder):
    """SIGTERM and SIGHUP: what was learnt is saved, as with Ctrl-C."""

    def test_saves_what_was_learnt(self):
        for number in (signal.SIGTERM, signal.SIGHUP):
            out = self.folder / number.name
            # Whoever runs the tests may ignore these signals, as nohup does, and so would attn then.
            with subprocess.Popen([*COMMAND, "train", "previous", "--steps", "10000000", "--every",
                                   "5", "--out", out], stdout=subprocess.PIPE, text=True,
                                  preexec_fn=lambda: signal.signal(number, signal.SIG_DFL)) as run:
                for _ in range(3):
                    run.stdout.readline()
                run.send_signal(number)
                told = run.stdout.read()
                self.assertEqual(run.wait(timeout=60), -number)
            self.assertRegex(told, r"stopped after \d+ steps, and saved; attn train --resume")
            self.assertTrue((out / "model.safetensors").is_file())


class Report(Folder):
    """What is told of a training: lines, a summary, and what goes wrong before it begins."""

    def refuse(self, *words):
        done = subprocess.run([*COMMAND, "train", *map(str, words)], capture_output=True, text=True,
                              check=False, timeout=240, cwd=self.folder)
        self.assertEqual((done.returncode, done.stdout), (2, ""), words)
        return done.stderr

    def test_scores_of_heads_stand_beside_what_is_right(self):
        out = self.folder / "model"
        plan = ["previous", "--steps", "150", "--every", "150", "--out", out]
        line = json.loads(self.train(*plan, "--json"))
        self.assertGreater(line["held_out_right"], 0.9)
        self.assertGreater(line["untrained_right"], 0.9)
        self.assertGreater(line["heads"]["L0H0"]["previous"], 0.8)
        self.assertLess(line["heads"]["L0H0"]["current"], 0.2)
        told = self.train(*plan).splitlines()
        self.assertIn("previous induction", told[2])
        self.assertRegex(told[3], r"150/150 .* 100\.0 % .* 0\.9\d ")
        self.assertRegex(told[4], r"^150 steps in .*: held out 100\.0 % right, .* other")
        self.assertRegex(told[-2], r"^L0H0 +0\.9")
        self.assertLessEqual(max(map(len, told[:-1])), 80)

    def test_a_text_is_told_on(self):
        text = self.folder / "text"
        text.write_text("the cat sat on the mat. " * 40)
        told = self.train("--text", text, "--context", 16, "--layers", 1, "--width", 8, "--heads", 1,
                          "--steps", 2, "--out", self.folder / "model")
        self.assertRegex(told, r"\nIt tells: ")

    def test_another_text_is_no_way_to_go_on(self):
        text, model = self.folder / "text", self.folder / "model"
        text.write_text("the cat sat on the mat. " * 40)
        self.train("--text", text, "--context", 16, "--layers", 1, "--width", 8, "--heads", 1,
                   "--steps", 2, "--out", model)
        before = {path.name: path.read_bytes() for path in model.iterdir()}
        text.write_text("the mat sat on the cat. " * 40)
        self.assertIn("it is not the text that the training was begun with",
                      self.refuse("--resume", model, "--steps", 4))
        self.assertEqual({path.name: path.read_bytes() for path in model.iterdir()}, before)
        text.write_text("the cat sat on the mat. " * 40)
        self.train("--resume", model, "--steps", 4)

    def test_a_training_that_diverges_says_so(self):
        words = ("induction", "--lr", "1e30", "--steps", 12, "--width", 8, "--every", 4)
        lines = self.train(*words, "--json", "--out", self.folder / "a").splitlines()

        def refuse(constant):
            self.fail(f"{constant} is no JSON")
        shown = [json.loads(line, parse_constant=refuse) for line in lines]
        self.assertIsNone(shown[-1]["loss"])
        film = self.folder / "film"
        self.train(*words, "--film", film, "--out", self.folder / "c")
        frames = [json.loads(line, parse_constant=refuse)
                  for line in self.train("--film", film, "--json").splitlines()]
        self.assertIsNone(frames[-1]["loss"])
        self.assertIsNone(frames[-1]["held_out_loss"])
        told = self.train(*words, "--out", self.folder / "b")
        self.assertIn("It diverged: the loss is not a number any more.", told)
        self.assertNotIn("-nan", told)

    def test_another_training_is_not_replaced(self):
        out = self.folder / "model"
        plan = ("previous", "--steps", 3, "--width", 8)
        self.train(*plan, "--out", out)
        before = (out / "model.safetensors").read_bytes()
        for other in (("--seed", 5), ("--lr", "1e-3"), ("--batch", 3)):
            self.assertIn("another training is saved there", self.refuse(*plan, *other, "--out", out))
        self.assertIn("another training", self.refuse("reverse", *plan[1:], "--out", out))
        self.assertEqual((out / "model.safetensors").read_bytes(), before)
        self.train(*plan, "--out", out)
        self.assertEqual((out / "model.safetensors").read_bytes(), before)

    def test_a_broken_count_of_steps_is_refused(self):
        out = self.folder / "model"
        self.train("previous", "--steps", 3, "--width", 8, "--out", out)
        path = out / "training.safetensors"
        data = path.read_bytes()
        self.assertIn(b'"steps":"3"', data)
        for steps in (b"x", b"-", b"3.5", b"9999999999999"):
            header = data[8:].split(b'"steps":"3"', 1)
            path.write_bytes(struct.pack("<Q", struct.unpack("<Q", data[:8])[0] + len(steps) - 1) +
                             header[0] + b'"steps":"' + steps + b'"' + header[1])
            done = subprocess.run([*COMMAND, "train", "--resume", out, "--steps", "4"], text=True,
                                  capture_output=True, check=False, timeout=240)
            self.assertEqual(done.returncode, 1)
            self.assertIn("says no number of steps", done.stderr)

    def test_a_film_ships(self):
        frames = [json.loads(line) for line in self.train("--film", "modular", "--json").splitlines()]
        self.assertEqual((frames[0]["step"], frames[-1]["step"]), (0, 5000))
        self.assertGreater(frames[-1]["held_out_right"], 0.99)
        self.assertTrue(any(frame["held_out_right"] < 0.1 and frame.get("loss", 9) < 0.3
                            for frame in frames))
        (self.folder / "modular").write_text("a file of that name comes first")
        self.assertIn("modular: ", self.refuse("--film", "modular"))

    def test_what_can_not_be_done_is_said_first(self):
        (self.folder / "file").write_text("x" * 30)
        (self.folder / "other").mkdir()
        (self.folder / "other" / "config.json").write_text("{}")
        for words, said in {
                ("previous", "--out", "file"): "file: nothing can be saved there",
                ("previous", "--out", "file/x"): "Not a directory",
                ("previous", "--out", "other"): "there is a model already",
                ("previous", "--film", "no/film"): "--film no/film: can't be saved",
                ("--text", "file"): "has 3 tokens, and 64 and the next one are needed",
                ("--text", "file", "--vocab", "words"): "letters, or a number of merges",
                ("previous", "--vocab", "9"): "--vocab is for a text of your own",
                ("previous", "--context", "9"): "--context is for a text of your own",
                ("previous", "--heads", "3"): "3 heads can't share a width of 32",
                ("previous", "--dropout", "1"): "0 or more and less than 1",
                ("prevous",): "did you mean previous?",
                ("storys",): "did you mean stories?",
                ("max",): "there are previous, reverse, maximum",
                ("--steps", "9"): "what is to be learnt?",
                ("--by-head",): "goes with --exam",
                ("--exam", "other", "--json"): "--exam prints lines",
        }.items():
            error = self.refuse(*words)
            self.assertIn(said, error, words)
            self.assertNotIn("train: train:", error)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["file", "other"])

    def test_goes_on_beyond_its_end(self):
        short, whole = self.folder / "short", self.folder / "whole"
        self.train(*PLAN, "--out", whole)
        self.train(*PLAN, "--steps", 40, "--out", short)
        self.assertIn("all 40 steps are taken", self.train("--resume", short))
        self.assertIn("--resume goes on as", self.refuse("--resume", short, "--lr", "1"))
        self.assertIn("--resume goes on as", self.refuse("sort", "--resume", short))
        self.train("--resume", short, "--steps", STEPS)
        self.assertEqual((short / "model.safetensors").read_bytes(),
                         (whole / "model.safetensors").read_bytes())

    def test_decay_and_dropout_are_kept(self):
        usual = self.folder / "usual"
        self.train(*PLAN, "--out", usual)
        for setting in (("--decay", 0), ("--dropout", 0.2)):
            whole, short = (self.folder / (name + setting[0]) for name in ("whole", "short"))
            self.train(*PLAN, *setting, "--out", whole)
            self.train(*PLAN, *setting, "--steps", 20, "--out", short)
            self.train("--resume", short, "--steps", STEPS)
            read = [(path / "model.safetensors").read_bytes() for path in (whole, short, usual)]
            self.assertEqual(read[0], read[1])
            self.assertNotEqual(read[0], read[2])

    def test_what_can_not_be_saved_ends_no_training(self):
        (self.folder / "model" / "training.safetensors").mkdir(parents=True)
        done = subprocess.run([*COMMAND, "train", *PLAN, "--out", str(self.folder / "model"),
                               "--save-every", "30", "--every", "1"], capture_output=True, text=True,
                              check=False, timeout=240)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"{STEPS}/{STEPS}", done.stdout)
        self.assertIn(": held out ", done.stdout)
        self.assertEqual(done.stderr.count("it goes on, and will be tried again"), 2)


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
