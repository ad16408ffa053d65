#!/usr/bin/env python3
"""attn lint refuses edits of assets/edits.yaml that can explain nothing, and names them.

In the environment: ATTN is the program, else build/attn of this checkout.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent.parent
ATTN = os.path.abspath(os.environ.get("ATTN", str(CHECKOUT / "build" / "attn")))
FEW = 5
WORDS = "    when: x\n    ask: x?\n"


class Lint(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="attn-lint-")
        self.addCleanup(holder.cleanup)
        self.data = Path(holder.name, "data")
        (self.data / "assets").mkdir(parents=True)
        for name in ("lessons", "exercises"):
            (self.data / name).mkdir()
            for path in sorted((CHECKOUT / name).glob("0[1-5]*")):
                (self.data / name / path.name).symlink_to(path)
        for path in (CHECKOUT / "assets").iterdir():
            (self.data / "assets" / path.name).symlink_to(path)
        # An exercise of somebody's own, which has no proof: nothing is built.
        self.own = Path(holder.name, "own", "01-own")
        shutil.copytree(CHECKOUT / "exercises" / "01-dot", self.own)
        text = (self.own / "exercise.yaml").read_text(encoding="utf-8")
        (self.own / "exercise.yaml").write_text(text.replace("id: dot", "id: own"), encoding="utf-8")

    def faults_with(self, added):
        """What is said of a table of these edits and its first few, beside some lessons and exercises. The whole
        table is linted with all of them by `attn lint exercises` (exercises.proof)."""
        path = self.data / "assets" / "edits.yaml"
        text = (CHECKOUT / "assets" / "edits.yaml").read_text(encoding="utf-8")
        path.unlink()
        begin, edits = text.split("\nedits:\n")
        few = "\n  - id:".join(edits.split("\n  - id:")[:FEW]) + "\n"
        path.write_text(f"{begin}\nedits:\n{added}{few}", encoding="utf-8")
        done = subprocess.run([ATTN, "lint", str(self.own)], capture_output=True, check=False, text=True,
                              env={**os.environ, "ATTN_DATA_DIR": str(self.data)})
        lines = [line for line in done.stdout.splitlines() if line.startswith("assets/edits.yaml")]
        self.assertTrue(lines, done.stdout + done.stderr)
        return lines[:-1], lines[-1]

    def test_an_edit_that_fits_nowhere(self):
        faults, counts = self.faults_with(f"  - id: never\n    match: tanh(tanh(_x))\n    put: _x\n{WORDS}")
        self.assertEqual(len(faults), 1, faults)
        self.assertIn(": never: no formula is changed by it", faults[0])
        self.assertIn("tanh(tanh(_x))", faults[0])
        self.assertTrue(counts.endswith("1 fault"), counts)

    def test_an_edit_that_changes_nothing(self):
        faults, _ = self.faults_with(f"  - id: same\n    match: _x @ _y\n    put: (_x @ _y) * 1\n{WORDS}")
        self.assertEqual(len(faults), 1, faults)
        self.assertIn(": same: it changes no numbers", faults[0])

    def test_one_that_an_earlier_one_makes(self):
        again = f"  - id: %s\n    match: _x @ _y\n    put: (_x @ _y) * 31\n{WORDS}"
        faults, _ = self.faults_with(again % "first" + again % "again")
        self.assertEqual([": again: no formula is changed" in fault for fault in faults], [True], faults)


if __name__ == "__main__":
    if not Path(ATTN).exists():
        sys.exit(77)
    unittest.main()
