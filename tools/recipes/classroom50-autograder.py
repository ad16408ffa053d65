#!/usr/bin/env python3
"""autograder.py of a Classroom 50 assignment: runs in the student's checkout, leaves result.json."""
import sys

sys.path[:] = [place for place in sys.path if place.startswith(sys.base_prefix)]  # no module of theirs
import os
import shutil
import subprocess

# A result that was handed in is none, be it a file, a link or a folder. It goes before anything else.
if os.path.isdir("result.json") and not os.path.islink("result.json"):
    shutil.rmtree("result.json")
elif os.path.lexists("result.json"):
    os.unlink("result.json")
code = subprocess.run(["attn", "grade", ".", "--format", "classroom50", "--output", "result.json",
                       "--format", "text"], check=False).returncode
sys.exit(0 if code in (0, 1) else code)  # 1: graded, and not everything passes
