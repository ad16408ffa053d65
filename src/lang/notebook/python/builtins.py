"""Names of Python that are written in Python, loaded when a cell first uses one of them."""
from _attn import utf8 as _utf8, text as _text, read as _read, names as _names

# A bytes holds a str with one character of 0 to 255 for each byte.


def _codec(encoding):
    name = encoding.lower().replace("_", "-")
    if name in ("utf-8", "utf8"):
        return 0x110000
    if name == "ascii":
        return 128
    if name in ("latin-1", "latin1", "iso-8859-1"):
        return 256
    raise LookupError(f"unknown encoding: {encoding} (attn has utf-8, ascii and latin-1)")


def _encode(text, encoding="utf-8", errors="strict"):
    most = _codec(encoding)
    if most > 256:
        return _bytes(_utf8(text))
    kept = []
    for i, c in enumerate(text):
        if ord(c) < most:
            kept.append(c)
        elif errors == "strict":
            raise UnicodeEncodeError(f"'{encoding}' codec can't encode character {ascii(c)} in position "
                                     f"{i}: ordinal not in range({most})")
        elif errors == "replace":
            kept.append("?")
    return _bytes("".join(kept))


def _bytes(latin):
    made = object.__new__(bytes)
    made._s = latin
    return made


def _number(x):
    if isinstance(x, int):
        if 0 <= x < 256:
            return chr(x)
        raise ValueError("bytes must be in range(0, 256)")
    raise TypeError(f"'{type(x).__name__}' object cannot be interpreted as an integer")


def _latin(x):
    if isinstance(x, bytes):
        return x._s
    raise TypeError(f"a bytes-like object is required, not '{type(x).__name__}'")


def _latin_or_number(x):
    return _number(x) if isinstance(x, int) else _latin(x)


