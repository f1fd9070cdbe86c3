"""Every operation of the guide's "Matrices at work", against SciPy and NumPy."""

import gossamer as gs
import numpy as np
import pytest
import scipy.sparse as sp
from conftest import copies_of, random_matrix


def equal(found, expected):
    np.testing.assert_array_equal(found.toarray() if hasattr(found, "toarray") else found, expected)


d30, d20 = np.arange(1.0, 31), np.arange(1.0, 21)
PARTS = {
    "transpose": (lambda A: gs.transpose(A), lambda D: D.T),
    "scale_rows": (lambda A: gs.scale_rows(A, d30.astype(A.dtype)), lambda D: d30[:, None] * D),
    "scale_columns": (lambda A: gs.scale_columns(A, d20.astype(A.dtype)), lambda D: D * d20),
    "row_sums": (lambda A: gs.row_sums(A), lambda D: D.sum(1)),
    "column_sums": (lambda A: gs.column_sums(A), lambda D: D.sum(0)),
    "diagonal_of": (lambda A: gs.diagonal_of(A), lambda D: np.diagonal(D)),
    "tril": (lambda A: gs.tril(A), np.tril),
    "tril -2": (lambda A: gs.tril(A, -2), lambda D: np.tril(D, -2)),
    "triu 3": (lambda A: gs.triu(A, 3), lambda D: np.triu(D, 3)),
    "largest": (lambda A: gs.select(A, magnitude=3), lambda D: np.where(abs(D) >= 3, D, 0)),
    "select": (lambda A: gs.select(A, lambda i, j, v: (v.real > 0) & (i > j)),
               lambda D: np.tril(np.where(D.real > 0, D, 0), -1)),
    "submatrix": (lambda A: gs.submatrix(A, [4, 0, 4], [3, 1, 7]), lambda D: D[np.ix_([4, 0, 4], [3, 1, 7])]),
    "submatrix, rows": (lambda A: gs.submatrix(A, rows=[-1, 2]), lambda D: D[[-1, 2]]),
    "submatrix, slices": (lambda A: gs.submatrix(A, slice(2, 20, 3), slice(None, None, 2)),
                          lambda D: D[2:20:3, ::2]),
    "submatrix, truths": (lambda A: gs.submatrix(A, np.arange(30) % 2 == 0), lambda D: D[::2]),
    "submatrix, all": (lambda A: gs.submatrix(A), lambda D: D),
    "slice_rows": (lambda A: gs.slice_rows(A, 3, 11), lambda D: D[3:11]),
    "permute_rows": (lambda A: gs.permute_rows(A, np.arange(30)[::-1]), lambda D: D[::-1]),
    "permute_columns": (lambda A: gs.permute_columns(A, np.arange(20)[::-1]), lambda D: D[:, ::-1]),
    "kron": (lambda A: gs.kron(A, random_matrix(2, 3, 0.5, A.dtype)),
             lambda D: np.kron(D, random_matrix(2, 3, 0.5, D.dtype).toarray())),
    "add": (lambda A: gs.add(A, gs.tril(A), beta=-2), lambda D: D - 2 * np.tril(D)),
    "to_dense": (lambda A: gs.to_dense(A), lambda D: D),
}  # fmt: skip


@pytest.mark.parametrize("operation", PARTS)
def test_parts(operation, dtype, format, container):
    A = random_matrix(30, 20, 0.2, dtype, format=format)
    A = getattr(sp, f"{format}_{container}")(A)
    ours, expected = PARTS[operation]
    before, D = copies_of(A), A.toarray()
    found = ours(A)
    assert found.dtype == dtype
    equal(found, expected(D))
    for kept, now in zip(before, copies_of(A)):
        np.testing.assert_array_equal(kept, now)
    if sp.issparse(found):
        assert type(found).__name__ == f"csr_{container}"
    own = ours(getattr(gs, format)(A))
    assert isinstance(own, (gs.csr, np.ndarray))
    equal(own, expected(D))


