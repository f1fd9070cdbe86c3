"""Options of products: one reader for products, plans and products of three matrices."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from ._matrices import as_csr
from ._operands import Operand, checked


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
    """The positions that a mask does not have: ``matmul(A, B, mask=complement(M))``.

    Examples
    --------
    >>> import gossamer as gs, scipy.sparse as sp
    >>> A = sp.csr_matrix([[1.0, 2.0], [3.0, 4.0]])
    >>> gs.matmul(A, A, mask=gs.complement(sp.eye(2, format="csr"))).toarray()
    array([[ 0., 10.],
           [15.,  0.]])
    """

    mask: Any


def _mask(mask: Any, where: Any) -> Any:
    """A mask as a matrix in CSR; only its pattern is read. A vector is a column."""
    if not sp.issparse(mask) and getattr(mask, "ndim", 2) == 1:
        mask = sp.csr_matrix(np.asarray(mask)[:, None])
    dtype = getattr(mask, "dtype", None)
    if isinstance(dtype, np.dtype) and dtype.kind in "biu" and hasattr(mask, "astype"):
        mask = mask.astype(np.float32)
    given: Operand = as_csr(mask, "mask")
    return checked(given, "the mask", where).core


def read_options(where: Any, **given: Any) -> dict[str, Any]:
    """Options of the library: those that differ from their defaults, masks as operands."""
    mask, kept = given.pop("mask", None), given.pop("keep", None)
    options = {name: value for name, value in given.items() if value}
    if mask is not None:
        options["complemented"] = isinstance(mask, complement)
        options["mask"] = _mask(mask.mask if isinstance(mask, complement) else mask, where)
    if kept is not None:
        if isinstance(kept, int):
            kept = keep(largest=kept)
        options["keep"] = (float(kept[0]), int(kept[1]))
    return options
