#!/usr/bin/env python3
"""attn's matrix product beside OpenBLAS's, in turns within one run: all four ways in which two matrices can
lie, each instruction set for both. docs/performance.md says what the figures mean."""
import sys

from kernels import bench
from kernels.bench import counted
from kernels.tables import Column

WAYS = {"NN": (0, 0), "NT": (0, 1), "TN": (1, 0), "TT": (1, 1)}
# rows, inner, columns: a vector and a matrix, one token's layer, thin and flat ones, primes, an odd batch.
ODD = [(1, 768, 768), (10, 768, 768), (768, 768, 1), (64, 768, 3072), (1000, 17, 1000), (17, 1000, 1000),
       (1000, 1000, 17), (127, 129, 131), (257, 257, 257), (33, 2049, 65)]

# A few tokens through a model's layers and its head, whose weights lie in other places than the nearest caches.
FEW = [(rows, inner, cols) for inner, cols in [(768, 3072), (768, 50257)] for rows in [1, 4, 20, 64, 256]]


def columns(with_peer):
    ret = [Column("shape", "rows x inner x cols", 20)]
    for way in WAYS:
        ret.append(Column(way, way, 8, "{:.1f}"))
        if with_peer:
            ret.append(Column(f"{way}_ratio", "ratio", 7, "{:.2f}"))
    return ret


def measure_shape(run, shape, threads, isa):
    rows, inner, cols = shape
    row = {"shape": " x ".join(map(str, shape)), "threads": threads, "isa": isa}
    for way, (ta, tb) in WAYS.items():
        numbers = {"rows": rows, "inner": inner, "cols": cols, "ta": ta, "tb": tb}
        entries = [run.entry(name, "gemm", numbers, threads, isa) for name in ["attn", *run.peers]]
        run.measure(entries)
        attn, *others = entries
        row[way] = 2e-9 * rows * inner * cols / attn.best if attn.best else None
        row[f"{way}_ratio"] = attn.speedup(others[0]) if others else None
    run.report.row(row)


def few(run):
    for threads in run.threads:
        run.report.begin("few", f"Few rows times a large matrix, {counted(threads)}: GFLOP/s, ratio to OpenBLAS",
                         columns(run.peers))
        for shape in run.pick([(4, 50, 70)], FEW, FEW):
            measure_shape(run, shape, threads, None)
        run.report.note("T: the left or right matrix lies column by column")
        run.report.end()


def gemm(run):
    sizes = run.chosen.sizes or run.pick([64], [64, 128, 512, 1024],
                                         [64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048])
    shapes = [(n, n, n) for n in sizes] + ([] if run.chosen.sizes else run.pick(ODD[7:8], ODD[:4], ODD))
    for isa in [run.chosen.isa] if run.chosen.isa else run.report.machine["instructions"] or [None]:
        for threads in run.threads:
            run.report.begin("gemm", f"Matrix product, {isa or 'as it is'}, {counted(threads)}: GFLOP/s, ratio to "
                             "OpenBLAS", columns(run.peers))
            for shape in shapes:
                measure_shape(run, shape, threads, isa)
            run.report.note("T: the left or right matrix lies column by column")
            run.report.end()


if __name__ == "__main__":
    sys.exit(bench.run(__doc__, ["BLAS"], {"gemm": gemm, "few": few}))
