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


def namedtuple(typename, field_names, defaults=()):
    if isinstance(field_names, str):
        field_names = field_names.replace(",", " ").split()
    names = tuple(field_names)
    given = dict(zip(names[len(names) - len(defaults):], defaults))

    class Named:
        _fields = names

        def __init__(self, *args, **keywords):
            if len(args) > len(names):
                raise TypeError(f"{typename}.__new__() takes {len(names) + 1} positional "
                                f"arguments but {len(args) + 1} were given")
            values = {**given, **dict(zip(names, args)), **keywords}
            missing = [name for name in names if name not in values]
            if missing:
                raise TypeError(f"{typename}.__new__() missing {len(missing)} required "
                                f"positional argument{'s' if len(missing) > 1 else ''}: "
                                + " and ".join(repr(name) for name in missing))
            for name in names:
                setattr(self, name, values[name])

        def __iter__(self):
            return iter([getattr(self, name) for name in names])

        def __getitem__(self, i):
            return tuple(self)[i]

        def __len__(self):
            return len(names)

        def __eq__(self, other):
            return tuple(self) == tuple(other)

        def __lt__(self, other):
            return tuple(self) < tuple(other)

        def __hash__(self):
            return hash(tuple(self))

        def _replace(self, **changes):
            return Named(**{**self._asdict(), **changes})

        def _asdict(self):
            return {name: getattr(self, name) for name in names}

        def __repr__(self):
            return typename + "(" + ", ".join(f"{n}={getattr(self, n)!r}" for n in names) + ")"
    _set_class_name(Named, typename)
    return Named
