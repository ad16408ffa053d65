"""re, as far as cells use it: the matching is PCRE2's, whose patterns are Python's in what courses
write."""
from _attn import find as _find

IGNORECASE = I = 2
MULTILINE = M = 8
DOTALL = S = 16
VERBOSE = X = 64
UNICODE = U = 0


_flag_names = {2: "re.IGNORECASE", 8: "re.MULTILINE", 16: "re.DOTALL", 64: "re.VERBOSE"}


class error(Exception):
    pass


class Match:
    def __init__(self, re, string, found):
        self.re = re
        self.string = string
        self._found = found

    def group(self, *which):
        parts = [self._part(i)[2] for i in which or (0,)]
        return parts[0] if len(parts) == 1 else tuple(parts)

    def _part(self, which):
        if isinstance(which, str):
            which = self.re.groupindex[which]
        if not 0 <= which < len(self._found):
            raise IndexError("no such group")
        return self._found[which]

    def groups(self, default=None):
        return tuple(default if text is None else text for _, _, text in self._found[1:])

    def groupdict(self):
        return {name: self.group(i) for name, i in self.re.groupindex.items()}

    def start(self, which=0):
        return self._part(which)[0]

    def end(self, which=0):
        return self._part(which)[1]

    def span(self, which=0):
        return self._part(which)[:2]

    def __getitem__(self, which):
        return self.group(which)

    def __repr__(self):
        return f"<re.Match object; span={self.span()}, match={self.group()!r}>"


class Pattern:
    def __init__(self, pattern, flags=0):
        self.pattern = pattern
        self.flags = flags
        self.groupindex = {}
        n, i = 0, 0
        while i < len(pattern):
            if pattern[i] == "\\":
                i += 1
            elif pattern[i] == "(" and pattern[i + 1:i + 2] != "?":
                n += 1
            elif pattern[i:i + 4] == "(?P<":
                n += 1
                self.groupindex[pattern[i + 4:pattern.index(">", i)]] = n
            i += 1
        self._at("", 0, "search")

    def _at(self, string, start, how):
        found = _find(self.pattern, string, start, self.flags, how)
        return None if found is None else Match(self, string, found)

    def search(self, string, pos=0):
        return self._at(string, pos, "search")

    def match(self, string, pos=0):
        return self._at(string, pos, "match")

    def fullmatch(self, string, pos=0):
        return self._at(string, pos, "fullmatch")

    def finditer(self, string):
        start = 0
        while start <= len(string):
            m = self._at(string, start, "search")
            if m is None:
                return
            yield m
            start = m.end() if m.end() > m.start() else m.end() + 1

    def findall(self, string):
        result = []
        for m in self.finditer(string):
            groups = m.groups("")
            result.append(m.group() if not groups else groups[0] if len(groups) == 1 else groups)
        return result

    def split(self, string, maxsplit=0):
        result, at = [], 0
        for m in self.finditer(string):
            if maxsplit and maxsplit * (1 + len(m.groups())) <= len(result):
                break
            result.append(string[at:m.start()])
            result.extend(m.groups())
            at = m.end()
        result.append(string[at:])
        return result

    def subn(self, repl, string, count=0):
        result, at, n = [], 0, 0
        for m in self.finditer(string):
            if count and n >= count:
                break
            result.append(string[at:m.start()])
            result.append(repl(m) if callable(repl) else _expand(repl, m))
            at = m.end()
            n += 1
        result.append(string[at:])
        return "".join(result), n

    def sub(self, repl, string, count=0):
        return self.subn(repl, string, count)[0]

    def __repr__(self):
        names = [name for bit, name in _flag_names.items() if self.flags & bit]
        return f"re.compile({self.pattern!r}{', ' if names else ''}{'|'.join(names)})"


def _expand(template, m):
    result, i = [], 0
    while i < len(template):
        c = template[i]
        if c != "\\" or i + 1 >= len(template):
            result.append(c)
            i += 1
            continue
        c = template[i + 1]
        i += 2
        if c.isdigit():
            result.append(m.group(int(c)) or "")
        elif c == "g" and template[i:i + 1] == "<":
            end = template.index(">", i)
            name = template[i + 1:end]
            result.append(m.group(int(name) if name.isdigit() else name) or "")
            i = end + 1
        else:
            result.append({"n": "\n", "t": "\t", "r": "\r"}.get(c, c if c == "\\" else "\\" + c))
    return "".join(result)


def compile(pattern, flags=0):
    return pattern if isinstance(pattern, Pattern) else Pattern(pattern, flags)


def search(pattern, string, flags=0):
    return compile(pattern, flags).search(string)


def match(pattern, string, flags=0):
    return compile(pattern, flags).match(string)


def fullmatch(pattern, string, flags=0):
    return compile(pattern, flags).fullmatch(string)


def findall(pattern, string, flags=0):
    return compile(pattern, flags).findall(string)


def finditer(pattern, string, flags=0):
    return compile(pattern, flags).finditer(string)


def split(pattern, string, maxsplit=0, flags=0):
    return compile(pattern, flags).split(string, maxsplit)


def sub(pattern, repl, string, count=0, flags=0):
    return compile(pattern, flags).sub(repl, string, count)


def subn(pattern, repl, string, count=0, flags=0):
    return compile(pattern, flags).subn(repl, string, count)


def escape(pattern):
    return "".join("\\" + c if c in "()[]{}?*+-|^$\\.&~# \t\n\r\v\f" else c for c in pattern)
