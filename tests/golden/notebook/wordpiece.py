import re
import collections
from collections import defaultdict, Counter, OrderedDict, deque, namedtuple
corpus = ["This is the Hugging Face Course.", "This chapter is about tokenization.", "This section shows several tokenizer algorithms."]
word_freqs = defaultdict(int)
for text in corpus:
    for word in re.findall(r'\w+|[^\w\s]', text): word_freqs[word] += 1
print(word_freqs)
alphabet = []
for word in word_freqs.keys():
    if word[0] not in alphabet: alphabet.append(word[0])
    for letter in word[1:]:
        if f"##{letter}" not in alphabet: alphabet.append(f"##{letter}")
alphabet.sort(); print(alphabet, len(alphabet))
splits = {word: [c if i == 0 else f"##{c}" for i, c in enumerate(word)] for word in word_freqs.keys()}
def compute_pair_scores(splits):
    letter_freqs = defaultdict(int); pair_freqs = defaultdict(int)
    for word, freq in word_freqs.items():
        split = splits[word]
        if len(split) == 1: letter_freqs[split[0]] += freq; continue
        for i in range(len(split) - 1):
            pair = (split[i], split[i + 1]); letter_freqs[split[i]] += freq; pair_freqs[pair] += freq
        letter_freqs[split[-1]] += freq
    return {pair: freq / (letter_freqs[pair[0]] * letter_freqs[pair[1]]) for pair, freq in pair_freqs.items()}
vocab = ["[PAD]", "[UNK]"] + alphabet.copy()
while len(vocab) < 50:
    scores = compute_pair_scores(splits)
    best, mx = "", None
    for pair, score in scores.items():
        if mx is None or mx < score: best, mx = pair, score
    a, b = best
    for word in word_freqs:
        split = splits[word]; i = 0
        while i < len(split) - 1:
            if split[i] == a and split[i + 1] == b: split = split[:i] + [a + b[2:] if b.startswith("##") else a + b] + split[i + 2:]
            else: i += 1
        splits[word] = split
    vocab.append(a + b[2:] if b.startswith("##") else a + b)
print(vocab[30:])
def encode_word(word):
    tokens = []
    while len(word) > 0:
        i = len(word)
        while i > 0 and word[:i] not in vocab: i -= 1
        if i == 0: return ["[UNK]"]
        tokens.append(word[:i]); word = word[i:]
        if len(word) > 0: word = f"##{word}"
    return tokens
print(encode_word("Hugging"), encode_word("HOgging"), sum((encode_word(w) for w in "This is the".split()), []))
dq = deque([1, 2, 3], maxlen=3); dq.append(4); dq.appendleft(0); print(dq, dq[0], list(dq)); Token = namedtuple('Token', ['text', 'id']); print(Token('a', 1), Token(text='b', id=2)._asdict())
c = Counter("mississippi"); c.update("ss"); print(c, c.most_common(2), c['z'], sum(c.values()), Counter(a=1) + Counter(a=2, b=1), list(Counter(a=2).elements()))
od = OrderedDict(a=1, b=2); od.move_to_end('a'); print(od, od.popitem(last=False)); dd = defaultdict(lambda: defaultdict(list)); dd['x']['y'].append(1); print(dict(dd['x']), 'z' in dd)
vocab_bytes = {b: chr(b) if 33 <= b <= 126 else chr(256 + b) for b in range(256)}; print(''.join(vocab_bytes[b] for b in ' héy'.encode('utf8')))
