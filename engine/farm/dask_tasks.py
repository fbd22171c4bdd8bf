"""What runs in the workers of ``dask.distributed``. Only workers and crews of it import this."""

from __future__ import annotations

import signal
import threading
from collections.abc import Mapping, Sequence

from distributed import Worker, WorkerPlugin, get_worker

from renderwright.engine.farm.work import Batch, Work
from renderwright.engine.farm.workshop import Workshop


class WorkshopPlugin(WorkerPlugin):
    """Gives a worker a workshop, under the name of its crew. Only tasks use it, so that one thread does.

    A ``local`` worker leaves Ctrl-C, which goes to all processes of a terminal, to the process that has started it.
    """

    def __init__(self, *, local: bool) -> None:
        self._local = local
        self.workshop = Workshop()

    def setup(self, worker: Worker) -> None:
        """Called in the worker when it begins."""
        if self._local and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, signal.SIG_IGN)


def make_pieces(crew: str, work: Work, versions: Mapping[str, str], numbers: Sequence[int]) -> Batch:
    """Make pieces in the worker's workshop for that crew. ``versions`` are those that the worker has to have."""
    return _workshop(crew).make(work, numbers, versions)


def end_workshop(crew: str) -> None:
    """Close the device of the worker's workshop for that crew."""
    _workshop(crew).close()


def _workshop(crew: str) -> Workshop:
    plugin = get_worker().plugins[crew]
    assert isinstance(plugin, WorkshopPlugin)
    return plugin.workshop
