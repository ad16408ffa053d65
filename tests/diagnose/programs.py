#!/usr/bin/env python3
"""Which mistake is named for each wrong program of this folder, and is it the right one?

    programs.py [EXERCISE ...] [--all] [--every N]      with $ATTN, or build/attn

A table by exercise; below it each program that is not named rightly (--all: each program), with what it
did, what would be right to say, and what was said. Exit code 1: more wrong names than --most-wrong (0), a
right program that is named or fails, less than --least percent (90) named rightly, or more wrong lines
than --most-wrong-lines (3).
"""
import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

HERE = Path(__file__).resolve().parent
ATTN = os.environ.get("ATTN", str(HERE.parent.parent / "build" / "attn"))
SEED = "2301"


# What expected.yaml calls by a common name; and what a verdict says by itself.
SAME = {
    "name-for-name": "own-row",
    "other-size": "size-without-root divided-by-group root-of-group",
    "division-left-out": "divisor-left-out",
    "weights-left-out": "one-factor-left-out",
    "mean-of-heads": "divided-by-size mean-of-group",
    "maximum-from-zero": "least-positive top-from-zero",
    "maximum-from-tiny": "least-positive",
    "zero-for-hidden": "least-positive",
    "not-reset": "maximum-not-reset sum-not-reset flag-not-reset",
    "whole-matrix": "maximum-of-all",
    "last-left-out": "sum-without-last maximum-without-last some-columns-left some-rows-left "
        "rest-left-out last-key-left-out",
    "first-left-out": "some-rows-left sum-without-first maximum-without-first some-columns-left first-key-left-out",
    "off-by-constant": "sum-starts-at-one off-by-one diagonal-shifted",
    "truncated": "cut-to-whole integer-division rounded-root",
    "transposed": "stored-by-columns read-by-columns weights-transposed transpose-left-out",
    "other-axis": "other-axis-of-sum other-axis-of-maximum",
    "factor": "temperature half twice another-factor",
    "squares-for-products": "factor-squared",
    "square": "square-for-root squares-in-the-sum temperature squares-for-exponentials",
    "root": "root-of-all temperature another-factor",
    "sign": "exponential-of-negative",
    "operands-swapped": "exponential-of-negative sign-of-difference names-exchanged",
    "read-before-write": "sum-so-far new-left-out",
    "condition-left-out": "maximum-is-last mask-left-out",
    "projection-left-out": "factor-left-out",
    "sum-is-mean": "divided-by-length divided-by-count",
    "sum-is-maximum": "sum-is-largest-product",
    "counted-from-the-end": "read-backwards mask-from-the-end",
    "comparison-turned": "past-hidden comparison-loose-turned mask-inverted",
    "hidden-is-zero": "multiplied-by-mask hidden-is-least-positive least-positive",
    "exp-after-sum": "exponential-of-sum",
    "percent": "percent-in-comparison",
    "factor-left-out": "one-factor-left-out weights-left-out heads-one-apart length-forgotten width-forgotten",
    "wrong-stride": "heads-one-apart length-forgotten width-forgotten",
    "other-row-or-column": "own-row",
    "another-head": "another-group other-group",
    "cache-not-written": "new-left-out",
    "sum-left-out": "only-last-row",
    "axes-swapped": "heads-interleaved",
    "plus-for-minus": "another-factor maximum-added",
    "minus-for-plus": "sign-of-difference",
    "rounded-root": "integer-division cut-to-whole",
    "only-first-row": "some-rows-left",
    "hidden-is-big-number": "hidden-is-small",
    "nan-born": "nan-for-hidden",
    "input-overwritten": "modified_inputs",
    "memory-lost": "leak",
    "loop-too-far": "out_of_bounds crash",
    "too-slow": "too_slow time_limit",
    "endless": "time_limit",
}
VERDICTS = """pass wrong_answer non_finite leak out_of_bounds crash modified_inputs time_limit too_slow
compile_error memory_limit exited_early forbidden_syscall output_limit not_implemented""".split()


