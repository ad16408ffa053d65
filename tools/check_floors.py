#!/usr/bin/env python3
"""Checks that every file includes only its own floor or floors below it.

usage: check_floors.py SRC
"""
import pathlib
import re
import sys

# From the ground up.
FLOORS = ["tensor", "attention", "show", "files", "graph", "model", "lang", "course", "grader", "ui", "cli"]
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"/]+)/', re.MULTILINE)


def faults(source):
    for path in sorted(source.glob("*/*.[ch]")):
        floor = path.parent.name
        if floor not in FLOORS:
            yield f"{path}: {floor} is no floor"
            continue
        for below in INCLUDE.findall(path.read_text(encoding="utf-8")):
            if below not in FLOORS:
                yield f"{path}: includes from {below}/, which is no floor"
            elif FLOORS.index(below) > FLOORS.index(floor):
                yield f"{path}: {floor} includes from {below}, which lies above it"


found = list(faults(pathlib.Path(sys.argv[1])))
print("".join(fault + "\n" for fault in found), end="", file=sys.stderr)
sys.exit(1 if found else 0)
