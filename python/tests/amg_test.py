"""The multigrid solver."""

import threading

import gossamer as gs
import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.linalg as linalg

if not hasattr(gs._core, "amg_solver"):
    pytest.skip("this build has no multigrid solver", allow_module_level=True)


@pytest.mark.parametrize("format", ["csr", "csc", "coo"])
@pytest.mark.parametrize("method", ["cg", "bicgstab", "gmres"])
def test_solves(method, format):
    A = gs.generate.poisson2d(nx=40, ny=30).asformat(format)
    b = np.arange(1200.0)
    levels = gs.amg.Hierarchy(A)
    x, done = levels.solve(b, method=method)
    assert done["converged"] and done["iterations"] < 40 and done["outcome"] == "converged"
    assert len(done["residuals"]) == done["iterations"] + 1 and done["residuals"][-1] <= 1e-8
    assert np.linalg.norm(A @ x - b) <= 1e-7 * np.linalg.norm(b)
    again, done = levels.solve(b, x, method=method)
    assert done["iterations"] <= 1 and x is not again
    facts = levels.facts()
    assert len(facts["levels"]) >= 2 and facts["levels"][0]["rows"] == 1200 and facts["levels"][0]["nnz"] == A.nnz
    assert repr(levels) == f"<gossamer.amg.Hierarchy 1200 rows, {len(facts['levels'])} levels>"


def test_what_did_not_converge_says_so():
    A = gs.generate.poisson2d(nx=40, ny=30)
    _, done = gs.amg.Hierarchy(A).solve(np.ones(1200), iterations=2)
    assert not done["converged"] and done["iterations"] == 2 and done["because"]


def test_single_precision_and_new_values():
    A = gs.generate.poisson2d(nx=30, ny=30, dtype="float32")
    levels = gs.amg.Hierarchy(A, smoother="jacobi", cycle="w")
    x, done = levels.solve(np.ones(900, np.float32), tolerance=1e-4)
    assert x.dtype == np.float32 and done["converged"]
    doubled = A * np.float32(2)
    y, done = levels.update(doubled).solve(np.ones(900, np.float32), tolerance=1e-4)
    assert done["converged"] and np.allclose(2 * y, x, rtol=1e-2)


def test_new_values_are_those_of_the_new_matrix():
    A = gs.generate.poisson2d(nx=40, ny=40)
    levels = gs.amg.Hierarchy(A)
    b = np.random.default_rng(1).standard_normal(1600)
    for step in range(3):
        d = 1.0 + np.arange(1600) % (5 + step)
        changed = gs.scale_columns(gs.scale_rows(A, d), d)
        x, done = levels.update(changed).solve(b)
        del changed  # the hierarchy keeps what it borrows
        again, _ = levels.solve(b)
        expected = linalg.spsolve(sp.csc_matrix(gs.scale_columns(gs.scale_rows(A, d), d)), b)
        np.testing.assert_allclose(x, expected, rtol=1e-5, atol=1e-7 * abs(expected).max())
        np.testing.assert_array_equal(x, again)
    with pytest.raises(ValueError, match="structure"):
        levels.update(sp.csr_matrix(gs.tril(A)))
    x, done = levels.solve(b)  # it is as it was
    assert done["converged"]
    with pytest.raises(TypeError):
        levels.update(A.astype(np.float32))


def test_a_preconditioner_of_scipy():
    A = gs.generate.poisson2d(nx=60, ny=60)
    b = np.ones(3600)
    counts = {}
    M = gs.amg.Hierarchy(A).aslinearoperator()
    assert isinstance(M, linalg.LinearOperator) and M.shape == A.shape and M.dtype == np.float64
    for name, given in (("plain", None), ("amg", M)):
        steps = []
        x, status = linalg.cg(A, b, tol=1e-8, atol=0, M=given, callback=steps.append)
        assert status == 0 and np.allclose(A @ x, 1, atol=1e-5)
        counts[name] = len(steps)
    assert counts["amg"] < counts["plain"] / 3
    x, status = linalg.gmres(A, b, tol=1e-8, atol=0, M=M)
    assert status == 0 and np.allclose(A @ x, 1, atol=1e-5)


