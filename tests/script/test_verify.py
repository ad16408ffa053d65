#!/usr/bin/env python3
"""attn verify: dumps that PyTorch wrote, right ones and ones with a planted mistake; and wrong usage.

The expected verdicts are those of tools/dump_goldens.py, which planted the mistakes."""
import ast
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import zipfile
from pathlib import Path

ATTN = os.environ["ATTN"]
DUMPS = Path(os.environ["ATTN_TEST_GOLDEN"]) / "dumps"


def verify(*arguments, **more):
    return subprocess.run([ATTN, "verify", *map(str, arguments)], capture_output=True, text=True, timeout=60, **more)


def expected():
    for line in (DUMPS / "expected.tsv").read_text().splitlines():
        if not line.startswith("#"):
            name, code, words = line.split("\t")
            yield name, int(code), words


class Dumps(unittest.TestCase):
    def test_each_dump_gets_its_verdict(self):
        for name, code, words in expected():
            with self.subTest(name):
                run = verify(DUMPS / name)
                self.assertIn(words, run.stdout.splitlines()[0])
                self.assertEqual(run.returncode, code)
                self.assertEqual([line.split(":")[2].strip() for line in run.stderr.splitlines()],
                                 ["skipped"] * 2 if "and_a_text" in name else [])

    def test_a_wrong_result_is_shown_with_what_follows_from_it(self):
        run = verify(DUMPS / "attention_no_scale.npz")
        self.assertIn("scaled = scores\n", run.stdout)
        self.assertIn("instead of scaled = scores / sqrt(d_k)", run.stdout)
        self.assertIn("ok      context, given what stands before it", run.stdout)

    def test_sizes_that_hide_which_mistake_it_is_are_said(self):
        run = verify(DUMPS / "multihead_d_model.npz")
        self.assertIn("other mistakes give the same numbers here", run.stdout.splitlines()[1])
        self.assertIn("scores / head_dim", run.stdout)
        self.assertIn("scores / sqrt(d_model)", run.stdout)

    def test_differences_without_a_known_mistake_are_described(self):
        for name, words in (("attention_factor", "Each number is 1.37 times the right one."),
                            ("attention_one_head", "Only head 1 is wrong."),
                            ("attention_heads_moved", "the right 1, 0, 2.")):
            with self.subTest(name):
                self.assertIn(words, " ".join(verify(DUMPS / f"{name}.npz").stdout.split()))

    def test_the_reading_is_told(self):
        told = " ".join(verify(DUMPS / "multihead_only_out.npz").stdout.split())
        self.assertIn("w_q is q_proj.weight", told)
        self.assertIn("(out, in), as torch keeps them", told)
        self.assertIn("There are 4 heads, which was found by trying. It is causal.", told)
        self.assertIn("(in, out)", verify(DUMPS / "multihead_in_out.npz").stdout)
        self.assertIn("True in the mask hides", " ".join(verify(DUMPS / "attention_mask_true_hides.npz").stdout.split()))

    def test_layers_are_compared_with_each_other(self):
        self.assertIn("layers.1: nothing is hidden, while the other layers are causal",
                      verify(DUMPS / "layers_not_causal.npz").stdout)
        told = " ".join(verify(DUMPS / "gpt2_layers.npz").stdout.split())
        self.assertIn("h.1: attn.out (out) is the first that differs: the bias b_o is left out", told)

    def test_options_settle_what_the_file_leaves_open(self):
        self.assertEqual(verify(DUMPS / "attention_right.npz", "--causal").returncode, 1)
        self.assertEqual(verify(DUMPS / "attention_over_d.npz", "--scale", "0.25").returncode, 0)
        self.assertEqual(verify(DUMPS / "multihead_right.npz", "--heads", "2").returncode, 1)
        self.assertEqual(verify(DUMPS / "multihead_right.npz", "--like", "loss").returncode, 3)
        run = verify(DUMPS / "attention_unnamed.npz", "--as", "query=arr_2", "--as", "key=arr_1")
        self.assertEqual(run.returncode, 1, run.stdout)

    def test_a_folder_of_npy_files(self):
        with tempfile.TemporaryDirectory() as folder:
            with zipfile.ZipFile(DUMPS / "attention_no_scale.npz") as archive:
                archive.extractall(folder)
            run = verify(folder)
            self.assertEqual(run.returncode, 1)
            self.assertIn("sqrt(d_k) is left out", run.stdout.splitlines()[0])


