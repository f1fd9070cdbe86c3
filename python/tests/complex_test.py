"""Complex values and conjugates; the other tests of products run with complex types as well."""

import gossamer as gs
import numpy as np
import pytest
import scipy.sparse as sp
from conftest import array_addresses, random_matrix


@pytest.fixture(params=["complex64", "complex128"])
def complex_dtype(request):
    return np.dtype(request.param)


def conjugates(A):
    """Every way to a conjugate, with what it is."""
    D = A.toarray()
    own = getattr(gs, A.format)(A)
    return {
        "conjugated": (gs.conjugated(A), D.conj()), "transposed": (gs.conjugate_transposed(A), D.conj().T),
        "H": (own.H, D.conj().T), "conj": (own.conj(), D.conj()), "T of H": (own.H.T, D.conj()),
        "H of H": (own.H.H, D), "conj of H": (own.H.conj(), D.T),
    }  # fmt: skip


def test_conjugates_in_products(complex_dtype, format):
    A = random_matrix(30, 30, 0.2, complex_dtype, format=format)
    B = random_matrix(30, 30, 0.2, complex_dtype, seed=1)
    x = (np.arange(30) - 1j * np.arange(30)[::-1]).astype(complex_dtype)
    X = np.stack([x, 2 * x, x.conj()], 1)
    before = array_addresses(A)
    for name, (operand, D) in conjugates(A).items():
        assert operand.shape == D.shape and operand.dtype == complex_dtype and operand.nnz == A.nnz
        np.testing.assert_array_equal(operand.toarray(), D, err_msg=name)
        np.testing.assert_array_equal(operand @ x, D @ x, err_msg=name)
        np.testing.assert_array_equal(operand @ X, D @ X, err_msg=name)
        np.testing.assert_array_equal(x @ operand, x @ D, err_msg=name)
        np.testing.assert_array_equal(gs.matmul(X.T, operand), X.T @ D, err_msg=name)
        np.testing.assert_array_equal((operand @ B).toarray(), D @ B.toarray(), err_msg=name)
        np.testing.assert_array_equal((B @ operand).toarray(), B.toarray() @ D, err_msg=name)
        np.testing.assert_array_equal(gs.matmul(operand, operand).toarray(), D @ D, err_msg=name)
        np.testing.assert_array_equal(gs.add(operand, B).toarray(), D + B.toarray(), err_msg=name)
        np.testing.assert_array_equal(gs.transpose(operand).toarray(), D.T, err_msg=name)
        np.testing.assert_array_equal(gs.row_sums(operand), D.sum(1), err_msg=name)
        np.testing.assert_array_equal(gs.plan(operand, x)(x), D @ x, err_msg=name)
        np.testing.assert_array_equal(gs.plan(operand, B)().toarray(), D @ B.toarray(), err_msg=name)
    assert array_addresses(A) == before and "expression 30 x 30" in repr(gs.csr(A).H)


def test_gram_matrices_are_hermitian(complex_dtype):
    A = random_matrix(40, 25, 0.2, complex_dtype)
    G = gs.conjugate_transposed(A) @ A
    np.testing.assert_array_equal(G.toarray(), A.toarray().conj().T @ A.toarray())
    assert gs.allclose(G, gs.conjugate_transposed(G)) and np.all(gs.diagonal_of(G).imag == 0)
    three = gs.triple_product(gs.conjugate_transposed(A), random_matrix(40, 40, 0.2, complex_dtype, seed=2), A)
    D = A.toarray()
    expected = D.conj().T @ random_matrix(40, 40, 0.2, complex_dtype, seed=2).toarray() @ D
    np.testing.assert_allclose(three.toarray(), expected, rtol=1e-5)


def test_conjugates_of_real_matrices_are_the_matrices():
    A = random_matrix(30, 20)
    assert gs.conjugated(A) is A and (gs.conjugate_transposed(A) != A.T).nnz == 0
    assert isinstance(gs.csr(A).H, gs.csc) and gs.csr(A).H.data is gs.csr(A).data
    with pytest.raises(TypeError, match="dense"):
        gs.conjugated(np.ones((2, 2)) * 1j)


