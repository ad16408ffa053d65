#!/usr/bin/env python3
"""autograder.py of a Classroom 50 assignment: runs in the student's checkout, leaves result.json."""
import subprocess
import sys

code = subprocess.run(["attn", "grade", ".", "--format", "classroom50", "--output", "result.json",
                       "--format", "text"], check=False).returncode
sys.exit(0 if code in (0, 1) else code)  # 1: graded, and not everything passes
