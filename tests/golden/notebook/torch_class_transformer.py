"""PyTorch's own tutorial: nn.Transformer, key_padding_mask, generate_square_subsequent_mask, MultiheadAttention."""
import math
import torch
from torch import nn, Tensor
from torch.nn import TransformerEncoder, TransformerEncoderLayer

class PositionalEncoding(nn.Module):
    def __init__(self, d_model: int, dropout: float = 0.1, max_len: int = 100):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        position = torch.arange(max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        pe = torch.zeros(max_len, 1, d_model)
        pe[:, 0, 0::2] = torch.sin(position * div_term)
        pe[:, 0, 1::2] = torch.cos(position * div_term)
        self.register_buffer('pe', pe)
    def forward(self, x: Tensor) -> Tensor:
        x = x + self.pe[:x.size(0)]
        return self.dropout(x)

class TransformerModel(nn.Module):
    def __init__(self, ntoken: int, d_model: int, nhead: int, d_hid: int, nlayers: int, dropout: float = 0.5):
        super().__init__()
        self.model_type = 'Transformer'
        self.pos_encoder = PositionalEncoding(d_model, dropout)
        encoder_layers = TransformerEncoderLayer(d_model, nhead, d_hid, dropout)
        self.transformer_encoder = TransformerEncoder(encoder_layers, nlayers)
        self.embedding = nn.Embedding(ntoken, d_model)
        self.d_model = d_model
        self.linear = nn.Linear(d_model, ntoken)
        self.init_weights()
    def init_weights(self) -> None:
        initrange = 0.1
        self.embedding.weight.data.uniform_(-initrange, initrange)
        self.linear.bias.data.zero_()
        self.linear.weight.data.uniform_(-initrange, initrange)
    def forward(self, src: Tensor, src_mask: Tensor = None) -> Tensor:
        src = self.embedding(src) * math.sqrt(self.d_model)
        src = self.pos_encoder(src)
        if src_mask is None:
            src_mask = nn.Transformer.generate_square_subsequent_mask(len(src))
        output = self.transformer_encoder(src, src_mask)
        return self.linear(output)

def generate_square_subsequent_mask(sz):
    mask = (torch.triu(torch.ones((sz, sz))) == 1).transpose(0, 1)
    mask = mask.float().masked_fill(mask == 0, float('-inf')).masked_fill(mask == 1, float(0.0))
    return mask

torch.manual_seed(0)
print(generate_square_subsequent_mask(4))
m = TransformerModel(13, 8, 2, 16, 2, 0.2)
src = torch.randint(0, 13, (5, 3))
out = m(src)
print(out.shape, out[0, 0])
m.train()
loss = nn.CrossEntropyLoss()(out.view(-1, 13), torch.randint(0, 13, (15,)))
loss.backward()
print(loss)
print({n: round(p.grad.norm().item(), 4) for n, p in m.named_parameters() if 'self_attn' in n})
mha = nn.MultiheadAttention(8, 2, batch_first=True)
x = torch.randn(2, 4, 8)
pad = torch.tensor([[False, False, False, True], [False, False, True, True]])
o, w = mha(x, x, x, key_padding_mask=pad)
print(o)
print(w)
o, w = mha(x, x, x, attn_mask=torch.ones(4, 4).triu(1).bool(), average_attn_weights=False)
print(w.shape, w[0, 1])
o2, none = mha(x, x, x, need_weights=False)
print(none, o2[0, 0])
cross = nn.MultiheadAttention(8, 4, kdim=6, vdim=5, batch_first=True, bias=False)
o, w = cross(x, torch.randn(2, 3, 6), torch.randn(2, 3, 5))
print(o.shape, w[0])
print([(n, tuple(p.shape)) for n, p in cross.named_parameters()])
tr = nn.Transformer(d_model=8, nhead=2, num_encoder_layers=1, num_decoder_layers=1, dim_feedforward=16, dropout=0.0, batch_first=True)
s, t = torch.randn(2, 5, 8), torch.randn(2, 3, 8)
y = tr(s, t, tgt_mask=tr.generate_square_subsequent_mask(3), src_key_padding_mask=torch.zeros(2, 5).bool())
print(y[0])
dec = nn.TransformerDecoder(nn.TransformerDecoderLayer(d_model=8, nhead=2, dim_feedforward=8, activation='gelu', norm_first=True, batch_first=True), 1).eval()
print(dec(t, s)[1])
print(mha)
print(tr.encoder.layers[0])
