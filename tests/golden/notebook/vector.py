from __future__ import annotations
from dataclasses import dataclass
from typing import Iterator
import operator
from functools import reduce
@dataclass
class Vec:
    x: float
    y: float
    def __add__(self, o: Vec) -> Vec: return Vec(self.x + o.x, self.y + o.y)
    def __mul__(self, k: float) -> Vec: return Vec(self.x * k, self.y * k)
    __rmul__ = __mul__
    def __iter__(self) -> Iterator[float]:
        yield self.x
        yield self.y
    def __abs__(self): return (self.x ** 2 + self.y ** 2) ** .5
    def __bool__(self): return bool(abs(self))
    def __getitem__(self, i): return (self.x, self.y)[i]
vs = [Vec(i, i ** 2) for i in range(4)]
print(reduce(operator.add, vs), abs(Vec(3, 4)), bool(Vec(0, 0)), 2 * Vec(1, 2), [*Vec(1, 2)])
x, y = Vec(5, 6)
print(x, y, Vec(1, 2)[1], vs[2] == Vec(2, 4), sorted(vs, key=abs, reverse=True)[0])
