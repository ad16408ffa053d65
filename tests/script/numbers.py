#!/usr/bin/env python3
"""The numbers that transcripts expect where a pencil does not do, worked out without attn.

usage: numbers.py [NAME...]     the numbers for NAME.transcript; without names, for all

Plain Python in double precision, from the formulas of the papers; nothing here knows how attn
works.
The random numbers follow PyTorch's published algorithm: a Mersenne Twister started with the seed,
24 bits of each number for a uniform one, Box-Muller for normal ones.
"""
import math
import sys

HELLO = [[0.34, 0.22, 0.54], [0.53, 0.34, 0.98], [0.29, 0.54, 0.93]]


# ---- small matrices ----------------------------------------------------------------------------

def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def transposed(a):
    return [list(column) for column in zip(*a)]


def product(a, b):
    return [[dot(row, column) for column in zip(*b)] for row in a]


def each(f, a):
    return [each(f, x) for x in a] if isinstance(a, list) else f(a)


def softmax(row):
    powers = [math.exp(x - max(row)) for x in row]
    return [x / sum(powers) for x in powers]


def variance(numbers, correction=1):
    mean = sum(numbers) / len(numbers)
    return sum((x - mean) ** 2 for x in numbers) / (len(numbers) - correction)


def show(what, numbers, digits=4):
    rows = numbers if isinstance(numbers, list) else [numbers]
    rows = rows if isinstance(rows[0], list) else [rows]
    print(f"  {what}")
    for row in rows:
        print("    " + "  ".join(f"{x:.{digits}f}" for x in row))


# ---- random numbers as PyTorch draws them ------------------------------------------------------

class Twister:
    """MT19937 of Matsumoto and Nishimura, started with one number."""

    def __init__(self, seed):
        self.state = [seed]
        for i in range(1, 624):
            last = self.state[-1]
            self.state.append((1812433253 * (last ^ last >> 30) + i) & 0xFFFFFFFF)
        self.at = 624

    def bits(self):
        if self.at == 624:
            for i in range(624):
                y = self.state[i] & 0x80000000 | self.state[(i + 1) % 624] & 0x7FFFFFFF
                self.state[i] = self.state[(i + 397) % 624] ^ y >> 1 ^ (0x9908B0DF if y & 1 else 0)
            self.at = 0
        y = self.state[self.at]
        self.at += 1
        y ^= y >> 11
        y ^= y << 7 & 0x9D2C5680
        y ^= y << 15 & 0xEFC60000
        return y ^ y >> 18

    def uniform(self):
        return (self.bits() & 0xFFFFFF) / 0x1000000

    def normal(self, n):
        """n normal numbers, n a multiple of 16: each 8 numbers give angles to the 8 before them."""
        numbers = [self.uniform() for _ in range(n)]
        for start in range(0, n, 16):
            for i in range(start, start + 8):
                radius = math.sqrt(-2 * math.log(1 - numbers[i]))
                angle = 2 * math.pi * numbers[i + 8]
                numbers[i], numbers[i + 8] = radius * math.cos(angle), radius * math.sin(angle)
        return numbers


# ---- a function for each transcript ------------------------------------------------------------

def for_hello_shiny_sun():
    scores = product(HELLO, transposed(HELLO))
    show("scores", scores)
    weights = [softmax(row) for row in scores]
    show("weights", weights)
    show("context", product(weights, HELLO))
    scaled = each(lambda x: x / math.sqrt(3), scores)
    show("scaled scores", scaled)
    show("their weights", [softmax(row) for row in scaled])
    show("their context", product([softmax(row) for row in scaled], HELLO))
    show("exponentials for shiny, and their sum", [math.exp(x) for x in scores[1]])
    show("", sum(math.exp(x) for x in scores[1]))
    published = [0.775, 1.317, 1.225]
    show("exponentials of the published scores", [math.exp(x) for x in published])
    show("weights of the published scores", softmax(published))
    show("context of the published weights", product([[0.233, 0.401, 0.366]], HELLO))


def for_softmax():
    thirds = [1 / 3, 2 / 3, 1]
    for row in ([0.1, 0.2, 0.3], [10, 20, 30], [0, -1], [1, 2], [1, 3], [3, 6, 9], thirds):
        show(f"softmax of {row}", softmax(row))
    show("log softmax of 1 2 3", [math.log(x) for x in softmax([1, 2, 3])])
    twister, n = Twister(64), 1000
    query, key = twister.normal(64 * n), twister.normal(64 * n)
    scores = [dot(query[64 * i:64 * i + 64], key[64 * i:64 * i + 64]) for i in range(n)]
    show("variance of the dot products, before and after scaling",
         [variance(scores), variance([x / 8 for x in scores])])


