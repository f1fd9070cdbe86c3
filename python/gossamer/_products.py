"""Products without a plan."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

import numpy as np

from . import _core
from ._matrices import as_csr, csc, csr
from ._operands import Operand, checked, lend, operand, pair, scipy_result
from ._options import read_options
from ._places import place

_spmv = _core.spmv


def swapped(options: dict[str, Any]) -> dict[str, Any]:
    """Options of B' A' instead of A B: a semiring that takes the value of one operand takes the other's."""
    first, _, second = options.get("semiring", "").partition("_")
    other = {"first": "second", "second": "first"}.get(second)
    return options if other is None else {**options, "semiring": f"{first}_{other}"}


class Product(NamedTuple):
    """A product that was checked: what :func:`matmul` computes and a plan prepares."""

    a: Operand
    b: Operand
    where: Any
    options: dict[str, Any]

    @property
    def dense_result(self) -> bool:
        return self.a.is_dense or self.b.is_dense

    @property
    def vector(self) -> bool:
        """The dense operand is a vector, and so is the result."""
        return 1 in (self.a.dimensions, self.b.dimensions)

    @property
    def terms(self) -> tuple[Any, Any, dict[str, Any]]:
        """Operands and options as the library multiplies them: x A is A' x."""
        if self.a.is_dense and self.a.dimensions == 1:
            return self.b.core.T, self.a.core, swapped(self.options)
        return self.a.core, self.b.core, self.options


def product(A: Any, B: Any, on: Any, check: bool, **options: Any) -> Product:
    """Reads the operands and options of a product; sparse products take CSR and CSC."""
    a, b = pair(A, B)
    if a.is_dense and b.is_dense:
        raise TypeError("A and B are both dense; NumPy multiplies those: A @ B")
    where = place(on, a.core, b.core)
    if check:
        checked(a, "A", where), checked(b, "B", where)
    found = read_options(where, **options) if options else {}
    if not (a.is_dense or b.is_dense):
        a, b = by_rows_or_columns(a, "A"), by_rows_or_columns(b, "B")
    return Product(a, b, where, found)


def sparse_style(*operands: Operand) -> str:
    """The style of a sparse result: SciPy's where SciPy came in, but Gossamer's first."""
    styles = [o.style for o in operands]
    for style in ("gossamer", "scipy_array"):
        if style in styles:
            return style
    return "scipy_matrix"


def wrap_sparse(style: str, format: str, shape: tuple[int, int], arrays: Any) -> Any:
    """A sparse result over the arrays of the library."""
    if style == "gossamer" or not isinstance(arrays[0], np.ndarray):
        return (csr if format == "csr" else csc)._over(shape, arrays)
    return scipy_result(style, format, shape, arrays)


def multiply_sparse(p: Product, rest: tuple[Any, Any, Any]) -> Any:
    """C = alpha A B + beta Z. Like SciPy, a product whose first operand is CSC is CSC."""
    alpha, beta, added = rest
    a, b, where, options = p
    style = sparse_style(a, b)
    shape = (a.core.shape[0], b.core.shape[1])
    by_rows = "mask" in options or (options.get("keep") or (0, 0))[1] > 0 or added is not None
    if a.format == "csc" and not by_rows:
        # The transpose of the product, over the same arrays: C' = B' A'.
        arrays = _core.multiply_sparse(where, b.core.T, a.core.T, alpha, None, None, swapped(options))
        return wrap_sparse(style, "csc", shape, arrays)
    core = None if added is None else added.core
    arrays = _core.multiply_sparse(where, a.core, b.core, alpha, beta, core, options)
    return wrap_sparse(style, "csr", shape, arrays)


def by_rows_or_columns(o: Operand, name: str) -> Operand:
    """Sparse products take CSR and CSC; other formats are converted to CSR."""
    return o if o.format in ("csr", "csc", "expression") else as_csr(o, name)


def new_out(where: Any, shape: tuple[int, ...], dtype: np.dtype[Any], masked: bool = False) -> Any:
    """An array for a dense result; positions that a mask leaves out are zero."""
    if where.backend == "cuda":
        return _core.empty_on(where, list(shape), dtype.char)
    return np.zeros(shape, dtype=dtype) if masked else np.empty(shape, dtype=dtype)


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


