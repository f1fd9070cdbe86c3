"""Products without a plan."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

import numpy as np

from . import _core
from ._matrices import as_csr, csc, csr
from ._operands import Operand, lend, operand, pair, scipy_result
from ._places import place

_spmv = _core.spmv


class keep(NamedTuple):
    """Which nonzeros of each row of a sparse result to store.

    Parameters
    ----------
    magnitude : float
        Nonzeros of smaller magnitude are dropped.
    largest : int
        At most so many per row are kept, those of greatest magnitude; 0 keeps all.

    Examples
    --------
    >>> import gossamer as gs, scipy.sparse as sp
    >>> A = sp.csr_matrix([[1.0, 2.0, 3.0], [0.0, 4.0, 0.0]])
    >>> gs.matmul(A, sp.eye(3, format="csr"), keep=gs.keep(largest=1)).toarray()
    array([[0., 0., 3.],
           [0., 4., 0.]])
    """

    magnitude: float = 0.0
    largest: int = 0


class complement(NamedTuple):
    """The positions that a mask does not have: ``matmul(A, B, mask=complement(M))``."""

    mask: Any


def read_options(given: dict[str, Any]) -> dict[str, Any]:
    """Options of the library: those that differ from their defaults, masks as operands."""
    mask = given.pop("mask", None)
    options = {k: v for k, v in given.items() if v}
    if mask is not None:
        options["complemented"] = isinstance(mask, complement)
        chosen = mask.mask if isinstance(mask, complement) else mask
        options["mask"] = _mask(chosen)
    kept = options.get("keep")
    if kept is not None:
        if isinstance(kept, int):
            kept = keep(largest=kept)
        options["keep"] = (float(kept[0]), int(kept[1]))
    return options


def _mask(mask: Any) -> Any:
    dtype = getattr(mask, "dtype", None)
    if isinstance(dtype, np.dtype) and dtype.kind in "biu" and hasattr(mask, "astype"):
        mask = mask.astype(np.float32)  # only its pattern is read
    return as_csr(mask, "mask").core


def sparse_style(a: Operand, b: Operand) -> str:
    """The style of a sparse result: SciPy's where SciPy came in, but Gossamer's first."""
    for style in ("gossamer", "scipy_array"):
        if style in (a.style, b.style):
            return style
    return "scipy_matrix"


def wrap_sparse(style: str, format: str, shape: tuple[int, int], arrays: Any) -> Any:
    """A sparse result over the arrays of the library."""
    if style == "gossamer" or not isinstance(arrays[0], np.ndarray):
        return (csr if format == "csr" else csc)._over(shape, arrays)
    return scipy_result(style, format, shape, arrays)


def check_operands(where: Any, a: Operand, b: Operand) -> None:
    """Refuses indices out of range; Gossamer's own objects were checked when they were made."""
    for name, o in (("A", a), ("B", b)):
        if not o.is_dense and o.style != "gossamer":
            o.core.check(name, where)


def multiply_sparse(where: Any, a: Operand, b: Operand, rest: tuple[Any, Any, Any], options: Any) -> Any:
    """C = alpha A B + beta Z. Like SciPy, a product whose first operand is CSC is CSC."""
    alpha, beta, added = rest
    style = sparse_style(a, b)
    a, b = by_rows_or_columns(a, "A"), by_rows_or_columns(b, "B")
    shape = (a.core.shape[0], b.core.shape[1])
    by_rows = "mask" in options or (options.get("keep") or (0, 0))[1] > 0 or added is not None
    if a.format == "csc" and not by_rows:
        # The transpose of the product, over the same arrays: C' = B' A'.
        arrays = _core.multiply_sparse(where, b.core.T, a.core.T, alpha, None, None, options)
        return wrap_sparse(style, "csc", shape, arrays)
    core = None if added is None else added.core
    arrays = _core.multiply_sparse(where, a.core, b.core, alpha, beta, core, options)
    return wrap_sparse(style, "csr", shape, arrays)


def by_rows_or_columns(o: Operand, name: str) -> Operand:
    """Sparse products take CSR and CSC; other formats are converted to CSR."""
    return o if o.format in ("csr", "csc") else as_csr(o, name)


