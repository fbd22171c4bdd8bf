"""Workers of ``dask.distributed`` as processes of this machine."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from importlib import import_module
from typing import Any

from renderwright.engine.farm.dask_client import connection, quiet
from renderwright.render.errors import BackendError

_log = logging.getLogger("renderwright.farm")

STARTS = 3
"""How often the workers are started together, if some die meanwhile."""

LOST_SECONDS = 60.0
"""A supervisor is ended if its worker is away for so long. On a busy machine a worker begins slowly."""

_SETTINGS = {
    # The pages for people would be open to everybody on the machine.
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
    "distributed.worker.preload": ["renderwright.engine.farm.dask_preload"],
}

_LOST = "distributed.deploy.lost-worker-timeout"

_ENDED = frozenset({"closing", "closed", "failed"})
"""The states of a supervisor that starts no worker any more."""


class LocalWorkers:
    """So many processes with one thread each. Each has a supervisor in this process, which replaces it when it dies.

    They listen on 127.0.0.1 only, and with certificates that exist as long as they do: whoever reaches a worker can
    have it run anything. ``client`` is connected to them.

    Raises ``BackendError`` if they cannot be started.
    """

    def __init__(self, dask: Any, count: int) -> None:
        self._count = count
        self._open = ExitStack()
        try:
            self._open.enter_context(quiet())
            self._open.enter_context(import_module("dask").config.set({**_SETTINGS, _LOST: LOST_SECONDS}))
            folder = self._open.enter_context(tempfile.TemporaryDirectory(prefix="renderwright-farm-"))
            security = dask.Security.temporary()
            options = {
                "threads_per_worker": 1,
                "processes": True,
                "host": "127.0.0.1",
                "protocol": "tls",
                "security": security,
                "dashboard_address": "127.0.0.1:0",
                "worker_dashboard_address": "127.0.0.1:0",
                "memory_limit": 0,  # a limit may end a worker because of what its driver maps
                "local_directory": folder,
                "silence_logs": logging.CRITICAL,
            }
            self._cluster = _started(dask, count, options)
            self._open.callback(_end, self._cluster)
            client = dask.Client(self._cluster, security=security, direct_to_workers=True)
            self.client = self._open.enter_context(connection(client))
        except BaseException:
            self._open.close()
            raise

    def complete(self, present: int) -> None:
        """Start others for those that are missing for good, if only so many workers are ``present``.

        A supervisor gives up if its worker dies while it begins, or is away at the end of ``LOST_SECONDS``.
        """
        if present < self._count:
            self._cluster.sync(self._replace_ended)

    async def _replace_ended(self) -> None:
        supervisors = self._cluster.workers
        for name in [name for name, one in supervisors.items() if one.status.name in _ENDED]:
            del supervisors[name]
        self._cluster.scale(self._count)

    def close(self) -> None:
        """End them."""
        self._open.close()


def _started(dask: Any, count: int, options: Mapping[str, Any]) -> Any:
    """A cluster of this machine. It does not begin with a worker that dies at once, so it is tried again."""
    for left in reversed(range(STARTS)):
        try:
            return dask.LocalCluster(n_workers=count, **options)
        except Exception as error:
            if not left:
                raise BackendError(
                    f"{count} workers cannot be started: {type(error).__name__}: {error}",
                    hint="give fewer --workers",
                ) from error
    raise AssertionError


def _end(cluster: Any) -> None:
    """Close a cluster. Workers that do not end in time, as on a busy machine, are killed: there is nothing to wait for,
    and an error here would hide why the job ends. It is closed once more then: ``close`` has stopped halfway, and the
    scheduler would go on in a thread of this process.
    """
    psutil = import_module("psutil")
    processes = []
    for supervisor in cluster.workers.values():
        with suppress(psutil.NoSuchProcess):
            processes += [psutil.Process(supervisor.pid)] if supervisor.pid else []
    late = False
    try:
        cluster.close()
    except Exception as error:
        _log.debug("workers did not end in time: %r", error)
        late = True
    for process in processes:
        with suppress(psutil.NoSuchProcess):  # which it also is if the number is another process's by now
            process.kill()
    if late:
        cluster.status = type(cluster.status).failed  # "closing" would wait for the close that has stopped
        with suppress(Exception):
            cluster.close()
