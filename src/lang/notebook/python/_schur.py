"""Real eigenvalues and their vectors, in the order and with the signs that LAPACK's dgeev gives them:
to Hessenberg form by reflections, and from there to Schur form by Francis's double steps (dlahqr)."""
from math import sqrt, copysign, hypot
import _numpy

_EPS = 2.220446049250313e-16


def _given(a):
    import numpy
    a = numpy.asarray(a)
    if a.ndim != 2 or a.shape[0] != a.shape[1]:
        numpy.linalg.inv(a)  # says what it says
    return [[float(x) for x in row] for row in a.tolist()]


def _reflect(h, z, at, u, t, columns_from, rows_to):
    """H and Z times the reflection I - t u u^T of the rows and columns from `at` on."""
    size = len(u)
    for j in range(columns_from, len(h)):
        total = t * sum([u[i] * h[at + i][j] for i in range(size)])
        for i in range(size):
            h[at + i][j] -= total * u[i]
    for matrix, n in ((h, rows_to), (z, len(h))):
        for row in matrix[:n]:
            total = t * sum([u[i] * row[at + i] for i in range(size)])
            for i in range(size):
                row[at + i] -= total * u[i]


def _reflection(v):
    """beta, t and u with u[0] = 1: (I - t u u^T) v = (beta, 0, ...)."""
    rest = sqrt(sum([x * x for x in v[1:]]))
    if rest == 0:
        return v[0], 0.0, [1.0] + [0.0] * (len(v) - 1)
    beta = -copysign(hypot(v[0], rest), v[0])
    return beta, (beta - v[0]) / beta, [1.0] + [x / (v[0] - beta) for x in v[1:]]


def _to_hessenberg(h, z):
    n = len(h)
    for k in range(n - 2):
        beta, t, u = _reflection([h[i][k] for i in range(k + 1, n)])
        if t == 0:
            continue
        _reflect(h, z, k + 1, u, t, k, n)
        h[k + 1][k] = beta
        for i in range(k + 2, n):
            h[i][k] = 0.0


def _small_below(h, first, last):
    """The least row k from first on such that no entry from k to last below the diagonal counts."""
    k = last
    while k > first:
        below = abs(h[k][k - 1])
        around = abs(h[k - 1][k - 1]) + abs(h[k][k])
        if below == 0:
            break
        if around > 0 and below <= _EPS * around:
            larger, less = max(below, abs(h[k - 1][k])), min(below, abs(h[k - 1][k]))
            gap = abs(h[k - 1][k - 1] - h[k][k])
            most, least = max(abs(h[k][k]), gap), min(abs(h[k][k]), gap)
            if less * (larger / (most + larger)) <= _EPS * (least * (most / (most + larger))):
                break
        k -= 1
    return k


def _shifts(h, first, last, turn):
    """Two numbers (real part, imaginary part) that the eigenvalues of the last 2x2 block are near."""
    if turn % 20 == 0:
        s = abs(h[last][last - 1]) + abs(h[last - 1][last - 2])
        a = 0.75 * s + h[last][last]
        a, b, c, d = a, -0.4375 * s, s, a
    elif turn % 10 == 0:
        s = abs(h[first + 1][first]) + abs(h[first + 2][first + 1])
        a = 0.75 * s + h[first][first]
        a, b, c, d = a, -0.4375 * s, s, a
    else:
        a, b, c, d = h[last - 1][last - 1], h[last - 1][last], h[last][last - 1], h[last][last]
    s = abs(a) + abs(b) + abs(c) + abs(d)
    if s == 0:
        return 0.0, 0.0, 0.0, 0.0
    a, b, c, d = a / s, b / s, c / s, d / s
    middle = (a + d) / 2
    det = (a - middle) * (d - middle) - b * c
    root = sqrt(abs(det))
    if det >= 0:
        return middle * s, root * s, middle * s, -root * s
    near = middle + root if abs(middle + root - d) <= abs(middle - root - d) else middle - root
    return near * s, 0.0, near * s, 0.0


