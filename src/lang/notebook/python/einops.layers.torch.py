"""einops.layers.torch: Rearrange and Reduce as modules."""
import torch.nn
import einops


class Rearrange(torch.nn.Module):
    def __init__(self, pattern, **axes_lengths):
        super().__init__()
        self.pattern = pattern
        self.axes_lengths = axes_lengths

    def forward(self, x):
        return einops.rearrange(x, self.pattern, **self.axes_lengths)

    def __repr__(self):
        named = "".join(f", {k}={v}" for k, v in self.axes_lengths.items())
        return f"Rearrange('{self.pattern}'{named})"


class Reduce(torch.nn.Module):
    def __init__(self, pattern, reduction, **axes_lengths):
        super().__init__()
        self.pattern = pattern
        self.reduction = reduction
        self.axes_lengths = axes_lengths

    def forward(self, x):
        return einops.reduce(x, self.pattern, self.reduction, **self.axes_lengths)
