import random, math
random.seed(42)
words = ["emma", "olivia", "ava", "isabella", "sophia"]
chars = sorted(set("".join(words)))
stoi = {s: i + 1 for i, s in enumerate(chars)}
stoi["."] = 0
itos = {i: s for s, i in stoi.items()}
N = [[0] * len(stoi) for _ in stoi]
for w in words:
    chs = ["."] + list(w) + ["."]
    for ch1, ch2 in zip(chs, chs[1:]):
        N[stoi[ch1]][stoi[ch2]] += 1
P = [[(c + 1) / (sum(row) + len(row)) for c in row] for row in N]
log_likelihood, n = 0.0, 0
for w in words[:3]:
    chs = ["."] + list(w) + ["."]
    for a, b in zip(chs, chs[1:]):
        prob = P[stoi[a]][stoi[b]]
        log_likelihood += math.log(prob)
        n += 1
print(f"{log_likelihood=}")
nll = -log_likelihood
print(f"{nll/n:.4f}")
for i in range(5):
    out, ix = [], 0
    while True:
        ix = random.choices(range(len(P)), weights=P[ix])[0]
        out.append(itos[ix])
        if ix == 0 or len(out) > 20: break
    print("".join(out))
