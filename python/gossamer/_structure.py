"""Operations around products: conversions, sums, transposes, statistics and estimates."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
import scipy.sparse as sp

from . import _core
from ._matrices import _Matrix, as_csr, coo, converted, csc, csr
from ._operands import Operand, container, operand, pair
from ._places import place
from ._products import by_rows_or_columns, sparse_style, wrap_sparse
from ._reports import Report

_OWN = {"csr": csr, "csc": csc, "coo": coo}


def convert(A: Any, to: str, *, dtype: Any = None, on: Any = None, **options: Any) -> Any:
    """A copy of a matrix in another format.

    Parameters
    ----------
    A : sparse matrix or array
        Of any format.
    to : str
        "csr", "csc", "coo", "ell", "sellp", "hyb" or "dense".
    dtype : dtype, optional
        Another type of values.
    **options
        slice, stride_factor, sort_window (SELL-P, ELL), padding_limit (all padded formats, dense).

    Returns
    -------
    sparse matrix or array
        SciPy's class, or Gossamer's if A is; a NumPy array for "dense"; an operand of products for
        formats that only Gossamer has.

    Examples
    --------
    >>> import gossamer as gs, numpy as np, scipy.sparse as sp
    >>> A = sp.csr_matrix([[1.0, 2.0], [0.0, 3.0]])
    >>> gs.convert(A, "csc").indices
    array([0, 0, 1], dtype=int32)
    >>> S = gs.convert(A, "sellp", slice=2)
    >>> S
    <gossamer sellp 2 x 2, 3 nonzeros, float64>
    >>> S @ np.ones(2)
    array([3., 3.])
    """
    given = operand(A, "A")
    where = place(on, given.core)
    if given.style != "gossamer" and not given.is_dense:
        given.core.check("A", where)
    code = given.core.code if dtype is None else np.dtype(dtype).char
    made = _core.convert(where, given.core, to, code, options)
    arrays = _core.arrays_of(made)
    if arrays is None:
        return converted(made)
    if to == "dense":
        return arrays
    if given.style == "gossamer":
        return _OWN[to]._over(made.shape, arrays)
    if to == "coo":
        arrays = (arrays[0], (arrays[1], arrays[2]))
    return container(given.style, to)(arrays, shape=made.shape, copy=False)


def _csr_result(style: str, made: Any) -> Any:
    rows, cols, *arrays = made
    return wrap_sparse(style, "csr", (rows, cols), tuple(arrays))


def _apply(A: Any, operation: str, magnitude: float = 0.0, largest: int = 0) -> Any:
    given = as_csr(A)
    where = place(None, given.core)
    if given.style != "gossamer":
        given.core.check("A", where)
    made = _core.apply(where, given.core, operation, float(magnitude), int(largest))
    rows, cols, *arrays = made
    if given.style == "gossamer":
        return csr._over((rows, cols), tuple(arrays))
    return container(given.style, "csr")(tuple(arrays), shape=(rows, cols), copy=False)


def transpose(A: Any) -> Any:
    """The transpose as a new CSR matrix with sorted columns; ``A.T`` borrows instead.

    >>> import gossamer as gs, scipy.sparse as sp
    >>> gs.transpose(sp.csr_matrix([[1.0, 2.0], [0.0, 3.0]])).toarray()
    array([[1., 0.],
           [2., 3.]])
    """
    return _apply(A, "transpose")


def sort_columns(A: Any) -> Any:
    """A copy with sorted columns; duplicates stay."""
    return _apply(A, "sort_columns")


def sum_duplicates(A: Any) -> Any:
    """A copy with sorted columns and without duplicates."""
    return _apply(A, "sum_duplicates")


def drop_zeros(A: Any) -> Any:
    """A copy without stored zeros."""
    return _apply(A, "drop_zeros")


def symmetrise(A: Any) -> Any:
    """(A + A')/2."""
    return _apply(A, "symmetrise")


def select(A: Any, *, magnitude: float = 0.0, largest: int = 0) -> Any:
    """A copy with only the nonzeros of each row that are large enough, or the largest.

    >>> import gossamer as gs, scipy.sparse as sp
    >>> gs.select(sp.csr_matrix([[1.0, 2.0, 3.0]]), largest=2).toarray()
    array([[0., 2., 3.]])
    """
    return _apply(A, "keep", magnitude, largest)


def add(A: Any, B: Any, *, alpha: Any = None, beta: Any = None) -> Any:
    """alpha A + beta B for sparse matrices, in parallel; the result is CSR.

    >>> import gossamer as gs, scipy.sparse as sp
    >>> A = sp.csr_matrix([[1.0, 2.0], [0.0, 3.0]])
    >>> gs.add(A, A.T, beta=-1).toarray()
    array([[ 0.,  2.],
           [-2.,  0.]])
    """
    a, b = pair(A, B)
    where = place(None, a.core, b.core)
    for name, o in (("A", a), ("B", b)):
        if o.is_dense:
            raise TypeError(f"{name} is dense; add sparse matrices, or use NumPy")
        if o.style != "gossamer":
            o.core.check(name, where)
    return _csr_result(sparse_style(a, b), _core.add(where, a.core, b.core, alpha, beta))


def analyze(A: Any) -> Report:
    """Statistics of a matrix: row lengths, bandwidth, symmetry, bytes in every format.

    Examples
    --------
    >>> import gossamer as gs
    >>> facts = gs.analyze(gs.generate.poisson2d(nx=10, ny=10))
    >>> facts["nnz"]
    460
    """
    given = as_csr(A)
    where = place(None, given.core)
    if given.style != "gossamer":
        given.core.check("A", where)
    return Report(*_core.analyze(where, given.core))


def estimate(A: Any, B: Any, *, exact: bool = False, sample_rows: int = 512, seed: int = 1) -> Report:
    """Size and cost of the sparse product A B, without computing it.

    Parameters
    ----------
    A, B : sparse matrix
    exact : bool
        Count the nonzeros of the result exactly, at about half the cost of the product.
    sample_rows, seed : int
        About so many rows are counted exactly otherwise, chosen by the seed.

    Examples
    --------
    >>> import gossamer as gs
    >>> A = gs.generate.poisson2d(nx=10, ny=10)
    >>> gs.estimate(A, A)["nnz"] == (A @ A).nnz
    True
    """
    a, b = pair(A, B)
    where = place(None, a.core, b.core)
    for name, o in (("A", a), ("B", b)):
        if o.style != "gossamer" and not o.is_dense:
            o.core.check(name, where)
    a, b = by_rows_or_columns(a, "A"), by_rows_or_columns(b, "B")
    return Report(*_core.estimate(where, a.core, b.core, exact, sample_rows, seed))


def kernels() -> list[dict[str, Any]]:
    """All kernels of the library, also those that this build or machine cannot run.

    >>> import gossamer as gs
    >>> "spmv/csr/merge/openmp" in [k["id"] for k in gs.kernels()]
    True
    """
    found: list[dict[str, Any]] = _core.kernels()
    return found


def release_memory() -> None:
    """Returns memory that the library keeps for reuse to the system."""
    _core.release_memory()
