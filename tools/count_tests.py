#!/usr/bin/env python3
"""Counts the tests of one run of `meson test` and ends with the line `N passed, N failed`.

usage: count_tests.py TESTLOG_JSON
       count_tests.py --failures TESTLOG_JSON...   (only what failed, with the lines that say why)

The verdict on each test program is meson's. What counts as one test is what a program says of itself:
cmocka's closing lines, or a line `N passed, N failed` of its own; a program that says neither is one
test. Exit status 1 when a test failed or none ran.
"""
import json
import re
import sys

CMOCKA = re.compile(r"^\[  (PASSED|FAILED|SKIPPED) ?\s*\] (\d+) test\(s\)", re.MULTILINE)
PLAIN = re.compile(r"^(?:\w+: )?(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$", re.MULTILINE)
TELLING = re.compile(r"\[  (?:ERROR|FAILED) |^FAIL|^not ok|Error: |ERROR: |Assertion|not proven|it must ")
LINES_OF_A_FAILURE = 40


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


def read_tests(path):
    """The entries of meson's log; none when there is no log."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return [json.loads(line) for line in file if line.strip()]
    except FileNotFoundError:
        return []


def print_failures(tests):
    """The name of each test that failed and the lines of its output that tell why."""
    for test in tests:
        if test["result"] in ("OK", "SKIP", "EXPECTEDFAIL"):
            continue
        print(f"{test['name']}: {test['result']} after {test['duration']:.0f} s")
        lines = (test.get("stdout", "") + "\n" + test.get("stderr", "")).splitlines()
        telling = [number for number, line in enumerate(lines) if TELLING.search(line)]
        shown = sorted({near for number in telling for near in range(number - 4, number + 3)
                        if 0 <= near < len(lines)}) or range(max(0, len(lines) - 10), len(lines))
        for number in list(shown)[:LINES_OF_A_FAILURE]:
            print("  " + lines[number][:200])


def main():
    if sys.argv[1] == "--failures":
        for path in sys.argv[2:]:
            print_failures(read_tests(path))
        return 0
    tests = read_tests(sys.argv[1])
    passed, failed, skipped = (sum(column) for column in zip([0, 0, 0], *map(count_program, tests)))
    if passed + failed == 0:
        print("no test ran", file=sys.stderr)
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 0 if failed == 0 and passed > 0 else 1


sys.exit(main())
