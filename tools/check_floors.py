#!/usr/bin/env python3
"""Checks that every file includes only files of its own room or of rooms below it, and a header
NOUN_internal.h only in its own room.

usage: check_floors.py ROOT

The rooms, from the ground up, are the subdir('src/ROOM') lines of ROOT/meson.build.
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
ROOM = re.compile(r"^subdir\('src/(.+)'\)$", re.MULTILINE)


def include_faults(root):
    rooms = ROOM.findall((root / "meson.build").read_text(encoding="utf-8"))
    source = root / "src"
    for path in sorted(source.rglob("*.[ch]")):
        room = str(path.parent.relative_to(source))
        name = path.relative_to(root)
        if room not in rooms:
            yield f"{name}: {room} is no room of meson.build"
            continue
        for included in INCLUDE.findall(path.read_text(encoding="utf-8")):
            below = included.rpartition("/")[0]
            if below not in rooms:
                if below:
                    yield f"{name}: includes {included}, which is in no room"
            elif rooms.index(below) > rooms.index(room):
                yield f"{name}: {room} includes {included}, which lies above it"
            elif below != room and included.endswith("_internal.h"):
                yield f"{name}: includes {included}, which is for {below} alone"


found = list(include_faults(pathlib.Path(sys.argv[1])))
print("".join(fault + "\n" for fault in found), end="", file=sys.stderr)
sys.exit(1 if found else 0)
