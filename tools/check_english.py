#!/usr/bin/env python3
"""Finds the forms that docs/style.md refuses under "Plain English", in the comments and messages of
src/, in assets/*.yaml, docs/*.md and README.md.

usage: check_english.py CHECKOUT                   checks, and prints a line for each file at fault
       check_english.py CHECKOUT --show [FILE...]  prints each form in these files, or in all
       check_english.py CHECKOUT --write           writes the list again; refuses to let a number grow

tools/english.txt says how many forms each file still has, "NUMBER FILE" on a line. The numbers only
go down: more forms than listed are a fault, and so are fewer, until the number is lowered. Only forms
that a regular expression finds reliably are looked for; the rest of the advice is for the writer.
"""
import bisect
import itertools
import pathlib
import re
import sys

LIST = pathlib.PurePath("tools", "english.txt")
HEAD = """\
# How many forms each file has that docs/style.md refuses under "Plain English", as
# tools/check_english.py counts them. The numbers only go down: after correcting a file, run
# `python3 tools/check_english.py . --write`. A file that is not listed has none.
"""

# Each row: a form that is refused, and what to write instead. It is matched in small letters, in texts
# that are one line each.
FORMS = [(re.compile(form, re.MULTILINE), advice) for form, advice in (
    (r"(?<!there )\b(?:is|are|was|were) no (?!(?:longer|more|less|better|worse|slower|larger|smaller|"
     r"matter|doubt|faster|different|one)\b)", 'write "is not a ..."'),
    (r"\bthere (?:is|are|was|were) none\b|\b(?:is|are|was|were) none\b(?! of (?:you|the )r)",
     'name the thing: "the model has no vocabulary", "NULL if no row fits"'),
    (r"\b(?:where|if|when|as) \w+ has none\b", 'name the thing: "without a vocabulary"'),
    (r"\bso many (?![^.;]{0,60}\bthat\b)", 'name the number: "n rows", "the given number of rows"'),
    (r"(?:^|[.;] )what (?:is|was|are|were)\b(?![^.;]*\?)", 'begin with a noun: "the rest", "the old value"'),
    (r"\b(?:of|for|from|beside|than|as|by|but|in|on|into|over|after|before|behind|frees|takes|leaves|"
     r"keeps|replaces|puts back) what (?:is|was|are|were)\b(?![^.;:]*\?)",
     'put a noun before the clause: "the value that ...", "the old ranking"'),
    (r"\bwhere (?:that|this) (?:is|was|fails|can't|does)\b", 'write "if it is", "on failure"'),
    (r"\bwhere it (?:fails|can't|has none)\b", 'write "on failure", "if it can\'t"'),
    (r"\b(?:only|to|by|for|of|from) who (?:has|is|was|reads|asks|calls|grades|solved|works)\b|"
     r"(?:^|[.;] )who (?:has|is|reads|asks|calls|grades|works)\b(?![^.;]*\?)", 'write "whoever", "the learner", "the caller"'),
    (r"\b(?:stands?|stood|puts?|lies?|comes?|goes|written|added|read|follows?|anything|nothing|cut) behind\b",
     'write "after"'),
    (r"\bthe way (?:back|forth|forward|from|through|out|here|there)\b", 'write "path", or name it: "the backward pass"'),
    (r"(?<!story is )\btold\b(?! apart)", 'write "said", "reported" or "given"'),
    (r"\btells? of\b", 'write "reports", "describes"'),
    (r"(?<!look )(?<!looks )\balike\b", 'write "the same", "equal" or "similar"'),
    (r"\bmend(?:s|ed|ing)?\b", 'write "correct" or "fix"'),
    (r"\bnoughts?\b", 'write "zero"'),
    (r"\bthousand million\b", 'write "billion"'),
    (r"\bat hand\b", 'name it: "the current query"'),
    (r"\banew\b", 'write "again"'),
    (r"\ball (?:there is|that is there)\b", 'name it: "the whole list"'),
    (r"\btakes? over (?:what|the|it)\b|\b(?:is|are) taken over\b", 'write "takes ownership of", "copies"'),
    (r"\bof nobody\b|\bby nobody\b|\bfor nothing\b", 'write "no one ...", "in vain"'),
)]

