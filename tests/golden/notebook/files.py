import sys
import io
import copy
import torch

print("to standard output", file=sys.stdout)
print("to standard error", file=sys.stderr)
n = sys.stdout.write("written\n")
print(n)
sys.stdout.flush()
text = io.StringIO()
print("a", 1, sep="-", end="!", file=text)
text.write(" more")
print(repr(text.getvalue()))


class Log:
    def __init__(self):
        self.lines = []

    def write(self, line):
        self.lines.append(line)


log = Log()
print("kept", file=log)
print("".join(log.lines))
try:
    print("x", file=5)
except AttributeError as e:
    print(e)
x = torch.ones(2)
y = copy.copy(x)
y[0] = 5
print(x, y is x)
