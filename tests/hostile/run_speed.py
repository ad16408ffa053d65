#!/usr/bin/env python3
"""Grades functions that are to be fast: right ones that are, right ones that are not, ones that do less,
and ones that ask the compiler for other options than the plain version has.

usage: run_speed.py [NAME...]     without names, all files in speed/

The first line of each file says `// expect: VERDICT DETAIL`, the detail being the begin of what attn
says, or nothing; `| needs avx2` leaves the file out where the processor has none, `| plain-loops` asks
for that idea to be named, `| no idea` for none. The speed is measured
with attn's own rule, in processor time beside the plain version, so no quiet machine is needed: what is
fast here is twice as fast as it must be, what is slow stays a third below.

In the environment: ATTN is the program, ATTN_DATA_DIR the folder with the exercises.
"""
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent / "speed"
CHECKOUT = HERE.parent.parent.parent


def has_avx2():
    cpuinfo = Path("/proc/cpuinfo")
    return platform.machine() == "x86_64" and cpuinfo.exists() and " avx2 " in cpuinfo.read_text().replace("\n", " ")


def expectation(path):
    """Verdict, detail and idea that the file must get; None where it needs what this machine lacks."""
    words, _, more = path.read_text(encoding="utf-8").splitlines()[0].removeprefix("// expect:").partition("|")
    if more.strip() == "needs avx2" and not has_avx2():
        return None
    verdict, _, detail = words.strip().partition(" ")
    return verdict, detail, more.strip()


def grade(compiler, expected):
    """The results of grading the files with this compiler, by name."""
    with tempfile.TemporaryDirectory(prefix="attn-speed-") as folder:
        for name in expected:
            os.mkdir(os.path.join(folder, name))
            shutil.copy(HERE / f"{name}.c", os.path.join(folder, name, "fast_attention.c"))
        output = os.path.join(folder, "results.json")
        run = subprocess.run([os.environ.get("ATTN", CHECKOUT / "build/attn"), "grade", folder, "--jobs", "2",
                              "--format", "json", "--output", output], env={**os.environ, "CC": compiler},
                             capture_output=True, text=True, check=False, timeout=280)
        if run.returncode != 1:
            sys.exit(f"{compiler}: attn grade ends with {run.returncode}: {run.stderr}")
        return {result["student"]: result for result in json.loads(Path(output).read_text())["results"]}


def main():
    names = sys.argv[1:] or sorted(path.stem for path in HERE.glob("*.c"))
    expected = {name: wanted for name in names if (wanted := expectation(HERE / f"{name}.c"))}
    failed = 0
    for compiler in filter(shutil.which, ("gcc", "clang")):
        results = grade(compiler, expected)
        for name, (verdict, detail, more) in expected.items():
            result = results[name]
            says_where = detail != "other options" or ": " in result["message"]
            ideas = [idea["id"] for idea in result["misconceptions"]]
            explained = set(ideas) <= {"too-slow"} if more == "no idea" else more == "needs avx2" or not more or more in ideas
            if (result["verdict"] != verdict or not result["detail"].startswith(detail) or not says_where
                    or not explained):
                failed += 1
                print(f"FAILED {compiler}: {name}: expected {verdict} {detail!r}, got {result['verdict']} "
                      f"{result['detail']!r} {ideas}\n{result['message']}")
    print(f"{len(expected)} files, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