def _double_step(h, z, first, last, turn):
    r1, i1, r2, i2 = _shifts(h, first, last, turn)
    for m in range(last - 2, first - 1, -1):
        s = abs(h[m][m] - r2) + abs(i2) + abs(h[m + 1][m])
        below = h[m + 1][m] / s
        v = [below * h[m][m + 1] + (h[m][m] - r1) * ((h[m][m] - r2) / s) - i1 * (i2 / s),
             below * (h[m][m] + h[m + 1][m + 1] - r1 - r2), below * h[m + 2][m + 1]]
        s = sum([abs(x) for x in v])
        v = [x / s for x in v]
        if m == first or abs(h[m][m - 1]) * (abs(v[1]) + abs(v[2])) <= _EPS * abs(v[0]) * (
                abs(h[m - 1][m - 1]) + abs(h[m][m]) + abs(h[m + 1][m + 1])):
            break
    for k in range(m, last):
        size = min(3, last - k + 1)
        if k > m:
            v = [h[k + i][k - 1] for i in range(size)]
        beta, t, u = _reflection(v[:size])
        if k > m:
            h[k][k - 1] = beta
            for i in range(1, size):
                h[k + i][k - 1] = 0.0
        elif m > first:
            h[k][k - 1] *= 1 - t
        _reflect(h, z, k, u, t, k, min(k + 3, last) + 1)


def _split(h, z, i):
    """Rotates the block of rows i and i + 1 so that it is triangular (dlanv2)."""
    a, b, c, d = h[i][i], h[i][i + 1], h[i + 1][i], h[i + 1][i + 1]
    if c == 0:
        return
    if b == 0:
        cs, sn = 0.0, 1.0
    else:
        p = 0.5 * (a - d)
        most, least = max(abs(b), abs(c)), min(abs(b), abs(c)) * copysign(1, b) * copysign(1, c)
        scale = max(abs(p), most)
        root = p / scale * p + most / scale * least
        if root < 4 * _EPS and not (a - d == 0 and b * c > 0):
            raise NotImplementedError("attn finds real eigenvalues alone, and this matrix has complex ones")
        root = p + copysign(sqrt(scale) * sqrt(root), p)
        tau = hypot(c, root)
        cs, sn = root / tau, c / tau
    n = len(h)
    for j in range(n):
        x, y = h[i][j], h[i + 1][j]
        h[i][j], h[i + 1][j] = cs * x + sn * y, cs * y - sn * x
    for matrix in (h, z):
        for row in matrix:
            x, y = row[i], row[i + 1]
            row[i], row[i + 1] = cs * x + sn * y, cs * y - sn * x
    h[i + 1][i] = 0.0


def _swap(h, order, i, j):
    h[i], h[j] = h[j], h[i]
    for row in h:
        row[i], row[j] = row[j], row[i]
    order[i], order[j] = order[j], order[i]


def _isolate(h):
    """Moves the rows that show an eigenvalue to the end, and such columns to the beginning (dgebal)."""
    n = len(h)
    order, first, end = list(range(n)), 0, n
    found = True
    while found:
        found = False
        for i in range(end - 1, -1, -1):
            if not any([h[i][j] for j in range(end) if j != i]):
                end -= 1
                _swap(h, order, i, end)
                found = end > 0
                break
    found = True
    while found:
        found = False
        for j in range(first, end):
            if not any([h[i][j] for i in range(first, end) if i != j]):
                _swap(h, order, j, first)
                first += 1
                found = True
                break
    return order


def _schur(a):
    """T, upper triangular, and Z with A = Z T Z^T."""
    n = len(a)
    h = [list(row) for row in a]
    order = _isolate(h)
    z = [[float(order[j] == i) for j in range(n)] for i in range(n)]
    _to_hessenberg(h, z)
    last = n - 1
    while last >= 0:
        first = 0
        for turn in range(1, 302):
            first = _small_below(h, first, last)
            if first > 0:
                h[first][first - 1] = 0.0
            if first >= last - 1:
                break
            if turn == 301:
                raise NotImplementedError("attn did not find the eigenvalues in 300 steps")
            _double_step(h, z, first, last, turn)
        if first < last:
            _split(h, z, last - 1)
        last = first - 1
    return h, z


def _vector(t, z, k):
    """The eigenvector of the diagonal's number k, of length 1."""
    n = len(t)
    x = [0.0] * n
    x[k] = 1.0
    least = _EPS * max([abs(v) for row in t for v in row])
    for i in range(k - 1, -1, -1):
        rest = sum([t[i][j] * x[j] for j in range(i + 1, k + 1)])
        gap = t[i][i] - t[k][k]
        x[i] = -rest / (gap if abs(gap) > least else least or 1.0)
    v = [sum([row[j] * x[j] for j in range(k + 1)]) for row in z]
    length = sqrt(sum([c * c for c in v]))
    return [c / length for c in v]


def eigvals(a):
    import numpy
    t, _ = _schur(_given(a))
    return numpy.array([t[i][i] for i in range(len(t))])


def eig(a):
    import numpy
    t, z = _schur(_given(a))
    n = len(t)
    columns = [_vector(t, z, k) for k in range(n)]
    return (numpy.array([t[i][i] for i in range(n)]),
            numpy.array([[columns[k][i] for k in range(n)] for i in range(n)]))
