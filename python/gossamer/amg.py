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
import scipy.sparse.linalg as linalg

from . import _core
from ._matrices import as_csr
from ._operands import Operand, plain
from ._places import place

if not hasattr(_core, "amg_solver"):
    raise ImportError("this build of Gossamer has no multigrid solver (GOSSAMER_AMG=OFF)")


def _checked(A: Any) -> Operand:
    given = as_csr(A)
    if given.style != "gossamer":
        given.core.check("A", place(None, given.core))
    return given


class Hierarchy:
    """Levels of a matrix, from the finest to one that is solved directly.

    Parameters
    ----------
    A : sparse matrix
        Square, float32 or float64; CSR is borrowed, so keep its values while the hierarchy is used.
    near_null_space : array, optional
        Vectors, one a column, that A maps to nearly nothing; the constant one otherwise.
    **options
        strength, seed, block_size, omega, coarsest, levels, symmetric, sweeps, smoother ("jacobi" or
        "chebyshev"), cycle ("v" or "w"); docs/guide/amg.md explains them.

    Notes
    -----
    One solve at a time: cycles write to vectors that the hierarchy owns.

    Examples
    --------
    As a preconditioner of SciPy's conjugate gradients:

    >>> import gossamer as gs, numpy as np, scipy.sparse.linalg as linalg
    >>> A = gs.generate.poisson2d(nx=40, ny=40)
    >>> x, status = linalg.cg(A, np.ones(1600), M=gs.amg.Hierarchy(A).aslinearoperator())
    >>> status
    0
    """

    def __init__(self, A: Any, *, near_null_space: Any = None, on: Any = None, **options: Any) -> None:
        given = _checked(A)
        self.dtype: np.dtype[Any] = given.dtype
        self.shape: tuple[int, int] = given.core.shape
        if near_null_space is not None:
            near_null_space = np.asarray(near_null_space, dtype=self.dtype)
        self._core = _core.amg_solver(place(on), given.core, options, near_null_space)

    def update(self, A: Any) -> "Hierarchy":
        """New values, the same structure: aggregates are kept, products only get new values."""
        self._core.update(_checked(A).core)
        return self

    def _vector(self, b: Any) -> Any:
        vector = plain(np.asarray(b), self.dtype)
        return vector.reshape(-1) if vector.ndim == 2 and vector.shape[1] == 1 else vector

    def apply(self, b: Any) -> np.ndarray[Any, Any]:
        """One cycle, from zero: an approximation of the solution of A x = b."""
        x = np.empty(self.shape[0], dtype=self.dtype)
        self._core.apply(self._vector(b), x)
        return x

    def solve(
        self,
        b: Any,
        x0: Optional[Any] = None,
        *,
        method: str = "cg",
        tolerance: float = 1e-8,
        iterations: int = 200,
        restart: int = 30,
    ) -> tuple[np.ndarray[Any, Any], dict[str, Any]]:
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
        done : dict
            converged, outcome, because (with the way out), iterations, residuals, residual, seconds.
        """
        if x0 is None:
            x = np.zeros(self.shape[0], dtype=self.dtype)
        else:
            x = np.array(x0, dtype=self.dtype).reshape(-1)
        done = self._core.solve(self._vector(b), x, method, tolerance, iterations, restart)
        return x, done

    def aslinearoperator(self) -> Any:
        """One cycle as a ``scipy.sparse.linalg.LinearOperator``, for M= of SciPy's solvers."""
        return linalg.LinearOperator(self.shape, matvec=self.apply, dtype=self.dtype)

    def facts(self) -> dict[str, Any]:
        """Levels, complexities, seconds of the set-up."""
        found: dict[str, Any] = self._core.facts()
        return found

    def __repr__(self) -> str:
        levels = self.facts()["levels"]
        return f"<gossamer.amg.Hierarchy {self.shape[0]} rows, {len(levels)} levels>"
