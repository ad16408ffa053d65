#!/usr/bin/env python3
"""Grades classes with the real compiler and sandbox: exit codes, reports, going on after a kill, and
the recipes of tools/recipes/ and tools/gradescope/ under what schools have.

Submissions are made from the proofs in tests/exercises/: a right solution passes, a wrong one has the
misconception it is named after. What this machine lacks is skipped with a word.

In the environment: ATTN is the program, else build/attn of this checkout; ATTN_DATA_DIR as always.
With ATTN_RUNNER (valgrind, say) nothing is tried: a sandbox can't be made under it.
"""
import collections
import csv
import hashlib
import io
import json
import os
import pty
import pwd
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent.parent
PROOFS = CHECKOUT / "tests" / "exercises"
MAKE_CLASS = CHECKOUT / "tests" / "bench" / "make_class.py"
RECIPES = CHECKOUT / "tools" / "recipes"
ATTN = os.path.abspath(os.environ.get("ATTN", str(CHECKOUT / "build" / "attn")))
SKIPPED = 77  # for meson
DOT = "float dot(size_t n, const float *a, const float *b)\n{\n    %s\n}\n"
RIGHT = DOT % "float sum = 0; for (size_t i = 0; i < n; i++) sum += a[i] * b[i]; return sum;"
CRASH = DOT % "(void)n; (void)a; (void)b; volatile float *p = 0; return *p;"
LEAVE = "#include <stdlib.h>\n" + DOT % "(void)n; (void)a; (void)b; exit(0);"
SPIN = DOT % "(void)n; (void)a; (void)b; for (volatile int i = 0;; i++) { }"
BROKEN = "float dot(size_t n, const float *a, const float *b) { return }\n"
WORDS = {"right": RIGHT, "crash": CRASH, "leave": LEAVE, "broken": BROKEN}


