"""copy, as far as cells use it."""


def copy(x):
    if hasattr(x, "__copy__") and not isinstance(x, type):
        return x.__copy__()
    if isinstance(x, (list, dict, set)):
        return x.copy()
    if type(x).__name__ == "Parameter":
        return type(x)(x.detach(), x.requires_grad)
    if type(x).__name__ == "Tensor":
        other = x.detach()
        return other.requires_grad_(x.requires_grad) if x.is_leaf else x.view_as(x)
    if isinstance(x, (int, float, str, tuple, type(None), bool)) or not hasattr(x, "__dict__"):
        return x
    other = type(x).__new__(type(x))
    other.__dict__.update(x.__dict__)
    return other


def deepcopy(x, memo=None):
    memo = {} if memo is None else memo
    if id(x) in memo:
        return memo[id(x)]
    if hasattr(x, "__deepcopy__") and not isinstance(x, type):
        memo[id(x)] = other = x.__deepcopy__(memo)
        return other
    if isinstance(x, list):
        memo[id(x)] = other = type(x)()
        for item in x:
            other.append(deepcopy(item, memo))
        return other
    if isinstance(x, dict):
        memo[id(x)] = other = type(x)()
        for key, value in x.items():
            other[deepcopy(key, memo)] = deepcopy(value, memo)
        return other
    if isinstance(x, tuple):
        return tuple(deepcopy(item, memo) for item in x)
    if isinstance(x, set):
        return {deepcopy(item, memo) for item in x}
    if not isinstance(x, type) and hasattr(x, "__dict__"):
        memo[id(x)] = other = type(x).__new__(type(x))
        for key, value in x.__dict__.items():
            other.__dict__[key] = deepcopy(value, memo)
        return other
    return x
