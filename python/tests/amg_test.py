"""The multigrid solver."""

import gossamer as gs
import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.linalg as linalg

if not hasattr(gs._core, "amg_solver"):
    pytest.skip("this build has no multigrid solver", allow_module_level=True)


@pytest.mark.parametrize("method", ["cg", "bicgstab", "gmres"])
def test_solves(method):
    A = gs.generate.poisson2d(nx=40, ny=30)
    b = np.arange(1200.0)
    levels = gs.amg.Hierarchy(A)
    x, done = levels.solve(b, method=method)
    assert done["converged"] and done["iterations"] < 40
    assert np.linalg.norm(A @ x - b) <= 1e-7 * np.linalg.norm(b)
    again, done = levels.solve(b, x, method=method)
    assert done["iterations"] <= 1
    facts = levels.facts()
    assert len(facts["levels"]) >= 2 and facts["levels"][0]["rows"] == 1200 and "2 levels" in repr(levels)


def test_single_precision_and_updates():
    A = gs.generate.poisson2d(nx=30, ny=30, dtype="float32")
    levels = gs.amg.Hierarchy(A, smoother="jacobi", cycle="w")
    x, done = levels.solve(np.ones(900, np.float32), tolerance=1e-4)
    assert x.dtype == np.float32 and done["converged"]
    doubled = A * np.float32(2)
    y, done = levels.update(doubled).solve(np.ones(900, np.float32), tolerance=1e-4)
    assert done["converged"] and np.allclose(2 * y, x, rtol=1e-2)


def test_a_preconditioner_of_scipy():
    A = gs.generate.poisson2d(nx=40, ny=40)
    steps = []
    x, status = linalg.cg(A, np.ones(1600), tol=1e-8, M=gs.amg.Hierarchy(A).aslinearoperator(), callback=steps.append)
    assert status == 0 and len(steps) < 40 and np.allclose(A @ x, 1, atol=1e-5)


def test_errors():
    A = gs.generate.poisson2d(nx=10, ny=10)
    with pytest.raises(ValueError):
        gs.amg.Hierarchy(sp.csr_matrix(np.ones((2, 3))))
    with pytest.raises(TypeError, match="smoother"):
        gs.amg.Hierarchy(A, smother="jacobi")
    with pytest.raises(ValueError, match="chebyshev"):
        gs.amg.Hierarchy(A, smoother="nonsense")
    with pytest.raises(ValueError, match="100"):
        gs.amg.Hierarchy(A).solve(np.ones(99))
    with pytest.raises(ValueError, match="cg"):
        gs.amg.Hierarchy(A).solve(np.ones(100), method="nonsense")
