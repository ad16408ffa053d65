"""os: names that cells look at and never need. Of files, a text beside the cell can be seen."""
from _attn import exists as _exists, read as _read

environ = {}
sep = "/"


def getenv(name, default=None):
    return default


def cpu_count():
    return 1


class _Paths:
    sep = "/"

    def join(self, first, *others):
        path = str(first)
        for other in others:
            other = str(other)
            if other.startswith("/"):
                path = other
            else:
                path += other if not path or path.endswith("/") else "/" + other
        return path

    def split(self, path):
        head, _, tail = str(path).rpartition("/")
        return head if head or not str(path).startswith("/") else "/", tail

    def basename(self, path):
        return self.split(path)[1]

    def dirname(self, path):
        return self.split(path)[0]

    def splitext(self, path):
        name = self.basename(path)
        at = name.rfind(".")
        if at <= len(name) - len(name.lstrip(".")) - 1 or at < 0:
            return path, ""
        return path[:len(path) - len(name) + at], name[at:]

    def exists(self, path):
        return _exists(str(path))

    def isfile(self, path):
        return _exists(str(path))

    def isdir(self, path):
        return False

    def abspath(self, path):
        return str(path)

    def expanduser(self, path):
        return str(path)

    def getsize(self, path):
        return len(_read(str(path)))


path = _Paths()
linesep = "\n"


def makedirs(name, mode=511, exist_ok=False):
    raise PermissionError(f"{name}: a cell makes no folder in attn")


mkdir = makedirs
