#!/usr/bin/env python3
"""Grades the hostile corpus: each file must get the verdict of its first line and leave nothing.

usage: run_hostile.py [--every N] [NAME...]     without names, all files that lie beside this program;
                                                with N, each Nth of them

The first line of each file says `// expect: VERDICT DETAIL`, the detail being the begin of what attn
says, or nothing; `|` stands between verdicts where more than one is right, since it depends on the
kernel which limit is met first. `// exercise: ID` below it names another exercise than softmax-rows, and
`// says: WORDS` what the message must hold. The corpus is graded as whoever runs this. Where that is
root, the files that try what a user may do are graded as an ordinary user too; what the others try
happens inside the same box. In between lie honest files, which must pass as if nothing had been. Then
come files that are no text of a program at all, and files with names made to be misread.

In the environment: ATTN is the program, ATTN_DATA_DIR the folder with the exercises.
"""
import argparse
import ctypes
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
CHECKOUT = HERE.parent.parent
EXERCISE = "softmax-rows"
EXERCISES = (EXERCISE, "online-softmax")
# What a user may do: whoever grades makes a difference to these.
OF_A_USER = ("files", "ipc", "kernel", "memory", "network", "process", "sanitizer", "signal")
HONEST = CHECKOUT / "tests/exercises/04-softmax-rows/right"
NOBODY = 65534
FREE_PLACES = ("/tmp", "/var/tmp", "/dev/shm")

passed = failed = skipped = 0


def check(ok, name, why=""):
    global passed, failed
    if ok:
        passed += 1
    else:
        failed += 1
        print(f"FAILED {name}: {why}")


def header(path, word):
    """What `// WORD: ...` says in one of the first three lines; "" where no line does."""
    for line in path.read_text(encoding="utf-8").splitlines()[:3]:
        if line.startswith(f"// {word}:"):
            return line.removeprefix(f"// {word}:").strip()
    return ""


def expectations(path):
    words = header(path, "expect")
    return [tuple((alternative.strip() + " ").split(" ", 1)) for alternative in words.split("|")]


def as_expected(result, expected):
    return any(result["verdict"] == verdict and result["detail"].startswith(detail.strip())
               for verdict, detail in expected)


# ---- what a run may not leave behind ----

def adopt_orphans():
    """Makes whatever outlives its parent below us our child, so that none can hide."""
    PR_SET_CHILD_SUBREAPER = 36
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def orphans():
    """Our children; there are none once attn has ended, unless it left them."""
    found = []
    for entry in os.listdir("/proc"):
        try:
            name, fields = Path("/proc", entry, "stat").read_text().rsplit(")", 1)
            if entry.isdigit() and int(fields.split()[1]) == os.getpid():
                found.append(name + ")")
        except (OSError, ValueError):
            pass
    return found


def ipc_objects():
    return [Path("/proc/sysvipc", kind).read_text() for kind in ("shm", "msg", "sem")
            if Path("/proc/sysvipc", kind).exists()]


def files_of(places):
    return {str(path) for place in places if os.path.isdir(place)
            for path in [place, *(os.path.join(place, name) for name in os.listdir(place))]}


class Surroundings:
    """What of the machine a run could have changed."""

    def __init__(self, folder):
        self.folder = folder
        self.files = files_of([*FREE_PLACES, folder])
        self.ipc = ipc_objects()

    def changes(self):
        found = [f"left {path}" for path in
                 files_of([*FREE_PLACES, self.folder]) - self.files
                 if os.path.lexists(path) and not foreign(path)]
        if ipc_objects() != self.ipc:
            found.append("left an IPC object")
        found += [f"left the process {process}" for process in orphans()]
        return found


def foreign(path):
    """Whether somebody else on this machine made that file meanwhile: another user's, or a folder
    of a program that runs beside us. What a submission leaves is called left-behind."""
    return "left-behind" not in path and os.path.dirname(path) in FREE_PLACES


# ---- grading ----

