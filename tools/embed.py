#!/usr/bin/env python3
"""Writes text files, one after the other, as an array of C strings, a line each, NULL at the end.

usage: embed.py OUTPUT NAME INPUT...

What they include of each other is left out, since it is in the text itself.
"""
import pathlib
import re
import sys

output, name, *inputs = sys.argv[1:]
text = "".join(pathlib.Path(path).read_text(encoding="utf-8") for path in inputs)
lines = [line for line in text.splitlines() if not re.match(r'#include "', line)]


def quoted(line):
    return '    "' + line.replace("\\", "\\\\").replace('"', '\\"') + '\\n",'


body = "\n".join(quoted(line) for line in lines)
pathlib.Path(output).write_text(f"static const char *const {name}[] = {{\n{body}\n    0}};\n", encoding="utf-8")