def test_norms(dtype, format):
    """Norms are real, also of complex matrices."""
    A = random_matrix(30, 20, 0.2, dtype, format=format)
    for norm, order in ((1, 1), (2, 2), ("max", np.inf), (np.inf, np.inf)):
        for given in (A, getattr(gs, format)(A)):
            rows, columns = gs.row_norms(given, norm), gs.column_norms(given, norm)
            assert rows.dtype == columns.dtype == np.zeros(0, dtype).real.dtype
            np.testing.assert_allclose(rows, np.linalg.norm(A.toarray(), order, axis=1), rtol=1e-5)
            np.testing.assert_allclose(columns, np.linalg.norm(A.toarray(), order, axis=0), rtol=1e-5)
    np.testing.assert_array_equal(gs.row_norms(A), gs.row_norms(A, 2))
    with pytest.raises(ValueError, match="norm '3'"):
        gs.row_norms(A, 3)


def test_permute():
    A = random_matrix(30, 30)
    order = np.random.default_rng(1).permutation(30)
    for numbers in (order, order.astype(np.int32), order.tolist(), order.astype(np.uint16)):
        found = gs.permute(A, numbers)
        equal(found, A.toarray()[np.ix_(order, order)])
        assert found.has_sorted_indices


def test_rows_are_borrowed():
    A = random_matrix(30, 20, 0.3)
    for part in (gs.slice_rows(A, 4, 9), gs.csr(A)[4:9], gs.slice_rows(sp.csr_array(A), 4, 9)):
        assert np.shares_memory(part.data, A.data) and np.shares_memory(part.indices, A.indices)
        equal(part, A.toarray()[4:9])
    assert gs.slice_rows(A, 5, 5).shape == (0, 20)
    with pytest.raises(ValueError, match="30 rows"):
        gs.slice_rows(A, 5, 31)


def test_results_of_the_library_own_their_memory():
    sums = gs.row_sums(random_matrix(200, 200))
    gs.release_memory()
    np.testing.assert_array_equal(sums, random_matrix(200, 200).toarray().sum(1))
    sums[0] = 7  # it may be written to


def test_elements(format):
    A = random_matrix(30, 20, 0.2, format=format)
    D, own = A.toarray(), getattr(gs, format)(A)
    for i, j in ((0, 0), (3, 4), (29, 19)):
        assert gs.value_at(A, i, j) == own[i, j] == D[i, j]
    assert own[-1, -2] == D[-1, -2]
    equal(own[2:10, 3:9], D[2:10, 3:9])
    equal(own[2:20:3], D[2:20:3])
    equal(own[7:2], D[7:2])
    with pytest.raises(ValueError):
        gs.value_at(A, 30, 0)
    with pytest.raises(TypeError, match="submatrix"):
        own[[1, 2], 3]
    listed = list(gs.nonzeros(A))
    assert listed == list(own) and len(listed) == A.nnz
    coo = A.tocoo()
    assert listed == list(zip(coo.row.tolist(), coo.col.tolist(), coo.data.tolist()))
    assert all(type(n) is t for n, t in zip(listed[0], (int, int, float)))


def test_the_nonzeros_of_a_large_matrix():
    A = sp.random(400, 400, 0.5, format="csr", random_state=1)
    assert sum(v for _, _, v in gs.nonzeros(A)) == pytest.approx(A.sum()) and A.nnz > 1 << 16


def test_spy():
    assert [line.rstrip() for line in gs.spy(sp.eye(3, format="csr"), unicode=False).splitlines()] == ["#", " #", "  #"]
    lines = gs.spy(gs.generate.poisson2d(nx=30, ny=30), width=20, height=5).splitlines()
    assert 1 <= len(lines) <= 5 and max(map(len, lines)) <= 20


def test_comparisons(format):
    A = random_matrix(30, 20, 0.2)
    B = A.asformat(format)
    assert gs.same(A, sp.csr_matrix(B)) and gs.same(A, A.copy())
    assert gs.allclose(A, B) and gs.allclose(A, A.toarray()) and gs.allclose(gs.csr(A), B)
    other = A.copy()
    other.data[3] += 1e-7
    assert not gs.same(A, other) and gs.allclose(A, other) and not gs.allclose(A, other, rtol=0, atol=1e-9)
    assert not gs.same(A, A.T) and not gs.allclose(A, A.T)
    with pytest.raises(ValueError):
        gs.allclose(A, A, rtol=-1)


