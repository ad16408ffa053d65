#!/usr/bin/env python3
"""Reads back what `attn report` writes in each format, with parsers that are not ours.

The results are made here, with names and texts as a hostile learner would choose them; the expected
values come from these results, by the rules of each format.

In the environment: ATTN is the program, else build/attn of this checkout; ATTN_RUNNER is put before
it.
"""
import csv
import hashlib
import hmac
import io
import json
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
import unicodedata
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent.parent
ATTN = shlex.split(os.environ.get("ATTN_RUNNER", "")) + [
    os.path.abspath(os.environ.get("ATTN", str(CHECKOUT / "build" / "attn")))]

VERDICTS = ("pass wrong_answer non_finite modified_inputs out_of_bounds crash exited_early time_limit "
            "memory_limit output_limit forbidden_syscall compile_error link_error leak too_slow "
            "not_implemented bad_file internal_error").split()
FAILURES = {"wrong_answer", "non_finite", "modified_inputs", "leak", "too_slow", "not_implemented"}
# Pieces that break something somewhere when they are passed on as they are.
PIECES = ["a", "softmax_rows.c", " ", "  ", "=1+1", "-2", "@x", "+", ",", ";", '"', '""', "'", "<b>",
          "]]>", "&amp;", "&", "--", "<!--", "</testcase>", "#", " # SKIP", " # TODO", "\\", "\\#",
          "\\n", "ok 1", "not ok", "1..3", "...", "---", "Bail out!", ": ", "- ", "{}", "[", "%s",
          "%n", "\u00fc", "\u4e2d", "\U0001F600", "\ufffe", "\uffff", "\ufeff", "\u00a0", "e\u0301",
          "\U000E0001", "</script>", "${x}", "$(x)", "`x`", "\\x0a"]
LINES = PIECES + ["\n", "\n\n", "\t", "\n...\n", "\n---\n", "\n1..9\n", "\n=1\n"]
# What attn never writes, but somebody could have put into a report by hand.
DIRT = ["\x1b[31m", "\x07", "\r", "\x9b2J", "\u202e", "\u2066", "\u2028", "\n"]


def words(chance, pieces, longest):
    return "".join(chance.choice(pieces) for _ in range(chance.randint(0, longest)))


def make_result(chance, number):
    """One element of "results"; the file's name is never the same twice."""
    verdict = chance.choice(VERDICTS)
    maximum = chance.choice([5, 10, 20])
    score = maximum if verdict == "pass" else round(chance.random() * (maximum - 0.1), 2)
    cases = [{"name": words(chance, PIECES, 4), "verdict": chance.choice(VERDICTS),
              "max_abs_error": chance.choice([None, 0.0, 1e-7, 0.125, 1e300])}
             for _ in range(chance.randint(0, 3))]
    ideas = [{"id": chance.choice(["over-columns", "no-scale", "base-2"]),
              "say": words(chance, LINES, 5)} for _ in range(chance.choice([0, 0, 1, 2]))]
    return {"file": words(chance, PIECES, 5) + str(number), "student": words(chance, PIECES, 3) + str(number),
            "exercise": chance.choice(["dot", "softmax-rows", "attention"]), "verdict": verdict,
            "detail": words(chance, PIECES, 2), "score": score, "max_score": maximum,
            "time_ms": round(chance.random() * 1000, 3), "cases": cases, "misconceptions": ideas,
            "message": words(chance, LINES, 12)}


def make_report(seed, count):
    chance = random.Random(seed)
    results = [make_result(chance, number) for number in range(count)]
    results.sort(key=lambda result: (result["file"].encode(), result["exercise"].encode()))
    return {"schema": "attn-grade/1", "seed": chance.randrange(2**53),
            "sandbox": ["namespaces", "rlimits", "seccomp"], "results": results}


