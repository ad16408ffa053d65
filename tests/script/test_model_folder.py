#!/usr/bin/env python3
"""attn doctor FOLDER: what it says of models' folders that are whole, and of those that are not."""
import json
import os
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import tempfile
import unittest

GOLDEN = pathlib.Path(os.environ.get("ATTN_TEST_GOLDEN", "tests/golden"))
COMMAND = [*shlex.split(os.environ.get("ATTN_RUNNER", "")), os.environ.get("ATTN", "build/attn")]


def read_header(path):
    """The header of a safetensors file and its numbers."""
    data = path.read_bytes()
    size, = struct.unpack("<Q", data[:8])
    return json.loads(data[8:8 + size]), data[8 + size:]


def write_file(path, header, numbers):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + numbers)


class Folder(unittest.TestCase):
    """Each test changes a copy of a tiny model."""

    def setUp(self):
        self.holder = tempfile.TemporaryDirectory(prefix="attn-model-")
        self.addCleanup(self.holder.cleanup)

    def copy(self, name):
        folder = pathlib.Path(self.holder.name, "m")
        shutil.copytree(GOLDEN / name, folder, copy_function=shutil.copyfile)
        return folder

    def doctor(self, folder, code, *says):
        run = subprocess.run([*COMMAND, "doctor", str(folder)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             check=False, text=True, timeout=120, env={**os.environ, "NO_COLOR": "1"})
        text = " ".join(run.stdout.split())  # without the ends of lines
        self.assertEqual(run.returncode, code, run.stdout)
        for words in says:
            self.assertIn(words, text)
        return text

    def change_config(self, folder, **changes):
        path = folder / "config.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))

    def test_whole_models(self):
        self.doctor(GOLDEN / "gpt2/tiny_a", 0, "GPT-2's family, 2 layers of 4 heads", "28 tensors: 28 F32",
                    "The model runs on token ids alone", "This model can be used; 1 thing is lacking.")
        self.doctor(GOLDEN / "llama/qwen2_tiny_a/sharded_bf16", 0, "Llama's family, 2 layers of 6 heads on 2 keys",
                    "26 tensors: 26 BF16")

    def test_a_tokenizer(self):
        folder = self.copy("gpt2/tiny_a")
        vocab = {chr(33 + i): i for i in range(90)}
        (folder / "vocab.json").write_text(json.dumps(vocab))
        self.doctor(folder, 1, "there is vocab.json and no merges.txt", "can still be run on token ids")
        (folder / "merges.txt").write_text("#version: 0.2\n")
        self.doctor(folder, 0, "90 tokens, from vocab.json and merges.txt", "Nothing is lacking.")
        vocab.update({chr(161 + i): 90 + i for i in range(10)})
        (folder / "vocab.json").write_text(json.dumps(vocab))
        self.doctor(folder, 0, "100 tokens, from vocab.json and merges.txt; config.json says 97")

    def test_nothing_there(self):
        self.doctor(pathlib.Path(self.holder.name, "none"), 1, "there is no such folder")
        self.doctor(GOLDEN / "gpt2/tiny_a/config.json", 1, "is a file, and no folder")
        self.doctor(self.holder.name, 1, "broken config", "broken weights", "there is no model.safetensors in it")
        pathlib.Path(self.holder.name, "pytorch_model.bin").write_bytes(b"PK")
        self.doctor(self.holder.name, 1, "pytorch_model.bin is PyTorch's own form", "safe_serialization=True")

    def test_a_missing_shard(self):
        folder = self.copy("llama/llama_tiny_a/sharded_bf16")
        (folder / "model-00002-of-00002.safetensors").unlink()
        self.doctor(folder, 1, "1 of its 2 shards is missing: model-00002-of-00002.safetensors", "ok config")

    def test_headers(self):
        folder = self.copy("gpt2/tiny_a")
        path = folder / "model.safetensors"
        header, numbers = read_header(path)
        whole = path.read_bytes()
        path.write_bytes(whole + b"\n\n\n\n")
        self.doctor(folder, 1, "4 bytes follow its last tensor", f"truncate -s {len(whole)} cuts them off")
        os.truncate(path, len(whole))  # as it was told
        self.doctor(folder, 0)
        path.write_bytes(whole[:-100])
        self.doctor(folder, 1, "truncated")
        write_file(path, json.dumps(header).encode() + b"\0\0\0", numbers)
        text = self.doctor(folder, 1, "padded with zero bytes", "with blanks")
        begin, end = map(int, re.search(r"overwrite bytes (\d+) to (\d+) with blanks", text).groups())
        data = bytearray(path.read_bytes())
        data[begin:end + 1] = b" " * (end + 1 - begin)  # as it was told
        path.write_bytes(data)
        self.doctor(folder, 0)
        path.write_bytes(struct.pack("<Q", 1 << 40) + b"{}")
        self.doctor(folder, 1, "claims a header of 1099511627776 bytes")

    def test_tensors_against_config(self):
        folder = self.copy("gpt2/tiny_a")
        path = folder / "model.safetensors"
        header, numbers = read_header(path)
        self.change_config(folder, vocab_size=98)
        self.doctor(folder, 1, "1 of another shape than config.json says: transformer.wte.weight is 97x32 "
                    "and not 98x32")
        self.change_config(folder, vocab_size=97, n_layer=3)
        self.doctor(folder, 1, "12 missing: transformer.h.2.ln_1.weight")
        self.change_config(folder, n_layer=2)
        entry = header["transformer.h.0.mlp.c_fc.weight"]
        entry["dtype"], entry["shape"] = "I8", [4 * entry["shape"][0], entry["shape"][1]]
        write_file(path, header, numbers)
        self.doctor(folder, 1, "1 of no floats that attn reads: transformer.h.0.mlp.c_fc.weight is I8",
                    "quantised")

    def test_what_attn_can_not_compute(self):
        folder = self.copy("gpt2/tiny_a")
        self.change_config(folder, activation_function="mish")
        self.doctor(folder, 1, "mish", "which attn can't compute")
        self.change_config(folder, activation_function="gelu_new", quantization_config={"bits": 4})
        self.doctor(folder, 1, "quantised")

    def test_a_file_that_becomes_shorter(self):
        """An error in the line that needs it, and no crash: the prompt goes on."""
        folder = self.copy("gpt2/tiny_a")
        with subprocess.Popen([*COMMAND, "repl"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True) as prompt:
            def said(*lines):
                """What comes before the mark behind these lines."""
                prompt.stdin.write("".join(line + "\n" for line in lines) + '"mark"\n')
                prompt.stdin.flush()
                return "".join(iter(prompt.stdout.readline, "mark\n"))

            self.assertEqual(said(f'm = model("{folder}")', "r = m([[1, 2, 3]])", "x = sum(r.resid[0])"), "")
            os.truncate(folder / "model.safetensors", 5000)
            self.assertIn("model.safetensors: it became shorter", said("sum(r.logits)"))
            self.assertIn("model.safetensors: it became shorter", said("r = m([[1, 2, 3]])", "sum(r.logits)"))
            self.assertEqual(said("1 + 1"), "2\n")
            prompt.stdin.close()
            self.assertEqual(prompt.wait(timeout=60), 1)

    def test_what_is_saved_first(self):
        """Numbers that were read to be written stand no later than what is computed from them."""
        folder, lines = self.copy("gpt2/tiny_a"), []
        for before in "", f'save("{self.holder.name}/copy", m)':
            script = pathlib.Path(self.holder.name, "script.attn")
            script.write_text(f'm = model("{folder}")\n{before}\ng = grad(sum(m([1, 2, 3]).logits), m.parameters)\n'
                              'sum(abs(g["h.0.attn.c_attn.weight"]))\n')
            lines.append(subprocess.run([*COMMAND, "eval", "-f", str(script)], capture_output=True, check=True,
                                        text=True, timeout=120).stdout.splitlines()[-1])
        self.assertEqual(*lines)
        self.assertGreater(float(lines[0]), 0)


if __name__ == "__main__":
    unittest.main()
