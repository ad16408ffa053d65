"""torch.nn.functional: the rows of the table in C, and what is put together from them."""
import _torch
from _torch_functional import *
from math import sqrt as _sqrt
from torch.nn.losses import *
from torch.nn.windows import *
from torch.nn.windows import _pad_by_index


def _reduced(losses, reduction, name):
    if reduction == "mean":
        return _torch._named(losses.mean(), name)
    if reduction == "sum":
        return _torch._named(losses.sum(), name)
    return _torch._named(losses, name)


def cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None,
                  reduction="mean", label_smoothing=0.0):
    if input.dim() == 0:
        raise RuntimeError("cross_entropy() needs scores with at least one axis")
    n_classes = input.size(0 if input.dim() == 1 else 1)
    if target.is_floating_point() and input.shape == target.shape:
        axis = 0 if input.dim() == 1 else 1
        if label_smoothing > 0:
            target = target * (1 - label_smoothing) + label_smoothing / n_classes
        losses = -(log_softmax(input, axis) * target)
        if weight is not None:
            losses = losses * weight.reshape([-1 if i == axis else 1 for i in range(input.dim())])
        losses = losses.sum(axis)
        if reduction == "mean":
            return _torch._named(losses.sum() / (losses.numel() or 1), "DivBackward1")
        return _reduced(losses, reduction, "NegBackward0")
    if target.dtype != _torch.int64:
        raise RuntimeError(f"expected scalar type Long but found {target.type()[6:-6]}")
    if input.dim() == 1:
        if target.dim() != 0:
            raise RuntimeError(f"size mismatch (got input: {list(input.shape)}, target: {list(target.shape)})")
        input, target, was_one = input.unsqueeze(0), target.unsqueeze(0), True
    else:
        was_one = False
    if input.dim() > 2:
        if list(input.shape[:1]) + list(input.shape[2:]) != list(target.shape):
            raise RuntimeError(f"Expected target size {list(input.shape[:1]) + list(input.shape[2:])}, got {list(target.shape)}")
        scores = input.movedim(1, -1)
        name = "NllLoss2DBackward0"
    else:
        if target.dim() > 0 and input.size(0) != target.size(0):
            raise ValueError(f"Expected input batch_size ({input.size(0)}) to match target batch_size ({target.size(0)}).")
        if target.dim() != 1:
            raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
        scores, name = input, "NllLossBackward0"
    if weight is None and label_smoothing == 0:
        loss = _torch._named(_torch._cross_entropy(scores, target, ignore_index, reduction), name)
        return loss.squeeze(0) if was_one and reduction == "none" else loss
    logs = log_softmax(scores, -1)
    kept = target != ignore_index
    ids = target.masked_fill(~kept, 0)
    weights = (weight if weight is not None else _torch.ones(n_classes))[ids] * kept
    losses = -logs.gather(-1, ids.unsqueeze(-1)).squeeze(-1) * weights
    if label_smoothing > 0:
        smooth = -(logs if weight is None else logs * weight).sum(-1) * kept
        total = weights.sum() if reduction == "mean" else 1
        rest = label_smoothing / n_classes
        losses = losses * (1 - label_smoothing) + smooth * rest
    if label_smoothing > 0:
        name = "AddBackward0"
    if reduction == "mean":
        return _torch._named(losses.sum() / weights.sum(), name)
    return _reduced(losses, reduction, name)


def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None,
             reduction="mean"):
    logs = input.movedim(1, -1) if input.dim() > 2 else input
    kept = target != ignore_index
    ids = target.masked_fill(~kept, 0)
    weights = (weight if weight is not None else _torch.ones(logs.size(-1)))[ids] * kept
    losses = -logs.gather(-1, ids.unsqueeze(-1)).squeeze(-1) * weights
    if reduction == "mean":
        return _torch._named(losses.sum() / weights.sum(), "NllLossBackward0")
    return _reduced(losses, reduction, "NllLossBackward0")


def mse_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    target.size()  # a number is no target
    return _reduced((input - target) ** 2, reduction, "MseLossBackward0")


def l1_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    target.size()  # a number is no target
    losses = (input - target).abs()
    return losses.mean() if reduction == "mean" else losses.sum() if reduction == "sum" else losses


def binary_cross_entropy_with_logits(input, target, weight=None, size_average=None, reduce=None,
                                     reduction="mean", pos_weight=None):
    least = (-input).clamp(min=0)
    soft = least + ((-least).exp() + (-input - least).exp()).log()
    if pos_weight is not None:
        soft = soft * ((pos_weight - 1) * target + 1)
    losses = (1 - target) * input + soft
    if weight is not None:
        losses = losses * weight
    return _reduced(losses, reduction, "BinaryCrossEntropyWithLogitsBackward0")