def user_of(uid):
    def change():
        if uid is not None:
            os.setgroups([])
            os.setgid(uid)
            os.setuid(uid)
    return change


def grade(attn, environment, folder, uid, arguments):
    """attn grade in a session of its own: its exit status, results and standard error."""
    output = os.path.join(folder, "out", "results.json")
    if os.path.exists(output):
        os.remove(output)
    process = subprocess.Popen([attn, "grade", *arguments, "--jobs", "2", "--format", "json", "--output", output],
                               cwd=os.path.join(folder, "out"), env=environment, text=True, errors="replace",
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               preexec_fn=user_of(uid), start_new_session=True)
    _, errors = process.communicate(timeout=900)
    report = json.loads(Path(output).read_text()) if os.path.exists(output) else {"results": []}
    results = report["results"] + report.get("duplicates", [])
    return process.returncode, results, errors


def prepare(folder, uid):
    """A folder that the user can reach, with the program and what it needs."""
    for name in ("out", "data", "submissions"):
        os.mkdir(os.path.join(folder, name))
    os.chmod(folder, 0o755)
    data = Path(os.environ.get("ATTN_DATA_DIR", CHECKOUT))
    for name in ("exercises", "assets"):
        shutil.copytree(data / name, os.path.join(folder, "data", name))
    attn = os.path.join(folder, "attn")
    shutil.copy(os.environ.get("ATTN", CHECKOUT / "build/attn"), attn)
    environment = {**os.environ, "ATTN_DATA_DIR": os.path.join(folder, "data"), "HOME": os.path.join(folder, "out"),
                   "XDG_STATE_HOME": os.path.join(folder, "out"), "XDG_CACHE_HOME": os.path.join(folder, "out")}
    if uid is not None:
        os.chown(os.path.join(folder, "out"), uid, uid)
    return attn, environment


def corpus_test(attn, environment, folder, uid, names, exercise):
    """The hostile files of an exercise, with an honest one after every fourth."""
    submissions = os.path.join(folder, "submissions")
    expected, words = {}, {}
    names = [name for name in names if (header(HERE / f"{name}.c", "exercise") or EXERCISE) == exercise]
    if not names:
        return
    honest_file = sorted((CHECKOUT / "tests/exercises").glob(f"*-{exercise}/right/*.c"))[0]
    for i, name in enumerate(names):
        copy = f"{i:03}-{name}.c"
        shutil.copy(HERE / f"{name}.c", os.path.join(submissions, copy))
        expected[copy] = expectations(HERE / f"{name}.c")
        words[copy] = header(HERE / f"{name}.c", "says")
        if i % 4 == 3 or i == len(names) - 1:
            honest = f"{i:03}-{name}-then-honest.c"
            shutil.copy(honest_file, os.path.join(submissions, honest))
            expected[honest] = [("pass", "")]
    before = Surroundings(os.path.join(folder, "submissions"))
    code, results, errors = grade(attn, environment, folder, uid,
                                           [submissions, "--exercise", exercise])
    who = "root" if os.geteuid() == 0 and uid is None else "user"
    check(code == 0, f"{who}: exit code", f"{code}: {errors}")  # of one student, an honest file counts
    got = {os.path.basename(result["file"]): result for result in results}
    for copy, alternatives in sorted(expected.items()):
        result = got.get(copy)
        check(result is not None and as_expected(result, alternatives), f"{who}: {copy}",
              f"expected {alternatives}, got "
              + (f"{result['verdict']} {result['detail']!r}" if result else "nothing"))
        said = " ".join(result["message"].split()) if result else ""
        check(words.get(copy, "") in said, f"{who}: {copy}", f"expected {words.get(copy)!r} in {said!r}")
    changes = before.changes()
    check(not changes, f"{who}: nothing is left", "; ".join(changes))
    shutil.rmtree(submissions)
    os.mkdir(submissions)


# ---- files that are no submissions, and names that are no names ----

