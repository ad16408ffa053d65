#!/usr/bin/env python3
"""Checks that the sessions in a page are what attn prints, or writes them anew.

usage: readme_session.py [--write] ATTN PAGE

In a ```console block of the page that begins with "attn> ", such lines are typed into `attn repl`; in one
that begins with "$ attn ", such lines are commands. What follows each of them must be what attn prints.
`./dev pictures` calls this with --write, the tests without.
"""
import difflib
import os
import re
import shlex
import subprocess
import sys

CHECKOUT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MARK = "end of this line's output"


def session(attn, lines):
    """The transcript of these lines, with what a terminal shows: assignments echo their shapes."""
    script = "set echo on\n" + "".join(f'{line}\nprint("{MARK}")\n' for line in lines)
    done = subprocess.run([attn, "repl", "--color", "never"], input=script, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, check=False)
    outputs = done.stdout.split(MARK + "\n")
    return "".join(f"attn> {line}\n{output}" for line, output in zip(lines, outputs))


def commands(attn, lines):
    """The transcript of commands, whose folders are those of the checkout."""
    outputs = [subprocess.run([attn, *shlex.split(line)[1:]], text=True, stdout=subprocess.PIPE, cwd=CHECKOUT,
                              stderr=subprocess.STDOUT, timeout=250, check=False).stdout for line in lines]
    return "".join(f"$ {line}\n{output}" for line, output in zip(lines, outputs))


def fresh_block(attn, block):
    """A block as attn prints it now."""
    prompt, play = ("attn> ", session) if block.startswith("attn> ") else ("$ ", commands)
    return play(attn, [line[len(prompt):] for line in block.splitlines() if line.startswith(prompt)])


def main():
    write = sys.argv[1] == "--write"
    attn, page = os.path.abspath(sys.argv[-2]), sys.argv[-1]
    with open(page, encoding="utf-8") as file:
        text = file.read()
    fresh = re.sub(r"(?<=```console\n)(?=attn> |\$ attn ).*?(?=```)", lambda found: fresh_block(attn, found[0]), text,
                   flags=re.DOTALL)
    if write:
        with open(page, "w", encoding="utf-8") as file:
            file.write(fresh)
    elif fresh != text:
        sys.stdout.writelines(difflib.unified_diff(
            text.splitlines(True), fresh.splitlines(True), page, "attn's real output"))
        print("0 passed, 1 failed")
        return 1
    print("1 passed, 0 failed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
