"""abc: a class with abstract methods makes no instances."""


def abstractmethod(function):
    function.__isabstractmethod__ = True
    return function


class ABC:
    def __new__(cls, *args, **kwargs):
        names = []
        for name in sorted(set(dir(cls))):
            if getattr(getattr(cls, name, None), "__isabstractmethod__", False):
                names.append(name)
        if names:
            raise TypeError(f"Can't instantiate abstract class {cls.__name__} with abstract "
                            f"method{'s' if len(names) > 1 else ''} {', '.join(names)}")
        return object.__new__(cls)


class ABCMeta:
    pass
