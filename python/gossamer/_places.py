"""Where products run: the cores of this machine, or a CUDA device."""

from __future__ import annotations

from typing import Any, Union

from . import _core

_known: dict[str, Any] = {}


def on(name: str = "cpu", *, threads: int = 0) -> Any:
    """A place to compute: ``on("cpu")``, ``on("cpu", threads=4)``, ``on("cuda:0")``, ``on("reference")``.

    Parameters
    ----------
    name : str
        "cpu": threads on the host. "cuda:N": device N, whose operands must be in its memory
        (``A.to("cuda:0")``). "reference": serial and slow, the specification of all others.
    threads : int
        Threads of "cpu"; 0 means what OMP_NUM_THREADS and the affinity of the process allow.

    Raises
    ------
    ValueError
        For a name that is none of these.
    RuntimeError
        With the reason, when this build or machine has no such device.

    Examples
    --------
    >>> import gossamer as gs
    >>> gs.on("cpu", threads=2)
    gossamer.on("cpu", threads=2)
    """
    return _core.context_named(name, threads)


def place(given: Union[str, Any, None], *operands: Any) -> Any:
    """The context of a call: the one given, else that of its operands."""
    if given is not None and not isinstance(given, str):
        return given
    name = given
    if name is None:
        name = "cpu"
        for core in operands:
            if core is not None and core.on_device:
                name = f"cuda:{core.device}"
    found = _known.get(name)
    if found is None:
        found = _known[name] = _core.context_named(name, 0)
    return found
