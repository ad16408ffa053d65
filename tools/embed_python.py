#!/usr/bin/env python3
"""Writes a C header that holds the modules of the notebook that are written in Python.

usage: embed_python.py OUTPUT MODULE.py...
"""
import pathlib
import sys


def numbers(source):
    """The bytes of a text, twenty a line: a string of C may have 4,095."""
    data = list(source.encode("utf-8")) + [0]
    for i in range(0, len(data), 20):
        yield "    " + " ".join(f"{byte}," for byte in data[i:i + 20])


def main():
    lines = ["/* Made by tools/embed_python.py. */"]
    modules = [pathlib.Path(path) for path in sys.argv[2:]]
    for module in modules:
        lines.append(f"static const char python_{module.stem.replace('.', '_')}[] = {{")
        lines += numbers(module.read_text(encoding="utf-8"))
        lines.append("};")
    lines.append("static const struct python_module { const char *name, *source; } python_modules[] = {")
    lines += [f'    {{"{module.stem}", python_{module.stem.replace(".", "_")}}},' for module in modules]
    lines.append("};")
    pathlib.Path(sys.argv[1]).write_text("\n".join(lines) + "\n", encoding="utf-8")


main()
