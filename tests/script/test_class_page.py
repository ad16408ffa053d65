#!/usr/bin/env python3
"""The class as one page, read by an HTML parser and opened in Chromium, which is skipped where there is none.

The class is made here, with names and texts as a hostile learner would choose them; what the page must hold
follows from it. PICTURES, if set, is a folder that gets pictures of the page.

In the environment: ATTN is the program, else build/attn of this checkout; ATTN_RUNNER is put before it;
CHROMIUM is the browser.
"""
import base64
import html.parser
import json
import os
import random
import re
import select
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent.parent
ATTN = shlex.split(os.environ.get("ATTN_RUNNER", "")) + [
    os.path.abspath(os.environ.get("ATTN", str(CHECKOUT / "build" / "attn")))]
CHROMIUM = os.environ.get("CHROMIUM") or next(
    (found for name in ("chromium", "chromium-browser", "google-chrome", "chrome")
     for found in [shutil.which(name)] if found), None)
PATIENCE_S = 120

EXERCISES = ["dot", "softmax-rows", "causal-mask", "attention", "multi-head"]
HOSTILE = ["<script>document.title='owned'</script>", "<img src=x onerror=\"document.title='owned'\">",
           "\"><svg onload=document.title='owned'>", "'><b onmouseover=alert(1)>", "</table></body></html>",
           "</style><style>body{display:none}", "</script><script>document.title='owned'</script>",
           "<link rel=stylesheet href=http://127.0.0.1:9/x>", "<meta http-equiv=refresh content='0;url=http://127.0.0.1:9/'>",
           "javascript:alert(1)", "&lt;script&gt;", "\u202egnp.exe", "=HYPERLINK(\"http://127.0.0.1:9\")", "\u4e2d\u6587 \u00fc",
           "<iframe src=//127.0.0.1:9>", "a" * 300]
NAMES = ["Anna Alm", "Bob Berg", "Chlo\u00e9 Roux", "D\u00f6rte Jan\u00dfen", "\u738b\u5c0f\u660e", "Eve O'Hara", "Fatima Zahra", "Gao Li"]


def make_class(n_students, hostile=True):
    chance = random.Random(7)
    results, students, duplicates = [], [], []
    for number in range(n_students):
        login = f"student{number:04d}"
        name = f"{chance.choice(NAMES)} {number}"
        if hostile and number < len(HOSTILE):
            login = name = HOSTILE[number]
        students.append({"login": login, "name": name, "email": f"s{number}@example.org", "id": str(number)})
        for exercise in EXERCISES:
            verdict = chance.choice(["pass"] * 6 + ["wrong_answer"] * 3 + ["crash", "missing"])
            maximum = 10
            score = {"pass": maximum, "wrong_answer": round(9 * chance.random(), 2)}.get(verdict, 0)
            result = {"file": "" if verdict == "missing" else f"class/{login}/{exercise}.c", "student": login,
                      "exercise": exercise, "verdict": verdict, "detail": "", "score": score,
                      "max_score": maximum, "time_ms": round(chance.random() * 900, 3), "cases": [],
                      "misconceptions": [], "message": chance.choice(HOSTILE)}
            if verdict != "missing":
                result["cpu_ms"] = round(50 + chance.random() * 400, 3)
                result["memory_kib"] = chance.randint(700, 9000)
                result["cases"] = [{"name": name, "verdict": "pass" if verdict == "pass" or name == "tiny" else verdict,
                                    "max_abs_error": None} for name in ("tiny", "large <scores>", "one row")]
            if verdict == "wrong_answer":
                idea = chance.choice(["base-two", "columns", "no-scale"])
                result["misconceptions"] = [{"id": idea, "say": f"What is each row's sum? Is it 1 for {idea}?\n<b>x</b>"}]
            if chance.random() < .04 and verdict != "missing":
                result["days_late"] = 1
            if chance.random() < .02:
                result["by_hand"] = True
            results.append(result)
    if students:
        results[-1].update(verdict="pass", score=10, misconceptions=[], file="class/last.c")
        results[-1].update(cases=[dict(case, verdict="pass") for case in results[-1]["cases"]])
        duplicates.append(dict(results[-1], file="class/zoe/<i>multi_head.c", duplicate_of="class/<u>a.c", verdict="pass"))
    similar = [{"exercise": "attention", "a": HOSTILE[0], "b": "student0021", "share": 1.0},
               {"exercise": "multi-head", "a": "student0020", "b": "student0022", "share": 0.875}]
    return {"schema": "attn-grade/1", "seed": 7461926530, "sandbox": ["seccomp"], "results": results,
            "duplicates": duplicates, "students": students, "exercises": EXERCISES, "similar": similar}


