"""numpy, over the rows in C. Arrays are float64, int64, ... with numpy's own meanings."""
import _numpy
from _attn import set_class_name as _set_class_name

_max, _min, _sum = max, min, sum  # Python's own

from _numpy import *
from _numpy import _method

newaxis = None
pi = 3.141592653589793
e = 2.718281828459045
inf = Inf = infty = float("inf")
nan = NaN = float("nan")
__version__ = "1.24.2"


def _shape(shape):
    return shape if isinstance(shape, (tuple, list)) else (shape,)


# ---- making ----

def _has_text(x):
    """Whether a list, down to its first item, holds texts."""
    while isinstance(x, (list, tuple)) and len(x):
        x = x[0]
    return isinstance(x, str) or isinstance(x, Texts)


def array(object, dtype=None, copy=True, ndmin=0):
    if isinstance(object, (list, tuple, str, Texts)) and (dtype in (str, "str") or dtype is None and _has_text(object)):
        return Texts(object)
    return _numpy.array(object, dtype, copy, ndmin)


def asarray(a, dtype=None):
    if isinstance(a, Texts) and dtype is None:
        return a
    if isinstance(a, (list, tuple, str, Texts)) and (dtype in (str, "str") or dtype is None and _has_text(a)):
        return Texts(a)
    return _numpy.asarray(a, dtype)


class dtype_of_texts:
    """The dtype of an array of texts: as many characters as its longest one has."""

    kind = "U"
    type = str

    def __init__(self, n):
        self.str = f"<U{n}"
        self.name = f"str{32 * n}"
        self.itemsize = 4 * n

    def __repr__(self):
        return f"dtype('{self.str}')"

    def __str__(self):
        return self.str

    def __eq__(self, other):
        return str(other) == self.str


def _written(x, separator, indent):
    """A nested list of written items, with rows of up to 75 characters as numpy breaks them."""
    if x and isinstance(x[0], list):
        parts = [_written(row, separator, indent + " ") for row in x]
        return "[" + (separator.rstrip() + "\n" + indent + " ").join(parts) + "]"
    lines, line = [], ""
    for i, item in enumerate(x):
        if line and len(indent) + 1 + len(line) + len(item) > 74:
            lines.append(line.rstrip())
            line = ""
        line += item + (separator if i < len(x) - 1 else "")
    return "[" + ("\n" + indent + " ").join(lines + [line]) + "]"


class Texts:
    """np.array(["a", "b"]): places in a list of texts, so that views, picks and masks are those of numbers."""

    def __init__(self, data, at=None):
        if at is None:
            flat = []
            at = _numpy.array(self._read(data, flat), int) if not isinstance(data, str) else _numpy.array(0)
            data = [data] if isinstance(data, str) else flat
        self._texts = data
        self._at = at

    def _read(self, data, flat):
        if isinstance(data, Texts):
            data = data.tolist()
        if isinstance(data, (list, tuple)):
            return [self._read(x, flat) for x in data]
        flat.append(str(data))
        return len(flat) - 1

    shape = property(lambda self: self._at.shape)
    ndim = property(lambda self: self._at.ndim)
    size = property(lambda self: self._at.size)
    T = property(lambda self: Texts(self._texts, self._at.T))

    @property
    def dtype(self):
        return dtype_of_texts(_max([len(x) for x in self._flat()] + [1]))

    def _flat(self):
        return [self._texts[i] for i in self._at.reshape(-1).tolist()]

    def __getitem__(self, key):
        at = self._at[key]
        return self._texts[int(at)] if at.ndim == 0 else Texts(self._texts, at)

    def __setitem__(self, key, value):
        places = _numpy.asarray(self._at[key])
        values = broadcast_to(asarray(value)._at, places.shape).reshape(-1).tolist() if isinstance(value, (list, tuple, Texts)) else None
        texts = asarray(value)._texts if values is not None else None
        longest = self.dtype.itemsize // 4
        for k, i in enumerate(places.reshape(-1).tolist()):
            self._texts[i] = (str(value) if values is None else texts[values[k]])[:longest]

    def __len__(self):
        return len(self._at)

    def __iter__(self):
        for i in range(len(self)):
            yield self[i]

    def __contains__(self, x):
        return x in self._flat()

    def _compared(self, other, same):
        if isinstance(other, str):
            return _numpy.array([(x == other) == same for x in self._flat()], bool).reshape(self.shape)
        other = asarray(other)
        if not isinstance(other, Texts):
            return not same
        shape = _numpy.add(self._at, other._at).shape
        a = [self._texts[i] for i in broadcast_to(self._at, shape).reshape(-1).tolist()]
        b = [other._texts[i] for i in broadcast_to(other._at, shape).reshape(-1).tolist()]
        return _numpy.array([(x == y) == same for x, y in zip(a, b)], bool).reshape(shape)

    def __eq__(self, other):
        return self._compared(other, True)

    def __ne__(self, other):
        return self._compared(other, False)

    def _nested(self, made):
        def part(at):
            return [part(x) for x in at] if isinstance(at, list) else made(self._texts[at])
        return part(self._at.tolist())

    def tolist(self):
        return self._nested(str)

    def item(self):
        if self.size != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self._flat()[0]

    def astype(self, dtype):
        if dtype in (str, "str", "U"):
            return self.copy()
        kind = float if _numpy.dtype(dtype).kind == "f" else int
        return _numpy.array([kind(x) for x in self._flat()], dtype).reshape(self.shape)

    def copy(self):
        return Texts(self._flat(), arange(self.size).reshape(self.shape))

    def reshape(self, *shape):
        return Texts(self._texts, self._at.reshape(*shape))

    def flatten(self):
        return Texts(self._flat(), arange(self.size))

    def ravel(self):
        return Texts(self._texts, self._at.reshape(-1))

    def transpose(self, *axes):
        return Texts(self._texts, self._at.transpose(*axes))

    def take(self, indices, axis=None):
        return Texts(self._texts, self._at.take(indices, axis))

    def argsort(self):
        flat = self._flat()
        return _numpy.array(sorted(range(len(flat)), key=lambda i: flat[i]), int)

    def sort(self):
        for i, x in zip(self._at.reshape(-1).tolist(), sorted(self._flat())):
            self._texts[i] = x

    def __str__(self):
        return _written(self._nested(repr), " ", "") if self.ndim else self.item()

    def __repr__(self):
        numbers = _written(self._nested(repr), ", ", " " * 6) if self.ndim else repr(self.item())
        text = f"array({numbers},"
        last = len(text) - text.rfind("\n") - 1
        space = " " if last + len(f"dtype='{self.dtype}')") + 1 <= 75 else "\n" + " " * 6
        return f"{text}{space}dtype='{self.dtype}')"


_set_class_name(Texts, "numpy.ndarray")


def zeros(shape, dtype=float, order="C"):
    return _numpy._full(shape, 0, dtype)


def ones(shape, dtype=float, order="C"):
    return _numpy._full(shape, 1, dtype)


