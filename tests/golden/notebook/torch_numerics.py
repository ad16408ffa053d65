import torch

x = torch.tensor([100., 101., 102.])
print(torch.exp(x), torch.exp(x) / torch.exp(x).sum())
z = x - x.max()
print(torch.exp(z) / torch.exp(z).sum(), torch.softmax(x, 0))
print(torch.log(torch.tensor([0., 1e-45, 1.])), torch.tensor(1e38) * 10, torch.tensor(0.) / 0)
print(torch.logsumexp(torch.tensor([1000., 1000.]), 0), torch.tensor([-1000., -1000.]).logsumexp(0))
print(torch.tensor([1e-8, 1.]).log1p(), torch.tensor(0.1) + torch.tensor(0.2), torch.tensor(0.1).item(), (torch.tensor(0.1) + 0.2).item())


def online_softmax(row):
    m = torch.tensor(float('-inf'))
    d = torch.tensor(0.)
    for v in row:
        m_new = torch.maximum(m, v)
        d = d * torch.exp(m - m_new) + torch.exp(v - m_new)
        m = m_new
    return torch.exp(row - m) / d


print(online_softmax(torch.tensor([1., 3., 2.])))


def flash(Q, K, V, block=2):
    N, d = Q.shape
    O = torch.zeros_like(Q)
    l = torch.zeros(N, 1)
    m = torch.full((N, 1), float('-inf'))
    for j in range(0, N, block):
        Kj, Vj = K[j:j+block], V[j:j+block]
        S = Q @ Kj.T / d ** 0.5
        m_new = torch.maximum(m, S.max(dim=-1, keepdim=True).values)
        P = torch.exp(S - m_new)
        scale = torch.exp(m - m_new)
        l = scale * l + P.sum(-1, keepdim=True)
        O = scale * O + P @ Vj
        m = m_new
    return O / l


torch.manual_seed(3)
Q, K, V = torch.randn(3, 5, 4).unbind(0)
ref = torch.softmax(Q @ K.T / 2, -1) @ V
print(torch.allclose(flash(Q, K, V), ref, atol=1e-6), ref)
a = torch.arange(3).reshape((3, 1))
b = torch.arange(2).reshape((1, 2))
print(a, b, a + b)
X = torch.arange(12, dtype=torch.float32).reshape((3, 4))
Y = torch.tensor([[2.0, 1, 4, 3], [1, 2, 3, 4], [4, 3, 2, 1]])
print(torch.cat((X, Y), dim=0), torch.cat((X, Y), dim=1))
print(X == Y, X.sum(), X < Y)
before = id(Y)
Y = Y + X
print(id(Y) == before)
Z = torch.zeros_like(Y)
zid = id(Z)
Z[:] = X + Y
print(id(Z) == zid, Z)
before = id(X)
X += Y
print(id(X) == before)
A = X.tolist()
print(type(A).__name__, A[0])
print(X.norm(), torch.norm(X[0]), X.abs().sum(), torch.mv(X, torch.ones(4)), torch.mm(X, X.T).shape, torch.dot(X[0], X[1]))
print(X.cumsum(axis=0), X.mean(axis=0), X.sum(axis=[0, 1]), X.sum(axis=1, keepdims=True))
print(torch.linalg.norm(X), (X / X.sum(1, keepdim=True))[0], X.numel(), X.shape[-1], X.size(dim=0))
print(X.var(), X.var(dim=1, unbiased=False), X.std(dim=-1, keepdim=True), torch.var_mean(X))
print(torch.linspace(0, 1, 5), torch.linspace(-3, 3, 4), torch.eye(2, 3), torch.tril_indices(3, 3), torch.triu_indices(2, 3, 1))
print(torch.meshgrid(torch.arange(2), torch.arange(3), indexing='ij'))
print(torch.arange(10, 0, -3), torch.arange(1, 2, 0.3), torch.arange(start=2, end=8, step=2))
print(torch.unique(torch.tensor([3, 1, 1, 2])), torch.bincount(torch.tensor([0, 1, 1, 3])), torch.tensor([3, 1, 2]).argsort())
print(torch.tensor([[3., 1.], [2., 5.]]).sort(dim=1), torch.tensor([[3., 1.], [2., 5.]]).topk(1), torch.tensor([1., 5., 3., 2.]).median())
print(torch.tensor([[1., 9.], [4., 2.]]).argmax(), torch.tensor([[1., 9.], [4., 2.]]).argmax(dim=0), torch.tensor([1., 9., 4.]).kthvalue(2))
print(torch.tensor([[1, 2], [3, 4]]).flip(0), torch.arange(5).roll(2), torch.arange(4).repeat(2), torch.arange(2).repeat(2, 2), torch.arange(3).repeat_interleave(2))
print(torch.tensor([1., 2.]).outer(torch.tensor([3., 4.])), torch.einsum('i,j->ij', torch.tensor([1., 2.]), torch.tensor([3., 4.])), torch.einsum('ii->i', torch.eye(2)) if False else 0)
print(torch.addmm(torch.ones(2), torch.eye(2), torch.full((2, 2), 2.)), torch.baddbmm(torch.zeros(1, 2, 2), torch.ones(1, 2, 3), torch.ones(1, 3, 2), alpha=0.5))
print(torch.clamp(torch.tensor([-2., 0.5, 3.]), min=0), torch.tensor([-2., 0.5, 3.]).clamp(-1, 1), torch.tensor([1, 5]).clip(max=3))
print(torch.isclose(torch.tensor([1., 1.0001]), torch.tensor([1., 1.])), torch.equal(torch.ones(2), torch.ones(2)), torch.isnan(torch.tensor([float('nan'), 1])))
