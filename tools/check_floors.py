#!/usr/bin/env python3
"""Checks that the rooms of src/ stand on each other, as the README tells, and that no files stand on
each other in a circle.

usage: check_floors.py CHECKOUT [BUILD]     (or CHECKOUT/src, as it was called before)

A file includes headers of its own room and of rooms below it; a header NOUN_internal.h only its own
room. The rooms and their order are the subdir('src/...') lines of meson.build; the folders that rooms lie
in are wings, whose rooms stand together there. A room is included without its wing: "base/error.h" lies in
src/libattn/base. A header that only its own room includes is to be called NOUN_internal.h; the topmost room, the program, has no door.

With the folder of a build that has the tests, its objects are read too (nm). A file stands on
another when it uses a symbol that the other defines. Files that stand on each other in a circle are
a fault, unless all of them fit one line of tools/circles.txt, "PATTERN...: REASON". So is a line
there without a circle, and a function that is not static and that no other file uses, tests included;
the library's own functions are for others to use. What only the files of its own room use is to be
static, or to be declared in a header NOUN_internal.h.

tools/doors.txt lists what breaks the rules about NOUN_internal.h today. That list only shrinks: a line
that holds no more is a fault too.

usage: check_floors.py --doors CHECKOUT BUILD     writes the list's lines that still hold
"""
import collections
import fnmatch
import json
import pathlib
import re
import subprocess
import sys

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def rooms_of(root):
    """The rooms from the ground up."""
    return re.findall(r"^subdir\('src/([^']+)'\)", (root / "meson.build").read_text(), re.MULTILINE)


def wing_of(room):
    return room.partition("/")[0]


def names_of(root):
    """{how a room is called in #include: the room}, by the folders of meson.build's `inc`."""
    folders = re.search(r"^inc = include_directories\((.*?)\)", (root / "meson.build").read_text(),
                        re.MULTILINE | re.DOTALL).group(1)
    wings = [folder + "/" for folder in re.findall(r"'src/([^']+)'", folders)]
    names = {}
    for room in rooms_of(root):
        for wing in wings:
            if room.startswith(wing):
                names[room.removeprefix(wing)] = room
        names.setdefault(room, room)
    return names


def wing_faults(root):
    """A line for each wing whose rooms do not stand together."""
    wings = [wing_of(room) for room in rooms_of(root)]
    runs = [wing for i, wing in enumerate(wings) if i == 0 or wings[i - 1] != wing]
    for wing in sorted({wing for wing in runs if runs.count(wing) > 1}):
        yield f"meson.build: the rooms of the wing {wing} do not stand together"


def readme_faults(root):
    """A line where the README's table names other rooms, or in another order."""
    told = re.findall(r"^\| \**\[[a-z/]+\]\(src/([a-z/]+)\)\** \|", (root / "README.md").read_text(encoding="utf-8"),
                      re.MULTILINE)
    rooms = list(dict.fromkeys(re.sub("ui/panes/.*", "ui/panes", room) for room in rooms_of(root)))
    if told != rooms:
        yield ("README.md: the table of rooms should be, from the ground up:\n    " + " ".join(rooms) +
               "\nand is:\n    " + " ".join(told))


def include_faults(root):
    """A line for each include that goes up, into no room, or into another room's own header."""
    rooms, names = rooms_of(root), names_of(root)
    source = root / "src"
    for path in sorted(source.rglob("*.[ch]")):
        room = str(path.parent.relative_to(source))
        name = path.relative_to(root)
        if room not in rooms:
            yield f"{name}: {room} is no room of meson.build"
            continue
        for included in INCLUDE.findall(path.read_text(encoding="utf-8")):
            spelled = included.rpartition("/")[0]
            below = names.get(spelled)
            if below is None:
                if spelled:
                    yield f"{name}: includes {included}, which is in no room"
            elif rooms.index(below) > rooms.index(room):
                yield f"{name}: {room} includes {included}, which lies above it"
            elif below != room and included.endswith("_internal.h"):
                yield f"{name}: includes {included}, which is for {below} alone"


