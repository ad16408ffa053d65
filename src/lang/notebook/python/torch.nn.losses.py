"""Losses of torch.nn.functional that stand beside cross_entropy and mse_loss, and their modules."""
import _torch
import math
from _torch_functional import softplus as _softplus, pad as _pad


def _reduced(losses, reduction, name=None):
    """The mean or sum, or each loss; name: of the gradient's step in PyTorch, where it is one step."""
    if reduction == "mean":
        losses = losses.mean()
    elif reduction == "sum":
        losses = losses.sum()
    elif reduction != "none":
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return losses if name is None else _torch._named(losses, name)


def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    if beta == 0:
        return _reduced((input - target).abs(), reduction)
    d = (input - target).abs()
    losses = _torch._where(d < beta, 0.5 * d * d / beta, d - 0.5 * beta)
    return _reduced(losses, reduction, "SmoothL1LossBackward0")


def huber_loss(input, target, reduction="mean", delta=1.0):
    d = (input - target).abs()
    losses = _torch._where(d <= delta, 0.5 * d * d, delta * (d - 0.5 * delta))
    return _reduced(losses, reduction, "HuberLossBackward0")


def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    return (x1 - x2 + eps).norm(p, -1, keepdim)


def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False, size_average=None,
                        reduce=None, reduction="mean"):
    near = pairwise_distance(anchor, positive, p, eps)
    far = pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = _torch.minimum(far, pairwise_distance(positive, negative, p, eps))
    return _reduced((margin + near - far).clamp_min(0), reduction)


def triplet_margin_with_distance_loss(anchor, positive, negative, *, distance_function=None, margin=1.0, swap=False,
                                      reduction="mean"):
    distance = pairwise_distance if distance_function is None else distance_function
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = _torch.minimum(far, distance(positive, negative))
    return _reduced((near - far + margin).clamp_min(0), reduction)


def cosine_embedding_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"):
    product = (input1 * input2).sum(-1)
    sizes = ((input1 * input1).sum(-1) + 1e-12) * ((input2 * input2).sum(-1) + 1e-12)
    cosine = product / sizes.sqrt()
    zero = _torch.zeros_like(cosine)
    alike = _torch._where(target == 1, 1 - cosine, zero)
    other = _torch._where(target == -1, (cosine - margin).clamp_min(0), zero)
    return _reduced(alike + other, reduction)


def margin_ranking_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"):
    return _reduced((-target * (input1 - input2) + margin).clamp_min(0), reduction)


def hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None, reduction="mean"):
    zero = _torch.zeros_like(input)
    far = _torch._where(target != 1, (margin - input).clamp_min(0), zero)
    near = _torch._where(target != -1, input, zero)
    return _reduced(far + near, reduction)


def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    if (var < 0).any():
        raise ValueError("var has negative entry/entries")
    # The bound lets no gradient through, and takes none away.
    var = var + (var.detach().clamp(min=eps) - var.detach())
    losses = 0.5 * (var.log() + (input - target) ** 2 / var)
    if full:
        losses = losses + 0.5 * math.log(2 * math.pi)
    return _reduced(losses, reduction)


def poisson_nll_loss(input, target, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None,
                     reduction="mean"):
    losses = input.exp() - target * input if log_input else input - target * (input + eps).log()
    if full:
        rest = target * target.log() - target + 0.5 * (2 * math.pi * target).log()
        losses = losses + rest.masked_fill(target <= 1, 0)
    return _reduced(losses, reduction)


def soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    return _reduced((-target * input).exp().log1p(), reduction, "SoftMarginLossBackward0")


def multilabel_soft_margin_loss(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    losses = target * _softplus(-input) + (1 - target) * _softplus(input)
    if weight is not None:
        losses = losses * weight
    return _reduced(losses.sum(-1) / input.size(-1), reduction)


def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"):
    rows = input if input.dim() == 2 else input.unsqueeze(0)
    ids = target.reshape(-1, 1)
    own = rows.gather(1, ids)
    over = (margin - own + rows).clamp_min(0) ** p
    if weight is not None:
        over = over * weight[ids]
    losses = over.scatter(1, ids, 0.0).sum(1) / rows.size(1)
    return _reduced(losses if input.dim() == 2 else losses.squeeze(0), reduction, "MultiMarginLossBackward0")
