"""Gossamer: fast products of sparse matrices, for the objects of SciPy and NumPy.

>>> import gossamer as gs, scipy.sparse as sp
>>> A = sp.random(1000, 1000, density=0.01, format="csr", random_state=1)
>>> C = gs.matmul(A, A)      # what A @ A gives, with all cores
>>> type(C).__name__
'csr_matrix'
>>> with gs.scipy_accelerated():  # or speed up a program that uses SciPy as it is
...     D = A @ A
>>> abs(C - D).max() < 1e-12
True
"""

from typing import Any

from . import _leaving, generate
from ._core import context, device_array
from ._core import version as __version__
from ._files import file_info, read, write
from ._matrices import coo, converted, csc, csr
from ._places import on
from ._plans import Plan, plan
from ._products import complement, keep, matmul
from ._reports import Explanation, Report
from ._scipy import accelerate_scipy, restore_scipy, scipy_accelerated
from ._structure import (
    add,
    analyze,
    convert,
    drop_zeros,
    estimate,
    kernels,
    release_memory,
    select,
    sort_columns,
    sum_duplicates,
    symmetrise,
    transpose,
)



def __getattr__(name: str) -> Any:
    # Loaded when it is asked for: builds without gossamer::amg have none.
    if name == "amg":
        import importlib

        return importlib.import_module(".amg", __name__)
    raise AttributeError(f"module 'gossamer' has no attribute '{name}'")


__all__ = [
    "Explanation",
    "Plan",
    "Report",
    "accelerate_scipy",
    "add",
    "analyze",
    "complement",
    "context",
    "convert",
    "converted",
    "coo",
    "csc",
    "csr",
    "device_array",
    "drop_zeros",
    "estimate",
    "file_info",
    "generate",
    "keep",
    "kernels",
    "matmul",
    "on",
    "plan",
    "read",
    "release_memory",
    "restore_scipy",
    "scipy_accelerated",
    "select",
    "sort_columns",
    "sum_duplicates",
    "symmetrise",
    "transpose",
    "write",
]
