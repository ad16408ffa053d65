"""numpy.linalg, as far as cells use it."""
import _numpy
from _numpy import asarray, array, matmul, sqrt, abs, sum, max, min


class LinAlgError(ValueError):
    pass


def norm(x, ord=None, axis=None, keepdims=False):
    x = asarray(x)
    if x.dtype.kind in "biu":
        x = x.astype(float)
    if axis is None and ord is None:
        flat = x.reshape(-1)
        r = sqrt(matmul(flat, flat))
        return r.reshape((1,) * x.ndim) if keepdims else r
    if axis is None and x.ndim == 2 or isinstance(axis, tuple):
        if ord in (None, "fro"):
            return sqrt(sum(abs(x) ** 2, axis, keepdims=keepdims))
        if ord == 1:
            return abs(x).sum(0).max()
        if ord == float("inf"):
            return abs(x).sum(1).max()
        raise NotImplementedError("attn has the norms fro, 1 and inf of matrices")
    if ord is None or ord == 2:
        return sqrt(sum(x * x, axis, keepdims=keepdims))
    if ord == 1:
        return sum(abs(x), axis, keepdims=keepdims)
    if ord == float("inf"):
        return max(abs(x), axis, keepdims=keepdims)
    if ord == -float("inf"):
        return min(abs(x), axis, keepdims=keepdims)
    if ord == 0:
        return sum((x != 0).astype(float), axis, keepdims=keepdims)
    return sum(abs(x) ** ord, axis, keepdims=keepdims) ** (1 / ord)


def _square(a):
    a = asarray(a)
    if a.ndim != 2:
        raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be at least two-dimensional"
                          if a.ndim < 2 else "attn takes one matrix at a time here")
    if a.shape[0] != a.shape[1]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    return a.astype(float).copy()


def _eliminate(a, b):
    """Rows of a | b, by the largest pivot; the sign of the exchanges, or 0 where a is singular."""
    n, sign = a.shape[0], 1.0
    for i in range(n):
        k = i + int(_numpy._argmax(abs(a[i:, i]), 0))
        if a[k, i] == 0:
            return 0.0
        if k != i:
            for m in (a, b):
                row = m[i].copy()
                m[i] = m[k]
                m[k] = row
            sign = -sign
        for j in range(i + 1, n):
            f = a[j, i] / a[i, i]
            a[j] = a[j] - f * a[i]
            b[j] = b[j] - f * b[i]
    return sign


def det(a):
    a = _square(a)
    sign = _eliminate(a, a[:, :0].copy())
    if sign == 0:
        return _numpy.float64(0)
    total = _numpy.float64(0)
    for i in range(a.shape[0]):  # numpy adds up logarithms
        if a[i, i] < 0:
            sign = -sign
        total = total + _numpy.log(abs(a[i, i]))
    return sign * _numpy.exp(total)


def solve(a, b):
    a, b = _square(a), asarray(b).astype(float).copy()
    flat = b.ndim == 1
    b = b.reshape(b.shape[0], -1)
    if _eliminate(a, b) == 0:
        raise LinAlgError("Singular matrix")
    for i in range(a.shape[0] - 1, -1, -1):
        b[i] = (b[i] - matmul(a[i, i + 1:], b[i + 1:])) / a[i, i]
    return b.reshape(-1) if flat else b


def inv(a):
    a = _square(a)
    n = a.shape[0]
    one = _numpy._full((n, n), 0, float)
    for i in range(n):
        one[i, i] = 1
    return solve(a, one)


def matrix_power(a, n):
    a = asarray(a)
    if n < 0:
        return matrix_power(inv(a), -n)
    r = a ** 0 * 0
    for i in range(a.shape[0]):
        r[i, i] = 1
    for _ in range(n):
        r = matmul(r, a)
    return r


def _missing(*args, **kwargs):
    raise NotImplementedError("attn has norm, det, inv, solve and matrix_power of numpy.linalg")


svd = eig = eigh = eigvals = eigvalsh = qr = cholesky = lstsq = pinv = matrix_rank = _missing
