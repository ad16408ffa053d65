#!/usr/bin/env python3
"""The benchmarks of attention, products, elementwise operations and models run, in their quickest mode and
without other libraries, and print each of their tables. Nothing is said of the times.

usage: test_bench.py FOLDER [TEST...]   (FOLDER: where attn's workers are built; ATTN as always)
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAMS = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else None
BENCHES = Path(__file__).resolve().parent.parent / "bench"
TABLES = {"attention": ["forward", "backward", "decode", "long", "small", "error", "golden"],
          "gemm": ["few", "gemm"], "elementwise": ["elementwise"],
          "model": ["forward", "next"], "train": ["train"]}


class Bench(unittest.TestCase):
    def run_bench(self, name, *options):
        holder = tempfile.TemporaryDirectory(prefix="attn-bench-")
        self.addCleanup(holder.cleanup)
        done = subprocess.run(
            [sys.executable, str(BENCHES / f"bench_{name}.py"), "--smoke", *options], capture_output=True, text=True,
            env={**os.environ, "ATTN_BENCH_PROGRAMS": PROGRAMS, "ATTN_BENCH_FOLDER": holder.name}, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_every_table_has_rows_and_nothing_failed(self):
        for name, tables in TABLES.items():
            with self.subTest(name):
                told = json.loads(self.run_bench(name, "--json"))
                self.assertEqual(sorted({table["name"] for table in told["tables"]}), sorted(tables))
                for table in told["tables"]:
                    self.assertTrue(table["rows"], table)
                    for row in table["rows"]:
                        self.assertTrue([value for value in row.values() if isinstance(value, float)], row)
                    for note in table["notes"]:
                        self.assertNotRegex(note, "no such|computes|word", table)

    def test_text_fits_a_terminal(self):
        for name in TABLES:
            with self.subTest(name):
                text = self.run_bench(name, "--threads", "1,2")
                self.assertIn("GFLOP/s", text)
                self.assertLessEqual(max(map(len, text.splitlines())), 80, text)

    def test_unknown_table_is_refused(self):
        done = subprocess.run([sys.executable, str(BENCHES / "bench_attention.py"), "--table", "forwards"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("no table forwards", done.stderr)


if __name__ == "__main__":
    unittest.main()