class Outline(html.parser.HTMLParser):
    """All elements with their attributes, and the tables with the texts of their cells."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.tables, self.open = [], {}, []
        self.section = self.cell = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.elements.append((tag, attrs))
        if tag == "section":
            self.section = self.tables[attrs["id"]] = []
        elif tag == "tr":
            self.section.append([])
        elif tag in ("th", "td"):
            self.cell = [""]
            self.section[-1].append(self.cell)

    def handle_endtag(self, tag):
        if tag in ("th", "td"):
            self.section[-1][-1] = self.cell[0]
            self.cell = None

    def handle_data(self, data):
        if self.cell is not None:
            self.cell[0] += data


def shown(words):
    """As reports write what turns a line's direction."""
    return words.replace("\u202e", "\\xe2\\x80\\xae")


class Browser:
    """Chromium without a screen, told what to do through two pipes (the DevTools protocol)."""

    def __init__(self, folder):
        theirs_in, self.out = os.pipe()
        self.incoming, theirs_out = os.pipe()
        high_in, high_out = (os.dup(fd) for fd in (theirs_in, theirs_out))

        def plug():
            spare_in, spare_out = os.dup(high_in), os.dup(high_out)
            os.dup2(spare_in, 3)
            os.dup2(spare_out, 4)

        self.process = subprocess.Popen(
            [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--no-first-run", "--disable-background-networking", "--disable-component-update",
             f"--user-data-dir={folder}", "--remote-debugging-pipe", "about:blank"],
            close_fds=False, preexec_fn=plug, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for fd in (theirs_in, theirs_out, high_in, high_out):
            os.close(fd)
        self.number, self.pending, self.events, self.target = 0, b"", [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.target = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def read(self, deadline):
        while b"\0" not in self.pending:
            if not select.select([self.incoming], [], [], max(0, deadline - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            piece = os.read(self.incoming, 1 << 20)
            if not piece:
                raise EOFError("the browser is gone")
            self.pending += piece
        message, self.pending = self.pending.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.target is not None:
            message["sessionId"] = self.target
        os.write(self.out, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + PATIENCE_S
        while True:
            answer = self.read(deadline)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(answer["error"])
                return answer["result"]
            self.events.append(answer)

    def wait_for(self, method):
        deadline = time.monotonic() + PATIENCE_S
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self.read(deadline))

    def evaluate(self, code):
        done = self.call("Runtime.evaluate", expression=code, returnByValue=True)
        if "exceptionDetails" in done:
            raise RuntimeError(done["exceptionDetails"])
        return done["result"].get("value")

    def open(self, path, scheme, scripts=True, width=1400):
        self.call("Emulation.setEmulatedMedia", media="screen",
                  features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.events = []
        self.call("Page.navigate", url=Path(path).as_uri())
        self.wait_for("Page.loadEventFired")

    def picture(self, name):
        if "PICTURES" in os.environ:
            data = self.call("Page.captureScreenshot", format="png")["data"]
            (Path(os.environ["PICTURES"]) / name).write_bytes(base64.b64decode(data))

    def close(self):
        self.process.terminate()
        self.process.wait(PATIENCE_S)
        os.close(self.out)
        os.close(self.incoming)


class ClassPage(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="attn-page-", ignore_cleanup_errors=True)
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def page(self, report):
        (self.folder / "in.json").write_text(json.dumps(report), encoding="utf-8")
        subprocess.run(ATTN + ["report", "in.json", "--format", "html", "--output", "page.html"], check=True,
                       cwd=self.folder)
        return (self.folder / "page.html").read_text(encoding="utf-8")

    def test_it_needs_nothing_but_itself(self):
        text = self.page(make_class(60))
        outline = Outline(text)
        for tag, attributes in outline.elements:
            self.assertNotIn(tag, {"img", "link", "iframe", "object", "embed", "base", "form", "svg", "a"})
            for key, value in attributes.items():
                self.assertNotIn(key, {"src", "href", "srcset", "action"})
                self.assertFalse(key.startswith("on"), (tag, attributes))
                self.assertNotRegex(value or "", r"^https?:")
        self.assertEqual([tag for tag, _ in outline.elements].count("script"), 1)
        self.assertEqual([tag for tag, _ in outline.elements].count("style"), 1)
        policy = [attributes["content"] for tag, attributes in outline.elements
                  if attributes.get("http-equiv") == "Content-Security-Policy"]
        self.assertEqual(len(policy), 1)
        self.assertIn("default-src 'none'", policy[0])
        self.assertNotIn("seed", text)
        self.assertNotIn("7461926530", text)

    def test_tables_have_heads_and_captions(self):
        outline = Outline(self.page(make_class(3)))
        tags = [tag for tag, _ in outline.elements]
        self.assertEqual(tags.count("table"), tags.count("caption"))
        for tag, attributes in outline.elements:
            if tag == "th":
                self.assertIn(attributes.get("scope"), ("col", "row"))

    def test_it_holds_the_class(self):
        report = make_class(80)
        outline = Outline(self.page(report))
        rows = outline.tables["students"][1:]
        self.assertEqual([row[0] for row in rows], [shown(student["login"]) for student in report["students"]])
        self.assertEqual([row[1] for row in rows], [shown(student["name"]) for student in report["students"]])
        for row, student in zip(rows, report["students"]):
            own = [result for result in report["results"] if result["student"] == student["login"]]
            for cell, result in zip(row[4:], own):
                mark = {"pass": "\u2713", "missing": "\u2013"}.get(result["verdict"], "\u2717")
                self.assertEqual(cell.split()[:2], [f"{result['score']:g}", mark])
                self.assertEqual("late" in cell, "days_late" in result)
            self.assertAlmostEqual(float(row[2]), sum(result["score"] for result in own), 6)
            self.assertEqual(float(row[3]), 50)
        for row, exercise in zip(outline.tables["exercises"][1:], EXERCISES):
            own = [result for result in report["results"] if result["exercise"] == exercise]
            missing = sum(result["verdict"] == "missing" for result in own)
            passed = sum(result["verdict"] == "pass" for result in own)
            wrong = len(own) - missing - passed
            self.assertEqual(row[:4], [exercise, str(len(own) - missing), str(missing), str(passed)])
            self.assertEqual(row[4], f"{100 * passed // len(own)} %")
            self.assertEqual(row[6], f"large <scores> ({wrong})")
        ideas = {}
        for result in report["results"]:
            for idea in result["misconceptions"]:
                key = (idea["id"], result["exercise"])
                ideas[key] = ideas.get(key, 0) + 1
        rows = outline.tables["mistakes"][1:]
        self.assertEqual({(row[0], row[1]): int(row[2]) for row in rows}, ideas)
        self.assertEqual([int(row[2]) for row in rows], sorted(ideas.values(), reverse=True))
        self.assertIn("What is each row's sum?", rows[0][3])
        self.assertEqual(outline.tables["similar"][1], ["attention", HOSTILE[0], "student0021", "100 %"])
        self.assertEqual(outline.tables["duplicates"][1][0], "class/zoe/<i>multi_head.c")
        slowest = max(result.get("cpu_ms", 0) for result in report["results"])
        self.assertEqual(outline.tables["slowest"][1][3], f"{slowest / 1000:.1f}")

    def test_the_class_at_a_glance(self):
        """The median and the spread, what nobody passes, and who is on the list and who is not."""
        def result(student, exercise, verdict, score, **more):
            return {"file": f"class/{student}/{exercise}.c", "student": student, "exercise": exercise, "verdict": verdict,
                    "detail": "", "score": score, "max_score": 10, "time_ms": 1, "cases": [], "misconceptions": [],
                    "message": "", **more}
        results = [result("anna", "dot", "pass", 10), result("anna", "attention", "wrong_answer", 2),
                   result("bob", "dot", "wrong_answer", 4), result("bob", "attention", "wrong_answer", 0),
                   result("carl", "dot", "pass", 10), result("carl", "attention", "wrong_answer", 9.9),
                   result("tom", "dot", "pass", 10, unclear=["dora"]),
                   result("dora", "dot", "unclear", None, file="")]
        students = [{"login": login, "name": login, "email": "", "id": ""} for login in ("anna", "bob", "carl", "dora")]
        page = self.page({"schema": "attn-grade/1", "seed": 1, "sandbox": [], "results": results, "students": students,
                          "exercises": ["dot", "attention"]})
        self.assertIn("4 students, 2 exercises", page)
        self.assertIn("1 more handed in and is not on the class list, or not clear who", page)
        self.assertIn("Nobody passes: attention.", page)
        self.assertIn("The median is 60 % of the points; the lowest share is 20 %, the highest 99 %.", page)
        tables = Outline(page).tables
        self.assertEqual([row[:2] for row in tables["totals"][1:] if row[1] != "0"],
                         [["90 to 100 %", "1"], ["60 to 69 %", "1"], ["20 to 29 %", "1"]])
        self.assertEqual(tables["students"][0][:4], ["Student", "Name", "Total", "Of"])
        self.assertEqual([row[2] for row in tables["students"][1:]], ["12", "4", "19.9", "unclear", "10"])
        self.assertEqual(tables["students"][4][4], "unclear")
        self.assertIn("unclear whose: dora", tables["students"][5][-1])

    def test_an_empty_class(self):
        report = {"schema": "attn-grade/1", "seed": 1, "sandbox": [], "results": []}
        self.assertEqual(Outline(self.page(report)).tables["students"][1:], [])

    @unittest.skipIf(CHROMIUM is None, "there is no Chromium here")
    def test_in_a_browser(self):
        self.page(make_class(400))
        browser = Browser(self.folder / "profile")
        self.addCleanup(browser.close)
        backgrounds = set()
        for scheme in ("light", "dark"):
            browser.open(self.folder / "page.html", scheme)
            self.assert_quiet(browser)
            self.assertEqual(browser.evaluate("document.title"), "The class")
            backgrounds.add(browser.evaluate("getComputedStyle(document.body).backgroundColor"))
            self.assert_contrast(browser)
            browser.picture(f"class-{scheme}.png")
        self.assertEqual(len(backgrounds), 2)
        self.assert_sorts(browser)
        browser.evaluate("document.getElementById('students').scrollIntoView()")
        browser.picture("class-sorted.png")
        browser.open(self.folder / "page.html", "light", scripts=False)
        self.assertEqual(browser.evaluate("document.querySelectorAll('#students tbody tr').length"), 400)
        self.assertEqual(browser.evaluate("document.querySelectorAll('button').length"), 0)
        browser.picture("class-no-script.png")
        browser.open(self.folder / "page.html", "dark", width=390)
        self.assertLessEqual(browser.evaluate("document.documentElement.scrollWidth"), 390)
        browser.picture("class-narrow.png")
        if "PICTURES" in os.environ:
            data = browser.call("Page.printToPDF", landscape=True)["data"]
            (Path(os.environ["PICTURES"]) / "class.pdf").write_bytes(base64.b64decode(data))

    def assert_quiet(self, browser):
        """No request but for the page, and nothing to complain about."""
        urls = [event["params"]["request"]["url"] for event in browser.events
                if event.get("method") == "Network.requestWillBeSent"]
        self.assertEqual([url for url in urls if not url.endswith("/page.html")], [])
        complaints = [event for event in browser.events
                      if event.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded",
                                                 "Runtime.consoleAPICalled")]
        self.assertEqual(complaints, [])

    def assert_contrast(self, browser):
        """WCAG's formula, AA: 4.5 to 1 for each kind of text against the page."""
        def luminance(color):
            channels = [int(part) / 255 for part in re.findall(r"\d+", color)[:3]]
            linear = [c / 12.92 if c <= .04045 else ((c + .055) / 1.055) ** 2.4 for c in channels]
            return .2126 * linear[0] + .7152 * linear[1] + .0722 * linear[2]
        paper = luminance(browser.evaluate("getComputedStyle(document.body).backgroundColor"))
        for kind in ("body", ".quiet", "td.pass", "td.fail", "td.missing", "caption"):
            ink = luminance(browser.evaluate(f"getComputedStyle(document.querySelector('{kind}')).color"))
            ratio = (max(ink, paper) + .05) / (min(ink, paper) + .05)
            self.assertGreaterEqual(ratio, 4.5, kind)

    def assert_sorts(self, browser):
        column = "[...document.querySelectorAll('#students tbody tr')].map(row => row.cells[{}].innerText)"
        total = 2
        before = browser.evaluate(column.format(0))
        click = "document.querySelectorAll('#students thead button')[{}].click()"
        browser.evaluate(click.format(total))
        up = [float(cell) for cell in browser.evaluate(column.format(total))]
        self.assertEqual(up, sorted(up))
        self.assertEqual(browser.evaluate(
            f"document.querySelectorAll('#students thead th')[{total}].getAttribute('aria-sort')"), "ascending")
        browser.evaluate(click.format(total))
        down = [float(cell) for cell in browser.evaluate(column.format(total))]
        self.assertEqual(down, sorted(down, reverse=True))
        self.assertEqual(sorted(browser.evaluate(column.format(0))), sorted(before))
        browser.evaluate(click.format(4))
        points = [float(cell.split()[0]) for cell in browser.evaluate(column.format(4))]
        self.assertEqual(points, sorted(points))


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=1))
