#!/usr/bin/env python3
"""Counts the tests of one run of `meson test` and ends with the line `N passed, N failed`.

usage: count_tests.py TESTLOG_JSON

The verdict on each test program is meson's. What counts as one test is what a program says of itself:
cmocka's closing lines, or a line `N passed, N failed` of its own; a program that says neither is one
test. Exit status 1 when a test failed or none ran.
"""
import json
import re
import sys

CMOCKA = re.compile(r"^\[  (PASSED|FAILED|SKIPPED) ?\s*\] (\d+) test\(s\)", re.MULTILINE)
PLAIN = re.compile(r"^(?:\w+: )?(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$", re.MULTILINE)


def count_cases(output):
    """What a program says of itself, as [passed, failed, skipped]; zeros when it says nothing."""
    counts = {"PASSED": 0, "FAILED": 0, "SKIPPED": 0}
    for verdict, number in CMOCKA.findall(output):
        counts[verdict] += int(number)
    cases = [counts["PASSED"], counts["FAILED"], counts["SKIPPED"]]
    for numbers in PLAIN.findall(output):
        cases = [count + int(number or 0) for count, number in zip(cases, numbers)]
    return cases


def count_program(test):
    """The cases of one entry of meson's log, never contradicting meson's own verdict."""
    if test["result"] == "SKIP":
        return [0, 0, 1]
    passed, failed, skipped = count_cases(test.get("stdout", "") + "\n" + test.get("stderr", ""))
    succeeded = test["result"] in ("OK", "EXPECTEDFAIL")
    if succeeded and failed == 0:
        return [passed if passed + skipped > 0 else 1, 0, skipped]
    return [passed, max(failed, 1), skipped]


def main():
    try:
        with open(sys.argv[1], encoding="utf-8", errors="replace") as file:
            tests = [json.loads(line) for line in file if line.strip()]
    except FileNotFoundError:
        tests = []
    passed, failed, skipped = (sum(column) for column in zip([0, 0, 0], *map(count_program, tests)))
    if passed + failed == 0:
        print("no test ran", file=sys.stderr)
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 0 if failed == 0 and passed > 0 else 1


sys.exit(main())
