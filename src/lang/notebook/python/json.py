"""json.dumps and json.loads."""


class JSONDecodeError(ValueError):
    def __init__(self, msg, doc, pos):
        lineno = doc[:pos].count("\n") + 1
        colno = pos - doc[:pos].rfind("\n")
        super().__init__(f"{msg}: line {lineno} column {colno} (char {pos})")
        self.msg = msg
        self.doc = doc
        self.pos = pos
        self.lineno = lineno
        self.colno = colno


_NAMED = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\f": "\\f", "\b": "\\b"}


def _quoted(text, ensure_ascii):
    parts = []
    for c in text:
        code = ord(c)
        if c in _NAMED:
            parts.append(_NAMED[c])
        elif code < 32 or (ensure_ascii and 126 < code < 0x10000):
            parts.append(f"\\u{code:04x}")
        elif ensure_ascii and code >= 0x10000:
            code -= 0x10000
            parts.append(f"\\u{0xd800 + (code >> 10):04x}\\u{0xdc00 + (code & 0x3ff):04x}")
        else:
            parts.append(c)
    return '"' + "".join(parts) + '"'


def _number(x):
    if x != x:
        return "NaN"
    if x in (float("inf"), -float("inf")):
        return "Infinity" if x > 0 else "-Infinity"
    return float.__repr__(x) if isinstance(x, float) else str(int(x))


def dumps(obj, *, skipkeys=False, ensure_ascii=True, check_circular=True, allow_nan=True, cls=None,
          indent=None, separators=None, default=None, sort_keys=False):
    between, after = separators or ((", ", ": ") if indent is None else (",", ": "))
    step = " " * indent if isinstance(indent, int) else indent

    def key(k):
        if isinstance(k, str):
            return _quoted(k, ensure_ascii)
        if k is None or isinstance(k, (bool, int, float)):
            return '"' + write(k, "") + '"'
        raise TypeError(f"keys must be str, int, float, bool or None, not {type(k).__name__}")

    def group(parts, left, right, margin):
        if not parts:
            return left + right
        if step is None:
            return left + between.join(parts) + right
        inner = "\n" + margin + step
        return left + inner + (between + inner).join(parts) + "\n" + margin + right

    def write(x, margin):
        if x is None:
            return "null"
        if x is True:
            return "true"
        if x is False:
            return "false"
        if isinstance(x, str):
            return _quoted(x, ensure_ascii)
        if isinstance(x, (int, float)):
            return _number(x)
        deeper = margin + (step or "")
        if isinstance(x, dict):
            items = sorted(x.items()) if sort_keys else x.items()
            return group([key(k) + after + write(v, deeper) for k, v in items], "{", "}", margin)
        if isinstance(x, (list, tuple)):
            return group([write(v, deeper) for v in x], "[", "]", margin)
        if default is not None:
            return write(default(x), margin)
        raise TypeError(f"Object of type {type(x).__name__} is not JSON serializable")

    return write(obj, "")


_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


def loads(s, *, cls=None, object_hook=None, parse_float=None, parse_int=None):
    if isinstance(s, bytes):
        s = s.decode()
    if not isinstance(s, str):
        raise TypeError("the JSON object must be str, bytes or bytearray, not "
                        f"{type(s).__name__}")
    chars = list(s)
    n = len(chars)

    def space(at):
        while at < n and chars[at] in " \t\n\r":
            at += 1
        return at

    def fail(message, at):
        raise JSONDecodeError(message, s, at)

    def hexes(at):
        digits = "".join(chars[at:at + 4])
        try:
            return int(digits, 16)
        except ValueError:
            fail("Invalid \\uXXXX escape", at - 1)

    def text(at):
        begin, parts = at - 1, []
        while True:
            if at >= n:
                fail("Unterminated string starting at", begin)
            c = chars[at]
            at += 1
            if c == '"':
                return "".join(parts), at
            if c != "\\":
                if c < " ":
                    fail("Invalid control character at", at - 1)
                parts.append(c)
                continue
            c = chars[at] if at < n else ""
            at += 1
            if c == "u":
                code = hexes(at)
                at += 4
                if 0xd800 <= code < 0xdc00 and chars[at:at + 2] == ["\\", "u"]:
                    code = 0x10000 + ((code - 0xd800) << 10) + (hexes(at + 2) - 0xdc00)
                    at += 6
                parts.append(chr(code))
            elif c in _ESCAPES and c:
                parts.append(_ESCAPES[c])
            else:
                fail("Invalid \\escape", at - 2)

    def value(at):
        if at >= n:
            fail("Expecting value", at)
        c = chars[at]
        if c == '"':
            return text(at + 1)
        if c == "{":
            return members(space(at + 1))
        if c == "[":
            items = []
            at = space(at + 1)
            if at < n and chars[at] == "]":
                return items, at + 1
            while True:
                item, at = value(at)
                items.append(item)
                at = space(at)
                c = chars[at] if at < n else ""
                if c == "]":
                    return items, at + 1
                if c != ",":
                    fail("Expecting ',' delimiter", at)
                at = space(at + 1)
        for word, meant in (("null", None), ("true", True), ("false", False), ("NaN", float("nan")),
                            ("Infinity", float("inf")), ("-Infinity", -float("inf"))):
            if c == word[0] and "".join(chars[at:at + len(word)]) == word:
                return meant, at + len(word)
        end = at + (c == "-")
        begin_digits = end
        while end < n and chars[end].isdigit():
            end += 1
        if end == begin_digits:
            fail("Expecting value", at)
        is_float = False
        if end + 1 < n and chars[end] == "." and chars[end + 1].isdigit():
            is_float = True
            end += 1
            while end < n and chars[end].isdigit():
                end += 1
        if end < n and chars[end] in "eE":
            after = end + 1 + (end + 1 < n and chars[end + 1] in "+-")
            if after < n and chars[after].isdigit():
                is_float = True
                end = after
                while end < n and chars[end].isdigit():
                    end += 1
        digits = "".join(chars[at:end])
        return (float(digits) if is_float else int(digits)), end

    def members(at):
        found = {}
        if at < n and chars[at] == "}":
            return (object_hook(found) if object_hook else found), at + 1
        while True:
            if at >= n or chars[at] != '"':
                fail("Expecting property name enclosed in double quotes", at)
            name, at = text(at + 1)
            at = space(at)
            if at >= n or chars[at] != ":":
                fail("Expecting ':' delimiter", at)
            found[name], at = value(space(at + 1))
            at = space(at)
            c = chars[at] if at < n else ""
            if c == "}":
                return (object_hook(found) if object_hook else found), at + 1
            if c != ",":
                fail("Expecting ',' delimiter", at)
            at = space(at + 1)

    result, at = value(space(0))
    at = space(at)
    if at != n:
        fail("Extra data", at)
    return result


def load(fp, **keywords):
    return loads(fp.read(), **keywords)


def dump(obj, fp, **keywords):
    fp.write(dumps(obj, **keywords))
