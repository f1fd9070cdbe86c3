"""Products against SciPy's, with operands of every kind that may come in."""

import gossamer as gs
import numpy as np
import pytest
import scipy.sparse as sp
from conftest import array_addresses, copies_of, random_matrix


def made(matrix, container, index=np.int32):
    result = getattr(sp, f"{matrix.format}_{container}")(matrix)
    for name in ("indices", "indptr", "row", "col"):
        if name in vars(result):
            setattr(result, name, getattr(result, name).astype(index))
    return result


@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_sparse_times_vector(dtype, format, container, index):
    A = made(random_matrix(40, 30, dtype=dtype, format=format), container, index)
    x = np.arange(30, dtype=dtype)
    before = copies_of(A)
    y = gs.matmul(A, x)
    assert y.dtype == dtype and y.shape == (40,)
    np.testing.assert_array_equal(y, A.toarray() @ x)
    for kept, now in zip(before, copies_of(A)):
        np.testing.assert_array_equal(kept, now)


def test_sparse_times_dense(dtype, format):
    A = random_matrix(40, 30, dtype=dtype, format=format)
    for B in (np.arange(90.0).reshape(30, 3), np.arange(90.0).reshape(3, 30).T, np.ones((30, 1)),
              np.ones((30, 0)), np.arange(300.0).reshape(30, 10)[:, 2:5]):
        B = B.astype(dtype, copy=False)
        np.testing.assert_array_equal(gs.matmul(A, B), A.toarray() @ B)


def test_dense_times_sparse(dtype, format):
    A = random_matrix(40, 30, dtype=dtype, format=format)
    X = np.arange(80, dtype=dtype).reshape(2, 40)
    np.testing.assert_array_equal(gs.matmul(X, A), X @ A.toarray())
    np.testing.assert_array_equal(gs.matmul(X[0], A), X[0] @ A.toarray())
    np.testing.assert_array_equal(gs.csr(A).__rmatmul__(X), X @ A.toarray())
    np.testing.assert_array_equal(X @ gs.csr(A), X @ A.toarray())


@pytest.mark.parametrize("other", ["csr", "csc", "coo"])
def test_sparse_times_sparse(dtype, format, other, container):
    A = made(random_matrix(40, 30, dtype=dtype, format=format), container)
    B = made(random_matrix(30, 50, dtype=dtype, format=other, seed=1), container)
    C = gs.matmul(A, B)
    expected = A @ B
    assert type(C) is type(expected) and C.dtype == expected.dtype
    assert C.indices.dtype == expected.indices.dtype == C.indptr.dtype
    assert C.has_sorted_indices and C.has_canonical_format
    np.testing.assert_array_equal(C.toarray(), expected.toarray())
    assert type(C)((C.data, C.indices, C.indptr), shape=C.shape).has_canonical_format  # looked at


def test_results_own_the_memory_of_the_library():
    A = random_matrix(200, 200)
    C = gs.matmul(A, A)
    for array in (C.data, C.indices, C.indptr):
        owner = array
        while isinstance(owner.base, np.ndarray):
            owner = owner.base
        assert type(owner.base).__name__ == "PyCapsule"
    kept = C.toarray()
    gs.release_memory()
    del A
    np.testing.assert_array_equal(C.toarray(), kept)
    C.data[:] = 1  # it may be written to
    assert C.sum() == C.nnz


def test_nothing_is_copied(dtype, format, container):
    A = made(random_matrix(40, 30, dtype=dtype, format=format), container)
    own = getattr(gs, format)(A)
    assert [a.__array_interface__["data"][0] for a in own._core.arrays] == array_addresses(A)
    assert array_addresses(own.to_scipy()) == array_addresses(A)
    assert own.T.T.data is own.data
    out = np.empty(40, dtype)
    assert gs.matmul(own, np.ones(30, dtype), out=out) is out
    C = gs.matmul(own, gs.csr(random_matrix(30, 20, dtype=dtype)))
    arrays = [a.__array_interface__["data"][0] for a in C._core.arrays]
    assert array_addresses(C.to_scipy()) == arrays


def test_operands_that_are_read_only_are_read():
    A = random_matrix(40, 30)
    for array in (A.data, A.indices, A.indptr):
        array.flags.writeable = False
    x = np.ones(30)
    x.flags.writeable = False
    np.testing.assert_array_equal(gs.matmul(A, x), A.toarray() @ x)
    assert (gs.matmul(A, A.T) != A @ A.T).nnz == 0


def test_arrays_with_gaps_and_foreign_byte_order():
    A = random_matrix(40, 30)
    x = np.arange(60.0)[::2]
    np.testing.assert_array_equal(gs.matmul(A, x), A.toarray() @ x)
    np.testing.assert_array_equal(gs.matmul(A, x[::-1]), A.toarray() @ x[::-1])
    np.testing.assert_array_equal(gs.matmul(A, x.astype(">f8")), A.toarray() @ x)
    swapped = A.copy()
    swapped.data = swapped.data.astype(">f8")
    np.testing.assert_array_equal(gs.matmul(swapped, x), A.toarray() @ x)
    X = np.arange(3000.0).reshape(30, 10, 10)[:, 2, ::3]
    np.testing.assert_array_equal(gs.matmul(A, X), A.toarray() @ X)
    np.testing.assert_array_equal(gs.matmul(A, np.asmatrix(X)), A.toarray() @ X)
    np.testing.assert_array_equal(gs.matmul(A, list(range(30))[0:0] or [1.0] * 30), A @ np.ones(30))


