"""io.StringIO and io.BytesIO: a text, or bytes, in memory that are written and read like a file."""


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


class BytesIO:
    def __init__(self, initial=b""):
        self._content = bytes(initial)
        self._at = 0
        self._kept = None  # what torch.save() has put here: a value, not its bytes

    def _bytes(self):
        if self._kept is not None:
            raise NotImplementedError("attn keeps what torch.save() wrote as a value and has no bytes of it")
        return self._content

    def write(self, part):
        content = self._bytes()
        self._content = content[:self._at] + part + content[self._at + len(part):]
        self._at += len(part)
        return len(part)

    def read(self, size=-1):
        content = self._bytes()
        end = len(content) if size is None or size < 0 else self._at + size
        part = content[self._at:end]
        self._at = min(end, len(content))
        return part

    def getvalue(self):
        return self._bytes()

    def getbuffer(self):
        return self._bytes()

    def tell(self):
        self._bytes()
        return self._at

    def seek(self, at, whence=0):
        self._at = at
        return at

    def flush(self):
        pass

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False
