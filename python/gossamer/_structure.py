"""Parts, sums and rearrangements of matrices.

Operands are sparse matrices of any format, SciPy's or Gossamer's, on the host or on a device. Results
are CSR matrices of the operand's class, or vectors. All run on all cores, and results do not depend on
the number of threads.
"""

from __future__ import annotations

from typing import Any, Callable, Optional

import numpy as np

from . import _core
from ._matrices import as_csr, csr
from ._operands import Operand, arrays_of, checked, container, operand, pair
from ._places import place
from ._products import sparse_style


def given_matrix(A: Any, name: str = "A") -> tuple[Operand, Any]:
    """A checked operand, and where it is."""
    given = operand(A, name)
    where = place(None, given.core)
    return checked(given, name, where), where


def wrapped(style: str, made: Any) -> Any:
    """(rows, cols, data, indices, indptr) of the library as a CSR matrix of the caller's style."""
    rows, cols, *arrays = made
    if style == "gossamer" or not isinstance(arrays[0], np.ndarray):
        return csr._over((rows, cols), tuple(arrays))
    return container(style, "csr")(tuple(arrays), shape=(rows, cols), copy=False)


def _matrix(operation: Callable[..., Any], A: Any, *rest: Any) -> Any:
    given, where = given_matrix(A)
    return wrapped(given.style, operation(where, given.core, *rest))


def _vector(operation: Callable[..., Any], A: Any, *rest: Any) -> Any:
    given, where = given_matrix(A)
    return operation(where, given.core, *rest)


def transpose(A: Any) -> Any:
    """The transpose as a new CSR matrix with sorted columns; ``A.T`` borrows instead.

    >>> import gossamer as gs, scipy.sparse as sp
    >>> gs.transpose(sp.csr_matrix([[1.0, 2.0], [0.0, 3.0]])).toarray()
    array([[1., 0.],
           [2., 3.]])
    """
    return _matrix(_core.transpose, A)


def sort_columns(A: Any) -> Any:
    """A copy with sorted columns; duplicates stay.

    >>> import gossamer as gs, scipy.sparse as sp
    >>> gs.sort_columns(sp.csr_matrix(([1.0, 2.0], [1, 0], [0, 2]), shape=(1, 2))).indices
    array([0, 1], dtype=int32)
    """
    return _matrix(_core.sort_columns, A)


def sum_duplicates(A: Any) -> Any:
    """A copy with sorted columns and without duplicates, which are added.

    >>> import gossamer as gs, scipy.sparse as sp
    >>> gs.sum_duplicates(sp.csr_matrix(([1.0, 2.0], [1, 1], [0, 2]), shape=(1, 2))).data
    array([3.])
    """
    return _matrix(_core.sum_duplicates, A)


def drop_zeros(A: Any) -> Any:
    """A copy without stored zeros.

    >>> import gossamer as gs, scipy.sparse as sp
    >>> gs.drop_zeros(sp.csr_matrix(([0.0, 2.0], [0, 1], [0, 2]), shape=(1, 2))).nnz
    1
    """
    return _matrix(_core.drop_zeros, A)


def symmetrise(A: Any) -> Any:
    """(A + A')/2.

    >>> import gossamer as gs, scipy.sparse as sp
    >>> gs.symmetrise(sp.csr_matrix([[1.0, 2.0], [0.0, 3.0]])).toarray()
    array([[1., 1.],
           [1., 3.]])
    """
    return _matrix(_core.symmetrise, A)


def select(A: Any, wanted: Optional[Callable[..., Any]] = None, *, magnitude: float = 0.0, largest: int = 0) -> Any:
    """A copy with only some nonzeros.

    Parameters
    ----------
    A : sparse matrix
    wanted : callable, optional
        Called once with the rows, columns and values of all nonzeros, as arrays; says which to keep,
        as an array of truths. For matrices on the host.
    magnitude, largest : float, int
        Of the rest, nonzeros of each row that are at least so large, and at most so many of the largest.

    Examples
    --------
    >>> import gossamer as gs, scipy.sparse as sp
    >>> A = sp.csr_matrix([[1.0, 2.0, 3.0], [4.0, -5.0, 0.0]])
    >>> gs.select(A, lambda i, j, v: (v > 0) & (i != j)).toarray()
    array([[0., 2., 3.],
           [4., 0., 0.]])
    >>> gs.select(A, largest=1).toarray()
    array([[ 0.,  0.,  3.],
           [ 0., -5.,  0.]])
    """
    if wanted is None:
        return _matrix(_core.keep, A, float(magnitude), int(largest))
    given, where = given_matrix(A)
    if given.on_device:
        raise ValueError("A is on a device, and the function is the host's: select(A.to_host(), ...)")
    shape, (data, columns, offsets) = given.core.shape, arrays_of(as_csr(given))
    rows = np.repeat(np.arange(shape[0], dtype=columns.dtype), np.diff(offsets))
    truths = np.asarray(wanted(rows, columns, data))
    if truths.shape != data.shape or truths.dtype != np.bool_:
        raise ValueError(
            f"wanted returned {truths.dtype} of shape {truths.shape}; expected a truth for each of {data.size} nonzeros"
        )
    before = np.concatenate(([0], np.cumsum(truths))).astype(offsets.dtype)
    kept = wrapped(given.style, (*shape, data[truths], columns[truths], before[offsets]))
    return select(kept, magnitude=magnitude, largest=largest) if magnitude or largest else kept


