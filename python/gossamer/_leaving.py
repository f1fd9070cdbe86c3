"""The end of a process in which a product was interrupted and still runs on another thread."""

import atexit
import os
import sys
import time

from . import _core


def _leave() -> None:
    deadline = time.monotonic() + 1.0
    while _core.abandoned_jobs() and time.monotonic() < deadline:
        time.sleep(0.01)
    if _core.abandoned_jobs():
        # Its threads would work on while the process takes itself apart.
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        os._exit(130)


atexit.register(_leave)
