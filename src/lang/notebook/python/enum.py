"""enum, without metaclasses: what a class of members answers stands in iterators.c and operators.c."""


class auto:
    pass


def unique(cls):
    return cls


class Enum:
    def __init_subclass__(cls, **keywords):
        members, by_value, last = {}, [], 0
        for name, value in list(cls.__dict__.items()):
            if name.startswith("_") or callable(value) or isinstance(value, (property, staticmethod,
                                                                              classmethod)):
                continue
            if isinstance(value, auto):
                value = cls._generate(name, last)
            last = value
            for other in by_value:
                if other._value_ == value:
                    members[name] = other
                    break
            else:
                member = cls._make(value)
                member._name_ = name
                member._value_ = value
                if "__init__" in cls.__dict__:
                    member.__init__(*(value if isinstance(value, tuple) else (value,)))
                members[name] = member
                by_value.append(member)
        for name, member in members.items():
            setattr(cls, name, member)
        cls.__members__ = members
        cls._all_ = by_value
        cls._is_made_ = True

    def __new__(cls, value):
        for member in getattr(cls, "_all_", ()):
            if member is value or member._value_ == value:
                return member
        raise ValueError(f"{value!r} is not a valid {cls.__name__}")

    def __init__(self, *value):
        pass

    @classmethod
    def _make(cls, value):
        return object.__new__(cls)

    @classmethod
    def _generate(cls, name, last):
        return last + 1

    def __class_getitem__(cls, name):
        return cls.__members__[name]

    @property
    def name(self):
        return self._name_

    @property
    def value(self):
        return self._value_

    def __repr__(self):
        return f"<{type(self).__name__}.{self._name_}: {self._value_!r}>"

    def __str__(self):
        return f"{type(self).__name__}.{self._name_}"

    def __hash__(self):
        return hash(self._name_)

    def __eq__(self, other):
        return self is other


class StrEnum(str, Enum):
    @classmethod
    def _make(cls, value):
        return str.__new__(cls, value)

    @classmethod
    def _generate(cls, name, last):
        return name.lower()

    def __eq__(self, other):
        return self._value_ == other

    def __hash__(self):
        return hash(self._value_)

    def __str__(self):
        return self._value_


class IntEnum(int, Enum):
    @classmethod
    def _make(cls, value):
        return int.__new__(cls, value)

    def __eq__(self, other):
        return self._value_ == other

    def __hash__(self):
        return hash(self._value_)

    def __str__(self):
        return str(self._value_)

    def __format__(self, spec):
        return format(self._value_, spec)
