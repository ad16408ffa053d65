import numpy as np
def positional_encoding(length, depth):
    depth = depth / 2
    positions = np.arange(length)[:, np.newaxis]
    depths = np.arange(depth)[np.newaxis, :] / depth
    angle_rates = 1 / (10000 ** depths)
    angle_rads = positions * angle_rates
    pos_encoding = np.concatenate([np.sin(angle_rads), np.cos(angle_rads)], axis=-1)
    return pos_encoding.astype(np.float32)
pe = positional_encoding(5, 8)
print(pe)
print(pe.dtype, np.einsum('pd,d->p', pe / np.linalg.norm(pe, axis=1, keepdims=True), pe[2] / np.linalg.norm(pe[2])).round(3))
def getPositionEncoding(seq_len, d, n=10000):
    P = np.zeros((seq_len, d))
    for k in range(seq_len):
        for i in np.arange(int(d/2)):
            denominator = np.power(n, 2*i/d)
            P[k, 2*i] = np.sin(k/denominator)
            P[k, 2*i+1] = np.cos(k/denominator)
    return P
print(getPositionEncoding(seq_len=4, d=4, n=100))
def rotate(x, m, theta):
    c, s = np.cos(m * theta), np.sin(m * theta)
    R = np.array([[c, -s], [s, c]])
    return R @ x
q, k = np.array([1., 2]), np.array([3., -1])
for m, n in [(0, 3), (4, 7), (10, 13)]:
    print(m, n, f"{rotate(q, m, .5) @ rotate(k, n, .5):.6f}")
alibi = np.abs(np.arange(4)[None] - np.arange(4)[:, None]) * -0.5
print(alibi)
buckets = np.digitize(np.abs(np.arange(-3, 9)), [1, 2, 4, 8])
print(buckets)
heads = np.arange(24).reshape(2, 3, 4).swapaxes(0, 1)
print(heads.shape, heads[1], np.moveaxis(heads, -1, 0).shape)
print(np.array_str(np.array([1.123456, 1e-5]), precision=3), np.array2string(np.eye(2), separator=', '))