def empty(shape, dtype=float, order="C"):
    return _numpy._full(shape, 0, dtype)


def full(shape, fill_value, dtype=None, order="C"):
    if isinstance(fill_value, str) and dtype in (None, str):
        places = arange(int(prod(shape))).reshape(shape)
        return Texts([fill_value] * places.size, places)
    return _numpy._full(shape, fill_value, dtype)


_astype = _numpy.ndarray.astype


@_numpy._method
def astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True):
    if dtype is str:
        flat = self.reshape(-1)
        return Texts([str(x) for x in flat], arange(flat.size).reshape(self.shape))
    return _astype(self, dtype)


def zeros_like(a, dtype=None):
    a = asarray(a)
    return _numpy._full(a.shape, 0, a.dtype if dtype is None else dtype)


def ones_like(a, dtype=None):
    a = asarray(a)
    return _numpy._full(a.shape, 1, a.dtype if dtype is None else dtype)


def full_like(a, fill_value, dtype=None):
    a = asarray(a)
    return _numpy._full(a.shape, fill_value, a.dtype if dtype is None else dtype)


empty_like = zeros_like
asanyarray = ascontiguousarray = asarray


def eye(N, M=None, k=0, dtype=float):
    M = N if M is None else M
    return (arange(N)[:, None] + k == arange(M)[None, :]).astype(dtype)


def identity(n, dtype=float):
    return eye(n, dtype=dtype)


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None):
    div = num - 1 if endpoint else num
    y = arange(0, num).astype(float)
    delta = asarray(stop) * 1.0 - start
    step = delta / div if div > 0 else nan
    if div > 0:
        y = y * step + start
    else:
        y = y * delta + start
    if endpoint and num > 1:
        y[-1] = stop
    if dtype is not None:
        y = (floor(y) if dtype is int else y).astype(dtype)
    return (y, step) if retstep else y


def geomspace(start, stop, num=50, endpoint=True):
    out = power(10.0, linspace(log10(start), log10(stop), num, endpoint))
    if num > 0:
        out[0] = start
    if num > 1 and endpoint:
        out[-1] = stop
    return out


def logspace(start, stop, num=50, endpoint=True, base=10.0):
    return power(base, linspace(start, stop, num, endpoint))


def meshgrid(*xi, indexing="xy"):
    arrays = [asarray(x) for x in xi]
    n = len(arrays)
    out = []
    for i in range(n):
        at = 1 - i if indexing == "xy" and i < 2 and n > 1 else i
        shape = [1] * n
        shape[at] = -1
        out.append(arrays[i].reshape(shape))
    sizes = [x.size for x in arrays]
    if indexing == "xy" and n > 1:
        sizes[0], sizes[1] = sizes[1], sizes[0]
    return [broadcast_to(x, tuple(sizes)).copy() for x in out]


def fromiter(iterable, dtype, count=-1):
    return array(list(iterable), dtype=dtype)


def fromfunction(function, shape, dtype=float):
    return function(*[x.astype(dtype) for x in indices(shape)])


def indices(shape):
    out = []
    for i, n in enumerate(shape):
        view = [1] * len(shape)
        view[i] = n
        out.append(broadcast_to(arange(n).reshape(view), shape))
    return stack(out)


# ---- shapes ----

def concatenate(arrays, axis=0, out=None, dtype=None):
    if _has_text(arrays):
        arrays, flat, places = [asarray(a) for a in arrays], [], []
        for a in arrays:
            places.append(arange(a.size).reshape(a.shape) + len(flat))
            flat += a._flat()
        return Texts(flat, _numpy.concatenate(places, axis))
    r = _numpy.concatenate(arrays, axis)
    return _into(r if dtype is None else r.astype(dtype), out)


def reshape(a, newshape, order="C"):
    return asarray(a).reshape(newshape)


def transpose(a, axes=None):
    return _numpy._transpose(a, axes) if axes is not None else _numpy._transpose(a)


@_method
def ravel(a, order="C"):
    return asarray(a).reshape(-1)


@_method
def flatten(a, order="C"):
    return a.copy().reshape(-1)


def _axis(axis, n):
    if axis < -n or axis >= n:
        zeros((1,) * n).sum(axis)
    return axis + n if axis < 0 else axis


@_method
def squeeze(a, axis=None):
    a = asarray(a)
    if axis is None:
        return a.reshape(tuple(n for n in a.shape if n != 1))
    axes = [_axis(i, a.ndim) for i in _shape(axis)]
    for i in axes:
        if a.shape[i] != 1:
            raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
    return a.reshape(tuple(n for i, n in enumerate(a.shape) if i not in axes))


def expand_dims(a, axis):
    a = asarray(a)
    axes = _shape(axis)
    n = a.ndim + len(axes)
    axes = [_axis(i, n) for i in axes]
    rest = iter(a.shape)
    return a.reshape(tuple(1 if i in axes else next(rest) for i in range(n)))


@_method
def swapaxes(a, axis1, axis2):
    a = asarray(a)
    order = list(range(a.ndim))
    i, k = _axis(axis1, a.ndim), _axis(axis2, a.ndim)
    order[i], order[k] = order[k], order[i]
    return a.transpose(order)


def moveaxis(a, source, destination):
    a = asarray(a)
    source = [_axis(i, a.ndim) for i in _shape(source)]
    destination = [_axis(i, a.ndim) for i in _shape(destination)]
    order = [i for i in range(a.ndim) if i not in source]
    for to, at in sorted(zip(destination, source)):
        order.insert(to, at)
    return a.transpose(order)


def rollaxis(a, axis, start=0):
    a = asarray(a)
    axis = _axis(axis, a.ndim)
    start = start + a.ndim if start < 0 else start
    if axis < start:
        start -= 1
    order = list(range(a.ndim))
    order.remove(axis)
    order.insert(start, axis)
    return a.transpose(order)


def atleast_1d(a):
    a = asarray(a)
    return a.reshape(1) if a.ndim == 0 else a


def atleast_2d(a):
    a = asarray(a)
    return a.reshape(1, -1) if a.ndim < 2 else a


def stack(arrays, axis=0):
    arrays = [asarray(a) for a in arrays]
    if not arrays:
        raise ValueError("need at least one array to stack")
    for a in arrays:
        if a.shape != arrays[0].shape:
            raise ValueError("all input arrays must have the same shape")
    axis = _axis(axis, arrays[0].ndim + 1)
    return concatenate([expand_dims(a, axis) for a in arrays], axis)


def vstack(tup):
    return concatenate([atleast_2d(a) for a in tup], 0)


row_stack = vstack


def hstack(tup):
    arrays = [atleast_1d(a) for a in tup]
    return concatenate(arrays, 0 if arrays and arrays[0].ndim == 1 else 1)


def dstack(tup):
    arrays = [atleast_2d(a) for a in tup]
    return concatenate([a[:, :, None] if a.ndim == 2 else a for a in arrays], 2)


def column_stack(tup):
    arrays = [asarray(a) for a in tup]
    return concatenate([a.reshape(-1, 1) if a.ndim < 2 else a for a in arrays], 1)