class Graded(unittest.TestCase):
    """A test in a folder of its own, in which `attn` is the program."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="attn-grade-", ignore_cleanup_errors=True)
        self.addCleanup(holder.cleanup)
        self.holder = Path(holder.name)
        self.folder = self.holder / "work"
        self.folder.mkdir()
        programs = Path(holder.name, "bin")
        programs.mkdir()
        starter = programs / "attn"
        starter.write_text(f'#!/bin/sh\nexec {shlex.quote(ATTN)} "$@"\n', encoding="utf-8")
        starter.chmod(0o755)
        for folder in (holder.name, programs, self.folder):
            os.chmod(folder, 0o755)
        self.environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}",
                            "LC_ALL": "C.UTF-8", "HOME": holder.name}
        self.environment.pop("ATTN", None)  # the recipes' word for a program of one's own

    def run_in(self, *arguments, code=0, **more):
        done = subprocess.run(list(map(str, arguments)), capture_output=True, check=False,
                              cwd=self.folder, env=self.environment, **more)
        stderr = done.stderr.decode(errors="replace")
        self.assertEqual(done.returncode, code, stderr + done.stdout.decode(errors="replace"))
        return done.stdout.decode("utf-8"), stderr

    def grade(self, *arguments, code=0):
        return self.run_in("attn", "grade", *arguments, code=code)

    def hand_in(self, path, source):
        path = self.folder / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, encoding="utf-8")

    def read(self, path="results.json"):
        return json.loads((self.folder / path).read_text(encoding="utf-8"))

    def make_class(self):
        """Three students and what they get."""
        self.hand_in("class/anna/dot.c", RIGHT)
        self.hand_in("class/bob/dot.c", CRASH)
        self.hand_in("class/bob/notes.txt", "none of our business")
        self.hand_in("class/c d'e \"$(x)/01_dot.c", LEAVE)
        return [("class/anna/dot.c", "anna", "pass"), ("class/bob/dot.c", "bob", "crash"),
                ("class/c d'e \"$(x)/01_dot.c", "c d'e \"$(x)", "exited_early")]

    def assert_class(self, report, wanted):
        self.assertEqual([(result["file"], result["student"], result["verdict"])
                          for result in report["results"]], wanted)


def same_but_time(report):
    """A report without what differs from run to run."""
    text = json.dumps(report)
    report = json.loads(text)
    for result in report["results"]:
        for key in ("time_ms", "cpu_ms", "memory_kib"):
            result.pop(key, None)
        result["message"] = re.sub(r"\d+(\.\d+)? ?(ms|s)\b", "T", result["message"])
    return report


class Grading(Graded):
    def test_exit_codes(self):
        self.hand_in("dot.c", RIGHT)
        self.hand_in("bob_dot.c", CRASH)
        _, stderr = self.grade("dot.c", code=0)
        self.assertEqual(stderr, "")
        self.grade("dot.c", "bob_dot.c", code=1)
        for wrong in (["nowhere.c"], [], ["dot.c", "--format", "xml"], ["dot.c", "--jobs", "0"],
                      ["dot.c", "--seed", "-1"], ["dot.c", "--seed", "9007199254740992"],
                      ["dot.c", "--exercise", "dott"], ["dot.c", "--resume"], ["dot.c", "--what"],
                      ["dot.c", "--output", "no/where"], ["dot.c", "--without", "fence"],
                      ["dot.c", "--format", "csv", "--format", "tap"]):
            self.grade(*wrong, code=2)
        self.grade("dot.c", "--compiler", "no-such-compiler", code=3)
        _, stderr = self.grade("dot.c", "--without", "seccomp", code=3)
        self.assertIn("--accept-weak-isolation", stderr)
        shown, _ = self.grade("dot.c", "--without", "seccomp", "--accept-weak-isolation", code=0)
        self.assertRegex(shown, r"(?m)^\[weak isolation\] pass")

    def test_the_seed_stays_with_who_grades(self):
        """It can come from a file, is in no list of processes, and reports are their owner's."""
        self.hand_in("dot.c", RIGHT)
        (self.folder / "seed").write_text("728193645501\n", encoding="utf-8")
        output = ("--format", "json", "--output", "r.json")
        self.grade("dot.c", "--seed-file", "seed", *output)
        self.assertEqual(self.read("r.json")["seed"], 728193645501)
        self.assertEqual((self.folder / "r.json").stat().st_mode & 0o777, 0o600)
        for text in ("", "7 8\n", "-1\n", "9007199254740992\n", "seven\n"):
            (self.folder / "seed").write_text(text, encoding="utf-8")
            _, said = self.grade("dot.c", "--seed-file", "seed", code=2)
            self.assertIn("it holds no seed", said)
        self.grade("dot.c", "--seed-file", "nowhere", code=2)
        for option in (["--seed", "728193645501"], ["--seed=728193645501"]):
            with subprocess.Popen(["attn", "grade", "dot.c", *option, *output], cwd=self.folder,
                                  env=self.environment, stderr=subprocess.DEVNULL) as grading:
                words = b""  # as long as it is not attn yet
                while grading.poll() is None and (words == b"" or b"728193645501" in words):
                    words = Path(f"/proc/{grading.pid}/cmdline").read_bytes()
                self.assertIsNone(grading.poll(), words)
                self.assertIn(b"xxxxxxxxxxxx", words)
                grading.wait()

    def test_a_report_that_was_handed_in_is_not_gone_on_from(self):
        self.hand_in("class/anna/dot.c", CRASH)
        forged = ("--resume", "--format", "json", "--output")
        for place in ("class/anna/results.json", "class/results.json"):
            _, said = self.grade("class", *forged, place, code=2)
            self.assertIn("a student may have handed it in", said)
        self.grade("class/anna/dot.c", *forged, "results.json", code=1)
        (self.folder / "results.json").unlink()
        os.mkfifo(self.folder / "results.json.partial")  # which nobody writes to
        self.grade("class", *forged, "results.json", code=1)

    def test_every_case_counts(self):
        """A case with its own limit of memory too, when others are wrong."""
        wrong = (CHECKOUT / "tests/exercises/16-online-softmax/right/running_maximum.c").read_text()
        self.hand_in("online_softmax.c", wrong.replace("sqrtf(", "1.5f * sqrtf("))
        self.grade("online_softmax.c", "--format", "json", "--output", "wrong.json", code=1)
        self.hand_in("online_softmax.c", wrong)
        self.grade("online_softmax.c", "--format", "json", "--output", "right.json")
        names = [{re.sub(r" \(.*", "", case["name"]) for case in self.read(f"{name}.json")["results"][0]["cases"]}
                 for name in ("wrong", "right")]
        self.assertEqual(*names)
        self.assertIn("200000 keys in little memory", names[0])

    def test_a_refusal_names_what_is_needed(self):
        """And nothing that is missing here and would not help."""
        self.hand_in("dot.c", RIGHT)
        for without, needs in ((["seccomp"], "seccomp"), (["rlimits", "seccomp"], "rlimits and seccomp"),
                               (["landlock", "root"], "either root, or landlock"),
                               (["seccomp", "namespaces"], "seccomp")):
            options = [word for layer in without for word in ("--without", layer)]
            _, stderr = self.grade("dot.c", *options, code=3)
            self.assertIn(f"it needs {needs}. Not graded", stderr)
            reasons = stderr.split("\n", 1)[1]
            self.assertEqual({line.split(":")[0] for line in reasons.splitlines()},
                             set(re.findall("seccomp|rlimits|root|landlock", needs)), stderr)

    def test_near_the_memory_limit(self):
        """Nine tenths of the limit pass, eleven tenths are told the limit, however memory is asked for. Where no
        control group counts what is used, the limit is that of the addresses."""
        table, _ = self.grade("--limits")
        self.hand_in("right/dot.c", RIGHT)
        self.grade("right", "--format", "json", "--output", "results.json")
        grouped = "cgroup" in self.read()["sandbox"]
        run = {name: int(re.search(rf"(?m)^{name} +\d+ MiB +(\d+) MiB", table)[1])
               for name in ("address space", "memory", "stack")}
        limit = min(run["address space"], run["memory"]) if grouped else run["address space"]
        ways = {  # each is filled at the first call and kept, in blocks of 4096 bytes
            "block": "static char *p; size_t size = ALL; if (p == NULL) { p = malloc(size); FILL }",
            "variable": "static char p[ALL]; size_t size = ALL; if (p[0] == 0) { FILL }",
            "many": "static char *all[ALL >> 20]; size_t size = 1 << 20; if (all[0] == NULL) "
                    "for (size_t i = 0; i < ALL >> 20; i++) { char *p = all[i] = malloc(size); FILL }",
            "aligned": "static char *p; size_t size = ALL; if (p == NULL) { p = aligned_alloc(4096, size); FILL }",
            "checked": "static char *p; size_t size = ALL; if (p == NULL) { p = malloc(size); "
                       "if (p == NULL) return 0; FILL }"}
        for name, way in ways.items():
            for tenths in (9, 11):
                code = way.replace("ALL", f"((size_t){limit * tenths // 10} << 20)").replace(
                    "FILL", "for (size_t k = 0; k < size; k += 4096) p[k] = 1;")
                self.hand_in(f"{tenths}/{name}/dot.c", "#include <stdlib.h>\n" + DOT % (
                    code + " float sum = 0; for (size_t k = 0; k < n; k++) sum += a[k] * b[k]; return sum;"))
        stack = run["stack"] * 1024 * 1024
        for tenths in (9, 11):
            self.hand_in(f"{tenths}/stack/dot.c", DOT % (
                f"volatile char p[{stack // 10 * tenths}]; for (size_t k = sizeof p; k > 4096; k -= 4096) p[k - 1] = 1; "
                "float sum = 0; for (size_t k = 0; k < n; k++) sum += a[k] * b[k]; return sum;"))
        self.grade("9", "--jobs", 1, "--format", "json", "--output", "9.json")
        self.grade("11", "--jobs", 1, "--format", "json", "--output", "11.json", code=1)
        self.assertEqual({result["student"]: (result["verdict"], result["score"])
                          for result in self.read("9.json")["results"]},
                         dict.fromkeys([*ways, "stack"], ("pass", 10)))
        for result in self.read("9.json")["results"]:
            if "memory_kib" in result and result["student"] != "stack":
                self.assertGreaterEqual(result["memory_kib"], limit * 9 // 10 * 1024)
        for result in self.read("11.json")["results"]:
            with self.subTest(result["student"]):
                verdict, told = {
                    "stack": ("crash", f"stack overflow: more than {run['stack']} MiB"),
                    "checked": ("memory_limit" if grouped else "wrong_answer", f"{limit} MiB"),
                }.get(result["student"], ("memory_limit", f"{limit} MiB is the limit"))
                self.assertEqual(result["verdict"], verdict)
                self.assertIn(told, " ".join(result["message"].split()))
        self.hand_in("dot.c", "#include <stdlib.h>\n" + DOT % (
            ways["block"].replace("ALL", f"((size_t){limit * 9 // 10} << 20)").replace(
                "FILL", "for (size_t k = 0; k < size; k += 4096) p[k] = 1;") +
            "volatile float *none = NULL; return a[0] + b[0] + n + *none;"))  # memory is not the reason
        self.grade("dot.c", "--format", "json", "--output", "results.json", code=1)
        self.assertEqual(self.read()["results"][0]["verdict"], "crash")

    def test_what_the_machine_lacks_is_named(self):
        """Whatever runs out first, at whichever step: descriptors from a few up to enough."""
        self.make_class()
        words = "too few open files are allowed (ulimit -n)"
        graded = 0
        for limit in range(8, 40, 3):
            done = subprocess.run(["sh", "-c", f"ulimit -n {limit}; exec attn grade class/anna --jobs 1"],
                                  cwd=self.folder, env=self.environment, capture_output=True, check=False, text=True)
            said = done.stdout + done.stderr
            self.assertIn(done.returncode, (0, 2, 3), said)
            self.assertNotIn("does not hold", said)
            if "internal_error" in done.stdout:
                self.assertIn(words, done.stdout)
                graded += 1
            elif done.returncode == 3:
                self.assertIn("open files", said)
        self.assertGreater(graded, 0)

    def test_a_class(self):
        wanted = self.make_class()
        self.grade("class", "--seed", 5, "--format", "json", "--output", "results.json", "--format",
                   "csv", "--output", "points.csv", "--format", "text", code=1)
        report = self.read()
        self.assert_class(report, wanted)
        self.assertEqual(list(report), ["schema", "seed", "sandbox", "results", "exercises"])
        self.assertEqual((report["schema"], report["seed"]), ("attn-grade/1", 5))
        self.assertIn("rlimits", report["sandbox"])
        self.assertEqual([(result["score"], result["max_score"]) for result in report["results"]],
                         [(10, 10), (0, 10), (0, 10)])
        rows = list(csv.DictReader((self.folder / "points.csv").open(encoding="utf-8", newline="")))
        self.assertEqual([row["verdict"] for row in rows], [verdict for _, _, verdict in wanted])
        passed = next(result for result in report["results"] if result["verdict"] == "pass")
        self.assertGreater(passed["cpu_ms"], 1)  # the compiler alone takes more
        self.assertLess(passed["cpu_ms"], 60000)
        self.assertTrue(100 < passed["memory_kib"] < 100000, passed)  # a small static program
        for row, result in zip(rows, report["results"]):
            self.assertEqual(row["cpu_ms"], f"{result['cpu_ms']:.3f}" if "cpu_ms" in result else "")
        shown, _ = self.run_in("attn", "report", "results.json")
        self.assertIn("1 of 3 files pass, of 3 students", shown)

    def test_proofs_pass_and_are_named(self):
        wanted = []
        for proof in sorted(PROOFS.glob("*/wrong/*.c"))[:12]:
            exercise = proof.parent.parent.name[3:]
            ideas = proof.name[:-2].split(".")[0].split("+")
            shutil.copy(proof, self.folder / f"{len(wanted):02}_{exercise}.c")
            wanted.append(sorted(ideas))
        self.grade(".", "--format", "json", "--output", "results.json", code=1)
        for result, ideas in zip(self.read()["results"], wanted):
            self.assertNotEqual(result["verdict"], "pass", result["file"])
            self.assertEqual(sorted(idea["id"] for idea in result["misconceptions"]), ideas)

    def test_mistakes_that_nobody_foresaw_are_counted_over_a_class(self):
        """Edits of the right formula, and pairs of them, as often as somebody made them."""
        sum_of = "float sum = 0; for (size_t i = 0; i < n; i++) sum += %s; return sum;"
        positive = DOT % (sum_of % "a[i] * b[i] > 0 ? a[i] * b[i] : 0")
        twice = DOT % (sum_of.replace("return sum", "return 2 * sum") % "a[i] * b[i]")
        mean_of_quotients = DOT % (sum_of.replace("return sum", "return sum / (float)n") % "a[i] / b[i]")
        for student, source in (("anna", positive), ("bob", positive), ("carl", twice), ("dora", mean_of_quotients),
                                ("eve", RIGHT)):
            self.hand_in(f"class/{student}/dot.c", source)
        self.grade("class", "--seed", 3, "--format", "json", "--output", "results.json", code=1)
        foreseen = (CHECKOUT / "exercises" / "01-dot" / "exercise.yaml").read_text(encoding="utf-8")
        found = {result["student"]: [idea["id"] for idea in result["misconceptions"]]
                 for result in self.read()["results"]}
        self.assertEqual({student: len(ids) for student, ids in found.items()},
                         {"anna": 1, "bob": 1, "carl": 1, "dora": 2, "eve": 0}, found)
        for ids in found.values():
            for idea in ids:
                self.assertNotIn(f"id: {idea}\n", foreseen)
        counts = collections.Counter(idea for ids in found.values() for idea in ids)
        shown, _ = self.run_in("attn", "report", "results.json")
        told = shown.split("What the wrong numbers show\n")[1].split("\n\n")[0]
        self.assertEqual({name: int(n) for n, name in re.findall(r"(?m)^ +(\d+)  (\S+)  in dot$", told)}, counts)
        self.assertEqual(counts[found["anna"][0]], 2)

    def test_thousands_of_files_are_too_many(self):
        """The others are graded as ever, and nobody waits."""
        self.hand_in("class/anna/dot.c", RIGHT)
        (self.folder / "class" / "eve").mkdir()
        for number in range(10000):
            os.symlink("../anna/dot.c", f"{self.folder}/class/eve/{number:05}_dot.c")
        done = subprocess.run(["attn", "grade", "class", "--seed", "1", "--format", "json", "--output",
                               "results.json"], cwd=self.folder, env=self.environment, check=False,
                              capture_output=True, timeout=300)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.decode(), "attn: class/eve: more files than one student may hand in: the first "
                         "200 by name are graded, the 9800 after class/eve/00199_dot.c are left out\n")
        report = self.read()
        self.assertEqual([result["verdict"] for result in report["results"] + report["duplicates"]],
                         ["pass"] + 200 * ["bad_file"])

    def test_progress_is_for_terminals(self):
        self.make_class()
        reader, terminal = pty.openpty()
        done = subprocess.run(["attn", "grade", "class", "--output", "results.txt"], stderr=terminal,
                              cwd=self.folder, env=self.environment, check=False)
        shown = os.read(reader, 10000).decode()
        os.close(terminal)
        os.close(reader)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(shown, r"^\r[#-]+ \d of 3, \d+\.\d a second, \d+ s left")
        self.assertRegex(shown, r"\r +\rattn: the seed was \d+; [^\r\n]+\r\n$")  # the bar is taken away
        _, stderr = self.grade("class", "--output", "results.txt", code=1)
        self.assertEqual(stderr, "")

    def test_odd_files(self):
        self.hand_in("class/anna/dot.c", RIGHT)
        self.hand_in("class/big/dot.c", "x" * (1 << 20))
        (self.folder / "class" / "link").mkdir()
        (self.folder / "class" / "link" / "dot.c").symlink_to("../anna/dot.c")
        (self.folder / "class" / "pipe").mkdir()
        os.mkfifo(self.folder / "class" / "pipe" / "dot.c")
        (self.folder / "class" / "whole").symlink_to("anna")
        strange = os.fsencode(self.folder) + b"/class/\xff\n\x1b[2J;-rf"
        os.mkdir(strange)
        Path(os.fsdecode(strange), "dot.c").write_text(RIGHT, encoding="utf-8")
        shown, _ = self.grade("class", "--format", "json", "--output", "results.json", "--format",
                              "text", code=1)
        self.assertNotIn("\x1b", shown)
        got = {result["student"]: (result["verdict"], result["detail"])
               for result in self.read()["results"]}
        self.assertEqual(got, {"anna": ("pass", ""), "big": ("bad_file", "too large"),
                               "link": ("bad_file", "symlink"), "whole": ("bad_file", "symlink"),
                               "pipe": ("bad_file", "not a regular file"),
                               "\\xff\\x0a\\x1b[2J;-rf": ("pass", "")})

    def test_the_seed_is_drawn_and_told(self):
        self.hand_in("dot.c", RIGHT)
        seeds = set()
        for name in ("a.json", "b.json"):
            self.grade("dot.c", "--format", "json", "--output", name)
            seeds.add(self.read(name)["seed"])
        self.assertEqual(len(seeds), 2)
        self.grade("dot.c", "--format", "json", "--output", "c.json", "--seed", min(seeds))
        self.assertEqual(self.read("c.json")["seed"], min(seeds))

    def test_the_seed_is_for_instructors(self):
        """It is in the json, and on a terminal (see test_progress_is_for_terminals); nowhere else."""
        self.hand_in("dot.c", RIGHT)
        formats = ("text", "junit", "tap", "gradescope", "classroom50", "autolab", "csv")
        for name in formats:
            shown, stderr = self.grade("dot.c", "--seed", 7461926530, "--format", name)
            self.assertNotRegex(shown + stderr, "(?i)7461926530|seed")

    def message(self, *options):
        self.grade("dot.c", "--seed", 12, "--format", "json", "--output", "results.json", *options, code=1)
        return self.read()["results"][0]["message"]

    def test_drawn_inputs_are_not_told(self):
        """Neither by attn nor by the program itself, whatever goes wrong; what is drawn is learnt here from a
        program that prints it, with --show-inputs."""
        sums = "float sum = 0; for (size_t i = 0; i < n; i++) sum += a[i] * b[i]; "
        prints = ('if (n == 37) for (size_t i = 0; i < 5; i++) printf("%.6g %.6g\\n", (double)a[i], (double)b[i]); ')
        self.hand_in("dot.c", "#include <stdio.h>\n" + DOT % (prints + sums + "return sum + (n == 37);"))
        shown = self.message("--show-inputs")
        numbers = re.findall(r"-?\d\.\d{4,}", shown.split("It printed:")[1].split("dot")[0])[:10]
        self.assertEqual(len(numbers), 10, shown)
        drawn = re.compile("|".join(re.escape(number[:7]) for number in numbers))
        message = self.message()
        self.assertRegex(message, r'In "longer vectors":\n  dot should return \S+; yours returned \S+\n  Sizes: n 37\n')
        self.assertRegex(message, r"It printed \d+ bytes, which are not shown\.")
        self.assertNotRegex(message, drawn)
        report = "dot.c:3:1: runtime error: "
        faults = ("return a[n];", "((float *)a)[0] = 1; return sum;", "abort();", "exit(0);",
                  "return sum / (float)(sum - sum);", "for (volatile int i = 0;; i++) { }",
                  f'fprintf(stderr, "{report}%g %g %g\\n", a[0], a[1], a[2]); abort();')
        for number, fault in enumerate(faults):
            self.hand_in(f"class/{number}/dot.c", "#include <stdio.h>\n#include <stdlib.h>\n" +
                         DOT % (sums + prints + f"if (n == 37) {{ {fault} }} return sum;"))
        self.grade("class", "--seed", 12, "--format", "json", "--output", "results.json", code=1)
        self.assertEqual([result["verdict"] for result in self.read()["results"]],
                         ["out_of_bounds", "modified_inputs", "crash", "exited_early", "non_finite", "time_limit",
                          "crash"])
        for result in self.read()["results"]:
            self.assertNotRegex(result["message"], drawn)

    def test_fixed_inputs_are_shown(self):
        """They stand in exercise.yaml, for everybody to read."""
        self.hand_in("dot.c", DOT % "float sum = 0; for (size_t i = 0; i < n; i++) sum += a[i] + b[i]; return sum;")
        message = self.message()
        self.assertIn('In "one number each":\n  dot should return -7.5; yours returned 0.5\n', message)
        self.assertIn("a[0] * b[0]\n    = 3 * (-2.5)\n", message)

    def test_a_seed_whose_inputs_are_shown_is_spent(self):
        self.hand_in("dot.c", CRASH)
        _, stderr = self.grade("dot.c", "--show-inputs", code=1)
        self.assertIn("the seed is spent", stderr)
        _, stderr = self.grade("dot.c", code=1)
        self.assertEqual(stderr, "")

    def test_nothing_that_is_shown_is_a_command_to_a_runner(self):
        """GitHub's runner takes "::" at the first of a line that is no blank, "##[" anywhere in it."""
        commands = ["::error::yours", "  ::set-output name=score::10", "##[error]yours", "::stop-commands::x",
                    "a ##[warning]b", "##vso[task.complete]"]
        printed = "".join(command + "\\n" for command in commands)
        self.hand_in("class/bob/dot.c", "#include <stdio.h>\n" +
                     DOT % f'(void)n; (void)a; (void)b; printf("{printed}"); return 1;')
        self.hand_in("class/::error::##[error]eve/dot.c",
                     "".join(f"#error {command}\n" for command in commands) + BROKEN)
        self.hand_in("class/eve/::error::##[error]x.c", BROKEN)
        self.hand_in("class/carl/scale-scores.c", "\n".join(commands))
        outputs = []
        for name in ("text", "json", "junit", "tap", "gradescope", "classroom50", "autolab", "csv"):
            outputs += self.grade("class", "--format", name, code=1)
        for student in sorted(os.listdir(self.folder / "class")):
            outputs += self.grade(f"class/{student}", code=2 if student == "eve" else 1)
        self.grade("class", "--format", "json", "--output", "results.json", code=1)
        outputs += self.run_in("attn", "report", "results.json")
        for line in "".join(outputs).splitlines():
            self.assertNotRegex(line, r"^\s*::|##\[|##vso\[")

    def test_without_names(self):
        self.hand_in("class/annabel/dot.c", RIGHT)
        self.hand_in("class/bobby/bobby_dot.c", BROKEN)
        shown, _ = self.grade("class", "--anonymous", "key", "--format", "json", code=1)
        self.assertNotRegex(shown, "(?i)annabel|bobby")
        self.assertEqual(len({result["student"] for result in json.loads(shown)["results"]}), 2)
        self.grade("class", "--anonymous", "key", "--resume", "--format", "json", "--output", "r.json", code=2)

    def test_jobs_change_nothing(self):
        self.make_class()
        reports = []
        for jobs in (1, 3):
            self.grade("class", "--jobs", jobs, "--seed", 5, "--format", "json", "--output",
                       "results.json", code=1)
            reports.append(same_but_time(self.read()))
        self.assertEqual(reports[0], reports[1])

    def test_who_reads_the_report_may_go(self):
        """Files are whole and the exit code is the verdicts', whoever reads standard output."""
        for source, code in ((RIGHT, 0), (CRASH, 1)):
            self.hand_in("class/anna/dot.c", RIGHT)
            self.hand_in("class/bob/dot.c", source)
            reader, writer = os.pipe()
            os.close(reader)
            done = subprocess.run(["attn", "grade", "class", "--format", "text", "--format", "json",
                                   "--output", "results.json"], stdout=writer,
                                  stderr=subprocess.PIPE, cwd=self.folder, env=self.environment,
                                  check=False)
            os.close(writer)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn(b"standard output: can't be written", done.stderr)
            self.assertEqual(len(self.read()["results"]), 2)

    def test_ignored_ends_of_children_are_seen(self):
        self.hand_in("dot.c", RIGHT)
        self.run_in("attn", "grade", "dot.c", timeout=1000,
                    preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))

    def test_nothing_is_left_behind(self):
        self.hand_in("class/a/dot.c", SPIN)
        self.hand_in("class/b/dot.c", "#include <unistd.h>\n" + DOT %
                     "(void)n; (void)a; (void)b; if (fork() == 0) for (;;) pause(); return 0;")
        temporary = self.folder.parent / "tmp"
        temporary.mkdir(mode=0o777)
        self.environment["TMPDIR"] = str(temporary)
        self.grade("class", "--format", "json", "--output", "results.json", code=1)
        self.assertEqual([result["verdict"] for result in self.read()["results"]],
                         ["time_limit", "forbidden_syscall"])
        self.assertEqual(os.listdir(temporary), [])
        self.assertEqual(sorted(os.listdir(self.folder)), ["class", "results.json"])


