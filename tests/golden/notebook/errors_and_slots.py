import sys, os, copy, string, random, operator, warnings, logging, traceback
class ShapeError(ValueError):
    def __init__(self, got, want):
        super().__init__(f"got {got}, want {want}")
        self.got = got
def check(a, b):
    if a != b: raise ShapeError(a, b)
for args in [(1, 1), ((2, 3), (3, 2))]:
    try: check(*args)
    except ShapeError as e: print('ShapeError', e, e.got, e.args)
    else: print('fine')
    finally: print('checked')
def chain():
    try: {}['k']
    except KeyError as e: raise RuntimeError('outer') from e
try: chain()
except RuntimeError as e: print(repr(e), repr(e.__cause__), type(e.__cause__).__name__)
for bad in ["int('x')", 1, 2, 3, 4, 5, 6, 7, 8, 9]:
    try:
        if bad == "int('x')": int('x')
        elif bad == 1: [1][5]
        elif bad == 2: {}['a']
        elif bad == 3: None.foo
        elif bad == 4: 'a' + 1
        elif bad == 5: (1).append(2)
        elif bad == 6: undefined_name
        elif bad == 7: (lambda x: x)()
        elif bad == 8: a, b = [1, 2, 3]
        elif bad == 9: [1, 2].index(7)
    except (ValueError, LookupError) as e: print(type(e).__name__, e)
    except Exception as e: print('E', type(e).__name__, str(e))
class Res:
    def __enter__(self): print('in'); return self
    def __exit__(self, t, v, tb): print('out', t.__name__ if t else None, v); return t is KeyError
with Res() as r: raise KeyError('swallowed')
try:
    with Res(): raise IndexError('through')
except IndexError as e: print('got', e)
a = [[1], [2]]; b = copy.copy(a); c = copy.deepcopy(a); a[0].append(9); print(b, c)
print(string.ascii_lowercase[:5], string.punctuation[:4], operator.itemgetter(1)([5, 6]), sys.version_info >= (3, 8), os.path.join('a', 'b.txt'), os.path.basename('/x/y.z'))
class P:
    __slots__ = ('x', 'y')
    def __init__(self, x, y): self.x, self.y = x, y
p = P(1, 2)
try: p.z = 3
except AttributeError as e: print(e)
class Temp:
    def __init__(self): self._c = 0
    @property
    def f(self): return self._c * 9 / 5 + 32
    @f.setter
    def f(self, v):
        if v < -459: raise ValueError('below zero')
        self._c = (v - 32) * 5 / 9
    @classmethod
    def make(cls, v): t = cls(); t.f = v; return t
    def __eq__(self, o): return isinstance(o, Temp) and self._c == o._c
    def __hash__(self): return hash(self._c)
    def __len__(self): return 3
    def __getitem__(self, i):
        if i >= 3: raise IndexError
        return i * 10
    def __contains__(self, x): return x == 20
    def __bool__(self): return True
    def __format__(self, spec): return f'T<{spec}>'
t = Temp.make(212); print(t.f, t == Temp.make(212), len({t, Temp.make(212)}), list(t), 20 in t, f'{t:abc}', t[1:] if False else t[1])
try: t.f = -1000
except ValueError as e: print(e)
warnings.warn('careful') if False else None
try:
    try: 1 / 0
    except ZeroDivisionError: raise TypeError('second')
except TypeError as e: print(e.__context__, e.__suppress_context__)
try: assert 1 == 2, 'math broke'
except AssertionError as e: print('assert', e)
class Base:
    registry = {}
    def __init_subclass__(cls, **kw): super().__init_subclass__(**kw); Base.registry[cls.__name__] = cls
class A(Base): pass
class B(A): pass
print(list(Base.registry), B.__mro__, issubclass(B, Base), [k for k in vars(t)], getattr(t, 'nope', 'dflt'), hasattr(t, 'f'), callable(check))
