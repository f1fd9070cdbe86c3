"""Gossamer's own sparse matrices: borrowed arrays, checked once."""

from __future__ import annotations

from typing import Any, Iterator, Optional, Union

import numpy as np
import scipy.sparse as sp

from . import _core
from ._operands import Operand, core_of, is_foreign, lend, operand
from ._places import place


class _Matrix:
    """A sparse matrix over three arrays, in host memory or on a device."""

    format = ""
    _names: tuple[str, str, str] = ("data", "indices", "indptr")

    def __init__(
        self,
        A: Any,
        shape: Optional[tuple[int, int]] = None,
        *,
        dtype: Any = None,
        check: bool = True,
    ) -> None:
        wanted = None if dtype is None else np.dtype(dtype)
        arrays: Any
        if isinstance(A, tuple) and len(A) == 3:
            if shape is None:
                raise TypeError(f"{self.format}((data, ...)) needs the shape of the matrix")
            arrays = tuple(lend(array) for array in A)
        else:
            shape, arrays = self._arrays_of(A)
        self._take(shape, arrays, wanted)
        if check:
            self._core.check(self.format, place(None, self._core))

    def _take(self, shape: tuple[int, int], arrays: Any, dtype: Optional[np.dtype[Any]]) -> None:
        self._core = core_of(self.format, shape, arrays, dtype, self.format)
        self._arrays: Any = tuple(self._core.arrays)
        self.shape = (int(shape[0]), int(shape[1]))

    @classmethod
    def _over(cls, shape: tuple[int, int], arrays: Any) -> Any:
        made = cls.__new__(cls)
        made._take(shape, arrays, None)
        return made

    def _arrays_of(self, A: Any) -> tuple[tuple[int, int], Any]:
        if isinstance(A, _Matrix):
            if A.format == self.format:
                return A.shape, A._arrays
            if A.on_device:
                raise ValueError(f"convert to {self.format} on the host: A.to_host() first")
            A = A.to_scipy()
        if not sp.issparse(A):
            if is_foreign(A):
                raise TypeError("a dense array on a device; give (data, indices, indptr) of a matrix")
            A = sp.csr_matrix(np.asarray(A))
        A = A.asformat(self.format)
        return A.shape, tuple(getattr(A, name) for name in self._names)

    @property
    def data(self) -> Any:
        """The stored values."""
        return self._arrays[0]

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the values."""
        return np.dtype(self._core.code)

    @property
    def nnz(self) -> int:
        """The number of stored elements."""
        return int(self._core.nnz)

    @property
    def ndim(self) -> int:
        return 2

    @property
    def on_device(self) -> bool:
        """Whether the arrays are in the memory of a device."""
        return bool(self._core.on_device)

    def _as_operand(self, dtype: Optional[np.dtype[Any]]) -> Operand:
        core = self._core
        if dtype is not None and dtype != self.dtype:
            core = core_of(self.format, self.shape, self._arrays, dtype, "A")
        return Operand(core, self.format, "gossamer", np.dtype(core.code), 2)

    def to(self, on: Any) -> Any:
        """A copy in the memory of `on`, as in ``A.to("cuda:0")``."""
        where = place(on)
        return self._over(self.shape, tuple(_core.to_device(where, a) for a in self.to_host()._arrays))

    def to_host(self) -> Any:
        """The matrix in host memory: itself, or a copy of one on a device."""
        if not self.on_device:
            return self
        return self._over(self.shape, tuple(a.to_host() for a in self._arrays))

    def to_scipy(self, array: bool = True) -> Any:
        """The SciPy object over the same arrays (host), or over copies of them (device)."""
        made = getattr(sp, self.format + ("_array" if array else "_matrix"))
        arrays = self.to_host()._arrays
        if self.format == "coo":
            arrays = (arrays[0], (arrays[1], arrays[2]))
        return made(arrays, shape=self.shape, copy=False)

    def toarray(self) -> np.ndarray[Any, Any]:
        """The matrix as a NumPy array."""
        dense: np.ndarray[Any, Any] = self.to_scipy().toarray()
        return dense

    def __matmul__(self, other: Any) -> Any:
        from ._products import matmul

        try:
            return matmul(self, other)
        except TypeError:
            if hasattr(other, "__rmatmul__") and not isinstance(other, (np.ndarray, _Matrix)):
                return NotImplemented
            raise

    def __rmatmul__(self, other: Any) -> Any:
        from ._products import matmul

        return matmul(other, self)

    # NumPy would otherwise try to multiply by an array of objects.
    __array_ufunc__ = None

    def _with_values(self, values: Any) -> Any:
        return self._over(self.shape, (values, *self._arrays[1:]))

    def _scaled(self, alpha: Any) -> Any:
        if self.on_device:
            raise ValueError("a matrix on a device is scaled in products: matmul(A, B, alpha=...)")
        return self._with_values((self.data * alpha).astype(self.dtype, copy=False))

    def __mul__(self, alpha: Any) -> Any:
        return self._scaled(alpha) if np.isscalar(alpha) else NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, alpha: Any) -> Any:
        return self * (1 / alpha)

    def __neg__(self) -> Any:
        return self._scaled(-1)

    def __add__(self, other: Any) -> Any:
        from ._structure import add

        return add(self, other)

    def __sub__(self, other: Any) -> Any:
        from ._structure import add

        return add(self, other, beta=-1)

    @property
    def H(self) -> Any:
        """The conjugate transpose, over the same arrays; of a real matrix the transpose."""
        from ._conjugates import conjugate_transposed

        return conjugate_transposed(self)

    def conj(self) -> Any:
        """The complex conjugate, over the same arrays; of a real matrix itself."""
        from ._conjugates import conjugated

        return conjugated(self)

    def __getitem__(self, key: Any) -> Any:
        """``A[i, j]`` is an element; ``A[2:5]`` and ``A[2:5, ::2]`` are matrices, see submatrix."""
        from ._elements import value_at
        from ._rearranging import slice_rows, submatrix

        rows, columns = key if isinstance(key, tuple) and len(key) == 2 else (key, slice(None))
        if isinstance(rows, (int, np.integer)) and isinstance(columns, (int, np.integer)):
            return value_at(self, *(int(k) + (n if k < 0 else 0) for k, n in zip((rows, columns), self.shape)))
        if not (isinstance(rows, slice) and isinstance(columns, slice)):
            raise TypeError("A[i, j] takes two numbers or slices; for lists use gs.submatrix(A, rows, columns)")
        if columns != slice(None):
            return submatrix(self, rows, columns)
        first, last, step = rows.indices(self.shape[0])
        return slice_rows(self, first, max(first, last)) if step == 1 else submatrix(self, rows)

    def __iter__(self) -> Iterator[tuple[int, int, Any]]:
        """``for i, j, v in A``: every stored element, in order of storage."""
        from ._elements import nonzeros

        return nonzeros(self)

    def __repr__(self) -> str:
        where = " on a device" if self.on_device else ""
        rows, cols = self.shape
        return (
            f"<gossamer.{self.format} {rows} x {cols}, {self.nnz} nonzeros, {self.dtype}, "
            f"{self._arrays[1].dtype} indices{where}>"
        )


class csr(_Matrix):
    """Compressed sparse rows, over the arrays of a SciPy matrix or over your own.

    Parameters
    ----------
    A : sparse matrix, array, or tuple (data, indices, indptr)
        SciPy's CSR and arrays of the tuple are borrowed, not copied; other formats are converted.
        The arrays of the tuple may be on a device (``__cuda_array_interface__`` or DLPack).
    shape : tuple, optional
        Needed with a tuple of arrays.
    dtype : dtype, optional
        Another type of values; makes a copy of the values where it differs.
    check : bool
        Check every index once. Products of the object trust it from then on, so do not change
        `indices` and `indptr`; values may change.

    Examples
    --------
    >>> import gossamer as gs, numpy as np, scipy.sparse as sp
    >>> S = sp.csr_matrix([[1.0, 2.0], [0.0, 3.0]])
    >>> A = gs.csr(S)
    >>> A
    <gossamer.csr 2 x 2, 3 nonzeros, float64, int32 indices>
    >>> A @ np.array([1.0, 1.0])
    array([3., 3.])
    >>> (A @ A.T).toarray()
    array([[5., 6.],
           [6., 9.]])
    >>> np.shares_memory(A.data, S.data)
    True
    >>> A[0, 1], list(A)
    (2.0, [(0, 0, 1.0), (0, 1, 2.0), (1, 1, 3.0)])
    """

    format = "csr"

    @property
    def indices(self) -> Any:
        """The column of every nonzero."""
        return self._arrays[1]

    @property
    def indptr(self) -> Any:
        """Row i is elements indptr[i] to indptr[i + 1]."""
        return self._arrays[2]

    @property
    def T(self) -> "csc":
        """The transpose, over the same arrays."""
        made: csc = csc._over(self.shape[::-1], self._arrays)
        return made


class csc(_Matrix):
    """Compressed sparse columns; see :class:`csr`.

    Examples
    --------
    >>> import gossamer as gs, scipy.sparse as sp
    >>> gs.csc(sp.csc_matrix([[1.0, 2.0], [0.0, 3.0]])).T
    <gossamer.csr 2 x 2, 3 nonzeros, float64, int32 indices>
    """

    format = "csc"

    @property
    def indices(self) -> Any:
        """The row of every nonzero."""
        return self._arrays[1]

    @property
    def indptr(self) -> Any:
        """Column j is elements indptr[j] to indptr[j + 1]."""
        return self._arrays[2]

    @property
    def T(self) -> csr:
        """The transpose, over the same arrays."""
        made: csr = csr._over(self.shape[::-1], self._arrays)
        return made


class coo(_Matrix):
    """Triplets in any order; duplicates add up. See :class:`csr`.

    Examples
    --------
    >>> import gossamer as gs, numpy as np
    >>> A = gs.coo((np.array([1.0, 2.0]), np.array([0, 0]), np.array([1, 1])), shape=(2, 2))
    >>> A @ np.array([0.0, 1.0])
    array([3., 0.])
    """

    format = "coo"
    _names = ("data", "row", "col")

    @property
    def row(self) -> Any:
        """The row of every nonzero."""
        return self._arrays[1]

    @property
    def col(self) -> Any:
        """The column of every nonzero."""
        return self._arrays[2]

    @property
    def T(self) -> "coo":
        """The transpose, over the same arrays."""
        data, row, col = self._arrays
        made: coo = coo._over(self.shape[::-1], (data, col, row))
        return made


class converted:
    """A matrix in a format that only Gossamer has (ELL, SELL-P, HYB): an operand of products."""

    def __init__(self, core: Any) -> None:
        self._core = core
        self.shape: tuple[int, int] = core.shape
        self.format: str = core.format

    @property
    def nnz(self) -> int:
        """The number of stored elements, padding not counted."""
        return int(self._core.nnz)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the values."""
        return np.dtype(self._core.code)

    def _as_operand(self, dtype: Optional[np.dtype[Any]]) -> Operand:
        if dtype is not None and dtype != self.dtype:
            raise TypeError(f"A holds {self.dtype}; convert B to it, or A with gs.convert(..., dtype=)")
        return Operand(self._core, self.format, "gossamer", self.dtype, 2)

    __matmul__ = _Matrix.__matmul__
    __rmatmul__ = _Matrix.__rmatmul__
    __array_ufunc__ = None

    def __repr__(self) -> str:
        rows, cols = self.shape
        return f"<gossamer {self.format} {rows} x {cols}, {self.nnz} nonzeros, {self.dtype}>"


def as_csr(A: Any, name: str = "A", dtype: Any = None) -> Operand:
    """A matrix as an operand in CSR: itself, or a copy of one in another format."""
    given = operand(A, name, dtype)
    if given.format == "csr":
        return given
    where = place(None, given.core)
    made = _core.convert(where, given.core, "csr", given.core.code, {})
    return Operand(made, "csr", given.style, given.dtype, 2)


AnyMatrix = Union[_Matrix, converted]
