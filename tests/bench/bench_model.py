#!/usr/bin/env python3
"""A whole model of GPT-2's sizes with random weights, from a folder as users have it: a text forward, the next
tokens with keys and values kept, and the time until a head is seen. docs/performance.md says what the figures
mean."""
import json
import os
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from kernels import bench
from kernels.bench import ROOT, compare, counted
from kernels.tables import Column, rate
from kernels.workers import begin_apart

SIZES = {"smoke": {"layers": 2, "width": 64, "vocab": 500}, "quick": {"layers": 12, "width": 768, "vocab": 50257}}
SIZES["all"] = SIZES["quick"]
BEGINNING, MORE = 20, 64  # tokens of the text that grows, and by how many it does
MERGES = ROOT / "tests" / "golden" / "bpe" / "gpt2_merges.u16"
SENTENCE = "The cat sat on the mat because it was tired"


def parameters(sizes):
    """Numbers that one token goes through: all but the positions. Biases and norms are counted."""
    width = sizes["width"]
    return sizes["layers"] * (12 * width * width + 13 * width) + sizes["vocab"] * width + 2 * width


def milliseconds(entry):
    return 1e3 * entry.best if entry.best else None


# ---- the folder ----

def letters_of_bytes():
    """GPT-2's letters, in the order of its first 256 tokens."""
    seen = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [byte for byte in range(256) if byte not in seen]
    return [chr(byte) for byte in seen] + [chr(256 + i) for i in range(len(hidden))]


def write_vocabulary(folder):
    """GPT-2's own, so that reading it takes what it takes."""
    tokens, lines = letters_of_bytes(), ["#version: 0.2"]
    for left, right in struct.iter_unpack("<HH", MERGES.read_bytes()):
        lines.append(f"{tokens[left]} {tokens[right]}")
        tokens.append(tokens[left] + tokens[right])
    tokens.append("<|endoftext|>")
    (folder / "vocab.json").write_text(json.dumps({token: i for i, token in enumerate(tokens)}), encoding="utf-8")
    (folder / "merges.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_model(run):
    """Drawn by attn, in the folder that the workers find in their environment."""
    sizes = SIZES[run.mode]
    entry = run.entry("model", "model_save", sizes)
    entry.prepare(0)
    if entry.reason:
        raise SystemExit(f"bench model: the model can't be written: {entry.reason}")
    run.workers.forget("model", 1)
    folder = Path(os.environ["ATTN_BENCH_MODEL"])
    if sizes["vocab"] == 50257:
        write_vocabulary(folder)
    size = sum(path.stat().st_size for path in folder.iterdir())
    run.report.say(f"GPT-2's architecture, {sizes['layers']} layers x {sizes['width']}, {sizes['vocab']} tokens, random "
                   f"weights: a folder of {size / 1e6:.0f} MB")


# ---- the tables ----

def forward(run):
    """All logits of a text."""
    sizes = SIZES[run.mode]
    columns = [Column("tokens", "tokens", 7), rate("attn_ms", "attn"), *(rate(name + "_ms", name) for name in run.peers),
               Column("ratio", "ratio", 7, "{:.2f}"), Column("model", "GFLOP/s", 9, "{:.1f}"),
               Column("percent", run.peak_name(), 8, "{:.0f}")]
    for threads in run.threads:
        run.report.begin("forward", f"A text forward, all its logits, {counted(threads)}: milliseconds", columns)
        for n in run.chosen.sizes or run.pick([5], [20, 256], [20, 64, 256, 1024]):
            work = 2 * n * parameters(sizes)
            entries = [run.entry(name, "model_forward", {"tokens": n}, threads) for name in ["model", *run.peers]]
            peak = run.peak_entry(threads)
            run.measure([*entries, peak])
            row = compare({"tokens": n, "threads": threads}, entries, work)
            row.update({("attn" if entry.name == "model" else entry.name) + "_ms": milliseconds(entry) for entry in entries})
            row["percent"] = run.percent_of_peak(threads, entries[0], peak, work)
            run.report.row(row)
        run.report.note("GFLOP/s: attn's, counted as two operations for each weight and token, without attention's own")
        run.report.end()


def growing(run):
    """The next token of a text whose keys and values are kept: all weights are read once for it."""
    size = 4 * parameters(SIZES[run.mode])
    columns = [Column("chosen", "next token", 12), rate("model", "attn"), *(rate(name) for name in run.peers),
               Column("ratio", "ratio", 7, "{:.2f}"), rate("reads", "GB/s"), rate("stream"),
               Column("percent", "%stream", 9, "{:.0f}")]
    for threads in run.threads:
        run.report.begin("next", f"A text that grows from {BEGINNING} tokens, {counted(threads)}: tokens a second", columns)
        for chosen, operation in (("likeliest", "model_next"), ("drawn", "model_drawn")):
            names = ["model", *(run.peers if operation == "model_next" else [])]
            numbers = {"tokens": BEGINNING, "more": MORE}
            entries = [run.entry(name, operation, numbers, threads) for name in names]
            stream = run.stream_entry(threads)
            run.measure([*entries, stream])
            row = compare({"chosen": chosen, "threads": threads}, entries, 1e9)
            row["reads"] = size * row["model"] / 1e9
            row["stream"] = run.effort.stream_bytes / stream.best / 1e9
            row["percent"] = run.percent_of_stream(entries[0], stream, size)
            run.report.row(row)
        run.report.note(f"GB/s: tokens times the {size / 1e6:.0f} MB of weights that each goes through; stream: reading 256 MB "
                        "in order")
        run.report.end()


def first(run):
    """From the start of the program to its end, the file in the system's memory."""
    program = os.environ.get("ATTN")
    if run.mode == "smoke" or not program:
        return
    layer_and_head = ["--layer", "5", "--head", "1", "--plain"]
    jobs = {"a head and the next token": ["view", "FOLDER", SENTENCE, *layer_and_head],
            "all heads and the next token": ["view", "FOLDER", SENTENCE, "--plain"]}
    run.report.begin("first", "From the command to what it prints: seconds; wanted below 1",
                     [Column("what", "", 30), Column("seconds", "seconds", 10, "{:.2f}")])
    for what, arguments in jobs.items():
        command = [program, *(os.environ["ATTN_BENCH_MODEL"] if word == "FOLDER" else word for word in arguments)]
        taken = []
        for _ in range(1 + run.effort.rounds):
            begin = time.monotonic()
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True,
                           preexec_fn=lambda: begin_apart(run.chosen.ahead))
            taken.append(time.monotonic() - begin)
        run.report.row({"what": what, "seconds": min(taken[1:])})
    run.report.end()


def with_model(table):
    """Each table needs the folder, which the first one writes."""
    def of_model(run):
        if not (Path(os.environ["ATTN_BENCH_MODEL"]) / "config.json").exists():
            write_model(run)
        table(run)
    return of_model


def main():
    beside = os.environ.get("ATTN_BENCH_FOLDER", ROOT / "build")
    Path(beside).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="model-", dir=beside) as folder:
        os.environ["ATTN_BENCH_MODEL"] = str(Path(folder).resolve() / "random")
        tables = {"forward": forward, "next": growing, "first": first}
        return bench.run(__doc__, ["torch"], {name: with_model(table) for name, table in tables.items()})


if __name__ == "__main__":
    sys.exit(main())
