class Matrix:
    def __init__(self, rows): self.rows = [list(r) for r in rows]
    @classmethod
    def identity(cls, n): return cls([[int(i == j) for j in range(n)] for i in range(n)])
    @property
    def shape(self): return len(self.rows), len(self.rows[0])
    @property
    def T(self): return Matrix(zip(*self.rows))
    def __matmul__(self, other):
        if self.shape[1] != other.shape[0]:
            raise ValueError(f"shapes {self.shape} and {other.shape} not aligned")
        return Matrix([[sum(a * b for a, b in zip(r, c)) for c in zip(*other.rows)] for r in self.rows])
    def __getitem__(self, key):
        if isinstance(key, tuple):
            i, j = key
            return self.rows[i][j]
        return self.rows[key]
    def __setitem__(self, key, v):
        i, j = key
        self.rows[i][j] = v
    def __eq__(self, o): return self.rows == o.rows
    def __repr__(self): return "Matrix(" + ",\n       ".join(map(repr, self.rows)) + ")"
m = Matrix([[1, 2, 3], [4, 5, 6]])
print(m, m.shape, m.T.shape, (m @ m.T), sep="\n")
m[0, 1] = 20
m[1, -1] *= 2
print(m[0], m[1, 2], Matrix.identity(2) @ m == m)
try: m @ m
except ValueError as e: print("error:", e)
