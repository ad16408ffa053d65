#!/usr/bin/env python3
"""attn view against the numbers that PyTorch stored, and what it says when it can't show a model.

In the environment: ATTN is the program, else build/attn of this checkout; ATTN_TEST_GOLDEN is the
directory of the golden files.
"""
import ast
import json
import os
import re
import shutil
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent.parent
ATTN = os.path.abspath(os.environ.get("ATTN", str(CHECKOUT / "build" / "attn")))
GOLDEN = Path(os.environ.get("ATTN_TEST_GOLDEN", str(CHECKOUT / "tests" / "golden"))).resolve()
GPT2 = GOLDEN / "gpt2" / "tiny_a"
WORDS = ["the", "cat", "sat", "on", "mat", "because", "it", "was", "tired", "."]


def load(path):
    """The numbers of a .npy file in row-major order, and its shape."""
    data = path.read_bytes()
    size = struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10:10 + size].decode())
    kind = {"<f4": "f", "<f8": "d", "<i8": "q", "<i4": "i"}[header["descr"]]
    body = data[10 + size:]
    return struct.unpack(f"<{len(body) // struct.calcsize(kind)}{kind}", body), header["shape"]


def attn(*words):
    env = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    command = os.environ.get("ATTN_RUNNER", "").split() + [ATTN, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, env=env, timeout=240)


