"""Modules of torch.nn that only keep the options of a function of torch.nn.functional: one row each."""
import _torch
import torch.nn as nn
import torch.nn.functional as functional
from _attn import set_class_name as _set_class_name


class _Optioned(nn.Module):
    """_function: its name; _options: names and defaults in PyTorch's order; _shown: those of its repr()."""

    _options = ()
    _shown = ""

    def __init__(self, *args, **keywords):
        super().__init__()
        names = [name for name, _ in self._options]
        if len(args) > len(names):
            raise TypeError(f"__init__() takes from 1 to {1 + len(names)} positional arguments but "
                            f"{1 + len(args)} were given")
        for name in keywords:
            if name not in names:
                raise TypeError(f"__init__() got an unexpected keyword argument '{name}'")
        for i, (name, default) in enumerate(self._options):
            value = args[i] if i < len(args) else keywords.get(name, default)
            if value is _needed:
                raise TypeError(f"__init__() missing 1 required positional argument: '{name}'")
            setattr(self, name, value)

    def forward(self, *inputs):
        given = {name: getattr(self, name) for name, _ in self._options if name not in ("size_average", "reduce")}
        return getattr(functional, self._function)(*inputs, **given)

    def extra_repr(self):
        shown = []
        for name in self._shown.split():
            _, plain, name = name.rpartition("!")
            value = getattr(self, name)
            shown.append(f"{value}" if plain else f"{name}={value}")
        return ", ".join(shown)


_needed = object()
_REDUCED = (("size_average", None), ("reduce", None), ("reduction", "mean"))
_INPLACE = (("inplace", False),)

# module: (function, options, what its repr() shows; "!": without its name)
_ROWS = {
    "SmoothL1Loss": ("smooth_l1_loss", _REDUCED + (("beta", 1.0),), ""),
    "HuberLoss": ("huber_loss", (("reduction", "mean"), ("delta", 1.0)), ""),
    "TripletMarginLoss": ("triplet_margin_loss", (("margin", 1.0), ("p", 2.0), ("eps", 1e-6), ("swap", False)) + _REDUCED, ""),
    "TripletMarginWithDistanceLoss": ("triplet_margin_with_distance_loss", (
        ("distance_function", None), ("margin", 1.0), ("swap", False), ("reduction", "mean")), ""),
    "CosineEmbeddingLoss": ("cosine_embedding_loss", (("margin", 0.0),) + _REDUCED, ""),
    "MarginRankingLoss": ("margin_ranking_loss", (("margin", 0.0),) + _REDUCED, ""),
    "HingeEmbeddingLoss": ("hinge_embedding_loss", (("margin", 1.0),) + _REDUCED, ""),
    "GaussianNLLLoss": ("gaussian_nll_loss", (("full", False), ("eps", 1e-6), ("reduction", "mean")), ""),
    "PoissonNLLLoss": ("poisson_nll_loss", (("log_input", True), ("full", False), ("size_average", None), ("eps", 1e-8),
                                            ("reduce", None), ("reduction", "mean")), ""),
    "SoftMarginLoss": ("soft_margin_loss", _REDUCED, ""),
    "MultiLabelSoftMarginLoss": ("multilabel_soft_margin_loss", (("weight", None),) + _REDUCED, ""),
    "MultiMarginLoss": ("multi_margin_loss", (("p", 1), ("margin", 1.0), ("weight", None)) + _REDUCED, ""),
    "PairwiseDistance": ("pairwise_distance", (("p", 2.0), ("eps", 1e-6), ("keepdim", False)), ""),
    "Hardtanh": ("hardtanh", (("min_val", -1.0), ("max_val", 1.0)) + _INPLACE, "min_val max_val"),
    "Hardswish": ("hardswish", _INPLACE, ""),
    "Hardsigmoid": ("hardsigmoid", _INPLACE, ""),
    "SELU": ("selu", _INPLACE, ""),
    "CELU": ("celu", (("alpha", 1.0),) + _INPLACE, "alpha"),
    "Softsign": ("softsign", (), ""),
    "Tanhshrink": ("tanhshrink", (), ""),
    "Softshrink": ("softshrink", (("lambd", 0.5),), "!lambd"),
    "Hardshrink": ("hardshrink", (("lambd", 0.5),), "!lambd"),
    "Threshold": ("threshold", (("threshold", _needed), ("value", _needed)) + _INPLACE, "threshold value"),
    "Softmin": ("softmin", (("dim", None),), "dim"),
    "Unfold": ("unfold", (("kernel_size", _needed), ("dilation", 1), ("padding", 0), ("stride", 1)),
               "kernel_size dilation padding stride"),
    "Fold": ("fold", (("output_size", _needed), ("kernel_size", _needed), ("dilation", 1), ("padding", 0), ("stride", 1)),
             "output_size kernel_size dilation padding stride"),
    "AdaptiveAvgPool1d": ("adaptive_avg_pool1d", (("output_size", _needed),), "output_size"),
    "AdaptiveAvgPool2d": ("adaptive_avg_pool2d", (("output_size", _needed),), "output_size"),
    "PixelShuffle": ("pixel_shuffle", (("upscale_factor", _needed),), "upscale_factor"),
}



def _module(name, function, options, shown):
    class Made(_Optioned):
        _function = function
        _options = options
        _shown = shown
    _set_class_name(Made, name)
    return Made


for _name, (_function, _options, _shown) in _ROWS.items():
    setattr(nn, _name, _module(_name, _function, _options, _shown))


class Upsample(nn.Module):
    def __init__(self, size=None, scale_factor=None, mode="nearest", align_corners=None, recompute_scale_factor=None):
        super().__init__()
        self.size = size
        self.scale_factor = tuple(scale_factor) if isinstance(scale_factor, (tuple, list)) else (
            None if scale_factor is None else float(scale_factor))
        self.mode = mode
        self.align_corners = align_corners

    def forward(self, input):
        return functional.interpolate(input, self.size, self.scale_factor, self.mode, self.align_corners)

    def extra_repr(self):
        how = f"size={self.size}" if self.scale_factor is None else f"scale_factor={self.scale_factor}"
        return f"{how}, mode={self.mode}"


class PReLU(nn.Module):
    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        super().__init__()
        self.num_parameters = num_parameters
        self.weight = nn.Parameter(_torch.full((num_parameters,), init))

    def forward(self, input):
        return functional.prelu(input, self.weight)

    def extra_repr(self):
        return f"num_parameters={self.num_parameters}"


class GroupNorm(nn.Module):
    def __init__(self, num_groups, num_channels, eps=1e-5, affine=True, device=None, dtype=None):
        super().__init__()
        if num_channels % num_groups:
            raise ValueError("num_channels must be divisible by num_groups")
        self.num_groups, self.num_channels, self.eps, self.affine = num_groups, num_channels, eps, affine
        self.weight = nn.Parameter(_torch.ones(num_channels)) if affine else None
        self.bias = nn.Parameter(_torch.zeros(num_channels)) if affine else None

    def forward(self, input):
        return functional.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self):
        return f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}"


for _class in (Upsample, PReLU, GroupNorm):
    setattr(nn, _class.__name__, _class)
