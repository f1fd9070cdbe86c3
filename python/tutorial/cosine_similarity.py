"""Which texts are alike: cosine similarity of TF-IDF rows, A A' with only the best k of each row kept."""

# %% Texts as word counts. Words follow a power law; texts of one topic share some rare words.
import figures
import gossamer as gs
import numpy as np
import scipy.sparse as sp

rng = np.random.default_rng(1)
texts, words, topics, length = 2000, 5000, 20, 60
topic = rng.integers(0, topics, texts)
common = np.minimum(rng.zipf(1.3, (texts, length)), 3000) - 1
special = 3000 + topic[:, None] * 100 + rng.integers(0, 100, (texts, length // 4))
drawn = np.concatenate([common, special], axis=1)
rows = np.repeat(np.arange(texts), drawn.shape[1])
counts = sp.coo_matrix((np.ones(rows.size), (rows, drawn.ravel())), shape=(texts, words)).tocsr()

# %% TF-IDF: rare words weigh more; rows get length 1, so that products of rows are cosines.
frequency = np.bincount(counts.indices, minlength=words)
weights = counts @ sp.diags(np.log(texts / np.maximum(frequency, 1)) + 1)
norms = np.sqrt(np.asarray(weights.multiply(weights).sum(axis=1)).ravel())
X = sp.csr_matrix(sp.diags(1 / norms) @ weights)
print(f"{texts} texts, {X.nnz} nonzeros")

# %% How large would all similarities be? Ask before computing them.
print(gs.estimate(X, X.T))

# %% The ten most similar texts of each, while the rows are computed: the rest is never stored.
S = gs.matmul(X, X.T, keep=gs.keep(largest=11))  # 11: a text is most similar to itself
print(f"{S.nnz} similarities kept")
assert np.diff(S.indptr).max() == 11

# %% The same without Gossamer: everything first, then the best.
full = np.asarray((X[:50] @ X.T).todense())
best = np.sort(full, axis=1)[:, -11:].sum(axis=1)
assert np.allclose(np.asarray(S[:50].sum(axis=1)).ravel(), best)

# %% Are neighbours of the same topic?
neighbours = S.tocoo()
others = neighbours.row != neighbours.col
same = (topic[neighbours.row] == topic[neighbours.col])[others]
print(f"{same.mean():.1%} of the neighbours share the topic, by chance {1 / topics:.1%}")
assert same.mean() > 0.5
figures.save("cosine_similarity", lambda axes: (
    axes.hist([neighbours.data[others][same], neighbours.data[others][~same]], bins=40, stacked=True,
              label=["same topic", "other topic"]),
    axes.set(xlabel="cosine of a text and one of its ten neighbours", ylabel="pairs"), axes.legend()))  # fmt: skip
