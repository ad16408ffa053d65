#!/usr/bin/env python3
"""Describes terminals with 16.7 million colours to ncurses, as a C header.

usage: make_terminals.py OUTPUT

A description is the terminal's own one with colours by red, green and blue, compiled by tic, in the
form that ncurses reads from $TERMINFO (terminfo(5): "b64:"). The descriptions of that kind that
distributions have are in packages that few machines hold, and they part the numbers by colons,
which not every terminal takes. Where tic or infocmp can't do it, the header has fewer of them, and
256 colours are used.
"""
import pathlib
import subprocess
import sys
import tempfile

BASES = {"xterm": "xterm-256color", "tmux": "tmux-256color"}
SOURCE = r"""{name}|{base} with colours by red and green and blue,
	RGB, ccc@, colors#0x1000000, pairs#0x10000, initc@, oc@,
	setab=\E[48;2;%p1%{{65536}}%/%d;%p1%{{256}}%/%{{255}}%&%d;%p1%{{255}}%&%dm,
	setaf=\E[38;2;%p1%{{65536}}%/%d;%p1%{{256}}%/%{{255}}%&%d;%p1%{{255}}%&%dm,
	use={base},
"""


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def describe(name, base):
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "source")
        source.write_text(SOURCE.format(name=name, base=base), encoding="utf-8")
        run("tic", "-x", "-o", folder, str(source))
        lines = run("infocmp", "-x", "-Q2", "-A", folder, name).splitlines()
    return "".join(line for line in lines if not line.startswith("#"))


def as_array(name, text):
    codes = [str(ord(letter)) for letter in text] + ["0"]
    rows = [", ".join(codes[at:at + 20]) for at in range(0, len(codes), 20)]
    return f"static const char {name}[] = {{\n    " + ",\n    ".join(rows) + "};\n"


arrays, rows = "", ""
for prefix, base in BASES.items():
    try:
        description = describe("attn-" + prefix, base)
    except (OSError, subprocess.CalledProcessError):
        continue
    if description.startswith("b64:"):
        arrays += as_array(prefix + "_description", description)
        rows += f'    {{"{prefix}", "attn-{prefix}", {prefix}_description}},\n'
pathlib.Path(sys.argv[1]).write_text(
    "/* Made by tools/make_terminals.py. */\n" + arrays +
    "static const struct {\n    const char *prefix, *name, *description;\n} direct_terminals[] = {\n" +
    rows + "    {0, 0, 0}};\n", encoding="utf-8")
