"""matplotlib.ticker: places of ticks, which nothing draws."""


class MaxNLocator:
    def __init__(self, *args, **kwargs):
        pass


class MultipleLocator(MaxNLocator):
    pass


class FixedLocator(MaxNLocator):
    pass


class FuncFormatter(MaxNLocator):
    pass
