"""torch.nn.init: how weights begin. Each function draws in PyTorch's order."""
import _torch
import math


def _drawn(draw, tensor, a, b, generator):
    before = _torch._set_grad(False)
    try:
        return getattr(tensor, draw)(a, b, generator=generator)
    finally:
        _torch._set_grad(before)


def uniform_(tensor, a=0.0, b=1.0, generator=None):
    return _drawn("uniform_", tensor, a, b, generator)


def normal_(tensor, mean=0.0, std=1.0, generator=None):
    return _drawn("normal_", tensor, mean, std, generator)


def _inverse_erf(y):
    """x with erf(x) = y, from a first guess and two steps of Newton's method."""
    if abs(y) >= 1:
        return math.copysign(math.inf, y)
    log = math.log(1 - y * y)
    half = 2 / (math.pi * 0.147) + log / 2
    x = math.copysign(math.sqrt(math.sqrt(half * half - log / 0.147) - half), y)
    for _ in range(2):
        x -= (math.erf(x) - y) / (2 / math.sqrt(math.pi) * math.exp(-x * x))
    return x


def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    def share(x):
        return (1.0 + math.erf(x / math.sqrt(2.0))) / 2.0
    low, high = share((a - mean) / std), share((b - mean) / std)
    before = _torch._set_grad(False)
    try:
        tensor.uniform_(2 * low - 1, 2 * high - 1, generator=generator)
        drawn = [_inverse_erf(y) for y in tensor.flatten().tolist()]
        tensor.copy_(_torch.tensor(drawn, dtype=tensor.dtype).reshape(tensor.shape))
        return tensor.mul_(std * math.sqrt(2.0)).add_(mean).clamp_(a, b)
    finally:
        _torch._set_grad(before)


def constant_(tensor, val):
    before = _torch._set_grad(False)
    try:
        return tensor.fill_(val)
    finally:
        _torch._set_grad(before)


def zeros_(tensor):
    return constant_(tensor, 0.0)


def ones_(tensor):
    return constant_(tensor, 1.0)


def eye_(tensor):
    if tensor.dim() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    before = _torch._set_grad(False)
    try:
        return tensor.copy_(_torch.eye(*tensor.shape))
    finally:
        _torch._set_grad(before)


def _calculate_fan_in_and_fan_out(tensor):
    if tensor.dim() < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    field = 1
    for size in tensor.shape[2:]:
        field *= size
    return tensor.size(1) * field, tensor.size(0) * field


def _fan(tensor, mode):
    mode = mode.lower()
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    return _calculate_fan_in_and_fan_out(tensor)[0 if mode == "fan_in" else 1]


def calculate_gain(nonlinearity, param=None):
    if nonlinearity == "leaky_relu":
        return math.sqrt(2.0 / (1 + (0.01 if param is None else param) ** 2))
    gains = {"tanh": 5.0 / 3, "relu": math.sqrt(2.0), "selu": 3.0 / 4}
    if nonlinearity in gains:
        return gains[nonlinearity]
    if nonlinearity in ("linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d",
                        "conv_transpose2d", "conv_transpose3d", "sigmoid"):
        return 1
    raise ValueError(f"Unsupported nonlinearity {nonlinearity}")


def xavier_uniform_(tensor, gain=1.0, generator=None):
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    bound = math.sqrt(3.0) * (gain * math.sqrt(2.0 / (fan_in + fan_out)))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor, gain=1.0, generator=None):
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / (fan_in + fan_out)), generator)


def kaiming_uniform_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    if tensor.numel() == 0:
        return tensor
    std = calculate_gain(nonlinearity, a) / math.sqrt(_fan(tensor, mode))
    bound = math.sqrt(3.0) * std
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    if tensor.numel() == 0:
        return tensor
    std = calculate_gain(nonlinearity, a) / math.sqrt(_fan(tensor, mode))
    return normal_(tensor, 0.0, std, generator)