def add(A: Any, B: Any, *, alpha: Any = None, beta: Any = None) -> Any:
    """alpha A + beta B for sparse matrices; columns are sorted, duplicates added.

    >>> import gossamer as gs, scipy.sparse as sp
    >>> A = sp.csr_matrix([[1.0, 2.0], [0.0, 3.0]])
    >>> gs.add(A, A.T, beta=-1).toarray()
    array([[ 0.,  2.],
           [-2.,  0.]])
    """
    return _of_two(_core.add, A, B, alpha, beta)


def kron(A: Any, B: Any) -> Any:
    """The Kronecker product: block (i, j) is a_ij B.

    >>> import gossamer as gs, scipy.sparse as sp
    >>> gs.kron(sp.eye(2, format="csr"), sp.csr_matrix([[1.0, 2.0]])).toarray()
    array([[1., 2., 0., 0.],
           [0., 0., 1., 2.]])
    """
    return _of_two(_core.kron, A, B)


def _of_two(operation: Callable[..., Any], A: Any, B: Any, *rest: Any) -> Any:
    a, b = pair(A, B)
    where = place(None, a.core, b.core)
    for name, o in (("A", a), ("B", b)):
        if o.is_dense:
            raise TypeError(f"{name} is dense; expected a sparse matrix: gs.from_dense({name})")
        checked(o, name, where)
    return wrapped(sparse_style(a, b), operation(where, a.core, b.core, *rest))


def _scaled(operation: Callable[..., Any], A: Any, d: Any) -> Any:
    a, factors = pair(A, d)
    where = place(None, a.core, factors.core)
    if not factors.is_dense or factors.dimensions != 1:
        raise TypeError("d is not a vector; expected one factor for each row, or column")
    return wrapped(a.style, operation(where, checked(a, "A", where).core, factors.core))


def scale_rows(A: Any, d: Any) -> Any:
    """diag(d) A: row i times d[i].

    >>> import gossamer as gs, scipy.sparse as sp
    >>> gs.scale_rows(sp.csr_matrix([[1.0, 2.0], [0.0, 3.0]]), [10.0, 100.0]).toarray()
    array([[ 10.,  20.],
           [  0., 300.]])
    """
    return _scaled(_core.scale_rows, A, d)


def scale_columns(A: Any, d: Any) -> Any:
    """A diag(d): column j times d[j].

    >>> import gossamer as gs, scipy.sparse as sp
    >>> gs.scale_columns(sp.csr_matrix([[1.0, 2.0], [0.0, 3.0]]), [10.0, 100.0]).toarray()
    array([[ 10., 200.],
           [  0., 300.]])
    """
    return _scaled(_core.scale_columns, A, d)


def row_sums(A: Any) -> Any:
    """The sum of each row, as a vector.

    >>> import gossamer as gs, scipy.sparse as sp
    >>> gs.row_sums(sp.csr_matrix([[1.0, 2.0], [0.0, 3.0]]))
    array([3., 3.])
    """
    return _vector(_core.reduce_rows, A, "sum")


def column_sums(A: Any) -> Any:
    """The sum of each column, as a vector.

    >>> import gossamer as gs, scipy.sparse as sp
    >>> gs.column_sums(sp.csr_matrix([[1.0, 2.0], [0.0, 3.0]]))
    array([1., 5.])
    """
    return _vector(_core.reduce_columns, A, "sum")


def _norms(operation: Callable[..., Any], A: Any, which: Any) -> Any:
    """Norms are real; of complex matrices the library has them as complex numbers."""
    found = _vector(operation, A, "max" if which == np.inf else str(which))
    return found.real.copy() if isinstance(found, np.ndarray) and found.dtype.kind == "c" else found


def row_norms(A: Any, norm: Any = 2) -> Any:
    """The norm of each row: 1, 2 or "max" (also ``numpy.inf``).

    >>> import gossamer as gs, scipy.sparse as sp
    >>> gs.row_norms(sp.csr_matrix([[3.0, -4.0], [0.0, 2.0]]))
    array([5., 2.])
    >>> gs.row_norms(sp.csr_matrix([[3.0, -4.0], [0.0, 2.0]]), 1)
    array([7., 2.])
    """
    return _norms(_core.reduce_rows, A, norm)


def column_norms(A: Any, norm: Any = 2) -> Any:
    """The norm of each column: 1, 2 or "max" (also ``numpy.inf``).

    >>> import gossamer as gs, scipy.sparse as sp
    >>> gs.column_norms(sp.csr_matrix([[3.0, -4.0], [0.0, 2.0]]), "max")
    array([3., 4.])
    """
    return _norms(_core.reduce_columns, A, norm)


def diagonal_of(A: Any) -> Any:
    """The elements (i, i), 0 where nothing is stored.

    >>> import gossamer as gs, scipy.sparse as sp
    >>> gs.diagonal_of(sp.csr_matrix([[1.0, 2.0], [4.0, 0.0]]))
    array([1., 0.])
    """
    return _vector(_core.diagonal_of, A)


def tril(A: Any, k: int = 0) -> Any:
    """The nonzeros on and below diagonal k; 0 is the main one, 1 the one above it.

    >>> import gossamer as gs, scipy.sparse as sp
    >>> gs.tril(sp.csr_matrix([[1.0, 2.0], [4.0, 5.0]]), -1).toarray()
    array([[0., 0.],
           [4., 0.]])
    """
    return _matrix(_core.tril, A, k)


def triu(A: Any, k: int = 0) -> Any:
    """The nonzeros on and above diagonal k; 0 is the main one, 1 the one above it.

    >>> import gossamer as gs, scipy.sparse as sp
    >>> gs.triu(sp.csr_matrix([[1.0, 2.0], [4.0, 5.0]])).toarray()
    array([[1., 2.],
           [0., 5.]])
    """
    return _matrix(_core.triu, A, k)
