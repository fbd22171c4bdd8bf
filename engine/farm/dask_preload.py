"""What local workers of ``dask.distributed`` run when they begin."""

from __future__ import annotations

import os
import signal
from typing import Protocol

from renderwright.engine.backends import DEVICE_TURN


class NumberedWorker(Protocol):
    """A worker of this machine: a local cluster numbers them."""

    name: int


def dask_setup(worker: NumberedWorker) -> None:
    """Leave Ctrl-C, which goes to all processes of a terminal, to the process that has started the worker. Of several
    equal devices the workers take one each, in turn."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ[DEVICE_TURN] = str(worker.name)
