#!/usr/bin/env python3
"""autograder.py of a Classroom 50 assignment: runs in the student's checkout, leaves result.json.

An assignment.yaml beside this file says which exercises there are and what they are worth."""
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
assignment = os.path.join(os.path.dirname(os.path.abspath(__file__)), "assignment.yaml")
options = ["--assignment", assignment] if os.path.exists(assignment) else []
code = subprocess.run(["attn", "grade", ".", *options, "--format", "classroom50", "--output", "result.json",
                       "--format", "text"], check=False).returncode
sys.exit(0 if code in (0, 1) else code)  # 1: graded, and not everything passes
