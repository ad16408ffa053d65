"""torch: the rows of the table in C, and what is easier to write in Python."""
import _torch
from _torch import *
from math import e, inf, nan, pi

__version__ = "2.0.0 (attn)"
newaxis = None
strided = "torch.strided"
contiguous_format = "torch.contiguous_format"
preserve_format = "torch.preserve_format"
int = _torch.int32
float = _torch.float32
bool = _torch.bool
long = _torch.int64
double = _torch.float64
half = _torch.float16
short = _torch.int16


class device:
    def __init__(self, type="cpu", index=None):
        name = str(type)
        self.type, _, number = name.partition(":")
        self.index = index if number == "" else number

    def __repr__(self):
        if self.index is None:
            return f"device(type='{self.type}')"
        return f"device(type='{self.type}', index={self.index})"

    def __str__(self):
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other):
        return isinstance(other, device) and str(self) == str(other)

    def __hash__(self):
        return hash(str(self))


_torch._set_device(device("cpu"))


class _Mode:
    """with torch.no_grad(): and the decorator."""

    def __init__(self, mode):
        self.mode = mode

    def __enter__(self):
        self.before = _torch._set_grad(self.mode)
        return self

    def __exit__(self, kind, error, trace):
        _torch._set_grad(self.before)

    def __call__(self, function):
        mode = self.mode

        def inside(*args, **keywords):
            with _Mode(mode):
                return function(*args, **keywords)
        inside.__name__ = function.__name__
        return inside


def _mode(mode, function):
    return _Mode(mode) if function is None else _Mode(mode)(function)


def no_grad(function=None):
    return _mode(False, function)


def inference_mode(function=None):
    if function is True or function is False:
        return _Mode(not function)
    return _mode(False, function)


def enable_grad(function=None):
    return _mode(True, function)


class set_grad_enabled(_Mode):
    def __init__(self, mode):
        self.mode = mode
        self.before = _torch._set_grad(mode)

    def __enter__(self):
        return self


class finfo:
    def __init__(self, dtype=None):
        self.min, self.max, self.eps, self.tiny = _torch._limits(dtype)
        self.smallest_normal = self.tiny
        self.dtype = str(dtype or get_default_dtype())[6:]


class iinfo:
    def __init__(self, dtype):
        self.min, self.max, _, _ = _torch._limits(dtype)
        self.dtype = str(dtype)[6:]


def is_tensor(x):
    return isinstance(x, Tensor)


def numel(input):
    return input.numel()


def FloatTensor(data):
    return tensor(data, dtype=float32)


def LongTensor(data):
    return tensor(data, dtype=int64)


def BoolTensor(data):
    return tensor(data, dtype=_torch.bool)


def vstack(tensors):
    return cat([t.unsqueeze(0) if t.dim() == 1 else t for t in tensors], 0)


def hstack(tensors):
    return cat(tensors, 0 if tensors[0].dim() == 1 else 1)


def atleast_2d(x):
    return x.unsqueeze(0) if x.dim() == 1 else x.reshape(1, 1) if x.dim() == 0 else x


def split_with_sizes(tensor, sizes, dim=0):
    return split(tensor, sizes, dim)


def var_mean(input, dim=None, unbiased=True, keepdim=False):
    return var(input, dim, unbiased, keepdim), mean(input, dim, keepdim)


def std_mean(input, dim=None, unbiased=True, keepdim=False):
    return std(input, dim, unbiased, keepdim), mean(input, dim, keepdim)


def count_nonzero(input, dim=None):
    return (input != 0).sum() if dim is None else (input != 0).sum(dim)


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    return (x1 * x2).sum(dim) / (x1.norm(dim=dim) * x2.norm(dim=dim)).clamp(min=eps)


def cdist(x1, x2):
    return (x1.unsqueeze(-2) - x2.unsqueeze(-3)).pow(2).sum(-1).sqrt()


def tensor_split(input, n, dim=0):
    length = input.size(dim)
    sizes = [length // n + (1 if i < length % n else 0) for i in range(n)]
    return split(input, sizes, dim)


def seed():
    return manual_seed(0).initial_seed()


def compile(model=None, **options):
    return (lambda model: model) if model is None else model


def set_num_threads(n):
    return None


def get_num_threads():
    return 1


def use_deterministic_algorithms(mode):
    return None


def set_float32_matmul_precision(precision):
    return None


class _Cuda:
    def is_available(self):
        return False

    def device_count(self):
        return 0

    def manual_seed(self, seed):
        return None

    manual_seed_all = manual_seed

    def synchronize(self):
        return None

    empty_cache = synchronize


class _Absent:
    def is_available(self):
        return False

    is_built = is_available


class _Backends:
    mps = _Absent()
    deterministic = False
    benchmark = False


cuda = _Cuda()
mps = _Absent()
backends = _Backends()
backends.cudnn = _Backends()


class _Autograd:
    def grad(self, outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False,
             allow_unused=False):
        if isinstance(outputs, (list, tuple)):
            outputs = outputs[0]
        several = isinstance(inputs, (list, tuple))
        if isinstance(grad_outputs, (list, tuple)):
            grad_outputs = grad_outputs[0]
        return _torch._grad(outputs, inputs if several else [inputs], grad_outputs, create_graph)

    no_grad = staticmethod(no_grad)


autograd = _Autograd()


class _Linalg:
    def norm(self, x, ord=None, dim=None, keepdim=False):
        return x.norm(2 if ord is None else ord, dim, keepdim)

    vector_norm = norm


linalg = _Linalg()


class _Special:
    def softmax(self, input, dim, dtype=None):
        return softmax(input, dim, dtype)


special = _Special()

import torch.nn as nn
