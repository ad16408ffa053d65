#!/usr/bin/env python3
"""Grades a class that plays with points, seeds, dates and names. What must come out was written from
docs/instructors.md and docs/security.md.

usage: run_class.py [NAME...]     without names, all below

The files in points/ are one class, each the work of a student of its name, which begins with the
exercise's. Their first line says `// expect: VERDICT[|VERDICT] POINTS [DETAIL]`. None may bring the word
LEAKED from a running program into a report. The layouts are functions here, each with a class of its own.

In the environment: ATTN is the program, ATTN_DATA_DIR the folder with the exercises.
"""
import argparse
import csv
import io
import json
import os
import re
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import unicodedata
from pathlib import Path

HERE = Path(__file__).resolve().parent
CHECKOUT = HERE.parent.parent
ATTN = os.path.abspath(os.environ.get("ATTN", CHECKOUT / "build/attn"))
PATIENCE = 500  # seconds until a command is taken for hung; a busy machine is no fault
SEED = "987654321"  # what files in points/ look for
RIGHT = """#include <stddef.h>
float dot(size_t n, const float *a, const float *b)
{
    float sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}
"""
HALF = RIGHT.replace("return sum;", "return n < 4 ? sum : sum + 1;")
BROKEN = RIGHT.replace("return sum;", "return sum")
FORMATS = ("text", "json", "csv", "table", "junit", "tap", "html")
FORMATS_OF_ONE = ("gradescope", "classroom50", "autolab")  # all that is found is one student's
failures, n_checks = [], 0


def check(ok, name, why=""):
    global n_checks
    n_checks += 1
    if not ok:
        failures.append(name)
        print(f"FAILED {name}: {why}")


def bound():
    resource.setrlimit(resource.RLIMIT_FSIZE, (256 << 20, 256 << 20))
    resource.setrlimit(resource.RLIMIT_CPU, (300, 300))


class Class:
    """A folder with what students handed in, and the reports of grading it."""

    def __init__(self, holder):
        self.holder = Path(holder)
        self.folder = self.holder / "class"
        self.folder.mkdir()

    def hand_in(self, path, source=RIGHT, mtime=None):
        place = os.path.join(os.fsencode(self.folder), os.fsencode(path))
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "wb") as file:
            file.write(os.fsencode(source))
        if mtime is not None:
            os.utime(place, (mtime, mtime))
        return place

    def write(self, name, text):
        path = self.holder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def grade(self, *arguments, formats=("json",), seconds=PATIENCE, cwd=None):
        """Exit code, standard error, and the reports by format."""
        command = [ATTN, "grade", str(self.folder), "--seed", SEED, "--jobs", "2", *map(str, arguments)]
        for name in formats:
            command += ["--format", name, "--output", str(self.holder / f"report.{name}")]
            (self.holder / f"report.{name}").unlink(missing_ok=True)
        run = subprocess.run(command, cwd=cwd or self.holder, stdin=subprocess.DEVNULL, capture_output=True,
                             check=False, timeout=seconds, preexec_fn=bound)
        self.stderr = run.stderr.decode(errors="replace")
        self.texts = {name: (self.holder / f"report.{name}").read_bytes().decode()
                      for name in formats if (self.holder / f"report.{name}").exists()}
        self.report = json.loads(self.texts["json"]) if "json" in self.texts else {"results": []}
        self.results = self.report["results"]
        self.duplicates = self.report.get("duplicates", [])
        return run.returncode

    def points(self):
        """(student, exercise): (verdict, points) of what counts; each must be there once."""
        found = {(one["student"], one["exercise"]): (one["verdict"], one["score"]) for one in self.results}
        check(len(found) == len(self.results), "one result for each student and exercise", self.results)
        return found

    def one(self, student, exercise="dot"):
        return next((one for one in self.results if (one["student"], one["exercise"]) == (student, exercise)), {})


def expect(name, got, wanted):
    check(got == wanted, name, f"expected {wanted!r}, got {got!r}")


def expect_refused(group, name, code, errors, word="attn: "):
    """Wrong usage, told in one short line that quotes nothing raw."""
    ok = code == 2 and errors.startswith(word) and len(errors) < 2000 and "Sanitizer" not in errors
    check(ok, name, f"exit code {code}: {errors[:300]}")


# ---- what a report may not have ----

BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def expect_harmless(name, texts):
    """No report has what a terminal, a log, a browser or a spreadsheet would obey."""
    for kind, text in texts.items():
        controls = {c for c in text if unicodedata.category(c) == "Cc" and c not in "\n\t"}
        check(not controls, f"{name}: {kind}: control characters", repr(controls))
        check(not BIDI.search(text), f"{name}: {kind}: marks that turn the direction of text")
        check("\u2028" not in text and "\u2029" not in text, f"{name}: {kind}: other line ends")
        for line in text.split("\n"):
            check(not line.lstrip().startswith("::"), f"{name}: {kind}: a workflow command", line[:200])
        check("##[" not in text and "##vso[" not in text, f"{name}: {kind}: a pipeline's command")
    check("<script>alert" not in texts.get("html", ""), f"{name}: html: a script")
    check("<script>alert" not in texts.get("junit", ""), f"{name}: junit: a script")
    for kind in ("csv", "table"):
        for row in csv.reader(io.StringIO(texts.get(kind, ""))):
            for cell in row:
                check(not cell.startswith(("=", "+", "-", "@", "\t", "\r")), f"{name}: {kind}: a formula", cell)


