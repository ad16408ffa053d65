#!/usr/bin/env python3
"""Gives the wrong answers of lessons.yaml to the lessons, and shows what attn says to each.

usage: lessons.py [--all] [PART...]     PART: of the names of lessons and questions, such as 05 or scaled

Prints a line for each answer whose lesson says something, or should: what it says is

    rightly   a text that the lesson foresees, where it is truly about this mistake
    wrongly   a text that the lesson foresees for another mistake
    silent    how many numbers are wrong, or nothing but "Not yet."

and then how many there are of each. --all prints all of them. Fails when a wrong answer is right to
attn, or none at all, so that nobody is told anything about it.

In the environment: ATTN is the program, else build/attn of this checkout.
"""
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
CHECKOUT = HERE.parent.parent
# What is said by counting, to anybody.
COUNTED = (r"^\d+ of the \d+ cells (is|are) wrong\.", r"^The first of them is ", r"^The shape is ",
           r"^It gives one number, as it should", r"^These are the right numbers for these inputs",
           r"^With other inputs of other sizes it fails", r"^That is a number\. Write a formula")
# Where what is said about an answer ends: what may be typed next.
WAY_ON = r"^(Type |Or hint|answer )"


def read_answers(path):
    """The entries of lessons.yaml, which is written regularly enough to be read line by line."""
    answers = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        key, value = line[2:].split(": ", 1)
        if line.startswith("- "):
            answers.append({})
        if key == "says":
            value = [name for name in value[1:-1].split(", ") if name]
        answers[-1][key] = json.loads(value) if key != "says" and value[0] == '"' else value
    return answers


def play(lesson, question, lines):
    """What attn prints to a learner at this question who types these lines."""
    attn = os.path.abspath(os.environ.get("ATTN", CHECKOUT / "build" / "attn"))
    with tempfile.TemporaryDirectory(prefix="attn-lessons-") as home:
        unwanted = ("NO_COLOR", "COLUMNS", "LANG", "LC_CTYPE")
        environment = {k: v for k, v in os.environ.items() if k not in unwanted}
        environment.update(HOME=home, XDG_STATE_HOME=home, LC_ALL="C.UTF-8", TERM="dumb")
        done = subprocess.run([attn, "lesson", f"{lesson}#{question}", "--again", "--plain", "--ascii"],
                              input="\n".join(lines + [""]).encode(), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, cwd=home, env=environment, check=False)
        return done.stdout.decode("utf-8", "replace")


def ask(place):
    """The replies to a question's answers, in their order. After one that is right, the rest are
    given to a new learner, who is at the question still."""
    (lesson, question), answers = place
    replies = []
    while len(replies) < len(answers):
        left = [f"answer {answer['typed']}" for answer in answers[len(replies):]]
        printed = play(lesson, question, left)
        parts = re.split(r"^.*\d+/\d+> answer .*\n", printed, flags=re.M)[1:]
        if not parts:
            sys.exit(f"lessons.py: {lesson}#{question}: it can't be asked:\n{printed[-400:]}")
        for part in parts[:len(left)]:
            replies.append(part.strip())
            if re.search(r"^ok ", part, re.M):
                break
    return replies


def judge(answer, reply):
    """How attn took an answer, and its words about the mistake."""
    rows = reply.split("\n")
    if any(row.startswith("ok ") for row in rows):
        return "RIGHT", ""
    if rows[0] != "x Not yet.":
        return "REFUSED", " ".join(rows[:2])
    said = []
    for row in rows[1:]:
        if not row or re.match(WAY_ON, row):
            break
        said.append(row)
    text = " ".join(said)
    if not said or any(re.match(counted, text) for counted in COUNTED):
        return "silent", text
    return "rightly" if "foreseen" in answer["says"] else "wrongly", text


def shown(answer, verdict, text):
    place = f"{answer['lesson'][:2]} {answer['question']}"
    return (f"{verdict:8} {place[:34]:34} {answer['typed'][:44]:44} {answer['wrong']}\n"
            f"         {'':34} says: {', '.join(answer['says']) or 'nothing'}; attn: {text or '-'}")


def main():
    parts = [part for part in sys.argv[1:] if part != "--all"]
    answers = [answer for answer in read_answers(HERE / "lessons.yaml")
               if not parts or any(part in f"{answer['lesson']} {answer['question']}" for part in parts)]
    places = collections.defaultdict(list)
    for answer in answers:
        places[answer["lesson"], answer["question"]].append(answer)
    counts = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for group, replies in zip(places.values(), pool.map(ask, places.items())):
            for answer, reply in zip(group, replies):
                verdict, text = judge(answer, reply)
                counts[verdict] += 1
                missed = verdict == "silent" and "foreseen" in answer["says"]
                counts["missed"] += missed
                if "--all" in sys.argv or missed or verdict not in ("silent", "rightly"):
                    print(shown(answer, verdict, text), flush=True)
    broken = counts["RIGHT"] + counts["REFUSED"]
    nameless = sum(not answer["says"] for answer in answers)
    print(f"{len(answers)} wrong answers: {counts['rightly']} named rightly by the lesson's texts, "
          f"{counts['wrongly']} wrongly, {counts['silent']} not at all, of which the texts should name "
          f"{counts['missed']}, and {nameless} have no name")
    if broken:
        print(f"{broken} of them are right to attn, or no answers")
    return 1 if broken or not answers else 0


if __name__ == "__main__":
    sys.exit(main())
