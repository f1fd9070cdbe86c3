"""Sub-matrices and permutations: rows and columns by their numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._operands import container
from ._structure import given_matrix, wrapped


def _numbers(given: Any, size: int, what: str) -> Any:
    """A list of rows or columns as the library reads it: numbers, truths or a slice, as in NumPy."""
    if isinstance(given, slice):
        return np.arange(*given.indices(size), dtype=np.int64)
    numbers = np.asarray(given)
    if numbers.dtype == np.bool_:
        if numbers.shape != (size,):
            raise ValueError(f"{what} are truths of shape {numbers.shape}; expected one for each of {size}")
        return np.flatnonzero(numbers).astype(np.int64)
    if numbers.ndim != 1 or (numbers.size and numbers.dtype.kind not in "iu"):
        raise TypeError(f"{what} are {numbers.dtype} of shape {numbers.shape}; expected a list of whole numbers")
    numbers = np.ascontiguousarray(numbers, dtype=np.int64)
    return np.where(numbers < 0, numbers + size, numbers) if (numbers < 0).any() else numbers


def submatrix(A: Any, rows: Any = None, columns: Any = None) -> Any:
    """The matrix of the elements (rows[i], columns[j]).

    Parameters
    ----------
    A : sparse matrix
    rows, columns : list, slice or truths, optional
        All unless given. Negative numbers count from the end. Rows may be listed several times,
        columns once.

    Returns
    -------
    sparse matrix
        CSR. Nonzeros stay in their order within a row: sorted if A is and the columns ascend.

    Examples
    --------
    >>> import gossamer as gs, scipy.sparse as sp
    >>> A = sp.csr_matrix([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    >>> gs.submatrix(A, [1, 0], slice(1, None)).toarray()
    array([[5., 6.],
           [2., 3.]])
    """
    given, where = given_matrix(A)
    m, n = given.core.shape
    if rows is None and columns is None:
        rows = slice(None)
    lists = [None if which is None else _numbers(which, size, what)
             for which, size, what in ((rows, m, "rows"), (columns, n, "columns"))]  # fmt: skip
    if lists[0] is None:
        made = _core.permute_columns(where, given.core, lists[1])
    elif lists[1] is None:
        made = _core.permute_rows(where, given.core, lists[0])
    else:
        made = _core.submatrix(where, given.core, *lists)
    return wrapped(given.style, made)


def slice_rows(A: Any, first: int, last: int) -> Any:
    """Rows [first, last) of a CSR matrix without a copy of columns and values; only offsets are new.

    Other formats, and matrices on a device, are copied: see :func:`submatrix`.

    >>> import gossamer as gs, numpy as np, scipy.sparse as sp
    >>> A = sp.csr_matrix([[1.0, 0.0], [0.0, 2.0], [3.0, 4.0]])
    >>> part = gs.slice_rows(A, 1, 3)
    >>> part.toarray()
    array([[0., 2.],
           [3., 4.]])
    >>> np.shares_memory(part.data, A.data)
    True
    """
    given, _ = given_matrix(A)
    rows, cols = given.core.shape
    if not 0 <= first <= last <= rows:
        raise ValueError(f"rows [{first}, {last}) of a matrix of {rows} rows do not exist")
    if given.format != "csr" or given.on_device:
        return submatrix(A, slice(first, last))
    data, columns, offsets = given.core.arrays
    here = slice(int(offsets[first]), int(offsets[last]))
    mine = offsets[first : last + 1] - offsets[first]
    if given.style == "gossamer":
        return wrapped(given.style, (last - first, cols, data[here], columns[here], mine))
    # SciPy's constructors copy short parts of long arrays.
    part = container(given.style, "csr")((last - first, cols), dtype=data.dtype)
    part.data, part.indices, part.indptr = data[here], columns[here], mine
    return part


def permute_rows(A: Any, order: Any) -> Any:
    """Row i of the result is row order[i] of A: any rows, in any order.

    >>> import gossamer as gs, scipy.sparse as sp
    >>> gs.permute_rows(sp.csr_matrix([[1.0, 2.0], [0.0, 3.0]]), [1, 0]).toarray()
    array([[0., 3.],
           [1., 2.]])
    """
    return submatrix(A, rows=order)


def permute_columns(A: Any, order: Any) -> Any:
    """Column j of the result is column order[j] of A, each at most once.

    >>> import gossamer as gs, scipy.sparse as sp
    >>> gs.permute_columns(sp.csr_matrix([[1.0, 2.0], [0.0, 3.0]]), [1, 0]).toarray()
    array([[2., 1.],
           [3., 0.]])
    """
    return submatrix(A, columns=order)


def permute(A: Any, order: Any) -> Any:
    """P A P': row and column i of the result are those of order[i]; columns are sorted.

    >>> import gossamer as gs, scipy.sparse as sp
    >>> gs.permute(sp.csr_matrix([[1.0, 2.0], [0.0, 3.0]]), [1, 0]).toarray()
    array([[3., 0.],
           [2., 1.]])
    """
    given, where = given_matrix(A)
    numbers = _numbers(order, given.core.shape[0], "order")
    return wrapped(given.style, _core.permute(where, given.core, numbers))
