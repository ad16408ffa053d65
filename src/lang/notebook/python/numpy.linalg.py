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


def slogdet(a):
    a = _square(a)
    sign = _eliminate(a, a[:, :0].copy())
    total = _numpy.float64(0)
    for i in range(a.shape[0]):
        if sign == 0 or a[i, i] == 0:
            return _numpy.float64(0), _numpy.float64(-float("inf"))
        sign = -sign if a[i, i] < 0 else sign
        total = total + _numpy.log(abs(a[i, i]))
    return _numpy.float64(sign), total


# ---- decompositions: linalg.c ----

def _as_given(a, *results):
    """float32 stays float32, as in numpy."""
    single = asarray(a).dtype.name == "float32"
    return tuple([x.astype(_numpy.float32) if single else x for x in results])


def qr(a, mode="reduced"):
    if mode not in ("reduced", "complete", "r"):
        raise ValueError(f"Unrecognized mode '{mode}'")
    q, r = _as_given(a, *_numpy._qr(a, mode == "complete"))
    return r if mode == "r" else (q, r)


def eigh(a, UPLO="L"):
    a = asarray(a)
    return _as_given(a, *_numpy._eigh(a.T if UPLO.upper() == "U" else a))


def eigvalsh(a, UPLO="L"):
    return eigh(a, UPLO)[0]


def svd(a, full_matrices=True, compute_uv=True, hermitian=False):
    a = asarray(a)
    if a.ndim > 2:
        found = [svd(x, full_matrices, compute_uv) for x in a]
        return tuple([array([f[i] for f in found]) for i in range(3)]) if compute_uv else array(found)
    u, s, vt = _as_given(a, *_numpy._svd(a, full_matrices and compute_uv))
    return (u, s, vt) if compute_uv else s


def cond(x, p=None):
    if p is not None and p != 2:
        return norm(x, p) * norm(inv(x), p)
    s = svd(x, compute_uv=False)
    return s[0] / s[-1]


def matrix_rank(A, tol=None):
    A = asarray(A)
    if A.ndim < 2:
        return int((A != 0).any())
    if A.ndim > 2:
        return array([matrix_rank(x, tol) for x in A])
    s = svd(A, compute_uv=False)
    if tol is None:
        eps = 1.1920928955078125e-07 if A.dtype.name == "float32" else 2.220446049250313e-16
        tol = float(s.max()) * (A.shape[0] if A.shape[0] > A.shape[1] else A.shape[1]) * eps
    return _numpy.int64(int((s > tol).sum()))


def _solved(a, b, rcond):
    """The shortest x with the smallest |a x - b|, the rank of a, and its singular values."""
    u, s, vt = _numpy._svd(a)
    kept = s > rcond * s[0]
    share = asarray([1 / float(x) if k else 0.0 for x, k in zip(s, kept)])
    return matmul(vt.T * share, matmul(u.T, b)), int(kept.sum()), s


def pinv(a, rcond=1e-15):
    a = asarray(a)
    n = a.shape[0]
    one = _numpy._full((n, n), 0, float)
    for i in range(n):
        one[i, i] = 1
    return _as_given(a, _solved(a, one, rcond)[0])[0]


def lstsq(a, b, rcond="warn"):
    a, b = asarray(a), asarray(b)
    if a.shape[0] != b.shape[0]:
        raise LinAlgError("Incompatible dimensions")
    if rcond is None or rcond == -1 or rcond == "warn":
        most = a.shape[0] if a.shape[0] > a.shape[1] else a.shape[1]
        rcond = 2.220446049250313e-16 * (most if rcond is None else 1)
    x, rank, s = _solved(a, b.astype(float), rcond)
    rest = matmul(a, x) - b
    none = rank < a.shape[1] or a.shape[0] <= a.shape[1]
    squares = array([]) if none else (rest * rest).sum(0).reshape(-1)
    return _as_given(a, x, squares) + (rank,) + _as_given(a, s)


def cholesky(a):
    given, a = a, _square(a)
    n = a.shape[0]
    r = _numpy._full((n, n), 0, float)
    for i in range(n):
        for j in range(i + 1):
            rest = a[i, j] - matmul(r[i, :j], r[j, :j])
            if i == j:
                if not rest > 0:
                    raise LinAlgError("Matrix is not positive definite")
                r[i, i] = sqrt(rest)
            else:
                r[i, j] = rest / r[j, j]
    return _as_given(given, r)[0]


def multi_dot(arrays):
    r = asarray(arrays[0])
    for x in arrays[1:]:
        r = matmul(r, asarray(x))
    return r


from _schur import eig, eigvals
