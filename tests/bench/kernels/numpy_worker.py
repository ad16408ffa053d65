"""numpy: elementwise operations, reductions and softmax over (rows, cols)."""
import numpy

import worker


def over(function, n_operands=1):
    def prepare(request):
        shape = request["rows"], request["cols"]
        operands = [worker.numbers(shape, stream) for stream in range(1, n_operands + 1)]
        return lambda: function(*operands)
    return prepare


def add_row(request):
    a, row = worker.numbers((request["rows"], request["cols"]), 1), worker.numbers((request["cols"],), 2)
    return lambda: a + row


def add_turned(request):
    rows, cols = request["rows"], request["cols"]
    a, b = worker.numbers((rows, cols), 1), worker.numbers((cols, rows), 2).T
    return lambda: a + b


def reduction(function, axis):
    def prepare(request):
        x = worker.numbers((request["rows"], request["cols"]), 1)
        return lambda: function(x, axis=axis)
    return prepare


def where(request):
    a, b = (worker.numbers((request["rows"], request["cols"]), stream) for stream in (1, 2))
    condition = a > 0
    return lambda: numpy.where(condition, a, b)


def softmax(x):
    weights = numpy.exp(x - x.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights


def gelu(x):
    """By tanh: numpy has no erf."""
    return 0.5 * x * (1 + numpy.tanh(numpy.float32(0.7978845608) * (x + numpy.float32(0.044715) * x * x * x)))


def silu(x):
    return x / (1 + numpy.exp(-x))


def of_rows(function):
    """With a weight for each column."""
    def prepare(request):
        x, row = worker.numbers((request["rows"], request["cols"]), 1), worker.numbers((request["cols"],), 2)
        return lambda: function(x, row)
    return prepare


def layer_norm(x, row):
    y = x - x.mean(axis=-1, keepdims=True)
    y /= numpy.sqrt((y * y).mean(axis=-1, keepdims=True) + numpy.float32(1e-5))
    y *= row
    y += row
    return y


def rms_norm(x, row):
    y = x / numpy.sqrt((x * x).mean(axis=-1, keepdims=True) + numpy.float32(1e-5))
    y *= row
    return y


worker.run({
    "add": over(numpy.add, 2), "add_row": add_row, "add_turned": add_turned, "mul": over(numpy.multiply, 2),
    "times": over(lambda x: x * numpy.float32(2)), "silu": over(silu),
    "sigmoid": over(lambda x: 1 / (1 + numpy.exp(-x))), "argmax": reduction(numpy.argmax, -1),
    "layer_norm": of_rows(layer_norm), "rms_norm": of_rows(rms_norm),
    "exp": over(numpy.exp), "tanh": over(numpy.tanh), "gelu": over(gelu), "where": where,
    "softmax": over(softmax),
    "sum": reduction(numpy.sum, -1), "sum_first": reduction(numpy.sum, 0),
    "max": reduction(numpy.max, -1), "max_first": reduction(numpy.max, 0),
    "mean": reduction(numpy.mean, -1), "mean_first": reduction(numpy.mean, 0)})
