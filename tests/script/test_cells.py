#!/usr/bin/env python3
"""attn run and what a cell may read: a text beside it, which is said, and nothing else. Also that a
cell's warnings and the line that sums up go to standard error.

usage: test_cells.py PROGRAM [TEST...]
"""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else None


class Cells(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="attn-cells-")
        self.addCleanup(holder.cleanup)
        self.outside = Path(holder.name)
        self.folder = self.outside / "cell"
        (self.folder / "data").mkdir(parents=True)
        (self.folder / "input.txt").write_text("First\nSecond é\n", encoding="utf-8")
        (self.folder / "data" / "deep.txt").write_text("deep\n")
        (self.outside / "secret.txt").write_text("secret\n")

    def attn(self, *arguments, cwd=None, lines=""):
        return subprocess.run([PROGRAM, *arguments], cwd=cwd or self.folder, text=True, capture_output=True,
                              input=lines, timeout=60,
                              env={**os.environ, "LC_ALL": "C.UTF-8", "HOME": str(self.outside)})

    def run_cell(self, source, cwd=None):
        (self.folder / "cell.py").write_text(source, encoding="utf-8")
        return self.attn("run", str(self.folder / "cell.py") if cwd else "cell.py", cwd=cwd)

    def refuses(self, source, error):
        ran = self.run_cell(source)
        self.assertNotIn("secret", ran.stdout)
        self.assertEqual(ran.returncode, 1, ran.stderr)
        self.assertIn(error, ran.stderr)

    def test_reads_a_text_beside_the_cell_and_says_so(self):
        ran = self.run_cell("with open('input.txt', 'r', encoding='utf-8') as f:\n    text = f.read()\n"
                            "print(len(text), text.splitlines())\n"
                            "print([line.rstrip() for line in open('data/deep.txt')])\n")
        self.assertEqual(ran.stdout, "15 ['First', 'Second é']\n['deep']\n")
        self.assertEqual(ran.returncode, 0)
        self.assertIn("attn: open: the cell reads input.txt\n", ran.stderr)
        self.assertIn("attn: open: the cell reads data/deep.txt\n", ran.stderr)

    def test_reads_beside_the_cell_and_not_where_attn_is_started(self):
        (self.outside / "input.txt").write_text("another\n")
        ran = self.run_cell("print(open('input.txt').readline())\n", cwd=self.outside)
        self.assertEqual(ran.stdout, "First\n\n")

    def test_writes_nothing(self):
        for mode in ("w", "a", "x", "r+", "wb"):
            self.refuses(f"open('out.txt', '{mode}')\n", "PermissionError")
            self.refuses(f"open('input.txt', '{mode}')\n", "PermissionError")
        self.refuses("from pathlib import Path\nPath('out.txt').write_text('x')\n", "Error")
        self.assertFalse((self.folder / "out.txt").exists())
        self.assertEqual((self.folder / "input.txt").read_text(encoding="utf-8"), "First\nSecond é\n")

    def test_reads_nothing_outside_its_folder(self):
        secret = self.outside / "secret.txt"
        for name in ("../secret.txt", "data/../../secret.txt", str(secret), "./../secret.txt"):
            self.refuses(f"print(open({name!r}).read())\n", "PermissionError")
        self.refuses("import pathlib\nprint(pathlib.Path('../secret.txt').read_text())\n", "PermissionError")
        self.refuses("print(open('none.txt').read())\n", "FileNotFoundError")

    def test_follows_no_symbolic_link(self):
        os.symlink(self.outside / "secret.txt", self.folder / "link.txt")
        os.symlink(self.outside, self.folder / "up")
        for name in ("link.txt", "up/secret.txt", "data/../link.txt"):
            self.refuses(f"print(open({name!r}).read())\n", "Error")

    def test_opens_no_folder_and_no_pipe(self):
        os.mkfifo(self.folder / "pipe")
        self.refuses("print(open('data').read())\n", "Error")
        self.refuses("print(open('pipe').read())\n", "Error")

    def test_opens_nothing_at_a_prompt(self):
        ran = self.attn(lines="import math\ntext = open('input.txt').read()\nprint(text)\n")
        self.assertNotIn("First", ran.stdout)
        self.assertIn("a cell opens no files here; see attn run", ran.stdout + ran.stderr)

    def test_warns_once_for_each_place(self):
        ran = self.run_cell("import numpy as np\nimport warnings\nx = np.array([1.0, 0.0])\n\ndef halves(x):\n"
                            "    return 1 / x\n\nfor _ in range(3):\n    y = halves(x)\nprint(y)\n"
                            "with np.errstate(divide='ignore'):\n    print(np.log(x))\n"
                            "with warnings.catch_warnings():\n    warnings.simplefilter('ignore')\n    x / 0\n"
                            "try:\n    with np.errstate(all='raise'):\n        x / 0\n"
                            "except FloatingPointError as e:\n    print(e)\n"
                            "np.float64(3) / 0\n")
        self.assertEqual(ran.stdout, "[ 1. inf]\n[  0. -inf]\ndivide by zero encountered in divide\n")
        self.assertEqual(ran.stderr, "cell.py:6: RuntimeWarning: divide by zero encountered in divide\n"
                                     "  return 1 / x\n"
                                     "cell.py:21: RuntimeWarning: divide by zero encountered in scalar divide\n"
                                     "  np.float64(3) / 0\n")


unittest.main()
