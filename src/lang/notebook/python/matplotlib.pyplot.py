"""matplotlib.pyplot: what a cell draws is accepted and not shown, since attn run prints what Python prints.

Once, standard error says so. savefig() would write a file, and refuses."""
import sys

_said = []


def _say():
    if not _said:
        _said.append(True)
        print("attn: pictures of matplotlib are not drawn; at the prompt, heat X, plot X and bars X draw",
              file=sys.stderr)


def savefig(*args, **kwargs):
    raise PermissionError("a cell writes no file in attn: leave out savefig()")


class _Quiet:
    """A figure, axes, or a part of them: every method is there, and gives another one."""

    def __getattr__(self, name):
        if name == "savefig":
            return savefig
        if name.startswith("__"):
            raise AttributeError(name)
        return _quiet

    def __call__(self, *args, **kwargs):
        return _quiet

    def __iter__(self):
        return iter([_quiet])

    def __getitem__(self, at):
        return _quiet

    def __setitem__(self, at, value):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *args):
        return False

    def __len__(self):
        return 1


_quiet = _Quiet()


class _Grid:
    """The array of axes that subplots() gives."""

    def __init__(self, rows, columns):
        self.shape = (rows, columns) if rows > 1 and columns > 1 else (rows * columns,)
        self.size = rows * columns

    def __len__(self):
        return self.shape[0]

    def __getitem__(self, at):
        if isinstance(at, tuple) or len(self.shape) == 1:
            if isinstance(at, int) and at >= len(self):
                raise IndexError(f"index {at} is out of bounds for axis 0 with size {len(self)}")
            return _quiet
        if at >= len(self):
            raise IndexError(f"index {at} is out of bounds for axis 0 with size {len(self)}")
        return _Grid(1, self.shape[1])

    def __iter__(self):
        for i in range(len(self)):
            yield self[i]

    @property
    def flat(self):
        return iter([_quiet] * self.size)

    def flatten(self):
        return _Grid(1, self.size)

    ravel = flatten

    def tolist(self):
        return [x.tolist() if isinstance(x, _Grid) else x for x in self]


def subplots(nrows=1, ncols=1, **kwargs):
    _say()
    squeeze = kwargs.get("squeeze", True)
    return _quiet, _quiet if nrows * ncols == 1 and squeeze else _Grid(nrows, ncols)


def _draw(*args, **kwargs):
    _say()
    return _quiet


plot = imshow = bar = barh = scatter = hist = matshow = pcolormesh = contourf = contour = pie = _draw
figure = subplot = axes = gca = gcf = colorbar = stem = step = errorbar = boxplot = violinplot = _draw
fill_between = quiver = semilogy = semilogx = loglog = show = axhline = axvline = text = annotate = _draw
title = xlabel = ylabel = xticks = yticks = xlim = ylim = legend = grid = tight_layout = axis = _draw
suptitle = close = clf = cla = pause = ion = ioff = draw = subplots_adjust = set_cmap = twinx = _draw
get_cmap = xscale = yscale = margins = tick_params = sca = plot_date = hlines = vlines = arrow = _draw
rcParams = {}
cm = _quiet


class style:
    @staticmethod
    def use(*args):
        pass

    @staticmethod
    def context(*args):
        return _quiet
