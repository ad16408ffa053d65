class Registry:
    items = {}
    @classmethod
    def register(cls, name=None):
        def inner(f):
            cls.items[name or f.__name__] = f
            return f
        return inner
    def __init_subclass__(cls, **kw):
        Registry.items[cls.__name__] = cls
@Registry.register()
def one(): return 1
@Registry.register("deux")
def two(): return 2
class Sub(Registry): pass
print(sorted(Registry.items), Registry.items["deux"](), Registry.items["Sub"] is Sub)
class Meter:
    def __init__(self, **kw):
        for k, v in kw.items(): setattr(self, k, v)
    def __getattr__(self, n):
        if n.startswith("get_"): return lambda: self.__dict__[n[4:]]
        raise AttributeError(f"no {n}")
m = Meter(a=1, b="x")
print(m.get_a(), m.get_b(), m.__dict__, getattr(m, "zz", "none"))
try: m.zz
except AttributeError as e: print(e)
print(type(m).__name__, m.__class__ is Meter, callable(m), isinstance(Meter, type))
print(one.__name__, (lambda: 0).__name__, Meter.__init__.__name__, str.upper("a"), list.append.__name__)
def f(a, b=2, *args, c, d=4, **kw): return a, b, args, c, d, kw
print(f(1, c=3), f(1, 2, 3, 4, c=5, z=6), f(*[1, 2], **{"c": 3}))
