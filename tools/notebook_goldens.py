#!/usr/bin/env python3
"""Writes what CPython prints for the cells of tests/golden/notebook: NAME.txt beside NAME.py.

usage: notebook_goldens.py [NAME.py...]      (CPython 3.11)
       notebook_goldens.py broken            torch.broken: what is said of broken cells
       notebook_goldens.py shown             shown.cells: what Jupyter shows below cells (IPython)
       notebook_goldens.py page              runs "What is the same" of docs/from-pytorch.md

Cells that import torch or numpy are run by /usr/bin/python3, for which Debian has python3-torch 1.13
and python3-numpy 1.24; set TORCH_PYTHON for another one.
"""
import ast
import contextlib
import io
import os
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "tests" / "golden" / "notebook"


def write_broken(path):
    """Broken cells, one after the other with a line "! last line of the traceback" below each."""
    cells = path.read_text(encoding="utf-8").split("\n! ")
    written = ""
    for i in range(len(cells) - 1):
        source = cells[i] if i == 0 else cells[i].split("\n", 1)[1]
        ran = subprocess.run([os.environ.get("TORCH_PYTHON", "/usr/bin/python3"), "-c", source],
                             capture_output=True, text=True)
        written += source + "\n! " + ran.stderr.rstrip("\n").rsplit("\n", 1)[-1] + "\n"
    path.write_text(written, encoding="utf-8")


def write_shown(path):
    """What cells print, and the value of each one's last expression as IPython shows it."""
    from IPython.lib.pretty import pretty
    names, shown = {}, io.StringIO()
    for cell in path.read_text(encoding="utf-8").split("# %%\n"):
        rows = ast.parse(cell).body
        last = rows.pop() if rows and isinstance(rows[-1], ast.Expr) else None
        with contextlib.redirect_stdout(shown):
            exec(compile(ast.Module(rows, []), "cell", "exec"), names)
            value = None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), names)
            if value is not None and not cell.rstrip().endswith(";"):
                print(pretty(value))
    path.with_suffix(".out").write_text(shown.getvalue(), encoding="utf-8")


def check_page(page):
    """How many rows of the page say something else than PyTorch and numpy print."""
    rows = page.read_text(encoding="utf-8").split("## What is the same")[1].split("\n## ")[0]
    wrong = 0
    for row in rows.splitlines():
        if not row.startswith("- "):
            continue
        code, said = row[row.index(": `") + 3:-2].split("` gives `")
        before, _, last = code.rpartition("; ")
        source = f"import torch\nimport numpy as np\n{before}\nprint({last})"
        ran = subprocess.run([os.environ.get("TORCH_PYTHON", "/usr/bin/python3"), "-c", source],
                             capture_output=True, text=True)
        printed = ran.stdout if ran.returncode == 0 else ran.stderr.rstrip("\n").rsplit("\n", 1)[-1]
        if printed.rstrip("\n") != said:
            wrong += 1
            print(f"{code}: {printed}, and the page says {said}")
    return wrong


def main():
    if sys.argv[1:] == ["page"]:
        sys.exit(check_page(FOLDER.parent.parent.parent / "docs" / "from-pytorch.md") > 0)
    if sys.argv[1:] == ["broken"]:
        return write_broken(FOLDER / "torch.broken")
    if sys.argv[1:] == ["shown"]:
        return write_shown(FOLDER / "shown.cells")
    cells = [FOLDER / name for name in sys.argv[1:]] or sorted(FOLDER.glob("*.py"))
    for cell in cells:
        source = cell.read_text(encoding="utf-8")
        uses_torch = "import torch" in source or "import numpy" in source
        python = os.environ.get("TORCH_PYTHON", "/usr/bin/python3") if uses_torch else sys.executable
        ran = subprocess.run([python, cell.name], cwd=FOLDER, capture_output=True, check=True)
        cell.with_suffix(".txt").write_bytes(ran.stdout)


main()
