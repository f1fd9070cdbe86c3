"""Complex conjugates as operands: nothing is copied, kernels change the sign of what they read."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from . import _core
from ._matrices import _Matrix, csr
from ._operands import Operand, operand
from ._places import place


class expression:
    """A complex matrix as it enters a product: conjugated, perhaps transposed. Borrows its arrays.

    Made by :func:`conjugated` and :func:`conjugate_transposed`, and taken wherever a matrix is one.
    """

    def __init__(self, given: Operand) -> None:
        self._given = given
        self.shape: tuple[int, int] = given.core.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the values."""
        return self._given.dtype

    @property
    def nnz(self) -> int:
        """The number of stored elements."""
        return int(self._given.core.nnz)

    @property
    def T(self) -> "expression":
        """The transpose, over the same arrays."""
        return expression(self._given._replace(core=self._given.core.T))

    def conj(self) -> "expression":
        """The complex conjugate, over the same arrays."""
        return expression(self._given._replace(core=self._given.core.conj))

    @property
    def H(self) -> "expression":
        """The conjugate transpose, over the same arrays."""
        return self.conj().T

    def copy(self) -> Any:
        """The values as they are meant, in a :class:`csr` of its own."""
        core = self._given.core
        made = _core.convert(place(None, core), core, "csr", core.code, {})
        return csr._over(made.shape, _core.arrays_of(made))

    def toarray(self) -> np.ndarray[Any, Any]:
        """The matrix as a NumPy array."""
        dense: np.ndarray[Any, Any] = self.copy().toarray()
        return dense

    def _as_operand(self, dtype: Optional[np.dtype[Any]]) -> Operand:
        if dtype is not None and dtype != self.dtype:
            operand_of_copy: Operand = self.copy()._as_operand(dtype)
            return operand_of_copy
        return self._given

    __matmul__ = _Matrix.__matmul__
    __rmatmul__ = _Matrix.__rmatmul__
    __array_ufunc__ = None

    def __repr__(self) -> str:
        rows, cols = self.shape
        return f"<gossamer.expression {rows} x {cols}, {self.nnz} nonzeros, {self.dtype}>"


def conjugated(A: Any) -> Any:
    """The complex conjugate of a sparse matrix as an operand; a real matrix is returned as it is.

    >>> import gossamer as gs, numpy as np, scipy.sparse as sp
    >>> A = sp.csr_matrix([[1 + 2j, 0], [0, 3j]])
    >>> gs.conjugated(A) @ np.array([1, 1j])
    array([1.-2.j, 3.+0.j])
    """
    given = operand(A, "A")
    if given.is_dense:
        raise TypeError("A is dense; NumPy conjugates those: A.conj()")
    if given.dtype.kind != "c":
        return A
    # Sparse products take expressions of CSR and CSC as they are; as_csr() converts others.
    form = "expression" if given.format in ("csr", "csc") else "other expression"
    return expression(given._replace(core=given.core.conj, format=form))


def conjugate_transposed(A: Any) -> Any:
    """The conjugate transpose of a sparse matrix as an operand; of a real one ``A.T``.

    >>> import gossamer as gs, scipy.sparse as sp
    >>> A = sp.csr_matrix([[1 + 2j, 1], [0, 3j]])
    >>> (gs.conjugate_transposed(A) @ A).toarray()
    array([[ 5.+0.j,  1.-2.j],
           [ 1.+2.j, 10.+0.j]])
    """
    return conjugated(A).T
