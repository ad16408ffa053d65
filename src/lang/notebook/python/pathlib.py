"""pathlib.Path, for names of files and for reading a text beside the cell."""
from _attn import exists as _exists
from builtins import open as _open


class Path:
    def __init__(self, *parts):
        text = "/".join([str(part) for part in parts if str(part)])
        while "//" in text:
            text = text.replace("//", "/")
        pieces = [piece for i, piece in enumerate(text.split("/")) if piece != "." or i < 0]
        text = "/".join(pieces)
        self._path = (text.rstrip("/") or ("/" if text.startswith("/") else ".")) or "."

    def __truediv__(self, other):
        return Path(str(other)) if str(other).startswith("/") else Path(self._path, other)

    def __rtruediv__(self, other):
        return Path(other, self._path)

    def __str__(self):
        return self._path

    def __fspath__(self):
        return self._path

    def __repr__(self):
        return f"PosixPath({self._path!r})"

    def __eq__(self, other):
        return isinstance(other, Path) and self._path == other._path

    def __lt__(self, other):
        return self._path < other._path

    def __hash__(self):
        return hash(self._path)

    @property
    def parts(self):
        head = ("/",) if self._path.startswith("/") else ()
        return head + tuple([piece for piece in self._path.split("/") if piece and piece != "."])

    @property
    def name(self):
        return self._path.rsplit("/", 1)[-1] if self._path != "." else ""

    @property
    def suffix(self):
        at = self.name.rfind(".")
        return self.name[at:] if 0 < at < len(self.name) - 1 else ""

    @property
    def stem(self):
        return self.name[:len(self.name) - len(self.suffix)]

    @property
    def parent(self):
        head = self._path.rsplit("/", 1)[0] if "/" in self._path else "."
        return Path(head or "/")

    def with_suffix(self, suffix):
        return Path(self._path[:len(self._path) - len(self.suffix)] + suffix)

    def with_name(self, name):
        return self.parent / name

    def joinpath(self, *others):
        return Path(self._path, *others)

    def exists(self):
        return _exists(self._path)

    is_file = exists

    def is_dir(self):
        return False

    def open(self, mode="r", buffering=-1, encoding=None, errors=None):
        return _open(self._path, mode, buffering, encoding, errors)

    def read_text(self, encoding="utf-8", errors=None):
        return _open(self._path, "r", -1, encoding, errors).read()

    def read_bytes(self):
        return _open(self._path, "rb").read()

    def write_text(self, text, encoding=None):
        raise PermissionError(f"{self._path}: a cell writes no file in attn; print the text, or keep it "
                              "in a name")

    write_bytes = mkdir = unlink = write_text


PurePath = PosixPath = Path
