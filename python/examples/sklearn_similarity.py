"""A scikit-learn program, unchanged, with SciPy's products through Gossamer.

Word counts of texts become TF-IDF rows, and cosine_similarity multiplies them: X X'.
"""

import sys
import time

import gossamer as gs
import numpy as np
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.metrics.pairwise import cosine_similarity

import scipy.sparse as sp


def program(counts):
    tfidf = TfidfTransformer().fit_transform(counts)
    return cosine_similarity(tfidf, dense_output=False)


texts = 500 if "--small" in sys.argv else 6000
rng = np.random.default_rng(1)
words = np.minimum(rng.zipf(1.4, (texts, 80)), 20000) - 1
counts = sp.coo_matrix(
    (np.ones(words.size), (np.repeat(np.arange(texts), 80), words.ravel())), shape=(texts, 20000)
).tocsr()

start = time.perf_counter()
expected = program(counts)
plain = time.perf_counter() - start
with gs.scipy_accelerated():
    program(counts[:100])
    start = time.perf_counter()
    found = program(counts)
    fast = time.perf_counter() - start
assert abs(found - expected).max() < 1e-12 and found.nnz == expected.nnz
print(f"{texts} texts, {found.nnz} similarities: SciPy {plain:.3f} s, Gossamer {fast:.3f} s, {plain / fast:.2f}x")
