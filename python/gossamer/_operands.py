"""What may be multiplied: SciPy's and NumPy's objects, Gossamer's own, and arrays on devices.

Arrays are borrowed. They are copied only where the library cannot read them as they are: another
byte order, gaps between elements, mixed value types, formats other than CSR, CSC and COO.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

import numpy as np
import scipy.sparse as sp

from . import _core

VALUE_TYPES = tuple(np.dtype(code) for code in _core.value_codes)
_INDEX_TYPES = (np.dtype(np.int32), np.dtype(np.int64))
_sparray = getattr(sp, "sparray", None) or getattr(sp._arrays, "_sparray")


class Operand(NamedTuple):
    """An operand as the library sees it, and what its caller may expect of results."""

    core: Any  # _core.operand
    format: str  # csr, csc, coo, dense, or one that only the library has
    style: str  # scipy_matrix, scipy_array, gossamer, numpy, device
    dtype: np.dtype[Any]
    dimensions: int

    @property
    def is_dense(self) -> bool:
        return self.format == "dense"

    @property
    def on_device(self) -> bool:
        return bool(self.core.on_device)


def refuse_dtype(what: str, dtype: Any) -> TypeError:
    known = ", ".join(str(t) for t in VALUE_TYPES)
    return TypeError(
        f"{what} holds {dtype}; Gossamer multiplies {known}: convert it first, as in {what}.astype(float)"
    )


def is_foreign(array: Any) -> bool:
    """An array of another library: on a device, or lent through DLPack."""
    return isinstance(array, _core.device_array) or (
        not isinstance(array, np.ndarray)
        and not sp.issparse(array)
        and (hasattr(array, "__cuda_array_interface__") or hasattr(array, "__dlpack__"))
    )


def lend(array: Any) -> Any:
    """A NumPy array or a _core.device_array over the same memory, without a copy."""
    if isinstance(array, (np.ndarray, _core.device_array)):
        return array
    if hasattr(array, "__dlpack__"):
        kind, _ = array.__dlpack_device__()
        if kind in (1, 3):  # host memory
            return np.from_dlpack(array)
    if hasattr(array, "__cuda_array_interface__"):
        return _core.from_cuda_interface(array)
    if hasattr(array, "__dlpack__"):
        return _core.from_dlpack(array.__dlpack__())
    return np.asarray(array)


def plain(array: np.ndarray[Any, Any], dtype: Optional[np.dtype[Any]] = None) -> np.ndarray[Any, Any]:
    """The array itself if the library can read it as it is, otherwise a copy that it can."""
    if dtype is None:
        dtype = array.dtype.newbyteorder("=")
    if array.dtype == dtype and array.flags.c_contiguous and array.flags.aligned:
        return array
    return np.ascontiguousarray(array, dtype=dtype)


def _plain_dense(array: np.ndarray[Any, Any], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    if array.dtype == dtype and array.dtype.isnative and array.flags.aligned:
        if array.flags.forc:
            return array
        if array.ndim == 2:
            big, small = array.strides
            size = array.itemsize
            rows, cols = array.shape
            for step, run, least in ((big, small, cols), (small, big, rows)):
                if run == size and step % size == 0 and step >= least * size:
                    return array
    return np.array(array, dtype=dtype, order="C")


def _indices(indices: Any, indptr: Any, data: Any) -> tuple[Any, Any]:
    if isinstance(indices, _core.device_array) or isinstance(indptr, _core.device_array):
        return indices, indptr
    indices, indptr = plain(indices), plain(indptr)
    wide = indices.dtype == np.int64 or indptr.dtype == np.int64
    for name, array in (("indices", indices), ("indptr", indptr)):
        if array.dtype not in _INDEX_TYPES:
            raise TypeError(f"{name} has {array.dtype}; expected int32 or int64")
    if wide and indices.dtype == np.int64:
        indptr = plain(indptr, np.dtype(np.int64))  # wide indices need wide offsets
    return indices, indptr


def _values(data: Any, dtype: Optional[np.dtype[Any]], name: str) -> Any:
    if isinstance(data, _core.device_array):
        if data.dtype not in VALUE_TYPES:
            raise refuse_dtype(name, data.dtype)
        return data
    wanted = data.dtype.newbyteorder("=") if dtype is None else dtype
    if wanted not in VALUE_TYPES:
        raise refuse_dtype(name, data.dtype)
    return plain(data, wanted)


def core_of(
    format: str, shape: tuple[int, int], arrays: tuple[Any, Any, Any], dtype: Any, name: str
) -> Any:
    """The operand of (data, indices, indptr), or of (data, row, col)."""
    data, first, second = arrays
    data = _values(data, dtype, name)
    if format == "coo" and not isinstance(first, _core.device_array):
        width = np.result_type(first.dtype, second.dtype)
        first, second = plain(first, width), plain(second, width)
    else:
        first, second = _indices(first, second, data)
    make = getattr(_core, format)
    return make(int(shape[0]), int(shape[1]), data, first, second)


def _of_scipy(matrix: Any, dtype: Optional[np.dtype[Any]], name: str) -> Operand:
    if matrix.format not in ("csr", "csc", "coo"):
        matrix = matrix.tocsr()
    if matrix.format == "coo":
        arrays = (matrix.data, matrix.row, matrix.col)
    else:
        arrays = (matrix.data, matrix.indices, matrix.indptr)
    core = core_of(matrix.format, matrix.shape, arrays, dtype, name)
    style = "scipy_array" if isinstance(matrix, _sparray) else "scipy_matrix"
    return Operand(core, matrix.format, style, np.dtype(core.code), 2)


def operand(given: Any, name: str, dtype: Optional[np.dtype[Any]] = None) -> Operand:
    """Looks at what a caller gave; `name` is A or B, for errors."""
    if isinstance(given, Operand):
        return given
    if sp.issparse(given):
        return _of_scipy(given, dtype, name)
    own = getattr(given, "_as_operand", None)
    if own is not None:
        result = own(dtype)
        assert isinstance(result, Operand)
        return result
    array = lend(given)
    if isinstance(array, _core.device_array):
        if array.dtype not in VALUE_TYPES:
            raise refuse_dtype(name, array.dtype)
        return Operand(_core.dense(array), "dense", "device", array.dtype, len(array.shape))
    if array.dtype.kind not in "biufc" and not isinstance(given, np.ndarray):
        raise TypeError(f"{name} is a {type(given).__name__}; expected a sparse matrix or an array")
    if array.dtype.kind in "biu" and not hasattr(given, "dtype"):
        array = array.astype(np.float64)  # a list of whole numbers
    if array.ndim not in (1, 2):
        raise ValueError(f"{name} has {array.ndim} dimensions; expected a vector or a matrix")
    wanted = array.dtype.newbyteorder("=") if dtype is None else dtype
    if wanted not in VALUE_TYPES:
        raise refuse_dtype(name, array.dtype)
    return Operand(_core.dense(_plain_dense(array, wanted)), "dense", "numpy", wanted, array.ndim)


def dtype_of(given: Any) -> Any:
    """The value type of an operand before anything is converted."""
    dtype = getattr(given, "dtype", None)
    if isinstance(dtype, np.dtype):
        return dtype.newbyteorder("=")
    if isinstance(given, Operand):
        return given.dtype
    return None


def pair(A: Any, B: Any) -> tuple[Operand, Operand]:
    """Both operands of a product. If their types differ, the narrower one is converted."""
    left, right = dtype_of(A), dtype_of(B)
    if left is not None and right is not None and left != right:
        for what, dtype in (("A", left), ("B", right)):
            if dtype not in VALUE_TYPES:
                raise refuse_dtype(what, dtype)
        common = np.result_type(left, right)
        return operand(A, "A", common), operand(B, "B", common)
    a, b = operand(A, "A"), operand(B, "B")
    if a.dtype != b.dtype:  # a list, or an array of another library
        common = np.result_type(a.dtype, b.dtype)
        return operand(A, "A", common), operand(B, "B", common)
    return a, b


def checked(given: Operand, name: str, where: Any) -> Operand:
    """Refuses indices out of range. Gossamer's own objects were checked when they were made."""
    if not given.is_dense and given.style != "gossamer":
        given.core.check(name, where)
    return given


def arrays_of(given: Operand) -> Any:
    """The three arrays of a sparse operand: those that it borrows, or over those that it owns."""
    return tuple(given.core.arrays) or _core.arrays_of(given.core)


def container(style: str, format: str) -> Any:
    """SciPy's class for a result."""
    return getattr(sp, f"{format}_array" if style == "scipy_array" else f"{format}_matrix")


def scipy_result(style: str, format: str, shape: tuple[int, int], arrays: tuple[Any, Any, Any]) -> Any:
    """A SciPy object over the arrays of a result, which it owns. Columns are sorted and unique."""
    result = container(style, format)(arrays, shape=shape, copy=False)
    result.has_sorted_indices = True
    result.has_canonical_format = True
    return result
