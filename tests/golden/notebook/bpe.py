from collections import Counter, defaultdict
text = "low lower lowest newer newest wide wider"
vocab = Counter(text.split())
splits = {w: list(w) + ["</w>"] for w in vocab}
merges = []
def pairs():
    c = defaultdict(int)
    for w, n in vocab.items():
        s = splits[w]
        for a, b in zip(s, s[1:]):
            c[a, b] += n
    return c
for step in range(8):
    c = pairs()
    if not c: break
    best = max(c, key=lambda p: (c[p], p))
    merges.append(best)
    for w in splits:
        s, out, i = splits[w], [], 0
        while i < len(s):
            if i + 1 < len(s) and (s[i], s[i+1]) == best:
                out.append(s[i] + s[i+1]); i += 2
            else:
                out.append(s[i]); i += 1
        splits[w] = out
    print(step, best, c[best])
print(splits)
print({"".join(m): i for i, m in enumerate(merges)})
