"""tqdm: what it is put around is gone through, and no bar is drawn."""


class tqdm:
    def __init__(self, iterable=None, desc=None, total=None, **kwargs):
        self.iterable = iterable
        self.desc = desc
        self.total = total
        self.n = 0

    def __iter__(self):
        for item in self.iterable:
            yield item
            self.n += 1

    def __len__(self):
        return self.total if self.iterable is None else len(self.iterable)

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return False

    def update(self, n=1):
        self.n += n

    def set_description(self, desc=None, refresh=True):
        self.desc = desc

    set_description_str = set_description

    def set_postfix(self, *args, **kwargs):
        pass

    set_postfix_str = refresh = close = reset = clear = set_postfix

    @classmethod
    def write(cls, s, file=None, end="\n"):
        print(s, end=end)


def trange(*args, **kwargs):
    return tqdm(range(*args), **kwargs)


tqdm_notebook = tqdm
tnrange = trange
