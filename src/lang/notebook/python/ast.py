"""ast: literal_eval(), which reads a value that is written out. There is no tree of a program here."""
import re as _re

_NUMBER = _re.compile(r"[0-9][0-9_]*(\.[0-9_]*)?([eE][+-]?[0-9]+)?|\.[0-9]+([eE][+-]?[0-9]+)?")
_WORD = _re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}


class _Reader:
    def __init__(self, text):
        self.text = text
        self.at = 0

    def peek(self):
        while self.at < len(self.text) and self.text[self.at] in " \t\n":
            self.at += 1
        return self.text[self.at] if self.at < len(self.text) else ""

    def fail(self):
        raise SyntaxError("invalid syntax")

    def items(self, end, read):
        """What stands before the bracket that closes; whether a comma stood there."""
        self.at += 1
        found, comma = [], False
        while self.peek() != end:
            found.append(read())
            if self.peek() == ",":
                comma = True
                self.at += 1
            elif self.peek() != end:
                self.fail()
        self.at += 1
        return found, comma

    def entry(self):
        key = self.value()
        if self.peek() != ":":
            return key, None, False
        self.at += 1
        return key, self.value(), True

    def string(self):
        quote = self.text[self.at]
        self.at += 1
        out = ""
        while self.at < len(self.text) and self.text[self.at] != quote:
            c = self.text[self.at]
            self.at += 1
            if c == "\\" and self.at < len(self.text):
                c = self.text[self.at]
                self.at += 1
                c = _ESCAPES.get(c, c)
            out += c
        if self.at == len(self.text):
            raise SyntaxError("unterminated string literal (detected at line 1)")
        self.at += 1
        return out

    def value(self):
        c = self.peek()
        if c in ("'", '"'):
            return self.string()
        if c == "-" or c == "+":
            self.at += 1
            x = self.value()
            if isinstance(x, (str, list, tuple, dict, set)) or x is None:
                raise ValueError("malformed node or string")
            return -x if c == "-" else x
        if c == "[":
            return self.items("]", self.value)[0]
        if c == "(":
            found, comma = self.items(")", self.value)
            return found[0] if len(found) == 1 and not comma else tuple(found)
        if c == "{":
            found, _ = self.items("}", self.entry)
            if found and not found[0][2]:
                return {key for key, _, _ in found}
            return {key: value for key, value, _ in found}
        number = _NUMBER.match(self.text, self.at) if c else None
        if number:
            self.at = number.end()
            digits = number.group().replace("_", "")
            return float(digits) if "." in digits or "e" in digits.lower() else int(digits)
        word = _WORD.match(self.text, self.at) if c else None
        if not word:
            self.fail()
        self.at = word.end()
        known = {"None": None, "True": True, "False": False}
        if word.group() not in known:
            if self.peek() and self.peek() not in "([{.,+-*/])}:":
                self.fail()
            raise ValueError(f"malformed node or string: {word.group()}")
        return known[word.group()]


def literal_eval(node_or_string):
    reader = _Reader(node_or_string.strip(" \t"))
    first = reader.value()
    if reader.peek() == ",":
        values = [first]
        while reader.peek() == ",":
            reader.at += 1
            if reader.peek():
                values.append(reader.value())
        first = tuple(values)
    if reader.peek() == "":
        return first
    if reader.peek() in "+-*/.%(":
        raise ValueError("malformed node or string")
    reader.fail()