def test_conjugates_are_checked_and_borrow(complex_dtype):
    A = random_matrix(30, 20, 0.2, complex_dtype)
    own = gs.csr(A)
    view = own.H
    A.data[:] = 1j  # the expression reads the values when it is multiplied
    np.testing.assert_array_equal(view @ np.ones(30, complex_dtype), A.toarray().conj().T @ np.ones(30))
    A.indices[3] = 20
    with pytest.raises(ValueError):
        gs.conjugated(A) @ np.ones(20, complex_dtype)


def test_real_and_complex_are_promoted(complex_dtype):
    A, x = random_matrix(30, 20, dtype=np.float32), np.full(20, 1 + 2j, complex_dtype)
    y = gs.matmul(A, x)
    assert y.dtype == complex_dtype
    np.testing.assert_array_equal(y, A.toarray() @ x)
    C = gs.matmul(random_matrix(30, 20, dtype=complex_dtype), gs.csr(random_matrix(20, 10, dtype=np.float64)))
    assert C.dtype == np.complex128
    mixed = gs.matmul(gs.conjugated(random_matrix(30, 20, dtype=np.complex64)), np.ones(20))
    np.testing.assert_array_equal(mixed, random_matrix(30, 20, dtype=np.complex64).toarray().conj() @ np.ones(20))
    assert mixed.dtype == np.complex128


def test_factors(complex_dtype):
    A = random_matrix(30, 20, dtype=complex_dtype)
    x, y = np.arange(20) * (1 - 1j), np.arange(30) * 1j
    x, y = x.astype(complex_dtype), y.astype(complex_dtype)
    expected = (2 - 1j) * (A.toarray() @ x) + 3j * y
    np.testing.assert_allclose(gs.matmul(A, x, alpha=2 - 1j, beta=3j, out=y.copy()), expected, rtol=1e-5)
    np.testing.assert_allclose(gs.plan(A, x)(x, alpha=2 - 1j, beta=3j, out=y.copy()), expected, rtol=1e-5)
    np.testing.assert_array_equal((1j * gs.csr(A)).toarray(), 1j * A.toarray())
    np.testing.assert_array_equal((gs.csr(A) / 2j).toarray(), A.toarray() / 2j)
    with pytest.raises(TypeError):
        gs.matmul(random_matrix(30, 20), np.ones(20), alpha=1j)


def test_scipy_multiplies_complex_matrices_through_gossamer(complex_dtype, format):
    A = random_matrix(300, 300, 0.05, complex_dtype, format=format if format != "coo" else "csr")
    x = (np.arange(300) % 7 * (1 + 1j)).astype(complex_dtype)
    expected = A @ x, A @ A, A.getH() @ A, A @ np.stack([x, x], 1), A @ A.real, A.real @ x
    with gs.scipy_accelerated():
        found = A @ x, A @ A, A.getH() @ A, A @ np.stack([x, x], 1), A @ A.real, A.real @ x
    for f, e in zip(found, expected):
        assert type(f) is type(e) and f.dtype == e.dtype
        difference = abs(f - e)
        assert (difference.max() if sp.issparse(difference) else difference.max()) == 0


@pytest.mark.parametrize("extension", ["mtx", "npz", "gsm"])
def test_files_of_complex_matrices(tmp_path, extension, complex_dtype):
    A = random_matrix(30, 20, dtype=complex_dtype)
    gs.write(tmp_path / f"A.{extension}", A)
    assert (gs.read(tmp_path / f"A.{extension}", dtype=complex_dtype) != A).nnz == 0
    assert gs.read(tmp_path / f"A.{extension}", dtype=np.complex128).dtype == np.complex128


def test_what_is_for_real_values_only(complex_dtype):
    A = random_matrix(30, 30, dtype=complex_dtype)
    with pytest.raises(ValueError, match="complex"):
        gs.convert(A, "csr", dtype=np.float64)
    with pytest.raises(ValueError):
        gs.matmul(A, A, semiring="min_plus")
    with pytest.raises(TypeError, match="float32 and float64"):
        gs.amg.Hierarchy(A)
    assert gs.generate.poisson2d(nx=3, ny=3, dtype=complex_dtype).dtype == complex_dtype
    assert gs.convert(random_matrix(5, 5), "csc", dtype=complex_dtype).dtype == complex_dtype
