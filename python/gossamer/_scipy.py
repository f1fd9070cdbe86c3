"""SciPy's own ``@`` through Gossamer, for programs that are not to be changed.

SciPy's sparse classes multiply in three methods of their base classes. They are replaced by ours,
which hand anything that Gossamer does not multiply (integers, extended precision) to the methods
they replaced. Results are what SciPy computes, up to rounding: its classes, formats, dtypes and index
dtypes, nonzeros that cancel left out; columns come sorted, which SciPy leaves open.
"""

from __future__ import annotations

import contextlib
import threading
from typing import Any, Callable, Iterator

import numpy as np
import scipy.sparse as sp

from . import _core
from ._operands import VALUE_TYPES, operand, plain
from ._places import place

# The methods have had other names since SciPy 1.13.
_NAMES = {
    "vector": ("_mul_vector", "_matmul_vector"),
    "columns": ("_mul_multivector", "_matmul_multivector"),
    "sparse": ("_mul_sparse_matrix", "_matmul_sparse"),
}
_lock = threading.Lock()
_originals: list[tuple[Any, str, Callable[..., Any]]] = []
_users = 0


def _method(role: str) -> tuple[Any, str]:
    """The class that CSR and CSC inherit a method from, and its name."""
    for owner in sp.csr_array.__mro__:
        for name in _NAMES[role]:
            if name in vars(owner) and issubclass(sp.csc_array, owner):
                return owner, name
    raise RuntimeError(f"this version of SciPy multiplies in methods that Gossamer does not know ({role})")


def _common(A: Any, dtype: np.dtype[Any]) -> Any:
    """The type of the result, or None when SciPy has to compute it."""
    if A.dtype not in VALUE_TYPES or dtype not in VALUE_TYPES:
        return None
    return np.promote_types(A.dtype, dtype)


def _vector(original: Callable[..., Any]) -> Callable[..., Any]:
    def multiply(self: Any, other: Any) -> Any:
        y = _core.spmv(self, other, True)
        if y is not NotImplemented:
            return y
        dtype = _common(self, other.dtype)
        if dtype is None or other.ndim != 1 or len(other) != self.shape[1]:
            return original(self, other)
        a = operand(self, "A", dtype)
        y = np.empty(self.shape[0], dtype=dtype)
        _core.multiply_dense(place(None), a.core, _core.dense(plain(other, dtype)), y, None, None, None, {})
        return y

    return multiply


def _columns(original: Callable[..., Any]) -> Callable[..., Any]:
    def multiply(self: Any, other: Any) -> Any:
        dtype = _common(self, other.dtype)
        if dtype is None or other.shape[0] != self.shape[1]:
            return original(self, other)
        b = operand(np.asarray(other), "B", dtype)
        a = operand(self, "A", dtype)
        y = np.empty((self.shape[0], other.shape[1]), dtype=dtype)
        _core.multiply_dense(place(None), a.core, b.core, y, None, None, None, {})
        return y

    return multiply


def _sparse(original: Callable[..., Any]) -> Callable[..., Any]:
    def multiply(self: Any, other: Any) -> Any:
        dtype = _common(self, other.dtype)
        if dtype is None or other.shape[0] != self.shape[1]:
            return original(self, other)
        a = operand(self, "A", dtype)
        if other.format not in ("csr", "csc"):
            other = other.asformat(self.format)
        b = operand(other, "B", dtype)
        left, right = (a.core, b.core) if self.format == "csr" else (b.core.T, a.core.T)
        arrays = _core.multiply_sparse(place(None), left, right, None, None, None, {"drop_zeros": True})
        result = self.__class__(arrays, shape=(self.shape[0], other.shape[1]), copy=False)
        result.has_canonical_format = True
        return result

    return multiply


def accelerate_scipy() -> None:
    """Routes SciPy's sparse products through Gossamer until :func:`restore_scipy` is called as often."""
    global _users
    with _lock:
        _users += 1
        if _users > 1:
            return
        for role, wrap in (("vector", _vector), ("columns", _columns), ("sparse", _sparse)):
            owner, name = _method(role)
            original = vars(owner)[name]
            _originals.append((owner, name, original))
            setattr(owner, name, wrap(original))


def restore_scipy() -> None:
    """Undoes :func:`accelerate_scipy`."""
    global _users
    with _lock:
        if _users == 0:
            return
        _users -= 1
        if _users > 0:
            return
        for owner, name, original in _originals:
            setattr(owner, name, original)
        _originals.clear()


@contextlib.contextmanager
def scipy_accelerated() -> Iterator[None]:
    """SciPy's sparse ``@`` through Gossamer inside a ``with`` block, in all threads.

    CSR and CSC matrices and arrays of floating-point numbers, real or complex, times vectors, dense matrices and sparse
    ones; what Gossamer does not multiply, SciPy does. Blocks may be nested.

    Examples
    --------
    >>> import gossamer as gs, scipy.sparse as sp
    >>> A = sp.eye(3, format="csr")
    >>> with gs.scipy_accelerated():
    ...     (A @ A).nnz
    3
    """
    accelerate_scipy()
    try:
        yield
    finally:
        restore_scipy()
