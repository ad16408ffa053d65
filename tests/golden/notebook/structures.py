import heapq, bisect, string, textwrap, statistics, operator
from collections import deque, namedtuple, ChainMap, OrderedDict, Counter, defaultdict
from dataclasses import dataclass, field, replace, asdict, astuple
from enum import Enum, auto, IntEnum
from abc import ABC, abstractmethod
from typing import List, Optional, Iterator, Protocol, Generic, TypeVar
T = TypeVar('T')
class Stack(Generic[T]):
    def __init__(self) -> None: self.items: List[T] = []
    def push(self, x: T) -> None: self.items.append(x)
    def pop(self) -> T: return self.items.pop()
    def __len__(self): return len(self.items)
    def __iter__(self) -> Iterator[T]: return iter(reversed(self.items))
    def __contains__(self, x): return x in self.items
    def __getitem__(self, i): return self.items[i]
s = Stack[int]()
for i in range(4): s.push(i)
print(list(s), s.pop(), len(s), 2 in s, s[-1], s[:2])
@dataclass(order=True)
class Hypothesis:
    score: float
    tokens: list = field(default_factory=list, compare=False)
    done: bool = field(default=False, repr=False)
    def extend(self, t, lp): return replace(self, score=self.score + lp, tokens=self.tokens + [t], done=t == 0)
@dataclass(frozen=True)
class Point:
    x: int
    y: int = 0
    def __post_init__(self):
        if self.x < 0: raise ValueError("x")
def beam_search(step, width, length):
    beams = [Hypothesis(0.0, [1])]
    for _ in range(length):
        cands = [h.extend(t, lp) for h in beams for t, lp in step(h.tokens)]
        beams = heapq.nlargest(width, cands)
    return beams
def step(tokens):
    last = tokens[-1]
    return [((last * 3 + 1) % 7, -0.1), ((last + 2) % 7, -0.35), (0, -1.2)]
for h in beam_search(step, 2, 3): print(h, h.done)
p = Point(1, 2)
try: p.x = 5
except Exception as e: print(type(e).__name__, e)
print(asdict(p), astuple(p), hash(p) == hash(Point(1, 2)), {p: 'here'}[Point(1, 2)])
class Mode(Enum):
    TRAIN = auto()
    EVAL = 'eval'
    @property
    def pretty(self): return self.name.title()
class Level(IntEnum):
    LOW = 1
    HIGH = 3
print(Mode.TRAIN, Mode('eval'), Mode['TRAIN'].value, [m.pretty for m in Mode], Level.HIGH > Level.LOW, Level.HIGH + 1, repr(Level.LOW))
class Base(ABC):
    @abstractmethod
    def run(self): ...
    def __init_subclass__(cls, **kw): super().__init_subclass__(**kw); print('registered', cls.__name__)
class Impl(Base):
    def run(self): return 'ok'
try: Base()
except TypeError as e: print(e)
print(Impl().run(), Impl.__mro__[1].__name__, issubclass(Impl, Base))
d = deque([1, 2, 3], maxlen=3); d.append(4); d.rotate(1); print(d, d[0])
cm = ChainMap({'a': 1}, {'a': 2, 'b': 3}); print(cm['a'], cm['b'], dict(cm))
a = [1, 3, 5, 7]; bisect.insort(a, 4); print(a, bisect.bisect_left(a, 5))
print(statistics.mean([1, 2, 3, 4]), statistics.stdev([1, 2, 3, 4]), statistics.median([3, 1, 2]))
print(textwrap.fill("attention is all you need and more words to wrap", 20))
print(textwrap.dedent("""\
    a
      b"""))
print(sorted({'b': 2, 'a': 1}.items(), key=operator.itemgetter(1), reverse=True), string.ascii_lowercase[:5])
Pt = namedtuple('Pt', 'x y', defaults=[0]); print(Pt(1), Pt(1, 2)._replace(x=9)._asdict())
def gen():
    try:
        x = yield 1
        while True: x = yield x * 2
    finally: print('closed')
g = gen(); next(g); print(g.send(5), g.send(7)); g.close()
print(*(f"{k}={v}" for k, v in Counter("mississippi").most_common(2)), sep=', ')
x = [[0] * 3 for _ in range(2)]; x[1][2] = 7; print(x, [*zip(*x)])
print({**{'a': 1}, 'b': 2} | {'c': 3}, {1, 2} ^ {2, 3}, [i for i in range(20) if not i % 7 if i])
first, *mid, last = "attention"; print(first, ''.join(mid), last)
try:
    try: 1 / 0
    except ZeroDivisionError as e: raise RuntimeError("outer") from e
except RuntimeError as e: print(repr(e), repr(e.__cause__))
print("%-8s|%5.1f|%03d|%s" % ("ab", 2.345, 7, [1]), "{:<5}|{:>5}|{:^5}".format(1, 2, 3), "{0}{1}{0}".format('a', 'b'))