def append(arr, values, axis=None):
    if axis is None:
        return concatenate([ravel(arr), ravel(values)])
    return concatenate([arr, values], axis)


def array_split(ary, indices_or_sections, axis=0):
    ary = asarray(ary)
    n = ary.shape[axis]
    if isinstance(indices_or_sections, (int, integer)):
        sections = int(indices_or_sections)
        each, more = divmod(n, sections)
        cuts = [0]
        for i in range(sections):
            cuts.append(cuts[-1] + each + (i < more))
    else:
        cuts = [0] + [int(i) for i in indices_or_sections] + [n]
    axis = _axis(axis, ary.ndim)
    return [ary[(slice(None),) * axis + (slice(a, b),)] for a, b in zip(cuts[:-1], cuts[1:])]


def split(ary, indices_or_sections, axis=0):
    ary = asarray(ary)
    if isinstance(indices_or_sections, (int, integer)) and ary.shape[axis] % indices_or_sections:
        raise ValueError("array split does not result in an equal division")
    return array_split(ary, indices_or_sections, axis)


def vsplit(ary, n):
    return split(ary, n, 0)


def hsplit(ary, n):
    return split(ary, n, 0 if asarray(ary).ndim == 1 else 1)


@_method
def repeat(a, repeats, axis=None):
    a = asarray(a)
    if axis is None:
        a, axis = a.reshape(-1), 0
    axis = _axis(axis, a.ndim)
    n = a.shape[axis]
    if isinstance(repeats, (int, integer)):
        at = [i for i in range(n) for _ in range(repeats)]
    else:
        at = [i for i, k in enumerate(repeats) for _ in range(int(k))]
    return a[(slice(None),) * axis + (array(at, dtype=int),)]


def tile(A, reps):
    a = asarray(A)
    reps = tuple(_shape(reps))
    n = _max(a.ndim, len(reps))
    reps = (1,) * (n - len(reps)) + reps
    a = a.reshape((1,) * (n - a.ndim) + a.shape)
    for axis, k in enumerate(reps):
        a = concatenate([a] * k, axis) if k > 0 else a[(slice(None),) * axis + (slice(0, 0),)]
    return a.copy()


def flip(m, axis=None):
    m = asarray(m)
    axes = range(m.ndim) if axis is None else [_axis(i, m.ndim) for i in _shape(axis)]
    return m[tuple(slice(None, None, -1) if i in axes else slice(None) for i in range(m.ndim))]


def flipud(m):
    return flip(m, 0)


def fliplr(m):
    return flip(m, 1)


def roll(a, shift, axis=None):
    a = asarray(a)
    if axis is None:
        return roll(a.reshape(-1), shift, 0).reshape(a.shape)
    for s, i in zip(_shape(shift), _shape(axis)):
        i = _axis(i, a.ndim)
        n = a.shape[i]
        at = (arange(n) - s) % n if n else arange(0)
        a = a[(slice(None),) * i + (at,)]
    return a


def rot90(m, k=1):
    m = asarray(m)
    for _ in range(k % 4):
        m = flip(swapaxes(m, 0, 1), 0)
    return m


def pad(array_, pad_width, mode="constant", constant_values=0):
    a = asarray(array_)
    if mode not in ("constant", "edge", "reflect"):
        raise NotImplementedError("attn's np.pad has the modes constant, edge and reflect")
    if isinstance(pad_width, int):
        widths = [(pad_width, pad_width)] * a.ndim
    else:
        widths = [(w, w) if isinstance(w, int) else tuple(w) for w in pad_width]
        if len(widths) == 1:
            widths = widths * a.ndim
        elif len(widths) == 2 and a.ndim == 1 and isinstance(pad_width[0], int):
            widths = [tuple(pad_width)]
    if mode == "constant":
        out = full([n + x + y for n, (x, y) in zip(a.shape, widths)], constant_values, a.dtype)
        out[tuple(slice(x, x + n) for n, (x, y) in zip(a.shape, widths))] = a
        return out
    for axis, (x, y) in enumerate(widths):
        n = a.shape[axis]
        at = arange(-x, n + y)
        if mode == "edge":
            at = clip(at, 0, n - 1)
        else:
            at = abs(at)
            at = where(at >= n, 2 * (n - 1) - at, at)
        a = a[(slice(None),) * axis + (at,)]
    return a


def tri(N, M=None, k=0, dtype=float):
    M = N if M is None else M
    return (arange(N)[:, None] + k >= arange(M)[None, :]).astype(dtype)


def tril(m, k=0):
    m = asarray(m)
    if m.ndim == 1:
        m = broadcast_to(m, (m.size, m.size))
    return where(tri(m.shape[-2], m.shape[-1], k, bool), m, zeros(1, m.dtype))


def triu(m, k=0):
    m = asarray(m)
    if m.ndim == 1:
        m = broadcast_to(m, (m.size, m.size))
    return where(tri(m.shape[-2], m.shape[-1], k - 1, bool), zeros(1, m.dtype), m)


def tril_indices(n, k=0, m=None):
    return nonzero(tri(n, m, k, bool))


def triu_indices(n, k=0, m=None):
    return nonzero(~tri(n, m, k - 1, bool))


def triu_indices_from(a, k=0):
    return triu_indices(a.shape[0], k, a.shape[1])


def tril_indices_from(a, k=0):
    return tril_indices(a.shape[0], k, a.shape[1])


def diag(v, k=0):
    v = asarray(v)
    if v.ndim == 1:
        n = v.size + (k if k >= 0 else -k)
        out = zeros((n, n), v.dtype)
        at = arange(v.size)
        out[at + _max(0, -k), at + _max(0, k)] = v
        return out
    return diagonal(v, k).copy()


def diagflat(v, k=0):
    return diag(ravel(v), k)


@_method
def diagonal(a, offset=0, axis1=0, axis2=1):
    a = moveaxis(asarray(a), (axis1, axis2), (-2, -1))
    rows, columns = a.shape[-2], a.shape[-1]
    n = _min(rows + offset, columns) if offset < 0 else _min(rows, columns - offset)
    at = arange(n if n > 0 else 0)
    return a[..., at + _max(0, -offset), at + _max(0, offset)]


@_method
def trace(a, offset=0, axis1=0, axis2=1):
    return diagonal(a, offset, axis1, axis2).sum(-1)


def put(a, ind, v):
    """Changes a at places of its flattened self."""
    a[unravel_index(asarray(ind), a.shape)] = v


def copyto(dst, src):
    dst[...] = src


def fill_diagonal(a, val):
    at = arange(_min(a.shape))
    a[(at,) * a.ndim] = val


@_method
def fill(a, value):
    a[...] = value


@_method
def resize(a, new_shape):
    raise NotImplementedError("attn's arrays keep their size; write x.reshape(...)")


# ---- sums and others along axes ----

def _into(result, out):
    if out is None:
        return result
    out[...] = result
    return out


