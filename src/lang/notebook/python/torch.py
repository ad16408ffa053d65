"""torch: the rows of the table in C, and what is easier to write in Python."""
import _torch
from _torch import *
from math import e, inf, nan, pi
from collections import namedtuple as _namedtuple

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


def where(condition, input=None, other=None):
    if input is None and other is None:
        return condition.nonzero(as_tuple=True)
    return _torch._where(condition, input, other)


_hooks = {}  # the number of a tensor: the tensor, and its hooks


def _call_hooks(number, gradient):
    tensor, hooks = _hooks.get(number, (None, {}))
    for hook in list(hooks.values()):
        other = hook(gradient)
        if other is None:
            continue
        if not tensor.is_leaf:
            raise NotImplementedError("attn's hooks can change the gradient of a leaf; that of a result they can "
                                      "only look at")
        gradient = other
    return gradient


class _Methods:
    """Functions that are methods of tensors too, under the names that they have here."""

    def where(self, condition, other):
        return _torch._where(condition, self, other)

    def __deepcopy__(self, memo):
        if not self.is_leaf:
            raise RuntimeError("Only Tensors created explicitly by the user (graph leaves) support the "
                               "deepcopy protocol at the moment")
        other = self.detach().clone()
        if isinstance(self, _torch.Parameter):
            other = _torch.Parameter(other, self.requires_grad)
        elif self.requires_grad:
            other.requires_grad_()
        if self.requires_grad and self.grad is not None:
            other.grad = self.grad.clone()
        return other

    def new_full(self, size, fill_value, dtype=None, device=None, requires_grad=False):
        return full(size, fill_value, dtype=dtype or self.dtype, requires_grad=requires_grad)

    def index_fill(self, dim, index, value):
        out = self.clone()
        out[(slice(None),) * (dim % self.dim()) + (index,)] = value
        return out

    def index_fill_(self, dim, index, value):
        self[(slice(None),) * (dim % self.dim()) + (index,)] = value
        return self

    def index_copy_(self, dim, index, tensor):
        self[(slice(None),) * (dim % self.dim()) + (index,)] = tensor
        return self

    def index_put_(self, indices, values, accumulate=False):
        if accumulate:
            raise NotImplementedError("attn's index_put_() does not accumulate; write scatter_add_()")
        self[tuple(indices)] = values
        return self

    def masked_scatter(self, mask, source):
        out = self.clone()
        out[mask] = source.flatten()[:mask.sum().item()]
        return out

    def unfold(self, dimension, size, step):
        dim = dimension % self.dim()
        n = (self.size(dim) - size) // step + 1
        at = arange(n).unsqueeze(1) * step + arange(size)
        return self[(slice(None),) * dim + (at,)].movedim(dim + 1, -1)

    def apply_(self, function):
        return self.copy_(tensor([function(x) for x in self.flatten().tolist()]).reshape(self.shape))

    def map_(self, other, function):
        pairs = zip(self.flatten().tolist(), other.flatten().tolist())
        return self.copy_(tensor([function(x, y) for x, y in pairs]).reshape(self.shape))

    def get_device(self):
        return -1

    def is_pinned(self):
        return False

    def register_hook(self, hook):
        number = _torch._hooked(self, _call_hooks)
        if number not in _hooks:
            _hooks[number] = (self, {})
        return nn._Handle(_hooks[number][1], hook)

    def share_memory_(self):
        return self


for _name, _function in list(_Methods.__dict__.items()):
    if not _name.startswith("__") or _name == "__deepcopy__":
        _torch._method(_function)


@_torch._method
def trace(input):
    return _torch._named(input.diagonal().sum(), "TraceBackward0")


@_torch._method
def diff(input, n=1, dim=-1):
    for _ in range(n):
        length = input.size(dim)
        input = input.narrow(dim, 1, length - 1) - input.narrow(dim, 0, length - 1)
    return input


@_torch._method
def quantile(input, q, dim=None, keepdim=False):
    if dim is None:
        input, dim = input.flatten(), 0
    values = input.sort(dim)[0].movedim(dim, 0)
    one = not is_tensor(q)
    found = []
    for share in [q] if one else q.tolist():
        at = share * (values.size(0) - 1)
        low = at // 1
        low = [i for i in range(values.size(0)) if i <= low][-1]
        high = low + 1 if low + 1 < values.size(0) else low
        found.append(values[low] + (values[high] - values[low]) * (at - low))
    if keepdim:
        found = [x.unsqueeze(dim) for x in found]
    return found[0] if one else stack(found)


