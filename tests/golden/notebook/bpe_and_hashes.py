"""minbpe in plain Python with annotations, hashlib, unicodedata and a class that inspects itself."""
import hashlib
from functools import lru_cache, cached_property, total_ordering, singledispatch
from itertools import groupby, pairwise, accumulate, islice, count, product, zip_longest
from typing import get_type_hints
def get_stats(ids, counts=None):
    counts = {} if counts is None else counts
    for pair in zip(ids, ids[1:]):
        counts[pair] = counts.get(pair, 0) + 1
    return counts
def merge(ids, pair, idx):
    newids = []
    i = 0
    while i < len(ids):
        if ids[i] == pair[0] and i < len(ids) - 1 and ids[i+1] == pair[1]:
            newids.append(idx)
            i += 2
        else:
            newids.append(ids[i])
            i += 1
    return newids
class BasicTokenizer:
    vocab: dict
    merges: dict = {}
    def __init__(self):
        self.merges = {}
        self.vocab = {idx: bytes([idx]) for idx in range(256)}
    def train(self, text: str, vocab_size: int, verbose: bool = False) -> None:
        num_merges = vocab_size - 256
        ids = list(text.encode("utf-8"))
        for i in range(num_merges):
            stats = get_stats(ids)
            pair = max(stats, key=stats.get)
            idx = 256 + i
            ids = merge(ids, pair, idx)
            self.merges[pair] = idx
            self.vocab[idx] = self.vocab[pair[0]] + self.vocab[pair[1]]
            if verbose:
                print(f"merge {i+1}/{num_merges}: {pair} -> {idx} ({self.vocab[idx]}) had {stats[pair]} occurrences")
    def decode(self, ids):
        return b"".join(self.vocab[idx] for idx in ids).decode("utf-8", errors="replace")
    def encode(self, text):
        ids = list(text.encode("utf-8"))
        while len(ids) >= 2:
            stats = get_stats(ids)
            pair = min(stats, key=lambda p: self.merges.get(p, float("inf")))
            if pair not in self.merges:
                break
            ids = merge(ids, pair, self.merges[pair])
        return ids
tok = BasicTokenizer()
tok.train("the theatre then thawed — naïve café ☕ " * 2, 266, verbose=True)
print(tok.encode("the café"), tok.decode(tok.encode("the café ☕")))
print(tok.decode([128, 257]))
def f(x: int, y: 'str' = "a", *rest: float) -> list: ...
print(f.__name__, f.__defaults__, f.__doc__)
print(hashlib.md5(b"attention").hexdigest(), hashlib.sha256("is all".encode()).hexdigest()[:16])
h = hashlib.sha1(); h.update(b"you"); h.update(b" need"); print(h.hexdigest())
print(int(hashlib.sha256(b"x").hexdigest()[:8], 16) % 1000)
@total_ordering
class Version:
    def __init__(self, s): self.t = tuple(map(int, s.split('.')))
    def __eq__(self, o): return self.t == o.t
    def __lt__(self, o): return self.t < o.t
print(Version("1.13") >= Version("1.9"), max(map(Version, ["0.9", "2.1"])).t)
@lru_cache(maxsize=None)
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(60), fib.cache_info().misses)
print([(k, len(list(g))) for k, g in groupby("aaabbc")], list(pairwise([1, 2, 3])), list(accumulate([1, 2, 3], lambda a, b: a * b)))
print(list(islice(count(5, 2), 3)), list(zip_longest([1, 2], 'a', fillvalue='-')), len(list(product('ab', repeat=3))))
@singledispatch
def show(x): return f"object {x}"
@show.register(int)
def _(x): return f"int {x}"
@show.register(list)
def _(x): return f"list of {len(x)}"
print(show(3), show([1]), show('q'))
print(f"{3.14159:>10.2f}|{'mid':^9}|{12345:,}|{255:#x}|{0.5:.1%}|{1e-7:g}|{'x'!r:>5}|{7:03d}|{-3:+}")
