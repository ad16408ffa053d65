"""sys, as far as cells use it. Nothing here reaches the system: the files are what attn prints."""
import _attn
from _attn import exit


class TextIOWrapper:
    def __init__(self, name, to):
        self.name = name
        self.encoding = "utf-8"
        self._to = to

    def write(self, text):
        return _attn.write(self._to, text)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def flush(self):
        pass

    def isatty(self):
        return False


stdout = __stdout__ = TextIOWrapper("<stdout>", 1)
stderr = __stderr__ = TextIOWrapper("<stderr>", 2)
version = "3.11.0 (attn)"
version_info = (3, 11, 0, "final", 0)
argv = [""]
path = []
modules = {}
platform = "linux"
maxsize = 9223372036854775807
byteorder = "little"


def getrecursionlimit():
    return 1000


def setrecursionlimit(limit):
    pass
