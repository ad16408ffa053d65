"""functools, as far as cells use it."""


class partial:
    def __init__(self, func, *args, **keywords):
        self.func = func
        self.args = args
        self.keywords = keywords

    def __call__(self, *args, **keywords):
        return self.func(*self.args, *args, **{**self.keywords, **keywords})


def reduce(function, iterable, *initial):
    iterator = iter(iterable)
    if initial:
        value = initial[0]
    else:
        try:
            value = next(iterator)
        except StopIteration:
            raise TypeError("reduce() of empty iterable with no initial value")
    for item in iterator:
        value = function(value, item)
    return value


def wraps(wrapped):
    def decorate(wrapper):
        wrapper.__wrapped__ = wrapped
        wrapper.__name__ = getattr(wrapped, "__name__", None)
        wrapper.__doc__ = getattr(wrapped, "__doc__", None)
        return wrapper
    return decorate


def update_wrapper(wrapper, wrapped):
    return wraps(wrapped)(wrapper)


def lru_cache(maxsize=128, typed=False):
    from collections import namedtuple
    info = namedtuple("CacheInfo", "hits misses maxsize currsize")

    def decorate(function):
        kept, counts = {}, [0, 0]

        def cached(*args, **keywords):
            key = (args, tuple(sorted(keywords.items()))) if keywords else args
            if key in kept:
                counts[0] += 1
                if most is not None:
                    kept[key] = kept.pop(key)
                return kept[key]
            counts[1] += 1
            value = function(*args, **keywords)
            if most is None or most > 0:
                if most is not None and len(kept) >= most:
                    kept.pop(next(iter(kept)))
                kept[key] = value
            return value

        def cache_clear():
            kept.clear()
            counts[:] = [0, 0]
        cached.__name__ = getattr(function, "__name__", None)
        cached.__doc__ = getattr(function, "__doc__", None)
        cached.__wrapped__ = function
        cached.cache_clear = cache_clear
        cached.cache_info = lambda: info(counts[0], counts[1], most, len(kept))
        return cached
    if callable(maxsize):
        most = 128
        return decorate(maxsize)
    most = maxsize
    return decorate


def cache(function):
    return lru_cache(None)(function)


def cmp_to_key(compare):
    class Key:
        def __init__(self, value):
            self.value = value

        def __lt__(self, other):
            return compare(self.value, other.value) < 0
    return Key


def total_ordering(cls):
    """From __lt__ or one of its kind, and __eq__, come the others."""
    own = cls.__dict__
    if "__lt__" in own:
        cls.__gt__ = lambda self, other: not (self < other or self == other)
        cls.__le__ = lambda self, other: self < other or self == other
        cls.__ge__ = lambda self, other: not self < other
    elif "__gt__" in own:
        cls.__lt__ = lambda self, other: not (self > other or self == other)
        cls.__ge__ = lambda self, other: self > other or self == other
        cls.__le__ = lambda self, other: not self > other
    elif "__le__" in own:
        cls.__gt__ = lambda self, other: not self <= other
        cls.__lt__ = lambda self, other: self <= other and not self == other
        cls.__ge__ = lambda self, other: not self <= other or self == other
    elif "__ge__" in own:
        cls.__lt__ = lambda self, other: not self >= other
        cls.__gt__ = lambda self, other: self >= other and not self == other
        cls.__le__ = lambda self, other: not self >= other or self == other
    else:
        raise ValueError("must define at least one ordering operation: < > <= >=")
    return cls


class cached_property:
    """Reads over: computed once, as property() of a function that keeps its value."""

    def __new__(cls, function):
        name = "_cached " + function.__name__

        def read(self):
            if name not in self.__dict__:
                self.__dict__[name] = function(self)
            return self.__dict__[name]
        return property(read)


def singledispatch(function):
    table = {}

    def dispatched(first, *args, **keywords):
        for cls in type(first).__mro__:
            if cls in table:
                return table[cls](first, *args, **keywords)
        return function(first, *args, **keywords)

    def register(cls, given=None):
        if not isinstance(cls, type):
            raise NotImplementedError("attn does not read the annotations of a function; write @f.register(int)")
        if given is None:
            return lambda one: register(cls, one)
        table[cls] = given
        return given
    dispatched.register = register
    return dispatched
