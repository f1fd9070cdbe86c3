"""Exceptions are those that users of Python expect, in the library's words."""

import gossamer as gs
import numpy as np
import pytest
import scipy.sparse as sp
from conftest import random_matrix

A = random_matrix(40, 30)


def test_shapes():
    with pytest.raises(ValueError, match="columns of A must equal the rows"):
        gs.matmul(A, np.ones(31))
    with pytest.raises(ValueError, match="columns of A must equal the rows of B"):
        gs.matmul(A, A)
    with pytest.raises(ValueError, match="dimensions"):
        gs.matmul(A, np.ones((30, 2, 2)))
    with pytest.raises(ValueError, match="out has shape"):
        gs.matmul(A, np.ones(30), out=np.ones(41))


@pytest.mark.parametrize("dtype", ["int64", "bool", "float16", "longdouble", "object", "complex256"])
def test_value_types(dtype):
    if dtype == "float16":
        with pytest.raises(TypeError, match="float16"):
            gs.matmul(A, np.ones(30, np.float16))
        return
    matrix = A.copy()
    matrix.data = matrix.data.astype(dtype)
    with pytest.raises(TypeError, match="convert it first"):
        gs.matmul(matrix, np.ones(30))


def test_dense_times_dense_and_nonsense():
    with pytest.raises(TypeError, match="both dense"):
        gs.matmul(np.ones((2, 2)), np.ones((2, 2)))
    with pytest.raises(TypeError):
        gs.matmul(A, "x")
    with pytest.raises(TypeError):
        gs.matmul(A, None)
    with pytest.raises(TypeError):
        gs.csr(A) @ "x"


def broken(change):
    matrix = A.copy()
    change(matrix)
    return matrix


@pytest.mark.parametrize("change", [
    lambda m: m.indices.__setitem__(0, 30),
    lambda m: m.indices.__setitem__(0, -1),
    lambda m: m.indptr.__setitem__(3, 10**6),
    lambda m: m.indptr.__setitem__(3, -5),
    lambda m: m.indptr.__setitem__(-1, 10**6),
    lambda m: m.indptr.__setitem__(0, 1),
])  # fmt: skip
def test_indices_out_of_range(change):
    matrix = broken(change)
    for multiply in (
        lambda: gs.matmul(matrix, np.ones(30)),
        lambda: gs.matmul(matrix, np.ones((30, 2))),
        lambda: gs.matmul(matrix, A.T),
        lambda: gs.matmul(A.T, matrix),
        lambda: gs.plan(matrix, np.ones(30)),
        lambda: gs.csr(matrix),
        lambda: gs.analyze(matrix),
        lambda: gs.convert(matrix, "sellp"),
        lambda: gs.add(matrix, A),
    ):
        with pytest.raises(ValueError):
            multiply()


def test_large_matrices_are_checked_as_well():
    large = sp.random(2000, 2000, 0.02, format="csr", random_state=1)
    large.indices[70_000] = 2000
    with pytest.raises(ValueError, match="2000"):
        gs.matmul(large, np.ones(2000))


def test_overlapping_output():
    square = random_matrix(30, 30)
    x = np.ones(30)
    with pytest.raises(ValueError, match="overlaps"):
        gs.matmul(square, x, out=x)


def test_memory_limit():
    with pytest.raises(MemoryError, match="limit"):
        gs.matmul(random_matrix(500, 500), random_matrix(500, 500), memory_limit=1000)


def test_options_of_the_wrong_kind():
    with pytest.raises(ValueError, match="nonsense"):
        gs.matmul(A, np.ones(30), algorithm="nonsense")
    with pytest.raises(ValueError, match="plus_times"):
        gs.matmul(A, A.T, semiring="nonsense")
    with pytest.raises(TypeError, match="memory_limit"):
        gs.matmul(A, A.T, memory_limit="much")
    with pytest.raises(ValueError, match="cuda:0"):
        gs.on("gpu")
    with pytest.raises(ValueError, match="number after the colon"):
        gs.on("cuda:x")
    with pytest.raises(ValueError):
        gs.on("cpu", threads=-1)
    with pytest.raises(ValueError, match="beta"):
        gs.matmul(A, np.ones(30), beta=1)
    with pytest.raises(ValueError, match="sellp"):
        gs.convert(A, "nonsense")
    with pytest.raises(TypeError, match="slice"):
        gs.convert(A, "sellp", slices=4)
    with pytest.raises(ValueError, match="nx"):
        gs.generate.poisson2d(n=3)


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(ValueError, match="nothing.mtx"):
        gs.read(tmp_path / "nothing.mtx")
    (tmp_path / "broken.mtx").write_text("%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n")
    with pytest.raises(ValueError, match="broken.mtx"):
        gs.read(tmp_path / "broken.mtx")
    with pytest.raises(OSError):
        gs.write(tmp_path / "no" / "folder.mtx", A)


@pytest.mark.parametrize("width", [np.int32, np.int64])
@pytest.mark.parametrize("position", [0, 17, -1])
def test_every_index_is_checked(width, position):
    for wrong in (30, -1, np.iinfo(width).max, np.iinfo(width).min):
        matrix = A.copy()
        matrix.indices, matrix.indptr = matrix.indices.astype(width), matrix.indptr.astype(width)
        matrix.indices[position] = wrong
        for multiply in (lambda: gs.matmul(matrix, np.ones(30)), lambda: gs.csr(matrix),
                         lambda: gs.matmul(np.ones(30), matrix.T), lambda: gs.csc(matrix.T)):  # fmt: skip
            with pytest.raises(ValueError):
                multiply()
    nothing = sp.csr_matrix((np.ones(1), np.array([0], width), np.array([0, 1], width)), shape=(1, 1))
    nothing._shape = (1, 0)
    with pytest.raises(ValueError):
        gs.matmul(nothing, np.ones(0))
