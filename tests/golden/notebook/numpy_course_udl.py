import numpy as np
np.random.seed(3)
N = 3
D = 4
all_x = []
for n in range(N):
  all_x.append(np.random.normal(size=(D,1)))
print(all_x)
np.random.seed(0)
omega_q = np.random.normal(size=(D,D))
omega_k = np.random.normal(size=(D,D))
omega_v = np.random.normal(size=(D,D))
beta_q = np.random.normal(size=(D,1))
beta_k = np.random.normal(size=(D,1))
beta_v = np.random.normal(size=(D,1))
all_queries = []
all_keys = []
all_values = []
for x in all_x:
  query = beta_q + omega_q @ x
  key = beta_k + omega_k @ x
  value = beta_v + omega_v @ x
  all_queries.append(query)
  all_keys.append(key)
  all_values.append(value)
def softmax(items_in):
  items_out = np.exp(items_in) / np.sum(np.exp(items_in))
  return items_out
all_x_prime = []
for n in range(N):
  all_km_qn = []
  for key in all_keys:
    dot_product = np.squeeze(np.dot(key.T, all_queries[n]))
    all_km_qn.append(dot_product)
  attention = softmax(all_km_qn)
  print("Attentions for output ", n)
  print(attention)
  x_prime = np.zeros((D,1))
  for m in range(N):
    x_prime += attention[m] * all_values[m]
  all_x_prime.append(x_prime)
print("x_prime_0_calculated:", all_x_prime[0].transpose())
print("x_prime_0_true: [[ 0.94744244 -0.24348429 -0.91310441 -0.44522983]]")
def softmax_cols(data_in):
  exp_values = np.exp(data_in)
  denom = np.sum(exp_values, axis = 0)
  denom = np.matmul(np.ones((data_in.shape[0],1)), denom[np.newaxis,:])
  return exp_values / denom
def self_attention(X,omega_v, omega_q, omega_k, beta_v, beta_q, beta_k):
  N_ = X.shape[1]
  ones = np.ones((1, N_))
  Q = beta_q @ ones + omega_q @ X
  K = beta_k @ ones + omega_k @ X
  V = beta_v @ ones + omega_v @ X
  attn = softmax_cols(K.T @ Q / np.sqrt(Q.shape[0]))
  return V @ attn
X = np.zeros((D, N))
for n, x in enumerate(all_x):
  X[:, n] = np.squeeze(x)
print(X)
print(self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k))
P = np.eye(N)[[2, 0, 1]]
X_p = np.copy(X) @ P
print(np.allclose(self_attention(X_p, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k), self_attention(X, omega_v, omega_q, omega_k, beta_v, beta_q, beta_k) @ P))
np.set_printoptions(precision=3)
print(X_p)