def best_of_each_exercise(results):
    """What counts of one person's work: the most points, then what could not be graded."""
    best = {}
    for result in results:
        rank = (result["score"], result["verdict"] == "internal_error")
        if result["exercise"] not in best or rank > best[result["exercise"]][0]:
            best[result["exercise"]] = (rank, result)
    counting = [result for _, result in best.values()]
    return [result for result in results if result in counting]


def xml_text(text):
    """What of a text XML 1.0 can hold."""
    return re.sub("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "", text)


class Place(unittest.TestCase):
    """A folder to run attn in."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="attn-report-")
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def attn(self, *arguments, code=0, **more):
        done = subprocess.run(ATTN + list(map(str, arguments)), capture_output=True, check=False,
                              cwd=self.folder, **more)
        self.assertEqual(done.returncode, code, done.stderr.decode(errors="replace"))
        return done.stdout.decode("utf-8")  # and nothing but UTF-8


class Reports(Place):
    """Each test is run on several reports."""

    def each(self, form, **more):
        """Yields reports, and each in that format."""
        for seed, count in ((1, 1), (2, 7), (3, 40), (4, 0), (5, 120)):
            report = make_report(seed, count)
            (self.folder / "in.json").write_text(json.dumps(report), encoding="utf-8")
            yield report, self.attn("report", "in.json", "--format", form, **more)

    def test_json_comes_back_as_it_was(self):
        for report, text in self.each("json"):
            self.assertEqual(json.loads(text), report)
            self.assertEqual(list(json.loads(text)), ["schema", "seed", "sandbox", "results"])

    def test_junit(self):
        for report, text in self.each("junit"):
            root = ElementTree.fromstring(text)
            self.assertEqual(root.tag, "testsuites")
            results = report["results"]
            bad = [result for result in results if result["verdict"] != "pass"]
            failures = sum(result["verdict"] in FAILURES for result in bad)
            for holder in [root] + root.findall("testsuite"):
                cases = holder.findall(".//testcase")
                self.assertEqual(int(holder.get("tests")), len(cases))
                self.assertEqual(int(holder.get("failures")), len(holder.findall(".//failure")))
                self.assertEqual(int(holder.get("errors")), len(holder.findall(".//error")))
                self.assertEqual(holder.get("skipped"), "0")
                self.assertRegex(holder.get("time"), r"^\d+\.\d{3}$")
                self.assertRegex(holder.get("timestamp"), r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$")
            self.assertEqual(int(root.get("failures")), failures)
            self.assertEqual(int(root.get("errors")), len(bad) - failures)
            cases = root.findall("testsuite/testcase")
            self.assertEqual(len(cases), len(results))
            for case, result in zip(cases, results):
                self.assertEqual(case.get("file"), xml_text(result["file"]))
                self.assertEqual(case.get("name"),
                                 xml_text(f"{result['exercise']} ({result['file']})"))
                self.assertEqual(case.get("classname"), xml_text(result["student"]) if
                                 result["student"] else "attn")
                self.assertEqual(len(case), int(result["verdict"] != "pass"))
                for fault in case:
                    self.assertEqual(fault.get("type"), result["verdict"])
                    self.assertEqual(fault.tag, "failure" if result["verdict"] in FAILURES else
                                     "error")
                    self.assertIn(xml_text(result["message"]), fault.text)
            for suite in root.findall("testsuite"):
                values = {item.get("name"): item.get("value") for item in suite.iter("property")}
                self.assertEqual(values, {"isolation": "full",
                                          "sandbox": "namespaces, rlimits, seccomp"})

    def test_csv(self):
        for report, text in self.each("csv"):
            rows = list(csv.reader(io.StringIO(text), strict=True))
            self.assertEqual(rows[0], "file,student,exercise,verdict,detail,score,max_score,time_ms,"
                                      "misconceptions,isolation,duplicate_of,cpu_ms,memory_kib,unclear".split(","))
            self.assertEqual(len(rows) - 1, len(report["results"]))
            for row, result in zip(rows[1:], report["results"]):
                ideas = ";".join(idea["id"] for idea in result["misconceptions"])
                wanted = [result[key] for key in ("file", "student", "exercise", "verdict",
                                                  "detail")]
                wanted = [f"'{word}" if word[:1] in set("=+-@\t\r\n") else word for word in wanted]
                self.assertEqual(row[:5], wanted)
                self.assertEqual([float(number) for number in row[5:8]],
                                 [result["score"], result["max_score"], result["time_ms"]])
                self.assertEqual(row[8:], [ideas, "full", "", "", "", ""])
                for field in row:
                    self.assertNotIn(field[:1], set("=+-@\t\r\n") - {""})

    def test_tap(self):
        for report, text in self.each("tap"):
            points, plan = read_tap(self, text)
            self.assertEqual(plan, len(report["results"]))
            self.assertEqual(len(points), plan)
            for number, (point, result) in enumerate(zip(points, report["results"]), 1):
                passed = result["verdict"] == "pass"
                self.assertEqual(point["number"], number)
                self.assertEqual(point["ok"], passed)
                self.assertIsNone(point["directive"])
                self.assertEqual(point["description"],
                                 f"{result['exercise']} ({result['file']})")
                self.assertEqual(point["data"] is None, passed)
                if not passed:
                    data = point["data"]
                    self.assertEqual(data["verdict"], result["verdict"])
                    self.assertEqual(data["detail"], result["detail"])
                    self.assertEqual(data["score"], result["score"])
                    self.assertIn(result["message"], data["message"])
                    self.assertEqual(data["misconceptions"],
                                     [idea["id"] for idea in result["misconceptions"]])
                    self.assertEqual(data["failed_cases"],
                                     [case["name"] for case in result["cases"]
                                      if case["verdict"] != "pass"])

    def test_gradescope(self):
        for report, text in self.each("gradescope"):
            root = json.loads(text)
            allowed = {"score", "execution_time", "output", "output_format", "test_output_format",
                       "test_name_format", "tests"}
            self.assertLessEqual(set(root), allowed)
            results = best_of_each_exercise(report["results"])
            self.assertAlmostEqual(root["score"], sum(result["score"] for result in results), 6)
            self.assertEqual(len(root["tests"]), len(results))
            for test, result in zip(root["tests"], results):
                self.assertLessEqual(set(test), {"score", "max_score", "status", "name", "output",
                                                 "extra_data"})
                self.assertEqual((test["score"], test["max_score"]),
                                 (result["score"], result["max_score"]))
                self.assertEqual(test["status"],
                                 "passed" if result["verdict"] == "pass" else "failed")
                self.assertIn(result["message"], test["output"])
                for idea in result["misconceptions"]:
                    self.assertIn(idea["id"], test["output"])
                self.assertEqual(test["extra_data"]["verdict"], result["verdict"])

    def test_classroom50(self):
        told = {"CLASSROOM": "c", "ASSIGNMENT": 'a"\n', "SUBMISSION_TAG": "s",
                "COMMIT_URL": "https://example.org/c", "RELEASE_URL": "r", "REVIEW_URL": "v"}
        for report, text in self.each("classroom50", env={**os.environ, **told}):
            root = json.loads(text)
            self.assertEqual(root["schema"], "classroom50/result/v1")
            keys = ("classroom", "assignment", "submission", "commit", "release", "review")
            self.assertEqual([root[key] for key in keys], list(told.values()))
            self.assertRegex(root["datetime"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
            for key in ("score", "max-score"):
                self.assertIs(type(root[key]), int)
                self.assertEqual(root[key], sum(test[key] for test in root["tests"]))
            results = best_of_each_exercise(report["results"])
            self.assertEqual(len(root["tests"]), len(results))
            for test, result in zip(root["tests"], results):
                self.assertIs(type(test["score"]), int)
                self.assertIs(test["passed"], result["verdict"] == "pass")
                self.assertEqual(test["score"], int(result["score"]))
                self.assertEqual(test["max-score"], result["max_score"])
                self.assertEqual(test["misconceptions"],
                                 [idea["id"] for idea in result["misconceptions"]])

    def test_autolab(self):
        for report, text in self.each("autolab"):
            self.assertTrue(text.endswith("\n"))
            last = json.loads(text.rstrip("\n").split("\n")[-1])
            best = {}
            for result in report["results"]:
                best[result["exercise"]] = max(best.get(result["exercise"], 0), result["score"])
            self.assertEqual(last, {"scores": best})

    def test_a_student_has_one_result_for_each_exercise(self):
        report = make_report(11, 4)
        for number, (result, score, file) in enumerate(zip(
                report["results"], (3, 7, 7, 9), ("a.c", "b.c", "c.c", "d.c"))):
            result.update(file=file, student="anna" if number < 3 else "bob", exercise="dot",
                          verdict="wrong_answer", score=score, max_score=10)
        (self.folder / "in.json").write_text(json.dumps(report), encoding="utf-8")
        again = json.loads(self.attn("report", "in.json", "--format", "json"))
        self.assertEqual([result["file"] for result in again["results"]], ["b.c", "d.c"])
        self.assertEqual([(result["file"], result["duplicate_of"], result["score"])
                          for result in again["duplicates"]], [("a.c", "b.c", 3), ("c.c", "b.c", 7)])
        (self.folder / "out.json").write_text(json.dumps(again), encoding="utf-8")
        self.assertEqual(json.loads(self.attn("report", "out.json", "--format", "json")), again)
        rows = list(csv.DictReader(io.StringIO(self.attn("report", "in.json", "--format", "csv"))))
        self.assertEqual([(row["file"], row["score"], row["max_score"], row["duplicate_of"])
                          for row in rows], [("a.c", "0", "0", "b.c"), ("b.c", "7", "10", ""),
                                             ("c.c", "0", "0", "b.c"), ("d.c", "9", "10", "")])
        root = ElementTree.fromstring(self.attn("report", "in.json", "--format", "junit"))
        self.assertEqual((root.get("tests"), root.get("failures"), root.get("skipped")),
                         ("4", "2", "2"))
        self.assertEqual(len(root.findall(".//skipped")), 2)
        points, _ = read_tap(self, self.attn("report", "in.json", "--format", "tap"))
        self.assertEqual([point["directive"] is None for point in points],
                         [False, True, False, True])
        text = self.attn("report", "in.json", "--format", "text")
        self.assertIn("0 of 0    dot (a.c), a duplicate: b.c counts", text)
        self.assertIn("0 of 2 pass", text)

    def test_text_and_overview_are_clean(self):
        for form in ("text", None):
            for report, _ in self.each("json"):
                text = self.attn("report", "in.json", *(("--format", form) if form else ()))
                self.assertNotRegex(text, "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]")
                passed = sum(result["verdict"] == "pass" for result in report["results"])
                self.assertIn(f"{passed} of {len(report['results'])} ", text)

    def test_no_report_reaches_the_terminal_as_it_is(self):
        dirt = "".join(DIRT)
        report = make_report(8, 3)
        report["sandbox"].append(dirt)
        for result in report["results"]:
            for key in ("file", "student", "exercise", "detail", "message"):
                result[key] += dirt
            result["misconceptions"] = [{"id": dirt, "say": dirt}]
            result["cases"] = [{"name": dirt, "verdict": "pass", "max_abs_error": None}]
        (self.folder / "in.json").write_text(json.dumps(report), encoding="utf-8")
        forms = "text json junit tap gradescope classroom50 autolab csv canvas moodle".split()
        for form in [["--format", form] for form in forms] + [["--color", "never"]]:
            text = self.attn("report", "in.json", *form)
            self.assertNotRegex(text, "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u202a-\u202e\u2066]")

    def test_several_formats_at_once(self):
        list(self.each("json"))
        shown = self.attn("report", "in.json", "--format", "csv", "--output", "out.csv", "--format",
                          "tap", "--format", "junit", "--output", "out.xml")
        self.assertTrue(shown.startswith("TAP version 14\n"))
        self.assertEqual((self.folder / "out.csv").read_text(encoding="utf-8"),
                         self.attn("report", "in.json", "--format", "csv"))
        ElementTree.parse(self.folder / "out.xml")

    def test_merge_joins_what_was_apart(self):
        report = make_report(9, 50)
        for part in range(3):
            piece = {**report, "results": report["results"][part::3]}
            (self.folder / f"{part}.json").write_text(json.dumps(piece), encoding="utf-8")
        merged = self.attn("report", "merge", "2.json", "0.json", "1.json")
        self.assertEqual(json.loads(merged), report)
        self.attn("report", "merge", "2.json", "0.json", "1.json", "--output", "all.json")
        self.assertEqual(json.loads((self.folder / "all.json").read_text(encoding="utf-8")), report)
        piece["seed"] += 1
        (self.folder / "1.json").write_text(json.dumps(piece), encoding="utf-8")
        self.attn("report", "merge", "0.json", "1.json", code=1)

    def test_wrong_usage(self):
        (self.folder / "in.json").write_text("{}", encoding="utf-8")
        self.attn("report", code=2)
        self.attn("report", "in.json", "--format", "xml", code=2)
        self.attn("report", "in.json", "--format", "csv", "--format", "tap", code=2)
        self.attn("report", "in.json", "--output", "nowhere/x", code=2)
        self.attn("report", "in.json", "in.json", code=2)
        self.attn("report", "in.json", code=1)
        self.attn("report", "missing.json", code=1)


POINT = re.compile(r"^(not )?ok (\d+) - ((?:[^#\\]|\\[#\\])*?)(?: # (SKIP|TODO)(.*))?$", re.DOTALL)


class Class(Place):
    """What a report says of the class beside its results."""

    def test_it_comes_back_as_it_was(self):
        report = make_report(3, 4)
        report.update(students=[{"login": "a", "name": "A", "email": "", "id": ""}], exercises=["mask", "dot"],
                      similar=[{"exercise": "dot", "a": "a", "b": "b", "share": 0.875}])
        report["results"][0].update(cpu_ms=12.5, memory_kib=700, days_late=2, by_hand=True)
        (self.folder / "in.json").write_text(json.dumps(report), encoding="utf-8")
        self.assertEqual(json.loads(self.attn("report", "in.json", "--format", "json")), report)
        merged = self.attn("report", "merge", "in.json", "in.json")
        self.assertEqual(json.loads(merged), report)

    def test_the_assignments_title_is_shown(self):
        report = dict(make_report(3, 4), title="Heads & <i>tails</i>\x1b[2J")
        (self.folder / "in.json").write_text(json.dumps(report), encoding="utf-8")
        shown, page = "Heads & <i>tails</i>\\x1b[2J", "Heads &amp; &lt;i&gt;tails&lt;/i&gt;\\x1b[2J"
        self.assertEqual(self.attn("report", "in.json").splitlines()[0], shown)
        self.assertIn(f"<h1>{page}</h1>", self.attn("report", "in.json", "--format", "html"))
        rows = list(csv.DictReader(io.StringIO(self.attn("report", "in.json", "--format", "table"))))
        self.assertEqual({row["assignment"] for row in rows}, {shown})
        self.attn("report", "in.json", "--feedback", "out", "--anonymous", "key")
        for path in (self.folder / "out").glob("s*"):
            self.assertIn(page if path.suffix == ".html" else shown + "\n", path.read_text(encoding="utf-8"))
        merged = json.loads(self.attn("report", "merge", "in.json", "in.json"))
        self.assertEqual(merged["title"], shown)

    def test_what_is_no_such_thing_is_refused(self):
        for wrong in ({"exercises": "dot"}, {"title": 3}, {"exercises": [1]}, {"similar": {}}, {"similar": [{"exercise": "dot"}]},
                      {"similar": [{"exercise": "dot", "a": "a", "b": "b", "share": 1.5}]}):
            (self.folder / "in.json").write_text(json.dumps(dict(make_report(3, 4), **wrong)), encoding="utf-8")
            self.attn("report", "in.json", code=1)


class Feedback(Place):
    """--feedback: two files a student, and an index."""

    def write(self, logins, **more):
        results = []
        for number, login in enumerate(logins):
            results.append({"file": f"class/{number}/dot.c", "student": login, "exercise": "dot",
                            "verdict": "wrong_answer", "detail": "", "score": 2.5, "max_score": 10, "time_ms": 1,
                            "cases": [], "misconceptions": [], "message": f"secret of {number}!\n::error::<b>x"})
        results[0].update(more)
        results.append(dict(results[0], file="class/0/again.c", duplicate_of="class/0/dot.c", score=1))
        results.sort(key=lambda result: result["file"])
        report = {"schema": "attn-grade/1", "seed": 7461926530, "sandbox": ["seccomp"],
                  "students": [{"login": "none", "name": "No One", "email": "n@x.org", "id": "=5"}]}
        report["results"] = [result for result in results if "duplicate_of" not in result]
        report["duplicates"] = [result for result in results if "duplicate_of" in result]
        (self.folder / "in.json").write_text(json.dumps(report), encoding="utf-8")
        self.attn("report", "in.json", "--feedback", "out")
        with open(self.folder / "out" / "index.csv", encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def test_each_gets_their_own(self):
        rows = self.write(["anna", "bob"], note="2 days late: 20 % less.")
        self.assertEqual([row["login"] for row in rows], ["none", "anna", "bob"])
        self.assertEqual(rows[0]["id"], "'=5")
        self.assertEqual(sorted(os.listdir(self.folder / "out")),
                         ["anna.html", "anna.txt", "bob.html", "bob.txt", "index.csv", "none.html", "none.txt"])
        for ending in ("txt", "html"):
            text = (self.folder / "out" / f"anna.{ending}").read_text(encoding="utf-8")
            for wanted in ("2.5 of 10 points", "2 days late: 20 % less.", "secret of 0!", "class/0/again.c"):
                self.assertIn(wanted, text)
            self.assertEqual(text.count("2 days late"), 1)
            for unwanted in ("secret of 1", "bob", "7461926530", "seed", "<b>x" if ending == "html" else "\n::"):
                self.assertNotIn(unwanted, text)
        self.assertEqual((self.folder / "out").stat().st_mode & 0o777, 0o700)
        self.assertEqual((self.folder / "out" / "anna.txt").stat().st_mode & 0o777, 0o600)

    def test_no_login_leads_elsewhere(self):
        logins = ["../../up", "/etc/x", "..", ".", ".hidden", "-rf", "a/b", "a_b", "A_B", "con", "nul.x", "index", "x" * 300,
                  "x" * 299 + "y", "\u4e2d", "*?<>|:\"", "a_b-c14cddc033f6", "two words", "end."]
        rows = self.write(logins)
        names = [row[key] for row in rows for key in ("text", "html")] + ["index.csv"]
        self.assertEqual(sorted(names), sorted(os.listdir(self.folder / "out")))
        self.assertEqual(len({name.lower() for name in names}), 2 * (len(logins) + 1) + 1)
        for name in names:
            self.assertRegex(name, r"^[A-Za-z0-9_@+][A-Za-z0-9._@+-]{0,90}\.(txt|html|csv)$")
            self.assertNotRegex(name.lower(), r"^(con|nul)\.")
        self.assertEqual(sorted(os.listdir(self.folder)), ["in.json", "out"])

    def test_links_are_not_followed(self):
        (self.folder / "out").mkdir()
        (self.folder / "mine").write_text("keep", encoding="utf-8")
        os.symlink("../mine", self.folder / "out" / "anna.txt")
        self.write(["anna"])
        self.assertEqual((self.folder / "mine").read_text(encoding="utf-8"), "keep")
        self.assertFalse((self.folder / "out" / "anna.txt").is_symlink())

    def test_it_must_be_a_folder(self):
        (self.folder / "out").write_text("", encoding="utf-8")
        (self.folder / "in.json").write_text(json.dumps(make_report(1, 1)), encoding="utf-8")
        self.attn("report", "in.json", "--feedback", "out", code=2)
        self.attn("report", "in.json", "--feedback", "no/such/out", code=2)


class Anonymous(Place):
    """--anonymous: nothing in any format tells who somebody is."""

    def make(self):
        results, students = [], []
        for login, name, email, number in (("zwalker", "Anna Maria Alm", "anna@alm.org", "4711234"),
                                           ("bob", "Bob Berg", "bb@berg.org", "9911")):
            students.append({"login": login, "name": name, "email": email, "id": number})
            for file, exercise in ((f"class/{login}/{login}_dot.c", "dot"), (f"class/{login}/heads.c", "multi-head")):
                results.append({"file": file, "student": login, "exercise": exercise, "verdict": "compile_error",
                                "detail": login.upper(), "score": 0, "max_score": 10, "time_ms": 1, "cases": [],
                                "misconceptions": [], "source_sha256": "aa11", "submitted_s": 1700000000,
                                "note": f"as {name} asked by {email}", "message":
                                f"{file}:3:1: wrong\n{login}_dot.c, by {name} ({email}, {number}) {name.split()[0]}"})
        duplicate = dict(results[0], file="class/zwalker/old_dot.c", duplicate_of="class/zwalker/zwalker_dot.c")
        results.append({"file": "", "student": "bob", "exercise": "dropout", "verdict": "missing", "detail": "", "score": 0,
                        "max_score": 5, "time_ms": 0, "cases": [], "misconceptions": [], "message": ""})
        results.sort(key=lambda result: (result["file"], result["exercise"]))
        report = {"schema": "attn-grade/1", "seed": 3, "sandbox": [], "results": results, "duplicates": [duplicate],
                  "students": students, "similar": [{"exercise": "dot", "a": "bob", "b": "zwalker", "share": 0.9}]}
        (self.folder / "in.json").write_text(json.dumps(report), encoding="utf-8")

    def pseudonym(self, login):
        key = (self.folder / "key").read_bytes().rstrip()
        return "s" + hmac.new(key, login.encode(), hashlib.sha256).hexdigest()[:12]

    def test_nothing_tells_who_it_is(self):
        self.make()
        telling = "(?i)walker|anna|maria|alm|bob|berg|4711234|9911|aa11|1700000000"
        forms = "text json junit tap gradescope classroom50 autolab csv table html canvas moodle moodle_feedback".split()
        for form in forms:
            self.assertNotRegex(self.attn("report", "in.json", "--format", form, "--anonymous", "key"), telling)
        self.assertNotRegex(self.attn("report", "in.json", "--anonymous", "key", "--feedback", "out"), telling)
        for path in (self.folder / "out").iterdir():
            self.assertNotRegex(path.name + path.read_text(encoding="utf-8"), telling)
        # And these are found where they are not taken away, so that the test tries something.
        self.assertRegex(self.attn("report", "in.json", "--format", "json"), "walker")

    def test_names_in_any_case_and_form(self):
        """Accents as one letter and as two, in small and in large letters."""
        name = "Jos\u00e9 \u00d1and\u00fa \u00d8stergaard"
        forms = [unicodedata.normalize(form, text) for form in ("NFC", "NFD")
                 for text in (name, name.upper(), name.lower())]
        result = {"file": "class/jn/dot.c", "student": "jn", "exercise": "dot", "verdict": "compile_error", "detail": "",
                  "score": 0, "max_score": 10, "time_ms": 1, "cases": [], "misconceptions": [],
                  "message": "\n".join(forms + [word for form in forms for word in form.split()])}
        for listed in (name, unicodedata.normalize("NFD", name)):
            report = {"schema": "attn-grade/1", "seed": 3, "sandbox": [], "results": [result],
                      "students": [{"login": "jn", "name": listed, "email": "", "id": ""}]}
            (self.folder / "in.json").write_text(json.dumps(report), encoding="utf-8")
            text = self.attn("report", "in.json", "--format", "json", "--anonymous", "key")
            message = json.loads(text)["results"][0]["message"]
            self.assertEqual(set(re.split(r"\s+", message)), {self.pseudonym("jn")})

    def test_pseudonyms_are_the_keys(self):
        self.make()
        first = json.loads(self.attn("report", "in.json", "--format", "json", "--anonymous", "key"))
        self.assertEqual((self.folder / "key").stat().st_mode & 0o777, 0o600)
        again = json.loads(self.attn("report", "in.json", "--format", "json", "--anonymous", "key"))
        self.assertEqual(first, again)
        anna, bob = self.pseudonym("zwalker"), self.pseudonym("bob")
        self.assertEqual({result["student"] for result in first["results"]}, {anna, bob})
        self.assertEqual([student["login"] for student in first["students"]], sorted([anna, bob]))
        files = [result["file"] for result in first["results"]]
        self.assertEqual(files, sorted(files))
        self.assertEqual(set(files), {"", f"{anna}/dot-2.c", f"{anna}/multi-head.c", f"{bob}/dot.c",
                                      f"{bob}/multi-head.c"})
        self.assertEqual(first["duplicates"][0]["duplicate_of"], f"{anna}/dot-2.c")
        self.assertEqual(first["similar"], [{"exercise": "dot", "a": min(anna, bob), "b": max(anna, bob), "share": 0.9}])
        other = json.loads(self.attn("report", "in.json", "--format", "json", "--anonymous", "other"))
        self.assertFalse({result["student"] for result in other["results"]} & {anna, bob})

    def test_the_key_is_ones_own(self):
        self.make()
        self.attn("report", "in.json", "--anonymous", "key")
        (self.folder / "key").chmod(0o644)
        done = subprocess.run(ATTN + ["report", "in.json", "--anonymous", "key"], capture_output=True, check=True,
                              cwd=self.folder)
        self.assertIn(b"others may read the key", done.stderr)
        (self.folder / "key").write_text("short", encoding="utf-8")
        self.attn("report", "in.json", "--anonymous", "key", code=2)
        self.attn("report", "in.json", "--anonymous", "no/such/key", code=2)
        self.attn("report", "in.json", "--anonymous", ".", code=2)


def read_tap(test, text):
    """Reads TAP 14, strictly: what is no line of it fails the test."""
    lines = text.split("\n")
    test.assertEqual(lines.pop(), "")
    test.assertEqual(lines.pop(0), "TAP version 14")
    points, plan, data = [], None, None
    for line in lines:
        if data is not None:
            if line == "  ...":
                points[-1]["data"], data = data, None
            else:
                key, value = re.fullmatch(r"  (\w+): (.*)", line).groups()
                data[key] = json.loads(value)  # JSON is YAML
        elif line == "  ---":
            test.assertIsNone(points[-1]["data"])
            data = {}
        elif re.fullmatch(r"1\.\.\d+( # .*)?", line):
            test.assertIsNone(plan)
            plan = int(line[3:].split(" ")[0])
        elif not line.startswith("# "):
            match = POINT.match(line)
            test.assertIsNotNone(match, repr(line))
            points.append({"ok": not match[1], "number": int(match[2]), "directive": match[4],
                           "description": re.sub(r"\\([#\\])", r"\1", match[3]), "data": None})
    test.assertIsNone(data)
    return points, plan


def main():
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__])
    result = unittest.TextTestRunner(verbosity=1).run(suite)
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    return 0 if failed == 0 and result.testsRun > 0 else 1


sys.exit(main())
