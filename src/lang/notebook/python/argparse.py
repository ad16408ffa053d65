"""argparse, as far as cells use it: a cell has no arguments, so the defaults are what it gets."""
import sys
from types import SimpleNamespace


class Namespace(SimpleNamespace):
    def __repr__(self):
        return "Namespace(" + ", ".join(f"{k}={v!r}" for k, v in self.__dict__.items()) + ")"


class ArgumentParser:
    def __init__(self, prog=None, usage=None, description=None, **kwargs):
        self.prog = prog
        self.description = description
        self._rows = []
        self._defaults = {}

    def add_argument(self, *names, action="store", nargs=None, const=None, default=None, type=None,
                     choices=None, required=False, help=None, metavar=None, dest=None):
        is_option = names[0].startswith("-")
        if dest is None:
            long = [n for n in names if n.startswith("--")]
            dest = (long[0] if long else names[0]).lstrip("-").replace("-", "_")
        if action == "store_true":
            default = False if default is None else default
        elif action == "store_false":
            default = True if default is None else default
        row = SimpleNamespace(names=names, action=action, nargs=nargs, const=const, default=default,
                              type=type, choices=choices, dest=dest,
                              required=required or (not is_option and nargs not in ("?", "*")),
                              is_option=is_option)
        self._rows.append(row)
        return row

    def add_argument_group(self, *args, **kwargs):
        return self

    add_mutually_exclusive_group = add_argument_group

    def set_defaults(self, **kwargs):
        self._defaults.update(kwargs)

    def error(self, message):
        print(f"usage: {self.prog or 'cell'} [-h] ...", file=sys.stderr)
        print(f"{self.prog or 'cell'}: error: {message}", file=sys.stderr)
        sys.exit(2)

    def _convert(self, row, text):
        value = text
        if row.type is not None:
            try:
                value = row.type(text)
            except (ValueError, TypeError):
                self.error(f"argument {'/'.join(row.names)}: invalid "
                           f"{getattr(row.type, '__name__', 'value')} value: {text!r}")
        if row.choices is not None and value not in row.choices:
            self.error(f"argument {'/'.join(row.names)}: invalid choice: {value!r} (choose from "
                       + ", ".join(repr(c) for c in row.choices) + ")")
        return value

    def parse_known_args(self, args=None, namespace=None):
        args = list(sys.argv[1:] if args is None else args)
        values, seen, rest = {}, set(), []
        for row in self._rows:
            default = row.default
            if isinstance(default, str) and row.type is not None:
                default = row.type(default)
            values[row.dest] = default
        values.update(self._defaults)
        plain = [row for row in self._rows if not row.is_option]
        while args:
            word = args.pop(0)
            name, equals, given = word.partition("=")
            row = next((r for r in self._rows if r.is_option and name in r.names), None)
            if row is None:
                if word.startswith("-") or not plain:
                    rest.append(word)
                    continue
                row = plain.pop(0)
                args.insert(0, word)
                equals = ""
            elif row.action in ("store_true", "store_false", "store_const"):
                values[row.dest] = row.const if row.action == "store_const" else row.action == "store_true"
                seen.add(row.dest)
                continue
            elif equals:
                args.insert(0, given)
            seen.add(row.dest)
            most = 1 if row.nargs is None or row.nargs == "?" else row.nargs
            taken = []
            while args and (isinstance(most, str) or len(taken) < most):
                if args[0].startswith("-") and any(args[0] in r.names for r in self._rows):
                    break
                taken.append(self._convert(row, args.pop(0)))
            if not taken and row.nargs not in ("*", "?"):
                self.error(f"argument {'/'.join(row.names)}: expected one argument")
            if row.action == "append":
                values[row.dest] = (values[row.dest] or []) + taken
            elif row.nargs is None or row.nargs == "?":
                values[row.dest] = taken[0] if taken else row.const
            else:
                values[row.dest] = taken
        lacking = ["/".join(r.names) for r in self._rows if r.required and r.dest not in seen]
        if lacking:
            self.error("the following arguments are required: " + ", ".join(lacking))
        return Namespace(**values), rest

    def parse_args(self, args=None, namespace=None):
        found, rest = self.parse_known_args(args, namespace)
        if rest:
            self.error("unrecognized arguments: " + " ".join(rest))
        return found


class ArgumentDefaultsHelpFormatter:
    pass


class RawTextHelpFormatter:
    pass
