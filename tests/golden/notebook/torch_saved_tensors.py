import torch
import torch.nn as nn
import torch.nn.functional as F


def attempt(name, function):
    try:
        print(name, function())
    except RuntimeError as error:
        print(name, "RuntimeError:", error)


def leaf():
    return torch.tensor([0.5, 1.0, 2.0], requires_grad=True)


def changed(operation, write):
    """The gradient after the result, or what it was made of, has been written to."""
    def run():
        a = leaf()
        base = a * 2
        result = operation(base)
        write(base, result)
        result.sum().backward()
        return a.grad
    return run


to_result = lambda base, result: result.add_(1)
to_base = lambda base, result: base.add_(1)
operations = {
    "exp": torch.exp, "sqrt": torch.sqrt, "tanh": torch.tanh, "relu": torch.relu, "sigmoid": torch.sigmoid,
    "softmax": lambda x: torch.softmax(x, 0), "log_softmax": lambda x: torch.log_softmax(x, 0), "log": torch.log,
    "abs": torch.abs, "sin": torch.sin, "cos": torch.cos, "square": lambda x: x ** 2, "x * x": lambda x: x * x,
    "x * 3": lambda x: x * 3, "x / 3": lambda x: x / 3, "3 / x": lambda x: 3 / x, "x + 1": lambda x: x + 1,
    "-x": lambda x: -x, "gelu": F.gelu, "silu": F.silu, "var": torch.var, "clone": lambda x: x.clone(),
    "x @ x": lambda x: x @ x, "sum": torch.sum, "mean": torch.mean, "x - x": lambda x: x - 2 * x,
}
for name, operation in operations.items():
    attempt(name + ", result:", changed(operation, to_result))
    attempt(name + ", operand:", changed(operation, to_base))


def view_of_it():
    x = leaf() * 2
    y = x.reshape(3, 1) * x[:2]
    x[0] = 5
    y.sum().backward()


attempt("a view", view_of_it)


def weights():
    w = leaf()
    loss = (w * w).sum()
    with torch.no_grad():
        w -= 0.1
    loss.backward()


attempt("a weight", weights)


def twice_written():
    x = leaf() * 2
    x.add_(1)
    y = x * x
    x.add_(1)
    x.mul_(2)
    y.sum().backward()


attempt("written twice", twice_written)


def steps():
    torch.manual_seed(0)
    net = nn.Linear(3, 1, bias=False)
    sgd = torch.optim.SGD(net.parameters(), lr=0.1)
    hidden = torch.ones(1, 3, requires_grad=True)
    loss = net(hidden).sum()
    loss.backward(retain_graph=True)
    sgd.step()
    loss.backward()


attempt("a step between", steps)


# A second backward() fails where something was saved, and only there.
def twice(build, keep=False):
    def run():
        w = leaf()
        middle = build(w)
        middle.sum().backward(retain_graph=keep)
        middle.sum().backward()
        return w.grad
    return run


for name, build in {"w * w": lambda w: w * w, "w + 1": lambda w: w + 1, "2 - w": lambda w: 2 - w,
                    "exp": torch.exp, "w * 2": lambda w: w * 2, "view": lambda w: w.reshape(3, 1).T,
                    "mean": torch.mean, "cat": lambda w: torch.cat([w, w]), "w[1:]": lambda w: w[1:],
                    "embedding": lambda w: F.embedding(torch.tensor([0, 2]), w.unsqueeze(1)),
                    "masked": lambda w: w.masked_fill(w > 1, 0.0), "softmax": lambda w: w.softmax(0)}.items():
    attempt("twice " + name, twice(build))
    attempt("twice, kept, " + name, twice(build, True))


def same_root():
    w = leaf()
    loss = (w + 1).sum()
    loss.backward()
    loss.backward()
    return w.grad


attempt("the same sum twice", same_root)


def shared():
    w = leaf()
    h = torch.tanh(w)
    one, two = h.sum(), (h * h).sum()
    one.backward()
    two.backward()


attempt("two losses of one hidden layer", shared)


def by_grad():
    w = leaf()
    y = w * w
    return torch.autograd.grad(y.sum(), w), torch.autograd.grad(y.sum(), w)


attempt("autograd.grad twice", by_grad)


# An operation in place saves a copy of what it changes; its result counts as its own.
def in_place(write):
    def run():
        w = leaf()
        x = w * 1
        write(x, w)
        x.sum().backward()
        return w.grad
    return run


for name, write in {"mul_": lambda x, w: x.mul_(w), "div_": lambda x, w: x.div_(w), "exp_": lambda x, w: x.exp_(),
                    "exp_ and more": lambda x, w: x.exp_().add_(1), "tanh_": lambda x, w: x.tanh_(),
                    "slices": lambda x, w: x[1:].mul_(w[:2]), "relu_": lambda x, w: x.relu_().mul_(2),
                    "pow_": lambda x, w: x.pow_(2).mul_(w), "masked_fill_": lambda x, w: x.masked_fill_(w > 1, 0)}.items():
    attempt("in place, " + name, in_place(write))