def test_assembly(dtype):
    rng = np.random.default_rng(2)
    i, j = rng.integers(0, 30, 200), rng.integers(0, 20, 200)
    v = rng.integers(1, 9, 200).astype(dtype)
    expected = sp.coo_matrix((v, (i, j)), shape=(30, 20)).toarray()
    for index in (np.int32, np.int64, np.uint8):
        found = gs.from_triplets((30, 20), i.astype(index), j.astype(index), v)
        assert isinstance(found, sp.csr_array) and found.dtype == dtype and found.has_canonical_format
        equal(found, expected)
    equal(gs.from_triplets((30, 20), i.tolist(), j.tolist(), v.tolist(), dtype=dtype), expected)
    assert gs.from_triplets((2, 2), [], [], []).nnz == 0
    equal(gs.identity(4, dtype=dtype), np.eye(4))
    equal(gs.diagonal(v[:5]), np.diag(v[:5]))
    assert gs.identity(4, dtype=dtype).dtype == gs.diagonal(v).dtype == gs.from_dense(expected).dtype == dtype
    equal(gs.from_dense(np.asfortranarray(expected)), expected)
    assert gs.diagonal([1, 2]).dtype == np.float64


def test_triple_products(format, container):
    A = getattr(sp, f"{format}_{container}")(random_matrix(30, 30, format=format))
    P = getattr(sp, f"csr_{container}")(random_matrix(30, 8, 0.2, seed=2))
    found, choice = gs.triple_product(P.T, A, P, return_choice=True)
    equal(found, (P.T @ A @ P).toarray())
    assert type(found).__name__ == f"csr_{container}" and choice["order"] in ("(A B) C", "A (B C)")
    assert (choice["order"] == "(A B) C") == (choice["left_work"] <= choice["right_work"])
    top = gs.triple_product(P.T, A, P, keep=2)
    assert np.diff(top.indptr).max() == 2
    assert isinstance(gs.triple_product(gs.csr(P).T, A, P), gs.csr)
    mixed = gs.triple_product(P.T.astype(np.float32), A, P)
    assert mixed.dtype == np.float64
    equal(mixed, found.toarray())
    with pytest.raises(TypeError, match="nonsense"):
        gs.triple_product(P.T, A, P, nonsense=1)
    with pytest.raises(TypeError, match="dense"):
        gs.triple_product(P.T, A, np.ones((30, 2)))
    with pytest.raises(ValueError):
        gs.triple_product(P, A, P)


SEMIRINGS = {
    "plus_times": (np.multiply, np.add), "min_plus": (np.add, np.minimum), "max_plus": (np.add, np.maximum),
    "or_and": (lambda a, b: (a != 0) & (b != 0), np.logical_or),
    "plus_pair": (lambda a, b: np.ones_like(a + b), np.add), "any_pair": (lambda a, b: np.ones_like(a + b), np.maximum),
    "plus_first": (lambda a, b: a + 0 * b, np.add), "plus_second": (lambda a, b: 0 * a + b, np.add),
    "min_first": (lambda a, b: a + 0 * b, np.minimum), "min_second": (lambda a, b: 0 * a + b, np.minimum),
    "max_first": (lambda a, b: a + 0 * b, np.maximum), "max_second": (lambda a, b: 0 * a + b, np.maximum),
    "min_times": (np.multiply, np.minimum), "max_times": (np.multiply, np.maximum), "max_min": (np.minimum, np.maximum),
}  # fmt: skip


def over(semiring, A, B):
    """The product by its definition; None where no pair meets."""
    multiply, add = SEMIRINGS[semiring]
    result = {}
    for i, k, a in gs.nonzeros(A):
        for _, j, b in gs.nonzeros(gs.slice_rows(sp.csr_matrix(B), k, k + 1)):
            term = float(multiply(np.float64(a), np.float64(b)))
            result[i, j] = float(add(result[i, j], term)) if (i, j) in result else term
    return result


@pytest.mark.parametrize("semiring", SEMIRINGS)
def test_semirings(semiring, format):
    A = random_matrix(12, 10, 0.3, format=format)
    B = random_matrix(10, 9, 0.3, seed=1)
    expected = over(semiring, A, B)
    C = gs.matmul(A, B, semiring=semiring)
    assert {(i, j): v for i, j, v in gs.nonzeros(C)} == expected
    x = np.arange(1.0, 13)
    row = over(semiring, sp.csr_matrix(x[None, :]), A.tocsr())
    y = gs.matmul(x, A, semiring=semiring)  # x A, with the values of x as the first
    assert all(y[j] == v for (_, j), v in row.items())
    x = np.arange(1.0, 11)
    column = over(semiring, A.tocsr(), sp.csr_matrix(x[:, None]))
    y = gs.matmul(A, x, semiring=semiring)
    assert all(y[i] == v for (i, _), v in column.items())


