"""CS231n/Nielsen: two-layer net in numpy with SGD, numerical gradient check; dropout mask, batchnorm."""
import numpy as np
np.random.seed(0)
N, D, H, C = 30, 2, 16, 3
X = np.zeros((N * C, D)); y = np.zeros(N * C, dtype='uint8')
for j in range(C):
    ix = range(N * j, N * (j + 1))
    r = np.linspace(0.0, 1, N)
    t = np.linspace(j * 4, (j + 1) * 4, N) + np.random.randn(N) * 0.2
    X[ix] = np.c_[r * np.sin(t), r * np.cos(t)]
    y[ix] = j
print(X[:2], y[[0, 30, 60]], y.dtype)
W = 0.01 * np.random.randn(D, H); b = np.zeros((1, H))
W2 = 0.01 * np.random.randn(H, C); b2 = np.zeros((1, C))
step_size, reg = 1.0, 1e-3
num_examples = X.shape[0]
for i in range(200):
    hidden_layer = np.maximum(0, np.dot(X, W) + b)
    scores = np.dot(hidden_layer, W2) + b2
    exp_scores = np.exp(scores)
    probs = exp_scores / np.sum(exp_scores, axis=1, keepdims=True)
    correct_logprobs = -np.log(probs[range(num_examples), y])
    data_loss = np.sum(correct_logprobs) / num_examples
    reg_loss = 0.5 * reg * np.sum(W * W) + 0.5 * reg * np.sum(W2 * W2)
    loss = data_loss + reg_loss
    if i % 50 == 0:
        print("iteration %d: loss %f" % (i, loss))
    dscores = probs
    dscores[range(num_examples), y] -= 1
    dscores /= num_examples
    dW2 = np.dot(hidden_layer.T, dscores)
    db2 = np.sum(dscores, axis=0, keepdims=True)
    dhidden = np.dot(dscores, W2.T)
    dhidden[hidden_layer <= 0] = 0
    dW = np.dot(X.T, dhidden)
    db = np.sum(dhidden, axis=0, keepdims=True)
    dW2 += reg * W2
    dW += reg * W
    W += -step_size * dW; b += -step_size * db; W2 += -step_size * dW2; b2 += -step_size * db2
predicted_class = np.argmax(scores, axis=1)
print('training accuracy: %.2f' % (np.mean(predicted_class == y)))
def eval_numerical_gradient(f, x, h=1e-5):
    grad = np.zeros_like(x)
    it = np.nditer(x, flags=['multi_index'], op_flags=['readwrite'])
    while not it.finished:
        ix = it.multi_index
        oldval = x[ix]
        x[ix] = oldval + h
        fxph = f(x)
        x[ix] = oldval - h
        fxmh = f(x)
        x[ix] = oldval
        grad[ix] = (fxph - fxmh) / (2 * h)
        it.iternext()
    return grad
w = np.random.randn(3, 2)
num = eval_numerical_gradient(lambda w: np.sum(np.tanh(w) ** 2), w)
ana = 2 * np.tanh(w) * (1 - np.tanh(w) ** 2)
rel = np.max(np.abs(num - ana) / (np.maximum(1e-8, np.abs(num) + np.abs(ana))))
print(rel < 1e-7, ana)
mask = (np.random.rand(*w.shape) < 0.5) / 0.5
print(w * mask)
def sigmoid_vec(z): return np.where(z >= 0, 1 / (1 + np.exp(-np.abs(z))), np.exp(-np.abs(z)) / (1 + np.exp(-np.abs(z))))
print(sigmoid_vec(np.array([-800., 0, 3])))
onehot = np.eye(3)[y[::30]]; print(onehot, onehot.argmax(1))
print(np.bincount(y), np.histogram(X[:, 0], bins=4)[0], np.percentile(X[:, 0], [25, 50]))
