"""A NetworkX program, unchanged, with SciPy's products through Gossamer.

Common neighbours of all pairs of nodes, and triangles, are in the square of the adjacency matrix.
"""

import sys
import time

import gossamer as gs
import networkx as nx


def program(graph):
    A = nx.to_scipy_sparse_array(graph, dtype=float)
    common = A @ A
    triangles = common.multiply(A).sum() / 6
    return common, round(triangles)


small = "--small" in sys.argv
graph = nx.barabasi_albert_graph(300 if small else 20000, 5 if small else 12, seed=1)
start = time.perf_counter()
expected, triangles = program(graph)
plain = time.perf_counter() - start
with gs.scipy_accelerated():
    start = time.perf_counter()
    found, again = program(graph)
    fast = time.perf_counter() - start
assert triangles == again and (found != expected).nnz == 0
if small:
    assert triangles == sum(nx.triangles(graph).values()) // 3
print(f"{len(graph)} nodes, {triangles} triangles: SciPy {plain:.3f} s, Gossamer {fast:.3f} s, {plain / fast:.2f}x")