# ---- what the objects say ----

def objects_of(root, build):
    """The objects of a build, as {path: source}, sources as paths in the checkout."""
    entries = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    found = {}
    for entry in entries:
        source = (pathlib.Path(entry["directory"]) / entry["file"]).resolve()
        found[(pathlib.Path(entry["directory"]) / entry["output"]).resolve()] = source
    objects = {path: str(source.relative_to(root)) for path, source in found.items()
               if root in source.parents}
    for path, source in objects.items():
        if source.startswith(("src/", "tests/unit/")) and not path.exists():
            sys.exit(f"{path}: no such object; build everything first")
    return {path: source for path, source in objects.items() if path.exists()}


def symbols_of(objects):
    """What each source defines for others and what it uses of others: two {source: {symbol}}."""
    lines = subprocess.run(["nm", "-A", "-g", "-P", *map(str, objects)], check=True, text=True,
                           stdout=subprocess.PIPE).stdout.splitlines()
    defined, used = collections.defaultdict(set), collections.defaultdict(set)
    for line in lines:
        path, rest = line.split(": ", 1)
        symbol, kind = rest.split()[:2]
        part = used if kind in "Uw" else defined
        part[objects[pathlib.Path(path)]].add(symbol)
    return defined, used


def edges_of(defined, used):
    """Which sources of src/ each stands on."""
    homes = collections.defaultdict(set)  # two where a part of src/ is there for two systems
    for source, symbols in defined.items():
        for symbol in symbols - {"main"} if source.startswith("src/") else ():
            homes[symbol].add(source)
    return {source: sorted(set().union(*(homes.get(symbol, ()) for symbol in used[source])) - {source})
            for source in sorted(set(defined) | set(used)) if source.startswith("src/")}


def circles_of(edges):
    """The strongly connected components with more than one file (Tarjan 1972), each sorted."""
    index, low, stack, found = {}, {}, [], []

    def visit(source):
        index[source] = low[source] = len(index)
        stack.append(source)
        for other in edges.get(source, ()):
            if other not in index:
                visit(other)
                low[source] = min(low[source], low[other])
            elif other in stack:
                low[source] = min(low[source], index[other])
        if low[source] == index[source]:
            at = stack.index(source)
            if len(stack) - at > 1:
                found.append(tuple(sorted(stack[at:])))
            del stack[at:]

    sys.setrecursionlimit(10000)
    for source in edges:
        if source not in index:
            visit(source)
    return sorted(found)


def allowed_circles(path):
    """The lines of tools/circles.txt: the patterns of each."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines()
             if line.strip() and not line.startswith("#")]
    for line in lines:
        patterns, _, reason = line.partition(":")
        if not reason.strip():
            sys.exit(f"{path}: no reason is given for {patterns}")
        yield ["src/" + pattern for pattern in patterns.split()]


def shown(circle, edges):
    """A circle's files and who stands on whom in it."""
    names = [name.removeprefix("src/") for name in circle]
    return " ".join(names) + "".join(
        f"\n    {name.removeprefix('src/')} uses " +
        ", ".join(other.removeprefix("src/") for other in edges[name] if other in circle)
        for name in circle)


def circle_faults(root, edges):
    circles = circles_of(edges)
    allowed = list(allowed_circles(root / "tools" / "circles.txt"))

    def fits(circle, patterns):
        return all(any(fnmatch.fnmatch(name, pattern) for pattern in patterns) for name in circle)

    for circle in circles:
        if not any(fits(circle, patterns) for patterns in allowed):
            yield f"a circle that tools/circles.txt does not allow: {shown(circle, edges)}"
    for patterns in allowed:
        if not any(fits(circle, patterns) for circle in circles):
            yield f"tools/circles.txt: there is no circle in {' '.join(patterns)} any more"


def unused_faults(defined, used):
    """What is made for others and used by none."""
    for source, symbols in sorted(defined.items()):
        if source.startswith(("src/libattn/tensor/", "src/libattn/attention/")) or not source.startswith("src/"):
            continue
        others = set().union(*(used[other] for other in used if other != source))
        for symbol in sorted(symbols - others - {"main"}):
            yield f"{source}: no other file uses {symbol}; make it static, or remove it"