def test_masks_of_dense_results():
    A, x = random_matrix(40, 30), np.arange(30.0)
    wanted = np.arange(40) % 3 == 0
    np.testing.assert_array_equal(gs.matmul(A, x, mask=wanted), np.where(wanted, A @ x, 0))
    np.testing.assert_array_equal(gs.matmul(A, x, mask=gs.complement(wanted)), np.where(wanted, 0, A @ x))
    out = np.full(40, 7.0)
    gs.matmul(A, x, mask=wanted, out=out)
    np.testing.assert_array_equal(out, np.where(wanted, A @ x, 7))
    M, X = random_matrix(40, 3, 0.5), np.arange(90.0).reshape(30, 3)
    np.testing.assert_array_equal(gs.matmul(A, X, mask=M), np.where(M.toarray() != 0, A @ X, 0))


def test_breadth_first_search():
    """A frontier is a sparse row; the complement of what was seen is the mask."""
    G = gs.generate.poisson2d(nx=6, ny=5)
    frontier = gs.from_triplets((1, 30), [0], [0], [1.0])
    seen, depth = frontier, 0
    while frontier.nnz:
        frontier = gs.matmul(frontier, G, semiring="any_pair", mask=gs.complement(seen))
        seen = gs.add(seen, frontier)
        depth += frontier.nnz > 0
    assert seen.nnz == 30 and depth == 5 + 4


def broken(index=30):
    A = random_matrix(30, 30)
    A.indices[5] = index
    return A


@pytest.mark.parametrize("call", [
    lambda A: gs.transpose(A), lambda A: gs.tril(A), lambda A: gs.row_sums(A), lambda A: gs.kron(A, A),
    lambda A: gs.submatrix(A, [0]), lambda A: gs.permute(A, range(30)), lambda A: gs.same(A, A),
    lambda A: gs.allclose(A, A), lambda A: gs.value_at(A, 0, 0), lambda A: gs.spy(A), lambda A: gs.to_dense(A),
    lambda A: gs.select(A, largest=1), lambda A: list(gs.nonzeros(A)), lambda A: gs.validate(A),
    lambda A: gs.scale_rows(A, np.ones(30)), lambda A: gs.triple_product(A, A, A), lambda A: gs.slice_rows(A, 0, 1),
    lambda A: gs.matmul(random_matrix(30, 30), random_matrix(30, 30), mask=A),
    lambda A: gs.matmul(random_matrix(30, 30), np.ones((30, 30)), mask=A),
    lambda A: gs.matmul(random_matrix(30, 30), random_matrix(30, 30), add=A),
])  # fmt: skip
@pytest.mark.parametrize("index", [30, -1, 2**31 - 1, -(2**31)])
def test_broken_matrices_are_refused(call, index):
    with pytest.raises(ValueError):
        call(broken(index))


def test_errors():
    A = random_matrix(30, 20)
    with pytest.raises(ValueError, match="20"):
        gs.scale_rows(A, np.ones(20))
    with pytest.raises(TypeError, match="vector"):
        gs.scale_rows(A, A)
    with pytest.raises(ValueError, match="30"):
        gs.submatrix(A, [30])
    with pytest.raises(ValueError):
        gs.submatrix(A, columns=[1, 1])
    with pytest.raises(TypeError, match="whole numbers"):
        gs.submatrix(A, [0.5])
    with pytest.raises(ValueError, match="truths"):
        gs.submatrix(A, [True, False])
    with pytest.raises(TypeError, match="dense"):
        gs.kron(A, np.ones((2, 2)))
    with pytest.raises(ValueError, match="truth for each"):
        gs.select(A, lambda i, j, v: True)
    with pytest.raises(ValueError):
        gs.from_triplets((2, 2), [0, 2], [0, 0], [1.0, 1.0])
    with pytest.raises(ValueError):
        gs.from_triplets((2, 2), [0], [0, 0], [1.0, 1.0])
    with pytest.raises(TypeError, match="whole numbers"):
        gs.from_triplets((2, 2), [0.0], [0], [1.0])
    with pytest.raises(TypeError, match="convert it first"):
        gs.from_triplets((2, 2), [0], [0], np.array([1]))
    with pytest.raises(ValueError):
        gs.identity(-1)
    with pytest.raises(MemoryError):
        gs.to_dense(sp.csr_matrix((20_000, 20_000)))
