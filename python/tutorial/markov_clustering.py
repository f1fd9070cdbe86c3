"""Markov clustering (van Dongen 2000): square a matrix, strengthen what is strong, forget what is weak."""

# %% A graph with planted communities.
import figures
import gossamer as gs
import numpy as np
import scipy.sparse as sp

rng = np.random.default_rng(3)
communities, size = 30, 20
n = communities * size
community = np.arange(n) // size
inside = [np.arange(n).repeat(6), community.repeat(6) * size + rng.integers(0, size, 6 * n)]
across = rng.integers(0, n, (2, n // 2))
chosen = np.concatenate([inside, across], axis=1)
A = sp.coo_matrix((np.ones(chosen.shape[1]), chosen), shape=(n, n)).tocsr()
A = sp.csr_matrix(((A + A.T) > 0).astype(float) + sp.eye(n))
print(f"{n} nodes, {A.nnz} edges")


# %% Columns are probabilities. We keep the transpose, so that they are rows.
def normalised(matrix):
    sums = np.asarray(matrix.sum(axis=1)).ravel()
    return sp.csr_matrix(sp.diags(1 / np.maximum(sums, 1e-300)) @ matrix)


# %% Expansion is a sparse product; small results are dropped while its rows are computed.
M, sizes = normalised(A), []
for iteration in range(60):
    expanded = gs.matmul(M, M, keep=gs.keep(magnitude=1e-5, largest=50))
    inflated = normalised(expanded.power(2))
    change = abs(inflated - M).max()
    M = inflated
    sizes.append(M.nnz)
    if change < 1e-6:
        break
print(f"{iteration + 1} iterations, {M.nnz} nonzeros left")

# %% Nodes that flow to the same attractors are a cluster.
_, labels = sp.csgraph.connected_components(M, directed=False)
found = len(set(labels))
pure = sum(np.bincount(community[labels == c]).max() for c in set(labels)) / n
print(f"{found} clusters; {pure:.1%} of the nodes are in the majority of theirs")
assert pure > 0.9 and found >= communities
figures.save("markov_clustering", lambda axes: (
    axes.plot(sizes), axes.set(xlabel="iteration", ylabel="nonzeros of the flow matrix")))  # fmt: skip