class Resuming(Graded):
    COUNT = 40

    def make_many(self):
        words = list(WORDS.values())
        for number in range(self.COUNT):
            self.hand_in(f"class/s{number:03}/dot.c", words[number % 4])

    def start(self, name):
        with open(self.folder / "stderr", "wb") as stderr:
            return subprocess.Popen(["attn", "grade", "class", "--jobs", "2", "--seed", "7",
                                     "--format", "json", "--output", name, "--resume"],
                                    cwd=self.folder, env=self.environment, stderr=stderr,
                                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def wait_for(self, process, name, count):
        """Until the report holds so many results; it is whole whenever it is looked at."""
        until = time.monotonic() + 120
        while process.poll() is None and time.monotonic() < until:
            if (self.folder / name).exists() and len(self.read(name)["results"]) >= count:
                return
            time.sleep(0.02)
        self.fail(f"no results came: {(self.folder / 'stderr').read_text(encoding='utf-8')}")

    def test_killed_and_resumed_is_the_same_as_in_one_go(self):
        self.make_many()
        self.grade("class", "--jobs", 2, "--seed", 7, "--format", "json", "--output", "whole.json",
                   code=1)
        for how, at in ((signal.SIGKILL, self.COUNT // 4), (signal.SIGTERM, self.COUNT // 2)):
            before = len(self.read("parts.json")["results"]) if (self.folder / "parts.json").exists() else 0
            process = self.start("parts.json")
            self.wait_for(process, "parts.json", max(at, before + 1))
            process.send_signal(how)
            self.assertEqual(process.wait(30), -how if how == signal.SIGKILL else 3)
            self.assertLess(len(self.read("parts.json")["results"]), self.COUNT)
        self.assertEqual(self.start("parts.json").wait(120), 1)
        self.assertEqual(same_but_time(self.read("parts.json")),
                         same_but_time(self.read("whole.json")))
        self.assertEqual([name for name in os.listdir(self.folder) if "attn" in name], [])

    def n_results(self, name):
        """So many results are in the report or beside it."""
        n = 0
        for path in (self.folder / name, self.folder / f"{name}.partial"):
            if path.exists():
                n += len(re.findall(r'"source_sha256": ', path.read_text(encoding="utf-8")))
        return n

    def test_a_class_killed_twice_is_the_same_as_in_one_go(self):
        subprocess.run([sys.executable, MAKE_CLASS, self.folder, "--students", "24", "--exercises", "3"], check=True)
        self.grade("class", "--seed", 7, "--format", "json", "--output", "whole.json", code=1)
        whole = self.read("whole.json")
        self.assertGreater(len(whole["results"]), 50)
        for at in (15, 30):
            process = self.start("parts.json")
            until = time.monotonic() + 120
            while process.poll() is None and self.n_results("parts.json") < at and time.monotonic() < until:
                time.sleep(0.02)
            process.kill()
            self.assertEqual(process.wait(30), -signal.SIGKILL)
            self.assertTrue((self.folder / "parts.json.partial").exists())
        self.assertEqual(self.start("parts.json").wait(120), 1)
        self.assertEqual(same_but_time(self.read("parts.json")), same_but_time(whole))
        # Who is killed while a file is written leaves it under its temporary name.
        left = sorted(name for name in os.listdir(self.folder) if not name.startswith(".attn-"))
        self.assertEqual(left, ["class", "class.csv", "parts.json", "stderr", "whole.json"])

    def make_partial(self, seed_shift, tail):
        """The report loses its first two results to the file beside it, where they are marked."""
        report = self.read()
        lost, report["results"] = report["results"][:2], report["results"][2:]
        (self.folder / "results.json").write_text(json.dumps(report), encoding="utf-8")
        head = {"schema": report["schema"], "seed": report["seed"] + seed_shift, "sandbox": report["sandbox"]}
        lines = [json.dumps({**result, "message": "marked"}) for result in lost]
        path = self.folder / "results.json.partial"
        path.write_text(json.dumps(head)[:-1] + ', "results": [\n' + ",\n".join(lines) + tail, encoding="utf-8")
        return path

    def test_what_is_beside_the_report_is_not_graded_again(self):
        for student in ("anna", "bob", "carl"):
            self.hand_in(f"class/{student}/dot.c", RIGHT)
        resume = ("class", "--format", "json", "--output", "results.json", "--resume")
        self.grade(*resume)
        for tail in (',\n{"file": "class/carl/dot.c", "stud', ",\n", ""):
            path = self.make_partial(0, tail)
            self.grade(*resume)
            self.assertEqual([(result["student"], result["message"]) for result in self.read()["results"]][:2],
                             [("anna", "marked"), ("bob", "marked")])
            self.assertFalse(path.exists())
            self.assertFalse(self.read().get("complete") is False)
        # Alone it is enough.
        path = self.make_partial(0, ",\n")
        (self.folder / "results.json").unlink()
        self.grade(*resume)
        self.assertEqual([result["message"] == "marked" for result in self.read()["results"]], [True, True, False])
        # Of another run, or no such file: it is as if it were not there.
        for shift, words in ((1, None), (0, "{"), (0, "")):
            path = self.make_partial(shift, "")
            if words is not None:
                path.write_text(words, encoding="utf-8")
            self.grade(*resume)
            self.assertNotIn("marked", [result["message"] for result in self.read()["results"]])
            self.assertEqual(len(self.read()["results"]), 3)
            self.assertFalse(path.exists())

    def mark_first_result(self):
        """A result that is graded again loses this message."""
        report = self.read()
        report["results"][0]["message"] = "marked"
        (self.folder / "results.json").write_text(json.dumps(report), encoding="utf-8")

    def test_what_has_changed_is_graded_again(self):
        output = ("--format", "json", "--output", "results.json", "--resume")
        for student in ("anna", "bob", "carl"):
            self.hand_in(f"class/{student}/dot.c", RIGHT)
        self.grade("class", *output)
        result = self.read()["results"][0]
        self.assertEqual(result["source_sha256"],
                         hashlib.sha256(RIGHT.encode()).hexdigest())
        self.assertEqual(len(result["exercise_sha256"]), 64)
        self.assertIn(result["attn"], self.run_in("attn", "--version")[0])

        self.hand_in("class/anna/dot.c", CRASH)
        shutil.rmtree(self.folder / "class" / "carl")
        _, said = self.grade("class", *output, code=1)
        self.assertIn("1 file has changed", said)
        self.assertIn("1 file is no longer there", said)
        self.assertEqual([(result["student"], result["verdict"])
                          for result in self.read()["results"]],
                         [("anna", "crash"), ("bob", "pass")])
        for key, why in (("exercise_sha256", "for exercises that have changed"),
                         ("attn", "graded by another attn")):
            report = self.read()
            for result in report["results"]:
                result.update({key: "0", "message": "marked"})
            (self.folder / "results.json").write_text(json.dumps(report), encoding="utf-8")
            self.assertIn(why, self.grade("class", *output, code=1)[1])
            self.assertNotIn("marked", [result["message"] for result in self.read()["results"]])

    def test_copies_of_one_exercise_do_not_add_up(self):
        for name in ("dot.c", "a_dot.c", "hw/dot.c"):
            self.hand_in(name, RIGHT)
        names = ("dot.c", "a_dot.c", "hw/dot.c")
        root = json.loads(self.grade(*names, "--format", "gradescope")[0])
        self.assertEqual(root["score"], 10)
        self.assertEqual([test["max_score"] for test in root["tests"]], [10])
        self.assertIn("2 more files", root["output"])
        root = json.loads(self.grade(*names, "--format", "classroom50")[0])
        self.assertEqual((root["score"], root["max-score"]), (10, 10))
        self.hand_in("dot.c", BROKEN) # the best of them counts
        root = json.loads(self.grade(*names, "--format", "gradescope")[0])
        self.assertEqual((root["score"], root["tests"][0]["name"]), (10, "dot (a_dot.c)"))

    def test_what_is_there_is_not_graded_again(self):
        self.hand_in("class/anna/dot.c", RIGHT)
        self.hand_in("class/bob/dot.c", RIGHT)
        output = ("--format", "json", "--output", "results.json", "--resume")
        self.grade("class/anna", "--student", "anna", *output)
        self.mark_first_result()
        seed = self.read()["seed"]
        self.grade("class", *output)
        report = self.read()
        self.assertEqual(report["seed"], seed)
        self.assertEqual([result["verdict"] for result in report["results"]], ["pass", "pass"])
        self.assertEqual(report["results"][0]["message"], "marked")
        # Results of files that are not named this time stay.
        self.hand_in("class/carl/dot.c", CRASH)
        self.grade("class/carl", "--student", "carl", *output, code=1)
        self.assertEqual([result["student"] for result in self.read()["results"]],
                         ["anna", "bob", "carl"])
        self.grade("class", "--seed", seed + 1, *output, code=2)
        self.assertEqual(len(self.read()["results"]), 3)
        (self.folder / "results.json").write_text("{", encoding="utf-8")
        self.grade("class", *output, code=3)
        self.assertEqual((self.folder / "results.json").read_text(encoding="utf-8"), "{")


class Assignments(Graded):
    """What counts in the end: assignment.yaml, a class list, dates, points set by hand."""

    def setUp(self):
        super().setUp()
        (self.folder / "hw.yaml").write_text("""title: Try
exercises:
  - {id: dot, points: {basics: 4, sizes: 2}}
  - {id: attention-scores, points: 3, file: scores.c, all_or_nothing: true}
due: 2026-03-01 12:00 Z
late: {minutes_of_grace: 10, percent_a_day: 10, days: 3}
""", encoding="utf-8")
        (self.folder / "class.csv").write_text(
            "Name,Login,E-mail,ID\nAnn Sample,asample,ann@example.org,7\n"
            "Bob,bob,,8\nCarl,carl,,9\n", encoding="utf-8")

    def hand_in_at(self, path, source, day):
        self.hand_in(path, source)
        os.utime(self.folder / path, (day * 86400 + 1772366400,) * 2)  # 2026-03-01 12:00 UTC

    def points(self, *arguments, code=1):
        output, said = self.grade("--assignment", "hw.yaml", "--roster", "class.csv", *arguments,
                                  "--format", "json", code=code)
        return {(result["student"], result["exercise"]): (result["verdict"], result["score"],
                                                          result["max_score"])
                for result in json.loads(output)["results"]}, said

    def test_points_dates_and_who_is_missing(self):
        self.hand_in_at("class/Ann Sample_12_assignsubmission_file_/dot.c", RIGHT, -1)
        self.hand_in_at("class/bob/src/dot (1).c", RIGHT, 1.5)
        self.hand_in_at("class/bob/scores.c", "int x;\n", -1)
        self.hand_in_at("class/bob/softmax_rows.c", "int x;\n", -1)
        points, said = self.points("class")
        self.assertEqual(points, {
            ("asample", "dot"): ("pass", 6, 6), ("bob", "dot"): ("pass", 4.8, 6),
            ("bob", "attention-scores"): ("link_error", 0, 3),
            ("asample", "attention-scores"): ("missing", 0, 3),
            ("carl", "dot"): ("missing", 0, 6), ("carl", "attention-scores"): ("missing", 0, 3)})
        self.assertIn("softmax_rows.c", said)  # left out
        text, _ = self.grade("class", "--assignment", "hw.yaml", "--roster", "class.csv", code=1)
        self.assertRegex(text, r"missing +0 of 6 +dot \(carl\)")
        page, _ = self.grade("class", "--assignment", "hw.yaml", "--format", "html", code=1)
        self.assertIn("<h1>Try</h1>", page)
        self.assertRegex(text, r"pass +4\.8 of 6 +dot \(class/bob/src/dot \(1\)\.c\)\. "
                               r"2 days late: 20 % less")

    def test_strangers_are_graded_and_said(self):
        self.hand_in_at("class/dora/dot.c", RIGHT, -1)
        points, said = self.points("class", code=3)
        self.assertEqual(points[("dora", "dot")], ("pass", 6, 6))
        self.assertIn("not on the class list, or not clear who: dora", said)

    def test_strange_logins_are_one_row(self):
        """Backslash, tab, a direction mark, and decomposed letters as macOS writes folders."""
        logins = ["back\\slash", "a\ttab", "right\u202e", "Jose\u0301"]
        listed = logins[:3] + ["Jos\u00e9"]
        (self.folder / "class.csv").write_text("login\n" + "\n".join(listed) + "\n", encoding="utf-8")
        for login in logins:
            self.hand_in_at(f"class/{login}/dot.c", RIGHT, -1)
        output, said = self.grade("class", "--roster", "class.csv", "--format", "table")
        rows = list(csv.DictReader(io.StringIO(output)))
        self.assertEqual([(row["login"], row["dot"]) for row in rows],
                         [("back\\x5cslash", "10"), ("a\\x09tab", "10"),
                          ("right\\xe2\\x80\\xae", "10"), ("Jos\u00e9", "10")])
        self.assertEqual(said, "")
        for part in (1, 2, 3):  # and in one part of a class
            self.grade("class", "--roster", "class.csv", "--part", f"{part}/3", "--seed", 5, "--format",
                       "json", "--output", f"{part}.json")
        output, _ = self.run_in("attn", "report", "merge", "1.json", "2.json", "3.json", "--format",
                                "table")
        self.assertEqual([row["total"] for row in csv.DictReader(io.StringIO(output))], ["10"] * 4)

    def test_marks_of_direction_are_no_part_of_a_name(self):
        (self.folder / "class.csv").write_text(
            "login,name,email\nanna\u200e,\u200eAnna Alm,anna@example.org\u200f\nbob,Bob,\n"
            "\u05d3\u05e0\u05d4,\u05d3\u05e0\u05d4 \u05db\u05d4\u05df,\n", encoding="utf-8")
        self.hand_in_at("class/\u200eanna/dot.c", RIGHT, -1)
        self.hand_in_at("class/bob\u200f/dot\u200e.c", RIGHT, -1)
        self.hand_in_at("class/\u05d3\u05e0\u05d4\u200f/\u200edot.c", RIGHT, -1)
        wanted = [("anna", "Anna Alm", "anna@example.org", "10"), ("bob", "Bob", "", "10"),
                  ("\u05d3\u05e0\u05d4", "\u05d3\u05e0\u05d4 \u05db\u05d4\u05df", "", "10")]

        def rows(table):
            return [tuple(row.get(name) for name in ("login", "name", "email", "dot"))
                    for row in csv.DictReader(io.StringIO(table))]
        output, said = self.grade("class", "--roster", "class.csv", "--format", "table")
        self.assertEqual((rows(output), said), (wanted, ""))
        self.grade("class", "--format", "json", "--output", "results.json")  # the list comes later
        self.assertEqual(sorted(result["student"] for result in self.read()["results"]),
                         ["anna", "bob", "\u05d3\u05e0\u05d4"])
        output, said = self.run_in("attn", "report", "results.json", "--roster", "class.csv",
                                   "--format", "table")
        self.assertEqual((rows(output), said), (wanted, ""))

    def test_a_list_that_came_after_grading(self):
        self.hand_in_at("class/Ann Sample/dot.c", RIGHT, -1)
        self.hand_in_at("class/hw3-bob/dot.c", CRASH, -1)
        self.hand_in_at("class/dora/dot.c", CRASH, -1)
        self.grade("class", "--format", "json", "--output", "results.json", code=1)
        output, said = self.run_in("attn", "report", "results.json", "--roster", "class.csv",
                                   "--format", "table", code=3)
        self.assertEqual([(row["login"], row["dot"], row["remarks"])
                          for row in csv.DictReader(io.StringIO(output))],
                         [("asample", "10", ""), ("bob", "0", ""), ("carl", "0", "missing: dot"),
                          ("dora", "0", "unclear whose: nobody on the class list")])
        self.assertIn("attn: not on the class list, or not clear who: dora\n", said)
        self.grade("class", "--format", "json", "--output", "results.json", "--resume", "--roster",
                   "class.csv", code=3)
        self.assertEqual(sorted(row["student"] for row in self.read()["results"]),
                         ["asample", "bob", "carl", "dora"])

    def test_points_by_hand_are_kept(self):
        self.hand_in_at("class/bob/dot.c", CRASH, -1)
        (self.folder / "by_hand.csv").write_text("student,exercise,points,reason\nBob,dot,5,ill\n",
                                                 encoding="utf-8")
        points, _ = self.points("class", "--overrides", "by_hand.csv")
        self.assertEqual(points[("bob", "dot")], ("crash", 5, 6))
        self.grade("class", "--format", "json", "--output", "results.json", code=1)
        for _ in range(2):  # settled again, and again
            settled = json.loads(self.run_in(
                "attn", "report", "results.json", "--assignment", "hw.yaml", "--roster",
                "class.csv", "--overrides", "by_hand.csv", "--format", "json")[0])
            counts = {(result["student"], result["exercise"]): result
                      for result in settled["results"]}
            self.assertEqual(counts[("bob", "dot")]["score"], 5)
            self.assertEqual(counts[("bob", "dot")]["judged_score"], 0)
            self.assertEqual(counts[("bob", "dot")]["note"], "Set to 5 by hand: ill")
            self.assertEqual(counts[("carl", "dot")]["verdict"], "missing")
            (self.folder / "results.json").write_text(json.dumps(settled), encoding="utf-8")

    def test_the_points_of_an_assignment_are_not_lost(self):
        """Settling anew without the assignment would give the exercises' own points, to everybody."""
        self.hand_in_at("class/bob/dot.c", RIGHT, -1)
        self.grade("class", "--assignment", "hw.yaml", "--roster", "class.csv", "--format", "json", "--output",
                   "results.json", code=1)
        whole = self.read()
        (self.folder / "by_hand.csv").write_text("student,exercise,points\nCarl,attention-scores,2\n",
                                                 encoding="utf-8")
        for rules in (["--overrides", "by_hand.csv"], ["--roster", "class.csv"]):
            output, said = self.run_in("attn", "report", "results.json", *rules, "--format", "json", code=1)
            self.assertEqual(output, "")
            self.assertIn("name it as well, with --assignment FILE", said)
        output, _ = self.run_in("attn", "report", "results.json", "--assignment", "hw.yaml", "--format", "json")
        self.assertEqual(json.loads(output)["results"], whole["results"])  # with the class list that it has
        output, said = self.run_in("attn", "report", "results.json", "--assignment", "hw.yaml", "--overrides",
                                   "by_hand.csv", "--format", "json")
        self.assertEqual(said, "")
        self.assertEqual([(result["student"], result["exercise"], result["score"])
                          for result in json.loads(output)["results"] if result["score"] > 0],
                         [("bob", "dot", 6), ("carl", "attention-scores", 2)])
        (self.folder / "by_hand.csv").write_text("student,exercise,points\ncurl,dot,2\n", encoding="utf-8")
        _, said = self.run_in("attn", "report", "results.json", "--assignment", "hw.yaml", "--overrides",
                              "by_hand.csv", code=1)
        self.assertIn("by_hand.csv:2: nobody on the class list has this name, or more than one has: curl", said)

    def test_a_list_in_utf16(self):
        """As spreadsheets save "Unicode text"."""
        self.hand_in_at("class/bob/dot.c", RIGHT, -1)
        (self.folder / "wide.csv").write_text("login\nbob\n", encoding="utf-16")
        _, said = self.grade("class", "--roster", "wide.csv", code=2)
        self.assertEqual(said, "attn: wide.csv: it is UTF-16; save it as UTF-8\n")

    def test_points_by_hand_for_nothing_are_said(self):
        self.hand_in_at("class/bob/dot.c", CRASH, -1)
        (self.folder / "by_hand.csv").write_text("student,exercise,points\nbob,dot,5\nbop,dot,5\n",
                                                 encoding="utf-8")
        wanted = "attn: points by hand for work that is not there: bop dot\n"
        _, said = self.grade("class", "--overrides", "by_hand.csv", "--format", "json", "--output", "results.json",
                             code=1)
        self.assertEqual(said, wanted)
        output, said = self.run_in("attn", "report", "results.json", "--overrides", "by_hand.csv", "--format", "table")
        self.assertEqual(said, wanted)
        self.assertEqual([row["dot"] for row in csv.DictReader(io.StringIO(output))], ["5"])

    def test_the_last_counts(self):
        with (self.folder / "hw.yaml").open("a", encoding="utf-8") as file:
            file.write("duplicates: last\n")
        self.hand_in_at("class/bob/dot.c", RIGHT, -2)
        self.hand_in_at("class/bob/dot-1.c", CRASH, -1)
        points, _ = self.points("class")
        self.assertEqual(points[("bob", "dot")], ("crash", 0, 6))

    @unittest.skipUnless(shutil.which("git"), "git is not here")
    def test_commits_say_when(self):
        with (self.folder / "hw.yaml").open("a", encoding="utf-8") as file:
            file.write("time: git\n")
        self.hand_in("class/bob/dot.c", RIGHT)
        self.hand_in("class/carl/dot.c", RIGHT)  # not in a repository
        git = ("git", "-C", "class/bob", "-c", "user.name=b", "-c", "user.email=b@example.org")
        self.environment["GIT_COMMITTER_DATE"] = "2026-03-02T11:00:00Z"
        self.run_in("git", "-C", "class/bob", "init", "-q")
        self.run_in(*git, "add", "dot.c")
        self.run_in(*git, "commit", "-q", "-m", "done")
        trap = self.folder / "trapped"
        for key in ("core.fsmonitor", "core.pager", "gpg.program", "diff.external",
                    "core.sshCommand", "core.hooksPath"):
            self.run_in("git", "-C", "class/bob", "config", key, f"touch {trap}")
        points, _ = self.points("class")
        self.assertEqual(points[("bob", "dot")], ("pass", 5.4, 6))
        self.assertEqual(points[("carl", "dot")], ("pass", 6, 6))  # said, not punished
        self.assertFalse(trap.exists())

    def test_inputs_are_shown_where_the_assignment_says_so(self):
        self.hand_in_at("class/bob/dot.c", CRASH, -1)
        _, said = self.points("class")
        self.assertNotIn("the seed is spent", said)
        with (self.folder / "hw.yaml").open("a", encoding="utf-8") as file:
            file.write("shows: {inputs: true}\n")
        _, said = self.points("class")
        self.assertIn("the seed is spent", said)

    def test_one_persons_work_for_a_schools_system(self):
        self.hand_in_at("dot.c", RIGHT, -1)
        self.hand_in_at("hw/a_dot.c", BROKEN, -1)
        output, _ = self.grade(".", "--assignment", "hw.yaml", "--format", "gradescope", code=1)
        root = json.loads(output)
        self.assertEqual(sorted((test["score"], test["max_score"]) for test in root["tests"]),
                         [(0, 3), (6, 6)])
        output, _ = self.grade(".", "--assignment", "hw.yaml", "--format", "classroom50", code=1)
        root = json.loads(output)
        self.assertEqual((root["score"], root["max-score"]), (6, 9))

    def test_exercises_of_ones_own(self):
        own = self.folder / "mine" / "01-inner"
        shutil.copytree(CHECKOUT / "exercises" / "01-dot", own)
        (own / "dot.c").rename(own / "inner.c")
        for name in ("exercise.yaml", "inner.c"):
            text = (own / name).read_text(encoding="utf-8")
            (own / name).write_text(text.replace("id: dot", "id: inner")
                                    .replace("float dot(", "float inner("), encoding="utf-8")
        right = RIGHT.replace("float dot(", "float inner(")
        self.hand_in("class/bob/inner.c", right)
        output, _ = self.grade("class", "--exercises", "mine", "--format", "csv")
        self.assertEqual([row["exercise"] for row in csv.DictReader(io.StringIO(output))],
                         ["inner"])
        (self.folder / "own.yaml").write_text("exercises:\n  - {id: inner, points: 3}\n",
                                              encoding="utf-8")
        output, _ = self.grade("class", "--exercises", "mine", "--assignment", "own.yaml",
                               "--format", "csv")
        self.assertEqual([row["score"] for row in csv.DictReader(io.StringIO(output))], ["3"])
        self.run_in("attn", "start", "--exercises", "mine", "work")
        self.assertEqual(sorted(path.name for path in (self.folder / "work").glob("*.c")),
                         ["01_inner.c"])
        self.run_in("attn", "check", "--exercises", "mine", "work/01_inner.c", code=1)
        self.hand_in("work/01_inner.c", right)
        self.environment["ATTN_EXERCISES"] = "mine"
        self.run_in("attn", "check", "work/01_inner.c")
        (self.folder / "empty").mkdir()
        _, said = self.run_in("attn", "check", "--exercises", "empty", "dot", code=3)
        self.assertIn("there is no exercise in it", said)

    def test_faults_name_their_line(self):
        for text, said in (("exercises: []\n", "hw.yaml:1"),
                           ("exercises:\n  - {id: dott}\n", "hw.yaml:2: id: dott: no exercise has "
                            "this id; did you mean dot?"),
                           ("exercises:\n  - {id: dot}\n  - {id: dot}\n", "hw.yaml:3"),
                           ("exercises:\n  - {id: dot, points: {speed: 3}}\n",
                            "dot has no cases of the group speed"),
                           ("exercises:\n  - {id: dot}\ndue: tomorrow\n", "hw.yaml:3: due"),
                           ("exercises:\n  - {id: dot, pionts: 3}\n", "hw.yaml:2")):
            (self.folder / "hw.yaml").write_text(text, encoding="utf-8")
            self.hand_in("class/bob/dot.c", RIGHT)
            _, error = self.grade("class", "--assignment", "hw.yaml", code=2)
            self.assertIn(said, error)


class Who(Graded):
    """Whose work it is: the system's own number, a login, a name; what is not clear is never 0."""

    MOODLE = ("Identifier,Full name,ID number,Email address\n"
              "Participant 71052,Wei Wang,1,wei@a.org\nParticipant 71065,Wei Wang,2,wei@b.org\n"
              "Participant 71080,Anna Alm,3,anna@a.org\nParticipant 71090,Noah Nil,4,noah@a.org\n")

    def list_class(self, text):
        (self.folder / "class.csv").write_text(text, encoding="utf-8")

    def table(self, *arguments, code=0):
        output, said = self.grade("class", "--roster", "class.csv", "--format", "table", *arguments, code=code)
        return {row["login"]: (row["dot"], row["total"], row["remarks"])
                for row in csv.DictReader(io.StringIO(output))}, said

    def test_namesakes_of_moodle(self):
        self.list_class(self.MOODLE)
        self.hand_in("class/Wei Wang_71052_assignsubmission_file_/dot.c", RIGHT)
        self.hand_in("class/Wei Wang_71065_assignsubmission_file_/dot.c", BROKEN)
        self.hand_in("class/Anna Alm_71080_assignsubmission_file_/dot.c", RIGHT)
        table, said = self.table(code=1)
        self.assertEqual(table, {"wei@a.org": ("10", "10", ""), "wei@b.org": ("0", "0", ""),
                                 "anna": ("10", "10", ""), "noah": ("0", "0", "missing: dot")})
        self.assertEqual(said, "")
        self.assertFalse((self.folder / "unclear.csv").exists())
        output, _ = self.grade("class", "--format", "json", code=1)  # and without a list
        self.assertEqual([result["student"] for result in json.loads(output)["results"]],
                         ["Anna Alm", "Wei Wang_71052", "Wei Wang_71065"])

    def test_namesakes_of_canvas(self):
        self.list_class("Student,ID,SIS User ID,SIS Login ID,Section,HW (1)\n    Points Possible,,,,,10\n"
                        '"Wang, Wei",5104,5105,wei,A,\n"Wang, Wei",5105,7,wei2,A,\n"Li, Na",5106,8,lina,A,\n'
                        '"Na, Li",5107,9,nali,A,\n')
        self.hand_in("class/wangwei_5104_88_dot.c", RIGHT)
        self.hand_in("class/wangwei_LATE_5105_89_dot-1.c", BROKEN)
        self.hand_in("class/lina_5106_90_dot.c", RIGHT)
        self.hand_in("class/nali_5107_91_dot.c", BROKEN)
        table, _ = self.table(code=1)
        self.assertEqual({login: row[0] for login, row in table.items()},
                         {"wei": "10", "wei2": "0", "lina": "10", "nali": "0"})

    def test_somebody_else_does_not_hand_in_as_a_student(self):
        """With the same words in another order, another number, and work that would replace hers."""
        self.list_class(self.MOODLE)
        (self.folder / "hw.yaml").write_text("exercises: [{id: dot}]\nduplicates: last\n", encoding="utf-8")
        self.hand_in("class/Anna Alm_71080_assignsubmission_file_/dot.c", RIGHT)
        self.hand_in("class/alm anna_99999_assignsubmission_file_/dot.c", BROKEN)
        table, said = self.table("--assignment", "hw.yaml", code=3)
        self.assertEqual(table["anna"], ("10", "10", ""))
        self.assertEqual(table["alm anna"], ("0", "0", "unclear whose: anna"))
        self.assertIn("not clear who: alm anna", said)

    def test_what_is_unclear_is_no_zero_and_can_be_said(self):
        self.list_class("login,name,email,id\nwei,Wei Wang,wei@a.org,1\nwei2,Wei Wang,wei@b.org,2\n"
                        "anna,Anna Alm,anna@a.org,3\n")
        self.hand_in("class/Wei Wang_71052_assignsubmission_file_/dot.c", RIGHT)
        self.hand_in("class/Wei Wang_71065_assignsubmission_file_/dot.c", RIGHT)
        self.hand_in("class/=Tom_71066_assignsubmission_file_/dot.c", RIGHT)
        self.hand_in("class/anna/dot.c", RIGHT)
        every = [word for name in ("json", "csv", "html", "text") for word in ("--format", name, "--output",
                                                                               f"out/report.{name}")]
        (self.folder / "out").mkdir()
        table, said = self.table(*every, code=3)
        self.assertEqual(table["wei"], ("", "", "unclear: dot"))
        self.assertEqual(table["wei2"], ("", "", "unclear: dot"))
        self.assertEqual(table["Wei Wang_71052"], ("10", "10", "unclear whose: wei or wei2"))
        self.assertIn("out/unclear.csv", said)
        results = {result["student"]: result for result in self.read("out/report.json")["results"]}
        self.assertEqual((results["wei"]["verdict"], results["wei"]["score"]), ("unclear", None))
        self.assertEqual(results["Wei Wang_71065"]["unclear"], ["wei", "wei2"])
        self.assertNotIn("unclear", results["anna"])
        for name in ("csv", "html", "text"):
            words = (self.folder / "out" / f"report.{name}").read_text(encoding="utf-8")
            self.assertIn("unclear whose: wei or wei2", words)
            self.assertRegex(words, r"(?s)\bunclear\b.*\bwei2\b")
        path = self.folder / "out" / "unclear.csv"
        rows = list(csv.DictReader(path.open(encoding="utf-8")))
        self.assertEqual([(row["folder"], row["login"], row["found"]) for row in rows],
                         [("'=Tom_71066_assignsubmission_file_", "", "dot: pass"),
                          ("Wei Wang_71052_assignsubmission_file_", "", "dot: pass"),
                          ("Wei Wang_71065_assignsubmission_file_", "", "dot: pass")])
        self.assertEqual(rows[1]["candidates"], "wei (Wei Wang, wei@a.org, 1); wei2 (Wei Wang, wei@b.org, 2)")
        self.assertEqual(path.stat().st_mode & 0o777, 0o600)
        # Half of it is filled in: that half stays when the file is written again.
        path.write_text(path.read_text(encoding="utf-8").replace('71052_assignsubmission_file_",',
                                                                 '71052_assignsubmission_file_",wei2'),
                        encoding="utf-8")
        table, said = self.table(*every, "--who", "out/unclear.csv", code=3)
        self.assertEqual((table["wei"][2], table["wei2"][0]), ("unclear: dot", "10"))
        text = path.read_text(encoding="utf-8")
        self.assertIn('"Wei Wang_71052_assignsubmission_file_","wei2"', text)
        path.write_text(text.replace('71065_assignsubmission_file_",,', '71065_assignsubmission_file_",wei,')
                        .replace('Tom_71066_assignsubmission_file_",,', 'Tom_71066_assignsubmission_file_",-,'),
                        encoding="utf-8")
        table, said = self.table("--who", "out/unclear.csv")
        self.assertEqual([table[login][0] for login in ("wei", "wei2", "anna", "'=Tom")], ["10"] * 4)
        self.assertEqual(said, "")
        # The report knows them as well, and says nothing of it again.
        output, said = self.run_in("attn", "report", "out/report.json", "--roster", "class.csv", "--who",
                                   "out/unclear.csv", "--format", "table")
        self.assertEqual([row["dot"] for row in csv.DictReader(io.StringIO(output))], ["10"] * 4)
        _, said = self.grade("class", "--who", "out/unclear.csv", code=2)
        self.assertIn("name the class list too", said)

    def test_parts_do_not_turn_it_into_zeros(self):
        """The two who may have handed in are in other parts than the work."""
        self.list_class("login,name\n" + "".join(f"w{i},Wei Wang\n" for i in range(8)))
        self.hand_in("class/Wei Wang/dot.c", RIGHT)
        (self.folder / "hw.yaml").write_text("exercises: [{id: dot}]\n", encoding="utf-8")
        for part in (1, 2, 3):
            self.run_in("sh", "-c", f"attn grade class --roster class.csv --part {part}/3 --seed 5 --assignment "
                                    f"hw.yaml --format json --output {part}.json; true")
        output, _ = self.run_in("attn", "report", "merge", "1.json", "2.json", "3.json", "--format", "table")
        self.assertEqual([row["dot"] for row in csv.DictReader(io.StringIO(output))], [""] * 8 + ["10"])

    def pack(self, path, files, **more):
        """A ZIP file with these texts, or with what a ZipInfo says of them."""
        path = self.folder / path
        path.parent.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, **more) as archive:
            for name, text in files:
                archive.writestr(name, text)

    def test_archives_and_other_endings(self):
        self.list_class("login\nanna\nbob\ncarl\ndora\nemil\nfred\n")
        self.pack("class/anna/hw.zip", [("hw/src/dot.c", RIGHT), ("hw/README.md", "x"), ("__MACOSX/hw/._dot.c", "x")])
        self.pack("class/bob.zip", [("dot.c", BROKEN)])
        self.hand_in("class/carl/dot.c.txt", RIGHT)
        self.hand_in("class/dora/dot.cpp", RIGHT)
        self.hand_in("class/dora/dot.c", RIGHT)
        self.hand_in("class/emil/homework.tar.gz", "x")
        self.hand_in("class/fred/notes.txt", "x")
        table, said = self.table(code=1)
        self.assertEqual(table, {
            "anna": ("10", "10", ""), "bob": ("0", "0", ""), "carl": ("0", "0", "no file to grade: dot"),
            "dora": ("10", "10", ""), "fred": ("0", "0", "missing: dot"),
            "emil": ("0", "0", "missing: dot; not graded: homework.tar.gz (an archive, but no ZIP file)")})
        for line in ("carl: class/carl/dot.c.txt: it ends in .txt, not in .c", "dora: class/dora/dot.cpp: C++, not C",
                     "emil: class/emil/homework.tar.gz: an archive, but no ZIP file"):
            self.assertIn(f"attn: not graded: {line}\n", said)
        output, _ = self.grade("class", "--format", "json", code=1)
        self.assertIn(("class/anna/hw.zip/hw/src/dot.c", "pass"),
                      [(result["file"], result["verdict"]) for result in json.loads(output)["results"]])

    def test_a_class_in_one_archive(self):
        self.list_class(self.MOODLE)
        inner = io.BytesIO()
        with zipfile.ZipFile(inner, "w") as archive:
            archive.writestr("dot.c", RIGHT)
        self.pack("class.zip", [("Wei Wang_71052_assignsubmission_file_/dot.c", RIGHT),
                                ("Wei Wang_71065_assignsubmission_file_/dot.c", BROKEN),
                                ("Anna Alm_71080_assignsubmission_file_/hw.zip", inner.getvalue())])
        output, _ = self.grade("class.zip", "--roster", "class.csv", "--format", "table", code=1)
        self.assertEqual([(row["login"], row["dot"], row["remarks"]) for row in csv.DictReader(io.StringIO(output))],
                         [("wei@a.org", "10", ""), ("wei@b.org", "0", ""), ("anna", "10", ""),
                          ("noah", "0", "missing: dot")])
        self.grade("class.zip", "--format", "json", "--output", "results.json", code=1)
        _, said = self.grade("class.zip", "--format", "json", "--output", "results.json", "--resume", code=1)
        self.assertEqual(said, "")  # nothing has changed, and nothing is gone
        (self.folder / "class.zip").write_text("no archive", encoding="utf-8")
        _, said = self.grade("class.zip", code=2)
        self.assertIn("class.zip: not a ZIP file", said)

    def test_archives_that_mean_harm(self):
        link = zipfile.ZipInfo("dot.c")
        link.create_system, link.external_attr = 3, 0o120777 << 16
        outside = self.holder / "dot.c"
        bad = {"up": ([("../../dot.c", RIGHT)], "a name outside of it"),
               "root": ([(str(outside), RIGHT)], "a name outside of it"),
               "link": ([(link, "/etc/passwd")], "a link in it"),
               "bomb": ([("dot.c", " " * (3 << 20))], "too large when unpacked"),
               "many": ([(f"{number}.c", "") for number in range(2500)], "too many files in it"),
               "large": ([(f"{number}.c", os.urandom(1 << 20).hex()[:1 << 20]) for number in range(40)], "too large")}
        self.hand_in("class/good/dot.c", RIGHT)
        for student, (files, _) in bad.items():
            self.pack(f"class/{student}/hw.zip", files)
        half = (self.folder / "class" / "up" / "hw.zip").read_bytes()
        (self.folder / "class" / "half").mkdir()
        (self.folder / "class" / "half" / "hw.zip").write_bytes(half[:60] + half[70:])
        os.mkfifo(self.folder / "class" / "half" / "fifo.zip")
        bad["half"] = (None, "damaged")
        output, said = self.grade("class", "--format", "json", code=1)
        found = {result["student"]: (result["verdict"], result["detail"]) for result in json.loads(output)["results"]}
        self.assertEqual(found.pop("good"), ("pass", ""))
        self.assertEqual(set(found), set(bad))
        for student, (_, why) in bad.items():
            self.assertEqual(found[student][0], "bad_file")
            self.assertIn(why, found[student][1])
            self.assertIn(f"attn: not graded: {student}: class/{student}/hw.zip: {why}", said)
        self.assertFalse(outside.exists())
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["class"])

    def test_more_time_and_comments(self):
        """For students and sections; a comment leaves the points as they are."""
        (self.folder / "hw.yaml").write_text(self.DUE % "file", encoding="utf-8")
        self.list_class("login,name,section\nanna,Anna Alm,A\nbob,Bo Berg,B and C\ncarl,Carl,C\ndora,Dora,A\n")
        for login in ("anna", "bob", "carl", "dora"):
            self.hand_in_late(f"class/{login}/dot.c", 36 * 60)
        (self.folder / "more.csv").write_text(
            "student,section,due,days,reason\nAnna Alm,,,2,ill\n,C,2026-03-02 00:00 Z,,\nbob,,,0.5,\n", encoding="utf-8")
        (self.folder / "by_hand.csv").write_text(
            "student,exercise,points,reason\ncarl,dot,,Well explained.\ndora,dot,7,agreed\ndora,dot,,See me.\n",
            encoding="utf-8")
        rules = ("--assignment", "hw.yaml", "--roster", "class.csv", "--extensions", "more.csv", "--overrides",
                 "by_hand.csv")
        output, said = self.grade("class", *rules, "--format", "json", "--output", "results.json", "--format", "json")
        found = {result["student"]: (result["score"], result.get("note", ""))
                 for result in json.loads(output)["results"]}
        by = " This is by the file's time."
        self.assertEqual(found, {
            "anna": (10, "In time by an extension. ill"), "bob": (9, f"1 day late: 10 % less.{by}"),
            "carl": (9, f"1 day late: 10 % less.{by} Well explained."),
            "dora": (7, f"2 days late: 20 % less.{by} Set to 7 by hand: agreed See me.")})
        self.assertEqual(said, "")
        again = json.loads(self.run_in("attn", "report", "results.json", *rules, "--format", "json")[0])
        self.assertEqual({result["student"]: (result["score"], result.get("note", "")) for result in again["results"]},
                         found)
        for text, why in (("student,days\nnobody,2\n", ":2: nobody on the class list"),
                          ("section,days\nD,2\n", ":2: nobody on the class list is in this section: D"),
                          ("student,due\nanna,soon\n", ":2: due: a moment is expected"),
                          ("student,days\nanna,\n", ":2: this row has neither"), ("student\n", ":1: the first row")):
            (self.folder / "more.csv").write_text(text, encoding="utf-8")
            _, said = self.grade("class", *rules, code=2)
            self.assertIn("more.csv" + why, said)

    def test_the_way_back(self):
        """Into the gradebooks of Canvas and Moodle; what is unclear keeps the grade that is there."""
        (self.folder / "hw.yaml").write_text("title: HW3 (4711)\nexercises: [{id: dot}]\n", encoding="utf-8")
        self.list_class("Student,ID,SIS User ID,SIS Login ID,Section,HW3 (4711)\n    Points Possible,,,,,10\n"
                        '"Wang, Wei",5104,s1,wei,A,\n"Berg, Bo",5105,s2,bo,B and C,\n"Alm, Anna",5106,s3,anna,A,\n')
        self.hand_in("class/wangwei_5104_88_dot.c", RIGHT)
        self.hand_in("class/almanna_9999_89_dot.c", RIGHT)
        output, _ = self.grade("class", "--assignment", "hw.yaml", "--roster", "class.csv", "--format", "canvas", code=3)
        self.assertEqual(list(csv.reader(io.StringIO(output))),
                         [["Student", "ID", "SIS Login ID", "Section", "HW3 (4711)"],
                          ["    Points Possible", "", "", "", "10"],
                          ["Wang, Wei", "5104", "wei", "A", "10"], ["Berg, Bo", "5105", "bo", "B and C", "0"]])
        shutil.rmtree(self.folder / "class")
        self.list_class(self.MOODLE)
        self.hand_in("class/Wei Wang_71052_assignsubmission_file_/dot.c", RIGHT)
        self.hand_in("class/Wei Wang_71065_assignsubmission_file_/dot.c", BROKEN)
        self.hand_in("class/alm anna_9_assignsubmission_file_/dot.c", RIGHT)
        output, _ = self.grade("class", "--roster", "class.csv", "--format", "moodle", "--format", "moodle_feedback",
                               "--output", "feedback.zip", code=3)
        rows = [(row["Identifier"], row["Full name"], row["Grade"], row["Maximum Grade"], row["Feedback comments"])
                for row in csv.DictReader(io.StringIO(output))]
        self.assertEqual(rows, [("Participant 71052", "Wei Wang", "10", "10", ""),
                                ("Participant 71065", "Wei Wang", "0", "10", ""),
                                ("Participant 71090", "Noah Nil", "0", "10", "missing: dot")])
        with zipfile.ZipFile(self.folder / "feedback.zip") as archive:
            self.assertIsNone(archive.testzip())
            self.assertEqual(archive.namelist(), [f"{name}_assignsubmission_file_/feedback.html" for name in
                                                  ("Wei Wang_71052", "Wei Wang_71065", "Noah Nil_71090")])
            self.assertIn("10 of 10 points", archive.read(archive.namelist()[0]).decode())
        self.grade("class", "--roster", "class.csv", "--format", "json", "--output", "results.json", "--feedback",
                   "feedback", code=3)
        for ending in ("txt", "html"):  # nothing of others, and no zero
            words = (self.folder / "feedback" / f"anna.{ending}").read_text(encoding="utf-8")
            self.assertIn("not clear yet, of 10 points", words)
            self.assertNotIn("alm anna", words)

    DUE = ("exercises: [{id: dot}]\ndue: 2026-03-01 12:00 Z\ntime: %s\n"
           "late: {minutes_of_grace: 15, percent_a_day: 10, days: 5}\n")

    def hand_in_late(self, path, minutes):
        self.hand_in(path, RIGHT)
        os.utime(self.folder / path, (1772366400 + 60 * minutes,) * 2)  # after 2026-03-01 12:00 UTC

    def test_late_in_a_name_is_no_whole_day(self):
        """LATE of Canvas says no time: the file's does, unless all files have that of the download."""
        self.list_class("Student,ID,SIS Login ID,Section\nA,1,anna,A\nB,2,bob,A\nC,3,carl,A\n")
        (self.folder / "hw.yaml").write_text(self.DUE % "name", encoding="utf-8")
        self.hand_in_late("class/a_1_88_dot.c", -30)
        self.hand_in_late("class/b_LATE_2_89_dot.c", 10)
        self.hand_in_late("class/c_LATE_3_90_dot.c", 26 * 60)
        table, _ = self.table("--assignment", "hw.yaml")
        self.assertEqual(table, {"anna": ("10", "10", ""), "bob": ("10", "10", ""), "carl": ("8", "8", "late: dot")})
        text, _ = self.grade("class", "--roster", "class.csv", "--assignment", "hw.yaml")
        self.assertIn("2 days late: 20 % less. This is by LATE in its name, and the file's time.", text)
        for path in (self.folder / "class").iterdir():
            os.utime(path, (1772366400 + 9 * 86400,) * 2)
        table, _ = self.table("--assignment", "hw.yaml")
        self.assertEqual([row[0] for row in table.values()], ["10", "9", "9"])
        text, _ = self.grade("class", "--roster", "class.csv", "--assignment", "hw.yaml")
        self.assertIn("1 day late: 10 % less. This is by LATE in its name, which says no time.", text)

    def test_times_of_the_systems_lists(self):
        (self.folder / "hw.yaml").write_text(self.DUE % "file", encoding="utf-8")
        self.environment["TZ"] = "UTC"
        for name, number in (("Anna Alm", 71), ("Bo Berg", 72), ("Cy Coe", 73)):
            self.hand_in_late(f"class/{name}_{number}_assignsubmission_file_/dot.c", 9 * 24 * 60)
        head, moments = "Identifier,Full name,Email address,", ("1 March 2026, 11:15 AM", "2 March 2026, 1:00 PM", "-")
        self.list_class(head + "Last modified (submission)\n" + "".join(
            f'Participant {number},{name},{name.split()[0].lower()}@x.org,"{"Sunday, " if len(when) > 1 else ""}{when}"\n'
            for (name, number), when in zip((("Anna Alm", 71), ("Bo Berg", 72), ("Cy Coe", 73)), moments)))
        table, _ = self.table("--assignment", "hw.yaml", code=0)
        self.assertEqual(table, {"anna": ("10", "10", ""), "bo": ("8", "8", "late: dot"), "cy": ("0", "0", "late: dot")})
        (self.folder / "times.csv").write_text(
            "First Name,Last Name,SID,Email,hw,hw - Submission Time,hw - Lateness (H:M:S)\n"
            "Anna,Alm,1,anna@x.org,,2026-03-01 13:10:00 +0100,\nBo,Berg,2,bo@x.org,,2026-03-01 13:00:00 +0000,\n",
            encoding="utf-8")
        table, _ = self.table("--assignment", "hw.yaml", "--handed-in", "times.csv", code=0)
        self.assertEqual([row[0] for row in table.values()], ["10", "9", "0"])
        self.list_class("identifier,github_username,github_id,name\n1,anna-gh,,Anna Alm\n2,bo-gh,,Bo Berg\n")
        shutil.rmtree(self.folder / "class")
        self.hand_in_late("class/hw3-anna-gh/dot.c", 9 * 24 * 60)
        self.hand_in_late("class/hw3-bo-gh/dot.c", 9 * 24 * 60)
        (self.folder / "times.csv").write_text(
            "assignment_name,github_username,submission_timestamp\nhw3,anna-gh,2026-03-01 11:00:00 UTC\n"
            "hw3,bo-gh,2026-03-01 12:20:00 UTC\n", encoding="utf-8")
        text, _ = self.grade("class", "--roster", "class.csv", "--assignment", "hw.yaml", "--handed-in", "times.csv")
        self.assertRegex(text, r"pass +10 of 10 +dot \(class/hw3-anna-gh/dot.c\)\n")
        self.assertIn("1 day late: 10 % less. This is by the list of times.", text)

    GRADESCOPE = """---
submission_100:
  :submitters:
  - :name: Ann Alm
    :sid: '17'
    :email: a.alm@example.org
  :created_at: 2026-03-01 12:40:00.123456000 Z
  :score: 10.0
  :results:
    output: "x: [y"
submission_101:
  :submitters:
  - :name: Wei Wang
    :sid: '18'
    :email: wei@example.org
  :created_at: 2026-03-01 11:15:00.000000000 Z
submission_102:
  :submitters:
  - :name: Wei Wang
    :sid: '19'
    :email: ww@example.org
  :created_at: 2026-03-03 11:15:00.000000000 Z
"""

    def test_an_export_of_gradescope(self):
        self.list_class("First Name,Last Name,SID,Email,Sections\nAnna,Alm,17,anna@example.org,\n"
                        "Wei,Wang,18,wei@example.org,\nWei,Wang,19,ww@example.org,\nNoah,Nil,20,noah@example.org,\n")
        (self.folder / "hw.yaml").write_text(
            "exercises: [{id: dot}]\ndue: 2026-03-01 12:00 Z\nlate: {minutes_of_grace: 60, percent_a_day: 10, days: 5}\n",
            encoding="utf-8")
        self.hand_in("class/submission_metadata.yml", self.GRADESCOPE)
        for number, source in ((100, RIGHT), (101, BROKEN), (102, RIGHT)):
            self.hand_in(f"class/submission_{number}/dot.c", source)
        table, said = self.table("--assignment", "hw.yaml", code=1)
        self.assertEqual(table, {"anna": ("10", "10", ""), "wei": ("0", "0", ""), "ww": ("8", "8", "late: dot"),
                                 "noah": ("0", "0", "missing: dot")})
        self.assertEqual(said, "")
        self.pack("export.zip", [("assignment_7_export/submission_metadata.yml", self.GRADESCOPE),
                                 ("assignment_7_export/submission_100/dot.c", RIGHT)])
        output, _ = self.grade("export.zip", "--roster", "class.csv", "--assignment", "hw.yaml", "--format", "table",
                               code=1)
        self.assertIn('"anna","Anna Alm","anna@example.org","17",10,10,10,""', output)

    @unittest.skipIf(os.getuid() != 0, "only root can close a folder to somebody else")
    def test_what_may_not_be_read_is_no_zero(self):
        self.list_class("login\nanna\nbob\ncarl\n")
        for student in ("anna", "bob", "carl"):
            self.hand_in(f"class/{student}/dot.c", RIGHT)
        (self.folder / "class" / "anna").chmod(0o700)
        (self.folder / "class" / "bob" / "dot.c").chmod(0o600)
        output, _ = self.run_in("attn", "grade", "class", "--roster", "class.csv", "--format", "json",
                                "--accept-weak-isolation", code=3, user=65534, group=65534, extra_groups=[])
        found = {(result["student"], result["exercise"]): (result["verdict"], result["detail"], result["score"])
                 for result in json.loads(output)["results"]}
        self.assertEqual(found[("bob", "dot")], ("internal_error", "may not be read", 0))
        self.assertEqual(found[("anna", "")], ("internal_error", "may not be read", 0))
        self.assertEqual(found[("anna", "dot")], ("unclear", "class/anna", None))
        self.assertEqual(found[("carl", "dot")][0], "pass")


class Teams(Graded):
    ROSTER = "login,name\nanna,Anna Alm\nbob,Bob Berg\ncarl,Carl Carlson\ndora,Dora Dahl\n"
    TEAMS = "group_name,login_id\nRed,anna\nRed,Bob Berg\nBlue,dora\n,carl\n"

    def setUp(self):
        super().setUp()
        (self.folder / "class.csv").write_text(self.ROSTER, encoding="utf-8")
        (self.folder / "teams.csv").write_text(self.TEAMS, encoding="utf-8")
        (self.folder / "hw.yaml").write_text("exercises: [{id: dot, points: 4}]\ndue: 2026-03-02 12:00Z\n"
                                             "late: {percent_a_day: 50, days: 5}\n", encoding="utf-8")
        self.rules = ("--assignment", "hw.yaml", "--roster", "class.csv", "--teams", "teams.csv")
        self.output = ("--format", "json", "--output", "results.json")

    def hand_in_at(self, path, source, moment):
        self.hand_in(path, source)
        os.utime(self.folder / path, (moment, moment))

    def rows(self):
        return {row["student"]: row for row in self.read()["results"]}

    def test_what_one_hands_in_is_the_whole_teams(self):
        self.hand_in_at("class/anna/dot.c", RIGHT, 1772445600 - 3600)
        self.hand_in_at("class/Blue/dot.c", CRASH, 1772445600 - 3600)
        self.grade("class", *self.rules, *self.output, code=1)
        rows = self.rows()
        self.assertEqual({who: (row["verdict"], row["score"]) for who, row in rows.items()},
                         {"anna": ("pass", 4), "bob": ("pass", 4), "carl": ("missing", 0), "dora": ("crash", 0)})
        self.assertEqual((rows["bob"]["team"], rows["bob"]["file"]), ("Red", "class/anna/dot.c"))
        self.assertIn("Handed in for the team", rows["bob"]["note"])
        self.assertNotIn("team", rows["anna"])
        before = same_but_time(self.read())
        self.run_in("attn", "report", "results.json", *self.rules, *self.output)
        self.assertEqual(same_but_time(self.read()), before)
        self.grade("class", *self.rules, *self.output, "--resume", code=1)
        self.assertEqual(same_but_time(self.read()), before)
        shown, _ = self.run_in("attn", "report", "results.json", "--format", "table")
        self.assertRegex(shown, '"bob","Bob Berg","","",4,4,4')

    def test_the_best_of_a_team_counts_for_each_by_their_own_date(self):
        self.hand_in_at("class/anna/dot.c", RIGHT, 1772452800 + 3600)
        self.hand_in_at("class/bob/dot.c", CRASH, 1772452800 - 3600)
        (self.folder / "more.csv").write_text("student,days\nbob,1\n", encoding="utf-8")
        self.grade("class", *self.rules, "--extensions", "more.csv", *self.output, code=1)
        rows = self.rows()
        self.assertEqual((rows["anna"]["score"], rows["bob"]["score"]), (2, 4))
        self.assertEqual(rows["bob"]["team"], "Red")
        self.assertIn("In time by an extension.", rows["bob"]["note"])

    def test_lists_of_teams_that_can_not_be(self):
        self.hand_in("class/anna/dot.c", RIGHT)
        for text, what in (("team,student\nRed,anna\nBlue,anna\n", "teams.csv:3: this student is in a team already"),
                           ("team,student\nRed,zoe\n", "nobody on the class list has this name"),
                           ("student\nanna\n", "the first row must name the columns: team, student")):
            (self.folder / "teams.csv").write_text(text, encoding="utf-8")
            _, said = self.grade("class", *self.rules, code=2)
            self.assertIn(what, said)
        _, said = self.grade("class", "--teams", "teams.csv", code=2)
        self.assertIn("name the class list too", said)

    def test_lines_of_a_rubric_leave_the_points(self):
        self.hand_in("class/anna/dot.c", RIGHT)
        (self.folder / "by_hand.csv").write_text(
            "student,exercise,points,reason,rubric\nanna,dot,,clear names,Readability\nanna,dot,,none,Comments\n"
            "anna,dot,,See me.,\nanna,dot,,short names,Readability\n", encoding="utf-8")
        self.grade("class", "--roster", "class.csv", "--overrides", "by_hand.csv", *self.output, code=1)
        row = self.rows()["anna"]
        self.assertEqual((row["score"], row["note"]),
                         (row["max_score"], "See me. Comments: none Readability: short names"))
        (self.folder / "by_hand.csv").write_text(
            "student,exercise,points,reason,rubric\nanna,dot,3,clear,Readability\n", encoding="utf-8")
        _, said = self.grade("class", "--roster", "class.csv", "--overrides", "by_hand.csv", code=2)
        self.assertIn("by_hand.csv:2: a line of a rubric", said)

    def test_works_are_compared_with_last_years_and_with_attns_own(self):
        """Six works that differ, of which one is a solution of attn's, and one of another year."""
        folder = CHECKOUT / "tests" / "diagnose" / "11-multi-head" / "right"
        works = sorted(path.read_text(encoding="utf-8") for path in folder.iterdir())
        own = sorted((PROOFS / "11-multi-head" / "right").iterdir())[0]
        for i, work in enumerate(works[:6]):
            self.hand_in(f"class/student{i}/multi_head.c", work)
        self.hand_in("class/copy/multi_head.c", "// by me\n" + own.read_text(encoding="utf-8"))
        self.hand_in("last/kim/multi_head.c", "/* of last year */\n" + works[2])
        self.grade("class", "--compare", "last", *self.output)
        pairs = {(pair["a"], pair["b"]) for pair in self.read()["similar"]}
        self.assertIn(("copy", f"attn's solution {own.name}"), {tuple(sorted(pair, reverse=True)) for pair in pairs})
        self.assertTrue(any({"student2", "last/kim/multi_head.c"} == set(pair) for pair in pairs), pairs)
        self.assertNotIn("last/kim", {row["student"] for row in self.read()["results"]})


class Terms(Graded):
    """A term of three assignments: reports as attn grade writes them, with points that are worked out here."""
    DUE = 1772445600  # 2026-03-02 10:00Z
    DAY = 24 * 60 * 60

    def report(self, name, works):
        """A report of {student: (parts of the ten points, days late)}."""
        results = [{"file": f"{name}/{student}/dot.c", "student": student, "exercise": "dot",
                    "verdict": "pass" if points == 10 else "wrong_answer", "detail": "", "score": points,
                    "max_score": 10, "time_ms": 1, "cases": [], "misconceptions": [], "message": "",
                    "submitted_s": self.DUE + int(days * self.DAY) - 60}
                   for student, (points, days) in works.items()]
        (self.folder / f"{name}.json").write_text(json.dumps(
            {"schema": "attn-grade/1", "seed": 1, "sandbox": [], "results": results, "duplicates": []}),
            encoding="utf-8")

    def setUp(self):
        super().setUp()
        (self.folder / "class.csv").write_text("login,name\nanna,Anna Alm\nbob,Bob Berg\ncarl,Carl\n", encoding="utf-8")
        for name, day in (("hw1", 2), ("hw2", 3), ("hw3", 1)):
            (self.folder / f"{name}.yaml").write_text(
                f"exercises: [{{id: dot}}]\ndue: 2026-03-{day:02} 10:00Z\n"
                "late: {percent_a_day: 20, days: 3}\n", encoding="utf-8")
        self.report("hw1", {"anna": (10, 2), "bob": (10, 0)})
        self.report("hw2", {"anna": (5, 0), "bob": (10, 1 + 5)})
        self.report("hw3", {"anna": (10, -1 + 1), "bob": (7, -1), "carl": (9, -2)})
        self.term = ("title: Attention, spring\nassignments:\n  - {results: hw1.json, assignment: hw1.yaml}\n"
                     "  - {results: hw2.json, assignment: hw2.yaml, points: 20}\n"
                     "  - {results: hw3.json, assignment: hw3.yaml, name: third}\n")

    def book(self, more="", *options, code=0):
        (self.folder / "term.yaml").write_text(self.term + more, encoding="utf-8")
        return self.run_in("attn", "gradebook", "term.yaml", *options, code=code)

    def table(self, more="", *options):
        text, _ = self.book(more, *options)
        return {row["login"]: row for row in csv.DictReader(io.StringIO(text))}

    def test_all_assignments_stand_beside_each_other(self):
        table = self.table("", "--roster", "class.csv")
        self.assertEqual({who: tuple(row[key] for key in ("hw1", "hw2", "third", "total", "max_total"))
                          for who, row in table.items()},
                         {"anna": ("6", "10", "8", "24", "40"), "bob": ("10", "0", "7", "17", "40"),
                          "carl": ("0", "0", "9", "9", "40")})
        self.assertEqual(table["carl"]["remarks"], "missing: hw1, hw2")
        self.assertEqual(table["anna"]["remarks"], "late: hw1, third")
        self.assertEqual(table["anna"]["assignment"], "Attention, spring")

    def test_grace_days_are_spent_from_the_first_due_date_on(self):
        """Anna: one for the third, which is due first, and the other for the first. One would not help Bob: his
        second work would be four days late instead of five, and after three there are no points."""
        table = self.table("grace_days: 2\n", "--roster", "class.csv", "--format", "json", "--output", "book.json",
                           "--format", "table")
        self.assertEqual((table["anna"]["third"], table["anna"]["hw1"], table["anna"]["remarks"]),
                         ("10", "8", "late: hw1"))
        self.assertEqual((table["bob"]["hw2"], table["bob"]["total"]), ("8", "25"))
        notes = {(row["student"], row["exercise"]): row.get("note", "") for row in self.read("book.json")["results"]}
        self.assertEqual(notes["anna", "third"], "1 grace day used.")
        self.assertEqual(notes["anna", "hw1"], "1 grace day used. 1 day late.")
        self.assertEqual(notes["bob", "hw2"], "2 grace days used. 3 days late.")
        table = self.table("grace_days: 3\n", "--roster", "class.csv")
        self.assertEqual((table["anna"]["hw1"], table["bob"]["hw2"]), ("10", "12"))
        self.table("grace_days: 1\n", "--roster", "class.csv", "--format", "json", "--output", "book.json")
        notes = {(row["student"], row["exercise"]): row.get("note", "") for row in self.read("book.json")["results"]}
        self.assertEqual(notes["bob", "hw2"], "5 days late.")

    def test_the_best_count(self):
        table = self.table("best: 2\n", "--roster", "class.csv")
        self.assertEqual({who: (row["total"], row["max_total"]) for who, row in table.items()},
                         {"anna": ("14", "20"), "bob": ("17", "20"), "carl": ("9", "20")})
        self.assertIn("does not count: hw2", table["anna"]["remarks"])
        self.assertEqual(table["anna"]["hw2"], "10")
        feedback, _ = self.book("best: 2\n", "--roster", "class.csv", "--feedback", "out", "--format", "html",
                                "--output", "book.html")
        self.assertIn("Does not count: others are better.", (self.folder / "out/anna.txt").read_text())
        self.assertIn("14 of 20 points", (self.folder / "out/anna.txt").read_text())

    def test_without_a_list_the_reports_name_the_students(self):
        self.assertEqual(list(self.table()), ["anna", "bob", "carl"])

    def test_terms_that_can_not_be(self):
        for more, what in (("best: 4\n", "best: at most 3 is expected"), ("grace_days: 999\n", "grace_days: at most 365"),
                           ("best: two\n", "term.yaml:6: best"), ("weight: 3\n", "term.yaml:6")):
            _, said = self.book(more, code=1)
            self.assertIn(what, said)
        right = self.term
        self.term = right.replace("name: third", "name: hw1")
        self.assertIn("hw1 is the name of two assignments", self.book(code=1)[1])
        self.term = right.replace("hw2.json", "nowhere.json")
        self.assertIn("nowhere.json: No such file", self.book(code=1)[1])

    def test_whose_is_not_clear(self):
        self.report("hw1", {"stranger": (10, 0), "bob": (10, 0)})
        _, said = self.book("", "--roster", "class.csv", code=3)
        self.assertIn("of 1 work it is not clear", said)


class Manual(Graded):
    """docs/instructors.md, typed as it stands from an empty folder on: blocks of the language console have what
    is typed, after `$ `, and what is printed; a block right after a line that ends in `FILE`: is that file."""

    MANUAL = CHECKOUT / "docs" / "instructors.md"
    # What is another one each time or on each machine, in the manual as in what is printed.
    PLACEHOLDERS = ((r"(?m)^sandbox: .*$", "sandbox: LAYERS"), (r"seed \d+, \w+ isolation", "seed, isolation"),
                    (r"(?m)^ *[\d.]+ ms  of CPU time", "MS of CPU time"), (r"  \d+ MiB", ""),
                    (r"\bs[0-9a-f]{12}\b", "PSEUDONYM"))
    END = "@end of what is printed@"

    def blocks(self):
        """(language, file or None, text)"""
        for found in re.finditer(r"^([^\n]*)\n\n?```(\w*)\n(.*?)^```$", self.MANUAL.read_text(encoding="utf-8"),
                                 re.DOTALL | re.MULTILINE):
            file = re.search(r"`([\w/.]+\.\w+)`:$", found[1])
            yield found[2], file[1] if file else None, found[3]

    def plain(self, text):
        """With placeholders; what took longest may come in any order."""
        for pattern, placeholder in self.PLACEHOLDERS:
            text = re.sub(pattern, placeholder, text)
        lines = text.splitlines()
        timed = sorted(line for line in lines if line.startswith("MS "))
        return [line for line in lines if not line.startswith("MS ")] + timed

    def start_shell(self):
        shell = subprocess.Popen(["sh"], cwd=self.folder, env=self.environment, text=True, encoding="utf-8",
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.addCleanup(shell.wait)
        self.addCleanup(shell.stdout.close)
        self.addCleanup(shell.stdin.close)
        return shell

    def type(self, shell, command):
        shell.stdin.write(f"{{ {command}\n}} 2>&1 </dev/null; echo '{self.END}'\n")
        shell.stdin.flush()
        printed = ""
        while not printed.endswith(self.END + "\n"):
            line = shell.stdout.readline()
            self.assertTrue(line, f"the shell ended at: {command}")
            printed += line
        return printed[:-len(self.END) - 1]

    def test_what_is_typed_prints_what_it_says(self):
        shell, done = self.start_shell(), 0
        for language, file, text in self.blocks():
            if file is not None:
                self.hand_in(file, text)
            if language != "console":
                continue
            for part in re.split(r"(?m)^\$ ", text)[1:]:
                command, _, wanted = part.partition("\n")
                with self.subTest(command=command):
                    self.assertEqual(self.plain(self.type(shell, command)), self.plain(wanted))
                done += command.startswith("attn ")
        self.assertGreater(done, 15)
        for command in re.findall(r"`(attn report results[^`]*--[^`]*)`", self.MANUAL.read_text(encoding="utf-8")):
            if "--format F" not in command:
                with self.subTest(command=command):
                    self.assertNotIn("attn:", self.type(shell, command))

    def test_no_command_stands_where_nobody_tries_it(self):
        for language, _, text in self.blocks():
            if language != "console" and not text.startswith("#!"):
                self.assertNotRegex(text, r"(?m)^(\$ )?attn (grade|report)")


class Parts(Graded):
    """A class that is graded in parts, and what is lost of it."""

    STUDENTS = [f"student{number}" for number in range(12)]

    def setUp(self):
        super().setUp()
        for number, student in enumerate(self.STUDENTS[:-1]):  # the last one hands in nothing
            self.hand_in(f"class/{student}/dot.c", CRASH if number % 4 == 0 else RIGHT)
        (self.folder / "class.csv").write_text("login\n" + "\n".join(self.STUDENTS) + "\n",
                                               encoding="utf-8")

    def grade_part(self, number, *more, code=None):
        output = ("--format", "json", "--output", f"{number}.json")
        done = subprocess.run(["attn", "grade", "class", "--part", f"{number}/4", "--seed", "5",
                               *more, *output], cwd=self.folder, env=self.environment, check=False)
        self.assertIn(done.returncode, (0, 1) if code is None else (code,))

    def merge(self, *arguments, code=0):
        return self.run_in("attn", "report", "merge", *arguments, "--format", "json", "--output",
                           "results.json", code=code)

    def test_all_parts_are_the_whole(self):
        for number in range(1, 5):
            self.grade_part(number, "--roster", "class.csv")
        self.merge("1.json", "2.json", "3.json", "4.json", "--expect", "class.csv")
        self.grade("class", "--seed", 5, "--roster", "class.csv", "--format", "json", "--output",
                   "whole.json", code=1)
        merged, whole = same_but_time(self.read()), same_but_time(self.read("whole.json"))
        for report in (merged, whole):
            for key in ("results", "students"):
                report[key].sort(key=lambda row: row.get("login", row.get("student")))
        self.assertEqual(merged, whole)
        self.assertEqual({row["student"] for row in merged["results"]}, set(self.STUDENTS))

    def test_works_of_several_parts_are_compared(self):
        """What one run of all finds is found when parts come together, and no part keeps marks then."""
        right = (CHECKOUT / "tests" / "diagnose" / "11-multi-head" / "right" / "one_pass_double.c").read_text(
            encoding="utf-8")
        for student, source in (("student1", right), ("student2", "/* all mine */\n" + right),
                                ("student3", right.replace("for (size_t", "for /* me */ (size_t"))):
            self.hand_in(f"class/{student}/multi_head.c", source)
        numbers = {}
        for number in range(1, 5):
            self.grade_part(number, "--exercise", "multi-head")
            for row in self.read(f"{number}.json")["results"]:
                numbers[row["student"]] = number
                self.assertRegex(row["marks"], "^([0-9a-f]{8})+$")
        parts = [f"{number}.json" for number in range(1, 5)]
        self.assertGreater(len(set(numbers.values())), 1)
        self.merge(*parts)
        merged = self.read()
        self.assertNotIn("marks", json.dumps(merged))
        self.grade("class", "--exercise", "multi-head", "--seed", 5, "--format", "json", "--output", "whole.json")
        self.assertEqual({(pair["a"], pair["b"]) for pair in merged["similar"]},
                         {("student1", "student2"), ("student1", "student3"), ("student2", "student3")})
        self.assertEqual(merged["similar"], self.read("whole.json")["similar"])
        self.merge(parts[0], parts[1], parts[2], "--partial")
        (self.folder / "some.json").write_text((self.folder / "results.json").read_text())
        self.merge("some.json", parts[3])
        self.assertEqual(self.read(), merged)

    def test_a_lost_part_is_named(self):
        for number in (1, 2, 4):
            self.grade_part(number, "--roster", "class.csv")
        _, said = self.merge("1.json", "2.json", "4.json", code=1)
        self.assertIn("part 3 of 4 is not here", said)
        self.assertFalse((self.folder / "results.json").exists())
        self.merge("1.json", "2.json", "4.json", "--partial")
        self.assertEqual(self.read()["parts"], {"of": 4, "numbers": [1, 2, 4]})
        _, said = self.merge("1.json", "2.json", "4.json", "--partial", "--expect", "class.csv", code=1)
        here = {row["student"] for number in (1, 2, 4) for row in self.read(f"{number}.json")["results"]}
        lost = [student for student in self.STUDENTS if student not in here]
        self.assertTrue(lost)
        self.assertIn("in no part at all, neither graded nor missing: " + ", ".join(lost) + ";", said)
        (self.folder / "some.json").write_text((self.folder / "results.json").read_text())
        self.grade_part(3, "--roster", "class.csv")
        self.merge("some.json", "3.json", "--expect", "class.csv")
        self.assertNotIn("parts", self.read())

    def test_who_handed_in_nothing_is_in_a_part_only_by_the_list(self):
        for number in range(1, 5):
            self.grade_part(number)
        parts = [f"{number}.json" for number in range(1, 5)]
        self.merge(*parts)
        _, said = self.merge(*parts, "--expect", "class.csv", code=1)
        self.assertIn("missing: student11;", said)

    def test_a_part_that_was_ended_is_told_and_finished(self):
        """Killed twice and resumed: the same as in one go."""
        self.grade("class", "--seed", 5, "--format", "json", "--output", "whole.json", code=1)
        ended = 0
        for wanted in (1, 4):
            process = subprocess.Popen(
                ["attn", "grade", "class", "--seed", "5", "--jobs", "1", "--resume", "--format", "json",
                 "--output", "results.json"], cwd=self.folder, env=self.environment,
                stderr=subprocess.DEVNULL)
            until = time.monotonic() + 60
            while process.poll() is None and time.monotonic() < until:
                report = self.folder / "results.json"
                if report.exists() and len(self.read()["results"]) >= wanted:
                    process.send_signal(signal.SIGTERM)
                    break
                time.sleep(0.005)
            process.wait()
            ended += self.read().get("complete") is False
        if ended:
            _, said = self.run_in("attn", "report", "merge", "results.json", code=1)
            self.assertIn("results.json: its run was ended early", said)
            self.run_in("attn", "report", "merge", "results.json", "--partial")
        self.assertGreater(ended, 0)
        self.grade("class", "--resume", "--format", "json", "--output", "results.json", code=1)
        self.assertEqual(same_but_time(self.read()), same_but_time(self.read("whole.json")))


def needs(*programs):
    missing = [program for program in programs if shutil.which(program, path=f"{os.environ['PATH']}"
                                                               ":/usr/sbin:/sbin") is None]
    return unittest.skipIf(missing, f"{' and '.join(missing)} not installed")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class RecipeTools(Graded):
    """What tests of recipes do."""

    def in_one_go(self, folder="class", *rules):
        self.grade(folder, "--seed", 5, *rules, "--format", "json", "--output", "whole.json", code=1)
        return same_but_time(self.read("whole.json"))

    def start_daemon(self, arguments, **more):
        log = open(self.holder / f"{Path(arguments[0]).name}.log", "wb")
        self.addCleanup(log.close)
        process = subprocess.Popen(list(map(str, arguments)), stdin=subprocess.DEVNULL, stdout=log,
                                   stderr=log, **more)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        return process

    def wait_for_port(self, port):
        until = time.monotonic() + 20
        while time.monotonic() < until:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.05)
        self.fail(f"nobody listens at {port}")

    def refuse(self, code):
        """From here on `attn` writes nothing, as where the sandbox is too weak."""
        starter = Path(shutil.which("attn", path=self.environment["PATH"]))
        self.starter_before = starter.read_text(encoding="utf-8")
        starter.write_text(f"#!/bin/sh\nexit {code}\n", encoding="utf-8")

    def accept(self):
        """And from here on it does again."""
        starter = Path(shutil.which("attn", path=self.environment["PATH"]))
        starter.write_text(self.starter_before, encoding="utf-8")

    def lay_result(self, path, kind):
        """Puts a file, a link or a folder where a result would be; `precious` is what a link points to."""
        path.parent.mkdir(parents=True, exist_ok=True)
        (self.folder.parent / "precious").mkdir(exist_ok=True)
        (self.folder.parent / "precious" / "file").write_text("mine", encoding="utf-8")
        if kind == "file":
            path.write_text('{"score": 10}', encoding="utf-8")
        elif kind == "folder":
            path.mkdir()
            (path / "file").write_text("x", encoding="utf-8")
        else:
            path.symlink_to({"link": self.folder.parent / "precious" / "file", "dangling": "nowhere",
                             "link to a folder": self.folder.parent / "precious"}[kind])

    LAID = ("file", "folder", "link", "dangling", "link to a folder")

    def assert_gone(self, path, kind):
        self.assertFalse(os.path.lexists(path), kind)
        self.assertEqual((self.folder.parent / "precious" / "file").read_text(encoding="utf-8"), "mine")


class Recipes(RecipeTools):
    def test_the_manual_shows_them_as_they_are(self):
        manual = (CHECKOUT / "docs" / "instructors.md").read_text(encoding="utf-8")
        for recipe in RECIPES.iterdir():
            self.assertIn(f"\n{recipe.read_text(encoding='utf-8')}```", manual, recipe.name)

    def test_no_seed_stands_where_it_could_be_copied(self):
        """Who knows the seed beforehand knows the cases: recipes draw one."""
        for path in [*CHECKOUT.glob("*.md"), *(CHECKOUT / "docs").glob("*.md"), *RECIPES.iterdir(),
                     *(CHECKOUT / "tools" / "gradescope").iterdir()]:
            self.assertNotRegex(path.read_text(encoding="utf-8"),
                                r"(?i)--seed[ =]\d|\bseed=\"?\d|\"seed\": *\d", path.name)

    def test_classroom50(self):
        self.hand_in("dot.c", RIGHT)
        self.environment.update(CLASSROOM="c", ASSIGNMENT="a", SUBMISSION_TAG="s")
        self.run_in(sys.executable, RECIPES / "classroom50-autograder.py")
        report = self.read("result.json")
        self.assertEqual((report["score"], report["max-score"], report["assignment"]), (10, 10, "a"))
        self.hand_in("dot.c", CRASH)
        self.run_in(sys.executable, RECIPES / "classroom50-autograder.py")
        self.assertEqual(self.read("result.json")["tests"][0]["verdict"], "crash")
        (self.folder / "dot.c").unlink()
        self.run_in(sys.executable, RECIPES / "classroom50-autograder.py", code=2)

    def test_a_result_that_was_handed_in_does_not_count(self):
        """It is gone when attn refuses, and what a link points to stays as it is."""
        self.refuse(3)
        self.hand_in("dot.c", RIGHT)
        for kind in self.LAID:
            self.lay_result(self.folder / "result.json", kind)
            self.run_in(sys.executable, RECIPES / "classroom50-autograder.py", code=3)
            self.assert_gone(self.folder / "result.json", kind)

    def test_modules_that_were_handed_in_are_not_loaded(self):
        self.hand_in("dot.c", CRASH)
        shutil.copy(RECIPES / "classroom50-autograder.py", self.folder / "autograder.py")
        for name in ("subprocess", "shutil", "os"):
            self.hand_in(f"{name}.py", "open('loaded', 'w').close()\n")
        self.run_in(sys.executable, self.folder / "autograder.py")
        self.assertFalse((self.folder / "loaded").exists())
        self.assertEqual(self.read("result.json")["score"], 0)

    def test_gradescope_begins_without_a_result(self):
        root = self.folder / "autograder"
        (root / "source" / "attn" / "build").mkdir(parents=True)
        (root / "source" / "attn" / "build" / "attn").symlink_to(
            shutil.which("attn", path=self.environment["PATH"]))
        self.environment["AUTOGRADER"] = str(root)
        self.refuse(3)
        self.hand_in("autograder/submission/results.json", '{"score": 10}')
        for kind in self.LAID:
            self.lay_result(root / "results" / "results.json", kind)
            self.run_in(CHECKOUT / "tools" / "gradescope" / "run_autograder")
            report = self.read("autograder/results/results.json")
            self.assertEqual(report["score"], 0)
            self.assertIn("could not be graded", report["output"])
            (root / "results" / "results.json").unlink()
            self.assert_gone(root / "results" / "results.json", kind)

    def test_actions_begin_without_a_result(self):
        """What the workflow writes or loads is removed before, without following a link."""
        steps = (RECIPES / "github-actions.yml").read_text(encoding="utf-8")
        removal = re.search(r"- run: (rm -rf [^#\n]+)", steps)
        for path in (".attn", *re.findall(r"--output (\S+)|>(\w\S*)", steps)):
            path = path if isinstance(path, str) else path[0] or path[1]
            self.assertIn(path, removal[1].split())
            self.assertLess(removal.start(), steps.index(path, removal.end()))
            for kind in self.LAID:
                self.lay_result(self.folder / path, kind)
                self.run_in("sh", "-c", removal[1])
                self.assert_gone(self.folder / path, kind)

    def test_gradescope(self):
        """run_autograder, with the folders that Gradescope makes."""
        root = self.folder / "autograder"
        build = root / "source" / "attn" / "build"
        build.mkdir(parents=True)
        (build / "attn").symlink_to(shutil.which("attn", path=self.environment["PATH"]))
        self.environment["AUTOGRADER"] = str(root)
        script = CHECKOUT / "tools" / "gradescope" / "run_autograder"
        for source, status in ((RIGHT, "passed"), (CRASH, "failed")):
            self.hand_in("autograder/submission/dot.c", source)
            self.run_in(script)
            report = self.read("autograder/results/results.json")
            self.assertEqual([test["status"] for test in report["tests"]], [status])
            self.assertEqual(report["tests"][0]["name"], "dot (dot.c)")
        (root / "submission" / "dot.c").rename(root / "submission" / "what.c")
        self.run_in(script)
        report = self.read("autograder/results/results.json")
        self.assertEqual(report["score"], 0)
        self.assertIn("named after an exercise", report["output"])


class Clusters(RecipeTools):
    """Recipes that grade with many processes, on one machine or several."""

    @needs("parallel")
    def test_parallel_on_this_machine(self):
        self.make_class()
        self.environment["SEED"] = "5"
        self.run_in(RECIPES / "grade-parallel.sh", "class", "results.json", "--jobs", 2)
        self.assertEqual(same_but_time(self.read()), self.in_one_go())
        self.assertEqual(sorted(os.listdir(self.folder)), ["class", "results.json", "whole.json"])

    def make_larger_class(self):
        """In three parts, of which each takes a moment."""
        students = [f"student{number}" for number in range(24)]
        for number, student in enumerate(students[:-1]):
            self.hand_in(f"class/{student}/dot.c", CRASH if number % 4 == 0 else RIGHT)
        (self.folder / "class.csv").write_text("login\n" + "\n".join(students) + "\n", encoding="utf-8")

    @needs("parallel")
    def test_parallel_goes_on_after_a_kill(self):
        """All its processes are killed, twice, in the middle of a part."""
        self.make_larger_class()
        command = [RECIPES / "grade-parallel.sh", "class", "results.json", "--jobs", "2"]
        self.environment["SEED"] = "5"
        ended = 0
        for wanted in (1, 8):
            process = subprocess.Popen(list(map(str, command)), cwd=self.folder, env=self.environment,
                                       start_new_session=True, stderr=subprocess.DEVNULL)
            until = time.monotonic() + 120
            while process.poll() is None and time.monotonic() < until and self.count_graded() < wanted:
                time.sleep(0.01)
            ended += process.poll() is None
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
            parts, = self.folder.glob("parts.*")
            self.environment["PARTS"] = parts.name
        self.assertEqual(ended, 2)
        self.assertFalse((self.folder / "results.json").exists())
        self.assertTrue([path for path in parts.glob("*.json")
                         if json.loads(path.read_text(encoding="utf-8")).get("complete") is False])
        del self.environment["SEED"]  # the folder knows it
        self.run_in(*command)
        self.assert_merged(self.in_one_go("class", "--roster", "class.csv"))
        self.assertFalse(parts.exists())

    def count_graded(self):
        """The files that all parts so far have results of; a report is replaced as a whole."""
        return sum(len(json.loads(path.read_text(encoding="utf-8"))["results"])
                   for path in self.folder.glob("parts.*/*.json"))

    def assert_merged(self, whole):
        """The same results; those who handed in nothing come part by part."""
        merged = same_but_time(self.read())
        for report in (merged, whole):
            for key in ("results", "students"):
                report[key].sort(key=lambda row: row.get("login", row.get("student")))
        self.assertEqual(merged, whole)

    @needs("parallel")
    def test_a_folder_of_parts_may_be_named(self):
        self.make_larger_class()
        self.environment.update(SEED="5", PARTS="some parts/of it")
        self.run_in(RECIPES / "grade-parallel.sh", "class", "results.json", "--jobs", 2)
        self.assert_merged(self.in_one_go("class", "--roster", "class.csv"))

    @needs("parallel")
    def test_recipes_expect_the_class_list(self):
        """A part that was graded before the list grew lacks who is new, and merging says so."""
        self.make_larger_class()
        self.environment.update(SEED="5", PARTS="parts")
        self.refuse(3)
        self.run_in(RECIPES / "grade-parallel.sh", "class", "results.json", code=3)
        self.accept()
        for number in (1, 2, 3):
            self.grade("class", "--part", f"{number}/3", "--seed", 5, "--roster", "class.csv", "--format",
                       "json", "--output", f"parts/{number}.json", code=1)
        with (self.folder / "class.csv").open("a", encoding="utf-8") as file:
            file.write("zoe\n")
        _, said = self.run_in(RECIPES / "grade-parallel.sh", "class", "results.json", code=1)
        self.assertIn("in no part at all, neither graded nor missing: zoe;", said)
        self.assertIn("PARTS='parts' before the same command goes on from here", said)
        self.assertFalse((self.folder / "results.json").exists())

    @unittest.skipIf(pwd.getpwuid(os.getuid()).pw_shell.endswith(("nologin", "false")),
                     "this user may not log in")
    @needs("parallel", "sshd", "ssh", "ssh-keygen", "rsync")
    def test_parallel_over_ssh(self):
        """From a folder, of a class and into a file with blanks in their names."""
        self.folder = self.folder / "my work"
        self.folder.mkdir()
        self.folder.chmod(0o755)
        self.make_class()
        (self.folder / "class").rename(self.folder / "the class of '26")
        (self.folder / "class.csv").write_text("login\nanna\nbob\n", encoding="utf-8")
        (self.folder / "out").mkdir()
        port = self.start_sshd()
        self.environment["SEED"] = "5"
        self.run_in(RECIPES / "grade-parallel.sh", "the class of '26", "out/of all.json", "--sshlogin",
                    f"2/ssh -F {self.holder}/ssh/config -p {port} 127.0.0.1")
        self.assertEqual(same_but_time(self.read("out/of all.json")),
                         self.in_one_go("the class of '26", "--roster", "class.csv"))
        log = (self.holder / "sshd.log").read_text(encoding="utf-8")
        self.assertIn("Accepted publickey", log)
        left = [path for path in (self.holder / "away").rglob("*") if path.is_file()]
        self.assertEqual(left, [])

    def start_sshd(self):
        """An sshd of our own on loopback, with keys of our own, which ends with the test. Where one
        logs in is another folder, with `attn` on the PATH there."""
        home = self.holder / "ssh"
        home.mkdir(mode=0o700)
        away = self.holder / "away"
        away.mkdir()
        for key in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", home / key],
                           check=True)
        shutil.copy(home / "user.pub", home / "authorized_keys")
        path = self.environment["PATH"]
        data = self.environment.get("ATTN_DATA_DIR", str(CHECKOUT))
        (home / "login").write_text(f'#!/bin/sh\ncd "{away}"\nexport PATH="{path}" HOME="{away}" '
                                    f'ATTN_DATA_DIR="{data}"\nexec sh -c "$SSH_ORIGINAL_COMMAND"\n',
                                    encoding="utf-8")
        (home / "login").chmod(0o700)
        port = free_port()
        (home / "sshd_config").write_text(
            f"ListenAddress 127.0.0.1:{port}\nHostKey {home}/host\nPidFile none\nUsePAM no\n"
            f"AuthorizedKeysFile {home}/authorized_keys\nStrictModes no\nPermitRootLogin yes\n"
            f"ForceCommand {home}/login\n", encoding="utf-8")
        user = pwd.getpwuid(os.getuid()).pw_name
        (home / "config").write_text(
            f"Host *\n User {user}\n IdentityFile {home}/user\n IdentitiesOnly yes\n"
            f" BatchMode yes\n UserKnownHostsFile {home}/known\n StrictHostKeyChecking no\n LogLevel ERROR\n",
            encoding="utf-8")
        if os.getuid() == 0:
            os.makedirs("/run/sshd", exist_ok=True)
        sshd = shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
        self.start_daemon([sshd, "-D", "-e", "-f", home / "sshd_config"])
        self.wait_for_port(port)
        return port

    @needs("parallel")
    def test_parallel_begins_without_a_result(self):
        self.refuse(3)
        self.make_class()
        for kind in self.LAID[:1] + self.LAID[2:]:
            self.lay_result(self.folder / "results.json", kind)
            self.run_in(RECIPES / "grade-parallel.sh", "class", "results.json", code=3)
            self.assert_gone(self.folder / "results.json", kind)
            for parts in self.folder.glob("parts.*"):
                shutil.rmtree(parts)

    @needs("munged", "slurmctld", "slurmd", "sbatch", "squeue")
    @unittest.skipIf(os.getuid() != 0, "slurmd runs as root only")
    def test_slurm(self):
        """Three tasks, of which one is lost at first."""
        self.make_larger_class()
        self.start_slurm()
        self.environment["SEED"] = "5"
        tasks = ("sh", RECIPES / "grade-slurm.sh", "class", "results.json")
        _, said = self.run_in(*tasks, "--array=1-2", code=1, timeout=240)
        self.assertIn("part 3 of 3 is not here", said)
        parts, = self.folder.glob("parts.*")
        self.assertIn(f"PARTS='{parts.name}' before the same command", said)
        self.environment["PARTS"] = parts.name
        del self.environment["SEED"]  # the folder knows it
        self.run_in(*tasks, timeout=240)
        self.assert_merged(self.in_one_go("class", "--roster", "class.csv"))
        self.assertFalse(parts.exists())

    def start_slurm(self):
        """A cluster of one node on loopback, with its own key, state and ports."""
        home = self.folder.parent / "slurm"
        (home / "state").mkdir(parents=True)
        (home / "spool").mkdir()
        munge = home / "munge"
        munge.mkdir(mode=0o755)
        key = munge / "key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        self.start_daemon([shutil.which("munged", path="/usr/sbin:/usr/bin"), "--foreground",
                           "--force", f"--key-file={key}", f"--socket={munge}/socket",
                           f"--pid-file={munge}/pid", f"--log-file={munge}/log",
                           f"--seed-file={munge}/seed"])
        name = socket.gethostname().split(".")[0]
        ports = free_port(), free_port()
        config = home / "slurm.conf"
        config.write_text(
            f"ClusterName=attn\nSlurmctldHost={name}(127.0.0.1)\nSlurmUser=root\n"
            f"SlurmctldPort={ports[0]}\nSlurmdPort={ports[1]}\nAuthType=auth/munge\n"
            f"AuthInfo=socket={munge}/socket\nStateSaveLocation={home}/state\n"
            f"SlurmdSpoolDir={home}/spool\nSlurmctldPidFile={home}/ctld.pid\n"
            f"SlurmdPidFile={home}/d.pid\nProctrackType=proctrack/pgid\nTaskPlugin=task/none\n"
            "SwitchType=switch/none\nMpiDefault=none\nReturnToService=2\nSchedulerType=sched/builtin\n"
            "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\n"
            "JobAcctGatherType=jobacct_gather/none\nSchedulerParameters=batch_sched_delay=0\n"
            f"NodeName={name} NodeAddr=127.0.0.1 CPUs={os.cpu_count()} State=UNKNOWN\n"
            f"PartitionName=all Nodes={name} Default=YES MaxTime=INFINITE State=UP\n",
            encoding="utf-8")
        self.environment["SLURM_CONF"] = str(config)
        for program in ("slurmctld", "slurmd"):
            self.start_daemon([shutil.which(program, path="/usr/sbin:/usr/bin"), "-D", "-f", config],
                              env=self.environment)
        self.wait_for_port(ports[0])
        self.wait_for_port(ports[1])


def main():
    if os.environ.get("ATTN_RUNNER"):
        print("no sandbox can be made under ATTN_RUNNER")
        return SKIPPED
    loader = unittest.defaultTestLoader
    suite = unittest.TestSuite(loader.loadTestsFromTestCase(case)
                               for case in (Grading, Resuming, Assignments, Manual, Parts,
                                            Recipes, Clusters))
    if len(sys.argv) > 1:
        suite = loader.loadTestsFromNames(sys.argv[1:], sys.modules[__name__])
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    failed, skipped = len(result.failures) + len(result.errors), len(result.skipped)
    print(f"{result.testsRun - failed - skipped} passed, {failed} failed" +
          (f", {skipped} skipped" if skipped else ""))
    return 0 if failed == 0 and result.testsRun > 0 else 1


sys.exit(main())