def grade(paths, exercise):
    """The result of each file, by its name."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "results.json"
        for _ in range(3):  # where the machine is very busy, the self-test of the sandbox runs out of time
            run = subprocess.run([ATTN, "grade", *map(str, paths), "--exercise", exercise, "--seed", SEED,
                                  "--format", "json", "--output", str(out)], check=False,
                                 capture_output=True, text=True, timeout=1800)
            if out.exists():
                break
        else:
            sys.exit(f"attn grade gave no results for {exercise}:\n{run.stderr}")
        report = json.loads(out.read_text(encoding="utf-8"))
    return {Path(result["file"]).name: result for result in report["results"] + report.get("duplicates", [])}


def names_of(result):
    """What was said: names, else a verdict that says more than that the numbers are wrong. A name that
    only the proof of a line gave is judged with the line."""
    names = [idea["id"] for idea in result.get("misconceptions", []) if idea["say"] != result.get("line_says")]
    return names or [result["verdict"]]


def judge_line(result, lines):
    """right, silent or wrong: is the line that carries the mistake one of those that are true?"""
    line = result.get("line")
    return "silent" if line is None else "right" if line in lines else "wrong"


def wanted_of(says):
    """A list of mistakes, each a list of the ids that are right."""
    if says and not isinstance(says[0], list):
        return [says]
    return says


def judge(names, says):
    """right, silent, part (one of two, and nothing false) or wrong."""
    wanted = [set(one).union(*(SAME.get(name, "").split() for name in one)) for one in wanted_of(says)]
    known = {name for one in wanted for name in one}
    if len(names) == 1 and names[0] in VERDICTS and names[0] not in known:
        return "right" if not wanted else "silent"
    if any(name not in known for name in names):
        return "wrong"
    return "right" if all(one & set(names) for one in wanted) else "part"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("exercises", nargs="*")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--every", type=int, default=1, help="only each Nth program, for a quick look")
    parser.add_argument("--least", type=float, default=90)
    parser.add_argument("--most-wrong", type=int, default=0)
    parser.add_argument("--most-wrong-lines", type=int, default=3)
    arguments = parser.parse_args()
    total, lines, faults, of_lines = collections.Counter(), [], 0, collections.Counter()
    print(f"{'exercise':22} programs  right  part  silent  wrong")
    for folder in sorted(path for path in HERE.iterdir() if path.is_dir()):
        if arguments.exercises and not any(folder.name.startswith(e) for e in arguments.exercises):
            continue
        expected = yaml.safe_load((folder / "expected.yaml").read_text(encoding="utf-8"))
        exercise = folder.name[3:]
        expected = expected[::arguments.every]
        results = grade([folder / one["file"] for one in expected], exercise)
        count = collections.Counter()
        for one in expected:
            result = results[one["file"]]
            names = names_of(result)
            found = judge(names, one["says"])
            if result["verdict"] == "pass":
                found = "wrong"
                names = ["(it passes)"]
            count[found] += 1
            if "lines" in one:
                place = judge_line(result, one["lines"])
                of_lines[place] += 1
                if place != "right":
                    lines.append(f"{place:6} line of {folder.name}/{one['file']}: right: {one['lines']}   "
                                 f"said: {result.get('line')} {result.get('line_says', '')}")
            if arguments.all or found != "right":
                lines.append(f"{found:6} {folder.name}/{one['file']}: {one['wrong']}\n"
                             f"       right: {one['says']}   said: {', '.join(names) or result['verdict']}")
        for name, result in grade(sorted((folder / "right").glob("*.c"))[::arguments.every], exercise).items():
            if result["verdict"] != "pass" or result.get("misconceptions"):
                faults += 1
                lines.append(f"fault  {folder.name}/right/{name}: {result['verdict']} {names_of(result)}")
        total += count
        print(f"{folder.name:22} {sum(count.values()):8} {count['right']:6} {count['part']:5} "
              f"{count['silent']:7} {count['wrong']:6}", flush=True)
    n = sum(total.values())
    print(f"{'all':22} {n:8} {total['right']:6} {total['part']:5} {total['silent']:7} {total['wrong']:6}")
    print(f"lines of {sum(of_lines.values())} programs: {of_lines['right']} right, {of_lines['silent']} silent, "
          f"{of_lines['wrong']} wrong")
    print("\n".join(lines))
    if of_lines["wrong"] > arguments.most_wrong_lines:
        return 1
    return 1 if faults or total["wrong"] > arguments.most_wrong or total["right"] * 100 < arguments.least * n else 0


if __name__ == "__main__":
    sys.exit(main())
