"""What local workers of ``dask.distributed`` run when they begin."""

from __future__ import annotations

import signal


def dask_setup(worker: object) -> None:
    """Leave Ctrl-C, which goes to all processes of a terminal, to the process that has started the worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
