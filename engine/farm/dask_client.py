"""A connection to a scheduler of ``dask.distributed`` that ends in silence, whatever has become of the scheduler."""

from __future__ import annotations

import gc
import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

AGAIN_SECONDS = 5.0
"""How long the second attempt to close a client may take."""

_NOISY = ("distributed", "distributed.client", "distributed.http.proxy", "tornado.application", "asyncio")

_log = logging.getLogger("renderwright.farm")


@contextmanager
def connection(client: Any) -> Iterator[Any]:
    """A client as the current one. It is closed at the end, and no error comes of that."""
    client.__enter__()
    try:
        yield client
    finally:
        _close(client)


def _close(client: Any) -> None:
    """Close a client.

    It waits for its task that reads from the scheduler. An error that ``distributed`` does not expect of a connection,
    such as the ``ValueError`` of tornado for one that ends just before its TLS begins, has ended that task, and comes
    out here before anything is closed. Python would close such a client once more at its end, and wait for a minute.
    """
    try:
        client.__exit__(None, None, None)
    except Exception as error:
        _log.debug("the connection to the scheduler did not end in order: %r", error)
        client._handle_report_task = None  # the task has ended; there is no public way to have no wait for it
        with suppress(Exception):
            client.close(timeout=AGAIN_SECONDS)
        client.status = "closed"


@contextmanager
def quiet() -> Iterator[None]:
    """Log nothing of ``distributed``: what matters of it is in the report, or is the error that ends the job."""
    loggers = [logging.getLogger(name) for name in _NOISY]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        gc.collect()  # asyncio logs errors of tasks that nobody waited for when they are collected
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)
