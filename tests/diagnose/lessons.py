#!/usr/bin/env python3
"""Which mistake is named for each wrong answer of lessons.yaml, and is it the right one?

usage: lessons.py [--all] [PART...]     PART: of the names of lessons and questions, such as 05 or scaled

Two tables, by kind of question and by lesson; below them each answer that is not named rightly (--all:
each answer), with what was said. Exit code 1: a wrong name of the search's, an answer that is right to
attn or no answer, or fewer than nine of ten named where there is a name.

In the environment: ATTN is the program, else build/attn of this checkout.
"""
import collections
import os
import re
import subprocess
import sys
from pathlib import Path

import yaml

HERE = Path(__file__).resolve().parent
CHECKOUT = HERE.parent.parent
ANSWERS = HERE / "lessons.yaml"
LESSONS = CHECKOUT / "lessons"

# What lessons.yaml calls by a common name: what is said is one way of it, or the same in other words.
SAME = {
    "off-by-constant": "off-by-one neighbour-cell rows-shifted",
    "neighbour-cell": "off-by-constant cells-exchanged",
    "other-row-or-column": "neighbour-cell other-row cells-exchanged",
    "only-first-row": "other-row",
    "other-size": "neighbour-cell",
    "one-row": "other-row",
    "diagonal-shifted": "rows-shifted",
    "sum-left-out": "only-first last-left-out first-left-out",
    "term-left-out": "bias-left-out first-left-out last-left-out",
    "names-exchanged": "cells-exchanged",
    "axes-swapped": "cells-exchanged transposed",
    "transposed": "weights-transposed past-hidden cells-exchanged",
    "factor": "temperature half twice percent square-left-out base-ten division-left-out factor-left-out",
    "factor-left-out": "square-left-out weights-left-out",
    "reciprocal": "exponential-of-negative",
    "sign": "exponential-of-negative sign-of-difference",
    "operands-swapped": "sign-of-difference",
    "hidden-is-zero": "multiplied-by-mask",
    "divide-for-times": "reciprocal",
}


def judged_answers():
    """The outcome of each answer, by lesson, question and what is typed."""
    attn = os.path.abspath(os.environ.get("ATTN", CHECKOUT / "build" / "attn"))
    done = subprocess.run([attn, "lint", str(LESSONS), "--answers", str(ANSWERS)], stdout=subprocess.PIPE,
                          check=True, timeout=600)
    lines = done.stdout.decode("utf-8").splitlines()
    return {tuple(line.split("\t")[:3]): line.split("\t")[3] for line in lines}


def kinds_of_questions():
    """The kind of each question, by its lesson and its name."""
    kinds = {}
    for path in LESSONS.glob("[0-9][0-9]-*.md"):
        name = None
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("#"):
                words = re.sub(r"[^a-z0-9 -]", "", line.lstrip("#").strip().lower())
                name = words.replace(" ", "-")
            elif line.startswith("kind: "):
                kinds[path.stem, name] = line.split(": ")[1]
    return kinds


def judge(outcome, says):
    """right, silent, wrong, or broken: it is no wrong answer to attn."""
    known = set(says).union(*(SAME.get(name, "").split() for name in says))
    if outcome == "generic":
        return "silent" if says else "right"
    if outcome.startswith("foreseen"):
        return "right" if "foreseen" in says else "wrong"
    if outcome.startswith("edit "):
        return "right" if set(re.split("[,|]", outcome[5:])) & known else "wrong"
    return "broken"


def print_table(title, counts):
    print(f"{title:26} answers  right  silent  wrong")
    for name in sorted(counts):
        count = counts[name]
        print(f"{name:26} {sum(count.values()):7} {count['right']:6} {count['silent']:7} "
              f"{count['wrong'] + count['broken']:6}")


def main():
    parts = [part for part in sys.argv[1:] if part != "--all"]
    answers = [answer for answer in yaml.safe_load(ANSWERS.read_text(encoding="utf-8"))
               if not parts or any(part in f"{answer['lesson']} {answer['question']}" for part in parts)]
    outcomes, kinds, lines = judged_answers(), kinds_of_questions(), []
    by_lesson, by_kind = collections.defaultdict(collections.Counter), collections.defaultdict(collections.Counter)
    total, named, by_text, wrong_edits = collections.Counter(), collections.Counter(), 0, 0
    for answer in answers:
        outcome = outcomes[answer["lesson"], answer["question"], answer["typed"]]
        found = judge(outcome, answer["says"])
        total[found] += 1
        named[found] += bool(answer["says"])
        wrong_edits += found == "wrong" and outcome.startswith("edit")
        by_text += found == "right" and outcome.startswith("foreseen")
        by_lesson[answer["lesson"]][found] += 1
        by_kind[kinds.get((answer["lesson"], answer["question"]), "?")][found] += 1
        if found != "right" or "--all" in sys.argv:
            lines.append(f"{found:6} {answer['lesson'][:2]} {answer['question']}: {answer['typed']} "
                         f"({answer['wrong']})\n"
                         f"       right: {', '.join(answer['says']) or 'nothing'}   said: {outcome}")
    by_kind["all"] = total
    print_table("lesson", by_lesson)
    print()
    print_table("kind", by_kind)
    n = sum(named.values())
    print(f"{named['right']} of {n} that have a name are named rightly, {by_text} of them by a lesson's text; "
          f"{total['wrong']} wrongly, {total['wrong'] - wrong_edits} of them by a lesson's text")
    print("\n".join(lines))
    return 1 if wrong_edits or total["broken"] or named["right"] < 0.9 * n else 0


if __name__ == "__main__":
    sys.exit(main())
