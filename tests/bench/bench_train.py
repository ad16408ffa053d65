#!/usr/bin/env python3
"""Steps of training beside PyTorch, in turns within one run: forward, backward, clipping and AdamW on a
batch. docs/performance.md says what the figures mean."""
import sys

from kernels import bench
from kernels.bench import counted
from kernels.tables import Column

# GPT-2's family: attention only as tasks are learnt; with MLPs, as a text of letters is.
INDUCTION = {"layers": 2, "heads": 2, "width": 32, "vocab": 32, "positions": 32, "batch": 32, "n": 32}
MIDDLE = {"layers": 2, "heads": 4, "width": 64, "mlp": 256, "vocab": 66, "positions": 128, "tied": 1,
          "batch": 32, "n": 32}
LETTERS = {"layers": 4, "heads": 4, "width": 128, "mlp": 512, "vocab": 66, "positions": 128, "tied": 1,
           "batch": 12, "n": 64}
MODELS = [INDUCTION, MIDDLE, LETTERS]
ROUND_SECONDS = 0.3  # some steps: of those in a row the first alone finds nothing of its own in the caches


def size_of(model):
    """How many numbers it learns."""
    width, mlp = model["width"], model.get("mlp", 0)
    layer = 2 * width + (3 * width + width) * (width + 1)
    if mlp:
        layer += 2 * width + (2 * width + 1) * mlp + width
    embeddings = model["vocab"] * (1 if model.get("tied") else 2) + model["positions"]
    return model["layers"] * layer + (embeddings + 2) * width


def ms(key, heading):
    return Column(key, heading, 10, "{:.2f}")


def measure_model(run, model, threads):
    entries = [run.entry(name, "train", model, threads) for name in ["train", *run.peers]]
    run.measure(entries)
    tokens = model["batch"] * model["n"]
    row = {"numbers": size_of(model), "batch": f"{model['batch']} x {model['n']}", "threads": threads}
    for entry in entries:
        if entry.differs_from(entries[0]):
            run.report.note("PyTorch: computes something else")
        elif entry.best:
            row[entry.name] = 1e3 * entry.best
            row[f"{entry.name}_tokens"] = 1e-3 * tokens / entry.best
    row["ratio"] = entries[0].speedup(entries[1]) if row.get("torch") else None
    run.report.row(row)


def train(run):
    if run.mode != "smoke":
        run.effort.budget = max(run.effort.budget, ROUND_SECONDS)
        run.effort.cap = max(run.effort.cap, 60)
    columns = [Column("numbers", "numbers", 10, "{:,}"), Column("batch", "batch", 10),
               ms("train", "attn, ms"), *(ms(name, f"{name}, ms") for name in run.peers),
               Column("train_tokens", "attn, 1000 tokens/s", 21, "{:.1f}"), Column("ratio", "ratio", 8, "{:.2f}")]
    for threads in run.threads:
        run.report.begin("train", f"A step of training, {counted(threads)}", columns)
        for model in run.pick(MODELS[:1], MODELS, MODELS):
            measure_model(run, model, threads)
        run.report.end()


if __name__ == "__main__":
    sys.exit(bench.run(__doc__, ["torch"], {"train": train}))
