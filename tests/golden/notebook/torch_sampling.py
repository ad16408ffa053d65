import torch
import torch.nn.functional as F

torch.manual_seed(42)
logits = torch.randn(1, 10) * 3
print(logits)


def top_k_logits(logits, k):
    v, ix = torch.topk(logits, k)
    out = logits.clone()
    out[out < v[:, [-1]]] = -float('Inf')
    return out


def top_p(logits, p=0.9):
    sorted_logits, sorted_indices = torch.sort(logits, descending=True)
    cumulative = torch.cumsum(F.softmax(sorted_logits, dim=-1), dim=-1)
    remove = cumulative > p
    remove[..., 1:] = remove[..., :-1].clone()
    remove[..., 0] = 0
    indices_to_remove = remove.scatter(1, sorted_indices, remove)
    return logits.masked_fill(indices_to_remove, float('-inf'))


print(top_k_logits(logits, 3))
print(top_p(logits, 0.8))
print(F.softmax(top_k_logits(logits, 3) / 0.7, dim=-1))
for temperature in (0.1, 1.0, 5.0):
    probs = torch.softmax(logits / temperature, dim=-1)
    print(temperature, probs.max().item() > 0.5, torch.argmax(probs).item(), torch.multinomial(probs, 3).shape)
top_logits, top_pos = torch.topk(logits[0], 3)
print(top_logits, top_pos)
new_logits = torch.where(condition=logits[0] < top_logits[-1], input=torch.tensor(float("-inf")), other=logits[0])
print(new_logits)
vocab = {"closer": 0, "every": 1, "effort": 2, "forward": 3, "inches": 4, "moves": 5, "pizza": 6, "toward": 7, "you": 8}
inverse_vocab = {v: k for k, v in vocab.items()}
next_token_logits = torch.tensor([4.51, 0.89, -1.90, 6.75, 1.63, -1.62, -1.89, 6.28, 1.79])
probas = torch.softmax(next_token_logits, dim=0)
next_token_id = torch.argmax(probas).item()
print(inverse_vocab[next_token_id])
torch.manual_seed(123)
print(inverse_vocab[torch.multinomial(probas, num_samples=1).item()])


def print_sampled_tokens(probas):
    torch.manual_seed(123)
    sample = [torch.multinomial(probas, num_samples=1).item() for i in range(1_000)]
    sampled_ids = torch.bincount(torch.tensor(sample), minlength=len(probas))
    for i, freq in enumerate(sampled_ids):
        print(f"{freq} x {inverse_vocab[i]}")


print_sampled_tokens(probas)
# a cache of keys
cache_k = torch.zeros(1, 8, 2)
pos = 0
for chunk in torch.arange(12.).view(1, 6, 2).split(2, dim=1):
    n = chunk.shape[1]
    cache_k[:, pos:pos + n] = chunk
    pos += n
    print(pos, cache_k[:, :pos].sum().item())
# beam
seqs = [([], 0.0)]
steps = torch.log_softmax(torch.randn(3, 4), dim=-1)
for step in steps:
    candidates = []
    for seq, score in seqs:
        for j, logp in enumerate(step):
            candidates.append((seq + [j], score + logp.item()))
    seqs = sorted(candidates, key=lambda c: c[1], reverse=True)[:2]
for seq, score in seqs:
    print(seq, round(score, 4))
