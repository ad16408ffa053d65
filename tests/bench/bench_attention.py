#!/usr/bin/env python3
"""Attention beside other libraries, in turns within one run: forward, backward, one query over a cache of
keys, long texts, small calls, and errors. docs/performance.md says what the figures mean."""
import array
import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from kernels import bench
from kernels.bench import ROOT, compare, counted
from kernels.tables import Column, exponent, rate

HEADS = 12
FORWARD_PEERS = "ortMHA", "ortAtt", "BLAS", "oneDNN", "torch"
BACKWARD_PEERS = "BLAS", "torch"


def square(n, dim, causal=0, heads=HEADS):
    return {"heads": heads, "q": n, "k": n, "d": dim, "causal": causal}


def pass_columns(run, peers):
    return [Column("S", "S", 6), Column("mask", "mask", 8), rate("attn"), *(rate(name) for name in peers),
            Column("ratio", "ratio", 7, "{:.2f}"), Column("percent", run.peak_name(), 8, "{:.0f}"),
            Column("causal_whole", "c/w", 6, "{:.2f}")]


def measure_pass(run, operation, peers, n, dim, threads, factor):
    """A row for the whole square and one for the causal half, from the same turns."""
    work = factor * HEADS * n * n * dim
    names = ["attn", *peers]
    sets = [[run.entry(name, operation, square(n, dim, causal), threads) for name in names] for causal in (0, 1)]
    peak = run.peak_entry(threads)
    run.measure([*sets[0], *sets[1], peak])
    for causal, entries in enumerate(sets):
        row = compare({"S": n, "mask": "causal" if causal else "whole", "dim": dim, "threads": threads}, entries, work)
        if row["attn"]:
            row["percent"] = run.percent_of_peak(threads, entries[0], peak, work)
        if causal and row["attn"]:
            row["causal_whole"] = sets[0][0].speedup(entries[0])
        run.report.row(row)


def passes(run, operation, peers, factor, title):
    peers = [name for name in peers if name in run.peers]
    lengths = run.chosen.sizes or run.pick([64], [64, 256, 1024], [64, 128, 256, 512, 1024, 2048, 4096])
    for threads in run.threads:
        for dim in run.chosen.dims or run.pick([64], [64], [64, 128]):
            run.report.begin(operation, f"{title}, {HEADS} heads x {dim}, {counted(threads)}: GFLOP/s",
                             pass_columns(run, peers))
            for n in lengths:
                measure_pass(run, operation, peers, n, dim, threads, factor)
            run.report.end()


def forward(run):
    passes(run, "forward", FORWARD_PEERS, 4, "Attention forward")


def backward(run):
    passes(run, "backward", BACKWARD_PEERS, 10, "Attention backward")


def decode(run):
    """All keys and values are read once for one query: the bandwidth is the limit."""
    dim, peers = 64, [name for name in FORWARD_PEERS if name in run.peers]
    columns = [Column("keys", "keys", 7), rate("attn"), *(rate(name) for name in peers),
               Column("ratio", "ratio", 7, "{:.2f}"), rate("same", "read"), rate("stream"),
               Column("percent", "%stream", 9, "{:.0f}")]
    for threads in run.threads:
        run.report.begin("decode", f"One query over cached keys, {HEADS} heads x {dim}, {counted(threads)}: GB/s",
                         columns)
        for keys in run.chosen.sizes or run.pick([256], [4096, 32768], [4096, 32768]):
            size = HEADS * keys * dim * 4 * 2
            numbers = {"heads": HEADS, "q": 1, "k": keys, "d": dim}
            entries = [run.entry(name, "forward", numbers, threads) for name in ["attn", *peers]]
            same, stream = run.stream_entry(threads, size), run.stream_entry(threads)
            run.measure([*entries, same, stream])
            row = compare({"keys": keys, "threads": threads}, entries, size)
            row.update(same=size / same.best / 1e9, stream=run.effort.stream_bytes / stream.best / 1e9)
            row["percent"] = run.percent_of_stream(entries[0], stream, size)
            run.report.row(row)
        run.report.note("read: only reading as many bytes; stream: reading 256 MB in order")
        run.report.end()


