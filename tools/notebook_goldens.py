#!/usr/bin/env python3
"""Writes what CPython prints for the cells of tests/golden/notebook: NAME.txt beside NAME.py.

usage: notebook_goldens.py [NAME.py...]      (CPython 3.11)
"""
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "tests" / "golden" / "notebook"


def main():
    cells = [FOLDER / name for name in sys.argv[1:]] or sorted(FOLDER.glob("*.py"))
    for cell in cells:
        ran = subprocess.run([sys.executable, cell.name], cwd=FOLDER, capture_output=True, check=True)
        cell.with_suffix(".txt").write_bytes(ran.stdout)


main()
