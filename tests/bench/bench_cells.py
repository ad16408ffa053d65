#!/usr/bin/env python3
"""A loop of training as a cell: attn run trains nanoGPT's small form (64 wide, 4 layers) for 5,000 steps
and holds below 300 MB. With --peers PyTorch runs the same cell for 200 steps on one thread.

usage: ./dev bench cells [--steps N] [--peers]      (ATTN: the program; exit 1 where the promise does not hold)
"""
import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CELL = Path(__file__).with_name("tiny_gpt.py")
MOST_MB = 300


def run(command, steps):
    """Seconds a step, the last loss and the largest memory in MB."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    source = CELL.read_text(encoding="utf-8").replace("STEPS = 5000", f"STEPS = {steps}")
    with tempfile.TemporaryDirectory() as folder:
        cell = Path(folder) / CELL.name
        cell.write_text(source, encoding="utf-8")
        begin = time.monotonic()
        child = subprocess.Popen([*command, str(cell)], stdout=subprocess.PIPE, text=True, env=environment)
        printed = child.stdout.read()
        _, status, used = os.wait4(child.pid, 0)
        seconds = time.monotonic() - begin
    if status != 0:
        sys.exit(f"{command[0]} failed")
    scale = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return seconds / steps, printed.split()[-1], used.ru_maxrss / scale


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=5000)
    parser.add_argument("--peers", action="store_true")
    options = parser.parse_args()
    step, loss, memory = run([os.path.abspath(os.environ["ATTN"]), "run"], options.steps)
    print(f"attn: {options.steps} steps, {1000 * step:.1f} ms a step, loss {loss}, {memory:.0f} MB at most")
    if options.peers:
        python = os.environ.get("TORCH_PYTHON", "/usr/bin/python3")
        step, loss, peer = run([python], min(options.steps, 200))
        print(f"PyTorch, one thread: {1000 * step:.1f} ms a step, loss {loss}, {peer:.0f} MB at most")
    if memory > MOST_MB:
        sys.exit(f"{memory:.0f} MB is more than the {MOST_MB} MB that are promised")


main()