@_torch._method
def argwhere(input):
    return input.nonzero()


@_torch._method
def nan_to_num(input, nan=0.0, posinf=None, neginf=None):
    limits = finfo(input.dtype)
    out = input.masked_fill(input.isnan(), nan)
    out = out.masked_fill(input == inf, limits.max if posinf is None else posinf)
    return out.masked_fill(input == -inf, limits.min if neginf is None else neginf)


@_torch._method
def take_along_dim(input, indices, dim=None):
    if dim is None:
        return input.flatten()[indices.flatten()]
    shape = list(input.shape)
    shape[dim] = indices.size(dim)
    return input.gather(dim, indices.expand(shape))


@_torch._method
def take(input, index):
    return _torch._named(input.flatten()[index], "TakeBackward0")


@_torch._method
def fliplr(input):
    return input.flip(1)


@_torch._method
def flipud(input):
    return input.flip(0)


@_torch._method
def rot90(input, k=1, dims=(0, 1)):
    for _ in range(k % 4):
        input = input.flip(dims[1]).transpose(dims[0], dims[1])
    return _torch._named(input.contiguous(), "Rot90Backward0")


@_torch._method
def kron(input, other):
    rows, columns = input.size(0) * other.size(0), input.size(1) * other.size(1)
    found = (input[:, None, :, None] * other[None, :, None, :]).reshape(rows, columns)
    return _torch._named(found, "UnsafeViewBackward0")


@_torch._method
def histc(input, bins=100, min=0, max=0):
    if min == 0 and max == 0:
        min, max = input.min().item(), input.max().item()
    kept = input[(input >= min) & (input <= max)]
    at = ((kept - min) / (max - min) * bins).long().clamp(max=bins - 1)
    return bincount(at, minlength=bins).to(input.dtype)


_AMinMax = _namedtuple("aminmax", "min max")


@_torch._method
def aminmax(input, *, dim=None, keepdim=False):
    if dim is None:
        return _AMinMax(input.min(), input.max())
    return _AMinMax(input.amin(dim, keepdim), input.amax(dim, keepdim))


@_torch._method
def hypot(input, other):
    return _torch._named((input * input + other * other).sqrt(), "HypotBackward0")


@_torch._method
def xlogy(input, other):
    return _torch._named(where(input == 0, zeros_like(input), input * other.log()), "XlogyBackward0")


@_torch._method
def heaviside(input, values):
    return where(input == 0, values, (input > 0).to(input.dtype))


@_torch._method
def sgn(input):
    return input.sign()


@_torch._method
def logical_xor(input, other):
    return (input != 0) != (other != 0)


@_torch._method
def deg2rad(input):
    return input * (pi / 180)


@_torch._method
def rad2deg(input):
    return input * (180 / pi)


@_torch._method
def softmin(input, dim):
    return softmax(-input, dim)


@_torch._method
def logcumsumexp(input, dim):
    most = input.max(dim, True).values
    return (input - most).exp().cumsum(dim).log() + most


@_torch._method
def dist(input, other, p=2):
    return (input - other).norm(p)


@_torch._method
def renorm(input, p, dim, maxnorm):
    axes = [i for i in range(input.dim()) if i != dim % input.dim()]
    sizes = input.norm(p, axes, True)
    return where(sizes > maxnorm, input * (maxnorm / (sizes + 1e-7)), input)


@_torch._method
def mode(input, dim=-1):
    rows = input.movedim(dim, -1)
    counts = (rows.unsqueeze(-1) == rows.unsqueeze(-2)).sum(-1)
    least = where(counts == counts.max(-1, True).values, rows, rows.max().item() + 1)
    values = least.min(-1).values
    last = (rows == values.unsqueeze(-1)) * arange(rows.size(-1))
    return values, last.max(-1).values


@_torch._method
def cummax(input, dim):
    rows, values, indices = input.movedim(dim, 0), [], []
    for i, row in enumerate(rows):
        newer = row >= values[-1] if values else ones_like(row, dtype=_torch.bool)
        values.append(where(newer, row, values[-1]) if i else row)
        indices.append(where(newer, i, indices[-1]) if i else zeros_like(row, dtype=int64))
    return _torch._named(stack(values).movedim(0, dim), "CummaxBackward0"), stack(indices).movedim(0, dim)


@_torch._method
def qr(input, some=True):
    return linalg.qr(input, "reduced" if some else "complete")


