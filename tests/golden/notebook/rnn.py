import math
class Tensor1:
    """A tiny reverse-mode autodiff over lists."""
    def __init__(self, v, parents=()):
        self.v, self.g, self.parents = v, 0.0, parents
    def __add__(s, o): return Tensor1(s.v + o.v, ((s, 1.0), (o, 1.0)))
    def __mul__(s, o): return Tensor1(s.v * o.v, ((s, o.v), (o, s.v)))
    def tanh(s):
        t = math.tanh(s.v)
        return Tensor1(t, ((s, 1 - t ** 2),))
    def backward(s, g=1.0):
        s.g += g
        for p, d in s.parents: p.backward(g * d)
w, u, h = Tensor1(0.5), Tensor1(-0.3), Tensor1(0.0)
for x in (1.0, 0.5, -1.0):
    h = (w * Tensor1(x) + u * h).tanh()
h.backward()
print(h.v, w.g, u.g)
lr = 0.1
for p in (w, u): p.v -= lr * p.g
print(*(f"{p.v:.8f}" for p in (w, u)))
