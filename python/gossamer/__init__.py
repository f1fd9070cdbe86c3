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

from . import _leaving, amg, generate
from ._core import context, device_array
from ._core import version as __version__
from ._conjugates import conjugate_transposed, conjugated, expression
from ._elements import (
    allclose,
    diagonal,
    from_dense,
    from_triplets,
    identity,
    nonzeros,
    same,
    spy,
    to_dense,
    validate,
    value_at,
)
from ._files import file_info, read, write
from ._inspection import analyze, convert, estimate, kernels, release_memory
from ._matrices import converted, coo, csc, csr
from ._options import complement, keep
from ._places import on
from ._plans import Plan, plan
from ._products import matmul, triple_product
from ._rearranging import permute, permute_columns, permute_rows, slice_rows, submatrix
from ._reports import Explanation, Report
from ._scipy import accelerate_scipy, restore_scipy, scipy_accelerated
from ._structure import (
    add,
    column_norms,
    column_sums,
    diagonal_of,
    drop_zeros,
    kron,
    row_norms,
    row_sums,
    scale_columns,
    scale_rows,
    select,
    sort_columns,
    sum_duplicates,
    symmetrise,
    transpose,
    tril,
    triu,
)

__all__ = [
    "Explanation",
    "Plan",
    "Report",
    "accelerate_scipy",
    "add",
    "allclose",
    "amg",
    "analyze",
    "column_norms",
    "column_sums",
    "complement",
    "conjugate_transposed",
    "conjugated",
    "context",
    "convert",
    "converted",
    "coo",
    "csc",
    "csr",
    "device_array",
    "diagonal",
    "diagonal_of",
    "drop_zeros",
    "estimate",
    "expression",
    "file_info",
    "from_dense",
    "from_triplets",
    "generate",
    "identity",
    "keep",
    "kernels",
    "kron",
    "matmul",
    "nonzeros",
    "on",
    "permute",
    "permute_columns",
    "permute_rows",
    "plan",
    "read",
    "release_memory",
    "restore_scipy",
    "row_norms",
    "row_sums",
    "same",
    "scale_columns",
    "scale_rows",
    "scipy_accelerated",
    "select",
    "slice_rows",
    "sort_columns",
    "spy",
    "submatrix",
    "sum_duplicates",
    "symmetrise",
    "to_dense",
    "transpose",
    "tril",
    "triple_product",
    "triu",
    "validate",
    "value_at",
    "write",
]
