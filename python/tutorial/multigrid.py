"""Multigrid: a hierarchy of coarser and coarser matrices P' A P, and solvers that it preconditions."""

# %% Poisson's equation on a grid.
import figures
import gossamer as gs
import numpy as np
import scipy.sparse.linalg as linalg

A = gs.generate.poisson2d(nx=120, ny=100)
b = np.random.default_rng(1).standard_normal(A.shape[0])

# %% The hierarchy: products of sparse matrices, one pair a level.
levels = gs.amg.Hierarchy(A)
for level in levels.facts()["levels"]:
    print(f"{level['rows']:8} rows {level['nnz']:9} nonzeros")

# %% Solved by conjugate gradients that it preconditions.
x, done = levels.solve(b)
print(f"{done['iterations']} iterations, residual {done['residual']:.1e}: {done['because']}")
assert done["converged"] and np.linalg.norm(A @ x - b) <= 1e-7 * np.linalg.norm(b)

# %% The same with SciPy's solver, with and without the preconditioner.
counts = {}
for name, M in (("plain", None), ("multigrid", levels.aslinearoperator())):
    steps = []
    y, status = linalg.cg(A, b, tol=1e-8, atol=0, M=M, callback=steps.append)
    assert status == 0
    counts[name] = len(steps)
print(f"SciPy's conjugate gradients: {counts}")
assert counts["multigrid"] < counts["plain"] / 4
figures.save("multigrid", lambda axes: (
    axes.semilogy(done["residuals"]), axes.set(xlabel="iteration", ylabel="residual / |b|")))  # fmt: skip