def test_a_cycle_is_linear_and_symmetric():
    A = gs.generate.poisson2d(nx=20, ny=20)
    levels = gs.amg.Hierarchy(A)
    u, v = np.random.default_rng(1).standard_normal((2, 400))
    np.testing.assert_allclose(levels.apply(2 * u - v), 2 * levels.apply(u) - levels.apply(v), atol=1e-12)
    assert u @ levels.apply(v) == pytest.approx(v @ levels.apply(u))
    np.testing.assert_array_equal(levels.apply(u[:, None]), levels.apply(u))
    np.testing.assert_array_equal(levels.apply(np.repeat(u, 2)[::2]), levels.apply(u))


def test_near_null_space_and_options():
    A = gs.generate.poisson2d(nx=30, ny=30)
    for vectors in (np.ones(900), np.ones((900, 1)), np.stack([np.ones(900), np.arange(900.0)], 1)):
        x, done = gs.amg.Hierarchy(A, near_null_space=vectors, seed=3, strength=0.1, coarsest=50).solve(np.ones(900))
        assert done["converged"]
    one = gs.amg.Hierarchy(A, on=gs.on("cpu", threads=1)).apply(np.ones(900))
    two = gs.amg.Hierarchy(A, on=gs.on("cpu", threads=2)).apply(np.ones(900))
    np.testing.assert_allclose(one, two, rtol=1e-12)
    assert len(gs.amg.Hierarchy(A, levels=1, coarsest=1000).facts()["levels"]) == 1


def test_threads_take_turns():
    A = gs.generate.poisson2d(nx=50, ny=50)
    levels = gs.amg.Hierarchy(A)
    sides = np.random.default_rng(1).standard_normal((4, 2500))
    alone = [levels.solve(b)[0] for b in sides]
    found = [None] * 4

    def work(k):
        for _ in range(5):
            found[k] = levels.solve(sides[k])[0]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    for a, b in zip(alone, found):
        np.testing.assert_allclose(a, b, rtol=1e-9)


def test_errors():
    A = gs.generate.poisson2d(nx=10, ny=10)
    with pytest.raises(ValueError, match="2 x 3"):
        gs.amg.Hierarchy(sp.csr_matrix(np.ones((2, 3))))
    with pytest.raises(ValueError, match="diagonal"):
        gs.amg.Hierarchy(sp.csr_matrix(np.array([[0.0, 1.0], [1.0, 0.0]])))
    with pytest.raises(TypeError, match="smoother"):
        gs.amg.Hierarchy(A, smother="jacobi")
    with pytest.raises(TypeError, match="levels = 'many'"):
        gs.amg.Hierarchy(A, levels="many")
    with pytest.raises(ValueError, match="chebyshev"):
        gs.amg.Hierarchy(A, smoother="nonsense")
    with pytest.raises(ValueError, match="near"):
        gs.amg.Hierarchy(A, near_null_space=np.ones(99))
    with pytest.raises(ValueError, match="99 elements.*100"):
        gs.amg.Hierarchy(A).solve(np.ones(99))
    with pytest.raises(ValueError, match="100"):
        gs.amg.Hierarchy(A).apply(np.ones((100, 2)))
    with pytest.raises(ValueError, match="x has 3"):
        gs.amg.Hierarchy(A).solve(np.ones(100), np.ones(3))
    with pytest.raises(ValueError, match="cg"):
        gs.amg.Hierarchy(A).solve(np.ones(100), method="nonsense")
    with pytest.raises(ValueError):
        gs.amg.Hierarchy(A).solve(np.ones(100), tolerance=-1)
    broken = A.copy()
    broken.indices[3] = 100
    with pytest.raises(ValueError):
        gs.amg.Hierarchy(broken)
