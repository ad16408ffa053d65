"""collections, as far as cells use it."""
from _attn import set_class_name as _set_class_name


class OrderedDict(dict):
    def move_to_end(self, key, last=True):
        value = self.pop(key)
        if last:
            self[key] = value
            return
        rest = list(self.items())
        self.clear()
        self[key] = value
        for k, v in rest:
            self[k] = v

    def popitem(self, last=True):
        if not self:
            raise KeyError("dictionary is empty")
        key = list(self)[-1 if last else 0]
        return key, self.pop(key)

    def __repr__(self):
        return "OrderedDict(" + (repr(list(self.items())) if self else "") + ")"


class defaultdict(dict):
    def __init__(self, default_factory=None, *args, **keywords):
        self.default_factory = default_factory
        self.update(*args, **keywords)

    def __missing__(self, key):
        if self.default_factory is None:
            raise KeyError(key)
        self[key] = value = self.default_factory()
        return value

    def __repr__(self):
        return f"defaultdict({self.default_factory!r}, {dict(self)!r})"


class Counter(dict):
    def __init__(self, iterable=None, **counts):
        self.update(iterable, **counts)

    def __missing__(self, key):
        return 0

    def update(self, iterable=None, **counts):
        if iterable is not None:
            if isinstance(iterable, dict):
                for key, n in iterable.items():
                    self[key] = self[key] + n
            else:
                for key in iterable:
                    self[key] = self[key] + 1
        for key, n in counts.items():
            self[key] = self[key] + n

    def most_common(self, n=None):
        items = sorted(self.items(), key=lambda item: item[1], reverse=True)
        return items if n is None else items[:n]

    def elements(self):
        for key, n in self.items():
            for _ in range(n):
                yield key

    def total(self):
        return sum(self.values())

    def subtract(self, iterable):
        for key in iterable:
            self[key] = self[key] - (iterable[key] if isinstance(iterable, dict) else 1)

    def __add__(self, other):
        both = Counter(self)
        both.update(other)
        return Counter({key: n for key, n in both.items() if n > 0})

    def __and__(self, other):
        return Counter({key: n if n < other[key] else other[key] for key, n in self.items()
                        if n > 0 and other[key] > 0})

    def __or__(self, other):
        both = {key: n if n > other[key] else other[key] for key, n in self.items()}
        both.update({key: n for key, n in other.items() if key not in self})
        return Counter({key: n for key, n in both.items() if n > 0})

    def __le__(self, other):
        return all(self[key] <= other[key] for key in [*self, *other])

    def __sub__(self, other):
        left = Counter(self)
        left.subtract(other)
        return Counter({key: n for key, n in left.items() if n > 0})

    def __repr__(self):
        if not self:
            return "Counter()"
        return "Counter({" + ", ".join(f"{k!r}: {n!r}" for k, n in self.most_common()) + "})"


class deque:
    def __init__(self, iterable=(), maxlen=None):
        self.items = []
        self.maxlen = maxlen
        self.extend(iterable)

    def append(self, item):
        self.items.append(item)
        if self.maxlen is not None and len(self.items) > self.maxlen:
            self.items.pop(0)

    def appendleft(self, item):
        self.items.insert(0, item)
        if self.maxlen is not None and len(self.items) > self.maxlen:
            self.items.pop()

    def extend(self, iterable):
        for item in iterable:
            self.append(item)

    def extendleft(self, iterable):
        for item in iterable:
            self.appendleft(item)

    def pop(self):
        if not self.items:
            raise IndexError("pop from an empty deque")
        return self.items.pop()

    def popleft(self):
        if not self.items:
            raise IndexError("pop from an empty deque")
        return self.items.pop(0)

    def clear(self):
        self.items.clear()

    def rotate(self, n=1):
        if self.items:
            n %= len(self.items)
            self.items = self.items[-n:] + self.items[:-n]

    def __len__(self):
        return len(self.items)

    def __iter__(self):
        return iter(self.items)

    def __getitem__(self, i):
        return self.items[i]

    def __setitem__(self, i, value):
        self.items[i] = value

    def __contains__(self, item):
        return item in self.items

    def __eq__(self, other):
        return isinstance(other, deque) and self.items == other.items

    def __repr__(self):
        limit = "" if self.maxlen is None else f", maxlen={self.maxlen}"
        return f"deque({self.items!r}{limit})"


