"""Files: Matrix Market, SciPy's .npz, NumPy's .npy and Gossamer's .gsm."""

from __future__ import annotations

import os
from typing import Any, Callable, Optional, Union

import numpy as np
import scipy.sparse as sp

from . import _core
from ._matrices import as_csr
from ._operands import operand, scipy_result

Path = Union[str, "os.PathLike[str]"]
Progress = Optional[Callable[[str, float], None]]


def read(path: Path, *, dtype: Any = None, threads: int = 0, progress: Progress = None) -> Any:
    """Reads a matrix from a file.

    Parameters
    ----------
    path : str or path
        .mtx, .mtx.gz, .npz (SciPy's save_npz), .npy or .gsm, recognised by its contents.
    dtype : dtype, optional
        The type of the values; float64 unless given, complex128 for complex files.
    threads : int
        0 takes all that the process may use.
    progress : callable, optional
        Called with what is done and the share of it that is done. An exception of it ends the reading.

    Returns
    -------
    scipy.sparse.csr_array or numpy.ndarray
        Sorted, duplicates summed, symmetric matrices expanded; an array for dense files.

    Examples
    --------
    >>> import gossamer as gs, scipy.sparse as sp, tempfile, os
    >>> name = os.path.join(tempfile.mkdtemp(), "A.mtx.gz")
    >>> gs.write(name, sp.eye(3, format="csr"))
    >>> gs.read(name).nnz
    3
    """
    if dtype is None:
        dtype = np.complex128 if file_info(path)["field"] == "complex" else np.float64
    found = _core.read(os.fspath(path), np.dtype(dtype).char, threads, progress)
    if isinstance(found, np.ndarray):
        return found
    rows, cols, *arrays = found
    three: Any = tuple(arrays)
    return scipy_result("scipy_array", "csr", (rows, cols), three)


def write(
    path: Path, A: Any, *, comment: str = "", threads: int = 0, progress: Progress = None
) -> None:
    """Writes a matrix to a file; its extension says in which format.

    Parameters
    ----------
    path : str or path
        .mtx, .mtx.gz, .gsm, .npz (sparse) or .npy (dense). The file appears complete or not at all.
    A : sparse matrix or array
        Matrices in other formats than CSR are converted.
    comment : str
        Comment lines of a Matrix Market file.
    """
    given = operand(A, "A")
    core = given.core if given.is_dense else as_csr(given).core
    if not given.is_dense and given.style != "gossamer":
        core.check("A", _core.context_named("cpu", 0))
    _core.write(os.fspath(path), core, comment, threads, progress)


def file_info(path: Path) -> dict[str, Any]:
    """What the header of a file says: kind, field, symmetry, shape, stored elements."""
    facts: dict[str, Any] = _core.file_info(os.fspath(path))
    return facts
