"""contextlib, as far as cells use it."""


class _Manager:
    def __init__(self, generator):
        self.generator = generator

    def __enter__(self):
        return next(self.generator)

    def __exit__(self, kind, error, trace):
        if error is not None:
            raise error
        next(self.generator, None)


def contextmanager(function):
    def make(*args, **keywords):
        return _Manager(function(*args, **keywords))
    return make


class nullcontext:
    def __init__(self, value=None):
        self.value = value

    def __enter__(self):
        return self.value

    def __exit__(self, *error):
        return None


class suppress:
    def __init__(self, *classes):
        self.classes = classes

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return kind is not None and issubclass(kind, self.classes)