def _named(cls, names, given):
    """Makes a class that stands on tuple one whose items have names."""
    typename = cls.__name__

    def __new__(cls, *args, **keywords):
        if len(args) > len(names):
            raise TypeError(f"{typename}.__new__() takes {len(names) + 1} positional "
                            f"arguments but {len(args) + 1} were given")
        values = dict(zip(names, args))
        for name, value in keywords.items():
            if name not in names:
                raise TypeError(f"{typename}.__new__() got an unexpected keyword argument '{name}'")
            if name in values:
                raise TypeError(f"{typename}.__new__() got multiple values for argument '{name}'")
            values[name] = value
        missing = [repr(name) for name in names if name not in values and name not in given]
        if missing:
            said = missing[0] if len(missing) == 1 else (
                " and ".join(missing) if len(missing) == 2
                else ", ".join(missing[:-1]) + ", and " + missing[-1])
            raise TypeError(f"{typename}.__new__() missing {len(missing)} required "
                            f"positional argument{'s' if len(missing) > 1 else ''}: {said}")
        return tuple.__new__(cls, [values[name] if name in values else given[name] for name in names])

    def _replace(self, **changes):
        for name in changes:
            if name not in names:
                raise ValueError(f"Got unexpected field names: {[name]!r}")
        return type(self)(*[changes.get(name, value) for name, value in zip(names, self)])

    def _asdict(self):
        return dict(zip(names, self))

    def __repr__(self):
        return type(self).__name__ + "(" + ", ".join([f"{n}={v!r}" for n, v in zip(names, self)]) + ")"

    def field(i):
        return property(lambda self: self[i])

    for i, name in enumerate(names):
        setattr(cls, name, field(i))
    cls._fields = cls.__match_args__ = names
    cls._field_defaults = given
    cls._make = classmethod(lambda cls, values: cls(*values))
    cls.__new__ = __new__
    cls._replace = _replace
    cls._asdict = _asdict
    if "__repr__" not in cls.__dict__:
        cls.__repr__ = __repr__
    return cls


def namedtuple(typename, field_names, *, rename=False, defaults=(), module=None):
    if isinstance(field_names, str):
        field_names = field_names.replace(",", " ").split()
    names = tuple(field_names)
    defaults = tuple(defaults or ())

    class Named(tuple):
        pass

    _set_class_name(Named, typename)
    return _named(Named, names, dict(zip(names[len(names) - len(defaults):], defaults)))


class ChainMap:
    """Several dicts seen as one: the first that has a key gives its value, and writes go to the first."""

    def __init__(self, *maps):
        self.maps = list(maps) or [{}]

    def __getitem__(self, key):
        for d in self.maps:
            if key in d:
                return d[key]
        raise KeyError(key)

    def __setitem__(self, key, value):
        self.maps[0][key] = value

    def __delitem__(self, key):
        if key not in self.maps[0]:
            raise KeyError(f"Key not found in the first mapping: {key!r}")
        del self.maps[0][key]

    def __contains__(self, key):
        return any(key in d for d in self.maps)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def _merged(self):
        merged = {}
        for d in reversed(self.maps):
            merged.update(d)
        return merged

    def __iter__(self):
        return iter(self._merged())

    def __len__(self):
        return len(self._merged())

    def keys(self):
        return self._merged().keys()

    def values(self):
        return [self[key] for key in self]

    def items(self):
        return [(key, self[key]) for key in self]

    def new_child(self, m=None):
        return ChainMap({} if m is None else m, *self.maps)

    @property
    def parents(self):
        return ChainMap(*self.maps[1:])

    def __repr__(self):
        return "ChainMap(" + ", ".join(map(repr, self.maps)) + ")"
