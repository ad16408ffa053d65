"""io.StringIO: a text that is written like a file."""


class UnsupportedOperation(OSError, ValueError):
    pass


class StringIO:
    def __init__(self, initial=""):
        self._parts = [initial]

    def write(self, text):
        self._parts.append(text)
        return len(text)

    def getvalue(self):
        self._parts = ["".join(self._parts)]
        return self._parts[0]

    def flush(self):
        pass

    def close(self):
        pass
