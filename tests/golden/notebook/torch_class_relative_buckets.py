"""T5: relative position buckets and attention without scaling."""
import math
import torch
import torch.nn as nn
import torch.nn.functional as F

class T5LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(hidden_size))
        self.variance_epsilon = eps
    def forward(self, hidden_states):
        variance = hidden_states.to(torch.float32).pow(2).mean(-1, keepdim=True)
        hidden_states = hidden_states * torch.rsqrt(variance + self.variance_epsilon)
        if self.weight.dtype in [torch.float16, torch.bfloat16]:
            hidden_states = hidden_states.to(self.weight.dtype)
        return self.weight * hidden_states

class T5Attention(nn.Module):
    def __init__(self, d_model=8, n_heads=2, d_kv=4, num_buckets=8, max_distance=20, is_decoder=False, has_relative_attention_bias=False):
        super().__init__()
        self.is_decoder = is_decoder
        self.has_relative_attention_bias = has_relative_attention_bias
        self.relative_attention_num_buckets = num_buckets
        self.relative_attention_max_distance = max_distance
        self.d_model = d_model
        self.key_value_proj_dim = d_kv
        self.n_heads = n_heads
        self.inner_dim = self.n_heads * self.key_value_proj_dim
        self.q = nn.Linear(self.d_model, self.inner_dim, bias=False)
        self.k = nn.Linear(self.d_model, self.inner_dim, bias=False)
        self.v = nn.Linear(self.d_model, self.inner_dim, bias=False)
        self.o = nn.Linear(self.inner_dim, self.d_model, bias=False)
        if self.has_relative_attention_bias:
            self.relative_attention_bias = nn.Embedding(self.relative_attention_num_buckets, self.n_heads)

    @staticmethod
    def _relative_position_bucket(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
        relative_buckets = 0
        if bidirectional:
            num_buckets //= 2
            relative_buckets += (relative_position > 0).to(torch.long) * num_buckets
            relative_position = torch.abs(relative_position)
        else:
            relative_position = -torch.min(relative_position, torch.zeros_like(relative_position))
        max_exact = num_buckets // 2
        is_small = relative_position < max_exact
        relative_position_if_large = max_exact + (
            torch.log(relative_position.float() / max_exact)
            / math.log(max_distance / max_exact)
            * (num_buckets - max_exact)
        ).to(torch.long)
        relative_position_if_large = torch.min(
            relative_position_if_large, torch.full_like(relative_position_if_large, num_buckets - 1)
        )
        relative_buckets += torch.where(is_small, relative_position, relative_position_if_large)
        return relative_buckets

    def compute_bias(self, query_length, key_length, device=None):
        if device is None:
            device = self.relative_attention_bias.weight.device
        context_position = torch.arange(query_length, dtype=torch.long, device=device)[:, None]
        memory_position = torch.arange(key_length, dtype=torch.long, device=device)[None, :]
        relative_position = memory_position - context_position
        relative_position_bucket = self._relative_position_bucket(
            relative_position,
            bidirectional=(not self.is_decoder),
            num_buckets=self.relative_attention_num_buckets,
            max_distance=self.relative_attention_max_distance,
        )
        values = self.relative_attention_bias(relative_position_bucket)
        values = values.permute([2, 0, 1]).unsqueeze(0)
        return values

    def forward(self, hidden_states, mask=None, key_value_states=None, position_bias=None, past_key_value=None):
        batch_size, seq_length = hidden_states.shape[:2]
        def shape(states):
            return states.view(batch_size, -1, self.n_heads, self.key_value_proj_dim).transpose(1, 2)
        def unshape(states):
            return states.transpose(1, 2).contiguous().view(batch_size, -1, self.inner_dim)
        def project(hidden_states, proj_layer, key_value_states, past):
            if key_value_states is None:
                hidden_states = shape(proj_layer(hidden_states))
            elif past is None:
                hidden_states = shape(proj_layer(key_value_states))
            if past is not None and key_value_states is None:
                hidden_states = torch.cat([past, hidden_states], dim=2)
            return hidden_states
        query_states = shape(self.q(hidden_states))
        key_states = project(hidden_states, self.k, key_value_states, past_key_value[0] if past_key_value is not None else None)
        value_states = project(hidden_states, self.v, key_value_states, past_key_value[1] if past_key_value is not None else None)
        scores = torch.matmul(query_states, key_states.transpose(3, 2))
        if position_bias is None:
            real_seq_length = seq_length + (past_key_value[0].shape[2] if past_key_value is not None else 0)
            key_length = real_seq_length if key_value_states is None else key_value_states.shape[1]
            if not self.has_relative_attention_bias:
                position_bias = torch.zeros((1, self.n_heads, real_seq_length, key_length), dtype=scores.dtype)
            else:
                position_bias = self.compute_bias(real_seq_length, key_length)
            if past_key_value is not None:
                position_bias = position_bias[:, :, -hidden_states.size(1) :, :]
            if mask is not None:
                position_bias = position_bias + mask
        scores += position_bias
        attn_weights = nn.functional.softmax(scores.float(), dim=-1).type_as(scores)
        attn_output = unshape(torch.matmul(attn_weights, value_states))
        attn_output = self.o(attn_output)
        return attn_output, (key_states, value_states), position_bias

torch.manual_seed(5)
rel = torch.arange(12)[None, :] - torch.arange(12)[:, None]
print(T5Attention._relative_position_bucket(rel, True, 8, 20))
print(T5Attention._relative_position_bucket(rel, bidirectional=False, num_buckets=8, max_distance=20)[-1])
a = T5Attention(has_relative_attention_bias=True)
nn.init.normal_(a.relative_attention_bias.weight, std=0.5)
x = torch.randn(2, 6, 8)
out, present, bias = a(T5LayerNorm(8)(x))
print(out.shape, bias.shape)
print(bias[0, 0])
print(out[1, :3])
dec = T5Attention(is_decoder=True, has_relative_attention_bias=True)
causal = torch.triu(torch.full((6, 6), torch.finfo(torch.float32).min), 1)[None, None]
whole, _, _ = dec(x, mask=causal)
first, past, _ = dec(x[:, :5], mask=causal[..., :5, :5])
last, past, _ = dec(x[:, 5:], past_key_value=past)
print(torch.max(torch.abs(whole[:, -1:] - last)) < 1e-5, past[0].shape)
cross, _, _ = dec.__class__()(x[:, :2], key_value_states=x)
print(cross[0, 0])
print(a)
