#!/usr/bin/env python3
"""What grading a class takes: simulated ones (make_class.py), graded with the real compiler and sandbox.

    grade_class.py [--students 20] [--exercises 18]   files a second, and the compiler's share
    grade_class.py --scale 100,200,400 --exercises 3  the same of samples: is the time linear, the memory flat?
    grade_class.py --killed [--class 2000]            a large class that was graded before but for the work of
                                                      --students of its students: graded in one go, and killed
                                                      twice (SIGKILL) and resumed, which must give the same

In the environment: ATTN, ATTN_DATA_DIR. Folders are made in TMPDIR, and removed. Exit code 1 when results differ.
"""
import argparse
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MAKE_CLASS = Path(__file__).resolve().parent / "make_class.py"
ATTN = os.environ.get("ATTN", str(MAKE_CLASS.parent.parent.parent / "build" / "attn"))
GRADE = [ATTN, "grade", "class", "--seed", "7", "--format", "json", "--output", "results.json", "--times"]
TIMES = re.compile(r"attn: (\d+) files in ([\d.]+) s, ([\d.]+) a second; processor time ([\d.]+) s, (\d+) % .*"
                   r"at most (\d+) MiB")
TITLES = ("students", "files", "seconds", "files/s", "cpu s", "cpu ms/file", "compiler", "MiB")


def make_class(folder, *options):
    subprocess.run([sys.executable, MAKE_CLASS, folder, *map(str, options)], check=True)


def row(students, times):
    files, seconds, rate, cpu_s, share, mib = times
    cpu_ms = f"{1000 * float(cpu_s) / max(int(files), 1):.1f}"
    return (students, files, seconds, rate, cpu_s, cpu_ms, share + " %", mib)


def show(rows):
    for cells in [TITLES] + rows:
        print("".join(f"{cell:>12}" for cell in map(str, cells)), flush=True)


def grade(folder, *options):
    """What --times says."""
    done = subprocess.run(GRADE + list(options), cwd=folder, stderr=subprocess.PIPE, text=True, check=False)
    found = TIMES.search(done.stderr)
    if done.returncode not in (0, 1) or not found:
        sys.exit(f"{' '.join(GRADE)}: exit code {done.returncode}: {done.stderr}")
    return found.groups()


def grade_samples(place, sizes, exercises):
    for size in sizes:
        folder = place / str(size)
        make_class(folder, "--students", size, "--exercises", exercises)
        yield row(size, grade(folder))


def results_of(folder):
    """What must be the same, of each result a digest, in their order."""
    report = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    for result in report["results"]:
        for key in ("time_ms", "cpu_ms", "memory_kib"):
            result.pop(key, None)
        for key in ("detail", "message"): # which tell times
            result[key] = re.sub(r"\d+(\.\d+)?", "N", result[key])
    return {(result["file"], result["exercise"]):
            hashlib.sha256(json.dumps(result, sort_keys=True).encode()).digest() for result in report["results"]}


def forget(folder, n_students):
    """The last students' results are lost."""
    path = folder / "results.json"
    report = json.loads(path.read_text(encoding="utf-8"))
    lost = set(sorted({result["student"] for result in report["results"]})[-n_students:])
    report["results"] = [result for result in report["results"] if result["student"] not in lost]
    path.write_text(json.dumps(report, indent=1), encoding="utf-8")


def killed_once(folder):
    """Kills a run that has graded for some seconds; what it held at most, in MiB."""
    partial = folder / "results.json.partial"
    before = partial.stat().st_mtime_ns if partial.exists() else 0
    process = subprocess.Popen(GRADE + ["--resume"], cwd=folder, stderr=subprocess.DEVNULL)
    while process.poll() is None and not (partial.exists() and partial.stat().st_mtime_ns > before):
        time.sleep(0.02)
    time.sleep(8)
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
    process.send_signal(signal.SIGKILL)
    if process.wait() != -signal.SIGKILL:
        sys.exit("it ended before it was killed; give more --students")
    return int(re.search(r"VmHWM:\s*(\d+)", status).group(1)) // 1024


def compare_killed(place, options):
    make_class(place / "small", "--students", options.students, "--exercises", options.exercises)
    show([row(options.students, grade(place / "small"))])
    for name in ("whole", "killed"):
        make_class(place / name, "--students", options.size, "--like", place / "small")
        forget(place / name, options.students)
    for attempt in ("first", "second"):
        print(f"{attempt} run, killed: held {killed_once(place / 'killed')} MiB", flush=True)
    show([row(options.size, grade(place / name, "--resume")) for name in ("killed", "whole")])
    killed, whole = results_of(place / "killed"), results_of(place / "whole")
    print(f"{len(whole)} results; killed twice and resumed: {'the same' if killed == whole else 'others'}")
    return killed == whole


def main():
    parser = argparse.ArgumentParser(description=re.sub(r"\n.*", "", __doc__))
    parser.add_argument("--students", type=int, default=20)
    parser.add_argument("--exercises", type=int, default=18)
    parser.add_argument("--scale", metavar="N,N,...", help="samples of so many students")
    parser.add_argument("--killed", action="store_true")
    parser.add_argument("--class", dest="size", type=int, default=2000, help="with --killed")
    options = parser.parse_args()
    place = Path(tempfile.mkdtemp(prefix="attn-bench-"))
    try:
        if options.killed:
            sys.exit(0 if compare_killed(place, options) else 1)
        sizes = map(int, options.scale.split(",")) if options.scale else [options.students]
        show(list(grade_samples(place, sizes, options.exercises)))
    finally:
        shutil.rmtree(place, ignore_errors=True)


main()
