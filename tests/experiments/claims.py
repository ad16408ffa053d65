#!/usr/bin/env python3
"""Checks what is said about training, over seeds: each claim holds in so many of them.

usage: claims.py [--seeds N] [--need N] [--jobs N] [--program FILE] [--lessons | NAME...]

A claim is an experiment (the arguments of experiment_learn, tests/experiments/learn.c) and what must
hold of its lines, one for each few steps. Claims that need the same experiment share it. Prints a
line for each claim with the seeds in which it does not hold; exit 1 where one holds in too few.

--lessons takes the claims that lessons make, and no others: their experiments are small, and all
tests run them. The others are what tasks and their recipes promise.
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = HERE.parent.parent / "build" / "tests" / "experiment_learn"

# ---- what can be asked of the lines of an experiment ----


def least(line, lengths):
    """The smallest share of right tokens at any length."""
    return min(line[lengths].values())


def most(line, lengths):
    return max(line[lengths].values())


def best_head(line, score):
    return max(head[score] for head in line["heads"].values())


def share_at(lines, step, lengths):
    """The share of right tokens after so many steps, all lengths together."""
    line = next(line for line in lines if line["step"] == step)
    return sum(line[lengths].values()) / len(line[lengths])


def without_one(line, layer):
    """The least share of right tokens without a single head of the layer."""
    return min(head["without"] for name, head in line["heads"].items() if name.startswith(f"L{layer}"))


# How lessons 26 and 27 train: seconds become half of one.
QUICK = "lr=0.01 batch=16"
ONE_HEAD = f"induction heads=1 steps=300 {QUICK} every=50"
ONE_LAYER = f"induction layers=1 heads=1 steps=300 {QUICK} every=300"
TWO_HEADS = f"induction steps=300 {QUICK} every=300"
FIXED = f"fixed heads=1 steps=200 {QUICK} every=200"
FIXED_TWO = f"fixed steps=200 {QUICK} every=200"

# ---- the claims ----

# lesson: the number of the lesson that says so; None: it is said of a task.
Claim = collections.namedtuple("Claim", "name says lesson experiment holds")

CLAIMS = [
    Claim("previous", "one head of one layer says the token before it", 25,
          "previous every=50", lambda lines: least(lines[-1], "trained") > 0.9),
    Claim("previous-waits", "nothing is seen of it for a third of the steps; after two thirds all is "
          "there", 25,
          "previous every=50", lambda lines: share_at(lines, 50, "trained") < 0.3
          and share_at(lines, 100, "trained") > 0.9),
    Claim("previous-pattern", "its head looks at the token before", 25,
          "previous every=50", lambda lines: best_head(lines[-1], "previous") > 0.9),
    Claim("induction", "two layers learn induction: the pattern is there, and periods that were never "
          "trained are right", None,
          "induction every=100", lambda lines: best_head(lines[-1], "induction") > 0.6
          and least(lines[-1], "untrained") > 0.9),
    Claim("induction-waits", "nothing is seen of it for a quarter of the steps; after three quarters most "
          "is there", None,
          "induction every=100", lambda lines: share_at(lines, 100, "trained") < 0.2
          and share_at(lines, 300, "trained") > 0.7),
    Claim("one-layer", "one layer never gets there: neither the pattern nor the answers", 26,
          "induction layers=1 every=400", lambda lines: best_head(lines[-1], "induction") < 0.3
          and most(lines[-1], "untrained") < 0.5),
    Claim("fixed-period", "with one period it learns that period alone", None,
          "fixed every=300", lambda lines: least(lines[-1], "trained") > 0.95
          and most(lines[-1], "untrained") < 0.2),
    Claim("fixed-pattern", "and shows the pattern of induction all the same", None,
          "fixed every=300", lambda lines: best_head(lines[-1], "induction") > 0.6),
    Claim("quick-induction", "one head a layer is enough, and half a second", 26,
          ONE_HEAD, lambda lines: lines[-1]["heads"]["L1H0"]["induction"] > 0.6
          and least(lines[-1], "untrained") > 0.9),
    Claim("quick-waits", "it comes between the first sixth of the steps and the fourth", 26,
          ONE_HEAD, lambda lines: share_at(lines, 50, "trained") < 0.15
          and share_at(lines, 200, "trained") > 0.9),
    Claim("first-round", "the first layer looks at the token before, where its keys will be read, and "
          "less after that", 26,
          ONE_HEAD, lambda lines: lines[-1]["heads"]["L0H0"]["previous before"] > 0.8
          and lines[-1]["heads"]["L0H0"]["previous after"] < 0.5),
    Claim("needed", "without either of the two heads hardly anything is right", 26,
          ONE_HEAD, lambda lines: max(lines[-1]["without layer"]) < 0.3),
    Claim("quick-one-layer", "one layer is no better at it in the same time", 26,
          ONE_LAYER, lambda lines: best_head(lines[-1], "induction") < 0.3
          and most(lines[-1], "untrained") < 0.5),
    Claim("quick-fixed", "with one period one head a layer learns that period alone", 26,
          FIXED, lambda lines: least(lines[-1], "trained") > 0.95 and most(lines[-1], "untrained") < 0.2),
    Claim("quick-pattern", "and shows the pattern of induction", 26,
          FIXED, lambda lines: best_head(lines[-1], "induction") > 0.6),
    Claim("looks-idle", "of two heads a layer one looks there, and without it nearly all is right", 27,
          FIXED_TWO, lambda lines: any(head["induction"] > 0.5 and head["without"] > 0.95
                                       for head in lines[-1]["heads"].values())),
    Claim("two-look", "of two heads in the second layer both show the pattern", 27,
          TWO_HEADS, lambda lines: min(head["induction"] for name, head in lines[-1]["heads"].items()
                                       if name.startswith("L1")) > 0.5),
    Claim("backup", "without one of them most is right, without both nearly nothing", 27,
          TWO_HEADS, lambda lines: without_one(lines[-1], 1) > 0.6 and lines[-1]["without layer"][1] < 0.2),
    Claim("brackets", "the balance of brackets is learnt in 400 steps, and kept", None,
          "brackets every=50", lambda lines: max(line["trained"]["16"] for line in lines if line["step"] <= 400) > 0.9
          and lines[-1]["trained"]["16"] > 0.9),
    Claim("reverse", "reversing is learnt for one length, by place", None,
          "reverse every=150", lambda lines: least(lines[-1], "trained") > 0.9
          and most(lines[-1], "untrained") < 0.5),
]


def run(program, experiment, seed):
    command = [str(program), *experiment.split(), f"seed={seed}"]
    done = subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, timeout=600)
    return [json.loads(line) for line in done.stdout.splitlines()]


def run_all(program, experiments, seeds, jobs):
    """{(experiment, seed): lines}"""
    pairs = [(experiment, seed) for experiment in experiments for seed in seeds]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return dict(zip(pairs, pool.map(lambda pair: run(program, *pair), pairs)))


def judge(claim, results, seeds, need):
    wrong = [seed for seed in seeds if not claim.holds(results[claim.experiment, seed])]
    ok = len(seeds) - len(wrong) >= need
    without = f" (not in {', '.join(map(str, wrong))})" if wrong else ""
    print(f"{'ok  ' if ok else 'FAIL'} {len(seeds) - len(wrong):2d} of {len(seeds)}  "
          f"{claim.name}: {claim.says}{without}", flush=True)
    return ok


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="of claims; all without one")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--need", type=int, help="eight of ten, where it is left out")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--program", type=pathlib.Path, default=PROGRAM)
    parser.add_argument("--lessons", action="store_true", help="those of lessons alone")
    chosen = parser.parse_args()
    unknown = set(chosen.names) - {claim.name for claim in CLAIMS}
    if unknown:
        parser.error(f"no claim is called {', '.join(sorted(unknown))}")
    return chosen


def main():
    options = arguments()
    claims = [claim for claim in CLAIMS if (not options.names or claim.name in options.names)
              and (claim.lesson or not options.lessons)]
    seeds = range(1, options.seeds + 1)
    need = options.need if options.need is not None else -(-options.seeds * 8 // 10)
    results = run_all(options.program, sorted({claim.experiment for claim in claims}), seeds,
                      options.jobs)
    return 0 if all([judge(claim, results, seeds, need) for claim in claims]) else 1


if __name__ == "__main__":
    sys.exit(main())
