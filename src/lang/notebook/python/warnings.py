"""warnings: printed on standard error, once for each place; what filters name a category or a text holds for all."""
from _attn import quiet as _quiet, warn as _warn


def warn(message, category=None, stacklevel=1, source=None):
    if isinstance(message, Warning):
        category = type(message)
    _warn("UserWarning" if category is None else category.__name__, str(message))


def simplefilter(action, category=None, lineno=0, append=False):
    if action == "error":
        raise NotImplementedError("attn's warnings are printed or ignored; np.errstate(all='raise') raises")
    _quiet(action == "ignore")


def filterwarnings(action, message="", category=None, module="", lineno=0, append=False):
    simplefilter(action)


def resetwarnings():
    _quiet(False)


class catch_warnings:
    def __init__(self, *, record=False, module=None, action=None, category=None):
        if record:
            raise NotImplementedError("attn's catch_warnings() keeps no record")
        self._action = action

    def __enter__(self):
        self._before = _quiet(False)
        _quiet(self._before)
        if self._action is not None:
            simplefilter(self._action)

    def __exit__(self, *error):
        _quiet(self._before)
        return False