class Usage(unittest.TestCase):
    def check(self, code, words, *arguments):
        run = verify(*arguments)
        self.assertEqual(run.returncode, code, run.stderr)
        self.assertIn(words, run.stderr)
        self.assertEqual(run.stdout, "")

    def test_wrong_usage(self):
        self.check(2, "give a file of arrays")
        self.check(2, "torch, numpy, jax or c", "--print", "cobol")
        self.check(2, "ROLE=ARRAY", "--as", "query", DUMPS / "nothing.npz")
        self.check(2, "a number is expected", "--scale", "0x1", DUMPS / "nothing.npz")

    def test_what_can_not_be_read(self):
        self.check(3, "No such file", "missing.npz")
        self.check(3, "no formula of this name; there are attention", "--like", "rnn", DUMPS / "nothing.npz")
        self.check(3, "no array of this name", "--as", "query=w", DUMPS / "nothing.npz")
        with tempfile.TemporaryDirectory() as folder:
            self.check(3, "there are no arrays", folder)
            other = Path(folder) / "a.txt"
            other.write_text("1")
            self.check(3, "attn reads .npz", other)
            torn = Path(folder) / "torn.npz"
            torn.write_bytes((DUMPS / "attention_right.npz").read_bytes()[:300])
            self.check(3, "not a ZIP file", torn)
            text = Path(folder) / "text.npz"
            with zipfile.ZipFile(text, "w") as archive:
                archive.writestr("x.npy", b"\x93NUMPY\x01\x00\x46\x00{'descr': '<U3', 'fortran_order': False, 'shape': (1,), }".ljust(80) + b"a" * 12)
            self.check(3, "text.npz: x.npy", text)

    def test_any_bytes_are_read_or_refused(self):
        whole = (DUMPS / "attention_right.npz").read_bytes()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.npz"
            for at in range(0, len(whole), max(1, len(whole) // 40)):
                path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1:])
                self.assertIn(verify(path).returncode, (0, 1, 3), at)

    def test_programs_that_write_dumps_are_programs(self):
        for kind in ("torch", "numpy", "jax"):
            program = verify("--print", kind).stdout
            ast.parse(program)
            self.assertIn("np.savez(", program)

    def test_the_c_program_writes_what_attn_reads(self):
        program = verify("--print", "c").stdout
        main = """
        int main(void)
        {
            float q[] = {1, 0, 0, 2, 1, 1}, k[] = {1, 2, 0, 1, 3, 0}, v[] = {1, 2, 3}, w[9], c[3];
            for (int i = 0; i < 3; i++) {
                float sum = 0;
                for (int j = 0; j < 3; j++)
                    sum += w[3 * i + j] = expf(q[2 * i] * k[2 * j] + q[2 * i + 1] * k[2 * j + 1]);
                c[i] = 0;
                for (int j = 0; j < 3; j++)
                    c[i] += w[3 * i + j] / sum * v[j];
            }
            keep("query.npy", q, 3, 2), keep("key.npy", k, 3, 2), keep("value.npy", v, 3, 1);
            keep("context.npy", c, 3, 1);
            return 0;
        }"""
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "a.c").write_text("#include <math.h>\n" + program + main)
            subprocess.run([shutil.which("cc") or "gcc", "-o", "a", "a.c", "-lm"], cwd=folder, check=True)
            subprocess.run(["./a"], cwd=folder, check=True)
            run = verify(folder)
            self.assertIn("sqrt(d_k) is left out", run.stdout.splitlines()[0])

    def test_it_can_be_stopped(self):
        with tempfile.TemporaryDirectory() as folder:
            fifo = Path(folder) / "a.npz"
            os.mkfifo(fifo)
            self.check(3, "a.npz", fifo)
        run = subprocess.Popen([ATTN, "verify", str(DUMPS / "attention_heads_moved.npz")], stdout=subprocess.PIPE)
        time.sleep(0.05)
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=60)
        self.assertIn(run.returncode, (1, -signal.SIGINT))


if __name__ == "__main__":
    unittest.main()
