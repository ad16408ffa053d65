import numpy as np, random
print(np.array_str(np.array([1.123456, 1e-5]), precision=3), np.array2string(np.eye(2), separator=', '), np.array2string(np.arange(40), separator=', '))
with np.printoptions(precision=2, suppress=True): print(np.array([1.2345, 1e-7]))
print(np.array([1.2345]), np.array_repr(np.arange(3)))
r = random.Random(3); random.seed(1); a = random.random(); b = r.random(); print(a, b, random.random(), r.randint(1, 9), r.choices('abc', k=3), r.gauss(0, 1), random.gauss(0, 1))
print(random.betavariate(1, 2), random.triangular(0, 1), random.gammavariate(2, 1), random.gammavariate(.5, 1), r.sample(range(9), 3))
s = random.getstate(); x = random.random(); random.setstate(s); print(x == random.random())
