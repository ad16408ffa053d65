#!/usr/bin/env python3
"""Checks that all files compile under strict POSIX.1-2008, but those that may know one system: the
sandbox's for Linux, and the terminal's.

usage: check_posix.py ROOT BUILD

BUILD holds the generated headers. The compiler is $CC, else cc. What pkg-config would define
(_DEFAULT_SOURCE, _GNU_SOURCE) is left out; only where headers lie is taken from it. A file may ask
for the X/Open part of the same standard with _XOPEN_SOURCE, where realpath() and nftw() are.
"""
import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess
import sys

# Rooms and files that may use calls of one system. The runner's and the sanitizers' programs are
# compiled around a learner's function, with a text of their own in front.
FREE = ("src/screen/ui/terminal/", "src/grading/compile/runner_main.c", "src/grading/compile/sanitizer_main.c")
# What POSIX leaves open: getrusage() counts memory in other units there, and only Linux says on which
# processors a program may run.
ALLOWED = (("src/libattn/base/kept_memory.c", "__APPLE__"), ("src/libattn/base/processors.c", "_GNU_SOURCE"), ("src/libattn/base/processors.c", "__linux__"))
LIBRARIES = ("libutf8proc readline ncursesw yaml-0.1 jansson sqlite3 libpcre2-8 md4c libsodium").split()
EXTENSIONS = re.compile(r"^\s*#\s*(?:define|if|ifdef|ifndef|elif).*\b"
                        r"(_GNU_SOURCE|_DEFAULT_SOURCE|_BSD_SOURCE|_DARWIN_C_SOURCE|__linux__|__APPLE__)\b",
                        re.MULTILINE)


def linux_files(root):
    """The files that src/grading/sandbox/meson.build takes on Linux alone."""
    text = (root / "src/grading/sandbox/meson.build").read_text(encoding="utf-8")
    block = re.search(r"sandbox_linux_sources = files\((.*?)\)", text, re.DOTALL).group(1)
    return tuple(f"src/grading/sandbox/{name}" for name in re.findall(r"'(.+?)'", block))


def include_flags():
    flags = []
    for library in LIBRARIES:
        found = subprocess.run(["pkg-config", "--cflags-only-I", library], text=True,
                               capture_output=True, check=True).stdout
        flags += [flag.replace("-I", "-isystem", 1) for flag in shlex.split(found)]
    return flags


def faults_of(root, path, command):
    """What is wrong with one file, as text; empty when it is right."""
    text = path.read_text(encoding="utf-8")
    faults = ""
    for found in EXTENSIONS.finditer(text):
        if (str(path.relative_to(root)), found.group(1)) in ALLOWED:
            continue
        line = text.count("\n", 0, found.start(1)) + 1
        faults += f"{path}:{line}: names {found.group(1)}\n"
    if path.suffix == ".c":
        run = subprocess.run([*command, str(path)], text=True, capture_output=True)
        faults += run.stderr if run.returncode != 0 else ""
    return faults


def main():
    root, build = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    generated = [f"-I{path}" for path in sorted(build.glob("*.p"))]
    generated += sorted({f"-I{path.parent}" for path in build.glob("src/**/*.h")})
    # Rooms are included without their wings: see `inc` in meson.build.
    folders = [folder for source in (root / "src", build / "src")
               for folder in (source, *sorted(path for path in source.iterdir() if path.is_dir()))]
    command = [*shlex.split(os.environ.get("CC", "cc")), "-std=c17", "-fsyntax-only", "-w",
               "-D_POSIX_C_SOURCE=200809L", '-DATTN_VERSION=""', '-DATTN_DATA_FROM_PROGRAM=""', "-Werror=implicit-function-declaration",
               *[f"-I{folder}" for folder in folders], *generated, *include_flags()]
    free = FREE + linux_files(root)
    paths = [path for path in sorted((root / "src").rglob("*.[ch]"))
             if not str(path.relative_to(root)).startswith(free)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = "".join(pool.map(lambda path: faults_of(root, path, command), paths))
    print(faults, end="", file=sys.stderr)
    return 1 if faults else 0


sys.exit(main())
