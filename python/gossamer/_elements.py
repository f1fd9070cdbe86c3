"""Single elements and comparisons, and matrices from triplets, diagonals and dense arrays."""

from __future__ import annotations

from typing import Any, Iterator, Optional

import numpy as np

from . import _core
from ._inspection import convert
from ._matrices import as_csr
from ._operands import VALUE_TYPES, arrays_of, checked, pair, plain, refuse_dtype
from ._places import place
from ._structure import given_matrix, wrapped


def value_at(A: Any, i: int, j: int) -> Any:
    """Element (i, j) of a matrix on the host: 0 where nothing is stored; duplicates are added.

    >>> import gossamer as gs, scipy.sparse as sp
    >>> A = sp.csr_matrix([[1.0, 2.0], [0.0, 3.0]])
    >>> gs.value_at(A, 0, 1), gs.value_at(A, 1, 0)
    (2.0, 0.0)
    """
    given, where = given_matrix(A)
    return _core.value_at(where, given.core, i, j)


def nonzeros(A: Any) -> Iterator[tuple[int, int, Any]]:
    """Every stored element (row, column, value) of a matrix on the host, in order of storage.

    >>> import gossamer as gs, scipy.sparse as sp
    >>> [(i, j, v) for i, j, v in gs.nonzeros(sp.csr_matrix([[1.0, 2.0], [0.0, 3.0]]))]
    [(0, 0, 1.0), (0, 1, 2.0), (1, 1, 3.0)]
    """
    given, _ = given_matrix(A)
    if given.on_device:
        raise ValueError("A is on a device: nonzeros(A.to_host())")
    if given.format not in ("csr", "csc", "coo"):
        given = as_csr(given)
    data, first, second = arrays_of(given)
    if given.format != "coo":
        second = np.repeat(np.arange(second.size - 1), np.diff(second))
        first, second = (second, first) if given.format == "csr" else (first, second)
    block = 1 << 16  # lists of Python's numbers are large
    for k in range(0, data.size, block):
        part = slice(k, k + block)
        yield from zip(first[part].tolist(), second[part].tolist(), data[part].tolist())


def spy(A: Any, *, width: int = 64, height: int = 24, unicode: bool = True) -> str:
    """A picture of where the nonzeros are, for a terminal: ``print(gs.spy(A))``.

    Parameters
    ----------
    A : sparse matrix
    width, height : int
        At most so many characters; each has 2 x 4 dots in Unicode, one in ASCII.
    unicode : bool
        False: ' ' nothing, '.' few, ':' some, '#' at least half of the places.

    Examples
    --------
    >>> import gossamer as gs, scipy.sparse as sp
    >>> print(gs.spy(sp.eye(3, format="csr"), unicode=False), end="")  # doctest: +NORMALIZE_WHITESPACE
    #
     #
      #
    """
    given, where = given_matrix(A)
    return str(_core.spy(where, given.core, width, height, unicode))


def same(A: Any, B: Any) -> bool:
    """Whether both have the same shape and in each row the same nonzeros in the same order, bit by bit.

    >>> import gossamer as gs, scipy.sparse as sp
    >>> A = sp.csr_matrix([[1.0, 2.0], [0.0, 3.0]])
    >>> gs.same(A, A.tocsc()), gs.same(A, 2 * A)
    (True, False)
    """
    return _compared(_core.same, A, B)


def allclose(A: Any, B: Any, rtol: float = 1e-5, atol: float = 1e-8) -> bool:
    """Whether |a_ij - b_ij| <= atol + rtol |b_ij| everywhere, as in NumPy; patterns may differ.

    >>> import gossamer as gs, scipy.sparse as sp
    >>> A = sp.csr_matrix([[1.0, 2.0], [0.0, 3.0]])
    >>> gs.allclose(A, (1 + 1e-7) * A), gs.allclose(A, A.toarray()), gs.allclose(A, 2 * A)
    (True, True, False)
    """
    return _compared(_core.allclose, A, B, rtol, atol)


def _compared(comparison: Any, A: Any, B: Any, *rest: Any) -> bool:
    a, b = pair(A, B)
    where = place(None, a.core, b.core)
    return bool(comparison(where, checked(a, "A", where).core, checked(b, "B", where).core, *rest))