@_torch._method
def svd(input, some=True):
    u, s, vh = linalg.svd(input, not some)
    return u, s, vh.mT


@_torch._method
def cholesky(input):
    return linalg.cholesky(input)


@_torch._method
def pinverse(input):
    return linalg.pinv(input)


@_torch._method
def logdet(input):
    return det(input).log()


@_torch._method
def as_strided(input, size, stride, storage_offset=None):
    """The numbers at these places of memory; a copy, so that nothing is written through it."""
    if not input.is_contiguous():
        raise NotImplementedError("attn's as_strided() takes contiguous tensors; write x.contiguous() before it")
    at = zeros((), dtype=int64) + (0 if storage_offset is None else storage_offset - input.storage_offset())
    for n, step in zip(size, stride):
        at = at.unsqueeze(-1) + arange(n) * step
    if at.numel() and (at.min() < 0 or at.max() >= input.numel()):
        raise RuntimeError(f"setStorage: sizes {list(size)}, strides {list(stride)} are out of bounds for storage of "
                           f"size {input.numel() * input.element_size()}")
    return _torch._named(input.flatten()[at], "AsStridedBackward0")


@_torch._method
def det(input):
    if input.size(-1) == 1:
        return input[..., 0, 0]
    total = 0
    for j in range(input.size(-1)):
        rest = cat([input[..., 1:, :j], input[..., 1:, j + 1:]], -1)
        total = total + (-1) ** j * input[..., 0, j] * det(rest)
    return _torch._named(total, "LinalgDetBackward0")


@_torch._method
def inverse(input):
    if input.dim() > 2:
        return stack([x.inverse() for x in input])
    n = input.size(0)
    left, right = input.clone(), eye(n)
    for i in range(n):
        best = i + left[i:, i].abs().argmax().item()
        if left[best, i] == 0:
            raise RuntimeError("linalg.inv: The diagonal element is zero, the inversion could not be completed because the input matrix is singular.")
        order = arange(n)
        order[i], order[best] = best, i
        left, right = left[order], right[order]
        pivot = left[i, i]
        factors = (left[:, i] / pivot).unsqueeze(1) * (arange(n) != i).unsqueeze(1)
        left, right = left - factors * left[i], right - factors * right[i]
    return _torch._named(right / left.diagonal().unsqueeze(1), "LinalgInvExBackward0")


def searchsorted(sorted_sequence, values, right=False):
    if not is_tensor(values):
        return searchsorted(sorted_sequence, tensor([values]), right)[0]
    edges = sorted_sequence.unsqueeze(-2)
    below = edges <= values.unsqueeze(-1) if right else edges < values.unsqueeze(-1)
    return below.sum(-1)


def bucketize(input, boundaries, right=False):
    return searchsorted(boundaries, input, right)


def logspace(start, end, steps, base=10.0):
    return base ** linspace(start, end, steps)


@_torch._method
def diag_embed(input, offset=0, dim1=-2, dim2=-1):
    before, after = (offset, 0) if offset > 0 else (0, -offset)
    n = input.size(-1) + before + after
    out = zeros(*input.shape[:-1], n, n, dtype=input.dtype)
    at = arange(input.size(-1))
    out[..., at + after, at + before] = input
    if dim1 != -2 or dim2 != -1:
        out = out.movedim(-2, dim1).movedim(-1, dim2)
    return _torch._named(out, "DiagEmbedBackward0")


def block_diag(*tensors):
    rows = columns = 0
    for t in tensors:
        rows, columns = rows + t.size(0), columns + t.size(1)
    out, i, j = zeros(rows, columns), 0, 0
    for t in tensors:
        out[i:i + t.size(0), j:j + t.size(1)] = t
        i, j = i + t.size(0), j + t.size(1)
    return out


def cartesian_prod(*tensors):
    return stack([t.flatten() for t in meshgrid(*tensors, indexing="ij")], 1)


def combinations(input, r=2):
    if r != 2:
        raise NotImplementedError("attn's combinations() makes pairs")
    n = input.size(0)
    return input[triu_indices(n, n, 1)].T


def column_stack(tensors):
    return cat([t.unsqueeze(1) if t.dim() == 1 else t for t in tensors], 1)


def dstack(tensors):
    return stack(tensors, -1) if tensors[0].dim() < 3 else cat(tensors, 2)


def atleast_1d(x):
    return x.reshape(1) if x.dim() == 0 else x