@_method
def mean(a, axis=None, dtype=None, out=None, keepdims=False):
    a = asarray(a)
    if dtype is None and a.dtype.kind in "biu":
        dtype = float64
    half = a.dtype == float16 and dtype is None
    total = a.sum(axis, float32 if half else dtype, None, keepdims)
    axes = range(a.ndim) if axis is None else _shape(axis)
    n = 1
    for i in axes:
        n *= a.shape[i]
    if n == 0:
        return total / float64(0)
    result = (total / n).astype(total.dtype)
    return _into(result.astype(float16) if half else result, out)


@_method
def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    a = asarray(a)
    if a.dtype.kind in "biu":
        a = a.astype(float64)
    x = a - mean(a, axis, None, None, True)
    total = (x * x).sum(axis, dtype, None, keepdims)
    n = 1
    for i in range(a.ndim) if axis is None else _shape(axis):
        n *= a.shape[i]
    return _into((total / _max(n - ddof, 0)).astype(total.dtype), out)


@_method
def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    return _into(sqrt(var(a, axis, dtype, None, ddof, keepdims)), out)


def average(a, axis=None, weights=None):
    if weights is None:
        return mean(a, axis)
    a, weights = asarray(a), asarray(weights)
    if weights.shape != a.shape and axis is not None:
        shape = [1] * a.ndim
        shape[axis] = -1
        weights = broadcast_to(weights.reshape(shape), a.shape)
    return (a * weights).sum(axis) / (weights * 1.0).sum(axis)


def _flat(a, axis):
    a = asarray(a)
    return (a.reshape(-1), 0) if axis is None else (a, axis)


def _kept(a, axis, result, keepdims):
    if not keepdims:
        return result
    return result.reshape((1,) * asarray(a).ndim) if axis is None else expand_dims(result, axis)


@_method
def argmax(a, axis=None, out=None, keepdims=False):
    return _into(_kept(a, axis, _numpy._argmax(*_flat(a, axis)), keepdims), out)


@_method
def argmin(a, axis=None, out=None, keepdims=False):
    return _into(_kept(a, axis, _numpy._argmin(*_flat(a, axis)), keepdims), out)


@_method
def cumsum(a, axis=None, dtype=None, out=None):
    a, axis = _flat(a, axis)
    return _into(_numpy._cumsum(a if dtype is None else a.astype(dtype), axis), out)


@_method
def cumprod(a, axis=None, dtype=None, out=None):
    a, axis = _flat(a, axis)
    return _into(_numpy._cumprod(a if dtype is None else a.astype(dtype), axis), out)


def sort(a, axis=-1, kind=None):
    if isinstance(asarray(a), Texts):
        return Texts(sorted(asarray(a)._flat()))
    return _numpy._sort(*_flat(a, axis))


@_method
def argsort(a, axis=-1, kind=None, order=None):
    if isinstance(asarray(a), Texts):
        return asarray(a).argsort()
    return _numpy._argsort(*_flat(a, axis))


def _sort_in_place():
    def sort(a, axis=-1, kind=None):
        a[...] = _numpy._sort(a, axis)

    _method(sort)


_sort_in_place()


def argpartition(a, kth, axis=-1):
    return argsort(a, axis)


def partition(a, kth, axis=-1):
    return sort(a, axis)


def ptp(a, axis=None):
    return _numpy.max(a, axis) - _numpy.min(a, axis)


def diff(a, n=1, axis=-1):
    a = asarray(a)
    axis = _axis(axis, a.ndim)
    for _ in range(n):
        front = (slice(None),) * axis
        a = a[front + (slice(1, None),)] - a[front + (slice(None, -1),)]
    return a


def percentile(a, q, axis=None):
    return quantile(a, true_divide(q, 100), axis)


def quantile(a, q, axis=None):
    a, axis = _flat(a, axis)
    a = moveaxis(sort(a.astype(float), axis), axis, 0)
    q = asarray(q)
    out = []
    for one in q.reshape(-1):
        at = float(one) * (a.shape[0] - 1)
        low = int(at)
        high = low + 1 if low + 1 < a.shape[0] else low
        t = at - low
        x, y = a[low], a[high]
        d = y - x
        out.append(y - d * (1 - t) if t >= 0.5 else x + d * t)
    return out[0] if q.ndim == 0 else stack(out)


