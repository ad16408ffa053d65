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


class NamedTuple:
    pass
