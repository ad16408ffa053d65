"""numpy.testing: comparisons that raise where arrays differ."""
import numpy


def _compare(actual, desired, close, what):
    actual, desired = numpy.asarray(actual), numpy.asarray(desired)
    if actual.shape != desired.shape and actual.ndim and desired.ndim:
        raise AssertionError(f"\n{what}\n\n(shapes {actual.shape}, {desired.shape} mismatch)")
    equal = numpy.asarray(close(actual, desired))
    if not equal.all():
        n = equal.size
        wrong = n - int(equal.sum())
        raise AssertionError(f"\n{what}\n\nMismatched elements: {wrong} / {n} ({100 * wrong / n:.3g}%)")


def assert_allclose(actual, desired, rtol=1e-7, atol=0, equal_nan=True, err_msg="", verbose=True):
    _compare(actual, desired, lambda a, b: numpy.isclose(a, b, rtol, atol, equal_nan),
             f"Not equal to tolerance rtol={rtol:g}, atol={atol:g}")


def assert_array_equal(x, y, err_msg="", verbose=True):
    _compare(x, y, lambda a, b: a == b, "Arrays are not equal")


def assert_equal(actual, desired, err_msg="", verbose=True):
    if isinstance(actual, numpy.ndarray) or isinstance(desired, numpy.ndarray):
        assert_array_equal(actual, desired)
    elif actual != desired:
        raise AssertionError(f"\nItems are not equal:\n ACTUAL: {actual!r}\n DESIRED: {desired!r}")


def assert_array_almost_equal(x, y, decimal=6, err_msg="", verbose=True):
    _compare(x, y, lambda a, b: abs(a - b) < 1.5 * 10.0 ** -decimal,
             f"Arrays are not almost equal to {decimal} decimals")


def assert_almost_equal(actual, desired, decimal=7, err_msg="", verbose=True):
    assert_array_almost_equal(actual, desired, decimal)
