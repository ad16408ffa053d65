"""Raschka chapter 5: train_model_simple with loss functions, generate_text_simple, perplexity."""
import torch
import torch.nn as nn
class LayerNorm(nn.Module):
    def __init__(self, emb_dim):
        super().__init__()
        self.eps = 1e-5
        self.scale = nn.Parameter(torch.ones(emb_dim))
        self.shift = nn.Parameter(torch.zeros(emb_dim))
    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        var = x.var(dim=-1, keepdim=True, unbiased=False)
        norm_x = (x - mean) / torch.sqrt(var + self.eps)
        return self.scale * norm_x + self.shift
class GELU(nn.Module):
    def __init__(self):
        super().__init__()
    def forward(self, x):
        return 0.5 * x * (1 + torch.tanh(torch.sqrt(torch.tensor(2.0 / torch.pi)) * (x + 0.044715 * torch.pow(x, 3))))
class FeedForward(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(cfg["emb_dim"], 4 * cfg["emb_dim"]), GELU(), nn.Linear(4 * cfg["emb_dim"], cfg["emb_dim"]))
    def forward(self, x):
        return self.layers(x)
class Attn(nn.Module):
    def __init__(self, d, ctx, drop, h):
        super().__init__()
        self.h, self.hd, self.d = h, d // h, d
        self.W_query, self.W_key, self.W_value = nn.Linear(d, d, bias=False), nn.Linear(d, d, bias=False), nn.Linear(d, d, bias=False)
        self.out_proj, self.dropout = nn.Linear(d, d), nn.Dropout(drop)
        self.register_buffer("mask", torch.triu(torch.ones(ctx, ctx), diagonal=1))
    def forward(self, x):
        b, n, _ = x.shape
        k, q, v = (w(x).view(b, n, self.h, self.hd).transpose(1, 2) for w in (self.W_key, self.W_query, self.W_value))
        s = q @ k.transpose(2, 3)
        s.masked_fill_(self.mask.bool()[:n, :n], -torch.inf)
        w = self.dropout(torch.softmax(s / k.shape[-1]**0.5, dim=-1))
        return self.out_proj((w @ v).transpose(1, 2).contiguous().view(b, n, self.d))
