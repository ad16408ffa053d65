"""Functions of torch.nn.functional on images and sequences: patches, sizes, edges, and norms of groups."""
import _torch
import math


def _pair(x):
    return tuple(x) if isinstance(x, (tuple, list)) else (x, x)


def _patch_places(size, kernel, dilation, padding, stride):
    """Along one axis: how many patches there are, and where in the padded axis each of their cells lies."""
    n = (size + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1
    if n < 1:
        raise RuntimeError("attn: F.unfold and F.fold need a kernel that is not larger than the padded input")
    return n, _torch.arange(kernel).unsqueeze(1) * dilation + _torch.arange(n) * stride


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    """Each patch of an image as a column."""
    if input.dim() == 3:
        return unfold(input.unsqueeze(0), kernel_size, dilation, padding, stride).squeeze(0)
    (kh, kw), (dh, dw), (ph, pw), (sh, sw) = _pair(kernel_size), _pair(dilation), _pair(padding), _pair(stride)
    rows, at_rows = _patch_places(input.size(2), kh, dh, ph, sh)
    columns, at_columns = _patch_places(input.size(3), kw, dw, pw, sw)
    if ph or pw:
        input = _torch._pad(input, (pw, pw, ph, ph))
    found = input[:, :, at_rows[:, None, :, None], at_columns[None, :, None, :]]
    return _torch._named(found.reshape(input.size(0), input.size(1) * kh * kw, rows * columns), "Im2ColBackward0")


def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    """The sum of patches that overlap, each at its place."""
    if input.dim() == 2:
        return fold(input.unsqueeze(0), output_size, kernel_size, dilation, padding, stride).squeeze(0)
    height, width = _pair(output_size)
    (kh, kw), (dh, dw), (ph, pw), (sh, sw) = _pair(kernel_size), _pair(dilation), _pair(padding), _pair(stride)
    rows, at_rows = _patch_places(height, kh, dh, ph, sh)
    columns, at_columns = _patch_places(width, kw, dw, pw, sw)
    if input.size(2) != rows * columns:
        raise RuntimeError(f"Given output_size=({height}, {width}), kernel_size=({kh}, {kw}), dilation=({dh}, {dw}), "
                           f"padding=({ph}, {pw}), stride=({sh}, {sw}), expected size of input's dimension 2 to match "
                           f"the calculated number of sliding blocks {rows} * {columns} = {rows * columns}, but got "
                           f"input.size(2)={input.size(2)}.")
    batch, channels = input.size(0), input.size(1) // (kh * kw)
    wide = width + 2 * pw
    places = (at_rows[:, None, :, None] * wide + at_columns[None, :, None, :]).flatten()
    sums = _torch.zeros(batch, channels, (height + 2 * ph) * wide)
    values = input.reshape(batch, channels, -1)
    sums = sums.scatter_add(2, places.expand(batch, channels, -1), values)
    image = sums.reshape(batch, channels, height + 2 * ph, wide)
    return _torch._named(image[:, :, ph:ph + height, pw:pw + width].contiguous(), "Col2ImBackward0")


# ---- sizes ----


def _weights_of(size, to, mode, align_corners, scale):
    """A matrix (to, size): how much of each position along an axis goes into each new one."""
    weights = [[0.0] * size for _ in range(to)]
    step = size / to if scale is None else 1 / scale
    for i in range(to):
        if mode == "nearest":
            weights[i][min(int(i * step), size - 1)] = 1.0
            continue
        if align_corners:
            at = i * (size - 1) / (to - 1) if to > 1 else 0.0
        else:
            at = max((i + 0.5) * step - 0.5, 0.0)
        low = min(int(at), size - 1)
        high = min(low + 1, size - 1)
        weights[i][low] += 1 - (at - low)
        weights[i][high] += at - low
    return _torch.tensor(weights)


_AXES_OF_MODE = {"linear": 1, "bilinear": 2, "trilinear": 3}


def interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None,
                recompute_scale_factor=None, antialias=False):
    n = input.dim() - 2
    if mode != "nearest" and _AXES_OF_MODE.get(mode) != n or n not in (1, 2):
        raise NotImplementedError("attn's F.interpolate() has the modes 'nearest', 'linear' for 3 axes and "
                                  "'bilinear' for 4")
    if antialias:
        raise NotImplementedError("attn's F.interpolate() has no antialias")
    if size is None and scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    own = input.shape[2:]
    scales = [None] * n
    if size is None:
        scales = list(scale_factor) if isinstance(scale_factor, (tuple, list)) else [scale_factor] * n
        size = [int(math.floor(s * scale)) for s, scale in zip(own, scales)]
        if recompute_scale_factor:
            scales = [None] * n
    size = list(size) if isinstance(size, (tuple, list)) else [size] * n
    out = input
    for axis in range(n):
        weights = _weights_of(own[axis], size[axis], mode, align_corners, scales[axis])
        out = (out.movedim(2 + axis, -1) @ weights.T).movedim(-1, 2 + axis)
    kind = "Nearest" if mode == "nearest" else "Linear" if n == 1 else "Bilinear"
    return _torch._named(out.contiguous(), f"Upsample{kind}{n}DBackward1")