def make_strange_files(folder):
    """Files that are not graded, with their verdict and detail, each without waiting or reading too much."""
    link, fifo, large = (os.path.join(folder, name) for name in ("link.c", "fifo.c", "large.c"))
    os.symlink("/etc/passwd", link)
    os.mkfifo(fifo)
    Path(large).write_bytes(b"/" * (257 << 10))
    Path(folder, "nul.c").write_bytes(b"int x;\0int y;\n")
    Path(folder, "dangling.c").symlink_to("nowhere")
    Path(folder, "secret.c").write_text("int x;\n")
    os.chmod(os.path.join(folder, "secret.c"), 0)
    with socket.socket(socket.AF_UNIX) as unix:
        unix.bind(os.path.join(folder, "socket.c"))
    bad = {"link.c": "symlink", "dangling.c": "symlink", "fifo.c": "not a regular file",
           "socket.c": "not a regular file", "large.c": "too large", "nul.c": "NUL byte"}
    # What a student handed in and attn may not read is not the student's fault.
    return {**{name: ("bad_file", why) for name, why in bad.items()}, "secret.c": ("internal_error", "may not be read")}


def strange_files_test(attn, environment, folder, uid):
    submissions = os.path.join(folder, "submissions")
    expected = make_strange_files(submissions)
    if os.geteuid() == 0 and uid is None:
        expected.pop("secret.c")  # root can read it
    _, results, errors = grade(attn, environment, folder, uid, [submissions, "--exercise", EXERCISE])
    got = {os.path.basename(result["file"]): result for result in results}
    for name, wanted in expected.items():
        result = got.get(name)
        check(result is not None and as_expected(result, [wanted]), name,
              f"expected {wanted}, got {result and (result['verdict'], result['detail'])}; {errors}")
    shutil.rmtree(submissions)
    os.mkdir(submissions)


STRANGE_NAMES = [
    b"-o.c", b"--exercise.c", b"a b.c", b"$(touch left-behind).c", b"`touch left-behind`.c", b"; touch left-behind;.c",
    b"=cmd|' calc'!A0.c", b"@SUM(1+1).c", b"<script>alert(1).c", b"a\nok 1 - b.c", b"\x1b]0;owned\x07.c",
    b"\xff\xfe.c", b"%s%n.c", b"a..c", b"'\".c", b"not ok # TODO.c", "naïve – 語.c".encode(), b"x" * 240 + b".c",
]


def strange_names_test(attn, environment, folder, uid):
    submissions = os.path.join(folder, "submissions").encode()
    for name in STRANGE_NAMES:
        shutil.copy(sorted(HONEST.glob("*.c"))[0], os.path.join(submissions, name))
    _, results, errors = grade(attn, environment, folder, uid,
                                  [submissions.decode(), "--exercise", EXERCISE])
    check(len(results) == len(STRANGE_NAMES), "strange names", f"{len(results)} results: {errors}")
    for result in results:
        check(result["verdict"] == "pass", f"name {result['file']!r}", f"{result['verdict']} {result['detail']}")
        check(all(ord(c) >= 32 for c in result["file"] + result["message"].replace("\n", "")),
              f"name {result['file']!r}", "control characters in the report")
    for place in (os.path.join(folder, "out"), folder):
        check("left-behind" not in os.listdir(place), "strange names", f"a command ran in {place}")
    shutil.rmtree(submissions)
    os.mkdir(submissions)


def run_as(uid, names):
    folder = tempfile.mkdtemp(prefix="attn-hostile-")
    try:
        attn, environment = prepare(folder, uid)
        for exercise in EXERCISES:
            corpus_test(attn, environment, folder, uid, names, exercise)
        strange_files_test(attn, environment, folder, uid)
        strange_names_test(attn, environment, folder, uid)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    names = (options.names or sorted(path.stem for path in HERE.glob("*.c")))[::options.every]
    if not sys.platform.startswith("linux"):
        print("0 passed, 0 failed, 1 skipped")
        return 0
    adopt_orphans()
    run_as(None, names)
    if os.geteuid() == 0:
        run_as(NOBODY, [name for name in names if name.split("-")[0] in OF_A_USER])
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
