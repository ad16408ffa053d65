#!/usr/bin/env python3
"""What is done number by number, row by row or column by column, over a matrix of 1000 x 1000: libattn, the
language and numpy, in turns within one run, beside what the memory gives. docs/performance.md says what the
figures mean."""
import sys

from kernels import bench
from kernels.bench import OURS, compare, counted
from kernels.tables import Column, rate

# Bytes that go in and out for each number of the matrix; and whether libattn has it without the language.
OPERATIONS = {"add": 12, "add_row": 8, "add_turned": 12, "mul": 12, "times": 8, "exp": 8, "tanh": 8, "sigmoid": 8,
              "gelu": 8, "gelu_erf": 8, "silu": 8, "where": 12, "sum": 4, "sum_first": 4, "max": 4, "max_first": 4,
              "argmax": 4, "mean": 4, "mean_first": 4, "softmax": 8, "layer_norm": 8, "rms_norm": 8}
OF_THE_LANGUAGE = "times", "sigmoid", "gelu", "gelu_erf", "silu", "argmax", "layer_norm", "rms_norm"
NOT_OF_NUMPY = "gelu_erf",


def measure_operation(run, operation, shape, threads):
    size = OPERATIONS[operation] * shape["rows"] * shape["cols"]
    without = ["attn"] * (operation in OF_THE_LANGUAGE) + ["numpy"] * (operation in NOT_OF_NUMPY)
    names = [name for name in ["attn", "lang", *run.peers] if name not in without]
    entries = [run.entry(name, operation, shape, threads) for name in names]
    stream = run.entry("machine", "read" if OPERATIONS[operation] == 4 else "triad",
                       {"bytes": run.effort.stream_bytes}, threads)
    run.measure([*entries, stream])
    row = compare({"operation": operation, "threads": threads}, entries, size)
    row["stream"] = run.effort.stream_bytes / stream.best / 1e9
    of_stream = max(run.percent_of_stream(entry, stream, size) / 100 for entry in entries if entry.name in OURS)
    row["share"] = min(row["ratio"] or of_stream, of_stream)
    row["lang_ns"] = 1e9 * entries[names.index("lang")].best
    run.report.row(row)


def elementwise(run):
    n = run.pick(50, 1000, 1000)
    columns = [Column("operation", "", 12), rate("attn"), rate("lang"), *(rate(name) for name in run.peers),
               Column("ratio", "ratio", 8, "{:.2f}"), rate("stream"), Column("share", "of larger", 11, "{:.2f}")]
    for threads in run.threads:
        run.report.begin("elementwise", f"Over {n} x {n} numbers, {counted(threads)}: GB/s", columns)
        for operation in OPERATIONS:
            measure_operation(run, operation, {"rows": n, "cols": n}, threads)
        run.report.note("add_row: of a row to each; add_turned: of what lies column by column; times: a number")
        run.report.note("first: along the columns; gelu: by tanh, numpy has no erf; of larger: of stream or numpy")
        run.report.end()


if __name__ == "__main__":
    sys.exit(bench.run(__doc__, ["numpy"], {"elementwise": elementwise}))
