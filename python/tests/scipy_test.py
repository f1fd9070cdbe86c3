"""SciPy through Gossamer: the same results, undoable; SciPy's own tests of products pass."""

import os
import subprocess
import sys
import threading

import gossamer as gs
import numpy as np
import pytest
import scipy.sparse as sp
from conftest import random_matrix

# The tests of scipy.sparse that multiply; the other classes of its file do so through these two.
CLASSES = "TestCSR, TestCSC, TestCSRNonCanonical, TestCSCNonCanonical"
CHOSEN = "matmul or mul_ or multiplication or matvec or matmat or dot or pow or arithmetic or binop"


def both(compute):
    expected = compute()
    with gs.scipy_accelerated():
        found = compute()
    return expected, found


@pytest.mark.parametrize("other", ["csr", "csc", "coo", "bsr", "lil"])
def test_the_same_as_scipy(dtype, format, container, other):
    make = getattr(sp, f"{format}_{container}")
    A = make(random_matrix(40, 30, dtype=dtype))
    B = getattr(sp, f"{other}_{container}")(random_matrix(30, 25, seed=1))
    expected, found = both(lambda: A @ B)
    assert type(found) is type(expected) and found.dtype == expected.dtype
    assert found.indices.dtype == expected.indices.dtype and found.nnz == expected.nnz
    assert (found != expected).nnz == 0 and found.has_canonical_format
    for x in (np.arange(30.0), np.ones((30, 1)), np.ones((30, 3)), np.ones((30, 3), np.float32),
              np.ones(30, int), np.ones((3, 30)).T, [1.0] * 30, np.asmatrix(np.ones((30, 2)))):
        expected, found = both(lambda: A @ x)
        assert type(found) is type(expected) and found.dtype == expected.dtype
        assert found.shape == expected.shape
        np.testing.assert_array_equal(found, expected)
    expected, found = both(lambda: np.ones((2, 40)) @ A)
    np.testing.assert_array_equal(found, expected)


def test_nonzeros_that_cancel_are_left_out_as_by_scipy():
    A = sp.csr_matrix([[1.0, -1.0], [0.0, 1.0]])
    B = sp.csr_matrix(np.ones((2, 2)))
    expected, found = both(lambda: A @ B)
    assert found.nnz == expected.nnz == 2


@pytest.mark.parametrize("dtype", ["int64", "int8", "bool", "complex64", "complex128", "longdouble"])
def test_other_types_are_scipys(dtype):
    A = random_matrix(20, 20).astype(dtype)
    expected, found = both(lambda: A @ A)
    assert found.dtype == expected.dtype and (found != expected).nnz == 0
    expected, found = both(lambda: A @ np.ones(20, dtype))
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


def test_64_bit_indices_come_back_as_scipy_has_them():
    A = random_matrix(20, 20)
    A.indices, A.indptr = A.indices.astype(np.int64), A.indptr.astype(np.int64)
    expected, found = both(lambda: A @ A)
    assert found.indices.dtype == expected.indices.dtype and (found != expected).nnz == 0


def test_errors_are_scipys():
    A = random_matrix(20, 10)
    for wrong in (A, np.ones(11), np.ones((11, 2)), 3.0):
        with pytest.raises(ValueError) as expected:
            A @ wrong
        with gs.scipy_accelerated(), pytest.raises(ValueError) as found:
            A @ wrong
        assert str(found.value) == str(expected.value)


def test_blocks_nest_and_are_undone():
    originals = {name: getattr(sp.csr_matrix, name) for name in dir(sp.csr_matrix) if "mul" in name}
    with gs.scipy_accelerated():
        inside = {name: getattr(sp.csr_matrix, name) for name in originals}
        assert inside != originals
        with pytest.raises(KeyError), gs.scipy_accelerated():
            raise KeyError
        assert {name: getattr(sp.csr_matrix, name) for name in originals} == inside
    assert {name: getattr(sp.csr_matrix, name) for name in originals} == originals
    gs.restore_scipy()  # once too often is no error
    assert {name: getattr(sp.csr_matrix, name) for name in originals} == originals


def test_several_threads_may_accelerate():
    A = random_matrix(50, 50)
    expected = A @ A
    wrong = []

    def work():
        for _ in range(20):
            with gs.scipy_accelerated():
                if (A @ A != expected).nnz:
                    wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_scipys_own_tests_of_products(tmp_path):
    """scipy/sparse/tests/test_base.py, the tests whose names speak of products, under acceleration."""
    pytest.importorskip("scipy.sparse.tests.test_base")
    (tmp_path / "conftest.py").write_text(
        "import gossamer, pytest\n\n\n"
        "@pytest.fixture(autouse=True, scope='session')\n"
        "def accelerated():\n    with gossamer.scipy_accelerated():\n        yield\n"
    )
    (tmp_path / "test_chosen.py").write_text(
        f"from scipy.sparse.tests.test_base import {CLASSES}\n"
    )
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = slow\n  xslow\n")
    package = os.path.dirname(os.path.dirname(gs.__file__))
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-W", "ignore", "-k", CHOSEN,
         "test_chosen.py"],
        cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": package},
    )  # fmt: skip
    print(run.stdout[-3000:])
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-2000:]
    assert int(run.stdout.split(" passed")[0].split()[-1]) > 60, run.stdout[-500:]
