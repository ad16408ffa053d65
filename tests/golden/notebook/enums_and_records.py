from __future__ import annotations
from dataclasses import dataclass, field, asdict, replace, fields, astuple
from enum import Enum, IntEnum, auto
from typing import NamedTuple, Optional, ClassVar, Protocol, TypeVar, Generic, Union, Callable, Any, Literal
class Act(Enum):
    RELU = "relu"
    GELU = "gelu"
    @property
    def pretty(self): return self.value.upper()
class Level(IntEnum):
    LOW = auto()
    HIGH = auto()
class Shape(NamedTuple):
    rows: int
    cols: int = 1
    def area(self): return self.rows * self.cols
@dataclass(frozen=True, order=True)
class Version:
    major: int
    minor: int = 0
    tags: tuple = field(default=(), compare=False)
@dataclass
class Config:
    n_head: int = 4
    d_model: int = 16
    act: Act = Act.GELU
    layers: list[int] = field(default_factory=list)
    head_dim: int = field(init=False, repr=False)
    count: ClassVar[int] = 0
    def __post_init__(self):
        self.head_dim = self.d_model // self.n_head
        Config.count += 1
c = Config(layers=[1, 2]); print(c, c.head_dim, Config.count)
print(asdict(c)); print(replace(c, n_head=8).head_dim, [f.name for f in fields(c)], astuple(Version(1, 2)))
print(Version(1, 2) < Version(1, 10), sorted([Version(2), Version(1, 5)]), {Version(1): 'a'}[Version(1)])
try: Version(1).major = 3
except Exception as e: print(type(e).__name__, e)
print(Act.RELU, Act('gelu'), Act['RELU'].pretty, [a.name for a in Act], repr(Act.GELU), Act.RELU is Act.RELU, Act.RELU == 'relu')
print(Level.HIGH > Level.LOW, int(Level.HIGH), Level.HIGH + 1, list(Level), isinstance(Level.LOW, int))
s = Shape(2, 3); print(s, s.area(), s[0], s._replace(cols=5), Shape(4), *s, s._asdict(), s == (2, 3)); r, k = s
try: Act('swish')
except ValueError as e: print(e)
T = TypeVar('T')
class Stack(Generic[T]):
    def __init__(self) -> None: self.items: list[T] = []
    def push(self, x: T) -> None: self.items.append(x)
    def pop(self) -> Optional[T]: return self.items.pop() if self.items else None
st: Stack[int] = Stack(); st.push(3); print(st.pop(), st.pop())
def f(mode: Literal['a', 'b'], cb: Callable[[int], Any], x: int | None = None) -> Union[int, str]: return cb(x or 2)
print(f('a', lambda v: v * 2), f.__name__)
