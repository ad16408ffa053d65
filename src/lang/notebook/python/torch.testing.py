"""torch.testing: comparisons that raise where tensors differ."""
import _torch

# rtol, atol of each dtype
_TOLERANCES = {_torch.float16: (1e-3, 1e-5), _torch.bfloat16: (1.6e-2, 1e-5), _torch.float32: (1.3e-6, 1e-5),
               _torch.float64: (1e-7, 1e-7)}


def assert_close(actual, expected, *, allow_subclasses=True, rtol=None, atol=None, equal_nan=False, check_device=True,
                 check_dtype=True, check_layout=True, check_stride=False, msg=None):
    if isinstance(actual, (list, tuple)) and isinstance(expected, (list, tuple)):
        if len(actual) != len(expected):
            raise AssertionError(f"The length of the sequences mismatch: {len(actual)} != {len(expected)}")
        for x, y in zip(actual, expected):
            assert_close(x, y, rtol=rtol, atol=atol, equal_nan=equal_nan, check_dtype=check_dtype, msg=msg)
        return
    actual, expected = _torch.as_tensor(actual).detach(), _torch.as_tensor(expected).detach()
    if actual.shape != expected.shape:
        raise AssertionError("The values for attribute 'shape' do not match: "
                             f"{actual.shape} != {expected.shape}.")
    if check_dtype and actual.dtype != expected.dtype:
        raise AssertionError(f"The values for attribute 'dtype' do not match: {actual.dtype} != {expected.dtype}.")
    if (rtol is None) != (atol is None):
        raise ValueError("rtol and atol must both be specified or both be unspecified")
    if rtol is None:
        rtol, atol = _TOLERANCES.get(actual.dtype, (0.0, 0.0))
    actual, expected = actual.to(_torch.float32), expected.to(_torch.float32)
    if _torch.allclose(actual, expected, rtol, atol, equal_nan):
        return
    close = _torch.isclose(actual, expected, rtol, atol, equal_nan)
    n = actual.numel()
    wrong = n - int(close.sum())
    raise AssertionError(msg if msg is not None else
                         f"Tensor-likes are not {'close' if rtol or atol else 'equal'}!\n\nMismatched elements: {wrong} / {n} ({100 * wrong / n:.1f}%)\n"
                         f"attn: the greatest absolute difference is {float((actual - expected).abs().max())}, and "
                         f"up to {atol} + {rtol} * |expected| is allowed")
