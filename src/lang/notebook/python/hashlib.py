"""hashlib: sums over bytes. SHA-2 is libsodium's; MD5 (RFC 1321) and SHA-1 (RFC 3174) stand here."""
from _attn import digest as _digest
from math import sin as _sin

algorithms_available = {"md5", "sha1", "sha256", "sha512"}
_ALL = 0xffffffff


def _turned(x, n):
    return (x << n | x >> (32 - n)) & _ALL


def _blocks(data, order):
    """The words of 32 bits of the padded text, 16 at a time."""
    padded = data + [0x80] + [0] * ((55 - len(data)) % 64)
    size = [len(data) * 8 >> 8 * i & 255 for i in range(8)]
    padded += size if order == "little" else size[::-1]
    places = (0, 8, 16, 24) if order == "little" else (24, 16, 8, 0)
    for start in range(0, len(padded), 64):
        yield [sum(padded[i + k] << place for k, place in enumerate(places)) for i in range(start, start + 64, 4)]


def _md5(data):
    state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]
    turns = ((7, 12, 17, 22), (5, 9, 14, 20), (4, 11, 16, 23), (6, 10, 15, 21))
    for words in _blocks(data, "little"):
        a, b, c, d = state
        for i in range(64):
            if i < 16:
                f, k = b & c | ~b & d, i
            elif i < 32:
                f, k = b & d | c & ~d, (5 * i + 1) % 16
            elif i < 48:
                f, k = b ^ c ^ d, (3 * i + 5) % 16
            else:
                f, k = c ^ (b | ~d & _ALL), 7 * i % 16
            f = (f + a + int(abs(_sin(i + 1)) * 4294967296) + words[k]) & _ALL
            a, b, c, d = d, (b + _turned(f, turns[i // 16][i % 4])) & _ALL, b, c
        state = [(x + y) & _ALL for x, y in zip(state, (a, b, c, d))]
    return "".join(f"{x >> place & 255:02x}" for x in state for place in (0, 8, 16, 24))


def _sha1(data):
    state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0]
    for words in _blocks(data, "big"):
        for i in range(16, 80):
            words.append(_turned(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1))
        a, b, c, d, e = state
        for i in range(80):
            if i < 20:
                f, k = b & c | ~b & d, 0x5a827999
            elif i < 40:
                f, k = b ^ c ^ d, 0x6ed9eba1
            elif i < 60:
                f, k = b & c | b & d | c & d, 0x8f1bbcdc
            else:
                f, k = b ^ c ^ d, 0xca62c1d6
            a, b, c, d, e = (_turned(a, 5) + (f & _ALL) + e + k + words[i]) & _ALL, a, _turned(b, 30), c, d
        state = [(x + y) & _ALL for x, y in zip(state, (a, b, c, d, e))]
    return "".join(f"{x:08x}" for x in state)


class _Hash:
    def __init__(self, name, data):
        self.name = name
        self.block_size = 128 if name == "sha512" else 64
        self.digest_size = {"md5": 16, "sha1": 20, "sha256": 32, "sha512": 64}[name]
        self._data = []
        self.update(data)

    def update(self, data):
        if isinstance(data, str):
            raise TypeError("Strings must be encoded before hashing")
        self._data += list(data)

    def copy(self):
        other = _Hash(self.name, b"")
        other._data = list(self._data)
        return other

    def hexdigest(self):
        if self.name == "md5":
            return _md5(self._data)
        return _sha1(self._data) if self.name == "sha1" else _digest(self.name, self._data)

    def digest(self):
        return bytes.fromhex(self.hexdigest())

    def __repr__(self):
        return f"<{self.name} _hashlib.HASH object>"


def new(name, data=b"", usedforsecurity=True):
    if name not in algorithms_available:
        raise ValueError(f"unsupported hash type {name}")
    return _Hash(name, data)


def md5(string=b"", usedforsecurity=True):
    return _Hash("md5", string)


def sha1(string=b"", usedforsecurity=True):
    return _Hash("sha1", string)


def sha256(string=b"", usedforsecurity=True):
    return _Hash("sha256", string)


def sha512(string=b"", usedforsecurity=True):
    return _Hash("sha512", string)
