#!/usr/bin/env python3
"""Gives libattn its public face: one header, and names that begin with attn_.

usage: make_header.py header OUTPUT VERSION SRC HEADER...   the public header, out of the modules' own
       make_header.py names OUTPUT HEADER...                macros that rename functions as they compile
       make_header.py map OUTPUT HEADER...                  a linker's version script

Inside the house a tensor is a `struct tensor` and softmax_forward() a function. A program that links
the library may have names like these of its own, so for the linker every function of the library
begins with attn_, and so does everything in the public header: functions, types (struct attn_tensor),
constants and macros (ATTN_...). `names` makes the header that every file of the house is compiled
with; `map` lists what the shared library exports and hides the rest.
"""
import pathlib
import re
import sys

LOCAL = re.compile(r'#include "(.+)"\n')
SYSTEM = re.compile(r"#include (<.+>)\n")
GUARD = re.compile(r"#ifndef (\w+)\n#define \1\n(.*)#endif[^\n]*\n\s*\Z", re.DOTALL)


# ---- what a header declares ----

def code_of(text):
    """A header's text without comments and directives, each body as a mere `{}`."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*\n", "", text, flags=re.MULTILINE)
    n = 1
    while n > 0:
        text, n = re.subn(r"\{[^{}]+\}", "{}", text)
    return text


def functions_of(text, is_linked=False):
    """The functions that a header declares; is_linked: only those that are defined in another file."""
    for declaration in re.findall(r"[^;}]+[;}]", code_of(text)):
        found = re.match(r"[a-z][\w\s*]*?\b([a-z]\w*)\s*\(", declaration.strip())
        if found and not declaration.strip().startswith("typedef") and not (is_linked and "{" in declaration):
            yield found.group(1)


def types_of(text):
    """The structs, enums and typedefs that a header defines or only names at its own level."""
    bare = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    yield from re.findall(r"^(?:struct|enum|union) (\w+)\s*[{;]", bare, re.MULTILINE)
    yield from re.findall(r"^typedef\b[^;]*?\b(\w+)(?:\(.*\))?;", bare, re.MULTILINE)


def constants_of(text):
    """Its macros and the names in its enums."""
    bare = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    yield from re.findall(r"^\s*#define (\w+)", bare, re.MULTILINE)
    for body in re.findall(r"\benum(?:\s+\w+)?\s*\{([^}]*)\}", bare):
        yield from re.findall(r"(?:^|,)\s*([A-Z]\w*)", body)


# ---- the public header ----

class Header:
    def __init__(self, source):
        self.source = source
        self.seen = set()
        self.system = []
        self.bodies = []

    def add(self, name):
        """Adds the header src/NAME after all that it includes, unless it is there already."""
        if name in self.seen:
            return
        self.seen.add(name)
        text = (self.source / name).read_text(encoding="utf-8")
        if not GUARD.search(text):
            sys.exit(f"{name}: no include guard around it, of the form #ifndef, #define, ..., #endif")
        text = GUARD.sub(r"\2", text)
        for below in LOCAL.findall(text):
            self.add(below)
        self.system += [each for each in SYSTEM.findall(text) if each not in self.system]
        text = SYSTEM.sub("", LOCAL.sub("", text))
        text = re.sub(r"\n{3,}", "\n\n", text).strip()
        self.bodies.append(f"/* ---- {name} ---- */\n\n{text}\n")

    def body(self):
        """All headers with the names that others use, also in their comments."""
        text = "\n".join(self.bodies)
        for name in sorted(set(functions_of(text))):
            # A field or an argument of the same name is no call, and keeps it.
            text = re.sub(rf"(?<![\w.>]){name}(?=\s*\()", f"attn_{name}", text)
        for name in sorted(set(types_of(text))):
            text = re.sub(rf"\b(struct|enum|union) {name}\b", rf"\1 attn_{name}", text)
        for name in sorted(set(constants_of(text)) - {"__GNUC__"}):
            text = re.sub(rf"\b{name}\b", name if name.startswith("ATTN_") else f"ATTN_{name}", text)
        return text

    def text(self, version):
        system = "\n".join(f"#include {each}" for each in sorted(self.system))
        return f"""\
/* attn {version}: tensors and the attention mechanism, in C17; for C++ too.
 *
 * Made from the headers of the library's modules when it was built. MIT licence. */
#ifndef ATTN_H
#define ATTN_H

{system}

#ifdef __cplusplus
extern "C" {{
#endif

{self.body()}
#ifdef __cplusplus
}}
#endif

#endif
"""


# ---- the command ----

def functions_in(names):
    return sorted({function for name in names
                   for function in functions_of(pathlib.Path(name).read_text(encoding="utf-8"), True)})


def header_text(version, source, *names):
    header = Header(pathlib.Path(source))
    for name in names:
        header.add(str(pathlib.Path(name).resolve().relative_to(header.source.resolve())))
    return header.text(version)


def names_text(*names):
    lines = [f"#define {name} attn_{name}" for name in functions_in(names)]
    return ("/* What the functions of libattn are called for the linker. Made by tools/make_header.py; every "
            "file\n * is compiled with it. */\n" + "\n".join(lines) + "\n")


def map_text(*names):
    return "{\nglobal:\n" + "".join(f"    attn_{name};\n" for name in functions_in(names)) + "local:\n    *;\n};\n"


def main():
    kinds = {"header": header_text, "names": names_text, "map": map_text}
    if len(sys.argv) < 4 or sys.argv[1] not in kinds:
        sys.exit(__doc__)
    pathlib.Path(sys.argv[2]).write_text(kinds[sys.argv[1]](*sys.argv[3:]), encoding="utf-8")


main()
