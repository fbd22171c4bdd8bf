"""What runs in the workers of ``dask.distributed``. Only workers and crews of it import this."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from distributed import WorkerPlugin, get_worker

from renderwright.engine.farm.work import Batch, Work
from renderwright.engine.farm.workshop import Workshop


class WorkshopPlugin(WorkerPlugin):
    """The workshop of a worker for one crew. Only tasks use it, so that one thread does."""

    def __init__(self) -> None:
        self.workshop = Workshop()


def make_pieces(crew: str, work: Work, versions: Mapping[str, str], numbers: Sequence[int]) -> Batch:
    """Make pieces in the worker's workshop for that crew. ``versions`` are those that the worker has to have."""
    # The first task makes the plugin: to register it takes an answer of each worker, and one may be dying.
    plugin = get_worker().plugins.setdefault(crew, WorkshopPlugin())
    assert isinstance(plugin, WorkshopPlugin)
    return plugin.workshop.make(work, numbers, versions)


def end_workshop(crew: str) -> None:
    """Close the device of the worker's workshop for that crew."""
    plugin = get_worker().plugins.pop(crew, None)
    if isinstance(plugin, WorkshopPlugin):
        plugin.workshop.close()
