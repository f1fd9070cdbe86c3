"""PageRank: the same matrix times a vector, again and again. What plans are for."""

# %% A graph with a few popular nodes, as links of the web have them.
import figures
import gossamer as gs
import numpy as np
import scipy.sparse as sp

A = gs.generate.rmat(scale=12, edge_factor=8, seed=1)
n = A.shape[0]
A.data[:] = 1.0
out = np.asarray(A.sum(axis=1)).ravel()
P = sp.csr_matrix(A.multiply(1 / np.maximum(out, 1)[:, None]))  # row i: where a reader of page i goes
print(f"{n} pages, {A.nnz} links, {np.count_nonzero(out == 0)} pages without links")

# %% A plan for P' x. P' is P by columns: nothing is transposed or copied.
step = gs.plan(P.T, np.ones(n), expected_calls=100)
print(step.explain())

# %% Iterate until nothing moves.
damping, rank, changes = 0.85, np.full(n, 1 / n), []
followed = np.empty(n)
for iteration in range(200):
    step(rank, out=followed)
    lost = 1 - damping * followed.sum()  # readers who left at random, and those at pages without links
    new = damping * followed + lost / n
    changes.append(np.abs(new - rank).sum())
    rank = new
    if changes[-1] < 1e-10:
        break
print(f"{iteration + 1} iterations; the ten highest ranks: {np.sort(rank)[-10:][::-1].round(4)}")
assert abs(rank.sum() - 1) < 1e-8 and changes[-1] < 1e-10

# %% Compared with SciPy's product.
check = damping * (P.T @ rank)
assert np.allclose(check + (1 - check.sum()) / n, rank, atol=1e-9)

# %% How fast it converges: by the damping factor in every step, or faster.
figures.save("pagerank", lambda axes: (
    axes.semilogy(changes), axes.set(xlabel="iteration", ylabel="change of the ranks, 1-norm")))  # fmt: skip