def test_mixed_types_are_promoted():
    A, x = random_matrix(40, 30, dtype=np.float32), np.arange(30.0)
    y = gs.matmul(A, x)
    assert y.dtype == np.float64
    np.testing.assert_array_equal(y, A.toarray() @ x)
    C = gs.matmul(A, random_matrix(30, 20))
    assert C.dtype == np.float64


def test_other_formats_of_scipy():
    A = random_matrix(40, 40)
    for format in ("bsr", "dia", "lil", "dok"):
        np.testing.assert_array_equal(gs.matmul(A.asformat(format), np.ones(40)), A @ np.ones(40))


def test_empty_operands():
    for rows, cols in ((0, 0), (0, 5), (5, 0), (1, 1)):
        A = sp.csr_matrix((rows, cols))
        assert gs.matmul(A, np.ones(cols)).shape == (rows,)
        np.testing.assert_array_equal(gs.matmul(A, np.ones(cols)), np.zeros(rows))
        assert gs.matmul(A, A.T).shape == (rows, rows)
        assert gs.matmul(A, np.ones((cols, 3))).shape == (rows, 3)


def test_factors_and_outputs(dtype):
    A = random_matrix(40, 30, dtype=dtype)
    x, y = np.arange(30, dtype=dtype), np.arange(40, dtype=dtype)
    expected = 2 * (A.toarray() @ x) - 3 * y
    out = y.copy()
    assert gs.matmul(A, x, alpha=2, beta=-3, out=out) is out
    np.testing.assert_array_equal(out, expected)
    np.testing.assert_array_equal(gs.matmul(A, x, alpha=2, beta=-3, add=y), expected)
    B, Z = random_matrix(30, 20, dtype=dtype), random_matrix(40, 20, dtype=dtype, seed=3)
    C = gs.matmul(A, B, alpha=2, beta=-3, add=Z)
    np.testing.assert_array_equal(C.toarray(), 2 * (A @ B).toarray() - 3 * Z.toarray())
    Y = np.full((40, 4), np.nan, dtype, order="F")
    gs.matmul(A, np.ones((30, 4), dtype), out=Y)
    np.testing.assert_array_equal(Y, A.toarray() @ np.ones((30, 4), dtype))


def test_options():
    A = random_matrix(60, 60)
    dense = A.toarray()
    M = random_matrix(60, 60, seed=5)
    masked = gs.matmul(A, A, mask=M).toarray()
    np.testing.assert_array_equal(masked, (dense @ dense) * (M.toarray() != 0))
    rest = gs.matmul(A, A, mask=gs.complement(M)).toarray()
    np.testing.assert_array_equal(masked + rest, dense @ dense)
    np.testing.assert_array_equal(gs.matmul(A, A, mask=(M != 0)).toarray(), masked)
    pairs = gs.matmul(A, A, semiring="plus_pair").toarray()
    np.testing.assert_array_equal(pairs, (dense != 0).astype(float) @ (dense != 0))
    top = gs.matmul(A, A, keep=3)
    assert np.diff(top.indptr).max() == 3
    assert abs(gs.matmul(A, A, keep=gs.keep(magnitude=20.0)).data).min() >= 20
    csc = gs.matmul(A.tocsc(), A, keep=3)
    assert csc.format == "csr" and (csc != top).nnz == 0
    assert (gs.matmul(A, A, drop_zeros=True).data != 0).all()
    for algorithm in ("hash", "spa", "heap"):
        assert (gs.matmul(A, A, algorithm=algorithm, threads=1) != A @ A).nnz == 0
    np.testing.assert_array_equal(gs.matmul(A, np.ones(60), algorithm="merge", threads=2), dense.sum(1))
    np.testing.assert_array_equal(gs.matmul(A, np.ones(60), deterministic=True), dense.sum(1))
    np.testing.assert_array_equal(gs.matmul(A, np.ones(60), on="reference"), dense.sum(1))
    np.testing.assert_array_equal(gs.matmul(A, np.ones(60), on=gs.on("cpu", threads=1)), dense.sum(1))


def test_own_matrices():
    S = random_matrix(30, 20)
    A = gs.csr(S)
    assert (A.shape, A.nnz, A.dtype, A.format) == ((30, 20), S.nnz, np.float64, "csr")
    B = A @ A.T
    assert isinstance(B, gs.csr) and not B.on_device
    np.testing.assert_array_equal(B.toarray(), (S @ S.T).toarray())
    np.testing.assert_array_equal((A.T @ A).toarray(), (S.T @ S).toarray())
    assert isinstance(A.T @ A, gs.csc)
    np.testing.assert_array_equal((2 * A - A / 2 + -A).toarray(), (0.5 * S).toarray())
    np.testing.assert_array_equal(gs.csr(S.toarray()).toarray(), S.toarray())
    np.testing.assert_array_equal(gs.csr(gs.coo(S)).toarray(), S.toarray())
    same = gs.csr((S.data, S.indices, S.indptr), shape=S.shape)
    np.testing.assert_array_equal(same @ np.ones(20), S @ np.ones(20))
    assert gs.csr(S, dtype="float32").dtype == np.float32
    assert isinstance(A @ S.T, gs.csr) and isinstance(S @ A.T, gs.csr)


def test_scipy_on_the_left_of_own_matrices():
    S = random_matrix(30, 20)
    np.testing.assert_array_equal((S @ gs.csr(S.T)).toarray(), (S @ S.T).toarray())