def cross(input, other, dim=None):
    if dim is None:  # the first axis of three
        dim = [i for i, n in enumerate(input.shape) if n == 3][0]
    a, b = input.movedim(dim, 0), other.movedim(dim, 0)
    found = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    return _torch._named(stack(found, dim), "LinalgCrossBackward0")


def broadcast_tensors(*tensors):
    shape = broadcast_shapes(*[t.shape for t in tensors])
    return tuple([t.expand(shape) for t in tensors])


def broadcast_shapes(*shapes):
    total = zeros(())
    for shape in shapes:
        total = total + zeros(1).expand(shape)
    return total.shape


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


@_torch._method
def nansum(input, dim=None, keepdim=False):
    kept = input.masked_fill(input.isnan(), 0)
    return _torch._named(kept.sum() if dim is None else kept.sum(dim, keepdim), "NansumBackward0")


@_torch._method
def nanmean(input, dim=None, keepdim=False):
    there = ~input.isnan()
    n = there.sum() if dim is None else there.sum(dim, keepdim)
    return input.nansum(dim, keepdim) / n


@_torch._method
def logit(input, eps=None):
    if eps is not None:
        input = input.clamp(eps, 1 - eps)
    return _torch._named((input / (1 - input)).log(), "LogitBackward0")


@_torch._method
def logaddexp(input, other):
    most = maximum(input, other)
    return _torch._named(most + ((input - most).exp() + (other - most).exp()).log(), "LogaddexpBackward0")


@_torch._method
def cov(input, *, correction=1):
    rows = input if input.dim() == 2 else input.unsqueeze(0)
    centred = rows - rows.mean(1, True)
    return (centred @ centred.T / (rows.size(1) - correction)).squeeze()


@_torch._method
def corrcoef(input):
    c = cov(input)
    if c.dim() == 0:
        return c / c
    d = c.diagonal().sqrt()
    return (c / d.unsqueeze(1) / d.unsqueeze(0)).clamp(-1, 1)


def trapz(y, x=None, *, dx=1, dim=-1):
    n = y.size(dim)
    middle = (y.narrow(dim, 1, n - 1) + y.narrow(dim, 0, n - 1)) / 2
    steps = dx if x is None else diff(x)
    return (middle * steps).sum(dim)


trapezoid = trapz


def count_nonzero(input, dim=None):
    return (input != 0).sum() if dim is None else (input != 0).sum(dim)


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    out = (x1 * x2).sum(dim) / (x1.norm(dim=dim) * x2.norm(dim=dim)).clamp(min=eps)
    return _torch._named(out, "SumBackward1")


def cdist(x1, x2):
    return _torch._named((x1.unsqueeze(-2) - x2.unsqueeze(-3)).pow(2).sum(-1).sqrt(), "CdistBackward0")


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


def _buffer(f, name):
    import io
    if not isinstance(f, io.BytesIO):
        raise PermissionError(f"torch.{name}({str(f)!r}): a cell reads and writes no such file in attn; give it an "
                              "io.BytesIO()")
    return f


def save(obj, f, *options, **more):
    import copy
    buffer = _buffer(f, "save")
    buffer._kept = copy.deepcopy(_leaves(obj))
    buffer._at = 1


def load(f, map_location=None, **options):
    import copy
    buffer = _buffer(f, "load")
    if buffer._kept is None or buffer._at != 0:
        raise EOFError("Ran out of input")
    return copy.deepcopy(buffer._kept)


def _leaves(obj):
    """The same with results that require grad cut off, which can't be copied."""
    if isinstance(obj, Tensor) and not obj.is_leaf:
        return obj.detach()
    if type(obj) in (list, tuple):
        return type(obj)([_leaves(x) for x in obj])
    if type(obj) is dict:
        return {key: _leaves(x) for key, x in obj.items()}
    return obj


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
        return _torch._grad(outputs, inputs if several else [inputs], grad_outputs, create_graph, retain_graph)

    no_grad = staticmethod(no_grad)


autograd = _Autograd()


class _Special:
    def softmax(self, input, dim, dtype=None):
        return softmax(input, dim, dtype)


special = _Special()

import torch.nn as nn
import torch.nn.rnn as _rnn

for _name in ("RNNBase", "RNN", "LSTM", "GRU", "RNNCell", "LSTMCell", "GRUCell"):
    setattr(nn, _name, getattr(_rnn, _name))
import torch.nn.options
import torch.optim as optim
import torch.jit as jit
import torch.linalg as linalg
import torch.testing as testing
import torch.utils as utils
