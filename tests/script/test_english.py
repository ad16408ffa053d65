#!/usr/bin/env python3
"""tools/check_english.py finds refused forms where people read them, and its list only shrinks."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parent.parent.parent / "tools" / "check_english.py"


class English(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="attn-english-")
        self.addCleanup(holder.cleanup)
        self.root = Path(holder.name)
        for name in ("src", "assets", "docs", "tools"):
            (self.root / name).mkdir()

    def write(self, name, text):
        (self.root / name).write_text(text, encoding="utf-8")

    def run_tool(self, *arguments):
        """The exit code and what was printed."""
        done = subprocess.run([sys.executable, str(TOOL), str(self.root), *arguments],
                              capture_output=True, check=False, text=True)
        return done.returncode, done.stdout + done.stderr

    def lines_of(self, name, text):
        """The lines with a form in this text."""
        self.write(name, text)
        _, printed = self.run_tool("--show", str(self.root / name))
        return [int(line.split(":")[1]) for line in printed.splitlines()]

    def test_a_comment_is_read_over_its_line_breaks(self):
        self.assertEqual(self.lines_of("src/a.c", "int a;\n/* The row; NULL where there\n * is none. */\n"), [2])

    def test_a_message_is_read_over_its_pieces(self):
        self.assertEqual(self.lines_of("src/a.c", '\nputs("mask: it is "\n     "no matrix");\n'), [2])

    def test_code_is_not_read(self):
        self.assertEqual(self.lines_of("src/a.c", "int told = alike + anew; char c = '\"';\n"), [])
        self.assertEqual(self.lines_of("docs/a.md", "Write `told`:\n\n```\nanew\n```\n\n    alike\n"), [])
        self.assertEqual(self.lines_of("assets/a.yaml", "edits:\n  - id: lanes-alike\n    match: anew\n"), [])

    def test_yaml_and_markdown_are_read(self):
        self.assertEqual(self.lines_of("assets/a.yaml", "a: b\nsay: >-\n  It is\n  no type.\n"), [2])
        self.assertEqual(self.lines_of("docs/a.md", "# A\n\n- one\n- The fault is\n  told.\n"), [4])

    def test_plain_english_is_left_alone(self):
        for text in ("There is no mask.", "It is no longer open.", "What is softmax?", "so many that it fails",
                     "They look alike.", "what they can be told apart by", "the file in the way"):
            self.assertEqual(self.lines_of("src/a.c", f"/* {text} */\n"), [], text)

    def test_the_list_only_shrinks(self):
        self.write("src/a.c", "/* It is told. */\n/* It is mended. */\n")
        self.assertEqual(self.run_tool("--write"), (0, ""))
        self.assertEqual(self.run_tool(), (0, ""))

        self.write("src/a.c", "/* It is told. */\n/* It is mended. */\n/* anew */\n")
        code, printed = self.run_tool()
        self.assertEqual(code, 1)
        self.assertIn("src/a.c: 3 forms", printed)
        self.assertIn("line 3: ...anew...", printed)
        self.assertEqual(self.run_tool("--write")[0], 1)

        self.write("src/a.c", "/* It is told. */\n")
        code, printed = self.run_tool()
        self.assertEqual(code, 1)
        self.assertIn("src/a.c has 1 now, not 2", printed)
        self.assertEqual(self.run_tool("--write"), (0, ""))
        self.assertEqual(self.run_tool(), (0, ""))
        self.assertIn("1 src/a.c\n", (self.root / "tools" / "english.txt").read_text(encoding="utf-8"))

    def test_a_file_that_is_gone_leaves_the_list(self):
        self.write("src/a.c", "/* told */\n")
        self.run_tool("--write")
        (self.root / "src" / "a.c").unlink()
        self.assertEqual(self.run_tool()[0], 1)
        self.assertEqual(self.run_tool("--write"), (0, ""))
        self.assertEqual(self.run_tool(), (0, ""))


if __name__ == "__main__":
    unittest.main()
