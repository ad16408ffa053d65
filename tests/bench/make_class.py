#!/usr/bin/env python3
"""A simulated class: right solutions, wrong ones, starters and students who hand in nothing.

    make_class.py FOLDER --students 2000 [--exercises 18] [--like GRADED]

writes FOLDER/class/STUDENT/FILE.c and the class list FOLDER/class.csv. Of a hundred files 55 are right,
30 wrong in a known way, 10 starters, 5 not handed in. With --like, a folder made before whose results.json
has been graded, each student is a copy of one there, and so is the report: a run with --resume over it has
nothing to build, and shows what all but the judging costs.
"""
import argparse
import json
import random
import re
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
RIGHT, WRONG, STARTER, NOTHING = range(4)
SHARES = {RIGHT: 55, WRONG: 30, STARTER: 10, NOTHING: 5}


def login(number):
    return f"s{number:05}"


def sources_of(exercise):
    proofs = ROOT / "tests" / "exercises" / exercise.name
    starter = next(path for path in exercise.glob("*.c") if path.name != "plain.c")
    return starter.name, {RIGHT: sorted((proofs / "right").glob("*.c")),
                          WRONG: sorted((proofs / "wrong").glob("*.c")), STARTER: [starter]}


def draw_class(folder, students, n_exercises, chance):
    exercises = [sources_of(path) for path in sorted((ROOT / "exercises").glob("[0-9]*"))[:n_exercises]]
    for number in range(students):
        own = folder / "class" / login(number)
        own.mkdir(parents=True)
        for name, sources in exercises:
            kind = chance.choices(list(SHARES), weights=SHARES.values())[0]
            if sources.get(kind):
                shutil.copyfile(chance.choice(sources[kind]), own / name)


def copy_class(folder, students, like):
    """Each student is one of `like`, whose results are copied with another name."""
    report = json.loads((like / "results.json").read_text(encoding="utf-8"))
    lenders = sorted(path.name for path in (like / "class").iterdir())
    of_lender = {name: [r for r in report["results"] if r["student"] == name] for name in lenders}
    results = []
    for number in range(students):
        lender = lenders[number % len(lenders)]
        own = folder / "class" / login(number)
        shutil.copytree(like / "class" / lender, own)
        for result in of_lender[lender]:
            if result["file"]:
                file = f"class/{own.name}/{Path(result['file']).name}"
                results.append({**result, "student": own.name, "file": file})
    report["results"] = results
    report.pop("students", None)
    (folder / "results.json").write_text(json.dumps(report, indent=1), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=re.sub(r"\n.*", "", __doc__))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--students", type=int, required=True)
    parser.add_argument("--exercises", type=int, default=18)
    parser.add_argument("--like", type=Path)
    options = parser.parse_args()
    if options.like:
        copy_class(options.folder, options.students, options.like)
    else:
        draw_class(options.folder, options.students, options.exercises, random.Random(options.students))
    rows = "".join(f"Student {n},{login(n)},{login(n)}@example.org,{n}\n" for n in range(options.students))
    (options.folder / "class.csv").write_text("name,login,email,id\n" + rows, encoding="utf-8")


main()
