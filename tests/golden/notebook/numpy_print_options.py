import numpy as np

a = np.array([[1.5, -2.25, 3], [1 / 3, 0, 1000.5]])
np.set_printoptions(formatter={"float": "{:0.1f}".format})
print(a, repr(a), np.arange(3), np.get_printoptions()["formatter"] is not None)
np.set_printoptions(precision=3)
print(a)
with np.printoptions(formatter={"float": lambda x: f"<{x:.2f}>", "int": lambda n: f"{n:03d}"}):
    print(a[1], np.arange(4).reshape(2, 2), np.array([True, False]))
    print(np.float64(0.5), a[0, 0])
print(a[1])
with np.printoptions(formatter={"all": str}):
    print(np.arange(3), np.array([0.5, 2]), np.array([True]))
with np.printoptions(formatter={"float_kind": lambda x: "%5.2f" % x, "int_kind": hex}):
    print(a, np.arange(20))
print(np.array2string(a, formatter={"float_kind": lambda x: f"{x:.3f}"}))
print(np.array2string(a, formatter={"float": lambda x: f"{x:6.1f}"}, separator=", "))
print(np.array2string(a, precision=2, floatmode="fixed"), np.array2string(a[0], floatmode="fixed"), a[0])
np.set_printoptions(floatmode="fixed", precision=4)
print(a, np.array([1e10, 1]), np.array([np.nan, 1.5]), np.array([0.00001, 1]), np.float32([0.1, 0.25]))
print(repr(a), np.array([1, 2]))
np.set_printoptions(floatmode="unique")
print(np.array([0.1, 1 / 3, 2]), np.float32([0.1, 1 / 3]))
np.set_printoptions(floatmode="maxprec", precision=8)
print(a, np.get_printoptions()["floatmode"])
print(np.array2string(np.arange(2000), threshold=5), np.array2string(np.arange(2000), threshold=5, edgeitems=1))
try:
    with np.printoptions(formatter={"float": lambda x: 1 / 0}):
        print(a)
except ZeroDivisionError as error:
    print(error)
print(a[0])

# Eigenvalues in LAPACK's order
np.set_printoptions(precision=6, suppress=True)
for m in ([[2, 0], [0, 3]], [[2, 1], [1, 2]], [[1, 2], [2, 4]], [[4, 1], [2, 3]], [[1, 2], [3, 4]], [[2, 0], [1, 3]],
          [[2, 5, 1], [0, 3, 1], [0, 0, 1]], [[4, 1, 0], [1, 3, 1], [0, 1, 2]], [[0.9, 0.1], [0.5, 0.5]],
          [[5, 0, 0], [0, 1, 0], [0, 0, 3]], [[2, 0, 0], [3, 4, 0], [1, 1, 9]], [[6, 2, 1, 0], [2, 5, 2, 1], [1, 2, 4, 2], [0, 1, 2, 3]]):
    values, vectors = np.linalg.eig(np.array(m))
    print(values, np.linalg.eigvals(m))
    print(vectors)
data = np.array([[2.5, 2.4], [0.5, 0.7], [2.2, 2.9], [1.9, 2.2], [3.1, 3.0], [2.3, 2.7], [2, 1.6], [1, 1.1], [1.5, 1.6], [1.1, 0.9]])
print(*np.linalg.eig(np.cov(data.T)), sep="\n")