def median(a, axis=None, keepdims=False):
    x, at = _flat(a, axis)
    x = moveaxis(sort(x, at), at, 0)
    n = x.shape[0]
    result = mean(x[(n - 1) // 2:n // 2 + 1], 0)
    return _kept(a, axis, result, keepdims)


def nansum(a, axis=None):
    a = asarray(a)
    return where(isnan(a), 0, a).sum(axis)


def nanmean(a, axis=None):
    a = asarray(a)
    return nansum(a, axis) / (~isnan(a)).sum(axis)


def nanmax(a, axis=None):
    a = asarray(a)
    return where(isnan(a), -inf, a).max(axis)


def nanmin(a, axis=None):
    a = asarray(a)
    return where(isnan(a), inf, a).min(axis)


def count_nonzero(a, axis=None):
    r = (asarray(a) != 0).sum(axis)
    return int(r) if axis is None else r


# ---- choosing ----

def where(condition, x=None, y=None):
    if x is None and y is None:
        return nonzero(condition)
    if _has_text(x) or _has_text(y):
        return _choose_texts(asarray(condition), asarray(x), asarray(y))
    return _numpy._where(condition, x, y)


def _choose_texts(condition, x, y):
    x, y = (t if isinstance(t, Texts) else Texts([str(k) for k in t.reshape(-1).tolist()]).reshape(t.shape) for t in (x, y))
    shape = _numpy.add(_numpy.add(condition, x._at), y._at).shape
    parts = [broadcast_to(t, shape).reshape(-1).tolist() for t in (condition, x._at, y._at)]
    return Texts([x._texts[i] if c else y._texts[k] for c, i, k in zip(*parts)], arange(len(parts[0])).reshape(shape))


@_method
def nonzero(a):
    a = asarray(a) != 0
    if a.ndim == 0:
        a = a.reshape(1)
    full_ = indices(a.shape)
    return tuple(full_[i][a] for i in range(a.ndim))


def unravel_index(indices, shape):
    at = asarray(indices)
    out = []
    for n in reversed(_shape(shape)):
        out.append(at % n)
        at = at // n
    return tuple(reversed(out))


def ravel_multi_index(multi_index, dims):
    at = 0
    for i, n in zip(multi_index, dims):
        at = at * n + asarray(i)
    return at


def argwhere(a):
    return stack(nonzero(a), 1) if asarray(a).ndim else zeros((0, 0), int)


def flatnonzero(a):
    return nonzero(ravel(a))[0]


@_method
def clip(a, a_min=None, a_max=None, out=None, min=None, max=None):
    a = asarray(a)
    low = a_min if a_min is not None else min
    high = a_max if a_max is not None else max
    if low is not None:
        a = maximum(a, low)
    return _into(a if high is None else minimum(a, high), out)


@_method
def take(a, indices, axis=None, mode="raise"):
    a, axis = _flat(a, axis)
    axis = _axis(axis, a.ndim)
    at = indices if isinstance(indices, (int, integer)) else asarray(indices)
    return a[(slice(None),) * axis + (at,)]


def _along(a, indices, axis):
    """The index of a that has indices along axis and each place along the other axes."""
    where_ = []
    at = _axis(axis, a.ndim)
    for i, n in enumerate(a.shape):
        shape = [1] * a.ndim
        shape[i] = -1
        where_.append(indices if i == at else arange(n).reshape(shape))
    return tuple(where_)


def take_along_axis(arr, indices, axis):
    arr, at = _flat(arr, axis)
    return arr[_along(arr, indices, at)]


def put_along_axis(arr, indices, values, axis):
    arr[_along(arr, indices, axis)] = values


def choose(a, choices):
    choices = stack(choices)
    return take_along_axis(choices, asarray(a)[None], 0)[0]


def select(condlist, choicelist, default=0):
    result = asarray(default)
    for condition, choice in zip(condlist[::-1], choicelist[::-1]):
        result = where(condition, choice, result)
    return result


def delete(arr, obj, axis=None):
    arr, axis = _flat(arr, axis)
    keep = ones(arr.shape[axis], bool)
    keep[obj] = False
    return arr[(slice(None),) * _axis(axis, arr.ndim) + (keep,)]


def insert(arr, obj, values, axis=None):
    arr, axis = _flat(arr, axis)
    axis = _axis(axis, arr.ndim)
    front = (slice(None),) * axis
    values = asarray(values, arr.dtype)
    shape = list(arr.shape)
    shape[axis] = 1
    if values.ndim < arr.ndim and arr.ndim > 1:
        values = broadcast_to(expand_dims(values, axis) if values.ndim else values, shape)
    elif arr.ndim == 1:
        values = atleast_1d(values)
    return concatenate([arr[front + (slice(None, obj),)], values, arr[front + (slice(obj, None),)]], axis)


def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None):
    if isinstance(asarray(ar), Texts):
        texts = asarray(ar).ravel()
        known = sorted(set(texts))
        found = unique([known.index(x) for x in texts], return_index, return_inverse, return_counts)
        rest = found[1:] if isinstance(found, tuple) else ()
        return (Texts(known),) + rest if rest else Texts(known)
    ar = ravel(ar)
    order = argsort(ar)
    s = ar[order]
    first = ones(s.size, bool)
    if s.size:
        first[1:] = s[1:] != s[:-1]
    out = [s[first]]
    if return_index:
        out.append(order[first])
    if return_inverse:
        inverse = zeros(s.size, int)
        inverse[order] = cumsum(first) - 1
        out.append(inverse)
    if return_counts:
        at = concatenate([nonzero(first)[0], [s.size]])
        out.append(diff(at))
    return out[0] if len(out) == 1 else tuple(out)


def isin(element, test_elements, invert=False):
    element = asarray(element)
    result = zeros(element.shape, bool)
    for t in asarray(test_elements).ravel():
        result = result | (element == t)
    return ~result if invert else result


in1d = isin


def intersect1d(a, b):
    a = unique(a)
    return a[isin(a, b)]


def union1d(a, b):
    return unique(concatenate([ravel(a), ravel(b)]))


def setdiff1d(a, b):
    a = unique(a)
    return a[~isin(a, b)]


@_method
def searchsorted(a, v, side="left", sorter=None):
    a = asarray(a)
    v = asarray(v)
    if v.ndim == 0:
        return int64((a < v).sum() if side == "left" else (a <= v).sum())
    low = zeros(v.shape, int)
    high = full(v.shape, a.size)
    while (low < high).any():
        middle = (low + high) // 2
        x = a[minimum(middle, a.size - 1)]
        goes = (x < v) if side == "left" else (x <= v)
        active = low < high
        low = where(active & goes, middle + 1, low)
        high = where(active & ~goes, middle, high)
    return low


def digitize(x, bins, right=False):
    return searchsorted(bins, x, "left" if right else "right")


def bincount(x, weights=None, minlength=0):
    x = asarray(x)
    n = _max(int(x.max()) + 1 if x.size else 0, minlength)
    out = zeros(n, int if weights is None else float)
    for i, k in enumerate(x):
        out[k] += 1 if weights is None else weights[i]
    return out


def histogram(a, bins=10, range=None, density=False):
    a = ravel(a)
    if isinstance(bins, int):
        low, high = (float(a.min()), float(a.max())) if range is None else range
        if low == high:
            low, high = low - 0.5, high + 0.5
        edges = linspace(low, high, bins + 1)
    else:
        edges = asarray(bins)
    at = searchsorted(edges, a, "right") - 1
    at = where(a == edges[-1], edges.size - 2, at)
    counts = bincount(at[(at >= 0) & (at < edges.size - 1)], minlength=edges.size - 1)
    if density:
        counts = counts / diff(edges) / counts.sum()
    return counts, edges


# ---- products ----

def _mismatch(a, b, i, k):
    text = [str(x.shape).replace(" ", "") for x in (a, b)]
    raise ValueError(f"shapes {text[0]} and {text[1]} not aligned: {a.shape[i]} (dim {i}) != "
                     f"{b.shape[k]} (dim {k})")


@_method
def dot(a, b, out=None):
    a, b = asarray(a), asarray(b)
    if a.ndim == 0 or b.ndim == 0:
        return multiply(a, b, out=out)
    k = b.ndim - 2 if b.ndim > 1 else 0
    if a.shape[-1] != b.shape[k]:
        _mismatch(a, b, a.ndim - 1, k)
    if a.ndim <= 2 and b.ndim <= 2:
        return _into(matmul(a, b), out)
    last = moveaxis(b, -2, 0) if b.ndim > 2 else b
    r = matmul(a.reshape(-1, a.shape[-1]), last.reshape(last.shape[0], -1))
    return _into(r.reshape(a.shape[:-1] + (last.shape[1:] if b.ndim > 1 else ())), out)


def vdot(a, b):
    return dot(ravel(a), ravel(b))


def inner(a, b):
    a, b = asarray(a), asarray(b)
    if a.ndim == 0 or b.ndim == 0:
        return a * b
    if a.shape[-1] != b.shape[-1]:
        _mismatch(a, b, a.ndim - 1, b.ndim - 1)
    return tensordot(a, b, (-1, -1))


def outer(a, b):
    return ravel(a)[:, None] * ravel(b)[None, :]


def tensordot(a, b, axes=2):
    a, b = asarray(a), asarray(b)
    if isinstance(axes, int):
        at, bt = list(range(a.ndim - axes, a.ndim)), list(range(axes))
    else:
        at, bt = ([_axis(i, x.ndim) for i in _shape(k)] for x, k in zip((a, b), axes))
    if [a.shape[i] for i in at] != [b.shape[i] for i in bt]:
        raise ValueError("shape-mismatch for sum")
    keep_a = [i for i in range(a.ndim) if i not in at]
    keep_b = [i for i in range(b.ndim) if i not in bt]
    n = 1
    for i in at:
        n *= a.shape[i]
    left = a.transpose(keep_a + at).reshape(-1, n)
    right = b.transpose(bt + keep_b).reshape(n, -1)
    shape = tuple(a.shape[i] for i in keep_a) + tuple(b.shape[i] for i in keep_b)
    r = matmul(left, right).reshape(shape)
    return r if shape else r[()]


def kron(a, b):
    a, b = asarray(a), asarray(b)
    if a.ndim != 2 or b.ndim != 2:
        return outer(a, b).reshape(-1)
    r = a[:, None, :, None] * b[None, :, None, :]
    return r.reshape(a.shape[0] * b.shape[0], a.shape[1] * b.shape[1])


def cross(a, b):
    a, b = asarray(a), asarray(b)
    x, y, z = a[..., 0], a[..., 1], a[..., 2]
    u, v, w = b[..., 0], b[..., 1], b[..., 2]
    return stack([y * w - z * v, z * u - x * w, x * v - y * u], -1)


def _letters(term, x, fresh):
    if "..." not in term:
        letters = list(term)
    else:
        before, after = term.split("...")
        n = x.ndim - len(before) - len(after)
        letters = list(before) + fresh[len(fresh) - n:] + list(after)
    if len(letters) != x.ndim:
        raise ValueError("einstein sum subscripts string contains too many subscripts for operand"
                         if len(letters) > x.ndim else
                         "operand has more dimensions than subscripts given in einstein sum, but no "
                         "'...' ellipsis provided to broadcast the extra dimensions.")
    return letters


def einsum(subscripts, *operands, optimize=False):
    arrays = [asarray(x) for x in operands]
    text = subscripts.replace(" ", "")
    left, arrow, right = text.partition("->")
    terms = left.split(",")
    if len(terms) != len(arrays):
        raise ValueError("more operands provided to einstein sum function than specified in the "
                         "subscripts string" if len(arrays) > len(terms) else
                         "fewer operands provided to einstein sum function than specified in the "
                         "subscripts string")
    fresh = ["0", "1", "2", "3", "4", "5", "6"]
    inputs = [_letters(t, x, fresh) for t, x in zip(terms, arrays)]
    rest = []
    for letters in inputs:
        rest = [c for c in letters if c in fresh] if len([c for c in letters if c in fresh]) > len(rest) else rest
    if arrow:
        before, dots, after = right.partition("...")
        output = list(before) + (rest if dots else []) + list(after)
    else:
        joined = [c for letters in inputs for c in letters if c not in fresh]
        output = rest + sorted(c for c in set(joined) if joined.count(c) == 1)
    sizes = {}
    made = []
    for letters, x in zip(inputs, arrays):
        for c in list(letters):
            while letters.count(c) > 1:
                i = letters.index(c)
                k = letters.index(c, i + 1)
                x = moveaxis(diagonal(x, 0, i, k), -1, i)
                del letters[k]
        for c, n in zip(letters, x.shape):
            if sizes.get(c, 1) not in (1, n) and n != 1:
                raise ValueError("operands could not be broadcast together with remapped shapes "
                                 f"[original->remapped]: axis {c} has sizes {sizes[c]} and {n}")
            sizes[c] = n if n != 1 else sizes.get(c, 1)
        made.append((letters, x))
    for c in output:
        if c not in sizes:
            raise ValueError(f"einstein sum subscripts string included output subscript '{c}' "
                             "which never appeared in an input")
    letters, x = made[0]
    for i in range(1, len(made)):
        later = set(output)
        for others, _ in made[i + 1:]:
            later |= set(others)
        letters, x = _contract(letters, x, made[i][0], made[i][1], later)
    gone = tuple(i for i, c in enumerate(letters) if c not in output)
    if gone:
        x = x.sum(gone)
        letters = [c for c in letters if c in output]
    if not letters:
        return x
    return x.transpose([letters.index(c) for c in output])


def _contract(la, a, lb, b, later):
    shared = [c for c in la if c in lb]
    batch = [c for c in shared if c in later]
    summed = [c for c in shared if c not in later]
    gone = tuple(i for i, c in enumerate(la) if c not in lb and c not in later)
    if gone:
        a, la = a.sum(gone), [c for i, c in enumerate(la) if i not in gone]
    gone = tuple(i for i, c in enumerate(lb) if c not in la and c not in later)
    if gone:
        b, lb = b.sum(gone), [c for i, c in enumerate(lb) if i not in gone]
    a, b = asarray(a), asarray(b)
    only_a = [c for c in la if c not in lb]
    only_b = [c for c in lb if c not in la]
    size_a, size_b = dict(zip(la, a.shape)), dict(zip(lb, b.shape))
    for c in summed:
        n = _max(size_a[c], size_b[c])
        if size_a[c] != n:
            a = broadcast_to(a, tuple(n if k == c else size_a[k] for k in la))
            size_a[c] = n
        if size_b[c] != n:
            b = broadcast_to(b, tuple(n if k == c else size_b[k] for k in lb))
            size_b[c] = n

    def joined(x, letters, sizes, first, middle, last):
        x = x.transpose([letters.index(c) for c in first + middle + last])
        shape = [sizes[c] for c in first]
        for group in (middle, last):
            n = 1
            for c in group:
                n *= sizes[c]
            shape.append(n)
        return x.reshape(shape)

    left = joined(a, la, size_a, batch, only_a, summed)
    right = joined(b, lb, size_b, batch, summed, only_b)
    x = matmul(left, right)
    shape = x.shape[:len(batch)] + tuple(size_a[c] for c in only_a) + tuple(size_b[c] for c in only_b)
    return batch + only_a + only_b, x.reshape(shape)


# ---- questions ----

def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    a, b = asarray(a), asarray(b)
    with errstate(invalid="ignore"):
        near = (abs(a - b) <= atol + rtol * abs(b)) & isfinite(b)
    near = near | (a == b)
    return near | (isnan(a) & isnan(b)) if equal_nan else near


def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    return bool(_numpy.all(isclose(a, b, rtol, atol, equal_nan)))


def array_equal(a, b):
    a, b = asarray(a), asarray(b)
    return a.shape == b.shape and bool(_numpy.all(a == b))


def isscalar(x):
    return isinstance(x, (int, float, str, generic))


def shape(a):
    return asarray(a).shape


def ndim(a):
    return asarray(a).ndim


def size(a, axis=None):
    return asarray(a).size if axis is None else asarray(a).shape[axis]


def iterable(x):
    return hasattr(x, "__iter__")


def result_type(*args):
    total = asarray(args[0])
    for x in args[1:]:
        total = total + asarray(x)
    return total.dtype


# ---- others ----

def nan_to_num(x, nan=0.0, posinf=None, neginf=None):
    x = asarray(x)
    x = where(isnan(x), nan, x)
    x = where(x == inf, 1.7976931348623157e308 if posinf is None else posinf, x)
    return where(x == -inf, -1.7976931348623157e308 if neginf is None else neginf, x)


def cov(m, rowvar=True, bias=False, ddof=None):
    x = atleast_2d(asarray(m)) * 1.0
    if not rowvar:
        x = x.T
    x = x - mean(x, 1, None, None, True)
    n = x.shape[1] - (0 if bias else 1) if ddof is None else x.shape[1] - ddof
    r = dot(x, x.T) / n
    return squeeze(r) if r.shape == (1, 1) else r


def corrcoef(x, y=None):
    x = asarray(x) if y is None else stack([asarray(x), asarray(y)])
    c = cov(x)
    d = sqrt(diag(c))
    return clip(c / d[:, None] / d[None, :], -1, 1)


def interp(x, xp, fp):
    x, xp, fp = asarray(x), asarray(xp) * 1.0, asarray(fp) * 1.0
    at = clip(searchsorted(xp, x, "right") - 1, 0, xp.size - 2)
    slope = (fp[at + 1] - fp[at]) / (xp[at + 1] - xp[at])
    y = slope * (x - xp[at]) + fp[at]
    return where(x <= xp[0], fp[0], where(x >= xp[-1], fp[-1], y))


def polyval(p, x):
    y = zeros_like(asarray(x))
    for c in p:
        y = y * x + c
    return y


def convolve(a, v, mode="full"):
    a, v = ravel(a), ravel(v)
    out = zeros(a.size + v.size - 1, (a[:1] * v[:1]).dtype)
    for i in range(v.size):
        out[i:i + a.size] += a * v[i]
    if mode == "full":
        return out
    n, k = _max(a.size, v.size), a.size if a.size < v.size else v.size
    if mode == "valid":
        return out[k - 1:n]
    start = (k - 1) // 2
    return out[start:start + n]


def apply_along_axis(func1d, axis, arr, *args):
    arr = moveaxis(asarray(arr), axis, -1)
    lines = arr.reshape(-1, arr.shape[-1])
    out = stack([asarray(func1d(line, *args)) for line in lines])
    out = out.reshape(arr.shape[:-1] + out.shape[1:])
    return moveaxis(out, -1, axis) if out.ndim == arr.ndim else out


def vectorize(pyfunc, otypes=None):
    def f(*args):
        arrays = [asarray(a) for a in args]
        total = arrays[0]
        for a in arrays[1:]:
            total = total + a * 0
        shape_ = total.shape
        flat = [broadcast_to(a, shape_).reshape(-1).tolist() for a in arrays]
        out = array([pyfunc(*items) for items in zip(*flat)])
        return out.reshape(shape_) if shape_ else out[0]
    return f


def ndenumerate(a):
    for at in ndindex(*a.shape):
        yield at, a[at]


def ndindex(*shape_):
    if len(shape_) == 1 and isinstance(shape_[0], tuple):
        shape_ = shape_[0]
    if not shape_:
        yield ()
        return
    for i in range(shape_[0]):
        for rest in ndindex(*shape_[1:]):
            yield (i,) + rest


class finfo:
    def __init__(self, dtype=float):
        name = _numpy.dtype(dtype).name
        row = {"float64": (2.220446049250313e-16, 1.7976931348623157e308, 2.2250738585072014e-308),
               "float32": (1.1920928955078125e-07, 3.4028234663852886e38, 1.1754943508222875e-38),
               "float16": (0.0009765625, 65504.0, 6.103515625e-05)}[name]
        kind = {"float64": float64, "float32": float32, "float16": float16}[name]
        self.eps, self.max, self.tiny = (kind(x) for x in row)
        self.min = -self.max
        self.dtype = _numpy.dtype(dtype)


class iinfo:
    def __init__(self, dtype=int):
        self.dtype = _numpy.dtype(dtype)
        bits = 8 * self.dtype.itemsize
        signed = self.dtype.kind == "i"
        self.max = 2 ** (bits - 2) - 1 + 2 ** (bits - 2) if signed else 2 ** bits - 1
        self.min = -self.max - 1 if signed else 0


_KINDS = ("divide", "over", "invalid")
_ACTIONS = ("warn", "ignore", "raise")


def geterr():
    found = {kind: _ACTIONS[_numpy._on_trouble(i, -1)] for i, kind in enumerate(_KINDS)}
    return {"divide": found["divide"], "over": found["over"], "under": "ignore", "invalid": found["invalid"]}


def seterr(all=None, divide=None, over=None, under=None, invalid=None):
    before = geterr()
    for i, action in enumerate((divide, over, invalid)):
        action = all if action is None else action
        if action is not None and action not in _ACTIONS:
            raise ValueError(f"attn's np.seterr() knows warn, ignore and raise, and not {action!r}")
        if action is not None:
            _numpy._on_trouble(i, _ACTIONS.index(action))
    return before


class errstate:
    def __init__(self, **kwargs):
        self._wanted = kwargs

    def __enter__(self):
        self._before = seterr(**self._wanted)
        return self

    def __exit__(self, *args):
        seterr(**self._before)
        return False

    def __call__(self, f):
        def inside(*args, **kwargs):
            with errstate(**self._wanted):
                return f(*args, **kwargs)
        inside.__name__ = f.__name__
        return inside


def get_printoptions():
    return dict(zip(("precision", "threshold", "edgeitems", "linewidth", "suppress", "formatter", "floatmode"),
                    _numpy._options()))


def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, suppress=None, nanstr=None,
                     infstr=None, formatter=None, sign=None, floatmode=None, *, legacy=None):
    if nanstr not in (None, "nan") or infstr not in (None, "inf") or sign not in (None, "-") or legacy:
        raise NotImplementedError("attn's set_printoptions() has no nanstr, infstr, sign and legacy")
    _numpy._set_printoptions(precision, threshold, edgeitems, linewidth, suppress, formatter=formatter,
                             floatmode=floatmode)