def validate(A: Any) -> None:
    """Checks every index of a matrix; raises ValueError with the first that is wrong.

    >>> import gossamer as gs, scipy.sparse as sp
    >>> A = sp.csr_matrix([[1.0, 2.0], [0.0, 3.0]])
    >>> A.indices[1] = 7
    >>> gs.validate(A)
    Traceback (most recent call last):
        ...
    ValueError: ...
    """
    given, where = given_matrix(A)
    given.core.check("A", where)


def _values(values: Any, dtype: Any) -> Any:
    array = np.asarray(values)
    if dtype is None:
        whole = array.dtype.kind in "biu" and not hasattr(values, "dtype")  # a list of whole numbers
        dtype = np.float64 if whole else array.dtype.newbyteorder("=")
    if np.dtype(dtype) not in VALUE_TYPES:
        raise refuse_dtype("values", array.dtype)
    return plain(array, np.dtype(dtype))


def _positions(given: Any, what: str) -> Any:
    array = np.asarray(given)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise TypeError(f"{what} are {array.dtype} of shape {array.shape}; expected a list of whole numbers")
    return plain(array, array.dtype if array.dtype in (np.int32, np.int64) else np.dtype(np.int64))


def from_triplets(shape: tuple[int, int], rows: Any, columns: Any, values: Any, *, dtype: Any = None) -> Any:
    """The matrix with these triplets, in any order; duplicates add up.

    Parameters
    ----------
    shape : tuple
    rows, columns : array
        Whole numbers; int32 and int64 are not copied.
    values : array
    dtype : dtype, optional
        Of the result, where it differs from that of the values.

    Returns
    -------
    scipy.sparse.csr_array
        Columns sorted; zeros are kept.

    Examples
    --------
    >>> import gossamer as gs
    >>> gs.from_triplets((2, 3), [1, 0, 1], [2, 0, 2], [1.0, 5.0, 2.0]).toarray()
    array([[5., 0., 0.],
           [0., 0., 3.]])
    """
    m, n = shape
    made = _core.from_triplets(
        place(None), m, n, _positions(rows, "rows"), _positions(columns, "columns"), _values(values, dtype)
    )
    return wrapped("scipy_array", made)


def identity(n: int, *, dtype: Any = np.float64) -> Any:
    """The identity of n rows and columns, as a ``scipy.sparse.csr_array``.

    >>> import gossamer as gs
    >>> gs.identity(2, dtype="float32").toarray()
    array([[1., 0.],
           [0., 1.]], dtype=float32)
    """
    return wrapped("scipy_array", _core.identity(place(None), n, np.dtype(dtype).char))


def diagonal(values: Any, *, dtype: Any = None) -> Any:
    """The square matrix with these values on its diagonal, as a ``scipy.sparse.csr_array``.

    >>> import gossamer as gs
    >>> gs.diagonal([1.0, 2.0]).toarray()
    array([[1., 0.],
           [0., 2.]])
    """
    return wrapped("scipy_array", _core.diagonal(place(None), _values(values, dtype)))


def from_dense(X: Any, *, dtype: Any = None) -> Any:
    """The elements of a dense matrix that are not zero, as a ``scipy.sparse.csr_array``.

    >>> import gossamer as gs
    >>> gs.from_dense([[1.0, 0.0], [0.0, 2.0]]).nnz
    2
    """
    array = _values(X, dtype)
    if array.ndim != 2:
        raise ValueError(f"X has {array.ndim} dimensions; expected a matrix")
    arrays = _core.arrays_of(_core.convert(place(None), _core.dense(array), "csr", array.dtype.char, {}))
    return wrapped("scipy_array", (*array.shape, *arrays))


def to_dense(A: Any, *, limit: Optional[float] = 10) -> Any:
    """A matrix as a NumPy array; duplicates are added.

    Parameters
    ----------
    A : sparse matrix
    limit : float, optional
        Refused with MemoryError where it takes more than so many times the memory of CSR, plus
        64 MiB; None removes the limit.

    Examples
    --------
    >>> import gossamer as gs, scipy.sparse as sp
    >>> gs.to_dense(sp.csr_matrix([[1.0, 2.0], [0.0, 3.0]]))
    array([[1., 2.],
           [0., 3.]])
    """
    return convert(A, "dense", padding_limit=limit or 0.0)