def multiply_dense(p: Product, rest: tuple[Any, Any, Any], out: Any) -> Any:
    """y = alpha A x + beta z, where A or B is dense."""
    alpha, beta, added = rest
    left, right, options = p.terms
    if left.shape[1] != right.shape[0]:
        raise ValueError(
            f"A is {' x '.join(map(str, left.shape))} and B is {' x '.join(map(str, right.shape))}: "
            f"the columns of A must equal the rows of B"
        )
    shape = (left.shape[0],) if p.vector else (left.shape[0], right.shape[1])
    result = new_out(p.where, shape, p.a.dtype, "mask" in options) if out is None else out
    target = check_out(result, shape, p.a.dtype)
    if added is None and beta is not None:
        if out is None:
            raise ValueError("beta needs something to scale: give out= or add=")
        core: Any = _core.dense(target)
    else:
        core = None if added is None else added.core
    _core.multiply_dense(p.where, left, right, target, alpha, beta, core, options)
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
    mask : sparse matrix, array or complement, optional
        Positions of the result to compute, its stored elements; of a dense array, those that are
        not zero. Of a dense result, the others are zero, or stay as they are in `out`.
    semiring : str
        "plus_times", "min_plus", "max_plus", "or_and", "plus_pair", "any_pair", "plus_first",
        "plus_second", "min_first", "min_second", "max_first", "max_second", "min_times", "max_times"
        or "max_min". `add` joins by the semiring's own addition, in dense results.
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
    options: dict[str, Any] = {}
    if not plain:
        options = dict(algorithm=algorithm, deterministic=deterministic, memory_limit=memory_limit,
                       threads=threads, drop_zeros=drop_zeros, keep=keep, mask=mask,
                       semiring=semiring, tuning=tuning)  # fmt: skip
    p = product(A, B, on, check, **options)
    added: Optional[Operand] = None
    if add is not None:
        added = operand(add, "add", p.a.dtype)
        if check:
            checked(added, "add", p.where)
    rest = (alpha, beta, added)
    if p.dense_result:
        return multiply_dense(p, rest, out)
    if out is not None:
        raise TypeError("a sparse result has a structure of its own: use gs.plan(A, B) for out=")
    if added is None and beta is not None:
        raise ValueError("beta needs something to scale: give add=")
    return multiply_sparse(p, rest)


def triple_product(
    A: Any, B: Any, C: Any, *, on: Any = None, check: bool = True, return_choice: bool = False, **options: Any
) -> Any:
    """A B C, all sparse, in the order that is estimated to take fewer multiplications.

    Parameters
    ----------
    A, B, C : sparse matrix
        As for :func:`matmul`; ``P.T`` is multiplied without a transposed copy.
    return_choice : bool
        Return the choice as well.
    on, check, **options
        As for :func:`matmul`: mask, keep and drop_zeros apply to the result, the memory limit to each product.

    Returns
    -------
    product : sparse matrix
        CSR, of SciPy's class of the operands, or Gossamer's if one of them is.
    choice : dict
        With return_choice: "order", "(A B) C" or "A (B C)", and the estimated multiplications of both.

    Examples
    --------
    A Galerkin product:

    >>> import gossamer as gs, numpy as np, scipy.sparse as sp
    >>> A = gs.generate.poisson2d(nx=4, ny=4)
    >>> P = sp.csr_array(np.kron(np.eye(8), np.ones((2, 1))))
    >>> coarse, choice = gs.triple_product(P.T, A, P, return_choice=True)
    >>> coarse.shape, choice["order"]
    ((8, 8), '(A B) C')
    """
    dtype = np.result_type(*(operand(m, name).dtype for m, name in ((A, "A"), (B, "B"), (C, "C"))))
    given = [operand(m, name, dtype) for m, name in ((A, "A"), (B, "B"), (C, "C"))]
    where = place(on, *(o.core for o in given))
    for o, name in zip(given, "ABC"):
        if o.is_dense:
            raise TypeError(f"{name} is dense; a product of three is of sparse matrices")
        if check:
            checked(o, name, where)
    a, b, c = (by_rows_or_columns(o, name) for o, name in zip(given, "ABC"))
    rows, cols, data, indices, indptr, choice = _core.multiply_three(
        where, a.core, b.core, c.core, read_options(where, **options)
    )
    style = sparse_style(*given)
    result = wrap_sparse(style, "csr", (rows, cols), (data, indices, indptr))
    return (result, choice) if return_choice else result