class printoptions:
    def __init__(self, **kwargs):
        self._wanted = kwargs

    def __enter__(self):
        self._before = get_printoptions()
        set_printoptions(**self._wanted)
        return get_printoptions()

    def __exit__(self, *args):
        set_printoptions(**self._before)
        return False


def _with_options(write, a, width, precision, suppress, more=0, **options):
    before = get_printoptions()
    options.setdefault("formatter", before["formatter"])
    set_printoptions(precision, options.pop("threshold", None), options.pop("edgeitems", None),
                     (before["linewidth"] if width is None else width) + more, suppress, **options)
    try:
        return write(a)
    finally:
        set_printoptions(**before)


def array_str(a, max_line_width=None, precision=None, suppress_small=None):
    return str(a) if isinstance(a, Texts) else _with_options(_numpy._text, a, max_line_width, precision, suppress_small)


def array_repr(arr, max_line_width=None, precision=None, suppress_small=None):
    return repr(arr) if isinstance(arr, Texts) else _with_options(_numpy._repr, arr, max_line_width, precision, suppress_small)


def array2string(a, max_line_width=None, precision=None, suppress_small=None, separator=" ", prefix="", *,
                 formatter=None, threshold=None, edgeitems=None, sign=None, floatmode=None, suffix=""):
    options = {"threshold": threshold, "edgeitems": edgeitems, "sign": sign, "floatmode": floatmode}
    if formatter is not None:
        options["formatter"] = formatter
    if separator == " " and isinstance(a, Texts):
        return str(a)
    if separator == " ":
        text = _with_options(_numpy._text, a, max_line_width, precision, suppress_small, -len(prefix), **options)
        return text.replace("\n", "\n" + " " * len(prefix))
    if separator not in (",", ", ") or prefix:
        raise NotImplementedError("attn's np.array2string() takes a space or a comma as the separator")
    text = _with_options(_numpy._repr, a, max_line_width, precision, suppress_small, 6, **options)
    text = text[6:text.rfind("]") + 1].replace("\n" + " " * 6, "\n")
    return text if separator == ", " else text.replace(", ", ",")


