"""typing: annotations are read over, so that all of these only have to be there."""


class _Said:
    def __init__(self, name):
        self.name = name

    def __getitem__(self, item):
        return self

    def __or__(self, other):
        return self

    def __ror__(self, other):
        return self

    def __call__(self, *args, **keywords):
        return self

    def __repr__(self):
        return "typing." + self.name


Any = _Said("Any")
Union = _Said("Union")
Optional = _Said("Optional")
List = _Said("List")
Tuple = _Said("Tuple")
Dict = _Said("Dict")
Set = _Said("Set")
Callable = _Said("Callable")
Iterable = _Said("Iterable")
Iterator = _Said("Iterator")
Generator = _Said("Generator")
Sequence = _Said("Sequence")
Mapping = _Said("Mapping")
Type = _Said("Type")
Literal = _Said("Literal")
ClassVar = _Said("ClassVar")
Final = _Said("Final")
Annotated = _Said("Annotated")
Self = _Said("Self")
Hashable = _Said("Hashable")
Number = _Said("Number")
TYPE_CHECKING = False


def TypeVar(name, *bounds, **others):
    return _Said(name)


def cast(kind, value):
    return value


def overload(function):
    return function


def final(value):
    return value


class Generic:
    def __class_getitem__(cls, item):
        return cls


class Protocol:
    pass


class NamedTuple(tuple):
    def __init_subclass__(cls, **keywords):
        from collections import _named
        own = cls.__dict__
        names = tuple(own.get("__annotations__", {}))
        if names:
            _named(cls, names, {name: own[name] for name in names if name in own})


class TypedDict(dict):
    pass


def runtime_checkable(cls):
    return cls


def get_type_hints(value):
    return dict(getattr(value, "__annotations__", {}))


def NewType(name, kind):
    return kind


Text = str
SupportsFloat = _Said("SupportsFloat")
Awaitable = _Said("Awaitable")
Counter = _Said("Counter")
DefaultDict = _Said("DefaultDict")
Deque = _Said("Deque")
FrozenSet = _Said("FrozenSet")
Collection = _Said("Collection")
MutableMapping = _Said("MutableMapping")
NoReturn = _Said("NoReturn")
Concatenate = _Said("Concatenate")
TypeAlias = _Said("TypeAlias")
Required = _Said("Required")
NotRequired = _Said("NotRequired")


def ParamSpec(name, **others):
    return _Said(name)
