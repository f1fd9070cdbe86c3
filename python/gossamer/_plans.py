"""Plans: look at a matrix once, multiply often."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._operands import lend, operand, plain
from ._products import check_out, new_out, product, sparse_style, wrap_sparse
from ._reports import Explanation

_call_plan = _core.call_plan


class Plan:
    """A prepared product; made by :func:`plan`. Threads may share one."""

    __slots__ = ("_core", "_style", "_dtype", "_where")

    def __init__(self, core: Any, style: str, dtype: np.dtype[Any], where: Any) -> None:
        self._core = core
        self._style = style
        self._dtype = dtype
        self._where = where

    def __call__(self, x: Any = None, *, out: Any = None, alpha: Any = None, beta: Any = None) -> Any:
        """The product with the current values of the matrix.

        Parameters
        ----------
        x : array, optional
            The dense operand, shaped like the one of the plan; none for a plan of two sparse matrices.
        out : array or sparse matrix, optional
            Where the result is written. A sparse one is an earlier result of the plan.
        alpha, beta : number, optional
            alpha A x + beta out, for dense results.
        """
        if alpha is None and beta is None:
            y = _call_plan(self._core, x, out)
            if y is not NotImplemented:
                return y
        if self._core.sparse_result:
            return self._sparse(x, out, alpha, beta)
        return self._dense(x, out, alpha, beta)

    def _dense(self, x: Any, out: Any, alpha: Any, beta: Any) -> Any:
        if x is None:
            raise TypeError("this plan multiplies a dense operand: plan(x)")
        given = operand(x, "x", None if not isinstance(x, np.ndarray) else self._dtype)
        if given.dimensions != self._core.dimensions:
            raise ValueError(
                f"x has {given.dimensions} dimensions; the plan was made for {self._core.dimensions}"
            )
        shape: tuple[int, ...] = self._core.result_shape
        if given.dimensions == 1:
            shape = shape[:1]
        if out is None:
            if beta is not None:
                raise ValueError("beta needs something to scale: give out=")
            out = new_out(self._where, shape, self._dtype)
        self._core.run_dense(given.core, check_out(out, shape, self._dtype), alpha, beta)
        return out

    def _sparse(self, x: Any, out: Any, alpha: Any, beta: Any) -> Any:
        if x is not None or alpha is not None or beta is not None:
            raise TypeError("a plan of a sparse product takes no operand and no factors: plan(), refill()")
        if out is None:
            return wrap_sparse(self._style, "csr", self._core.result_shape, self._core.run_sparse())
        if tuple(out.shape) != tuple(self._core.result_shape) or out.format != "csr":
            raise ValueError(f"out is not a CSR matrix of {self._core.result_shape}")
        self._core.run_sparse_into(out.data, out.indices, out.indptr)
        return out

    def refill(self, values: Any = None, b_values: Any = None) -> "Plan":
        """New values for the sparse matrix, or for both of them; the structure stays.

        Parameters
        ----------
        values : array, optional
            The new ``A.data``, borrowed by the plan from now on.
        b_values : array, optional
            The new ``B.data``, for a product of two sparse matrices.

        Returns
        -------
        Plan
            The plan itself: ``plan.refill(values)(x)``.

        Notes
        -----
        Without the promise `constant_values` a plan reads the values at every call: changing them in
        place needs no refill.
        """

        def array(given: Any) -> Any:
            if given is None:
                return None
            lent = lend(given)
            return plain(lent, self._dtype) if isinstance(lent, np.ndarray) else lent

        self._core.refill(array(values), array(b_values))
        return self

    def explain(self) -> Explanation:
        """Which kernel was chosen, and what all others were predicted to take."""
        return Explanation(self._core.text(), self._core.json())

    @property
    def kernel(self) -> str:
        """The id of the kernel that runs."""
        return str(self._core.kernel)

    @property
    def shape(self) -> tuple[int, int]:
        """The shape of the result."""
        shape: tuple[int, int] = self._core.result_shape
        return shape

    @property
    def nnz(self) -> int:
        """Nonzeros of a sparse result."""
        return int(self._core.result_nnz)

    def __repr__(self) -> str:
        rows, cols = self.shape
        return f"<gossamer.Plan {rows} x {cols}, {self.kernel}>"


def plan(
    A: Any,
    B: Any,
    *,
    on: Any = None,
    expected_calls: int = 100,
    constant_values: bool = False,
    algorithm: str = "",
    deterministic: bool = False,
    memory_limit: int = 0,
    threads: int = 0,
    mask: Any = None,
    semiring: str = "",
    tuning: str = "",
    check: bool = True,
) -> Plan:
    """Prepares a product that is computed many times.

    Parameters
    ----------
    A, B : sparse matrix or array
        The operands. A dense one is an example of those to come: its shape and type count. Both
        sparse: the structure of the result is computed now, its values at every call.
    expected_calls : int
        How often the plan will be used; preparation is weighed against it.
    constant_values : bool
        A promise that the values of the matrix do not change while the plan is used, which lets the
        plan keep a copy in a faster format.
    on, algorithm, deterministic, memory_limit, threads, mask, semiring, tuning, check
        As for :func:`matmul`.

    Returns
    -------
    Plan
        Call it with the dense operand: ``y = plan(x)``, ``plan(x, out=y)``.

    Examples
    --------
    >>> import gossamer as gs, numpy as np, scipy.sparse as sp
    >>> A = sp.csr_matrix([[1.0, 2.0], [0.0, 3.0]])
    >>> product = gs.plan(A, np.ones(2), expected_calls=1000)
    >>> product(np.array([1.0, 1.0]))
    array([3., 3.])
    >>> A.data[:] = 1.0  # the structure stays: the plan reads the values
    >>> product(np.array([1.0, 1.0]))
    array([2., 1.])
    >>> square = gs.plan(A, A)
    >>> square().toarray()
    array([[1., 2.],
           [0., 1.]])
    """
    p = product(A, B, on, check, algorithm=algorithm, deterministic=deterministic,
                memory_limit=memory_limit, threads=threads, mask=mask, semiring=semiring,
                tuning=tuning, constant_values=constant_values, expected_calls=expected_calls)  # fmt: skip
    core = _core.plan(p.where, *p.terms)
    return Plan(core, sparse_style(p.a, p.b), p.a.dtype, p.where)
