"""Workers that ``dask.distributed`` supervises: processes of this machine, or those of a scheduler."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

from renderwright.engine.farm.crew import Outcome
from renderwright.engine.farm.dask_client import connection, quiet
from renderwright.engine.farm.dask_local import LocalWorkers
from renderwright.engine.farm.work import CarriedError, Work
from renderwright.render.errors import BackendError, RenderwrightError, UsageError

CONNECT_SECONDS = 30.0
"""How long to wait for a scheduler, and for its first worker."""

END_SECONDS = 5.0
"""How long a worker that hangs may take to end by itself."""

MOST = 32
"""Pieces of a batch."""

_HERE = frozenset({"localhost", "127.0.0.1", "[::1]"})

_log = logging.getLogger("renderwright.farm")


class DaskCrew:
    """A crew (``renderwright.engine.farm.crew.Crew``) of so many local ``workers``, or of those of a ``scheduler``.

    Which worker makes what is decided here, so a worker that has gone is seen by its missing address.
    """

    most = MOST
    says_notices = False

    def __init__(self, *, workers: int = 0, scheduler: str = "") -> None:
        self._dask, self._remote = _require_dask()
        self._name = f"renderwright-{secrets.token_hex(6)}"
        self._tasks: dict[str, tuple[Any, Sequence[int]]] = {}
        self._ended: set[str] = set()
        self._answers = True
        self._versions: tuple[Work, Mapping[str, str]] | None = None
        self._open = ExitStack()
        self._local: LocalWorkers | None
        try:
            if scheduler:
                self._local, self._client = None, self._connected(scheduler)
            else:
                self._local = LocalWorkers(self._dask, workers)
                self._open.callback(self._local.close)
                self._client = self._local.client
        except BaseException:
            self._open.close()
            raise

    def _connected(self, scheduler: str) -> Any:
        scheme, _, place = scheduler.rpartition("://")
        if scheme != "tls" and place.rpartition(":")[0] not in _HERE:
            _log.warning(
                "the connection to %s is open: whoever reaches it can run anything on the workers; use tls:// "
                '(page "Films and posters" of the documentation)',
                scheduler,
            )
        self._open.enter_context(quiet())
        try:
            client = self._open.enter_context(connection(self._dask.Client(scheduler, timeout=CONNECT_SECONDS)))
            self._wait_for_one(client, scheduler)
        except UsageError:
            raise
        except Exception as error:  # of the address, the network, or the certificates
            raise UsageError(
                f"the scheduler {scheduler} cannot be reached: {error}",
                hint="start it by `dask scheduler`, and give its address; tls:// needs certificates (page "
                '"Films and posters" of the documentation)',
            ) from error
        return client

    def _wait_for_one(self, client: Any, scheduler: str) -> None:
        try:
            client.wait_for_workers(1, timeout=CONNECT_SECONDS)
        except TimeoutError as error:
            raise UsageError(
                f"the scheduler {scheduler} has no workers",
                hint=f"start some by `dask worker {scheduler} --nthreads 1 --memory-limit 0`",
            ) from error

    # as a crew ------------------------------------------------------------------------------------------------------

    def workers(self) -> Sequence[str]:
        """The addresses of the workers, but those that were ended."""
        workers = [worker for worker in self._present() if worker not in self._ended]
        if self._local is not None:
            self._local.complete(len(workers))
        return workers

    def _present(self) -> Collection[str]:
        with self._talk():
            return tuple(self._client.nthreads())

    @contextmanager
    def _talk(self) -> Iterator[None]:
        """A talk with the scheduler. Whatever fails in it, the scheduler has gone: how a connection ends is told by
        errors of the system, of TLS, of tornado, and of a client that has closed itself."""
        try:
            yield
        except Exception as error:
            self._answers = False
            raise BackendError(
                f"the scheduler does not answer any more: {_in_words(error)}",
                hint="start it again, then give the same command: it goes on from what is whole",
            ) from error

    def give(self, worker: str, work: Work, numbers: Sequence[int]) -> None:
        """Submit a task that only this worker may run."""
        asked = self._remote.make_pieces, self._name, work, self._versions_for(work), tuple(numbers)
        try:
            task = self._client.submit(*asked, workers=[worker], allow_other_workers=False, pure=False)
        except Exception:
            self._present()  # raises if it is the scheduler; else the work cannot be sent
            raise
        self._tasks[worker] = task, numbers

    def _versions_for(self, work: Work) -> Mapping[str, str]:
        if self._versions is None or self._versions[0] != work:
            self._versions = work, work.versions()
        return self._versions[1]

    def wait(self, seconds: float) -> Sequence[Outcome]:
        """Wait until a task is done, or its worker gone."""
        if not self._tasks:
            time.sleep(seconds)
            return ()
        futures = [task for task, _ in self._tasks.values()]
        # Cancelled: the connection to the scheduler is gone. Whether it comes back, the next question tells.
        with self._talk(), suppress(TimeoutError, self._dask.CancelledError):
            self._dask.wait(futures, timeout=seconds, return_when="FIRST_COMPLETED")
        present = self._present()
        outcomes = []
        for worker, (task, _) in list(self._tasks.items()):
            if task.done():
                outcomes.append(self._outcome(worker, task))
            elif worker not in present:
                self._cancel(task)
                outcomes.append(Outcome(worker, lost="it died"))
        for outcome in outcomes:
            del self._tasks[outcome.worker]
        return outcomes

    def _outcome(self, worker: str, task: Any) -> Outcome:
        try:
            return Outcome(worker, task.result(timeout=CONNECT_SECONDS))
        except (RenderwrightError, CarriedError) as error:
            return Outcome(worker, error=error)
        except Exception as error:  # the worker died with the result, or its task could not even begin
            return Outcome(worker, lost=f"its result is lost: {type(error).__name__}")

    def end(self, worker: str) -> None:
        """Have its supervisor end it. Without one it is left alone, and given nothing more."""
        self._ended.add(worker)
        task, _ = self._tasks.pop(worker)
        self._cancel(task)
        with suppress(Exception):
            self._client.restart_workers([worker], timeout=END_SECONDS, raise_for_error=False)

    def _cancel(self, task: Any) -> None:
        with self._talk():
            task.cancel()

    def close(self) -> None:
        """Let the workers close their devices; local ones end."""
        with suppress(Exception):
            workers = self.workers() if self._answers else ()
            closing = [
                self._client.submit(self._remote.end_workshop, self._name, workers=[worker], pure=False)
                for worker in workers
                if worker not in self._tasks
            ]
            self._dask.wait(closing, timeout=CONNECT_SECONDS)
        self._open.close()


def _in_words(error: Exception) -> str:
    """An error of the network as it is. The text of others is about the insides of ``distributed``."""
    return str(error) if isinstance(error, OSError) else "the connection has ended"


def _require_dask() -> tuple[Any, Any]:
    """``distributed``, and the module of what its workers run."""
    try:
        import cryptography  # noqa: F401 - certificates of local workers
        import distributed
    except ImportError as error:
        raise UsageError(
            f"several workers need dask.distributed: {error}",
            hint='install it by pip install "renderwright[farm]", or give --workers 1',
        ) from error
    from renderwright.engine.farm import dask_tasks

    return distributed, dask_tasks