def longest(run):
    """A process for each length, so that the most memory it ever had is that length's."""
    lengths = run.pick([64, 128], [1024, 2048, 4096, 8192, 16384], [2048, 4096, 8192, 16384, 32768])
    dim = 64
    for threads in run.threads:
        run.report.begin("long", f"One head x {dim}, {counted(threads)}: time and memory beyond inputs and output",
                         [Column("S", "S", 7), Column("seconds", "seconds", 10, "{:.4f}"), Column("gflops", "GFLOP/s", 10, "{:.1f}"),
                          Column("megabytes", "MB", 8, "{:.1f}")])
        points = []
        for n in lengths:
            numbers = square(n, dim, heads=1)
            run.workers.forget("attn", threads)
            entry = run.entry("attn", "forward", numbers, threads)
            entry.prepare(0)
            before = float(entry.worker.ask("memory"))
            entry.round(0)
            beyond = float(entry.worker.ask("memory")) - before - 4 * n * dim
            for _ in range(run.effort.rounds):
                entry.round(0)
            run.workers.drop()
            points.append((n, entry.best))
            run.report.row({"S": n, "threads": threads, "seconds": entry.best, "megabytes": beyond / 1e6,
                            "gflops": 4e-9 * n * n * dim / entry.best})
        run.report.tables[-1]["exponent"] = exponent(points)
        run.report.note(f"time grows as S^{exponent(points):.2f}")
        run.report.end()


def small(run):
    run.report.begin("small", "Small calls, one thread: ns a call; loops: its arithmetic, in double, in plain C",
                     [Column("call", "call", 20), Column("attn", "attn", 9, "{:.0f}"),
                      Column("plain", "loops", 9, "{:.0f}"), Column("beyond", "beyond", 9, "{:.0f}")])
    for operation, name in (("forward", "attention"), ("gemm", "matmul")):
        for rows, dim in ((3, 3), (10, 64), (16, 16)):
            numbers = square(rows, dim, heads=1) if operation == "forward" else {
                "rows": rows, "inner": dim, "cols": rows}
            entries = [run.entry("attn", kind + operation, numbers) for kind in ("", "plain_")]
            run.measure(entries)
            attn, plain = (1e9 * entry.best for entry in entries)
            run.report.row({"call": f"{name} {rows} x {dim}", "attn": attn, "plain": plain, "beyond": attn - plain})
    run.report.end()


# ---- errors against float64 ----

def floats(path, kind="f"):
    numbers = array.array(kind)
    numbers.frombytes(Path(path).read_bytes())
    return numbers


def largest(numbers, reference):
    """The largest difference where both are finite."""
    return max((abs(a - b) for a, b in zip(numbers, reference) if abs(b) < float("inf")), default=0.0)


def written(run, scratch, name, operation, numbers, isa=None, kind="f"):
    path = os.path.join(scratch, f"{name}_{operation}_{isa}")
    entry = run.entry(name, operation, numbers, isa=isa)
    entry.prepare(0)
    entry.round(0)
    entry.ask(lambda: entry.worker.ask(f"write 0 {path}"))
    run.workers.drop()
    if entry.reason:
        run.report.note(f"{name}: {entry.reason}")
        return None
    return floats(path, kind)


def error_row(run, scratch, operation, numbers, names):
    reference = written(run, scratch, "attn", f"reference_{operation}", numbers, kind="d")
    what = "context" if operation == "forward" else "d_key"
    row = {"what": f"{what} {numbers['q']} x {numbers['d']}{' causal' if numbers['causal'] else ''}"}
    for name in names:
        isa = name if name == "plain" else None
        result = written(run, scratch, "attn" if isa else name, operation, numbers, isa)
        row[name] = largest(result, reference) if result else None
    run.report.row(row)