CAUSAL = [[0.343, -1.015, -0.963, 0.146, 0.318],
          [1.560, -0.989, 0.422, -0.304, 0.888],
          [0.204, -0.632, -0.097, 0.290, 1.651],
          [-1.503, -0.381, -0.051, -0.247, 0.445],
          [-0.859, 1.347, -1.027, -0.765, 0.147]]


def for_causal():
    rows = [softmax(row[:i + 1]) + [0] * (4 - i) for i, row in enumerate(CAUSAL)]
    show("weights under the causal mask", rows, 3)
    show("weights without a mask", [softmax(row) for row in CAUSAL], 3)
    show("the weights mixing the values 1 2 3 4 5", [dot(row, [1, 2, 3, 4, 5]) for row in rows])
    late = [softmax(row) for row in CAUSAL]
    late = [[x if j <= i else 0 for j, x in enumerate(row)] for i, row in enumerate(late)]
    show("masked after softmax: sums of the rows", [sum(row) for row in late])
    hello = product(HELLO, transposed(HELLO))
    scaled = each(lambda x: x / math.sqrt(3), hello)
    weights = [softmax(row[:i + 1]) + [0] * (2 - i) for i, row in enumerate(scaled)]
    show("Hello shiny sun, causal: weights", weights)
    show("Hello shiny sun, causal: context", product(weights, HELLO))
    show("lower triangle of ones left in, row 1", softmax([1.56 + 1, -0.989 + 1]))


def gelu(x):
    return 0.5 * x * (1 + math.erf(x / math.sqrt(2)))


def gelu_tanh(x):
    return 0.5 * x * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))


def rms_norm(row, eps=2.0 ** -23):
    size = math.sqrt(sum(x * x for x in row) / len(row) + eps)
    return [x / size for x in row]


def cross_entropy(row, target):
    return math.log(sum(math.exp(x) for x in row)) - row[target]


def layer_norm(row, eps=1e-5):
    mean, spread = sum(row) / len(row), math.sqrt(variance(row, 0) + eps)
    return [(x - mean) / spread for x in row]


def for_functions():
    for f in (math.exp, math.tanh, gelu, gelu_tanh, math.erf, math.sin, math.cos):
        show(f"{f.__name__} of -1 0 0.5 1", [f(x) for x in (-1, 0, 0.5, 1)])
    show("sigmoid of -1 0 1", [1 / (1 + math.exp(-x)) for x in (-1, 0, 1)])
    show("roots of 2 3", [math.sqrt(2), math.sqrt(3)])
    show("log of 2 10", [math.log(2), math.log(10)])
    show("cosines: of 1 0 and 1 1; along columns",
         [1 / math.sqrt(2), 1 / math.sqrt(2), 2 / math.sqrt(5)])
    show("norms of 3 -4: p = 2, 1, 3", [5, 7, (27 + 64) ** (1 / 3)])
    for row in ([1, 2, 3], [2, 4, 9]):
        show(f"layer norm of {row}", layer_norm(row))
    show("layer norm of 1 2 3, times 1 2 3, plus 10",
         [10 + w * x for w, x in zip([1, 2, 3], layer_norm([1, 2, 3]))])
    show("layer norm of 2 4 9 with eps = 1", layer_norm([2, 4, 9], 1))
    show("RMS norm of 3 4", rms_norm([3, 4]))
    show("RMS norm of 3 4, times 10 20", [w * x for w, x in zip([10, 20], rms_norm([3, 4]))])
    show("silu of -1 0 1", [x / (1 + math.exp(-x)) for x in (-1, 0, 1)])
    losses = [cross_entropy([2, 1, 0], 0), cross_entropy([0, 3, 1], 2)]
    show("cross-entropies, their sum and mean", [*losses, sum(losses), sum(losses) / 2])
    show("weights of scores 4 0: scaled by 1 / sqrt(2), by 1, by 0; capped at 1",
         [softmax([4 / math.sqrt(2), 0]), softmax([4, 0]), [0.5, 0.5],
          softmax([math.tanh(4 / math.sqrt(2)), 0])])


def for_reductions():
    for row in ([1, 2, 3, 4], [1, 3], [2, 4], [1, 2], [3, 4]):
        both = [variance(row), variance(row, 0)]
        show(f"{row}: variance by n - 1 and by n", both)
        show("and spread", [math.sqrt(x) for x in both])


def for_random():
    for seed, n in ((123, 6), (42, 3), (0, 3)):
        twister = Twister(seed)
        show(f"seed {seed}: uniform", [twister.uniform() for _ in range(n)])
    show("seed 0: normal, the first 4 of 16", Twister(0).normal(16)[:4])
    twister = Twister(0)
    show("seed 0: whole numbers below 10", [twister.bits() % 10 for _ in range(5)], 0)


