"""abc: abstract methods are methods."""


class ABC:
    pass


class ABCMeta:
    pass


def abstractmethod(function):
    return function
