"""dataclasses, as far as cells use it."""


class _Missing:
    pass


MISSING = _Missing()


class _Field:
    def __init__(self, default, default_factory, repr, init, compare):
        self.default = default
        self.default_factory = default_factory
        self.repr = repr
        self.init = init
        self.compare = compare
        self.name = None


def field(*, default=MISSING, default_factory=MISSING, init=True, repr=True, hash=None, compare=True,
          metadata=None, kw_only=False):
    return _Field(default, default_factory, repr, init, compare)


class FrozenInstanceError(AttributeError):
    pass


def _own_fields(cls):
    found = {}
    for base in reversed(cls.__mro__):
        for name, said in base.__dict__.get("__annotations__", {}).items():
            if said.startswith("ClassVar"):
                continue
            value = base.__dict__.get("__dataclass_defaults__", {}).get(name, MISSING)
            if value is MISSING:
                value = base.__dict__.get(name, MISSING)
            if isinstance(value, (list, dict, set)):
                raise ValueError(f"mutable default {type(value)} for field {name} is not "
                                 "allowed: use default_factory")
            one = value if isinstance(value, _Field) else _Field(value, MISSING, True, True, True)
            one.name = name
            found[name] = one
    return found


def dataclass(cls=None, *, init=True, repr=True, eq=True, order=False, frozen=False, **others):
    def decorate(cls):
        found = _own_fields(cls)
        kept = {}
        for name, one in found.items():
            if isinstance(cls.__dict__.get(name), _Field):
                kept[name] = one
                if one.default is MISSING:
                    delattr(cls, name)
                else:
                    setattr(cls, name, one.default)
        cls.__dataclass_defaults__ = kept
        cls.__dataclass_fields__ = found
        names = list(found)
        given = [name for name in names if found[name].init]
        compared = [name for name in names if found[name].compare]
        cls.__match_args__ = tuple(given)

        def __init__(self, *args, **keywords):
            if len(args) > len(given):
                raise TypeError(f"{cls.__name__}.__init__() takes {len(given) + 1} positional "
                                f"arguments but {len(args) + 1} were given")
            values = dict(zip(given, args))
            for name, value in keywords.items():
                if name not in given:
                    raise TypeError(f"{cls.__name__}.__init__() got an unexpected keyword "
                                    f"argument '{name}'")
                if name in values:
                    raise TypeError(f"{cls.__name__}.__init__() got multiple values for "
                                    f"argument '{name}'")
                values[name] = value
            missing = []
            for name, one in found.items():
                if name in values:
                    value = values[name]
                elif one.default is not MISSING:
                    value = one.default
                elif one.default_factory is not MISSING:
                    value = one.default_factory()
                else:
                    if one.init:
                        missing.append(repr_of(name))
                    continue
                object.__setattr__(self, name, value)
            if missing:
                said = missing[0] if len(missing) == 1 else (
                    " and ".join(missing) if len(missing) == 2
                    else ", ".join(missing[:-1]) + ", and " + missing[-1])
                raise TypeError(f"{cls.__name__}.__init__() missing {len(missing)} required "
                                f"positional argument{'s' if len(missing) > 1 else ''}: {said}")
            if hasattr(self, "__post_init__"):
                self.__post_init__()

        def __repr__(self):
            parts = [f"{n}={getattr(self, n)!r}" for n in names if found[n].repr]
            return f"{type(self).__name__}({', '.join(parts)})"

        def __eq__(self, other):
            if type(self) is not type(other):
                return NotImplemented
            return all(getattr(self, n) == getattr(other, n) for n in compared)

        def key(one):
            return tuple(getattr(one, n) for n in compared)

        def __lt__(self, other):
            return key(self) < key(other) if type(self) is type(other) else NotImplemented

        def __le__(self, other):
            return key(self) <= key(other) if type(self) is type(other) else NotImplemented

        def __gt__(self, other):
            return key(self) > key(other) if type(self) is type(other) else NotImplemented

        def __ge__(self, other):
            return key(self) >= key(other) if type(self) is type(other) else NotImplemented

        def __delattr__(self, name):
            raise FrozenInstanceError(f"cannot delete field '{name}'")

        def __setattr__(self, name, value):
            raise FrozenInstanceError(f"cannot assign to field '{name}'")

        def __hash__(self):
            return hash(tuple(getattr(self, n) for n in compared))

        own = cls.__dict__
        if init and "__init__" not in own:
            cls.__init__ = __init__
        if repr and "__repr__" not in own:
            cls.__repr__ = __repr__
        if eq and "__eq__" not in own:
            cls.__eq__ = __eq__
        if order:
            cls.__lt__, cls.__le__, cls.__gt__, cls.__ge__ = __lt__, __le__, __gt__, __ge__
        if frozen:
            cls.__setattr__ = __setattr__
            cls.__delattr__ = __delattr__
            cls.__hash__ = __hash__
        return cls
    repr_of = _repr
    return decorate if cls is None else decorate(cls)


_repr = repr


def fields(value):
    return tuple(value.__dataclass_fields__.values())


def asdict(value):
    def plain(v):
        if hasattr(v, "__dataclass_fields__"):
            return asdict(v)
        if isinstance(v, (list, tuple)):
            return type(v)(plain(x) for x in v)
        if isinstance(v, dict):
            return {k: plain(x) for k, x in v.items()}
        return v
    return {name: plain(getattr(value, name)) for name in value.__dataclass_fields__}


def astuple(value):
    def plain(v):
        if hasattr(v, "__dataclass_fields__"):
            return astuple(v)
        if isinstance(v, (list, tuple)):
            return type(v)(plain(x) for x in v)
        return v
    return tuple(plain(getattr(value, name)) for name in value.__dataclass_fields__)


def replace(value, **changes):
    return type(value)(**{**{n: getattr(value, n) for n, one in value.__dataclass_fields__.items() if one.init},
                          **changes})


def is_dataclass(value):
    return hasattr(value, "__dataclass_fields__")
