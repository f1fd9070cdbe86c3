"""Conversions to other formats, statistics and estimates, the catalogue of kernels."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._matrices import as_csr, coo, converted, csc, csr
from ._operands import checked, container, operand, pair
from ._places import place
from ._products import by_rows_or_columns
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
    checked(given, "A", where)
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
    checked(given, "A", where)
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
    checked(a, "A", where), checked(b, "B", where)
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