class View(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="attn-view-")
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def output(self, *words):
        done = attn("view", *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        return done.stdout

    def fails(self, code, *words):
        """What it says where it must fail."""
        done = attn("view", *words)
        self.assertEqual((done.returncode, done.stdout), (code, ""), words)
        self.assertTrue(done.stderr.startswith("attn: "), done.stderr)
        return done.stderr

    def words_model(self, heads, layers):
        """A folder with a vocabulary of words and random weights."""
        path = self.folder / "words"
        made = attn("eval", f"manual_seed(1); m = transformer({json.dumps(WORDS)}, d_model={4 * heads},"
                    f" n_heads={heads}, n_layers={layers}, n_positions=32); save('{path}', m)")
        self.assertEqual(made.returncode, 0, made.stderr)
        return path

    def test_json_has_the_stored_weights_and_logits(self):
        case = GPT2 / "b1_t10"
        ids, _ = load(case / "input_ids.npy")
        shown = json.loads(self.output(GPT2, case / "input_ids.npy", "--json"))
        self.assertEqual([token["id"] for token in shown["tokens"]], list(ids))
        self.assertEqual(len(shown["heads"]), 2 * 4)
        for head in shown["heads"]:
            stored, shape = load(case / f"attn_probs_layer{head['layer']}.npy")
            n = shape[-1]
            begin = head["head"] * n * n
            flat = [weight for row in head["weights"] for weight in row]
            self.assertLess(max(abs(a - b) for a, b in zip(flat, stored[begin:begin + n * n], strict=True)), 1e-5)
        logits, shape = load(case / "logits.npy")
        last = logits[-shape[-1]:]
        best = sorted(range(len(last)), key=lambda i: -last[i])
        self.assertEqual([token["id"] for token in shown["next"]], best[:10])

    def test_json_can_be_one_head(self):
        shown = json.loads(self.output(GPT2, "--ids", "5 6 7", "--json", "--layer", 1, "--head", 2))
        self.assertEqual([(head["layer"], head["head"]) for head in shown["heads"]], [(1, 2)])
        for row in shown["heads"][0]["weights"]:
            self.assertAlmostEqual(sum(row), 1, places=6)

    def test_json_shows_a_head_as_it_is_looked_at(self):
        ids = "5 6 7 8 9"
        head = ("--json", "--layer", 1, "--head", 2)
        plain = json.loads(self.output(GPT2, "--ids", ids, *head))["heads"][0]
        lengths = attn("eval", f"m = model('{GPT2}'); r = m([5, 6, 7, 8, 9]);"
                       " v = r.v[1]; sqrt(sum(v[2] * v[2], dim=-1))")
        lengths = [float(word) for word in lengths.stdout.split()]
        by_length = json.loads(self.output(GPT2, "--ids", ids, *head, "--by-length"))["heads"][0]
        self.assertTrue(by_length["by_length"])
        for row, weights in zip(by_length["weights"], plain["weights"], strict=True):
            for number, weight, length in zip(row, weights, lengths, strict=True):
                self.assertAlmostEqual(number, weight * length, delta=1e-3)
        without = json.loads(self.output(GPT2, "--ids", ids, *head, "--without-sink"))["heads"][0]
        self.assertTrue(without["without_sink"])
        share = [sum(column) for column in zip(*plain["weights"])]
        hidden = share.index(max(share))
        for row, weights in zip(without["weights"], plain["weights"], strict=True):
            rest = 1 - weights[hidden]
            for key, number in enumerate(row):
                right = 0 if key == hidden or rest == 0 else weights[key] / rest
                self.assertAlmostEqual(number, right, places=5)

    def model_with(self, number):
        """A folder like tiny_a's in which one weight of the first layer's norm is this."""
        shutil.copy(GPT2 / "config.json", self.folder)
        data = bytearray((GPT2 / "model.safetensors").read_bytes())
        size = struct.unpack("<Q", data[:8])[0]
        header = json.loads(data[8:8 + size])
        name = next(name for name in header if name.endswith("h.0.ln_2.weight"))
        at = 8 + size + header[name]["data_offsets"][0]
        data[at:at + 4] = struct.pack("<f", number)
        (self.folder / "model.safetensors").write_bytes(data)
        return self.folder

    def test_what_is_not_a_number_is_said(self):
        folder = self.model_with(float("nan"))
        shown = json.loads(self.output(folder, "--ids", "5 6 7", "--json"))
        last = next(head for head in shown["heads"] if head["layer"] == 1)
        self.assertEqual(last["weights"][0][0], None)
        self.assertEqual(shown["next"][0]["probability"], None)
        self.assertIn("Its weights are NaN", self.output(folder, "--ids", "5 6 7", "--layer", 1, "--head", 0))
        done = attn("eval", f"m = model('{folder}'); generate(m, [1, 2], 3)")
        self.assertEqual(done.returncode, 1)
        self.assertIn("is NaN", done.stderr)
        scores = attn("eval", f"m = model('{folder}'); isnan(head_scores(m([1, 2, 3]), 'uniform')[1])")
        self.assertEqual(scores.stdout.split()[-4:], ["True"] * 4, scores.stderr)

    def test_verify_states_the_error_of_each_stage(self):
        for cases in (GPT2, GOLDEN / "llama" / "llama_tiny_a", GOLDEN / "llama" / "qwen2_tiny_a"):
            shown = self.output("--verify", cases, cases)
            for stage in ("embed", "attn_probs_layer0", "block0_out", "attn_probs_layer1", "block1_out", "logits"):
                line = next(line for line in shown.splitlines() if line.startswith(stage))
                self.assertLessEqual(float(line.split()[2]), 1e-5, line)
        # One case alone.
        self.assertIn("1 case:", self.output("--verify", GPT2 / "b1_t64", GPT2))

    def test_verify_fails_when_one_weight_is_off(self):
        shutil.copy(GPT2 / "config.json", self.folder)
        data = bytearray((GPT2 / "model.safetensors").read_bytes())
        size = struct.unpack("<Q", data[:8])[0]
        header = json.loads(data[8:8 + size])
        name = next(name for name in header if name.endswith("h.1.attn.c_attn.weight"))
        at = 8 + size + header[name]["data_offsets"][0] + 4 * 17
        data[at:at + 4] = struct.pack("<f", struct.unpack("<f", data[at:at + 4])[0] + 0.01)
        (self.folder / "model.safetensors").write_bytes(data)
        done = attn("view", "--verify", GPT2, self.folder)
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        bad = [line.split()[0] for line in done.stdout.splitlines() if "over 1e-05" in line]
        # What comes before the weight is as before.
        self.assertNotIn("attn_probs_layer0", bad)
        self.assertNotIn("block0_out", bad)
        self.assertIn("attn_probs_layer1", bad)
        self.assertIn("logits", bad)

    def test_verify_refuses_what_is_no_case(self):
        self.assertIn("there is no case in it", self.fails(1, "--verify", self.folder, GPT2))
        shutil.copy(GPT2 / "b1_t10" / "input_ids.npy", self.folder)
        self.assertIn("no stage to compare with", self.fails(1, "--verify", self.folder, GPT2))
        shutil.copy(GPT2 / "b1_t64" / "logits.npy", self.folder)
        self.assertIn("logits.npy: it is 1x64x97, and the model's is 1x10x97",
                      self.fails(1, "--verify", self.folder, GPT2))

    def test_one_head_has_numbers_tokens_the_sink_and_the_next_word(self):
        path = self.words_model(2, 2)
        shown = self.output(path, "the cat sat on the mat", "--layer", 1, "--head", 0)
        row = next(line for line in shown.splitlines() if line.startswith("sat"))
        weights = json.loads(self.output(path, "the cat sat on the mat", "--layer", 1, "--head", 0, "--json"))
        wanted = [f"{weight:.4f}" for weight in weights["heads"][0]["weights"][2][:3]]
        self.assertEqual([word for word in row.split() if word[0] == "0"], wanted)
        self.assertIn("ink", shown.splitlines()[-12 - 1])
        bars = shown.split("the next token\n")[1].splitlines()
        self.assertEqual(sorted(line.split()[0] for line in bars), sorted(WORDS))
        hidden = self.output(path, "the cat sat on the mat", "--layer", 1, "--head", 0, "--without-sink")
        self.assertIn('without "', hidden.splitlines()[1])
        self.assertIn("rest rescaled", hidden)

    def test_all_heads_stand_in_a_grid(self):
        path = self.words_model(12, 12)
        wide = self.output(path, "the cat sat", "--width", 160)
        lines = wide.splitlines()
        self.assertEqual(lines[1].split(), [f"H{head}" for head in range(12)])
        self.assertEqual([line.split()[0] for line in lines if line.startswith("L")],
                         [f"L{layer}" for layer in range(12)])
        self.assertLessEqual(lines.index(next(line for line in lines if line.startswith("Rows"))), 45)
        self.assertNotIn("found no room", wide)
        # As many as fit 80 columns, and how to see the others.
        narrow = self.output(path, "the cat sat")
        self.assertLessEqual(max(map(len, narrow.splitlines())), 80 + 20)
        self.assertIn("Heads 8 to 11 found no room", narrow)
        needed = narrow.split("--width ")[1].split()[0]
        self.assertNotIn("found no room", self.output(path, "the cat sat", "--width", needed))
        layer = self.output(path, "the cat sat", "--layer", 3)
        for head in range(12):
            self.assertIn(f"H{head} ", layer)

    def test_svg_is_a_picture(self):
        path = self.folder / "head.svg"
        self.assertEqual(self.output(GPT2, "--ids", "1 2 3", "--svg", path), "")
        self.assertTrue(path.read_text(encoding="utf-8").startswith("<svg"))
        self.assertIn("can't be written", self.fails(1, GPT2, "--ids", "1", "--svg", self.folder / "no" / "x.svg"))

    def test_two_texts_are_compared(self):
        path = self.words_model(2, 2)
        same = self.output(path, "the cat sat", "--compare", "the cat sat", "--color", "never")
        self.assertRegex(same, r"(?m)^L0H0 +0$")
        grid, rest = same.split("less attention in the second text")
        self.assertFalse(set("+#-") & set("".join(grid.splitlines()[1:-1])), grid)
        text = self.output(path, "the cat sat on", "--compare", "the mat on", "--color", "never")
        self.assertIn("the heads that change most", text)
        self.assertIn("->", text)
        self.assertIn("one of both", self.fails(2, path, "the", "--compare", "a", "--verify", "x"))
        self.assertIn("as they are", self.fails(2, path, "the", "--compare", "a", "--json", "--layer", 0,
                                                "--head", 0, "--by-length"))
        self.assertIn('"dog" is not among', self.fails(1, path, "the", "--compare", "dog"))

    def test_one_head_of_two_texts(self):
        """Its weights in both and their difference, one below another or, with room, beside each other."""
        path = self.words_model(2, 2)
        words = path, "the cat sat", "--compare", "the mat sat", "--layer", 1, "--head", 0, "--color", "never"
        text = self.output(*words, "--width", 80)
        numbers = [[float(x) for x in re.findall(r"-?\d\.\d{4}", part)] for part in
                   text[:text.index("the next token")].replace("lowest", "each row").split("each row")[:-1]]
        self.assertEqual([len(part) for part in numbers], [6, 6, 9], text)
        lower = [0, 3, 4, 6, 7, 8]  # of the difference, whose other numbers are of hidden keys
        for one, other, at in zip(numbers[0], numbers[1], lower):
            self.assertAlmostEqual(numbers[2][at], other - one, delta=1.1e-4)
        self.assertTrue(any(numbers[2]))
        self.assertRegex(self.output(*words, "--width", 200), "the first text +the second text +L1H0: weights in the")

    def test_two_texts_as_json(self):
        """What differs is the difference of what either says alone; the change of a head by its formula."""
        path = self.words_model(2, 2)
        first, second = "the cat sat on", "the mat on"
        one, other = (json.loads(self.output(path, text, "--json")) for text in (first, second))
        both = json.loads(self.output(path, first, "--compare", second, "--json"))
        for name, alone in ("first", one), ("second", other):
            self.assertEqual(both[name]["tokens"], alone["tokens"])
            self.assertEqual(both[name]["next"], alone["next"])
        pairs = both["pairs"]
        self.assertEqual(pairs, sorted(pairs))
        self.assertEqual(pairs[0], [0, 0])
        self.assertEqual(len(both["heads"]), 4)
        for head, a, b in zip(both["heads"], one["heads"], other["heads"]):
            self.assertEqual((head["layer"], head["head"]), (a["layer"], a["head"]))
            for row, (i, j) in zip(head["difference"], pairs):
                for cell, (k, m) in zip(row, pairs):
                    self.assertAlmostEqual(cell, b["weights"][j][m] - a["weights"][i][k], delta=1e-6)
            keys = [sum(abs(cell) for cell in row) +
                    sum(w for k, w in enumerate(a["weights"][i]) if k not in [p[0] for p in pairs]) +
                    sum(w for k, w in enumerate(b["weights"][j]) if k not in [p[1] for p in pairs])
                    for row, (i, j) in zip(head["difference"], pairs)]
            self.assertAlmostEqual(head["change"], sum(keys) / 2 / len(pairs), delta=1e-6)

    def test_two_lists_of_ids_are_compared(self):
        ids = json.loads(self.output(GPT2, "--ids", "1 2 3", "--compare", "1 4 3", "--json"))
        self.assertEqual([token["id"] for token in ids["second"]["tokens"]], [1, 4, 3])
        self.assertEqual(ids["pairs"], [[0, 0], [1, 1], [2, 2]])
        self.assertIn("the heads that change most", self.output(GPT2, "--ids", "1 2 3", "--compare", "1 4 3"))
        self.assertIn("ids are whole numbers", self.fails(1, GPT2, "--ids", "1 2", "--compare", "the cat"))

    def test_a_text_of_one_word(self):
        message = self.fails(1, "sat")
        self.assertIn("no such folder; a text of one word needs a blank, as in view 'sat '", message)
        self.assertIn("no such option", self.fails(2, "-x"))

    def test_png_needs_a_program(self):
        """Where there is none it says which; where there is one the picture is a PNG."""
        path, picture = self.words_model(2, 2), self.folder / "heads.png"
        done = subprocess.run([ATTN, "view", path, "the cat", "--png", picture],
                              capture_output=True, text=True, env={"PATH": str(self.folder)})
        self.assertEqual(done.returncode, 1)
        self.assertIn("rsvg-convert, which draws it, is not installed", done.stderr)
        self.assertFalse(picture.exists())
        if shutil.which("rsvg-convert"):
            self.assertEqual(self.output(path, "the cat", "--png", picture), "")
            self.assertEqual(picture.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")
        self.assertIn("one of them", self.fails(2, path, "the", "--json", "--png", picture))

    def test_errors_say_what_to_do(self):
        path = self.words_model(2, 2)
        self.assertIn("no such folder", self.fails(1, self.folder / "none", "the cat"))
        self.assertIn('"dog" is not among the 10 words', self.fails(1, path, "the dog"))
        unknown = self.fails(1, path, "the dog chased the DOG, the cat")
        self.assertIn('"dog", "chased", "DOG", "," are not among the 10 words', unknown)
        self.assertIn("it takes 1 to 32", self.fails(1, path, "cat " * 33))
        self.assertIn("layer 2: ", self.fails(1, path, "the", "--layer", 2))
        self.assertIn("head 2: ", self.fails(1, path, "the", "--layer", 1, "--head", 2, "--json"))
        self.assertIn("--ids '1 2 3'", self.fails(1, GPT2, "the cat"))
        self.assertIn("97 is not a token", self.fails(1, GPT2, "--ids", "1 97"))
        self.assertIn("whole numbers", self.fails(1, GPT2, "--ids", "1 x"))
        self.assertIn("the ids of one text", self.fails(1, GPT2, GPT2 / "b2_t17" / "input_ids.npy"))
        self.assertIn("add --layer", self.fails(2, path, "the", "--head", 1))
        self.assertIn("no such option", self.fails(2, path, "--wrong"))

    def test_without_a_folder_the_shipped_model_is_looked_for(self):
        if (CHECKOUT / "assets" / "model").is_dir():
            self.output()
            unknown = self.fails(1, "Tom gave Mary a cake")
            self.assertIn('"gave", "cake" are not among the 221 words', unknown)
            example = unknown.split("works: ")[1].strip().strip('"')
            self.assertIn(example, unknown)
            self.output(example)
            words = self.output("--words")
            for line in ("person: anna mary", "animal: cat dog", "animal, sound: meowed"):
                self.assertIn(line, words)
        else:
            self.assertIn("no model comes with this attn", self.fails(1))


if __name__ == "__main__":
    unittest.main()