def _files(*args, **kwargs):
    raise NotImplementedError("a cell reads and writes no file in attn")


load = save = savez = loadtxt = savetxt = genfromtxt = _files

class _Joined:
    """np.r_[...] and np.c_[...]: arrays, numbers and slices side by side."""

    def __init__(self, as_columns):
        self._as_columns = as_columns

    def __getitem__(self, items):
        parts = []
        for x in items if isinstance(items, tuple) else (items,):
            if isinstance(x, str):
                raise NotImplementedError("attn's np.r_ and np.c_ take no texts; write np.concatenate(..., axis=...)")
            if isinstance(x, slice):
                x = arange(0 if x.start is None else x.start, x.stop, 1 if x.step is None else x.step)
            x = atleast_1d(asarray(x))
            parts.append(x[:, None] if self._as_columns and x.ndim == 1 else x)
        return concatenate(parts, -1 if self._as_columns else 0)


r_, c_ = _Joined(False), _Joined(True)


# ---- ufuncs: the methods of np.add and its like ----

class ufunc:
    """A function of two arrays, with reduce, accumulate, outer and at."""

    def __init__(self, function, reduction=None, scan=None):
        self._function = function
        self.__name__ = function.__name__
        self._reduction = reduction
        self._scan = scan
        self.nin, self.nout, self.nargs = 2, 1, 3

    def __call__(self, x1, x2, out=None, where=True, dtype=None):
        r = self._function(x1, x2) if out is None else self._function(x1, x2, out)
        if where is not True:
            if out is None:
                raise NotImplementedError("attn's ufuncs take where= with out=; write np.where(...)")
            raise NotImplementedError("attn's ufuncs take no where=; write np.where(...)")
        return r if dtype is None else r.astype(dtype)

    def __repr__(self):
        return f"<ufunc '{self.__name__}'>"

    def outer(self, A, B):
        A, B = asarray(A), asarray(B)
        return self._function(A.reshape(A.shape + (1,) * B.ndim), B)

    def reduce(self, array, axis=0, dtype=None, out=None, keepdims=False):
        a = asarray(array)
        if dtype is not None:
            a = a.astype(dtype)
        if self._reduction is not None:
            return _into(self._reduction(a, axis, keepdims=keepdims), out)
        if axis is None:
            a, axis = a.reshape(-1), 0
        if isinstance(axis, tuple):
            raise NotImplementedError(f"attn's np.{self.__name__}.reduce() goes along one axis")
        rows = moveaxis(a, axis, 0)
        if not len(rows):
            raise ValueError(f"zero-size array to reduction operation {self.__name__} which has no identity")
        r = rows[0]
        for row in rows[1:]:
            r = self._function(r, row)
        return _into(expand_dims(r, axis) if keepdims else r, out)

    def accumulate(self, array, axis=0, dtype=None, out=None):
        a = asarray(array)
        if dtype is not None:
            a = a.astype(dtype)
        if self._scan is not None:
            return _into(self._scan(a, axis), out)
        rows = moveaxis(a, axis, 0)
        found = [rows[0]] if len(rows) else []
        for row in rows[1:]:
            found.append(self._function(found[-1], row))
        return _into(stack(found, axis) if found else a.copy(), out)

    def at(self, a, indices, b):
        """Each index in its turn, also where one comes twice."""
        places = asarray(arange(a.size).reshape(a.shape)[indices])
        values = broadcast_to(asarray(b), places.shape).reshape(-1)
        for k, place in enumerate(places.reshape(-1).tolist()):
            at = unravel_index(place, a.shape)
            a[at] = self._function(a[at], values[k])


