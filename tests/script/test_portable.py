#!/usr/bin/env python3
"""attn on a system for which its sandbox knows no layers but limits: `attn check` runs a learner's
own file and says what is missing, `attn grade` refuses.

usage: test_portable.py PROGRAM [TEST...]   (PROGRAM: attn_portable; ATTN_DATA_DIR as always)
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else None
DOT = "float dot(size_t n, const float *a, const float *b)\n{\n    %s\n}\n"
RIGHT = DOT % "float sum = 0; for (size_t i = 0; i < n; i++) sum += a[i] * b[i]; return sum;"
WRONG = DOT % "float sum = 0; for (size_t i = 1; i < n; i++) sum += a[i] * b[i]; return sum;"
CRASH = DOT % "(void)n; (void)a; (void)b; volatile float *p = 0; return *p;"
BEYOND = DOT % "(void)b; return a[n + 8000];"
SPIN = DOT % "(void)n; (void)a; (void)b; for (volatile int i = 0;; i++) { }"
BROKEN = "float dot(size_t n, const float *a, const float *b) { return }\n"
WARNING = ("attn: this machine lacks namespaces, root, landlock, seccomp, uid: your code runs inside "
           "fewer layers; attn doctor tells more\n")


class Portable(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="attn-portable-")
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        self.environment = {**os.environ, "LC_ALL": "C.UTF-8", "HOME": holder.name,
                            "XDG_STATE_HOME": holder.name, "XDG_CACHE_HOME": holder.name,
                            "TMPDIR": str(self.folder / "tmp")}
        (self.folder / "tmp").mkdir()

    def run_attn(self, *arguments):
        return subprocess.run([PROGRAM, *arguments], cwd=self.folder, env=self.environment,
                              text=True, capture_output=True, stdin=subprocess.DEVNULL, timeout=110)

    def check(self, source):
        (self.folder / "01_dot.c").write_text(source, encoding="utf-8")
        done = self.run_attn("check", "01_dot.c")
        self.assertEqual(list((self.folder / "tmp").iterdir()), [], "a folder was left behind")
        return done

    def test_a_right_file_passes_after_a_warning(self):
        done = self.check(RIGHT)
        self.assertEqual((done.returncode, done.stderr), (0, WARNING), done.stdout)
        self.assertIn("Right in every case", done.stdout)

    def test_a_wrong_file_gets_its_smallest_case(self):
        done = self.check(WRONG)
        self.assertEqual((done.returncode, done.stderr), (1, WARNING), done.stdout)

    def test_other_ends_get_their_verdicts(self):
        for source, words in ((CRASH, r"crash|null pointer"), (BEYOND, r"a\[|reads|bounds"),
                              (SPIN, r"time"), (BROKEN, r"01_dot\.c:1:")):
            with self.subTest(source=source):
                done = self.check(source)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertRegex(done.stdout.lower(), re.compile(words))

    def test_a_class_is_not_graded(self):
        (self.folder / "class").mkdir()
        (self.folder / "class" / "dot.c").write_text(RIGHT, encoding="utf-8")
        done = self.run_attn("grade", "class")
        self.assertEqual(done.returncode, 3)
        self.assertIn("attn: grade: the sandbox is too weak, it needs seccomp",
                      done.stderr)
        self.assertIn("seccomp: attn has this on Linux only\n", done.stderr)
        self.assertEqual(done.stdout, "")

    def test_the_doctor_names_what_is_missing(self):
        done = self.run_attn("doctor")
        self.assertRegex(done.stdout, r"rlimits +works")
        self.assertRegex(done.stdout, r"seccomp +attn has this on Linux only")
        self.assertRegex(done.stdout, r"isolation +weak")

    def test_the_doctor_tells_who_computes(self):
        done = self.run_attn("doctor")
        self.assertRegex(done.stdout, r"instructions +[a-z0-9]+.*; used: [a-z0-9]+\n")
        self.assertRegex(done.stdout, r"threads +[1-9][0-9]* for large work\n")


if PROGRAM is None or "ATTN_RUNNER" in os.environ:
    sys.exit(77)
unittest.main()
