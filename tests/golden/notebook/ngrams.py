"""Jurafsky & Martin style n-gram models with backoff, perplexity and generation in plain Python."""
import math, random, re
from collections import Counter, defaultdict
corpus = """I am Sam . Sam I am . I do not like green eggs and ham . I like attention and attention likes me ."""
class NGramLM:
    def __init__(self, n, k=0.0):
        self.n, self.k = n, k
        self.ctx, self.ng = Counter(), Counter()
        self.vocab = {'<unk>'}
    def _grams(self, toks):
        toks = ['<s>'] * (self.n - 1) + toks + ['</s>']
        for i in range(self.n - 1, len(toks)): yield tuple(toks[i - self.n + 1:i]), toks[i]
    def fit(self, sents):
        for s in sents:
            self.vocab |= set(s) | {'</s>'}
            for c, w in self._grams(s):
                self.ctx[c] += 1; self.ng[c, w] += 1
        return self
    def prob(self, c, w):
        den = self.ctx[c] + self.k * len(self.vocab)
        return (self.ng[c, w] + self.k) / den if den else 0.0
    def perplexity(self, sents):
        lp, n = 0.0, 0
        for s in sents:
            for c, w in self._grams(s):
                p = self.prob(c, w)
                if p == 0: return float('inf')
                lp += math.log2(p); n += 1
        return 2 ** (-lp / n)
    def generate(self, rng, m=10):
        c, out = ('<s>',) * (self.n - 1), []
        while len(out) < m:
            opts = sorted((w for (cc, w) in self.ng if cc == c))
            if not opts: break
            w = rng.choices(opts, weights=[self.ng[c, o] for o in opts])[0]
            if w == '</s>': break
            out.append(w); c = (*c[1:], w)
        return ' '.join(out)
    def __repr__(self): return f'{type(self).__name__}(n={self.n}, k={self.k}, |V|={len(self.vocab)})'
sents = [s.split() for s in re.split(r'\s*\.\s*', corpus) if s]
print(sents)
for n, k in [(1, 0), (2, 0), (2, .5), (3, .1)]:
    lm = NGramLM(n, k).fit(sents)
    print(lm, f"{lm.perplexity(sents):.4f} {lm.perplexity([['Sam', 'like', 'ham']]):.4f}", lm.generate(random.Random(n)))
random.seed(10)
print(random.random(), random.randint(1, 6), random.choice('abc'), random.sample(range(10), 3), random.gauss(0, 1), random.uniform(1, 2))
print(random.getrandbits(16), random.betavariate(1, 2), random.expovariate(2), random.triangular(0, 1), random.randrange(0, 100, 5))
table = defaultdict(lambda: defaultdict(int))
for s in sents:
    for a, b in zip(s, s[1:]): table[a][b] += 1
for a in sorted(table)[:4]: print(f"{a:>8}: " + ', '.join(f'{b}={c}' for b, c in sorted(table[a].items(), key=lambda t: (-t[1], t[0]))))
def softmax(x, T=1.0):
    m = max(x); e = [math.exp((v - m) / T) for v in x]; s = math.fsum(e)
    return [v / s for v in e]
for T in (.5, 1, 2): print([f"{p:.3f}" for p in softmax([2, 1, .1], T)])
print(math.isclose(sum(softmax([1, 2, 3])), 1), math.prod([1, 2, 3]), math.comb(5, 2), math.gcd(12, 18), math.hypot(3, 4), math.log1p(1e-9), math.e)
print(round(2.5), round(-1.25, 1), 7 // -2, 7 % -2, divmod(-7, 2), 1_000_000, 0b101, 0xff, 1e16, 1e-5, 0.1 + 0.2, float('1e400'), -0.0)
