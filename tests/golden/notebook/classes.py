from dataclasses import dataclass, field
from functools import wraps, lru_cache, partial
from contextlib import contextmanager
from abc import ABC, abstractmethod
from typing import Optional, List


class Base:
    count = 0

    def __init__(self, name):
        self.name = name
        Base.count += 1

    def hello(self):
        return f"{type(self).__name__} {self.name}"

    def __eq__(self, other):
        return isinstance(other, Base) and self.name == other.name

    def __hash__(self):
        return hash(self.name)

    def __lt__(self, other):
        return self.name < other.name

    def __len__(self):
        return len(self.name)

    def __contains__(self, c):
        return c in self.name

    def __getitem__(self, i):
        return self.name[i]

    def __iter__(self):
        return iter(self.name)

    def __bool__(self):
        return self.name != ""

    def __call__(self, *args):
        return args


class Child(Base):
    def __init__(self, name, age=0):
        super().__init__(name)
        self.age = age

    def hello(self):
        return super().hello() + "!"

    def __str__(self):
        return f"<{self.name}>"

    def __enter__(self):
        print("enter", self)
        return self

    def __exit__(self, kind, error, trace):
        print("exit", kind.__name__ if kind else None, error)
        return kind is ValueError


b, c = Base("b"), Child("c", age=3)
print(b.hello(), c.hello(), str(c), Base.count, b == Base("b"), b != c, b < c, len(c), "c" in c, c[0], list(c), c(1, 2))
print({b: 1}[Base("b")], bool(Base("")), sorted([c, b])[0] is b, isinstance(c, Base), issubclass(Child, Base), Child.__mro__[1].__name__)
with c as inside:
    print(inside.age)
with c:
    raise ValueError("swallowed")
try:
    with c:
        raise KeyError("k")
except KeyError as e:
    print("got", e, repr(e), e.args)


class Temperature:
    def __init__(self, celsius):
        self._celsius = celsius

    @property
    def fahrenheit(self):
        return self._celsius * 9 / 5 + 32

    @fahrenheit.setter
    def fahrenheit(self, value):
        self._celsius = (value - 32) * 5 / 9

    @staticmethod
    def freezing():
        return 0

    @classmethod
    def boiling(cls):
        return cls(100)


t = Temperature.boiling()
t.fahrenheit = 50
print(t._celsius, t.fahrenheit, Temperature.freezing(), t.__dict__, hasattr(t, "nope"), getattr(t, "nope", "default"))
t.extra = 1
setattr(t, "more", 2)
print(vars(t), t.more)


@dataclass
class Config:
    n_layer: int = 12
    n_head: int = 12
    name: str = "gpt"
    tags: List[str] = field(default_factory=list)
    bias: Optional[bool] = None


cfg = Config(n_layer=6, tags=["x"])
print(cfg, cfg == Config(6, tags=["x"]), Config().tags is Config().tags)


@dataclass(frozen=True, order=True)
class P:
    x: float
    y: float = 0.0

    def norm(self):
        return (self.x ** 2 + self.y ** 2) ** 0.5


print(P(3, 4).norm(), P(1) < P(2), {P(1): "a"}[P(1)])
try:
    P(1).x = 5
except Exception as e:
    print(type(e).__name__, e)
try:
    P()
except TypeError as e:
    print(e)


def logged(prefix="log"):
    def decorate(f):
        @wraps(f)
        def inner(*args, **kwargs):
            print(prefix, f.__name__, args, kwargs)
            return f(*args, **kwargs)
        return inner
    return decorate


@logged("call")
def add(a, b=1):
    """Adds."""
    return a + b


print(add(1, b=2), add.__name__, add.__doc__)


@lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


print(fib(60), partial(add, 1)(5))


class Shape(ABC):
    @abstractmethod
    def area(self): ...

    def describe(self):
        return f"{self.__class__.__name__} of {self.area():.2f}"


class Square(Shape):
    def __init__(self, side): self.side = side
    def area(self): return self.side ** 2


print(Square(2).describe())


class A:
    def who(self): return ["A"]
class L(A):
    def who(self): return ["L"] + super().who()
class R(A):
    def who(self): return ["R"] + super().who()
class D(L, R):
    def who(self): return ["D"] + super().who()


print(D().who(), [k.__name__ for k in D.__mro__])


class Countdown:
    def __init__(self, n): self.n = n
    def __iter__(self): return self
    def __next__(self):
        if self.n <= 0:
            raise StopIteration
        self.n -= 1
        return self.n


print(list(Countdown(3)), sum(Countdown(4)), max(Countdown(3)))


def numbers():
    x = yield 1
    print("sent", x)
    yield from [2, 3]
    return "end"


g = numbers()
print(next(g), g.send("hi"), list(g), next(g, "over"))


@contextmanager
def tag(name):
    print(f"<{name}>")
    yield name.upper()
    print(f"</{name}>")


with tag("b") as big:
    print(big)


class MyList(list):
    def total(self): return sum(self)


class MyDict(dict):
    def __missing__(self, key): return key * 2


m = MyList([1, 2]); m.append(3)
print(m, m.total(), len(m), m[1], MyDict(a=1)["zz"], isinstance(m, list), m + [4])


class MyError(ValueError):
    def __init__(self, code, message="bad"):
        super().__init__(message)
        self.code = code


try:
    raise MyError(7, "seven")
except (TypeError, ValueError) as e:
    print(e.code, e, repr(e), isinstance(e, MyError))


def f(n):
    try:
        if n == 0: return "zero"
        if n == 1: raise RuntimeError("one")
        return "other"
    except RuntimeError as e:
        return f"caught {e}"
    finally:
        print("finally", n)


print(f(0), f(1), f(2))
for i in range(4):
    try:
        if i == 1: continue
        if i == 3: break
        print("body", i)
    finally:
        print("after", i)
else:
    print("never")
try:
    try:
        1 / 0
    except ZeroDivisionError:
        raise
except ZeroDivisionError as e:
    print("outer", e)


class V:
    def __init__(self, x): self.x = x
    def __add__(self, o): return V(self.x + (o.x if isinstance(o, V) else o))
    __radd__ = __add__
    def __iadd__(self, o):
        self.x += 100
        return self
    def __neg__(self): return V(-self.x)
    def __getattr__(self, name): return f"no {name}"
    def __matmul__(self, o): return "matmul"
    def __getitem__(self, k): return k
    def __setitem__(self, k, v): print("set", k, v)
    def __repr__(self): return f"V({self.x})"
    def __format__(self, spec): return f"[{spec}]"


v = V(1)
w = v + 1 + V(2)
v += 5
print(w, v, 3 + V(1), sum([V(1), V(2)]), -v, v.foo, v @ v, v[1:2, ..., None], v[::2], f"{v:abc}")
v[1, 2] = 3
x = 10
def outer():
    x = 20
    def inner():
        global x
        x = 30
    inner()
    return x
print(outer(), x)
fs = [lambda i=i: i * 2 for i in range(3)]
print([f() for f in fs], [f() for f in [lambda: i for i in range(2)]])
print((lambda a, *b, c=3, **d: (a, b, c, d))(1, 2, c=4, e=5))
assert True, "fine"
try:
    assert 1 == 2, "math works"
except AssertionError as e:
    print("assert:", e)
print(*[1, 2], **{"sep": "-"})
if __name__ == "__main__":
    print("main")
