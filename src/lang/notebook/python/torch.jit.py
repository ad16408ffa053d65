"""torch.jit: a cell runs as it is written, so that compiling it changes nothing."""


def script(obj=None, *args, **kwargs):
    return obj


def trace(func, example_inputs=None, **kwargs):
    return func


def is_scripting():
    return False


def is_tracing():
    return False


ignore = unused = export = script_if_tracing = script
Final = None
ScriptModule = None