def _ufuncs(reductions, scans):
    for name in ("add", "subtract", "multiply", "divide", "true_divide", "floor_divide", "remainder", "mod", "power",
                 "maximum", "minimum", "fmax", "fmin", "bitwise_and", "bitwise_or", "bitwise_xor", "left_shift",
                 "right_shift", "arctan2", "hypot", "logaddexp", "copysign", "equal", "not_equal", "less",
                 "less_equal", "greater", "greater_equal", "logical_and", "logical_or", "logical_xor"):
        yield ufunc(getattr(_numpy, name), reductions.get(name), scans.get(name))


(add, subtract, multiply, divide, true_divide, floor_divide, remainder, mod, power, maximum, minimum, fmax, fmin,
 bitwise_and, bitwise_or, bitwise_xor, left_shift, right_shift, arctan2, hypot, logaddexp, copysign, equal, not_equal,
 less, less_equal, greater, greater_equal, logical_and, logical_or, logical_xor) = _ufuncs(
    {"add": _numpy.sum, "multiply": _numpy.prod, "maximum": _numpy.max, "minimum": _numpy.min,
     "logical_and": _numpy.all, "logical_or": _numpy.any},
    {"add": cumsum, "multiply": cumprod})


# ---- walking through an array ----

class nditer:
    """One array, number by number: for x in it, and it.multi_index with flags=['multi_index']."""

    def __init__(self, op, flags=(), op_flags=(), order="K"):
        if isinstance(op, (list, tuple)) and op and isinstance(op[0], ndarray):
            raise NotImplementedError("attn's np.nditer goes through one array; write zip(a.flat, b.flat)")
        self._array = asarray(op)
        self._at = 0
        self.shape = self._array.shape
        self.size = self.itersize = self._array.size
        self.operands = (self._array,)

    @property
    def finished(self):
        return self._at >= self.size

    @property
    def index(self):
        return self._at

    iterindex = index

    @property
    def multi_index(self):
        return tuple([int(i) for i in unravel_index(self._at, self.shape)])

    def _cell(self):
        at = self.multi_index
        return self._array[tuple([slice(i, i + 1) for i in at])].reshape(()) if at else self._array

    @property
    def value(self):
        return self._cell()

    def __getitem__(self, i):
        return self._cell()

    def __setitem__(self, i, value):
        self._array[self.multi_index] = value

    def iternext(self):
        self._at += 1
        return not self.finished

    def __iter__(self):
        while not self.finished:
            yield self._cell()
            self._at += 1

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return False


import numpy.linalg
import numpy.random
import numpy.lib
import numpy.lib.stride_tricks
import numpy.testing
