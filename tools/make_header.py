#!/usr/bin/env python3
"""Makes the one public header of libattn out of the headers of its modules.

usage: make_header.py OUTPUT VERSION SRC HEADER...

Each header is put where it is first needed, so that the order of the arguments does not matter.
Include guards and includes of one another go; system headers are included once, at the top.
"""
import pathlib
import re
import sys

LOCAL = re.compile(r'#include "(.+)"\n')
SYSTEM = re.compile(r"#include (<.+>)\n")
GUARD = re.compile(r"#ifndef (\w+)\n#define \1\n(.*)#endif[^\n]*\n\s*\Z", re.DOTALL)


class Header:
    def __init__(self, source):
        self.source = source
        self.seen = set()
        self.system = []
        self.bodies = []

    def add(self, name):
        """Adds the header src/NAME after all that it includes, unless it is there already."""
        if name in self.seen:
            return
        self.seen.add(name)
        text = (self.source / name).read_text(encoding="utf-8")
        if not GUARD.search(text):
            sys.exit(f"{name}: no include guard around it, of the form #ifndef, #define, ..., #endif")
        text = GUARD.sub(r"\2", text)
        for below in LOCAL.findall(text):
            self.add(below)
        self.system += [each for each in SYSTEM.findall(text) if each not in self.system]
        text = SYSTEM.sub("", LOCAL.sub("", text))
        text = re.sub(r"\n{3,}", "\n\n", text).strip()
        self.bodies.append(f"/* ---- {name} ---- */\n\n{text}\n")

    def text(self, version):
        opening = [
            f"/* attn {version}: tensors and the attention mechanism, in C17.",
            " *",
            " * Made from the headers of the library's modules when it was built. MIT licence. */",
            "#ifndef ATTN_H",
            "#define ATTN_H",
            "",
            *(f"#include {each}" for each in sorted(self.system)),
        ]
        return "\n".join([*opening, "", *self.bodies, "#endif", ""])


def main():
    output, version, source, *names = sys.argv[1:]
    header = Header(pathlib.Path(source))
    for name in names:
        header.add(str(pathlib.Path(name).resolve().relative_to(header.source.resolve())))
    pathlib.Path(output).write_text(header.text(version), encoding="utf-8")


main()
