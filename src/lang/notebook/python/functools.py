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
    def decorate(function):
        kept = {}

        def cached(*args, **keywords):
            key = (args, tuple(sorted(keywords.items())))
            if key not in kept:
                kept[key] = function(*args, **keywords)
            return kept[key]
        cached.__name__ = getattr(function, "__name__", None)
        cached.__wrapped__ = function
        cached.cache_clear = kept.clear
        return cached
    if callable(maxsize):
        return decorate(maxsize)
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
    return cls
