"""How a notebook shows a value below a cell: repr(), but collections that do not fit into 79 columns
are broken into lines, from the outermost one inwards (D. C. Oppen, Prettyprinting, 1980)."""
from _attn import write as _write

_WIDTH = 79
_MOST = 1000  # items of a collection; the rest are three dots


class _Group:
    def __init__(self, depth):
        self.depth = depth
        self.gaps = []
        self.breaks = False


class _Printer:
    """Texts and gaps wait in self.waiting until it is known whether their groups must be broken."""

    def __init__(self):
        self.done = []
        self.waiting = []  # a str, or (group, indentation): a gap
        self.column = 0
        self.waiting_width = 0
        self.indentation = 0
        self.groups = [_Group(0)]
        self.by_depth = [[self.groups[0]]]

    def _let_go(self):
        item = self.waiting.pop(0)
        if isinstance(item, str):
            self.done.append(item)
            self.column += len(item)
            self.waiting_width -= len(item)
            return
        group, indentation = item
        group.gaps.pop(0)
        self.waiting_width -= 1
        if group.breaks:
            self.done.append("\n" + " " * indentation)
            self.column = indentation
        else:
            if not group.gaps:
                self._forget(group)
            self.done.append(" ")
            self.column += 1

    def _forget(self, group):
        if group in self.by_depth[group.depth]:
            self.by_depth[group.depth].remove(group)

    def _outermost(self):
        for stack in self.by_depth:
            for i, group in enumerate(reversed(stack)):
                if group.gaps:
                    del stack[i]
                    group.breaks = True
                    return group
            for group in stack:
                group.breaks = True
            stack.clear()
        return None

    def _break_group(self, group):
        while group.gaps:
            self._let_go()
        while self.waiting and isinstance(self.waiting[0], str):
            self._let_go()

    def _break_outer(self):
        while self.column + self.waiting_width > _WIDTH:
            group = self._outermost()
            if group is None:
                return
            self._break_group(group)

    def text(self, text):
        if self.waiting:
            self.waiting.append(text)
            self.waiting_width += len(text)
            self._break_outer()
        else:
            self.done.append(text)
            self.column += len(text)

    def gap(self):
        group = self.groups[-1]
        if group.breaks:
            self.newline()
            return
        self.waiting.append((group, self.indentation))
        group.gaps.append(self.indentation)
        self.waiting_width += 1
        self._break_outer()

    def newline(self):
        while self.waiting:
            self._let_go()
        self.done.append("\n" + " " * self.indentation)
        self.column = self.indentation
        self.waiting_width = 0

    def begin(self, opening):
        if opening:
            self.text(opening)
        self.groups.append(_Group(self.groups[-1].depth + 1))
        depth = self.groups[-1].depth
        while depth >= len(self.by_depth):
            self.by_depth.append([])
        self.by_depth[depth].append(self.groups[-1])
        self.indentation += len(opening)

    def end(self, opening, closing):
        self.indentation -= len(opening)
        group = self.groups.pop()
        if not group.gaps:
            self._forget(group)
        if closing:
            self.text(closing)

    def value(self, v):
        kind = type(v)
        if kind in (list, tuple, set, frozenset):
            self._items(v, kind)
        elif kind is dict:
            self._pairs(v)
        else:
            self.begin("")
            shown = repr(v)
            if kind is type:  # <class 'numpy.ndarray'>
                shown = shown[8:-2]
            for i, line in enumerate(shown.splitlines()):
                if i:
                    group = self._outermost()
                    if group is not None:
                        self._break_group(group)
                    self.newline()
                self.text(line)
            self.end("", "")

    def _items(self, v, kind):
        opening, closing = {list: ("[", "]"), tuple: ("(", ")"), set: ("{", "}")}.get(kind, ("frozenset({", "})"))
        if not v and kind in (set, frozenset):
            self.text(repr(v))
            return
        items = v
        if kind in (set, frozenset) and len(v) < _MOST:
            try:
                items = sorted(v)
            except TypeError:
                items = v
        self.begin(opening)
        for i, item in enumerate(items):
            if i:
                self.text(",")
                self.gap()
            if i == _MOST:
                self.text("...")
                break
            self.value(item)
        if kind is tuple and len(v) == 1:
            self.text(",")
        self.end(opening, closing)

    def _pairs(self, v):
        self.begin("{")
        for i, (key, item) in enumerate(v.items()):
            if i:
                self.text(",")
                self.gap()
            if i == _MOST:
                self.text("...")
                break
            self.value(key)
            self.text(": ")
            self.value(item)
        self.end("{", "}")


def show(v):
    printer = _Printer()
    printer.value(v)
    while printer.waiting:
        printer._let_go()
    _write(1, "".join(printer.done) + "\n")
