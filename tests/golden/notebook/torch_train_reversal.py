"""Bahdanau seq2seq that reverses digits: GRU encoder, additive attention, teacher forcing with random."""
import random
import torch
import torch.nn as nn
import torch.nn.functional as F
SOS, EOS, V, H = 0, 1, 8, 16
random.seed(1); torch.manual_seed(1)
class EncoderRNN(nn.Module):
    def __init__(self, input_size, hidden_size):
        super(EncoderRNN, self).__init__()
        self.embedding = nn.Embedding(input_size, hidden_size)
        self.gru = nn.GRU(hidden_size, hidden_size, batch_first=True)
    def forward(self, x):
        return self.gru(self.embedding(x))
class BahdanauAttention(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        self.Wa = nn.Linear(hidden_size, hidden_size)
        self.Ua = nn.Linear(hidden_size, hidden_size)
        self.Va = nn.Linear(hidden_size, 1)
    def forward(self, query, keys):
        scores = self.Va(torch.tanh(self.Wa(query) + self.Ua(keys)))
        scores = scores.squeeze(2).unsqueeze(1)
        weights = F.softmax(scores, dim=-1)
        return torch.bmm(weights, keys), weights
class AttnDecoderRNN(nn.Module):
    def __init__(self, hidden_size, output_size):
        super().__init__()
        self.embedding = nn.Embedding(output_size, hidden_size)
        self.attention = BahdanauAttention(hidden_size)
        self.gru = nn.GRU(2 * hidden_size, hidden_size, batch_first=True)
        self.out = nn.Linear(hidden_size, output_size)
    def forward(self, encoder_outputs, encoder_hidden, target_tensor=None, max_length=5):
        batch_size = encoder_outputs.size(0)
        decoder_input = torch.empty(batch_size, 1, dtype=torch.long).fill_(SOS)
        decoder_hidden = encoder_hidden
        decoder_outputs, attentions = [], []
        for i in range(max_length):
            embedded = self.embedding(decoder_input)
            query = decoder_hidden.permute(1, 0, 2)
            context, w = self.attention(query, encoder_outputs)
            output, decoder_hidden = self.gru(torch.cat((embedded, context), dim=2), decoder_hidden)
            output = self.out(output)
            decoder_outputs.append(output)
            attentions.append(w)
            if target_tensor is not None:
                decoder_input = target_tensor[:, i].unsqueeze(1)
            else:
                _, topi = output.topk(1)
                decoder_input = topi.squeeze(-1).detach()
        decoder_outputs = F.log_softmax(torch.cat(decoder_outputs, dim=1), dim=-1)
        return decoder_outputs, decoder_hidden, torch.cat(attentions, dim=1)
def batch(n):
    xs = [[random.randint(2, V - 1) for _ in range(4)] for _ in range(n)]
    return torch.tensor(xs), torch.tensor([x[::-1] + [EOS] for x in xs])
enc, dec = EncoderRNN(V, H), AttnDecoderRNN(H, V)
eo, do = (torch.optim.Adam(m.parameters(), lr=0.01) for m in (enc, dec))
crit = nn.NLLLoss()
for it in range(1, 61):
    x, y = batch(8)
    eo.zero_grad(); do.zero_grad()
    outs, h = enc(x)
    use_teacher_forcing = True if random.random() < 0.7 else False
    d, _, att = dec(outs, h, y if use_teacher_forcing else None)
    loss = crit(d.view(-1, d.size(-1)), y.view(-1))
    loss.backward()
    eo.step(); do.step()
    if it % 20 == 0:
        print("(%d %d%%) %.4f" % (it, it / 60 * 100, loss.item()))
with torch.no_grad():
    x, y = batch(2)
    d, _, att = dec(*enc(x))
    print(x.tolist(), d.argmax(-1).tolist())
    print(att.shape, att[0, 0])
