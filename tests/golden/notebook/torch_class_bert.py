"""BERT as in transformers: PretrainedConfig, extended attention mask, pruning heads, ModelOutput."""
import math
from collections import OrderedDict
from dataclasses import dataclass, field, fields, asdict
from typing import Optional, Tuple, Union, Dict, Any
import torch
from torch import nn

class PretrainedConfig:
    model_type: str = ""
    def __init__(self, **kwargs):
        self.return_dict = kwargs.pop("return_dict", True)
        self.output_attentions = kwargs.pop("output_attentions", False)
        self.chunk_size_feed_forward = kwargs.pop("chunk_size_feed_forward", 0)
        for key, value in kwargs.items():
            try:
                setattr(self, key, value)
            except AttributeError as err:
                print(f"Can't set {key} with value {value} for {self}")
                raise err
    @classmethod
    def from_dict(cls, config_dict: Dict[str, Any], **kwargs) -> "PretrainedConfig":
        return cls(**{**config_dict, **kwargs})
    def to_dict(self):
        output = dict(self.__dict__)
        output["model_type"] = self.__class__.model_type
        return output
    def __repr__(self):
        return f"{self.__class__.__name__} {sorted(self.to_dict().items())}"

class BertConfig(PretrainedConfig):
    model_type = "bert"
    def __init__(self, vocab_size=30522, hidden_size=16, num_hidden_layers=2, num_attention_heads=4,
                 intermediate_size=32, hidden_act="gelu", hidden_dropout_prob=0.1, attention_probs_dropout_prob=0.1,
                 max_position_embeddings=12, type_vocab_size=2, initializer_range=0.02, layer_norm_eps=1e-12,
                 pad_token_id=0, **kwargs):
        super().__init__(pad_token_id=pad_token_id, **kwargs)
        self.vocab_size = vocab_size
        self.hidden_size = hidden_size
        self.num_hidden_layers = num_hidden_layers
        self.num_attention_heads = num_attention_heads
        self.hidden_act = hidden_act
        self.intermediate_size = intermediate_size
        self.hidden_dropout_prob = hidden_dropout_prob
        self.attention_probs_dropout_prob = attention_probs_dropout_prob
        self.max_position_embeddings = max_position_embeddings
        self.type_vocab_size = type_vocab_size
        self.initializer_range = initializer_range
        self.layer_norm_eps = layer_norm_eps

ACT2FN = {"gelu": nn.functional.gelu, "relu": nn.functional.relu, "tanh": torch.tanh}

class ModelOutput(OrderedDict):
    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name)
    def to_tuple(self):
        return tuple(self[k] for k in self.keys())

class BertEmbeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.word_embeddings = nn.Embedding(config.vocab_size, config.hidden_size, padding_idx=config.pad_token_id)
        self.position_embeddings = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.token_type_embeddings = nn.Embedding(config.type_vocab_size, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.register_buffer("position_ids", torch.arange(config.max_position_embeddings).expand((1, -1)))
        self.register_buffer("token_type_ids", torch.zeros(self.position_ids.size(), dtype=torch.long), persistent=False)
    def forward(self, input_ids: Optional[torch.LongTensor] = None, token_type_ids=None, position_ids=None):
        input_shape = input_ids.size()
        seq_length = input_shape[1]
        if position_ids is None:
            position_ids = self.position_ids[:, :seq_length]
        if token_type_ids is None:
            buffered = self.token_type_ids[:, :seq_length]
            token_type_ids = buffered.expand(input_shape[0], seq_length)
        embeddings = self.word_embeddings(input_ids) + self.token_type_embeddings(token_type_ids)
        embeddings += self.position_embeddings(position_ids)
        return self.dropout(self.LayerNorm(embeddings))

class BertSelfAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        if config.hidden_size % config.num_attention_heads != 0 and not hasattr(config, "embedding_size"):
            raise ValueError(
                f"The hidden size ({config.hidden_size}) is not a multiple of the number of attention "
                f"heads ({config.num_attention_heads})"
            )
        self.num_attention_heads = config.num_attention_heads
        self.attention_head_size = int(config.hidden_size / config.num_attention_heads)
        self.all_head_size = self.num_attention_heads * self.attention_head_size
        self.query = nn.Linear(config.hidden_size, self.all_head_size)
        self.key = nn.Linear(config.hidden_size, self.all_head_size)
        self.value = nn.Linear(config.hidden_size, self.all_head_size)
        self.dropout = nn.Dropout(config.attention_probs_dropout_prob)
    def transpose_for_scores(self, x: torch.Tensor) -> torch.Tensor:
        new_x_shape = x.size()[:-1] + (self.num_attention_heads, self.attention_head_size)
        x = x.view(new_x_shape)
        return x.permute(0, 2, 1, 3)
    def forward(self, hidden_states, attention_mask=None, head_mask=None, output_attentions=False) -> Tuple[torch.Tensor]:
        query_layer = self.transpose_for_scores(self.query(hidden_states))
        key_layer = self.transpose_for_scores(self.key(hidden_states))
        value_layer = self.transpose_for_scores(self.value(hidden_states))
        attention_scores = torch.matmul(query_layer, key_layer.transpose(-1, -2))
        attention_scores = attention_scores / math.sqrt(self.attention_head_size)
        if attention_mask is not None:
            attention_scores = attention_scores + attention_mask
        attention_probs = nn.functional.softmax(attention_scores, dim=-1)
        attention_probs = self.dropout(attention_probs)
        if head_mask is not None:
            attention_probs = attention_probs * head_mask
        context_layer = torch.matmul(attention_probs, value_layer)
        context_layer = context_layer.permute(0, 2, 1, 3).contiguous()
        new_context_layer_shape = context_layer.size()[:-2] + (self.all_head_size,)
        context_layer = context_layer.view(new_context_layer_shape)
        outputs = (context_layer, attention_probs) if output_attentions else (context_layer,)
        return outputs

class BertLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.self = BertSelfAttention(config)
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        self.norm1 = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.intermediate = nn.Linear(config.hidden_size, config.intermediate_size)
        if isinstance(config.hidden_act, str):
            self.intermediate_act_fn = ACT2FN[config.hidden_act]
        else:
            self.intermediate_act_fn = config.hidden_act
        self.output = nn.Linear(config.intermediate_size, config.hidden_size)
        self.norm2 = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
    def forward(self, h, mask=None, head_mask=None, output_attentions=False):
        self_outputs = self.self(h, mask, head_mask, output_attentions)
        a = self.norm1(self.dense(self_outputs[0]) + h)
        out = self.norm2(self.output(self.intermediate_act_fn(self.intermediate(a))) + a)
        return (out,) + self_outputs[1:]

class BertModel(nn.Module):
    def __init__(self, config, add_pooling_layer=True):
        super().__init__()
        self.config = config
        self.embeddings = BertEmbeddings(config)
        self.layer = nn.ModuleList([BertLayer(config) for _ in range(config.num_hidden_layers)])
        self.pooler = nn.Sequential(OrderedDict([("dense", nn.Linear(config.hidden_size, config.hidden_size)), ("activation", nn.Tanh())])) if add_pooling_layer else None
        self.apply(self._init_weights)
    def _init_weights(self, module):
        if isinstance(module, nn.Linear):
            module.weight.data.normal_(mean=0.0, std=self.config.initializer_range)
            if module.bias is not None:
                module.bias.data.zero_()
        elif isinstance(module, nn.Embedding):
            module.weight.data.normal_(mean=0.0, std=self.config.initializer_range)
            if module.padding_idx is not None:
                module.weight.data[module.padding_idx].zero_()
        elif isinstance(module, nn.LayerNorm):
            module.bias.data.zero_()
            module.weight.data.fill_(1.0)
    @property
    def dtype(self):
        return next(self.parameters()).dtype
    def get_extended_attention_mask(self, attention_mask):
        if attention_mask.dim() == 3:
            extended = attention_mask[:, None, :, :]
        elif attention_mask.dim() == 2:
            extended = attention_mask[:, None, None, :]
        else:
            raise ValueError(f"Wrong shape for attention_mask (shape {attention_mask.shape})")
        extended = extended.to(dtype=self.dtype)
        return (1.0 - extended) * torch.finfo(self.dtype).min
    def forward(self, input_ids, attention_mask=None, output_attentions=None, return_dict=None):
        output_attentions = output_attentions if output_attentions is not None else self.config.output_attentions
        return_dict = return_dict if return_dict is not None else self.config.return_dict
        if attention_mask is None:
            attention_mask = torch.ones(input_ids.shape)
        ext = self.get_extended_attention_mask(attention_mask)
        h = self.embeddings(input_ids)
        all_attn = () if output_attentions else None
        for i, layer in enumerate(self.layer):
            outs = layer(h, ext, None, output_attentions)
            h = outs[0]
            if output_attentions:
                all_attn = all_attn + (outs[1],)
        pooled = self.pooler(h[:, 0]) if self.pooler is not None else None
        if not return_dict:
            return tuple(v for v in [h, pooled, all_attn] if v is not None)
        return ModelOutput(last_hidden_state=h, pooler_output=pooled, attentions=all_attn)

torch.manual_seed(42)
config = BertConfig.from_dict({"vocab_size": 30, "output_attentions": True}, hidden_size=16)
print(config)
model = BertModel(config)
model.eval()
ids = torch.tensor([[2, 9, 14, 3, 0, 0], [2, 8, 3, 0, 0, 0]])
mask = (ids != config.pad_token_id).long()
print(mask)
out = model(ids, attention_mask=mask)
print(out.last_hidden_state[:, 0, :5])
print(out["pooler_output"].shape, len(out.attentions))
print(out.attentions[1][0, 2])
t = model(ids, mask, return_dict=False)
print(len(t), t[0].sum().item() == out.last_hidden_state.sum().item())
print(list(model.state_dict().keys())[:6])
print(list(model.state_dict())[-4:])
print(model.embeddings)
try:
    BertModel(BertConfig(vocab_size=10, hidden_size=18))
except ValueError as e:
    print("ValueError:", e)
