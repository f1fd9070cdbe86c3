"""Operands that several tests share."""

import numpy as np
import pytest
import scipy.sparse as sp


def random_matrix(rows, cols, density=0.1, dtype=np.float64, seed=0, format="csr", integers=True):
    """Small whole numbers: sums of their products are exact in every order."""
    rng = np.random.default_rng(seed)
    matrix = sp.random(rows, cols, density, format="coo", random_state=rng)
    if integers:
        matrix.data = rng.integers(-4, 5, matrix.nnz).astype(np.float64)
        matrix.data[matrix.data == 0] = 7
    if np.dtype(dtype).kind == "c":
        matrix = matrix.astype(dtype)
        matrix.data += 1j * rng.integers(-4, 5, matrix.nnz)
    return matrix.astype(dtype).asformat(format)


def array_addresses(matrix):
    names = ("data", "row", "col") if matrix.format == "coo" else ("data", "indices", "indptr")
    return [getattr(matrix, name).__array_interface__["data"][0] for name in names]


def copies_of(matrix):
    names = ("data", "row", "col") if matrix.format == "coo" else ("data", "indices", "indptr")
    return [getattr(matrix, name).copy() for name in names]


@pytest.fixture(params=["float32", "float64", "complex64", "complex128"])
def dtype(request):
    return np.dtype(request.param)


@pytest.fixture(params=["csr", "csc", "coo"])
def format(request):
    return request.param


@pytest.fixture(params=["matrix", "array"])
def container(request):
    return request.param