def _adaptive(input, output_size, n):
    sizes = list(output_size) if isinstance(output_size, (tuple, list)) else [output_size] * n
    for axis in range(n):
        own = input.size(input.dim() - n + axis)
        to = own if sizes[axis] is None else sizes[axis]
        weights = _torch.zeros(to, own)
        for i in range(to):
            first, end = i * own // to, ((i + 1) * own + to - 1) // to
            weights[i, first:end] = 1 / (end - first)
        at = input.dim() - n + axis
        input = (input.movedim(at, -1) @ weights.T).movedim(-1, at)
    return input.contiguous()


def adaptive_avg_pool1d(input, output_size):
    return _torch._named(_adaptive(input, output_size, 1), "SqueezeBackward1")


def adaptive_avg_pool2d(input, output_size):
    if _pair(output_size) == (1, 1):
        return input.mean((-1, -2), keepdim=True)
    return _torch._named(_adaptive(input, output_size, 2), "AdaptiveAvgPool2DBackward0")


def pixel_shuffle(input, upscale_factor):
    r = upscale_factor
    *batch, c, h, w = input.shape
    moved = input.reshape(-1, c // (r * r), r, r, h, w).permute(0, 1, 4, 2, 5, 3)
    return _torch._named(moved.reshape(*batch, c // (r * r), h * r, w * r), "PixelShuffleBackward0")


_PAD_NAMES = {"reflect": "ReflectionPad", "replicate": "ReplicationPad"}


def _pad_by_index(input, pad, mode):
    """The modes of F.pad() that take numbers of the input for the edges."""
    for i in range(len(pad) // 2):
        before, after = pad[2 * i], pad[2 * i + 1]
        axis, n = input.dim() - 1 - i, input.size(input.dim() - 1 - i)
        if mode == "reflect" and max(before, after) >= n:
            raise RuntimeError("Argument #4: Padding size should be less than the corresponding input dimension, but "
                               f"got: padding ({before}, {after}) at dimension {axis} of input {list(input.shape)}")
        at = _torch.arange(-before, n + after)
        if mode == "circular":
            at = at % n
        elif mode == "replicate":
            at = at.clamp(0, n - 1)
        else:
            at = at.abs()
            at = _torch._where(at >= n, 2 * (n - 1) - at, at)
        input = input.index_select(axis, at)
    if mode in _PAD_NAMES:
        return _torch._named(input, f"{_PAD_NAMES[mode]}{len(pad) // 2}DBackward0")
    return input


# ---- norms ----


def _normalized(groups, eps):
    mean = groups.mean(-1, True)
    return (groups - mean) / (groups.var(-1, False, True) + eps).sqrt()


def _scaled(x, weight, bias):
    shape = [1, -1] + [1] * (x.dim() - 2)
    if weight is not None:
        x = x * weight.reshape(shape)
    return x if bias is None else x + bias.reshape(shape)


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
    if input.size(1) % num_groups:
        raise RuntimeError(f"Expected number of channels in input to be divisible by num_groups, but got input of "
                           f"shape {list(input.shape)} and num_groups={num_groups}")
    x = _normalized(input.reshape(input.size(0), num_groups, -1), eps).reshape(input.shape)
    return _torch._named(_scaled(x, weight, bias), "NativeGroupNormBackward0")


def instance_norm(input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True,
                  momentum=0.1, eps=1e-5):
    if running_mean is not None or running_var is not None or not use_input_stats:
        raise NotImplementedError("attn's F.instance_norm() keeps no running statistics")
    x = _normalized(input.reshape(input.size(0), input.size(1), -1), eps).reshape(input.shape)
    return _torch._named(_scaled(x, weight, bias), "ViewBackward0")