# ---- the files in points/ ----

def read_expectation(path):
    words = path.read_text(encoding="utf-8").splitlines()[0].removeprefix("// expect: ").split(" ", 2)
    return words[0].split("|"), float(words[1]), words[2] if len(words) > 2 else ""


def points_and_seeds(some):
    wanted = {}
    for path in sorted((HERE / "points").glob("*.c")):
        some.hand_in(f"{path.stem}/{path.stem.split('-')[0]}.c", path.read_text(encoding="utf-8"))
        wanted[path.stem] = read_expectation(path)
    expect("exit code", some.grade(formats=FORMATS), 1)
    got = {one["student"]: one for one in some.results}
    for name, (verdicts, score, detail) in wanted.items():
        one = got.get(name, {"verdict": "none", "score": -1, "detail": "", "message": ""})
        check(one["verdict"] in verdicts and one["score"] == score and one["detail"].startswith(detail), name,
              f"expected {verdicts} {score} {detail!r}, got {one['verdict']} {one['score']} {one['detail']!r}\n"
              + one["message"])
        if one["verdict"] != "compile_error":
            check("LEAKED" not in one["message"], name, "what the program printed is in the message")
        check("/tmp" not in one["message"] and SEED not in one["message"], name, "tells where or with what")
    for kind, text in some.texts.items():
        check(kind == "json" or SEED not in text, f"{kind}: the seed")
    expect_harmless("points", some.texts)


# ---- who, how often ----

def one_work_under_many_names(some):
    names = ["dot.c", "01-dot.c", "dot-1.c", "dot (2).c", "dot_copy.c", "Copy of dot.c", "hw3/src/dot.c", "a_dot.c",
             "DOT.C", "Dot.c", "dot.c.c", "dot .c", "dot_final.c", "\uff44\uff4f\uff54.c", "d\u043et.c", "dot\u200b.c",
             "dot\u0301.c"]
    for name in names:
        some.hand_in(f"anna/{name}")
    os.link(some.folder / "anna/dot.c", some.folder / "anna/z_dot.c")
    code = some.grade(formats=FORMATS)
    expect("many names: what counts", some.points(), {("anna", "dot"): ("pass", 10)})
    expect("many names: exit code", code, 0)
    mentioned = some.stderr + "".join(one["file"] for one in some.results + some.duplicates)
    for name in ("DOT.C", "Dot.c", "dot.c.c", "dot_copy.c", "Copy of dot.c", "hw3/src/dot.c", "z_dot.c"):
        check(name in mentioned, f"many names: {name} is accounted for", some.stderr)
    expect("many names: of what they are duplicates", {one["duplicate_of"] for one in some.duplicates},
           {some.results[0]["file"]})
    rows = list(csv.DictReader(io.StringIO(some.texts["table"])))
    expect("many names: table", [(row["login"], float(row["total"])) for row in rows], [("anna", 10.0)])
    rows = list(csv.DictReader(io.StringIO(some.texts["csv"])))
    expect("many names: csv", sum(float(row["score"] or 0) for row in rows), 10)
    some.grade(formats=FORMATS_OF_ONE)
    expect("many names: gradescope", sum(t["score"] for t in json.loads(some.texts["gradescope"])["tests"]), 10)
    expect("many names: classroom50", sum(t["score"] for t in json.loads(some.texts["classroom50"])["tests"]), 10)
    autolab = json.loads(some.texts["autolab"].strip().splitlines()[-1])
    expect("many names: autolab", sum(autolab["scores"].values()), 10)


def one_file_for_two_exercises(some):
    some.hand_in("anna/dot.c")
    os.link(some.folder / "anna/dot.c", some.folder / "anna/attention_scores.c")
    some.grade()
    got = some.points()
    expect("two exercises: dot", got.get(("anna", "dot")), ("pass", 10))
    verdict, score = got.get(("anna", "attention-scores"), ("none", -1))
    check(verdict in ("compile_error", "link_error") and score == 0, "two exercises: the other", (verdict, score))


ROSTER = ("login,name,email,id\nanna,Anna Alm,anna.alm@example.org,17\nbob,Bob Berg,bob@example.org,18\n"
          "carl,Carl Carlson,carl@example.org,19\n")


