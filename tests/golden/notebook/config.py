from dataclasses import dataclass, field, asdict
@dataclass
class GPTConfig:
    block_size: int = 1024
    vocab_size: int = 50304
    n_layer: int = 12
    n_head: int = 12
    n_embd: int = 768
    dropout: float = 0.0
    bias: bool = True
    def params(self):
        c = self
        attn = 4 * c.n_embd * c.n_embd
        mlp = 8 * c.n_embd ** 2
        return c.n_layer * (attn + mlp) + c.vocab_size * c.n_embd
configs = {"gpt2": dict(n_layer=12, n_head=12, n_embd=768), "gpt2-xl": dict(n_layer=48, n_head=25, n_embd=1600)}
for name, kw in configs.items():
    cfg = GPTConfig(**kw)
    print(f"{name:<10}{cfg.params() / 1e6:>10.1f}M head_dim={cfg.n_embd // cfg.n_head:3d}")
print(asdict(GPTConfig(n_layer=1)))
print(GPTConfig())
assert GPTConfig() == GPTConfig() and GPTConfig(1) != GPTConfig()
GPT_CONFIG_124M = {
    "vocab_size": 50257,    # Vocabulary size
    "context_length": 1024, # Context length
    "qkv_bias": False       # bias
}
for k in sorted(GPT_CONFIG_124M): print(f"{k!r:>20}: {GPT_CONFIG_124M[k]}")
