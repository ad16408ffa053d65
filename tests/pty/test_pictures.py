#!/usr/bin/env python3
"""The pictures of the full screen are made: `screens TABLE --svg DIR`, as `./dev screens` calls it.

    test_pictures.py SCREENS TABLE

Every picture of the table is a file of its own, well-formed, of the size that the table asks for, in
colours, and shows what its last step `wait` waits for. A table with a fault is refused.

In the environment: ATTN is the program, ATTN_DATA_DIR the checkout.
"""
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

SCREENS, TABLE = sys.argv[1], Path(sys.argv[2])
SVG = "{http://www.w3.org/2000/svg}"


def pictures_of(table):
    """(name, rows, cols, what is waited for last) of each picture."""
    pictures = []
    for line in table.splitlines():
        head = re.match(r"([\w-]+) (\d+)x(\d+)( |$)", line)
        if head:
            pictures.append([head[1], int(head[2]), int(head[3]), None])
        elif line.startswith("  wait "):
            pictures[-1][3] = line[len("  wait "):]
    return pictures


def lines_of(root):
    """The texts that stand at one height, joined from left to right."""
    lines = {}
    for text in root.iter(SVG + "text"):
        lines[text.get("y")] = lines.get(text.get("y"), "") + "".join(text.itertext())
    return list(lines.values())


def without_blanks(text):
    return re.sub(r"\s", "", text)


def run(*arguments):
    return subprocess.run([SCREENS, *map(str, arguments)], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=240)


class Pictures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.made = Path(cls.folder.name)
        cls.result = run(TABLE, "--svg", cls.made)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_each_is_made_and_no_other(self):
        self.assertEqual(self.result.returncode, 0, self.result.stderr)
        names = [picture[0] for picture in pictures_of(TABLE.read_text())]
        self.assertGreaterEqual(len(names), 4)
        self.assertEqual(sorted(path.name for path in self.made.iterdir()),
                         sorted(name + ".svg" for name in names))

    def test_what_they_show(self):
        for name, rows, cols, waited in pictures_of(TABLE.read_text()):
            with self.subTest(picture=name):
                root = ElementTree.parse(self.made / (name + ".svg")).getroot()
                self.assertEqual(root.tag, SVG + "svg")
                lines = lines_of(root)
                self.assertGreater(len(lines), 5)
                self.assertLessEqual(len(lines), rows)
                self.assertTrue(any(without_blanks(waited) in without_blanks(line)
                                    for line in lines), f"{waited!r} in {lines}")
                self.check_looks(root, rows, cols)

    def check_looks(self, root, rows, cols):
        width, height = float(root.get("width")), float(root.get("height"))
        self.assertTrue(6 < width / cols < 12, f"{width} for {cols} columns")
        self.assertTrue(14 < height / rows < 26, f"{height} for {rows} rows")
        colours = {element.get("fill") for element in root.iter() if element.get("fill")}
        self.assertGreater(len(colours), 3)
        for colour in colours:
            self.assertRegex(colour, r"^#[0-9a-f]{6}$")


class Faults(unittest.TestCase):
    def refused(self, text, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            table = Path(folder) / "table.txt"
            table.write_text(text)
            result = run(table, *(arguments or ["--svg", folder]))
            self.assertNotEqual(result.returncode, 0)
            self.assertNotEqual(result.stderr, "")

    def test_faulty_tables(self):
        self.refused("home tutor\n")
        self.refused("home 24x80 tutor\n  juggle\n")
        self.refused("home 24x80 tutor\n  press Nothing\n")

    def test_usage(self):
        self.refused("home 24x80 tutor\n", "--paint")
        self.assertNotEqual(run(TABLE.parent / "no such table", "--text").returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
