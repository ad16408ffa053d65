#!/usr/bin/env python3
"""Runs the transcripts: what a learner types, and what attn answers, as text.

usage: run_scripts.py [FILE.transcript...]     without files, all that lie beside this program

A transcript reads like a terminal:

    # A comment. The first ones say where the numbers come from.
    attn> X = [[1, 2],
      ...      [3, 4]]
    attn> X.T
    1  3
    2  4
    attn> 1 / x
    attn: x: no such name; did you mean X?
      1 / x
          ^
    $ attn eval '(1'
    attn: this ( is never closed: add )
      (1
      ^
    [exit 1]

  attn>   a line of the session, "  ... " where it goes on; below it what attn answers, errors too.
          All such lines of a file run in one `attn repl`, one after the other.
  $       a command for bash, "> " where it goes on; below it what it prints and its exit status,
          unless that is 0. These run after the session, in the same directory, which the file has
          to itself; golden/ in it are the numbers of other software. `attn` is the program tested.
  #       a comment, up to the end of the line; it ends an answer. Empty lines at the end of an
          answer do not count.

There is no way to let attn write the answers: whoever writes a transcript works them out by other
means and says so in it. numbers.py computes those that are too long for a pencil.

In the environment: ATTN is the program, else build/attn of this checkout; ATTN_RUNNER is put before
it, such as valgrind with its options; ATTN_TEST_GOLDEN is the directory of the golden files.
"""
import difflib
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
CHECKOUT = HERE.parent.parent
# What may change how attn prints, and is set by the caller's terminal.
UNWANTED = ("NO_COLOR", "COLORTERM", "COLUMNS", "LANG", "LC_CTYPE", "XDG_STATE_HOME", "BASH_ENV")


class Block:
    """One line of a transcript as typed, and the answer to it."""

    def __init__(self, kind, text, number):
        self.kind, self.text, self.number = kind, text, number
        self.expected = []

    def wanted(self):
        return "\n".join(self.expected).rstrip("\n")


def read_blocks(path):
    """The blocks of a transcript, in order."""
    blocks, in_answer = [], False
    prompts = {"attn> ": ("session", "  ... "), "$ ": ("command", "> ")}
    goes_on = None  # the prompt of further rows while a line is being typed
    for number, row in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        prompt = next((p for p in prompts if row.startswith(p)), None)
        if row == "#" or row.startswith("# "):
            in_answer, goes_on = False, None
        elif prompt:
            kind, goes_on = prompts[prompt]
            blocks.append(Block(kind, row[len(prompt):], number))
            in_answer = True
        elif goes_on and row.startswith(goes_on):
            blocks[-1].text += "\n" + row[len(goes_on):]
        elif in_answer:
            blocks[-1].expected.append(row)
            goes_on = None
        elif row:
            sys.exit(f"{path}:{number}: an answer without a line that it belongs to: {row}")
    return blocks


class Machine:
    """Where a transcript runs: its directory, the program, the environment."""

    def __init__(self, directory):
        self.directory = Path(directory, "work")
        self.directory.mkdir()
        attn = os.environ.get("ATTN", str(CHECKOUT / "build" / "attn"))
        self.program = shlex.split(os.environ.get("ATTN_RUNNER", "")) + [os.path.abspath(attn)]
        golden = os.environ.get("ATTN_TEST_GOLDEN", str(CHECKOUT / "tests" / "golden"))
        (self.directory / "golden").symlink_to(os.path.abspath(golden))
        programs = Path(directory, "bin")
        programs.mkdir()
        starter = programs / "attn"
        starter.write_text(f'#!/bin/sh\nexec {shlex.join(self.program)} "$@"\n')
        starter.chmod(0o755)
        self.environment = {k: v for k, v in os.environ.items() if k not in UNWANTED}
        self.environment.update(PATH=f"{programs}:{os.environ['PATH']}", HOME=str(directory),
                                LC_ALL="C.UTF-8", TERM="dumb")

    def run(self, arguments, typed=""):
        """What a program prints, both streams in order, and its exit status."""
        done = subprocess.run(arguments, input=typed.encode(), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, cwd=self.directory, env=self.environment,
                              check=False)
        return done.stdout.decode("utf-8", "backslashreplace"), done.returncode


def run_session(machine, blocks):
    """Yields the answer to each block of a session. A text typed behind each line marks where its
    answer ends."""
    marks = [f"[the answer to line {block.number} ends here]\n" for block in blocks]
    typed = "".join(f'{block.text}\n"{mark[:-1]}"\n' for block, mark in zip(blocks, marks))
    rest, status = machine.run(machine.program + ["repl"], typed)
    for i, mark in enumerate(marks):
        if mark in rest:
            answer, _, rest = rest.partition(mark)
        elif any(later in rest for later in marks[i + 1:]):
            answer = "[attn took the lines that follow for a part of this one]"
        else:
            answer, rest = f"{rest}[the session is over, exit {status}]", ""
        if i == len(marks) - 1:  # what is said at the end, by a sanitizer for instance
            answer += rest + (f"[exit {status}]" if status not in (0, 1) else "")
        yield answer


def run_command(machine, block):
    answer, status = machine.run(["bash", "-o", "pipefail", "-c", block.text])
    separator = "" if answer.endswith("\n") or not answer else "\n"
    return answer + (f"{separator}[exit {status}]" if status else "")


def differs(path, block, answer):
    """Prints how the answer differs from the one expected; False when it does not."""
    got, wanted = answer.rstrip("\n"), block.wanted()
    if got == wanted:
        return False
    print(f"{path.name}:{block.number}: {block.text.splitlines()[0]}")
    for row in difflib.unified_diff(wanted.split("\n"), got.split("\n"), "expected", "attn says",
                                    lineterm="", n=2):
        print("  " + row)
    return True


def run_transcript(path):
    """Returns how many blocks there are and how many of them failed."""
    blocks = read_blocks(path)
    session = [block for block in blocks if block.kind == "session"]
    commands = [block for block in blocks if block.kind == "command"]
    failed = 0
    with tempfile.TemporaryDirectory(prefix="attn-script-") as directory:
        machine = Machine(directory)
        for block, answer in zip(session, run_session(machine, session)):
            failed += differs(path, block, answer)
        for block in commands:
            failed += differs(path, block, run_command(machine, block))
    print(f"{path.stem}: {len(blocks)} answers, {failed or 'none'} wrong", flush=True)
    return len(blocks), failed


def main():
    paths = [Path(name) for name in sys.argv[1:]] or sorted(HERE.glob("*.transcript"))
    counts = [run_transcript(path) for path in paths]
    total, failed = (sum(column) for column in zip((0, 0), *counts))
    print(f"{total - failed} passed, {failed} failed")
    return 0 if total > 0 and failed == 0 else 1


sys.exit(main())
