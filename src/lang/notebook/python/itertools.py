"""itertools, as far as cells use it."""


def count(start=0, step=1):
    while True:
        yield start
        start += step


def cycle(iterable):
    items = list(iterable)
    while items:
        for item in items:
            yield item


def repeat(value, times=None):
    if times is None:
        while True:
            yield value
    for _ in range(times):
        yield value


class chain:
    def __init__(self, *iterables):
        self.items = (item for iterable in iterables for item in iterable)

    @staticmethod
    def from_iterable(iterables):
        return (item for iterable in iterables for item in iterable)

    def __iter__(self):
        return self.items

    def __next__(self):
        return next(self.items)


def islice(iterable, *limits):
    limits = slice(*limits)
    start = limits.start or 0
    step = limits.step or 1
    stop = limits.stop
    for i, item in enumerate(iterable):
        if stop is not None and i >= stop:
            return
        if i >= start and (i - start) % step == 0:
            yield item
        if stop is not None and i + 1 >= stop:
            return


def accumulate(iterable, function=None, *, initial=None):
    total = initial
    first = initial is None
    if not first:
        yield total
    for item in iterable:
        if first:
            total, first = item, False
        else:
            total = total + item if function is None else function(total, item)
        yield total


def product(*iterables, repeat=1):
    pools = [tuple(pool) for pool in iterables] * repeat
    result = [()]
    for pool in pools:
        result = [x + (y,) for x in result for y in pool]
    yield from result


def permutations(iterable, r=None):
    pool = tuple(iterable)
    r = len(pool) if r is None else r
    for places in product(range(len(pool)), repeat=r):
        if len(set(places)) == r:
            yield tuple(pool[i] for i in places)


def combinations(iterable, r):
    pool = tuple(iterable)

    def choose(start, left):
        if left == 0:
            yield ()
            return
        for i in range(start, len(pool) - left + 1):
            for rest in choose(i + 1, left - 1):
                yield (pool[i],) + rest
    yield from choose(0, r)


def combinations_with_replacement(iterable, r):
    pool = tuple(iterable)
    for places in product(range(len(pool)), repeat=r):
        if list(places) == sorted(places):
            yield tuple(pool[i] for i in places)


def zip_longest(*iterables, fillvalue=None):
    rows = [list(iterable) for iterable in iterables]
    for i in range(max([len(row) for row in rows], default=0)):
        yield tuple(row[i] if i < len(row) else fillvalue for row in rows)


def groupby(iterable, key=None):
    group, last, first = [], None, True
    for item in iterable:
        k = item if key is None else key(item)
        if not first and k != last:
            yield last, iter(group)
            group = []
        group.append(item)
        last, first = k, False
    if not first:
        yield last, iter(group)


def starmap(function, iterable):
    for args in iterable:
        yield function(*args)


def takewhile(predicate, iterable):
    for item in iterable:
        if not predicate(item):
            return
        yield item


def dropwhile(predicate, iterable):
    dropping = True
    for item in iterable:
        dropping = dropping and predicate(item)
        if not dropping:
            yield item


def pairwise(iterable):
    last, first = None, True
    for item in iterable:
        if not first:
            yield last, item
        last, first = item, False


def tee(iterable, n=2):
    items = list(iterable)
    return tuple(iter(items) for _ in range(n))


def compress(data, selectors):
    return (item for item, chosen in zip(data, selectors) if chosen)