def _new_out(where: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    if where.backend == "cuda":
        return _core.empty_on(where, list(shape), dtype.char)
    return np.empty(shape, dtype=dtype)


def check_out(out: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """An output that the product may be written to."""
    if not isinstance(out, np.ndarray) and hasattr(out, "__dlpack__"):
        target: Any = _core.from_dlpack(out.__dlpack__())  # NumPy's from_dlpack is read-only
    else:
        target = lend(out)
    if tuple(target.shape) != shape:
        raise ValueError(f"out has shape {tuple(target.shape)}; the result has {shape}")
    if target.dtype != dtype:
        raise TypeError(f"out holds {target.dtype}; the result holds {dtype}")
    return target


def multiply_dense(
    where: Any, a: Operand, b: Operand, rest: tuple[Any, Any, Any], options: Any, out: Any
) -> Any:
    """y = alpha A x + beta z, where A or B is dense."""
    alpha, beta, added = rest
    left, right = a.core, b.core
    if a.is_dense and a.dimensions == 1:  # x A is A' x
        left, right = b.core.T, a.core
        vector = True
    else:
        vector = b.is_dense and b.dimensions == 1
    if left.shape[1] != right.shape[0]:
        raise ValueError(
            f"A is {' x '.join(map(str, left.shape))} and B is {' x '.join(map(str, right.shape))}: "
            f"the columns of A must equal the rows of B"
        )
    shape = (left.shape[0],) if vector else (left.shape[0], right.shape[1])
    result = _new_out(where, shape, a.dtype) if out is None else out
    target = check_out(result, shape, a.dtype)
    if added is None and beta is not None:
        if out is None:
            raise ValueError("beta needs something to scale: give out= or add=")
        core: Any = _core.dense(target)
    else:
        core = None if added is None else added.core
    _core.multiply_dense(where, left, right, target, alpha, beta, core, options)
    return result


def matmul(
    A: Any,
    B: Any,
    *,
    alpha: Any = None,
    beta: Any = None,
    add: Any = None,
    out: Any = None,
    on: Any = None,
    algorithm: str = "",
    deterministic: bool = False,
    memory_limit: int = 0,
    threads: int = 0,
    drop_zeros: bool = False,
    keep: Any = None,
    mask: Any = None,
    semiring: str = "",
    tuning: str = "",
    check: bool = True,
) -> Any:
    """alpha A B + beta Z: sparse times vector, sparse times dense, dense times sparse, sparse times sparse.

    Parameters
    ----------
    A, B : sparse matrix or array
        SciPy's sparse matrices and arrays, Gossamer's, NumPy's arrays, and arrays of other libraries
        through DLPack or ``__cuda_array_interface__``. At least one is sparse. They are borrowed and
        never modified.
    alpha, beta : number, optional
        Factors of the product and of what is added to it. beta without `add` scales `out`.
    add : matrix, optional
        Z, dense for a dense result, sparse for a sparse one.
    out : array, optional
        Where a dense result is written; it must not overlap an operand.
    on : str or place, optional
        Where to compute, see :func:`on`. Operands have to be there: nothing is moved unasked.
    algorithm : str
        An algorithm ("merge") or a kernel ("spmv/csr/merge/openmp"); the library chooses otherwise.
    deterministic : bool
        Only kernels whose results are bitwise the same for every run and number of threads.
    memory_limit : int
        Bytes that the call may allocate, the result included; 0 is no limit.
    threads : int
        Number of threads; 0 takes all that the process may use.
    drop_zeros : bool
        Do not store elements of a sparse result that cancel to zero. SciPy drops them.
    keep : keep or int, optional
        Which nonzeros of each row of a sparse result to store; a number keeps so many of the largest.
    mask : sparse matrix or complement, optional
        Positions of a sparse result to compute.
    semiring : str
        "plus_times", "min_plus", "max_plus", "or_and" or "plus_pair", for sparse results.
    tuning : str
        Parameters of the kernel, as name=value,name=value.
    check : bool
        Check all indices of matrices that are not Gossamer's own before they are used.

    Returns
    -------
    numpy.ndarray, or a sparse matrix
        A dense result is a new array, or `out`. A sparse result has sorted columns and no duplicates
        and owns the library's memory; it is CSR (CSC if A is), of SciPy's class of the operands, or
        Gossamer's if one of them is.

    Raises
    ------
    ValueError
        Shapes that do not match, indices out of range, options that do not apply.
    TypeError
        Value types that the library does not multiply.
    MemoryError
        The memory limit, or the system's.

    Examples
    --------
    >>> import gossamer as gs, numpy as np, scipy.sparse as sp
    >>> A = sp.csr_matrix([[1.0, 2.0], [0.0, 3.0]])
    >>> gs.matmul(A, np.array([1.0, 1.0]))
    array([3., 3.])
    >>> gs.matmul(A, A, threads=2).toarray()
    array([[1., 8.],
           [0., 9.]])
    >>> y = np.ones(2)
    >>> gs.matmul(A, np.array([1.0, 1.0]), alpha=2.0, beta=-1.0, out=y)
    array([5., 5.])
    >>> gs.matmul(A, A, semiring="min_plus").toarray()
    array([[2., 3.],
           [0., 6.]])
    """
    plain = (alpha is None and beta is None and add is None and out is None and on is None
             and keep is None and mask is None and not (algorithm or deterministic or memory_limit
             or threads or drop_zeros or semiring or tuning))  # fmt: skip
    if plain:
        y = _spmv(A, B, not check)
        if y is not NotImplemented:
            return y
    a, b = pair(A, B)
    if a.is_dense and b.is_dense:
        raise TypeError("A and B are both dense; NumPy multiplies those: A @ B")
    where = place(on, a.core, b.core)
    if check:
        check_operands(where, a, b)
    added: Optional[Operand] = None if add is None else operand(add, "add", a.dtype)
    rest = (alpha, beta, added)
    options: dict[str, Any] = {}
    if not plain:
        options = read_options(
            dict(algorithm=algorithm, deterministic=deterministic, memory_limit=memory_limit,
                 threads=threads, drop_zeros=drop_zeros, keep=keep, mask=mask,
                 semiring=semiring, tuning=tuning))  # fmt: skip
    if a.is_dense or b.is_dense:
        return multiply_dense(where, a, b, rest, options, out)
    if out is not None:
        raise TypeError("a sparse result has a structure of its own: use gs.plan(A, B) for out=")
    if added is None and beta is not None:
        raise ValueError("beta needs something to scale: give add=")
    return multiply_sparse(where, a, b, rest, options)
