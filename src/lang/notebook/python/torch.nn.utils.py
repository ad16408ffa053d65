"""torch.nn.utils: gradients that are held back."""
import _torch


def _gradients(parameters):
    if isinstance(parameters, _torch.Tensor):
        parameters = [parameters]
    return [p.grad for p in parameters if p.grad is not None]


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    gradients = _gradients(parameters)
    if not gradients:
        return _torch.tensor(0.0)
    before = _torch._set_grad(False)
    try:
        total = _torch.stack([g.norm(norm_type) for g in gradients]).norm(norm_type)
        if error_if_nonfinite and not total.isfinite():
            raise RuntimeError(
                f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, "
                "so it cannot be clipped. To disable this error and scale the gradients by the "
                "non-finite norm anyway, set `error_if_nonfinite=False`")
        factor = (max_norm / (total + 1e-6)).clamp(max=1.0)
        for gradient in gradients:
            gradient.mul_(factor)
        return total
    finally:
        _torch._set_grad(before)


def clip_grad_value_(parameters, clip_value, foreach=None):
    before = _torch._set_grad(False)
    try:
        for gradient in _gradients(parameters):
            gradient.clamp_(-clip_value, clip_value)
    finally:
        _torch._set_grad(before)


def parameters_to_vector(parameters):
    return _torch.cat([p.view(-1) for p in parameters])


def vector_to_parameters(vec, parameters):
    at = 0
    for p in parameters:
        p.data = vec[at:at + p.numel()].view_as(p).data
        at += p.numel()


import torch.nn.utils.rnn as rnn