def for_why():
    show("exp(x - 3) for 1 2 3, and their sum",
         [math.exp(x - 3) for x in (1, 2, 3)] + [sum(math.exp(x - 3) for x in (1, 2, 3))])
    show("softmax and log softmax of 3", [softmax([1, 2, 3])[2], math.log(softmax([1, 2, 3])[2])])
    scores = product(HELLO, transposed(HELLO))
    scaled = [x / math.sqrt(3) for x in scores[1]]
    weights = softmax(scaled[:2])
    show("shiny under the causal mask: sqrt(3), scaled scores", [math.sqrt(3)] + scaled[:2])
    show("exponentials and sum",
         [math.exp(scaled[0] - scaled[1]), 1, 1 + math.exp(scaled[0] - scaled[1])])
    show("weights, terms of context 0, their sum",
         weights + [weights[0] * 0.34, weights[1] * 0.53,
                    weights[0] * 0.34 + weights[1] * 0.53])
    show("the 14 left out of the sum of k, and of k (k + 1), for k to 19",
         [sum(range(4, 18)), sum(k * (k + 1) for k in range(4, 18))], 0)
    show("softmax of 0 to 11 at 5: exp(x - 11) for 0 1 2, as 10**-5; for 5 10 11; sum; weight",
         [1e5 * math.exp(x - 11) for x in (0, 1, 2)])
    powers = [math.exp(x - 11) for x in range(12)]
    show("", [powers[5], powers[10], powers[11], sum(powers), powers[5] / sum(powers)])
    twister = Twister(0)
    query, key = twister.normal(64), twister.normal(64)
    terms = [q * k for q, k in zip(query, key)]
    show("64 random terms: those shown, the 58 left out, the sum",
         terms[:4] + [sum(terms[4:62])] + terms[62:] + [sum(terms)])
    show("their factors", [query[i] for i in (0, 1, 2, 3, 62, 63)])
    show("", [key[i] for i in (0, 1, 2, 3, 62, 63)])


def for_whatif():
    changed = [row[:] for row in HELLO]
    changed[2][0] = 0.9
    for embeddings in (HELLO, changed):
        scores = product(embeddings, transposed(embeddings))
        show("scores", scores)
        show("weights", [softmax(row) for row in scores])
    scores = product(changed, transposed(changed))
    scores[0][0] = 5
    show("weights of Hello with a score set to 5, too", softmax(scores[0]))
    twister = Twister(123)
    show("twice the first random numbers of seed 123", [2 * twister.uniform() for _ in range(4)])


def softmax_gradient(row, upstream):
    weights = softmax(row)
    return [w * (u - dot(weights, upstream)) for w, u in zip(weights, upstream)]


def for_grad():
    z = [1, 2, 3]
    show("of softmax(z)[0]", softmax_gradient(z, [1, 0, 0]))
    show("of log(sum(exp(z)))", softmax(z))
    show("of sum(sqrt(z)), sum(1 / z), sum(log(z)), sum(exp(z))",
         [[0.5 / math.sqrt(x) for x in z], [-1 / x ** 2 for x in z], [1 / x for x in z],
          [math.exp(x) for x in z]])
    show("of sum(tanh(v)) for -1 2 0", [1 - math.tanh(x) ** 2 for x in (-1, 2, 0)])
    show("of the norm of z", [x / math.sqrt(14) for x in z])
    show("of the spread of z", [(x - 2) / 2 for x in z])
    show("of u ** u at 2", 4 * (math.log(2) + 1))
    sigmoids = [1 / (1 + math.exp(-x)) for x in (0, 2)]
    show("of the sigmoid at 0 and 2", [s * (1 - s) for s in sigmoids])
    weights = softmax([1.0, 0.0])
    show("attention of 1 0 over two keys, values 1 and 3: context, and its gradient of the scores",
         [dot(weights, [1, 3])] + softmax_gradient([1.0, 0.0], [1, 3]))
    show("cross entropy of 1 2 3 for class 0: loss, gradient",
         [-math.log(softmax(z)[0])] + [w - (i == 0) for i, w in enumerate(softmax(z))])


def for_definitions():
    for_hello_shiny_sun()
    weights = softmax([x / math.sqrt(3) for x in product(HELLO, transposed(HELLO))[1]])
    terms = [w * row[0] for w, row in zip(weights, HELLO)]
    show("the terms of the context of shiny, scaled", terms)
    show("their sum", sum(terms))


def main():
    tables = {name[4:]: f for name, f in globals().items() if name.startswith("for_")}
    for name in sys.argv[1:] or tables:
        if name not in tables:
            sys.exit(f"numbers.py: no numbers for {name}; there are: {' '.join(tables)}")
        print(name)
        tables[name]()


if __name__ == "__main__":
    main()
