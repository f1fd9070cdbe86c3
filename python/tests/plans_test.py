"""Plans: one look, many products."""

import gossamer as gs
import numpy as np
import pytest
import scipy.sparse as sp
from conftest import random_matrix


def test_a_plan_multiplies_vectors(dtype, format):
    A = random_matrix(40, 30, dtype=dtype, format=format)
    product = gs.plan(A, np.ones(30, dtype), expected_calls=1000)
    x, out = np.arange(30, dtype=dtype), np.empty(40, dtype)
    np.testing.assert_array_equal(product(x), A.toarray() @ x)
    assert product(x, out=out) is out
    np.testing.assert_array_equal(out, A.toarray() @ x)
    np.testing.assert_array_equal(product(x, out=out, alpha=2, beta=1), 3 * (A.toarray() @ x))
    np.testing.assert_array_equal(product(list(map(float, x)) if dtype == np.float64 else x), A @ x)
    np.testing.assert_array_equal(product(np.arange(60, dtype=dtype)[::2]), 2 * (A @ x))


def test_a_plan_multiplies_matrices_on_either_side(dtype):
    A = random_matrix(40, 30, dtype=dtype)
    right, left = np.ones((30, 4), dtype), np.ones((4, 40), dtype)
    np.testing.assert_array_equal(gs.plan(A, right)(right), A.toarray() @ right)
    np.testing.assert_array_equal(gs.plan(left, A)(left), left @ A.toarray())
    np.testing.assert_array_equal(gs.plan(left[0], A)(left[0]), left[0] @ A.toarray())


def test_values_are_read_at_every_call():
    A = random_matrix(40, 30)
    product = gs.plan(A, np.ones(30))
    A.data *= 2
    np.testing.assert_array_equal(product(np.ones(30)), A @ np.ones(30))


@pytest.mark.parametrize("constant", [False, True])
def test_refill(constant):
    A = random_matrix(400, 400)
    product = gs.plan(A, np.ones(400), expected_calls=10**6, constant_values=constant)
    B = A.copy()
    B.data = np.arange(B.nnz, dtype=float)
    np.testing.assert_array_equal(product.refill(B.data)(np.ones(400)), B @ np.ones(400))
    with pytest.raises(ValueError, match="expected a contiguous array"):
        product.refill(np.ones(3))


def test_sparse_products():
    A, B = random_matrix(40, 30), random_matrix(30, 50, seed=1)
    product = gs.plan(A, B)
    C = product()
    assert isinstance(C, sp.csr_matrix) and product.nnz == C.nnz and product.shape == (40, 50)
    np.testing.assert_array_equal(C.toarray(), (A @ B).toarray())
    values = np.arange(A.nnz, dtype=float)
    assert product.refill(values)(out=C) is C
    A.data = values
    np.testing.assert_array_equal(C.toarray(), (A @ B).toarray())
    B.data = np.ones(B.nnz)
    np.testing.assert_array_equal(product.refill(b_values=B.data)().toarray(), (A @ B).toarray())
    assert isinstance(gs.plan(gs.csr(A), gs.csr(B))(), gs.csr)


def test_a_changed_structure_is_refused():
    A = random_matrix(40, 40)
    product = gs.plan(A, A)
    A.indices[:] = A.indices[::-1].copy()
    with pytest.raises(ValueError):
        product()


def test_explanations():
    A = random_matrix(40, 30)
    product = gs.plan(A, np.ones(30))
    why = product.explain()
    assert why.chosen == product.kernel and product.kernel.startswith("spmv/csr/")
    assert product.kernel in str(why) and product.kernel in repr(product)
    page = why._repr_html_()
    assert page.count("<tr") == len(why["considered"]) + 1 and product.kernel in page
    assert set(why.keys()) == set(why.to_dict())


def test_wrong_operands_of_plans():
    A = random_matrix(40, 30)
    product = gs.plan(A, np.ones(30))
    with pytest.raises(ValueError):
        product(np.ones(31))
    with pytest.raises(ValueError):
        product(np.ones((30, 2)))
    with pytest.raises(ValueError):
        product(np.ones(30), out=np.ones(41))
    with pytest.raises(TypeError):
        product(np.ones(30), out=np.ones(40, np.float32))
    with pytest.raises(TypeError):
        product()
    with pytest.raises(TypeError):
        gs.plan(A, random_matrix(30, 5))(np.ones(5))
    frozen = np.ones(40)
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        product(np.ones(30), out=frozen)