class bytes:
    def __init__(self, source="", encoding=None, errors="strict"):
        if isinstance(source, str):
            if encoding is None and source:
                raise TypeError("string argument without an encoding")
            self._s = _encode(source, encoding or "utf-8", errors)._s
        elif isinstance(source, int):
            if source < 0:
                raise ValueError("negative count")
            self._s = "\0" * source
        elif isinstance(source, bytes):
            self._s = source._s
        else:
            self._s = "".join([_number(x) for x in source])

    def decode(self, encoding="utf-8", errors="strict"):
        most = _codec(encoding)
        if most > 256:
            return _text(self._s, errors)
        for i, c in enumerate(self._s):
            if ord(c) >= most and errors == "strict":
                raise UnicodeDecodeError(f"'{encoding}' codec can't decode byte {hex(ord(c))} in position "
                                         f"{i}: ordinal not in range({most})")
        return "".join([c if ord(c) < most else "\ufffd" for c in self._s]) if most < 256 else self._s

    @classmethod
    def fromhex(cls, text):
        digits = "".join(text.split())
        try:
            return cls([int(digits[i:i + 2], 16) for i in range(0, len(digits), 2)])
        except ValueError:
            raise ValueError("non-hexadecimal number found in fromhex() arg") from None

    def hex(self, sep=""):
        return sep.join([f"{ord(c):02x}" for c in self._s])

    def __len__(self):
        return len(self._s)

    def __iter__(self):
        return iter([ord(c) for c in self._s])

    def __getitem__(self, i):
        if isinstance(i, slice):
            return self._new(self._s[i])
        try:
            return ord(self._s[i])
        except IndexError:
            raise IndexError("index out of range") from None

    def _new(self, latin):
        made = object.__new__(type(self))
        made._s = latin
        return made

    def __contains__(self, x):
        return _latin_or_number(x) in self._s

    def __eq__(self, other):
        return isinstance(other, bytes) and self._s == other._s

    def __lt__(self, other):
        return self._s < _latin(other)

    def __le__(self, other):
        return self._s <= _latin(other)

    def __gt__(self, other):
        return self._s > _latin(other)

    def __ge__(self, other):
        return self._s >= _latin(other)

    def __hash__(self):
        return hash(self._s)

    def __add__(self, other):
        if not isinstance(other, bytes):
            raise TypeError(f"can't concat {type(other).__name__} to bytes")
        return self._new(self._s + other._s)

    def __mul__(self, n):
        return self._new(self._s * n)

    __rmul__ = __mul__

    def __bool__(self):
        return len(self._s) > 0

    def __repr__(self):
        quote = '"' if "'" in self._s and '"' not in self._s else "'"
        shown = []
        for c in self._s:
            if c in "\\\n\r\t":
                shown.append({"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}[c])
            elif c == quote:
                shown.append("\\" + c)
            elif " " <= c <= "~":
                shown.append(c)
            else:
                shown.append(f"\\x{ord(c):02x}")
        return "b" + quote + "".join(shown) + quote

    def join(self, parts):
        return self._new(self._s.join([_latin(part) for part in parts]))

    def split(self, sep=None, maxsplit=-1):
        parts = self._s.split(None if sep is None else _latin(sep), maxsplit)
        return [self._new(part) for part in parts]

    def replace(self, old, new, count=-1):
        return self._new(self._s.replace(_latin(old), _latin(new), count))

    def find(self, sub, start=0):
        return self._s.find(_latin_or_number(sub), start)

    def index(self, sub, start=0):
        at = self.find(sub, start)
        if at < 0:
            raise ValueError("subsection not found")
        return at

    def count(self, sub):
        return self._s.count(_latin_or_number(sub))

    def startswith(self, prefix):
        return self._s.startswith(_latin(prefix))

    def endswith(self, suffix):
        return self._s.endswith(_latin(suffix))

    def strip(self, chars=None):
        return self._new(self._s.strip(" \t\n\r\x0b\x0c" if chars is None else _latin(chars)))

    def upper(self):
        return self._new("".join([c.upper() if c < "\x80" else c for c in self._s]))

    def lower(self):
        return self._new("".join([c.lower() if c < "\x80" else c for c in self._s]))


class bytearray(bytes):
    def __setitem__(self, i, x):
        if isinstance(i, slice):
            chars = list(self._s)
            chars[i] = [_number(v) for v in x]
            self._s = "".join(chars)
            return
        chars = list(self._s)
        chars[i] = _number(x)
        self._s = "".join(chars)

    def append(self, x):
        self._s += _number(x)

    def extend(self, xs):
        self._s += "".join([_number(x) for x in xs])

    def __iadd__(self, other):
        self._s += _latin(other)
        return self

    def __repr__(self):
        return f"bytearray({bytes.__repr__(self)})"

    def __hash__(self):
        raise TypeError("unhashable type: 'bytearray'")


# ---- files: a text beside the cell can be read ----


class _File:
    def __init__(self, name, mode, content):
        self.name = name
        self.mode = mode
        self.closed = False
        self._content = content
        self._at = 0

    def read(self, size=-1):
        self._check()
        end = len(self._content) if size is None or size < 0 else self._at + size
        part = self._content[self._at:end]
        self._at = min(end, len(self._content))
        return part

    def readline(self):
        self._check()
        end = self._content.find("\n" if isinstance(self._content, str) else _bytes("\n"), self._at)
        return self.read(-1 if end < 0 else end + 1 - self._at)

    def readlines(self):
        return list(self)

    def __iter__(self):
        line = self.readline()
        while line:
            yield line
            line = self.readline()

    def seek(self, at, whence=0):
        self._at = at
        return at

    def tell(self):
        return self._at

    def readable(self):
        return True

    def write(self, text):
        import io
        raise io.UnsupportedOperation("not writable")

    def close(self):
        self.closed = True

    def _check(self):
        if self.closed:
            raise ValueError("I/O operation on closed file.")

    def __enter__(self):
        self._check()
        return self

    def __exit__(self, *error):
        self.close()

    def __repr__(self):
        return f"<_io.TextIOWrapper name={self.name!r} mode={self.mode!r} encoding='UTF-8'>"


def open(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None):
    if any(c in mode for c in "wax+"):
        raise PermissionError(f"open({str(file)!r}, {mode!r}): a cell writes no file in attn; print the "
                              "text, or keep it in a name")
    content = _bytes(_read(str(file)))
    if "b" not in mode:
        content = content.decode(encoding or "utf-8", errors or "strict")
        content = content.replace("\r\n", "\n").replace("\r", "\n")
    return _File(str(file), mode, content)


def dir(of):
    return sorted(set(_names(of)))


# ---- match: the parser writes a pattern as calls of these ----


def _match_sequence(subject, before, after, has_star):
    """The parts of a subject that a pattern of that many parts fits, or None."""
    if not isinstance(subject, (list, tuple)):
        return None
    n = len(subject)
    if n < before + after or (not has_star and n != before):
        return None
    if not has_star:
        return list(subject)
    return [*subject[:before], list(subject[before:n - after]), *subject[n - after:]]


def _match_mapping(subject, keys, wants_rest):
    if not isinstance(subject, dict):
        return None
    found = []
    for key in keys:
        if key not in subject:
            return None
        found.append(subject[key])
    if wants_rest:
        found.append({key: value for key, value in subject.items() if key not in keys})
    return found


def _match_class(subject, cls, n, names):
    if not isinstance(subject, cls):
        return None
    found = []
    if n > 0 and cls in (int, float, str, bool, list, tuple, dict, set, bytes):
        if n > 1:
            raise TypeError(f"{cls.__name__}() accepts 1 positional sub-pattern ({n} given)")
        found.append(subject)
    elif n > 0:
        own = getattr(cls, "__match_args__", ())
        if n > len(own):
            raise TypeError(f"{cls.__name__}() accepts {len(own)} positional sub-patterns ({n} given)")
        found += [getattr(subject, name) for name in own[:n]]
    for name in names:
        if not hasattr(subject, name):
            return None
        found.append(getattr(subject, name))
    return found
