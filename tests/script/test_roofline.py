#!/usr/bin/env python3
"""attn bench attention, the speed that attn check tells of exercise 17, and the ladder of attn solutions 17.

Nothing here asks how fast anything is: only relations that hold on a machine that is busy.
In the environment: ATTN is the program, else build/attn of this checkout.
"""
import json
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent.parent
ATTN = os.path.abspath(os.environ.get("ATTN", str(CHECKOUT / "build" / "attn")))
PROOF = CHECKOUT / "tests" / "exercises" / "17-fast-attention"
LADDER = ["plain loops", "loops in a better order", "blocks", "online softmax", "vectors"]
KERNELS = ["attn's kernel", "attn's kernel, one query"]


class Roofline(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="attn-roofline-")
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.env = {**os.environ, "XDG_STATE_HOME": holder.name, "XDG_CACHE_HOME": holder.name,
                    "OMP_NUM_THREADS": "2"}

    def attn(self, *arguments, code=0):
        done = subprocess.run([ATTN, *arguments], capture_output=True, text=True, cwd=self.folder, env=self.env,
                              timeout=250, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stdout + done.stderr

    def bench(self, *arguments, **options):
        return self.attn("bench", "attention", "--seconds", "0.1", "--size", "64", *arguments, **options)

    def copy(self, name, target="fast_attention.c"):
        (self.folder / target).write_bytes((PROOF / name).read_bytes())
        return target

    def test_points_and_limits(self):
        told = json.loads(self.bench(self.copy("right/turned_keys.c"), "--json", "--width", "24"))
        self.assertEqual((told["words"], told["width"]), (64, 24))
        names = [point["name"] for point in told["points"]]
        self.assertEqual(names, LADDER + ["yours"] + KERNELS + ["attn's kernel, threads"])
        roofs = {roof["threads"]: roof for roof in told["roofs"]}
        self.assertEqual(sorted(roofs), [1, 2])
        for point in told["points"]:
            roof = roofs[point["threads"]]
            limit = min(roof["peak_gflops"], point["operations_per_byte"] * roof["bandwidth_gb_per_s"])
            self.assertAlmostEqual(point["limit_gflops"] / limit, 1, places=3)
            by_memory = point["operations_per_byte"] < roof["ridge_operations_per_byte"]
            self.assertEqual(point["limited_by"], "memory" if by_memory else "arithmetic")
            self.assertAlmostEqual(point["operations"] / point["bytes"] / point["operations_per_byte"], 1, places=3)
            self.assertAlmostEqual(point["operations"] / point["seconds"] / 1e9 / point["gflops"], 1, places=3)
        # Two products of n * n * d multiplications and additions; what is not stored is not moved.
        by_name = {point["name"]: point for point in told["points"]}
        for name in LADDER + ["yours", "attn's kernel"]:
            self.assertEqual(by_name[name]["operations"], 4 * 64 * 64 * 24)
        self.assertEqual(by_name["attn's kernel"]["bytes"], 4 * 4 * 64 * 24)
        self.assertEqual(by_name["plain loops"]["bytes"], 4 * 4 * 64 * 24 + 4 * 4 * 64 * 64)
        self.assertEqual(by_name["attn's kernel, one query"]["limited_by"], "memory")

    def test_a_wrong_one_is_said_and_not_drawn(self):
        text = self.bench(self.copy("wrong/base-two.c", "mine.c"), "--threads", "1")
        flat = " ".join(text.split())
        self.assertIn("Yours (mine.c) is not in the picture: It runs, but the numbers are not right yet.", flat)
        self.assertIsNone(re.search(r"^\w yours", text, re.M))
        self.assertIn("There is one thread", flat)

    def test_one_that_does_not_compile(self):
        (self.folder / "broken.c").write_text("int x = ;\n", encoding="utf-8")
        self.assertIn("Yours (broken.c) is not in the picture", self.bench("broken.c", "--threads", "1"))

    def test_yours_is_found_in_the_folder_of_exercises(self):
        self.attn("start")
        text = " ".join(self.bench("--threads", "1").split())
        self.assertIn("17_fast_attention.c) is not in the picture", text)  # the starter
        self.copy("right/eight_sums.c", "attn-exercises/17_fast_attention.c")
        self.assertRegex(self.bench("--threads", "1"), r"(?m)^6 yours  ")

    def test_lines(self):
        text = self.bench("--threads", "1", "--ascii", "--svg", "roof.svg")
        self.assertTrue(text.isascii())
        self.assertTrue(all(len(line) <= 80 for line in text.splitlines()), text)
        self.assertNotIn("\x1b", text)
        for i, name in enumerate(LADDER + KERNELS):
            self.assertRegex(text, rf"(?m)^{i + 1} {re.escape(name)}  .* GFLOP/s")
        self.assertEqual(len(re.findall(r"(?:Memory|Arithmetic) limits it", text)), len(LADDER + KERNELS))
        self.assertIn("attn start makes", " ".join(text.split()))
        svg = (self.folder / "roof.svg").read_text(encoding="utf-8")
        self.assertTrue(svg.startswith("<svg ") and svg.rstrip().endswith("</svg>"))

    def test_without_a_compiler_there_are_the_kernels(self):
        self.env["PATH"] = "/nonexistent"
        self.env.pop("CC", None)
        text = self.bench("--threads", "1")
        self.assertRegex(text, r"(?m)^1 attn's kernel  ")
        self.assertRegex(text, r"(?m)^2 attn's kernel, one query  ")
        self.assertIn("The versions in C are not in the picture: ", " ".join(text.split()))

    def test_usage(self):
        for arguments in (["--size", "0"], ["--seconds", "never"], ["--nothing"], ["a.c", "b.c"], ["--threads"]):
            self.assertIn("attn: bench", self.attn("bench", "attention", *arguments, code=2))
        self.assertIn("nowhere.c", self.attn("bench", "attention", "nowhere.c", "--seconds", "0.1", code=3))

    def test_speed_and_ladder(self):
        self.attn("start")
        self.assertIn("not solved yet", self.attn("solutions", "17", code=1))
        self.copy("ladder/1_plain_loops.c", "attn-exercises/17_fast_attention.c")
        text = " ".join(self.attn("check", "17", code=1).split())
        self.assertIn("Your speed: ", text)
        self.assertIn("The next step is 2x.", text)
        self.assertNotIn("Reached:", text)
        self.copy("ladder/5_vectors.c", "attn-exercises/17_fast_attention.c")
        text = " ".join(self.attn("check", "17").split())
        self.assertRegex(text, r"Your speed: [\d.]+ times that of the plain loops, [\d.]+ of that of attn's kernel")
        self.assertIn("Reached: 2x", text)
        ladder = self.attn("solutions", "17")
        at = [ladder.index(f"{i + 1}. {name}\n") for i, name in enumerate(LADDER)]
        self.assertEqual(at, sorted(at))
        self.assertIn("an addition waits for the one before", " ".join(ladder.split()))
        self.assertNotIn("eight sums", ladder)
        self.assertIn("eight sums", self.attn("solutions", "17", "--all"))


if __name__ == "__main__":
    unittest.main()
