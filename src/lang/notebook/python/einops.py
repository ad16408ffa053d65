"""einops: rearrange, reduce and repeat of tensors and of arrays of numpy."""


class EinopsError(RuntimeError):
    pass


def _words(side, pattern):
    """[["b"], ["h", "d"], ["1"]]: the axes of one side, each of them a list of names."""
    groups, group = [], None
    for word in side.replace("(", " ( ").replace(")", " ) ").replace("...", " ~ ").split():
        if word == "(":
            if group is not None:
                raise EinopsError("Axis composition is one-level (brackets inside brackets not allowed)")
            group = []
        elif word == ")":
            if group is None:
                raise EinopsError("Brackets are not balanced")
            groups.append(group)
            group = None
        elif word != "~" and not word.isdigit() and not word.isidentifier():
            raise EinopsError("Invalid axis identifier: " + word + "\nnot a valid python identifier")
        elif group is None:
            groups.append([word])
        else:
            group.append(word)
    if group is not None:
        raise EinopsError(f"Imbalanced parentheses in expression: \"{side.strip()}\"")
    names = [n for g in groups for n in g if n != "1"]
    for n in names:
        if names.count(n) > 1:
            raise EinopsError(f'Indexing expression contains duplicate dimension "{n}"')
    return groups


def _is_tensor(x):
    return type(x).__name__ in ("Tensor", "Parameter")


def _permute(x, order):
    return x.permute(order) if _is_tensor(x) else x.transpose(order)


def _fail(operation, pattern, x, sizes, why):
    text = f' Error while processing {operation}-reduction pattern "{pattern}".\n'
    text += f" Input tensor shape: {x.shape}. "
    raise EinopsError(text + f"Additional info: {sizes}.\n {why}")


def _run(operation, x, pattern, sizes, combine=None):
    if isinstance(x, list):
        if not x:
            raise TypeError("Rearrange/Reduce/Repeat can't be applied to an empty list")
        if _is_tensor(x[0]):
            import torch
            x = torch.stack(x)
        else:
            import numpy
            x = numpy.stack(x)
    if pattern.count("->") != 1:
        raise EinopsError(f"Pattern '{pattern}' must have one '->'")
    left, right = pattern.split("->")
    left, right = _words(left, pattern), _words(right, pattern)
    known = dict(sizes)
    if ["~"] in left:
        at = left.index(["~"])
        n = len(x.shape) - (len(left) - 1)
        if n < 0:
            _fail(operation, pattern, x, sizes, f"Wrong shape: expected >={len(left) - 1} dims. "
                  f"Received {len(x.shape)}-dim tensor.")
        dots = [f"~{i}" for i in range(n)]
        left = left[:at] + [[d] for d in dots] + left[at + 1:]
        wide = []
        for group in right:
            if group == ["~"]:
                wide += [[d] for d in dots]
            else:
                wide.append([d for name in group for d in (dots if name == "~" else [name])])
        right = wide
    if len(left) != len(x.shape):
        _fail(operation, pattern, x, sizes,
              f"Wrong shape: expected {len(left)} dims. Received {len(x.shape)}-dim tensor.")
    names_left = [n for g in left for n in g if n != "1"]
    names_right = [n for g in right for n in g if n != "1"]
    for n in names_left:
        if n.isdigit():
            raise EinopsError(f"Non-unitary anonymous axes are not supported in {operation} (exception is length 1)")
    for n in sizes:
        if n not in names_left and n not in names_right:
            _fail(operation, pattern, x, sizes, f"Axis {n} is not used in transform")
    extra = [n for n in names_right if n not in names_left]
    missing = [n for n in names_left if n not in names_right]
    if operation == "rearrange" and (extra or missing):
        raise EinopsError("Identifiers only on one side of expression (should be on both): "
                          + str(set(extra + missing)))
    if operation == "repeat":
        if missing:
            raise EinopsError("Unexpected identifiers on the left side of repeat: " + str(set(missing)))
        for n in extra:
            if n.isdigit():
                known[n] = int(n)
            elif n not in known:
                raise EinopsError("Specify sizes for new axes in repeat: " + str({n}))
    if operation == "reduce" and extra:
        raise EinopsError("Unexpected identifiers on the right side of reduce " + combine + ": " + str(set(extra)))
    for group, n in zip(left, x.shape):
        product, unknown = 1, None
        for name in group:
            if name == "1":
                continue
            if name in known:
                product *= known[name]
            elif unknown is None:
                unknown = name
            else:
                _fail(operation, pattern, x, sizes, "Could not infer sizes for " + str({unknown, name}))
        if unknown is not None:
            if product == 0 or n % product:
                _fail(operation, pattern, x, sizes,
                      f"Shape mismatch, can't divide axis of length {n} in chunks of {product}")
            known[unknown] = n // product
        elif product != n:
            _fail(operation, pattern, x, sizes, f"Shape mismatch, {n} != {product}")
    x = x.reshape([known[n] for n in names_left])
    if operation == "reduce" and missing:
        axes = tuple(i for i, n in enumerate(names_left) if n in missing)
        if callable(combine):
            x = combine(x, axes)
        elif combine in ("max", "min"):
            if _is_tensor(x):
                x = x.amax(axes) if combine == "max" else x.amin(axes)
            else:
                x = x.max(axes) if combine == "max" else x.min(axes)
        elif combine in ("mean", "sum"):
            if combine == "mean" and _is_tensor(x) and not x.is_floating_point():
                raise NotImplementedError("reduce_mean is not available for non-floating tensors")
            x = x.mean(axes) if combine == "mean" else x.sum(axes)
        elif combine == "prod":
            for axis in reversed(axes):
                x = x.prod(axis)
        else:
            raise EinopsError(f"Unknown reduction {combine}. Expect one of ('min', 'max', 'sum', 'mean', 'prod').")
        names_left = [n for n in names_left if n not in missing]
    if extra:
        shape = [known[n] for n in names_left] + [1] * len(extra)
        whole = [known[n] for n in names_left + extra]
        x = x.reshape(shape)
        if _is_tensor(x):
            x = x.expand(whole)
        else:
            import numpy
            x = numpy.broadcast_to(x, tuple(whole))
        names_left = names_left + extra
    order = [names_left.index(n) for n in names_right]
    if order != list(range(len(order))):
        x = _permute(x, order)
    shape = []
    for group in right:
        n = 1
        for name in group:
            n *= 1 if name == "1" else known[name]
        shape.append(n)
    return x.reshape(shape)


def rearrange(tensor, pattern, **axes_lengths):
    return _run("rearrange", tensor, pattern, axes_lengths)


def reduce(tensor, pattern, reduction, **axes_lengths):
    return _run("reduce", tensor, pattern, axes_lengths, reduction)


def repeat(tensor, pattern, **axes_lengths):
    return _run("repeat", tensor, pattern, axes_lengths)


def einsum(*args):
    """einsum(x, y, "b i, b j -> b i j"): names of several letters become one letter each."""
    pattern, tensors = args[-1], args[:-1]
    letters = {}

    def short(side):
        out = ""
        for name in side.replace("...", " ... ").split():
            if name == "...":
                out += name
            else:
                if name not in letters:
                    letters[name] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[len(letters)]
                out += letters[name]
        return out

    left, right = pattern.split("->")
    text = ",".join(short(side) for side in left.split(",")) + "->" + short(right)
    if _is_tensor(tensors[0]):
        import torch
        return torch.einsum(text, *tensors)
    import numpy
    return numpy.einsum(text, *tensors)


def pack(tensors, pattern):
    raise NotImplementedError("attn has rearrange, reduce, repeat and einsum of einops")


unpack = pack
