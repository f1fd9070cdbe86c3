"""Generators of test matrices, as ``gossamer generate --list`` prints them.

The same seed gives the same matrix for any number of threads. Every generator takes its parameters
by name, and ``dtype=``; results are ``scipy.sparse.csr_array``.

>>> import gossamer as gs
>>> gs.generate.poisson2d(nx=3, ny=2).shape
(6, 6)
>>> gs.generate.rmat(scale=4, edge_factor=2, seed=7, dtype="float32").dtype
dtype('float32')
"""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from . import _core
from ._operands import scipy_result
from ._places import place


def by_name(kind: str, *, dtype: Any = np.float64, **settings: Any) -> Any:
    """The matrix of a generator by its name: ``by_name("poisson2d", nx=10, ny=10)``."""
    texts = [f"{name}={value}" for name, value in settings.items()]
    wanted = np.dtype(dtype)
    real = {"F": "f", "D": "d"}.get(wanted.char, wanted.char)  # all generators are of real values
    rows, cols, *arrays = _core.generate(place(None), real, kind, texts)
    made = scipy_result("scipy_array", "csr", (rows, cols), tuple(arrays))
    return made if made.dtype == wanted else made.astype(wanted)


def _generator(kind: str, summary: str, parameters: list[tuple[str, str, str]]) -> Callable[..., Any]:
    def generator(*, dtype: Any = np.float64, **settings: Any) -> Any:
        return by_name(kind, dtype=dtype, **settings)

    lines = [f"    {name} : default {value or 'none'}\n        {text}" for name, value, text in parameters]
    generator.__name__ = generator.__qualname__ = kind.replace("-", "_")
    generator.__doc__ = f"{summary}\n\n    Parameters\n    ----------\n" + "\n".join(lines)
    return generator


# power-law of the command line is power_law here.
_found = {kind.replace("-", "_"): _generator(kind, summary, given) for kind, summary, given in _core.recipes()}
globals().update(_found)
__all__ = ["by_name", *_found]
