import torch
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.randn(2, 3, 4)
w = torch.randn(5, 4)
b = torch.randn(5)
print(F.linear(x, w, b).shape, F.linear(x[0], w), F.linear(x[0, 0], w, b))
print(F.softmax(x[0], dim=-1), F.log_softmax(x[0], dim=0))
print(F.relu(x[0]), F.gelu(x[0]), F.gelu(x[0], approximate='tanh'), F.silu(x[0]))
print(F.sigmoid(x[0]), torch.sigmoid(x[0]), F.tanh(x[0]), F.softplus(x[0]), F.leaky_relu(x[0]), F.elu(x[0]))
print(F.layer_norm(x, (4,)), F.layer_norm(x, (3, 4), eps=1e-6)[0])
print(F.layer_norm(x, [4], weight=torch.full((4,), 2.), bias=torch.ones(4))[0])
logits = torch.randn(4, 3)
y = torch.tensor([0, 2, 1, 1])
print(F.cross_entropy(logits, y), F.cross_entropy(logits, y, reduction='none'), F.cross_entropy(logits, y, reduction='sum'))
print(F.cross_entropy(logits, torch.tensor([0, -100, 1, -100])), F.cross_entropy(logits, y, label_smoothing=0.1))
print(F.cross_entropy(logits, y, weight=torch.tensor([1., 2., 3.])), F.cross_entropy(logits, F.one_hot(y, 3).float()))
print(F.cross_entropy(torch.randn(2, 3, 5), torch.randint(3, (2, 5))), F.cross_entropy(logits[0], y[0]))
print(F.nll_loss(F.log_softmax(logits, 1), y), F.mse_loss(logits, torch.zeros(4, 3)), F.l1_loss(logits, torch.zeros(4, 3)))
print(F.binary_cross_entropy_with_logits(logits, torch.ones(4, 3)), F.binary_cross_entropy(torch.sigmoid(logits), torch.zeros(4, 3)))
print(F.kl_div(F.log_softmax(logits, 1), F.softmax(logits * 2, 1), reduction='batchmean'))
print(F.embedding(torch.tensor([[1, 0], [2, 2]]), torch.arange(6.).view(3, 2)))
print(F.one_hot(torch.tensor([0, 2, 1])), F.one_hot(torch.tensor([[1], [0]]), 4).shape)
print(F.normalize(x[0], dim=-1), F.normalize(x[0]), F.cosine_similarity(x[0], x[1], dim=-1))
print(F.pad(torch.ones(2, 2), (1, 0)), F.pad(torch.ones(2, 2), (1, 1, 0, 1), value=9.), F.pad(torch.arange(3), (0, 2)))
for target in (torch.tensor([0, 3, 1, 1]), torch.tensor([0., 1., 2., 0.]), torch.tensor([[0], [1], [2], [0]])):
    try:
        F.cross_entropy(logits, target)
    except (IndexError, RuntimeError, ValueError) as e:
        print(type(e).__name__, e)
try:
    F.linear(x, torch.randn(5, 3))
except RuntimeError as e:
    print(e)
try:
    F.embedding(torch.tensor([3]), torch.zeros(3, 2))
except IndexError as e:
    print(e)
try:
    F.embedding(torch.tensor([1.]), torch.zeros(3, 2))
except RuntimeError as e:
    print(e)
try:
    F.softmax(torch.tensor([1, 2]), dim=0)
except RuntimeError as e:
    print(e)
try:
    F.softmax(x, dim=3)
except IndexError as e:
    print(e)
try:
    F.layer_norm(x, (3,))
except RuntimeError as e:
    print(e)
w.requires_grad_()
print(F.linear(x, w, b).sum(), F.linear(x, w)[0, 0], F.linear(x[0], w, b)[0], F.linear(x[0], w)[0])
print(F.linear(x, w).detach().shape, F.softmax(w, -1)[0, :2], F.cross_entropy(logits @ w[:3, :3], y), F.mse_loss(w, torch.zeros(5, 4)))
print(F.gelu(w)[0], F.relu(w).sum(), F.layer_norm(w, (4,))[0], F.embedding(torch.tensor([1]), w), F.silu(w)[0], F.dropout(w, 0.0).sum())
