"""A graph-convolution layer, H' = relu(N H W): sparse times dense, forwards and backwards."""

# %% A graph, its normalised adjacency N = D^-1/2 (A + I) D^-1/2, features H and weights W.
import figures
import gossamer as gs
import numpy as np
import scipy.sparse as sp

rng = np.random.default_rng(2)
A = gs.generate.rmat(scale=11, edge_factor=8, seed=2)
A.data[:] = 1
n, inputs, outputs = A.shape[0], 32, 16
symmetric = ((A + A.T) > 0).astype(np.float32) + sp.eye(n, dtype=np.float32)
degree = np.asarray(symmetric.sum(axis=1)).ravel()
scaling = sp.diags((1 / np.sqrt(degree)).astype(np.float32))
N = sp.csr_matrix(scaling @ symmetric @ scaling).astype(np.float32)
H = rng.standard_normal((n, inputs)).astype(np.float32)
W = (rng.standard_normal((inputs, outputs)) / np.sqrt(inputs)).astype(np.float32)

# %% N stays, features change: a plan for N times 16 columns, and one for N' of the gradient.
forward = gs.plan(N, np.empty((n, outputs), np.float32), expected_calls=1000)
backward = gs.plan(N.T, np.empty((n, outputs), np.float32), expected_calls=1000)
print(forward.explain())


# %% The layer and its gradient; N (H W) multiplies fewer numbers than (N H) W.
def layer(weights):
    return np.maximum(forward(H @ weights), 0)


def gradient(weights, upstream):
    passed = upstream * (forward(H @ weights) > 0)
    return H.T @ backward(passed)


# %% Checked against a finite difference in double precision by SciPy.
target = rng.standard_normal((n, outputs)).astype(np.float32)


def loss(weights):
    return 0.5 * np.square(np.maximum(N.astype(float) @ (H.astype(float) @ weights), 0) - target).sum()


G = gradient(W, layer(W) - target)
step = np.zeros_like(W, dtype=float)
step[3, 5] = 1e-4
slope = (loss(W + step) - loss(W - step)) / 2e-4
print(f"gradient {G[3, 5]:.3f}, finite difference {slope:.3f}")
assert abs(G[3, 5] - slope) < 1e-2 * max(1, abs(slope))

# %% A few steps of gradient descent.
losses, rate = [], 2e-4
for _ in range(40):
    losses.append(float(0.5 * np.square(layer(W) - target).sum()))
    W = W - np.float32(rate) * gradient(W, layer(W) - target)
assert losses[-1] < losses[0]
figures.save("graph_convolution", lambda axes: (
    axes.plot(losses), axes.set(xlabel="step", ylabel="loss")))  # fmt: skip