class TransformerBlock(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.att = Attn(cfg["emb_dim"], cfg["context_length"], cfg["drop_rate"], cfg["n_heads"])
        self.ff = FeedForward(cfg)
        self.norm1, self.norm2 = LayerNorm(cfg["emb_dim"]), LayerNorm(cfg["emb_dim"])
        self.drop_shortcut = nn.Dropout(cfg["drop_rate"])
    def forward(self, x):
        shortcut = x
        x = self.drop_shortcut(self.att(self.norm1(x))) + shortcut
        shortcut = x
        return self.drop_shortcut(self.ff(self.norm2(x))) + shortcut
class GPTModel(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.tok_emb = nn.Embedding(cfg["vocab_size"], cfg["emb_dim"])
        self.pos_emb = nn.Embedding(cfg["context_length"], cfg["emb_dim"])
        self.drop_emb = nn.Dropout(cfg["drop_rate"])
        self.trf_blocks = nn.Sequential(*[TransformerBlock(cfg) for _ in range(cfg["n_layers"])])
        self.final_norm = LayerNorm(cfg["emb_dim"])
        self.out_head = nn.Linear(cfg["emb_dim"], cfg["vocab_size"], bias=False)
    def forward(self, in_idx):
        batch_size, seq_len = in_idx.shape
        x = self.drop_emb(self.tok_emb(in_idx) + self.pos_emb(torch.arange(seq_len, device=in_idx.device)))
        return self.out_head(self.final_norm(self.trf_blocks(x)))
class CharTokenizer:
    def __init__(self, text): self.chars = sorted(set(text)); self.str_to_int = {c: i for i, c in enumerate(self.chars)}
    def encode(self, text, allowed_special=()): return [self.str_to_int[c] for c in text]
    def decode(self, ids): return "".join(self.chars[i] for i in ids)
from torch.utils.data import Dataset, DataLoader
class GPTDatasetV1(Dataset):
    def __init__(self, txt, tokenizer, max_length, stride):
        self.input_ids, self.target_ids = [], []
        token_ids = tokenizer.encode(txt, allowed_special={"<|endoftext|>"})
        for i in range(0, len(token_ids) - max_length, stride):
            self.input_ids.append(torch.tensor(token_ids[i:i + max_length]))
            self.target_ids.append(torch.tensor(token_ids[i + 1: i + max_length + 1]))
    def __len__(self): return len(self.input_ids)
    def __getitem__(self, idx): return self.input_ids[idx], self.target_ids[idx]
def calc_loss_batch(input_batch, target_batch, model, device):
    input_batch, target_batch = input_batch.to(device), target_batch.to(device)
    logits = model(input_batch)
    return torch.nn.functional.cross_entropy(logits.flatten(0, 1), target_batch.flatten())
def calc_loss_loader(data_loader, model, device, num_batches=None):
    total_loss = 0.
    if len(data_loader) == 0: return float("nan")
    elif num_batches is None: num_batches = len(data_loader)
    else: num_batches = min(num_batches, len(data_loader))
    for i, (input_batch, target_batch) in enumerate(data_loader):
        if i < num_batches: total_loss += calc_loss_batch(input_batch, target_batch, model, device).item()
        else: break
    return total_loss / num_batches
def evaluate_model(model, train_loader, val_loader, device, eval_iter):
    model.eval()
    with torch.no_grad():
        train_loss = calc_loss_loader(train_loader, model, device, num_batches=eval_iter)
        val_loss = calc_loss_loader(val_loader, model, device, num_batches=eval_iter)
    model.train()
    return train_loss, val_loss
def generate_text_simple(model, idx, max_new_tokens, context_size):
    for _ in range(max_new_tokens):
        with torch.no_grad(): logits = model(idx[:, -context_size:])
        probas = torch.softmax(logits[:, -1, :], dim=-1)
        idx = torch.cat((idx, torch.argmax(probas, dim=-1, keepdim=True)), dim=1)
    return idx
def train_model_simple(model, train_loader, val_loader, optimizer, device, num_epochs, eval_freq, eval_iter, start_context, tokenizer):
    train_losses, val_losses, track_tokens_seen = [], [], []
    tokens_seen, global_step = 0, -1
    for epoch in range(num_epochs):
        model.train()
        for input_batch, target_batch in train_loader:
            optimizer.zero_grad()
            loss = calc_loss_batch(input_batch, target_batch, model, device)
            loss.backward()
            optimizer.step()
            tokens_seen += input_batch.numel()
            global_step += 1
            if global_step % eval_freq == 0:
                train_loss, val_loss = evaluate_model(model, train_loader, val_loader, device, eval_iter)
                train_losses.append(train_loss); val_losses.append(val_loss); track_tokens_seen.append(tokens_seen)
                print(f"Ep {epoch+1} (Step {global_step:06d}): Train loss {train_loss:.3f}, Val loss {val_loss:.3f}")
        ids = generate_text_simple(model, torch.tensor(tokenizer.encode(start_context)).unsqueeze(0), 20, model.pos_emb.weight.shape[0])
        print(tokenizer.decode(ids.squeeze(0).tolist()).replace("\n", " "))
    return train_losses, val_losses, track_tokens_seen
text = "Every effort moves you closer to the goal. Every step forward counts and every day brings you nearer. " * 3
tok = CharTokenizer(text)
cfg = {"vocab_size": len(tok.chars), "context_length": 16, "emb_dim": 16, "n_heads": 2, "n_layers": 2, "drop_rate": 0.1, "qkv_bias": False}
torch.manual_seed(123)
split_idx = int(0.9 * len(text))
mk = lambda t, shuffle, drop_last: DataLoader(GPTDatasetV1(t, tok, 16, 16), batch_size=2, shuffle=shuffle, drop_last=drop_last, num_workers=0)
train_loader, val_loader = mk(text[:split_idx], True, True), mk(text[split_idx - 8:], False, False)
for x, y in val_loader: print(x.shape, y.shape)
model = GPTModel(cfg)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.004, weight_decay=0.1)
tl, vl, seen = train_model_simple(model, train_loader, val_loader, optimizer, torch.device("cpu"), 3, 5, 2, "Every", tok)
print(seen, f"perplexity {torch.exp(torch.tensor(vl[-1])):.2f}")
