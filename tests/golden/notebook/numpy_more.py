import numpy as np
import math, copy, sys
from collections import Counter
def t(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
a = np.arange(6).reshape(2, 3); b = np.ones((2, 2))
t(lambda: a + b); t(lambda: a @ b); t(lambda: np.dot(a, a)); t(lambda: a.reshape(4, 2)); t(lambda: a[5]); t(lambda: a[0, 0, 0]); t(lambda: np.concatenate([a, b])); t(lambda: bool(a)); t(lambda: a.sum(axis=2)); t(lambda: np.stack([a, b]))
def f():
    x = np.arange(3); x[0] = [1, 2]
t(f)
def f():
    x = np.arange(4); x[:2] = [1, 2, 3]
t(f)
x = np.arange(3); x[0] = 2.9; print(x)
print(np.arange(3, dtype=np.float32) * 2, (np.arange(3, dtype=np.float32) * 2).dtype, np.arange(3) * 1.0, np.float32(3) * np.float64(2))
print(np.array([1, 2, 3], dtype=np.float32) / 3, np.array([[1, 2]], dtype=np.float32))
print(repr(np.arange(3, dtype=np.float32)), repr(np.array([[0.1, 0.2], [0.3, 0.4]])), repr(np.zeros((0, 3))), repr(np.array([])), repr(np.array(3)), repr(np.float64(2)))
print(Counter(np.array([1, 1, 2]).tolist()), np.int64(3) in [1, 2, 3], {np.int64(1): 'a'}[1], [10, 20, 30][np.int64(1)], max(np.array([1, 5, 2])), sum(np.array([1, 2, 3])), sorted(np.array([3, 1, 2])))
print(np.array([1, 2, 3]) == np.array([1, 0, 3]), (np.array([1, 2]) == [1, 2]).all(), 2 in np.array([1, 2]), np.array([True, False]) & np.array([True, True]), ~np.array([True, False]), -np.array([1, 2]), not np.array([0]))
print(np.mean([[1, 2], [3, 4]], axis=0), np.std([1, 2, 3, 4], ddof=1), np.median([3, 1, 2]), np.percentile([1, 2, 3, 4], 50), np.var(np.arange(10)))
print(np.random.RandomState if False else '', np.isnan(np.array([np.nan, 1])), np.round(np.array([1.234, 5.678]), 1), np.floor([1.5, -1.5]), np.sign([-2, 0, 3]), np.exp(1), np.log(np.array([1, np.e])))
print(np.tile([1, 2], 2), np.repeat([1, 2], 2), np.flip([1, 2, 3]), np.roll([1, 2, 3], 1), np.diag([1, 2]), np.trace(np.eye(3)), np.triu(np.ones((3, 3)), 1), np.meshgrid([1, 2], [3, 4]))
print(np.arange(24).reshape(2, 3, 4)); print(np.random.seed(0)); print(np.random.rand(2, 2, 2))
m = np.arange(10000).reshape(100, 100); print(m); print(repr(m * 1.5))
print(np.array([1.0, 2.0, 3.0]), np.array([0.1 + 0.2]), np.array([1 / 3, 2 / 3]), np.array([100.5, 2]), np.array([1e8, 1]), np.array([12345678.9]), np.array([0.00012]), np.array([1e-3, 1000]), np.array([-1.5, 2]))
np.set_printoptions(precision=3, suppress=True); print(np.array([1e-5, 1.23456])); print(np.random.randn(3))
print(np.where(np.array([1, 2, 3]) > 1), np.nonzero([0, 1, 2]), np.argwhere(np.array([0, 1])), np.any([False, True]), np.all([True, False]), np.prod([1, 2, 3]), np.cumsum([[1, 2], [3, 4]], axis=1), np.maximum(0, [-1, 1]), np.minimum([1, 2], [2, 1]), np.abs([-1, 1]), np.square(3), np.power(2, 3), np.sqrt(4))
print(a.T.shape, a.flatten(), a.ravel(), a.astype(float), a.astype('float32').dtype, a.size, a.ndim, a.copy() is a, a.swapaxes(0, 1), np.squeeze(a[None]), np.expand_dims(a, 0).shape, a.transpose(1, 0).shape, a[:, np.newaxis].shape, a.mean(0), a.max(1), a.min(), a.sum(1, keepdims=True))
print(type(a), type(a[0, 0]), isinstance(a, np.ndarray), isinstance(a[0, 0], np.integer), isinstance(np.float64(1), float), a.dtype == np.int64, a.dtype == 'int64', a.dtype == int, np.dtype('float32'), a.dtype.name)
for row in a: print(row, end=' ')
for i, v in enumerate(a[0]): print(i, v)
y, z = a; print(y, z); print(np.array(range(3)), np.array((1, 2)), np.asarray([1.5]), [*np.arange(3)], np.arange(0, 1, 0.25), np.arange(5, 0, -2))
s = 'abc'; ids = np.array([2, 0]); print([s[i] for i in ids], ''.join(s[i] for i in ids))
print(np.mean(np.array([0.1] * 10)), np.sum(np.array([0.1] * 1000)), np.array([0.1] * 1000).mean(), np.random.rand(1000).sum(), np.random.rand(50, 60).sum(0)[:3], np.random.rand(50, 60).mean(), np.random.rand(50, 60).sum(1)[:2].tolist(), np.random.rand(5, 6).std().item())