# ---- the doors of rooms ----

def room_headers(root):
    """{room: {header's name: (its text, the rooms of src/ that include it)}}, but for internal ones."""
    source = root / "src"
    names, rooms = names_of(root), set(rooms_of(root)[:-1])
    texts, users = {}, collections.defaultdict(set)
    for path in source.rglob("*.[ch]"):
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".h" and not path.name.endswith("_internal.h"):
            texts[str(path.relative_to(source))] = COMMENT.sub(" ", text)
        for included in INCLUDE.findall(text):
            spelled, _, header = included.rpartition("/")
            users[f"{names.get(spelled, spelled)}/{header}"].add(str(path.parent.relative_to(source)))
    found = collections.defaultdict(dict)
    for name, text in texts.items():
        if name.rpartition("/")[0] in rooms:
            found[name.rpartition("/")[0]][name] = (text, users[name])
    return found


def inner_headers(rooms):
    """The headers that only their own room includes."""
    for room, headers in rooms.items():
        for name, (_, users) in headers.items():
            if users <= {room}:
                yield name


def inner_exports(rooms, defined, used):
    """"room: symbol" for what only its own room uses and a header of it declares that is not called
    internal. What only tests use counts as used by the room alone."""
    def room_of(source):
        return source.removeprefix("src/").rpartition("/")[0]

    users = collections.defaultdict(set)
    for source, symbols in used.items():
        if source.startswith("src/"):
            for symbol in symbols:
                users[symbol].add(room_of(source))
    words = {room: {name: set(re.findall(r"\w+", text)) for name, (text, _) in headers.items()}
             for room, headers in rooms.items()}
    for source, symbols in defined.items():
        if not source.startswith("src/"):
            continue
        room = room_of(source)
        for symbol in symbols - {"main"}:
            spelled = {symbol, symbol.removeprefix("attn_")}
            if users[symbol] <= {room} and any(spelled & seen for seen in words.get(room, {}).values()):
                yield f"{room}: {symbol}"


def door_faults(root, found):
    """What breaks the rules and is not listed, and what is listed and does not break them."""
    lines = (root / "tools" / "doors.txt").read_text(encoding="utf-8").splitlines()
    listed = {line for line in lines if line.strip() and not line.startswith("#")}
    for name in sorted(found - listed):
        if name.endswith(".h"):
            yield f"src/{name}: only its own room includes it; call it {name[:-2]}_internal.h"
        else:
            yield f"src/{name} is used by its own room alone: make it static, or declare it in an _internal.h"
    for name in sorted(listed - found):
        yield f"tools/doors.txt: {name} keeps the rule now; remove the line"


def doors_of(root, defined, used):
    rooms = room_headers(root)
    return {*inner_headers(rooms), *inner_exports(rooms, defined, used)}


def write_doors(root, found):
    """Keeps of the list what still holds; never adds."""
    path = root / "tools" / "doors.txt"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(line for line in lines if line.startswith("#") or line.strip() in found),
                    encoding="utf-8")


def build_faults(root, build):
    defined, used = symbols_of(objects_of(root, build))
    yield from circle_faults(root, edges_of(defined, used))
    yield from unused_faults(defined, used)
    yield from door_faults(root, doors_of(root, defined, used))


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if sys.argv[1] == "--doors":
        root, build = (pathlib.Path(name).resolve() for name in sys.argv[2:4])
        write_doors(root, doors_of(root, *symbols_of(objects_of(root, build))))
        return 0
    root = pathlib.Path(sys.argv[1]).resolve()
    if not (root / "meson.build").exists():
        root = root.parent
    found = [*wing_faults(root), *readme_faults(root), *include_faults(root)]
    if len(sys.argv) > 2:
        found += build_faults(root, pathlib.Path(sys.argv[2]).resolve())
    print("".join(fault + "\n" for fault in found), end="", file=sys.stderr)
    return 1 if found else 0


sys.exit(main())