def many_folders_for_one(some):
    for folder in ("anna", "ANNA", "anna.alm@example.org", "Alm, Anna", "17", "hw1-anna"):
        some.hand_in(f"{folder}/dot.c", HALF if folder == "anna" else RIGHT)
    some.hand_in("bob/anna_dot.c", BROKEN)
    some.hand_in("bob/carl_1_2_dot.c", BROKEN)
    some.hand_in("bob/hw_carl_attempt_2026-01-01-00-00-00_dot.c", BROKEN)
    code = some.grade("--roster", some.write("students.csv", ROSTER))
    expect("many folders", some.points(), {("anna", "dot"): ("pass", 10), ("bob", "dot"): ("compile_error", 0),
                                           ("carl", "dot"): ("missing", 0)})
    expect("many folders: duplicates", sorted(one["student"] for one in some.duplicates), ["anna"] * 5 + ["bob"] * 2)
    expect("many folders: exit code", code, 1)


def logins_that_differ_in_case(some):
    roster = "login,name,email\nanna,Anna Alm,a@x\nAnna,Anna Berg,anna@evil\nbob,Bob,anna@y\n"
    some.hand_in("anna/dot.c")
    some.hand_in("Anna/dot.c", BROKEN)
    some.hand_in("ANNA/dot.c")
    some.grade("--roster", some.write("students.csv", roster))
    expect("case of logins", some.points(), {("anna", "dot"): ("pass", 10), ("Anna", "dot"): ("compile_error", 0),
                                             ("ANNA", "dot"): ("pass", 10), ("bob", "dot"): ("missing", 0)})


# ---- names that forge ----

DUE = ("title: one\nexercises:\n  - {id: dot, points: 10}\ndue: 2026-03-01 23:59 Z\n"
       "late: {percent_a_day: 10, days: 3}\ntime: %s\n")


def forged_names(some):
    """The system writes the begin of a name, the student the rest of it."""
    some.hand_in("hw_carl_attempt_2026-03-20-00-00-00_hw_anna_attempt_2026-01-01-00-00-00_dot.c")
    some.hand_in("bobberg_LATE_123_456_hw_anna_attempt_2026-01-01-00-00-00_dot.c")
    code = some.grade("--roster", some.write("students.csv", ROSTER), "--assignment",
                      some.write("a.yaml", DUE % "name"))
    expect("forged names", some.points(), {("anna", "dot"): ("missing", 0), ("bob", "dot"): ("pass", 9),
                                           ("carl", "dot"): ("pass", 0)})
    expect("forged names: exit code", code, 1)


def forged_names_in_moodle(some):
    some.hand_in("Carl Carlson_123_assignsubmission_file_Anna Alm_17_assignsubmission_file_dot.c")
    some.hand_in("Bob Berg_124_assignsubmission_file_annaalm_1_2_dot.c")
    some.grade("--roster", some.write("students.csv", ROSTER))
    expect("forged names of Moodle", some.points(), {("anna", "dot"): ("missing", 0), ("bob", "dot"): ("pass", 10),
                                                     ("carl", "dot"): ("pass", 10)})


def strange_moments_in_names(some):
    some.hand_in("hw_anna_attempt_9999-12-31-23-59-59_dot.c")
    some.hand_in("hw_bob_attempt_2026-02-30-25-61-61_dot.c")
    some.hand_in("hw_carl_attempt_2026-03-02-10-00-00_dot.c")
    some.grade("--roster", some.write("students.csv", ROSTER), "--assignment", some.write("a.yaml", DUE % "name"))
    got = some.points()
    expect("the year 9999", got[("anna", "dot")], ("pass", 0))
    expect("a day late", got[("carl", "dot")], ("pass", 9))
    check("bob" in {one["student"] for one in some.results}, "no moment", some.results)


# ---- dates ----

def strange_times_of_files(some):
    for name, mtime in (("past", -86400 * 365), ("zero", 0), ("future", 2 ** 33), ("far", 2 ** 34 - 1),
                        ("in-time", 1770000000)):
        some.hand_in(f"{name}/dot.c", RIGHT, mtime)
    expect("times of files: exit code", some.grade("--assignment", some.write("a.yaml", DUE % "file"),
                                                   formats=FORMATS), 0)
    for name, points in (("in-time", 10), ("future", 0), ("far", 0), ("past", 10), ("zero", 10)):
        expect(f"times of files: {name}", (some.one(name)["verdict"], some.one(name)["score"]), ("pass", points))
    for name in ("past", "zero"):
        check("not known" in json.dumps(some.one(name)), f"times of files: {name}: it is said", some.one(name))


