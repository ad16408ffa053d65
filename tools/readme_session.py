#!/usr/bin/env python3
"""Checks that the session in a page is what attn prints, or writes it anew.

usage: readme_session.py [--write] ATTN PAGE

Lines of the page's ```console block that start with "attn> " are typed into `attn repl`; what follows
each of them must be what attn prints. `./dev pictures` calls this with --write, the tests without.
"""
import difflib
import subprocess
import sys

MARK = "end of this line's output"


def session(attn, lines):
    """The transcript of these lines, with what a terminal shows: assignments echo their shapes."""
    script = "set echo on\n" + "".join(f'{line}\nprint("{MARK}")\n' for line in lines)
    done = subprocess.run([attn, "repl", "--color", "never"], input=script, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, check=False)
    outputs = done.stdout.split(MARK + "\n")
    return "".join(f"attn> {line}\n{output}" for line, output in zip(lines, outputs))


def main():
    write = sys.argv[1] == "--write"
    attn, page = sys.argv[-2:]
    with open(page, encoding="utf-8") as file:
        text = file.read()
    begin = text.index("```console\n") + len("```console\n")
    end = text.index("```", begin)
    lines = [line[6:] for line in text[begin:end].splitlines() if line.startswith("attn> ")]
    fresh = session(attn, lines)
    if write:
        with open(page, "w", encoding="utf-8") as file:
            file.write(text[:begin] + fresh + text[end:])
    elif fresh != text[begin:end]:
        sys.stdout.writelines(difflib.unified_diff(
            text[begin:end].splitlines(True), fresh.splitlines(True), page, "attn's real output"))
        print("0 passed, 1 failed")
        return 1
    print("1 passed, 0 failed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
