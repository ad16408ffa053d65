class SimpleTokenizer:
    def __init__(self, vocab):
        self.str_to_int = vocab
        self.int_to_str = {i: s for s, i in vocab.items()}
    def encode(self, text):
        for p in ",.?!":
            text = text.replace(p, f" {p} ")
        return [self.str_to_int.get(t, self.str_to_int["<|unk|>"]) for t in text.split()]
    def decode(self, ids):
        text = " ".join([self.int_to_str[i] for i in ids])
        for p in ",.?!":
            text = text.replace(" " + p, p)
        return text
raw = "It's the last he painted, you know. the last!"
tokens = sorted(set(raw.replace(",", " ,").replace(".", " .").replace("!", " !").split()))
tokens.extend(["<|endoftext|>", "<|unk|>"])
vocab = {t: i for i, t in enumerate(tokens)}
for i, item in enumerate(list(vocab.items())[-3:]):
    print(item)
tok = SimpleTokenizer(vocab)
ids = tok.encode("the last, Hello!")
print(ids, tok.decode(ids))
print([(i, w) for i, w in enumerate(tokens) if i >= 5][:3], len(vocab), vocab.keys() >= {"the"})
