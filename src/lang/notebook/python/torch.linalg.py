"""torch.linalg. What numpy.linalg decomposes is decomposed there, and no gradient flows through it."""
import _torch
from collections import namedtuple as _namedtuple

_QR = _namedtuple("linalg_qr", "Q R")
_Eigh = _namedtuple("linalg_eigh", "eigenvalues eigenvectors")
_SVD = _namedtuple("linalg_svd", "U S Vh")
_Lstsq = _namedtuple("linalg_lstsq", "solution residuals rank singular_values")
_Slogdet = _namedtuple("linalg_slogdet", "sign logabsdet")


def _through(name, a, *args):
    """The results of numpy.linalg.NAME as tensors; of several matrices, stacked."""
    import numpy
    if a.requires_grad and _torch.is_grad_enabled():
        raise NotImplementedError(f"no gradient flows through torch.linalg.{name}() in attn; write x.detach()")
    if a.dim() > 2:
        found = [_through(name, x, *args) for x in a]
        if isinstance(found[0], tuple):
            return tuple([_torch.stack([f[i] for f in found]) for i in range(len(found[0]))])
        return _torch.stack(found)
    found = getattr(numpy.linalg, name)(a.numpy(), *args)

    def made(x):
        return _torch.tensor(x, dtype=a.dtype)
    return tuple([made(x) for x in found]) if isinstance(found, tuple) else made(found)


def qr(A, mode="reduced"):
    if mode == "r":
        return _QR(_torch.tensor([]), _through("qr", A, mode))
    return _QR(*_through("qr", A, mode))


def eigh(A, UPLO="L"):
    return _Eigh(*_through("eigh", A, UPLO))


def eigvalsh(A, UPLO="L"):
    return _through("eigvalsh", A, UPLO)


def svd(A, full_matrices=True):
    return _SVD(*_through("svd", A, full_matrices))


def svdvals(A):
    return _through("svd", A, False, False)


def cholesky(A):
    import numpy
    try:
        return _through("cholesky", A)
    except numpy.linalg.LinAlgError:
        raise RuntimeError("linalg.cholesky: The factorization could not be completed because the input is not "
                           "positive-definite") from None


def pinv(A):
    return _through("pinv", A, 1.1920928955078125e-07 * max(A.shape[-2:]))


def lstsq(A, B):
    import numpy
    x, rest, rank, s = numpy.linalg.lstsq(A.numpy(), B.numpy(), None)
    made = [_torch.tensor(y, dtype=A.dtype) for y in (x, rest, s)]
    return _Lstsq(made[0], made[1], _torch.tensor(rank), made[2])


def matrix_rank(A, *, tol=None, hermitian=False):
    import numpy
    if A.dim() > 2:
        return _torch.stack([matrix_rank(x, tol=tol) for x in A])
    return _torch.tensor(int(numpy.linalg.matrix_rank(A.detach().numpy(), tol)))


def cond(A, p=None):
    return _through("cond", A, p)


def slogdet(A):
    return _Slogdet(*_through("slogdet", A))


def det(A):
    return A.det()


def inv(A):
    return A.inverse()


def solve(A, B):
    return _torch._named(A.inverse() @ B, "LinalgSolveExBackward0")


def matrix_power(A, n):
    if n < 0:
        return matrix_power(A.inverse(), -n)
    r = _torch.eye(A.size(-1))
    for _ in range(n):
        r = r @ A
    return r


def multi_dot(tensors):
    r = tensors[0]
    for x in tensors[1:]:
        r = r @ x
    return r


def norm(A, ord=None, dim=None, keepdim=False, dtype=None):
    if ord is not None and (dim is None and A.dim() == 2 or isinstance(dim, (tuple, list)) and len(dim) == 2):
        return matrix_norm(A, ord, (-2, -1) if dim is None else dim, keepdim)
    return _torch._named(A.norm(2 if ord is None else ord, dim, keepdim), "LinalgVectorNormBackward0")


def vector_norm(x, ord=2, dim=None, keepdim=False, dtype=None):
    return _torch._named(x.norm(ord, dim, keepdim), "LinalgVectorNormBackward0")


def matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False, dtype=None):
    if ord == "fro":
        return A.norm(2, dim, keepdim)
    rows, columns = dim
    if ord in (1, -1):
        sums, axis = A.abs().sum(rows, True), columns
    elif ord in (float("inf"), -float("inf")):
        sums, axis = A.abs().sum(columns, True), rows
    elif ord in (2, -2, "nuc"):
        values = svdvals(A)
        return values.sum(-1) if ord == "nuc" else values[..., 0] if ord == 2 else values[..., -1]
    else:
        raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")
    found = sums.amax(axis, True) if ord > 0 else sums.amin(axis, True)
    return found if keepdim else found.squeeze(axis).squeeze(-1)
