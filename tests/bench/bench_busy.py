#!/usr/bin/env python3
"""Whether all threads are ever slower than one, however busy the machine is.

    bench_busy.py [--table training,view,...] [--loops 0,1,2,4] [--seconds 4] [--model FOLDER] [--json]

Each command runs with all threads and with one, in turns, beside so many programs that do nothing but
loop, and counts by the clock on the wall. A cell of the table is the median of the ratios pair by pair:
below 1, threads help. Above LIMIT it is measured for longer, and when it stays there, that is a failure.
The busy programs end with the benchmark, and by themselves when it is killed.
"""
import argparse
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LIMIT = 1.10
LEAST_PAIRS, DOUBTFUL_TIMES = 3, 3
# As large as the smallest GPT-2: 163 million numbers, 650 MB; with random weights.
GPT2 = ("manual_seed(1); m = transformer(vocab=50257, d_model=768, n_heads=12, n_layers=12, n_positions=1024); "
        'save("gpt2", m)')
MOST_SECONDS = 600  # that anything which this starts lives
PRODUCTS = {64: 4000, 128: 1500, 256: 300, 512: 50, 1024: 8}  # size: how many take some tenths of a second


def product(size, times):
    return f"A = randn({size}, {size}); x = [sum(A @ A) for i in range({times})]; print(x[0])"


def attention(size, times):
    return f"Q = randn(12, {size}, 64); x = [sum(attention(Q, Q, Q)) for i in range({times})]; print(x[0])"


class Case:
    """A command, as all threads run it and as one does."""

    def __init__(self, name, arguments, jobs=False):
        self.name, self.arguments, self.jobs = name, arguments, jobs

    def seconds(self, folder, everything):
        command = [os.environ["ATTN"], *(str(a) for a in self.arguments)]
        environment = {**os.environ, "XDG_STATE_HOME": str(folder / "state"),
                       "XDG_CONFIG_HOME": str(folder / "config"), "NO_COLOR": "1"}
        environment.pop("OMP_NUM_THREADS", None)
        if self.jobs:
            command += ["--jobs", str(os.cpu_count() if everything else 1)]
        elif not everything:
            environment["OMP_NUM_THREADS"] = "1"
        shutil.rmtree(folder / "out", ignore_errors=True)
        (folder / "out").mkdir()
        began = time.monotonic()
        run = subprocess.run(command, cwd=folder / "out", env=environment, timeout=MOST_SECONDS, check=False,
                             stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        seconds = time.monotonic() - began
        if run.returncode not in (0, 1) or (run.returncode == 1 and not self.jobs):
            sys.exit(f"busy: {' '.join(command)}: exit status {run.returncode}\n{run.stderr.decode()}")
        return seconds


def make_class(folder):
    subprocess.run([sys.executable, ROOT / "tests/bench/make_class.py", folder / "grade", "--students", "2",
                    "--exercises", "1"], check=True, stdout=subprocess.DEVNULL)


def make_model(folder):
    subprocess.run([os.environ["ATTN"], "eval", GPT2], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def cases(folder, model):
    """All rows of the table, each with what makes its files, or None."""
    yield Case("training", ["train", "induction", "--steps", 400, "--plain", "--out", "model"]), None
    yield Case("view", ["view", "--plain"]), None
    if model:
        yield Case("model", ["view", model.resolve(), "The animal was tired", "--plain"]), None
    else:
        yield Case("model", ["view", folder / "gpt2", "--ids", "464 5044 373 10032", "--plain"]), make_model
    for size, times in PRODUCTS.items():
        yield Case(f"product {size}", ["eval", product(size, times)]), None
    yield Case("attention", ["eval", attention(256, 60)]), None
    yield Case("grade", ["grade", folder / "grade" / "class"], jobs=True), make_class


def loop_for_ever():
    signal.alarm(MOST_SECONDS)
    while True:
        pass


class Loops:
    """Programs that take all the processor time they can get."""

    def __init__(self):
        self.pids = []

    def want(self, n):
        while len(self.pids) > n:
            pid = self.pids.pop()
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        while len(self.pids) < n:
            pid = os.fork()
            if pid == 0:
                for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                    signal.signal(number, signal.SIG_DFL)
                loop_for_ever()
            self.pids.append(pid)


def pairs_suffice(pairs, share):
    """share: of the time that they should take, how much they have taken."""
    if not pairs or share < 1:
        return False
    return share >= DOUBTFUL_TIMES or (len(pairs) >= LEAST_PAIRS and ratio_of(pairs) <= LIMIT)


def measure(case, folder, budget):
    """The pairs (all threads, one), in turns: all one, one all, all one, ..."""
    pairs = []
    began, spent = time.monotonic(), 0
    while not pairs_suffice(pairs, spent / budget):
        pair = {}
        for everything in (True, False) if len(pairs) % 2 == 0 else (False, True):
            pair[everything] = case.seconds(folder, everything)
        pairs.append((pair[True], pair[False]))
        spent = time.monotonic() - began
    return pairs


def ratio_of(pairs):
    return statistics.median(a / b for a, b in pairs)


def list_of(convert):
    return lambda text: [convert(part) for part in text.split(",")]


def options():
    parser = argparse.ArgumentParser(prog="./dev bench busy", description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--table", type=list_of(str), help="only these rows: training, view, product 64, ...")
    parser.add_argument("--loops", type=list_of(int), default=[0, 1, 2, 4], help="busy programs; default 0,1,2,4")
    parser.add_argument("--seconds", type=float, default=4, help="for each cell of the table; default 4")
    parser.add_argument("--model", type=Path, help="a model's folder; default: one as large as GPT-2, made for it")
    parser.add_argument("--json", action="store_true", help="all that was measured")
    return parser.parse_args()


def run(wanted, folder, loops):
    found, late = {}, []
    rows = []
    for case, make in cases(folder, wanted.model):
        if wanted.table and case.name not in wanted.table:
            continue
        rows.append(case)
        if make:
            make(folder)
    load = os.getloadavg()[0]
    for case in rows:
        case.seconds(folder, True)  # its files are in the system's memory from now on
    if not wanted.json:
        print(f"The time with all {os.cpu_count()} threads over that with one, beside busy programs "
              f"(load {load:.1f} at the start)")
        print(f"{'':14}" + "".join(f"{n:>8}" for n in wanted.loops) + "   seconds of one thread", flush=True)
    for case in rows:
        line, first = "", None
        for n in wanted.loops:
            loops.want(n)
            pairs = measure(case, folder, wanted.seconds)
            found[f"{case.name}, {n}"] = pairs
            first = first or statistics.median(one for _, one in pairs)
            line += f"{ratio_of(pairs):8.2f}"
            if ratio_of(pairs) > LIMIT:
                late.append(f"{case.name} beside {n}")
        if not wanted.json:
            print(f"{case.name:14}{line}   {first:.2f}", flush=True)
    if wanted.json:
        print(json.dumps({"load": load, "pairs": found, "over the limit": late}))
    for what in late:
        print(f"busy: {what}: above the limit of {LIMIT:.2f}", file=sys.stderr)
    return 1 if late else 0


def leave(number, _frame):
    sys.exit(128 + number)


def main():
    wanted = options()
    folder, loops = Path(tempfile.mkdtemp(prefix="attn-busy-")), Loops()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, leave)
    try:
        status = run(wanted, folder, loops)
    finally:
        loops.want(0)
        shutil.rmtree(folder, ignore_errors=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
