"""einops.layers, which holds einops.layers.torch."""