C_TEXT = re.compile(r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'""", re.DOTALL)
CODE = re.compile(r"^```.*?^```|`[^`\n]*`|^    .*$", re.DOTALL | re.MULTILINE)


def texts_of_c(source):
    """The comments and strings of C code, as (where it begins, text). Strings with only blanks, or a
    format's macro, between them are one text."""
    found, end = [], None
    for match in C_TEXT.finditer(source):
        token = match.group()
        if token.startswith('"'):
            joined = end is not None and re.fullmatch(r"\s*(?:PRI\w+\s*)?\\?\s*", source[end:match.start()])
            begin, text = found.pop() if joined else (match.start(), "")
            found.append((begin, text + token[1:-1].replace("\\n", " ")))
            end = match.end()
        elif token.startswith("/"):
            found.append((match.start(), re.sub(r"\n\s*\*", " ", token.strip("/*"))))
            end = None
    return found


def texts_of_markdown(source):
    """Its paragraphs and items, without code, as texts_of_c() gives them."""
    source = CODE.sub(lambda match: re.sub(r"[^\n]", "`", match.group()), source)
    return [(match.start(), match.group()) for match in re.finditer(r"^.+\n?(?:^(?! *[-*|]).+\n?)*", source, re.MULTILINE)]


def texts_of_yaml(source):
    """Its comments and values, as texts_of_c() gives them, without code."""
    source = re.sub(r"`[^`\n]*`", lambda match: "`" * len(match.group()), source)
    texts = re.finditer(r"^(?:(?: *#.*\n)+| *(?:- )?(?:[\w-]+:)?.*\n(?: +(?! |- |[\w-]+:|#).+\n)*)", source, re.MULTILINE)
    return [(match.start(), re.sub(r"^ *(?:- )?(?:[\w-]+: *[>|]?)? *['\"]?|\n *#", " ", match.group()))
            for match in texts if not re.match(r" *(?:- )?(?:id|match|put|where):", match.group())]


def files_of(root):
    yield from sorted((root / "src").rglob("*.[ch]"))
    yield from sorted((root / "assets").glob("*.yaml"))
    yield from (path for path in sorted((root / "docs").glob("*.md")) if path.name != "style.md")
    yield root / "README.md"


def forms_in(path):
    """Each form in a file: (line, the words around it, advice), in the order of the lines."""
    source = path.read_text(encoding="utf-8")
    texts = {".md": texts_of_markdown, ".yaml": texts_of_yaml}.get(path.suffix, texts_of_c)(source)
    lines = [" ".join(text.split()) for _, text in texts]
    begins = list(itertools.accumulate((len(line) + 1 for line in lines), initial=0))
    joined = "\n".join(lines)
    found = [(match.start(), match.end(), advice) for form, advice in FORMS
             for match in form.finditer(joined.lower())]
    for begin, end, advice in sorted(found):
        text = bisect.bisect_right(begins, begin) - 1
        around = joined[max(begins[text], begin - 40):min(begins[text + 1] - 1, end + 30)]
        yield source.count("\n", 0, texts[text][0]) + 1, around, advice


def counts_of(root):
    counts = {str(path.relative_to(root)): sum(1 for _ in forms_in(path))
              for path in files_of(root) if path.exists()}
    return {name: count for name, count in counts.items() if count}


def listed_counts(root):
    lines = (root / LIST).read_text(encoding="utf-8").splitlines() if (root / LIST).exists() else []
    return {name: int(count) for count, name in
            (line.split(maxsplit=1) for line in lines if line.strip() and not line.startswith("#"))}


def faults(root, counts, listed):
    for name, count in counts.items():
        if count > listed.get(name, 0):
            yield f"{name}: {count} forms that docs/style.md refuses, {listed.get(name, 0)} listed in {LIST}:"
            for line, words, advice in forms_in(root / name):
                yield f"    line {line}: ...{words}...: {advice}"
    for name, count in listed.items():
        if counts.get(name, 0) < count:
            yield f"{LIST}: {name} has {counts.get(name, 0)} now, not {count}; lower it with --write"


def write_list(root, counts, listed):
    """Returns what stands against writing it."""
    grown = [f"{name}: {count}, {listed.get(name, 0)} listed" for name, count in counts.items()
             if count > listed.get(name, 0)]
    if not grown or not (root / LIST).exists():
        (root / LIST).write_text(HEAD + "".join(f"{count} {name}\n" for name, count in counts.items()),
                                 encoding="utf-8")
        return []
    return [f"{LIST}: a number may not grow; correct these files:", *("    " + line for line in grown)]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    root = pathlib.Path(sys.argv[1]).resolve()
    if sys.argv[2:3] == ["--show"]:
        for path in map(pathlib.Path, sys.argv[3:] or files_of(root)):
            for line, words, advice in forms_in(path):
                print(f"{path}:{line}: ...{words}...: {advice}")
        return 0
    counts, listed = counts_of(root), listed_counts(root)
    found = write_list(root, counts, listed) if sys.argv[2:] == ["--write"] else list(faults(root, counts, listed))
    print("".join(line + "\n" for line in found), end="", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
