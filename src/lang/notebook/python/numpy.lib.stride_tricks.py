"""numpy.lib.stride_tricks: windows that slide over an array. sliding_window_view() gives a copy, as
numpy's can't be written; as_strided() gives a view."""


def sliding_window_view(x, window_shape, axis=None, *, subok=False, writeable=False):
    import numpy
    x = numpy.asarray(x)
    window = tuple(window_shape) if isinstance(window_shape, (tuple, list)) else (window_shape,)
    if axis is None:
        axes = tuple(range(x.ndim))
        if len(window) != x.ndim:
            raise ValueError("Since axis is None, must provide window_shape for all dimensions of `x`; got "
                             f"{len(window)} window_shape elements and `x.ndim` is {x.ndim}.")
    else:
        axes = tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)
        if len(window) != len(axes):
            raise ValueError("Must provide matching length window_shape and axis; got "
                             f"{len(window)} window_shape elements and {len(axes)} axes elements.")
    n_axes = x.ndim
    for n, at in zip(window, axes):
        at %= n_axes
        count = x.shape[at] - n + 1
        if count <= 0:
            raise ValueError("window shape cannot be larger than input array shape")
        places = numpy.arange(count)[:, None] + numpy.arange(n)[None, :]
        x = numpy.moveaxis(numpy.take(x, places, at), at + 1, -1)
    return x


def as_strided(x, shape=None, strides=None, subok=False, writeable=True):
    import _numpy
    x = _numpy.asarray(x)
    shape = x.shape if shape is None else shape
    return _numpy._as_strided(x, shape, x.strides if strides is None else tuple(strides))
