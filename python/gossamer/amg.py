"""Algebraic multigrid by smoothed aggregation, alone or as a preconditioner of SciPy's solvers.

>>> import gossamer as gs, numpy as np
>>> A = gs.generate.poisson2d(nx=40, ny=40)
>>> levels = gs.amg.Hierarchy(A)
>>> x, done = levels.solve(np.ones(1600))
>>> done["converged"], bool(np.linalg.norm(A @ x - 1) <= 1e-8 * 40)
(True, True)
"""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from . import _core
from ._matrices import as_csr
from ._operands import Operand, lend, plain
from ._places import place

__all__ = ["Hierarchy"]


def _checked(A: Any) -> Operand:
    given = as_csr(A)
    if given.on_device:
        raise ValueError("A is on a device; the set-up reads host matrices: A.to_host(), and on=\"cuda:0\"")
    if given.style != "gossamer":
        given.core.check("A", place(None))
    return given


class Hierarchy:
    """Levels of a matrix, from the finest to one that is solved directly.

    Parameters
    ----------
    A : sparse matrix
        Square, float32 or float64, in host memory. CSR is borrowed: do not change its values while
        the hierarchy is used, but for :meth:`update`.
    near_null_space : array, optional
        Vectors, one a column, that A maps to nearly nothing; the constant one otherwise.
    on : str or place, optional
        Where levels live and cycles run: "cpu", "cuda:0".
    **options
        strength, seed, block_size, omega, coarsest, levels, symmetric, sweeps, ratio, expected_calls,
        smoother ("jacobi" or "chebyshev"), cycle ("v" or "w"); docs/guide/amg.md explains them.

    Raises
    ------
    ValueError
        A is not square, or has a zero on its diagonal, an infinity or a NaN.
    TypeError
        Complex values, unknown options.

    Notes
    -----
    Threads may share a hierarchy; they take turns, since cycles write to vectors that it owns.

    Examples
    --------
    As a preconditioner of SciPy's conjugate gradients:

    >>> import gossamer as gs, numpy as np, scipy.sparse.linalg as linalg
    >>> A = gs.generate.poisson2d(nx=40, ny=40)
    >>> levels = gs.amg.Hierarchy(A)
    >>> levels
    <gossamer.amg.Hierarchy 1600 rows, 3 levels>
    >>> x, status = linalg.cg(A, np.ones(1600), atol=0, M=levels.aslinearoperator())
    >>> status
    0

    New values, the same structure:

    >>> x, done = levels.update(2 * A).solve(np.ones(1600))
    >>> bool(np.allclose(2 * A @ x, 1))
    True
    """

    def __init__(self, A: Any, *, near_null_space: Any = None, on: Any = None, **options: Any) -> None:
        if not hasattr(_core, "amg_solver"):
            raise RuntimeError("this build of Gossamer has no multigrid solver (GOSSAMER_AMG=OFF)")
        given = _checked(A)
        self.dtype: np.dtype[Any] = given.dtype
        self.shape: tuple[int, int] = given.core.shape
        self._where = place(on)
        if near_null_space is not None:
            near_null_space = plain(np.asarray(near_null_space), self.dtype)
        self._core = _core.amg_solver(self._where, given.core, options, near_null_space)

    def update(self, A: Any) -> "Hierarchy":
        """New values, the same structure: aggregates are kept, products only get new values.

        Parameters
        ----------
        A : sparse matrix
            With the structure that the hierarchy was made of. It is borrowed instead of the former one.

        Returns
        -------
        Hierarchy
            Itself: ``levels.update(A).solve(b)``.
        """
        self._core.update(_checked(A).core)
        return self

    def _moved(self, b: Any) -> Any:
        """b as a contiguous vector where the levels are."""
        vector = lend(b)
        if isinstance(vector, np.ndarray):
            vector = plain(vector, self.dtype)
            if vector.ndim == 2 and vector.shape[1] == 1:
                vector = vector.reshape(-1)
            if self._where.backend == "cuda":
                vector = _core.to_device(self._where, vector)
        return vector

    def _returned(self, x: Any, like: Any) -> Any:
        """x where the caller's vector is: on a device if that was there, else on the host."""
        if isinstance(x, np.ndarray) or isinstance(lend(like), _core.device_array):
            return x
        return x.to_host()

    def apply(self, b: Any) -> Any:
        """One cycle from zero, which approximates the solution of A x = b.

        >>> import gossamer as gs, numpy as np
        >>> A = gs.generate.poisson2d(nx=40, ny=40)
        >>> gs.amg.Hierarchy(A).apply(np.ones(1600)).shape
        (1600,)
        """
        given = self._moved(b)
        if self._where.backend == "cuda":
            x: Any = _core.empty_on(self._where, [self.shape[0]], self.dtype.char)
        else:
            x = np.empty(self.shape[0], dtype=self.dtype)
        self._core.apply(given, x)
        return self._returned(x, b)

    def solve(
        self,
        b: Any,
        x0: Optional[Any] = None,
        *,
        method: str = "cg",
        tolerance: float = 1e-8,
        iterations: int = 200,
        restart: int = 30,
    ) -> tuple[Any, dict[str, Any]]:
        """Solves A x = b.

        Parameters
        ----------
        b : array
        x0 : array, optional
            Where to start; zero otherwise.
        method : str
            "cg" (symmetric positive definite matrices), "bicgstab" or "gmres".
        tolerance : float
            Solved when the residual is so small in relation to b.
        iterations, restart : int
            The most iterations; the dimension at which GMRES restarts.

        Returns
        -------
        x : numpy.ndarray
            On a device, where b is there.
        done : dict
            converged, outcome, because (with the way out), iterations, residuals, residual, seconds.
        """
        given = self._moved(b)
        start = np.zeros(self.shape[0]) if x0 is None else lend(x0)
        if isinstance(start, _core.device_array):
            start = start.to_host()
        x = self._moved(np.array(start, dtype=self.dtype).reshape(-1))
        done = self._core.solve(given, x, method, tolerance, iterations, restart)
        return self._returned(x, b), done

    def aslinearoperator(self) -> Any:
        """One cycle as a ``scipy.sparse.linalg.LinearOperator``, for M= of SciPy's solvers.

        With the default of symmetric smoothing it is symmetric: conjugate gradients may use it.
        """
        from scipy.sparse.linalg import LinearOperator

        return LinearOperator(self.shape, matvec=self.apply, rmatvec=None, dtype=self.dtype)

    def facts(self) -> dict[str, Any]:
        """Levels, complexities, seconds of the set-up.

        >>> import gossamer as gs
        >>> facts = gs.amg.Hierarchy(gs.generate.poisson2d(nx=40, ny=40)).facts()
        >>> facts["levels"][0]["rows"], facts["operator_complexity"] < 2
        (1600, True)
        """
        found: dict[str, Any] = self._core.facts()
        return found

    def __repr__(self) -> str:
        levels = self.facts()["levels"]
        return f"<gossamer.amg.Hierarchy {self.shape[0]} rows, {len(levels)} levels>"