def git(folder, *arguments, date="2026-02-01T00:00:00Z"):
    subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@x", *arguments], cwd=folder, check=True,
                   capture_output=True, timeout=PATIENCE,
                   env={"PATH": os.environ["PATH"], "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date,
                        "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "HOME": "/nonexistent"})


def repository(some, student, date):
    some.hand_in(f"{student}/dot.c")
    folder = some.folder / student
    git(folder, "init", "-q")
    git(folder, "add", "dot.c")
    git(folder, "commit", "-qm", "x", date=date)
    return folder / ".git"


def hostile_repositories(some):
    if shutil.which("git") is None:
        return
    mark = some.holder / "left-behind"
    run = f"!touch {mark}"
    script = some.write("run.sh", f"#!/bin/sh\ntouch {mark}\n")
    script.chmod(0o755)
    late = "2026-03-02T10:00:00Z"
    config = repository(some, "config", late) / "config"
    config.write_text(config.read_text() + f"""
[core]
    fsmonitor = {script}
    hooksPath = {some.holder}
    pager = {script}
    sshCommand = {script}
    askPass = {script}
    editor = {script}
    alternateRefsCommand = {script}
    attributesFile = /dev/zero
    excludesFile = /dev/zero
    gitProxy = {script}
[alias]
    rev-list = {run}
[diff]
    external = {script}
[filter "x"]
    clean = {script}
    process = {script}
[log]
    showSignature = true
    mailmap = true
[gpg]
    program = {script}
[trace2]
    normalTarget = {mark}
[credential]
    helper = {script}
[uploadpack]
    packObjectsHook = {script}
""")
    (config.parent.parent / ".gitattributes").write_text("*.c filter=x diff=x\n")
    promisor = repository(some, "promisor", late)
    with open(promisor / "config", "a", encoding="utf-8") as file:
        file.write(f"[extensions]\n    partialClone = evil\n[remote \"evil\"]\n    promisor = true\n"
                   f"    url = ext::{script}\n    vcs = {script}\n    uploadpack = {script}\n[protocol]\n"
                   "    allow = always\n[protocol \"ext\"]\n    allow = always\n")
    for path in (promisor / "objects").glob("??/*"):
        path.unlink()
    fifo = repository(some, "fifo", late)
    os.mkfifo(fifo / "more")
    with open(fifo / "config", "a", encoding="utf-8") as file:
        file.write("[include]\n    path = more\n")
    endless = repository(some, "endless", late)
    (endless / "objects/info").mkdir(exist_ok=True)
    (endless / "objects/info/alternates").symlink_to("/dev/zero")
    hooked = repository(some, "hooked", late)
    for name in ("post-checkout", "reference-transaction", "post-index-change", "fsmonitor-watchman"):
        hook = hooked / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(script.read_text())
        hook.chmod(0o755)
    magic = repository(some, "magic", late)
    some.hand_in("magic/:!x_dot.c", HALF)
    git(magic.parent, "--literal-pathspecs", "add", ":!x_dot.c")
    git(magic.parent, "commit", "-qm", "y", date="2026-03-20T10:00:00Z")
    some.hand_in("pointer/dot.c")
    (some.folder / "pointer/.git").write_text("gitdir: /dev/zero\n")
    some.hand_in("link/dot.c")
    (some.folder / "link/.git").symlink_to("/dev")
    some.hand_in("loop/dot.c")
    (some.folder / "loop/.git").symlink_to(".git")
    some.hand_in("bare/dot.c")
    git(some.folder / "bare", "init", "-q", "--bare", "x.git")
    for name in ("HEAD", "config", "objects", "refs"):
        shutil.move(some.folder / "bare/x.git" / name, some.folder / "bare" / name)
    with open(some.folder / "bare/config", "a", encoding="utf-8") as file:
        file.write(f"[core]\n    fsmonitor = {script}\n    worktree = /\n")
    ready = repository(some, "ready", "2026-02-01T00:00:00Z")
    (ready / "HEAD.lock").write_text("")
    code = some.grade("--assignment", some.write("a.yaml", DUE % "git"))
    check(not mark.exists(), "repositories: nothing of theirs is run")
    expect("repositories: exit code", code, 0)
    expect("repositories: all pass", {one["verdict"] for one in some.results}, {"pass"})
    for name in ("config", "hooked"):
        expect(f"repositories: {name}: late by a day", (some.one(name)["score"]), 9)
    expect("repositories: ready", some.one("ready")["score"], 10)
    magic = some.one("magic")
    expect("repositories: a name that is a pattern", (magic["file"].endswith("magic/dot.c"), magic["score"]), (True, 9))
    for name in ("promisor", "fifo", "pointer", "link", "loop", "bare"):
        check("not known" in json.dumps(some.one(name)), f"repositories: {name}: it is said", some.one(name))


# ---- points as the assignment gives them ----

def groups_and_all_or_nothing(some):
    luck = RIGHT.replace("return sum;", "return 1e-40f * (float)n;")
    slow = "    for (volatile int i = 0; i < 1000; i++) { }\n"
    some.hand_in("luck/dot.c", luck)
    some.hand_in("right/dot.c", RIGHT)
    some.hand_in("wrong/scale_scores.c", "#include <stddef.h>\nvoid scale_scores(size_t n_q, size_t n_k, size_t d_k,"
                 " float *scores)\n{\n    for (size_t i = 0; i < n_q * n_k; i++)\n        scores[i] *= d_k > 1 &&"
                 " d_k < 64 ? 0.5f : 0.125f;\n}\n")
    some.hand_in("quick/fast_attention.c", "#include <string.h>\nvoid fast_attention(size_t n, size_t d, const float"
                 " *query, const float *key, const float *value, float *context)\n{\n    (void)query, (void)key;\n"
                 "    memcpy(context, value, n * d * sizeof *context);\n}\n" + "/*" + slow + "*/\n")
    some.hand_in("elsewhere/softmax_rows.c", RIGHT)
    some.grade("--assignment", some.write("a.yaml", """
exercises:
  - {id: dot, points: {basics: 5, stability: 3, sizes: 2}}
  - {id: scale-scores, points: 7, all_or_nothing: true}
  - {id: fast-attention, points: {basics: 1, speed: 9}}
"""))
    got = {key: points for key, (_, points) in some.points().items()}
    expect("groups: by luck", got[("luck", "dot")], 0)
    expect("groups: right", got[("right", "dot")], 10)
    expect("groups: all or nothing", got[("wrong", "scale-scores")], 0)
    expect("groups: quick and wrong", got[("quick", "fast-attention")], 0)
    check(("elsewhere", "softmax-rows") not in got, "groups: no exercise of the assignment")
    check("elsewhere" in some.stderr, "groups: what is left out is said", some.stderr)


# ---- names and reports ----

NAMES = [b"-rf", b"--format", b"--exercise=dot", b"=cmd|' /C calc'!A0", b"+1", b"@SUM(1)", b"-2+3", b"\t=1", b"a\nb",
         b"x\r\n::error::owned", b"::error::x", b"##[error]x", b"##vso[task.complete]", b"<script>alert(1)<", b"a&b\"'>",
         "\u202ecod".encode(), "\u2066x\u2069".encode(), "\u009b2J".encode(), "a\u2028::error::b".encode(), b"\xff\xfe",
         b"\x1b[2J", b"%n%s", b"$(touch left-behind)", b"x" * 255, b"dot.c.d", b"a,b;c", b" ", b"\\", b"NUL", b"class",
         b"</td></tr></table>", b"]]>", b"${{ secrets.X }}"]


def names_of_students(some):
    for name in NAMES:
        some.hand_in(name + b"/dot.c", BROKEN if name == b"a\nb" else RIGHT)
    some.grade(formats=FORMATS)
    expect("names: all are graded", len(some.results), len(NAMES))
    expect("names: with their own verdicts", sorted(one["verdict"] for one in some.results),
           ["compile_error"] + ["pass"] * (len(NAMES) - 1))
    expect_harmless("names", some.texts)
    expect_harmless("names", {"stderr": some.stderr})
    some.grade(formats=FORMATS_OF_ONE)
    expect_harmless("names of one", some.texts)
    check(not (some.holder / "left-behind").exists(), "names: nothing of theirs is run")
    shown = subprocess.run([ATTN, "grade", str(some.folder), "--seed", SEED], capture_output=True, check=False,
                           timeout=PATIENCE, stdin=subprocess.DEVNULL)
    expect_harmless("names", {"stdout": shown.stdout.decode(), "stderr": shown.stderr.decode()})


def names_in_the_class_list(some):
    roster = ("login,name,email,id\n=1+1,=HYPERLINK(1),@x,-1\n\"a\n::error::b\",\"x\n##[error]y\",e@x,1\n"
              "c,<script>alert(1)</script>,c@x,2\nd,\"\x1b[2J\u202e\",d@x,3\n\"e,\"\"f\",\"\"\"\",e,4\n"
              ).encode()
    some.hand_in("c/dot.c")
    expect("class list: exit code", some.grade("--roster", some.write("students.csv", roster), formats=FORMATS), 1)
    expect_harmless("class list", some.texts)
    expect("class list: rows", sorted(v for v, _ in some.points().values()), ["missing"] * 4 + ["pass"])


def files_that_stand_for_others(some):
    """What a student hands in beside the work decides nothing."""
    some.hand_in("anna/dot.c", BROKEN)
    for name, text in (("result.json", '{"score": 100}'), ("results.json", '{"schema": "attn-grade/1"}'),
                       ("overrides.csv", "student,exercise,points\nanna,dot,1000\n"),
                       ("assignment.yaml", "exercises:\n  - {id: dot, points: 1000}\n"), ("class.csv", "login\nanna\n"),
                       ("exercise.yaml", "id: dot\n"), ("exercises/01-dot/exercise.yaml", "id: dot\n"),
                       ("math.h", "#error mine\n"), ("stddef.h", "#error mine\n"), ("Makefile", "all:\n\ttouch /tmp/x\n")):
        some.hand_in(f"anna/{name}", text)
        some.hand_in(f"bob/{name}", text)
    some.hand_in("bob/dot.c")
    some.grade(cwd=some.folder / "anna")
    expect("files beside the work", some.points(), {("anna", "dot"): ("compile_error", 0), ("bob", "dot"): ("pass", 10)})


def what_is_no_file(some):
    some.hand_in("folder/dot.c/inner.c")
    some.hand_in("fifo/x.txt", "")
    os.mkfifo(some.folder / "fifo/dot.c")
    some.hand_in("device/x.txt", "")
    os.symlink("/dev/zero", some.folder / "device/dot.c")
    some.hand_in("loop/x.txt", "")
    os.symlink("dot.c", some.folder / "loop/dot.c")
    some.hand_in("stolen/x.txt", "")
    os.symlink("../honest/dot.c", some.folder / "stolen/dot.c")
    some.hand_in("honest/dot.c")
    os.symlink("honest", some.folder / "linked")
    os.symlink(".", some.folder / "self")
    some.hand_in("socket/x.txt", "")
    here = os.getcwd()
    os.chdir(some.folder / "socket")
    with socket.socket(socket.AF_UNIX) as unix:
        unix.bind("dot.c")
    os.chdir(here)
    some.hand_in("bomb/dot.c", "")
    os.truncate(some.folder / "bomb/dot.c", 1 << 36)
    some.hand_in("empty/dot.c", "")
    some.hand_in("only-dots/...c")
    some.hand_in("only-dots/..dot.c")
    deep = some.folder / "deep"
    deep.mkdir()
    os.chdir(deep)
    for _ in range(1000):
        os.mkdir("d")
        os.chdir("d")
    Path("dot.c").write_text(RIGHT, encoding="utf-8")
    os.chdir(here)
    code = some.grade(formats=FORMATS)
    got = {student: verdict for (student, _), (verdict, _) in some.points().items()}
    for name in ("folder", "fifo", "device", "loop", "stolen", "socket", "bomb", "linked", "self"):
        expect(f"no file: {name}", got.get(name), "bad_file")
    expect("no file: honest", got.get("honest"), "pass")
    check(got.get("empty") in ("bad_file", "compile_error", "link_error", "not_implemented"), "no file: empty",
          got.get("empty"))
    for name in ("only-dots", "deep"):
        check(name in some.stderr and name not in got, f"no file: {name} is named", some.stderr)
    expect("no file: exit code", code, 1)
    subprocess.run(["rm", "-rf", str(deep)], check=False, timeout=PATIENCE)


def very_many_files(some):
    some.hand_in("crowd/a.txt", "")
    for i in range(60000):
        os.symlink("a.txt", some.folder / "crowd" / f"{i:05}.txt")
    some.hand_in("crowd/dot.c")
    for i in range(300):
        some.hand_in(f"copies/{i:03}_dot.c", BROKEN)
    some.hand_in("copies/dot.c")
    some.hand_in("honest/dot.c")
    some.grade("--assignment", some.write("a.yaml", "exercises:\n  - id: dot\nfiles_a_student: 3\n"))
    got = {student: verdict for (student, _), (verdict, _) in some.points().items()}
    expect("many files: honest", got.get("honest"), "pass")
    check(got.get("crowd") == "pass" or "crowd" in some.stderr, "many files: the crowd is accounted for", some.stderr)
    expect("many files: three copies are graded", len([1 for one in some.results + some.duplicates
                                                       if one["student"] == "copies"]), 3)
    check("copies" in some.stderr, "many files: what was left out is named", some.stderr)


# ---- what is made of the results ----

LOGINS = ["../../evil", "/tmp/evil", "a/b", "..", ".", "-rf", "CON", "index", "A", "a", "a_b", "y" * 300, "*",
          "%2e%2e%2f", "<script>alert(1)</script>", "=1+1", "evil.html", "linked"]


def feedback_for_hostile_logins(some):
    roster = "login,name\n" + "".join(f"{login},Name {i}\n" for i, login in enumerate(LOGINS))
    some.hand_in("a_b/dot.c")
    feedback = some.holder / "feedback"
    feedback.mkdir()
    kept = some.write("kept.txt", "kept")
    for name in ("linked.html", "linked.txt", "index.html"):
        (feedback / name).symlink_to(kept)
    before = sorted(path.name for path in some.holder.iterdir())
    code = some.grade("--roster", some.write("students.csv", roster), "--feedback", feedback)
    expect("feedback: exit code", code, 1)
    expect("feedback: nothing outside", sorted(path.name for path in some.holder.iterdir()),
           sorted({*before, "report.json", "students.csv"}))
    expect("feedback: no link is written through", kept.read_text(), "kept")
    expect("feedback: no file of /tmp", [path for path in ("/tmp/evil", "/tmp/evil.html", "/tmp/evil.txt")
                                         if os.path.lexists(path)], [])
    files = [path for path in feedback.iterdir() if not path.name.startswith("index.")]
    expect("feedback: two files for each", len({path.name.lower() for path in files}), 2 * len(LOGINS))
    for path in files:
        check(path.is_file() and not path.is_symlink(), f"feedback: {path.name}: a file")
        expect_harmless("feedback", {path.suffix.removeprefix("."): path.read_text(encoding="utf-8")})


def anonymous_hides_who_it_is(some):
    words = "anna Anna Alm ANNA anna.alm@example.org"
    some.hand_in("anna/dot.c", f"#error {words}\n")
    some.hand_in("anna/anna_dot-2.c", f"int {words.split()[0]} = \"{words}\";\n")
    some.hand_in("dot/dot.c")
    some.hand_in("bob/scale_scores.c", RIGHT)
    roster = ROSTER + "dot,pass,e,1\n"
    some.grade("--roster", some.write("students.csv", roster), "--anonymous", some.holder / "key", formats=FORMATS)
    expect("anonymous: points", sorted((one["exercise"], one["verdict"]) for one in some.results
                                       if one["verdict"] != "missing"),
           [("dot", "compile_error"), ("dot", "pass"), ("scale-scores", "link_error")])
    for kind, text in some.texts.items():
        for word in ("anna", "alm", "example.org", "carlson", "berg"):
            check(word not in text.lower(), f"anonymous: {kind}: {word}", text[max(0, text.lower().find(word) - 80):][:160])
    os.environ.update(SUBMISSION_TAG="anna-1", COMMIT_URL="https://example.com/hw3-anna/commit/1",
                      RELEASE_URL="https://example.com/anna", REVIEW_URL="https://example.com/anna")
    some.hand_in("hw3_anna_attempt_2026-03-01-21-15-00_causal_mask.c", f"#error {words}\n")
    some.hand_in("bob/multi_head.c", "#error by Bob Berg\n")
    some.hand_in("softmax_rows.c", "#error softmax rows\n")
    some.grade("--roster", some.holder / "students.csv", "--anonymous", some.holder / "key", formats=FORMATS_OF_ONE)
    for name in ("SUBMISSION_TAG", "COMMIT_URL", "RELEASE_URL", "REVIEW_URL"):
        del os.environ[name]
    for kind, text in some.texts.items():
        for word in ("anna", "alm", "example.org", "example.com", "carlson", "berg"):
            check(word not in text.lower(), f"anonymous of one: {kind}: {word}",
                  text[max(0, text.lower().find(word) - 80):][:160])
        check("#error softmax rows" in text, f"anonymous of one: {kind}: the exercise's words stay", text[:300])
    expect("anonymous: the key is for its owner alone", (some.holder / "key").stat().st_mode & 0o077, 0)


def merge_counts_each_once(some):
    parts = []
    for folder, source in (("anna", HALF), ("Anna Alm", RIGHT)):
        some.hand_in(f"{folder}/dot.c", source)
        some.grade("--roster", some.write("students.csv", ROSTER))
        parts.append(some.write(f"part{len(parts)}.json", some.texts["json"]))
        shutil.rmtree(some.folder / folder)
    run = subprocess.run([ATTN, "report", "merge", *parts, "--output", some.holder / "merged.json"], check=False,
                         timeout=PATIENCE, capture_output=True, text=True)
    check(run.returncode in (0, 1), "merge", run.stderr)
    merged = json.loads((some.holder / "merged.json").read_text(encoding="utf-8"))
    run = subprocess.run([ATTN, "report", some.holder / "merged.json", "--roster", some.holder / "students.csv",
                          "--format", "table"], check=False, timeout=PATIENCE, capture_output=True, text=True)
    rows = list(csv.DictReader(io.StringIO(run.stdout)))
    expect("merge: totals", {row["login"]: float(row["total"]) for row in rows}, {"anna": 10, "bob": 0, "carl": 0})
    expect("merge: files", len(merged["results"]) + len(merged.get("duplicates", [])) >= 2, True)


def the_last_one_and_the_late_one(some):
    in_time, late = 1770000000, 1772445600  # 2026-02-02 02:40 and 2026-03-02 10:00 UTC
    some.hand_in("best/dot.c", BROKEN, in_time)
    some.hand_in("best/dot-2.c", RIGHT, late)
    some.hand_in("both/dot-9999.c", RIGHT, late)
    some.hand_in("both/dot.c", RIGHT, in_time)
    rule = DUE % "file"
    some.grade("--assignment", some.write("a.yaml", rule))
    expect("best", some.points(), {("best", "dot"): ("pass", 9), ("both", "dot"): ("pass", 10)})
    some.hand_in("best/dot-3.c", BROKEN, late + 60)
    some.grade("--assignment", some.write("a.yaml", rule + "duplicates: last\n"))
    expect("last", some.points(), {("best", "dot"): ("compile_error", 0), ("both", "dot"): ("pass", 9)})


# ---- files of the instructor's that somebody else had a hand in ----

ONE = "exercises:\n  - {id: dot, points: %s}\n"
BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{i}: &a{i} [" + ", ".join([f"*a{i - 1}"] * 9) + "]\n" for i in range(1, 12)) + "exercises: *a11\n"
WRONG_ASSIGNMENTS = {
    "laughs": BOMB, "itself": "exercises: &a [*a]\n", "deep": "exercises: " + "[" * 100000, "deep-map": "{" * 50000,
    "negative": ONE % -5, "nan": ONE % ".nan", "nan-plain": ONE % "nan", "infinite": ONE % ".inf", "inf": ONE % "inf",
    "huge": ONE % "1e999", "many-points": ONE % "100001", "digits": ONE % ("9" * 100000), "text": ONE % '"=1+1"',
    "twice": "exercises:\n  - id: dot\n  - id: dot\n", "key-twice": "exercises:\n  - id: dot\nexercises:\n  - id: dot\n",
    "month": "due: 2026-13-01\n" + ONE % 1, "year": "due: 99999-01-01\n" + ONE % 1, "day": "due: 2026-02-30\n" + ONE % 1,
    "percent": "late: {percent_a_day: 150}\n" + ONE % 1, "days": "late: {days: 99999999999999999999}\n" + ONE % 1,
    "back": "late: {percent_a_day: -10}\n" + ONE % 1, "grace": "due: 2026-01-01\ntime: name\nlate: "
    "{minutes_of_grace: 1e300}\n" + ONE % 1, "group": ONE % "{basics: 1, luck: 5}", "no-cases": ONE % "{speed: 5}",
    "group-nan": ONE % "{basics: nan}", "none": "exercises: []\n", "empty": "", "nothing": "title: x\n",
    "nul": "exercises:\n  - id: dot\0\n", "bytes": b"\xff\xfe\x00\x01", "files": "files_a_student: 0\n" + ONE % 1,
    "large": "title: " + "x" * (2 << 20) + "\n" + ONE % 1, "tag": "exercises: !!python/object:os.system [x]\n",
}


def wrong_assignments(some):
    some.hand_in("anna/dot.c")
    for name, text in WRONG_ASSIGNMENTS.items():
        code = some.grade("--assignment", some.write("a.yaml", text))
        expect_refused("assignment", f"assignment {name}", code, some.stderr)


def wrong_class_lists(some):
    some.hand_in("anna/dot.c")
    wrong = {"large": b"login\n" + b"x" * (50 << 20), "nul": b"login,name\nanna\0evil,Anna\n", "quote": b"login\n\"anna\n",
             "utf-16": "login\nanna\n".encode("utf-16"), "twice": b"login\nanna\nanna\n", "no-login": b"login,name\n,Anna\n",
             "empty": b"", "no-head": b"anna\nbob\n"}
    for name, text in wrong.items():
        code = some.grade("--roster", some.write("students.csv", text))
        expect_refused("class list", f"class list {name}", code, some.stderr)
    code = some.grade("--roster", some.write("students.csv", b"login,name\ranna,Anna\rbob,Bob\r"))
    expect("class list with CR alone", (code, some.points()), (1, {("anna", "dot"): ("pass", 10),
                                                                   ("bob", "dot"): ("missing", 0)}))
    many = "login\nanna\n" + "".join(f"x{i}\n" for i in range(60000))
    code = some.grade("--roster", some.write("students.csv", many))
    expect("class list of 60,000", (code, len(some.results)), (1, 60001))


def wrong_overrides(some):
    some.hand_in("anna/dot.c", BROKEN)
    head = "student,exercise,points,reason\n"
    wrong = {"nan": "anna,dot,nan,x\n", "inf": "anna,dot,inf,x\n", "minus": "anna,dot,-1,x\n", "range": "anna,dot,1e999,x\n",
             "large": "anna,dot,1e308,x\n", "hex": "anna,dot,0x10,x\n", "who": "nobody,dot,1,x\n", "what": "anna,dott,1,x\n",
             "empty": "anna,dot,,\n", "text": "anna,dot,1 point,x\n"}
    for name, row in wrong.items():
        code = some.grade("--roster", some.write("students.csv", ROSTER), "--overrides",
                          some.write("o.csv", head + row))
        expect_refused("overrides", f"overrides {name}", code, some.stderr)
    some.grade("--roster", some.write("students.csv", ROSTER), "--overrides",
               some.write("o.csv", head + 'anna,dot,7.5,"=1+1\n::error::x <script>alert(1)</script>"\nbob,dot,2,"\u202ex"\n'),
               formats=FORMATS)
    expect("overrides", some.points(), {("anna", "dot"): ("compile_error", 7.5), ("bob", "dot"): ("missing", 2),
                                        ("carl", "dot"): ("missing", 0)})
    expect_harmless("overrides", some.texts)


TESTS = (points_and_seeds, one_work_under_many_names, one_file_for_two_exercises, many_folders_for_one,
         logins_that_differ_in_case, forged_names, forged_names_in_moodle,
         strange_moments_in_names, strange_times_of_files, hostile_repositories, groups_and_all_or_nothing,
         feedback_for_hostile_logins, anonymous_hides_who_it_is, merge_counts_each_once,
         the_last_one_and_the_late_one, names_of_students, names_in_the_class_list, files_that_stand_for_others, what_is_no_file, very_many_files,
         wrong_assignments, wrong_class_lists, wrong_overrides)


def main():
    if not sys.platform.startswith("linux"):
        print("0 checks, 1 skipped")
        return 0
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    for test in TESTS:
        if options.names and test.__name__ not in options.names:
            continue
        holder = tempfile.mkdtemp(prefix="attn-class-")
        try:
            os.chmod(holder, 0o755)
            test(Class(holder))
        except Exception as error:  # pylint: disable=broad-except
            check(False, test.__name__, repr(error))
        finally:
            subprocess.run(["rm", "-rf", holder], check=False, timeout=120)
    print(f"{n_checks} checks, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