def npy(path):
    """The numbers of a .npy file of format 1.0 with float32 in it."""
    content = Path(path).read_bytes()
    header = struct.unpack("<H", content[8:10])[0]
    numbers = array.array("f")
    numbers.frombytes(content[10 + header:])
    return numbers


def golden_script(case, attributes, output):
    given = "".join(f", {name}={attributes[key]}" for name, key in (("is_causal", "is_causal"), ("scale", "scale"))
                    if key in attributes).replace("is_causal=1", "is_causal=True").replace("is_causal=0", "is_causal=False")
    mask = f', attn_mask=load("{case}/attn_mask.npy")' if (case / "attn_mask.npy").exists() else ""
    loads = ", ".join(f'load("{case}/{name}.npy")' for name in "QKV")
    return f'save("{output}", scaled_dot_product_attention({loads}{mask}{given}))'


def golden_errors(case, attn, scratch):
    """attn's and PyTorch's largest error against float64, or None where the case has no such numbers."""
    attributes = dict(line.split(None, 1) for line in (case / "attrs.txt").read_text().splitlines())
    if attributes.get("reference") != "f64" or not (case / "Y_f32.npy").exists():
        return None
    output = os.path.join(scratch, "golden.npy")
    done = subprocess.run([attn, "eval", golden_script(case, attributes, output)], capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        raise LookupError(done.stderr.strip())
    reference = npy(case / "Y.npy")
    size = max((abs(number) for number in reference if abs(number) < float("inf")), default=1.0) or 1.0
    return [largest(npy(path), reference) / size for path in (output, case / "Y_f32.npy")]


def error(run):
    names = ["attn", "plain", *(["torch"] if "torch" in run.peers else [])]
    columns = [Column("what", "", 24), *(Column(name, name, 11, "{:.2e}") for name in names)]
    with tempfile.TemporaryDirectory() as scratch:
        run.report.begin("error", f"Largest error against float64, {HEADS} heads, numbers of variance 1", columns)
        for operation in ("forward", "backward"):
            for n in run.chosen.sizes or run.pick([32], [64, 300], [64, 300, 1000]):
                for dim in run.chosen.dims or run.pick([16], [64], [64, 80, 128]):
                    for causal in (0, 1):
                        error_row(run, scratch, operation, square(n, dim, causal), names)
        run.report.end()
        golden(run, scratch)


def golden(run, scratch):
    attn = os.environ.get("ATTN", str(ROOT / "build" / "attn"))
    run.report.begin("golden", "The context of tests/golden/torch/sdpa, by its largest number",
                     [Column("what", "", 30), Column("attn", "attn", 11, "{:.2e}"),
                      Column("torch", "torch", 11, "{:.2e}")])
    cases = sorted((ROOT / "tests" / "golden" / "torch" / "sdpa").iterdir())
    most, above, n_cases = [0.0, 0.0], [], 0
    for case in cases[:5] if run.mode == "smoke" else cases:
        errors = golden_errors(case, attn, scratch)
        if errors is None:
            continue
        n_cases += 1
        most = [max(pair) for pair in zip(most, errors)]
        if errors[0] > errors[1]:
            above.append((case.name, errors))
    run.report.row({"what": f"the largest of {n_cases} cases", "attn": most[0], "torch": most[1]})
    for name, errors in above:
        run.report.row({"what": name[:29], "attn": errors[0], "torch": errors[1]})
    run.report.note("below the first line: the cases in which attn's error is above PyTorch's" if above else
                    "in no case is attn's error above PyTorch's")
    run.report.end()


if __name__ == "__main__":
    sys.exit(bench.run(__doc__, FORWARD_PEERS, {"forward": forward, "backward": backward, "decode": decode,
                                                "long": longest, "small": small, "error": error}))