def _bounded_log(x):
    """log(x), at least -100; no gradient flows where x is so small that 1 / x would be inf."""
    is_small = x < 1e-12
    return _torch._where(is_small, x.detach().log().clamp(min=-100), x.masked_fill(is_small, 1).log())


def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None,
                         reduction="mean"):
    losses = -(target * _bounded_log(input) + (1 - target) * _bounded_log(1 - input))
    if weight is not None:
        losses = losses * weight
    return _reduced(losses, reduction, "BinaryCrossEntropyBackward0")


def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    if log_target:
        losses = target.exp() * (target - input)
    else:
        losses = target * (target.clamp(min=1e-45).log() - input)
    if reduction == "batchmean":
        return losses.sum() / input.size(0)
    return losses.mean() if reduction == "mean" else losses.sum() if reduction == "sum" else losses


def _spread(x, n):
    return tuple(x) if isinstance(x, (tuple, list)) else (x,) * n


def _convolved(input, weight, bias, stride, padding, dilation, groups, n):
    """A product of the windows, laid out as rows, with the kernels. n: axes that the kernel slides along."""
    if input.dim() not in (n + 1, n + 2):
        raise RuntimeError(f"Expected {n + 1}D (unbatched) or {n + 2}D (batched) input to conv{n}d, but got "
                           f"input of size: {list(input.shape)}")
    is_one = input.dim() == n + 1
    if is_one:
        input = input.unsqueeze(0)
    if input.size(1) != weight.size(1) * groups:
        raise RuntimeError(f"Given groups={groups}, weight of size {list(weight.shape)}, expected "
                           f"input{list(input.shape)} to have {weight.size(1) * groups} channels, but got "
                           f"{input.size(1)} channels instead")
    kernel = weight.shape[2:]
    stride, dilation = _spread(stride, n), _spread(dilation, n)
    if padding == "same":
        total = [d * (k - 1) for d, k in zip(dilation, kernel)]
        sides = [(t // 2, t - t // 2) for t in total]
    else:
        sides = [(p, p) for p in _spread(0 if padding == "valid" else padding, n)]
    if any(left or right for left, right in sides):
        input = pad(input, [x for side in reversed(sides) for x in side])
    windows = input
    for i in range(n):
        count = (windows.size(2 + i) - dilation[i] * (kernel[i] - 1) - 1) // stride[i] + 1
        if count < 1:
            raise RuntimeError(f"Calculated padded input size per channel: ({' x '.join(map(str, input.shape[2:]))}). "
                               f"Kernel size: ({' x '.join(map(str, kernel))}). Kernel size can't be greater than "
                               "actual input size")
        at = _torch.arange(count).unsqueeze(1) * stride[i] + _torch.arange(kernel[i]) * dilation[i]
        windows = windows[(slice(None),) * (2 + i) + (at,)].movedim(3 + i, -1)
    sizes = tuple(windows.shape[2:2 + n])
    rows = windows.movedim(1, 1 + n).flatten(1, n)  # batch, windows, channels, kernel
    found = []
    for k in range(groups):
        kernels = weight.chunk(groups)[k].flatten(1)
        found.append(linear(rows.chunk(groups, 2)[k].flatten(2), kernels))
    out = found[0] if groups == 1 else _torch.cat(found, -1)
    out = out.transpose(1, 2).reshape((input.size(0), weight.size(0)) + sizes)
    if bias is not None:
        out = out + bias.reshape((-1,) + (1,) * n)
    return _torch._named(out.squeeze(0) if is_one else out, "SqueezeBackward1" if is_one else "ConvolutionBackward0")


def conv1d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    return _convolved(input, weight, bias, stride, padding, dilation, groups, 1)


def conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1):
    return _convolved(input, weight, bias, stride, padding, dilation, groups, 2)


def _pooled(input, kernel_size, stride, n, how):
    stride = kernel_size if stride is None else stride
    windows = input
    for i, (k, s) in enumerate(zip(_spread(kernel_size, n), _spread(stride, n))):
        windows = windows.unfold(input.dim() - n + i, k, s)
    return getattr(windows.flatten(-n), how)(-1)


def max_pool1d(input, kernel_size, stride=None):
    return _torch._named(_pooled(input, kernel_size, stride, 1, "amax"), "SqueezeBackward1")


def max_pool2d(input, kernel_size, stride=None):
    return _torch._named(_pooled(input, kernel_size, stride, 2, "amax"), "MaxPool2DWithIndicesBackward0")


def avg_pool1d(input, kernel_size, stride=None):
    return _torch._named(_pooled(input, kernel_size, stride, 1, "mean"), "SqueezeBackward1")


def avg_pool2d(input, kernel_size, stride=None):
    return _torch._named(_pooled(input, kernel_size, stride, 2, "mean"), "AvgPool2DBackward0")


def normalize(input, p=2.0, dim=1, eps=1e-12):
    return input / input.norm(p, dim, True).clamp_min(eps).expand_as(input)


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    out = (x1 * x2).sum(dim) / (x1.norm(dim=dim) * x2.norm(dim=dim)).clamp(min=eps)
    return _torch._named(out, "SumBackward1")


def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    return _torch._named(input.clamp(min_val, max_val), "HardtanhBackward0")


def hardsigmoid(input, inplace=False):
    return _torch._named((input + 3).clamp(0, 6) / 6, "HardsigmoidBackward0")


def hardswish(input, inplace=False):
    return _torch._named(input * (input + 3).clamp(0, 6) / 6, "HardswishBackward0")


def selu(input, inplace=False):
    alpha, scale = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946
    low = scale * alpha * (input.clamp(max=0).exp() - 1)
    return _torch._named(_torch._where(input > 0, scale * input, low), "EluBackward0")


def celu(input, alpha=1.0, inplace=False):
    low = ((input.clamp(max=0) / alpha).exp() - 1) * alpha
    return _torch._named(_torch._where(input > 0, input, low), "CeluBackward0")


def softsign(input):
    return input / (input.abs() + 1)


def tanhshrink(input):
    return input - input.tanh()


def softshrink(input, lambd=0.5):
    out = _torch._where(input > lambd, input - lambd, _torch._where(input < -lambd, input + lambd, _torch.zeros_like(input)))
    return _torch._named(out, "SoftshrinkBackward0")


def hardshrink(input, lambd=0.5):
    return _torch._named(_torch._where(input.abs() > lambd, input, _torch.zeros_like(input)), "HardshrinkBackward0")


def threshold(input, threshold, value, inplace=False):
    return _torch._named(input.masked_fill(input <= threshold, value), "ThresholdBackward0")


def prelu(input, weight):
    if weight.numel() > 1:
        weight = weight.reshape([1, -1] + [1] * (input.dim() - 2))
    return _torch._named(_torch._where(input > 0, input, input * weight), "PreluBackward0")


def softmin(input, dim=None, dtype=None):
    return softmax(-input, dim)


def bilinear(input1, input2, weight, bias=None):
    out = _torch.einsum("...i,kij,...j->...k", input1, weight, input2)
    return out if bias is None else out + bias


def leaky_relu(input, negative_slope=0.01, inplace=False):
    return _torch._named(_torch._where(input > 0, input, input * negative_slope), "LeakyReluBackward0")


def elu(input, alpha=1.0, inplace=False):
    return _torch._named(_torch._where(input > 0, input, (input.clamp(max=0).exp() - 1) * alpha), "EluBackward0")


def relu6(input, inplace=False):
    return _torch._named(input.clamp(0, 6), "HardtanhBackward0")


def logsigmoid(input):
    return _torch._named(-softplus(-input), "LogSigmoidBackward0")


def glu(input, dim=-1):
    a, b = input.chunk(2, dim)
    return _torch._named(a * sigmoid(b), "GluBackward0")


def mish(input, inplace=False):
    return _torch._named(input * tanh(softplus(input)), "MishBackward0")


def scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False,
                                 scale=None, enable_gqa=False):
    if enable_gqa:
        key = key.repeat_interleave(query.size(-3) // key.size(-3), -3)
        value = value.repeat_interleave(query.size(-3) // value.size(-3), -3)
    scores = query @ key.transpose(-2, -1) * (1 / _sqrt(query.size(-1)) if scale is None else scale)
    if is_causal:
        if attn_mask is not None:
            raise RuntimeError("_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True")
        allowed = _torch.ones(query.size(-2), key.size(-2), dtype=_torch.bool).tril()
        scores = scores.masked_fill(~allowed, float("-inf"))
    elif attn_mask is not None:
        if attn_mask.dtype == _torch.bool:
            scores = scores.masked_fill(~attn_mask, float("-inf"))
        else:
            scores = scores + attn_mask
    weights = softmax(scores, -1)
    if dropout_p > 0:
        weights = dropout(weights, dropout_p)
    return weights @ value


_softplus = softplus


def softplus(input, beta=1, threshold=20):
    if beta == 1 and threshold == 20:
        return _softplus(input)
    scaled = input * beta
    soft = (1 + scaled.clamp(max=threshold).exp()).log() / beta
    return _torch._named(_torch._where(scaled > threshold, input, soft), "SoftplusBackward0")


_torch._pad = _constant_pad = pad


def pad(input, pad, mode="constant", value=None):
    if mode == "constant":
        return _constant_pad(input, list(pad), mode, 0 if value is None else value)
    if mode not in ("reflect", "replicate", "circular"):
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    return _pad_by_index(input, pad, mode)


def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    noise = -_torch.empty_like(logits).exponential_().log()
    soft = softmax((logits + noise) / tau, dim)
    if not hard:
        return soft
    index = soft.max(dim, True)[1]
    one = _torch.zeros_like(logits).scatter_(dim, index, 1.0)
    return one - soft.detach() + soft
